//! A disk for tests: memory that can be told to refuse, or to panic, and that looks around at every access.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::StorageBackend;
use redb::backends::InMemoryBackend;

/// What clones of a disk share.
#[derive(Clone, Default)]
pub(crate) struct Switches {
    pub(crate) is_broken: Arc<AtomicBool>,
    pub(crate) panics: Arc<AtomicBool>,
}

pub(crate) struct Flaky {
    memory: InMemoryBackend,
    switches: Switches,
    look: Box<dyn Fn() + Send + Sync>,
}

impl Flaky {
    pub(crate) fn new(switches: &Switches) -> Self {
        Self { memory: InMemoryBackend::new(), switches: switches.clone(), look: Box::new(|| {}) }
    }

    /// The same with something to do whenever the database reads or writes.
    pub(crate) fn looking(self, look: impl Fn() + Send + Sync + 'static) -> Self {
        Self { look: Box::new(look), ..self }
    }

    fn check(&self) -> io::Result<()> {
        (self.look)();
        assert!(!self.switches.panics.load(Ordering::Relaxed), "a bug in the database");
        let is_broken = self.switches.is_broken.load(Ordering::Relaxed);
        if is_broken { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

impl std::fmt::Debug for Flaky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Flaky").finish_non_exhaustive()
    }
}

impl StorageBackend for Flaky {
    fn len(&self) -> io::Result<u64> {
        self.memory.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        (self.look)();
        self.memory.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.check()?;
        self.memory.set_len(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.check()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.check()?;
        self.memory.write(offset, data)
    }
}

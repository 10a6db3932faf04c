//! The saver: a thread that owns the database and writes what changed.
//!
//! In: nudges. Out: the last edit that is durable, or why it is not. A transaction holds the ground as it was after one
//! edit: changed tiles are copied in portions, each under a short read lock, again and again until none is left that
//! changed meanwhile. Deliberately not here: the file's format (`file.rs`), retries on its own (the next nudge is one).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use parking_lot::{Condvar, Mutex};
use redb::{Database, Table};

use super::error::SaveError;
use super::file::{self, TILES, write_error};
use super::tile_bytes::{KEY_BYTES, TILE_BYTES, encode, key_bytes};
use crate::World;
use crate::edits::{EditId, EditStore, LoadError, Tiles};

/// Tiles that are copied under one lock: a quarter of a megabyte, some tens of microseconds.
const PORTION_TILES: usize = 64;
/// Portions of a transaction before the rest is taken under one lock, so that a stream of edits cannot starve it.
const PORTIONS_MAX: usize = 64;

/// An open save file and its thread, named `terrane-save`.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::edits::{Brush, BrushShape, Edit, EditOp};
/// use terrane::save::Save;
/// use terrane::{Position, World, WorldConfig};
///
/// # let dir = std::env::temp_dir().join(format!("terrane-doc-save-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir).unwrap();
/// # let path = dir.join("hills.save");
/// let open = || World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let center = Position::from_samples([10, 20]).unwrap();
/// let brush = Brush { center, shape: BrushShape::Square { half_m: 3.0 }, falloff_m: 0.0 };
///
/// let world = open();
/// let save = Save::open(&path, &world).unwrap();
/// let edited = world.edit(&Edit { brush, op: EditOp::Set { height_m: 4.0 } }).unwrap();
/// save.submit();
/// save.flush().unwrap();
/// assert_eq!(save.try_saved(), Some(edited.id));
/// drop(save);
///
/// let again = open();
/// let save = Save::open(&path, &again).unwrap();
/// assert_eq!(again.height_at(center), 4.0);
/// # drop(save);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # }
/// ```
#[derive(Debug)]
pub struct Save {
    path: PathBuf,
    store: Arc<EditStore>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    done: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Nudges so far, and how many of them have been dealt with.
    asked: u64,
    answered: u64,
    stop: bool,
    /// The thread has ended.
    ended: bool,
    saved: EditId,
    reported: EditId,
    /// Of the last attempt.
    failure: Option<Failure>,
    /// The host has not been told of it.
    untold: bool,
}

/// What the database said.
#[derive(Clone, Debug)]
struct Failure {
    reason: String,
    kind: Option<io::ErrorKind>,
}

impl Save {
    /// Opens the save file of a world and loads its edits, or makes the file when it is missing. The world (with its
    /// clones) must not have been edited yet. Reads the file twice, verifying every checksum: about 3 ms per
    /// hundred tiles. After a process was killed, the file is repaired here.
    ///
    /// # Errors
    /// A file of another kind, world, version or size, a damaged one, one that is in use: see [`SaveError`]. The file
    /// stays as it was, and nothing is loaded.
    pub fn open(path: impl AsRef<Path>, world: &World) -> Result<Self, SaveError> {
        let (path, store) = (path.as_ref().to_owned(), Arc::clone(world.edits()));
        let (used, last) = (store.tiles_used(), store.last_edit());
        if used > 0 || last > EditId(0) {
            return Err(SaveError::NotEmpty { path, used, last });
        }
        let (database, loaded) = file::open(&path, world)?;
        store.load(loaded.tiles(), loaded.last).map_err(|error| match error {
            LoadError::NotEmpty { used, last } => SaveError::NotEmpty { path: path.clone(), used, last },
            LoadError::TooFew { total } => {
                SaveError::TooManyTiles { path: path.clone(), found: loaded.tiles().len() as u64, total }
            }
        })?;
        let state = State { saved: loaded.last, reported: loaded.last, ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), ..Shared::default() });
        let saver = Saver {
            path: path.clone(),
            database: Some(database),
            copied: vec![0; store.tiles()],
            portion: Vec::with_capacity(PORTION_TILES),
            saved: loaded.last,
        };
        let work = {
            let (shared, store) = (Arc::clone(&shared), Arc::clone(&store));
            move || saver.run(&shared, &store)
        };
        let thread = std::thread::Builder::new().name("terrane-save".into()).spawn(work);
        let thread = thread.map_err(|source| SaveError::Io {
            action: "start the thread that writes",
            path: path.clone(),
            source,
        })?;
        Ok(Self { path, store, shared, thread: Some(thread) })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Wakes the saver: all edits so far are to be written. Returns at once and allocates nothing; call it after every
    /// edit, or once for several.
    pub fn submit(&self) {
        self.shared.state.lock().asked += 1;
        self.shared.wake.notify_one();
    }

    /// The last edit that is durable, when it is another than at the last call: this edit and every one before it
    /// survive whatever happens to the process.
    #[must_use]
    pub fn try_saved(&self) -> Option<EditId> {
        let mut state = self.shared.state.lock();
        let news = state.saved > state.reported;
        state.reported = state.saved;
        news.then_some(state.saved)
    }

    /// What went wrong in the last attempt to write, once per attempt. The edits are still in the world, and the next
    /// [`submit`](Self::submit) tries again.
    #[must_use]
    pub fn try_error(&self) -> Option<SaveError> {
        let mut state = self.shared.state.lock();
        let untold = std::mem::take(&mut state.untold);
        untold.then(|| self.error(state.failure.clone()))
    }

    /// Waits until every edit that was done before the call is on disk.
    ///
    /// # Errors
    /// [`SaveError::Write`] when they could not be written.
    pub fn flush(&self) -> Result<(), SaveError> {
        let wanted = self.store.last_edit();
        let mut state = self.shared.state.lock();
        state.asked += 1;
        let mine = state.asked;
        self.shared.wake.notify_one();
        while state.answered < mine && !state.ended {
            self.shared.done.wait(&mut state);
        }
        if state.saved >= wanted {
            return Ok(());
        }
        state.untold = false;
        Err(self.error(state.failure.clone()))
    }

    /// Flushes and closes the file. Dropping does the same and keeps errors to itself.
    ///
    /// # Errors
    /// As [`flush`](Self::flush).
    pub fn close(self) -> Result<(), SaveError> {
        self.flush()
    }

    fn error(&self, failure: Option<Failure>) -> SaveError {
        let Failure { reason, kind } = failure
            .unwrap_or_else(|| Failure { reason: "the thread that writes has ended".into(), kind: None });
        SaveError::Write { path: self.path.clone(), reason, kind }
    }
}

impl Drop for Save {
    fn drop(&mut self) {
        {
            let mut state = self.shared.state.lock();
            state.asked += 1;
            state.stop = true;
        }
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic there has been printed, and a second one would help nobody.
            let _ = thread.join();
        }
    }
}

/// Tells those who wait when the thread ends, even by a panic.
struct Farewell<'a>(&'a Shared);

impl Drop for Farewell<'_> {
    fn drop(&mut self) {
        self.0.state.lock().ended = true;
        self.0.done.notify_all();
    }
}

/// The thread's own.
struct Saver {
    path: PathBuf,
    /// `None` after a failure: a database that lost its file must be opened again.
    database: Option<Database>,
    /// The edit that each slot's copy in the file holds.
    copied: Vec<u64>,
    portion: Vec<([u8; KEY_BYTES], Box<[u8; TILE_BYTES]>)>,
    saved: EditId,
}

impl Saver {
    fn run(mut self, shared: &Shared, store: &EditStore) {
        let _farewell = Farewell(shared);
        loop {
            let (asked, stop) = {
                let mut state = shared.state.lock();
                while state.asked == state.answered && !state.stop {
                    shared.wake.wait(&mut state);
                }
                (state.asked, state.stop)
            };
            let result = self.save(store);
            let mut state = shared.state.lock();
            state.answered = asked;
            state.saved = self.saved;
            state.failure = result.err();
            state.untold = state.failure.is_some();
            shared.done.notify_all();
            if stop {
                return;
            }
        }
    }

    /// Writes all edits so far.
    fn save(&mut self, store: &EditStore) -> Result<(), Failure> {
        if store.last_edit() == self.saved {
            return Ok(());
        }
        let result = self.transaction(store);
        match result {
            Ok(last) => {
                self.saved = last;
                Ok(())
            }
            Err(error) => {
                // Which copies reached the file is unknown: all are made again.
                self.database = None;
                self.copied.fill(0);
                match write_error(&self.path, &error) {
                    SaveError::Write { reason, kind, .. } => Err(Failure { reason, kind }),
                    other => Err(Failure { reason: other.to_string(), kind: None }),
                }
            }
        }
    }

    fn transaction(&mut self, store: &EditStore) -> Result<EditId, redb::Error> {
        let database = match self.database.take() {
            Some(database) => database,
            None => file::reopen(&self.path)?,
        };
        let database = self.database.insert(database);
        let mut transaction = database.begin_write()?;
        // Durable when the commit returns (the default), and the commit before it stays whole until then: a page of the
        // newest state that is damaged later is found, not taken for a crash.
        transaction.set_durability(redb::Durability::Immediate)?;
        transaction.set_two_phase_commit(true);
        let last = {
            let mut table = transaction.open_table(TILES)?;
            copy_changes(store, &mut self.copied, &mut self.portion, &mut table)?
        };
        file::set_last_edit(&transaction, last)?;
        transaction.commit()?;
        Ok(last)
    }
}

/// Brings the table to the state of the store after one edit, which is returned.
fn copy_changes(
    store: &EditStore,
    copied: &mut [u64],
    portion: &mut Vec<([u8; KEY_BYTES], Box<[u8; TILE_BYTES]>)>,
    table: &mut Table<'_, &'static [u8; KEY_BYTES], &'static [u8; TILE_BYTES]>,
) -> Result<EditId, redb::Error> {
    for _ in 0..PORTIONS_MAX {
        portion.clear();
        let last = store.with_tiles(|tiles, last| {
            let complete = take(tiles, copied, PORTION_TILES, |key, bytes| {
                portion.push((key, Box::new(*bytes)));
                Ok(())
            });
            complete.map(|complete| complete.then_some(last))
        })?;
        for (key, bytes) in portion.iter() {
            table.insert(key, &**bytes)?;
        }
        if let Some(last) = last {
            return Ok(last);
        }
    }
    store.with_tiles(|tiles, last| {
        take(tiles, copied, usize::MAX, |key, bytes| table.insert(&key, bytes).map(drop))?;
        Ok(last)
    })
}

/// Hands at most `limit` changed tiles to `each` and notes them as copied. True when none is left.
fn take(
    tiles: &Tiles,
    copied: &mut [u64],
    limit: usize,
    mut each: impl FnMut([u8; KEY_BYTES], &[u8; TILE_BYTES]) -> Result<(), redb::StorageError>,
) -> Result<bool, redb::StorageError> {
    let mut bytes = [0; TILE_BYTES];
    let mut taken = 0;
    for (slot, copied) in copied.iter_mut().enumerate().take(tiles.used()) {
        let tile = tiles.tile(slot);
        if tile.changed_by <= *copied {
            continue;
        }
        if taken == limit {
            return Ok(false);
        }
        taken += 1;
        encode(tile, &mut bytes);
        each(key_bytes(tile.key), &bytes)?;
        *copied = tile.changed_by;
    }
    Ok(true)
}

#[cfg(test)]
#[path = "failure_test.rs"]
mod failure_test;

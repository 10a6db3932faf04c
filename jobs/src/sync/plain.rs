//! The ordinary build.

pub(crate) use std::sync::Arc;
pub(crate) use std::sync::atomic;

pub(crate) use crossbeam_queue::ArrayQueue as Queue;
pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard};

#[cfg(feature = "threads")]
pub(crate) mod thread {
    pub(crate) use std::thread::JoinHandle;

    /// Lets the calling thread sleep for a moment on a condition variable: what a thread needs for that is allocated when it
    /// does so the first time.
    pub(crate) fn sleep_once() {
        let (mutex, condvar) = (parking_lot::Mutex::new(()), parking_lot::Condvar::new());
        condvar.wait_for(&mut mutex.lock(), std::time::Duration::from_nanos(1));
    }

    /// Starts a named thread.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn spawn(
        name: String,
        body: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<JoinHandle<()>> {
        std::thread::Builder::new().name(name).spawn(body)
    }
}

/// A cell whose owner promises that writers are alone: `UnsafeCell` with loom's interface.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    /// Gives a pointer for reading. The caller of the pointer answers for it.
    #[inline(always)]
    pub(crate) fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get())
    }

    /// Gives a pointer for writing. The caller of the pointer answers for it.
    #[inline(always)]
    pub(crate) fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}

//! Under a model checker: loom's or shuttle's types behind the interface of the ordinary ones.

#[cfg(loom)]
use loom::sync as model;
#[cfg(all(shuttle, not(loom)))]
use shuttle::sync as model;

pub(crate) use model::{Arc, atomic};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};

#[cfg(feature = "threads")]
pub(crate) mod thread {
    #[cfg(loom)]
    use loom::thread as model;
    #[cfg(all(shuttle, not(loom)))]
    use shuttle::thread as model;

    pub(crate) use model::JoinHandle;

    pub(crate) fn sleep_once() {}

    pub(crate) fn spawn(
        _name: String,
        body: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<JoinHandle<()>> {
        Ok(model::spawn(body))
    }
}

#[cfg(loom)]
pub(crate) use loom::cell::UnsafeCell;

/// Shuttle watches no cells.
#[cfg(all(shuttle, not(loom)))]
#[derive(Debug, Default)]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(all(shuttle, not(loom)))]
impl<T> UnsafeCell<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    pub(crate) fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get())
    }

    pub(crate) fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}

#[derive(Debug)]
pub(crate) struct Mutex<T>(model::Mutex<T>);

/// Empty only while its condition variable waits.
pub(crate) struct MutexGuard<'a, T>(Option<model::MutexGuard<'a, T>>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(model::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().expect("no panic under the lock")))
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0.as_ref().expect("held")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("held")
    }
}

#[derive(Debug)]
pub(crate) struct Condvar(model::Condvar);

impl Condvar {
    pub(crate) fn new() -> Self {
        Self(model::Condvar::new())
    }

    pub(crate) fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let held = guard.0.take().expect("held");
        guard.0 = Some(self.0.wait(held).expect("no panic under the lock"));
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}

/// A bounded queue. Crossbeam's is not instrumented; a mutex is, and orders as much.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    values: Mutex<VecDeque<T>>,
    capacity: usize,
}

impl<T> Queue<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { values: Mutex::new(VecDeque::with_capacity(capacity)), capacity }
    }

    pub(crate) fn push(&self, value: T) -> Result<(), T> {
        let mut values = self.values.lock();
        if values.len() == self.capacity {
            return Err(value);
        }
        values.push_back(value);
        Ok(())
    }

    pub(crate) fn pop(&self) -> Option<T> {
        self.values.lock().pop_front()
    }

    pub(crate) fn len(&self) -> usize {
        self.values.lock().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

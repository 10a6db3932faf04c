//! The two ways to have a slot.
//!
//! In: a slot that was taken from the free list. Out: its value, for one writer or for many readers. Dropping is
//! what gives the slot back. The bounds come from the fields: both handles hold an `Arc` of the pool, which any
//! thread may be the last to drop, and a marker for what they give out.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

use super::{Inner, SlotId};
use crate::sync::Arc;

/// The only handle of a slot: reads and writes the value. Dropping it gives the slot back, the value as it is.
///
/// `Send` when `T` is `Send`; `Sync` when `T` is `Send` and `Sync`; `'static` when `T` is.
///
/// ```
/// let pool = terrane_jobs::Pool::new(4, |_| Vec::<u32>::with_capacity(100));
/// let mut indices = pool.try_take().expect("four are free");
/// indices.clear(); // the last user's are still there
/// indices.extend([0, 1, 2]);
/// assert_eq!(indices.freeze().len(), 3);
/// ```
pub struct Unique<T> {
    inner: Arc<Inner<T>>,
    index: u32,
    /// Gives out `&mut T`, as a `T` of its own would.
    marker: PhantomData<T>,
}

/// One of any number of handles that read a slot. The last one to drop gives the slot back.
///
/// A clone counts one more handle, in the slot and in the pool; it allocates nothing. More than `i32::MAX` handles
/// of one slot end the process, as with `std::sync::Arc`.
///
/// `Send` and `Sync` when `T` is both, since a handle reads while others read elsewhere, and can become the
/// [`Unique`] one on whatever thread it is; `'static` when `T` is.
///
/// ```
/// let pool = terrane_jobs::Pool::new(1, |_| [0_u8; 1024]);
/// let mut bytes = pool.try_take().expect("one is free");
/// bytes[1023] = 9;
/// let bytes = bytes.freeze();
/// let reader = std::thread::spawn({
///     let bytes = bytes.clone();
///     move || bytes[1023]
/// });
/// drop(pool); // handles outlive it
/// assert_eq!((reader.join().unwrap(), bytes[1023]), (9, 9));
/// ```
pub struct Shared<T> {
    inner: Arc<Inner<T>>,
    index: u32,
    /// Is `Send` and `Sync` exactly when `T` is both, whatever `Arc` a model checker puts into `inner`.
    marker: PhantomData<std::sync::Arc<T>>,
}

impl<T> Unique<T> {
    /// For a slot that was just opened.
    pub(super) fn new(inner: Arc<Inner<T>>, index: u32) -> Self {
        Self { inner, index, marker: PhantomData }
    }

    /// Which use of which slot this is. Stays the same when it is frozen.
    #[must_use]
    pub fn id(&self) -> SlotId {
        SlotId { index: self.index, generation: self.inner.slots[self.index as usize].generation() }
    }

    /// Makes the value readable by many, writable by none. Costs nothing.
    #[must_use]
    pub fn freeze(self) -> Shared<T> {
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is neither dropped nor used again, so the `Arc` moves and is not doubled. The slot's one
        // handle becomes the `Shared` one, so its count of 1 is right.
        let inner = unsafe { std::ptr::read(&raw const this.inner) };
        Shared { inner, index: this.index, marker: PhantomData }
    }
}

impl<T> Deref for Unique<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let slot = &self.inner.slots[self.index as usize];
        // SAFETY: this is the slot's only handle, so the only one to write is `deref_mut` of it, which the borrow
        // forbids. The last user's accesses were ordered by the free list, or by `Slot::is_alone` where they were
        // readers before an unfreeze.
        unsafe { slot.value() }
    }
}

impl<T> DerefMut for Unique<T> {
    fn deref_mut(&mut self) -> &mut T {
        let slot = &self.inner.slots[self.index as usize];
        // SAFETY: as in `deref`; and as this borrows the only handle alone, nobody else reads or writes.
        unsafe { slot.value_mut() }
    }
}

impl<T> Drop for Unique<T> {
    fn drop(&mut self) {
        // The only handle is the last one, and did or acquired all that was done with the slot.
        self.inner.give_back(self.index);
    }
}

impl<T> Shared<T> {
    /// Which use of which slot this is. The same for all handles of it.
    #[must_use]
    pub fn id(&self) -> SlotId {
        SlotId { index: self.index, generation: self.inner.slots[self.index as usize].generation() }
    }

    /// Makes the value writable again, in the same use of its slot, when no other handle is left.
    ///
    /// ```
    /// let pool = terrane_jobs::Pool::new(1, |_| 5_u32);
    /// let value = pool.try_take().expect("one is free").freeze();
    /// let other = value.clone();
    /// let value = value.try_unfreeze().unwrap_err();
    ///
    /// drop(other);
    /// let mut value = value.try_unfreeze().expect("it is the only one");
    /// *value += 1;
    /// assert_eq!(*value, 6);
    /// ```
    ///
    /// # Errors
    /// Gives the handle back when there are others.
    pub fn try_unfreeze(self) -> Result<Unique<T>, Self> {
        if !self.inner.slots[self.index as usize].is_alone() {
            return Err(self);
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is neither dropped nor used again, so the `Arc` moves and is not doubled. It was the
        // slot's only handle and is owned here, so no other can appear; its count of 1 is right for the `Unique`
        // one.
        let inner = unsafe { std::ptr::read(&raw const this.inner) };
        Ok(Unique { inner, index: this.index, marker: PhantomData })
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        self.inner.slots[self.index as usize].count_up();
        Self { inner: Arc::clone(&self.inner), index: self.index, marker: PhantomData }
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let slot = &self.inner.slots[self.index as usize];
        // SAFETY: writers have a `Unique`, and there is none while the slot counts this handle: `freeze` consumed
        // it, and `try_unfreeze` wants to be the only handle. What it wrote happened before `freeze`, from which
        // this handle came by moves and clones.
        unsafe { slot.value() }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        if self.inner.slots[self.index as usize].count_down() {
            self.inner.give_back(self.index);
        }
    }
}

impl<T> fmt::Debug for Unique<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unique").field(&self.id()).finish()
    }
}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shared").field(&self.id()).finish()
    }
}

/// What must not compile. A value that only one thread at a time may look at cannot be shared:
///
/// ```compile_fail,E0277
/// fn send<T: Send>(_: T) {}
/// let pool = terrane_jobs::Pool::new(1, |_| std::cell::Cell::new(0));
/// send(pool.try_take().unwrap().freeze());
/// ```
///
/// nor can one that must stay on its thread leave it:
///
/// ```compile_fail,E0277
/// fn send<T: Send>(_: T) {}
/// let pool = terrane_jobs::Pool::new(1, |_| std::rc::Rc::new(0));
/// send(pool);
/// ```
///
/// while this does:
///
/// ```
/// fn send<T: Send>(_: T) {}
/// let pool = terrane_jobs::Pool::new(1, |_| std::cell::Cell::new(0));
/// send(pool.try_take().unwrap());
/// send(pool);
/// ```
#[cfg(doctest)]
struct Bounds;

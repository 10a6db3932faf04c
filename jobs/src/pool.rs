//! Slots that are made once and lent out again and again.
//!
//! In: a capacity and a maker of values, once. Out: [`Unique`], alone with its slot, to fill it; and, once frozen,
//! [`Shared`], any number of readers of one slot. The last handle to drop gives the slot back. Nothing after
//! [`Pool::new`] allocates, and a value keeps its address.
//!
//! Deliberately not here: waiting for a slot (who finds none decides), growth, any cleaning of what comes back.
//!
//! # Who may touch a value
//! A slot's index is in exactly one place: in the free list, with one [`Unique`], or with [`Shared`] handles that
//! the slot counts. Only a `Unique` writes, so three hand-overs must order what the one did before what the next
//! does:
//!
//! - *last handle to next taker*: through the free list, whose push releases and whose pop acquires;
//! - *`Unique` to `Shared`*: in one thread, by `freeze`; the handles go to other threads by means that order them;
//! - *readers to the one who closes the slot or unfreezes it*: each `Shared` that drops counts down with `Release`,
//!   and whoever finds itself the last follows with `Acquire`. All changes of the count within one use of a slot
//!   are read-modify-writes, so they form one release sequence, and the last sees what every reader did before its
//!   drop.
//!
//! The loom tests beside this file go through the interleavings of each.

mod handles;
mod slot;

use std::fmt;

pub use handles::{Shared, Unique};
use slot::Slot;

use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Arc, Queue};

/// Names one use of a slot: from [`Pool::try_take`] until the last handle drops.
///
/// An id is a number to keep and to compare, not a handle; it keeps nothing alive. A slot's uses have different
/// generations until 2^32 of them have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId {
    /// Which slot, `0..capacity`.
    pub index: u32,
    /// How often the slot had come back before this use.
    pub generation: u32,
}

/// A fixed number of values that handles borrow. A clone is another name for the same pool.
///
/// Handles keep the slots alive: they may outlive every `Pool` value. The values drop with the last of them all. A
/// handle that is forgotten (`std::mem::forget`) keeps its slot for good.
///
/// `Pool<T>` is `Send` and `Sync` when `T` is `Send`.
///
/// ```
/// use terrane_jobs::{Column, Pool};
///
/// // Height columns of two chunks, made when the world is opened.
/// let pool = Pool::new(2, |_| Column::<f32>::new(65 * 65));
///
/// // A worker fills one and freezes it; the host reads it for as long as it likes.
/// let mut heights_m = pool.try_take().expect("two are free");
/// heights_m.as_mut_slice()[0] = 12.5;
/// let heights_m = heights_m.freeze();
/// let held_by_host = heights_m.clone();
/// drop(heights_m);
/// assert_eq!((pool.in_use(), held_by_host.as_slice()[0]), (1, 12.5));
///
/// let id = held_by_host.id();
/// drop(held_by_host);
/// assert_eq!((pool.in_use(), pool.is_live(id)), (0, false));
/// ```
pub struct Pool<T> {
    inner: Arc<Inner<T>>,
}

struct Inner<T> {
    slots: Box<[Slot<T>]>,
    /// Indices of the slots that nobody has. Holds them all when nobody has any, so a push always fits.
    free: Queue<u32>,
    high_water: AtomicUsize,
}

impl<T> Pool<T> {
    /// Makes `capacity` values, `make(0)` to `make(capacity - 1)`. All are free.
    ///
    /// # Panics
    /// When `capacity` is above `u32::MAX`.
    #[must_use]
    pub fn new(capacity: usize, mut make: impl FnMut(usize) -> T) -> Self {
        let count = u32::try_from(capacity).expect("a pool's slots are counted in 32 bits");
        let slots: Box<[Slot<T>]> = (0..capacity).map(|index| Slot::new(make(index))).collect();
        // A queue of no places is not to be had; a pool of no slots is one that never gives any.
        let free = Queue::new(capacity.max(1));
        for index in 0..count {
            assert!(free.push(index).is_ok(), "the free list has a place for every slot");
        }
        Self { inner: Arc::new(Inner { slots, free, high_water: AtomicUsize::new(0) }) }
    }

    /// A slot of one's own, or `None` when all are in use. Never waits for one.
    ///
    /// The value is as its last user left it, or as it was made. Slots come in the order in which they came back.
    ///
    /// ```
    /// let pool = terrane_jobs::Pool::new(1, |_| 0_u32);
    /// *pool.try_take().expect("one is free") = 7;
    ///
    /// let again = pool.try_take().expect("it came back");
    /// assert_eq!((*again, again.id().generation), (7, 1));
    /// assert!(pool.try_take().is_none());
    /// ```
    #[must_use]
    pub fn try_take(&self) -> Option<Unique<T>> {
        let index = self.inner.free.pop()?;
        self.inner.slots[index as usize].open();
        // Counted after the pop: what this thread holds is not in the free list, so it is never left out.
        let in_use = self.in_use();
        if in_use > self.inner.high_water.load(Ordering::Relaxed) {
            self.inner.high_water.fetch_max(in_use, Ordering::Relaxed);
        }
        Some(Unique::new(Arc::clone(&self.inner), index))
    }

    /// Number of slots.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.inner.slots.len()
    }

    /// Number of slots that nobody has. Where only one thread takes, that many takes will succeed; otherwise it is
    /// a number of a moment ago.
    #[must_use]
    pub fn free(&self) -> usize {
        self.inner.free.len()
    }

    /// Number of slots with handles: `capacity` less [`free`](Self::free).
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.capacity() - self.free()
    }

    /// Most slots that were ever in use at once, as seen right after each take. Never less than any one thread held
    /// at once, nor more than the capacity; where threads race, a use that lasts a moment can be missed.
    ///
    /// ```
    /// let pool = terrane_jobs::Pool::new(8, |_| [0_u8; 64]);
    /// drop([pool.try_take(), pool.try_take(), pool.try_take()]);
    /// let _one = pool.try_take();
    /// assert_eq!((pool.in_use(), pool.high_water()), (1, 3));
    /// ```
    #[must_use]
    pub fn high_water(&self) -> usize {
        self.inner.high_water.load(Ordering::Relaxed)
    }

    /// Whether the use of a slot that `id` names still has a handle. Where threads race, it is the answer of a
    /// moment ago; once false it stays false. An id does not say of which pool it is: another's is answered as one
    /// of this.
    ///
    /// ```
    /// let pool = terrane_jobs::Pool::new(1, |_| 0_u32);
    /// let first = pool.try_take().expect("one is free");
    /// let first_id = first.id();
    /// assert!(pool.is_live(first_id));
    ///
    /// drop(first);
    /// let _second = pool.try_take().expect("it came back");
    /// assert!(!pool.is_live(first_id), "the slot is in use again, but not that use");
    /// ```
    #[must_use]
    pub fn is_live(&self, id: SlotId) -> bool {
        self.inner.slots.get(id.index as usize).is_some_and(|slot| slot.is_live(id.generation))
    }
}

impl<T> Inner<T> {
    /// Closes the slot and puts it into the free list. The caller was the last to have it, sees all that was done
    /// with it, and does not touch it again.
    fn give_back(&self, index: u32) {
        self.slots[index as usize].close();
        // The push releases: the next taker sees the slot as it is left here.
        let pushed = self.free.push(index);
        assert!(pushed.is_ok(), "slot {index} came back twice");
    }
}

impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

impl<T> fmt::Debug for Pool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("capacity", &self.capacity())
            .field("in_use", &self.in_use())
            .field("high_water", &self.high_water())
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, loom))]
mod loom_tests;
#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;

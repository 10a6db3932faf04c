//! One slot: a value, and the word that says who has it.
//!
//! The word holds the generation in its upper half and the number of handles in its lower half, so that one load
//! answers [`Pool::is_live`](super::Pool::is_live). Deliberately not here: the free list, and who is allowed to
//! call what; that is argued where it is called.

use crate::sync::UnsafeCell;
use crate::sync::atomic::{AtomicU64, Ordering, fence};

const ONE_GENERATION: u64 = 1 << 32;

/// The most handles of one slot. The lower half holds twice as many, so that threads which count up at once, each
/// before it ends the process, do not reach the upper half.
pub(super) const HANDLES_MAX: u32 = i32::MAX as u32;

/// On cache lines of its own, so that counting one slot's handles does not slow the readers of the next.
#[repr(align(64))]
pub(super) struct Slot<T> {
    word: AtomicU64,
    value: UnsafeCell<T>,
}

// SAFETY: the cell is what keeps a slot from being `Sync` by itself. A shared slot gives access to its value only
// through `value` and `value_mut`, which are unsafe: their callers see to it that a writer is alone and ordered
// with all others. What remains is that the value is used, and dropped, on other threads than the one that made it,
// one after another, which is `Send`. That several may read at once is asked for by `Shared`, which is sent only
// where `T` is `Sync`.
unsafe impl<T: Send> Sync for Slot<T> {}

impl<T> Slot<T> {
    pub(super) fn new(value: T) -> Self {
        Self { word: AtomicU64::new(0), value: UnsafeCell::new(value) }
    }

    /// How often the slot came back. Constant while somebody has it.
    pub(super) fn generation(&self) -> u32 {
        (self.word.load(Ordering::Relaxed) >> 32) as u32
    }

    /// A snapshot, so relaxed: whoever was told that a handle dropped sees that drop, by coherence.
    pub(super) fn is_live(&self, generation: u32) -> bool {
        let word = self.word.load(Ordering::Relaxed);
        (word >> 32) as u32 == generation && word as u32 > 0
    }

    /// From no handle to one. The caller has just taken the slot from the free list: nobody else changes the word,
    /// and the pop has ordered what the last user stored.
    pub(super) fn open(&self) {
        let word = self.word.load(Ordering::Relaxed);
        debug_assert_eq!(word as u32, 0, "a free slot has no handle");
        self.word.store(word + 1, Ordering::Relaxed);
    }

    /// From one handle, or none any more, to none, in the next generation. The caller is the last to have the slot,
    /// so nobody else changes the word; the push into the free list will release the store.
    pub(super) fn close(&self) {
        let generation = self.word.load(Ordering::Relaxed) & !(ONE_GENERATION - 1);
        self.word.store(generation.wrapping_add(ONE_GENERATION), Ordering::Relaxed);
    }

    /// One handle more. Relaxed: the caller has a handle, so the count cannot reach zero meanwhile, and whatever
    /// carries the new handle to another thread orders it.
    ///
    /// Ends the process when there are more than [`HANDLES_MAX`]: only forgetting handles in a loop leads there,
    /// and a count that wraps would free a slot that is being read.
    pub(super) fn count_up(&self) {
        let word = self.word.fetch_add(1, Ordering::Relaxed);
        if word as u32 >= HANDLES_MAX {
            std::process::abort();
        }
    }

    /// One handle less; whether it was the last. If so, all that was done through the others happened before.
    pub(super) fn count_down(&self) -> bool {
        // Release: what was read through this handle comes before the count that the last one sees.
        let word = self.word.fetch_sub(1, Ordering::Release);
        if word as u32 != 1 {
            return false;
        }
        // Acquire, for the last one only: with the releases of all who counted down before.
        fence(Ordering::Acquire);
        true
    }

    /// Whether the caller's handle is the only one. If so, all that was done through others happened before, and as
    /// handles come from handles, it stays the only one for as long as the caller does not clone it.
    pub(super) fn is_alone(&self) -> bool {
        self.word.load(Ordering::Acquire) as u32 == 1
    }

    /// # Safety
    /// While the reference lives, nobody writes; and what was written before happened before this call.
    pub(super) unsafe fn value(&self) -> &T {
        // SAFETY: the cell's pointer is valid and aligned for as long as the slot is borrowed; the caller answers
        // for the absence of writers.
        self.value.with(|value| unsafe { &*value })
    }

    /// # Safety
    /// While the reference lives, nobody else reads or writes; and what was read or written before happened before
    /// this call.
    #[expect(clippy::mut_from_ref, reason = "the caller answers for being alone")]
    pub(super) unsafe fn value_mut(&self) -> &mut T {
        // SAFETY: as in `value`; the caller answers for being alone.
        self.value.with_mut(|value| unsafe { &mut *value })
    }

    #[cfg(all(test, not(any(loom, shuttle))))]
    pub(super) fn pretend_handles(&self, handles: u32) {
        self.word.fetch_add(u64::from(handles), Ordering::Relaxed);
    }
}

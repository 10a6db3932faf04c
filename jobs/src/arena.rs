//! A worker's scratch memory, with a hard limit.
//!
//! In: a limit in bytes, once. Out: slices and values that live until the next [`Arena::reset`], or a refusal that
//! names the numbers. The memory is one chunk of `bumpalo`, taken when the arena is made.
//!
//! Two things about bumpalo decide the shape of this file. Its limit is looked at only when it wants another chunk,
//! and a reset keeps the largest chunk and frees the others. So there is never a second chunk: the limit is set to
//! what the first one has, and every request is counted here before bumpalo sees it. Counting here also makes
//! refusals a matter of sizes alone: the same requests fit or do not fit wherever the system happened to put the
//! chunk.
//!
//! Deliberately not here: growth, values that need dropping, freeing one thing before the others.

use std::alloc::Layout;
use std::cell::Cell;
use std::fmt;

use bumpalo::Bump;

use crate::column::LINE_BYTES;

/// An arena had less room than was asked for. Nothing was taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the arena is full: {asked_bytes} bytes asked, {left_bytes} left of {limit_bytes}")]
pub struct ArenaFull {
    /// Size of what was asked for; `usize::MAX` where it is no number of bytes at all.
    pub asked_bytes: usize,
    /// What was left for it, from the next boundary on which it could have begun.
    pub left_bytes: usize,
    /// What the arena holds when it is empty.
    pub limit_bytes: usize,
}

/// Scratch memory that is handed out front to back and taken back all at once.
///
/// One worker owns it: it can be sent to a thread, but not shared.
///
/// ```
/// use terrane_jobs::{Arena, ArenaFull};
///
/// let mut arena = Arena::new(64 * 1024);
/// for row in 0..100 {
///     // One job: two temporary rows, gone at its end.
///     let heights_m = arena.try_slice::<f32>(67)?;
///     let slopes = arena.try_slice::<[f32; 2]>(67)?;
///     heights_m.fill(row as f32);
///     slopes[0] = [heights_m[1] - heights_m[0], 0.0];
///     arena.reset();
/// }
/// // 67 * 4 and 67 * 8 bytes, each rounded up to whole lines of 64.
/// assert_eq!(arena.high_water_bytes(), 320 + 576);
///
/// let refusal: ArenaFull = arena.try_slice::<f32>(1 << 20).unwrap_err();
/// assert_eq!(refusal.to_string(), "the arena is full: 4194304 bytes asked, 65536 left of 65536");
/// # Ok::<(), ArenaFull>(())
/// ```
pub struct Arena {
    bump: Bump,
    limit_bytes: usize,
    used_bytes: Cell<usize>,
    /// Largest use before the last reset.
    high_water_bytes: usize,
}

impl Arena {
    /// Allocates the one chunk: `limit_bytes` rounded up to a multiple of 64, and a little for boundaries and
    /// bookkeeping ([`Arena::allocated_bytes`]). Nothing after it allocates or frees until the arena drops.
    ///
    /// # Panics
    /// When the system gives no such memory.
    #[must_use]
    pub fn new(limit_bytes: usize) -> Self {
        // Bumpalo's chunk ends on a boundary of 16 bytes; what lies before its last boundary of 64 must hold the
        // limit.
        let rounded = limit_bytes.checked_next_multiple_of(LINE_BYTES);
        let chunk_bytes = rounded.and_then(|bytes| bytes.checked_add(LINE_BYTES));
        let bump = chunk_bytes.and_then(|bytes| Bump::try_with_capacity(bytes).ok());
        let (Some(bump), Some(limit_bytes)) = (bump, rounded) else {
            panic!("an arena of {limit_bytes} bytes: the system gives no such memory");
        };
        bump.set_allocation_limit(Some(bump.allocated_bytes()));
        Self { bump, limit_bytes, used_bytes: Cell::new(0), high_water_bytes: 0 }
    }

    /// A slice of `len` default values that starts on a 64-byte boundary.
    ///
    /// It takes its size rounded up to a multiple of 64 bytes, after the padding to the boundary where something
    /// else than a slice came before. No values, and values without a size, take nothing. The alignment of `T` is
    /// at most 64, or the call does not compile.
    ///
    /// # Errors
    /// When what is left is smaller than that; nothing is taken then.
    #[expect(clippy::mut_from_ref, reason = "each call gives out other memory")]
    pub fn try_slice<T: Copy + Default>(&self, len: usize) -> Result<&mut [T], ArenaFull> {
        const { assert!(align_of::<T>() <= LINE_BYTES, "an arena's boundaries are 64 bytes apart") };
        let layout = Layout::array::<T>(len).and_then(|layout| layout.align_to(LINE_BYTES));
        let layout = layout.map_err(|_| self.full(usize::MAX, LINE_BYTES))?;
        let value = T::default();
        self.count(layout)?;
        let memory =
            self.bump.try_alloc_layout(layout).expect("the chunk holds what was counted").cast::<T>();
        for index in 0..len {
            // SAFETY: bumpalo gave `layout.size()` bytes, which are `len` values, aligned for them, and gives them
            // to nobody else before a reset. So `memory + index` is aligned and inside.
            unsafe { memory.add(index).write(value) };
        }
        // SAFETY: as above, and each value was just written. The slice borrows the arena, and `reset` wants the
        // arena alone, so no slice lives when the memory is given out again. Values without a size need only the
        // alignment, which bumpalo keeps for empty layouts too.
        Ok(unsafe { std::slice::from_raw_parts_mut(memory.as_ptr(), len) })
    }

    /// One value, on its own boundary. It takes its size, and the padding to the boundary. The alignment of `T` is
    /// at most 64, or the call does not compile.
    ///
    /// ```
    /// let arena = terrane_jobs::Arena::new(64);
    /// let total = arena.try_alloc(0_u64)?;
    /// *total += 3;
    /// assert_eq!((*total, arena.used_bytes()), (3, 8));
    /// # Ok::<(), terrane_jobs::ArenaFull>(())
    /// ```
    ///
    /// # Errors
    /// When what is left is smaller than that; nothing is taken then.
    pub fn try_alloc<T: Copy>(&self, value: T) -> Result<&mut T, ArenaFull> {
        const { assert!(align_of::<T>() <= LINE_BYTES, "an arena's boundaries are 64 bytes apart") };
        self.count(Layout::new::<T>())?;
        Ok(self.bump.try_alloc(value).expect("the chunk holds what was counted"))
    }

    /// Takes everything back. Neither allocates nor frees.
    pub fn reset(&mut self) {
        self.high_water_bytes = self.high_water_bytes();
        self.used_bytes.set(0);
        self.bump.reset();
    }

    /// Bytes given out since the last reset, padding included.
    #[must_use]
    pub fn used_bytes(&self) -> usize {
        self.used_bytes.get()
    }

    /// The most that [`used_bytes`](Self::used_bytes) can be: what was asked for, rounded up to a multiple of 64.
    #[must_use]
    pub fn limit_bytes(&self) -> usize {
        self.limit_bytes
    }

    /// The most that [`used_bytes`](Self::used_bytes) ever was.
    #[must_use]
    pub fn high_water_bytes(&self) -> usize {
        self.high_water_bytes.max(self.used_bytes.get())
    }

    /// What the arena takes from the system: the limit, and at most 8 KiB more. This is the number for a memory
    /// cap.
    #[must_use]
    pub fn allocated_bytes(&self) -> usize {
        self.bump.allocated_bytes_including_metadata()
    }

    /// Counts `layout` as used, or refuses it.
    ///
    /// Why bumpalo has room for whatever is accepted here: it goes down from the end of its chunk. Each time it
    /// rounds its position down to the boundary and goes down by the size, which it rounds up to the boundary as
    /// well. Here the same steps are made as an offset from the last boundary of 64 in the chunk. Both boundaries
    /// agree, as none is wider than 64; bumpalo begins at or above that boundary, and each step keeps it at or
    /// above. The offset ends at most at the limit, and the chunk reaches down that far.
    fn count(&self, layout: Layout) -> Result<(), ArenaFull> {
        if layout.size() == 0 {
            return Ok(());
        }
        let start = self.used_bytes.get().next_multiple_of(layout.align());
        // The limit is a multiple of every boundary: `start` is at most the limit, and what fits still fits when it
        // is rounded up.
        if layout.size() > self.limit_bytes - start {
            return Err(self.full(layout.size(), layout.align()));
        }
        self.used_bytes.set(start + layout.pad_to_align().size());
        Ok(())
    }

    #[cold]
    fn full(&self, asked_bytes: usize, align: usize) -> ArenaFull {
        let start = self.used_bytes.get().next_multiple_of(align);
        let left_bytes = self.limit_bytes - start;
        ArenaFull { asked_bytes, left_bytes, limit_bytes: self.limit_bytes }
    }
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena")
            .field("used_bytes", &self.used_bytes())
            .field("limit_bytes", &self.limit_bytes)
            .field("high_water_bytes", &self.high_water_bytes())
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;

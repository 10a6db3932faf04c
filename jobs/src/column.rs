//! A fixed-capacity array that starts on a cache line.
//!
//! In: a length, once. Out: slices. It never grows, so its address stays the same however often the column itself
//! moves. Deliberately not here: a capacity beside the length, values that need dropping.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Bytes of a cache line; also the width of the widest vectors.
pub(crate) const LINE_BYTES: usize = 64;

/// `len` values, the first on a 64-byte boundary (or on the values' own, where that is wider).
///
/// One allocation, made by [`Column::new`], of exactly the values' size; none for no values.
///
/// ```
/// use terrane_jobs::Column;
///
/// // The heights of one chunk, row by row.
/// let mut heights_m = Column::<f32>::new(65 * 65);
/// for (row, heights_m) in heights_m.as_mut_slice().chunks_exact_mut(65).enumerate() {
///     heights_m.fill(row as f32);
/// }
/// assert_eq!(heights_m.as_slice()[64 * 65], 64.0);
/// assert_eq!(heights_m.bytes(), 65 * 65 * 4);
/// assert!(heights_m.as_slice().as_ptr().addr().is_multiple_of(64));
/// ```
pub struct Column<T> {
    /// Aligned and valid for `len` initialised values, which the column owns.
    start: NonNull<T>,
    len: usize,
    owned: PhantomData<T>,
}

/// What a column of `len` values asks the allocator for; `None` when no address space holds it.
fn layout<T>(len: usize) -> Option<Layout> {
    Layout::array::<T>(len).ok()?.align_to(LINE_BYTES).ok()
}

impl<T: Copy + Default> Column<T> {
    /// Allocates `len` default values; nothing after it allocates.
    ///
    /// # Panics
    /// When `len` values are more than `isize::MAX` bytes. When the system gives no memory, the process ends as it
    /// does for a `Vec`.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let Some(layout) = layout::<T>(len) else {
            panic!("a column of {len} values of {} bytes is larger than an address space", size_of::<T>());
        };
        let value = T::default();
        if layout.size() == 0 {
            let address = std::num::NonZero::new(layout.align()).expect("an alignment is a power of two");
            return Self { start: NonNull::without_provenance(address), len, owned: PhantomData };
        }
        // SAFETY: the layout's size is not zero, as `alloc` demands; it was looked at just above.
        let memory = unsafe { alloc(layout) };
        let Some(start) = NonNull::new(memory.cast::<T>()) else { handle_alloc_error(layout) };
        for index in 0..len {
            // SAFETY: the allocation is `len` values long and aligned at least as `T` is, since `layout` began with
            // `Layout::array::<T>(len)` and `align_to` only widens; so `start + index` is inside it and aligned.
            // Nobody else knows the memory yet.
            unsafe { start.add(index).write(value) };
        }
        Self { start, len, owned: PhantomData }
    }
}

impl<T> Column<T> {
    /// The values.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: `start` is aligned and heads `len` initialised values of one allocation of at most `isize::MAX`
        // bytes (or none, where no bytes are read). They live until the column drops, which this borrow forbids,
        // and only `as_mut_slice` writes them, which it forbids as well.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The values.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as in `as_slice`; the column owns the values and is borrowed alone, so the slice has no alias.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Size of the values in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<T> Drop for Column<T> {
    fn drop(&mut self) {
        // The values are `Copy`, since `new` is the only way to a column: nothing to drop but the memory.
        let layout = layout::<T>(self.len).expect("as in `new`");
        if layout.size() > 0 {
            // SAFETY: `new` allocated `start` with the same function of the same length, from the same allocator,
            // since the size is not zero; and a value is dropped once.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}

// SAFETY: a column owns its values as a `Box<[T]>` does; nothing else holds the pointer. To send it is to send
// them.
unsafe impl<T: Send> Send for Column<T> {}
// SAFETY: a shared column gives out `&[T]` and nothing more; it has no interior of its own that could change.
unsafe impl<T: Sync> Sync for Column<T> {}

impl<T> fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Column<{}>({})", std::any::type_name::<T>(), self.len)
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::Column;

    fn starts_on_a_line<T: Copy + Default + PartialEq + std::fmt::Debug>() {
        for len in [0, 1, 15, 67 * 80, 4225] {
            let columns: Vec<Column<T>> = (0..5).map(|_| Column::new(len)).collect();
            for column in &columns {
                assert_eq!(column.len(), len);
                assert_eq!(column.is_empty(), len == 0);
                assert_eq!(column.bytes(), len * size_of::<T>());
                assert_eq!(column.as_slice(), vec![T::default(); len]);
                assert_eq!(column.as_slice().as_ptr().addr() % 64, 0, "{}", std::any::type_name::<T>());
            }
        }
    }

    #[repr(align(256))]
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Wide(u8);

    #[test]
    fn every_element_size_starts_on_a_line() {
        starts_on_a_line::<f32>();
        starts_on_a_line::<u8>();
        starts_on_a_line::<u16>();
        starts_on_a_line::<[f32; 2]>();
        starts_on_a_line::<[f32; 3]>();
        starts_on_a_line::<[u8; 4]>();
        starts_on_a_line::<()>();
        starts_on_a_line::<Wide>();
        assert_eq!(Column::<Wide>::new(3).as_slice().as_ptr().addr() % 256, 0);
    }

    #[test]
    fn values_are_filled_with_the_default_and_not_with_zeros() {
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Seven(u32);
        impl Default for Seven {
            fn default() -> Self {
                Self(7)
            }
        }
        let mut column = Column::<Seven>::new(100);
        assert!(column.as_slice().iter().all(|&value| value == Seven(7)));
        column.as_mut_slice()[99] = Seven(8);
        assert_eq!(column.as_slice()[98..], [Seven(7), Seven(8)]);
    }

    #[test]
    fn columns_of_many_sizes_come_and_go() {
        let mut held = std::collections::VecDeque::new();
        for round in 0..2_000_u32 {
            let len = (round.wrapping_mul(2_654_435_761) >> 19) as usize; // 0..8192
            let mut column = Column::<u32>::new(len);
            column.as_mut_slice().fill(round);
            held.push_back((round, len, column.as_slice().as_ptr(), column));
            if held.len() > 7 {
                let (written, len, address, column) = held.pop_front().expect("eight are held");
                assert_eq!(column.as_slice().as_ptr(), address, "it moved");
                assert_eq!(column.as_slice(), vec![written; len]);
            }
        }
    }

    #[test]
    fn a_column_goes_to_another_thread_and_is_seen_from_others() {
        let mut column = std::thread::spawn(|| Column::<u16>::new(1000)).join().expect("no panic");
        column.as_mut_slice()[999] = 5;
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| assert_eq!(column.as_slice()[998..], [0, 5]));
            }
        });
    }

    #[test]
    #[should_panic(
        expected = "a column of 4611686018427387904 values of 8 bytes is larger than an address space"
    )]
    #[cfg(target_pointer_width = "64")]
    fn a_size_that_overflows_is_refused() {
        let _ = Column::<u64>::new(1 << 62);
    }

    #[test]
    #[should_panic(expected = "larger than an address space")]
    fn a_size_that_overflows_by_its_alignment_alone_is_refused() {
        let _ = Column::<u8>::new(isize::MAX as usize);
    }

    #[test]
    fn debug_names_the_length_alone() {
        assert_eq!(format!("{:?}", Column::<f32>::new(12)), "Column<f32>(12)");
    }
}

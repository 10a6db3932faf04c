//! A fixed-capacity array that starts on a cache line.
//!
//! In: a capacity, once. Out: slices. Never grows, so its address is stable. Without `unsafe`: it allocates a cache
//! line more than it needs and starts where the alignment fits.

/// `len` values, the first on a 64-byte boundary.
///
/// ```
/// let mut column = terrane::buffers::Column::<f32>::new(65 * 65);
/// column.as_mut_slice()[0] = 1.5;
/// assert_eq!(column.as_slice().len(), 4225);
/// assert!(column.as_slice().as_ptr().addr().is_multiple_of(64));
/// ```
#[derive(Debug)]
pub struct Column<T> {
    storage: Vec<T>,
    start: usize,
    len: usize,
}

const LINE_BYTES: usize = 64;

impl<T: Copy + Default> Column<T> {
    /// Allocates `len` default values; nothing after it allocates.
    #[must_use]
    pub fn new(len: usize) -> Self {
        // Elements whose size does not divide the line (12-byte vectors) meet it again after at most 64 of them.
        let storage = vec![T::default(); len + LINE_BYTES];
        let start = (0..LINE_BYTES)
            .find(|start| (storage.as_ptr().addr() + start * size_of::<T>()).is_multiple_of(LINE_BYTES))
            .expect("a multiple of the element's size is one of the line's within 64 elements");
        Self { storage, start, len }
    }

    /// The values.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.storage[self.start..self.start + self.len]
    }

    /// The values.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.storage[self.start..self.start + self.len]
    }

    /// Size of the values in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::Column;

    fn starts_on_a_line<T: Copy + Default>() {
        for len in [0, 1, 15, 67 * 80, 4225] {
            let columns: Vec<Column<T>> = (0..5).map(|_| Column::new(len)).collect();
            for column in &columns {
                assert_eq!(column.as_slice().len(), len);
                assert_eq!(column.as_slice().as_ptr().addr() % 64, 0, "{}", std::any::type_name::<T>());
            }
        }
    }

    #[test]
    fn every_element_size_starts_on_a_line() {
        starts_on_a_line::<f32>();
        starts_on_a_line::<u16>();
        starts_on_a_line::<[f32; 2]>();
        starts_on_a_line::<[f32; 3]>();
        starts_on_a_line::<[u8; 4]>();
    }
}

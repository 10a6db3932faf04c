//! Which samples a tile covers.

/// A rectangle of samples: `(x + i * stride, z + j * stride)` for `i < width`, `j < height`.
///
/// Row 0 has the smallest z, rows run along x. A level of detail `l` has stride 2^l, so its samples are samples of
/// the full resolution and get the same bits.
///
/// ```
/// use terrane_noise::Grid;
/// let chunk = Grid { x: -64, z: 128, width: 65, height: 65, stride: 1 };
/// assert_eq!(chunk.samples(), 65 * 65);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Index of the first column, in samples of the full resolution.
    pub x: i64,
    /// Index of the first row, in samples of the full resolution.
    pub z: i64,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Distance of neighbours in samples of the full resolution; at least 1.
    pub stride: u32,
}

impl Grid {
    /// How many samples the grid has.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.width * self.height
    }

    /// Index of column `i`, wrapping as the noise does.
    #[inline(always)]
    pub(crate) fn column(&self, i: usize) -> i64 {
        self.x.wrapping_add((i as i64).wrapping_mul(i64::from(self.stride)))
    }

    /// Index of row `j`.
    #[inline(always)]
    pub(crate) fn row(&self, j: usize) -> i64 {
        self.z.wrapping_add((j as i64).wrapping_mul(i64::from(self.stride)))
    }
}

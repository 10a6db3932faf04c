//! Where a collider's heights come from.
//!
//! In: heights wherever they lie. Out: rows along x, row 0 at the smallest z. Deliberately not here: what becomes of
//! them.

use crate::buffers::ChunkView;
use crate::collider::ColliderError;

/// A rectangle of heights in metres that can be read row by row.
pub trait HeightRows {
    /// Samples along x and along z: the length of a row, and the number of rows.
    fn size(&self) -> [usize; 2];

    /// Row `z`, along x.
    ///
    /// # Panics
    /// When there are not so many rows.
    fn row(&self, z: usize) -> &[f32];
}

/// A chunk's heights without apron. One that keeps no heights is 0 by 0 samples, which is an error wherever it is used.
impl HeightRows for ChunkView<'_> {
    fn size(&self) -> [usize; 2] {
        if self.has_heights() { [self.side(); 2] } else { [0; 2] }
    }

    fn row(&self, z: usize) -> &[f32] {
        self.heights(z)
    }
}

/// A chunk and the cells next to it: its heights with a part of their apron, one sample more on every side. Its first sample is
/// the chunk's (-1, -1).
///
/// Fields that overlap by a row of cells hold what fields that only touch let through: see docs/COLLIDERS.md.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::collider::{HeightRows, WithApron};
/// use terrane::{ChunkBuffers, ChunkKey, Position, World, WorldConfig};
///
/// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let mut chunk = ChunkBuffers::new(world.chunk_cells());
/// world.build(ChunkKey { lod: 0, x: 0, z: 0 }, &mut chunk, &mut world.scratch()).unwrap();
/// let field = WithApron(chunk.view());
/// assert_eq!(field.size(), [67, 67]);
/// assert_eq!(field.row(0)[5], world.height_at(Position::from_samples([4, -1]).unwrap()));
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WithApron<'a>(pub ChunkView<'a>);

impl HeightRows for WithApron<'_> {
    fn size(&self) -> [usize; 2] {
        if self.0.has_heights() { [self.0.side() + 2; 2] } else { [0; 2] }
    }

    fn row(&self, z: usize) -> &[f32] {
        self.0.ringed_heights(z)
    }
}

/// A rectangle of heights in a slice.
///
/// ```
/// use terrane::collider::{HeightField, HeightRows};
/// let heights = [0.0, 1.0, 9.0, 2.0, 3.0];
/// let field = HeightField::with_stride(&heights, [2, 2], 3)?;
/// assert_eq!(field.row(1), [2.0, 3.0]);
/// assert!(HeightField::new(&heights, 2).is_err(), "five are not two rows of two");
/// # Ok::<(), terrane::collider::ColliderError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    heights: &'a [f32],
    size: [usize; 2],
    row_stride: usize,
}

impl<'a> HeightField<'a> {
    /// `side` rows of `side` heights, and nothing else.
    ///
    /// # Errors
    /// When there are more or fewer.
    pub fn new(heights: &'a [f32], side: usize) -> Result<Self, ColliderError> {
        let field = Self::with_stride(heights, [side; 2], side)?;
        if heights.len() == side * side {
            Ok(field)
        } else {
            let (found, expected) = (heights.len(), side * side);
            Err(ColliderError::Heights { found, size: [side; 2], row_stride: side, expected })
        }
    }

    /// Samples along x and along z, in rows that begin `row_stride` apart. More heights than that are allowed.
    ///
    /// # Errors
    /// When the last row would end beyond the slice, or rows overlap.
    pub fn with_stride(
        heights: &'a [f32],
        size: [usize; 2],
        row_stride: usize,
    ) -> Result<Self, ColliderError> {
        let [width, rows] = size;
        let before_last = rows.saturating_sub(1).checked_mul(row_stride);
        let expected = before_last.and_then(|before| before.checked_add(width)).unwrap_or(usize::MAX);
        if heights.len() < expected || row_stride < width {
            return Err(ColliderError::Heights { found: heights.len(), size, row_stride, expected });
        }
        Ok(Self { heights, size, row_stride })
    }
}

impl HeightRows for HeightField<'_> {
    fn size(&self) -> [usize; 2] {
        self.size
    }

    fn row(&self, z: usize) -> &[f32] {
        assert!(z < self.size[1], "row {z} of {}", self.size[1]);
        &self.heights[z * self.row_stride..][..self.size[0]]
    }
}

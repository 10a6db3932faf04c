//! What can be wrong with what a caller gives.

/// Why no collider was made. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ColliderError {
    /// The memory has another length than the result.
    #[error("the memory for {what} has {found} values, {expected} are needed")]
    Capacity {
        /// What would have been written.
        what: &'static str,
        /// Values of the memory.
        found: usize,
        /// Values of the result.
        expected: usize,
    },
    /// Other heights than the rows reach over, or rows that overlap.
    #[error(
        "{found} heights do not make {} rows of {}, {row_stride} apart: {expected} are needed, and rows that do not \
         overlap",
        size[1], size[0]
    )]
    Heights {
        /// Heights that are there.
        found: usize,
        /// Samples of a row, and rows.
        size: [usize; 2],
        /// From row to row.
        row_stride: usize,
        /// Heights that are needed.
        expected: usize,
    },
    /// No chunk has this size: only fields of whole chunks are decimated.
    #[error(
        "{} by {} samples are not {chunks} by {chunks} chunks of the same power of two of cells, 2 to {max}, and one \
         sample more",
        size[0], size[1]
    )]
    Cells {
        /// Samples along x and z.
        size: [usize; 2],
        /// Chunks along a side that it should be.
        chunks: usize,
        /// The most cells of a chunk's side.
        max: usize,
    },
    /// Fewer than two samples make no surface. A chunk that keeps no heights has none.
    #[error("{} by {} samples make no surface; 2 by 2 are the fewest", size[0], size[1])]
    Samples {
        /// Samples along x and z.
        size: [usize; 2],
    },
    /// The engine takes squares only.
    #[error("{} by {} samples; this engine takes as many along x as along z", size[0], size[1])]
    NotSquare {
        /// Samples along x and z.
        size: [usize; 2],
    },
    /// The tolerance is negative or not a number.
    #[error("the tolerance is {tolerance_m} m; it must be 0 or more")]
    Tolerance {
        /// As given.
        tolerance_m: f64,
    },
    /// A height is infinite or not a number: nothing can be said of errors.
    #[error("the height of sample {x}, {z} is {height_m} m; it must be finite")]
    NotFinite {
        /// Along x.
        x: usize,
        /// Along z.
        z: usize,
        /// As found.
        height_m: f32,
    },
    /// A height outside the range that 16-bit heights were chosen for.
    #[error("the height of sample {x}, {z} is {height_m} m, outside {min_m} ..= {max_m} m")]
    Range {
        /// Along x.
        x: usize,
        /// Along z.
        z: usize,
        /// As found.
        height_m: f32,
        /// Lowest height.
        min_m: f32,
        /// Highest height.
        max_m: f32,
    },
    /// No lattice of 16-bit heights can be laid over a range.
    #[error("{min_m} ..= {max_m} m is no range of heights: finite, the least first, is needed")]
    Lattice {
        /// Lowest height.
        min_m: f32,
        /// Highest height.
        max_m: f32,
    },
    /// Jolt has no such blocks.
    #[error("blocks of {block_size} samples; 2 to 8 are possible")]
    BlockSize {
        /// As given.
        block_size: usize,
    },
    /// Jolt does not keep samples in so many bits.
    #[error("{bits} bits a sample; 1 to 16 are possible")]
    Bits {
        /// As given.
        bits: u32,
    },
    /// PhysX has no such material.
    #[error("material {material}; 0 to 126 are possible, 127 would be a hole")]
    Material {
        /// As given.
        material: u8,
    },
}

/// Checks that a field has an area, and that memory for a result fits exactly.
pub(super) fn check_layout(
    what: &'static str,
    size: [usize; 2],
    found: usize,
    expected: usize,
) -> Result<(), ColliderError> {
    if size[0] < 2 || size[1] < 2 {
        return Err(ColliderError::Samples { size });
    }
    check_capacity(what, found, expected)
}

/// Checks that memory for a result fits exactly.
pub(super) fn check_capacity(what: &'static str, found: usize, expected: usize) -> Result<(), ColliderError> {
    if found == expected { Ok(()) } else { Err(ColliderError::Capacity { what, found, expected }) }
}

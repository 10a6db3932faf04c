//! What can be wrong with what a caller gives to the makers of meshes.

/// Why no mesh, error or skirt was made. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MeshInputError {
    /// A number of cells that this method does not take.
    #[error("{found} cells a side; {method} takes {takes} from {min} to {max}")]
    Cells {
        /// Cells a side that were given.
        found: usize,
        /// What they were given to.
        method: &'static str,
        /// Which numbers in that range.
        takes: &'static str,
        /// The fewest.
        min: usize,
        /// The most.
        max: usize,
    },
    /// A stride that is not a power of two up to 2^16.
    #[error("a stride of {found} samples; powers of two from 1 to {max} nest", max = 1 << 16)]
    Stride {
        /// Samples from vertex to vertex.
        found: usize,
    },
    /// Other heights than the rows reach over, or rows that overlap.
    #[error(
        "{found} heights do not make {side} rows of {side}, {row_stride} apart: at least {expected} are needed, and \
         rows that do not overlap"
    )]
    Heights {
        /// Heights that are there.
        found: usize,
        /// Samples of a row, and rows.
        side: usize,
        /// From row to row.
        row_stride: usize,
        /// Heights that are needed.
        expected: usize,
    },
    /// More than four sides.
    #[error("{what} {found} has bits beyond the four sides of a chunk; the largest is 15")]
    Mask {
        /// Which of them.
        what: &'static str,
        /// What was given.
        found: u8,
    },
    /// A length that is negative or not a number.
    #[error("the {what} is {found} m; it must be 0 or more")]
    Length {
        /// Which length.
        what: &'static str,
        /// What was given.
        found: f64,
    },
    /// Memory that is too small.
    #[error("the memory for {what} has room for {found}, {expected} are needed")]
    Capacity {
        /// What would have been written or read.
        what: &'static str,
        /// Values of the memory.
        found: usize,
        /// Values of the result.
        expected: usize,
    },
}

/// A neighbour mask, or a set of sides, has four bits.
pub(super) fn check_mask(what: &'static str, found: u8) -> Result<(), MeshInputError> {
    if found > 15 { Err(MeshInputError::Mask { what, found }) } else { Ok(()) }
}

/// A tolerance or a depth is 0 or more.
pub(super) fn check_length(what: &'static str, found: f64) -> Result<(), MeshInputError> {
    if found >= 0.0 { Ok(()) } else { Err(MeshInputError::Length { what, found }) }
}

//! Why an edit is refused. Nothing has been changed in any of the cases.

use super::types::BRUSH_SAMPLES_MAX;

/// An edit that cannot be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// A number that is no size, height or distance.
    #[error("{field}: found {found}, expected {expected}")]
    Value {
        /// Which one, in the words of the types: `brush.shape.radius_m`.
        field: &'static str,
        /// What it was.
        found: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// The brush's centre has an index of 2^60 or more.
    #[error("brush.center: sample {axis} is {index}; it must be less than 2^60 from the origin")]
    Center {
        /// `x` or `z`.
        axis: char,
        /// The index.
        index: i64,
    },
    /// The brush is too large.
    #[error(
        "{field}: the brush spans {samples:.0} samples a side and {} are the most: use a radius of at most {limit_m} m \
         here, or several edits",
        BRUSH_SAMPLES_MAX
    )]
    TooWide {
        /// Which one.
        field: &'static str,
        /// Twice the radius in samples.
        samples: f64,
        /// The largest radius at this world's spacing, in metres.
        limit_m: f64,
    },
    /// The pool has too few free tiles for the samples that would change.
    #[error(
        "the edit needs {needed} more tiles of 32 x 32 samples, {free} of {total} are free: open the world with more \
         (with_edit_tiles)"
    )]
    PoolFull {
        /// Tiles that would have to be added.
        needed: usize,
        /// Tiles that are free.
        free: usize,
        /// Tiles of the pool.
        total: usize,
    },
}

//! Why a cut cannot be made: which setting is wrong, and what would be right.

use super::ground::Ground;

/// A setting of a cut that breaks a rule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum CutError {
    #[error("{found} levels; expected 1 to {}", Ground::LEVELS_MAX)]
    Levels { found: u8 },
    #[error("{found} cells a chunk; expected a power of two up to {}", Ground::CHUNK_CELLS_MAX)]
    ChunkCells { found: u32 },
    #[error("split factor {found}; expected a number of at least 1 (and at most 1e6)")]
    Factor { found: f64 },
    #[error("hysteresis {found}; expected a number of at least 0 (and at most 1e6)")]
    Hysteresis { found: f64 },
    #[error("{found} distances; expected one for each of the {levels} levels above level 0")]
    Distances { found: usize, levels: u8 },
    #[error(
        "the split distance of level {level} is {found} samples; expected {least} to {most}: \
         at least the keep distance of the level below and a chunk of it"
    )]
    Split { level: u8, found: u64, least: u64, most: u64 },
    #[error(
        "the keep distance of level {level} is {found} samples; expected {least} to {most}: \
         at least its split distance"
    )]
    Keep { level: u8, found: u64, least: u64, most: u64 },
    #[error("the distances are for {found:?} levels and cells; expected {expected:?}")]
    Measures { found: (u8, u32), expected: (u8, u32) },
    #[error("{found} extents; expected one for each of the {levels} levels")]
    Extents { found: usize, levels: u8 },
    #[error("the extent of level {lod} leaves the range of samples; expected chunks -{end} to {end}")]
    ExtentRange { lod: u8, end: i64 },
    #[error("the extent of level {lod} has chunks without children; expected at least one child of each")]
    ExtentNesting { lod: u8 },
    #[error("at most {found} changes are open; expected 2 to {most}")]
    OpenMax { found: usize, most: usize },
    #[error("{found} viewers; expected 1 to {most}")]
    ViewersMax { found: usize, most: usize },
    #[error("up to {found} leaves; expected at most {most}: fewer viewers, levels or smaller distances")]
    Leaves { found: u64, most: u64 },
}

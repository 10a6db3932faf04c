//! Edits: changes of ground heights at run time.
//!
//! In: an [`Edit`], a brush and what it does. Out: overrides, the final heights of the samples that it changed, in a
//! pool of tiles that all clones of a world share; chunks and single positions read them instead of the fields.
//! Deliberately not here: growth (a full pool is an error), undo, files (`save`), and which chunks are resident. See
//! docs/EDITS.md.

mod brush;
mod error;
mod operate;
mod store;
mod tiles;
mod types;
mod world;

pub use error::EditError;
pub use store::{EDIT_TILES_DEFAULT, EDIT_TILES_MAX, EditStore};
pub use types::{BRUSH_SAMPLES_MAX, Brush, BrushShape, Edit, EditId, EditOp, Edited, SampleRect};

pub(crate) use operate::Site;
#[cfg(feature = "save")]
pub(crate) use store::LoadError;
pub(crate) use tiles::{TILE_CELLS, Tiles};
#[cfg(feature = "save")]
pub(crate) use tiles::{TILE_SAMPLES, TileRef};

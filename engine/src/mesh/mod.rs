//! What all meshes of a world share: the triangulation, and the index templates that follow from it.

mod templates;
mod triangulation;

pub use templates::{IndexTemplates, MASKS, grid_indices};
pub use triangulation::grid_uvs;
pub(crate) use triangulation::interpolate;

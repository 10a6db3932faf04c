//! What all meshes of a world share: the triangulation.

mod triangulation;

pub(crate) use triangulation::interpolate;
pub use triangulation::{grid_indices, grid_uvs};

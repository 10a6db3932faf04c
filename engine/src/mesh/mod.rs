//! What all meshes of a world share: the triangulation, the index templates that follow from it, and how packed vertices write
//! heights and normals.

mod error_bound;
pub(crate) mod lattice;
pub(crate) mod octahedral;
mod templates;
mod triangulation;

pub(crate) use error_bound::{LEVELS, error_bounds_m};
pub use lattice::{HOLE, HeightLattice};
pub use octahedral::{OCTAHEDRAL_ERROR_DEG, decode_octahedral};
pub use templates::{IndexTemplates, MASKS, grid_indices};
pub use triangulation::grid_uvs;
pub(crate) use triangulation::interpolate;

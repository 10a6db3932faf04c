//! Meshes: the triangulation that all share, index templates, how packed vertices write heights and normals, errors of levels,
//! adaptive meshes, skirts.

mod adaptive;
mod distance;
mod error;
mod error_bound;
mod input;
pub(crate) mod lattice;
pub(crate) mod octahedral;
mod skirts;
mod templates;
mod triangulation;

pub use adaptive::{AdaptiveMesh, AdaptiveMesher, MeshIndex};
#[cfg(all(feature = "export", feature = "threads"))]
pub(crate) use error::triangles_error_exact_m;
pub use error::{MeshError, error_exact_m};
pub(crate) use error_bound::{LEVELS, error_bounds_m};
pub use input::MeshInputError;
pub use lattice::{HOLE, HeightLattice};
pub use octahedral::{OCTAHEDRAL_ERROR_DEG, decode_octahedral};
pub use skirts::{Skirts, skirt_depth_m};
pub use templates::{IndexTemplates, MASKS, grid_indices};
pub use triangulation::grid_uvs;
pub(crate) use triangulation::interpolate;

//! Colliders: height fields that physics engines accept, no further from the ground than they say.
//!
//! In the order in which data flows:
//!
//! - [`HeightRows`]: where heights come from: a [`ChunkView`](crate::ChunkView), [`WithApron`] or not, or a
//!   [`HeightField`] over any slice;
//! - [`Decimation`]: fewer samples within a tolerance, borders that neighbours of other steps share;
//! - [`merged`]: the nine chunks around a point as one field, since engines smooth edges inside one shape only;
//! - [`layouts`]: bytes as rapier, Jolt, Godot and PhysX read them.
//!
//! All write into the caller's memory and allocate nothing. Every surface is cut by the one diagonal rule of
//! [`mesh`](crate::mesh): from (x0, z1) to (x1, z0). Adaptive triangle meshes, for engines or ground that height fields
//! do not suit, are made with the other meshes in [`mesh`](crate::mesh); their layouts (vertices and indices) would
//! stand beside those of height fields.

mod border;
mod decimate;
mod error;
mod field;
pub mod layouts;
pub mod merged;

pub use border::{border_line, border_step};
pub use decimate::{CELLS_MAX, Decimation};
pub use error::ColliderError;
pub use field::{HeightField, HeightRows, WithApron};

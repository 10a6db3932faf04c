//! Godot: `HeightMapShape3D`.
//!
//! Value `z * width + x` of `map_data`, bytes `4 * (z * width + x) ..`, is the height of sample (x, z) in metres, f32:
//! rows along x, the smallest z first. Both physics engines of Godot 4 cut a cell from (x, z + 1) to (x + 1, z): our
//! diagonal, so nothing is mirrored. (The Jolt module mirrors for itself, since Jolt's own diagonal is the other one.)
//! The shape is centred in x and z, its samples are 1 apart: the transform of the `CollisionShape3D` has the basis
//! scaled by `scale` and its origin at `translation`, from the chunk's first sample.
//!
//! The scale is the same along x and z, and 1 along y: where samples are not 1 m apart the editor warns of a scale that
//! is not uniform.
//!
//! The error: Godot's own engine takes the heights as they are. Jolt in Godot takes square maps of at least 4 samples
//! as height fields, in blocks of 2 samples with at most 8 bits a sample: add
//! [`jolt::rounding_m`](super::jolt::rounding_m)`(field, 2, 8)`. Other maps become triangle meshes there, without
//! rounding. NaN is a hole in Jolt.
//!
//! Sources: godotengine/godot `modules/godot_physics_3d/godot_shape_3d.cpp` (`GodotHeightMapShape3D`: `_setup`, `cull`,
//! `_heightmap_cell_cull_segment`) and `modules/jolt_physics/shapes/jolt_height_map_shape_3d.cpp`
//! (`_build_height_field`, `_build_mesh`).

use crate::collider::error::check_layout;
use crate::collider::{ColliderError, HeightRows};

/// What the engine wants to know beside the heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GodotField {
    /// `map_width`: samples along x.
    pub width: usize,
    /// `map_depth`: samples along z.
    pub depth: usize,
    /// Scale of the shape's transform.
    pub scale: [f32; 3],
    /// Origin of the shape's transform in metres.
    pub translation: [f32; 3],
}

/// Writes `map_data`: as many values as the field has.
///
/// ```
/// use terrane::collider::{HeightField, layouts::godot};
/// let heights = [1.0, 2.0, 3.0, 4.0];
/// let mut map_data = [0.0; 4];
/// let field = godot::write(&HeightField::new(&heights, 2)?, 0.5, &mut map_data)?;
/// assert_eq!(map_data, heights);
/// assert_eq!((field.scale, field.translation), ([0.5, 1.0, 0.5], [0.25, 0.0, 0.25]));
/// # Ok::<(), terrane::collider::ColliderError>(())
/// ```
///
/// # Errors
/// When the field is smaller than 2 by 2, or `out` has another length.
pub fn write(field: &impl HeightRows, spacing_m: f32, out: &mut [f32]) -> Result<GodotField, ColliderError> {
    let [width, depth] = field.size();
    check_layout("Godot's map_data", [width, depth], out.len(), width * depth)?;
    for (z, row) in out.chunks_exact_mut(width).enumerate() {
        row.copy_from_slice(field.row(z));
    }
    let middle_m = [width, depth].map(|samples| (samples - 1) as f32 * spacing_m / 2.0);
    Ok(GodotField {
        width,
        depth,
        scale: [spacing_m, 1.0, spacing_m],
        translation: [middle_m[0], 0.0, middle_m[1]],
    })
}

//! rapier and parry: `HeightField` of parry3d.
//!
//! Value `x * nrows + z` is the height of sample (x, z) in metres, native f32: bytes `4 * (x * nrows + z) ..`. The
//! engine's `Array2` is column-major, its rows (first index) advance along z, its columns along x, so memory runs along
//! z. A cell is cut from (x0, z1) to (x1, z0) unless its status has `ZIGZAG_SUBDIVISION`: the default is our diagonal,
//! no status is set. The field is centred in x and z; `scale` gives its whole extent. Use:
//! `HeightField::with_flags(Array2::new(nrows, ncols, heights), scale, HeightFieldFlags::FIX_INTERNAL_EDGES)` at
//! `translation`. The engine adds one status byte a cell of its own.
//!
//! Sources: parry3d 0.31.1, `src/shape/heightfield3.rs` (`with_flags`, `triangles_at`, `x_at`) and
//! `src/utils/array2.rs` (`flat_index`).

use crate::collider::error::check_layout;
use crate::collider::layouts::{Encode, turn};
use crate::collider::{ColliderError, HeightRows};

/// What the engine wants to know beside the heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RapierField {
    /// Samples along z.
    pub nrows: usize,
    /// Samples along x.
    pub ncols: usize,
    /// Extent in metres along x and z; heights are metres already.
    pub scale: [f32; 3],
    /// From the chunk's first sample to the middle of the field, in metres.
    pub translation: [f32; 3],
}

/// Heights are written as they are.
struct Plain;

impl Encode for Plain {
    type Sample = f32;

    #[inline(always)]
    fn encode(&self, height_m: f32) -> f32 {
        height_m
    }
}

/// Writes the heights, and nothing but them: as many values as the field has.
///
/// ```
/// use terrane::collider::{HeightField, layouts::rapier};
/// let heights = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let mut zx = [0.0; 6];
/// let field = rapier::write(&HeightField::with_stride(&heights, [3, 2], 3)?, 0.5, &mut zx)?;
/// assert_eq!(zx, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// assert_eq!((field.nrows, field.ncols), (2, 3));
/// assert_eq!((field.scale, field.translation), ([1.0, 1.0, 0.5], [0.5, 0.0, 0.25]));
/// # Ok::<(), terrane::collider::ColliderError>(())
/// ```
///
/// # Errors
/// When the field is smaller than 2 by 2, or `out` has another length.
pub fn write(field: &impl HeightRows, spacing_m: f32, out: &mut [f32]) -> Result<RapierField, ColliderError> {
    let [width, rows] = field.size();
    check_layout("rapier's heights", [width, rows], out.len(), width * rows)?;
    turn(field, &Plain, out);
    let extent_m = [width, rows].map(|samples| (samples - 1) as f32 * spacing_m);
    Ok(RapierField {
        nrows: rows,
        ncols: width,
        scale: [extent_m[0], 1.0, extent_m[1]],
        translation: [extent_m[0] / 2.0, 0.0, extent_m[1] / 2.0],
    })
}

//! Jolt: `HeightFieldShapeSettings`.
//!
//! Value `row * count + x`, bytes `4 * (row * count + x) ..`, is a height in metres, native f32, of sample (x, z) with
//! `row = side - 1 - z`: the rows are mirrored, the largest z first. For Jolt cuts every cell from (x, y) to
//! (x + 1, y + 1) of its own grid; in mirrored rows this is our diagonal, and a `ScaledShape` that mirrors z turns the
//! rows back. Godot's Jolt module does the same.
//!
//! `count` is the side rounded up to whole blocks, at least two: the samples beyond the side, in columns and in rows,
//! are `FLT_MAX`, which is no ground. Jolt from 4.0 on rounds up by itself and needs the two blocks only; before, it
//! refused other counts. (Before 4.0 it also wanted count / block size to be a power of two.)
//!
//! Use: `HeightFieldShapeSettings(samples, offset, scale, count)` with `mBlockSize` as given, then
//! `ScaledShape(shape, shape_scale)`, at the chunk's first sample.
//!
//! The error: Jolt keeps no floats. It knows each block's lowest and highest height in 65534ths of the field's range,
//! and each sample in `mBitsPerSample` bits of its block's (8; from 5.6 on up to 16). [`rounding_m`] bounds what this
//! moves a height by: add it to the certificate. Each shape rounds by its own blocks, so the borders of two chunks are
//! that far apart at most twice.
//!
//! Sources: `Jolt/Physics/Collision/Shape/HeightFieldShape.h` (the settings, `cNoCollisionValue`) and `.cpp`
//! (`ProjectOntoSurface` and `CalculateActiveEdges` for the diagonal, the constructor and `GetPosition` for counts and
//! rounding); `Docs/ReleaseNotes.md` 4.0.0; godotengine/godot
//! `modules/jolt_physics/shapes/jolt_height_map_shape_3d.cpp`.

use crate::collider::error::check_layout;
use crate::collider::{ColliderError, HeightRows};

/// Jolt's own block size, if nothing is said.
pub const BLOCK_SIZE_DEFAULT: usize = 2;

/// What the engine wants to know beside the heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JoltField {
    /// `mSampleCount`.
    pub count: usize,
    /// `mBlockSize`.
    pub block_size: usize,
    /// `mOffset`.
    pub offset: [f32; 3],
    /// `mScale`.
    pub scale: [f32; 3],
    /// The scale of the `ScaledShape` around it.
    pub shape_scale: [f32; 3],
}

/// `mSampleCount` for fields of `side` samples a side.
///
/// ```
/// use terrane::collider::layouts::jolt::sample_count;
/// assert_eq!((sample_count(65, 2), sample_count(65, 8), sample_count(2, 2)), (66, 72, 4));
/// ```
#[must_use]
pub fn sample_count(side: usize, block_size: usize) -> usize {
    side.next_multiple_of(block_size).max(2 * block_size)
}

/// Writes the samples: [`sample_count`]`^2` values.
///
/// ```
/// use terrane::collider::{HeightField, layouts::jolt};
/// let heights = [1.0, 2.0, 3.0, 4.0];
/// let mut samples = [0.0; 16];
/// let field = jolt::write(&HeightField::new(&heights, 2)?, 0.5, 2, &mut samples)?;
/// assert_eq!(samples[..8], [3.0, 4.0, f32::MAX, f32::MAX, 1.0, 2.0, f32::MAX, f32::MAX]);
/// assert_eq!((field.count, field.offset, field.shape_scale), (4, [0.0, 0.0, -0.5], [1.0, 1.0, -1.0]));
/// # Ok::<(), terrane::collider::ColliderError>(())
/// ```
///
/// # Errors
/// When the block size is not 2 to 8, the field is not square or smaller than 2 by 2, or `out` has another length.
pub fn write(
    field: &impl HeightRows,
    spacing_m: f32,
    block_size: usize,
    out: &mut [f32],
) -> Result<JoltField, ColliderError> {
    let size = check(field, block_size)?;
    let [side, _] = size;
    let count = sample_count(side, block_size);
    check_layout("Jolt's samples", size, out.len(), count * count)?;
    for (row, values) in out.chunks_exact_mut(count).enumerate() {
        let (inside, beyond) = values.split_at_mut(if row < side { side } else { 0 });
        if row < side {
            inside.copy_from_slice(field.row(side - 1 - row));
        }
        beyond.fill(f32::MAX);
    }
    let extent_m = (side - 1) as f32 * spacing_m;
    Ok(JoltField {
        count,
        block_size,
        offset: [0.0, 0.0, -extent_m],
        scale: [spacing_m, 1.0, spacing_m],
        shape_scale: [1.0, 1.0, -1.0],
    })
}

fn check(field: &impl HeightRows, block_size: usize) -> Result<[usize; 2], ColliderError> {
    let size = field.size();
    if !(2..=8).contains(&block_size) {
        return Err(ColliderError::BlockSize { block_size });
    }
    if size[0] != size[1] {
        return Err(ColliderError::NotSquare { size });
    }
    Ok(size)
}

/// The most that Jolt moves a height of this field by, in metres; never less than the truth. One more pass over the
/// heights.
///
/// A block that spans `h` metres, the row and the column after it included, has codes `h / (2^bits - 1)` apart. Its
/// ends are rounded outwards to 65534ths of the field's range, and all heights are moved by half a code of one of
/// these: three of them belong to `h`. A height lies at most half a code from the middle of its own. The arithmetic in
/// f32 is allowed four roundings.
///
/// ```
/// use terrane::collider::{HeightField, layouts::jolt};
/// let slope: Vec<f32> = (0..65 * 65).map(|i| (i % 65) as f32).collect();
/// let field = HeightField::new(&slope, 65)?;
/// // A block spans two metres.
/// let rounding_m = jolt::rounding_m(&field, 2, 8)?;
/// assert!((2.0 / 255.0 / 2.0..0.004).contains(&rounding_m), "{rounding_m}");
/// assert!(jolt::rounding_m(&field, 2, 16)? < 0.0001);
/// # Ok::<(), terrane::collider::ColliderError>(())
/// ```
///
/// # Errors
/// When the block size is not 2 to 8, the bits are not 1 to 16, or the field is not square or smaller than 2 by 2.
pub fn rounding_m(field: &impl HeightRows, block_size: usize, bits: u32) -> Result<f64, ColliderError> {
    let size = check(field, block_size)?;
    let [side, _] = size;
    check_layout("none", size, 0, 0)?;
    if !(1..=16).contains(&bits) {
        return Err(ColliderError::Bits { bits });
    }
    let mut whole = [f32::INFINITY, f32::NEG_INFINITY];
    let mut span_m = 0.0f64;
    for row in (0..side).step_by(block_size) {
        for x in (0..side).step_by(block_size) {
            let end = (x + block_size + 1).min(side);
            let mut block = [f32::INFINITY, f32::NEG_INFINITY];
            for row in row..(row + block_size + 1).min(side) {
                for &height in &field.row(side - 1 - row)[x..end] {
                    block = [block[0].min(height), block[1].max(height)];
                }
            }
            span_m = span_m.max(f64::from(block[1]) - f64::from(block[0]));
            whole = [whole[0].min(block[0]), whole[1].max(block[1])];
        }
    }
    let [min_m, max_m] = whole.map(f64::from);
    let unit_m = (max_m - min_m).max(1.0e-6) / 65_534.0;
    let codes = f64::from((1u32 << bits) - 1);
    let arithmetic_m = min_m.abs().max(max_m.abs()) * 4.0 * f64::from(f32::EPSILON);
    Ok((span_m + 3.0 * unit_m) / codes / 2.0 + arithmetic_m)
}

//! PhysX: `PxHeightFieldDesc` with samples of `PxHeightFieldSample` (format `eS16_TM`).
//!
//! Sample (x, z) has 4 bytes, `4 * (x * columns + z) ..`: PhysX's rows advance along x, its columns along z, and sample
//! (row, column) is number `row * nbColumns + column`. Its bytes:
//!
//! | byte | what |
//! |---|---|
//! | 0, 1 | height, i16 in the machine's order: metres are `code * height_scale + translation[1]` |
//! | 2 | `materialIndex0` of the lower triangle in bits 0 to 6; bit 7 is the tessellation flag |
//! | 3 | `materialIndex1` of the upper triangle in bits 0 to 6; bit 7 is reserved, 0 |
//!
//! With the flag set, PhysX cuts the sample's cell from it to the opposite one; without, between the other two, which
//! is from (x0, z1) to (x1, z0). So the flag is never set. The material is the same in both; 127 would be a hole.
//! Samples of the last row and column carry it too, nothing reads it there.
//!
//! **One lattice a world.** Codes of neighbours must be equal on their border, so [`Lattice`] is made from the world's
//! range of heights, not the chunk's: its step is the smallest power of two with range / step <= 65534. Codes and
//! metres convert without rounding but the one to the lattice, half a step at most: add [`Lattice::error_m`] to the
//! certificate.
//!
//! Use: `nbRows`, `nbColumns`, `samples.data`, `samples.stride = 4`; `PxHeightFieldGeometry(field, flags, scale[1],
//! scale[0], scale[2])` (height, row, column) in a pose at `translation` from the chunk's first sample.
//!
//! Sources: NVIDIA-Omniverse/PhysX `physx/include/geometry/PxHeightFieldSample.h`, `PxHeightField.h` ("rows extend in X
//! direction, columns in Z direction"), `PxHeightFieldGeometry.h`, `physx/include/foundation/PxBitAndData.h` (bit
//! 0x80), and `physx/source/geomutils/src/hf/GuHeightField.h` (`getVertex`, `getTriangleVertexIndices`,
//! `getHeightInternal2`).

use crate::collider::error::check_layout;
use crate::collider::layouts::{Encode, turn};
use crate::collider::{ColliderError, HeightRows};

/// The bytes of a sample.
pub type PhysxSample = [u8; 4];

/// The first material that is none.
const MATERIAL_HOLE: u8 = 127;
/// The most steps from the lowest height to the highest.
const CODES: f64 = 65_534.0;

/// The heights that 16-bit codes stand for, the same for all chunks of a world.
///
/// ```
/// use terrane::collider::layouts::physx::Lattice;
/// let lattice = Lattice::new(-40.0, 160.0)?;
/// assert_eq!((lattice.step_m(), lattice.middle_m()), (1.0 / 256.0, 60.0));
/// assert_eq!(lattice.error_m(), 1.0 / 512.0);
/// # Ok::<(), terrane::collider::ColliderError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    min_m: f32,
    max_m: f32,
    step_m: f32,
    middle_m: f32,
}

impl Lattice {
    /// For heights from `min_m` to `max_m`, as a world's config has them. A range of one height gets a step all the
    /// same.
    ///
    /// # Errors
    /// When one is not finite, or they are the wrong way round.
    pub fn new(min_m: f32, max_m: f32) -> Result<Self, ColliderError> {
        if !min_m.is_finite() || !max_m.is_finite() || min_m > max_m {
            return Err(ColliderError::Lattice { min_m, max_m });
        }
        let (min, max) = (f64::from(min_m), f64::from(max_m));
        // Fine enough that f32 holds the whole lattice: 24 bits for the height furthest from 0.
        let finest = min.abs().max(max.abs()) / 16_777_216.0;
        let mut step = 1.0 / 1_048_576.0;
        while (max - min) / step > CODES || step < finest {
            step *= 2.0;
        }
        // Halves go up: then the highest code is 32767 at most, and the lowest -32768.
        let middle = ((min + max) / 2.0 / step + 0.5).floor() * step;
        Ok(Self { min_m, max_m, step_m: step as f32, middle_m: middle as f32 })
    }

    /// Metres between neighbouring codes: a power of two.
    #[must_use]
    pub fn step_m(&self) -> f32 {
        self.step_m
    }

    /// The height of code 0.
    #[must_use]
    pub fn middle_m(&self) -> f32 {
        self.middle_m
    }

    /// The furthest that a height moves: half a step.
    #[must_use]
    pub fn error_m(&self) -> f64 {
        f64::from(self.step_m) / 2.0
    }

    /// The height of a code.
    #[must_use]
    pub fn height_m(&self, code: i16) -> f32 {
        f32::from(code) * self.step_m + self.middle_m
    }
}

/// 1.5 * 2^52: a number of up to 2^51 that is added to it is rounded to an integer, halves to the even one, and the
/// sum's low bits are that integer in two's complement. `round_ties_even` is a call per sample where SSE4.1 is not to
/// be had.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// Heights become codes of a lattice.
struct Codes {
    middle_m: f64,
    steps_per_m: f64,
    material: u8,
}

impl Encode for Codes {
    type Sample = PhysxSample;

    #[inline(always)]
    fn encode(&self, height_m: f32) -> PhysxSample {
        // Doubles hold the difference to 2^-37 of a step or better, and the product with a power of two exactly.
        let steps = (f64::from(height_m) - self.middle_m) * self.steps_per_m;
        let code = (steps.clamp(-32_768.0, 32_767.0) + ROUND).to_bits() as i16;
        let [low, high] = code.to_ne_bytes();
        [low, high, self.material, self.material]
    }
}

/// What the engine wants to know beside the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhysxField {
    /// `nbRows`: samples along x.
    pub rows: usize,
    /// `nbColumns`: samples along z.
    pub columns: usize,
    /// `rowScale`, `heightScale`, `columnScale`.
    pub scale: [f32; 3],
    /// Of the shape's pose, in metres.
    pub translation: [f32; 3],
}

/// Writes the samples: as many as the field has, of 4 bytes. Add [`Lattice::error_m`] to the field's error.
///
/// ```
/// use terrane::collider::{HeightField, layouts::physx};
/// let heights = [0.0, 1.0, 2.0, 3.0];
/// let lattice = physx::Lattice::new(-8.0, 8.0)?;
/// let mut samples = [[0; 4]; 4];
/// let field = physx::write(&HeightField::new(&heights, 2)?, 0.5, &lattice, 5, &mut samples)?;
/// let codes = samples.map(|[low, high, ..]| i16::from_ne_bytes([low, high]));
/// assert_eq!(codes.map(|code| f32::from(code) * field.scale[1]), [0.0, 2.0, 1.0, 3.0]);
/// assert!(samples.iter().all(|sample| sample[2..] == [5, 5]));
/// # Ok::<(), terrane::collider::ColliderError>(())
/// ```
///
/// # Errors
/// When the field is smaller than 2 by 2, `out` has another length, the material is above 126, or a height lies outside
/// the lattice's range.
pub fn write(
    field: &impl HeightRows,
    spacing_m: f32,
    lattice: &Lattice,
    material: u8,
    out: &mut [PhysxSample],
) -> Result<PhysxField, ColliderError> {
    let [width, rows] = field.size();
    check_layout("PhysX's samples", [width, rows], out.len(), width * rows)?;
    if material >= MATERIAL_HOLE {
        return Err(ColliderError::Material { material });
    }
    let Lattice { min_m, max_m, .. } = *lattice;
    for z in 0..rows {
        let row = field.row(z);
        // NaN is outside as well. Without a branch in it the compiler takes whole vectors.
        let inside = |height: &f32| (*height >= min_m) & (*height <= max_m);
        if !row.iter().fold(true, |all, height| all & inside(height)) {
            let x = row.iter().position(|height| !inside(height)).unwrap_or(0);
            return Err(ColliderError::Range { x, z, height_m: row[x], min_m, max_m });
        }
    }
    let (middle_m, steps_per_m) = (f64::from(lattice.middle_m), 1.0 / f64::from(lattice.step_m));
    turn(field, &Codes { middle_m, steps_per_m, material }, out);
    Ok(PhysxField {
        rows: width,
        columns: rows,
        scale: [spacing_m, lattice.step_m, spacing_m],
        translation: [0.0, lattice.middle_m, 0.0],
    })
}

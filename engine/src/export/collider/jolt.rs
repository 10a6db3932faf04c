//! `collider-jolt`: mirrored rows of f32 in whole blocks. The layout: [`jolt`](crate::collider::layouts::jolt).
//!
//! Jolt keeps its own default of blocks of 2 samples with 8 bits a sample; `error_total_m` counts what that rounds.

use serde_json::json;

use super::super::{Format, Scene};
use super::{Engine, Placed, SAMPLE_BYTES, facts};
use crate::collider::layouts::jolt::{self, BLOCK_SIZE_DEFAULT};
use crate::collider::{ColliderError, HeightField};

/// What Jolt keeps of a sample, if nothing is said.
const BITS: u32 = 8;

pub(in super::super) const FORMAT: Format = super::format::<Jolt>("height fields for Jolt, one a chunk");

struct Jolt;

impl Engine for Jolt {
    const ID: &'static str = "collider-jolt";
    const FILES: [&'static str; 2] = ["collider-jolt.bin", "collider-jolt.json"];
    const SAMPLES: &'static str = "f32 metres, rows along x, the largest z first: value row * count + x; \
                                   FLT_MAX is no ground";
    const USE: &'static str = "HeightFieldShapeSettings(values, offset_m, scale, count) with mBlockSize = block_size \
                               and mBitsPerSample = bits, in a ScaledShape of shape_scale, at translation";
    type Sample = f32;

    fn new(_: &Scene) -> Self {
        Self
    }

    fn samples(side: usize) -> usize {
        jolt::sample_count(side, BLOCK_SIZE_DEFAULT).pow(2)
    }

    fn write(
        &self,
        field: &HeightField<'_>,
        spacing_m: f32,
        out: &mut [f32],
    ) -> Result<Placed, ColliderError> {
        let placed = jolt::write(field, spacing_m, BLOCK_SIZE_DEFAULT, out)?;
        let facts = facts(json!({
            "count": placed.count,
            "block_size": placed.block_size,
            "bits": BITS,
            "offset_m": placed.offset,
            "scale": placed.scale,
            "shape_scale": placed.shape_scale,
        }));
        let rounding_m = jolt::rounding_m(field, BLOCK_SIZE_DEFAULT, BITS)?;
        // The shape begins at the chunk's first sample.
        Ok(Placed { facts, translation: [0.0; 3], rounding_m })
    }

    fn bytes(sample: f32) -> [u8; SAMPLE_BYTES] {
        sample.to_le_bytes()
    }
}

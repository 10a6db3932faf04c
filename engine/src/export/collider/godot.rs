//! `collider-godot`: rows of f32 for `HeightMapShape3D`. The layout: [`godot`](crate::collider::layouts::godot).
//!
//! `error_total_m` is that of Godot's own engine. With Jolt in its place `jolt_rounding_m` comes on top.

use serde_json::json;

use super::super::{Format, Scene};
use super::{Engine, Placed, SAMPLE_BYTES, facts};
use crate::collider::layouts::{godot, jolt};
use crate::collider::{ColliderError, HeightField};

/// What Godot's Jolt module keeps of a sample, and its blocks.
const JOLT_BITS: u32 = 8;
const JOLT_BLOCK_SIZE: usize = 2;

pub(in super::super) const FORMAT: Format = super::format::<Godot>("height maps for Godot 4, one a chunk");

struct Godot;

impl Engine for Godot {
    const ID: &'static str = "collider-godot";
    const FILES: [&'static str; 2] = ["collider-godot.bin", "collider-godot.json"];
    const SAMPLES: &'static str = "f32 metres, rows along x, the smallest z first: value z * width + x";
    const USE: &'static str = "map_width = width, map_depth = depth and map_data of a HeightMapShape3D; its \
                               CollisionShape3D has the basis scaled by scale and its origin at translation; where \
                               the project's engine is Jolt, add jolt_rounding_m to error_total_m";
    type Sample = f32;

    fn new(_: &Scene) -> Self {
        Self
    }

    fn write(
        &self,
        field: &HeightField<'_>,
        spacing_m: f32,
        out: &mut [f32],
    ) -> Result<Placed, ColliderError> {
        let placed = godot::write(field, spacing_m, out)?;
        let facts = facts(json!({
            "width": placed.width,
            "depth": placed.depth,
            "scale": placed.scale,
            "jolt_rounding_m": jolt::rounding_m(field, JOLT_BLOCK_SIZE, JOLT_BITS)?,
        }));
        Ok(Placed { facts, translation: placed.translation, rounding_m: 0.0 })
    }

    fn bytes(sample: f32) -> [u8; SAMPLE_BYTES] {
        sample.to_le_bytes()
    }
}

//! `collider-rapier`: columns of f32 for parry's `HeightField`. The layout:
//! [`rapier`](crate::collider::layouts::rapier).

use serde_json::json;

use super::super::{Format, Scene};
use super::{Engine, Placed, SAMPLE_BYTES, facts};
use crate::collider::layouts::rapier;
use crate::collider::{ColliderError, HeightField};

pub(in super::super) const FORMAT: Format =
    super::format::<Rapier>("height fields for rapier and parry, one a chunk");

struct Rapier;

impl Engine for Rapier {
    const ID: &'static str = "collider-rapier";
    const FILES: [&'static str; 2] = ["collider-rapier.bin", "collider-rapier.json"];
    const SAMPLES: &'static str = "f32 metres, column by column along z: value x * nrows + z";
    const USE: &'static str = "HeightField::with_flags(Array2::new(nrows, ncols, values), scale, \
                               HeightFieldFlags::FIX_INTERNAL_EDGES) at translation";
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
        let placed = rapier::write(field, spacing_m, out)?;
        let facts = facts(json!({ "nrows": placed.nrows, "ncols": placed.ncols, "scale": placed.scale }));
        Ok(Placed { facts, translation: placed.translation, rounding_m: 0.0 })
    }

    fn bytes(sample: f32) -> [u8; SAMPLE_BYTES] {
        sample.to_le_bytes()
    }
}

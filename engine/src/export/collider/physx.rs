//! `collider-physx`: 16-bit codes on the world's lattice. The layout: [`physx`](crate::collider::layouts::physx).

use serde_json::json;

use super::super::{Format, Scene};
use super::{Engine, Placed, SAMPLE_BYTES, facts};
use crate::collider::layouts::physx::{self, Lattice, PhysxSample};
use crate::collider::{ColliderError, HeightField};

/// The material of all ground: a host's own table says what it is.
const MATERIAL: u8 = 0;

pub(in super::super) const FORMAT: Format = super::format::<Physx>("height fields for PhysX 5, one a chunk");

struct Physx {
    lattice: Lattice,
}

impl Engine for Physx {
    const ID: &'static str = "collider-physx";
    const FILES: [&'static str; 2] = ["collider-physx.bin", "collider-physx.json"];
    const SAMPLES: &'static str = "PxHeightFieldSample: i16 code, two bytes of material 0, column by column along z: \
                                   sample x * columns + z";
    const USE: &'static str = "PxHeightFieldDesc with nbRows = rows, nbColumns = columns, samples.stride = 4, format \
                               eS16_TM; PxHeightFieldGeometry(field, flags, scale[1], scale[0], scale[2]) at \
                               translation";
    type Sample = PhysxSample;

    fn new(scene: &Scene) -> Self {
        Self { lattice: Lattice::new(scene.min_m, scene.max_m).expect("a world's range is one of heights") }
    }

    fn write(
        &self,
        field: &HeightField<'_>,
        spacing_m: f32,
        out: &mut [PhysxSample],
    ) -> Result<Placed, ColliderError> {
        let placed = physx::write(field, spacing_m, &self.lattice, MATERIAL, out)?;
        let facts = facts(json!({ "rows": placed.rows, "columns": placed.columns, "scale": placed.scale }));
        Ok(Placed { facts, translation: placed.translation, rounding_m: self.lattice.error_m() })
    }

    fn bytes([low, high, first, second]: PhysxSample) -> [u8; SAMPLE_BYTES] {
        // In memory the code is in the machine's order.
        let [low, high] = i16::from_ne_bytes([low, high]).to_le_bytes();
        [low, high, first, second]
    }
}

//! The named fields of a world, compiled.

mod curve;

pub(crate) use curve::{HeightCurve, INTERVALS};

use terrane_noise::{Coord, Fractal, Noise, NoiseParams, hash};

use crate::config::{FieldConfig, NoiseKind};

/// One named field: values in -1..=1.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) noise: Noise,
}

impl Field {
    /// Compiles a field of a validated config.
    pub(crate) fn new(config: &FieldConfig, world_seed: u64, spacing_m: f64) -> Self {
        let NoiseKind::Perlin = config.noise;
        let params = NoiseParams {
            seed: hash::field_seed(world_seed, config.seed),
            frequency: config.frequencies(spacing_m).next().expect("a field has octaves"),
            fractal: Fractal {
                octaves: config.octaves,
                lacunarity: config.lacunarity,
                persistence: config.persistence,
                ..Fractal::default()
            },
            ..NoiseParams::default()
        };
        // The rules of the config are those of the noise and stricter; a test runs along their edges.
        let noise = Noise::new(&params).expect("a validated config makes a noise");
        Self { name: config.name.clone(), noise }
    }

    /// The value at a position; at a sample, the bits that tiles have there.
    pub(crate) fn at(&self, x: Coord, z: Coord) -> f32 {
        self.noise.at(x, z)
    }
}

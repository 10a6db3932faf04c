//! `simdnoise`: builders that pick the machine's instructions and return a block in a Vec of their own.
//!
//! Its gradient noise is simplex noise, and so are the octaves of its fBm; it has no Perlin noise. Its cellular noise
//! returns the squared distance. Blocks step by one sample: a stride is a frequency that many times higher.

use std::ops::RangeInclusive;

use ::simdnoise::{CellDistanceFunction, CellReturnType, NoiseBuilder};

use crate::runner::{Prepared, Runner};
use crate::workload::{Dimensions, FREQUENCY, Kind, LACUNARITY, ORIGIN, PERSISTENCE, SEED, Work};

/// Reach of a feature point from the middle of its cell, in cells. `fastnoise-lite` calls this jitter 1.
const JITTER: f32 = 0.437_015_95;

/// It does not normalise: simplex noise stays within about 0.03, fBm adds octaves to that.
const RANGE: RangeInclusive<f32> = -0.08..=0.08;

pub(super) fn prepare(work: &Work) -> Option<Prepared> {
    let size = work.size;
    let stride = work.stride as f32;
    let frequency = FREQUENCY as f32 * stride;
    let [x, z, y] = ORIGIN.map(|first| first as f32 / stride);
    Some(match (work.kind, work.dimensions) {
        (Kind::Fbm { octaves }, dimensions) if octaves > 1 => {
            let mut builder = match dimensions {
                Dimensions::Two => NoiseBuilder::fbm_2d_offset(x, size, z, size),
                Dimensions::Three => NoiseBuilder::fbm_3d_offset(x, size, z, size, y, size),
            };
            builder.with_seed(SEED).with_freq(frequency).with_octaves(octaves as u8);
            builder.with_lacunarity(LACUNARITY as f32).with_gain(PERSISTENCE as f32);
            Prepared::new(RANGE, Block(move || builder.generate().0))
        }
        (Kind::Simplex, Dimensions::Two) => {
            let mut builder = NoiseBuilder::gradient_2d_offset(x, size, z, size);
            builder.with_seed(SEED).with_freq(frequency);
            Prepared::new(RANGE, Block(move || builder.generate().0))
        }
        (Kind::Cellular, Dimensions::Two) => {
            let mut builder = NoiseBuilder::cellular_2d_offset(x, size, z, size);
            builder.with_seed(SEED).with_freq(frequency).with_jitter(JITTER);
            builder.with_distance_function(CellDistanceFunction::Euclidean);
            builder.with_return_type(CellReturnType::Distance);
            Prepared::new(0.0..=2.0, Block(move || builder.generate().0))
        }
        _ => return None,
    })
}

struct Block<F>(F);

impl<F: Fn() -> Vec<f32>> Runner for Block<F> {
    fn fill(&mut self, out: &mut [f32]) {
        out.copy_from_slice(&self.0());
    }
    fn pass(&mut self, _out: &mut [f32]) {
        std::hint::black_box(self.0());
    }
}

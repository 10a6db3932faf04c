//! `noise-functions`: combinators that compile to one function of a position, f32, stable Rust (its SIMD needs nightly).

use std::ops::RangeInclusive;

use ::noise_functions::{CellDistance, Noise, OpenSimplex2, Perlin, Sample, Value};

use super::{plane, volume};
use crate::runner::Prepared;
use crate::workload::{
    Dimensions, FREQUENCY, Kind, LACUNARITY, PERSISTENCE, SEED, WARP_AMPLITUDE_SAMPLES, Work,
};

pub(super) fn prepare(work: &Work) -> Option<Prepared> {
    let (gain, lacunarity) = (PERSISTENCE as f32, LACUNARITY as f32);
    Some(match (work.kind, work.dimensions) {
        (Kind::Fbm { octaves: 1 }, Dimensions::Two) => flat(work, Perlin),
        (Kind::Fbm { octaves: 1 }, Dimensions::Three) => solid(work, Perlin),
        (Kind::Fbm { octaves }, Dimensions::Two) => flat(work, Perlin.fbm(octaves, gain, lacunarity)),
        (Kind::Fbm { octaves }, Dimensions::Three) => solid(work, Perlin.fbm(octaves, gain, lacunarity)),
        (Kind::Simplex, Dimensions::Two) => flat(work, OpenSimplex2),
        (Kind::Value, Dimensions::Two) => flat(work, Value),
        (Kind::Cellular, Dimensions::Two) => flat(work, CellDistance::default()),
        (Kind::WarpedFbm { octaves }, Dimensions::Two) => {
            // Displacements are in cells: the frequency is applied outside.
            let amplitude = (WARP_AMPLITUDE_SAMPLES * FREQUENCY) as f32;
            let shift = |seed| Perlin.seed(seed).mul(amplitude);
            let fbm = Perlin.fbm(octaves, gain, lacunarity);
            flat(work, fbm.translate_xy(shift(SEED + 1), shift(SEED + 2)))
        }
        _ => return None,
    })
}

fn flat(work: &Work, noise: impl Sample<2> + 'static) -> Prepared {
    let noise = noise.frequency(FREQUENCY as f32).seed(SEED);
    Prepared::new(range(work), plane(work, move |x, z| noise.sample2([x as f32, z as f32])))
}

fn solid(work: &Work, noise: impl Sample<3> + 'static) -> Prepared {
    let noise = noise.frequency(FREQUENCY as f32).seed(SEED);
    let sample = move |x, z, y| noise.sample3([x as f32, z as f32, y as f32]);
    Prepared::new(range(work), volume(work, sample))
}

fn range(work: &Work) -> RangeInclusive<f32> {
    match work.kind {
        // Twice a distance in cells, less 1.
        Kind::Cellular => -1.0..=2.0,
        _ => -1.01..=1.01,
    }
}

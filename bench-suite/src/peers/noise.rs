//! `noise`: generator objects, `get` a sample, f64 positions and values, as it has no f32.

use std::ops::RangeInclusive;

use ::noise::core::worley::{ReturnType, distance_functions};
use ::noise::{Fbm, MultiFractal, NoiseFn, Perlin, Simplex, Value, Worley};

use super::{plane, volume};
use crate::runner::Prepared;
use crate::workload::{
    Dimensions, FREQUENCY, Kind, LACUNARITY, PERSISTENCE, SEED, WARP_AMPLITUDE_SAMPLES, Work,
};

const RANGE: RangeInclusive<f32> = -1.01..=1.01;

pub(super) fn prepare(work: &Work) -> Option<Prepared> {
    let seed = SEED as u32;
    Some(match (work.kind, work.dimensions) {
        (Kind::Fbm { octaves: 1 }, Dimensions::Two) => flat(work, FREQUENCY, Perlin::new(seed)),
        (Kind::Fbm { octaves: 1 }, Dimensions::Three) => solid(work, FREQUENCY, Perlin::new(seed)),
        (Kind::Fbm { octaves }, Dimensions::Two) => flat(work, 1.0, fbm(octaves)),
        (Kind::Fbm { octaves }, Dimensions::Three) => solid(work, 1.0, fbm(octaves)),
        (Kind::Simplex, Dimensions::Two) => flat(work, FREQUENCY, Simplex::new(seed)),
        (Kind::Value, Dimensions::Two) => flat(work, FREQUENCY, Value::new(seed)),
        (Kind::Cellular, Dimensions::Two) => flat(work, 1.0, cellular()),
        (Kind::WarpedFbm { octaves }, Dimensions::Two) => warped(work, octaves),
        _ => return None,
    })
}

fn fbm(octaves: u32) -> Fbm<Perlin> {
    Fbm::new(SEED as u32)
        .set_octaves(octaves as usize)
        .set_frequency(FREQUENCY)
        .set_lacunarity(LACUNARITY)
        .set_persistence(PERSISTENCE)
}

fn cellular() -> Worley {
    Worley::new(SEED as u32)
        .set_frequency(FREQUENCY)
        .set_distance_function(distance_functions::euclidean)
        .set_return_type(ReturnType::Distance)
}

fn flat(work: &Work, frequency: f64, noise: impl NoiseFn<f64, 2> + 'static) -> Prepared {
    let sample = move |x, z| noise.get([f64::from(x) * frequency, f64::from(z) * frequency]) as f32;
    Prepared::new(RANGE, plane(work, sample))
}

fn solid(work: &Work, frequency: f64, noise: impl NoiseFn<f64, 3> + 'static) -> Prepared {
    let sample = move |x, z, y| noise.get([x, z, y].map(|c: i32| f64::from(c) * frequency)) as f32;
    Prepared::new(RANGE, volume(work, sample))
}

/// The noise is asked for each displacement, as its `Displace` does, without a node for the amplitude.
fn warped(work: &Work, octaves: u32) -> Prepared {
    let fbm = fbm(octaves);
    let shifts = [1, 2].map(|offset| Perlin::new(SEED as u32 + offset));
    let sample = move |x: i32, z: i32| {
        let (x, z) = (f64::from(x), f64::from(z));
        let at = [x * FREQUENCY, z * FREQUENCY];
        let [dx, dz] = [0, 1].map(|axis: usize| WARP_AMPLITUDE_SAMPLES * shifts[axis].get(at));
        fbm.get([x + dx, z + dz]) as f32
    };
    Prepared::new(RANGE, plane(work, sample))
}

//! `fastnoise-lite`: one configured object, `get_noise_2d` or `get_noise_3d` a sample, f32 positions.
//!
//! Warp is its grid warp, which costs less than its simplex warp.

use ::fastnoise_lite::{
    CellularDistanceFunction, CellularReturnType, DomainWarpType, FastNoiseLite, FractalType, NoiseType,
};

use super::{plane, volume};
use crate::runner::Prepared;
use crate::workload::{
    Dimensions, FREQUENCY, Kind, LACUNARITY, PERSISTENCE, SEED, WARP_AMPLITUDE_SAMPLES, Work,
};

pub(super) fn prepare(work: &Work) -> Option<Prepared> {
    let noise = match work.kind {
        Kind::Fbm { octaves } | Kind::WarpedFbm { octaves } => fbm(octaves),
        Kind::Simplex => single(NoiseType::OpenSimplex2),
        Kind::Value => single(NoiseType::Value),
        Kind::Cellular => cellular(),
        Kind::FbmGradient { .. } => return None,
    };
    let range = match work.kind {
        // A distance in cells, less 1.
        Kind::Cellular => -1.0..=0.5,
        _ => -1.01..=1.01,
    };
    let warped = matches!(work.kind, Kind::WarpedFbm { .. });
    Some(match work.dimensions {
        Dimensions::Two if warped => Prepared::new(range, plane(work, warped_sample(noise))),
        Dimensions::Two => {
            Prepared::new(range, plane(work, move |x, z| noise.get_noise_2d(x as f32, z as f32)))
        }
        Dimensions::Three if warped => return None,
        Dimensions::Three => {
            let sample = move |x, z, y| noise.get_noise_3d(x as f32, z as f32, y as f32);
            Prepared::new(range, volume(work, sample))
        }
    })
}

fn warped_sample(mut noise: FastNoiseLite) -> impl Fn(i32, i32) -> f32 {
    noise.set_domain_warp_type(Some(DomainWarpType::BasicGrid));
    noise.set_domain_warp_amp(Some(WARP_AMPLITUDE_SAMPLES as f32));
    move |x, z| {
        let (x, z) = noise.domain_warp_2d(x as f32, z as f32);
        noise.get_noise_2d(x, z)
    }
}

fn single(noise_type: NoiseType) -> FastNoiseLite {
    let mut noise = FastNoiseLite::with_seed(SEED);
    noise.set_noise_type(Some(noise_type));
    noise.set_frequency(Some(FREQUENCY as f32));
    noise
}

fn fbm(octaves: u32) -> FastNoiseLite {
    let mut noise = single(NoiseType::Perlin);
    if octaves > 1 {
        noise.set_fractal_type(Some(FractalType::FBm));
        noise.set_fractal_octaves(Some(octaves as i32));
        noise.set_fractal_lacunarity(Some(LACUNARITY as f32));
        noise.set_fractal_gain(Some(PERSISTENCE as f32));
    }
    noise
}

fn cellular() -> FastNoiseLite {
    let mut noise = single(NoiseType::Cellular);
    noise.set_cellular_distance_function(Some(CellularDistanceFunction::Euclidean));
    noise.set_cellular_return_type(Some(CellularReturnType::Distance));
    noise.set_cellular_jitter(Some(1.0));
    noise
}

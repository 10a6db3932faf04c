//! No far lands: the noise is as rough, and as exact, a trillion samples away as at the origin.

mod oracle;

use oracle::Oracle;
use terrane_noise::{Fbm, FbmParams, Grid, Scratch, SimdLevel};

const PLACES: [i64; 7] = [0, -1_000_000_000, 10_000_000, 1 << 32, 1 << 40, -(1 << 52), (1 << 60) - 300];

struct Roughness {
    variance: f64,
    step_largest: f64,
    error_largest: f64,
}

const N: usize = 256;

fn grid(at: i64) -> Grid {
    Grid { x: at - 128, z: at / 3, width: N, height: N, stride: 1 }
}

fn tile(params: &FbmParams, at: i64) -> Vec<f32> {
    let fbm = Fbm::new(params).expect("valid parameters");
    let mut tile = vec![0.0; N * N];
    fbm.fill(SimdLevel::detect(), &grid(at), &mut tile, N, &mut Scratch::new());
    tile
}

/// How rough a tile is, and how far from the textbook form at its place.
fn measure(params: &FbmParams, at: i64, tile: &[f32]) -> Roughness {
    let (oracle, grid) = (Oracle::new(params), grid(at));
    let mean = tile.iter().map(|v| f64::from(*v)).sum::<f64>() / (N * N) as f64;
    let variance = tile.iter().map(|v| (f64::from(*v) - mean) * (f64::from(*v) - mean)).sum::<f64>();
    let (mut step_largest, mut error_largest) = (0f64, 0f64);
    for (i, v) in tile.iter().enumerate() {
        if i % N > 0 {
            step_largest = step_largest.max(f64::from((v - tile[i - 1]).abs()));
        }
        if i >= N {
            step_largest = step_largest.max(f64::from((v - tile[i - N]).abs()));
        }
        let exact = oracle.textbook(grid.x + (i % N) as i64, grid.z + (i / N) as i64);
        error_largest = error_largest.max((f64::from(*v) - exact).abs());
    }
    Roughness { variance: variance / (N * N) as f64, step_largest, error_largest }
}

/// The error of the f32 separable form, with a 24-bit fraction, to the f64 textbook form. Near f = 1 the quintic
/// sums 6, -15 and 10 to 1 and is off by up to 1.3e-6 for each axis; times the slope, over the bound: 3.8e-6.
/// Measured: 2.6e-6.
const ERROR: f64 = 4e-6;

#[test]
fn the_noise_is_as_rough_and_as_exact_everywhere() {
    for (octaves, frequency) in [(1, 1.0 / 50.0), (6, 1.0 / 50.0), (8, 1.0 / 90.0)] {
        // Many seeds, so that the variance of a 256 x 256 tile (a few cells of the first octave) settles.
        let places = PLACES.map(|at| {
            let mut all = Roughness { variance: 0.0, step_largest: 0.0, error_largest: 0.0 };
            const SEEDS: u64 = 24;
            for seed in 0..SEEDS {
                let params = FbmParams { seed, frequency, octaves, lacunarity: 2.0, persistence: 0.5 };
                let one = measure(&params, at, &tile(&params, at));
                all.variance += one.variance / SEEDS as f64;
                all.step_largest = all.step_largest.max(one.step_largest);
                all.error_largest = all.error_largest.max(one.error_largest);
            }
            println!(
                "{octaves} octaves at {at:>20}: variance {:.5}, largest step {:.5}, largest error {:.2e}",
                all.variance, all.step_largest, all.error_largest
            );
            all
        });
        for (place, at) in places.iter().zip(PLACES) {
            assert!(place.error_largest < ERROR, "at {at}: {:.2e}", place.error_largest);
            let ratio = place.variance / places[0].variance;
            assert!((0.8..1.25).contains(&ratio), "at {at}: variance {ratio:.3} of that at the origin");
            let ratio = place.step_largest / places[0].step_largest;
            assert!((0.8..1.25).contains(&ratio), "at {at}: largest step {ratio:.3} of that at the origin");
        }
    }
}

#[test]
fn the_same_check_finds_a_float_position() {
    // What a library with f32 positions gives at 10^7 samples: positions fall on the nearest f32.
    let params = FbmParams { seed: 1, frequency: 1.0 / 50.0, octaves: 1, lacunarity: 2.0, persistence: 0.5 };
    let (oracle, at) = (Oracle::new(&params), 10_000_000);
    let grid = grid(at);
    let rounded = |index: i64| (f64::from(index as f32 * (1.0 / 50.0f32)) * 50.0).round() as i64;
    let sample = |i: usize| oracle.exact(rounded(grid.x + (i % N) as i64), rounded(grid.z + (i / N) as i64));
    let planted: Vec<f32> = (0..N * N).map(sample).collect();
    assert!(measure(&params, at, &planted).error_largest > 100.0 * ERROR, "a float position goes unnoticed");
    assert!(measure(&params, at, &tile(&params, at)).error_largest < ERROR);
}

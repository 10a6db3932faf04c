//! No far lands: every noise is as rough, and as exact, a trillion samples away as at the origin.

mod kit;
mod reference;

use kit::spec;
use reference::{Place, Reference};
use terrane_noise::{
    Cellular, Dimensions, Fractal, Grid, Kind, Noise, NoiseParams, Returns, Scratch, SimdLevel, Volume,
};

const PLACES: [i64; 7] = [0, -1_000_000_000, 10_000_000, 1 << 32, 1 << 40, -(1 << 52), (1 << 60) - 300];

struct Roughness {
    variance: f64,
    step_largest: f64,
    error_largest: f64,
}

fn grid(at: i64, n: usize) -> Grid {
    Grid { x: at - 128, z: at / 3, width: n, height: n, stride: 1 }
}

fn tile(params: &NoiseParams, at: i64, n: usize) -> Vec<f32> {
    let noise = Noise::new(params).expect("valid parameters");
    let mut tile = vec![0.0; n * n];
    noise.fill(SimdLevel::detect(), &grid(at, n), &mut tile, n, &mut Scratch::new());
    tile
}

/// How rough a tile is, and how far from the textbook form at its place.
fn measure(params: &NoiseParams, at: i64, tile: &[f32], n: usize) -> Roughness {
    let (oracle, grid) = (Reference::new(&spec(params)), grid(at, n));
    let mean = tile.iter().map(|v| f64::from(*v)).sum::<f64>() / (n * n) as f64;
    let variance = tile.iter().map(|v| (f64::from(*v) - mean) * (f64::from(*v) - mean)).sum::<f64>();
    let (mut step_largest, mut error_largest) = (0f64, 0f64);
    for (i, v) in tile.iter().enumerate() {
        if i % n > 0 {
            step_largest = step_largest.max(f64::from((v - tile[i - 1]).abs()));
        }
        if i >= n {
            step_largest = step_largest.max(f64::from((v - tile[i - n]).abs()));
        }
        // The textbook is slow: every eleventh sample, which visits all columns and rows.
        if i % 11 == 0 {
            let exact = oracle.textbook(&Place::at(grid.x + (i % n) as i64, 0, grid.z + (i / n) as i64));
            error_largest = error_largest.max((f64::from(*v) - exact).abs());
        }
    }
    Roughness { variance: variance / (n * n) as f64, step_largest, error_largest }
}

/// The error of the f32 forms, with a 24-bit fraction, to the f64 textbook form. Near f = 1 the quintic
/// sums 6, -15 and 10 to 1 and is off by up to 1.3e-6 for each axis; times the slope, over the bound: 3.8e-6.
/// Measured: 2.6e-6.
const ERROR: f64 = 4e-6;

fn params(seed: u64, octaves: u32, frequency: f64) -> NoiseParams {
    let fractal = Fractal { octaves, ..Fractal::default() };
    NoiseParams { seed, frequency, fractal, ..NoiseParams::default() }
}

#[test]
fn the_noise_is_as_rough_and_as_exact_everywhere() {
    for (octaves, frequency) in [(1, 1.0 / 50.0), (6, 1.0 / 50.0), (8, 1.0 / 90.0)] {
        // Many seeds, so that the variance of a 256 x 256 tile (a few cells of the first octave) settles.
        let places = PLACES.map(|at| {
            let mut all = Roughness { variance: 0.0, step_largest: 0.0, error_largest: 0.0 };
            const SEEDS: u64 = 24;
            for seed in 0..SEEDS {
                let params = params(seed, octaves, frequency);
                let one = measure(&params, at, &tile(&params, at, 256), 256);
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
fn every_kind_is_as_exact_everywhere() {
    let scratch = &mut Scratch::new();
    for kind in kit::kinds() {
        // A cell's number jumps where two points are as near: there an error of a rounding is a jump.
        if matches!(kind, Kind::Cellular(Cellular { returns: Returns::CellValue, .. })) {
            continue;
        }
        for (dimensions, depth) in [(Dimensions::Two, 1), (Dimensions::Three, 4)] {
            let params = NoiseParams { kind, dimensions, ..params(77, 2, 1.0 / 13.0) };
            let (noise, oracle) =
                (Noise::new(&params).expect("valid parameters"), Reference::new(&spec(&params)));
            for at in PLACES {
                let volume =
                    Volume { x: at - 128, y: -(at / 7), z: at / 3, width: 40, height: 20, depth, stride: 1 };
                let mut tile = vec![0.0; volume.samples()];
                noise.fill_volume(SimdLevel::detect(), &volume, &mut tile, [40, 800], scratch);
                let mut worst = 0f64;
                for (i, v) in tile.iter().enumerate() {
                    let (x, z, y) = ((i % 40) as i64, (i / 40 % 20) as i64, (i / 800) as i64);
                    let exact = oracle.textbook(&Place::at(volume.x + x, volume.y + y, volume.z + z));
                    worst = worst.max((f64::from(*v) - exact).abs());
                }
                assert!(worst < ERROR, "{params:?} at {at}: {worst:.2e}");
            }
        }
    }
}

#[test]
fn the_same_check_finds_a_float_position() {
    // What a library with f32 positions gives at 10^7 samples: positions fall on the nearest f32.
    let params = params(1, 1, 1.0 / 50.0);
    let (oracle, at) = (Reference::new(&spec(&params)), 10_000_000);
    let grid = grid(at, 256);
    let rounded = |index: i64| (f64::from(index as f32 * (1.0 / 50.0f32)) * 50.0).round() as i64;
    let sample = |i: usize| {
        let (x, z) = (rounded(grid.x + (i % 256) as i64), rounded(grid.z + (i / 256) as i64));
        oracle.exact(&Place::at(x, 0, z))
    };
    let planted: Vec<f32> = (0..256 * 256).map(sample).collect();
    assert!(
        measure(&params, at, &planted, 256).error_largest > 100.0 * ERROR,
        "a float position goes unnoticed"
    );
    assert!(measure(&params, at, &tile(&params, at, 256), 256).error_largest < ERROR);
}

//! The analytic bound: no value leaves -1..=1, and the literal behind it is the true supremum, rounded up.

mod oracle;

use terrane_noise::{Fbm, FbmParams, Grid, Scratch, SimdLevel};

/// Per corner the gradient may be chosen freely, so the supremum is the largest sum over corners of the best
/// choice's contribution. Its slope is below 8 per axis, so a grid of step h misses at most 8 h.
#[test]
#[expect(clippy::disallowed_methods, reason = "the search derives the literal directions anew")]
fn the_bound_of_one_octave_is_the_supremum_rounded_up() {
    let directions: [[f64; 2]; 8] = std::array::from_fn(|k| {
        let angle = (k as f64 + 0.25) * std::f64::consts::FRAC_PI_4;
        [angle.cos(), angle.sin()]
    });
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let best =
        |dx: f64, dz: f64| directions.iter().map(|[gx, gz]| gx * dx + gz * dz).fold(f64::MIN, f64::max);
    let sum = |x: f64, z: f64| {
        let (u, v) = (fade(x), fade(z));
        (best(x, z) * (1.0 - u) + best(x - 1.0, z) * u) * (1.0 - v)
            + (best(x, z - 1.0) * (1.0 - u) + best(x - 1.0, z - 1.0) * u) * v
    };
    let mut largest = (0.0, 0.0, 0.0);
    const N: usize = 2000;
    for i in 0..=N {
        for j in 0..=N {
            let (x, z) = (i as f64 / N as f64, j as f64 / N as f64);
            let value = sum(x, z);
            if value > largest.0 {
                largest = (value, x, z);
            }
        }
    }
    // Around the maximum, finely.
    for i in -500..=500 {
        for j in -500..=500 {
            let step = 2.0 / (N as f64 * 500.0);
            largest.0 = sum(largest.1 + f64::from(i) * step, largest.2 + f64::from(j) * step).max(largest.0);
        }
    }
    println!("supremum {:.7} at ({}, {})", largest.0, largest.1, largest.2);
    assert!(largest.0 <= oracle::BOUND && oracle::BOUND - largest.0 < 2e-4, "{largest:?}");
}

#[test]
fn ten_million_samples_stay_inside() {
    let scratch = &mut Scratch::new();
    const N: usize = 1024;
    let mut tile = vec![0.0; N * N];
    let mut extremes = (0f32, 0f32);
    for seed in 0..10 {
        let octaves = [1, 1, 2, 6][seed as usize % 4];
        let persistence = [0.5, 1.0, 0.3][seed as usize % 3];
        // Frequencies that put many samples near cell centres, where the extremes are.
        let frequency = [0.5, 0.021, 0.25, 1.5][seed as usize % 4];
        let fbm =
            Fbm::new(&FbmParams { seed, frequency, octaves, lacunarity: 2.0, persistence }).expect("valid");
        let grid = Grid { x: 0, z: 0, width: N, height: N, stride: 1 };
        fbm.fill(SimdLevel::detect(), &grid, &mut tile, N, scratch);
        for v in &tile {
            assert!(v.abs() <= 1.0);
            extremes = (extremes.0.min(*v), extremes.1.max(*v));
        }
    }
    println!("extremes {extremes:?}");
    assert!(extremes.0 < -0.8 && extremes.1 > 0.8, "the bound is far too wide: {extremes:?}");
}

#[test]
fn impossible_parameters_are_errors_that_name_the_field() {
    let good = FbmParams { seed: 1, frequency: 0.02, octaves: 6, lacunarity: 2.0, persistence: 0.5 };
    let message = |params: FbmParams| Fbm::new(&params).map(|_| ()).unwrap_err().to_string();
    for octaves in [0, 17, u32::MAX] {
        assert!(
            message(FbmParams { octaves, ..good }).starts_with(&format!("octaves is {octaves}; it must be"))
        );
    }
    for lacunarity in [f64::NAN, f64::INFINITY, -1.0, 0.0, 0.99, 8.1] {
        assert!(message(FbmParams { lacunarity, ..good }).starts_with("lacunarity is "));
    }
    for persistence in [f64::NAN, f64::INFINITY, -0.5, 0.0, 1.01] {
        assert!(message(FbmParams { persistence, ..good }).starts_with("persistence is "));
    }
    for frequency in [f64::NAN, f64::INFINITY, -0.1, 0.0, 1e-8, 65_537.0] {
        assert!(message(FbmParams { frequency, ..good }).starts_with("octave 0 has "));
    }
    assert!(
        message(FbmParams { frequency: 60_000.0, ..good }).starts_with("octave 1 has 120000 cells a sample")
    );
}

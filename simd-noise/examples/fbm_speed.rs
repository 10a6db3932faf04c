//! fBm at every level that this machine has, in one run: `cargo run --release -p terrane-noise --example fbm_speed`.
//!
//! Each figure is the best of several rounds, after the level's bits were compared with the scalar path's.
//! Arguments pick levels by name, for one level a process.

use std::time::{Duration, Instant};

use terrane_noise::{Fbm, FbmParams, Grid, Scratch, SimdLevel};

const OCTAVES: [u32; 3] = [1, 4, 6];
const WIDTHS: [usize; 3] = [67, 256, 1024];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let levels: Vec<_> = SimdLevel::available()
        .filter(|level| wanted.is_empty() || wanted.iter().any(|name| name == level.name()))
        .collect();
    println!("Msamples/s, base feature 50 samples, lacunarity 2, persistence 0.5; x: times the scalar path");
    print!("{:<8} {:>6}", "octaves", "width");
    for level in &levels {
        print!("{:>18}", level.name());
    }
    println!();
    let mut scratch = Scratch::new();
    for octaves in OCTAVES {
        let params =
            FbmParams { seed: 1337, frequency: 1.0 / 50.0, octaves, lacunarity: 2.0, persistence: 0.5 };
        let fbm = Fbm::new(&params).expect("valid parameters");
        for width in WIDTHS {
            let grid = Grid { x: -1_000_000_123, z: 77_777, width, height: width, stride: 1 };
            let mut want = vec![0.0; grid.samples()];
            fbm.fill(SimdLevel::SCALAR, &grid, &mut want, width, &mut scratch);
            print!("{octaves:<8} {width:>6}");
            let scalar = rate(&fbm, SimdLevel::SCALAR, &grid, &want, &mut scratch);
            for level in &levels {
                let rate = if *level == SimdLevel::SCALAR {
                    scalar
                } else {
                    rate(&fbm, *level, &grid, &want, &mut scratch)
                };
                print!("{rate:>11.1} {:>5.2}x", rate / scalar);
            }
            println!();
        }
    }
}

/// Msamples/s, best of a quarter second; asserts the bits first.
fn rate(fbm: &Fbm, level: SimdLevel, grid: &Grid, want: &[f32], scratch: &mut Scratch) -> f64 {
    // Output rows of a pool start on a cache line.
    let mut buffer = vec![f32::NAN; grid.samples() + 16];
    let aligned = buffer.as_ptr().align_offset(64).min(16);
    let out = &mut buffer[aligned..aligned + grid.samples()];
    fbm.fill(level, grid, out, grid.width, scratch);
    assert!(out.iter().zip(want).all(|(a, b)| a.to_bits() == b.to_bits()), "{level} differs from scalar");
    let repeats = (300_000 / grid.samples()).max(1);
    let mut best = f64::MAX;
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(250) {
        let start = Instant::now();
        for _ in 0..repeats {
            fbm.fill(level, grid, out, grid.width, scratch);
        }
        best = best.min(start.elapsed().as_secs_f64() / repeats as f64);
    }
    grid.samples() as f64 / best / 1e6
}

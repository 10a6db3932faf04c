//! Noise at every level that this machine has, in one run: `cargo run --release -p terrane-noise --example noise_speed`.
//!
//! Each figure is the best of several rounds, after the level's bits were compared with the scalar path's. Arguments pick
//! levels and workloads by name. For the peers and one workload a process: the bench suite's `compare`.

use std::time::{Duration, Instant};

use terrane_noise::{
    Cellular, Dimensions, Fractal, Kind, Noise, NoiseParams, Perlin, PerlinClassic, ProgramBuilder, Scratch,
    SimdLevel, Simplex, Value, Volume, WarpBy,
};

struct Workload {
    name: &'static str,
    kind: Kind,
    octaves: u32,
    size: usize,
    three: bool,
    slopes: bool,
    stride: u32,
    /// Moved by two value noises, up to 30 samples.
    warped: bool,
}

fn workloads() -> Vec<Workload> {
    let flat = |name, kind: Kind, octaves, size| Workload {
        name,
        kind,
        octaves,
        size,
        three: false,
        slopes: false,
        stride: 1,
        warped: false,
    };
    let perlin: Kind = Perlin.into();
    vec![
        flat("fbm1-256", perlin, 1, 256),
        flat("fbm1-67", perlin, 1, 67),
        flat("fbm4-256", perlin, 4, 256),
        flat("fbm6-256", perlin, 6, 256),
        flat("fbm6-67", perlin, 6, 67),
        flat("fbm6-1024", perlin, 6, 1024),
        flat("value-256", Value.into(), 1, 256),
        flat("classic-256", PerlinClassic::default().into(), 1, 256),
        Workload { slopes: true, ..flat("grad-fbm6-256", perlin, 6, 256) },
        Workload { three: true, ..flat("perlin3-64", perlin, 1, 64) },
        Workload { three: true, ..flat("fbm4-3d-64", perlin, 4, 64) },
        flat("simplex-256", Simplex.into(), 1, 256),
        Workload { three: true, ..flat("simplex3-64", Simplex.into(), 1, 64) },
        flat("cellular-256", Cellular::default().into(), 1, 256),
        Workload { three: true, ..flat("cellular3-64", Cellular::default().into(), 1, 64) },
        Workload { warped: true, ..flat("warp-fbm5-256", perlin, 5, 256) },
        Workload { stride: 64, ..flat("fbm6-67-stride64", perlin, 6, 67) },
    ]
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let all: Vec<SimdLevel> = SimdLevel::available().collect();
    let levels: Vec<_> = match wanted.iter().any(|name| all.iter().any(|level| level.name() == name)) {
        true => all.into_iter().filter(|level| wanted.iter().any(|name| name == level.name())).collect(),
        false => all,
    };
    println!("Msamples/s, base feature 50 samples, lacunarity 2, persistence 0.5; x: times the scalar path");
    print!("{:<18}", "");
    for level in &levels {
        print!("{:>18}", level.name());
    }
    println!();
    let scratch = &mut Scratch::new();
    let named = |w: &Workload| wanted.iter().any(|name| w.name.starts_with(name));
    let chosen = workloads().iter().any(named);
    for workload in workloads().iter().filter(|w| !chosen || named(w)) {
        print!("{:<18}", workload.name);
        let mut scalar = None;
        let want = samples(workload, SimdLevel::SCALAR, scratch);
        for level in &levels {
            let rate = rate(workload, *level, &want, scratch);
            let scalar = *scalar.get_or_insert(rate);
            print!("{rate:>11.1} {:>5.2}x", rate / scalar);
        }
        println!();
    }
}

/// A noise, or a program where positions are moved.
enum Made {
    Noise(Noise),
    Program(terrane_noise::Program),
}

fn make(workload: &Workload) -> Made {
    let params = params(workload);
    if !workload.warped {
        return Made::Noise(Noise::new(&params).expect("valid parameters"));
    }
    let mut builder = ProgramBuilder::new();
    let mut sway = |seed| {
        let fractal = Fractal::default();
        builder.noise(&NoiseParams { kind: Value.into(), seed, fractal, ..params.clone() }).expect("valid")
    };
    let by = WarpBy { x: sway(1), y: None, z: sway(2) };
    let fbm = builder.noise(&params).expect("valid parameters");
    let warped = builder.warp(fbm, by, 30.0).expect("a short way");
    builder.output("warped", warped).expect("the only output");
    Made::Program(builder.build().expect("a valid program"))
}

fn params(workload: &Workload) -> NoiseParams {
    NoiseParams {
        kind: workload.kind,
        dimensions: if workload.three { Dimensions::Three } else { Dimensions::Two },
        seed: 1337,
        frequency: 1.0 / 50.0,
        fractal: Fractal { octaves: workload.octaves, ..Fractal::default() },
        periods: [None; 3],
    }
}

fn volume(workload: &Workload) -> Volume {
    let size = workload.size;
    let depth = if workload.three { size } else { 1 };
    Volume { x: -1_000_000_123, y: 5, z: 77_777, width: size, height: size, depth, stride: workload.stride }
}

fn fill(workload: &Workload, made: &Made, level: SimdLevel, out: &mut [f32], scratch: &mut Scratch) {
    let volume = volume(workload);
    let strides = [volume.width, volume.width * volume.height];
    let noise = match made {
        Made::Noise(noise) => noise,
        Made::Program(program) => return program.fill_volume(level, &volume, &mut [out], strides, scratch),
    };
    if workload.slopes {
        let n = volume.samples().next_multiple_of(16);
        let (value, rest) = out.split_at_mut(n);
        let (x, z) = rest.split_at_mut(n);
        noise.fill_gradient(level, &volume, value, [x, &mut [], z], strides, scratch);
    } else {
        noise.fill_volume(level, &volume, out, strides, scratch);
    }
}

fn len(workload: &Workload) -> usize {
    volume(workload).samples().next_multiple_of(16) * if workload.slopes { 3 } else { 1 }
}

fn samples(workload: &Workload, level: SimdLevel, scratch: &mut Scratch) -> Vec<f32> {
    let mut out = vec![0.0; len(workload)];
    fill(workload, &make(workload), level, &mut out, scratch);
    out
}

/// Msamples/s, best of a quarter second; asserts the bits first.
fn rate(workload: &Workload, level: SimdLevel, want: &[f32], scratch: &mut Scratch) -> f64 {
    // Output rows of a pool start on a cache line.
    let mut buffer = vec![0.0; len(workload) + 16];
    let aligned = buffer.as_ptr().align_offset(64).min(16);
    let out = &mut buffer[aligned..aligned + len(workload)];
    let noise = make(workload);
    fill(workload, &noise, level, out, scratch);
    assert!(out.iter().zip(want).all(|(a, b)| a.to_bits() == b.to_bits()), "{level} differs from scalar");
    let n = volume(workload).samples();
    let repeats = (300_000 / n).max(1);
    let mut best = f64::MAX;
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(250) {
        let start = Instant::now();
        for _ in 0..repeats {
            fill(workload, &noise, level, out, scratch);
        }
        best = best.min(start.elapsed().as_secs_f64() / repeats as f64);
    }
    n as f64 / best / 1e6
}

//! Noise as noise: mean, spread, directions, and the independence of seeds and octaves.

mod kit;
mod reference;

use terrane_noise::{
    Dimensions, Fractal, FractalShape, Kind, Noise, NoiseParams, Perlin, PerlinClassic, Scratch, SimdLevel,
    Simplex, Value, Volume, White,
};

const N: usize = 256;

fn fill(params: &NoiseParams, at: [i64; 3], n: usize) -> Vec<f32> {
    let noise = Noise::new(params).expect("valid");
    let mut out = vec![0.0; n * n];
    let volume = Volume { x: at[0], y: at[1], z: at[2], width: n, height: n, depth: 1, stride: 1 };
    noise.fill_volume(SimdLevel::detect(), &volume, &mut out, [n, n * n], &mut Scratch::new());
    out
}

fn moments(values: &[f32]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().map(|v| f64::from(*v)).sum::<f64>() / n;
    let square = values.iter().map(|v| (f64::from(*v) - mean) * (f64::from(*v) - mean)).sum::<f64>() / n;
    (mean, square.sqrt())
}

fn correlation(a: &[f32], b: &[f32]) -> f64 {
    let ((ma, sa), (mb, sb)) = (moments(a), moments(b));
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - ma) * (f64::from(*b) - mb)).sum();
    sum / (a.len() as f64 * sa * sb)
}

/// What docs/NOISE.md states: standard deviation, and half the widths that hold 98 % and 99.8 % of the samples.
type Typical = [f64; 3];

/// Kinds with what is stated for 2D and 3D.
fn stated() -> [(Kind, [Typical; 2]); 5] {
    [
        (Perlin.into(), [[0.311, 0.67, 0.81], [0.257, 0.56, 0.69]]),
        (PerlinClassic::default().into(), [[0.253, 0.55, 0.70], [0.261, 0.57, 0.70]]),
        (Value.into(), [[0.452, 0.90, 0.97], [0.401, 0.84, 0.95]]),
        (Simplex.into(), [[0.540, 0.92, 0.98], [0.396, 0.78, 0.89]]),
        (White.into(), [[0.577, 0.98, 1.00], [0.577, 0.98, 1.00]]),
    ]
}

#[test]
fn typical_ranges_are_those_of_the_documentation() {
    for (kind, typical) in stated() {
        for (dimensions, [deviation, most, nearly_all]) in
            [Dimensions::Two, Dimensions::Three].into_iter().zip(typical)
        {
            // 400 seeds of 16 x 16 cells: a hundred thousand cells, and as many heights of the slice as seeds.
            let mut all = Vec::new();
            for seed in 0..400 {
                let params =
                    NoiseParams { kind, dimensions, seed, frequency: 0.251, ..NoiseParams::default() };
                all.extend(fill(&params, [seed as i64 * 1000, seed as i64, 0], 64));
            }
            let (mean, found) = moments(&all);
            let mut sizes: Vec<f32> = all.iter().map(|v| v.abs()).collect();
            sizes.sort_by(f32::total_cmp);
            let within = |share: f64| f64::from(sizes[(sizes.len() as f64 * share) as usize]);
            let name = format!("{} {dimensions:?}", kind.info().name);
            println!(
                "{name}: mean {mean:.4}, deviation {found:.4}, {:.3}, {:.3}",
                within(0.98),
                within(0.998)
            );
            assert!(mean.abs() < 0.012, "{name}: mean {mean}");
            assert!((0.98..1.02).contains(&(found / deviation)), "{name}: deviation {found}");
            assert!((within(0.98) - most).abs() < 0.015, "{name}: 98 % within {}", within(0.98));
            assert!((within(0.998) - nearly_all).abs() < 0.015, "{name}: 99.8 % within {}", within(0.998));
        }
    }
}

/// Share of the squared slope in each of 8 directions (opposite ones counted together), times 8. From 400 seeds of 16 x 16
/// cells.
fn direction_histogram(params: &NoiseParams) -> [f64; 8] {
    const SIDE: usize = 64;
    let mut sectors = [0.0; 8];
    let mut scratch = Scratch::new();
    for seed in 0..400 {
        let noise = Noise::new(&NoiseParams { seed, ..params.clone() }).expect("valid");
        let (x, y) = (7 * seed as i64, seed as i64);
        let volume = Volume { x, y, z: 99, width: SIDE, height: SIDE, depth: 1, stride: 1 };
        let [mut value, mut x, mut y, mut z] = [0; 4].map(|_| vec![0.0; SIDE * SIDE]);
        noise.fill_gradient(
            SimdLevel::detect(),
            &volume,
            &mut value,
            [&mut x, &mut y, &mut z],
            [SIDE, SIDE * SIDE],
            &mut scratch,
        );
        for (x, z) in x.iter().zip(&z) {
            let (x, z) = (f64::from(*x), f64::from(*z));
            sectors[sector(x, z)] += x * x + z * z;
        }
    }
    let total: f64 = sectors.iter().sum();
    sectors.map(|s| s * 8.0 / total)
}

/// Which of 8 sectors of 22.5 degrees a line lies in; sector 0 is centred on the x axis.
fn sector(x: f64, z: f64) -> usize {
    // Turned by half a sector, so that axes and diagonals are centres.
    let (cos, sin) = (0.980_785_280_4, 0.195_090_322_0);
    let (mut x, mut z) = (x * cos - z * sin, x * sin + z * cos);
    if z < 0.0 || (z == 0.0 && x < 0.0) {
        (x, z) = (-x, -z);
    }
    let tangents = [0.414_213_562_4, 1.0, 2.414_213_562_4];
    let quarter = if x > 0.0 { 0 } else { 4 };
    let ratio = if x > 0.0 { z / x } else { -x / z };
    quarter + tangents.iter().filter(|t| ratio > **t).count()
}

#[test]
fn sectors_are_what_they_say() {
    assert_eq!([sector(1.0, 0.0), sector(1.0, 1.0), sector(0.0, 1.0), sector(-1.0, 1.0)], [0, 2, 4, 6]);
    assert_eq!([sector(-1.0, 0.0), sector(0.0, -1.0), sector(1.0, -1.0)], [0, 4, 6]);
}

#[test]
fn slopes_have_no_favourite_direction() {
    for (kind, _) in stated().into_iter().filter(|(kind, _)| !matches!(kind, Kind::White(_))) {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let params = NoiseParams { kind, dimensions, frequency: 0.251, ..NoiseParams::default() };
            let histogram = direction_histogram(&params);
            let (low, high) = histogram.iter().fold((f64::MAX, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
            println!("{} {dimensions:?}: {low:.3} .. {high:.3} {histogram:.2?}", kind.info().name);
            // The square lattice shows: value noise most, which is flat on the middles of cells and steep across them. Classic
            // noise in the plane has four of its gradients twice, so x and z differ.
            let three = usize::from(dimensions == Dimensions::Three);
            let (limit, alike) = match kind {
                Kind::Perlin(_) => ([1.45, 1.15][three], 0.05),
                Kind::PerlinClassic(_) => ([1.95, 1.25][three], [0.3, 0.05][three]),
                Kind::Value(_) => (6.3, 0.05),
                _ => ([1.25, 1.43][three], 0.05),
            };
            assert!(high / low < limit, "{} {dimensions:?}: {histogram:.3?}", kind.info().name);
            // x and z are alike.
            let axes = histogram[0] / histogram[4];
            assert!(
                (1.0 - alike..1.0 + alike).contains(&axes),
                "{} {dimensions:?}: {axes}",
                kind.info().name
            );
        }
    }
}

#[test]
fn neighbouring_seeds_are_unrelated() {
    for (kind, _) in stated() {
        let of = |seed| {
            let params = NoiseParams { kind, seed, frequency: 0.37, ..NoiseParams::default() };
            fill(&params, [0, 0, 0], 64)
        };
        // 24 x 24 cells: a correlation of unrelated fields has a deviation of about 1/24, or less.
        let (mut sum, mut worst) = (0.0, 0.0f64);
        let mut before = of(0);
        for seed in 1..1000 {
            let here = of(seed);
            let r = correlation(&before, &here);
            sum += r * r;
            worst = worst.max(r.abs());
            before = here;
        }
        let rms = (sum / 999.0f64).sqrt();
        println!("{}: rms {rms:.4}, worst {worst:.4} of seeds 0..1000", kind.info().name);
        assert!(rms < 0.06 && worst < 0.25, "{}: {rms} {worst}", kind.info().name);
        // Every bit of a seed counts.
        for bit in 0..64 {
            let r = correlation(&of(42), &of(42 ^ 1 << bit));
            assert!(r.abs() < 0.25, "{}: bit {bit}: {r}", kind.info().name);
        }
    }
}

#[test]
fn the_same_check_finds_related_seeds() {
    let params = NoiseParams { frequency: 0.37, ..NoiseParams::default() };
    let (a, b) = (fill(&params, [0, 0, 0], 64), fill(&params, [1, 0, 0], 64));
    assert!(correlation(&a, &b) > 0.25, "a field and itself one sample on look unrelated");
}

#[test]
fn octaves_are_unrelated() {
    for (kind, _) in stated() {
        // Lacunarity 1 puts both octaves on lattices of the same size; what the second adds is the difference.
        for seed in 0..200 {
            let of = |octaves| {
                let fractal = Fractal { octaves, lacunarity: 1.0, persistence: 1.0, ..Fractal::default() };
                fill(
                    &NoiseParams { kind, seed, frequency: 0.37, fractal, ..NoiseParams::default() },
                    [0, 0, 0],
                    64,
                )
            };
            let (first, both) = (of(1), of(2));
            let second: Vec<f32> = first.iter().zip(&both).map(|(a, b)| 2.0 * b - a).collect();
            let r = correlation(&first, &second);
            assert!(r.abs() < 0.25, "{} seed {seed}: {r}", kind.info().name);
        }
    }
}

#[test]
fn rows_and_columns_carry_no_bands() {
    // Banding would show as variance of the means of rows or columns.
    for (kind, _) in stated() {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let (mut rows, mut columns, mut whole) = (0.0, 0.0, 0.0);
            for seed in 0..32 {
                let params =
                    NoiseParams { kind, dimensions, seed, frequency: 0.25, ..NoiseParams::default() };
                let tile = fill(&params, [0, 3, 0], N);
                let mean = |values: Vec<f32>| moments(&values).0 as f32;
                let row_means: Vec<f32> = tile.chunks(N).map(|row| mean(row.to_vec())).collect();
                let column_means: Vec<f32> =
                    (0..N).map(|x| mean(tile.iter().skip(x).step_by(N).copied().collect())).collect();
                rows += moments(&row_means).1.powi_2();
                columns += moments(&column_means).1.powi_2();
                whole += moments(&tile).1.powi_2();
            }
            let (rows, columns) = (rows / whole, columns / whole);
            println!("{} {dimensions:?}: rows {rows:.4}, columns {columns:.4}", kind.info().name);
            // 64 cells a row: independent cells would give about 1/64.
            assert!(rows < 0.03 && columns < 0.03, "{} {dimensions:?}: {rows} {columns}", kind.info().name);
            assert!((0.6..1.6).contains(&(rows / columns)), "{} {dimensions:?}", kind.info().name);
        }
    }
}

trait Square {
    fn powi_2(self) -> f64;
}

impl Square for f64 {
    fn powi_2(self) -> f64 {
        self * self
    }
}

#[test]
fn ridges_are_sharp_and_billows_are_round() {
    // The extreme of a ridge is reached where the octave is 0, which is often; that of a billow where it is largest.
    for (shape, sign) in [(FractalShape::Ridged, 1.0), (FractalShape::Billow, -1.0)] {
        let fractal = Fractal { shape, ..Fractal::default() };
        let tile = fill(&NoiseParams { fractal, frequency: 0.02, ..NoiseParams::default() }, [0, 0, 0], N);
        let high = tile.iter().filter(|v| sign * **v > 0.9).count() as f64 / tile.len() as f64;
        let low = tile.iter().filter(|v| sign * **v < -0.9).count() as f64 / tile.len() as f64;
        assert!(high > 0.05 && low < 0.02, "{shape:?}: {high} {low}");
    }
}

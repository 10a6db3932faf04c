//! One answer: every kind, fractal and dimension, at every level, for every cut into tiles, every stride, on grids and at
//! points, gives the oracle's bits.

mod kit;
mod reference;

use kit::{any_params, difference, frequencies, kinds, long_run, spec};
use proptest::prelude::*;
use reference::{Place, Reference};
use terrane_noise::{
    Coord, Dimensions, Fractal, FractalShape, Grid, Kind, Noise, NoiseParams, Period, Scratch, SimdLevel,
    Volume,
};

fn params(octaves: u32, frequency: f64) -> NoiseParams {
    NoiseParams {
        seed: 0xfeed_5eed,
        frequency,
        fractal: Fractal { octaves, ..Fractal::default() },
        ..NoiseParams::default()
    }
}

/// Sample `i` of a volume.
fn index(volume: &Volume, i: usize) -> [i64; 3] {
    let stride = i64::from(volume.stride);
    let (x, row) = (i % volume.width, i / volume.width);
    let (z, y) = (row % volume.height, row / volume.height);
    [
        volume.x.wrapping_add(x as i64 * stride),
        volume.y.wrapping_add(y as i64 * stride),
        volume.z.wrapping_add(z as i64 * stride),
    ]
}

fn strides(volume: &Volume) -> [usize; 2] {
    [volume.width, volume.width * volume.height]
}

fn fill(noise: &Noise, level: SimdLevel, volume: &Volume, scratch: &mut Scratch) -> Vec<f32> {
    let mut out = vec![f32::NAN; volume.samples()];
    noise.fill_volume(level, volume, &mut out, strides(volume), scratch);
    out
}

fn fill_gradient(noise: &Noise, level: SimdLevel, volume: &Volume, scratch: &mut Scratch) -> [Vec<f32>; 4] {
    let mut out = [0; 4].map(|_| vec![f32::NAN; volume.samples()]);
    let [value, x, y, z] = &mut out;
    noise.fill_gradient(level, volume, value, [x, y, z], strides(volume), scratch);
    out
}

fn check_levels(params: &NoiseParams, volume: &Volume, scratch: &mut Scratch) {
    let noise = Noise::new(params).expect("valid parameters");
    let oracle = Reference::new(&spec(params));
    let at = |i: usize| {
        let [x, y, z] = index(volume, i);
        Place::at(x, y, z)
    };
    let want: Vec<f32> = (0..volume.samples()).map(|i| oracle.exact(&at(i))).collect();
    for level in SimdLevel::available() {
        let got = fill(&noise, level, volume, scratch);
        assert_eq!(difference(&got, &want), None, "{level} {volume:?} {params:?}");
    }
    if !noise.has_slopes() {
        return;
    }
    let want: Vec<[f32; 4]> =
        (0..volume.samples()).map(|i| oracle.exact_gradient(&at(i)).expect("has slopes")).collect();
    for level in SimdLevel::available() {
        let got = fill_gradient(&noise, level, volume, scratch);
        for (part, got) in got.iter().enumerate() {
            if part == 2 && params.dimensions == Dimensions::Two {
                continue;
            }
            // Adding 0 makes -0 into 0: the sign of a slope that is 0 is not part of the definition.
            let want: Vec<f32> =
                want.iter().map(|want| want[part] + if part == 0 { -0.0 } else { 0.0 }).collect();
            let got: Vec<f32> = got.iter().map(|got| got + if part == 0 { -0.0 } else { 0.0 }).collect();
            assert_eq!(difference(&got, &want), None, "{level} slope {part} {volume:?} {params:?}");
        }
    }
}

fn flat(x: i64, z: i64, width: usize, height: usize, stride: u32) -> Volume {
    Grid { x, z, width, height, stride }.into()
}

#[test]
fn every_kind_is_tested() {
    for info in Kind::ALL {
        assert!(kinds().iter().any(|kind| kind.info().id == info.id), "{} is not in kit::kinds", info.name);
    }
    for kind in kinds() {
        for setting in kind.info().settings {
            assert!(!setting.about.is_empty());
        }
    }
}

#[test]
fn every_kind_fractal_and_dimension_equals_the_oracle_at_every_level() {
    let names: Vec<_> = SimdLevel::available().map(SimdLevel::name).collect();
    println!("levels: {}", names.join(", "));
    let scratch = &mut Scratch::new();
    for kind in kinds() {
        for (dimensions, depth) in [(Dimensions::Two, 1), (Dimensions::Three, 3)] {
            for (i, shape) in kit::SHAPES.into_iter().enumerate() {
                for weighted_strength in [0.0, 0.7] {
                    let fractal = Fractal { shape, octaves: 3, weighted_strength, ..Fractal::default() };
                    let base = NoiseParams { kind, dimensions, fractal, ..params(3, 1.0 / 9.0) };
                    let volume = Volume {
                        x: -3 - i as i64,
                        y: -1,
                        z: 1 << 40,
                        width: 21,
                        height: 9,
                        depth,
                        stride: 1,
                    };
                    check_levels(&base, &volume, scratch);
                }
            }
        }
    }
}

#[test]
fn awkward_sizes_and_origins_equal_the_oracle_at_every_level() {
    let scratch = &mut Scratch::new();
    let far = i64::MAX - 100;
    let sizes =
        [(1, 1), (1, 90), (90, 1), (3, 5), (16, 16), (17, 64), (67, 67), (80, 65), (81, 66), (129, 129)];
    for (width, height) in sizes {
        for (x, z) in [(0, 0), (-1, -1), (-70, 123_456_789_012), (far, -far), (1 << 40, -(1 << 52))] {
            check_levels(&params(6, 1.0 / 50.0), &flat(x, z, width, height, 1), scratch);
        }
    }
    for kind in kinds() {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let params = NoiseParams { kind, dimensions, ..params(2, 1.0 / 5.0) };
            check_levels(&params, &flat(far, -far, 81, 2, 1), scratch);
            check_levels(&params, &flat(-70, 1 << 52, 2, 66, 1), scratch);
        }
    }
}

#[test]
fn tiles_wider_than_a_block_of_strips_equal_the_oracle() {
    let scratch = &mut Scratch::new();
    check_levels(&params(3, 1.0 / 50.0), &flat(-900, 5, 1500, 3, 1), scratch);
    check_levels(&params(3, 1.0 / 50.0), &flat(-900, 5, 3, 700, 1), scratch);
}

#[test]
fn octaves_at_and_above_one_cell_a_sample_equal_the_oracle() {
    let scratch = &mut Scratch::new();
    for frequency in [1.0, 0.999_999_9, 1.000_000_1, 0.4, 3.7, 65_536.0 / 128.0, 1.0 / 16_777_216.0] {
        check_levels(&params(7, frequency), &flat(-33, 1 << 33, 67, 35, 1), scratch);
        for kind in kinds() {
            for (dimensions, depth) in [(Dimensions::Two, 1), (Dimensions::Three, 2)] {
                let params = NoiseParams { kind, dimensions, ..params(2, frequency) };
                let volume = Volume { x: -33, y: 9, z: 1 << 33, width: 17, height: 5, depth, stride: 1 };
                check_levels(&params, &volume, scratch);
            }
        }
    }
}

#[test]
fn coarse_samples_have_the_bits_of_the_fine_ones() {
    let scratch = &mut Scratch::new();
    for kind in kinds() {
        let params = NoiseParams { kind, ..params(6, 1.0 / 50.0) };
        let noise = Noise::new(&params).expect("valid parameters");
        let fine = flat(-64, 1_000_000_000, 129, 129, 1);
        let full = fill(&noise, SimdLevel::detect(), &fine, scratch);
        for log in 1..=7 {
            let stride = 1usize << log;
            let n = 128 / stride + 1;
            for level in SimdLevel::available() {
                let coarse = fill(
                    &noise,
                    level,
                    &Volume { width: n, height: n, stride: stride as u32, ..fine },
                    scratch,
                );
                for (i, value) in coarse.iter().enumerate() {
                    let same = full[(i / n) * stride * fine.width + (i % n) * stride];
                    assert_eq!(value.to_bits(), same.to_bits(), "stride {stride}, {level} {params:?}");
                }
            }
        }
    }
    check_levels(&params(6, 1.0 / 50.0), &flat(7, -9, 40, 40, 1 << 30), scratch);
    check_levels(&params(6, 1.0 / 50.0), &flat(7, -9, 40, 40, 3), scratch);
}

#[test]
fn points_and_lines_have_the_bits_of_the_grid() {
    let scratch = &mut Scratch::new();
    for kind in kinds() {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            for shape in [FractalShape::Fbm, FractalShape::Ridged] {
                let fractal = Fractal { shape, octaves: 4, ..Fractal::default() };
                let params = NoiseParams { kind, dimensions, fractal, ..params(4, 1.0 / 37.0) };
                points_equal_the_grid(&params, scratch);
            }
        }
    }
}

fn points_equal_the_grid(params: &NoiseParams, scratch: &mut Scratch) {
    let noise = Noise::new(params).expect("valid parameters");
    let volume = Volume { x: -20, y: -3, z: (1 << 40) - 20, width: 19, height: 9, depth: 2, stride: 1 };
    let tile = fill(&noise, SimdLevel::detect(), &volume, scratch);
    let points: Vec<[Coord; 3]> = (0..volume.samples()).map(|i| index(&volume, i).map(Coord::from)).collect();
    for (value, at) in tile.iter().zip(&points) {
        assert_eq!(value.to_bits(), noise.at_3d(*at).to_bits(), "{params:?}");
        if noise.has_slopes() {
            assert_eq!(value.to_bits(), noise.gradient_at(*at).value.to_bits(), "{params:?}");
        }
    }
    for level in SimdLevel::available() {
        let mut out = vec![f32::NAN; points.len()];
        noise.fill_points(level, &points, &mut out, scratch);
        assert_eq!(difference(&out, &tile), None, "{level} {params:?}");
        // Along the first row, in thirds of a sample and one more part, so that every 65536 parts meet a sample.
        let mut line = vec![f32::NAN; 2 * 18 + 1];
        noise.fill_line(level, points[0], [0x8000, 0, 0], &mut line, scratch);
        for (i, value) in line.iter().enumerate().step_by(2) {
            assert_eq!(value.to_bits(), tile[i / 2].to_bits(), "{level} {params:?}");
        }
    }
}

#[test]
fn slopes_of_points_equal_those_of_the_grid() {
    let scratch = &mut Scratch::new();
    for kind in kinds().into_iter().filter(|kind| kind.info().slope_max.is_some()) {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let params = NoiseParams { kind, dimensions, ..params(4, 1.0 / 37.0) };
            let noise = Noise::new(&params).expect("valid parameters");
            let volume = Volume { x: -20, y: 7, z: 100, width: 19, height: 5, depth: 1, stride: 1 };
            let [_, x, y, z] = fill_gradient(&noise, SimdLevel::detect(), &volume, scratch);
            for i in 0..volume.samples() {
                let got = noise.gradient_at(index(&volume, i).map(Coord::from)).slope;
                assert_eq!((got[0], got[2]), (x[i], z[i]), "{params:?}");
                if dimensions == Dimensions::Three {
                    assert_eq!(got[1], y[i], "{params:?}");
                }
            }
        }
    }
}

#[test]
fn points_between_samples_are_samples_of_a_finer_grid() {
    // One octave with a step that is a multiple of 2^16: a sixteenth of a sample is then exact in both grids.
    for kind in kinds().into_iter().filter(|kind| kind.info().tiles) {
        let coarse = Noise::new(&NoiseParams { kind, ..params(1, 1.0 / 64.0) }).expect("valid parameters");
        let fine = Noise::new(&NoiseParams { kind, ..params(1, 1.0 / 1024.0) }).expect("valid parameters");
        for i in -500..500i64 {
            let between = Coord { index: i.div_euclid(16), fraction: (i.rem_euclid(16) << 12) as u16 };
            assert_eq!(coarse.at(between, 3.into()).to_bits(), fine.at(i.into(), 48.into()).to_bits());
        }
    }
}

#[test]
fn tiled_noise_repeats_exactly() {
    let scratch = &mut Scratch::new();
    for kind in kinds().into_iter().filter(|kind| kind.info().tiles) {
        for (dimensions, depth) in [(Dimensions::Two, 1), (Dimensions::Three, 40)] {
            let periods = [
                Some(Period { cells: 3, samples: 50 }),
                Some(Period { cells: 1, samples: 17 }),
                Some(Period { cells: 7, samples: 31 }),
            ];
            let params = NoiseParams { kind, dimensions, periods, ..params(3, 0.1) };
            let noise = Noise::new(&params).expect("valid parameters");
            let volume = Volume { x: -13, y: -20, z: 5, width: 107, height: 67, depth, stride: 1 };
            let tile = fill(&noise, SimdLevel::detect(), &volume, scratch);
            let at = |x: usize, y: usize, z: usize| tile[(y * 67 + z) * 107 + x].to_bits();
            for y in 0..depth {
                for z in 0..67 {
                    for x in 0..107 {
                        let first = [x % 50, if depth == 1 { 0 } else { y % 17 }, z % 31];
                        assert_eq!(at(x, y, z), at(first[0], first[1], first[2]), "{params:?} {x} {y} {z}");
                    }
                }
            }
            check_levels(&params, &Volume { width: 60, height: 20, depth: depth.min(2), ..volume }, scratch);
        }
    }
}

#[test]
fn padding_between_rows_is_left_alone() {
    for kind in kinds() {
        let noise = Noise::new(&NoiseParams { kind, ..params(2, 1.0 / 50.0) }).expect("valid parameters");
        let grid = Grid { x: 1, z: 2, width: 67, height: 67, stride: 1 };
        let (mut tight, scratch) = (vec![0.0; grid.samples()], &mut Scratch::new());
        noise.fill(SimdLevel::SCALAR, &grid, &mut tight, grid.width, scratch);
        for level in SimdLevel::available() {
            let mut padded = vec![7.5; 80 * 66 + 67];
            noise.fill(level, &grid, &mut padded, 80, scratch);
            for (row, want) in padded.chunks(80).zip(tight.chunks(67)) {
                assert_eq!(difference(&row[..67], want), None, "{level}");
                assert!(row[67..].iter().all(|v| *v == 7.5), "{level} wrote between rows");
            }
        }
    }
}

#[test]
#[should_panic(expected = "the grid needs 4489 values, the output has 4488")]
fn an_output_that_is_too_short_is_a_bug_with_numbers() {
    let noise = Noise::new(&params(1, 0.1)).expect("valid parameters");
    let grid = Grid { x: 0, z: 0, width: 67, height: 67, stride: 1 };
    noise.fill(SimdLevel::detect(), &grid, &mut vec![0.0; 67 * 67 - 1], 67, &mut Scratch::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200 * long_run()))]
    #[test]
    fn random_noise_equals_the_oracle(
        params in any_params(), origin in any::<[i64; 3]>(), width in 1usize..100, height in 1usize..90,
        depth in 1usize..5, stride in 1u32..70,
    ) {
        let [x, y, z] = origin;
        let mut volume = Volume { x, y, z, width, height, depth, stride };
        // Three dimensions cost the oracle more.
        if params.dimensions == Dimensions::Three {
            (volume.width, volume.height) = (width % 30 + 1, height % 20 + 1);
        } else {
            volume.depth = 1;
        }
        check_levels(&params, &volume, &mut Scratch::new());
    }

    #[test]
    fn random_points_equal_the_oracle(
        params in any_params(), origin in any::<[i64; 3]>(), fraction in any::<[u16; 3]>(),
    ) {
        let noise = Noise::new(&params).expect("valid parameters");
        let at = [0, 1, 2].map(|i| Coord { index: origin[i], fraction: fraction[i] });
        let want = Reference::new(&spec(&params)).exact(&kit::place(at));
        prop_assert_eq!(noise.at_3d(at).to_bits(), want.to_bits());
    }

    #[test]
    fn random_parameters_never_panic(
        params in any_params(), frequency in prop_oneof![frequencies(), any::<f64>()],
        octaves in prop_oneof![1u32..=16, any::<u32>()], lacunarity in prop_oneof![1.0..8.0f64, any::<f64>()],
        persistence in prop_oneof![0.0..1.0f64, any::<f64>()], weighted_strength in prop_oneof![Just(0.0), any::<f64>()],
        origin in any::<[i64; 3]>(), fraction in any::<[u16; 3]>(), cells in any::<u32>(), samples in any::<u32>(),
        tiled in any::<bool>(),
    ) {
        let fractal = Fractal { octaves, lacunarity, persistence, weighted_strength, ..params.fractal };
        let periods = if tiled { [Some(Period { cells, samples }), None, None] } else { params.periods };
        let params = NoiseParams { frequency, fractal, periods, ..params };
        if let Ok(noise) = Noise::new(&params) {
            let value = noise.at_3d([0, 1, 2].map(|i| Coord { index: origin[i], fraction: fraction[i] }));
            prop_assert!(value.abs() <= 1.0, "{} {:?}", value, params);
        }
    }
}

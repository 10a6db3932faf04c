//! One answer: every level, every cut into tiles, every stride and the point API give the oracle's bits.

mod oracle;

use oracle::Oracle;
use proptest::prelude::*;
use terrane_noise::{Coord, Fbm, FbmParams, Grid, Scratch, SimdLevel};

fn params(octaves: u32, frequency: f64) -> FbmParams {
    FbmParams { seed: 0xfeed_5eed, frequency, octaves, lacunarity: 2.0, persistence: 0.5 }
}

fn oracle_grid(params: &FbmParams, grid: &Grid) -> Vec<f32> {
    let oracle = Oracle::new(params);
    let stride = i64::from(grid.stride);
    let mut all = Vec::with_capacity(grid.samples());
    for j in 0..grid.height as i64 {
        for i in 0..grid.width as i64 {
            all.push(oracle.exact(grid.x.wrapping_add(i * stride), grid.z.wrapping_add(j * stride)));
        }
    }
    all
}

/// The first sample whose bits differ, with both values.
fn difference(got: &[f32], want: &[f32]) -> Option<(usize, f32, f32)> {
    let pairs = got.iter().zip(want).enumerate();
    pairs.map(|(i, (a, b))| (i, *a, *b)).find(|(_, a, b)| a.to_bits() != b.to_bits())
}

fn check_levels(params: &FbmParams, grid: &Grid, scratch: &mut Scratch) {
    let fbm = Fbm::new(params).expect("valid parameters");
    let want = oracle_grid(params, grid);
    for level in SimdLevel::available() {
        let mut got = vec![f32::NAN; grid.samples()];
        fbm.fill(level, grid, &mut got, grid.width, scratch);
        assert_eq!(difference(&got, &want), None, "{level} {grid:?} {params:?}");
    }
}

#[test]
fn awkward_sizes_and_origins_equal_the_oracle_at_every_level() {
    let names: Vec<_> = SimdLevel::available().map(SimdLevel::name).collect();
    println!("levels: {}", names.join(", "));
    let scratch = &mut Scratch::new();
    let far = i64::MAX - 100;
    let sizes =
        [(1, 1), (1, 90), (90, 1), (3, 5), (16, 16), (17, 64), (67, 67), (80, 65), (81, 66), (129, 129)];
    for (width, height) in sizes {
        for (x, z) in [(0, 0), (-1, -1), (-70, 123_456_789_012), (far, -far), (1 << 40, -(1 << 52))] {
            check_levels(&params(6, 1.0 / 50.0), &Grid { x, z, width, height, stride: 1 }, scratch);
        }
    }
}

#[test]
fn tiles_wider_than_a_block_of_strips_equal_the_oracle() {
    let scratch = &mut Scratch::new();
    check_levels(&params(3, 1.0 / 50.0), &Grid { x: -900, z: 5, width: 1500, height: 3, stride: 1 }, scratch);
    check_levels(&params(3, 1.0 / 50.0), &Grid { x: -900, z: 5, width: 3, height: 700, stride: 1 }, scratch);
}

#[test]
fn octaves_at_and_above_one_cell_a_sample_equal_the_oracle() {
    let scratch = &mut Scratch::new();
    for frequency in [1.0, 0.999_999_9, 1.000_000_1, 0.4, 3.7, 65_536.0 / 128.0, 1.0 / 16_777_216.0] {
        check_levels(
            &params(7, frequency),
            &Grid { x: -33, z: 1 << 33, width: 67, height: 35, stride: 1 },
            scratch,
        );
    }
}

#[test]
fn coarse_samples_have_the_bits_of_the_fine_ones() {
    let params = params(6, 1.0 / 50.0);
    let fbm = Fbm::new(&params).expect("valid parameters");
    let scratch = &mut Scratch::new();
    let fine = Grid { x: -64, z: 1_000_000_000, width: 257, height: 257, stride: 1 };
    let mut full = vec![0.0; fine.samples()];
    fbm.fill(SimdLevel::detect(), &fine, &mut full, fine.width, scratch);
    for log in 1..=8 {
        let stride = 1usize << log;
        let n = 256 / stride + 1;
        for level in SimdLevel::available() {
            let grid = Grid { width: n, height: n, stride: stride as u32, ..fine };
            let mut coarse = vec![0.0; n * n];
            fbm.fill(level, &grid, &mut coarse, n, scratch);
            for (i, value) in coarse.iter().enumerate() {
                let same = full[(i / n) * stride * fine.width + (i % n) * stride];
                assert_eq!(value.to_bits(), same.to_bits(), "stride {stride}, {level}");
            }
        }
    }
    check_levels(&params, &Grid { x: 7, z: -9, width: 40, height: 40, stride: 1 << 30 }, scratch);
    check_levels(&params, &Grid { x: 7, z: -9, width: 40, height: 40, stride: 3 }, scratch);
}

#[test]
fn points_have_the_bits_of_the_grid() {
    let params = params(8, 1.0 / 37.0);
    let fbm = Fbm::new(&params).expect("valid parameters");
    let grid = Grid { x: -20, z: (1 << 40) - 20, width: 40, height: 40, stride: 1 };
    let mut tile = vec![0.0; grid.samples()];
    fbm.fill(SimdLevel::detect(), &grid, &mut tile, grid.width, &mut Scratch::new());
    for (i, value) in tile.iter().enumerate() {
        let (x, z) = (grid.x + (i % 40) as i64, grid.z + (i / 40) as i64);
        assert_eq!(value.to_bits(), fbm.at(x.into(), z.into()).to_bits());
    }
}

#[test]
fn points_between_samples_are_samples_of_a_finer_grid() {
    // One octave with a step that is a multiple of 2^16: a sixteenth of a sample is then exact in both grids.
    let coarse = Fbm::new(&params(1, 1.0 / 64.0)).expect("valid parameters");
    let fine = Fbm::new(&params(1, 1.0 / 1024.0)).expect("valid parameters");
    for i in -500..500i64 {
        let between = Coord { index: i.div_euclid(16), fraction: (i.rem_euclid(16) << 12) as u16 };
        assert_eq!(coarse.at(between, 3.into()).to_bits(), fine.at(i.into(), 48.into()).to_bits());
    }
}

#[test]
fn padding_between_rows_is_left_alone() {
    let fbm = Fbm::new(&params(6, 1.0 / 50.0)).expect("valid parameters");
    let grid = Grid { x: 1, z: 2, width: 67, height: 67, stride: 1 };
    let (mut tight, scratch) = (vec![0.0; grid.samples()], &mut Scratch::new());
    fbm.fill(SimdLevel::SCALAR, &grid, &mut tight, grid.width, scratch);
    for level in SimdLevel::available() {
        let mut padded = vec![7.5; 80 * 66 + 67];
        fbm.fill(level, &grid, &mut padded, 80, scratch);
        for (row, want) in padded.chunks(80).zip(tight.chunks(67)) {
            assert_eq!(difference(&row[..67], want), None, "{level}");
            assert!(row[67..].iter().all(|v| *v == 7.5), "{level} wrote between rows");
        }
    }
}

#[test]
#[should_panic(expected = "the grid needs 4489 values, the output has 4488")]
fn an_output_that_is_too_short_is_a_bug_with_numbers() {
    let fbm = Fbm::new(&params(1, 0.1)).expect("valid parameters");
    let grid = Grid { x: 0, z: 0, width: 67, height: 67, stride: 1 };
    fbm.fill(SimdLevel::detect(), &grid, &mut vec![0.0; 67 * 67 - 1], 67, &mut Scratch::new());
}

/// From the coarsest octave to a little over one cell a sample, each power of two as often as the others.
fn frequencies() -> impl Strategy<Value = f64> {
    (-24i32..0, 1.0..std::f64::consts::SQRT_2).prop_map(|(power, part)| {
        let bits = u64::try_from(1023 + power).expect("a small power") << 52;
        f64::from_bits(bits) * part * if power == -1 { 2.0 } else { 1.0 }
    })
}

/// How many times the usual number of cases: `TERRANE_LONG`, set by .ci/long.
fn long_run() -> u32 {
    std::env::var("TERRANE_LONG").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120 * long_run()))]
    #[test]
    fn random_worlds_equal_the_oracle(
        // At most 2^0.5 * 2^15 cells a sample in the last octave.
        seed in any::<u64>(), frequency in frequencies(), octaves in 1u32..=16, lacunarity in 1.0..2.0f64,
        persistence in 0.01..=1.0f64, x in any::<i64>(), z in any::<i64>(), width in 1usize..100,
        height in 1usize..90, stride in 1u32..70,
    ) {
        let params = FbmParams { seed, frequency, octaves, lacunarity, persistence };
        check_levels(&params, &Grid { x, z, width, height, stride }, &mut Scratch::new());
    }

    #[test]
    fn random_parameters_never_panic(
        seed in any::<u64>(), frequency in prop_oneof![frequencies(), any::<f64>()],
        octaves in prop_oneof![1u32..=16, any::<u32>()], lacunarity in prop_oneof![1.0..8.0f64, any::<f64>()],
        persistence in prop_oneof![0.0..1.0f64, any::<f64>()], x in any::<i64>(), z in any::<i64>(),
        fraction in any::<u16>(),
    ) {
        if let Ok(fbm) = Fbm::new(&FbmParams { seed, frequency, octaves, lacunarity, persistence }) {
            let value = fbm.at(Coord { index: x, fraction }, Coord { index: z, fraction });
            prop_assert!(value.abs() <= 1.0);
        }
    }
}

//! Rasters in programs: the bits of the raster wherever it is not moved, those of the naive evaluator where it is; one leaf
//! for equal ones; what cannot be placed or held is an error that says why. Random programs with rasters: tests/program.rs.

mod kit;
mod program_kit;
mod raster_oracle;
mod reference;

use kit::{difference, long_run};
use program_kit::naive::evaluate;
use program_kit::{Item, Recipe, pixels};
use proptest::prelude::*;
use raster_oracle::every_mode;
use terrane_noise::{
    Coord, Filter, Grid, NoiseParams, Outside, ProgramBuilder, ProgramError, Raster, RasterParams, Scratch,
    SimdLevel, Volume, WarpBy,
};

const SIZES: [(u32, u32); 4] = [(1, 1), (7, 1), (3, 5), (13, 9)];

fn raster(width: u32, height: u32, params: &RasterParams) -> Raster {
    Raster::new(pixels(u64::from(width), width * height), width, height, params).expect("valid parameters")
}

fn sway(seed: u64) -> NoiseParams {
    NoiseParams { seed, frequency: 0.03, ..NoiseParams::default() }
}

#[test]
fn over_grids_it_is_the_raster_to_the_bit() {
    let scratch = &mut Scratch::new();
    for params in every_mode() {
        for (width, height) in SIZES {
            let raster = raster(width, height, &params);
            let program = Recipe(vec![Item::Raster(raster.clone())]).build(&[0], true).expect("valid");
            assert_eq!(program.bounds(0), {
                let (low, high) = raster.bounds();
                terrane_noise::Bounds { low, high }
            });
            for (x, z) in [(-20, -9), (1 << 40, -(1 << 50)), (-(1 << 59), (1 << 59) - 3)] {
                for (columns, rows, stride) in
                    [(1, 1, 1), (67, 67, 1), (81, 65, 2), (300, 3, 7), (2, 200, 64)]
                {
                    let grid = Grid { x, z, width: columns, height: rows, stride };
                    // With a gap between rows that stays as it is.
                    let row_stride = columns + 3;
                    let fresh = || vec![7.5; row_stride * rows];
                    let (mut want, mut got) = (fresh(), fresh());
                    raster.fill(&grid, &mut want, row_stride);
                    let volume = Volume::from(grid);
                    let strides = [row_stride, row_stride * rows];
                    for level in SimdLevel::available() {
                        program.fill(level, &grid, &mut [&mut got], row_stride, scratch);
                        assert_eq!(difference(&got, &want), None, "{level} {raster:?} {grid:?}");
                        program.fill_output(level, 0, &volume, &mut got, strides, scratch);
                        assert_eq!(difference(&got, &want), None, "{level} {raster:?} {grid:?}");
                    }
                    let (mut dx, mut dz) = (fresh(), fresh());
                    let slopes = [&mut dx[..], &mut [], &mut dz];
                    program.fill_gradient(
                        SimdLevel::detect(),
                        0,
                        &volume,
                        &mut got,
                        slopes,
                        strides,
                        scratch,
                    );
                    assert_eq!(difference(&got, &want), None);
                    for row in 0..rows {
                        for column in 0..columns {
                            let at = |first: i64, i: usize| Coord::from(first + i as i64 * i64::from(stride));
                            let gradient = raster.gradient_at(at(x, column), at(z, row));
                            let i = row * row_stride + column;
                            assert_eq!(
                                [got[i], dx[i], dz[i]],
                                [gradient.value, gradient.slope[0], gradient.slope[2]]
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn at_points_it_is_the_raster_to_the_bit_and_the_same_at_every_height() {
    let scratch = &mut Scratch::new();
    for params in every_mode() {
        let raster = raster(13, 9, &params);
        let program = Recipe(vec![Item::Raster(raster.clone())]).build(&[0], true).expect("valid");
        assert!(!program.varies_along_y());
        for at in [0, -1_000_000_000, 1 << 50, (1 << 59) - 300] {
            let points: Vec<[Coord; 3]> = (0..200i64)
                .map(|i| {
                    let x = Coord { index: at - 20 + i % 41, fraction: (i * 7919) as u16 };
                    [x, Coord::from(i), Coord { index: at / 5 + i % 13 - 6, fraction: (i * 104_729) as u16 }]
                })
                .collect();
            let mut values = vec![0.0; points.len()];
            program.fill_points(SimdLevel::detect(), &points, &mut [&mut values], scratch);
            for (point, value) in points.iter().zip(values) {
                let want = raster.gradient_at(point[0], point[2]);
                assert_eq!(value.to_bits(), want.value.to_bits());
                assert_eq!(program.at_3d(0, *point).to_bits(), raster.at(point[0], point[2]).to_bits());
                assert_eq!(program.gradient_at(0, *point), want);
            }
        }
        let volume = Volume { x: -7, y: -1, z: 3, width: 20, height: 9, depth: 3, stride: 1 };
        let mut layers = vec![0.0; volume.samples()];
        program.fill_volume(SimdLevel::detect(), &volume, &mut [&mut layers], [20, 180], scratch);
        assert!(layers[..180] == layers[180..360] && layers[..180] == layers[360..]);
    }
}

#[test]
fn warped_it_is_what_the_naive_evaluator_says() {
    for params in every_mode() {
        for (width, height) in SIZES {
            let recipe = Recipe(vec![
                Item::Raster(raster(width, height, &params)),
                Item::Noise(sway(1)),
                Item::Noise(sway(2)),
                Item::Warp { source: 0, x: 1, y: None, z: 2, strength: 25.0 },
                // Moved by the raster itself, and by what is moved already: thousands of pixels.
                Item::Warp { source: 3, x: 0, y: None, z: 3, strength: -17.3 },
            ]);
            let program = recipe.build(&[3, 4], true).expect("valid");
            for i in 0..60i64 {
                let x = Coord { index: i * 7 - 200, fraction: (i * 7919) as u16 };
                let z = Coord { index: (i % 2) * (1 << 45) + i * 3 - 90, fraction: (i * 104_729) as u16 };
                for (output, of) in [(0, 3), (1, 4)] {
                    let want = evaluate(&recipe, of, [x, Coord::default(), z]);
                    let got = program.gradient_at(output, [x, Coord::default(), z]);
                    assert_eq!(got.value.to_bits(), want.value.to_bits(), "{params:?}");
                    assert_eq!(got.slope, want.slope.map(|slope| slope.unwrap_or(0.0)), "{params:?}");
                    assert_eq!(program.at(output, x, z).to_bits(), want.value.to_bits());
                }
            }
        }
    }
}

/// A constant displacement that f32 holds exactly is another place: no evaluator of ours decides this.
#[test]
fn a_warp_by_a_constant_moves_the_raster() {
    for params in every_mode() {
        let raster = raster(13, 9, &RasterParams { pixels_per_sample: [0.25, 0.5], ..params });
        let recipe = Recipe(vec![
            Item::Raster(raster.clone()),
            Item::Constant(3.0),
            Item::Constant(-1.25),
            Item::Warp { source: 0, x: 1, y: None, z: 2, strength: 4.0 },
        ]);
        let program = recipe.build(&[3], true).expect("valid");
        let grid = Grid { x: -90, z: 1 << 44, width: 201, height: 70, stride: 1 };
        let moved = Grid { x: grid.x + 12, z: grid.z - 5, ..grid };
        let (mut got, mut want) = (vec![0.0; grid.samples()], vec![0.0; grid.samples()]);
        program.fill(SimdLevel::detect(), &grid, &mut [&mut got], 201, &mut Scratch::new());
        raster.fill(&moved, &mut want, 201);
        assert_eq!(difference(&got, &want), None, "{raster:?}");
        let [here, there] = [(8, 2), (20, -3)].map(|(x, z)| (Coord::from(x), Coord::from(z)));
        let gradient = program.gradient_at(0, [here.0, 0.into(), here.1]);
        assert_eq!(gradient, raster.gradient_at(there.0, there.1));
    }
}

#[test]
fn blended_with_noise_it_is_what_the_formula_says() {
    let params = RasterParams {
        pixels_per_sample: [0.05; 2],
        filter: Filter::Bicubic,
        high: 300.0,
        ..Default::default()
    };
    let raster = raster(13, 9, &params);
    let recipe = Recipe(vec![
        Item::Noise(sway(5)),
        Item::Remap(0, [-1.0, 1.0], [0.0, 300.0]),
        Item::Raster(raster.clone()),
        Item::Falloff { center: [120, 80], inner: 30.0, outer: 140.0 },
        Item::Mix(1, 2, 3),
        Item::Slope(4, 1.0),
    ]);
    let program = recipe.build(&[4, 5, 1, 3], false).expect("valid");
    let grid = Grid { x: -40, z: -60, width: 300, height: 300, stride: 1 };
    let mut outs = [(); 4].map(|()| vec![0.0; grid.samples()]);
    let [height, steep, noise, share] = &mut outs;
    program.fill(SimdLevel::detect(), &grid, &mut [height, steep, noise, share], 300, &mut Scratch::new());
    let (mut inside, mut between) = (0, 0);
    for (i, height) in height.iter().enumerate() {
        let (x, z) = (Coord::from(grid.x + (i % 300) as i64), Coord::from(grid.z + (i / 300) as i64));
        let want = noise[i] * (1.0 - share[i]) + raster.at(x, z) * share[i];
        assert_eq!(height.to_bits(), want.to_bits());
        assert!(program.bounds(0).contains(*height) && program.bounds(1).contains(steep[i]));
        inside += usize::from(share[i] == 1.0 && *height == raster.at(x, z));
        between += usize::from(0.0 < share[i] && share[i] < 1.0);
    }
    assert!(inside > 2000 && between > 10_000, "{inside} {between}");
}

#[test]
fn equal_rasters_are_one_leaf() {
    let params = RasterParams { high: 100.0, ..RasterParams::default() };
    let program = |rasters: &[Raster]| {
        let mut builder = ProgramBuilder::new();
        let mut sum = builder.constant(0.5).expect("valid");
        for raster in rasters {
            let raster = builder.raster(raster).expect("valid");
            sum = builder.add(sum, raster).expect("valid");
        }
        builder.output("sum", sum).expect("valid");
        builder.build().expect("valid")
    };
    let leaves = |rasters: &[Raster]| program(rasters).describe().matches("= raster").count();
    let a = raster(3, 5, &params);
    // Other memory, the same pixels.
    let again = raster(3, 5, &params);
    let flipped = raster(3, 5, &RasterParams { low: 100.0, high: 0.0, ..params });
    let other = Raster::new(pixels(99, 15), 3, 5, &params).expect("valid");
    let turned = Raster::new(a.samples().clone(), 5, 3, &params).expect("valid");
    assert_eq!(leaves(&[a.clone(), a.clone(), again]), 1);
    assert_eq!(leaves(&[a, flipped, other, turned]), 4);
    // Zeros are values: their signs are kept apart.
    let zeros = [0.0f32, -0.0].map(|low| {
        Raster::new([0u16; 4].into(), 2, 2, &RasterParams { low, high: -5.0, ..params }).expect("valid")
    });
    assert_eq!(zeros[0], zeros[1]);
    assert_eq!(leaves(&zeros), 2);
}

#[test]
fn the_listing_names_size_filter_and_outside() {
    let place = RasterParams { pixels_per_sample: [0.25, 0.5], high: 65_535.0, ..RasterParams::default() };
    let mut builder = ProgramBuilder::new();
    let [nearest, smooth] = [(Filter::Nearest, Outside::Mirror), (Filter::Bilinear, Outside::Constant(-2.5))]
        .map(|(filter, outside)| {
            Raster::new([10u16, 30].into(), 2, 1, &RasterParams { filter, outside, ..place })
        })
        .map(|raster| builder.raster(&raster.expect("valid")).expect("valid"));
    let warped = builder.warp(smooth, WarpBy { x: nearest, y: None, z: nearest }, 2.0).expect("valid");
    builder.output("warped", warped).expect("valid");
    assert_eq!(
        builder.build().expect("valid").describe(),
        "r0 = raster of 2 by 1 pixels, nearest, outside mirror, 0.25 by 0.5 pixels a sample  [10, 30]\n\
         r1 = multiply r0 2  [20, 60]\n\
         \"warped\" = raster of 2 by 1 pixels, bilinear, outside constant -2.5, 0.25 by 0.5 pixels a sample, moved by r1 r1  \
         [-2.500477, 30.000479]\n"
    );
}

#[test]
fn the_nearest_filter_has_slopes_of_0() {
    let params =
        RasterParams { filter: Filter::Nearest, pixels_per_sample: [0.1; 2], ..RasterParams::default() };
    let recipe = Recipe(vec![
        Item::Raster(raster(13, 9, &params)),
        Item::Noise(sway(3)),
        Item::Warp { source: 0, x: 1, y: None, z: 1, strength: 5.0 },
        Item::Slope(2, 1.0),
        Item::Add(2, 1),
    ]);
    let program = recipe.build(&[2, 3, 4], true).map(|_| ()).unwrap_err();
    assert!(matches!(program, ProgramError::NoSlopes { .. }), "a slope has no slope: {program}");
    let program = recipe.build(&[3], false).expect("valid");
    assert_eq!((program.bounds(0).low, program.bounds(0).high), (0.0, 0.0));
    let program = recipe.build(&[2, 4, 1], true).expect("valid");
    let at = [Coord::from(77), Coord::default(), Coord::from(-40)];
    assert_eq!(program.gradient_at(0, at).slope, [0.0; 3]);
    // Only the noise's is left.
    assert_eq!(program.gradient_at(1, at).slope, program.gradient_at(2, at).slope);
}

#[test]
fn a_warp_that_moves_a_raster_too_far_is_refused() {
    let warp = |pixels_per_sample: [f64; 2], strength| {
        let recipe = Recipe(vec![
            Item::Raster(raster(3, 5, &RasterParams { pixels_per_sample, ..RasterParams::default() })),
            Item::Constant(1.0),
            Item::Noise(sway(1)),
            Item::Warp { source: 0, x: 2, y: None, z: 1, strength },
        ]);
        recipe.build(&[3], false).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(warp([0.25; 2], 262_144.0), Ok(()));
    assert_eq!(
        warp([0.25; 2], -262_148.0),
        Err("raster (node 0): a warp could move it by 262148 samples along x, which is 65537 pixels; it must be at most \
             65536, so choose a smaller strength"
            .to_owned())
    );
    let along_z = warp([0.25, 0.5], 200_000.0).unwrap_err();
    assert!(along_z.contains("200000 samples along z, which is 100000 pixels"), "{along_z}");
    // The smallest step can go as far as anything.
    assert_eq!(warp([1.0 / 16_777_216.0; 2], 4_294_967_296.0), Ok(()));
}

#[test]
fn values_and_slopes_that_programs_cannot_hold_are_refused() {
    let refusal = |params: &RasterParams| {
        ProgramBuilder::new().raster(&raster(13, 9, params)).map(|_| ()).map_err(|error| error.to_string())
    };
    let widest = RasterParams { low: -1e30, high: 1e30, ..RasterParams::default() };
    let flat =
        Raster::new([65_535u16; 4].into(), 2, 2, &RasterParams { low: 1e30, ..widest }).expect("valid");
    assert!(ProgramBuilder::new().raster(&flat).is_ok());
    let message = refusal(&RasterParams { filter: Filter::Bicubic, ..widest }).unwrap_err();
    assert!(message.starts_with("raster: lowest value is -1"), "{message}");
    assert!(message.ends_with(
        "it must be from -1e30 to 1e30 with what the filter adds, so choose a smaller low and high"
    ));
    let steep = RasterParams { low: 0.0, high: 1e28, pixels_per_sample: [1.0, 600.0], ..widest };
    let message = refusal(&steep).unwrap_err();
    assert!(message.starts_with("raster: steepest slope a sample is "), "{message}");
    assert_eq!(refusal(&RasterParams { filter: Filter::Nearest, ..steep }), Ok(()));
}

/// Magnitudes of every size.
fn any_value() -> impl Strategy<Value = f32> {
    prop_oneof![
        -3.0..3.0f32,
        any::<f32>().prop_filter("in range", |value| value.abs() <= 1e30),
        Just(0.0),
        Just(1e30)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300 * long_run()))]

    /// Whatever the raster and the warp: an error, or values and slopes inside their bounds.
    #[test]
    fn nothing_leaves_its_bounds(
        (low, high, constant) in (any_value(), any_value(), any_value()), modes in any::<[u8; 2]>(),
        (width, height) in (1u32..9, 1u32..9), scale in prop::array::uniform2(0..41u32), seed in any::<u64>(),
        origin in prop::array::uniform2((any::<i64>(), any::<u16>())), strength in any_value(),
        at in prop::array::uniform3((any::<i64>(), any::<u16>())),
    ) {
        let coord = |(index, fraction): (i64, u16)| Coord { index, fraction };
        let outsides = [Outside::Clamp, Outside::Wrap, Outside::Mirror, Outside::Constant(constant)];
        let params = RasterParams {
            origin: origin.map(|(index, fraction)| coord((index >> 4, fraction))),
            pixels_per_sample: scale.map(|e| (1u64 << e) as f64 / 16_777_216.0),
            filter: Filter::ALL[usize::from(modes[0]) % 3].0,
            outside: outsides[usize::from(modes[1]) % 4],
            low,
            high,
        };
        let raster = Raster::new(pixels(seed, width * height), width, height, &params).expect("valid parameters");
        let mut builder = ProgramBuilder::new();
        let Ok(source) = builder.raster(&raster) else { return Ok(()) };
        let by = builder.noise(&sway(seed)).expect("valid");
        let warped = builder.warp(source, WarpBy { x: by, y: None, z: source }, f64::from(strength));
        for node in [Ok(source), warped].into_iter().flatten() {
            let mut builder = builder.clone();
            builder.output_with_slopes("field", node).expect("a fresh name");
            let Ok(program) = builder.build() else { continue };
            for at in [at, at.map(|(index, fraction)| (index >> 50, fraction))] {
                let gradient = program.gradient_at(0, at.map(coord));
                prop_assert!(program.bounds(0).contains(gradient.value), "{gradient:?}\n{}", program.describe());
                let bounds = program.slope_bounds(0).expect("made with slopes");
                for (slope, bounds) in gradient.slope.iter().zip(bounds) {
                    prop_assert!(bounds.contains(*slope), "{slope} in {bounds:?}\n{}", program.describe());
                }
            }
        }
    }
}

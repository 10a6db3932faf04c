//! Rasters against docs/RASTERS.md, twice: an oracle of the same f32 operations, equal to the bit, and a textbook one in
//! f64 that shares no formula with it. Then what must hold whatever the formulas are: cuts, edges, distance, slopes,
//! bounds, and that no input panics. Displaced and scattered rows, which only programs ask for, are tested in
//! src/raster/tests.rs.

mod raster_oracle;

use std::sync::Arc;

use proptest::prelude::*;
use raster_oracle::{Oracle, every_mode};
use terrane_noise::{Coord, Filter, Grid, Outside, Raster, RasterError, RasterParams};

const FILTERS: [Filter; 3] = [Filter::Nearest, Filter::Bilinear, Filter::Bicubic];
const SIZES: [(u32, u32); 6] = [(1, 1), (1, 5), (7, 1), (2, 2), (3, 5), (13, 9)];
const PLACES: [i64; 7] = [0, -1_000_000_000, 10_000_000, 1 << 32, 1 << 50, -(1 << 52), (1 << 60) - 300];

/// Pixels without any pattern, the extremes among them.
fn pixels(width: u32, height: u32) -> Arc<[u16]> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 48) as u16
    };
    let mut pixels: Vec<u16> = (0..width * height).map(|_| next()).collect();
    pixels[0] = 65_535;
    if let Some(second) = pixels.get_mut(1) {
        *second = 0;
    }
    pixels.into()
}

fn raster(width: u32, height: u32, params: &RasterParams) -> Raster {
    Raster::new(pixels(width, height), width, height, params).expect("valid parameters")
}

/// 40 by 24 samples around a place, in odd pieces.
fn around(at: i64, stride: u32) -> Grid {
    Grid { x: at - 17, z: at / 3 - 11, width: 40, height: 24, stride }
}

fn filled(raster: &Raster, grid: &Grid) -> Vec<f32> {
    let mut out = vec![f32::NAN; grid.samples()];
    raster.fill(grid, &mut out, grid.width);
    out
}

/// Every sample of a grid with its value.
fn samples(grid: &Grid, values: &[f32]) -> Vec<(Coord, Coord, f32)> {
    let place = |first: i64, i: usize| Coord::from(first + i as i64 * i64::from(grid.stride));
    let one =
        |(i, value): (usize, &f32)| (place(grid.x, i % grid.width), place(grid.z, i / grid.width), *value);
    values.iter().enumerate().map(one).collect()
}

#[test]
fn every_mode_size_place_and_stride_equals_the_oracles() {
    for params in every_mode() {
        for (width, height) in SIZES {
            let raster = raster(width, height, &params);
            let oracle = Oracle::new(&raster);
            for at in PLACES {
                for stride in [1, 2, 7] {
                    // The largest stride from the last place would leave the world.
                    let grid = around(at - 280, stride);
                    for (x, z, value) in samples(&grid, &filled(&raster, &grid)) {
                        let [exact, slope_x, slope_z] = oracle.exact(x, z);
                        let case = || format!("{params:?} {width} x {height} at {x:?}, {z:?}");
                        assert_eq!(value.to_bits(), exact.to_bits(), "{}", case());
                        assert_eq!(raster.at(x, z).to_bits(), exact.to_bits(), "{}", case());
                        let gradient = raster.gradient_at(x, z);
                        assert_eq!(gradient.value.to_bits(), exact.to_bits(), "{}", case());
                        assert_eq!(gradient.slope, [slope_x, 0.0, slope_z], "{}", case());
                        let error = (f64::from(value) - oracle.textbook(x, z)).abs();
                        assert!(error < 2e-4, "{error:.2e}: {}", case());
                    }
                }
            }
        }
    }
}

#[test]
fn the_same_check_finds_a_float_position() {
    // What positions in f32 would give at 10^7 samples.
    let params = RasterParams { pixels_per_sample: [0.37; 2], ..every_mode().nth(5).unwrap() };
    let raster = raster(13, 9, &params);
    let oracle = Oracle::new(&raster);
    let rounded = |x: Coord| Coord::from((x.index as f32 * 0.37f32) as i64 * 100 / 37);
    let grid = around(10_000_000, 1);
    let wrong = samples(&grid, &filled(&raster, &grid))
        .into_iter()
        .filter(|(x, z, value)| oracle.exact(rounded(*x), *z)[0].to_bits() != value.to_bits());
    assert!(wrong.count() > 500, "a float position goes unnoticed");
}

#[test]
fn between_samples_points_equal_the_oracles() {
    for params in every_mode() {
        let raster = raster(13, 9, &params);
        let oracle = Oracle::new(&raster);
        for at in PLACES {
            for i in 0..200i64 {
                let x = Coord { index: at - 20 + i % 41, fraction: (i * 7919) as u16 };
                let z = Coord { index: at / 5 + i % 13 - 6, fraction: (i * 104_729) as u16 };
                let [exact, slope_x, slope_z] = oracle.exact(x, z);
                let gradient = raster.gradient_at(x, z);
                assert_eq!(raster.at(x, z).to_bits(), exact.to_bits());
                assert_eq!(gradient.value.to_bits(), exact.to_bits());
                assert_eq!(gradient.slope, [slope_x, 0.0, slope_z]);
                assert!((f64::from(exact) - oracle.textbook(x, z)).abs() < 2e-4);
            }
        }
    }
}

#[test]
fn cuts_and_strides_do_not_show() {
    for params in every_mode() {
        let raster = raster(13, 9, &params);
        let whole = Grid { x: -90, z: (1 << 40) - 70, width: 201, height: 150, stride: 1 };
        let all = filled(&raster, &whole);
        for (column, row, width, height, stride) in [
            (0, 0, 1, 150, 1),
            (0, 149, 201, 1, 1),
            (37, 11, 81, 65, 1),
            (5, 3, 98, 49, 2),
            (1, 2, 40, 29, 5),
        ] {
            let x = whole.x + column as i64;
            let part = Grid { x, z: whole.z + row as i64, width, height, stride };
            // A row stride with a gap that must stay as it is.
            let (gap, mark) = (3, 1234.5);
            let mut out = vec![mark; height * (width + gap)];
            raster.fill(&part, &mut out, width + gap);
            for (j, line) in out.chunks(width + gap).enumerate() {
                for (i, value) in line[..width].iter().enumerate() {
                    let stride = stride as usize;
                    let expected = all[(row + j * stride) * whole.width + column + i * stride];
                    assert_eq!(value.to_bits(), expected.to_bits());
                }
                assert!(line[width..].iter().all(|value| *value == mark));
            }
        }
    }
}

#[test]
fn three_pixels_at_every_edge() {
    // One pixel a sample from pixel -7 to 8.
    let expected = [
        (Outside::Clamp, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2]),
        (Outside::Wrap, [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]),
        (Outside::Mirror, [1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0]),
        (Outside::Constant(9.0), [9, 9, 9, 9, 9, 9, 9, 0, 1, 2, 9, 9, 9, 9, 9, 9]),
    ];
    for filter in FILTERS {
        for (outside, expected) in expected {
            let params = RasterParams { filter, outside, high: 65_535.0, ..RasterParams::default() };
            let row = Raster::new([0u16, 1, 2].into(), 3, 1, &params).unwrap();
            let column = Raster::new([0u16, 1, 2].into(), 1, 3, &params).unwrap();
            for (i, expected) in expected.into_iter().enumerate() {
                let at = Coord::from(i as i64 - 7);
                // On a pixel every filter gives the pixel.
                assert_eq!(row.at(at, 0.into()), expected as f32, "{params:?} {at:?}");
                assert_eq!(column.at(0.into(), at), expected as f32, "{params:?} {at:?}");
            }
        }
    }
}

#[test]
fn wrap_and_mirror_repeat_exactly_far_away() {
    for (outside, period) in [(Outside::Wrap, 5), (Outside::Mirror, 8)] {
        let params = RasterParams { outside, filter: Filter::Bicubic, ..RasterParams::default() };
        // A quarter of a pixel a sample is exact, so 4 * period samples are a period.
        let params = RasterParams { pixels_per_sample: [0.25; 2], ..params };
        let raster = raster(5, 5, &params);
        let near = filled(&raster, &Grid { x: 0, z: 0, width: 32, height: 32, stride: 1 });
        for periods in [1i64, -1, 1 << 30, -(1 << 50)] {
            let (x, z) = (4 * period * periods, -4 * period * periods);
            assert_eq!(filled(&raster, &Grid { x, z, width: 32, height: 32, stride: 1 }), near);
        }
    }
}

#[test]
fn flat_pixels_stay_flat() {
    for params in every_mode().filter(|params| !matches!(params.outside, Outside::Constant(_))) {
        let raster = Raster::new([40_000u16; 15].into(), 3, 5, &params).unwrap();
        let (low, high) = raster.bounds();
        assert_eq!(low, high);
        assert!(filled(&raster, &around(0, 1)).iter().all(|value| *value == low));
    }
}

#[test]
fn slopes_are_those_of_the_values() {
    // 2^-10 samples apart, differences of f32 values of size 250 are good to about 0.03.
    for params in every_mode().filter(|params| params.filter != Filter::Nearest) {
        let raster = raster(13, 9, &params);
        let oracle = Oracle::new(&raster);
        let (mut worst, mut steepest) = (0f64, 0f64);
        for i in 0..3000i64 {
            let x = Coord { index: i % 71 - 20, fraction: (i * 7919) as u16 };
            let z = Coord { index: i % 23 - 8, fraction: (i * 104_729) as u16 };
            let slope = raster.gradient_at(x, z).slope;
            for axis in [0, 1] {
                let to = |by: i128| if axis == 0 { (x.moved(by), z) } else { (x, z.moved(by)) };
                let ((x0, z0), (x1, z1)) = (to(-8), to(8));
                // A bilinear slope jumps at a pixel's centre.
                let pixel = |at: [Coord; 2]| oracle.place(axis, at[axis]).0;
                if params.filter == Filter::Bilinear && pixel([x0, z0]) != pixel([x1, z1]) {
                    continue;
                }
                let difference = (oracle.textbook(x1, z1) - oracle.textbook(x0, z0)) * 4096.0;
                worst = worst.max((difference - f64::from(slope[2 * axis])).abs());
                steepest = steepest.max(difference.abs());
            }
        }
        assert!(steepest > 50.0);
        assert!(worst < 2e-3 * steepest, "{params:?}: {worst} of {steepest}");
    }
}

#[test]
fn bicubic_slopes_do_not_jump_where_bilinear_ones_do() {
    let jump = |filter| {
        let params = RasterParams { filter, pixels_per_sample: [1.0 / 64.0; 2], ..RasterParams::default() };
        let raster = raster(13, 9, &params);
        let (before, after) = (Coord { index: 5 * 64 - 1, fraction: 0xffff }, Coord::from(5 * 64));
        let [a, b] = [before, after].map(|x| raster.gradient_at(x, 100.into()).slope[0]);
        (a - b).abs() * 64.0
    };
    assert!(jump(Filter::Bicubic) < 1e-4, "{}", jump(Filter::Bicubic));
    assert!(jump(Filter::Bilinear) > 0.01, "{}", jump(Filter::Bilinear));
}

#[test]
fn overshoot_reaches_its_bound_and_not_more() {
    // A checkerboard of two by two signs: the worst case of Catmull-Rom, half way along both axes.
    let sign = |i: i64| i % 4 == 1 || i % 4 == 2;
    let pixels: Vec<u16> = (0..64).map(|i| if sign(i % 8) == sign(i / 8) { 65_535 } else { 0 }).collect();
    let params = RasterParams {
        filter: Filter::Bicubic,
        pixels_per_sample: [0.5; 2],
        low: -1.0,
        ..RasterParams::default()
    };
    let raster = Raster::new(pixels.into(), 8, 8, &params).unwrap();
    let (low, high) = raster.bounds();
    let largest = filled(&raster, &Grid { x: 0, z: 0, width: 16, height: 16, stride: 1 })
        .into_iter()
        .fold(f32::MIN, f32::max);
    assert!(largest <= high && largest > high - 1e-4, "{largest} of {high}");
    assert!((low + 1.5625).abs() < 1e-4 && (high - 1.5625).abs() < 1e-4, "{low} {high}");
}

#[test]
fn the_steepest_slope_reaches_its_bound_and_not_more() {
    // Half way along both: the worst signs of slopes along x, those of values along z.
    let along_x = |i: i64| i % 2 == 1;
    let along_z = |i: i64| i % 4 == 1 || i % 4 == 2;
    let pixels: Vec<u16> =
        (0..64).map(|i| if along_x(i % 8) == along_z(i / 8) { 65_535 } else { 0 }).collect();
    let params =
        RasterParams { filter: Filter::Bicubic, pixels_per_sample: [0.5; 2], ..RasterParams::default() };
    let raster = Raster::new(pixels.into(), 8, 8, &params).unwrap();
    let bound = raster.slope_bounds()[0];
    let slopes = (0..256).map(|i| raster.gradient_at((i % 16).into(), (i / 16).into()).slope[0]);
    let largest = slopes.fold(0f32, |most, slope| most.max(slope.abs()));
    assert!(largest <= bound && largest > bound - 1e-4, "{largest} of {bound}");
    assert!((bound - 0.9375).abs() < 1e-4, "{bound}");
}

#[test]
fn rasters_are_equal_by_what_they_hold() {
    let params = RasterParams::default();
    let (a, b) = (raster(3, 5, &params), raster(3, 5, &params));
    assert!(a == b && a == a.clone());
    assert!(a != raster(5, 3, &params));
    assert!(a != raster(3, 5, &RasterParams { low: -1.0, ..params }));
    assert!(a != Raster::new([1u16; 15].into(), 3, 5, &params).unwrap());
    assert!(!format!("{a:?}").contains("65535"));
}

#[test]
fn nothing_allocates() {
    let count = |work: &dyn Fn()| allocation_counter::measure(work).count_total;
    assert_eq!(count(&|| drop(std::hint::black_box(Box::new(1)))), 1, "the counter counts");
    let mut buffer = vec![0.0; 201 * 150];
    for params in every_mode() {
        let raster = raster(13, 9, &params);
        let out = std::cell::RefCell::new(&mut buffer);
        let allocations = count(&|| {
            let grid = Grid { x: -90, z: 1 << 40, width: 201, height: 150, stride: 1 };
            raster.fill(&grid, &mut out.borrow_mut(), 201);
            std::hint::black_box((raster.at(3.into(), 4.into()), raster.gradient_at(5.into(), 6.into())));
        });
        assert_eq!(allocations, 0);
    }
}

#[test]
fn errors_say_what_would_be_right() {
    let good = RasterParams::default();
    let error = |width, height, params: &RasterParams| {
        Raster::new([1u16; 6].into(), width, height, params).unwrap_err().to_string()
    };
    assert_eq!(error(0, 6, &good), "width is 0 pixels; it must be from 1 to 32768");
    assert_eq!(error(6, 32_769, &good), "height is 32769 pixels; it must be from 1 to 32768");
    assert_eq!(error(2, 2, &good), "the raster has 6 pixels; a width of 2 and a height of 2 need 4");
    assert_eq!(
        error(32_768, 32_768, &good),
        "the raster has 6 pixels; a width of 32768 and a height of 32768 need 1073741824"
    );
    for (pixels, shown) in
        [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (1e5, "100000")]
    {
        assert_eq!(
            error(3, 2, &RasterParams { pixels_per_sample: [1.0, pixels], ..good }),
            format!("pixels_per_sample z is {shown}; it must be from 2^-24 to 2^16")
        );
    }
    let origin = [Coord::from(i64::MIN), Coord::default()];
    assert_eq!(
        error(3, 2, &RasterParams { origin, ..good }),
        "origin x is sample -9223372036854775808; it must be above -2^60 and below 2^60"
    );
    let wrong = "it must be a number from -1e30 to 1e30";
    assert_eq!(error(3, 2, &RasterParams { low: f32::NAN, ..good }), format!("low is NaN; {wrong}"));
    assert_eq!(error(3, 2, &RasterParams { high: f32::INFINITY, ..good }), format!("high is inf; {wrong}"));
    let outside = Outside::Constant(f32::NEG_INFINITY);
    assert_eq!(error(3, 2, &RasterParams { outside, ..good }), format!("outside constant is -inf; {wrong}"));
    assert!(matches!(
        Raster::new([].into(), 1, 1, &good),
        Err(RasterError::Pixels { found: 0, expected: 1, .. })
    ));
}

#[test]
#[should_panic(expected = "the grid needs 100 values, the output has 99")]
fn an_output_without_room_is_a_mistake() {
    let raster = raster(3, 5, &RasterParams::default());
    raster.fill(&Grid { x: 0, z: 0, width: 10, height: 10, stride: 1 }, &mut [0.0; 99], 10);
}

#[test]
fn an_empty_grid_is_none() {
    let raster = raster(3, 5, &RasterParams::default());
    raster.fill(&Grid { x: 0, z: 0, width: 0, height: 10, stride: 0 }, &mut [], 0);
    raster.fill(&Grid { x: 0, z: 0, width: 10, height: 0, stride: 1 }, &mut [], 10);
}

fn any_float() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -1e4f32..1e4,
        1 => any::<f32>(),
        1 => prop::sample::select(vec![0.0, -0.0, 1e30, -1e30, f32::NAN, f32::INFINITY, 1e-44, f32::MAX]),
    ]
}

fn any_pixels_per_sample() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.01f64..4.0,
        2 => prop::sample::select(vec![1.0 / 16_777_216.0, 65_536.0, 0.0, 65_537.0, f64::NAN, 1e-300]),
        1 => any::<f64>(),
    ]
}

fn any_index() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -100i64..100,
        2 => any::<i64>(),
        1 => prop::sample::select(vec![i64::MIN, i64::MAX, (1 << 60) - 1, -(1 << 60) + 1, 1 << 50]),
    ]
}

fn any_coord() -> impl Strategy<Value = Coord> {
    (any_index(), any::<u16>()).prop_map(|(index, fraction)| Coord { index, fraction })
}

fn any_params() -> impl Strategy<Value = RasterParams> {
    let outside = prop_oneof![
        Just(Outside::Clamp),
        Just(Outside::Wrap),
        Just(Outside::Mirror),
        any_float().prop_map(Outside::Constant)
    ];
    let axes = ([any_coord(), any_coord()], [any_pixels_per_sample(), any_pixels_per_sample()]);
    (axes, prop::sample::select(FILTERS.to_vec()), outside, any_float(), any_float()).prop_map(
        |((origin, pixels_per_sample), filter, outside, low, high)| RasterParams {
            origin,
            pixels_per_sample,
            filter,
            outside,
            low,
            high,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn nothing_panics_and_bounds_hold(
        params in any_params(),
        (width, height) in (0u32..12, 0u32..12),
        missing in prop::bool::weighted(0.1),
        (x, z, stride) in (any_coord(), any_coord(), prop_oneof![1u32..9, Just(u32::MAX)]),
    ) {
        let count = (width * height) as usize;
        let mut pixels: Vec<u16> = (0..count).map(|i| (i * 40_503 + 977) as u16).collect();
        if missing {
            pixels.pop();
        }
        let Ok(raster) = Raster::new(pixels.into(), width, height, &params) else {
            return Ok(());
        };
        let (low, high) = raster.bounds();
        prop_assert!(low <= high && low.is_finite() && high.is_finite());
        let gradient = raster.gradient_at(x, z);
        prop_assert!((low..=high).contains(&gradient.value), "{} in {low} .. {high}", gradient.value);
        let steepest = raster.slope_bounds();
        prop_assert!(gradient.slope[0].abs() <= steepest[0] && steepest[0].is_finite());
        prop_assert!(gradient.slope[2].abs() <= steepest[1] && steepest[1].is_finite());
        prop_assert_eq!(raster.at(x, z).to_bits(), gradient.value.to_bits());
        let grid = Grid { x: x.index, z: z.index, width: 83, height: 5, stride };
        let out = filled(&raster, &grid);
        prop_assert!(out.iter().all(|value| (low..=high).contains(value)));
        let corner = raster.at(Coord::from(x.index), Coord::from(z.index));
        prop_assert_eq!(out[0].to_bits(), corner.to_bits());
    }
}

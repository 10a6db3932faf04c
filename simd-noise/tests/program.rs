//! Programs: one answer at every level, for every cut, at points and by the naive evaluator; values inside their bounds;
//! slopes against differences.

mod kit;
mod program_kit;
mod raster_oracle;
mod reference;

use kit::{difference, long_run};
use program_kit::naive::evaluate;
use program_kit::{Item, Mixture, Recipe, recipes};
use proptest::prelude::*;
use terrane_noise::{Coord, Dimensions, Grid, Program, ProgramError, Scratch, SimdLevel, Volume};

/// All outputs over a volume, cut into tiles of `tile` columns, rows and layers.
fn tiled(
    program: &Program,
    level: SimdLevel,
    volume: &Volume,
    tile: [usize; 3],
    scratch: &mut Scratch,
) -> Vec<Vec<f32>> {
    let stride = i64::from(volume.stride);
    let count = program.outputs().len();
    let mut all = vec![vec![f32::NAN; volume.samples()]; count];
    let (columns, layer) = (volume.width, volume.width * volume.height);
    for y in (0..volume.depth).step_by(tile[2]) {
        for z in (0..volume.height).step_by(tile[1]) {
            for x in (0..volume.width).step_by(tile[0]) {
                let part = Volume {
                    x: volume.x + x as i64 * stride,
                    y: volume.y + y as i64 * stride,
                    z: volume.z + z as i64 * stride,
                    width: tile[0].min(volume.width - x),
                    height: tile[1].min(volume.height - z),
                    depth: tile[2].min(volume.depth - y),
                    stride: volume.stride,
                };
                let first = y * layer + z * columns + x;
                let mut outs: Vec<_> = all.iter_mut().map(|out| &mut out[first..]).collect();
                program.fill_volume(level, &part, &mut outs, [columns, layer], scratch);
            }
        }
    }
    all
}

/// The recipe's program, or none where its operands could overflow or a warp moves too far.
fn built(recipe: &Recipe, outputs: &[usize], slopes: bool) -> Option<Program> {
    match recipe.build(outputs, slopes) {
        Ok(program) => Some(program),
        Err(
            ProgramError::Overflow { .. }
            | ProgramError::NoSlopes { .. }
            | ProgramError::MovedTooFar { .. }
            | ProgramError::RasterMovedTooFar { .. }
            | ProgramError::Moved { .. }
            | ProgramError::TooLarge { .. },
        ) => None,
        Err(other) => panic!("{other} in {recipe:?}"),
    }
}

/// Around the middle of falloffs, or anywhere.
fn near_or_far() -> impl Strategy<Value = i64> {
    prop_oneof![3 => -60i64..10, 1 => any::<i64>().prop_map(|index| index >> 2)]
}

fn positions() -> impl Strategy<Value = [Coord; 3]> {
    let near = (-60i64..60, any::<u16>());
    let far = (any::<i64>().prop_map(|index| index >> 4), any::<u16>());
    prop::array::uniform3(
        prop_oneof![2 => near, 1 => far].prop_map(|(index, fraction)| Coord { index, fraction }),
    )
}

fn output_items(recipe: &Recipe) -> Vec<usize> {
    let last = recipe.last();
    if last > 2 { vec![last, last / 2, last] } else { vec![last] }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200 * long_run()))]

    #[test]
    fn every_level_cut_and_stride_gives_one_answer(
        recipe in recipes(Mixture::Everything, 9), x in near_or_far(), y in -20i64..20, z in near_or_far(),
        width in 1usize..100, height in 1usize..70, depth in 1usize..3, stride in 1u32..40, fraction in any::<u16>(),
        tile in prop::array::uniform3(1usize..50),
    ) {
        let outputs = output_items(&recipe);
        let Some(program) = built(&recipe, &outputs, false) else { return Ok(()) };
        let volume = Volume { x, y, z, width, height, depth, stride };
        let scratch = &mut Scratch::new();
        let want = tiled(&program, SimdLevel::SCALAR, &volume, [width, height, depth], scratch);
        for (i, want) in want.iter().enumerate() {
            let bounds = program.bounds(i);
            prop_assert!(want.iter().all(|v| bounds.contains(*v)), "{bounds:?}\n{}", program.describe());
        }
        for (k, level) in SimdLevel::available().enumerate() {
            let tile = if k % 2 == 0 { tile } else { [width, height, depth] };
            let got = tiled(&program, level, &volume, tile, scratch);
            for (got, want) in got.iter().zip(&want) {
                prop_assert_eq!(difference(got, want), None, "{} {:?}\n{}", level, tile, program.describe());
            }
        }
        // Some samples as points, and each output alone.
        let stride = i64::from(stride);
        let some: Vec<usize> = (0..volume.samples()).step_by(1 + volume.samples() / 90).collect();
        let points: Vec<[Coord; 3]> = some.iter().map(|i| {
            let (column, row, layer) = (i % width, i / width % height, i / width / height);
            [x + column as i64 * stride, y + layer as i64 * stride, volume.z + row as i64 * stride].map(Coord::from)
        }).collect();
        let mut at_points = vec![vec![0.0; points.len()]; outputs.len()];
        let mut outs: Vec<_> = at_points.iter_mut().map(|out| &mut out[..]).collect();
        program.fill_points(SimdLevel::detect(), &points, &mut outs, scratch);
        for output in 0..outputs.len() {
            let mut alone = vec![0.0; volume.samples()];
            let strides = [width, width * height];
            program.fill_output(SimdLevel::detect(), output, &volume, &mut alone, strides, scratch);
            prop_assert_eq!(difference(&alone, &want[output]), None);
            for (k, i) in some.iter().enumerate() {
                prop_assert_eq!(at_points[output][k].to_bits(), want[output][*i].to_bits());
            }
            prop_assert_eq!(program.at_3d(output, points[0]).to_bits(), want[output][0].to_bits());
        }
        // Between samples every level agrees too.
        let points: Vec<_> = points.iter().map(|p| p.map(|c| Coord { fraction, ..c })).collect();
        let mut scalar = None;
        for level in SimdLevel::available() {
            let mut all = vec![vec![0.0; points.len()]; outputs.len()];
            let mut outs: Vec<_> = all.iter_mut().map(|out| &mut out[..]).collect();
            program.fill_points(level, &points, &mut outs, scratch);
            let want = scalar.get_or_insert_with(|| all.clone());
            prop_assert_eq!(&all, want, "{}", level);
        }
    }

    #[test]
    fn the_naive_evaluator_has_the_same_bits(
        recipe in recipes(Mixture::Everything, 8), points in prop::collection::vec(positions(), 8),
    ) {
        let last = recipe.last();
        let with_slopes = built(&recipe, &[last], true);
        let Some(program) = built(&recipe, &[last], false) else { return Ok(()) };
        for at in points {
            let want = evaluate(&recipe, last, at);
            let got = program.at_3d(0, at);
            prop_assert_eq!(got.to_bits(), want.value.to_bits(), "{} {}\n{}", got, want.value, program.describe());
            let Some(program) = &with_slopes else { continue };
            let gradient = program.gradient_at(0, at);
            prop_assert_eq!(gradient.value.to_bits(), want.value.to_bits());
            let bounds = program.slope_bounds(0).expect("made with slopes");
            for (axis, bounds) in bounds.iter().enumerate() {
                let (got, want) = (gradient.slope[axis], want.slope[axis].unwrap_or(0.0));
                prop_assert_eq!(got.to_bits(), want.to_bits(), "axis {} {} {}\n{}", axis, got, want, program.describe());
                prop_assert!(bounds.contains(got), "axis {axis}: {got} in {bounds:?}");
            }
        }
    }

    #[test]
    fn slopes_have_one_answer_and_leave_values_alone(
        recipe in recipes(Mixture::Everything, 8), x in near_or_far(), y in -20i64..20, z in near_or_far(),
        width in 1usize..90, height in 1usize..70, stride in 1u32..5,
    ) {
        let last = recipe.last();
        let Some(program) = built(&recipe, &[last], true) else { return Ok(()) };
        let volume = Volume { x, y, z, width, height, depth: 1, stride };
        let scratch = &mut Scratch::new();
        let values = tiled(&program, SimdLevel::detect(), &volume, [width, height, 1], scratch);
        let bounds = program.slope_bounds(0).expect("made with slopes");
        let mut first: Option<[Vec<f32>; 4]> = None;
        for level in SimdLevel::available() {
            let mut got: [Vec<f32>; 4] = std::array::from_fn(|_| vec![0.0; volume.samples()]);
            let [value, dx, dy, dz] = &mut got;
            let strides = [width, width * height];
            program.fill_gradient(level, 0, &volume, value, [dx, dy, dz], strides, scratch);
            prop_assert_eq!(difference(&got[0], &values[0]), None, "{}", level);
            for axis in 0..3 {
                let inside = got[axis + 1].iter().all(|d| bounds[axis].contains(*d));
                prop_assert!(inside, "axis {axis} {:?}\n{}", bounds[axis], program.describe());
            }
            let want = first.get_or_insert_with(|| got.clone());
            for (got, want) in got.iter().zip(want) {
                prop_assert_eq!(difference(got, want), None, "{}", level);
            }
        }
        let first = first.expect("there is a level");
        for i in (0..volume.samples()).step_by(1 + volume.samples() / 40) {
            let (column, row) = ((i % width) as i64, (i / width) as i64);
            let at = [x + column * i64::from(stride), y, z + row * i64::from(stride)];
            let gradient = program.gradient_at(0, at.map(Coord::from));
            let want = [first[1][i], first[2][i], first[3][i]];
            prop_assert_eq!(gradient.slope.map(f32::to_bits), want.map(f32::to_bits));
        }
    }

    /// The stated tolerance: four times what the difference over an eighth of a sample is unsure of (as those over a quarter
    /// and a half show), the rounding of the values that it is made of, and 1/500 of the guaranteed slope.
    #[test]
    fn slopes_of_smooth_programs_are_those_of_central_differences(
        recipe in recipes(Mixture::Smooth, 6), points in prop::collection::vec(prop::array::uniform3(-300i64..300), 6),
    ) {
        let last = recipe.last();
        let Some(program) = built(&recipe, &[last], true) else { return Ok(()) };
        let bounds = program.slope_bounds(0).expect("made with slopes");
        let value_size = f64::from(program.bounds(0).high.max(-program.bounds(0).low));
        for at in points {
            let at = at.map(Coord::from);
            let gradient = program.gradient_at(0, at);
            for axis in 0..3 {
                let value = |by: i128| {
                    let mut at = at;
                    at[axis] = at[axis].moved(by);
                    f64::from(program.at_3d(0, at))
                };
                let over = |by: i128| (value(by) - value(-by)) * 65_536.0 / (2 * by) as f64;
                let (fine, coarse, coarser) = (over(1 << 13), over(1 << 14), over(1 << 15));
                let unsure = (fine - coarse).abs().max((coarse - coarser).abs() / 4.0);
                let size = f64::from(bounds[axis].high.max(-bounds[axis].low));
                let tolerance = 4.0 * unsure + 8e-6 * value_size + size / 500.0;
                let got = f64::from(gradient.slope[axis]);
                prop_assert!((got - fine).abs() <= tolerance,
                    "axis {axis}: {got}, differences {fine} {coarse}\n{}", program.describe());
            }
        }
    }
}

#[test]
fn tiles_wider_than_a_group_of_strips_and_taller_than_a_band_are_cut_alike() {
    let noise = |seed, dimensions| terrane_noise::NoiseParams {
        seed,
        dimensions,
        frequency: 0.1,
        ..Default::default()
    };
    let recipe = Recipe(vec![
        Item::Noise(noise(1, Dimensions::Two)),
        Item::Noise(noise(2, Dimensions::Three)),
        Item::Warp { source: 1, x: 0, y: None, z: 1, strength: 20.0 },
        Item::SmoothMax(0, 2, 0.3),
        Item::Falloff { center: [700, 60], inner: 10.0, outer: 500.0 },
        Item::Mix(3, 1, 4),
    ]);
    let program = recipe.build(&[5, 1], false).expect("valid");
    let scratch = &mut Scratch::new();
    for (width, height, depth) in [(1500, 3, 2), (3, 300, 2), (700, 130, 1)] {
        let volume = Volume { x: -7, y: -2, z: 5, width, height, depth, stride: 1 };
        let whole = tiled(&program, SimdLevel::detect(), &volume, [width, height, depth], scratch);
        let parts = tiled(&program, SimdLevel::SCALAR, &volume, [97, 41, 1], scratch);
        for (whole, parts) in whole.iter().zip(&parts) {
            assert_eq!(difference(whole, parts), None, "{volume:?}");
        }
    }
}

/// Most random recipes make a program, so the properties above speak of programs.
#[test]
fn most_random_recipes_build() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    for (mixture, least) in [(Mixture::Everything, 60), (Mixture::Smooth, 90)] {
        let recipes = recipes(mixture, 9);
        let (mut values, mut slopes, mut warps, mut rasters) = (0, 0, 0, [0, 0]);
        for _ in 0..200 {
            let recipe = recipes.new_tree(&mut runner).expect("a recipe").current();
            let last = recipe.last();
            if let Some(program) = built(&recipe, &[last], false) {
                values += 1;
                warps += u32::from(program.describe().contains("moved by"));
                let of_rasters: Vec<_> =
                    program.describe().lines().filter(|line| line.contains("= raster")).collect();
                rasters[0] += u32::from(!of_rasters.is_empty());
                rasters[1] += u32::from(of_rasters.iter().any(|line| line.contains("moved by")));
            }
            slopes += u32::from(built(&recipe, &[last], true).is_some());
        }
        println!(
            "{mixture:?}: of 200 {values} build, {slopes} with slopes; {warps} hold a warp, {} a raster, {} a warped one",
            rasters[0], rasters[1]
        );
        assert!(values >= 150 && slopes >= least && warps >= 30, "{values} {slopes} {warps}");
        assert!(rasters[0] >= 30 && rasters[1] >= 5, "{rasters:?}");
    }
}

/// Central differences find a wrong slope: the check above can fail.
#[test]
fn a_wrong_slope_is_found() {
    let recipe = Recipe(vec![
        Item::Noise(terrane_noise::NoiseParams::default()),
        Item::Remap(0, [-1.0, 1.0], [0.0, 30.0]),
    ]);
    let program = recipe.build(&[1], true).expect("valid");
    let (mut right, mut wrong) = (0, 0);
    for i in 0..200 {
        let at = [Coord::from(i * 7), 0.into(), Coord::from(i * 3)];
        let gradient = program.gradient_at(0, at);
        let [east, west] =
            [0x4000, -0x4000].map(|by| f64::from(program.at_3d(0, [at[0].moved(by), at[1], at[2]])));
        let difference = (east - west) * 2.0;
        right += u32::from((f64::from(gradient.slope[0]) - difference).abs() < 1e-3);
        wrong += u32::from((f64::from(gradient.slope[2]) - difference).abs() < 1e-3);
    }
    assert!(right == 200 && wrong < 20, "{right} {wrong}");
}

#[test]
fn a_grid_is_the_plane_at_y_0() {
    let params = terrane_noise::NoiseParams { dimensions: Dimensions::Three, ..Default::default() };
    let program = Recipe(vec![Item::Noise(params)]).build(&[0], false).expect("valid");
    let grid = Grid { x: -5, z: 7, width: 33, height: 5, stride: 2 };
    let mut out = vec![0.0; grid.samples()];
    program.fill(SimdLevel::detect(), &grid, &mut [&mut out], grid.width, &mut Scratch::new());
    assert_eq!(out[34].to_bits(), program.at_3d(0, [(-3).into(), 0.into(), 9.into()]).to_bits());
    assert_eq!(out[34].to_bits(), program.at(0, (-3).into(), 9.into()).to_bits());
}

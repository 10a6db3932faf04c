//! Bounds of coarse triangulations: never below what is found at full resolution, for random programs, strides and
//! places; never by much more than that for smooth noise; and a bound that is too small is found.

mod kit;
mod program_kit;
mod raster_oracle;
mod reference;

use kit::{kinds, long_run};
use program_kit::{Item, Mixture, Recipe, recipes};
use proptest::prelude::*;
use terrane_noise::{
    Deviation, Fractal, FractalShape, Grid, Kind, NoiseParams, Perlin, Program, Scratch, SimdLevel, Simplex,
    Value,
};

/// What is found over some coarse cells: the largest bend, drift and swing, by their definitions, in f64.
fn found(program: &Program, [x, z]: [i64; 2], stride: u32, cells: usize) -> Deviation {
    // Every sample of a cell, or so many of them.
    let inside =
        [stride as usize, 64, 48].into_iter().find(|n| *n <= 64 && (stride as usize).is_multiple_of(*n));
    let inside = inside.unwrap_or(1);
    let side = cells * inside + 1;
    let grid = Grid { x, z, width: side, height: side, stride: stride / inside as u32 };
    let mut values = vec![0.0; grid.samples()];
    program.fill(SimdLevel::detect(), &grid, &mut [&mut values], side, &mut Scratch::new());
    let value = |i: usize, j: usize| f64::from(values[j * side + i]);
    let mut most = Deviation { bend: 0.0, drift: 0.0, swing: 0.0 };
    for j in (0..side - 1).step_by(inside) {
        for i in (0..side - 1).step_by(inside) {
            let (right, up) = (value(i + inside, j), value(i, j + inside));
            for upper in [false, true] {
                let square = if upper { value(i + inside, j + inside) } else { value(i, j) };
                let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
                for b in 0..=inside {
                    for a in 0..=inside - b {
                        // Parts of the way from the corner with the right angle.
                        let (u, v) = (a as f64 / inside as f64, b as f64 / inside as f64);
                        let (to_right, to_up) = if upper { (v, u) } else { (u, v) };
                        let here =
                            if upper { value(i + inside - a, j + inside - b) } else { value(i + a, j + b) };
                        let parts = [(1.0 - u - v, square), (to_right, right), (to_up, up)];
                        let mean: f64 = parts.iter().map(|(w, corner)| w * corner).sum();
                        let square: f64 =
                            parts.iter().map(|(w, corner)| w * (corner - here) * (corner - here)).sum();
                        most.bend = most.bend.max((here - mean).abs());
                        most.drift = most.drift.max(square.max(0.0).sqrt());
                        ends = [ends[0].min(here), ends[1].max(here)];
                    }
                }
                most.swing = most.swing.max(ends[1] - ends[0]);
            }
        }
    }
    most
}

/// Whether something found is above its bound; f64 rounding of what is found set aside.
fn exceeds(found: &Deviation, bound: &Deviation, size: f64) -> bool {
    let above = |found: f64, bound: f64| found > bound + size * 1e-14;
    above(found.bend, bound.bend) || above(found.drift, bound.drift) || above(found.swing, bound.swing)
}

fn size(program: &Program) -> f64 {
    let bounds = program.bounds(0);
    f64::from(bounds.low.abs().max(bounds.high.abs()))
}

fn noise_program(params: &NoiseParams) -> Program {
    Recipe(vec![Item::Noise(params.clone())]).build(&[0], false).expect("valid")
}

/// Where falloffs and rasters of random recipes lie, or anywhere.
fn places() -> impl Strategy<Value = i64> {
    prop_oneof![3 => -140i64..60, 1 => any::<i64>().prop_map(|index| index >> 4)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500 * long_run()))]

    #[test]
    fn nothing_is_above_its_bound(
        recipe in recipes(Mixture::Everything, 8), x in places(), z in places(), level in 0u32..9, odd in 0u32..4,
    ) {
        let Ok(program) = recipe.build(&[recipe.last()], false) else { return Ok(()) };
        let stride = if odd == 0 { 3 * (level + 1) } else { 1 << level };
        let bound = program.deviation(0, stride);
        let found = found(&program, [x, z], stride, if stride > 8 { 2 } else { 6 });
        prop_assert!(!exceeds(&found, &bound, size(&program)), "{found:?} of {bound:?} at stride {stride}\n{}", program.describe());
        prop_assert!(bound.bend <= bound.drift && bound.drift <= bound.swing);
        let bounds = program.bounds(0);
        prop_assert!(bound.swing <= f64::from(bounds.high) - f64::from(bounds.low));
    }

    #[test]
    fn smooth_programs_are_not_above_their_bounds(
        recipe in recipes(Mixture::Smooth, 5), x in places(), z in places(), level in 0u32..6,
    ) {
        let Ok(program) = recipe.build(&[recipe.last()], false) else { return Ok(()) };
        let stride = 1 << level;
        let bound = program.deviation(0, stride);
        let found = found(&program, [x, z], stride, if stride > 8 { 2 } else { 6 });
        prop_assert!(!exceeds(&found, &bound, size(&program)), "{found:?} of {bound:?} at stride {stride}\n{}", program.describe());
    }
}

/// Every kind, shape and setting, from cells of a million samples, where rounding is all there is, to several cells a
/// sample.
#[test]
fn no_kind_and_no_fractal_is_above_its_bound() {
    let mut worst = 0f64;
    for (k, kind) in kinds().into_iter().enumerate() {
        for (s, shape) in
            [FractalShape::Fbm, FractalShape::Billow, FractalShape::Ridged].into_iter().enumerate()
        {
            for weighted_strength in [0.0, 0.8] {
                for frequency in [1.0 / 8_388_608.0, 1.0 / 9000.0, 1.0 / 130.0, 0.07, 0.9] {
                    let fractal = Fractal { shape, octaves: 3, weighted_strength, ..Fractal::default() };
                    let seed = (k * 7 + s) as u64;
                    let program = noise_program(&NoiseParams {
                        kind,
                        seed,
                        frequency,
                        fractal,
                        ..NoiseParams::default()
                    });
                    for stride in [1, 2, 8, 64] {
                        let bound = program.deviation(0, stride);
                        let origin = [-7 * i64::from(stride), 1_000_000_007];
                        let found = found(&program, origin, stride, if stride > 8 { 2 } else { 12 });
                        assert!(
                            !exceeds(&found, &bound, 1.0),
                            "{kind:?} {fractal:?} {frequency} {stride}: {found:?} {bound:?}"
                        );
                        if bound.bend > 0.0 {
                            worst = worst.max(found.bend / bound.bend);
                        }
                    }
                }
            }
        }
    }
    println!("largest bend found: {worst:.3} of its bound");
    assert!(worst > 0.4);
}

/// How tight: the largest bend found over a million samples against its bound.
#[test]
fn bounds_of_smooth_noise_are_tight() {
    println!("{:10} {:>7} {:>7} {:>10} {:>10} {:>6}", "kind", "octaves", "stride", "bound", "found", "ratio");
    for (name, kind, least) in
        [("perlin", Kind::from(Perlin), 0.4), ("value", Value.into(), 0.4), ("simplex", Simplex.into(), 0.4)]
    {
        for (octaves, least) in [(1, least), (5, 0.15)] {
            for stride in [2, 4, 8] {
                let fractal = Fractal { octaves, ..Fractal::default() };
                // 64 cells a side for one octave, and of the finest more.
                let frequency = 1.0 / 64.0 / f64::from(1 << (octaves - 1)).sqrt();
                let program =
                    noise_program(&NoiseParams { kind, frequency, fractal, ..NoiseParams::default() });
                let bound = program.deviation(0, stride).bend;
                let found = found(&program, [5, 9], stride, (1 << 10) / stride as usize).bend;
                let ratio = found / bound;
                println!("{name:10} {octaves:7} {stride:7} {bound:10.6} {found:10.6} {ratio:6.2}");
                assert!(
                    found <= bound && ratio > least,
                    "{name}, {octaves} octaves, stride {stride}: {ratio}"
                );
            }
        }
    }
}

/// The checks above can fail: with bounds of a fifth they do.
#[test]
fn bounds_that_are_too_small_are_found() {
    let fractal = Fractal { octaves: 3, ..Fractal::default() };
    let program = noise_program(&NoiseParams { frequency: 1.0 / 100.0, fractal, ..NoiseParams::default() });
    let Deviation { bend, drift, swing } = program.deviation(0, 4);
    let found = found(&program, [0, 0], 4, 100);
    for too_small in [
        Deviation { bend: bend / 5.0, drift, swing },
        Deviation { bend, drift: drift / 5.0, swing },
        Deviation { bend, drift, swing: swing / 5.0 },
    ] {
        assert!(exceeds(&found, &too_small, 1.0), "{found:?} {too_small:?}");
    }
    assert!(!exceeds(&found, &program.deviation(0, 4), 1.0));
}

#[test]
fn what_is_the_same_everywhere_has_no_deviation() {
    let recipe = Recipe(vec![Item::Constant(0.3), Item::Constant(-1.7), Item::Multiply(0, 1), Item::Abs(2)]);
    let program = recipe.build(&[3], false).expect("valid");
    assert_eq!(program.deviation(0, 1 << 20), Deviation { bend: 0.0, drift: 0.0, swing: 0.0 });
}

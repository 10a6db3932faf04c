//! Programs: what is shared is computed once, nothing allocates, what cannot be right is an error that says why, and the
//! listing tells what runs.

mod kit;
mod program_kit;
mod raster_oracle;
mod reference;

use kit::{any_params, difference, long_run};
use program_kit::{Item, Recipe};
use proptest::prelude::*;
use terrane_noise::{
    Cellular, Coord, Curve, CurveKey, Dimensions, Fractal, Grid, Node, Noise, NoiseParams, Program,
    ProgramBuilder, ProgramError, Scratch, SimdLevel, Volume, WarpBy, WarpNoise, WarpOrder,
};

fn hills(seed: u64) -> NoiseParams {
    let fractal = Fractal { octaves: 5, ..Fractal::default() };
    NoiseParams { seed, frequency: 0.02, fractal, ..NoiseParams::default() }
}

/// A small world: warped hills in terraces, an island's edge, and how steep it is.
fn island() -> Result<ProgramBuilder, ProgramError> {
    let mut builder = ProgramBuilder::new();
    let ground = builder.noise(&hills(1))?;
    let sway = |seed| NoiseParams { seed, frequency: 0.005, ..NoiseParams::default() };
    let by = WarpBy { x: builder.noise(&sway(2))?, y: None, z: builder.noise(&sway(3))? };
    let warped = builder.warp(ground, by, 40.0)?;
    let metres = builder.remap(warped, [-1.0, 1.0], [-50.0, 300.0])?;
    let edge = builder.falloff([0, 0], 500.0, 900.0)?;
    let sea = builder.constant(-20.0)?;
    let land = builder.mix(sea, metres, edge)?;
    let steep = builder.slope(land, 2.0)?;
    builder.output("height", land)?;
    builder.output("steepness", steep)?;
    Ok(builder)
}

#[test]
fn the_listing_says_what_runs() {
    let program = island().and_then(|builder| builder.build()).expect("valid");
    let want = include_str!("program_kit/island.txt");
    assert_eq!(program.describe(), want, "\n{}", program.describe());
    assert_eq!(program.outputs().collect::<Vec<_>>(), ["height", "steepness"]);
    assert_eq!((program.output("steepness"), program.output("Height")), (Some(1), None));
}

#[test]
fn what_is_shared_is_computed_once() {
    let mut builder = ProgramBuilder::new();
    let (a, b) = (builder.noise(&hills(1)).expect("valid"), builder.noise(&hills(1)).expect("valid"));
    let squared = builder.multiply(a, b).expect("valid");
    let sum = builder.add(squared, squared).expect("valid");
    let again = builder.multiply(b, a).expect("valid");
    builder.output("sum", sum).expect("valid");
    builder.output("again", again).expect("valid");
    builder.output("plain", b).expect("valid");
    // One noise, one product, one sum.
    let program = builder.build().expect("valid");
    assert_eq!((program.instruction_count(), program.register_count()), (3, 2), "{}", program.describe());

    // Under another warp it is another field; under the same one the same.
    let fields = |n: usize| {
        let mut builder = ProgramBuilder::new();
        let (a, x, z) = (hills(1), hills(2), hills(3));
        let [a, x, z] = [a, x, z].map(|params| builder.noise(&params).expect("valid"));
        let mut sum = a;
        for strength in [5.0, 5.0, 6.0].into_iter().take(n) {
            let warped = builder.warp(a, WarpBy { x, y: None, z }, strength).expect("valid");
            sum = builder.add(sum, warped).expect("valid");
        }
        builder.output("sum", sum).expect("valid");
        builder.build().expect("valid").instruction_count()
    };
    // a; x, z, two products, a there, a sum; another sum; two products, a there, a sum.
    assert_eq!([fields(0), fields(1), fields(2), fields(3)], [1, 7, 8, 12]);
}

#[test]
fn a_sum_of_many_fields_needs_few_registers_and_too_many_at_once_are_refused() {
    let mut builder = ProgramBuilder::new();
    let fields: Vec<Node> = (0..80).map(|seed| builder.noise(&hills(seed)).expect("valid")).collect();
    let sum_node = fields[1..].iter().fold(fields[0], |sum, field| builder.add(sum, *field).expect("valid"));
    let mut reversed = fields[79];
    for field in fields[..79].iter().rev() {
        reversed = builder.add(*field, reversed).expect("valid");
    }
    builder.output("sum", sum_node).expect("valid");
    let program = builder.build().expect("valid");
    assert_eq!(program.register_count(), 3);
    // Both orders at once would hold all fields: each is computed alone.
    let mut both = builder.clone();
    both.output("reversed", reversed).expect("valid");
    let both = both.build().expect("valid");
    assert_eq!((both.register_count(), both.instruction_count()), (3, 2 * (80 + 79)));
    assert!(both.describe().contains("\"sum\" = r") && both.describe().contains("\"reversed\" = r"));
    let (volume, scratch) =
        (Volume { x: 5, y: 0, z: -9, width: 83, height: 66, depth: 1, stride: 1 }, &mut Scratch::new());
    let [mut sum, mut other, mut alone] = [(); 3].map(|()| vec![f32::NAN; volume.samples()]);
    both.fill_volume(SimdLevel::detect(), &volume, &mut [&mut sum, &mut other], [83, 0], scratch);
    for (output, together) in [&sum, &other].into_iter().enumerate() {
        both.fill_output(SimdLevel::SCALAR, output, &volume, &mut alone, [83, 0], scratch);
        assert_eq!(difference(together, &alone), None, "{output}");
    }
    let points: Vec<[Coord; 3]> = (0..200).map(|x| [(x - 50).into(), 0.into(), (3 * x).into()]).collect();
    let [mut sum, mut other] = [(); 2].map(|()| vec![f32::NAN; points.len()]);
    both.fill_points(SimdLevel::detect(), &points, &mut [&mut sum, &mut other], scratch);
    for (i, point) in points.iter().enumerate() {
        assert_eq!([sum[i], other[i]], [both.at_3d(0, *point), both.at_3d(1, *point)]);
    }
    // A single output that needs them all at once is refused.
    let least = builder.min(sum_node, reversed).expect("valid");
    builder.output("least", least).expect("valid");
    let message = builder.build().map(|_| ()).unwrap_err().to_string();
    assert!(message.starts_with("fields held at once: "), "{message}");
    assert!(message.contains("at most 64"), "{message}");
}

#[test]
fn a_program_of_one_noise_is_that_noise_and_goes_straight_to_the_output() {
    for params in [hills(1), NoiseParams { dimensions: Dimensions::Three, ..hills(2) }] {
        let program = Recipe(vec![Item::Noise(params.clone())]).build(&[0], true).expect("valid");
        assert!(program.describe().starts_with("\"output 0\" = noise perlin"), "{}", program.describe());
        let noise = Noise::new(&params).expect("valid");
        let volume = Volume { x: -9, y: 4, z: 77, width: 131, height: 67, depth: 3, stride: 1 };
        let (strides, scratch) = ([140, 140 * 70], &mut Scratch::new());
        let fresh = || [(); 4].map(|()| vec![7.5; 140 * 70 * 3]);
        let [[mut v, mut x, mut y, mut z], [mut pv, mut px, mut py, mut pz]] = [fresh(), fresh()];
        for level in SimdLevel::available() {
            noise.fill_gradient(level, &volume, &mut v, [&mut x, &mut y, &mut z], strides, scratch);
            program.fill_gradient(level, 0, &volume, &mut pv, [&mut px, &mut py, &mut pz], strides, scratch);
            for (noise, program) in [(&v, &pv), (&x, &px), (&y, &py), (&z, &pz)] {
                assert_eq!(difference(noise, program), None, "{level}");
            }
            // Padding between rows is left alone.
            program.fill_volume(level, &volume, &mut [&mut pv], strides, scratch);
            assert_eq!(difference(&v, &pv), None, "{level}");
        }
    }
}

/// Where a value goes to an output while its slopes are read on, at every raggedness of the last vector.
#[test]
fn a_noise_and_its_steepness_have_one_answer_at_every_width() {
    let steep =
        Recipe(vec![Item::Noise(hills(1)), Item::Slope(0, 1.0)]).build(&[0, 1], false).expect("valid");
    let scratch = &mut Scratch::new();
    for width in 1..50 {
        let volume = Volume { x: 7, y: 0, z: -3, width, height: 2, depth: 1, stride: 1 };
        let points: Vec<_> = (0..2 * width as i64)
            .map(|i| [(7 + i % width as i64).into(), 0.into(), (i / width as i64 - 3).into()])
            .collect();
        let mut want: Option<[Vec<f32>; 2]> = None;
        for level in SimdLevel::available() {
            let [mut value, mut slope, mut value_at, mut slope_at] = [(); 4].map(|()| vec![0.0; 2 * width]);
            steep.fill_volume(level, &volume, &mut [&mut value, &mut slope], [width, 2 * width], scratch);
            steep.fill_points(level, &points, &mut [&mut value_at, &mut slope_at], scratch);
            let want = want.get_or_insert_with(|| [value.clone(), slope.clone()]);
            for (got, want) in
                [(&value, &want[0]), (&value_at, &want[0]), (&slope, &want[1]), (&slope_at, &want[1])]
            {
                assert_eq!(difference(got, want), None, "{level}, width {width}");
            }
        }
    }
}

#[test]
fn evaluation_allocates_nothing_after_the_first_time() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(counted.count_total, 1, "the counter does not count");
    let mut builder = island().expect("valid");
    let deep = builder.noise(&NoiseParams { dimensions: Dimensions::Three, ..hills(9) }).expect("valid");
    builder.output_with_slopes("deep", deep).expect("valid");
    let program = builder.build().expect("valid");
    let volume = Volume { x: 3, y: 0, z: -8, width: 100, height: 70, depth: 2, stride: 1 };
    let n = volume.samples();
    let mut out = [(); 4].map(|()| vec![0.0; n]);
    let points = vec![[Coord { index: 5, fraction: 77 }; 3]; 200];
    let (level, strides, mut scratch) = (SimdLevel::detect(), [100, 7000], Scratch::new());
    let mut all = |scratch: &mut Scratch| {
        let [a, b, c, d] = &mut out;
        program.fill_volume(level, &volume, &mut [a, b, c], strides, scratch);
        program.fill_gradient(level, 2, &volume, a, [b, c, d], strides, scratch);
        program.fill_points(level, &points, &mut [&mut a[..200], &mut b[..200], &mut c[..200]], scratch);
        let at = [
            program.at_3d(0, points[0]),
            program.at_3d(1, points[0]),
            program.gradient_at(2, points[0]).value,
        ];
        std::hint::black_box(at);
    };
    let first = allocation_counter::measure(|| all(&mut scratch));
    assert!(first.count_total > 0, "a new scratch must grow");
    let second = allocation_counter::measure(|| all(&mut scratch));
    assert_eq!(second.count_total, 0, "{second:?}");
}

#[test]
fn programs_go_to_any_thread() {
    fn check<T: Send + Sync + Clone>(_: &T) {}
    check(&island().and_then(|builder| builder.build()).expect("valid"));
}

fn refusal(make: impl FnOnce(&mut ProgramBuilder, Node) -> Result<Node, ProgramError>) -> String {
    let mut builder = ProgramBuilder::new();
    let noise = builder.noise(&hills(1)).expect("valid");
    let node = match make(&mut builder, noise) {
        Ok(node) => node,
        Err(error) => return error.to_string(),
    };
    builder.output("field", node).expect("a fresh name");
    builder.build().map(|_| ()).unwrap_err().to_string()
}

#[test]
fn impossible_parameters_are_errors_that_name_them() {
    const NAN: f64 = f64::NAN;
    let expect =
        |message: String, start: &str| assert!(message.starts_with(start), "{message:?} for {start:?}");
    for bad in [NAN, f64::INFINITY, -1e31] {
        expect(refusal(|b, _| b.constant(bad)), "constant: value is ");
        expect(refusal(|b, n| b.remap(n, [bad, 1.0], [0.0, 1.0])), "remap: from low is ");
        expect(refusal(|b, n| b.remap(n, [0.0, 1.0], [0.0, bad])), "remap: to high is ");
        expect(refusal(|b, n| b.clamp(n, bad, 1.0)), "clamp: low is ");
        expect(refusal(|b, n| b.smooth_min(n, n, bad)), "smooth min: k is ");
        expect(refusal(|b, n| b.smooth_max(n, n, bad)), "smooth max: k is ");
        expect(refusal(|b, n| b.terrace(n, bad, 0.5)), "terrace: steps is ");
        expect(refusal(|b, n| b.terrace(n, 3.0, bad)), "terrace: sharpness is ");
        expect(refusal(|b, n| b.slope(n, bad)), "slope: sample_spacing_m is ");
        expect(refusal(|b, _| b.falloff([0, 0], bad, 5.0)), "falloff: inner is ");
        expect(refusal(|b, _| b.falloff([0, 0], 1.0, bad)), "falloff: outer is ");
        expect(refusal(|b, n| b.warp(n, WarpBy { x: n, y: None, z: n }, bad)), "warp: strength is ");
        let key = |at, to| CurveKey { at, to };
        for keys in [[key(bad, 0.0), key(1.0, 1.0)], [key(0.0, bad), key(1.0, 1.0)]] {
            let message = Curve::new(&keys, [-1.0, 1.0]).map(|_| ()).unwrap_err().to_string();
            assert!(message.starts_with("curve: at of a key") || message.starts_with("curve: to of a key"));
        }
    }
    expect(
        refusal(|b, n| b.smooth_min(n, n, 0.0)),
        "smooth min: k is 0; it must be from 1e-20 to 1e20 (for a hard",
    );
    expect(
        refusal(|b, n| b.remap(n, [2.0, 2.0], [0.0, 1.0])),
        "remap: from high - from low is 0; it must be at least",
    );
    expect(refusal(|b, n| b.clamp(n, 1.0, 0.0)), "clamp: high is 0; it must be at least low");
    expect(refusal(|b, n| b.power(n, 0)), "power: exponent is 0; it must be a whole number from 1 to 8");
    expect(refusal(|b, n| b.power(n, 9)), "power: exponent is 9;");
    expect(refusal(|b, _| b.falloff([0, 0], 5.0, 5.0)), "falloff: outer - inner is 0;");
    expect(refusal(|b, _| b.falloff([0, 0], 5.0, 4.0)), "falloff: outer - inner is -1;");
    expect(
        refusal(|b, _| b.noise(&NoiseParams { frequency: NAN, ..hills(1) })),
        "noise: octave 0 has NaN cells",
    );
    expect(
        refusal(|b, _| b.noise(&NoiseParams { frequency: -0.1, ..hills(1) })),
        "noise: octave 0 has -0.1 cells",
    );
    let short = Curve::new(&[CurveKey { at: 0.0, to: 0.0 }], [-1.0, 1.0]).map(|_| ()).unwrap_err();
    expect(short.to_string(), "curve: number of keys is 1; it must be from 2");
}

#[test]
fn what_could_overflow_is_refused_with_the_node_and_its_bounds() {
    let message = refusal(|b, n| {
        let large = b.remap(n, [-1.0, 1.0], [-1e20, 1e20])?;
        b.multiply(large, large)
    });
    assert_eq!(
        message,
        "multiply (node 2) could leave -1e30..1e30, since its operands lie in \
         -1e20..1e20, -1e20..1e20; remap or clamp them first"
    );
    let fine = refusal(|b, n| {
        let large = b.remap(n, [-1.0, 1.0], [-1e20, 1e20])?;
        let held = b.clamp(large, -1.0, 1.0)?;
        let product = b.multiply(held, held)?;
        b.power(product, 9)
    });
    assert!(fine.starts_with("power: exponent is 9"), "{fine}");
}

#[test]
fn slopes_of_what_has_none_are_refused_with_the_node_and_the_kind() {
    let cells = NoiseParams { kind: Cellular::default().into(), ..hills(1) };
    let message = refusal(|b, n| {
        let cells = b.noise(&cells)?;
        let sum = b.add(n, cells)?;
        b.slope(sum, 1.0)
    });
    assert_eq!(
        message,
        "node 3 asks for the slopes of noise cellular fbm 5 octaves, 0.02 cells a sample, seed 1 (node 1), which has none; use a \
         kind that has derivatives"
    );
    let of_slope = refusal(|b, n| {
        let once = b.slope(n, 1.0)?;
        b.slope(once, 1.0)
    });
    assert!(
        of_slope.starts_with("node 2 asks for the slopes of slope (node 1), which has none; a slope"),
        "{of_slope}"
    );
    // Where the warp's field has none, too; but not where nothing asks.
    let warped = |slopes: bool| {
        let mut builder = ProgramBuilder::new();
        let (n, c) = (builder.noise(&hills(1))?, builder.noise(&cells)?);
        let node = builder.warp(n, WarpBy { x: c, y: None, z: c }, 3.0)?;
        let named =
            if slopes { builder.output_with_slopes("field", node) } else { builder.output("field", node) };
        named?;
        builder.build()
    };
    assert!(warped(false).is_ok() && matches!(warped(true), Err(ProgramError::NoSlopes { node: 1, .. })));
}

#[test]
fn a_warp_that_moves_an_octave_too_far_is_refused() {
    let warp = |strength| {
        let mut builder = ProgramBuilder::new();
        let (n, by) = (builder.noise(&hills(1))?, builder.noise(&hills(2))?);
        let node = builder.warp(n, WarpBy { x: by, y: None, z: by }, strength)?;
        builder.output("field", node)?;
        builder.build()
    };
    // Octave 4 has 0.32 cells a sample.
    assert!(warp(204_799.0).is_ok() && warp(-204_799.0).is_ok());
    let message = warp(205_000.0).map(|_| ()).unwrap_err().to_string();
    let start = "noise (node 0): a warp could move octave 4 by 205000 samples along x, which is 65600";
    assert!(message.starts_with(start), "{message}");
    let far = refusal(|b, _| {
        let edge = b.falloff([0, 0], 0.0, 1.0)?;
        let by = b.constant(3.0)?;
        b.warp(edge, WarpBy { x: by, y: None, z: by }, 4e9)
    });
    assert_eq!(far, "node 1: a warp could move it by 12000000000 samples along x; it must be at most 2^32");
}

#[test]
fn names_and_nodes_are_checked() {
    let mut builder = ProgramBuilder::new();
    assert_eq!(builder.build().map(|_| ()), Err(ProgramError::Outputs));
    let n = builder.noise(&hills(1)).expect("valid");
    builder.output("a", n).expect("valid");
    for name in ["", "a"] {
        assert_eq!(builder.output(name, n), Err(ProgramError::Name { name: name.to_owned() }));
    }
    let mut other = ProgramBuilder::new();
    let message = other.abs(n).unwrap_err().to_string();
    assert_eq!(message, "abs: node 0 is not one of this builder, which has 0");
    assert!(other.output("x", n).is_err());
}

#[test]
fn deep_and_wide_programs_are_refused_and_not_overflowed() {
    let mut builder = ProgramBuilder::new();
    let mut n = builder.noise(&hills(1)).expect("valid");
    let deepest = loop {
        match builder.abs(n) {
            Ok(node) => n = node,
            Err(error) => break error.to_string(),
        }
    };
    assert!(deepest.starts_with("nodes within one another: 257; a program has at most 256"), "{deepest}");
    builder.output("deep", n).expect("valid");
    assert!(builder.build().is_ok());

    // Each warp by the field itself doubles what there is to evaluate.
    let mut builder = ProgramBuilder::new();
    let mut n = builder.noise(&NoiseParams::default()).expect("valid");
    for _ in 0..60 {
        n = builder.warp(n, WarpBy { x: n, y: None, z: n }, 1.0).expect("valid");
    }
    builder.output("folded", n).expect("valid");
    let message = builder.build().map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("a program has at most"), "{message}");

    let mut builder = ProgramBuilder::new();
    let too_many = (0..5000).find_map(|i| builder.constant(f64::from(i)).err()).expect("a limit");
    assert_eq!(
        too_many.to_string(),
        "nodes: 4097; a program has at most 4096. Use nodes again instead of making equal ones"
    );
}

#[test]
fn progressive_warps_follow_their_own_octaves() {
    let by = |octaves| {
        let fractal = Fractal { octaves, ..Fractal::default() };
        let params = |seed| NoiseParams { seed, frequency: 0.01, fractal, ..NoiseParams::default() };
        WarpNoise { x: params(5), y: None, z: params(6) }
    };
    let value = |by: &WarpNoise, order| {
        let mut builder = ProgramBuilder::new();
        let n = builder.noise(&hills(1)).expect("valid");
        let node = builder.warp_by_noise(n, by, order, 30.0).expect("valid");
        builder.output("field", node).expect("valid");
        builder.build().expect("valid").at(0, 123.into(), 456.into())
    };
    // With one octave there is nothing to follow.
    assert_eq!(value(&by(1), WarpOrder::Progressive), value(&by(1), WarpOrder::Independent));
    assert_ne!(value(&by(3), WarpOrder::Progressive), value(&by(3), WarpOrder::Independent));
    let uneven = WarpNoise { z: by(2).z, ..by(3) };
    let message = refusal(|b, n| b.warp_by_noise(n, &uneven, WarpOrder::Progressive, 1.0));
    assert_eq!(message, "progressive warp: octaves is 2; it must be the same along all axes");
    let none = refusal(|b, n| b.warp_by_noise(n, &by(0), WarpOrder::Progressive, 1.0));
    assert!(none.starts_with("noise: octaves is 0;"), "{none}");
    let mut weighted = by(2);
    weighted.x.fractal.weighted_strength = 0.5;
    let message = refusal(|b, n| b.warp_by_noise(n, &weighted, WarpOrder::Progressive, 1.0));
    assert!(message.starts_with("progressive warp: weighted_strength is 0.5; it must be 0"), "{message}");
}

#[test]
fn falloff_is_exact_far_out_and_outside_is_0() {
    for center in [[0, 0], [i64::MAX - 300, i64::MIN + 300], [1 << 50, -(1 << 45)]] {
        let program = Recipe(vec![Item::Falloff { center, inner: 10.0, outer: 20.0 }])
            .build(&[0], true)
            .expect("valid");
        let near = Recipe(vec![Item::Falloff { center: [0, 0], inner: 10.0, outer: 20.0 }]);
        let near = near.build(&[0], true).expect("valid");
        for (x, z) in [(0, 0), (9, 0), (10, 0), (12, 5), (-7, 14), (20, 0), (15, 15), (-250, 3)] {
            let at = |[cx, cz]: [i64; 2]| [(cx + x).into(), 0.into(), (cz + z).into()];
            assert_eq!(program.gradient_at(0, at(center)), near.gradient_at(0, at([0, 0])));
        }
        assert_eq!(program.at(0, Coord::from(center[0]), Coord::from(center[1])), 1.0);
        for far in [i64::MIN, i64::MAX, 1 << 59] {
            assert_eq!(program.at(0, far.into(), 77.into()), 0.0);
        }
    }
}

#[test]
#[should_panic(expected = "the grid needs 4489 values, height has 4488")]
fn an_output_that_is_too_short_is_a_bug_with_numbers() {
    let program = island().and_then(|builder| builder.build()).expect("valid");
    let grid = Grid { x: 0, z: 0, width: 67, height: 67, stride: 1 };
    let (mut a, mut b) = (vec![0.0; 67 * 67 - 1], vec![0.0; 67 * 67]);
    program.fill(SimdLevel::detect(), &grid, &mut [&mut a, &mut b], 67, &mut Scratch::new());
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![-3.0..3.0f64, any::<f64>(), Just(0.0), Just(f64::NAN), Just(1e30), Just(1e-30)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300 * long_run()))]

    /// Whatever the parameters: an error, or a program whose values are inside its bounds.
    #[test]
    fn no_parameter_panics(
        noise in any_params(), steps in prop::collection::vec((0u32..14, any_number(), any_number(), any_number()), 1..6),
        x in any::<i64>(), z in any::<i64>(), fraction in any::<u16>(),
    ) {
        let mut builder = ProgramBuilder::new();
        let Ok(mut node) = builder.noise(&noise) else { return Ok(()) };
        for (which, u, v, w) in steps {
            let made = match which {
                0 => builder.constant(u).and_then(|c| builder.multiply(node, c)),
                1 => builder.constant(u).and_then(|c| builder.add(node, c)),
                2 => builder.remap(node, [u, v], [w, 1.0]),
                3 => builder.clamp(node, u, v),
                4 => builder.terrace(node, u, v),
                5 => builder.power(node, u as u32),
                6 => builder.slope(node, u),
                7 => builder.falloff([x, z], u, v).and_then(|f| builder.mix(node, f, f)),
                8 => builder.warp(node, WarpBy { x: node, y: Some(node), z: node }, u),
                9 => builder.smooth_min(node, node, u),
                10 => builder.constant(v).and_then(|c| builder.smooth_max(node, c, u)),
                11 => Curve::new(&[CurveKey { at: u, to: v }, CurveKey { at: w, to: u }], [u as f32, w as f32])
                    .and_then(|curve| builder.curve(node, &curve)),
                12 => {
                    let by = WarpNoise { x: noise.clone(), y: None, z: noise.clone() };
                    builder.warp_by_noise(node, &by, WarpOrder::Progressive, u)
                }
                _ => builder.abs(node),
            };
            if let Ok(made) = made {
                node = made;
            }
        }
        builder.output("field", node).expect("a fresh name");
        let Ok(program) = builder.build() else { return Ok(()) };
        let value = program.at_3d(0, [x, z, x].map(|index| Coord { index, fraction }));
        prop_assert!(program.bounds(0).contains(value), "{value}\n{}", program.describe());
        let mut slopes = builder.clone();
        slopes.output_with_slopes("slopes", node).expect("a fresh name");
        let Ok(program) = slopes.build() else { return Ok(()) };
        check_slopes(&program, [x, z, x].map(|index| Coord { index, fraction }))?;
    }
}

fn check_slopes(program: &Program, at: [Coord; 3]) -> Result<(), TestCaseError> {
    let gradient = program.gradient_at(1, at);
    let bounds = program.slope_bounds(1).expect("made with slopes");
    for (slope, bounds) in gradient.slope.iter().zip(bounds) {
        prop_assert!(bounds.contains(*slope), "{slope} in {bounds:?}\n{}", program.describe());
    }
    Ok(())
}

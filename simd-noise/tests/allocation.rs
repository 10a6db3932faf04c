//! No allocation after warm-up: every kind, in the plane and in space, over grids, with slopes, at points and along lines;
//! for programs after `reserve` not even the first time.

mod kit;
mod reference;

use terrane_noise::{
    Cellular, Coord, Dimensions, Filter, Fractal, FractalShape, Grid, Noise, NoiseParams, Program,
    ProgramBuilder, ProgramError, Raster, RasterParams, Scratch, SimdLevel, Volume, WarpBy,
};

/// Everything that a noise can be asked, once.
fn ask(noise: &Noise, outs: &mut [Vec<f32>; 4], scratch: &mut Scratch) {
    for stride in [1, 64] {
        let volume = Volume { x: -7, y: 3, z: 1 << 40, width: 67, height: 70, depth: 2, stride };
        let strides = [67, 67 * 70];
        let [value, x, y, z] = outs;
        noise.fill_volume(SimdLevel::detect(), &volume, value, strides, scratch);
        if noise.has_slopes() {
            noise.fill_gradient(SimdLevel::detect(), &volume, value, [x, y, z], strides, scratch);
            std::hint::black_box(noise.gradient_at([5.into(); 3]));
        }
        noise.fill_points(SimdLevel::detect(), &[[Coord::from(9); 3]; 100], &mut value[..100], scratch);
        noise.fill_line(SimdLevel::detect(), [4.into(); 3], [77, 0, -3], &mut value[..200], scratch);
        std::hint::black_box(noise.at_3d([5.into(); 3]));
    }
}

#[test]
fn nothing_allocates_after_the_first_time() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(counted.count_total, 1, "the counter does not count");
    let mut outs = [0; 4].map(|_| vec![0.0; 67 * 70 * 2]);
    for kind in kit::kinds() {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            for (shape, weighted_strength) in [(FractalShape::Fbm, 0.0), (FractalShape::Ridged, 0.5)] {
                let fractal = Fractal { shape, octaves: 3, weighted_strength, ..Fractal::default() };
                let noise = Noise::new(&NoiseParams { kind, dimensions, fractal, ..NoiseParams::default() });
                let (noise, mut scratch) = (noise.expect("valid"), Scratch::new());
                let warm_up = allocation_counter::measure(|| ask(&noise, &mut outs, &mut scratch));
                assert!(warm_up.count_total > 0, "a new scratch has no room yet");
                let counted = allocation_counter::measure(|| ask(&noise, &mut outs, &mut scratch));
                assert_eq!(counted.count_total, 0, "{kind:?} {dimensions:?} {shape:?}: {counted:?}");
            }
        }
    }
}

/// Seven outputs that differ in what they need: of two and three dimensions, with octaves aside and without, warped and
/// not, the first five with slopes.
fn program() -> Result<Program, ProgramError> {
    let mut builder = ProgramBuilder::new();
    let params = |seed: u32, shape, dimensions| {
        let fractal = Fractal { shape, octaves: 1 + seed % 4, ..Fractal::default() };
        NoiseParams { seed: u64::from(seed), frequency: 0.02, fractal, dimensions, ..NoiseParams::default() }
    };
    let flat = builder.noise(&params(7, FractalShape::Fbm, Dimensions::Two))?;
    let deep = builder.noise(&params(6, FractalShape::Fbm, Dimensions::Three))?;
    let ridges = builder.noise(&params(3, FractalShape::Ridged, Dimensions::Three))?;
    let params = RasterParams { pixels_per_sample: [0.1; 2], filter: Filter::Bicubic, ..Default::default() };
    let raster = Raster::new([7u16, 9, 60_000, 4, 5, 6].into(), 3, 2, &params).expect("valid");
    let raster = builder.raster(&raster)?;
    let warped = builder.warp(raster, WarpBy { x: flat, y: None, z: deep }, 30.0)?;
    let folded = builder.warp(ridges, WarpBy { x: raster, y: Some(ridges), z: warped }, 9.0)?;
    let land = builder.mix(flat, folded, warped)?;
    let steep = builder.slope(land, 1.0)?;
    let cells = builder.noise(&NoiseParams { kind: Cellular::default().into(), ..Default::default() })?;
    let all = [("flat", flat), ("deep", deep), ("ridges", ridges), ("raster", raster), ("land", land)];
    for (name, node) in all {
        builder.output_with_slopes(name, node)?;
    }
    builder.output("steep", steep)?;
    builder.output("cells", cells)?;
    builder.build()
}

/// Call number `which` of the 15 that a program of seven outputs, five of them with slopes, can be asked with a scratch.
fn call(program: &Program, which: usize, volume: &Volume, outs: &mut [&mut [f32]; 7], scratch: &mut Scratch) {
    let Volume { width, height, .. } = *volume;
    let (level, strides) = (SimdLevel::detect(), [width, width * height]);
    match which {
        0 => program.fill_volume(level, volume, outs, strides, scratch),
        1 => program.fill(level, &Grid { x: 5, z: -9, width, height, stride: 3 }, outs, width, scratch),
        2 => {
            let mut outs = outs.each_mut().map(|out| &mut out[..100]);
            program.fill_points(level, &[[Coord::from(9); 3]; 100], &mut outs, scratch);
        }
        3..10 => program.fill_output(level, which - 3, volume, outs[0], strides, scratch),
        _ => {
            let [value, x, y, z, ..] = outs;
            program.fill_gradient(level, which - 10, volume, value, [x, y, z], strides, scratch);
        }
    }
}

#[test]
fn no_call_of_a_program_allocates_after_reserve() {
    let program = program().expect("valid");
    assert_eq!(program.outputs().len(), 7);
    for (width, height, depth) in [(1, 1, 1), (67, 67, 1), (200, 150, 1), (81, 65, 2)] {
        let volume = Volume { x: -7, y: 3, z: 1 << 40, width, height, depth, stride: 1 };
        let mut outs = [0; 7].map(|_| vec![0.0; volume.samples().max(100)]);
        let mut outs = outs.each_mut().map(|out| &mut out[..]);
        // Each call with a scratch of its own, so that none makes room for another.
        for which in 0..15 {
            let mut fresh = Scratch::new();
            let counted =
                allocation_counter::measure(|| call(&program, which, &volume, &mut outs, &mut fresh));
            assert!(
                counted.count_total > 0,
                "call {which} needs no room, so that it takes none shows nothing"
            );
            let mut scratch = Scratch::new();
            program.reserve(&mut scratch);
            let counted =
                allocation_counter::measure(|| call(&program, which, &volume, &mut outs, &mut scratch));
            assert_eq!(counted.count_total, 0, "call {which} over {volume:?}: {counted:?}");
            let counted = allocation_counter::measure(|| program.reserve(&mut scratch));
            assert_eq!(counted.count_total, 0, "there is room already");
        }
    }
}

//! No allocation after warm-up: every kind, in the plane and in space, over grids, with slopes, at points and along lines.

mod kit;
mod reference;

use terrane_noise::{
    Coord, Dimensions, Fractal, FractalShape, Noise, NoiseParams, Scratch, SimdLevel, Volume,
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

//! Layouts are read back by small decoders that know only what the engines say of their fields: the surface they find
//! is the ground's, diagonals included, within the stated error. rapier's own decoder is in collider_physics.rs.
#![allow(clippy::disallowed_methods, reason = "grounds of a test: no bits of the library come from here")]

use terrane::collider::layouts::{godot, jolt, physx, rapier};
use terrane::collider::{ColliderError, HeightField, HeightRows};

/// Numbers that look random, the same in every run.
fn random(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| next()).collect()
}

/// Saddles in every cell, on hills.
fn saddles([width, rows]: [usize; 2]) -> Vec<f32> {
    let noise = random(3, width * rows);
    let height = |i: usize| {
        let (x, z) = ((i % width) as f64, (i / width) as f64);
        (x * 0.21).sin() * 9.0 + (z * 0.17).cos() * 7.0 + ((x + z) % 2.0) * 3.0 + noise[i]
    };
    (0..width * rows).map(|i| height(i) as f32).collect()
}

/// A surface made of triangles in metres, from the chunk's first sample.
type Triangle = [[f64; 3]; 3];

/// The height of a triangle over (x, z), if it is there.
fn over([a, b, c]: &Triangle, x: f64, z: f64) -> Option<f64> {
    let area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
    let v = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / area;
    let w = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / area;
    let inside = v >= -1e-9 && w >= -1e-9 && v + w <= 1.0 + 1e-9;
    inside.then(|| a[1] + v * (b[1] - a[1]) + w * (c[1] - a[1]))
}

/// The ground's triangles in a cell, by our diagonal rule.
fn ground(heights: &[f32], width: usize, spacing: f64, x: usize, z: usize) -> [Triangle; 2] {
    let at = |x: usize, z: usize| [x as f64 * spacing, f64::from(heights[z * width + x]), z as f64 * spacing];
    let (a, b, c, d) = (at(x, z), at(x + 1, z), at(x, z + 1), at(x + 1, z + 1));
    [[a, b, c], [b, d, c]]
}

/// The largest vertical distance between an engine's surface and the ground, over many places of every cell.
fn distance(
    heights: &[f32],
    [width, rows]: [usize; 2],
    spacing: f64,
    engine: impl Fn(usize, usize) -> [Triangle; 2],
) -> f64 {
    let mut largest = 0.0f64;
    for z in 0..rows - 1 {
        for x in 0..width - 1 {
            let (ours, theirs) = (ground(heights, width, spacing, x, z), engine(x, z));
            for [u, v] in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.5, 0.5], [0.3, 0.4], [0.6, 0.9]]
            {
                let (px, pz) = ((x as f64 + u) * spacing, (z as f64 + v) * spacing);
                let height =
                    |of: &[Triangle; 2]| of.iter().find_map(|t| over(t, px, pz)).expect("over the cell");
                largest = largest.max((height(&ours) - height(&theirs)).abs());
            }
        }
    }
    largest
}

const SIZES: [[usize; 2]; 6] = [[2, 2], [17, 17], [16, 16], [65, 65], [33, 20], [5, 70]];
const SPACING: f64 = 0.5;

/// Two triangles of a cell with corners `at(x, z)`, cut from (x, z + 1) to (x + 1, z), or the other way.
fn cut(at: impl Fn(usize, usize) -> [f64; 3], x: usize, z: usize, other: bool) -> [Triangle; 2] {
    let (a, b, c, d) = (at(x, z), at(x + 1, z), at(x, z + 1), at(x + 1, z + 1));
    if other { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] }
}

#[test]
fn rapier_reads_columns_along_z() {
    for size in SIZES {
        let heights = saddles(size);
        let field = HeightField::with_stride(&heights, size, size[0]).expect("a rectangle");
        let mut out = vec![f32::NAN; heights.len()];
        let layout = rapier::write(&field, SPACING as f32, &mut out).expect("memory to its measure");
        let at = |x: usize, z: usize| {
            let unit = |i: usize, n: usize| i as f64 / (n - 1) as f64 - 0.5;
            let place = [unit(x, layout.ncols), f64::from(out[x * layout.nrows + z]), unit(z, layout.nrows)];
            std::array::from_fn(|i| place[i] * f64::from(layout.scale[i]) + f64::from(layout.translation[i]))
        };
        assert!(distance(&heights, size, SPACING, |x, z| cut(at, x, z, false)) < 1e-5);
        // With the other diagonal every saddle is wrong, and this is found.
        assert!(distance(&heights, size, SPACING, |x, z| cut(at, x, z, true)) > 1.0);
    }
}

#[test]
fn godot_reads_rows_along_x() {
    for size in SIZES {
        let heights = saddles(size);
        let field = HeightField::with_stride(&heights, size, size[0]).expect("a rectangle");
        let mut out = vec![f32::NAN; heights.len()];
        let layout = godot::write(&field, SPACING as f32, &mut out).expect("memory to its measure");
        assert_eq!([layout.width, layout.depth], size);
        let at = |x: usize, z: usize| {
            let middle = |i: usize, n: usize| i as f64 - (n - 1) as f64 / 2.0;
            let height = f64::from(out[z * layout.width + x]);
            let place = [middle(x, layout.width), height, middle(z, layout.depth)];
            std::array::from_fn(|i| place[i] * f64::from(layout.scale[i]) + f64::from(layout.translation[i]))
        };
        assert!(distance(&heights, size, SPACING, |x, z| cut(at, x, z, false)) < 1e-5);
        assert!(distance(&heights, size, SPACING, |x, z| cut(at, x, z, true)) > 1.0);
    }
}

/// What Jolt makes of samples, by its rules for blocks and bits, in f64. `None` where there is no ground.
fn jolt_heights(samples: &[f32], count: usize, block_size: usize, bits: u32) -> Vec<Option<f64>> {
    let there: Vec<f64> =
        samples.iter().filter(|&&height| height != f32::MAX).map(|&height| f64::from(height)).collect();
    let (min, max) =
        (there.iter().copied().fold(f64::INFINITY, f64::min), there.iter().copied().fold(-1e9, f64::max));
    let unit = (max - min).max(1e-6) / 65_534.0;
    let coarse = |height: f32| ((f64::from(height) - min) / unit).floor().clamp(0.0, 65_533.0);
    let codes = f64::from((1u32 << bits) - 1);
    (0..count * count)
        .map(|i| {
            let (x, y) = (i % count, i / count);
            if samples[i] == f32::MAX {
                return None;
            }
            let (x0, y0) = (x / block_size * block_size, y / block_size * block_size);
            let (mut low, mut high) = (f64::INFINITY, 0.0f64);
            for y in y0..(y0 + block_size + 1).min(count) {
                for x in x0..(x0 + block_size + 1).min(count) {
                    if samples[y * count + x] != f32::MAX {
                        let height = coarse(samples[y * count + x]);
                        (low, high) = (low.min(height), high.max(height + 1.0));
                    }
                }
            }
            let within = (f64::from(samples[i]) - min - low * unit) / ((high - low) * unit);
            let code = (within * codes).floor().clamp(0.0, codes - 1.0);
            Some(min - 0.5 * unit / codes + low * unit + (code + 0.5) * (high - low) * unit / codes)
        })
        .collect()
}

#[test]
fn jolt_reads_mirrored_rows_in_whole_blocks() {
    for size in [[2, 2], [16, 16], [17, 17], [65, 65]] {
        for block_size in 2..=8 {
            let heights = saddles(size);
            let field = HeightField::new(&heights, size[0]).expect("a square");
            let count = jolt::sample_count(size[0], block_size);
            assert!(
                count.is_multiple_of(block_size)
                    && count / block_size >= 2
                    && count < size[0].max(block_size) + 2 * block_size
            );
            let mut out = vec![f32::NAN; count * count];
            let layout =
                jolt::write(&field, SPACING as f32, block_size, &mut out).expect("memory to its measure");
            assert_eq!((layout.count, layout.block_size), (count, block_size));
            let ground = out.iter().filter(|&&height| height != f32::MAX).count();
            assert_eq!(ground, heights.len(), "what is beyond is no ground");

            let surface = |values: &[f64], other: bool| {
                let at = |x: usize, row: usize| {
                    let place = [x as f64, values[row * count + x], row as f64];
                    std::array::from_fn(|i| {
                        let scaled = place[i] * f64::from(layout.scale[i]) + f64::from(layout.offset[i]);
                        scaled * f64::from(layout.shape_scale[i])
                    })
                };
                // Jolt cuts from (x, y) to (x + 1, y + 1); our cell z is its row side - 2 - z.
                distance(&heights, size, SPACING, |x, z| cut(at, x, size[1] - 2 - z, !other))
            };
            let as_written: Vec<f64> = out.iter().map(|&height| f64::from(height)).collect();
            assert!(surface(&as_written, false) < 1e-5);
            assert!(surface(&as_written, true) > 1.0);

            for bits in [4, 8, 16] {
                let kept: Vec<f64> = jolt_heights(&out, count, block_size, bits)
                    .into_iter()
                    .map(|height| height.unwrap_or(f64::NAN))
                    .collect();
                let bound = jolt::rounding_m(&field, block_size, bits).expect("valid");
                let truth = surface(&kept, false);
                assert!(truth <= bound, "{size:?} {block_size} {bits}: {truth} m, at most {bound} m stated");
                assert!(
                    size[0] < 16 || truth > bound * 0.5,
                    "{size:?} {block_size} {bits}: {truth} m, {bound} m stated"
                );
            }
        }
    }
}

#[test]
fn physx_reads_codes_of_a_lattice() {
    for size in SIZES {
        let heights = saddles(size);
        let field = HeightField::with_stride(&heights, size, size[0]).expect("a rectangle");
        for (min_m, max_m) in [(-20.0, 25.0), (-1000.0, 8000.0)] {
            let lattice = physx::Lattice::new(min_m, max_m).expect("a range");
            let mut out = vec![[0xaa; 4]; heights.len()];
            let layout =
                physx::write(&field, SPACING as f32, &lattice, 126, &mut out).expect("memory to its measure");
            assert_eq!([layout.rows, layout.columns], size, "PhysX's rows advance along x");
            let at = |row: usize, column: usize| {
                let [low, high, first, second] = out[row * layout.columns + column];
                assert_eq!((first & 0x7f, second & 0x7f), (126, 126));
                let place = [row as f64, f64::from(i16::from_ne_bytes([low, high])), column as f64];
                std::array::from_fn(|i| {
                    place[i] * f64::from(layout.scale[i]) + f64::from(layout.translation[i])
                })
            };
            // The flag set would cut from the sample to the opposite one.
            let flag = |row: usize, column: usize| out[row * layout.columns + column][2] & 0x80 != 0;
            let error = distance(&heights, size, SPACING, |x, z| cut(at, x, z, flag(x, z)));
            assert!(error <= lattice.error_m(), "{error} m, at most {} m stated", lattice.error_m());
            assert!(
                size[0] < 16 || error > lattice.error_m() * 0.9,
                "{error} m, {} m stated",
                lattice.error_m()
            );
            assert!(distance(&heights, size, SPACING, |x, z| cut(at, x, z, !flag(x, z))) > 1.0);
        }
    }
}

#[test]
fn a_lattice_holds_its_whole_range() {
    let ends = random(11, 4000);
    for (i, pair) in ends.chunks_exact(2).enumerate() {
        let size = 10.0f64.powf(pair[1] * 12.0 - 6.0);
        let mut min_m = ((pair[0] - 0.5) * 100.0 * size) as f32;
        let mut max_m = min_m + size as f32;
        if i % 3 == 0 {
            // As wide as a step allows, from half a step.
            let step = 2.0f32.powi((i % 20) as i32 - 12);
            let from = [-32_767.5, -32_766.5, -65_534.0, 0.0][i % 4];
            (min_m, max_m) = (from * step, (from + 65_534.0) * step);
        }
        let lattice = physx::Lattice::new(min_m, max_m).expect("a range");
        assert_eq!(lattice.step_m().to_bits() << 9, 0, "{} is no power of two", lattice.step_m());
        assert!((f64::from(max_m) - f64::from(min_m)) / f64::from(lattice.step_m()) <= 65_534.0);
        let heights = [min_m, max_m, (min_m + max_m) / 2.0, min_m + (max_m - min_m) * 0.3];
        let heights = heights.map(|height| height.clamp(min_m, max_m));
        let mut out = [[0; 4]; 4];
        let field = HeightField::new(&heights, 2).expect("a square");
        physx::write(&field, 1.0, &lattice, 0, &mut out).expect("heights of the range");
        for (height, at) in heights.into_iter().zip([0, 2, 1, 3]) {
            let code = i16::from_ne_bytes([out[at][0], out[at][1]]);
            let error = (f64::from(lattice.height_m(code)) - f64::from(height)).abs();
            assert!(error <= lattice.error_m(), "{height} m of {min_m} ..= {max_m}: off by {error} m");
        }
    }
}

#[test]
fn whole_fields_of_any_size_are_written() {
    // Larger than any chunk, and sides that are no multiple of a block.
    for size in [[1024, 1024], [1025, 1025], [700, 300], [2, 3000]] {
        let heights: Vec<f32> = (0..size[0] * size[1]).map(|i| (i % 60_000) as f32 / 2.0).collect();
        let field = HeightField::with_stride(&heights, size, size[0]).expect("a rectangle");
        let mut columns = vec![f32::NAN; heights.len()];
        rapier::write(&field, 1.0, &mut columns).expect("memory to its measure");
        let mut rows = vec![f32::NAN; heights.len()];
        godot::write(&field, 1.0, &mut rows).expect("memory to its measure");
        assert_eq!(rows, heights);
        let lattice = physx::Lattice::new(0.0, 30_000.0).expect("a range");
        let mut codes = vec![[0; 4]; heights.len()];
        physx::write(&field, 1.0, &lattice, 3, &mut codes).expect("memory to its measure");
        for (i, &height) in heights.iter().enumerate() {
            let turned = i % size[0] * size[1] + i / size[0];
            assert_eq!(columns[turned], height);
            let code = i16::from_ne_bytes([codes[turned][0], codes[turned][1]]);
            assert_eq!(lattice.height_m(code), height);
        }
    }
}

#[test]
fn rows_may_lie_apart() {
    let heights = saddles([20, 9]);
    let field = HeightField::with_stride(&heights, [7, 9], 20).expect("a part");
    let mut out = [0.0; 63];
    godot::write(&field, 1.0, &mut out).expect("memory to its measure");
    assert!((0..9).all(|z| out[z * 7..][..7] == heights[z * 20..][..7]));
    assert_eq!(field.size(), [7, 9]);
}

#[test]
fn what_is_wrong_is_said_with_its_numbers_and_nothing_is_written() {
    let heights = [1.0f32; 12];
    let field = HeightField::with_stride(&heights, [4, 3], 4).expect("a rectangle");
    let mut out = [7.0f32; 13];
    for error in [
        rapier::write(&field, 1.0, &mut out).expect_err("too many"),
        godot::write(&field, 1.0, &mut out).expect_err("too many"),
    ] {
        assert!(error.to_string().ends_with("has 13 values, 12 are needed"), "{error}");
    }
    let error = jolt::write(&field, 1.0, 2, &mut out).expect_err("no square");
    assert_eq!(error, ColliderError::NotSquare { size: [4, 3] });
    let square = HeightField::new(&heights[..9], 3).expect("a square");
    for block_size in [0, 1, 9] {
        let error = jolt::write(&square, 1.0, block_size, &mut out).expect_err("no block");
        assert_eq!(error, ColliderError::BlockSize { block_size });
    }
    let error = jolt::write(&square, 1.0, 2, &mut out).expect_err("too few");
    assert_eq!(error.to_string(), "the memory for Jolt's samples has 13 values, 16 are needed");
    assert_eq!(jolt::rounding_m(&square, 2, 17), Err(ColliderError::Bits { bits: 17 }));
    assert_eq!(out, [7.0; 13]);

    // No surface: one row, one column, nothing.
    for size in [[4, 1], [1, 4], [0, 0], [0, 4]] {
        let line = HeightField::with_stride(&heights, size, size[0]).expect("rows");
        let error = ColliderError::Samples { size };
        assert_eq!(rapier::write(&line, 1.0, &mut out[..size[0] * size[1]]), Err(error));
        assert_eq!(godot::write(&line, 1.0, &mut out[..size[0] * size[1]]), Err(error));
    }
    assert_eq!(
        jolt::rounding_m(&HeightField::new(&heights[..1], 1).expect("one"), 2, 8),
        Err(ColliderError::Samples { size: [1, 1] })
    );

    let lattice = physx::Lattice::new(-2.0, 0.5).expect("a range");
    let mut codes = [[9; 4]; 12];
    let error = physx::write(&field, 1.0, &lattice, 127, &mut codes).expect_err("a hole");
    assert_eq!(error, ColliderError::Material { material: 127 });
    let error = physx::write(&field, 1.0, &lattice, 0, &mut codes).expect_err("too high");
    assert_eq!(error.to_string(), "the height of sample 0, 0 is 1 m, outside -2 ..= 0.5 m");
    let mut holed = [0.0f32; 12];
    holed[6] = f32::NAN;
    let field = HeightField::with_stride(&holed, [4, 3], 4).expect("a rectangle");
    let error = physx::write(&field, 1.0, &lattice, 0, &mut codes).expect_err("no number");
    assert!(error.to_string().starts_with("the height of sample 2, 1 is NaN m"), "{error}");
    assert_eq!(codes, [[9; 4]; 12]);
    for (min_m, max_m) in [(1.0, 0.0), (f32::NAN, 1.0), (0.0, f32::INFINITY)] {
        assert!(matches!(physx::Lattice::new(min_m, max_m), Err(ColliderError::Lattice { .. })));
    }
}

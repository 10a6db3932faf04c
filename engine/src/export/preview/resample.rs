//! Enlarges a raster smoothly.
//!
//! In: a grid. Out: a grid of the size asked for, through the interpolating cubic B-spline. Shading shows the
//! slope, so the slope has to be smooth across samples: bilinear gives facets, Catmull-Rom gives creases, the
//! B-spline does not. Source: M. Unser, "Splines: a perfect fit for signal and image processing", IEEE SPM
//! 1999 (the recursive prefilter).

use super::raster::Grid;

/// The prefilter's pole, sqrt(3) - 2.
const POLE: f32 = -0.267_949_2;

/// Samples that are added at each end: beyond, the prefilter has forgotten what it saw.
const MARGIN: usize = 14;

/// Terms of the mirrored start value; the pole to this power is below the last bit.
const START_TERMS: usize = 14;

/// `grid` at `size`, at least its own size. Samples count as areas, so the edges coincide.
pub(super) fn enlarge(grid: &Grid, size: [usize; 2]) -> Grid {
    if grid.size == size {
        return grid.clone();
    }
    // The spline is fitted to heights above a level near them, since it rounds at the scale of what it is
    // given.
    let base = grid.values[0];
    let mut values: Vec<f32> = grid.values.iter().map(|height| height - base).collect();
    let mut size_now = grid.size;
    for axis in [0, 1] {
        values = extend(&values, size_now, axis);
        let count = size_now[axis];
        size_now[axis] += 2 * MARGIN;
        prefilter(&mut values, size_now, axis);
        values = stretch(&values, size_now, axis, count, size[axis]);
        size_now[axis] = size[axis];
    }
    values.iter_mut().for_each(|height| *height += base);
    Grid { size, values }
}

/// Continues a grid by [`MARGIN`] samples at both ends of one axis, each end turned about its last sample: a slope goes
/// on as a slope. (A mirrored end would be level, and a strip along the picture's edge would be lit as level ground.)
fn extend(values: &[f32], size: [usize; 2], axis: usize) -> Vec<f32> {
    let (count, mut to) = (size[axis], size);
    to[axis] += 2 * MARGIN;
    let mut out = Vec::with_capacity(to[0] * to[1]);
    for z in 0..to[1] {
        for x in 0..to[0] {
            let at = |i: usize| if axis == 0 { values[z * size[0] + i] } else { values[i * size[0] + x] };
            let i = [x, z][axis] as isize - MARGIN as isize;
            let last = count as isize - 1;
            let value = |i: isize| at(i.clamp(0, last) as usize);
            out.push(match i {
                i if i < 0 => 2.0 * at(0) - value(-i),
                i if i > last => 2.0 * value(last) - value(2 * last - i),
                i => value(i),
            });
        }
    }
    out
}

/// Turns samples along one axis into spline coefficients.
fn prefilter(values: &mut [f32], size: [usize; 2], axis: usize) {
    let count = size[axis];
    if count < 2 {
        return;
    }
    let mut line = vec![0.0; count];
    for l in 0..size[1 - axis] {
        let at = |i: usize| if axis == 0 { l * size[0] + i } else { i * size[0] + l };
        for (i, value) in line.iter_mut().enumerate() {
            // 6 is the filter's gain.
            *value = 6.0 * values[at(i)];
        }
        let (mut start, mut power) = (line[0], 1.0);
        for i in 1..START_TERMS {
            power *= POLE;
            start += power * line[mirror(i as isize, count)];
        }
        line[0] = start;
        for i in 1..count {
            line[i] += POLE * line[i - 1];
        }
        line[count - 1] = POLE / (POLE * POLE - 1.0) * (line[count - 1] + POLE * line[count - 2]);
        for i in (0..count - 1).rev() {
            line[i] = POLE * (line[i + 1] - line[i]);
        }
        for (i, value) in line.iter().enumerate() {
            values[at(i)] = *value;
        }
    }
}

/// Evaluates the spline at `to` points along one axis of an extended grid; `count` is its length without margins.
fn stretch(values: &[f32], size: [usize; 2], axis: usize, count: usize, to: usize) -> Vec<f32> {
    let taps: Vec<_> = (0..to).map(|i| taps(i, count, to)).collect();
    let mut out = Vec::new();
    if axis == 0 {
        for row in values.chunks_exact(size[0]) {
            out.extend(taps.iter().map(|(at, weight)| (0..4).map(|k| row[at[k]] * weight[k]).sum::<f32>()));
        }
    } else {
        for (at, weight) in &taps {
            let rows = at.map(|i| &values[i * size[0]..][..size[0]]);
            out.extend((0..size[0]).map(|x| (0..4).map(|k| rows[k][x] * weight[k]).sum::<f32>()));
        }
    }
    out
}

/// The four coefficients that decide point `i` of `to`, counted in the extended grid, and their weights.
fn taps(i: usize, count: usize, to: usize) -> ([usize; 4], [f32; 4]) {
    let position = (i as f64 + 0.5) * count as f64 / to as f64 - 0.5;
    let cell = position.floor();
    let t = (position - cell) as f32;
    let at = std::array::from_fn(|k| (cell as isize + k as isize - 1 + MARGIN as isize) as usize);
    let s = 1.0 - t;
    let weights =
        [s * s * s, 3.0 * t * t * t - 6.0 * t * t + 4.0, 3.0 * s * s * s - 6.0 * s * s + 4.0, t * t * t];
    (at, weights.map(|weight| weight / 6.0))
}

/// Reflects an index at the ends, without repeating them.
fn mirror(i: isize, count: usize) -> usize {
    let last = count as isize - 1;
    if last == 0 {
        return 0;
    }
    let folded = i.rem_euclid(2 * last);
    (if folded > last { 2 * last - folded } else { folded }) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(size: [usize; 2], height: impl Fn(usize, usize) -> f32) -> Grid {
        let values = (0..size[1]).flat_map(|z| (0..size[0]).map(move |x| (x, z)));
        Grid { size, values: values.map(|(x, z)| height(x, z)).collect() }
    }

    #[test]
    fn it_passes_through_the_samples() {
        let from = grid([9, 7], |x, z| ((x * 31 + z * 17) % 23) as f32 * 4.0 + 1000.0);
        // Three times as large: every second of three pixels lies on a sample.
        let to = enlarge(&from, [27, 21]);
        for (z, x) in (0..7).flat_map(|z| (0..9).map(move |x| (z, x))) {
            let (a, b) = (from.values[z * 9 + x], to.values[(3 * z + 1) * 27 + 3 * x + 1]);
            assert!((a - b).abs() < 1e-3, "{a} became {b}");
        }
    }

    #[test]
    fn planes_stay_planes_up_to_the_border() {
        let to = enlarge(&grid([40, 40], |x, z| 2.0 * x as f32 - 3.0 * z as f32), [100, 100]);
        for (z, x) in (0..100).flat_map(|z| (0..100).map(move |x| (z, x))) {
            let at = |i: usize| (i as f32 + 0.5) * 0.4 - 0.5;
            assert!((to.values[z * 100 + x] - (2.0 * at(x) - 3.0 * at(z))).abs() < 1e-3);
        }
    }

    #[test]
    fn single_samples_and_equal_sizes_are_fine() {
        assert!(enlarge(&grid([1, 1], |_, _| 7.0), [5, 4]).values.iter().all(|&height| height == 7.0));
        assert_eq!(enlarge(&grid([1, 3], |_, z| z as f32), [1, 3]).values, [0.0, 1.0, 2.0]);
        assert_eq!(enlarge(&grid([2, 1], |x, _| x as f32), [8, 3]).values.len(), 24);
    }
}

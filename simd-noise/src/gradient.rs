//! Gradient directions and the blend of gradients in a cell, sample by sample.
//!
//! The directions stand as literals: no sine or cosine is called in generation.

use terrane_lanes::Lanes;

use crate::axis::{WeightLanes, slope_weights, weights};
use crate::kernel::pointwise::At;
use crate::octave::Square;

/// The x parts of the eight directions in the plane: (k + 1/4) * 45 degrees.
pub(crate) const DIRECTION_X: [f32; 8] = [
    0.980_785_25,
    0.555_570_24,
    -0.195_090_32,
    -0.831_469_6,
    -0.980_785_25,
    -0.555_570_24,
    0.195_090_32,
    0.831_469_6,
];

/// The z parts of the eight directions.
pub(crate) const DIRECTION_Z: [f32; 8] = [
    0.195_090_32,
    0.831_469_6,
    0.980_785_25,
    0.555_570_24,
    -0.195_090_32,
    -0.831_469_6,
    -0.980_785_25,
    -0.555_570_24,
];

/// The corners of a cube: x, y and z parts.
pub(crate) const CUBE: [[f32; 8]; 3] = [
    [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0],
    [1.0, 1.0, -1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
    [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0],
];

/// No sum of one octave in the plane exceeds this in size: the largest value over all fractions and all choices of
/// four gradients, rounded up. `tests/bounds.rs` searches for it again.
pub(crate) const BOUND: f64 = 0.693_6;

/// The same with the corners of a cube, in space.
pub(crate) const CUBE_BOUND: f64 = 1.500_15;

/// Gradients of the corners of a cell, parts x, y, z: `[lower or upper in z][lower or upper in y][left or right]`. In
/// 2D only y 0 is there.
pub(crate) type Corners<F> = [[[[F; 3]; 2]; 2]; 2];

/// 2D: E and G of both lattice rows along x, then along z.
#[inline(always)]
pub(crate) fn flat<F: Copy + std::ops::Add<Output = F> + std::ops::Mul<Output = F>>(
    corners: &Corners<F>,
    a: &WeightLanes<F>,
    c: &WeightLanes<F>,
) -> F {
    let [e0, g0] = flat_row(&corners[0][0], a);
    let [e1, g1] = flat_row(&corners[1][0], a);
    (e0 * c.q0 + g0 * c.p0) + (e1 * c.q1 + g1 * c.p1)
}

#[inline(always)]
fn flat_row<F: Copy + std::ops::Add<Output = F> + std::ops::Mul<Output = F>>(
    [left, right]: &[[F; 3]; 2],
    a: &WeightLanes<F>,
) -> [F; 2] {
    [left[0] * a.p0 + right[0] * a.p1, left[2] * a.q0 + right[2] * a.q1]
}

/// 3D: E, G and H of both planes and lattice rows along x, then along y, then along z.
#[inline(always)]
pub(crate) fn deep<F: Copy + std::ops::Add<Output = F> + std::ops::Mul<Output = F>>(
    corners: &Corners<F>,
    a: &WeightLanes<F>,
    b: &WeightLanes<F>,
    c: &WeightLanes<F>,
) -> F {
    let [x0, z0] = deep_row(&corners[0], a, b);
    let [x1, z1] = deep_row(&corners[1], a, b);
    (x0 * c.q0 + z0 * c.p0) + (x1 * c.q1 + z1 * c.p1)
}

#[inline(always)]
fn deep_row<F: Copy + std::ops::Add<Output = F> + std::ops::Mul<Output = F>>(
    [below, above]: &[[[F; 3]; 2]; 2],
    a: &WeightLanes<F>,
    b: &WeightLanes<F>,
) -> [F; 2] {
    let ([e0, g0], h0) = (flat_row(below, a), below[0][1] * a.q0 + below[1][1] * a.q1);
    let ([e1, g1], h1) = (flat_row(above, a), above[0][1] * a.q0 + above[1][1] * a.q1);
    [(e0 * b.q0 + h0 * b.p0) + (e1 * b.q1 + h1 * b.p1), g0 * b.q0 + g1 * b.q1]
}

/// Weights along one axis, and their slopes where they are asked for.
#[derive(Clone, Copy)]
pub(crate) struct AxisLanes<F> {
    pub(crate) value: WeightLanes<F>,
    pub(crate) slope: WeightLanes<F>,
}

/// Weights and slopes along x, y, z.
#[inline(always)]
pub(crate) fn axes<L: Lanes>(l: L, at: &At<L>, square: &Square) -> [AxisLanes<L::F>; 3] {
    [
        axis(l, at[0].fraction, square, 0),
        axis(l, at[1].fraction, square, 1),
        axis(l, at[2].fraction, square, 2),
    ]
}

#[inline(always)]
fn axis<L: Lanes>(l: L, fraction: L::F, square: &Square, axis: usize) -> AxisLanes<L::F> {
    let value = weights(l, fraction);
    let w = l.splat(square.cells_per_sample[axis]);
    AxisLanes { value, slope: slope_weights(l, fraction, &value, w) }
}

/// Value and slopes along x, y, z of gradients at corners.
#[inline(always)]
pub(crate) fn value_and_slopes<L: Lanes, const THREE: bool>(
    l: L,
    corners: &Corners<L::F>,
    [x, y, z]: &[AxisLanes<L::F>; 3],
) -> [L::F; 4] {
    if THREE {
        [
            deep(corners, &x.value, &y.value, &z.value),
            deep(corners, &x.slope, &y.value, &z.value),
            deep(corners, &x.value, &y.slope, &z.value),
            deep(corners, &x.value, &y.value, &z.slope),
        ]
    } else {
        [
            flat(corners, &x.value, &z.value),
            flat(corners, &x.slope, &z.value),
            l.splat(0.0),
            flat(corners, &x.value, &z.slope),
        ]
    }
}

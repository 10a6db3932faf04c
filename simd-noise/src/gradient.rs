//! Gradient directions and the blend of gradients in a cell, sample by sample.
//!
//! The directions stand as literals: no sine or cosine is called in generation.

use std::ops::{Add, Mul};

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

/// Eight directions in space, parts x, y, z: unit vectors whose projections on the coordinate planes have no favourite
/// direction. The corners of a cube lie on the diagonals of every slice: docs/decisions/0006.
pub(crate) const SPACE: [[f32; 8]; 3] = [
    [0.042_309, -0.871_895, 0.896_641, 0.350_403, 0.230_593, -0.425_364, 0.484_220, -0.711_807],
    [-0.896_140, -0.484_173, -0.042_684, -0.229_374, -0.351_742, 0.712_245, 0.871_985, 0.425_119],
    [0.441_750, -0.073_315, -0.440_696, 0.908_078, -0.907_251, 0.558_366, 0.071_921, -0.559_110],
];

/// No sum of one octave in the plane exceeds this in size: the largest value over all fractions and all choices of
/// four gradients, rounded up. `tests/bounds.rs` searches for it again.
pub(crate) const BOUND: f64 = 0.693_6;

/// The same in space, with `SPACE`.
pub(crate) const SPACE_BOUND: f64 = 0.742_28;

/// Gradients of the corners of a cell, parts x, y, z: `[lower or upper in z][lower or upper in y][left or right]`. In
/// 2D only y 0 is there.
pub(crate) type Corners<F> = [[[[F; 3]; 2]; 2]; 2];

/// What blends need of a vector.
pub(crate) trait Vector: Copy + Add<Output = Self> + Mul<Output = Self> {}

impl<F: Copy + Add<Output = F> + Mul<Output = F>> Vector for F {}

/// Gradients at corners, blended.
#[inline(always)]
pub(crate) fn value<L: Lanes, const THREE: bool>(l: L, corners: &Corners<L::F>, at: &At<L>) -> L::F {
    let (a, c) = (weights(l, at[0].fraction), weights(l, at[2].fraction));
    if THREE { deep(corners, &a, &weights(l, at[1].fraction), &c) } else { flat(corners, &a, &c) }
}

/// 2D: E and G of both lattice rows along x, then along z.
#[inline(always)]
fn flat<F: Vector>(corners: &Corners<F>, a: &WeightLanes<F>, c: &WeightLanes<F>) -> F {
    let [e0, g0] = flat_row(&corners[0][0], a);
    let [e1, g1] = flat_row(&corners[1][0], a);
    (e0 * c.q0 + g0 * c.p0) + (e1 * c.q1 + g1 * c.p1)
}

#[inline(always)]
fn flat_row<F: Vector>([left, right]: &[[F; 3]; 2], a: &WeightLanes<F>) -> [F; 2] {
    [left[0] * a.p0 + right[0] * a.p1, left[2] * a.q0 + right[2] * a.q1]
}

/// 3D: E, G and H of both planes and lattice rows along x, then along y, then along z.
#[inline(always)]
fn deep<F: Vector>(corners: &Corners<F>, a: &WeightLanes<F>, b: &WeightLanes<F>, c: &WeightLanes<F>) -> F {
    let [x0, z0] = deep_row(&corners[0], a, b);
    let [x1, z1] = deep_row(&corners[1], a, b);
    (x0 * c.q0 + z0 * c.p0) + (x1 * c.q1 + z1 * c.p1)
}

#[inline(always)]
fn deep_row<F: Vector>([below, above]: &[[[F; 3]; 2]; 2], a: &WeightLanes<F>, b: &WeightLanes<F>) -> [F; 2] {
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

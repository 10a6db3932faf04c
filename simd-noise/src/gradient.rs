//! Gradient directions and the interpolation of gradient noise.
//!
//! In: a fraction in a lattice cell. Out: the weights of the cell's two lattice lines. The directions stand as
//! literals: no sine or cosine is called in generation. Source: K. Perlin, *Improving Noise* (2002), for the
//! quintic; the separable form is derived in docs/ARCHITECTURE.md.

use terrane_lanes::Lanes;

/// The x parts of the eight directions: (k + 1/4) * 45 degrees.
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

/// No sum of one octave with these directions exceeds this in size: the largest value over all fractions and all
/// choices of four gradients, rounded up. `tests/bounds.rs` searches for it again.
pub(crate) const BOUND: f64 = 0.693_6;

/// What the two lattice lines of one axis weigh at a fraction f of a cell, with u = fade(f).
#[derive(Clone, Copy)]
pub(crate) struct Weights<F> {
    /// `f * q0`: the lower line's gradient part along this axis.
    pub(crate) p0: F,
    /// `(f - 1) * q1`: the upper line's.
    pub(crate) p1: F,
    /// `1 - u`: the lower line's gradient part across this axis.
    pub(crate) q0: F,
    /// `u`: the upper line's.
    pub(crate) q1: F,
}

/// Perlin's quintic `6 f^5 - 15 f^4 + 10 f^3`.
#[inline(always)]
fn fade<L: Lanes>(l: L, f: L::F) -> L::F {
    f * f * f * (f * (f * l.splat(6.0) - l.splat(15.0)) + l.splat(10.0))
}

/// The weights at fraction `f`, 0 <= f < 1. This order of operations is part of the definition of the noise.
#[inline(always)]
pub(crate) fn weights<L: Lanes>(l: L, f: L::F) -> Weights<L::F> {
    let one = l.splat(1.0);
    let q1 = fade(l, f);
    let q0 = one - q1;
    Weights { p0: f * q0, p1: (f - one) * q1, q0, q1 }
}

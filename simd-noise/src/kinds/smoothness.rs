//! How fast the kinds of noise change: what bounds of coarse triangulations are made of.
//!
//! The numbers are of one octave with values in -1..=1, a cell. In the plane they are derived so. An octave is a sum
//! over the corners c of a cell (a triangle) of W_c (g_c . d_c): a weight, a gradient and the way from the corner;
//! value noise has W_c g_c with numbers g_c in -1..=1. Along a unit vector t the derivatives are
//!
//! ```text
//! first    sum g_c . (W_c' d_c + W_c t)
//! second   sum g_c . (W_c'' d_c + 2 W_c' t)
//! ```
//!
//! with W_c', W_c'' the weight's own along t. The gradients of the corners are any of their list, so the largest size
//! at a place is the sum over the corners of the largest |g . v_c|, v_c the bracket: a function of the place and of t
//! alone. Its largest value was searched on a grid of 200 by 200 places by 180 directions, and from there uphill:
//!
//! | kind | first | at (x, z, direction) | stated | second | at | stated |
//! |---|---|---|---|---|---|---|
//! | perlin | 2.0457 | (0.5, 0.5, 8 deg) | 2.09 | 9.0501 | (0.383, 0.342, 43 deg) | 9.23 |
//! | classic | 2.75 | (0.5, 0.5, 0) | 2.81 | 12.5589 | (0.325, 0.325, 45 deg) | 12.81 |
//! | value | 3.75 | (0, 0.5, 90 deg) | 3.8 | 14.0625 | (0.5, 0.5, 45 deg) | 14.35 |
//! | simplex | 0.073933 | (0, 0.5, 106 deg) | 0.0755 | 0.56131 | (0.005, 0.706, 104 deg) | 0.573 |
//!
//! Stated is 2 % more, so that `smoothness_proof.rs` can prove by branch and bound that no place is above it. These
//! are divided by the largest value of the kind. All are twice differentiable across the borders of cells: the
//! quintic's first and second derivatives are 0 there, as are those of simplex noise's (1/2 - r^2)^4 at its rim.

use super::KindInfo;

/// How fast an octave with values in -1..=1 changes, in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Smoothness {
    /// No slope a cell is larger, in any direction.
    pub(crate) slope_max: f64,
    /// No second derivative is, in any direction.
    pub(crate) second_max: f64,
    /// What values can differ in addition, however near.
    pub(crate) jump: f64,
    /// No value is further from the exact formula at its place.
    pub(crate) rounding: f64,
}

impl Smoothness {
    /// Anything within -1..=1, anywhere.
    pub(crate) const UNKNOWN: Self =
        Self { slope_max: f64::INFINITY, second_max: f64::INFINITY, jump: 0.0, rounding: 0.0 };
    /// The same everywhere.
    pub(crate) const CONSTANT: Self = Self { slope_max: 0.0, second_max: 0.0, jump: 0.0, rounding: 0.0 };

    /// Of a kind that blends lattice numbers: some twenty operations on numbers below 3, each rounded by 2^-24.
    pub(crate) const fn new(slope_max: f64, second_max: f64) -> Self {
        Self { slope_max, second_max, jump: 0.0, rounding: 1.0 / 262_144.0 }
    }

    /// Of a kind whose slopes along axes are bounded, in space.
    pub(crate) fn of_slopes(info: &KindInfo) -> Self {
        let slope_max = info.slope_max.map_or(f64::INFINITY, |max| max[1] * 3f64.sqrt());
        Self { rounding: 1.0 / 65_536.0, ..Self::new(slope_max, f64::INFINITY) }
    }
}

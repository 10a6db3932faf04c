//! Minimum and maximum that blend where their operands are within `k` of one another.
//!
//! Source: I. Quilez, *Smooth minimum* (the quadratic polynomial). With
//! `h = clamp((b - a) r + 0.5, 0, 1)`, `r = 1 / (2 k)`: `(a h + b (1 - h)) - (k h)(1 - h)`; the maximum has `(a - b)` in h and
//! adds the last term. Where they do not blend, h is 0 or 1 and the result is an operand to the bit. In the slope the
//! terms with h' cancel: h is where the formula is stationary in h.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, either, vector_by_vector};
use crate::program::deviation::{Deviation, Operand};
use crate::program::error::{ProgramError, number};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmoothMin(Blend);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmoothMax(Blend);

/// How wide the blend is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Blend {
    k: f32,
    r: f32,
}

impl SmoothMin {
    pub(crate) fn new(k: f64) -> Result<Self, ProgramError> {
        Blend::new("smooth min", k).map(Self)
    }
}

impl SmoothMax {
    pub(crate) fn new(k: f64) -> Result<Self, ProgramError> {
        Blend::new("smooth max", k).map(Self)
    }
}

impl Blend {
    fn new(operation: &'static str, k: f64) -> Result<Self, ProgramError> {
        let k =
            number(operation, "k", k, 1e-20..=1e20, "from 1e-20 to 1e20 (for a hard edge use min or max)")?;
        Ok(Self { k: k as f32, r: (0.5 / k) as f32 })
    }

    /// How much of the first operand.
    #[inline(always)]
    fn share<L: Lanes>(&self, l: L, lead: L::F) -> L::F {
        let h = lead * l.splat(self.r) + l.splat(0.5);
        l.min(l.max(h, l.splat(0.0)), l.splat(1.0))
    }

    /// The mix, and what the blend takes from it or adds to it.
    #[inline(always)]
    fn parts<L: Lanes>(&self, l: L, [a, b]: [L::F; 2], h: L::F) -> (L::F, L::F) {
        let other = l.splat(1.0) - h;
        (a * h + b * other, l.splat(self.k) * h * other)
    }

    /// What rounding can do: a few units of the last place of the largest term. The formula is stationary in h, so what
    /// rounding does to h counts for less.
    fn rounding(&self, [a, b]: [Interval; 2]) -> f64 {
        f64::from(f32::EPSILON) * 4.0 * (a.size() + b.size() + f64::from(self.k))
    }

    /// As a minimum or a maximum, whose crease is rounded: the slope along a - b changes by at most r a unit, and by
    /// 1 in all.
    fn deviation(&self, [a, b]: [Operand; 2]) -> Deviation {
        let (either, apart) = either(a.deviation, b.deviation);
        let round = f64::from(self.r) * (1.0 + 1e-6) * apart * apart;
        either.through(1.0, apart.min(round) / 2.0).rounded(self.rounding([a.interval, b.interval]))
    }

    /// Impossible where h could overflow.
    fn possible(&self, [a, b]: [Interval; 2]) -> Interval {
        a.subtract(b).times(self.r).clamp(0.0, 0.0)
    }

    fn text(&self) -> String {
        format!("within {}", self.k)
    }
}

/// Bounds of a mix of two, whatever its share.
fn mixed([a, b]: [Interval; 2]) -> Interval {
    a.join(b).widened(f64::from(f32::EPSILON) * 2.0 * (a.size() + b.size()))
}

impl Operation<2> for SmoothMin {
    const NAME: &'static str = "smooth min";
    vector_by_vector!(2);

    fn interval(&self, from: [Interval; 2]) -> Interval {
        let hard = from[0].min(from[1]).widened(self.0.rounding(from));
        let blended = f64::from(hard.low) - f64::from(self.0.k) * 0.25;
        Interval::outward(blended, f64::from(hard.high)).add(self.0.possible(from))
    }

    fn deviation(&self, from: [Operand; 2]) -> Deviation {
        self.0.deviation(from)
    }

    fn slope_interval(&self, _: [Interval; 2], slopes: [Interval; 2]) -> Interval {
        mixed(slopes)
    }

    fn parameters(&self) -> String {
        self.0.text()
    }
}

impl Vectorwise<2> for SmoothMin {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a, b]: [L::F; 2]) -> L::F {
        let h = self.0.share(l, b - a);
        let (mix, blend) = self.0.parts(l, [a, b], h);
        mix - blend
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a, b]: [L::F; 2], [da, db]: [L::F; 2]) -> L::F {
        let h = self.0.share(l, b - a);
        da * h + db * (l.splat(1.0) - h)
    }
}

impl Operation<2> for SmoothMax {
    const NAME: &'static str = "smooth max";
    vector_by_vector!(2);

    fn interval(&self, from: [Interval; 2]) -> Interval {
        let hard = from[0].max(from[1]).widened(self.0.rounding(from));
        let blended = f64::from(hard.high) + f64::from(self.0.k) * 0.25;
        Interval::outward(f64::from(hard.low), blended).add(self.0.possible(from))
    }

    fn deviation(&self, from: [Operand; 2]) -> Deviation {
        self.0.deviation(from)
    }

    fn slope_interval(&self, _: [Interval; 2], slopes: [Interval; 2]) -> Interval {
        mixed(slopes)
    }

    fn parameters(&self) -> String {
        self.0.text()
    }
}

impl Vectorwise<2> for SmoothMax {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a, b]: [L::F; 2]) -> L::F {
        let h = self.0.share(l, a - b);
        let (mix, blend) = self.0.parts(l, [a, b], h);
        mix + blend
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a, b]: [L::F; 2], [da, db]: [L::F; 2]) -> L::F {
        let h = self.0.share(l, a - b);
        da * h + db * (l.splat(1.0) - h)
    }
}

//! Terraces: treads that become flatter and risers that become steeper with sharpness.
//!
//! With `n` steps a unit of the operand, `t = a n; k = floor(t); f = t - k`. The riser takes the middle of a step, 1 / r of its
//! width, `r = 1 / (1 - (63 / 64) sharpness)`: `g = clamp((f - 0.5) r + 0.5, 0, 1)`, blended by sharpness s with a smoothstep:
//! `e = g + ((g g)(3 - 2 g) - g) s`. The result is `(k + e) / n`. Sharpness 0 changes nothing but rounding; at 1 the riser is 1/64 of a
//! step wide, so the result is continuous at any sharpness.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand, UNIT};
use crate::program::error::{ProgramError, number};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Terrace {
    /// Steps a unit, and one over that.
    steps: f32,
    height: f32,
    sharpness: f32,
    /// One over the riser's part of a step.
    riser: f32,
}

impl Terrace {
    pub(crate) fn new(steps: f64, sharpness: f64) -> Result<Self, ProgramError> {
        let steps = number("terrace", "steps", steps, 1e-20..=1e20, "from 1e-20 to 1e20 steps a unit")?;
        let sharpness = number("terrace", "sharpness", sharpness, 0.0..=1.0, "from 0 to 1")?;
        Ok(Self {
            steps: steps as f32,
            height: (1.0 / steps) as f32,
            sharpness: sharpness as f32,
            riser: (1.0 / (1.0 - sharpness * (63.0 / 64.0))) as f32,
        })
    }

    /// The whole steps below, and where in its riser a value is, before it is clamped.
    #[inline(always)]
    fn place<L: Lanes>(&self, l: L, a: L::F) -> (L::F, L::F) {
        let t = a * l.splat(self.steps);
        let k = l.floor(t);
        (k, (t - k - l.splat(0.5)) * l.splat(self.riser) + l.splat(0.5))
    }

    /// No slope is steeper: 1 + s (6 g (1 - g) - 1) lies between 1 - s and 1 + s / 2.
    fn steepest(&self) -> f64 {
        f64::from(self.riser) * (1.0 + 0.5 * f64::from(self.sharpness)) * (1.0 + 1e-6)
    }

    /// The terrace of an end of an interval: the formula in f32, without what follows from rounding.
    fn end(&self, a: f32) -> Interval {
        let t = Interval::point(a).times(self.steps);
        if !t.is_possible() {
            return t;
        }
        let k = t.low.floor();
        let g = ((t.low - k - 0.5) * self.riser + 0.5).clamp(0.0, 1.0);
        let e = g + (g * g * (3.0 - 2.0 * g) - g) * self.sharpness;
        Interval::point(k + e).times(self.height)
    }
}

impl Operation<1> for Terrace {
    const NAME: &'static str = "terrace";
    vector_by_vector!(1);

    fn interval(&self, [a]: [Interval; 1]) -> Interval {
        // It rises with its operand, but for rounding within a step.
        let ends = self.end(a.low).join(self.end(a.high));
        ends.widened(f64::from(f32::EPSILON) * 4.0 * (ends.size() + f64::from(self.height)))
    }

    fn deviation(&self, [a]: [Operand; 1]) -> Deviation {
        let (steepest, step) = (self.steepest(), f64::from(self.height) * (1.0 + 1e-6));
        let rounding = UNIT * (8.0 * (a.size() + step) + 3.0 * steepest * a.size());
        let Deviation { bend, drift, swing } = a.deviation;
        let steep = a.deviation.through(steepest, 0.0);
        // It is its operand plus at most half a step to either side, so a step more or less.
        let (drift, swing) = (steep.drift.min(drift + step), steep.swing.min(swing + step));
        Deviation { bend: drift.min(bend + step), drift, swing }.rounded(rounding)
    }

    fn slope_interval(&self, _: [Interval; 1], [da]: [Interval; 1]) -> Interval {
        da.multiply(Interval::outward(0.0, self.steepest())).with_zero()
    }

    fn parameters(&self) -> String {
        format!("{} steps a unit, sharpness {}", self.steps, self.sharpness)
    }
}

impl Vectorwise<1> for Terrace {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a]: [L::F; 1]) -> L::F {
        let (k, g) = self.place(l, a);
        let g = l.min(l.max(g, l.splat(0.0)), l.splat(1.0));
        let smooth = g * g * (l.splat(3.0) - (g + g));
        let e = g + (smooth - g) * l.splat(self.sharpness);
        (k + e) * l.splat(self.height)
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a]: [L::F; 1], [da]: [L::F; 1]) -> L::F {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let (_, g) = self.place(l, a);
        let smooth = l.splat(6.0) * (g * (one - g)) - one;
        let d = da * (l.splat(self.riser) * (one + smooth * l.splat(self.sharpness)));
        l.pick(l.lt(g, zero), zero, l.pick(l.lt(one, g), zero, d))
    }
}

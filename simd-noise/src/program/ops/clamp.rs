//! `min(max(a, low), high)`. Flat where it takes hold.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand};
use crate::program::error::{ProgramError, number};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clamp {
    low: f32,
    high: f32,
}

impl Clamp {
    pub(crate) fn new(low: f64, high: f64) -> Result<Self, ProgramError> {
        let low = number("clamp", "low", low, -1e30..=1e30, "from -1e30 to 1e30")?;
        let high = number("clamp", "high", high, low..=1e30, "at least low and at most 1e30")?;
        Ok(Self { low: low as f32, high: high as f32 })
    }
}

impl Operation<1> for Clamp {
    const NAME: &'static str = "clamp";
    vector_by_vector!(1);

    fn interval(&self, [a]: [Interval; 1]) -> Interval {
        a.clamp(self.low, self.high)
    }

    fn deviation(&self, [a]: [Operand; 1]) -> Deviation {
        let inside = self.low <= a.interval.low && a.interval.high <= self.high;
        a.deviation.through(1.0, if inside { 0.0 } else { a.deviation.spread() / 2.0 })
    }

    fn slope_interval(&self, _: [Interval; 1], [da]: [Interval; 1]) -> Interval {
        da.with_zero()
    }

    fn parameters(&self) -> String {
        format!("to {}..{}", self.low, self.high)
    }
}

impl Vectorwise<1> for Clamp {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a]: [L::F; 1]) -> L::F {
        l.min(l.max(a, l.splat(self.low)), l.splat(self.high))
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a]: [L::F; 1], [da]: [L::F; 1]) -> L::F {
        let zero = l.splat(0.0);
        l.pick(l.lt(a, l.splat(self.low)), zero, l.pick(l.lt(l.splat(self.high), a), zero, da))
    }
}

//! A straight line through two points, beyond them too: `(a - f) s + t`.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand, UNIT};
use crate::program::error::{ProgramError, number};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Remap {
    from: [f32; 2],
    to: [f32; 2],
    scale: f32,
}

impl Remap {
    pub(crate) fn new(from: [f64; 2], to: [f64; 2]) -> Result<Self, ProgramError> {
        const RIGHT: &str = "from -1e30 to 1e30";
        let check = |name, value| number("remap", name, value, -1e30..=1e30, RIGHT);
        let from = [check("from low", from[0])?, check("from high", from[1])?];
        let to = [check("to low", to[0])?, check("to high", to[1])?];
        // Ranges may run backwards, but not be empty.
        let width = from[1] - from[0];
        let refuse =
            |name, value, expected| Err(ProgramError::Value { operation: "remap", name, value, expected });
        if width.abs() < 1e-20 {
            return refuse("from high - from low", width, "at least 1e-20 in size");
        }
        let scale = (to[1] - to[0]) / width;
        if scale.abs() > 1e30 {
            return refuse("scale", scale, "at most 1e30 in size: the range mapped from is too narrow");
        }
        Ok(Self { from: from.map(|v| v as f32), to: to.map(|v| v as f32), scale: scale as f32 })
    }
}

impl Operation<1> for Remap {
    const NAME: &'static str = "remap";
    const LINEAR: bool = true;
    vector_by_vector!(1);

    fn interval(&self, [a]: [Interval; 1]) -> Interval {
        let along = a.subtract(Interval::point(self.from[0])).times(self.scale);
        along.add(Interval::point(self.to[0]))
    }

    fn deviation(&self, [a]: [Operand; 1]) -> Deviation {
        let [scale, from, to] = [self.scale, self.from[0], self.to[0]].map(|v| f64::from(v).abs());
        let rounding = UNIT * (3.0 * (a.size() + from) * scale + to);
        a.deviation.through(scale, 0.0).rounded(rounding)
    }

    fn slope_interval(&self, _: [Interval; 1], [da]: [Interval; 1]) -> Interval {
        da.times(self.scale)
    }

    fn parameters(&self) -> String {
        let ([f0, f1], [t0, t1]) = (self.from, self.to);
        format!("from {f0}..{f1} to {t0}..{t1}")
    }
}

impl Vectorwise<1> for Remap {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a]: [L::F; 1]) -> L::F {
        (a - l.splat(self.from[0])) * l.splat(self.scale) + l.splat(self.to[0])
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, _: [L::F; 1], [da]: [L::F; 1]) -> L::F {
        da * l.splat(self.scale)
    }
}

//! `max(a, 0 - a)`.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Abs;

impl Operation<1> for Abs {
    const NAME: &'static str = "abs";
    vector_by_vector!(1);

    fn interval(&self, [a]: [Interval; 1]) -> Interval {
        a.abs()
    }

    fn deviation(&self, [a]: [Operand; 1]) -> Deviation {
        let crease = if a.interval.low < 0.0 && a.interval.high > 0.0 { a.deviation.spread() } else { 0.0 };
        a.deviation.through(1.0, crease)
    }

    fn slope_interval(&self, _: [Interval; 1], [da]: [Interval; 1]) -> Interval {
        da.join(Interval::point(0.0).subtract(da))
    }
}

impl Vectorwise<1> for Abs {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a]: [L::F; 1]) -> L::F {
        l.max(a, l.splat(0.0) - a)
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a]: [L::F; 1], [da]: [L::F; 1]) -> L::F {
        let zero = l.splat(0.0);
        l.pick(l.lt(a, zero), zero - da, da)
    }
}

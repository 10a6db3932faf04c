//! The larger of two: `b < a ? a : b`, and the slope of the one taken.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, either, vector_by_vector};
use crate::program::deviation::{Deviation, Operand};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Max;

impl Operation<2> for Max {
    const NAME: &'static str = "max";
    vector_by_vector!(2);

    fn interval(&self, [a, b]: [Interval; 2]) -> Interval {
        a.max(b)
    }

    fn deviation(&self, [a, b]: [Operand; 2]) -> Deviation {
        if a.interval.low >= b.interval.high {
            a.deviation
        } else if b.interval.low >= a.interval.high {
            b.deviation
        } else {
            let (either, apart) = either(a.deviation, b.deviation);
            either.through(1.0, apart / 2.0)
        }
    }

    fn slope_interval(&self, _: [Interval; 2], [da, db]: [Interval; 2]) -> Interval {
        da.join(db)
    }
}

impl Vectorwise<2> for Max {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a, b]: [L::F; 2]) -> L::F {
        l.max(a, b)
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a, b]: [L::F; 2], [da, db]: [L::F; 2]) -> L::F {
        l.pick(l.lt(b, a), da, db)
    }
}

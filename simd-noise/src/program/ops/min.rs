//! The smaller of two: `a < b ? a : b`, and the slope of the one taken.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, either, vector_by_vector};
use crate::program::deviation::{Deviation, Operand};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Min;

impl Operation<2> for Min {
    const NAME: &'static str = "min";
    vector_by_vector!(2);

    fn interval(&self, [a, b]: [Interval; 2]) -> Interval {
        a.min(b)
    }

    fn deviation(&self, [a, b]: [Operand; 2]) -> Deviation {
        if a.interval.high <= b.interval.low {
            a.deviation
        } else if b.interval.high <= a.interval.low {
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

impl Vectorwise<2> for Min {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a, b]: [L::F; 2]) -> L::F {
        l.min(a, b)
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a, b]: [L::F; 2], [da, db]: [L::F; 2]) -> L::F {
        l.pick(l.lt(a, b), da, db)
    }
}

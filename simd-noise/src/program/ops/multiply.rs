//! `a b`.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand, UNIT};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Multiply;

impl Operation<2> for Multiply {
    const NAME: &'static str = "multiply";
    vector_by_vector!(2);

    fn interval(&self, [a, b]: [Interval; 2]) -> Interval {
        a.multiply(b)
    }

    fn deviation(&self, [a, b]: [Operand; 2]) -> Deviation {
        a.times(&b).rounded(UNIT * a.size() * b.size())
    }

    fn slope_interval(&self, [a, b]: [Interval; 2], [da, db]: [Interval; 2]) -> Interval {
        da.multiply(b).add(a.multiply(db))
    }
}

impl Vectorwise<2> for Multiply {
    #[inline(always)]
    fn value<L: Lanes>(&self, _: L, [a, b]: [L::F; 2]) -> L::F {
        a * b
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, _: L, [a, b]: [L::F; 2], [da, db]: [L::F; 2]) -> L::F {
        da * b + a * db
    }
}

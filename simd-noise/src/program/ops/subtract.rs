//! `a - b`.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand, UNIT};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Subtract;

impl Operation<2> for Subtract {
    const NAME: &'static str = "subtract";
    const LINEAR: bool = true;
    vector_by_vector!(2);

    fn interval(&self, [a, b]: [Interval; 2]) -> Interval {
        a.subtract(b)
    }

    fn deviation(&self, [a, b]: [Operand; 2]) -> Deviation {
        a.deviation.plus(b.deviation).rounded(UNIT * (a.size() + b.size()))
    }

    fn slope_interval(&self, _: [Interval; 2], [da, db]: [Interval; 2]) -> Interval {
        da.subtract(db)
    }
}

impl Vectorwise<2> for Subtract {
    #[inline(always)]
    fn value<L: Lanes>(&self, _: L, [a, b]: [L::F; 2]) -> L::F {
        a - b
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, _: L, _: [L::F; 2], [da, db]: [L::F; 2]) -> L::F {
        da - db
    }
}

//! The chain rule: slopes at a moved position, along one axis.
//!
//! In: g, the slope along the axis with respect to the moved position; gx, gz (and gy) that along x, z (and y); X, Z (and
//! Y) the slopes of the displacement along the axis. Out: `g + (gx X + gz Z)`, in space `g + ((gx X + gy Y) + gz Z)`.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand, UNIT};
use crate::program::interval::Interval;

/// Operands g, gx, X, gz, Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChainFlat;

/// Operands g, gx, X, gy, Y, gz, Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChainDeep;

impl Operation<5> for ChainFlat {
    const NAME: &'static str = "chain";
    const HAS_SLOPE: bool = false;
    vector_by_vector!(5);

    fn interval(&self, [g, gx, x, gz, z]: [Interval; 5]) -> Interval {
        g.add(gx.multiply(x).add(gz.multiply(z)))
    }

    fn deviation(&self, [g, gx, x, gz, z]: [Operand; 5]) -> Deviation {
        let sum = g.deviation.plus(gx.times(&x)).plus(gz.times(&z));
        sum.rounded(4.0 * UNIT * (g.size() + gx.size() * x.size() + gz.size() * z.size()))
    }

    fn slope_interval(&self, _: [Interval; 5], _: [Interval; 5]) -> Interval {
        unreachable!("slopes of slopes are refused")
    }
}

impl Vectorwise<5> for ChainFlat {
    #[inline(always)]
    fn value<L: Lanes>(&self, _: L, [g, gx, x, gz, z]: [L::F; 5]) -> L::F {
        g + (gx * x + gz * z)
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, _: [L::F; 5], _: [L::F; 5]) -> L::F {
        l.splat(0.0)
    }
}

impl Operation<7> for ChainDeep {
    const NAME: &'static str = "chain";
    const HAS_SLOPE: bool = false;
    vector_by_vector!(7);

    fn interval(&self, [g, gx, x, gy, y, gz, z]: [Interval; 7]) -> Interval {
        g.add(gx.multiply(x).add(gy.multiply(y)).add(gz.multiply(z)))
    }

    fn deviation(&self, [g, gx, x, gy, y, gz, z]: [Operand; 7]) -> Deviation {
        let sum = g.deviation.plus(gx.times(&x)).plus(gy.times(&y)).plus(gz.times(&z));
        let size = g.size() + gx.size() * x.size() + gy.size() * y.size() + gz.size() * z.size();
        sum.rounded(5.0 * UNIT * size)
    }

    fn slope_interval(&self, _: [Interval; 7], _: [Interval; 7]) -> Interval {
        unreachable!("slopes of slopes are refused")
    }
}

impl Vectorwise<7> for ChainDeep {
    #[inline(always)]
    fn value<L: Lanes>(&self, _: L, [g, gx, x, gy, y, gz, z]: [L::F; 7]) -> L::F {
        g + ((gx * x + gy * y) + gz * z)
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, _: [L::F; 7], _: [L::F; 7]) -> L::F {
        l.splat(0.0)
    }
}

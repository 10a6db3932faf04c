//! A small whole power, by squares: `a2 = a a`, `a4 = a2 a2`, and of those `a3 = a2 a`, `a5 = a4 a`, `a6 = a4 a2`,
//! `a7 = (a4 a2) a`, `a8 = a4 a4`.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand, UNIT};
use crate::program::error::ProgramError;
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Power {
    /// 1 ..= 8.
    exponent: u32,
}

impl Power {
    pub(crate) fn new(exponent: u32) -> Result<Self, ProgramError> {
        if (1..=8).contains(&exponent) {
            return Ok(Self { exponent });
        }
        let value = f64::from(exponent);
        Err(ProgramError::Value {
            operation: "power",
            name: "exponent",
            value,
            expected: "a whole number from 1 to 8",
        })
    }
}

/// `a` to the power `n`, 0 ..= 8.
#[inline(always)]
fn power<L: Lanes>(l: L, a: L::F, n: u32) -> L::F {
    let a2 = a * a;
    let a4 = a2 * a2;
    match n {
        0 => l.splat(1.0),
        1 => a,
        2 => a2,
        3 => a2 * a,
        4 => a4,
        5 => a4 * a,
        6 => a4 * a2,
        7 => a4 * a2 * a,
        _ => a4 * a4,
    }
}

/// The same for bounds. On sizes every product is monotone; odd powers keep the sign.
fn power_of(a: Interval, n: u32) -> Interval {
    if n == 0 {
        return Interval::point(1.0);
    }
    let raised = |a: Interval| {
        let a2 = a.multiply(a);
        let a4 = a2.multiply(a2);
        match n {
            1 => a,
            2 => a2,
            3 => a2.multiply(a),
            4 => a4,
            5 => a4.multiply(a),
            6 => a4.multiply(a2),
            7 => a4.multiply(a2).multiply(a),
            _ => a4.multiply(a4),
        }
    };
    if n.is_multiple_of(2) {
        return raised(a.abs());
    }
    let (low, high) = (raised(Interval::point(a.low)), raised(Interval::point(a.high)));
    low.join(high)
}

impl Operation<1> for Power {
    const NAME: &'static str = "power";
    vector_by_vector!(1);

    fn interval(&self, [a]: [Interval; 1]) -> Interval {
        power_of(a, self.exponent)
    }

    fn deviation(&self, [a]: [Operand; 1]) -> Deviation {
        let (n, size, spread) = (f64::from(self.exponent), a.size(), a.deviation.spread());
        let raised = |less: u32| (less..self.exponent).fold(1.0, |product, _| product * size);
        let more = n * (n - 1.0) * raised(2) / 2.0 * spread * spread;
        a.deviation.through(n * raised(1), more).rounded(UNIT * n * raised(0))
    }

    fn slope_interval(&self, [a]: [Interval; 1], [da]: [Interval; 1]) -> Interval {
        power_of(a, self.exponent - 1).times(self.exponent as f32).multiply(da)
    }

    fn parameters(&self) -> String {
        self.exponent.to_string()
    }
}

impl Vectorwise<1> for Power {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a]: [L::F; 1]) -> L::F {
        power(l, a, self.exponent)
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a]: [L::F; 1], [da]: [L::F; 1]) -> L::F {
        power(l, a, self.exponent - 1) * l.splat(self.exponent as f32) * da
    }
}

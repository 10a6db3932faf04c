//! From a to b by a mask t: `a (1 - t) + b t`, t clamped to 0..1. At the ends of the mask an operand to the bit.

use terrane_lanes::Lanes;

use super::{Clamp, Operation, Vectorwise, either, vector_by_vector};
use crate::program::deviation::{Deviation, Operand, UNIT};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mix;

#[inline(always)]
fn clamped<L: Lanes>(l: L, t: L::F) -> L::F {
    l.min(l.max(t, l.splat(0.0)), l.splat(1.0))
}

/// Bounds of `a (1 - t) + b t`: it is linear in each of the three, so its extremes lie at their ends.
fn mixed(a: Interval, b: Interval, t: Interval) -> Interval {
    let t = t.clamp(0.0, 1.0);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for a in [a.low, a.high] {
        for b in [b.low, b.high] {
            for t in [t.low, t.high] {
                let t = f64::from(t);
                let v = f64::from(a) * (1.0 - t) + f64::from(b) * t;
                // Not `min`, which would hide what is impossible.
                low = if v < low || v.is_nan() { v } else { low };
                high = if v > high || v.is_nan() { v } else { high };
            }
        }
    }
    Interval::outward(low, high).widened(f64::from(f32::EPSILON) * 2.0 * (a.size() + b.size()))
}

impl Operation<3> for Mix {
    const NAME: &'static str = "mix";
    vector_by_vector!(3);

    fn interval(&self, [a, b, t]: [Interval; 3]) -> Interval {
        mixed(a, b, t)
    }

    fn deviation(&self, [a, b, t]: [Operand; 3]) -> Deviation {
        let t = Clamp::new(0.0, 1.0).expect("in order").deviation([t]);
        // a + t (b - a): what it takes of both is at most the larger, and t moves it by as much as they are apart.
        let (either, apart) = either(a.deviation, b.deviation);
        let between = a.interval.subtract(b.interval).size();
        let (drift, swing) = (a.deviation.drift.max(b.deviation.drift), either.swing);
        let mix = Deviation { drift, ..either }.plus(t.through(between, apart * t.spread()));
        Deviation { swing: swing + between * t.swing, ..mix }.rounded(4.0 * UNIT * (a.size() + b.size()))
    }

    fn slope_interval(&self, [a, b, t]: [Interval; 3], [da, db, dt]: [Interval; 3]) -> Interval {
        mixed(da, db, t).add(b.subtract(a).multiply(dt.with_zero()))
    }
}

impl Vectorwise<3> for Mix {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [a, b, t]: [L::F; 3]) -> L::F {
        let t = clamped(l, t);
        a * (l.splat(1.0) - t) + b * t
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, [a, b, t]: [L::F; 3], [da, db, dt]: [L::F; 3]) -> L::F {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let dt = l.pick(l.lt(t, zero), zero, l.pick(l.lt(one, t), zero, dt));
        let t = clamped(l, t);
        (da * (one - t) + db * t) + (b - a) * dt
    }
}

//! A value through a curve's table: `t = clamp((a - low) scale, 0, 1024-)`, i its whole part, f the rest,
//! `clamp(T_i + f (T_(i+1) - T_i), lowest, highest)`. The slope is that of the table's piece, and 0 beyond the range.
//!
//! Row by row in three passes: places in the table, the entries around each, the line between them. The middle pass is
//! scalar (no level has a safe gather); apart from the others it need not wait for them.

use std::sync::Arc;

use terrane_lanes::{Aligned, Lanes};

use super::Operation;
use crate::program::curve::{CURVE_INTERVALS, Curve};
use crate::program::deviation::{Deviation, Operand};
use crate::program::interval::Interval;
use crate::scratch::{ROW, Row, STRIP, WordRow};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CurveOf(Arc<Curve>);

impl CurveOf {
    pub(crate) fn new(curve: &Curve) -> Self {
        Self(Arc::new(curve.clone()))
    }

    /// The place of a value in the table, clamped to it or not.
    #[inline(always)]
    fn place<L: Lanes>(&self, l: L, a: L::F) -> L::F {
        (a - l.splat(self.0.range[0])) * l.splat(self.0.scale)
    }

    /// Looks a row up: the rest of each place goes to `rest`, the entries around it to `ends`.
    #[inline(always)]
    fn look_up<L: Lanes>(
        &self,
        l: L,
        from: &Row,
        lanes: usize,
        rest: &mut Row,
        [below, above]: &mut [Row; 2],
    ) {
        let mut index: WordRow = Aligned([0; STRIP]);
        // The largest f32 below the number of intervals: the index of the last one, with a rest near 1.
        let last = l.splat((CURVE_INTERVALS as f32).next_down());
        let mut at = 0;
        while at < lanes && at + L::N <= STRIP {
            let t = l.min(l.max(self.place(l, l.load(&from[at..])), l.splat(0.0)), last);
            let i = l.trunc(t);
            l.store_u(i, &mut index[at..]);
            l.store(t - l.to_f(i), &mut rest[at..]);
            at += L::N;
        }
        let table = self.0.table();
        let entries = below.iter_mut().zip(above.iter_mut()).zip(index.iter());
        for ((below, above), index) in entries.take(lanes) {
            // Below CURVE_INTERVALS already; the mask tells the compiler.
            let i = *index as usize & (CURVE_INTERVALS - 1);
            *below = table[i];
            *above = table[i + 1];
        }
    }

    /// The places that bounds cover in the table.
    fn pieces(&self, a: Interval) -> std::ops::RangeInclusive<usize> {
        self.0.place(a.low).0..=self.0.place(a.high).0
    }

    /// Impossible where a place in the table could overflow.
    fn possible(&self, a: Interval) -> Interval {
        a.subtract(Interval::point(self.0.range[0])).times(self.0.scale).clamp(0.0, 0.0)
    }
}

impl Operation<1> for CurveOf {
    const NAME: &'static str = "curve";

    #[inline(always)]
    fn values<L: Lanes>(&self, l: L, [from]: [&Row; 1], lanes: usize, to: &mut Row) {
        let mut ends = [ROW; 2];
        self.look_up(l, from, lanes, to, &mut ends);
        let (low, high) = (l.splat(self.0.ends[0]), l.splat(self.0.ends[1]));
        let mut at = 0;
        while at < lanes && at + L::N <= STRIP {
            let (below, above) = (l.load(&ends[0][at..]), l.load(&ends[1][at..]));
            let v = below + l.load(&to[at..]) * (above - below);
            l.store(l.min(l.max(v, low), high), &mut to[at..]);
            at += L::N;
        }
    }

    #[inline(always)]
    fn slopes<L: Lanes>(&self, l: L, [from]: [&Row; 1], [slope]: [&Row; 1], lanes: usize, to: &mut Row) {
        let mut ends = [ROW; 2];
        self.look_up(l, from, lanes, to, &mut ends);
        let (zero, last) = (l.splat(0.0), l.splat(CURVE_INTERVALS as f32));
        let mut at = 0;
        while at < lanes && at + L::N <= STRIP {
            let t = self.place(l, l.load(&from[at..]));
            let rise = l.load(&ends[1][at..]) - l.load(&ends[0][at..]);
            let d = l.load(&slope[at..]) * l.splat(self.0.scale) * rise;
            let d = l.pick(l.lt(t, zero), zero, l.pick(l.lt(last, t), zero, d));
            l.store(d, &mut to[at..]);
            at += L::N;
        }
    }

    fn interval(&self, [a]: [Interval; 1]) -> Interval {
        let possible = self.possible(a);
        if !possible.is_possible() {
            return possible;
        }
        let pieces = self.pieces(a);
        let entries = &self.0.table()[*pieces.start()..=pieces.end() + 1];
        let mut reached = Interval::point(entries[0]);
        for entry in entries {
            reached = reached.join(Interval::point(*entry));
        }
        // The line between two entries may round beyond them, but not beyond the ends.
        reached.widened(f64::from(f32::EPSILON) * 4.0 * reached.size()).clamp(self.0.ends[0], self.0.ends[1])
    }

    fn deviation(&self, [a]: [Operand; 1]) -> Deviation {
        self.0.deviation(a.deviation, a.interval)
    }

    fn slope_interval(&self, [a]: [Interval; 1], [da]: [Interval; 1]) -> Interval {
        let possible = self.possible(a);
        if !possible.is_possible() {
            return possible;
        }
        let mut rises = Interval::point(0.0);
        for i in self.pieces(a) {
            let ends = [self.0.table()[i], self.0.table()[i + 1]];
            rises = rises.join(Interval::point(ends[1] - ends[0]));
        }
        da.times(self.0.scale).multiply(rises).with_zero()
    }

    fn parameters(&self) -> String {
        let [low, high] = self.0.range;
        format!("of {} keys over {low}..{high}", self.0.key_count())
    }
}

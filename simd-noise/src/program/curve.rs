//! Curves: from a value to another through keys.
//!
//! In: keys and the range of values that the curve is for. Out: a table of 1025 entries over the range, read with linear
//! interpolation, and a bound on what that differs from the curve. The curve is the monotone cubic through the keys: it
//! never overshoots a key and rises where they rise. Source: F. N. Fritsch and R. E. Carlson, *Monotone Piecewise Cubic
//! Interpolation* (1980), with the three-point tangents of F. N. Fritsch and J. Butland (1984).
//!
//! Deliberately not here: reading the table over lanes (`ops/curve.rs`).

use super::deviation::{Deviation, UNIT};
use super::error::{ProgramError, number};
use super::interval::Bounds;

/// Intervals of a curve's table.
pub const CURVE_INTERVALS: usize = 1024;
/// Most keys of a curve.
pub const CURVE_KEYS_MAX: usize = 1024;

/// A point that a curve goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveKey {
    /// A value.
    pub at: f64,
    /// What it becomes.
    pub to: f64,
}

/// A compiled curve.
///
/// ```
/// use terrane_noise::{Curve, CurveKey};
/// let keys = [(-1.0, -40.0), (0.0, 0.0), (0.3, 10.0), (1.0, 160.0)].map(|(at, to)| CurveKey { at, to });
/// let curve = Curve::new(&keys, [-1.0, 1.0])?;
/// assert_eq!((curve.at(-7.0), curve.at(0.0)), (-40.0, 0.0));
/// assert!((curve.at(7.0) - 160.0).abs() < 0.01 && curve.error() < 0.01);
/// # Ok::<(), terrane_noise::ProgramError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Entries at `low + i (high - low) / 1024`.
    table: Box<[f32; CURVE_INTERVALS + 1]>,
    /// The range of values.
    pub(crate) range: [f32; 2],
    /// Table intervals a unit of the value.
    pub(crate) scale: f32,
    /// Results are clamped to these.
    pub(crate) ends: [f32; 2],
    keys: usize,
    error: f64,
}

/// A stretch of the table.
struct Window {
    /// The largest rise an interval, in size.
    steepest: f64,
    /// By how much that rises in all, or falls.
    turns: f64,
    /// The most that it changes at one entry.
    kink: f64,
    /// How far apart the entries are.
    range: f64,
}

/// A cubic piece per pair of keys, in Hermite form.
struct MonotoneCubic {
    /// (value, result, tangent) per key.
    keys: Vec<[f64; 3]>,
}

impl Curve {
    /// The curve through `keys`, in order, for values in `range`. Before the first key and after the last it is flat, and
    /// so are its ends there, unless they lie on an end of the range; beyond the range it holds what it has at the end (just
    /// before the upper one).
    ///
    /// # Errors
    /// When there are fewer than two keys, a number is none, keys are not in order at least 1/1024 of the range apart, or
    /// one lies outside the range.
    pub fn new(keys: &[CurveKey], range: [f32; 2]) -> Result<Self, ProgramError> {
        check(keys, range)?;
        let ends = keys
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], key| [low.min(key.to), high.max(key.to)]);
        Ok(Self::compile(keys, range, (0.0, 1.0), ends.map(|end| end as f32)))
    }

    /// The same where `to` is a share, 0 ..= 1, of the results from `to[0]` to `to[1]`: a height curve in metres.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when a share is none or `to` is not in order.
    pub fn with_shares(keys: &[CurveKey], range: [f32; 2], to: [f32; 2]) -> Result<Self, ProgramError> {
        check(keys, range)?;
        for key in keys {
            number("curve", "share", key.to, 0.0..=1.0, "from 0 to 1")?;
        }
        let [low, high] = to.map(f64::from);
        number("curve", "lowest result", low, -1e30..=1e30, "from -1e30 to 1e30")?;
        number("curve", "highest result", high, low..=1e30, "at least the lowest and at most 1e30")?;
        Ok(Self::compile(keys, range, (low, high - low), to))
    }

    fn compile(keys: &[CurveKey], range: [f32; 2], (base, span): (f64, f64), ends: [f32; 2]) -> Self {
        let [low, high] = range.map(f64::from);
        // Adding 0 makes -0 to 0, so that equal curves have equal bits.
        let keys: Vec<_> = keys.iter().map(|key| CurveKey { at: key.at + 0.0, to: key.to + 0.0 }).collect();
        let (ends, base) = (ends.map(|end| end + 0.0), base + 0.0);
        let cubic = MonotoneCubic::new(&keys, [low, high]);
        let step = (high - low) / CURVE_INTERVALS as f64;
        let entry = |i: usize| {
            let share = cubic.at(i as f64 * step + low);
            ((base + share * span) as f32).clamp(ends[0], ends[1])
        };
        let scale = (CURVE_INTERVALS as f64 / (high - low)) as f32;
        let bend = step * step / 8.0 * cubic.second_derivative_max() * span;
        let mut curve = Self {
            table: Box::new(std::array::from_fn(entry)),
            range,
            scale,
            ends,
            keys: keys.len(),
            error: bend,
        };
        curve.error += curve.rounding(cubic.slope_max() * span);
        curve
    }

    /// The entries at `low + i (high - low) / 1024` of the range.
    #[must_use]
    #[inline(always)]
    pub fn table(&self) -> &[f32; CURVE_INTERVALS + 1] {
        &self.table
    }

    /// The range of values that the curve is for.
    #[must_use]
    pub fn range(&self) -> [f32; 2] {
        self.range
    }

    /// The smallest and the largest result.
    #[must_use]
    pub fn ends(&self) -> [f32; 2] {
        self.ends
    }

    /// How many keys it was made of.
    #[must_use]
    pub fn key_count(&self) -> usize {
        self.keys
    }

    /// The largest distance of a result from the exact curve: table, interpolation and f32 rounding, for values in the
    /// range.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.error
    }

    /// One value through the table, with the bits that a program gives.
    #[must_use]
    pub fn at(&self, value: f32) -> f32 {
        let (i, f) = self.place(value);
        let (below, above) = (self.table[i], self.table[i + 1]);
        let result = below + f * (above - below);
        result.clamp(self.ends[0], self.ends[1])
    }

    /// How far the results can leave a coarse triangulation, where the values, within `values`, can as `of` says.
    /// Exactly for the table that is read. Costs some microseconds.
    ///
    /// All values that belong to one triangle lie in a window as wide as their swing, so the table is looked at
    /// window by window: how steep it is, how often it turns there, and how far its entries are apart. What a
    /// triangle adds between its corners is at most half a spread for each unit that the slope rises (or falls), and
    /// with kinks of at most k, an interval d apart, at most k spread (spread / d + 1) / 2: a hinge's share as a
    /// function of the hinge rises to the triangle's own value, falls after it, and has the integral spread^2 / 2.
    #[must_use]
    pub fn deviation(&self, of: Deviation, values: Bounds) -> Deviation {
        if of.swing == 0.0 {
            return Deviation::NONE;
        }
        let scale = f64::from(self.scale);
        let (swing, spread) = (of.swing * scale, of.spread() * scale);
        // Intervals that values can be in.
        let (first, last) = (self.place(values.low).0, self.place(values.high).0);
        // Windows are widened to whole intervals, and start at some of them only.
        let step = ((swing / 4.0) as usize).clamp(1, CURVE_INTERVALS);
        let width = (swing.min(CURVE_INTERVALS as f64).ceil() as usize + step).min(last - first + 1);
        let mut worst = Deviation::NONE;
        let mut steepest_of_all = 0f64;
        let mut start = first;
        loop {
            let end = (start + width).min(last + 1);
            let Window { steepest, turns, kink, range } = self.window(start, end);
            let more = (turns / 2.0).min(kink * (spread + 1.0) / 2.0) * spread;
            let here = of.through(steepest * scale, more).within(range);
            worst.bend = worst.bend.max(here.bend);
            worst.drift = worst.drift.max(here.drift);
            worst.swing = worst.swing.max(here.swing);
            steepest_of_all = steepest_of_all.max(steepest * scale);
            if end > last {
                break;
            }
            start += step;
        }
        worst.rounded(self.rounding(steepest_of_all))
    }

    /// What the table does over the intervals `start .. end`, in results an interval, and flat beyond its ends.
    fn window(&self, start: usize, end: usize) -> Window {
        let rise = |i: usize| f64::from(self.table[i + 1]) - f64::from(self.table[i]);
        let mut before = if start == 0 { 0.0 } else { rise(start) };
        let (mut low, mut high) = (self.table[start], self.table[start]);
        let (mut steepest, mut up, mut down, mut kink) = (0f64, 0f64, 0f64, 0f64);
        let flat_end = (end == CURVE_INTERVALS).then_some(0.0);
        for (i, here) in (start..end).map(rise).chain(flat_end).enumerate() {
            steepest = steepest.max(here.abs());
            let turn = here - before;
            (up, down) = (up + turn.max(0.0), down - turn.min(0.0));
            kink = kink.max(turn.abs());
            before = here;
            let entry = self.table[(start + i + 1).min(end)];
            (low, high) = (low.min(entry), high.max(entry));
        }
        Window { steepest, turns: up.max(down), kink, range: f64::from(high) - f64::from(low) }
    }

    /// What f32 can do to a result where the table rises by at most `slope` a unit of the value: value - low and its
    /// product (up to 2^-24 of the place each, and the scale as much again), both entries, their difference, the
    /// product and the sum (each up to 2^-24 of the largest result, the difference of twice that).
    fn rounding(&self, slope: f64) -> f64 {
        let [low, high] = self.range.map(f64::from);
        let largest = f64::from(self.ends[0].abs().max(self.ends[1].abs()));
        let place = 3.0 * (high - low) + low.abs().max(high.abs());
        UNIT * (slope * place + 6.0 * largest)
    }

    /// The table interval of a value, and how far into it.
    pub(crate) fn place(&self, value: f32) -> (usize, f32) {
        let last = (CURVE_INTERVALS as f32).next_down();
        let t = ((value - self.range[0]) * self.scale).max(0.0).min(last);
        let i = t as usize;
        (i, t - i as f32)
    }
}

fn check(keys: &[CurveKey], range: [f32; 2]) -> Result<(), ProgramError> {
    let [low, high] = range.map(f64::from);
    number("curve", "range low", low, -1e30..=1e30, "from -1e30 to 1e30")?;
    number("curve", "range high", high, -1e30..=1e30, "from -1e30 to 1e30")?;
    number("curve", "range width", high - low, 1e-20..=2e30, "above 0: at least 1e-20")?;
    let count = keys.len();
    if !(2..=CURVE_KEYS_MAX).contains(&count) {
        let (name, value) = ("number of keys", count as f64);
        return Err(ProgramError::Value { operation: "curve", name, value, expected: "from 2 to 1024" });
    }
    // Closer keys would make cliffs that the table cannot follow.
    let gap = (high - low) / CURVE_INTERVALS as f64;
    let mut next = low;
    for key in keys {
        number(
            "curve",
            "at of a key",
            key.at,
            next..=high,
            "within the range and at least 1/1024 of it beyond the key before",
        )?;
        number("curve", "to of a key", key.to, -1e30..=1e30, "from -1e30 to 1e30")?;
        next = key.at + gap;
    }
    Ok(())
}

impl MonotoneCubic {
    fn new(keys: &[CurveKey], range: [f64; 2]) -> Self {
        let slope = |i: usize| (keys[i + 1].to - keys[i].to) / (keys[i + 1].at - keys[i].at);
        let tangent = |i: usize| {
            if i == 0 || i + 1 == keys.len() {
                // Beyond an outermost key the curve holds its result: flat there, so that no crease shows. At the end
                // of all values there is nothing beyond.
                return if range.contains(&keys[i].at) { slope(i.saturating_sub(1)) } else { 0.0 };
            }
            let (before, after) = (slope(i - 1), slope(i));
            if before * after <= 0.0 {
                return 0.0;
            }
            let (left, right) = (keys[i].at - keys[i - 1].at, keys[i + 1].at - keys[i].at);
            let (w0, w1) = (2.0 * right + left, right + 2.0 * left);
            (w0 + w1) / (w0 / before + w1 / after)
        };
        Self { keys: (0..keys.len()).map(|i| [keys[i].at, keys[i].to, tangent(i)]).collect() }
    }

    /// The result at a value.
    fn at(&self, value: f64) -> f64 {
        let (first, last) = (self.keys[0], self.keys[self.keys.len() - 1]);
        if value <= first[0] {
            return first[1];
        }
        if value >= last[0] {
            return last[1];
        }
        let piece = self.keys.partition_point(|key| key[0] <= value) - 1;
        let ([x0, y0, m0], [x1, y1, m1]) = (self.keys[piece], self.keys[piece + 1]);
        let width = x1 - x0;
        let t = (value - x0) / width;
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * y0
            + (t3 - 2.0 * t2 + t) * width * m0
            + (3.0 * t2 - 2.0 * t3) * y1
            + (t3 - t2) * width * m1
    }

    /// No slope of the curve is steeper: a monotone cubic's is at most three times that of its piece.
    fn slope_max(&self) -> f64 {
        let slopes =
            self.keys.windows(2).map(|pair| ((pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).abs());
        3.0 * slopes.fold(0.0, f64::max)
    }

    /// The largest |second derivative|: it is linear on a piece, so it is largest at one of its ends.
    fn second_derivative_max(&self) -> f64 {
        let ends = self.keys.windows(2).map(|pair| {
            let ([x0, y0, m0], [x1, y1, m1]) = (pair[0], pair[1]);
            let width = x1 - x0;
            let slope = (y1 - y0) / width;
            let start = (6.0 * slope - 4.0 * m0 - 2.0 * m1) / width;
            let end = (-6.0 * slope + 2.0 * m0 + 4.0 * m1) / width;
            start.abs().max(end.abs())
        });
        ends.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(pairs: &[[f64; 2]]) -> Vec<CurveKey> {
        pairs.iter().map(|[at, to]| CurveKey { at: *at, to: *to }).collect()
    }

    #[test]
    fn the_stated_error_counts_the_rounding_of_the_kernel() {
        // A straight curve has no bend: all of its error is rounding.
        for (range, ends) in [([-1.0f32, 1.0f32], [-64.3f32, 64.3f32]), ([100.0, 300.0], [0.3, 0.7])] {
            let straight = keys(&[[f64::from(range[0]), 0.0], [f64::from(range[1]), 1.0]]);
            let curve = Curve::with_shares(&straight, range, ends).expect("valid");
            let cubic = MonotoneCubic::new(&straight, range.map(f64::from));
            let (low, span) = (f64::from(ends[0]), f64::from(ends[1]) - f64::from(ends[0]));
            let mut worst = 0f64;
            for i in 0..400_000 {
                let value = range[0] + (range[1] - range[0]) * (i as f32 / 400_000.0);
                let exact = low + span * cubic.at(f64::from(value));
                worst = worst.max((f64::from(curve.at(value)) - exact).abs());
            }
            assert!(worst <= curve.error && worst > curve.error / 16.0, "{worst} of {}", curve.error);
        }
    }

    #[test]
    fn a_straight_curve_is_straight_and_held_ends_are_flat() {
        let curve = Curve::with_shares(&keys(&[[-1.0, 0.0], [1.0, 1.0]]), [-1.0, 1.0], [-40.0, 160.0]);
        let curve = curve.expect("valid");
        for i in 0..=CURVE_INTERVALS {
            let want = -40.0 + 200.0 * i as f32 / CURVE_INTERVALS as f32;
            assert!((curve.table[i] - want).abs() < 1e-4);
        }
        let held = Curve::new(&keys(&[[-0.5, 0.2], [0.5, 0.8]]), [-1.0, 1.0]).expect("valid");
        assert_eq!((held.table[0], held.table[255], held.table[CURVE_INTERVALS]), (0.2, 0.2, 0.8));
        assert!(held.table[257] - held.table[256] < 1e-4, "a crease where the curve is held");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_table_is_within_its_stated_error_and_never_overshoots(
            gaps in prop::collection::vec(1u32..40, 1..9), results in prop::collection::vec(-7.0..=9.0f64, 10),
            low in -300.0f32..300.0, width in 0.01f32..500.0,
        ) {
            let range = [low, low + width];
            let [from, width] = [f64::from(range[0]), f64::from(range[1]) - f64::from(range[0])];
            let total: u32 = gaps.iter().sum();
            let mut at = from;
            let mut pairs = vec![[at, results[0]]];
            for (gap, to) in gaps.iter().zip(&results[1..]) {
                at += 0.95 * width * f64::from(*gap) / f64::from(total);
                pairs.push([at, *to]);
            }
            let curve = Curve::new(&keys(&pairs), range).expect("valid");
            let cubic = MonotoneCubic::new(&keys(&pairs), range.map(f64::from));
            for i in 0..=2_000 {
                let value = (from + width * f64::from(i) / 2_000.0) as f32;
                let distance = (f64::from(curve.at(value)) - cubic.at(f64::from(value))).abs();
                prop_assert!(distance <= curve.error, "{distance} of {}", curve.error);
            }
            // Between two keys the curve stays between their results.
            for pair in pairs.windows(2) {
                let (low, high) = (pair[0][1].min(pair[1][1]), pair[0][1].max(pair[1][1]));
                for i in 0..=100 {
                    let result = cubic.at(pair[0][0] + (pair[1][0] - pair[0][0]) * f64::from(i) / 100.0);
                    prop_assert!((low - 1e-12..=high + 1e-12).contains(&result));
                }
            }
        }
    }
}

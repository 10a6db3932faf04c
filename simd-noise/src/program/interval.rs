//! Guaranteed bounds of what f32 operations give.
//!
//! In: bounds of operands. Out: bounds of one rounded operation, or of a range known from elsewhere and rounded outwards.
//! Rounding to nearest is monotone: where an exact operation has its extremes at the ends of its operands' intervals, the
//! rounded operation has its own there too, and no step outwards is needed. What would pass [`LIMIT`] becomes
//! *impossible*, and so does all that is made of it.
//!
//! Deliberately not here: which operations a node consists of.

/// No value of a program may pass this in size: far below what f32 can hold, so that no sum or product overflows unseen.
pub(crate) const LIMIT: f32 = 1e30;

/// Guaranteed bounds, both included.
///
/// ```
/// use terrane_noise::{NoiseParams, ProgramBuilder};
/// let mut builder = ProgramBuilder::new();
/// let hills = builder.noise(&NoiseParams::default())?;
/// let metres = builder.remap(hills, [-1.0, 1.0], [0.0, 300.0])?;
/// builder.output("height", metres)?;
/// let bounds = builder.build()?.bounds(0);
/// assert_eq!((bounds.low, bounds.high), (0.0, 300.0));
/// # Ok::<(), terrane_noise::ProgramError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// No value is less.
    pub low: f32,
    /// No value is more.
    pub high: f32,
}

/// What operations do with bounds.
pub(crate) type Interval = Bounds;

impl Bounds {
    /// True when `value` lies within.
    #[must_use]
    pub fn contains(&self, value: f32) -> bool {
        self.low <= value && value <= self.high
    }
}

impl Interval {
    const IMPOSSIBLE: Self = Self { low: f32::NAN, high: f32::NAN };

    /// These bounds, or the impossible ones.
    pub(crate) fn new(low: f32, high: f32) -> Self {
        let possible = low >= -LIMIT && high <= LIMIT && low <= high;
        if possible { Self { low, high } } else { Self::IMPOSSIBLE }
    }

    pub(crate) fn point(value: f32) -> Self {
        Self::new(value, value)
    }

    /// Bounds known in f64, rounded outwards.
    pub(crate) fn outward(low: f64, high: f64) -> Self {
        let (mut l, mut h) = (low as f32, high as f32);
        if f64::from(l) > low {
            l = l.next_down();
        }
        if f64::from(h) < high {
            h = h.next_up();
        }
        Self::new(l, h)
    }

    pub(crate) fn is_possible(self) -> bool {
        self.low <= self.high
    }

    /// Wider by `by` on both sides, rounded outwards.
    pub(crate) fn widened(self, by: f64) -> Self {
        Self::outward(f64::from(self.low) - by, f64::from(self.high) + by)
    }

    /// The largest size.
    pub(crate) fn size(self) -> f64 {
        f64::from(self.low).abs().max(f64::from(self.high).abs())
    }

    /// Both of them.
    pub(crate) fn join(self, other: Self) -> Self {
        if !self.is_possible() || !other.is_possible() {
            return Self::IMPOSSIBLE;
        }
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub(crate) fn with_zero(self) -> Self {
        self.join(Self::point(0.0))
    }

    pub(crate) fn add(self, other: Self) -> Self {
        Self::new(self.low + other.low, self.high + other.high)
    }

    pub(crate) fn subtract(self, other: Self) -> Self {
        Self::new(self.low - other.high, self.high - other.low)
    }

    pub(crate) fn multiply(self, other: Self) -> Self {
        if !self.is_possible() || !other.is_possible() {
            return Self::IMPOSSIBLE;
        }
        let ends =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        Self::new(
            ends.into_iter().fold(f32::INFINITY, f32::min),
            ends.into_iter().fold(-f32::INFINITY, f32::max),
        )
    }

    pub(crate) fn times(self, factor: f32) -> Self {
        self.multiply(Self::point(factor))
    }

    pub(crate) fn min(self, other: Self) -> Self {
        if !self.is_possible() || !other.is_possible() {
            return Self::IMPOSSIBLE;
        }
        Self::new(self.low.min(other.low), self.high.min(other.high))
    }

    pub(crate) fn max(self, other: Self) -> Self {
        if !self.is_possible() || !other.is_possible() {
            return Self::IMPOSSIBLE;
        }
        Self::new(self.low.max(other.low), self.high.max(other.high))
    }

    pub(crate) fn clamp(self, low: f32, high: f32) -> Self {
        self.max(Self::point(low)).min(Self::point(high))
    }

    pub(crate) fn abs(self) -> Self {
        let zero = Self::point(0.0);
        let away = self.max(zero.subtract(self));
        if self.low > 0.0 || self.high < 0.0 {
            let (low, high) = (self.low.abs(), self.high.abs());
            return Self::new(low.min(high), low.max(high));
        }
        Self::new(0.0, away.high)
    }

    pub(crate) fn square(self) -> Self {
        let size = self.abs();
        size.multiply(size)
    }

    /// The root of what is not negative.
    pub(crate) fn sqrt(self) -> Self {
        Self::new(self.low.max(0.0).sqrt(), self.high.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval() -> impl Strategy<Value = (Interval, f32)> {
        (-1e6f32..1e6, -1e6f32..1e6, 0.0f32..1.0).prop_map(|(a, b, t)| {
            let (low, high) = (a.min(b), a.max(b));
            (Interval::new(low, high), (low + (high - low) * t).clamp(low, high))
        })
    }

    proptest! {
        #[test]
        fn operations_stay_inside((a, x) in interval(), (b, y) in interval()) {
            prop_assert!(a.add(b).contains(x + y));
            prop_assert!(a.subtract(b).contains(x - y));
            prop_assert!(a.multiply(b).contains(x * y));
            prop_assert!(a.min(b).contains(x.min(y)));
            prop_assert!(a.max(b).contains(x.max(y)));
            prop_assert!(a.join(b).contains(x) && a.join(b).contains(y));
            prop_assert!(a.abs().contains(x.abs()));
            prop_assert!(a.square().contains(x * x));
            prop_assert!(a.square().sqrt().contains((x * x).sqrt()));
            prop_assert!(a.clamp(-3.0, 70.0).contains(x.clamp(-3.0, 70.0)));
        }
    }

    #[test]
    fn what_passes_the_limit_is_impossible_for_ever() {
        let large = Interval::point(1e29);
        let beyond = large.multiply(large);
        assert!(large.is_possible() && !beyond.is_possible());
        assert!(!beyond.clamp(0.0, 1.0).is_possible() && !beyond.add(large).is_possible());
        assert!(
            !beyond.join(large).is_possible() && !beyond.abs().is_possible() && !beyond.sqrt().is_possible()
        );
        assert!(!Interval::outward(f64::NAN, 1.0).is_possible());
        let outward = Interval::outward(0.1, 0.1);
        assert!(f64::from(outward.low) < 0.1 && f64::from(outward.high) > 0.1);
    }
}

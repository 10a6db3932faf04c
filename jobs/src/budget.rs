//! What a host allows a step to cost, and the account of it.
//!
//! In: a [`Budget`] and a clock. Out: whether the next item may be handled. Every item has a kind, and what it will cost is
//! predicted from earlier items of its kind. A count alone is no budget (one item can be a thousand times another), and
//! time alone has no meaning in lockstep runs: so there are time, items and bytes. Deliberately not here: what an item is.

use crate::clock::Clock;
use crate::scheduler::predict;

/// Limits of one step. The default has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Nanoseconds.
    pub time_ns: Option<u64>,
    /// Items of any kind.
    pub items: Option<u32>,
    /// Bytes of the items that have some.
    pub bytes: Option<u64>,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Self = Self { time_ns: None, items: None, bytes: None };

    /// So much time, and no other limit.
    ///
    /// ```
    /// use terrane_jobs::Budget;
    /// assert_eq!(Budget::of_ms(2.0).time_ns, Some(2_000_000));
    /// ```
    #[must_use]
    pub fn of_ms(ms: f64) -> Self {
        // Out of range saturates, and what is no number is 0.
        Self { time_ns: Some((ms * 1e6) as u64), ..Self::UNLIMITED }
    }
}

/// What items of each kind cost lately. Kept from step to step.
#[derive(Clone, Debug)]
pub struct Costs<const KINDS: usize> {
    predicted_ns: [u64; KINDS],
}

impl<const KINDS: usize> Default for Costs<KINDS> {
    fn default() -> Self {
        Self { predicted_ns: [0; KINDS] }
    }
}

/// The account of one step.
///
/// ```
/// use terrane_jobs::{Budget, Costs, ManualClock, Meter};
///
/// let clock = ManualClock::new();
/// let mut costs = Costs::<1>::default();
/// let budget = Budget { time_ns: Some(1_000), ..Budget::UNLIMITED };
/// let mut meter = Meter::start(&clock, budget);
/// let mut handled = 0;
/// while meter.may(&costs, 0, 0) {
///     clock.advance_ns(300);
///     meter.done(&mut costs, 0, 0);
///     handled += 1;
/// }
/// // A fourth would be expected to end at 1200 ns.
/// assert_eq!((handled, meter.overrun_ns()), (3, 0));
/// ```
pub struct Meter<'a> {
    clock: &'a dyn Clock,
    budget: Budget,
    started_ns: u64,
    /// When the item at hand began: when the one before it was done.
    now_ns: u64,
    items: u32,
    bytes: u64,
}

impl<'a> Meter<'a> {
    /// Looks at the clock.
    #[must_use]
    pub fn start(clock: &'a dyn Clock, budget: Budget) -> Self {
        let started_ns = clock.now_ns();
        Self { clock, budget, started_ns, now_ns: started_ns, items: 0, bytes: 0 }
    }

    /// Whether an item of that kind and size fits what is left. The first of a step always may: a budget that is too small
    /// for any item must not stop everything; [`overrun_ns`](Self::overrun_ns) tells.
    #[must_use]
    pub fn may<const KINDS: usize>(&self, costs: &Costs<KINDS>, kind: usize, bytes: u64) -> bool {
        self.fits(costs.predicted_ns[kind], bytes)
    }

    /// The same for an item whose time someone else predicts.
    #[must_use]
    pub fn fits(&self, predicted_ns: u64, bytes: u64) -> bool {
        let within = |limit: Option<u64>, value: u64| limit.is_none_or(|limit| value <= limit);
        self.items == 0
            || (within(self.budget.time_ns, self.spent_ns() + predicted_ns)
                && within(self.budget.items.map(u64::from), u64::from(self.items) + 1)
                && within(self.budget.bytes, self.bytes + bytes))
    }

    /// An item is done: looks at the clock, and remembers what its kind costs.
    pub fn done<const KINDS: usize>(&mut self, costs: &mut Costs<KINDS>, kind: usize, bytes: u64) {
        let began_ns = self.now_ns;
        self.count(bytes);
        costs.predicted_ns[kind] = predict(costs.predicted_ns[kind], self.now_ns - began_ns);
    }

    /// The same for an item whose time someone else remembers.
    pub fn count(&mut self, bytes: u64) {
        self.end();
        self.items += 1;
        self.bytes += bytes;
    }

    /// Work that is no item is done too: looks at the clock.
    pub fn end(&mut self) {
        self.now_ns = self.clock.now_ns().max(self.now_ns);
    }

    /// Time until the last item was done, or the end.
    #[must_use]
    pub fn spent_ns(&self) -> u64 {
        self.now_ns - self.started_ns
    }

    /// Items that are done.
    #[must_use]
    pub fn items(&self) -> u32 {
        self.items
    }

    /// Their bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Time beyond the budget.
    #[must_use]
    pub fn overrun_ns(&self) -> u64 {
        self.budget.time_ns.map_or(0, |limit| self.spent_ns().saturating_sub(limit))
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn the_first_item_always_may() {
        let clock = ManualClock::new();
        let mut costs = Costs::<2>::default();
        let budget = Budget { time_ns: Some(10), items: Some(0), bytes: Some(0) };
        let mut meter = Meter::start(&clock, budget);
        assert!(meter.may(&costs, 1, 1 << 40));
        clock.advance_ns(25);
        meter.done(&mut costs, 1, 4096);
        assert!(!meter.may(&costs, 0, 0));
        assert_eq!((meter.items(), meter.bytes(), meter.overrun_ns()), (1, 4096, 15));
    }

    #[test]
    fn each_limit_stops() {
        let clock = ManualClock::new();
        let unlimited = Budget::UNLIMITED;
        for (budget, want) in [
            (Budget { items: Some(3), ..unlimited }, 3),
            (Budget { bytes: Some(1000), ..unlimited }, 2),
            (Budget { time_ns: Some(100), ..unlimited }, 10),
            (unlimited, 50),
        ] {
            let mut costs = Costs::<1>::default();
            let mut meter = Meter::start(&clock, budget);
            while meter.items() < 50 && meter.may(&costs, 0, 400) {
                clock.advance_ns(10);
                meter.done(&mut costs, 0, 400);
            }
            assert_eq!(meter.items(), want, "{budget:?}");
        }
    }

    #[test]
    fn predictions_rise_at_once_and_sink_slowly() {
        assert_eq!(predict(0, 80), 80);
        assert_eq!(predict(80, 160), 160);
        assert_eq!(predict(160, 80), 150);
    }

    #[test]
    fn milliseconds_that_are_no_time_are_none() {
        assert_eq!(Budget::of_ms(-1.0).time_ns, Some(0));
        assert_eq!(Budget::of_ms(f64::NAN).time_ns, Some(0));
        assert_eq!(Budget::of_ms(f64::INFINITY).time_ns, Some(u64::MAX));
    }
}

//! How often which value came, in fixed memory.
//!
//! In: the highest value that is told apart, once; then values, in any unit (nanoseconds, bytes, items). Out:
//! percentiles within 1 %, and the exact smallest, largest and mean. The bins are `hdrhistogram`'s, with two
//! significant digits and without its resizing; min, max and mean are kept beside them, since bins know them only
//! roughly.
//!
//! Deliberately not here: time (values are numbers), locks (one thread owns it; many are added up afterwards).

use std::fmt;

use hdrhistogram::Histogram as Bins;

const SIGNIFICANT_DIGITS: u8 = 2;

/// Counts values of `0..=highest`, and those above as `highest`.
///
/// ```
/// use terrane_jobs::Histogram;
///
/// // Stalls of up to ten seconds, in nanoseconds.
/// let mut stall_ns = Histogram::new(10_000_000_000);
/// for frame in 0..1000 {
///     stall_ns.record(if frame % 100 == 0 { 7_000_000 } else { 150_000 + frame });
/// }
/// assert!(stall_ns.percentile(50.0).abs_diff(150_500) < 1_505);
/// assert_eq!((stall_ns.count(), stall_ns.max()), (1000, 7_000_000));
/// assert!(stall_ns.bytes() < 30_000);
/// println!("{}", stall_ns.table("ns"));
/// ```
#[derive(Clone)]
pub struct Histogram {
    bins: Bins<u64>,
    highest: u64,
    saturated: u64,
    min: u64,
    max: u64,
    /// Wide enough for 2^64 values of 2^64.
    sum: u128,
}

impl Histogram {
    /// Allocates the bins; nothing after it does.
    ///
    /// Values up to 255 have a bin each. Above, every doubling of the value has 128 bins of 8 bytes, so a bin is at
    /// most 1/128 of its values wide: 14 KiB for a `highest` of a million, 28 KiB for 10^10, 58 KiB for `u64::MAX`.
    /// [`Histogram::bytes`] tells.
    ///
    /// # Panics
    /// When `highest` is 0.
    #[must_use]
    pub fn new(highest: u64) -> Self {
        assert!(highest > 0, "a histogram tells values up to its highest apart, which cannot be 0");
        // The bins want to tell 1 from 2 at least. Values are clamped here before they see them.
        let bins = Bins::new_with_bounds(1, highest.max(2), SIGNIFICANT_DIGITS);
        let bins = bins.expect("bounds of 1 and 2 or more, and two digits, are valid");
        Self { bins, highest, saturated: 0, min: u64::MAX, max: 0, sum: 0 }
    }

    /// Counts `value`; above `highest` as `highest`, see [`saturated`](Self::saturated). Never fails, and costs a
    /// few additions.
    pub fn record(&mut self, value: u64) {
        self.bins.saturating_record(value.min(self.highest));
        self.saturated += u64::from(value > self.highest);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.sum += u128::from(value);
    }

    /// Number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bins.len()
    }

    /// Number of values above `highest`, which percentiles know as `highest` only.
    #[must_use]
    pub fn saturated(&self) -> u64 {
        self.saturated
    }

    /// The smallest value that at least `p` percent of the values do not exceed, by nearest rank: never below the
    /// true one, and above it by less than 1 %. The smallest of all for 0; 0 when there are no values. An answer of
    /// `highest` means "that or more" where values were [`saturated`](Self::saturated).
    ///
    /// ```
    /// let mut items = terrane_jobs::Histogram::new(1000);
    /// (1..=200).for_each(|value| items.record(value));
    /// assert_eq!([0.0, 50.0, 99.5, 100.0].map(|p| items.percentile(p)), [1, 100, 199, 200]);
    /// ```
    ///
    /// # Panics
    /// When `p` is not in `0.0..=100.0`.
    #[must_use]
    pub fn percentile(&self, p: f64) -> u64 {
        assert!((0.0..=100.0).contains(&p), "a percentile of {p} is not within 0 and 100");
        let count = self.count();
        if count == 0 || p == 0.0 {
            return self.min();
        }
        let rank = (p * count as f64 / 100.0).ceil().max(1.0);
        // Half a rank less, since the bins multiply by the count again and round up: the product falls between two
        // ranks, however it was rounded.
        let value = self.bins.value_at_quantile((rank - 0.5) / count as f64);
        // The bin's upper end may lie above all values.
        value.min(self.highest).min(self.max)
    }

    /// How many values are less than `value`, as far as the bins tell: those in its own bin count as not less.
    ///
    /// ```
    /// let mut items = terrane_jobs::Histogram::new(1000);
    /// [1, 7, 8, 9, 500].into_iter().for_each(|value| items.record(value));
    /// assert_eq!([0, 8, 9, 1001].map(|value| items.count_below(value)), [0, 2, 3, 5]);
    /// ```
    #[must_use]
    pub fn count_below(&self, value: u64) -> u64 {
        if value == 0 {
            return 0;
        }
        if value > self.highest {
            return self.count();
        }
        // Up to the end of the bin below that of `value`.
        let lowest = self.bins.lowest_equivalent(value);
        if lowest == 0 { 0 } else { self.bins.count_between(0, lowest - 1) }
    }

    /// The largest value, exactly, even above `highest`; 0 when there are none.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The smallest value, exactly; 0 when there are none.
    #[must_use]
    pub fn min(&self) -> u64 {
        if self.count() == 0 { 0 } else { self.min }
    }

    /// The mean of the values as they were given, those above `highest` too; 0 when there are none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.sum as f64 / self.count() as f64 }
    }

    /// Forgets all values.
    pub fn reset(&mut self) {
        self.bins.reset();
        (self.saturated, self.min, self.max, self.sum) = (0, u64::MAX, 0, 0);
    }

    /// Counts all values of `other` as well, as if they had been recorded here.
    ///
    /// ```
    /// let mut workers = [(); 2].map(|()| terrane_jobs::Histogram::new(1000));
    /// workers[0].record(3);
    /// workers[1].record(5);
    /// let [mut all, second] = workers;
    /// all.add(&second);
    /// assert_eq!((all.count(), all.min(), all.max(), all.mean()), (2, 3, 5, 4.0));
    /// ```
    ///
    /// # Panics
    /// When `other` was made for another `highest`.
    pub fn add(&mut self, other: &Self) {
        assert_eq!(self.highest, other.highest, "histograms of other bounds do not add up");
        self.bins.add(&other.bins).expect("bins of the same bounds");
        self.saturated += other.saturated;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
    }

    /// Memory that it takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.bins.distinct_values() * size_of::<u64>()
    }

    /// The usual percentiles, the largest value and the count, a line each, to be written with `{}`.
    ///
    /// ```
    /// let mut stall_us = terrane_jobs::Histogram::new(1_000_000);
    /// [90, 110, 120].into_iter().for_each(|value| stall_us.record(value));
    /// let table = "p50     110 us\n\
    ///              p90     120 us\n\
    ///              p99     120 us\n\
    ///              p99.9   120 us\n\
    ///              max     120 us\n\
    ///              count     3\n";
    /// assert_eq!(stall_us.table("us").to_string(), table);
    /// ```
    #[must_use]
    pub fn table<'a>(&'a self, unit: &'a str) -> HistogramTable<'a> {
        HistogramTable { histogram: self, unit }
    }
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Histogram")
            .field("highest", &self.highest)
            .field("count", &self.count())
            .field("max", &self.max)
            .finish_non_exhaustive()
    }
}

/// What [`Histogram::table`] gives: the text, when it is written. Where values were above the highest, a last line
/// says how many.
#[derive(Clone, Copy, Debug)]
pub struct HistogramTable<'a> {
    histogram: &'a Histogram,
    unit: &'a str,
}

impl fmt::Display for HistogramTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { histogram, unit } = *self;
        let digits = |value: u64| value.checked_ilog10().unwrap_or(0) as usize + 1;
        let width = digits(histogram.max.max(histogram.count()));
        for (name, p) in [("p50", 50.0), ("p90", 90.0), ("p99", 99.0), ("p99.9", 99.9)] {
            writeln!(f, "{name:<5} {:>width$} {unit}", histogram.percentile(p), width = width + 2)?;
        }
        writeln!(f, "{:<5} {:>width$} {unit}", "max", histogram.max, width = width + 2)?;
        writeln!(f, "{:<5} {:>width$}", "count", histogram.count(), width = width + 2)?;
        if histogram.saturated > 0 {
            let (saturated, highest) = (histogram.saturated, histogram.highest);
            writeln!(f, "above {saturated:>width$} over {highest} {unit}", width = width + 2)?;
        }
        Ok(())
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use proptest::prelude::*;

    use super::Histogram;

    /// Nearest rank over the values themselves.
    fn percentile_of(sorted: &[u64], p: f64) -> u64 {
        let rank = (p * sorted.len() as f64 / 100.0).ceil().max(1.0) as usize;
        sorted[rank - 1]
    }

    const PERCENTS: [f64; 10] = [0.0, 0.1, 10.0, 33.3, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0];

    proptest! {
        #[test]
        fn percentiles_are_those_of_the_values_within_a_percent(
            mut values in proptest::collection::vec((0_u32..40).prop_flat_map(|bits| 0..=1_u64 << bits), 1..300),
            highest in prop_oneof![1..300_u64, Just(1 << 20), Just(10_000_000_000), Just(u64::MAX)],
        ) {
            let mut histogram = Histogram::new(highest);
            values.iter().for_each(|&value| histogram.record(value));
            values.sort_unstable();
            let last = values[values.len() - 1];
            let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
            prop_assert_eq!((histogram.min(), histogram.max()), (values[0], last));
            prop_assert_eq!(histogram.mean(), sum as f64 / values.len() as f64);
            prop_assert_eq!(histogram.count(), values.len() as u64);
            prop_assert_eq!(histogram.saturated(), values.iter().filter(|&&value| value > highest).count() as u64);
            values.iter_mut().for_each(|value| *value = (*value).min(highest));
            for p in PERCENTS.into_iter().skip(1) {
                let (got, exact) = (histogram.percentile(p), percentile_of(&values, p));
                prop_assert!(got >= exact && got - exact <= exact / 128, "p{p}: {got} for {exact}");
                prop_assert!(got <= highest);
            }
            prop_assert_eq!(histogram.percentile(0.0), histogram.min());
        }

        #[test]
        fn parts_add_up_to_the_whole(values in proptest::collection::vec(0..5000_u64, 0..200), cut in 0..200_usize) {
            let cut = cut.min(values.len());
            let [mut first, mut second, mut whole] = [(); 3].map(|()| Histogram::new(4000));
            values[..cut].iter().for_each(|&value| first.record(value));
            values[cut..].iter().for_each(|&value| second.record(value));
            values.iter().for_each(|&value| whole.record(value));
            first.add(&second);
            prop_assert_eq!(first.table("ns").to_string(), whole.table("ns").to_string());
            prop_assert_eq!((first.min(), first.mean()), (whole.min(), whole.mean()));
            prop_assert_eq!(PERCENTS.map(|p| first.percentile(p)), PERCENTS.map(|p| whole.percentile(p)));
        }
    }

    #[test]
    fn no_values_are_all_zeros_and_a_reset_leaves_none() {
        let mut histogram = Histogram::new(100);
        for _ in 0..2 {
            assert_eq!(PERCENTS.map(|p| histogram.percentile(p)), [0; 10]);
            assert_eq!(
                (histogram.count(), histogram.min(), histogram.max(), histogram.saturated()),
                (0, 0, 0, 0)
            );
            assert_eq!(histogram.mean(), 0.0);
            [5, 50, 500].into_iter().for_each(|value| histogram.record(value));
            assert_eq!(
                (histogram.count(), histogram.min(), histogram.max(), histogram.saturated()),
                (3, 5, 500, 1)
            );
            assert_eq!(histogram.percentile(100.0), 100, "that or more");
            histogram.reset();
        }
    }

    #[test]
    fn ranks_do_not_slip_by_rounding() {
        // 99.9 percent of n thousand values is rank 999 n: the next one is far away.
        for thousands in 1..=20_u64 {
            let mut histogram = Histogram::new(1_000_000);
            for index in 0..1000 * thousands {
                histogram.record(if index < 999 * thousands { 7 } else { 1_000_000 });
            }
            assert_eq!(histogram.percentile(99.9), 7, "of {thousands} thousand");
        }
    }

    #[test]
    fn the_memory_is_what_the_documentation_says() {
        for (highest, kib) in [(1_000_000, 14), (10_000_000_000, 28), (u64::MAX, 58)] {
            let bytes = Histogram::new(highest).bytes();
            assert!(bytes <= kib * 1024 + 256 && bytes > (kib - 2) * 1024, "{highest}: {bytes}");
        }
    }

    #[test]
    fn values_above_the_highest_have_a_line_of_their_own() {
        let mut histogram = Histogram::new(10);
        [3, 11, 1000].into_iter().for_each(|value| histogram.record(value));
        let table = histogram.table("ms").to_string();
        assert!(table.ends_with("max     1000 ms\ncount      3\nabove      2 over 10 ms\n"), "{table}");
    }

    #[test]
    #[should_panic(expected = "histograms of other bounds do not add up")]
    fn other_bounds_do_not_add_up() {
        Histogram::new(10).add(&Histogram::new(11));
    }

    #[test]
    #[should_panic(expected = "a percentile of 101 is not within 0 and 100")]
    fn a_percentile_is_within_a_hundred() {
        let _ = Histogram::new(10).percentile(101.0);
    }
}

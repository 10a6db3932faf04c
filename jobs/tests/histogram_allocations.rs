//! A histogram allocates its bins when it is made, and nothing after.
#![cfg(not(any(loom, shuttle)))]

use std::fmt::Write;
use std::hint::black_box;

use allocation_counter::measure;
use terrane_jobs::Histogram;

/// Text that goes nowhere.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        black_box(text);
        Ok(())
    }
}

#[test]
fn nothing_allocates_after_new() {
    let both = measure(|| drop(black_box(Box::new(1))));
    assert_eq!((both.count_total, both.count_current), (1, 0), "the counter does not count");
    let (mut histogram, other) = (Histogram::new(1_000_000), Histogram::new(1_000_000));
    let counted = measure(|| {
        for round in 0..3 {
            for shift in 0..64 {
                histogram.record(u64::MAX >> shift);
                histogram.record((1 << shift) + round);
            }
            histogram.add(&other);
            black_box((histogram.percentile(99.9), histogram.mean(), histogram.min(), histogram.bytes()));
            write!(Nowhere, "{}", histogram.table("ns")).expect("nowhere has room");
            histogram.reset();
        }
    });
    assert_eq!((counted.count_total, counted.count_current), (0, 0), "{counted:?}");
}

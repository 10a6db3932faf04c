//! Time, as the host gives it.
//!
//! The crate reads no clock of its own: wasm has none, lockstep runs want none, tests turn theirs by hand.

use crate::sync::atomic::{AtomicU64, Ordering};

/// A clock that never goes back.
pub trait Clock: Send + Sync {
    /// Nanoseconds since some moment that stays the same.
    fn now_ns(&self) -> u64;
}

/// A clock that stands until it is set: for tests, and for runs whose budgets count items alone.
///
/// ```
/// use terrane_jobs::{Clock, ManualClock};
///
/// let clock = ManualClock::new();
/// clock.advance_ns(1_500);
/// assert_eq!(clock.now_ns(), 1_500);
/// ```
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// Stands at 0.
    #[must_use]
    pub fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Moves on by `ns`.
    pub fn advance_ns(&self, ns: u64) {
        self.0.fetch_add(ns, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now_ns(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The system's monotonic clock.
#[cfg(feature = "threads")]
#[derive(Debug)]
pub struct SystemClock(std::time::Instant);

#[cfg(feature = "threads")]
impl SystemClock {
    /// Starts at 0.
    #[must_use]
    pub fn new() -> Self {
        Self(std::time::Instant::now())
    }
}

#[cfg(feature = "threads")]
impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "threads")]
impl Clock for SystemClock {
    fn now_ns(&self) -> u64 {
        self.0.elapsed().as_nanos() as u64
    }
}

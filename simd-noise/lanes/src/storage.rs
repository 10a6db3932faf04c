//! Storage that kernels read and write: rows and look-up tables aligned to a cache line.
//!
//! A vector that straddles two cache lines costs twice; aligned fixed-size arrays were worth about a fifth on fBm. They are
//! arrays, not slices, so that the compiler knows their length and drops the bounds checks.

use std::ops::{Deref, DerefMut};

/// A value that starts on a 64-byte boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Aligned<T>(
    /// The value itself.
    pub T,
);

impl<T> Deref for Aligned<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Eight f32 values, looked up by the top three bits of a hash: see [`Lanes::look_up8`](crate::Lanes::look_up8).
///
/// They are stored twice, so that a 16-lane permute can load all 16 without a second table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table8(Aligned<[f32; 16]>);

impl Table8 {
    /// A table of the eight `values`.
    ///
    /// ```
    /// let table = terrane_lanes::Table8::new([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    /// assert_eq!(table.values()[3], 3.0);
    /// ```
    #[must_use]
    pub const fn new(values: [f32; 8]) -> Self {
        let mut twice = [0.0; 16];
        let mut i = 0;
        while i < 16 {
            twice[i] = values[i % 8];
            i += 1;
        }
        Self(Aligned(twice))
    }

    /// The 16 stored values: the eight, twice.
    #[inline(always)]
    #[must_use]
    pub const fn values(&self) -> &[f32; 16] {
        &self.0.0
    }
}

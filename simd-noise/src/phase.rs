//! Fixed-point lattice positions: why there are no far lands.
//!
//! In: a sample index (i64) and an octave's step. Out: a lattice cell (u32) and a fraction (f32), both exact. A
//! phase is 32.32 fixed point in a wrapping u64: `index * step + offset`. It has no drift, does not depend on which
//! tile asks, and is as exact at 2^50 samples as at the origin. An octave repeats after 2^32 cells.
//!
//! Deliberately not here: floating-point world coordinates.

use terrane_lanes::Aligned;

/// The fraction's 24 bits as an f32 in 0..1.
pub(crate) const FRACTION: f32 = 1.0 / 16_777_216.0;

/// A position on one axis: a sample and a part of the way to the next.
///
/// ```
/// use terrane_noise::Coord;
/// let halfway = Coord { index: -3, fraction: 0x8000 };
/// assert_eq!(halfway.samples(), -2.5);
/// assert_eq!(Coord::from(7).fraction, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coord {
    /// The sample at or below the position; |index| < 2^60.
    pub index: i64,
    /// How far on towards the next sample, in 1/65536 of a sample.
    pub fraction: u16,
}

impl Coord {
    /// The position in samples, rounded to an f64.
    #[must_use]
    pub fn samples(self) -> f64 {
        self.index as f64 + f64::from(self.fraction) / 65_536.0
    }
}

impl From<i64> for Coord {
    fn from(index: i64) -> Self {
        Self { index, fraction: 0 }
    }
}

/// `index * step + offset`, wrapping.
#[inline(always)]
pub(crate) fn phase(step: u64, offset: u64, index: i64) -> u64 {
    index.cast_unsigned().wrapping_mul(step).wrapping_add(offset)
}

/// The phase of a position between samples; that of the sample where the fraction is 0.
pub(crate) fn phase_at(step: u64, offset: u64, at: Coord) -> u64 {
    let part = (u128::from(step) * u128::from(at.fraction)) >> 16;
    phase(step, offset, at.index).wrapping_add(part as u64)
}

/// The cell of a phase.
#[inline(always)]
pub(crate) fn cell(phase: u64) -> u32 {
    (phase >> 32) as u32
}

/// What 16 neighbouring samples add to the phase of the first: low and high words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ramp {
    pub(crate) step: u64,
    pub(crate) low: Aligned<[u32; 16]>,
    pub(crate) high: Aligned<[u32; 16]>,
}

impl Ramp {
    pub(crate) fn new(step: u64) -> Self {
        let mut ramp = Self { step, low: Aligned([0; 16]), high: Aligned([0; 16]) };
        let mut phase = 0u64;
        for (low, high) in ramp.low.iter_mut().zip(ramp.high.iter_mut()) {
            *low = phase as u32;
            *high = (phase >> 32) as u32;
            phase = phase.wrapping_add(step);
        }
        ramp
    }
}

//! Fixed-point lattice positions: why there are no far lands.
//!
//! In: a sample index (i64) and an octave's map of one axis. Out: a lattice cell (u32) and a fraction (f32), both
//! exact. A phase is 32.32 fixed point in a wrapping u64: `index * step + offset`. It has no drift, does not depend
//! on which tile asks, and is as exact at 2^50 samples as at the origin. An octave repeats after 2^32 cells, or, on a
//! tiled axis, after its period, exactly.
//!
//! Deliberately not here: floating-point world coordinates.

/// The fraction's 24 bits as an f32 in 0..1.
pub(crate) const FRACTION: f32 = 1.0 / 16_777_216.0;
/// Steps are cells a sample times this.
pub(crate) const ONE_CELL: f64 = 4_294_967_296.0;

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

    /// This position and `by` times 1/65536 of a sample on, wrapping as indices do.
    ///
    /// ```
    /// use terrane_noise::Coord;
    /// assert_eq!(Coord::from(7).moved(-0x8000), Coord { index: 6, fraction: 0x8000 });
    /// ```
    #[must_use]
    pub fn moved(self, by: i128) -> Self {
        let place = ((i128::from(self.index) << 16) | i128::from(self.fraction)) + by;
        Self { index: (place >> 16) as i64, fraction: place as u16 }
    }
}

impl From<i64> for Coord {
    fn from(index: i64) -> Self {
        Self { index, fraction: 0 }
    }
}

/// How the sample indices of one axis become phases of an octave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AxisMap {
    /// `index * step + offset`, wrapping.
    Free { step: u64, offset: u64 },
    /// `cells` lattice cells in `samples` samples, then again. The offset's cell is below `cells`.
    Tiled { cells: u32, samples: u32, offset: u64 },
}

impl AxisMap {
    /// The phase of a position. On a tiled axis it may lie up to one period beyond `cells`.
    pub(crate) fn phase(&self, at: Coord) -> u64 {
        match *self {
            Self::Free { step, offset } => linear(step, at).wrapping_add(offset),
            Self::Tiled { cells, samples, offset } => {
                let index = at.index.rem_euclid(i64::from(samples)).cast_unsigned();
                let place = u128::from((index << 16) | u64::from(at.fraction));
                let phase = ((place * u128::from(cells)) << 16) / u128::from(samples);
                (phase as u64).wrapping_add(offset)
            }
        }
    }

    /// Cells a sample, for slopes and displacements.
    pub(crate) fn cells_per_sample(&self) -> f32 {
        match *self {
            Self::Free { step, .. } => step as f32 * (1.0 / 4_294_967_296.0),
            Self::Tiled { cells, samples, .. } => (f64::from(cells) / f64::from(samples)) as f32,
        }
    }

    /// After how many cells the axis repeats; 0 for 2^32.
    pub(crate) fn period(&self) -> u32 {
        match *self {
            Self::Free { .. } => 0,
            Self::Tiled { cells, .. } => cells,
        }
    }

    /// True when samples `stride` apart are at most one cell apart.
    pub(crate) fn shares_cells(&self, stride: u32) -> bool {
        match *self {
            Self::Free { step, .. } => u128::from(step) * u128::from(stride) <= 1 << 32,
            Self::Tiled { cells, samples, .. } => u64::from(cells) * u64::from(stride) <= u64::from(samples),
        }
    }
}

/// The phase of a position without an offset; between samples, `(step * fraction) >> 16` beyond that of the sample.
pub(crate) fn linear(step: u64, at: Coord) -> u64 {
    let part = (i128::from(step.cast_signed()) * i128::from(at.fraction)) >> 16;
    at.index.cast_unsigned().wrapping_mul(step).wrapping_add(part as u64)
}

/// The cell of a phase.
#[inline(always)]
pub(crate) fn cell(phase: u64) -> u32 {
    (phase >> 32) as u32
}

/// The fraction of a phase, as kernels have it.
#[inline(always)]
pub(crate) fn fraction(phase: u64) -> f32 {
    (phase as u32 >> 8) as f32 * FRACTION
}

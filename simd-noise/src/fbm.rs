//! Fractal Brownian motion of gradient noise: octaves of rising frequency and falling amplitude, summed.
//!
//! In: parameters, checked once. Out: values in -1..=1 over a grid or at a point. Normalised by the analytic bound,
//! never by what a tile happens to contain.

use terrane_lanes::SimdLevel;

use crate::gradient;
use crate::grid::Grid;
use crate::kernel::{FbmGrid, FbmPoint};
use crate::octave::Octave;
use crate::phase::Coord;
use crate::scratch::{OCTAVES, Scratch};

/// Parameters of an fBm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FbmParams {
    /// Seed of the field: all 64 bits matter.
    pub seed: u64,
    /// Cells a sample of the first octave: spacing / feature size. 2^-24 ..= 2^16.
    pub frequency: f64,
    /// 1..=16.
    pub octaves: u32,
    /// How much the frequency grows from octave to octave. 1 ..= 8.
    pub lacunarity: f64,
    /// How much the amplitude shrinks from octave to octave. Above 0, at most 1.
    pub persistence: f64,
}

/// Why parameters make no noise.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoiseError {
    /// Too few or too many octaves.
    #[error("octaves is {0}; it must be a whole number from 1 to 16")]
    Octaves(u32),
    /// Not a number, or out of range.
    #[error("lacunarity is {0}; it must be from 1 to 8")]
    Lacunarity(f64),
    /// Not a number, or out of range.
    #[error("persistence is {0}; it must be above 0 and at most 1")]
    Persistence(f64),
    /// An octave is too coarse or too fine for fixed-point positions.
    #[error("octave {octave} has {frequency} cells a sample; it must be from 2^-24 to 2^16")]
    Frequency {
        /// Which octave, from 0.
        octave: u32,
        /// Its cells a sample.
        frequency: f64,
    },
}

/// What f32 rounding can add to a sum of 16 octaves, and more: the guaranteed bound is kept by this much.
const ROUNDING: f64 = 1.0 / 262_144.0;

/// fBm of Perlin gradient noise in 2D, compiled.
///
/// ```
/// use terrane_noise::{Fbm, FbmParams, Grid, Scratch, SimdLevel};
///
/// let hills = Fbm::new(&FbmParams { seed: 7, frequency: 1.0 / 200.0, octaves: 5, lacunarity: 2.0, persistence: 0.5 })?;
/// let grid = Grid { x: -64, z: 1_000_000_000_000, width: 65, height: 65, stride: 1 };
/// let mut out = vec![0.0; grid.samples()];
/// hills.fill(SimdLevel::detect(), &grid, &mut out, 65, &mut Scratch::new());
/// assert!(out.iter().all(|v| v.abs() <= 1.0));
/// assert_eq!(out[0], hills.at((-64).into(), 1_000_000_000_000.into()));
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fbm {
    octaves: Vec<Octave>,
}

impl Fbm {
    /// The largest number of octaves.
    pub const OCTAVES_MAX: u32 = OCTAVES as u32;
    /// The largest lacunarity; the smallest is 1.
    pub const LACUNARITY_MAX: f64 = 8.0;
    /// Fewer cells a sample, 2^-24, would leave an octave's 32-bit step too few digits.
    pub const FREQUENCY_MIN: f64 = 1.0 / 16_777_216.0;
    /// More cells a sample, 2^16, are white noise.
    pub const FREQUENCY_MAX: f64 = 65_536.0;

    /// Checks and compiles `params`. Allocates.
    ///
    /// # Errors
    /// When a parameter is not a number or out of range; the error names it.
    pub fn new(params: &FbmParams) -> Result<Self, NoiseError> {
        let FbmParams { seed, frequency, octaves, lacunarity, persistence } = *params;
        if !(1..=Self::OCTAVES_MAX).contains(&octaves) {
            return Err(NoiseError::Octaves(octaves));
        }
        if !(1.0..=Self::LACUNARITY_MAX).contains(&lacunarity) {
            return Err(NoiseError::Lacunarity(lacunarity));
        }
        if !(persistence > 0.0 && persistence <= 1.0) {
            return Err(NoiseError::Persistence(persistence));
        }
        let mut amplitudes = Vec::with_capacity(OCTAVES);
        let (mut amplitude, mut total) = (1.0, 0.0);
        for _ in 0..octaves {
            amplitudes.push(amplitude);
            total += amplitude;
            amplitude *= persistence;
        }
        let scale = (1.0 - ROUNDING) / (gradient::BOUND * total);
        let mut frequency = frequency;
        let mut compiled = Vec::with_capacity(OCTAVES);
        for (octave, amplitude) in (0..).zip(amplitudes) {
            if !(Self::FREQUENCY_MIN..=Self::FREQUENCY_MAX).contains(&frequency) {
                return Err(NoiseError::Frequency { octave, frequency });
            }
            let step = (frequency * 4_294_967_296.0).round() as u64;
            compiled.push(Octave::new(seed, octave, step, (amplitude * scale) as f32));
            frequency *= lacunarity;
        }
        Ok(Self { octaves: compiled })
    }

    /// Fills `out` with the samples of `grid`, its rows `row_stride` apart. Allocates nothing. The same bits at
    /// every `level`, for every cut into tiles and every stride.
    ///
    /// For costs see docs/PERFORMANCE.md.
    ///
    /// # Panics
    /// When `row_stride` is less than the grid's width, `out` has no room for the rows, or the stride is 0.
    pub fn fill(
        &self,
        level: SimdLevel,
        grid: &Grid,
        out: &mut [f32],
        row_stride: usize,
        scratch: &mut Scratch,
    ) {
        if grid.width == 0 || grid.height == 0 {
            return;
        }
        assert!(grid.stride > 0, "a grid's stride is at least 1");
        assert!(row_stride >= grid.width, "rows {row_stride} apart cannot hold {} samples", grid.width);
        // In u128: in a 32-bit usize a grid of 65536 by 65536 would wrap to nothing.
        let needed = (grid.height as u128 - 1) * row_stride as u128 + grid.width as u128;
        assert!(out.len() as u128 >= needed, "the grid needs {needed} values, the output has {}", out.len());
        level.dispatch(FbmGrid { octaves: &self.octaves, grid, out, row_stride, scratch });
    }

    /// The value at one position; at a sample it has the bits that [`fill`](Self::fill) gives.
    ///
    /// One sample costs what a whole lattice cell costs in a grid: for many samples use `fill`.
    #[must_use]
    pub fn at(&self, x: Coord, z: Coord) -> f32 {
        SimdLevel::SCALAR.dispatch(FbmPoint { octaves: &self.octaves, x, z })
    }

    /// Cells a sample of each octave, as the 32.32 fixed-point step that is used.
    ///
    /// ```
    /// # use terrane_noise::{Fbm, FbmParams};
    /// let params = FbmParams { seed: 1, frequency: 0.125, octaves: 2, lacunarity: 2.0, persistence: 0.5 };
    /// let steps: Vec<u64> = Fbm::new(&params)?.steps().collect();
    /// assert_eq!(steps, [1 << 29, 1 << 30]);
    /// # Ok::<(), terrane_noise::NoiseError>(())
    /// ```
    pub fn steps(&self) -> impl Iterator<Item = u64> + '_ {
        self.octaves.iter().map(|octave| octave.ramp.step)
    }
}

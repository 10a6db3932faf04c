//! Cells, fractions and weights of consecutive samples along one axis.
//!
//! In: an [`AxisMap`] and the samples of a strip, a band or a slice. Out: an [`Axis`]. Phases are 64-bit; a vector
//! adds the low words, then the high words and the carry.

use terrane_lanes::{Aligned, Kernel, Lanes, SimdLevel};

use crate::phase::{AxisMap, Coord, FRACTION, cell};
use crate::scratch::{Row, STRIP, WordRow};

/// What kernels want to know of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Cells taken mod the period, and fractions.
    Places,
    /// Cells that never fall within the axis, and fractions.
    Rising,
    /// And weights.
    Weights,
    /// And the weights' slopes.
    Slopes,
}

impl Need {
    /// Of a kernel that blends lattice numbers.
    pub(crate) fn blends(slopes: bool) -> Self {
        if slopes { Self::Slopes } else { Self::Weights }
    }
}

/// One octave along one axis: the cell of each sample, the fraction, and what its two lattice lines weigh.
#[derive(Clone)]
pub(crate) struct Axis {
    pub(crate) cell: WordRow,
    pub(crate) fraction: Row,
    pub(crate) value: Weights,
    /// Slopes of the weights a sample.
    pub(crate) slope: Weights,
}

/// Weights of the lower (0) and the upper (1) lattice line: p for the gradient part along the axis, q for all else.
#[derive(Clone)]
pub(crate) struct Weights {
    pub(crate) p0: Row,
    pub(crate) p1: Row,
    pub(crate) q0: Row,
    pub(crate) q1: Row,
}

impl Axis {
    pub(crate) const fn new() -> Self {
        const ROW: Row = Aligned([0.0; STRIP]);
        const WEIGHTS: Weights = Weights { p0: ROW, p1: ROW, q0: ROW, q1: ROW };
        Self { cell: Aligned([0; STRIP]), fraction: ROW, value: WEIGHTS, slope: WEIGHTS }
    }

    /// Fills the first `n` entries, and up to a vector more, for the samples `first + i * stride`.
    pub(crate) fn fill(
        &mut self,
        level: SimdLevel,
        map: &AxisMap,
        (first, stride): (i64, u32),
        n: usize,
        need: Need,
    ) {
        let w = map.cells_per_sample();
        match *map {
            AxisMap::Free { step, offset } => {
                let start = first.cast_unsigned().wrapping_mul(step).wrapping_add(offset);
                let step = step.wrapping_mul(u64::from(stride));
                level.dispatch(Fill { phases: Some((start, step)), n, w, need, axis: self });
            }
            AxisMap::Tiled { .. } => {
                self.fill_tiled(map, first, stride, need);
                level.dispatch(Fill { phases: None, n, w, need, axis: self });
            }
        }
    }

    /// All entries, one by one: tiled axes are rare and their phases take a division.
    fn fill_tiled(&mut self, map: &AxisMap, first: i64, stride: u32, need: Need) {
        let AxisMap::Tiled { cells, samples, .. } = *map else { return };
        // Indices count from the period that the first sample lies in, so that cells rise along the axis.
        let first = first.rem_euclid(i64::from(samples));
        let start = cell(map.phase(first.into()));
        let start_wrapped = start % cells;
        for (i, (to_cell, to_fraction)) in self.cell.iter_mut().zip(self.fraction.iter_mut()).enumerate() {
            let index = first + i as i64 * i64::from(stride);
            let phase = map.phase(Coord::from(index));
            *to_fraction = crate::phase::fraction(phase);
            *to_cell = if need == Need::Places {
                cell(phase) % cells
            } else {
                let periods = (index / i64::from(samples)) as u32;
                let rising = periods.wrapping_mul(cells).wrapping_add(cell(phase));
                rising.wrapping_sub(start).wrapping_add(start_wrapped)
            };
        }
    }
}

/// Cells and fractions from the first sample's phase and the step between samples, if they are not there already; then
/// what else is needed.
struct Fill<'a> {
    phases: Option<(u64, u64)>,
    n: usize,
    w: f32,
    need: Need,
    axis: &'a mut Axis,
}

impl Kernel for Fill<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { phases, n, w, need, axis } = self;
        let (start, step) = phases.unwrap_or_default();
        let (ramp_low, ramp_high) = ramp(l, step);
        let mut at = 0;
        while at < n && at + L::N <= STRIP {
            if phases.is_some() {
                let here = start.wrapping_add((at as u64).wrapping_mul(step));
                let (cell, low) = self::phases(l, here, ramp_low, ramp_high);
                l.store_u(cell, &mut axis.cell[at..]);
                l.store(l.to_f(low >> 8) * l.splat(FRACTION), &mut axis.fraction[at..]);
            }
            if need >= Need::Weights {
                let f = l.load(&axis.fraction[at..]);
                let value = weights(l, f);
                value.store(l, &mut axis.value, at);
                if need == Need::Slopes {
                    slope_weights(l, f, &value, l.splat(w)).store(l, &mut axis.slope, at);
                }
            }
            at += L::N;
        }
    }
}

/// Low and high words of what the lanes of a vector add to the phase of the first.
#[inline(always)]
pub(crate) fn ramp<L: Lanes>(l: L, step: u64) -> (L::U, L::U) {
    let (mut low, mut high) = (Aligned([0u32; 16]), Aligned([0u32; 16]));
    let mut phase = 0u64;
    for (low, high) in low.iter_mut().zip(high.iter_mut()).take(L::N) {
        *low = phase as u32;
        *high = (phase >> 32) as u32;
        phase = phase.wrapping_add(step);
    }
    (l.load_u(&low[..]), l.load_u(&high[..]))
}

/// High and low words of `start` plus a ramp.
#[inline(always)]
pub(crate) fn phases<L: Lanes>(l: L, start: u64, ramp_low: L::U, ramp_high: L::U) -> (L::U, L::U) {
    let low = l.splat_u(start as u32) + ramp_low;
    let carry = l.pick_u(l.lt_u(low, ramp_low), l.splat_u(1), l.splat_u(0));
    ((l.splat_u((start >> 32) as u32) + ramp_high) + carry, low)
}

/// The weights of one vector of samples.
#[derive(Clone, Copy)]
pub(crate) struct WeightLanes<F> {
    /// `f * q0`: the lower line's gradient part along this axis.
    pub(crate) p0: F,
    /// `(f - 1) * q1`: the upper line's.
    pub(crate) p1: F,
    /// `1 - u`: the lower line's part across this axis.
    pub(crate) q0: F,
    /// `u`, the fade of f: the upper line's.
    pub(crate) q1: F,
}

/// Weights at fraction `f`, 0 <= f < 1. This order of operations is part of the definition of the noise; the quintic
/// is K. Perlin's, *Improving Noise* (2002).
#[inline(always)]
pub(crate) fn weights<L: Lanes>(l: L, f: L::F) -> WeightLanes<L::F> {
    let one = l.splat(1.0);
    let q1 = f * f * f * (f * (f * l.splat(6.0) - l.splat(15.0)) + l.splat(10.0));
    let q0 = one - q1;
    WeightLanes { p0: f * q0, p1: (f - one) * q1, q0, q1 }
}

/// Slopes a sample of the weights `value` at fraction `f`; `w` is cells a sample.
#[inline(always)]
pub(crate) fn slope_weights<L: Lanes>(
    l: L,
    f: L::F,
    value: &WeightLanes<L::F>,
    w: L::F,
) -> WeightLanes<L::F> {
    let one = l.splat(1.0);
    let s = f * (f - one);
    let du = s * s * l.splat(30.0);
    let q1 = du * w;
    WeightLanes {
        p0: (value.q0 - f * du) * w,
        p1: (value.q1 + (f - one) * du) * w,
        q0: l.splat(0.0) - q1,
        q1,
    }
}

impl<F: Copy> WeightLanes<F> {
    #[inline(always)]
    fn store<L: Lanes<F = F>>(&self, l: L, to: &mut Weights, at: usize) {
        l.store(self.p0, &mut to.p0[at..]);
        l.store(self.p1, &mut to.p1[at..]);
        l.store(self.q0, &mut to.q0[at..]);
        l.store(self.q1, &mut to.q1[at..]);
    }
}

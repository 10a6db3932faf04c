//! Cells and weights of consecutive samples along one axis.
//!
//! In: the phase of the first sample and the ramp of the rest. Out: an [`Axis`]. Phases are 64-bit; a vector adds
//! the low words, then the high words and the carry.

use terrane_lanes::Lanes;

use crate::gradient::weights;
use crate::phase::{FRACTION, Ramp};
use crate::scratch::{Axis, STRIP};

/// Fills the first `n <= STRIP` entries of `axis` (and up to a vector more).
#[inline(always)]
pub(crate) fn axis<L: Lanes>(l: L, ramp: &Ramp, start: u64, n: usize, axis: &mut Axis) {
    let (ramp_low, ramp_high) = (l.load_u(&ramp.low[..]), l.load_u(&ramp.high[..]));
    let mut at = 0;
    while at < STRIP && at < n {
        let phase = start.wrapping_add((at as u64).wrapping_mul(ramp.step));
        let low = l.splat_u(phase as u32) + ramp_low;
        let carry = l.pick_u(l.lt_u(low, ramp_low), l.splat_u(1), l.splat_u(0));
        let cell = (l.splat_u((phase >> 32) as u32) + ramp_high) + carry;
        let w = weights(l, l.to_f(low >> 8) * l.splat(FRACTION));
        l.store_u(cell, &mut axis.cell[at..]);
        l.store(w.p0, &mut axis.p0[at..]);
        l.store(w.p1, &mut axis.p1[at..]);
        l.store(w.q0, &mut axis.q0[at..]);
        l.store(w.q1, &mut axis.q1[at..]);
        at += L::N;
    }
}

//! Lattice numbers blended along x: once a lattice row and lane, not once a sample. That is where the speed of the
//! coherent kernel comes from.

use terrane_lanes::Lanes;

use crate::axis::Axis;
use crate::scratch::{LATTICE_ROWS, LatticeRow, LatticeTable, Row, STRIP};

/// Which weights a part of the lattice numbers takes: p along the part's own axis, q across it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Along {
    P,
    Q,
}

/// How many lattice lines the first `n` samples of an axis touch.
#[inline(always)]
pub(crate) fn line_count(axis: &Axis, n: usize) -> usize {
    (axis.cell[n - 1].wrapping_sub(axis.cell[0]) as usize + 2).min(STRIP + 2)
}

/// One part of the lattice numbers, and where its blends go.
pub(crate) struct Blend<'a> {
    pub(crate) columns: &'a Axis,
    pub(crate) along: Along,
    pub(crate) lanes: usize,
    pub(crate) part: &'a [LatticeRow; LATTICE_ROWS],
    /// Lattice rows.
    pub(crate) rows: usize,
    pub(crate) value: &'a mut LatticeTable,
    /// Left alone without slopes.
    pub(crate) slope: &'a mut LatticeTable,
}

/// `left * w0 + right * w1` per lattice row and lane, and with `SLOPES` the same with the weights' slopes into a second
/// table.
#[inline(always)]
pub(crate) fn blend<L: Lanes, const SLOPES: bool>(l: L, blend: Blend<'_>) {
    let Blend { columns, along, lanes, part, rows, value, slope } = blend;
    let (w, s) = (&columns.value, &columns.slope);
    let ([w0, w1], [s0, s1]) = match along {
        Along::P => ([&w.p0, &w.p1], [&s.p0, &s.p1]),
        Along::Q => ([&w.q0, &w.q1], [&s.q0, &s.q1]),
    };
    let first = columns.cell[0];
    let mut at = 0;
    while at < lanes && at + L::N <= STRIP {
        let cell = columns.cell[at];
        // At most one cell a sample, so at most 80; the mask tells the compiler that the slices below fit.
        let base = (cell.wrapping_sub(first) & 127) as usize;
        let index = l.load_u(&columns.cell[at..]) - l.splat_u(cell);
        let weights = (l.load(&w0[at..]), l.load(&w1[at..]));
        let slopes = if SLOPES { (l.load(&s0[at..]), l.load(&s1[at..])) } else { weights };
        blend_vector::<L, SLOPES>(l, at, base, index, weights, slopes, part, rows, value, slope);
        at += L::N;
    }
}

#[inline(always)]
fn blend_vector<L: Lanes, const SLOPES: bool>(
    l: L,
    at: usize,
    base: usize,
    index: L::U,
    (w0, w1): (L::F, L::F),
    (s0, s1): (L::F, L::F),
    part: &[LatticeRow; LATTICE_ROWS],
    row_count: usize,
    value: &mut [Row; LATTICE_ROWS],
    slope: &mut [Row; LATTICE_ROWS],
) {
    for (part, (value, slope)) in part.iter().zip(value.iter_mut().zip(slope.iter_mut())).take(row_count) {
        let part = &part[base..base + L::N + 1];
        let (left, right) = (l.look_up(part, index), l.look_up(&part[1..], index));
        l.store(left * w0 + right * w1, &mut value[at..]);
        if SLOPES {
            l.store(left * s0 + right * s1, &mut slope[at..]);
        }
    }
}

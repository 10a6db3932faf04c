//! The inner loop: samples from the tables of the two lattice rows around them.
//!
//! All rows of a band that lie in one cell row share the tables of two lattice rows. They stay in registers while the
//! rows go by; each row brings its weights as scalars. No hash, no look-up, no permute.

use terrane_lanes::Lanes;

use crate::axis::Weights;
use crate::kernel::job::Target;
use crate::scratch::{LatticeTable, Row, WordRow};

/// What all vectors of a strip share: the rows' cells and weights, and the tables. `across` is read for gradients only.
#[derive(Clone, Copy)]
pub(crate) struct Band<'a> {
    pub(crate) cell: &'a WordRow,
    pub(crate) weights: &'a Weights,
    pub(crate) row_count: usize,
    /// Weighed by q: X of docs/NOISE.md.
    pub(crate) along: &'a LatticeTable,
    /// Weighed by p: Z.
    pub(crate) across: &'a LatticeTable,
}

/// One octave over the rows of a band and the `lanes` lanes of a strip. `GRADIENT`: with the part that p weighs. `add`: to
/// what the target's rows hold. `out`: straight to the caller's rows, for which a ragged last vector overlaps the one
/// before it; then the target's rows stay as they are.
#[inline(always)]
pub(crate) fn octave<L: Lanes, const GRADIENT: bool>(
    l: L,
    (add, out): (bool, bool),
    lanes: usize,
    band: &Band<'_>,
    to: &mut Target<'_>,
) {
    let (full, vectors) = (lanes / L::N, lanes.div_ceil(L::N));
    // A strip narrower than a vector goes through the target's rows.
    let direct = out && to.out.is_some() && full > 0;
    let ragged = if full < vectors { Some(lanes - lanes.min(L::N)) } else { None };
    match (add, direct) {
        (false, true) => cell_rows_of::<L, GRADIENT, false, true>(l, band, full, ragged, to),
        (false, false) => cell_rows_of::<L, GRADIENT, false, false>(l, band, vectors, None, to),
        (true, true) => cell_rows_of::<L, GRADIENT, true, true>(l, band, full, ragged, to),
        (true, false) => cell_rows_of::<L, GRADIENT, true, false>(l, band, vectors, None, to),
    }
    if out && !direct {
        to.copy_out((lanes, band.row_count));
    }
}

/// Picks how many vectors a pass takes: a constant of the level, so one arm is left.
#[inline(always)]
fn cell_rows_of<L: Lanes, const GRADIENT: bool, const ADD: bool, const OUT: bool>(
    l: L,
    band: &Band<'_>,
    vectors: usize,
    ragged: Option<usize>,
    to: &mut Target<'_>,
) {
    match if !ADD && OUT { L::WRITE_VECTORS } else { L::SUM_VECTORS } {
        1 => cell_rows::<L, 1, GRADIENT, ADD, OUT>(l, band, vectors, ragged, to),
        2 => cell_rows::<L, 2, GRADIENT, ADD, OUT>(l, band, vectors, ragged, to),
        _ => cell_rows::<L, 4, GRADIENT, ADD, OUT>(l, band, vectors, ragged, to),
    }
}

/// The first `vectors` vectors of a strip, and one more from lane `ragged` on, cell row by cell row, `V` vectors a pass.
#[inline(always)]
fn cell_rows<L: Lanes, const V: usize, const GRADIENT: bool, const ADD: bool, const OUT: bool>(
    l: L,
    band: &Band<'_>,
    vectors: usize,
    ragged: Option<usize>,
    to: &mut Target<'_>,
) {
    let cell = band.cell;
    let mut start = 0;
    while start < band.row_count {
        let line = cell[start].wrapping_sub(cell[0]) as usize;
        let end = cell_row_end(cell, start, band.row_count);
        let w = band.weights;
        let weights = [&w.q0[start..end], &w.p0[start..end], &w.q1[start..end], &w.p1[start..end]];
        let (along, across) = (&band.along[line..line + 2], &band.across[line..line + 2]);
        let sum = &mut to.rows[start..end];
        let (out, stride): (&mut [f32], usize) = match &mut to.out {
            Some((out, stride)) if OUT => (&mut out[start * *stride..], *stride),
            _ => (&mut [], 0),
        };
        let mut v = 0;
        while v + V <= vectors {
            samples::<L, V, GRADIENT, ADD, OUT>(l, v * L::N, along, across, weights, sum, out, stride);
            v += V;
        }
        let mut last = ragged;
        while let Some(at) = if v < vectors { Some(v * L::N) } else { last.take() } {
            samples::<L, 1, GRADIENT, ADD, OUT>(l, at, along, across, weights, sum, out, stride);
            v += 1;
        }
        start = end;
    }
}

/// One past the last row, of `row_count`, that lies in the cell row of row `start`.
#[inline(always)]
pub(crate) fn cell_row_end(cell: &WordRow, start: usize, row_count: usize) -> usize {
    let mut end = start + 1;
    while end < row_count && cell[end] == cell[start] {
        end += 1;
    }
    end
}

/// The rows of one cell row, `V` vectors from lane `at` on: four multiplies and four adds a sample for gradients, half of
/// that for values.
#[inline(always)]
fn samples<L: Lanes, const V: usize, const GRADIENT: bool, const ADD: bool, const OUT: bool>(
    l: L,
    at: usize,
    along: &[Row],
    across: &[Row],
    weights: [&[f32]; 4],
    sum: &mut [Row],
    out: &mut [f32],
    row_stride: usize,
) {
    let zero = l.splat(0.0);
    let (mut e0, mut g0, mut e1, mut g1) = ([zero; V], [zero; V], [zero; V], [zero; V]);
    for v in 0..V {
        let lane = at + v * L::N;
        e0[v] = l.load(&along[0][lane..]);
        e1[v] = l.load(&along[1][lane..]);
        if GRADIENT {
            g0[v] = l.load(&across[0][lane..]);
            g1[v] = l.load(&across[1][lane..]);
        }
    }
    let [q0, p0, q1, p1] = weights;
    let rows = sum.iter_mut().zip(q0.iter().zip(p0)).zip(q1.iter().zip(p1)).enumerate();
    for (y, ((sum, (q0, p0)), (q1, p1))) in rows {
        let (q0, p0, q1, p1) = (l.splat(*q0), l.splat(*p0), l.splat(*q1), l.splat(*p1));
        let sum = &mut sum[at..at + V * L::N];
        let first = y * row_stride + at;
        let out = if OUT { &mut out[first..first + V * L::N] } else { &mut [] };
        for v in 0..V {
            let n = if GRADIENT {
                (e0[v] * q0 + g0[v] * p0) + (e1[v] * q1 + g1[v] * p1)
            } else {
                e0[v] * q0 + e1[v] * q1
            };
            let n = if ADD { l.load(&sum[v * L::N..]) + n } else { n };
            l.store(n, if OUT { &mut out[v * L::N..] } else { &mut sum[v * L::N..] });
        }
    }
}

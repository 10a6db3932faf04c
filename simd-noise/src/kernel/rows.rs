//! The inner loop: samples from the blends of the two lattice rows around them.
//!
//! All rows of a band that lie in one cell row share E and G of two lattice rows. They stay in registers while the
//! rows go by; each row brings four scalars. No hash, no look-up, no permute.

use terrane_lanes::Lanes;

use crate::scratch::{Axis, BAND, LATTICE_ROWS, Row};

/// Where an octave's samples go.
pub(crate) struct Target<'a> {
    /// The strip's sum of octaves.
    pub(crate) sum: &'a mut [Row; BAND],
    /// The caller's rows, from the strip's first sample on.
    pub(crate) out: &'a mut [f32],
    /// Distance of the caller's rows.
    pub(crate) row_stride: usize,
}

/// One octave over the rows of a band and the `lanes` lanes of a strip. `first` starts the sum; `last` writes to
/// the caller's rows, all but a ragged last vector, which goes through the sum.
#[inline(always)]
pub(crate) fn octave<L: Lanes>(
    l: L,
    (first, last): (bool, bool),
    rows: &Axis,
    (row_count, lanes): (usize, usize),
    (along, across): (&[Row; LATTICE_ROWS], &[Row; LATTICE_ROWS]),
    to: &mut Target<'_>,
) {
    let (full, vectors) = (lanes / L::N, lanes.div_ceil(L::N));
    let band = Band { rows, row_count, along, across };
    match (first, last) {
        (true, true) => cell_rows_of::<L, true, true>(l, &band, (0, full), to),
        (true, false) => cell_rows_of::<L, true, false>(l, &band, (0, vectors), to),
        (false, true) => cell_rows_of::<L, false, true>(l, &band, (0, full), to),
        (false, false) => cell_rows_of::<L, false, false>(l, &band, (0, vectors), to),
    }
    if last && full < vectors {
        if first {
            cell_rows::<L, 1, true, false>(l, &band, (full, vectors), to);
        } else {
            cell_rows::<L, 1, false, false>(l, &band, (full, vectors), to);
        }
        copy_sum(to, row_count, full * L::N..lanes);
    }
}

/// Copies lanes of the sum to the caller's rows.
#[inline(always)]
pub(crate) fn copy_sum(to: &mut Target<'_>, row_count: usize, lanes: std::ops::Range<usize>) {
    for (sum, out) in to.sum.iter().take(row_count).zip(to.out.chunks_mut(to.row_stride)) {
        out[lanes.clone()].copy_from_slice(&sum[lanes.clone()]);
    }
}

/// What all vectors of a strip share.
struct Band<'a> {
    rows: &'a Axis,
    row_count: usize,
    along: &'a [Row; LATTICE_ROWS],
    across: &'a [Row; LATTICE_ROWS],
}

/// Picks how many vectors a pass takes: a constant of the level, so one arm is left.
#[inline(always)]
fn cell_rows_of<L: Lanes, const FIRST: bool, const LAST: bool>(
    l: L,
    band: &Band<'_>,
    vectors: (usize, usize),
    to: &mut Target<'_>,
) {
    match if FIRST && LAST { L::WRITE_VECTORS } else { L::SUM_VECTORS } {
        1 => cell_rows::<L, 1, FIRST, LAST>(l, band, vectors, to),
        2 => cell_rows::<L, 2, FIRST, LAST>(l, band, vectors, to),
        _ => cell_rows::<L, 4, FIRST, LAST>(l, band, vectors, to),
    }
}

/// Vectors `from..to_vector` of a strip, cell row by cell row, `V` vectors a pass.
#[inline(always)]
fn cell_rows<L: Lanes, const V: usize, const FIRST: bool, const LAST: bool>(
    l: L,
    band: &Band<'_>,
    (from, to_vector): (usize, usize),
    to: &mut Target<'_>,
) {
    let cell = &band.rows.cell;
    let mut start = 0;
    while start < band.row_count {
        let line = cell[start].wrapping_sub(cell[0]) as usize;
        let mut end = start + 1;
        while end < band.row_count && cell[end] == cell[start] {
            end += 1;
        }
        let weights = [
            &band.rows.q0[start..end],
            &band.rows.p0[start..end],
            &band.rows.q1[start..end],
            &band.rows.p1[start..end],
        ];
        let (along, across) = (&band.along[line..line + 2], &band.across[line..line + 2]);
        let sum = &mut to.sum[start..end];
        let out = if LAST { &mut to.out[start * to.row_stride..] } else { &mut [] };
        let mut v = from;
        while v + V <= to_vector {
            samples::<L, V, FIRST, LAST>(l, v * L::N, along, across, weights, sum, out, to.row_stride);
            v += V;
        }
        while v < to_vector {
            samples::<L, 1, FIRST, LAST>(l, v * L::N, along, across, weights, sum, out, to.row_stride);
            v += 1;
        }
        start = end;
    }
}

/// The rows of one cell row, `V` vectors from lane `at` on: four multiplies and four adds a sample.
#[inline(always)]
fn samples<L: Lanes, const V: usize, const FIRST: bool, const LAST: bool>(
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
        g0[v] = l.load(&across[0][lane..]);
        e1[v] = l.load(&along[1][lane..]);
        g1[v] = l.load(&across[1][lane..]);
    }
    let [q0, p0, q1, p1] = weights;
    let rows = sum.iter_mut().zip(q0.iter().zip(p0)).zip(q1.iter().zip(p1)).enumerate();
    for (y, ((sum, (q0, p0)), (q1, p1))) in rows {
        let (q0, p0, q1, p1) = (l.splat(*q0), l.splat(*p0), l.splat(*q1), l.splat(*p1));
        let sum = &mut sum[at..at + V * L::N];
        let first = y * row_stride + at;
        let out = if LAST { &mut out[first..first + V * L::N] } else { &mut [] };
        for v in 0..V {
            let n = (e0[v] * q0 + g0[v] * p0) + (e1[v] * q1 + g1[v] * p1);
            let n = if FIRST { n } else { l.load(&sum[v * L::N..]) + n };
            l.store(n, if LAST { &mut out[v * L::N..] } else { &mut sum[v * L::N..] });
        }
    }
}

//! Where the samples of one row lie in an octave's lattice.
//!
//! In: a block of a grid or scattered points, and how far they are moved. Out: a cell and a fraction per lane and
//! axis. A displacement moves the fraction; what leaves the cell moves the cell, so it costs no accuracy far out.

use terrane_lanes::Lanes;

use crate::axis::Axis;
use crate::kernel::job::Samples;
use crate::kernel::pointwise::RowOf;
use crate::octave::Square;
use crate::phase::{Coord, cell, fraction};
use crate::scratch::{OctaveScratch, PlaceRow, STRIP};

/// Places of row `row` on the square lattice. Axis y only where `THREE`.
#[inline(always)]
pub(crate) fn square<L: Lanes, const THREE: bool>(l: L, square: &Square, of: &RowOf<'_>, to: &mut PlaceRow) {
    let RowOf { samples, axes, row, displacement } = *of;
    let (lanes, _) = samples.size();
    for axis in 0..3 {
        if axis == 1 && !THREE {
            continue;
        }
        match (samples, axes) {
            (Samples::Points(points), _) => scattered(square, axis, points, to),
            (Samples::Block(_), Some(OctaveScratch { columns, rows, slice, .. })) => match axis {
                0 => along_row(l, columns, lanes, to),
                1 => across_row(l, slice, 0, axis, lanes, to),
                _ => across_row(l, rows, row, axis, lanes, to),
            },
            (Samples::Block(_), None) => unreachable!("a block comes with axes"),
        }
        if let Some(by) = displacement {
            displace(l, square, axis, &by[axis][row], lanes, to);
        }
    }
}

/// The strip's columns.
#[inline(always)]
fn along_row<L: Lanes>(l: L, columns: &Axis, lanes: usize, to: &mut PlaceRow) {
    let mut at = 0;
    while at < lanes && at + L::N <= STRIP {
        l.store_u(l.load_u(&columns.cell[at..]), &mut to.cell[0][at..]);
        l.store(l.load(&columns.fraction[at..]), &mut to.fraction[0][at..]);
        at += L::N;
    }
}

/// One place for all lanes.
#[inline(always)]
fn across_row<L: Lanes>(l: L, from: &Axis, i: usize, axis: usize, lanes: usize, to: &mut PlaceRow) {
    let (cell, fraction) = (l.splat_u(from.cell[i]), l.splat(from.fraction[i]));
    let mut at = 0;
    while at < lanes && at + L::N <= STRIP {
        l.store_u(cell, &mut to.cell[axis][at..]);
        l.store(fraction, &mut to.fraction[axis][at..]);
        at += L::N;
    }
}

/// Scattered points, one by one.
#[inline(always)]
fn scattered(square: &Square, axis: usize, points: &[[Coord; 3]], to: &mut PlaceRow) {
    let map = &square.maps[axis];
    let places = to.cell[axis].iter_mut().zip(to.fraction[axis].iter_mut());
    for (point, (to_cell, to_fraction)) in points.iter().zip(places) {
        let phase = map.phase(point[axis]);
        let period = map.period();
        *to_cell = if period == 0 { cell(phase) } else { cell(phase) % period };
        *to_fraction = fraction(phase);
    }
}

/// Moves places along one axis by `by` samples.
#[inline(always)]
fn displace<L: Lanes>(
    l: L,
    square: &Square,
    axis: usize,
    by: &[f32; STRIP],
    lanes: usize,
    to: &mut PlaceRow,
) {
    let w = l.splat(square.maps[axis].cells_per_sample());
    let period = square.maps[axis].period();
    let mut at = 0;
    while at < lanes && at + L::N <= STRIP {
        let t = l.load(&to.fraction[axis][at..]) + l.load(&by[at..]) * w;
        let (cells, fraction) = whole(l, t);
        let moved = if period == 0 {
            l.load_u(&to.cell[axis][at..]) + l.trunc(cells)
        } else {
            wrapped(l, l.to_f(l.load_u(&to.cell[axis][at..])) + cells, period)
        };
        l.store_u(moved, &mut to.cell[axis][at..]);
        l.store(fraction, &mut to.fraction[axis][at..]);
        at += L::N;
    }
}

/// Whole cells and the rest.
#[inline(always)]
pub(crate) fn whole<L: Lanes>(l: L, t: L::F) -> (L::F, L::F) {
    let cells = l.floor(t);
    (cells, t - cells)
}

/// A whole number of cells mod `period`, which is at most 2^20: exact for |cells| < 2^23.
#[inline(always)]
fn wrapped<L: Lanes>(l: L, cells: L::F, period: u32) -> L::U {
    let p = l.splat(period as f32);
    let r = cells - l.floor(cells / p) * p;
    // The rounded quotient may be one too large or too small.
    let r = l.pick(l.lt(r, l.splat(0.0)), r + p, r);
    let r = l.pick(l.lt(r, p), r, r - p);
    l.trunc(r)
}

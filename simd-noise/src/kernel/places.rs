//! Where samples lie in an octave's square lattice.
//!
//! In: a row of a block or of scattered points, and how far it is moved. Out: a cell and a fraction per lane and axis. A
//! displacement moves the fraction; what leaves the cell moves the cell, so it costs no accuracy far out.

use terrane_lanes::Lanes;

use crate::kernel::job::Samples;
use crate::kernel::pointwise::{At, Place, RowOf, load_place};
use crate::octave::Square;
use crate::phase::{Coord, cell, fraction};
use crate::scratch::{PlaceRow, STRIP};

/// Places of the vector from lane `at` on. Axis y means nothing unless `THREE`.
#[inline(always)]
pub(crate) fn square<L: Lanes, const THREE: bool>(
    l: L,
    square: &Square,
    of: &RowOf<'_>,
    places: &PlaceRow,
    at: usize,
) -> At<L> {
    let x = along_axis::<L>(l, square, 0, of, places, at);
    let y = if THREE { along_axis::<L>(l, square, 1, of, places, at) } else { x };
    [x, y, along_axis::<L>(l, square, 2, of, places, at)]
}

#[inline(always)]
fn along_axis<L: Lanes>(
    l: L,
    square: &Square,
    axis: usize,
    of: &RowOf<'_>,
    places: &PlaceRow,
    at: usize,
) -> Place<L::U, L::F> {
    let place = match (of.samples, of.axes) {
        (Samples::Block(_), Some(axes)) => match axis {
            0 => {
                let columns = axes.columns();
                Place { cell: l.load_u(&columns.cell[at..]), fraction: l.load(&columns.fraction[at..]) }
            }
            1 => Place { cell: l.splat_u(axes.slice.cell[0]), fraction: l.splat(axes.slice.fraction[0]) },
            _ => Place {
                cell: l.splat_u(axes.rows.cell[of.row]),
                fraction: l.splat(axes.rows.fraction[of.row]),
            },
        },
        _ => load_place(l, places, axis, at),
    };
    match of.displacement {
        Some(by) => displaced(l, square, axis, place, &by[axis][of.row], at),
        None => place,
    }
}

impl Square {
    /// Places of scattered points, one by one.
    pub(crate) fn scatter(&self, points: &[[Coord; 3]], to: &mut PlaceRow) {
        for (axis, map) in self.maps.iter().enumerate() {
            if axis == 1 && !self.three {
                continue;
            }
            let places = to.cell[axis].iter_mut().zip(to.fraction[axis].iter_mut());
            for (point, (to_cell, to_fraction)) in points.iter().zip(places) {
                let phase = map.phase(point[axis]);
                let period = map.period();
                *to_cell = if period == 0 { cell(phase) } else { cell(phase) % period };
                *to_fraction = fraction(phase);
            }
        }
    }
}

/// A place moved along one axis by `by` samples.
#[inline(always)]
fn displaced<L: Lanes>(
    l: L,
    square: &Square,
    axis: usize,
    place: Place<L::U, L::F>,
    by: &[f32; STRIP],
    at: usize,
) -> Place<L::U, L::F> {
    let w = l.splat(square.cells_per_sample[axis]);
    let period = square.maps[axis].period();
    // Programs move an octave by at most 2^16 cells. A fraction is not below +0, so the sum is not -0.
    let (cells, fraction) = l.split(place.fraction + l.load(&by[at..]) * w);
    let cell = place.cell + cells;
    Place { cell: if period == 0 { cell } else { wrapped(l, l.to_f(cell), period) }, fraction }
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

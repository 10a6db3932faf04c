//! Gradient noise sample by sample, from the hashes of its four corners.
//!
//! For octaves above one cell a sample, where neighbours share no lattice point, and for single positions. The
//! operations and their order are those of `lattice.rs` and `rows.rs`, so the choice never changes a bit.

use terrane_lanes::Lanes;

use crate::gradient::Weights;
use crate::hash::{FOLD_BEFORE, KM, KX, KZ, half_x, half_z};
use crate::octave::Octave;
use crate::scratch::{Axis, BAND, Row, STRIP};

/// `hash::fold` over lanes.
#[inline(always)]
pub(crate) fn fold<L: Lanes>(half: L::U) -> L::U {
    half ^ (half >> FOLD_BEFORE)
}

/// The hash of a lattice point from its column's and its row's folded half: `hash::corner_top` over lanes. Its top 15
/// bits are those of `hash::corner`, and a gradient needs three.
#[inline(always)]
pub(crate) fn corner_hash<L: Lanes>(l: L, folded_column: L::U, folded_row: L::U) -> L::U {
    let joined = folded_column ^ folded_row;
    joined * (joined + l.splat_u(KM))
}

/// One sample a lane: halves of the hash of its lower column and row, and its weights along both axes.
#[inline(always)]
pub(crate) fn sample<L: Lanes>(
    l: L,
    octave: &Octave,
    (half_column, x): (L::U, Weights<L::F>),
    (half_row, z): (L::U, Weights<L::F>),
) -> L::F {
    let (column0, column1) = (fold::<L>(half_column), fold::<L>(half_column + l.splat_u(KX)));
    let (row0, row1) = (fold::<L>(half_row), fold::<L>(half_row + l.splat_u(KZ)));
    let (h00, h10) = (corner_hash(l, column0, row0), corner_hash(l, column1, row0));
    let (h01, h11) = (corner_hash(l, column0, row1), corner_hash(l, column1, row1));
    let (gx, gz) = (&octave.gradient_x, &octave.gradient_z);
    let e0 = l.look_up8(gx, h00) * x.p0 + l.look_up8(gx, h10) * x.p1;
    let g0 = l.look_up8(gz, h00) * x.q0 + l.look_up8(gz, h10) * x.q1;
    let e1 = l.look_up8(gx, h01) * x.p0 + l.look_up8(gx, h11) * x.p1;
    let g1 = l.look_up8(gz, h01) * x.q0 + l.look_up8(gz, h11) * x.q1;
    (e0 * z.q0 + g0 * z.p0) + (e1 * z.q1 + g1 * z.p1)
}

/// One octave of a strip and a band into the sum. `FIRST` starts it.
#[inline(always)]
pub(crate) fn octave<L: Lanes, const FIRST: bool>(
    l: L,
    octave: &Octave,
    columns: &Axis,
    rows: &Axis,
    (row_count, vectors): (usize, usize),
    sum: &mut [Row; BAND],
) {
    for (y, sum) in sum.iter_mut().enumerate().take(row_count) {
        let half_row = l.splat_u(half_z(rows.cell[y], octave.words[1]));
        let z = Weights {
            p0: l.splat(rows.p0[y]),
            p1: l.splat(rows.p1[y]),
            q0: l.splat(rows.q0[y]),
            q1: l.splat(rows.q1[y]),
        };
        let mut at = 0;
        for _ in 0..vectors {
            if at + L::N > STRIP {
                break;
            }
            let half_column =
                l.load_u(&columns.cell[at..]) * l.splat_u(KX) + l.splat_u(half_x(0, octave.words[0]));
            let x = Weights {
                p0: l.load(&columns.p0[at..]),
                p1: l.load(&columns.p1[at..]),
                q0: l.load(&columns.q0[at..]),
                q1: l.load(&columns.q1[at..]),
            };
            let n = sample(l, octave, (half_column, x), (half_row, z));
            let n = if FIRST { n } else { l.load(&sum[at..]) + n };
            l.store(n, &mut sum[at..]);
            at += L::N;
        }
    }
}

//! Gradients at lattice points, and their blends along x.
//!
//! Gradient noise is separable. At a sample, with the weights of `gradient.rs` per axis,
//!
//! `n = (E0 * q0 + G0 * p0) + (E1 * q1 + G1 * p1)` along z, where for each of the two lattice rows
//! `E = gx0 * p0 + gx1 * p1` and `G = gz0 * q0 + gz1 * q1` along x.
//!
//! E and G belong to a lattice row and a lane, not to a sample: gradients are hashed once a lattice point, looked
//! up and blended once a lane and lattice row. That is where the speed comes from, and it is the definition of the
//! noise: `corners.rs` and the oracle in the tests use the same operations in the same order.

use terrane_lanes::{Aligned, Lanes};

use crate::hash::{self, KX, KZ, half_x, half_z};
use crate::kernel::corners::{corner_hash, fold};
use crate::octave::Octave;
use crate::scratch::{Axis, LATTICE_COLUMNS, LATTICE_ROWS, Lattice, Row, STRIP};

/// How many lattice lines the first `n` samples of an axis touch.
#[inline(always)]
pub(crate) fn line_count(axis: &Axis, n: usize) -> usize {
    (axis.cell[n - 1].wrapping_sub(axis.cell[0]) as usize + 2).min(STRIP + 2)
}

/// Gradients of `column_count` by `row_count` lattice points from cell `(column, row)` on.
#[inline(always)]
pub(crate) fn gradients<L: Lanes>(
    l: L,
    octave: &Octave,
    (column, column_count): (u32, usize),
    (row, row_count): (u32, usize),
    to: &mut Lattice,
) {
    let vectors = column_count.div_ceil(L::N);
    let mut halves = Aligned([0u32; LATTICE_COLUMNS]);
    for (v, half) in halves.chunks_exact_mut(L::N).take(vectors).enumerate() {
        let first = l.splat_u(half_x(column.wrapping_add((v * L::N) as u32), octave.words[0]));
        l.store_u(fold::<L>(first + l.iota() * l.splat_u(KX)), half);
    }
    let mut half_row = half_z(row, octave.words[1]);
    for (x, z) in to.x.iter_mut().zip(to.z.iter_mut()).take(row_count) {
        let columns = x.chunks_exact_mut(L::N).zip(z.chunks_exact_mut(L::N)).zip(halves.chunks_exact(L::N));
        for ((x, z), half) in columns.take(vectors) {
            let hash = corner_hash(l, l.load_u(half), l.splat_u(hash::fold(half_row)));
            l.store(l.look_up8(&octave.gradient_x, hash), x);
            l.store(l.look_up8(&octave.gradient_z, hash), z);
        }
        half_row = half_row.wrapping_add(KZ);
    }
}

/// E and G of the first `row_count` lattice rows, at `vectors` vectors of a strip.
#[inline(always)]
pub(crate) fn blend_x<L: Lanes>(
    l: L,
    columns: &Axis,
    vectors: usize,
    lattice: &Lattice,
    row_count: usize,
    along: &mut [Row; LATTICE_ROWS],
    across: &mut [Row; LATTICE_ROWS],
) {
    let first = columns.cell[0];
    let mut at = 0;
    for _ in 0..vectors {
        if at + L::N > STRIP {
            break;
        }
        let cell = columns.cell[at];
        // At most one cell a sample, so at most 80; the mask tells the compiler that the slices below fit.
        let base = (cell.wrapping_sub(first) & 127) as usize;
        let index = l.load_u(&columns.cell[at..]) - l.splat_u(cell);
        let (p0, p1) = (l.load(&columns.p0[at..]), l.load(&columns.p1[at..]));
        let (q0, q1) = (l.load(&columns.q0[at..]), l.load(&columns.q1[at..]));
        let rows = lattice.x.iter().zip(lattice.z.iter()).zip(along.iter_mut().zip(across.iter_mut()));
        for ((x, z), (e, g)) in rows.take(row_count) {
            let (x, z) = (&x[base..base + L::N + 1], &z[base..base + L::N + 1]);
            l.store(l.look_up(x, index) * p0 + l.look_up(&x[1..], index) * p1, &mut e[at..]);
            l.store(l.look_up(z, index) * q0 + l.look_up(&z[1..], index) * q1, &mut g[at..]);
        }
        at += L::N;
    }
}

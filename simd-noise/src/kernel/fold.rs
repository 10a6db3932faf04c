//! Two lattice planes blended along y: once a slice, lattice row and lane. The rows pass then runs as in 2D.

use terrane_lanes::Lanes;

use crate::scratch::{LATTICE_ROWS, LatticeTable, STRIP};

/// The slice's weights along y: `[q0, p0, q1, p1]`.
pub(crate) type SliceWeights = [f32; 4];

/// `(below * q0 + upward * p0) + (above * q1 + upward * p1)`: X of docs/NOISE.md, of E and H.
#[inline(always)]
pub(crate) fn gradient<L: Lanes>(
    l: L,
    [q0, p0, q1, p1]: SliceWeights,
    (below, above): ((&LatticeTable, &LatticeTable), (&LatticeTable, &LatticeTable)),
    (lanes, row_count): (usize, usize),
    to: &mut [crate::scratch::Row; LATTICE_ROWS],
) {
    let (q0, p0, q1, p1) = (l.splat(q0), l.splat(p0), l.splat(q1), l.splat(p1));
    let tables = below.0.iter().zip(below.1).zip(above.0.iter().zip(above.1));
    for (((e0, h0), (e1, h1)), to) in tables.zip(to.iter_mut()).take(row_count) {
        let mut at = 0;
        while at < lanes && at + L::N <= STRIP {
            let low = l.load(&e0[at..]) * q0 + l.load(&h0[at..]) * p0;
            let high = l.load(&e1[at..]) * q1 + l.load(&h1[at..]) * p1;
            l.store(low + high, &mut to[at..]);
            at += L::N;
        }
    }
}

/// `below * q0 + above * q1`: Z of gradients, X of values.
#[inline(always)]
pub(crate) fn value<L: Lanes>(
    l: L,
    [q0, _, q1, _]: SliceWeights,
    (below, above): (&LatticeTable, &LatticeTable),
    (lanes, row_count): (usize, usize),
    to: &mut [crate::scratch::Row; LATTICE_ROWS],
) {
    let (q0, q1) = (l.splat(q0), l.splat(q1));
    for ((low, high), to) in below.iter().zip(above).zip(to.iter_mut()).take(row_count) {
        let mut at = 0;
        while at < lanes && at + L::N <= STRIP {
            l.store(l.load(&low[at..]) * q0 + l.load(&high[at..]) * q1, &mut to[at..]);
            at += L::N;
        }
    }
}

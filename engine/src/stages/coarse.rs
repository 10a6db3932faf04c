//! Coarse pairs: where a vertex lies, and which way the ground faces, on the mesh of the next coarser level.
//!
//! In: heights with an apron of two. Out: a height and a unit normal a vertex. A host that moves vertices from their own pair to
//! the coarse one (geomorphing) changes levels without a pop.
//!
//! Vertices with two even places are vertices of the coarser mesh: they keep their height, and the normal is the coarser
//! one, the central difference over two strides. The others lie in the middle of an edge of the coarser mesh, of a
//! diagonal when both places are odd: height and differences are the mean of its ends'. So where a chunk meets a coarser one, the
//! finer's coarse pair is the coarser's own pair, to the bit.

use terrane_lanes::{Kernel, Lanes, SimdLevel};

use crate::buffers::{APRON, apron_stride};
use crate::stages::normals::unit;

/// Fills `pairs` of a chunk with `side` vertices a side: height in metres, then normal. `spacing_m` is that of the chunk.
pub(crate) fn coarse(level: SimdLevel, side: usize, spacing_m: f32, apron: &[f32], pairs: &mut [[f32; 4]]) {
    level.dispatch(Coarse { side, spacing_m, apron, pairs });
}

struct Coarse<'a> {
    side: usize,
    spacing_m: f32,
    apron: &'a [f32],
    pairs: &'a mut [[f32; 4]],
}

impl Kernel for Coarse<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { side, spacing_m, apron, pairs } = self;
        let up = l.splat(4.0 * spacing_m);
        for (z, pairs) in pairs.chunks_exact_mut(side).enumerate() {
            let rows = CoarseRows::new(apron, apron_stride(side), z);
            for (v, pairs) in pairs.chunks_mut(L::N).enumerate() {
                let [height, dx, dz] = rows.pairs(l, v * L::N);
                let [x, y, z] = unit(l, [dx, up, dz]);
                let mut parts = [[0.0; 16]; 4];
                for (part, values) in parts.iter_mut().zip([height, x, y, z]) {
                    l.store(values, part);
                }
                let [height, x, y, z] = &parts;
                for (pair, (((height, x), y), z)) in pairs.iter_mut().zip(height.iter().zip(x).zip(y).zip(z))
                {
                    *pair = [*height, *x, *y, *z];
                }
            }
        }
    }
}

/// For each place along a row, 1 when it is odd.
const PARITY: [f32; 17] = [0., 1., 0., 1., 0., 1., 0., 1., 0., 1., 0., 1., 0., 1., 0., 1., 0.];

/// The rows of heights that the coarse pairs of a row are made from. An odd place lies between two ends, which are one when it is
/// even. The diagonal between them falls to the left with growing z: the end in the row above is the one to the right.
#[derive(Clone, Copy)]
pub(crate) struct CoarseRows<'a> {
    right: EndRows<'a>,
    left: EndRows<'a>,
}

/// The row of an end, and those two above and two below it.
#[derive(Clone, Copy)]
struct EndRows<'a> {
    above: &'a [f32],
    row: &'a [f32],
    below: &'a [f32],
}

/// Where the first vertex lies in [`EndRows`].
const FIRST_BESIDE: usize = 1;
const FIRST: usize = 3;

impl<'a> CoarseRows<'a> {
    /// Of row `z` of the vertices.
    #[inline(always)]
    pub(crate) fn new(apron: &'a [f32], row_stride: usize, z: usize) -> Self {
        Self {
            right: EndRows::new(apron, row_stride, z & !1),
            left: EndRows::new(apron, row_stride, (z + 1) & !1),
        }
    }

    /// Heights, and differences over two strides to each side, left less right and above less below, from vertex `at` on, a
    /// multiple of the lanes.
    #[inline(always)]
    pub(crate) fn pairs<L: Lanes>(&self, l: L, at: usize) -> [L::F; 3] {
        let odd = l.lt(l.splat(0.0), l.load(&PARITY[at % 2..]));
        let [height, dx, dz] = self.right.at(l, odd, at, true);
        let [left_height, left_dx, left_dz] = self.left.at(l, odd, at, false);
        let half = l.splat(0.5);
        [(height + left_height) * half, (dx + left_dx) * half, (dz + left_dz) * half]
    }
}

impl<'a> EndRows<'a> {
    #[inline(always)]
    fn new(apron: &'a [f32], row_stride: usize, z: usize) -> Self {
        let first = (z + APRON) * row_stride + APRON;
        Self {
            above: &apron[first - 2 * row_stride - FIRST_BESIDE..],
            row: &apron[first - FIRST..],
            below: &apron[first + 2 * row_stride - FIRST_BESIDE..],
        }
    }

    /// Height and differences at the vertices from `at` on, at odd places those of the vertex to the right, or to the left.
    #[inline(always)]
    fn at<L: Lanes>(&self, l: L, odd: L::M, at: usize, is_right: bool) -> [L::F; 3] {
        let Self { above, row, below } = self;
        let (beside, at) = (at + FIRST_BESIDE, at + FIRST);
        [
            shifted(l, odd, row, at, is_right),
            shifted(l, odd, row, at - 2, is_right) - shifted(l, odd, row, at + 2, is_right),
            shifted(l, odd, above, beside, is_right) - shifted(l, odd, below, beside, is_right),
        ]
    }
}

/// A row's values from `at` on; at odd places those to the right, or to the left.
#[inline(always)]
fn shifted<L: Lanes>(l: L, odd: L::M, row: &[f32], at: usize, is_right: bool) -> L::F {
    let aside = if is_right { at + 1 } else { at - 1 };
    l.pick(odd, l.load(&row[aside..]), l.load(&row[at..]))
}

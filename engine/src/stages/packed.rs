//! Packed vertices: 8 or 4 bytes each, in one pass from heights.
//!
//! In: heights with an apron of two, the world's lattice of heights. Out: u16 codes of heights, and octahedral normals; with 8 bytes
//! the coarse pair too (`stages/coarse.rs`). Places along x and z are not stored: vertices stand row by row, so a shader finds them
//! by number. Deliberately not here: texture coordinates, which follow from the number as well.

use terrane_lanes::{Kernel, Lanes, SimdLevel};

use crate::buffers::{APRON, apron_stride};
use crate::mesh::{HeightLattice, lattice, octahedral};
use crate::stages::coarse::CoarseRows;

/// Fills `vertices` of a chunk with `side` vertices a side, bytes as [`Packed8`](crate::buffers::Packed8) says. `spacing_m` is that
/// of the chunk.
pub(crate) fn packed8(
    level: SimdLevel,
    side: usize,
    lattice: &HeightLattice,
    spacing_m: f32,
    apron: &[f32],
    vertices: &mut [[u8; 8]],
) {
    level.dispatch(Pack8 { own: Own { side, lattice, spacing_m, apron }, vertices });
}

/// The same without coarse pairs, bytes as [`Packed4`](crate::buffers::Packed4) says.
pub(crate) fn packed4(
    level: SimdLevel,
    side: usize,
    lattice: &HeightLattice,
    spacing_m: f32,
    apron: &[f32],
    vertices: &mut [[u8; 4]],
) {
    level.dispatch(Pack4 { own: Own { side, lattice, spacing_m, apron }, vertices });
}

/// What a vertex is made from.
#[derive(Clone, Copy)]
struct Own<'a> {
    side: usize,
    lattice: &'a HeightLattice,
    spacing_m: f32,
    apron: &'a [f32],
}

impl Own<'_> {
    /// Codes and normals of a row's vertices from `at` on. `row` begins a row above it.
    #[inline(always)]
    fn codes<L: Lanes>(&self, l: L, row: &[f32], at: usize) -> [L::U; 2] {
        let row_stride = apron_stride(self.side);
        let (above, middle, below) = (&row[at..], &row[row_stride + at..], &row[2 * row_stride + at..]);
        let dx = l.load(&middle[APRON - 1..]) - l.load(&middle[APRON + 1..]);
        let dz = l.load(&above[APRON..]) - l.load(&below[APRON..]);
        let up = l.splat(2.0 * self.spacing_m);
        [lattice::encode(l, self.lattice, l.load(&middle[APRON..])), octahedral::encode(l, [dx, up, dz])]
    }

    /// The row of the apron above row `z` of the vertices.
    #[inline(always)]
    fn above(&self, z: usize) -> &[f32] {
        &self.apron[(z + APRON - 1) * apron_stride(self.side)..]
    }
}

struct Pack8<'a> {
    own: Own<'a>,
    vertices: &'a mut [[u8; 8]],
}

impl Kernel for Pack8<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { own, vertices } = self;
        let Own { side, lattice, spacing_m, apron } = own;
        let up = l.splat(4.0 * spacing_m);
        let high = l.splat_u(1 << 16);
        for (z, vertices) in vertices.chunks_exact_mut(side).enumerate() {
            let (above, rows) = (own.above(z), CoarseRows::new(apron, apron_stride(side), z));
            for (v, vertices) in vertices.chunks_mut(L::N).enumerate() {
                let [height, normal] = own.codes(l, above, v * L::N);
                let [coarse_m, dx, dz] = rows.pairs(l, v * L::N);
                let coarse_height = lattice::encode(l, lattice, coarse_m);
                let coarse_normal = octahedral::encode(l, [dx, up, dz]);
                let (mut heights, mut normals) = ([0; 16], [0; 16]);
                l.store_u(height + coarse_height * high, &mut heights);
                l.store_u(normal + coarse_normal * high, &mut normals);
                for (vertex, (height, normal)) in vertices.iter_mut().zip(heights.iter().zip(&normals)) {
                    *vertex = (u64::from(*height) | u64::from(*normal) << 32).to_le_bytes();
                }
            }
        }
    }
}

struct Pack4<'a> {
    own: Own<'a>,
    vertices: &'a mut [[u8; 4]],
}

impl Kernel for Pack4<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { own, vertices } = self;
        let high = l.splat_u(1 << 16);
        for (z, vertices) in vertices.chunks_exact_mut(own.side).enumerate() {
            let above = own.above(z);
            for (v, vertices) in vertices.chunks_mut(L::N).enumerate() {
                let [height, normal] = own.codes(l, above, v * L::N);
                let mut words = [0; 16];
                l.store_u(height + normal * high, &mut words);
                for (vertex, word) in vertices.iter_mut().zip(&words) {
                    *vertex = word.to_le_bytes();
                }
            }
        }
    }
}

//! Normals: the one definition.
//!
//! In: heights with an apron of one. Out: the normalised central difference `(h(x-s) - h(x+s), 2 s, h(z-s) - h(z+s))`
//! of the final heights, s one stride. It depends on heights alone, so borders of one level agree to the bit.
//! Length: within 2^-22 of 1.

use terrane_lanes::{Kernel, Lanes, SimdLevel};

use crate::buffers::apron_stride;

/// Fills `normals` of a chunk with `side` vertices a side from heights with apron.
pub(crate) fn normals(
    level: SimdLevel,
    side: usize,
    spacing_m: f32,
    apron: &[f32],
    normals: &mut [[f32; 3]],
) {
    level.dispatch(Normals { side, row_stride: apron_stride(side), spacing_m, apron, normals });
}

/// The normal of one sample from its neighbours' heights: left, right, above (smaller z), below.
pub(crate) fn normal([left, right, above, below]: [f32; 4], spacing_m: f32) -> [f32; 3] {
    // A chunk of one vertex: the same kernel, one lane.
    let apron = [0.0, above, 0.0, left, 0.0, right, 0.0, below, 0.0];
    let mut normals = [[0.0; 3]];
    SimdLevel::SCALAR.dispatch(Normals {
        side: 1,
        row_stride: 3,
        spacing_m,
        apron: &apron,
        normals: &mut normals,
    });
    normals[0]
}

struct Normals<'a> {
    side: usize,
    row_stride: usize,
    spacing_m: f32,
    apron: &'a [f32],
    normals: &'a mut [[f32; 3]],
}

impl Kernel for Normals<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { side, row_stride, spacing_m, apron, normals } = self;
        let up = l.splat(2.0 * spacing_m);
        for (z, normals) in normals.chunks_exact_mut(side).enumerate() {
            let above = &apron[z * row_stride + 1..];
            let middle = &apron[(z + 1) * row_stride..];
            let below = &apron[(z + 2) * row_stride + 1..];
            for (v, normals) in normals.chunks_mut(L::N).enumerate() {
                let at = v * L::N;
                let dx = l.load(&middle[at..]) - l.load(&middle[at + 2..]);
                let dz = l.load(&above[at..]) - l.load(&below[at..]);
                let length = l.sqrt((dx * dx + up * up) + dz * dz);
                let (mut x, mut y, mut z) = ([0.0; 16], [0.0; 16], [0.0; 16]);
                l.store(dx / length, &mut x);
                l.store(up / length, &mut y);
                l.store(dz / length, &mut z);
                for (normal, ((x, y), z)) in normals.iter_mut().zip(x.iter().zip(&y).zip(&z)) {
                    *normal = [*x, *y, *z];
                }
            }
        }
    }
}

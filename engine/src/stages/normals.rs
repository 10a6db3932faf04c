//! Normals: the one definition.
//!
//! In: heights with an apron. Out: the normalised central difference `(h(x-s) - h(x+s), 2 s, h(z-s) - h(z+s))`
//! of the final heights, s one stride. It depends on heights alone, so borders of one level agree to the bit.
//! Length: within 2^-22 of 1.

use terrane_lanes::{Kernel, Lanes, SimdLevel};

use crate::buffers::{APRON, apron_stride};

/// Fills `normals` of a chunk with `side` vertices a side from heights with apron.
pub(crate) fn normals(
    level: SimdLevel,
    side: usize,
    spacing_m: f32,
    apron: &[f32],
    normals: &mut [[f32; 3]],
) {
    let row_stride = apron_stride(side);
    // Less the apron's outermost rings: one is what normals need.
    let apron = &apron[(APRON - 1) * (row_stride + 1)..];
    level.dispatch(Normals { side, row_stride, spacing_m, apron, normals });
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
    /// With an apron of one.
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
                let [unit_x, unit_y, unit_z] = unit(l, [dx, up, dz]);
                let (mut x, mut y, mut z) = ([0.0; 16], [0.0; 16], [0.0; 16]);
                l.store(unit_x, &mut x);
                l.store(unit_y, &mut y);
                l.store(unit_z, &mut z);
                for (normal, ((x, y), z)) in normals.iter_mut().zip(x.iter().zip(&y).zip(&z)) {
                    *normal = [*x, *y, *z];
                }
            }
        }
    }
}

/// Unit vectors, within 2^-22 of length 1.
#[inline(always)]
pub(crate) fn unit<L: Lanes>(l: L, [x, y, z]: [L::F; 3]) -> [L::F; 3] {
    let length = l.sqrt((x * x + y * y) + z * z);
    [x / length, y / length, z / length]
}

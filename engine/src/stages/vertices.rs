//! Positions: metres relative to the chunk's first sample, y up.
//!
//! In: heights with apron. Out: one position a vertex. x and z are whole multiples of the spacing, which has 16
//! significant bits: exact in f32.

use crate::buffers::{APRON, apron_stride};

/// Fills `positions` of a chunk with `side` vertices a side.
pub(crate) fn positions(side: usize, spacing_m: f32, apron: &[f32], positions: &mut [[f32; 3]]) {
    let rows = apron.chunks_exact(apron_stride(side)).skip(APRON);
    for (z, (positions, heights)) in positions.chunks_exact_mut(side).zip(rows).enumerate() {
        let z_m = z as f32 * spacing_m;
        for (x, (position, height)) in positions.iter_mut().zip(&heights[APRON..]).enumerate() {
            *position = [x as f32 * spacing_m, *height, z_m];
        }
    }
}

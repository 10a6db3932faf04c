//! How far the mesh of a level can be from the full-resolution surface: one guaranteed number a level.
//!
//! In: the ground of an opened world. Out: metres for each level, from the program alone; docs/ERRORS.md. Levels nest
//! (one diagonal rule), and both surfaces are flat within every triangle of level 0, so their largest vertical
//! distance lies at a sample; there it is the *bend* of the heights (`terrane_noise::Deviation`).
//!
//! Deliberately not here: edits (a number on top), the exact error of one chunk, and rounding of packed formats.

use crate::coords::ChunkKey;
use crate::stages::heights::Ground;

/// Levels of detail that there are.
pub(crate) const LEVELS: usize = ChunkKey::LOD_MAX as usize + 1;

/// The bound of each level in metres, never falling. Chunks have `chunk_cells` cells a side.
pub(crate) fn error_bounds_m(ground: &Ground, chunk_cells: u32) -> [f64; LEVELS] {
    let mut bounds_m = [0.0; LEVELS];
    // Between samples the surface of level 0 is as far from the field as this: what the triangles beside a coarser
    // neighbour, which do not nest, are wrong by in addition.
    let mut largest_m = ground.deviation_m(1, chunk_cells).bend;
    let range_m = f64::from(ground.curve.max_m) - f64::from(ground.curve.min_m);
    for (lod, bound_m) in bounds_m.iter_mut().enumerate().skip(1) {
        // The true error need not rise from level to level, so the bound is made to; beyond the range nothing is left
        // to find.
        if largest_m < range_m {
            largest_m = largest_m.max(ground.deviation_m(1 << lod, chunk_cells).bend);
        }
        *bound_m = largest_m;
    }
    bounds_m
}

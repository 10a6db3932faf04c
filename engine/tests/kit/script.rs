//! Edit number n of a script that two processes can follow: any, in a square of some 300 samples.

use terrane::edits::{Brush, BrushShape, Edit, EditOp};
use terrane::{ChunkBuffers, ChunkKey, Coord, Position, World};

/// Half the side of the square that scripted edits keep within, brushes included.
pub(crate) const REACH: i64 = 192;
/// Tiles that are enough for it.
pub(crate) const TILES: usize = 144;

pub(crate) fn scripted(n: u64) -> Edit {
    let mut state = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut draw = |below: u64| {
        state = (state ^ (state >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(n);
        (state >> 20) % below
    };
    let mut coord = || Coord { index: draw(2 * 160) as i64 - 160, fraction: draw(65_536) as u16 };
    let center = Position { x: coord(), z: coord() };
    let size_m = 1.0 + draw(30) as f64;
    let op = match draw(5) {
        0 => EditOp::Raise { by_m: draw(20) as f32 },
        1 => EditOp::Lower { by_m: draw(20) as f32 },
        2 => EditOp::Set { height_m: draw(150) as f32 - 30.0 },
        3 => EditOp::Flatten,
        _ => EditOp::Smooth,
    };
    let shape = match draw(2) {
        0 => BrushShape::Circle { radius_m: size_m },
        _ => BrushShape::Square { half_m: size_m },
    };
    Edit { brush: Brush { center, shape, falloff_m: size_m * draw(11) as f64 / 10.0 }, op }
}

/// The heights of the square as bits, row by row, from chunks.
pub(crate) fn square(world: &World) -> Vec<u32> {
    let cells = i64::from(world.chunk_cells());
    let (side, chunks) = ((2 * REACH) as usize, REACH / cells);
    let mut bits = vec![0; side * side];
    let (mut chunk, mut scratch) = (ChunkBuffers::new(world.chunk_cells()), world.scratch());
    for (x, z) in (-chunks..chunks).flat_map(|z| (-chunks..chunks).map(move |x| (x, z))) {
        world.build(ChunkKey { lod: 0, x, z }, &mut chunk, &mut scratch).expect("in range");
        let first = ((x * cells + REACH) as usize, (z * cells + REACH) as usize);
        for row in 0..cells as usize {
            let heights = &chunk.view().heights(row)[..cells as usize];
            let to = &mut bits[(first.1 + row) * side + first.0..][..cells as usize];
            to.iter_mut().zip(heights).for_each(|(to, height)| *to = height.to_bits());
        }
    }
    bits
}

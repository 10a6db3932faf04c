//! Edit number n of a script that two processes can follow: any, in a square of some 300 samples.

use terrane::edits::{Brush, BrushShape, Edit, EditOp};
use terrane::{Coord, Position, World};

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

/// The heights of the square as bits.
pub(crate) fn square(world: &World) -> Vec<u32> {
    let sample = |x, z| world.height_at(Position::from_samples([x, z]).expect("in range")).to_bits();
    (-REACH..REACH).flat_map(|z| (-REACH..REACH).map(move |x| sample(x, z))).collect()
}

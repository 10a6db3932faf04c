//! The ground at single positions: the triangulated surface of level 0.
//!
//! In: the compiled ground, the overrides if there are any. Out: heights and normals, to the bit those of chunks.
//! Deliberately not here: locks, and the continuous fields.

use crate::coords::Position;
use crate::edits::Tiles;
use crate::mesh::interpolate;
use crate::stages::heights::{Ground, height};
use crate::stages::normals::normal;

/// The ground with its edits.
#[derive(Clone, Copy)]
pub(crate) struct Surface<'a> {
    pub(crate) ground: &'a Ground,
    /// `None` is as good as no tiles.
    pub(crate) edits: Option<&'a Tiles>,
}

impl Surface<'_> {
    /// The height of one sample.
    fn sample(self, x: i64, z: i64) -> f32 {
        self.edits.and_then(|edits| edits.get(x, z)).unwrap_or_else(|| height(self.ground, x, z))
    }

    /// The height of a position: on the triangle of its cell.
    pub(crate) fn height_at(self, at: Position) -> f32 {
        let (x, z) = (at.x.index, at.z.index);
        let h = |i, j| self.sample(x.wrapping_add(i), z.wrapping_add(j));
        if at.is_sample() {
            h(0, 0)
        } else {
            interpolate(parts(at), [[h(0, 0), h(1, 0)], [h(0, 1), h(1, 1)]])
        }
    }

    /// The unit normal: a vertex's, or those of its cell blended over the triangle.
    pub(crate) fn normal_at(self, at: Position, spacing_m: f32) -> [f32; 3] {
        let (x, z) = (at.x.index, at.z.index);
        let h = |i: i64, j: i64| self.sample(x.wrapping_add(i), z.wrapping_add(j));
        let n = |i: i64, j: i64| normal([h(i - 1, j), h(i + 1, j), h(i, j - 1), h(i, j + 1)], spacing_m);
        if at.is_sample() {
            return n(0, 0);
        }
        let corners = [[n(0, 0), n(1, 0)], [n(0, 1), n(1, 1)]];
        let blended: [f32; 3] =
            std::array::from_fn(|c| interpolate(parts(at), corners.map(|row| row.map(|normal| normal[c]))));
        glam::Vec3::from_array(blended).normalize().to_array()
    }
}

/// The place in a cell, 0..1.
fn parts(at: Position) -> [f32; 2] {
    [at.x.fraction, at.z.fraction].map(|fraction| f32::from(fraction) / 65_536.0)
}

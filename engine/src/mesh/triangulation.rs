//! The one diagonal rule, and the index and texture columns that follow from it.
//!
//! Every cell is cut from (x0, z1) to (x1, z0): parry's default, so that colliders fit what is drawn. Render mesh,
//! `height_at`, colliders and error certificates all use it.

/// Triangles of a grid of `cells` by `cells` cells over `(cells + 1)^2` vertices, counter-clockwise from above.
///
/// Allocates `6 * cells^2` indices; a world makes it once.
///
/// # Panics
/// When `cells` is 0 or above 254: the vertices would not fit u16 with the restart value free.
///
/// ```
/// assert_eq!(terrane::mesh::grid_indices(1), [0, 2, 1, 1, 2, 3]);
/// ```
#[must_use]
pub fn grid_indices(cells: u32) -> Vec<u16> {
    assert!((1..=254).contains(&cells), "{cells} cells a side do not fit u16 indices");
    let side = cells as u16 + 1;
    let mut indices = Vec::with_capacity(6 * (cells * cells) as usize);
    for z in 0..side - 1 {
        for x in 0..side - 1 {
            let (v00, v10) = (z * side + x, z * side + x + 1);
            let (v01, v11) = (v00 + side, v10 + side);
            indices.extend([v00, v01, v10, v10, v01, v11]);
        }
    }
    indices
}

/// Texture coordinates of the same vertices: 0 at the smallest x and z, 1 at the largest. Exact.
///
/// ```
/// assert_eq!(terrane::mesh::grid_uvs(16)[17 * 16 + 8], [0.5, 1.0]);
/// ```
#[must_use]
pub fn grid_uvs(cells: u32) -> Vec<[f32; 2]> {
    let step = 1.0 / cells as f32;
    (0..=cells).flat_map(|z| (0..=cells).map(move |x| [x as f32 * step, z as f32 * step])).collect()
}

/// The value at (u, v) of a cell, 0..1 along x and z, on the triangle that the diagonal rule puts there. Corners are
/// `[[v00, v10], [v01, v11]]`, x first. Exact at (0, 0).
pub(crate) fn interpolate([u, v]: [f32; 2], [[v00, v10], [v01, v11]]: [[f32; 2]; 2]) -> f32 {
    if u == 0.0 && v == 0.0 {
        v00
    } else if u + v <= 1.0 {
        v00 + (u * (v10 - v00) + v * (v01 - v00))
    } else {
        v11 + ((1.0 - u) * (v01 - v11) + (1.0 - v) * (v10 - v11))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpolation_meets_the_corners_and_the_diagonal() {
        let saddle = [[1.0, 5.0], [7.0, -3.0]];
        for (u, v, want) in [(0.0, 0.0, 1.0), (1.0, 0.0, 5.0), (0.0, 1.0, 7.0), (1.0, 1.0, -3.0)] {
            assert_eq!(interpolate([u, v], saddle), want);
        }
        // The middle lies on the diagonal from (0, 1) to (1, 0), not on the other one.
        assert_eq!(interpolate([0.5, 0.5], saddle), 6.0);
    }

    #[test]
    fn a_negative_zero_stays_one() {
        assert_eq!(interpolate([0.0, 0.0], [[-0.0, 1.0], [2.0, 3.0]]).to_bits(), (-0.0f32).to_bits());
    }
}

//! The one diagonal rule, and texture coordinates.
//!
//! Every cell is cut from (x0, z1) to (x1, z0): parry's default, so that colliders fit what is drawn. Render mesh,
//! `height_at`, colliders and error certificates all use it.

/// Texture coordinates of a chunk's vertices, row by row: 0 at the smallest x and z, 1 at the largest. Exact.
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

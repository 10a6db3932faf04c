//! `error_exact_m`: how far the mesh of a level lies from the full surface, for every neighbour mask.
//!
//! In: heights of all samples under a chunk, and every how many of them there is a vertex. Out: the largest vertical
//! distance, for no coarser neighbour and for one on each side. Deliberately not here: bounds without heights (they
//! follow from the program), and colliders' own grids.
//!
//! Both surfaces follow the one diagonal rule, so without coarser neighbours every edge of the coarse one lies on
//! edges of the full one, and the error is at a sample. On a side with a coarser neighbour the index template moves
//! every second border vertex ([`templates`](super::templates)). Seen along the side, with the border below, a pair
//! of cells has then
//!
//! ```text
//!   +-----+-----+        +-----+-----+
//!   | \   | \   |        |   / | \   |
//!   |   \ |   \ |   ->   | /     \   |
//!   +-----+-----+        +-----------+
//! ```
//!
//! two new triangles instead of three, and one of their edges runs against the diagonal rule, through the centres of
//! full cells. The four sides look the same: turning the chunk by half and mirroring it at x = z keep the rule.
//!
//! *Two and more sides.* Every triangle of such a mesh is a triangle of the mesh without coarser neighbours or a new
//! one of one of its sides, and if it is of the former kind, no side of the mask has replaced it: in corners,
//! triangles of one side only drop out (between -x and -z the two new ones by the diagonal) or are those that the
//! other side keeps. So each of its triangles is in the mesh of one of its sides alone, and the largest of these
//! values is never below the truth. It is above where the worst triangle of one side dropped out for another's.

use super::MASKS;
use super::distance::{Rows, Vertex, triangle_error_m};
use super::input::MeshInputError;

/// The most cells a side.
const CELLS_MAX: usize = 1 << 12;
/// The largest stride in samples.
const STRIDE_MAX: usize = 1 << 16;

/// Largest vertical distances between a chunk's mesh and the full surface, in metres.
///
/// Not monotone: a coarser level can be nearer to the ground. A tree of levels that needs order takes the running
/// maximum over children.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshError {
    /// Without coarser neighbours. 0 at level 0.
    pub interior_m: f64,
    /// Of the whole mesh when the neighbour of one side alone is coarser: -x, +x, -z, +z. A value can be below
    /// [`interior_m`](Self::interior_m): the triangles with the largest error may be gone.
    pub sides_m: [f64; 4],
}

impl MeshError {
    /// The error of the mesh that is drawn with a neighbour mask: exact for masks of no side or one, never below the
    /// truth for masks of more.
    ///
    /// ```
    /// let error = terrane::mesh::MeshError { interior_m: 1.0, sides_m: [3.0, 0.5, 2.0, 1.0] };
    /// assert_eq!((error.of_mask(0), error.of_mask(0b0010), error.of_mask(0b0111)), (1.0, 0.5, 3.0));
    /// ```
    ///
    /// # Panics
    /// When `mask` is above 15.
    #[must_use]
    pub fn of_mask(self, mask: u8) -> f64 {
        assert!(mask < MASKS as u8, "mask {mask} has bits beyond the four sides");
        if mask == 0 {
            return self.interior_m;
        }
        let of_side = |side: usize| if mask >> side & 1 == 1 { self.sides_m[side] } else { 0.0 };
        (0..4).map(of_side).fold(0.0, f64::max)
    }

    /// The largest of all masks.
    #[must_use]
    pub fn max_m(self) -> f64 {
        self.of_mask(15).max(self.interior_m)
    }
}

/// Measures the mesh of `cells` by `cells` cells whose vertices are every `stride`-th sample, against the surface of
/// all samples. `heights` are in metres, finite, `cells * stride + 1` rows of as many, `row_stride` apart.
///
/// Cost: with a stride of 1 only the two outermost rows and columns are read, five samples a pair of border cells;
/// else every sample once or twice. Allocates nothing.
///
/// ```
/// use terrane::mesh::error_exact_m;
/// // Two cells a side, flat but for the middle of the side at -z.
/// let heights = [0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
/// let error = error_exact_m(&heights, 3, 2, 1)?;
/// assert_eq!(error.interior_m, 0.0, "all samples are vertices");
/// assert_eq!(error.sides_m, [2.0, 0.0, 4.0, 0.0]);
/// # Ok::<(), terrane::mesh::MeshInputError>(())
/// ```
///
/// # Errors
/// When `cells` is odd or beyond 2..=4096, `stride` no power of two up to 2^16, or `heights` too short.
pub fn error_exact_m(
    heights: &[f32],
    row_stride: usize,
    cells: usize,
    stride: usize,
) -> Result<MeshError, MeshInputError> {
    let rows = check(heights, row_stride, cells, stride)?;
    let (kept, stitched) = if stride == 1 {
        ([0.0; MASKS], [0, 1, 2, 3].map(|side| stitched_level_0(rows, cells, side)))
    } else {
        (kept_errors(rows, cells, stride), [0, 1, 2, 3].map(|side| stitched_error(rows, cells, stride, side)))
    };
    let interior_m = kept.into_iter().fold(0.0, f64::max);
    let mut sides_m = stitched;
    for (side, error) in sides_m.iter_mut().enumerate() {
        for (replaced_by, kept) in kept.iter().enumerate() {
            if replaced_by >> side & 1 == 0 {
                *error = error.max(*kept);
            }
        }
    }
    Ok(MeshError { interior_m, sides_m })
}

fn check(
    heights: &[f32],
    row_stride: usize,
    cells: usize,
    stride: usize,
) -> Result<Rows<'_>, MeshInputError> {
    if !cells.is_multiple_of(2) || !(2..=CELLS_MAX).contains(&cells) {
        let (method, takes) = ("the error of a level", "even numbers");
        return Err(MeshInputError::Cells { found: cells, method, takes, min: 2, max: CELLS_MAX });
    }
    if !stride.is_power_of_two() || stride > STRIDE_MAX {
        return Err(MeshInputError::Stride { found: stride });
    }
    Rows::new(heights, row_stride, cells * stride + 1)
}

/// Measures any triangles of such a mesh, three vertices each, numbered row by row: those of an adaptive mesh, or of an
/// index template. `heights` are those of [`error_exact_m`].
///
/// Cost: every sample once or twice. Allocates nothing.
///
/// # Errors
/// Those of [`error_exact_m`].
///
/// # Panics
/// When a vertex is not in the mesh.
#[cfg(all(feature = "export", feature = "threads"))]
pub(crate) fn triangles_error_exact_m(
    heights: &[f32],
    row_stride: usize,
    cells: usize,
    stride: usize,
    vertices: impl IntoIterator<Item = u16>,
) -> Result<f64, MeshInputError> {
    let rows = check(heights, row_stride, cells, stride)?;
    let mut corners = [[0; 2]; 3];
    let mut most: f64 = 0.0;
    for (i, vertex) in vertices.into_iter().enumerate() {
        let vertex = usize::from(vertex);
        assert!(vertex < (cells + 1) * (cells + 1), "vertex {vertex} of a grid of {cells} cells");
        corners[i % 3] = [vertex % (cells + 1) * stride, vertex / (cells + 1) * stride];
        if i % 3 == 2 {
            most = most.max(triangle_error_m(rows, corners));
        }
    }
    Ok(most)
}

/// The largest errors of the triangles without coarser neighbours, by the sides that would replace them.
fn kept_errors(rows: Rows<'_>, cells: usize, stride: usize) -> [f64; MASKS] {
    let mut kept = [0.0f64; MASKS];
    for z in 0..cells {
        for x in 0..cells {
            let [x0, z0, x1, z1] = [x * stride, z * stride, (x + 1) * stride, (z + 1) * stride];
            let lower = [[x0, z0], [x0, z1], [x1, z0]];
            let upper = [[x1, z0], [x0, z1], [x1, z1]];
            for (is_lower, corners) in [(true, lower), (false, upper)] {
                let error = &mut kept[replaced_by(cells, [x, z], is_lower)];
                *error = error.max(triangle_error_m(rows, corners));
            }
        }
    }
    kept
}

/// The sides with a coarser neighbour that would replace a triangle, as a mask: of each pair of cells, both triangles
/// of one and that triangle of the other which has an edge on the border.
fn replaced_by(cells: usize, [x, z]: [usize; 2], is_lower: bool) -> usize {
    let last = cells - 1;
    let replaces = [
        x == 0 && (z % 2 == 0 || is_lower),
        x == last && (z % 2 == 1 || !is_lower),
        z == 0 && (x % 2 == 0 || is_lower),
        z == last && (x % 2 == 1 || !is_lower),
    ];
    replaces.iter().enumerate().map(|(side, replaces)| usize::from(*replaces) << side).sum()
}

/// The largest error of the new triangles of a side.
fn stitched_error(rows: Rows<'_>, cells: usize, stride: usize, side: u8) -> f64 {
    let span = cells * stride;
    let mut most: f64 = 0.0;
    for begin in (0..span).step_by(2 * stride) {
        let vertex = |along: usize, depth: usize| from_side(span, side, [begin + along, depth]);
        let (start, apex) = (vertex(0, 0), vertex(stride, stride));
        most = most.max(triangle_error_m(rows, [start, vertex(0, stride), apex]));
        most = most.max(triangle_error_m(rows, [start, apex, vertex(2 * stride, 0)]));
    }
    most
}

/// A sample given along a side and inwards from it, from the end towards which the side's vertices move.
fn from_side(span: usize, side: u8, [along, depth]: [usize; 2]) -> Vertex {
    match side {
        0 => [depth, along],
        1 => [span - depth, span - along],
        2 => [along, depth],
        _ => [span - along, span - depth],
    }
}

/// The same where every sample is a vertex: the moved vertex itself, and the centre of the cell beside it.
fn stitched_level_0(rows: Rows<'_>, cells: usize, side: u8) -> f64 {
    // By side, where the first vertex lies; then neighbours along the side and inwards from it.
    let (first, along, depth) = match side {
        0 => (0, rows.row_stride as isize, 1),
        1 => (cells * rows.row_stride + cells, -(rows.row_stride as isize), -1),
        2 => (0, 1, rows.row_stride as isize),
        _ => (cells * rows.row_stride + cells, -1, -(rows.row_stride as isize)),
    };
    let mut most: f64 = 0.0;
    let mut place = first;
    let mut begin = f64::from(rows.heights[place]);
    for _ in 0..cells / 2 {
        let moved_place = place.wrapping_add_signed(along);
        let moved = f64::from(rows.heights[moved_place]);
        let inner = f64::from(rows.heights[place.wrapping_add_signed(depth)]);
        let apex = f64::from(rows.heights[moved_place.wrapping_add_signed(depth)]);
        place = moved_place.wrapping_add_signed(along);
        let end = f64::from(rows.heights[place]);
        let at_moved = (moved - (begin + end) * 0.5).abs();
        let at_center = ((moved + inner) * 0.5 - (begin + apex) * 0.5).abs();
        most = most.max(at_moved).max(at_center);
        begin = end;
    }
    most
}

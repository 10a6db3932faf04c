//! How far a triangle of a coarser mesh lies from the full surface, measured exactly.
//!
//! In: a square of heights under the one diagonal rule, and a triangle over it. Out: the largest vertical distance.
//! Deliberately not here: which triangles a mesh has.
//!
//! The triangles of all our meshes are right and isosceles, their corners are samples, and each of their edges runs
//! along x, along z or along a diagonal of cells. Over one of them the difference to the surface is piecewise linear:
//! its extremes lie where the surface has a vertex, or where an edge of the triangle crosses one of the surface.
//! Edges along rows, columns and along (x0, z1)-(x1, z0) are edges of the surface themselves and meet others at
//! samples only. An edge along the other diagonal, (x0, z0)-(x1, z1), crosses one edge in the middle of each cell,
//! and nothing else between samples. So samples and these cell centres are all there is to look at, and the result is
//! no bound but the value.
//!
//! Arithmetic: f64. Corners are a power of two apart, so divisions are exact. With heights that are multiples of one
//! step, up to 2^24 of them, and triangles up to 1024 samples wide, all of it is; else the last bits of an f64 are
//! rounded, far below those of the heights.

use crate::mesh::MeshInputError;

/// A sample: x, z.
pub(super) type Vertex = [usize; 2];

/// Rows of heights in metres, along x, row 0 at the smallest z.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) heights: &'a [f32],
    pub(super) row_stride: usize,
}

impl<'a> Rows<'a> {
    /// `side` rows of `side` heights that begin `row_stride` apart.
    pub(super) fn new(heights: &'a [f32], row_stride: usize, side: usize) -> Result<Self, MeshInputError> {
        let expected = row_stride.saturating_mul(side - 1).saturating_add(side);
        if heights.len() < expected || row_stride < side {
            return Err(MeshInputError::Heights { found: heights.len(), side, row_stride, expected });
        }
        Ok(Self { heights, row_stride })
    }

    #[inline(always)]
    pub(super) fn at(self, [x, z]: Vertex) -> f64 {
        f64::from(self.heights[z * self.row_stride + x])
    }
}

/// The largest distance between a triangle and the surface.
pub(super) fn triangle_error_m(rows: Rows<'_>, corners: [Vertex; 3]) -> f64 {
    scan(rows, corners, f64::INFINITY)
}

/// True when the distance is more than `tolerance_m` somewhere. Stops at the first row where it is.
pub(super) fn exceeds(rows: Rows<'_>, corners: [Vertex; 3], tolerance_m: f64) -> bool {
    scan(rows, corners, tolerance_m) > tolerance_m
}

/// The largest distance, or the first found above `enough_m`.
fn scan(rows: Rows<'_>, mut corners: [Vertex; 3], enough_m: f64) -> f64 {
    // By z, then x: the same corners give the same bits in any order.
    corners.sort_unstable_by_key(|[x, z]| [*z, *x]);
    let [low, mid, high] = corners;
    let mut most: f64 = 0.0;
    for (from, to) in [(low, mid), (mid, high), (low, high)] {
        if to[1] > from[1] && to[0] > from[0] {
            most = most.max(crossing_error_m(rows, from, to));
        }
    }
    let [slope_x, slope_z] = slopes(rows, corners);
    for z in low[1]..=high[1] {
        if most > enough_m {
            break;
        }
        let a = x_at(low, high, z);
        let b = match z {
            _ if z < mid[1] => x_at(low, mid, z),
            _ if z > mid[1] => x_at(mid, high, z),
            _ => mid[0],
        };
        let (first, last) = (a.min(b), a.max(b));
        let start = rows.at(low) + slope_x * (first as f64 - low[0] as f64) + slope_z * (z - low[1]) as f64;
        let row = &rows.heights[z * rows.row_stride..][first..=last];
        most = most.max(row_error_m(row, start, slope_x));
    }
    most
}

/// Metres a sample along x and along z, on the plane through three corners.
#[inline(always)]
fn slopes(rows: Rows<'_>, [a, b, c]: [Vertex; 3]) -> [f64; 2] {
    let difference =
        |to: Vertex| (to[0] as f64 - a[0] as f64, to[1] as f64 - a[1] as f64, rows.at(to) - rows.at(a));
    let ((bx, bz, by), (cx, cz, cy)) = (difference(b), difference(c));
    // A power of two, or its negative.
    let area = bx * cz - cx * bz;
    [(by * cz - cy * bz) / area, (cy * bx - by * cx) / area]
}

/// Where an edge is in a row between its ends.
#[inline(always)]
fn x_at(from: Vertex, to: Vertex, z: usize) -> usize {
    debug_assert!(from[0] == to[0] || from[0].abs_diff(to[0]) == to[1] - from[1]);
    let along = z - from[1];
    match to[0].cmp(&from[0]) {
        std::cmp::Ordering::Less => from[0] - along,
        std::cmp::Ordering::Equal => from[0],
        std::cmp::Ordering::Greater => from[0] + along,
    }
}

/// The largest distance of a row's samples to a line: its height at the first sample, its slope a sample.
#[inline(always)]
fn row_error_m(row: &[f32], start: f64, slope: f64) -> f64 {
    const LANES: usize = 4;
    let mut most = [0.0; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for (index, heights) in whole.iter().enumerate() {
        for lane in 0..LANES {
            let on_line = start + slope * (LANES * index + lane) as f64;
            most[lane] = larger(most[lane], (f64::from(heights[lane]) - on_line).abs());
        }
    }
    let begin = LANES * whole.len();
    for (index, height) in rest.iter().enumerate() {
        let on_line = start + slope * (begin + index) as f64;
        most[0] = larger(most[0], (f64::from(*height) - on_line).abs());
    }
    larger(larger(most[0], most[1]), larger(most[2], most[3]))
}

/// One instruction, unlike `f64::max`.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The largest distance at the centres of the cells through which an edge runs against the diagonal rule.
fn crossing_error_m(rows: Rows<'_>, from: Vertex, to: Vertex) -> f64 {
    let steps = to[0] - from[0];
    let (begin, slope) = (rows.at(from), (rows.at(to) - rows.at(from)) / steps as f64);
    let mut most = 0.0;
    for step in 0..steps {
        let [x, z] = [from[0] + step, from[1] + step];
        let ground = (rows.at([x + 1, z]) + rows.at([x, z + 1])) * 0.5;
        most = larger(most, (ground - (begin + slope * (step as f64 + 0.5))).abs());
    }
    most
}

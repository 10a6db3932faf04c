//! Adaptive mesh: as few triangles as a tolerance allows, with an error that is measured, not estimated.
//!
//! In: a square of heights, a tolerance, a neighbour mask. Out: indices into its grid of vertices, and the exact
//! error. For static export and colliders. Deliberately not here: levels in a stream (they share index templates),
//! vertices, and errors against anything but the heights that are given.
//!
//! Method: right-triangulated irregular network (Evans, Kirkpatrick, Townsend 2001), made known by MARTINI. A right
//! isosceles triangle is cut in the middle of its hypotenuse; the two triangles that share it are cut together, so
//! nothing tears. From the smallest triangles up, a vertex is *active* when it must be there: a triangle that it cuts
//! is further from the ground than the tolerance, or an active vertex lies deeper in such a triangle. The mesh then
//! follows from the top down.
//!
//! What differs from MARTINI:
//! - the error of a triangle is its largest distance to the ground, not the distance in the middle of its hypotenuse:
//!   all samples under it count, and the centres of the cells that its edges cross against the diagonal rule
//!   ([`distance`](super::distance)). It is measured anew at each size: the errors of its parts are no bound for it;
//! - the smallest triangles, halves of a cell, alternate their diagonals, the ground does not. Where both halves of a
//!   cell are there they are cut by the diagonal rule instead, which moves no edge of the cell; so the finest mesh is
//!   the ground itself. A half whose partner is part of a larger triangle stays, and the edge between them counts for
//!   that triangle;
//! - all border vertices are active, or on a side with a coarser neighbour every second one. Those between are never
//!   there: the triangle over them, with its corner one cell inside, is the one that index templates have.
//!
//! *Why the tolerance holds.* A triangle that is left has an inactive vertex in its hypotenuse, so it was measured, or
//! is half a cell: then its one edge against the rule was measured for the triangle beyond, by the same sums. The
//! exceptions are triangles over a vertex that a coarser neighbour lacks, their edges included; index templates have
//! those too, with the same errors.

use super::distance::{Rows, Vertex, exceeds, larger, triangle_error_m};
use super::input::{MeshInputError, check_length, check_mask};

/// u16 or u32.
pub trait MeshIndex: Copy + Default + sealed::Sealed {
    /// The most cells a side whose vertices it counts.
    const CELLS_MAX: usize;
    #[doc(hidden)]
    fn from_usize(index: usize) -> Self;
    #[doc(hidden)]
    fn to_usize(self) -> usize;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}

impl MeshIndex for u16 {
    const CELLS_MAX: usize = 128;
    #[inline(always)]
    fn from_usize(index: usize) -> Self {
        index as u16
    }
    #[inline(always)]
    fn to_usize(self) -> usize {
        self.into()
    }
}

impl MeshIndex for u32 {
    const CELLS_MAX: usize = 1024;
    #[inline(always)]
    fn from_usize(index: usize) -> Self {
        index as u32
    }
    #[inline(always)]
    fn to_usize(self) -> usize {
        self as usize
    }
}

/// What was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveMesh {
    /// Triangles: a third of the indices.
    pub triangle_count: usize,
    /// The largest vertical distance between the mesh and the ground, in metres. Not above the tolerance, except for
    /// what a coarser neighbour costs: never above the larger of the tolerance and the
    /// [`MeshError`](super::MeshError) of the same mask at stride 1.
    pub error_exact_m: f64,
}

/// Makes adaptive meshes, and keeps its memory between them: a byte a vertex.
///
/// ```
/// use terrane::mesh::AdaptiveMesher;
/// // 16 cells a side, flat but for one spike.
/// let mut heights = vec![0.0f32; 17 * 17];
/// heights[17 * 5 + 6] = 2.0;
/// let (mut mesher, mut indices) = (AdaptiveMesher::new(), Vec::<u16>::new());
/// let mesh = mesher.build(&heights, 17, 16, 0.0, 0, &mut indices)?;
/// assert_eq!((mesh.error_exact_m, indices.len()), (0.0, 3 * mesh.triangle_count));
/// assert!(mesh.triangle_count < 2 * 16 * 16, "fewer than the grid");
/// let rough = mesher.build(&heights, 17, 16, 2.0, 0, &mut indices)?;
/// assert!(rough.error_exact_m == 2.0 && rough.triangle_count < mesh.triangle_count);
/// # Ok::<(), terrane::mesh::MeshInputError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AdaptiveMesher {
    /// One for each vertex, row by row: 1 when it is in the mesh.
    active: Vec<u8>,
    /// For [`compact`](Self::compact): the new number of each vertex.
    numbers: Vec<u32>,
}

impl AdaptiveMesher {
    /// Without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills `indices` with the triangles over `cells` by `cells` cells, three each, counter-clockwise from above;
    /// vertices are numbered row by row. What was in `indices` is gone; its memory is used again.
    ///
    /// `heights` are in metres, finite, `cells + 1` rows of as many, `row_stride` apart. `tolerance_m` is the largest
    /// vertical distance that is allowed; 0 gives a mesh that equals the ground. `mask` has a bit for each side with
    /// a coarser neighbour, as in [`IndexTemplates`](super::IndexTemplates), and the border edges are the template's.
    ///
    /// Cost: up to `2 * log2(cells)` passes over the heights, all of them on smooth ground, few on rough.
    ///
    /// # Errors
    /// When `cells` is no power of two from 2 to 128 (u16) or 1024 (u32), `heights` are too few, `tolerance_m` is
    /// negative or not a number, or `mask` is above 15.
    pub fn build<I: MeshIndex>(
        &mut self,
        heights: &[f32],
        row_stride: usize,
        cells: usize,
        tolerance_m: f64,
        mask: u8,
        indices: &mut Vec<I>,
    ) -> Result<AdaptiveMesh, MeshInputError> {
        let rows = check::<I>(heights, row_stride, cells, tolerance_m, mask)?;
        let triangle_count = self.activate(rows, cells, tolerance_m, mask);
        indices.clear();
        indices.resize(3 * triangle_count, I::default());
        Ok(self.write(rows, cells, indices))
    }

    /// The same into the beginning of memory of a fixed size. `6 * cells^2` indices are always enough.
    ///
    /// ```
    /// use terrane::mesh::AdaptiveMesher;
    /// let (flat, mut pooled) = ([5.0f32; 25], [0u16; 80]);
    /// let mesh = AdaptiveMesher::new().build_into(&flat, 5, 4, 0.1, 0, &mut pooled)?;
    /// assert_eq!(mesh.triangle_count, 24, "16 border vertices and those between them");
    /// let triangles = &pooled[..3 * mesh.triangle_count];
    /// assert!(triangles.iter().all(|index| *index < 25));
    /// # Ok::<(), terrane::mesh::MeshInputError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`build`](Self::build), and when there are more indices than room: nothing is written then.
    pub fn build_into<I: MeshIndex>(
        &mut self,
        heights: &[f32],
        row_stride: usize,
        cells: usize,
        tolerance_m: f64,
        mask: u8,
        indices: &mut [I],
    ) -> Result<AdaptiveMesh, MeshInputError> {
        let rows = check::<I>(heights, row_stride, cells, tolerance_m, mask)?;
        let expected = 3 * self.activate(rows, cells, tolerance_m, mask);
        let found = indices.len();
        let Some(indices) = indices.get_mut(..expected) else {
            return Err(MeshInputError::Capacity { what: "indices", found, expected });
        };
        Ok(self.write(rows, cells, indices))
    }

    /// Numbers the vertices that a mesh uses anew, in the order of their first use. `vertices` receives their old
    /// numbers, and loses what it held.
    ///
    /// ```
    /// let (mut indices, mut vertices) = ([7u16, 3, 9, 9, 3, 12], Vec::new());
    /// terrane::mesh::AdaptiveMesher::new().compact(&mut indices, &mut vertices);
    /// assert_eq!((indices, vertices), ([0, 1, 2, 2, 1, 3], vec![7, 3, 9, 12]));
    /// ```
    pub fn compact<I: MeshIndex>(&mut self, indices: &mut [I], vertices: &mut Vec<I>) {
        const NONE: u32 = u32::MAX;
        vertices.clear();
        self.numbers.clear();
        self.numbers.resize(indices.iter().map(|index| index.to_usize() + 1).max().unwrap_or(0), NONE);
        for index in indices {
            let number = &mut self.numbers[index.to_usize()];
            if *number == NONE {
                *number = vertices.len() as u32;
                vertices.push(*index);
            }
            *index = I::from_usize(*number as usize);
        }
    }

    /// Finds the active vertices. Returns how many triangles they make.
    fn activate(&mut self, rows: Rows<'_>, cells: usize, tolerance_m: f64, mask: u8) -> usize {
        self.active.clear();
        self.active.resize((cells + 1) * (cells + 1), 0);
        let mut marks = Marks { rows, cells, tolerance_m, mask, active: &mut self.active };
        // The two triangles over the whole square; each vertex cuts two triangles, or one on the border.
        let mut triangle_count = 2;
        let mut half = 1;
        while half < cells {
            for z in (0..=cells).step_by(half) {
                let first = if (z / half).is_multiple_of(2) { half } else { 0 };
                for x in (first..=cells).step_by(2 * half) {
                    if marks.needs_side([x, z], half) {
                        triangle_count += if marks.is_border([x, z]) { 1 } else { 2 };
                        marks.set([x, z]);
                    }
                }
            }
            for z in (half..cells).step_by(2 * half) {
                for x in (half..cells).step_by(2 * half) {
                    if 2 * half == cells || marks.needs_center([x, z], half) {
                        triangle_count += 2;
                        marks.set([x, z]);
                    }
                }
            }
            half *= 2;
        }
        triangle_count
    }

    /// Writes the triangles between the active vertices, and measures them.
    fn write<I: MeshIndex>(&self, rows: Rows<'_>, cells: usize, indices: &mut [I]) -> AdaptiveMesh {
        let mut writer = Writer { rows, side: cells + 1, active: &self.active, indices, at: 0, error_m: 0.0 };
        let center = [cells / 2, cells / 2];
        let around = [[0, 0], [0, cells], [cells, cells], [cells, 0], [0, 0]];
        for corners in around.windows(2) {
            writer.cut([corners[0], corners[1], center]);
        }
        assert_eq!(writer.at, writer.indices.len(), "the triangles are those that were counted");
        AdaptiveMesh { triangle_count: writer.at / 3, error_exact_m: writer.error_m }
    }
}

fn check<I: MeshIndex>(
    heights: &[f32],
    row_stride: usize,
    cells: usize,
    tolerance_m: f64,
    mask: u8,
) -> Result<Rows<'_>, MeshInputError> {
    if !cells.is_power_of_two() || !(2..=I::CELLS_MAX).contains(&cells) {
        let method =
            if I::CELLS_MAX == u16::CELLS_MAX { "an adaptive mesh with u16" } else { "an adaptive mesh" };
        let (takes, max) = ("powers of two", I::CELLS_MAX);
        return Err(MeshInputError::Cells { found: cells, method, takes, min: 2, max });
    }
    check_length("tolerance", tolerance_m)?;
    check_mask("neighbour mask", mask)?;
    Rows::new(heights, row_stride, cells + 1)
}

/// Which vertices are active so far.
struct Marks<'a> {
    rows: Rows<'a>,
    cells: usize,
    tolerance_m: f64,
    mask: u8,
    active: &'a mut [u8],
}

impl Marks<'_> {
    fn set(&mut self, [x, z]: Vertex) {
        self.active[z * (self.cells + 1) + x] = 1;
    }

    fn is_set(&self, [x, z]: Vertex) -> bool {
        self.active[z * (self.cells + 1) + x] != 0
    }

    fn is_border(&self, [x, z]: Vertex) -> bool {
        x == 0 || z == 0 || x == self.cells || z == self.cells
    }

    /// True for a vertex that a coarser neighbour lacks.
    fn is_missing(&self, [x, z]: Vertex) -> bool {
        let on_side = [x == 0, x == self.cells, z == 0, z == self.cells];
        (x + z) % 2 == 1 && (0..4).any(|side| on_side[side] && self.mask >> side & 1 == 1)
    }

    /// Whether a vertex in the middle of a side of squares must be there: of squares `2 * half` wide around a center.
    fn needs_side(&self, vertex: Vertex, half: usize) -> bool {
        if self.is_border(vertex) {
            return !self.is_missing(vertex);
        }
        let [x, z] = vertex;
        let ([from, to], centers) = if (z / half).is_multiple_of(2) {
            ([[x - half, z], [x + half, z]], [[x, z - half], [x, z + half]])
        } else {
            ([[x, z - half], [x, z + half]], [[x - half, z], [x + half, z]])
        };
        if half == 1 {
            return centers.into_iter().any(|center| self.side_exceeds([from, to], center));
        }
        centers.into_iter().any(|center| self.is_set(middle(from, center)) || self.is_set(middle(to, center)))
            || centers.into_iter().any(|center| exceeds(self.rows, [from, to, center], self.tolerance_m))
    }

    /// Whether a triangle over two cells of a row or column is too far from the ground. Where the triangle beyond a leg
    /// lies over a vertex that a coarser neighbour lacks, the leg is an edge whatever is done here, and does not count.
    fn side_exceeds(&self, [from, to]: [Vertex; 2], center: Vertex) -> bool {
        let vertex = middle(from, to);
        middle_error_m(self.rows, from, to) > self.tolerance_m
            || [from, to].into_iter().filter(|end| is_against_rule(*end, center)).any(|end| {
                let beyond = [end[0] + center[0] - vertex[0], end[1] + center[1] - vertex[1]];
                !self.is_missing(beyond) && center_error_m(self.rows, end, center) > self.tolerance_m
            })
    }

    /// Whether the center of a square, `2 * half` wide, must be there.
    fn needs_center(&self, [x, z]: Vertex, half: usize) -> bool {
        let sides = [[x - half, z], [x + half, z], [x, z - half], [x, z + half]];
        if sides.into_iter().any(|side| self.is_set(side)) {
            return true;
        }
        let [x0, z0, x1, z1] = [x - half, z - half, x + half, z + half];
        // Diagonals of neighbouring squares meet in the center of the square that holds both.
        let (ends, apexes) = if ((x0 + z0) / (2 * half)).is_multiple_of(2) {
            ([[x0, z0], [x1, z1]], [[x1, z0], [x0, z1]])
        } else {
            ([[x1, z0], [x0, z1]], [[x0, z0], [x1, z1]])
        };
        if half == 1 {
            // Legs need no look: their middles would be active, or a coarser neighbour lacks them whatever is done
            // here.
            return diagonal_error_m(self.rows, ends) > self.tolerance_m;
        }
        apexes.into_iter().any(|apex| exceeds(self.rows, [ends[0], ends[1], apex], self.tolerance_m))
    }
}

/// Fills the indices.
struct Writer<'a, I> {
    rows: Rows<'a>,
    side: usize,
    active: &'a [u8],
    indices: &'a mut [I],
    at: usize,
    error_m: f64,
}

impl<I: MeshIndex> Writer<'_, I> {
    fn is_active(&self, [x, z]: Vertex) -> bool {
        self.active[z * self.side + x] != 0
    }

    /// Writes a triangle, or the parts in which it is cut. The hypotenuse is from the first corner to the second.
    fn cut(&mut self, [a, b, c]: [Vertex; 3]) {
        let is_diagonal = a[0] != b[0] && a[1] != b[1];
        let size = a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1]));
        if size == 1 {
            return self.half_cell([a, b, c]);
        }
        let middle = middle(a, b);
        if self.is_active(middle) {
            self.cut([c, a, middle]);
            return self.cut([b, c, middle]);
        }
        // The same functions as decided: equal to the bit.
        let error_m = match (size, is_diagonal) {
            (2, false) => side_error_m(self.rows, [a, b], c),
            (2, true) => {
                let legs = larger(middle_error_m(self.rows, a, c), middle_error_m(self.rows, b, c));
                larger(legs, diagonal_error_m(self.rows, [a, b]))
            }
            _ => triangle_error_m(self.rows, [a, b, c]),
        };
        self.push([a, b, c], error_m);
    }

    /// A triangle that is half a cell: with its partner by the diagonal rule, without it as it is.
    fn half_cell(&mut self, [a, b, c]: [Vertex; 3]) {
        let opposite = [a[0] + b[0] - c[0], a[1] + b[1] - c[1]];
        if !is_against_rule(a, b) || !self.is_active(opposite) {
            // The edge against the rule counts for the larger triangle beyond it.
            return self.push([a, b, c], 0.0);
        }
        // Both halves come here, with a and b exchanged: one writes the end of the diagonal that is even, one the
        // other.
        let writes_a = (a[0] % 2 == 0) == (c[0] % 2 == 1);
        self.push(if writes_a { [a, opposite, c] } else { [opposite, b, c] }, 0.0);
    }

    fn push(&mut self, corners: [Vertex; 3], error_m: f64) {
        self.error_m = larger(self.error_m, error_m);
        let indices = corners.map(|[x, z]| I::from_usize(z * self.side + x));
        self.indices[self.at..self.at + 3].copy_from_slice(&indices);
        self.at += 3;
    }
}

#[inline(always)]
fn middle(a: Vertex, b: Vertex) -> Vertex {
    [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}

/// True for a diagonal from (x0, z0) to (x1, z1).
#[inline(always)]
fn is_against_rule(a: Vertex, b: Vertex) -> bool {
    (a[0] < b[0]) == (a[1] < b[1])
}

/// The distance in the middle of an edge that is two cells long, straight or diagonal.
#[inline(always)]
fn middle_error_m(rows: Rows<'_>, a: Vertex, b: Vertex) -> f64 {
    (rows.at(middle(a, b)) - (rows.at(a) + rows.at(b)) * 0.5).abs()
}

/// The distance in the middle of a cell's diagonal that runs against the rule.
#[inline(always)]
fn center_error_m(rows: Rows<'_>, a: Vertex, b: Vertex) -> f64 {
    let ground = (rows.at([a[0], b[1]]) + rows.at([b[0], a[1]])) * 0.5;
    (ground - (rows.at(a) + rows.at(b)) * 0.5).abs()
}

/// The error of a triangle whose hypotenuse is two cells of a row or column.
#[inline(always)]
fn side_error_m(rows: Rows<'_>, [from, to]: [Vertex; 2], center: Vertex) -> f64 {
    let mut error = middle_error_m(rows, from, to);
    for end in [from, to] {
        if is_against_rule(end, center) {
            error = larger(error, center_error_m(rows, end, center));
        }
    }
    error
}

/// The error on the diagonal of two by two cells.
#[inline(always)]
fn diagonal_error_m(rows: Rows<'_>, [from, to]: [Vertex; 2]) -> f64 {
    let mut error = middle_error_m(rows, from, to);
    if is_against_rule(from, to) {
        let center = middle(from, to);
        for [end, other] in [[from, to], [to, from]] {
            let ground = (rows.at([end[0], center[1]]) + rows.at([center[0], end[1]])) * 0.5;
            let on_edge = rows.at(end) + (rows.at(other) - rows.at(end)) * 0.25;
            error = larger(error, (ground - on_edge).abs());
        }
    }
    error
}

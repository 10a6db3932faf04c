//! Skirts: walls down from a chunk's border, for hosts that want them.
//!
//! In: the chunk's vertices, the sides, a depth. Out: lowered copies of the border vertices, and the walls'
//! triangles, outside facing out. Terrane's levels need none: index templates fit without a gap. They serve hosts
//! that draw levels which are not neighbours, or without masks, or that hide what they draw before its neighbours
//! come. Deliberately not here: other attributes than positions ([`Skirts::source`] says which vertex to copy them
//! from).

use super::input::{MeshInputError, check_length, check_mask};

/// The largest index; the next restarts strips.
const INDEX_MAX: usize = 65_534;
/// The most cells whose vertices and skirts fit u16 indices with the restart value free.
const CELLS_MAX: usize = 252;

/// The walls along some of a chunk's sides: how much memory they take, and what is in it.
///
/// Their vertices follow the chunk's `(cells + 1)^2` own in one buffer: `cells + 1` a side, side by side in the order
/// -x, +x, -z, +z, along growing coordinates. A corner between two sides is there twice, so walls can differ in
/// normals.
///
/// ```
/// use terrane::mesh::Skirts;
/// let positions: Vec<[f32; 3]> =
///     (0..9).map(|i| [(i % 3) as f32, 10.0, (i / 3) as f32]).collect();
/// // At +x only, no coarser neighbour.
/// let skirts = Skirts::new(2, 0b0010, 0)?;
/// let mut lowered = vec![[0.0f32; 3]; skirts.vertex_count()];
/// let mut indices = vec![0u16; skirts.index_count()];
/// skirts.write_positions(&positions, 1.5, &mut lowered)?;
/// skirts.write_indices(&mut indices)?;
/// assert_eq!(lowered, [[2.0, 8.5, 0.0], [2.0, 8.5, 1.0], [2.0, 8.5, 2.0]]);
/// assert_eq!(indices, [5, 10, 2, 2, 10, 9, 8, 11, 5, 5, 11, 10]);
/// # Ok::<(), terrane::mesh::MeshInputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skirts {
    cells: usize,
    sides: u8,
    mask: u8,
}

impl Skirts {
    /// For chunks of `cells` cells a side. `sides` has a bit for each side that gets a wall: 1 is -x, 2 is +x, 4 is
    /// -z, 8 is +z. `mask` is the neighbour mask that the chunk is drawn with: a wall below a side with a coarser
    /// neighbour has half the triangles, and fits its edges.
    ///
    /// # Errors
    /// When `cells` is odd or not in 2..=252, or a mask is above 15.
    pub fn new(cells: u32, sides: u8, mask: u8) -> Result<Self, MeshInputError> {
        let cells = cells as usize;
        if !cells.is_multiple_of(2) || !(2..=CELLS_MAX).contains(&cells) {
            let (method, takes) = ("a skirt with u16 indices", "even numbers");
            return Err(MeshInputError::Cells { found: cells, method, takes, min: 2, max: CELLS_MAX });
        }
        check_mask("set of sides", sides)?;
        check_mask("neighbour mask", mask)?;
        Ok(Self { cells, sides, mask })
    }

    /// Vertices of all walls' lower edges.
    #[must_use]
    pub fn vertex_count(self) -> usize {
        self.sides.count_ones() as usize * (self.cells + 1)
    }

    /// Indices of all walls: six for each edge of the border.
    #[must_use]
    pub fn index_count(self) -> usize {
        self.walls().map(|side| 6 * self.cells / self.step(side)).sum()
    }

    /// The chunk's vertex above one of [`vertex_count`](Self::vertex_count) vertices.
    ///
    /// # Panics
    /// When there is no such vertex.
    ///
    /// ```
    /// let skirts = terrane::mesh::Skirts::new(2, 0b1010, 0)?;
    /// let above: Vec<usize> = (0..skirts.vertex_count()).map(|vertex| skirts.source(vertex)).collect();
    /// assert_eq!(above, [2, 5, 8, 6, 7, 8]);
    /// # Ok::<(), terrane::mesh::MeshInputError>(())
    /// ```
    #[must_use]
    pub fn source(self, vertex: usize) -> usize {
        let (wall, along) = (vertex / (self.cells + 1), vertex % (self.cells + 1));
        let side = self.walls().nth(wall).expect("the vertex is one of vertex_count");
        self.above(side, along)
    }

    /// Writes the lowered vertices: `depth_m` metres below the chunk's, or the next f32 below that.
    ///
    /// # Errors
    /// When `positions` are fewer than `(cells + 1)^2`, `out` is shorter than [`vertex_count`](Self::vertex_count),
    /// or `depth_m` is negative or not a number. Nothing is written then.
    pub fn write_positions(
        self,
        positions: &[[f32; 3]],
        depth_m: f32,
        out: &mut [[f32; 3]],
    ) -> Result<(), MeshInputError> {
        check_length("depth", depth_m.into())?;
        check_room("a chunk's positions", positions.len(), (self.cells + 1).pow(2))?;
        check_room("skirt positions", out.len(), self.vertex_count())?;
        let mut out = out.iter_mut();
        for side in self.walls() {
            for (along, lowered) in (0..=self.cells).zip(&mut out) {
                let [x, y, z] = positions[self.above(side, along)];
                *lowered = [x, lower(y, depth_m), z];
            }
        }
        Ok(())
    }

    /// Writes the walls' triangles, counter-clockwise from outside. The lowered vertices are counted on from the
    /// chunk's own.
    ///
    /// # Errors
    /// When `out` is shorter than [`index_count`](Self::index_count). Nothing is written then.
    pub fn write_indices(self, out: &mut [u16]) -> Result<(), MeshInputError> {
        check_room("skirt indices", out.len(), self.index_count())?;
        let (quads, _) = out.as_chunks_mut::<6>();
        let mut quads = quads.iter_mut();
        for (wall, side) in self.walls().enumerate() {
            let below = (self.cells + 1).pow(2) + wall * (self.cells + 1);
            let step = self.step(side);
            for (along, quad) in (0..self.cells).step_by(step).zip(&mut quads) {
                // As the chunk's triangles run along the border, so that the walls' run against them.
                let [from, to] =
                    if matches!(side, 0 | 3) { [along, along + step] } else { [along + step, along] };
                let [a, b] = [self.above(side, from), self.above(side, to)];
                let [a_below, b_below] = [below + from, below + to];
                debug_assert!(a_below.max(b_below) <= INDEX_MAX);
                *quad = [a, a_below, b, b, a_below, b_below].map(|index| index as u16);
            }
        }
        Ok(())
    }

    /// Sides with a wall.
    fn walls(self) -> impl Iterator<Item = u8> {
        (0..4).filter(move |side| self.sides >> side & 1 == 1)
    }

    /// Cells from one vertex of the border to the next.
    fn step(self, side: u8) -> usize {
        if self.mask >> side & 1 == 1 { 2 } else { 1 }
    }

    fn above(self, side: u8, along: usize) -> usize {
        let row = self.cells + 1;
        match side {
            0 => along * row,
            1 => along * row + self.cells,
            2 => along,
            _ => self.cells * row + along,
        }
    }
}

/// How deep a skirt must be to hide a gap between two chunks, in metres, whatever their levels and masks: each border
/// is within its mesh's error of the ground, above or below. Rounded up.
///
/// ```
/// assert_eq!(terrane::mesh::skirt_depth_m(0.25, 1.0), 1.25);
/// assert!(f64::from(terrane::mesh::skirt_depth_m(0.1, 0.2)) >= 0.1 + 0.2);
/// ```
#[must_use]
pub fn skirt_depth_m(error_m: f64, neighbour_error_m: f64) -> f32 {
    let depth_m = error_m + neighbour_error_m;
    let rounded = depth_m as f32;
    if f64::from(rounded) < depth_m { rounded.next_up() } else { rounded }
}

/// `y - depth_m`, rounded down.
fn lower(y: f32, depth_m: f32) -> f32 {
    let rounded = y - depth_m;
    let is_above = f64::from(rounded) > f64::from(y) - f64::from(depth_m);
    if is_above { rounded.next_down() } else { rounded }
}

fn check_room(what: &'static str, found: usize, expected: usize) -> Result<(), MeshInputError> {
    if found < expected { Err(MeshInputError::Capacity { what, found, expected }) } else { Ok(()) }
}

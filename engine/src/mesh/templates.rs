//! Index templates: the triangles of a chunk for each way in which its neighbours can be coarser.
//!
//! In: cells a side. Out: 16 immutable lists of u16 indices, one a neighbour mask; a world makes them once, every chunk of
//! every level uses them. When a neighbour changes its level the host draws with another list, and no vertex is written.
//! Deliberately not here: vertices.
//!
//! A mask has a bit for each side whose neighbour is one level coarser: 1 is -x, 2 is +x, 4 is -z, 8 is +z. On such a side
//! the neighbour has every second vertex only. Each vertex between two of them moves onto one of the two: towards
//! smaller coordinates on -x and -z, towards larger ones on +x and +z; triangles that have lost their area are left out.
//! With the diagonals from (x0, z1) to (x1, z0) these directions leave all others with area and facing up, in corners with two
//! coarse sides too; with others a corner between +x and +z would have a vertex in the middle of an edge.
//!
//! Order: strips of seven cells, row by row. A strip's row of eight vertices and the next row fit a FIFO of 16 transformed
//! vertices, as small hardware has: 0.59 of them a triangle at 64 cells. Row by row over the whole width it is 1.02.

/// Sides of a chunk, and neighbour masks.
pub const MASKS: usize = 16;

/// Cells of a strip.
const STRIP: usize = 7;

/// The triangles of chunks of one size, for every neighbour mask.
///
/// ```
/// use terrane::mesh::IndexTemplates;
/// let templates = IndexTemplates::new(64);
/// assert_eq!(templates.indices(0).len(), 6 * 64 * 64);
/// // A coarser neighbour at -x: 32 triangles fewer.
/// assert_eq!(templates.indices(1).len(), 6 * 64 * 64 - 3 * 32);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexTemplates {
    cells: u32,
    indices: Vec<u16>,
    /// Where each mask's begin, and the end.
    starts: [usize; MASKS + 1],
}

impl IndexTemplates {
    /// Makes all 16 for chunks of `cells` cells a side. Allocates about `200 * cells^2` bytes.
    ///
    /// # Panics
    /// When `cells` is odd, 0 or above 254: the vertices would not fit u16 with the restart value free.
    #[must_use]
    pub fn new(cells: u32) -> Self {
        assert!(cells.is_multiple_of(2), "{cells} cells a side cannot meet a coarser neighbour");
        let mut indices = Vec::with_capacity(MASKS * index_count_max(cells));
        let mut starts = [0; MASKS + 1];
        for mask in 0..MASKS {
            push_triangles(cells, mask as u8, &mut indices);
            starts[mask + 1] = indices.len();
        }
        indices.shrink_to_fit();
        Self { cells, indices, starts }
    }

    /// Cells a side.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// Three indices a triangle, counter-clockwise from above; vertices are numbered row by row.
    ///
    /// # Panics
    /// When `mask` is above 15.
    #[must_use]
    pub fn indices(&self, mask: u8) -> &[u16] {
        let mask = usize::from(mask);
        &self.indices[self.starts[mask]..self.starts[mask + 1]]
    }

    /// Size of all of them in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.indices[..])
    }
}

/// Triangles of a grid of `cells` by `cells` cells over `(cells + 1)^2` vertices, counter-clockwise from above, no neighbour
/// coarser. Allocates `12 * cells^2` bytes.
///
/// # Panics
/// When `cells` is 0 or above 254: the vertices would not fit u16 with the restart value free.
///
/// ```
/// assert_eq!(terrane::mesh::grid_indices(1), [0, 2, 1, 1, 2, 3]);
/// ```
#[must_use]
pub fn grid_indices(cells: u32) -> Vec<u16> {
    let mut indices = Vec::with_capacity(index_count_max(cells));
    push_triangles(cells, 0, &mut indices);
    indices
}

fn index_count_max(cells: u32) -> usize {
    assert!((1..=254).contains(&cells), "{cells} cells a side do not fit u16 indices");
    6 * (cells * cells) as usize
}

fn push_triangles(cells: u32, mask: u8, indices: &mut Vec<u16>) {
    let cells = cells as usize;
    let mut push = |corners: [[usize; 2]; 3]| {
        let [a, b, c] = corners.map(|corner| {
            let [x, z] = moved(cells, mask, corner);
            (z * (cells + 1) + x) as u16
        });
        if a != b && b != c && c != a {
            indices.extend([a, b, c]);
        }
    };
    for first in (0..cells).step_by(STRIP) {
        for z in 0..cells {
            for x in first..(first + STRIP).min(cells) {
                push([[x, z], [x, z + 1], [x + 1, z]]);
                push([[x + 1, z], [x, z + 1], [x + 1, z + 1]]);
            }
        }
    }
}

/// Where a vertex goes: those that a coarser neighbour lacks, onto one that it has.
fn moved(cells: usize, mask: u8, [x, z]: [usize; 2]) -> [usize; 2] {
    let is_coarse = |side: u8| mask >> side & 1 == 1;
    let towards = |along: usize, lower: bool| match along % 2 {
        0 => along,
        _ if lower => along - 1,
        _ => along + 1,
    };
    let z = match x {
        0 if is_coarse(0) => towards(z, true),
        _ if x == cells && is_coarse(1) => towards(z, false),
        _ => z,
    };
    let x = match z {
        0 if is_coarse(2) => towards(x, true),
        _ if z == cells && is_coarse(3) => towards(x, false),
        _ => x,
    };
    [x, z]
}

//! The columns of one chunk.
//!
//! Heights carry an apron of one sample on every side, for normals. Everything else has one entry a vertex, row by
//! row along x, row 0 at the smallest z. Texture coordinates and indices are the same for every chunk of a world
//! and live there.

use crate::buffers::Column;
use crate::coords::ChunkKey;

/// Samples of the apron on each side.
pub(crate) const APRON: usize = 1;

/// Memory for one chunk, reused from chunk to chunk: [`World::build`](crate::World::build) fills it.
#[derive(Debug)]
pub struct ChunkBuffers {
    pub(crate) key: ChunkKey,
    pub(crate) origin_sample: [i64; 2],
    /// Vertices along a side.
    pub(crate) side: usize,
    /// Heights with apron, rows [`apron_stride`] apart.
    pub(crate) apron: Column<f32>,
    pub(crate) positions: Column<[f32; 3]>,
    pub(crate) normals: Column<[f32; 3]>,
    pub(crate) colors: Column<[u8; 4]>,
}

/// Distance of the apron's rows: whole 16-lane vectors.
pub(crate) fn apron_stride(side: usize) -> usize {
    (side + 2 * APRON).next_multiple_of(16)
}

/// Values of the apron column. Normals read whole vectors to the right and below: a vector more than the rows hold.
fn apron_len(side: usize) -> usize {
    (side + 2 * APRON) * apron_stride(side) + 16
}

impl ChunkBuffers {
    /// Allocates for chunks of `chunk_cells` cells a side.
    #[must_use]
    pub fn new(chunk_cells: u32) -> Self {
        Self::with_mesh(chunk_cells, true)
    }

    /// Without `mesh`, for heights alone: the other columns are empty.
    pub(crate) fn with_mesh(chunk_cells: u32, mesh: bool) -> Self {
        let side = chunk_cells as usize + 1;
        let vertices = if mesh { side * side } else { 0 };
        Self {
            key: ChunkKey { lod: 0, x: 0, z: 0 },
            origin_sample: [0, 0],
            side,
            apron: Column::new(apron_len(side)),
            positions: Column::new(vertices),
            normals: Column::new(vertices),
            colors: Column::new(vertices),
        }
    }

    /// Size of the columns of chunks of `chunk_cells` cells in bytes.
    ///
    /// ```
    /// assert_eq!(terrane::ChunkBuffers::bytes_for(64, true), 21_504 + 4225 * (12 + 12 + 4));
    /// ```
    #[must_use]
    pub fn bytes_for(chunk_cells: u32, mesh: bool) -> usize {
        let side = chunk_cells as usize + 1;
        let vertex_bytes = if mesh { size_of::<[f32; 3]>() * 2 + size_of::<[u8; 4]>() } else { 0 };
        apron_len(side) * size_of::<f32>() + side * side * vertex_bytes
    }

    /// The chunk that was built last.
    #[must_use]
    pub fn view(&self) -> ChunkView<'_> {
        ChunkView { buffers: self }
    }
}

/// A finished chunk, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct ChunkView<'a> {
    buffers: &'a ChunkBuffers,
}

impl<'a> ChunkView<'a> {
    /// Which chunk it is.
    #[must_use]
    pub fn key(self) -> ChunkKey {
        self.buffers.key
    }

    /// The sample that positions are relative to, x then z.
    #[must_use]
    pub fn origin_sample(self) -> [i64; 2] {
        self.buffers.origin_sample
    }

    /// Vertices along a side: `chunk_cells + 1`.
    #[must_use]
    pub fn side(self) -> usize {
        self.buffers.side
    }

    /// Heights of row `z` in metres, without apron: one a vertex.
    ///
    /// # Panics
    /// When `z` is not below [`side`](Self::side).
    #[must_use]
    pub fn heights(self, z: usize) -> &'a [f32] {
        assert!(z < self.buffers.side, "row {z} of {}", self.buffers.side);
        let first = (z + APRON) * apron_stride(self.buffers.side) + APRON;
        &self.buffers.apron.as_slice()[first..first + self.buffers.side]
    }

    /// Metres relative to the origin, y up.
    #[must_use]
    pub fn positions(self) -> &'a [[f32; 3]] {
        self.buffers.positions.as_slice()
    }

    /// Unit normals: the normalised central difference of heights, one stride to each side.
    #[must_use]
    pub fn normals(self) -> &'a [[f32; 3]] {
        self.buffers.normals.as_slice()
    }

    /// sRGB and alpha by the height's place on the colour ramp.
    #[must_use]
    pub fn colors(self) -> &'a [[u8; 4]] {
        self.buffers.colors.as_slice()
    }
}

//! Memory for one chunk on the caller's side.
//!
//! Heights carry an apron of two samples on every side, for normals. Everything else has one entry a vertex, row by
//! row along x, row 0 at the smallest z. Texture coordinates and indices are the same for every chunk of a world
//! and live there.

use terrane_jobs::Column;

use crate::buffers::layout::{KINDS, apron_len};
use crate::buffers::{ChunkColumns, ChunkFacts, ChunkLayout, ChunkView, ColumnKind};
use crate::coords::ChunkKey;

/// Memory for one chunk, reused from chunk to chunk: [`World::build`](crate::World::build) fills it.
#[derive(Debug)]
pub struct ChunkBuffers {
    layout: ChunkLayout,
    chunk_cells: u32,
    pub(crate) key: ChunkKey,
    pub(crate) facts: ChunkFacts,
    columns: [Column<u32>; KINDS],
    /// Where heights go that the chunk does not keep.
    apron: Column<f32>,
}

impl ChunkBuffers {
    /// Allocates for chunks of `chunk_cells` cells a side, with heights, positions, normals and colours.
    #[must_use]
    pub fn new(chunk_cells: u32) -> Self {
        Self::with_layout(chunk_cells, ChunkLayout::default())
    }

    /// The same with the columns of the caller's choice.
    #[must_use]
    pub fn with_layout(chunk_cells: u32, layout: ChunkLayout) -> Self {
        let columns = std::array::from_fn(|place| Column::new(layout.words(place, chunk_cells)));
        let apron = if layout.has(ColumnKind::Heights) { 0 } else { apron_len(chunk_cells as usize + 1) };
        let key = ChunkKey { lod: 0, x: 0, z: 0 };
        Self { layout, chunk_cells, key, facts: ChunkFacts::default(), columns, apron: Column::new(apron) }
    }

    /// Which columns it has.
    #[must_use]
    pub fn layout(&self) -> &ChunkLayout {
        &self.layout
    }

    pub(crate) fn chunk_cells(&self) -> u32 {
        self.chunk_cells
    }

    /// The columns, to be filled with the chunk `key`.
    pub(crate) fn columns(&mut self) -> ChunkColumns<'_> {
        let words = self
            .columns
            .each_mut()
            .map(|column| Some(column.as_mut_slice()).filter(|words| !words.is_empty()));
        ChunkColumns::new(
            &self.layout,
            self.key,
            self.chunk_cells,
            words,
            &mut self.facts,
            self.apron.as_mut_slice(),
        )
    }

    /// The chunk that was built last.
    #[must_use]
    pub fn view(&self) -> ChunkView<'_> {
        let words =
            self.columns.each_ref().map(|column| Some(column.as_slice()).filter(|words| !words.is_empty()));
        ChunkView::new(&self.layout, self.key, self.chunk_cells, self.facts, words)
    }
}

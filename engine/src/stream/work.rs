//! A chunk as one job: it computes its own apron, so it reads no other.

use std::sync::Arc;

use terrane_jobs::{Arena, Cell, ColumnId, GraphSpec, Job, Pool, Stage, StageGrid, StageId, Stop, Work};
use terrane_noise::Scratch;

use crate::buffers::{ChunkColumns, Column, ColumnKind, apron_len};
use crate::coords::ChunkKey;
use crate::stream::chunk::{Draft, Levels, Product};
use crate::world::{STAGES, World};

/// The one stage of the graph: all stages of a chunk, fused.
pub(crate) const CHUNK: StageId = StageId(0);

/// The graph of a stream.
pub(crate) fn spec(chunk_cells: u32, levels: u8) -> GraphSpec {
    let grid = StageGrid { cell: chunk_cells, levels };
    let stage = Stage { name: "chunk", grid, reads: Vec::new(), writes: vec![ColumnId(0)] };
    GraphSpec::new(vec![stage]).expect("one stage that reads nothing is a graph")
}

pub(crate) fn cell(key: ChunkKey) -> Cell {
    Cell { stage: CHUNK, level: key.lod, x: key.x, z: key.z }
}

pub(crate) fn key(cell: Cell) -> ChunkKey {
    ChunkKey { lod: cell.level, x: cell.x, z: cell.z }
}

/// What jobs need of the world, and the memory of their results.
pub(crate) struct ChunkWork {
    pub(crate) world: World,
    pub(crate) levels: Arc<Levels>,
    /// As [`crate::stream::settings::Outputs::pools`] counts.
    pub(crate) pools: Vec<Pool<Column<u32>>>,
    /// Fails on purpose, for tests.
    #[cfg(test)]
    pub(crate) fault: Option<Fault>,
}

/// What goes wrong in a stage of a chunk, at which attempt.
#[cfg(test)]
pub(crate) type Fault = Box<dyn Fn(&str, ChunkKey, u8) -> Result<(), Stop> + Send + Sync>;

/// A worker's memory.
pub(crate) struct ChunkScratch {
    noise: Scratch,
    /// For heights that a chunk does not keep; reset for each job.
    arena: Arena,
}

impl ChunkWork {
    /// Bytes that a job takes of its worker's arena.
    pub(crate) fn arena_bytes(chunk_cells: u32) -> usize {
        4 * apron_len(chunk_cells as usize + 1)
    }

    /// Runs `fill` on a draft's columns.
    fn with_columns<R>(
        &self,
        key: ChunkKey,
        draft: &mut Draft,
        arena: &mut Arena,
        fill: impl FnOnce(&mut ChunkColumns<'_>) -> R,
    ) -> Result<R, Stop> {
        arena.reset();
        let apron: &mut [f32] = if self.levels.plan(key.lod).layout.has(ColumnKind::Heights) {
            &mut []
        } else {
            let len = apron_len(self.levels.chunk_cells as usize + 1);
            arena.try_slice(len).map_err(|error| Stop::Failed(error.to_string()))?
        };
        let mut columns = draft.columns(&self.levels, key, apron);
        Ok(fill(&mut columns))
    }
}

impl Work for ChunkWork {
    type Buffer = Draft;
    type Product = Product;
    type Scratch = ChunkScratch;

    fn scratch(&self) -> ChunkScratch {
        let arena = Arena::new(Self::arena_bytes(self.levels.chunk_cells));
        ChunkScratch { noise: self.world.scratch(), arena }
    }

    fn reserve(&self, cell: Cell) -> Option<Draft> {
        Draft::take(self.levels.plan(cell.level), &self.pools)
    }

    fn run(&self, job: Job<'_, Product>, draft: &mut Draft, scratch: &mut ChunkScratch) -> Result<(), Stop> {
        let key = key(job.cell);
        self.world.check_key(key).map_err(|error| Stop::Failed(error.to_string()))?;
        let ChunkScratch { noise, arena } = scratch;
        self.with_columns(key, draft, arena, |columns| {
            for stage in &STAGES {
                if job.is_cancelled() {
                    return Err(Stop::Cancelled);
                }
                if (stage.is_wanted)(columns) {
                    #[cfg(test)]
                    if let Some(fault) = &self.fault {
                        fault(stage.name, key, job.attempt)?;
                    }
                    (stage.run)(&self.world, columns, noise);
                }
            }
            Ok(())
        })?
    }

    /// Flat ground at sea level, fields at 0.
    fn placeholder(&self, cell: Cell, draft: &mut Draft) {
        let mut arena = Arena::new(Self::arena_bytes(self.levels.chunk_cells));
        let filled =
            self.with_columns(key(cell), draft, &mut arena, |columns| self.world.build_flat(columns));
        debug_assert!(filled.is_ok(), "the arena holds what a job asks for");
    }

    fn freeze(&self, draft: Draft) -> Product {
        draft.freeze()
    }
}

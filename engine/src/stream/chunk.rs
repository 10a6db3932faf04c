//! Chunks as a stream hands them out: columns in pools, held by count.
//!
//! While a job fills it, a chunk is a [`Draft`]: columns of its own. Finished it is a [`Product`], which clones share. A
//! host sees it as a [`ChunkHandle`]. The last one that lets go gives every column back to its pool. Nothing allocates.

use std::fmt;
use std::sync::Arc;

use terrane_jobs::{Pool, Shared, Unique};
use xxhash_rust::xxh3::xxh3_128;

use crate::buffers::{
    ChunkColumns, ChunkFacts, ChunkLayout, ChunkView, Column, ColumnKind, FIELDS, FieldValues, KINDS,
};
use crate::coords::ChunkKey;

/// One version of a chunk: edits of its ground give it a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId {
    /// Which chunk.
    pub key: ChunkKey,
    /// The number of the last edit that its columns hold; 0 without edits.
    pub version: u64,
}

/// A level's columns, the pools that they come from, and where its vertices move.
#[derive(Clone, Debug)]
pub(crate) struct LevelPlan {
    pub(crate) layout: ChunkLayout,
    pub(crate) morph_m: [f32; 2],
    pub(crate) pools: [Option<usize>; KINDS],
}

/// What chunks of a stream look like.
#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) chunk_cells: u32,
    pub(crate) plans: Vec<LevelPlan>,
}

impl Levels {
    pub(crate) fn plan(&self, lod: u8) -> &LevelPlan {
        &self.plans[usize::from(lod)]
    }
}

/// Columns that one job fills.
pub(crate) struct Draft {
    facts: ChunkFacts,
    columns: [Option<Unique<Column<u32>>>; KINDS],
}

impl Draft {
    /// Takes a level's columns, all or none.
    pub(crate) fn take(plan: &LevelPlan, pools: &[Pool<Column<u32>>]) -> Option<Self> {
        let mut columns = [const { None }; KINDS];
        for (column, pool) in columns.iter_mut().zip(plan.pools) {
            if let Some(pool) = pool {
                *column = Some(pools[pool].try_take()?);
            }
        }
        Some(Self { facts: ChunkFacts::default(), columns })
    }

    /// The columns, to be filled with the chunk `key`; heights that the chunk does not keep go to `apron`.
    pub(crate) fn columns<'a>(
        &'a mut self,
        levels: &Levels,
        key: ChunkKey,
        apron: &'a mut [f32],
    ) -> ChunkColumns<'a> {
        let words = self.columns.each_mut().map(|column| column.as_mut().map(|column| column.as_mut_slice()));
        ChunkColumns::new(
            &levels.plan(key.lod).layout,
            key,
            levels.chunk_cells,
            words,
            &mut self.facts,
            apron,
        )
    }

    pub(crate) fn freeze(self) -> Product {
        Product { facts: self.facts, columns: self.columns.map(|column| column.map(Unique::freeze)) }
    }
}

/// Columns that are filled.
#[derive(Clone)]
pub(crate) struct Product {
    pub(crate) facts: ChunkFacts,
    columns: [Option<Shared<Column<u32>>>; KINDS],
}

/// A finished chunk. Clones share its memory, from any thread, as long as any of them lives: also after the chunk was
/// retired, and after its stream is gone.
#[derive(Clone)]
pub struct ChunkHandle {
    pub(crate) key: ChunkKey,
    pub(crate) product: Product,
    pub(crate) levels: Arc<Levels>,
    pub(crate) is_placeholder: bool,
}

impl ChunkHandle {
    /// Which chunk, and which version.
    #[must_use]
    pub fn id(&self) -> ChunkId {
        ChunkId { key: self.key, version: self.product.facts.version }
    }

    /// True when the chunk could not be built: it is flat, at sea level.
    #[must_use]
    pub fn is_placeholder(&self) -> bool {
        self.is_placeholder
    }

    /// Its columns.
    #[must_use]
    pub fn view(&self) -> ChunkView<'_> {
        let words =
            self.product.columns.each_ref().map(|column| column.as_ref().map(|column| column.as_slice()));
        let (layout, facts) = (&self.levels.plan(self.key.lod).layout, self.product.facts);
        ChunkView::new(layout, self.key, self.levels.chunk_cells, facts, words)
    }

    /// Where vertices move to their coarse pair ([`ChunkView::coarse`], [`Packed8`](crate::buffers::Packed8)): the distance in metres at
    /// which they start, and the one at which they have arrived. Distances are the larger of those along x and along z, to the
    /// nearest viewer. Between the two a vertex is `(distance - start) / (end - start)` of the way.
    ///
    /// Where the drawn chunks are those that the viewers want, vertices on the border to a coarser chunk have arrived, and those on
    /// the border to a finer one have not started: levels meet without a crack and change without a jump.
    #[must_use]
    pub fn morph_distances_m(&self) -> [f32; 2] {
        self.levels.plan(self.key.lod).morph_m
    }

    /// Size of its columns.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.levels.plan(self.key.lod).layout.bytes(self.levels.chunk_cells)
    }

    /// XXH3-128 over key, version and every column's values. Sums of digests (wrapping) do not depend on the order in which
    /// chunks arrive.
    #[must_use]
    pub fn digest(&self) -> u128 {
        let ChunkId { key: ChunkKey { lod, x, z }, version } = self.id();
        let mut parts = [0u128; 2 + KINDS];
        parts[0] = u128::from(lod) << 64 | u128::from(version);
        parts[1] = u128::from(x as u64) << 64 | u128::from(z as u64);
        self.view().digest_into(&mut parts[2..]);
        xxh3_128(bytemuck::cast_slice(&parts.map(u128::to_le_bytes)))
    }
}

impl fmt::Debug for ChunkHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkHandle").field("id", &self.id()).finish_non_exhaustive()
    }
}

impl ChunkView<'_> {
    /// One digest a place of columns, 0 where there is none. Of heights without apron.
    fn digest_into(self, digests: &mut [u128]) {
        for ((kind, ..), digest) in ColumnKind::ALL.into_iter().zip(digests.iter_mut()) {
            *digest = match kind {
                // Rows one by one: the apron between them is no output.
                ColumnKind::Heights if self.has_heights() => (0..self.side()).fold(0u128, |sum, z| {
                    sum.rotate_left(1).wrapping_add(xxh3_128(bytemuck::cast_slice(self.heights(z))))
                }),
                _ if self.bytes(kind).is_empty() => 0,
                _ => xxh3_128(self.bytes(kind)),
            };
        }
        for (column, digest) in digests[FIELDS..].iter_mut().enumerate() {
            *digest = match self.field(column) {
                None => 0,
                Some((_, FieldValues::F32(values))) => xxh3_128(bytemuck::cast_slice(values)),
                Some((_, FieldValues::Unorm8(values))) => xxh3_128(values),
                Some((_, FieldValues::Unorm16(values))) => xxh3_128(bytemuck::cast_slice(values)),
            };
        }
    }
}

//! How much memory a stream takes, before it takes it.
//!
//! In: settings and the level-of-detail rules. Out: a table of everything that is set aside at opening, and what is given up
//! to keep below a limit. Nothing is allocated afterwards, so the table is the peak.
//!
//! Columns of a kind live in one pool. It holds the drawn chunks that carry the kind, and beside them what may be on its
//! way: one chunk an open change (a split keeps its parent drawn while its children are built, and the drawn cut leaves
//! room for three of them), one a worker (jobs that nobody wants any more), chunks built ahead, edited chunks before they
//! are shown, and what the host still holds.

use std::fmt;

use terrane_jobs::GraphLimits;

use crate::buffers::{ChunkLayout, Content};
use crate::edits::EditStore;
use crate::stream::cut::SplitDistances;
use crate::stream::settings::{PoolPlan, StreamSettings};
use crate::stream::work::ChunkWork;
use crate::world::World;

/// One part of a stream's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRow {
    /// What it is.
    pub name: String,
    /// How many.
    pub count: usize,
    /// Size of each, in bytes.
    pub bytes_each: usize,
}

impl MemoryRow {
    /// Size of all.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.count as u64 * self.bytes_each as u64
    }
}

/// The memory of a stream, part by part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryPlan {
    /// The parts.
    pub rows: Vec<MemoryRow>,
    /// All of them.
    pub bytes: u64,
    /// The least that the world can be streamed in with these levels, viewers and outputs.
    pub bytes_min: u64,
    /// What the settings ask for: with it nothing that was built ahead is given up.
    pub bytes_no_recompute: u64,
    /// Workers, as the settings say or the machine has.
    pub threads: usize,
    /// Changes that are prepared at a time, as the memory allows.
    pub swaps_max: usize,
    /// Chunks that are built ahead, as the memory allows.
    pub prefetch_max: usize,
    /// Chunks that the host may hold, as the memory allows.
    pub held_max: usize,
    /// Drawn chunks that edits may touch at a time, as the memory allows.
    pub edited_max: usize,
}

/// What is given up when memory is short, at its least.
const SWAPS_MIN: usize = 2;
const HELD_MIN: usize = 1;
const EDITED_MIN: usize = 16;

/// How many chunks of each sort there may be beside the drawn ones.
#[derive(Clone, Copy)]
struct Extra {
    swaps: usize,
    prefetch: usize,
    held: usize,
    edited: usize,
}

impl Extra {
    fn chunks(self, threads: usize) -> usize {
        self.swaps + self.prefetch + self.held + self.edited + threads
    }
}

/// The least memory that settings need is more than they allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "bytes_max: found {found}, expected at least {bytes_min}, which {levels} levels for {viewers} viewer(s) need; without a \
     limit the settings take {bytes_no_recompute}"
)]
pub struct MemoryError {
    /// The limit.
    pub found: u64,
    /// The least.
    pub bytes_min: u64,
    /// What the settings ask for.
    pub bytes_no_recompute: u64,
    /// Drawn levels.
    pub levels: u8,
    /// Viewers at a time.
    pub viewers: usize,
}

impl MemoryPlan {
    /// Plans the memory of a stream.
    ///
    /// # Errors
    /// When the limit is below the least.
    pub(crate) fn new(
        world: &World,
        settings: &StreamSettings,
        distances: &SplitDistances,
    ) -> Result<Self, MemoryError> {
        let threads = settings.thread_count();
        let parts = Parts { world, settings, distances, threads };
        let most = Extra {
            swaps: settings.swaps_max,
            prefetch: settings.prefetch_max,
            held: settings.held_max,
            edited: settings.edited_max,
        };
        let least = Extra {
            swaps: SWAPS_MIN,
            prefetch: 0,
            held: most.held.min(HELD_MIN),
            edited: most.edited.min(EDITED_MIN),
        };
        let (bytes_min, bytes_no_recompute) = (sum(&parts.rows(least)), sum(&parts.rows(most)));
        let limit = settings.bytes_max.unwrap_or(bytes_no_recompute);
        if limit < bytes_min {
            let (levels, viewers) = (settings.levels, settings.viewers_max);
            return Err(MemoryError { found: limit, bytes_min, bytes_no_recompute, levels, viewers });
        }
        let extra = parts.fit(least, most, limit);
        let rows = parts.rows(extra);
        Ok(Self {
            bytes: sum(&rows),
            rows,
            bytes_min,
            bytes_no_recompute,
            threads,
            swaps_max: extra.swaps,
            prefetch_max: extra.prefetch,
            held_max: extra.held,
            edited_max: extra.edited,
        })
    }

    /// Chunks that may be asked for at a time.
    pub(crate) fn coming_max(&self) -> usize {
        4 * self.swaps_max + self.prefetch_max + self.edited_max
    }

    /// Of the job graph.
    pub(crate) fn limits(&self) -> GraphLimits {
        limits(self.coming_max(), self.threads)
    }
}

fn limits(coming: usize, threads: usize) -> GraphLimits {
    GraphLimits { nodes: coming + threads + 1, admitted: threads + 2, finished: coming.max(1) }
}

fn sum(rows: &[MemoryRow]) -> u64 {
    rows.iter().map(MemoryRow::bytes).sum()
}

struct Parts<'a> {
    world: &'a World,
    settings: &'a StreamSettings,
    distances: &'a SplitDistances,
    threads: usize,
}

impl Parts<'_> {
    /// As much beside the drawn chunks as the limit allows: first everything that is asked for, then less and less of all.
    fn fit(&self, least: Extra, most: Extra, limit: u64) -> Extra {
        let between = |least: usize, most: usize, share: usize| least + (most - least) * share / SHARES;
        let extra = |share| Extra {
            swaps: between(least.swaps, most.swaps, share),
            prefetch: between(least.prefetch, most.prefetch, share),
            held: between(least.held, most.held, share),
            edited: between(least.edited, most.edited, share),
        };
        const SHARES: usize = 64;
        let fits = |share: &usize| sum(&self.rows(extra(*share))) <= limit;
        extra((0..=SHARES).rev().find(fits).unwrap_or(0))
    }

    /// Pools first, in their order.
    fn rows(&self, extra: Extra) -> Vec<MemoryRow> {
        let threads = self.threads;
        let mut rows = self.pools(extra.chunks(threads));
        let drawn = self.distances.leaves_max(self.settings.viewers_max) as usize;
        let coming = 4 * extra.swaps + extra.prefetch + extra.edited;
        let limits = limits(coming, threads);
        let mut row =
            |name: &str, count, bytes_each| rows.push(MemoryRow { name: name.to_owned(), count, bytes_each });
        let arena = ChunkWork::arena_bytes(self.world.chunk_cells());
        // The host is a worker too: it can run jobs.
        row("scratch of workers", threads + 1, self.world.scratch().bytes() + arena);
        row("level-of-detail trees", drawn, 1024);
        row("records of chunks", drawn + coming, crate::stream::chunks::RECORD_BYTES);
        row("job graph", limits.nodes, terrane_jobs::node_bytes::<ChunkWork>());
        row("queue of results", limits.finished, terrane_jobs::finished_bytes::<ChunkWork>());
        row("world", 1, self.world.bytes());
        row("edits", 1, EditStore::bytes_for(self.world.edits().tiles()));
        rows
    }

    /// One row a pool.
    fn pools(&self, extra: usize) -> Vec<MemoryRow> {
        let names = self.world.field_names().collect::<Vec<_>>();
        let row = |pool: PoolPlan| {
            let name = match pool.content {
                Content::Plain(kind) => kind.name().to_owned(),
                Content::Field(column) => format!("field {}", names[column.field]),
            };
            let drawn = self.drawn_max(pool);
            let count = if drawn == 0 { 0 } else { drawn + extra };
            let bytes_each = ChunkLayout::of(&[]).with_content(pool.content).bytes(self.world.chunk_cells());
            MemoryRow { name, count, bytes_each }
        };
        self.settings.outputs.pools().map(row).collect()
    }

    /// Most chunks that are drawn of the levels that a pool serves. The bound of all levels and that of level 0 hold for
    /// every cut on the way from one wanted cut to the next: the plan keeps to both. Those of other single levels hold for
    /// wanted cuts alone.
    fn drawn_max(&self, pool: PoolPlan) -> usize {
        let (distances, viewers) = (self.distances, self.settings.viewers_max);
        let all = distances.leaves_max(viewers);
        let drawn = match (0..self.settings.levels).rfind(|&lod| pool.serves(lod)) {
            None => 0,
            Some(0) => distances.leaves_of_level_max(0, viewers).min(all),
            Some(_) => all,
        };
        drawn as usize
    }
}

impl fmt::Display for MemoryPlan {
    /// A table with a line a part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(5);
        writeln!(f, "{:width$}  {:>7}  {:>10}  {:>12}", "part", "count", "bytes each", "bytes")?;
        for row in self.rows.iter().filter(|row| row.count > 0) {
            writeln!(
                f,
                "{:width$}  {:>7}  {:>10}  {:>12}",
                row.name,
                row.count,
                row.bytes_each,
                row.bytes()
            )?;
        }
        writeln!(f, "{:width$}  {:>7}  {:>10}  {:>12}", "all", "", "", self.bytes)?;
        writeln!(f, "at least (bytes_min)                {:>12}", self.bytes_min)?;
        writeln!(f, "as asked for (bytes_no_recompute)   {:>12}", self.bytes_no_recompute)?;
        writeln!(
            f,
            "{} changes at a time, {} chunks ahead, {} held by the host, {} edited at a time",
            self.swaps_max, self.prefetch_max, self.held_max, self.edited_max
        )
    }
}

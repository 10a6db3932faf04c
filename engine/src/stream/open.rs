//! Opening a stream: everything is checked, planned, allocated and started here.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use terrane_jobs::{Clock, Column, Costs, Histogram, Pool, Scheduler, SchedulerSettings, StartError};

use crate::stream::chunk::{LevelPlan, Levels};
use crate::stream::chunks::Chunks;
use crate::stream::cut::{Cut, CutError, CutSettings, Extent};
use crate::stream::edits::PendingEdits;
use crate::stream::events::Swap;
use crate::stream::memory::{MemoryError, MemoryPlan, MemoryRow};
use crate::stream::orders::Orders;
use crate::stream::settings::{PoolPlan, SettingError, StreamSettings};
use crate::stream::stats::Counters;
use crate::stream::streamer::{Flags, Streamer};
use crate::stream::work::{ChunkWork, spec};
use crate::world::World;

/// Longest poll that statistics tell apart.
const STALL_MAX_NS: u64 = 10_000_000_000;

/// Why a world cannot be streamed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StreamError {
    /// A setting is out of range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The limit of memory is below the least.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The workers do not start.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl From<CutError> for StreamError {
    /// The settings are checked before; what is left are sizes that only all of them together make.
    fn from(error: CutError) -> Self {
        let setting = match error {
            CutError::Factor { .. } => "split_factor",
            CutError::Hysteresis { .. } | CutError::Split { .. } | CutError::Keep { .. } => {
                "split_factor, hysteresis"
            }
            _ => "levels, split_factor, screen, viewers_max",
        };
        let text = error.to_string();
        let (found, expected) = text.split_once("; expected ").expect("every text of a CutError has both");
        Self::Setting(SettingError {
            setting: setting.to_owned(),
            found: found.to_owned(),
            expected: expected.to_owned(),
        })
    }
}

/// Where level-of-detail changes happen, for a world's levels.
fn extents(world: &World, levels: u8) -> Vec<Extent> {
    let of = |lod: u8| match world.chunk_extent(lod) {
        Some((min, max)) => Extent { min, max },
        None => Extent::endless(lod, world.chunk_cells()),
    };
    (0..levels).map(of).collect()
}

impl Streamer {
    /// What a stream with these settings takes, without opening it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn plan_memory(world: &World, settings: &StreamSettings) -> Result<MemoryPlan, StreamError> {
        settings.check(world)?;
        let distances = settings.distances(world)?;
        Cut::check_leaves(&distances, settings.viewers_max)?;
        Ok(MemoryPlan::new(world, settings, &distances)?)
    }

    /// Opens a stream of a world: allocates all that it will ever use, and starts the workers. `clock` is what budgets are
    /// measured with.
    ///
    /// # Errors
    /// When a setting is out of range, the memory limit too low, or the system refuses threads.
    pub fn open(world: World, settings: StreamSettings, clock: Arc<dyn Clock>) -> Result<Self, StreamError> {
        Self::open_with(world, settings, clock, |_| {})
    }

    /// The same with a last word on the jobs.
    pub(crate) fn open_with(
        world: World,
        settings: StreamSettings,
        clock: Arc<dyn Clock>,
        change: impl FnOnce(&mut ChunkWork),
    ) -> Result<Self, StreamError> {
        let memory = Self::plan_memory(&world, &settings)?;
        let StreamSettings { levels, viewers_max, .. } = settings;
        let chunk_cells = world.chunk_cells();
        let distances = settings.distances(&world)?;
        let open_max = memory.swaps_max;
        let extents = extents(&world, levels);
        let spacing_m = world.sample_spacing_m();
        let plan = |lod| LevelPlan {
            layout: settings.outputs.layout(lod),
            pools: settings.outputs.pools_of(lod),
            morph_m: distances.morph(lod).map(|samples| (samples as f64 * spacing_m) as f32),
        };
        let level_plans = Arc::new(Levels { chunk_cells, plans: (0..levels).map(plan).collect() });
        let cut = Cut::new(CutSettings { levels, chunk_cells, distances, extents, viewers_max, open_max })?;

        // The plan's rows begin with the pools.
        let pool =
            |(_, row): (PoolPlan, &MemoryRow)| Pool::new(row.count, |_| Column::new(row.bytes_each / 4));
        let mut work = ChunkWork {
            world: world.clone(),
            levels: Arc::clone(&level_plans),
            pools: settings.outputs.pools().zip(&memory.rows).map(pool).collect(),
            #[cfg(test)]
            fault: None,
        };
        change(&mut work);
        let scheduler_settings = SchedulerSettings { limits: memory.limits(), threads: memory.threads };
        let scheduler =
            Scheduler::start(work, spec(chunk_cells, levels), scheduler_settings, Arc::clone(&clock))?;

        let coming_max = memory.coming_max();
        let drawn_max = cut.leaves_max();
        let ids = drawn_max + coming_max;
        let swap = Swap {
            hide: Vec::with_capacity(drawn_max),
            show: Vec::with_capacity(drawn_max.max(4)),
            masks: Vec::with_capacity(drawn_max),
        };
        Ok(Self {
            swap,
            cut_swap: cut.swap(),
            orders: Orders::new(coming_max),
            chunks: Chunks::new(ids),
            built: VecDeque::with_capacity(2 * coming_max),
            edits: PendingEdits::new(memory.edited_max, world.edits().last_edit()),
            #[cfg(feature = "save")]
            save: None,
            retired: VecDeque::with_capacity(2 * ids),
            failed: VecDeque::new(),
            viewers: Vec::with_capacity(viewers_max),
            samples: Vec::with_capacity(viewers_max),
            cancelled: Vec::with_capacity(open_max),
            ahead: Vec::with_capacity(memory.prefetch_max),
            looks_ahead: 0,
            costs: Costs::default(),
            stall_ns: Histogram::new(STALL_MAX_NS),
            counters: Counters::default(),
            stop: Arc::new(AtomicBool::new(false)),
            ticket: 0,
            flags: Flags::default(),
            levels: level_plans,
            scheduler,
            cut,
            clock,
            memory,
            settings,
            world,
        })
    }
}

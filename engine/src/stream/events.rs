//! What a stream tells its host.

use crate::coords::{ChunkKey, Position};
#[cfg(feature = "save")]
use crate::edits::EditId;
#[cfg(feature = "save")]
use crate::save::SaveError;
use crate::stream::chunk::{ChunkHandle, ChunkId};

/// Someone, or something, that the world is drawn around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// Where it is.
    pub position: Position,
    /// How it moves, in metres a second along x and z; for building ahead.
    pub velocity_m_s: [f32; 2],
}

impl Viewer {
    /// One that stands still.
    #[must_use]
    pub fn at(position: Position) -> Self {
        Self { position, velocity_m_s: [0.0; 2] }
    }
}

/// One thing that happened. A host that does what events say always draws ground without holes or overlaps.
/// More kinds may come: a host passes over those that it does not know.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum StreamEvent<'a> {
    /// A chunk is here: upload it, do not draw it yet. A host that wants to read it later keeps a clone of the handle.
    Ready(&'a ChunkHandle),
    /// One atomic change of what is drawn. All of `show` have been ready.
    Swap(&'a Swap),
    /// A chunk will not be drawn any more: hidden by a swap before, or never shown. Free what was uploaded.
    Retired(ChunkId),
    /// A chunk could not be built: what is ready instead is flat, at sea level.
    Failed(&'a FailureReport),
    /// This edit, and all before it, are on disk: see [`Streamer::attach_save`](crate::Streamer::attach_save).
    #[cfg(feature = "save")]
    Saved(EditId),
    /// The save file cannot be written: later edits are not on disk.
    #[cfg(feature = "save")]
    SaveFailed(&'a SaveError),
}

/// What a [`StreamEvent::Swap`] changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swap {
    /// No longer drawn.
    pub hide: Vec<ChunkId>,
    /// Drawn from now on.
    pub show: Vec<ChunkId>,
    /// The masks of all that are shown and of all others whose mask changed: bit 0 for the side -x, 1 for +x, 2 for -z,
    /// 3 for +z, set where the neighbour that is drawn is coarser.
    pub masks: Vec<(ChunkKey, u8)>,
}

impl Swap {
    pub(crate) fn clear(&mut self) {
        self.hide.clear();
        self.show.clear();
        self.masks.clear();
    }
}

/// A chunk that could not be built, and how to see it again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "chunk ({}, {}) at level {} of the world {world_hash:016x} with seed {seed}: {message}", .id.key.x, .id.key.z, .id.key.lod
)]
pub struct FailureReport {
    /// Which chunk.
    pub id: ChunkId,
    /// The world's seed.
    pub seed: u64,
    /// Its hash.
    pub world_hash: u64,
    /// Stage, attempts and what they said.
    pub message: String,
}

/// How a [`Streamer::poll`](crate::Streamer::poll) went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Polled {
    /// Events that were handed out, and jobs that were run.
    pub items: u32,
    /// Time that it took, by the stream's clock.
    pub spent_ns: u64,
    /// Beyond the budget.
    pub overrun_ns: u64,
    /// More could have been handed out.
    pub more: bool,
    /// Someone asked the stream to stop.
    pub stopped: bool,
}

/// How a [`Streamer::flush`](crate::Streamer::flush) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flushed {
    /// All that is wanted is drawn.
    Settled,
    /// It is paused, and nothing runs.
    Paused,
    /// The host holds so many retired chunks that there is no memory for the next.
    Starved,
    /// Someone asked the stream to stop.
    Stopped,
}

//! A performance-first runtime for procedural worlds: seed and world file in, finished chunks out.
//!
//! In the order in which data flows:
//!
//! - [`WorldConfig`]: a world file, read and checked ([`config`]);
//! - [`World`]: an opened config; builds chunks on the caller's thread, answers for single positions;
//! - [`ChunkKey`], [`Position`]: exact places ([`coords`](ChunkKey));
//! - [`ChunkBuffers`], [`ChunkView`]: a chunk's columns, filled and borrowed ([`buffers`]);
//! - [`edits`]: changes of the ground at run time;
//! - [`mesh`]: what all chunks share: triangles and texture coordinates;
//! - [`collider`]: height fields for physics engines, with their distance to the ground;
//! - [`Streamer`]: chunks around viewers, built in the background, handed out within a budget;
//! - `save`: edits in a file, written by a thread of its own (feature `save`);
//! - [`export`]: regions as pictures, raw heights and glTF.
//!
//! The same seed, world file and generator version give the same bytes: at every SIMD level, on any number of
//! threads, in any order, near the origin and a trillion samples away.
#![forbid(unsafe_code)]

#[cfg(all(feature = "export", feature = "threads"))]
mod batch;
pub mod buffers;
pub mod collider;
pub mod config;
mod coords;
pub mod edits;
#[cfg(feature = "export")]
pub mod export;
mod fields;
#[cfg(feature = "images")]
pub mod images;
pub mod mesh;
#[cfg(feature = "save")]
pub mod save;
mod stages;
mod stream;
mod surface;
mod world;

#[cfg(all(feature = "export", feature = "threads"))]
pub use batch::{Batch, GenerateError, Job, Monitor, Report, ReportFile, ReportLevel, StageTime};
pub use buffers::{ChunkBuffers, ChunkView};
pub use config::{RuntimeConfig, WorldConfig};
pub use coords::{ChunkKey, Position, PositionError, SAMPLE_LIMIT};
#[cfg(feature = "save")]
pub use stream::AttachSaveError;
pub use stream::{
    ChunkHandle, ChunkId, CoarseSteps, FailureReport, FieldOutput, Flushed, Levels, MemoryError, MemoryPlan,
    MemoryRow, Outputs, Polled, ScreenError, SettingError, Stopper, StreamEditError, StreamError,
    StreamEvent, StreamSettings, StreamStats, Streamer, Swap, Viewer, ViewersError,
};
/// Time and budgets of streams.
#[cfg(feature = "threads")]
pub use terrane_jobs::SystemClock;
pub use terrane_jobs::{Budget, Clock, Histogram, ManualClock};
/// The noise library that worlds are made of.
pub use terrane_noise as noise;
pub use terrane_noise::{Coord, Scratch, SimdLevel, SimdLevelError};
pub use world::{BuildError, OpenError, World};

/// The README's example is a test.
#[cfg(all(doctest, feature = "config"))]
#[doc = include_str!("../../README.md")]
pub struct Readme;

//! Streaming: chunks around viewers, built in the background, handed out within a budget.
//!
//! - [`settings`]: what a host can choose; [`memory`]: what that costs, known before anything is allocated;
//! - [`cut`]: which chunks are wanted, which are drawn, and the next legal change on the way;
//! - [`work`]: a chunk as a job; [`chunk`]: its columns in pools, and the handle that hosts hold;
//! - [`chunks`]: the version that is drawn and the one that is on its way, for each chunk;
//! - [`edits`]: edited chunks, until all of them can be shown together;
//! - [`streamer`]: viewers in, events out; [`orders`]: what it asks of the scheduler.
//!
//! Deliberately not here: generation (`stages/`), threads and priorities (terrane-jobs), drawing.

mod chunk;
pub(crate) mod chunks;
mod cut;
mod edits;
mod events;
mod memory;
mod open;
mod orders;
mod screen;
mod settings;
mod stats;
mod streamer;
#[cfg(all(test, feature = "config", feature = "threads"))]
mod tests;
mod work;

pub use chunk::{ChunkHandle, ChunkId};
#[cfg(feature = "save")]
pub use edits::AttachSaveError;
pub use edits::StreamEditError;
pub use events::{FailureReport, Flushed, Polled, StreamEvent, Swap, Viewer};
pub use memory::{MemoryError, MemoryPlan, MemoryRow};
pub use open::StreamError;
pub use screen::ScreenError;
pub use settings::{CoarseSteps, FieldOutput, Levels, Outputs, SettingError, StreamSettings};
pub use stats::StreamStats;
pub use streamer::{Stopper, Streamer, ViewersError};

//! The save file: the edits of a world on disk, written by a thread of its own.
//!
//! In: a path and a world, then a nudge after edits. Out: the last edit that is durable. Only whole states are written,
//! so that what a killed process leaves is the ground after some edit, never half of one, and never before the last
//! edit that was reported as saved. Deliberately not here: anything but edits, and any wait of the thread that edits for
//! the disk. The format is described in docs/EDITS.md.

mod copies;
mod error;
mod file;
#[cfg(test)]
pub(crate) mod flaky;
mod overlay;
mod saver;
mod tile_bytes;

pub use error::SaveError;
pub use saver::Save;

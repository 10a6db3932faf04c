//! What the rest of the crate synchronises with, in one place, so that a model checker can take its place.
//!
//! In an ordinary build: parking_lot's mutex and condition variable, std's atomics and threads, crossbeam's queue.
//! With `--cfg loom` or `--cfg shuttle` the same names are those of the checker, which runs a test under every (loom) or
//! many (shuttle) interleavings. Deliberately not here: anything that decides; only names and thin coats over them.

#[cfg(not(any(loom, shuttle)))]
mod plain;
#[cfg(not(any(loom, shuttle)))]
pub(crate) use plain::*;

#[cfg(any(loom, shuttle))]
mod model;
#[cfg(any(loom, shuttle))]
pub(crate) use model::*;

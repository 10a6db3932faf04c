//! What is measured: the list of workloads, and who can do them.
//!
//! - [`workload`]: the one list of workloads, and the parameters that all of them share;
//! - [`ours`]: terrane-noise at a SIMD level, the only file that knows its API;
//! - [`peers`]: the libraries that people use today, one file each;
//! - [`runner`]: what a prepared workload is, and the memory that it fills;
//! - [`check`]: answers are checked before they are timed.
//!
//! How it is measured (processes, rounds, tables, JSON, chart) is in the binary; Criterion's benches are in
//! `benches/`. Nothing else in the workspace depends on this package.
#![forbid(unsafe_code)]

pub mod check;
pub mod ours;
#[cfg(feature = "peers")]
pub mod peers;
pub mod runner;
pub mod workload;

/// Built without the feature `peers`: an empty list.
#[cfg(not(feature = "peers"))]
pub mod peers {
    /// No peers.
    pub const PEERS: &[crate::runner::Peer] = &[];
}

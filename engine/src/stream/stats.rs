//! What a stream has done and holds.

use terrane_jobs::{GraphCounts, StageTimes};

/// What the streamer counts itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    pub(crate) ready: u64,
    pub(crate) swaps: u64,
    pub(crate) retired: u64,
    pub(crate) failed: u64,
    pub(crate) polls: u64,
    pub(crate) overruns: u64,
}

/// A stream at one moment. Counts are since it was opened.
#[derive(Clone, Debug)]
pub struct StreamStats {
    /// Chunks that are drawn.
    pub drawn: usize,
    /// Changes that are being prepared.
    pub open_changes: usize,
    /// Drawn chunks that will be shown edited in the next swap of edits. A host that edits faster than chunks are built
    /// sees it grow.
    pub edited: usize,
    /// Chunks that were built ahead of moving viewers and that nothing needs yet, or that were asked for to be.
    pub ahead: usize,
    /// Chunks announced as ready.
    pub ready: u64,
    /// Swaps.
    pub swaps: u64,
    /// Versions of chunks retired.
    pub retired: u64,
    /// Chunks that could not be built.
    pub failed: u64,
    /// Polls that had something to do.
    pub polls: u64,
    /// Polls beyond their budget.
    pub overruns: u64,
    /// Half of the polls that had something to do took no longer.
    pub stall_ns_p50: u64,
    /// 99 of 100 did.
    pub stall_ns_p99: u64,
    /// The longest.
    pub stall_ns_max: u64,
    /// Memory set aside, in bytes.
    pub bytes: u64,
    /// Most of it in use at once, in bytes: columns by the peaks of their pools, everything else as set aside.
    pub bytes_peak: u64,
    /// The job graph: what waits, runs, was cancelled, was built twice.
    pub jobs: GraphCounts,
    /// How long a chunk takes.
    pub job_times: StageTimes,
}

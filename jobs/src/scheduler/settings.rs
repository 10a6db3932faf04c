//! What a scheduler is told at its start, and what it tells.

use crate::graph::{GraphLimits, GraphSpec, NODES_MAX, StageId};
use crate::histogram::Histogram;

/// How large a scheduler is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedulerSettings {
    /// Of its graph.
    pub limits: GraphLimits,
    /// Workers; 0: the host runs the jobs, by [`Scheduler::pump`](crate::Scheduler::pump) or
    /// [`wait`](crate::Scheduler::wait).
    pub threads: usize,
}

/// Why a scheduler does not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// A limit of 0.
    #[error("{what} is 0; at least 1 is needed")]
    Zero {
        /// Which limit.
        what: &'static str,
    },
    /// More nodes than a heap tells apart.
    #[error("a graph of {nodes} nodes; there may be {NODES_MAX}")]
    TooManyNodes {
        /// The limit that was asked for.
        nodes: usize,
    },
    /// One target alone would not fit.
    #[error("the graph holds {nodes} nodes; a target of stage {stage} needs up to {needed}")]
    TooFewNodes {
        /// The limit.
        nodes: usize,
        /// The stage with the largest closure.
        stage: &'static str,
        /// Its size.
        needed: usize,
    },
    /// Threads where there are none.
    #[error(
        "{threads} threads asked for, but this build has none (feature `threads`); 0 lets the host run the jobs"
    )]
    NoThreads {
        /// As asked for.
        threads: usize,
    },
    /// The system refuses.
    #[error("thread {index} does not start: {message}")]
    Thread {
        /// Its number.
        index: usize,
        /// What the system says.
        message: String,
    },
}

impl SchedulerSettings {
    pub(crate) fn check(&self, spec: &GraphSpec) -> Result<(), StartError> {
        let GraphLimits { nodes, admitted, finished } = self.limits;
        for (what, value) in [("nodes", nodes), ("admitted", admitted), ("finished", finished)] {
            if value == 0 {
                return Err(StartError::Zero { what });
            }
        }
        if nodes > NODES_MAX {
            return Err(StartError::TooManyNodes { nodes });
        }
        if cfg!(not(feature = "threads")) && self.threads > 0 {
            return Err(StartError::NoThreads { threads: self.threads });
        }
        for (index, stage) in spec.stages().iter().enumerate() {
            let needed = spec.closure_max(StageId(index as u8)).iter().sum();
            if needed > nodes {
                return Err(StartError::TooFewNodes { nodes, stage: stage.name, needed });
            }
        }
        Ok(())
    }
}

/// Why [`Scheduler::wait`](crate::Scheduler::wait) came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// There is a result to take.
    Finished,
    /// Nothing is asked for.
    Nothing,
    /// Paused, and nothing runs.
    Paused,
    /// Targets wait for memory that the host has.
    Starved,
}

/// How long jobs of a stage took, in nanoseconds. From one moment between jobs to the next: the taking is counted too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Jobs.
    pub count: u64,
    /// Half took no longer.
    pub p50_ns: u64,
    /// 99 of 100 took no longer.
    pub p99_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// What the next is expected to take at most.
    pub predicted_ns: u64,
}

/// The same, as it is kept.
#[derive(Debug)]
pub(crate) struct Times {
    histogram: Histogram,
    predicted_ns: u64,
}

impl Times {
    /// Longest job that is told apart.
    const LONGEST_NS: u64 = 10_000_000_000;

    pub(crate) fn new() -> Self {
        Self { histogram: Histogram::new(Self::LONGEST_NS), predicted_ns: 0 }
    }

    pub(crate) fn record(&mut self, ns: u64) {
        self.histogram.record(ns);
        self.predicted_ns = predict(self.predicted_ns, ns);
    }

    pub(crate) fn predicted_ns(&self) -> u64 {
        self.predicted_ns
    }

    pub(crate) fn summary(&self) -> StageTimes {
        StageTimes {
            count: self.histogram.count(),
            p50_ns: self.histogram.percentile(50.0),
            p99_ns: self.histogram.percentile(99.0),
            max_ns: self.histogram.max(),
            predicted_ns: self.predicted_ns,
        }
    }
}

/// A peak that sinks: at once up to a longer time, an eighth of the way down to a shorter one.
pub(crate) fn predict(predicted_ns: u64, ns: u64) -> u64 {
    if ns >= predicted_ns { ns } else { predicted_ns - (predicted_ns - ns) / 8 }
}

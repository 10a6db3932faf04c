//! Pools, arenas and a priority job graph that allocates nothing once it runs. Knows nothing of terrain.
//!
//! In the order in which one builds on the other:
//!
//! - [`Clock`]: time, as the host gives it; [`Histogram`]: how it spreads; [`Budget`] and [`Meter`]: how much a step may take;
//! - [`Column`], [`Arena`], [`Pool`]: memory of a fixed size: for results, for one job, for what is lent out and shared;
//! - [`GraphSpec`]: stages, the grids that they live on, what they read and write;
//! - [`Work`]: what the host does in a job;
//! - [`Scheduler`]: runs the jobs, the nearest first.

mod arena;
mod budget;
mod clock;
mod column;
mod graph;
mod histogram;
mod pool;
mod scheduler;
mod sync;
#[cfg(all(test, not(any(loom, shuttle))))]
mod synthetic;
mod work;

pub use arena::{Arena, ArenaFull};
pub use budget::{Budget, Costs, Meter};
#[cfg(feature = "threads")]
pub use clock::SystemClock;
pub use clock::{Clock, ManualClock};
pub use column::Column;
pub use graph::{
    Band, Cell, CellRange, ColumnId, GraphCounts, GraphError, GraphLimits, GraphSpec, Priority, Read,
    RequestError, STAGES_MAX, Stage, StageGrid, StageId,
};
pub use histogram::{Histogram, HistogramTable};
pub use pool::{Pool, Shared, SlotId, Unique};
pub use scheduler::{
    Scheduler, SchedulerSettings, StageTimes, StartError, Targets, Waited, finished_bytes, node_bytes,
};
pub use work::{Failure, FailureKind, Finished, Job, Stop, Work};

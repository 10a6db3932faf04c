//! What a host gives the scheduler to do.
//!
//! [`Work`] is a bundle of pure steps: reserve memory for a node, fill it, or fill it with something that will do. A step
//! cannot ask for other jobs, wait, or learn which thread it is on.

use crate::graph::Cell;
use crate::sync::atomic::{AtomicBool, Ordering};

/// The stages of a host, and the memory that their results live in.
pub trait Work: Send + Sync + 'static {
    /// Memory of one node that is still to be filled: a place in a pool.
    type Buffer: Send + 'static;
    /// A filled one. Clones share it.
    type Product: Clone + Send + Sync + 'static;
    /// A worker's own memory.
    type Scratch: Send + 'static;

    /// Makes a worker's memory: once a worker at the start, and again after a panic.
    fn scratch(&self) -> Self::Scratch;

    /// Takes memory for the node, or `None` when its pool is empty. Called under the scheduler's lock: it may not wait,
    /// call the scheduler or panic.
    fn reserve(&self, cell: Cell) -> Option<Self::Buffer>;

    /// Fills the buffer. The result may depend on the cell and the inputs alone; the buffer holds whatever an earlier node
    /// left there. A panic is caught, the job tried once more.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] when [`Job::is_cancelled`] said so; [`Stop::Failed`] when there will be no result.
    fn run(
        &self,
        job: Job<'_, Self::Product>,
        buffer: &mut Self::Buffer,
        scratch: &mut Self::Scratch,
    ) -> Result<(), Stop>;

    /// Fills the buffer with what stands in for a result that there will not be. Cheap, and without inputs.
    fn placeholder(&self, cell: Cell, buffer: &mut Self::Buffer);

    /// Closes a filled buffer. It may not panic.
    fn freeze(&self, buffer: Self::Buffer) -> Self::Product;
}

/// Why a job gives up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// Nobody wants the result any more.
    #[error("cancelled")]
    Cancelled,
    /// There will be no result; the text says why.
    #[error("{0}")]
    Failed(String),
}

/// One node that is to be filled.
#[derive(Debug)]
pub struct Job<'a, P> {
    /// Which.
    pub cell: Cell,
    /// Of the request, when the node itself was asked for; 0 for what only others need.
    pub ticket: u64,
    /// 0; 1 after a panic.
    pub attempt: u8,
    pub(crate) inputs: &'a [(Cell, P)],
    pub(crate) cancelled: &'a AtomicBool,
}

// Derived, it would ask for products that are `Copy`.
impl<P> Clone for Job<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Job<'_, P> {}

impl<'a, P> Job<'a, P> {
    /// What the stage's declared reads give, stage by stage in the order of declaration, row by row: the same order on any
    /// number of threads.
    #[must_use]
    pub fn inputs(&self) -> &'a [(Cell, P)] {
        self.inputs
    }

    /// True when nobody wants the result any more. Costs a load; long jobs look every few rows.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// A target's result, as the host gets it.
#[derive(Clone, Debug)]
pub struct Finished<P> {
    /// Which target.
    pub cell: Cell,
    /// Of the request.
    pub ticket: u64,
    /// The result, or what stands in for it.
    pub product: P,
    /// Why it is a placeholder.
    pub failure: Option<Box<Failure>>,
}

/// A job that gave no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{stage} at level {}, cell ({}, {}): {how} in {attempts} attempts: {message}", .cell.level, .cell.x, .cell.z)]
pub struct Failure {
    /// Whose job.
    pub stage: &'static str,
    /// Where.
    pub cell: Cell,
    /// Of the request, as in [`Job::ticket`].
    pub ticket: u64,
    /// How often it was tried.
    pub attempts: u8,
    /// In which way.
    pub how: FailureKind,
    /// Of the error or the panic.
    pub message: String,
}

/// In which way a job failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// It said so.
    Error,
    /// It panicked, twice.
    Panic,
}

impl std::fmt::Display for FailureKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Panic => "panic",
        })
    }
}

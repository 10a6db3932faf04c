//! Where a node is.

use crate::graph::StageId;

/// A cell of a stage's grid: with its stage, what a node is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Whose grid.
    pub stage: StageId,
    /// Level of that grid; 0 where it has one.
    pub level: u8,
    /// Column.
    pub x: i64,
    /// Row.
    pub z: i64,
}

/// How soon a target is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// Before everything else: what someone has just changed.
    Urgent,
    /// What is needed now.
    Normal,
    /// What may be needed soon.
    Prefetch,
}

/// What decides which job runs next: band, then distance, then the later stage, then who asked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Priority {
    /// First.
    pub band: Band,
    /// Then the smaller number, in any unit.
    pub distance: u64,
}

/// A priority with what breaks ties, as one number: smaller is sooner.
///
/// From the top: 8 bits band, 64 distance, 8 stage, 24 sequence of asking, and 24 that are left to the heap, which puts the
/// node there. The sequence starts again after 2^24 requests; then a few equals may come in the other order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u128);

/// Most nodes of a graph: what a heap has bits for.
pub(crate) const NODES_MAX: usize = 1 << NODE_BITS;
const NODE_BITS: u32 = 24;
const STAGE_SHIFT: u32 = 48;

impl Rank {
    /// Later than everything.
    pub(crate) const LAST: Self = Self(u128::MAX);

    pub(crate) fn new(priority: Priority, depth: u8, sequence: u32) -> Self {
        let high = u128::from(priority.band as u8) << 120 | u128::from(priority.distance) << 56;
        let later_first = u128::from(u8::MAX - depth) << STAGE_SHIFT;
        Self(high | later_first | u128::from(sequence << 8) << 16)
    }

    /// The same for a node of another stage that this target needs.
    pub(crate) fn of_stage(self, depth: u8) -> Self {
        Self(self.0 & !(0xFF << STAGE_SHIFT) | u128::from(u8::MAX - depth) << STAGE_SHIFT)
    }

    /// With a node in its low bits: an entry of a heap.
    pub(crate) fn with_node(self, node: u32) -> Self {
        Self(self.0 & !(NODES_MAX as u128 - 1) | u128::from(node))
    }

    /// The node of an entry.
    pub(crate) fn node(self) -> u32 {
        self.0 as u32 & (NODES_MAX as u32 - 1)
    }
}

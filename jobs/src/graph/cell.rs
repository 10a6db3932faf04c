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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u128);

impl Rank {
    /// Later than everything.
    pub(crate) const LAST: Self = Self(u128::MAX);

    pub(crate) fn new(priority: Priority, depth: u8, sequence: u64) -> Self {
        let later_first = u8::MAX - depth;
        // 8 bits band, 64 distance, 8 stage, 48 sequence: 2^48 requests are years.
        let high = u128::from(priority.band as u8) << 120 | u128::from(priority.distance) << 56;
        Self(high | u128::from(later_first) << 48 | u128::from(sequence & ((1 << 48) - 1)))
    }

    /// The same for a node of another stage that this target needs.
    pub(crate) fn of_stage(self, depth: u8) -> Self {
        Self(self.0 & !(0xFF << 48) | u128::from(u8::MAX - depth) << 48)
    }
}

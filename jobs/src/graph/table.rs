//! The nodes: a fixed array, a free list, and a map from cells.

use std::hash::BuildHasher;
use std::ops::{Index, IndexMut};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::graph::{Cell, Rank, StageId};
use crate::work::{Failure, Work};

/// Where a node stands. Memory belongs to it from `Waiting` to `Running` as a buffer, when `Done` as a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// No node.
    Free,
    /// Known, without memory.
    Idle,
    /// Has memory, waits for inputs.
    Waiting,
    /// In the heap.
    Ready,
    /// A worker has it.
    Running,
    /// Has a product.
    Done,
}

/// What the host asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) ticket: u64,
    /// Number of the request, for ties.
    pub(crate) sequence: u32,
    /// The closure has memory.
    pub(crate) admitted: bool,
}

/// Starts on a line of memory, so that it takes no more of them than it must.
#[repr(align(64))]
pub(crate) struct Node<W: Work> {
    pub(crate) cell: Cell,
    pub(crate) rank: Rank,
    pub(crate) state: State,
    pub(crate) buffer: Option<W::Buffer>,
    pub(crate) product: Option<W::Product>,
    /// Why the product is a placeholder.
    pub(crate) failure: Option<Box<Failure>>,
    /// Targets asked for whose closure it is in.
    pub(crate) interest: u32,
    /// Those of them that are admitted.
    pub(crate) users: u32,
    /// Inputs that are not done, while waiting.
    pub(crate) pending: u32,
    /// Set for targets.
    pub(crate) request: Option<Request>,
    /// Was done, and lost its product to make room.
    pub(crate) dropped: bool,
    /// Runs for nobody: no longer in the map.
    pub(crate) detached: bool,
    /// Of the closure that last met it.
    pub(crate) stamp: u64,
}

pub(crate) struct Table<W: Work> {
    nodes: Vec<Node<W>>,
    free: Vec<u32>,
    /// Nodes by their cells, which only the nodes hold: a look-up needs the node's line anyway.
    map: HashTable<u32>,
    high_water: usize,
}

impl<W: Work> Table<W> {
    pub(crate) fn new(capacity: usize) -> Self {
        let empty = |_| Node {
            cell: Cell { stage: StageId(0), level: 0, x: 0, z: 0 },
            rank: Rank::LAST,
            state: State::Free,
            buffer: None,
            product: None,
            failure: None,
            interest: 0,
            users: 0,
            pending: 0,
            request: None,
            dropped: false,
            detached: false,
            stamp: 0,
        };
        Self {
            nodes: (0..capacity).map(empty).collect(),
            free: (0..capacity as u32).rev().collect(),
            // More than half full, it may move to a larger place instead of sweeping.
            map: HashTable::with_capacity(2 * capacity + 1),
            high_water: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub(crate) fn high_water(&self) -> usize {
        self.high_water
    }

    pub(crate) fn find(&self, cell: Cell) -> Option<u32> {
        self.map.find(hash(cell), |index| self[*index].cell == cell).copied()
    }

    /// Enters a cell that is not there. `None` when the table is full.
    pub(crate) fn enter(&mut self, cell: Cell) -> Option<u32> {
        let index = self.free.pop()?;
        let node = &mut self[index];
        node.cell = cell;
        node.state = State::Idle;
        node.rank = Rank::LAST;
        let Self { map, nodes, .. } = self;
        map.insert_unique(hash(cell), index, |index| hash(nodes[*index as usize].cell));
        self.high_water = self.high_water.max(self.len());
        Some(index)
    }

    /// Takes a node that still runs out of the map, so that its cell can be entered anew.
    pub(crate) fn detach(&mut self, index: u32) {
        self.unmap(index);
        let node = &mut self[index];
        node.detached = true;
        node.request = None;
    }

    /// Forgets a node, with what it holds.
    pub(crate) fn free(&mut self, index: u32) {
        if !self.nodes[index as usize].detached {
            self.unmap(index);
        }
        let node = &mut self[index];
        node.state = State::Free;
        node.buffer = None;
        node.product = None;
        node.failure = None;
        node.request = None;
        (node.interest, node.users, node.pending) = (0, 0, 0);
        (node.dropped, node.detached) = (false, false);
        self.free.push(index);
    }

    fn unmap(&mut self, index: u32) {
        let hash = hash(self[index].cell);
        let entry = self.map.find_entry(hash, |other| *other == index);
        entry.expect("a node that is not detached is in the map").remove();
    }

    pub(crate) fn for_each(&mut self, change: impl FnMut(&mut Node<W>)) {
        self.nodes.iter_mut().for_each(change);
    }
}

fn hash(cell: Cell) -> u64 {
    FxBuildHasher.hash_one(cell)
}

impl<W: Work> Index<u32> for Table<W> {
    type Output = Node<W>;
    fn index(&self, index: u32) -> &Node<W> {
        &self.nodes[index as usize]
    }
}

impl<W: Work> IndexMut<u32> for Table<W> {
    fn index_mut(&mut self, index: u32) -> &mut Node<W> {
        &mut self.nodes[index as usize]
    }
}

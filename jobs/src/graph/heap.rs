//! A heap of nodes by rank, from which any node can be taken.
//!
//! In: node numbers with ranks. Out: the one with the smallest rank. Each node knows its place through `places`, so taking
//! one out or changing its rank costs as much as a push. Fixed capacity: nothing allocates after [`Heap::new`].
//!
//! Between two calls a job of tens of microseconds fills the caches with its own data, so lines of memory are what costs.
//! An entry is its rank with the node in the low bits, 16 bytes; the four children of an entry are one line.

use crate::column::Column;
use crate::graph::cell::Rank;

/// In no heap.
const NOWHERE: u32 = u32::MAX;

/// Children of an entry.
const FAN: usize = 4;

/// Place of the first entry: with it children start at multiples of `FAN`.
const ROOT: usize = FAN - 1;

#[derive(Debug)]
pub(crate) struct Heap {
    /// From `ROOT` on.
    entries: Column<Rank>,
    /// Behind the last entry.
    end: usize,
    /// Per node its entry.
    places: Vec<u32>,
}

impl Heap {
    /// Size of what a node takes here, in bytes.
    pub(crate) const NODE_BYTES: usize = size_of::<Rank>() + size_of::<u32>();

    pub(crate) fn new(nodes: usize) -> Self {
        Self { entries: Column::new(ROOT + nodes), end: ROOT, places: vec![NOWHERE; nodes] }
    }

    pub(crate) fn len(&self) -> usize {
        self.end - ROOT
    }

    /// The first: its rank with the node in it.
    pub(crate) fn peek(&self) -> Option<Rank> {
        self.entries().first().copied()
    }

    /// Puts a node in; one that is in already gets the new rank.
    pub(crate) fn push(&mut self, node: u32, rank: Rank) {
        let entry = rank.with_node(node);
        let place = self.places[node as usize];
        if place == NOWHERE {
            self.end += 1;
            self.rise(self.end - 1, entry);
        } else {
            self.settle(place as usize, entry);
        }
    }

    pub(crate) fn pop(&mut self) -> Option<u32> {
        let node = self.peek()?.node();
        self.remove(node);
        Some(node)
    }

    /// Takes a node out; false when it is not in.
    pub(crate) fn remove(&mut self, node: u32) -> bool {
        let place = std::mem::replace(&mut self.places[node as usize], NOWHERE);
        if place == NOWHERE {
            return false;
        }
        self.end -= 1;
        let last = self.entries.as_slice()[self.end];
        if (place as usize) < self.end {
            self.settle(place as usize, last);
        }
        true
    }

    /// Gives every node in it the rank that `rank` says.
    pub(crate) fn rerank(&mut self, mut rank: impl FnMut(u32) -> Rank) {
        for entry in &mut self.entries.as_mut_slice()[ROOT..self.end] {
            *entry = rank(entry.node()).with_node(entry.node());
        }
        for place in (ROOT..self.end).rev() {
            self.sink(place, self.entries.as_slice()[place]);
        }
        for place in ROOT..self.end {
            self.set(place, self.entries.as_slice()[place]);
        }
    }

    fn entries(&self) -> &[Rank] {
        &self.entries.as_slice()[ROOT..self.end]
    }

    /// Puts an entry at `place` or wherever its rank leads it from there.
    fn settle(&mut self, place: usize, entry: Rank) {
        let place = self.rise(place, entry);
        self.sink(place, entry);
    }

    fn rise(&mut self, mut place: usize, entry: Rank) -> usize {
        while place > ROOT {
            let parent = place / FAN + ROOT - 1;
            let above = self.entries.as_slice()[parent];
            if above <= entry {
                break;
            }
            self.set(place, above);
            place = parent;
        }
        self.set(place, entry);
        place
    }

    fn sink(&mut self, mut place: usize, entry: Rank) {
        loop {
            let first = FAN * (place + 1 - ROOT);
            let children = first..(first + FAN).min(self.end);
            let Some(child) = children.min_by_key(|child| self.entries.as_slice()[*child]) else { break };
            let below = self.entries.as_slice()[child];
            if below >= entry {
                break;
            }
            self.set(place, below);
            place = child;
        }
        self.set(place, entry);
    }

    fn set(&mut self, place: usize, entry: Rank) {
        self.entries.as_mut_slice()[place] = entry;
        self.places[entry.node() as usize] = place as u32;
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::*;
    use crate::graph::cell::{Band, Priority};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn rank(distance: u64) -> Rank {
        Rank::new(Priority { band: Band::Normal, distance }, 0, 0)
    }

    proptest! {
        /// Against a sorted set: push, change, remove, pop, rerank.
        #[test]
        fn equals_a_sorted_set(steps in prop::collection::vec((0u8..5, 0u32..40, 0u64..1000), 0..400)) {
            let mut heap = Heap::new(40);
            let mut model: BTreeSet<(Rank, u32)> = BTreeSet::new();
            let mut ranks = [None; 40];
            for (step, node, distance) in steps {
                // Ranks differ, as they do in a graph.
                let new = rank(distance * 64 + u64::from(node));
                match step {
                    0 | 1 => {
                        if let Some(old) = ranks[node as usize].replace(new) {
                            model.remove(&(old, node));
                        }
                        model.insert((new, node));
                        heap.push(node, new);
                    }
                    2 => {
                        let old = ranks[node as usize].take();
                        prop_assert_eq!(heap.remove(node), old.is_some_and(|old| model.remove(&(old, node))));
                    }
                    3 => {
                        let first = model.pop_first();
                        prop_assert_eq!(heap.peek(), first.map(|(rank, node)| rank.with_node(node)));
                        prop_assert_eq!(heap.pop(), first.map(|(_, node)| node));
                        if let Some((_, node)) = first {
                            ranks[node as usize] = None;
                        }
                    }
                    _ => {
                        let of = |node: u32| rank((u64::from(node) * distance) % 997 * 64 + u64::from(node));
                        heap.rerank(of);
                        model = model.iter().map(|(_, node)| (of(*node), *node)).collect();
                        for (rank, node) in &model {
                            ranks[*node as usize] = Some(*rank);
                        }
                    }
                }
                prop_assert_eq!(heap.len(), model.len());
            }
        }
    }
}

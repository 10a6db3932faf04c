//! A binary heap of nodes by rank, from which any node can be taken.
//!
//! In: node numbers with ranks. Out: the one with the smallest rank. Each node knows its place through `places`, so taking
//! one out or changing its rank costs as much as a push. Fixed capacity: nothing allocates after [`Heap::new`].

use crate::graph::cell::Rank;

/// In no heap.
const NOWHERE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Heap {
    entries: Vec<(Rank, u32)>,
    /// Per node its entry.
    places: Vec<u32>,
}

impl Heap {
    pub(crate) fn new(nodes: usize) -> Self {
        Self { entries: Vec::with_capacity(nodes), places: vec![NOWHERE; nodes] }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn peek(&self) -> Option<(Rank, u32)> {
        self.entries.first().copied()
    }

    /// Puts a node in; one that is in already gets the new rank.
    pub(crate) fn push(&mut self, node: u32, rank: Rank) {
        let place = self.places[node as usize];
        if place == NOWHERE {
            self.entries.push((rank, node));
            self.rise(self.entries.len() - 1);
        } else {
            self.entries[place as usize].0 = rank;
            let place = self.rise(place as usize);
            self.sink(place);
        }
    }

    pub(crate) fn pop(&mut self) -> Option<u32> {
        let (_, node) = self.peek()?;
        self.remove(node);
        Some(node)
    }

    /// Takes a node out; false when it is not in.
    pub(crate) fn remove(&mut self, node: u32) -> bool {
        let place = std::mem::replace(&mut self.places[node as usize], NOWHERE) as usize;
        if place == NOWHERE as usize {
            return false;
        }
        let last = self.entries.pop().expect("the node is in");
        if place < self.entries.len() {
            self.entries[place] = last;
            let place = self.rise(place);
            self.sink(place);
        }
        true
    }

    /// Gives every node in it the rank that `rank` says.
    pub(crate) fn rerank(&mut self, mut rank: impl FnMut(u32) -> Rank) {
        for entry in &mut self.entries {
            entry.0 = rank(entry.1);
        }
        for place in (0..self.entries.len() / 2).rev() {
            self.sink(place);
        }
        for (place, (_, node)) in self.entries.iter().enumerate() {
            self.places[*node as usize] = place as u32;
        }
    }

    fn rise(&mut self, mut place: usize) -> usize {
        let entry = self.entries[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.entries[parent].0 <= entry.0 {
                break;
            }
            self.set(place, self.entries[parent]);
            place = parent;
        }
        self.set(place, entry);
        place
    }

    fn sink(&mut self, mut place: usize) {
        let entry = self.entries[place];
        loop {
            let left = 2 * place + 1;
            let Some(&(left_rank, _)) = self.entries.get(left) else { break };
            let right_is_sooner = self.entries.get(left + 1).is_some_and(|(rank, _)| *rank < left_rank);
            let child = left + usize::from(right_is_sooner);
            if self.entries[child].0 >= entry.0 {
                break;
            }
            self.set(place, self.entries[child]);
            place = child;
        }
        self.set(place, entry);
    }

    fn set(&mut self, place: usize, entry: (Rank, u32)) {
        self.entries[place] = entry;
        self.places[entry.1 as usize] = place as u32;
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
                        prop_assert_eq!(heap.peek(), first);
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

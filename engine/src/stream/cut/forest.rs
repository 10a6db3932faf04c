//! Quadtrees over a grid of roots, in arrays of fixed size.
//!
//! In: roots to insert and remove, leaves to split, chunks to merge. Out: the deepest chunk over a place, walks over
//! trees. Deliberately not here: whether a change is right. After `new` nothing allocates, and nothing that is told
//! depends on addresses or on the order of a hash map.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::ground::{CHILDREN_ALONG, Ground, child, neighbour};
use crate::coords::ChunkKey;

/// A node's place in the arrays. Roots come first, then blocks of four siblings.
pub(super) type NodeIndex = u32;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    key: ChunkKey,
    /// First of four children, or `NONE`.
    children: u32,
    /// Of a root: its position in `order`.
    parent: u32,
    /// False for a child outside the extent.
    exists: bool,
    /// Sides with a coarser neighbour; only the drawn forest keeps it.
    mask: u8,
}

/// What lies over a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// Ground outside the extent.
    Missing,
    /// Ground inside the extent whose root is not in the forest; the root's key.
    Undrawn(ChunkKey),
    /// The deepest node that covers the place and is not finer than asked.
    Node(NodeIndex),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    x: i64,
    z: i64,
}

/// Two multiplications; places of viewers are no attack.
#[derive(Default)]
struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_i64(i64::from(byte));
        }
    }

    fn write_i64(&mut self, value: i64) {
        let mixed = (self.0.rotate_left(32) ^ value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Trees over roots of one level.
#[derive(Debug)]
pub(super) struct Forest {
    root_lod: u8,
    nodes: Vec<Node>,
    /// The roots, in an order that follows from the changes alone.
    order: Vec<NodeIndex>,
    places: HashMap<Place, NodeIndex, BuildHasherDefault<PlaceHasher>>,
    roots_max: u32,
    /// Nodes never used start at these two.
    root_next: u32,
    block_next: u32,
    roots_free: Vec<u32>,
    blocks_free: Vec<u32>,
    leaf_count: u32,
    split_count: u32,
    /// Those of level 1.
    finest_splits: u32,
}

impl Forest {
    /// Room for every forest with roots + 3 * splits <= `leaves_max`.
    pub(super) fn new(root_lod: u8, leaves_max: u32) -> Self {
        let splits_max = leaves_max / 3;
        let empty = ChunkKey { lod: 0, x: 0, z: 0 };
        let node = Node { key: empty, children: NONE, parent: NONE, exists: false, mask: 0 };
        Self {
            root_lod,
            nodes: vec![node; (leaves_max + 4 * splits_max) as usize],
            order: Vec::with_capacity(leaves_max as usize),
            // Twice the room: the map then tidies up in place and never grows.
            places: HashMap::with_capacity_and_hasher(2 * leaves_max as usize + 2, Default::default()),
            roots_max: leaves_max,
            root_next: 0,
            block_next: leaves_max,
            roots_free: Vec::with_capacity(leaves_max as usize),
            blocks_free: Vec::with_capacity(splits_max as usize),
            leaf_count: 0,
            split_count: 0,
            finest_splits: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.places.clear();
        self.roots_free.clear();
        self.blocks_free.clear();
        self.root_next = 0;
        self.block_next = self.roots_max;
        (self.leaf_count, self.split_count, self.finest_splits) = (0, 0, 0);
    }

    pub(super) fn leaf_count(&self) -> u32 {
        self.leaf_count
    }

    /// Leaves, counted as if every split chunk had four children: what the room of arrays and pools is measured in.
    /// In a world without end it is the number of leaves.
    pub(super) fn room_count(&self) -> u32 {
        self.order.len() as u32 + 3 * self.split_count
    }

    /// Leaves of level 0 below other levels, counted in the same way.
    pub(super) fn finest_room_count(&self) -> u32 {
        4 * self.finest_splits
    }

    pub(super) fn roots(&self) -> &[NodeIndex] {
        &self.order
    }

    pub(super) fn roots_max(&self) -> usize {
        self.roots_max as usize
    }

    pub(super) fn root(&self, key: ChunkKey) -> Option<NodeIndex> {
        debug_assert_eq!(key.lod, self.root_lod);
        self.places.get(&Place { x: key.x, z: key.z }).copied()
    }

    pub(super) fn key(&self, node: NodeIndex) -> ChunkKey {
        self.nodes[node as usize].key
    }

    pub(super) fn is_split(&self, node: NodeIndex) -> bool {
        self.nodes[node as usize].children != NONE
    }

    pub(super) fn mask(&self, node: NodeIndex) -> u8 {
        self.nodes[node as usize].mask
    }

    pub(super) fn set_mask(&mut self, node: NodeIndex, mask: u8) {
        self.nodes[node as usize].mask = mask;
    }

    /// Child number (x & 1) + 2 (z & 1) of a split node, where it exists.
    pub(super) fn child(&self, node: NodeIndex, number: usize) -> Option<NodeIndex> {
        let child = self.nodes[node as usize].children + number as u32;
        self.nodes[child as usize].exists.then_some(child)
    }

    /// The children that exist; none of a leaf.
    pub(super) fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + use<'_> {
        let count = if self.is_split(node) { 4 } else { 0 };
        (0..count).filter_map(move |number| self.child(node, number))
    }

    pub(super) fn insert_root(&mut self, key: ChunkKey) -> NodeIndex {
        debug_assert_eq!(key.lod, self.root_lod);
        let node = self.roots_free.pop().unwrap_or_else(|| {
            self.root_next += 1;
            self.root_next - 1
        });
        assert!(node < self.roots_max, "room for roots");
        let parent = self.order.len() as u32;
        self.nodes[node as usize] = Node { key, children: NONE, parent, exists: true, mask: 0 };
        self.order.push(node);
        let before = self.places.insert(Place { x: key.x, z: key.z }, node);
        assert!(before.is_none(), "a root is inserted once");
        self.leaf_count += 1;
        node
    }

    /// Removes a root with all below it.
    pub(super) fn remove_root(&mut self, node: NodeIndex) {
        self.merge_all(node);
        let Node { key, parent: position, .. } = self.nodes[node as usize];
        self.order.swap_remove(position as usize);
        if let Some(&moved) = self.order.get(position as usize) {
            self.nodes[moved as usize].parent = position;
        }
        self.places.remove(&Place { x: key.x, z: key.z });
        self.roots_free.push(node);
        self.leaf_count -= 1;
    }

    fn merge_all(&mut self, node: NodeIndex) {
        if self.is_split(node) {
            for number in 0..4 {
                if let Some(child) = self.child(node, number) {
                    self.merge_all(child);
                }
            }
            self.merge(node);
        }
    }

    /// Gives a leaf its children.
    pub(super) fn split(&mut self, node: NodeIndex, ground: &Ground) {
        let key = self.key(node);
        assert!(!self.is_split(node) && key.lod > 0, "only a leaf above level 0 is split");
        let block = self.blocks_free.pop().unwrap_or_else(|| {
            self.block_next += 4;
            self.block_next - 4
        });
        let mut count = 0;
        for number in 0..4 {
            let key = child(key, number);
            let exists = ground.contains(key);
            count += u32::from(exists);
            self.nodes[block as usize + number] = Node { key, children: NONE, parent: node, exists, mask: 0 };
        }
        self.nodes[node as usize].children = block;
        self.leaf_count += count - 1;
        self.split_count += 1;
        self.finest_splits += u32::from(key.lod == 1);
    }

    /// Takes a node's children, all leaves, away.
    pub(super) fn merge(&mut self, node: NodeIndex) {
        assert!(self.is_split(node), "only a split chunk is merged");
        assert!(self.children(node).all(|child| !self.is_split(child)), "children that merge are leaves");
        self.leaf_count -= self.children(node).count() as u32 - 1;
        self.split_count -= 1;
        self.finest_splits -= u32::from(self.key(node).lod == 1);
        self.blocks_free.push(self.nodes[node as usize].children);
        self.nodes[node as usize].children = NONE;
    }

    /// What covers the ground of `key`, down to its level.
    pub(super) fn cover(&self, key: ChunkKey, ground: &Ground) -> Cover {
        let up = self.root_lod - key.lod;
        let root_key = ChunkKey { lod: self.root_lod, x: key.x >> up, z: key.z >> up };
        let Some(mut node) = self.root(root_key) else {
            return if ground.contains(root_key) { Cover::Undrawn(root_key) } else { Cover::Missing };
        };
        for down in (0..up).rev() {
            if !self.is_split(node) {
                break;
            }
            let number = ((key.x >> down) & 1) + 2 * ((key.z >> down) & 1);
            match self.child(node, number as usize) {
                Some(child) => node = child,
                None => return Cover::Missing,
            }
        }
        Cover::Node(node)
    }

    /// What covers the ground across a side of a node, down to the node's level.
    pub(super) fn across(&self, node: NodeIndex, side: usize, ground: &Ground) -> Cover {
        let key = neighbour(self.key(node), side);
        // Siblings need no way down from the root.
        let parent = self.nodes[node as usize].parent;
        if key.lod < self.root_lod && parent_of(key) == self.key(parent) {
            let number = ((key.x & 1) + 2 * (key.z & 1)) as usize;
            return self.child(parent, number).map_or(Cover::Missing, Cover::Node);
        }
        self.cover(key, ground)
    }

    /// The node of exactly this key.
    pub(super) fn find(&self, key: ChunkKey, ground: &Ground) -> Option<NodeIndex> {
        match self.cover(key, ground) {
            Cover::Node(node) if self.key(node) == key => Some(node),
            _ => None,
        }
    }

    /// Calls `visit` with every leaf at or below `node` that touches its side.
    pub(super) fn leaves_along(&self, node: NodeIndex, side: usize, visit: &mut impl FnMut(NodeIndex)) {
        if !self.is_split(node) {
            return visit(node);
        }
        for child in CHILDREN_ALONG[side].into_iter().filter_map(|number| self.child(node, number)) {
            self.leaves_along(child, side, visit);
        }
    }

    /// A child of a split node along its side that is split as well.
    pub(super) fn split_child_along(&self, node: NodeIndex, side: usize) -> Option<NodeIndex> {
        let along = CHILDREN_ALONG[side].into_iter().filter(|_| self.is_split(node));
        along.filter_map(|number| self.child(node, number)).find(|&child| self.is_split(child))
    }

    /// The leaves at or below `node`, children in order.
    pub(super) fn leaves_below(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + use<'_> {
        let mut at = Some(self.first_leaf(node));
        std::iter::from_fn(move || {
            let leaf = at?;
            at = self.leaf_after(leaf, node);
            Some(leaf)
        })
    }

    /// All leaves, root by root.
    pub(super) fn leaves(&self) -> impl Iterator<Item = NodeIndex> + use<'_> {
        self.order.iter().flat_map(|&root| self.leaves_below(root))
    }

    fn first_leaf(&self, mut node: NodeIndex) -> NodeIndex {
        while let Some(child) = self.children(node).next() {
            node = child;
        }
        node
    }

    fn leaf_after(&self, mut node: NodeIndex, top: NodeIndex) -> Option<NodeIndex> {
        while node != top {
            let parent = self.nodes[node as usize].parent;
            let number = (node - self.nodes[parent as usize].children) as usize;
            if let Some(next) = (number + 1..4).find_map(|number| self.child(parent, number)) {
                return Some(self.first_leaf(next));
            }
            node = parent;
        }
        None
    }
}

fn parent_of(key: ChunkKey) -> ChunkKey {
    ChunkKey { lod: key.lod + 1, x: key.x >> 1, z: key.z >> 1 }
}

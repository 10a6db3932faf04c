//! Which single changes leave a forest 2:1 over edges, what stands in the way of the others, and masks.
//!
//! In: a forest and a node. Out: yes, or the neighbour that has to change first. Deliberately not here: what is wanted.
//!
//! Ground inside the extent whose root is not in the forest counts as a leaf of the roots' level n-1. A forest is
//! *sound* when leaves that share an edge, these included, differ by one level at most. So (I): a leaf next to undrawn
//! ground has level n-2 at least, and to let a root appear is always legal. Ground outside the extent counts as nothing.

use super::Change;
use super::forest::{Cover, Forest, NodeIndex};
use super::ground::{Ground, SIDES};

/// What must change before a chunk can split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocker {
    /// This root must appear.
    Undrawn(crate::coords::ChunkKey),
    /// This leaf, coarser than the chunk, must split.
    Leaf(NodeIndex),
}

/// The first neighbour that is coarser than leaf `node`.
fn split_blocker(forest: &Forest, ground: &Ground, node: NodeIndex) -> Option<Blocker> {
    let lod = forest.key(node).lod;
    SIDES.into_iter().find_map(|side| match forest.across(node, side, ground) {
        Cover::Undrawn(root) if lod < root.lod => Some(Blocker::Undrawn(root)),
        Cover::Node(other) if forest.key(other).lod > lod => Some(Blocker::Leaf(other)),
        _ => None,
    })
}

/// A chunk that must merge before split chunk `node` can: a child that is split, or, across an edge, a split chunk one
/// level finer.
fn merge_blocker(forest: &Forest, ground: &Ground, node: NodeIndex) -> Option<NodeIndex> {
    let child = forest.children(node).find(|&child| forest.is_split(child));
    child.or_else(|| {
        SIDES.into_iter().find_map(|side| match forest.across(node, side, ground) {
            Cover::Node(other) => forest.split_child_along(other, side ^ 1),
            _ => None,
        })
    })
}

/// The change to make in a sound forest so that leaf `node` can split: its own split, or what must come first.
///
/// A leaf that blocks is coarser than what it blocks, so the way ends; at the roots' level nothing is coarser, drawn
/// or not. What it ends at is legal.
pub(super) fn split_first(forest: &Forest, ground: &Ground, mut node: NodeIndex) -> Change {
    loop {
        match split_blocker(forest, ground, node) {
            None => return Change::Split(forest.key(node)),
            Some(Blocker::Undrawn(root)) => return Change::Appear(root),
            Some(Blocker::Leaf(coarser)) => node = coarser,
        }
    }
}

/// The same for the merge of a split chunk. What blocks is one level finer; at level 1 nothing does.
pub(super) fn merge_first(forest: &Forest, ground: &Ground, mut node: NodeIndex) -> Change {
    while let Some(finer) = merge_blocker(forest, ground, node) {
        node = finer;
    }
    Change::Merge(forest.key(node))
}

/// Whether a change fits the forest and leaves it sound.
pub(super) fn is_legal(forest: &Forest, ground: &Ground, change: Change) -> bool {
    let node = forest.find(change.key(), ground);
    match (change, node) {
        (Change::Appear(_), None) => true,
        (Change::Split(_), Some(node)) => {
            !forest.is_split(node) && split_blocker(forest, ground, node).is_none()
        }
        (Change::Merge(_), Some(node)) => {
            forest.is_split(node) && merge_blocker(forest, ground, node).is_none()
        }
        _ => false,
    }
}

/// Applies a change that fits.
pub(super) fn apply(forest: &mut Forest, ground: &Ground, change: Change) {
    let node = forest.find(change.key(), ground);
    match (change, node) {
        (Change::Appear(root), None) => {
            let root = forest.insert_root(root);
            debug_assert!(SIDES.into_iter().all(|side| {
                let other = forest.across(root, side, ground);
                !matches!(other, Cover::Node(other) if forest.split_child_along(other, side ^ 1).is_some())
            }));
        }
        (Change::Split(_), Some(node)) => forest.split(node, ground),
        (Change::Merge(_), Some(node)) => forest.merge(node),
        _ => panic!("{change:?} does not fit"),
    }
}

/// Takes back a change that was applied; what was built on it was taken back before.
pub(super) fn revert(forest: &mut Forest, ground: &Ground, change: Change) {
    let node = forest.find(change.key(), ground).expect("a change leaves its chunk in the tree");
    match change {
        Change::Appear(_) => forest.remove_root(node),
        Change::Split(_) => forest.merge(node),
        Change::Merge(_) => forest.split(node, ground),
    }
}

/// The sides (bits -x, +x, -z, +z) where a leaf's neighbour is coarser.
pub(super) fn mask(forest: &Forest, ground: &Ground, leaf: NodeIndex) -> u8 {
    let lod = forest.key(leaf).lod;
    SIDES.into_iter().fold(0, |mask, side| match forest.across(leaf, side, ground) {
        Cover::Node(other) if forest.key(other).lod > lod => mask | 1 << side,
        _ => mask,
    })
}

//! The plan: the drawn cut with all open changes applied, and which change to open next.
//!
//! In: the drawn and the wanted forest. Out: changes, each legal in the plan at the time it is opened. Deliberately not
//! here: executing them.
//!
//! **Why nothing gets stuck.** The wanted cut (with lingering roots as leaves) is sound, the plan is sound, and each
//! node changes at most once on the way from drawn over planned to wanted.
//! - *What blocks is wanted too.* Say leaf S of level l is to split and a coarser leaf N blocks it. In the wanted cut
//!   S's ground has level l-1 at most, so the ground next to it l at most: N is split there. Were N's root not wanted,
//!   S's root would have to stay whole; the same holds for undrawn ground, so its root is wanted. Say M of level l is
//!   to merge and Q of level l-1 across its edge is split. The wanted cut has l at least over M, so l-1 at least over
//!   Q: Q is to merge. The ways in legal.rs thus never leave what is wanted.
//! - *What stays wanted stays legal.* When the wanted cut changes, exactly the open changes that it does not want any more
//!   are cancelled. Each of the others, replayed in order, is legal still: what made room for it is, by the argument
//!   above and the new wanted cut, wanted, so it was not cancelled. Nor does executing a later one early hurt: left
//!   coarser next to a split, or finer next to a merge, it would have made the plan unsound.
//! - *Something open is always legal to execute*: an appearance; else the coarsest open split: a drawn neighbour that
//!   is too coarse is fine enough in the plan, so its own, coarser split would be open; likewise the finest open merge.
//! - *There is always a change to open* while nothing is open and drawn differs from wanted: if no merge is wanted,
//!   drawn is nowhere finer than wanted, so it never outgrows the room, in all or of level 0, which the wanted cut fits.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::forest::{Cover, Forest, NodeIndex};
use super::ground::Ground;
use super::legal::{apply, is_legal, merge_first, revert, split_first};
use super::{Change, ChangeId};
use crate::coords::ChunkKey;

/// Nearest first, then coarser, then by place: the greatest is the next.
type Near = Reverse<(u64, Reverse<u8>, i64, i64)>;
/// Farthest first, then finer, then by place.
type Far = (u64, Reverse<u8>, Reverse<i64>, Reverse<i64>);

/// While both wait, one merge follows so many splits and appearances.
const SPLITS_PER_MERGE: u32 = 3;

/// The plan.
#[derive(Debug)]
pub(super) struct Plan {
    forest: Forest,
    /// In order of admission.
    open: Vec<(ChangeId, Change)>,
    open_max: usize,
    leaves_max: u32,
    /// The same for level 0 alone: columns that only the finest chunks carry have room for so many.
    finest_max: u32,
    id_next: u64,
    /// Roots to let appear, and then to split where wanted, and leaves of the plan to split. An entry whose chunk was
    /// dealt with is dropped when it comes up.
    splits: BinaryHeap<Near>,
    /// Chunks to merge.
    merges: BinaryHeap<Far>,
    /// Splits and appearances opened while a merge waited.
    splits_since_merge: u32,
}

impl Plan {
    pub(super) fn new(root_lod: u8, leaves_max: u32, finest_max: u32, open_max: usize) -> Self {
        Self {
            forest: Forest::new(root_lod, leaves_max),
            open: Vec::with_capacity(open_max),
            open_max,
            leaves_max,
            finest_max,
            id_next: 0,
            splits: BinaryHeap::with_capacity(leaves_max as usize + 1),
            merges: BinaryHeap::with_capacity(leaves_max as usize / 3 + 1),
            splits_since_merge: 0,
        }
    }

    #[cfg(test)]
    pub(super) fn forest(&self) -> &Forest {
        &self.forest
    }

    pub(super) fn open(&self) -> &[(ChangeId, Change)] {
        &self.open
    }

    pub(super) fn get(&self, id: ChangeId) -> Option<Change> {
        self.open.iter().find(|(open, _)| *open == id).map(|&(_, change)| change)
    }

    /// An open change was executed: the plan has it already.
    pub(super) fn executed(&mut self, id: ChangeId) {
        self.open.retain(|&(open, _)| open != id);
    }

    /// Fits the open changes to a new wanted cut: what is not wanted any more is cancelled, in order of admission.
    pub(super) fn cancel_unwanted(
        &mut self,
        wanted: &Forest,
        ground: &Ground,
        cancelled: &mut impl FnMut(ChangeId, Change),
    ) {
        // Backwards: with a split, what was split below it is not wanted either, nor a merge above a merge.
        for &(_, change) in self.open.iter().rev() {
            if !is_wanted(wanted, ground, change) {
                revert(&mut self.forest, ground, change);
            }
        }
        self.open.retain(|&(id, change)| {
            let stays = is_wanted(wanted, ground, change);
            if !stays {
                cancelled(id, change);
            }
            stays
        });
    }

    /// Removes roots that vanish, and cancels what is open in them.
    pub(super) fn vanish(&mut self, root: ChunkKey, cancelled: &mut impl FnMut(ChangeId, Change)) {
        let node = self.forest.root(root).expect("drawn roots are in the plan");
        self.forest.remove_root(node);
        self.open.retain(|&(id, change)| {
            let key = change.key();
            let up = root.lod - key.lod;
            let inside = key.x >> up == root.x && key.z >> up == root.z;
            if inside {
                cancelled(id, change);
            }
            !inside
        });
    }

    /// Finds anew all that is to change.
    pub(super) fn find_candidates(&mut self, wanted: &Forest, ground: &Ground, viewers: &[[i64; 2]]) {
        self.splits.clear();
        self.merges.clear();
        for &root in wanted.roots() {
            let key = wanted.key(root);
            match self.forest.root(key) {
                None => self.splits.push(near(ground, viewers, key)),
                Some(planned) => self.find_splits(planned, wanted, root, ground, viewers),
            }
        }
        for at in 0..self.forest.roots().len() {
            let planned = self.forest.roots()[at];
            let root = wanted.root(self.forest.key(planned));
            self.find_merges(planned, wanted, root, ground, viewers);
        }
    }

    fn find_splits(
        &mut self,
        planned: NodeIndex,
        wanted: &Forest,
        node: NodeIndex,
        ground: &Ground,
        viewers: &[[i64; 2]],
    ) {
        if !wanted.is_split(node) {
            return;
        }
        if !self.forest.is_split(planned) {
            return self.splits.push(near(ground, viewers, wanted.key(node)));
        }
        for number in 0..4 {
            if let (Some(planned), Some(node)) =
                (self.forest.child(planned, number), wanted.child(node, number))
            {
                self.find_splits(planned, wanted, node, ground, viewers);
            }
        }
    }

    fn find_merges(
        &mut self,
        planned: NodeIndex,
        wanted: &Forest,
        node: Option<NodeIndex>,
        ground: &Ground,
        viewers: &[[i64; 2]],
    ) {
        if !self.forest.is_split(planned) {
            return;
        }
        let node = node.filter(|&node| wanted.is_split(node));
        if node.is_none() {
            self.merges.push(far(ground, viewers, self.forest.key(planned)));
        }
        for number in 0..4 {
            if let Some(planned) = self.forest.child(planned, number) {
                let node = node.and_then(|node| wanted.child(node, number));
                self.find_merges(planned, wanted, node, ground, viewers);
            }
        }
    }

    /// Opens the next change, when there is one and there is room.
    pub(super) fn next_change(
        &mut self,
        drawn: &Forest,
        wanted: &Forest,
        ground: &Ground,
        viewers: &[[i64; 2]],
    ) -> Option<(ChangeId, Change)> {
        if self.open.len() >= self.open_max {
            return None;
        }
        let split = self.next_split(wanted, ground).filter(|&change| self.has_room(drawn, change));
        let merge = self.next_merge(ground);
        let merge_is_due = split.is_none() || self.splits_since_merge >= SPLITS_PER_MERGE;
        let change = if merge_is_due { merge.or(split)? } else { split? };
        debug_assert!(is_wanted(wanted, ground, change) && is_legal(&self.forest, ground, change));
        self.splits_since_merge = match change {
            Change::Merge(_) => 0,
            _ => self.splits_since_merge + u32::from(merge.is_some()),
        };
        apply(&mut self.forest, ground, change);
        self.add_candidates(change, wanted, ground, viewers);
        let id = ChangeId(self.id_next);
        self.id_next += 1;
        self.open.push((id, change));
        Some((id, change))
    }

    /// The nearest split or appearance, or what must come before it.
    fn next_split(&mut self, wanted: &Forest, ground: &Ground) -> Option<Change> {
        while let Some(&Reverse((_, Reverse(lod), x, z))) = self.splits.peek() {
            match self.forest.cover(ChunkKey { lod, x, z }, ground) {
                Cover::Undrawn(root) => return Some(Change::Appear(root)),
                Cover::Node(node) if self.forest.key(node).lod == lod && !self.forest.is_split(node) => {
                    let key = ChunkKey { lod, x, z };
                    // A root that appeared may be wanted whole.
                    if wanted.find(key, ground).is_some_and(|node| wanted.is_split(node)) {
                        return Some(split_first(&self.forest, ground, node));
                    }
                }
                _ => {}
            }
            self.splits.pop();
        }
        None
    }

    /// The farthest merge, or what must come before it.
    fn next_merge(&mut self, ground: &Ground) -> Option<Change> {
        while let Some(&(_, Reverse(lod), Reverse(x), Reverse(z))) = self.merges.peek() {
            match self.forest.find(ChunkKey { lod, x, z }, ground) {
                Some(node) if self.forest.is_split(node) => {
                    return Some(merge_first(&self.forest, ground, node));
                }
                _ => self.merges.pop(),
            };
        }
        None
    }

    /// Whether a split or an appearance may be opened: one slot is left to merges, and with all that is open executed
    /// and no merge the drawn cut still fits, and so does its finest level.
    fn has_room(&self, drawn: &Forest, change: Change) -> bool {
        let growing = self.open.iter().map(|(_, open)| growth(*open));
        let slots = growing.clone().filter(|&growth| growth > 0).count();
        let room = drawn.room_count() + growing.sum::<u32>() + growth(change);
        let finest_growing = self.open.iter().map(|(_, open)| finest_growth(*open)).sum::<u32>();
        let finest = drawn.finest_room_count() + finest_growing + finest_growth(change);
        let is_finest = finest_growth(change) > 0;
        slots + 1 < self.open_max && room <= self.leaves_max && (!is_finest || finest <= self.finest_max)
    }

    /// What a change that was just planned makes possible: splits of the children. A root that appeared has its entry
    /// still.
    fn add_candidates(&mut self, change: Change, wanted: &Forest, ground: &Ground, viewers: &[[i64; 2]]) {
        let Change::Split(key) = change else { return };
        let node = wanted.find(key, ground).expect("what is split is wanted split");
        for child in wanted.children(node).filter(|&child| wanted.is_split(child)) {
            self.splits.push(near(ground, viewers, wanted.key(child)));
        }
    }
}

/// Leaves that a change adds, counted as [`Forest::room_count`] does.
fn growth(change: Change) -> u32 {
    match change {
        Change::Appear(_) => 1,
        Change::Split(_) => 3,
        Change::Merge(_) => 0,
    }
}

/// Leaves of level 0 that a change adds.
fn finest_growth(change: Change) -> u32 {
    match change {
        Change::Split(key) if key.lod == 1 => 4,
        _ => 0,
    }
}

/// Whether a change leads towards the wanted cut.
fn is_wanted(wanted: &Forest, ground: &Ground, change: Change) -> bool {
    let node = wanted.find(change.key(), ground);
    match change {
        Change::Appear(_) => node.is_some(),
        Change::Split(_) => node.is_some_and(|node| wanted.is_split(node)),
        Change::Merge(_) => !node.is_some_and(|node| wanted.is_split(node)),
    }
}

fn near(ground: &Ground, viewers: &[[i64; 2]], key: ChunkKey) -> Near {
    Reverse((ground.gap_min(viewers, key), Reverse(key.lod), key.x, key.z))
}

fn far(ground: &Ground, viewers: &[[i64; 2]], key: ChunkKey) -> Far {
    (ground.gap_min(viewers, key), Reverse(key.lod), Reverse(key.x), Reverse(key.z))
}

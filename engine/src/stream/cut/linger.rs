//! Which roots that are no longer wanted can vanish at once.
//!
//! In: drawn and wanted forest. Out: the roots that vanish. Deliberately not here: taking them away.
//!
//! What stays must keep (I): no leaf finer than level n-2 next to ground that is not drawn. So a drawn root that is not
//! wanted *lingers* while a neighbour that stays (wanted, or lingering itself) has finer leaves along the shared edge;
//! the least such set lingers, all others vanish together. The plan keeps (I) as well, though nobody asks it: a wanted
//! root next to one that is not wanted is not split in the wanted cut (distances.rs, M virtual), and of a root that is
//! not wanted nothing finer than itself is. Open splits are wanted, so there are none in either, and the plan is
//! nowhere finer there than what is drawn. So is every forest on the way to it, which keeps legal what is open elsewhere.
//!
//! Nobody lingers forever: for the same reason all that is fine there is to merge.

use super::forest::{Cover, Forest, NodeIndex};
use super::ground::{Ground, SIDES};
use crate::coords::ChunkKey;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Wanted,
    Unwanted,
    Lingering,
}

/// Scratch for the question.
#[derive(Debug)]
pub(super) struct Linger {
    /// By the drawn forest's root index.
    states: Vec<State>,
    unwanted: Vec<NodeIndex>,
    /// Lingering roots whose neighbours were not asked yet.
    queue: Vec<NodeIndex>,
    leaving: Vec<ChunkKey>,
}

impl Linger {
    pub(super) fn new(roots_max: usize) -> Self {
        Self {
            states: vec![State::Wanted; roots_max],
            unwanted: Vec::with_capacity(roots_max),
            queue: Vec::with_capacity(roots_max),
            leaving: Vec::with_capacity(roots_max),
        }
    }

    /// The roots that vanish, and whether others linger.
    pub(super) fn leaving(
        &mut self,
        drawn: &Forest,
        wanted: &Forest,
        ground: &Ground,
    ) -> (&[ChunkKey], bool) {
        self.unwanted.clear();
        self.queue.clear();
        self.leaving.clear();
        for &root in drawn.roots() {
            let is_wanted = wanted.root(drawn.key(root)).is_some();
            self.states[root as usize] = if is_wanted { State::Wanted } else { State::Unwanted };
            if !is_wanted {
                self.unwanted.push(root);
            }
        }
        let fine = |root: NodeIndex, side: usize| drawn.split_child_along(root, side).is_some();
        let across = |root, side| match drawn.across(root, side, ground) {
            Cover::Node(other) => Some(other),
            _ => None,
        };
        for &root in &self.unwanted {
            let held = |side: usize| {
                let stays = |&other: &NodeIndex| self.states[other as usize] == State::Wanted;
                across(root, side).filter(stays).is_some_and(|other| fine(other, side ^ 1))
            };
            if SIDES.into_iter().any(held) {
                self.queue.push(root);
            }
        }
        for &root in &self.queue {
            self.states[root as usize] = State::Lingering;
        }
        while let Some(root) = self.queue.pop() {
            for side in SIDES.into_iter().filter(|&side| fine(root, side)) {
                if let Some(other) = across(root, side)
                    && self.states[other as usize] == State::Unwanted
                {
                    self.states[other as usize] = State::Lingering;
                    self.queue.push(other);
                }
            }
        }
        let gone = self.unwanted.iter().filter(|&&root| self.states[root as usize] == State::Unwanted);
        self.leaving.extend(gone.map(|&root| drawn.key(root)));
        (&self.leaving, self.leaving.len() < self.unwanted.len())
    }
}

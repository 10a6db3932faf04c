//! The restricted quadtree: which chunks should be drawn, which are, and the single changes that lead from the one to
//! the other without hole, overlap or a jump of two levels over an edge.
//!
//! In: viewers; word of which open changes can be executed because their chunks are there. Out: changes to prepare, in
//! the order in which they are needed, and, for each executed, what to hide, to show, and the masks that change.
//! Deliberately not here: chunks, jobs, time. All is decided by the sequence of calls; after [`Cut::new`] nothing
//! allocates.
//!
//! Three forests over the same roots: the *wanted* cut ([`wanted`]), the *drawn* one, and the *plan* ([`plan`]): drawn
//! with all open changes applied. A host's frame:
//!
//! 1. [`Cut::aim`] at the viewers; drop what it cancels.
//! 2. [`Cut::vanish`], until it says no.
//! 3. [`Cut::next_change`] while there is one; order the chunks of [`Cut::needs`].
//! 4. [`Cut::execute`] what is complete and [`Cut::is_executable`]; then from 2.

mod distances;
mod error;
mod forest;
mod ground;
mod legal;
mod linger;
mod plan;
#[cfg(test)]
mod tests;
mod wanted;

pub(crate) use distances::SplitDistances;
pub(crate) use error::CutError;
pub(crate) use ground::{Extent, Keys, SIDES};

use crate::coords::ChunkKey;
use forest::{Cover, Forest, NodeIndex};
use ground::Ground;
use legal::{apply, is_legal, mask};
use linger::Linger;
use plan::Plan;
use wanted::{Rules, Wanted};

/// One step of the drawn cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    /// A root appears where nothing was drawn.
    Appear(ChunkKey),
    /// The chunk gives way to its children that exist.
    Split(ChunkKey),
    /// The children, all leaves, give way to the chunk.
    Merge(ChunkKey),
}

impl Change {
    /// The chunk that appears, splits, or is merged into.
    pub(crate) fn key(self) -> ChunkKey {
        let (Self::Appear(key) | Self::Split(key) | Self::Merge(key)) = self;
        key
    }
}

/// Names an open change; later changes have larger ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ChangeId(pub(crate) u64);

/// One atomic change of what is drawn. A chunk is never in both `hide` and `show`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Swap {
    pub(crate) hide: Vec<ChunkKey>,
    pub(crate) show: Vec<ChunkKey>,
    /// All that is shown, and every other drawn chunk whose mask changed: bits -x, +x, -z, +z, set where the neighbour
    /// is coarser.
    pub(crate) masks: Vec<(ChunkKey, u8)>,
}

impl Swap {
    fn clear(&mut self) {
        self.hide.clear();
        self.show.clear();
        self.masks.clear();
    }
}

/// What a cut is made from.
#[derive(Clone, Debug)]
pub(crate) struct CutSettings {
    /// Levels that are drawn, 1 to 16; roots have the last.
    pub(crate) levels: u8,
    /// Samples along a side of a chunk of level 0, a power of two.
    pub(crate) chunk_cells: u32,
    /// For the same levels and cells.
    pub(crate) distances: SplitDistances,
    /// The chunks that exist, by level from 0; [`Extent::endless`] for a world without end. Of a chunk that exists at
    /// least one child must; a chunk below one that does not exist is never drawn.
    pub(crate) extents: Vec<Extent>,
    /// At least 1.
    pub(crate) viewers_max: usize,
    /// Open changes at a time, at least 2: one slot is left to merges.
    pub(crate) open_max: usize,
}

/// The restricted quadtree; see the module.
#[derive(Debug)]
pub(crate) struct Cut {
    rules: Rules,
    viewers_max: usize,
    leaves_max: u32,
    wanted: Wanted,
    drawn: Forest,
    plan: Plan,
    linger: Linger,
    /// True when a drawn root may have become free to vanish.
    may_vanish: bool,
    /// True when drawn roots linger.
    lingers: bool,
    /// Scratch of [`Cut::wanted_for`].
    ahead: Vec<(u64, ChunkKey)>,
}

impl Cut {
    const LEAVES_MAX: u64 = 1 << 22;
    const VIEWERS_MAX: usize = 1 << 10;
    const OPEN_MAX: usize = 1 << 16;

    /// An empty cut. Allocates all that it ever needs: up to 1 KiB for each of [`leaves_max`](Self::leaves_max).
    ///
    /// # Errors
    /// When a setting is out of range; the error says what would be right.
    pub(crate) fn new(settings: CutSettings) -> Result<Self, CutError> {
        let CutSettings { levels, chunk_cells, distances, extents, viewers_max, open_max } = settings;
        let ground = Ground::new(levels, chunk_cells, extents)?;
        let found = (distances.levels(), distances.chunk_cells());
        if found != (levels, chunk_cells) {
            return Err(CutError::Measures { found, expected: (levels, chunk_cells) });
        }
        if !(1..=Self::VIEWERS_MAX).contains(&viewers_max) {
            return Err(CutError::ViewersMax { found: viewers_max, most: Self::VIEWERS_MAX });
        }
        if !(2..=Self::OPEN_MAX).contains(&open_max) {
            return Err(CutError::OpenMax { found: open_max, most: Self::OPEN_MAX });
        }
        let (root_lod, leaves_max) = (ground.root_lod(), Self::check_leaves(&distances, viewers_max)?);
        let finest_max = distances.leaves_of_level_max(0, viewers_max).min(u64::from(u32::MAX)) as u32;
        let drawn = Forest::new(root_lod, leaves_max);
        Ok(Self {
            wanted: Wanted::new(root_lod, leaves_max, viewers_max),
            plan: Plan::new(root_lod, leaves_max, finest_max, open_max),
            linger: Linger::new(drawn.roots_max()),
            drawn,
            rules: Rules { ground, distances },
            viewers_max,
            leaves_max,
            may_vanish: false,
            lingers: false,
            ahead: Vec::with_capacity(leaves_max as usize),
        })
    }

    /// Most leaves that a cut can have, if it can be.
    ///
    /// # Errors
    /// When that is beyond all reason.
    pub(crate) fn check_leaves(distances: &SplitDistances, viewers_max: usize) -> Result<u32, CutError> {
        match distances.leaves_max(viewers_max) {
            found if found > Self::LEAVES_MAX => Err(CutError::Leaves { found, most: Self::LEAVES_MAX }),
            leaves => Ok(leaves as u32),
        }
    }

    /// A swap with room for any change of this cut.
    pub(crate) fn swap(&self) -> Swap {
        let leaves_max = self.leaves_max as usize;
        Swap {
            hide: Vec::with_capacity(leaves_max),
            show: Vec::with_capacity(4),
            masks: Vec::with_capacity(leaves_max),
        }
    }

    /// Makes the wanted cut for these viewers. When it changed, open changes that it does not want are reported and
    /// gone, the others stay legal, and the answer is true. Costs next to nothing while no viewer crosses a distance that counts.
    ///
    /// # Panics
    /// With more viewers than agreed, or one beyond 2^60 samples.
    pub(crate) fn aim(&mut self, viewers: &[[i64; 2]], cancelled: &mut impl FnMut(ChangeId, Change)) -> bool {
        self.check_viewers(viewers);
        if !self.wanted.aim(&self.rules, viewers) {
            return false;
        }
        let (wanted, ground) = (self.wanted.forest(), &self.rules.ground);
        debug_assert!(wanted.room_count() <= self.leaves_max);
        self.plan.cancel_unwanted(wanted, ground, cancelled);
        self.plan.find_candidates(wanted, ground, viewers);
        self.may_vanish = true;
        true
    }

    fn check_viewers(&self, viewers: &[[i64; 2]]) {
        let limit = crate::coords::SAMPLE_LIMIT;
        assert!(viewers.len() <= self.viewers_max, "at most {} viewers", self.viewers_max);
        let inside = |index: &i64| -limit < *index && *index < limit;
        assert!(viewers.iter().flatten().all(inside), "viewers stand on samples: {viewers:?}");
    }

    /// Takes away, in one change, the drawn roots that are not wanted and that nobody needs for 2:1; what was open in
    /// them is reported and gone. False when there are none. Roots that linger go once their neighbours have merged.
    pub(crate) fn vanish(&mut self, out: &mut Swap, cancelled: &mut impl FnMut(ChangeId, Change)) -> bool {
        out.clear();
        if !std::mem::take(&mut self.may_vanish) {
            return false;
        }
        let ground = &self.rules.ground;
        let (leaving, lingers) = self.linger.leaving(&self.drawn, self.wanted.forest(), ground);
        self.lingers = lingers;
        for &root in leaving {
            let node = self.drawn.root(root).expect("leaving roots are drawn");
            out.hide.extend(self.drawn.leaves_below(node).map(|leaf| self.drawn.key(leaf)));
            self.drawn.remove_root(node);
            self.plan.vanish(root, cancelled);
        }
        for &root in leaving {
            refresh_around(&mut self.drawn, ground, root, &mut out.masks);
        }
        !leaving.is_empty()
    }

    /// Opens the next change: the nearest split or appearance, with merges in between; `None` when there is nothing to
    /// change, or no room before something open is executed.
    pub(crate) fn next_change(&mut self) -> Option<(ChangeId, Change)> {
        let (wanted, viewers) = (self.wanted.forest(), self.wanted.viewers());
        self.plan.next_change(&self.drawn, wanted, &self.rules.ground, viewers)
    }

    /// The open changes, in order of admission.
    pub(crate) fn open(&self) -> &[(ChangeId, Change)] {
        self.plan.open()
    }

    /// The chunks that a change shows: they must be there before it is executed.
    pub(crate) fn needs(&self, change: Change) -> Keys {
        match change {
            Change::Split(key) => self.rules.ground.children(key),
            Change::Appear(key) | Change::Merge(key) => Keys::one(key),
        }
    }

    /// Whether an open change fits what is drawn now, and leaves it 2:1.
    pub(crate) fn is_executable(&self, id: ChangeId) -> bool {
        self.plan.get(id).is_some_and(|change| self.fits(change))
    }

    /// The same for a change that is known to be open.
    pub(crate) fn fits(&self, change: Change) -> bool {
        is_legal(&self.drawn, &self.rules.ground, change)
    }

    /// Executes an open change.
    ///
    /// # Panics
    /// When it is not executable.
    pub(crate) fn execute(&mut self, id: ChangeId, out: &mut Swap) {
        assert!(self.is_executable(id), "{id:?} is not executable");
        self.execute_unchecked(id, out);
    }

    fn execute_unchecked(&mut self, id: ChangeId, out: &mut Swap) {
        let change = self.plan.get(id).expect("an open change");
        let ground = &self.rules.ground;
        out.clear();
        match change {
            Change::Split(key) => {
                out.hide.push(key);
                out.show.extend_from_slice(&ground.children(key));
            }
            Change::Merge(key) => {
                out.hide.extend_from_slice(&ground.children(key));
                out.show.push(key);
            }
            Change::Appear(key) => out.show.push(key),
        }
        apply(&mut self.drawn, ground, change);
        for &key in &out.show {
            let leaf = self.drawn.find(key, ground).expect("what is shown is drawn");
            let mask = mask(&self.drawn, ground, leaf);
            self.drawn.set_mask(leaf, mask);
            out.masks.push((key, mask));
        }
        refresh_around(&mut self.drawn, ground, change.key(), &mut out.masks);
        self.plan.executed(id);
        self.may_vanish |= self.lingers;
    }

    /// The drawn chunks with their masks, in an order that follows from the calls alone.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = (ChunkKey, u8)> + use<'_> {
        self.drawn.leaves().map(|leaf| (self.drawn.key(leaf), self.drawn.mask(leaf)))
    }

    /// How many chunks are drawn.
    pub(crate) fn leaf_count(&self) -> usize {
        self.drawn.leaf_count() as usize
    }

    /// Never are more chunks drawn, not even when all open splits and appearances were executed and no merge.
    pub(crate) fn leaves_max(&self) -> usize {
        self.leaves_max as usize
    }

    /// The mask of a drawn chunk.
    pub(crate) fn mask(&self, key: ChunkKey) -> Option<u8> {
        self.leaf(&self.drawn, key).map(|leaf| self.drawn.mask(leaf))
    }

    /// The drawn chunk that holds a sample; on a border, the one with the larger coordinates.
    #[cfg(test)]
    pub(crate) fn leaf_at(&self, sample: [i64; 2]) -> Option<ChunkKey> {
        match self.drawn.cover(self.rules.ground.key_at(sample), &self.rules.ground) {
            Cover::Node(leaf) => Some(self.drawn.key(leaf)),
            _ => None,
        }
    }

    /// Samples between a chunk and the nearest viewer, as split distances count them, for priorities. Viewers are where
    /// they were when the wanted cut was last made; without one it is `u64::MAX`.
    pub(crate) fn gap(&self, key: ChunkKey) -> u64 {
        self.rules.ground.gap_min(self.wanted.viewers(), key)
    }

    /// Whether a chunk is a leaf of the wanted cut.
    pub(crate) fn is_wanted(&self, key: ChunkKey) -> bool {
        self.leaf(self.wanted.forest(), key).is_some()
    }

    /// The wanted cut's chunks.
    #[cfg(test)]
    pub(crate) fn wanted(&self) -> impl Iterator<Item = ChunkKey> + use<'_> {
        let forest = self.wanted.forest();
        forest.leaves().map(|leaf| forest.key(leaf))
    }

    /// Adds to `out` the nearest `count_max` of the chunks that the wanted cut would have if the viewers stood here and does
    /// not have now, nearest first. Changes nothing. Costs as much as an [`aim`](Self::aim).
    ///
    /// # Panics
    /// As [`aim`](Self::aim).
    pub(crate) fn wanted_for(&mut self, viewers: &[[i64; 2]], count_max: usize, out: &mut Vec<ChunkKey>) {
        self.check_viewers(viewers);
        self.ahead.clear();
        let ground = &self.rules.ground;
        let ahead = self.wanted.predict(&self.rules, viewers);
        self.ahead.extend(ahead.leaves().map(|leaf| {
            let key = ahead.key(leaf);
            (ground.gap_min(viewers, key), key)
        }));
        let now = self.wanted.forest();
        let is_new = |key| now.find(key, ground).is_none_or(|node| now.is_split(node));
        self.ahead.retain(|&(_, key)| is_new(key));
        self.ahead.sort_unstable();
        out.extend(self.ahead.iter().map(|&(_, key)| key).take(count_max));
    }

    /// Whether [`wanted_for`](Self::wanted_for) would say the same as it did last, give or take the hysteresis: the wanted cut
    /// is that of then, and no viewer has crossed a distance that counts. Costs next to nothing.
    pub(crate) fn foresees(&self, viewers: &[[i64; 2]]) -> bool {
        self.wanted.is_predicted(viewers)
    }

    fn leaf(&self, forest: &Forest, key: ChunkKey) -> Option<NodeIndex> {
        let exists = key.lod <= self.rules.ground.root_lod();
        let node = exists.then(|| forest.find(key, &self.rules.ground)).flatten();
        node.filter(|&node| !forest.is_split(node))
    }
}

/// Corrects the masks of the leaves around a chunk and notes those that changed.
fn refresh_around(drawn: &mut Forest, ground: &Ground, key: ChunkKey, masks: &mut Vec<(ChunkKey, u8)>) {
    for side in SIDES {
        let Cover::Node(other) = drawn.cover(ground::neighbour(key, side), ground) else { continue };
        let known = masks.len();
        drawn.leaves_along(other, side ^ 1, &mut |leaf| {
            let mask = mask(drawn, ground, leaf);
            if mask != drawn.mask(leaf) {
                masks.push((drawn.key(leaf), mask));
            }
        });
        for &(key, mask) in &masks[known..] {
            let leaf = drawn.find(key, ground).expect("a leaf along a side is drawn");
            drawn.set_mask(leaf, mask);
        }
    }
}

//! The wanted cut: what would be drawn if every chunk were there.
//!
//! In: viewers, and the wanted cut before (for the hysteresis). Out: the cut, and whether it changed. Deliberately not
//! here: how to get there. Asking again costs a few comparisons while no viewer crosses a distance that counts.

use super::distances::SplitDistances;
use super::forest::{Forest, NodeIndex};
use super::ground::{Ground, child};
use crate::coords::ChunkKey;

/// What decides a cut besides the viewers.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) ground: Ground,
    pub(super) distances: SplitDistances,
}

/// Samples that a viewer may stand on without a change of the wanted cut, whatever the others do in their ranges; both
/// ends belong to it.
#[derive(Clone, Copy, Debug)]
struct Range {
    min: [i64; 2],
    max: [i64; 2],
}

impl Range {
    const ALL: Self = Self { min: [i64::MIN; 2], max: [i64::MAX; 2] };

    fn contains(&self, viewer: [i64; 2]) -> bool {
        (0..2).all(|axis| (self.min[axis]..=self.max[axis]).contains(&viewer[axis]))
    }
}

/// A square of ground.
#[derive(Clone, Copy)]
struct Square {
    lod: u8,
    first: [i64; 2],
    size: i64,
}

/// The gap as [`Ground::gap`] has it, an axis each; negative where the square reaches past the viewer.
fn gaps(viewer: [i64; 2], square: &Square) -> [i64; 2] {
    std::array::from_fn(|axis| {
        let (v, first) = (viewer[axis], square.first[axis]);
        (first - v - 1).max(v - first - square.size)
    })
}

/// Viewers and their ranges, while a cut is being made.
struct Sight<'a> {
    viewers: &'a [[i64; 2]],
    ranges: &'a mut [Range],
}

impl Sight<'_> {
    /// Whether a chunk is split, given whether it was; narrows the ranges to where the answer stays the same.
    fn splits(&mut self, square: &Square, was_split: bool, distances: &SplitDistances) -> bool {
        let (split, keep) = (distances.split(square.lod) as i64, distances.keep(square.lod) as i64);
        let gap_of = |viewer: &[i64; 2]| gaps(*viewer, square).into_iter().fold(0, i64::max);
        let gaps = self.viewers.iter().map(gap_of).enumerate();
        let Some((nearest, gap)) = gaps.min_by_key(|&(_, gap)| gap) else { return false };
        if gap < if was_split { keep } else { split } {
            // From now on it counts as split: it stays so while this viewer is nearer than `keep`.
            let range = &mut self.ranges[nearest];
            for (axis, first) in square.first.into_iter().enumerate() {
                range.min[axis] = range.min[axis].max(first - keep);
                range.max[axis] = range.max[axis].min(first + square.size - 1 + keep);
            }
            return true;
        }
        for (&viewer, range) in self.viewers.iter().zip(&mut *self.ranges) {
            stay_off(viewer, range, square, split);
        }
        false
    }
}

/// Narrows a range to samples from which the square has a gap of at least `split`, along the axis that has more.
fn stay_off(viewer: [i64; 2], range: &mut Range, square: &Square, split: i64) {
    let [x, z] = gaps(viewer, square);
    let axis = usize::from(z > x);
    let first = square.first[axis];
    if viewer[axis] < first {
        range.max[axis] = range.max[axis].min(first - split - 1);
    } else {
        range.min[axis] = range.min[axis].max(first + square.size + split);
    }
}

/// The wanted cut.
#[derive(Debug)]
pub(super) struct Wanted {
    now: Forest,
    /// The cut before, or scratch.
    spare: Forest,
    viewers: Vec<[i64; 2]>,
    ranges: Vec<Range>,
    spare_ranges: Vec<Range>,
}

impl Wanted {
    pub(super) fn new(root_lod: u8, leaves_max: u32, viewers_max: usize) -> Self {
        Self {
            now: Forest::new(root_lod, leaves_max),
            spare: Forest::new(root_lod, leaves_max),
            viewers: Vec::with_capacity(viewers_max),
            ranges: Vec::with_capacity(viewers_max),
            spare_ranges: Vec::with_capacity(viewers_max),
        }
    }

    pub(super) fn forest(&self) -> &Forest {
        &self.now
    }

    /// The viewers of the last time that the cut was made anew.
    pub(super) fn viewers(&self) -> &[[i64; 2]] {
        &self.viewers
    }

    /// Makes the cut for these viewers; tells whether it differs from the one before.
    pub(super) fn aim(&mut self, rules: &Rules, viewers: &[[i64; 2]]) -> bool {
        let stay = |(viewer, range): (&[i64; 2], &Range)| range.contains(*viewer);
        if viewers.len() == self.viewers.len() && viewers.iter().zip(&self.ranges).all(stay) {
            return false;
        }
        self.viewers.clear();
        self.viewers.extend_from_slice(viewers);
        self.ranges.clear();
        self.ranges.resize(viewers.len(), Range::ALL);
        // What was predicted began from the cut before.
        self.spare_ranges.clear();
        let sight = Sight { viewers, ranges: &mut self.ranges };
        let changed = Growth { rules, before: &self.now, sight }.grow(&mut self.spare);
        std::mem::swap(&mut self.now, &mut self.spare);
        changed
    }

    /// Whether the last prediction was for viewers in these ranges, from the cut as it is now.
    pub(super) fn is_predicted(&self, viewers: &[[i64; 2]]) -> bool {
        let stay = |(viewer, range): (&[i64; 2], &Range)| range.contains(*viewer);
        viewers.len() == self.spare_ranges.len() && viewers.iter().zip(&self.spare_ranges).all(stay)
    }

    /// The cut that these viewers would get now, until the next call.
    pub(super) fn predict(&mut self, rules: &Rules, viewers: &[[i64; 2]]) -> &Forest {
        self.spare_ranges.clear();
        self.spare_ranges.resize(viewers.len(), Range::ALL);
        let sight = Sight { viewers, ranges: &mut self.spare_ranges };
        Growth { rules, before: &self.now, sight }.grow(&mut self.spare);
        &self.spare
    }
}

/// A cut in the making.
struct Growth<'a> {
    rules: &'a Rules,
    before: &'a Forest,
    sight: Sight<'a>,
}

impl Growth<'_> {
    /// Fills `next`; tells whether it differs from the cut before.
    fn grow(&mut self, next: &mut Forest) -> bool {
        next.clear();
        let level = self.rules.distances.levels();
        let (size, keep) = (self.rules.ground.size(level), self.rules.distances.keep(level) as i64);
        let mut changed = false;
        for viewer in self.sight.viewers {
            // All virtual chunks that can be nearer than `keep`, and one ring more: what lies outside the ring cannot
            // come near before a chunk of the ring does, and those narrow the ranges.
            let [xs, zs] = viewer.map(|v| (v - keep).div_euclid(size) - 1..=(v + keep).div_euclid(size) + 1);
            for z in zs {
                for x in xs.clone() {
                    changed |= self.grow_roots(ChunkKey { lod: level, x, z }, next);
                }
            }
        }
        changed || next.roots().len() != self.before.roots().len()
    }

    /// The roots below a virtual chunk; tells whether one is new or differs.
    fn grow_roots(&mut self, parent: ChunkKey, next: &mut Forest) -> bool {
        let ground = &self.rules.ground;
        let mut roots = (0..4).map(|number| child(parent, number)).filter(|&root| ground.contains(root));
        let one = roots.next();
        if one.is_some_and(|one| next.root(one).is_some()) {
            return false; // another viewer's
        }
        // The roots of a virtual chunk are wanted together, so one tells of all. A chunk without any is asked as well:
        // it narrows the ranges for those behind it.
        let was_split = one.is_some_and(|one| self.before.root(one).is_some());
        let size = ground.size(parent.lod);
        let square = Square { lod: parent.lod, first: [parent.x * size, parent.z * size], size };
        let splits = self.sight.splits(&square, was_split, &self.rules.distances);
        let Some(one) = one.filter(|_| splits) else { return false };
        let mut changed = !was_split;
        for key in std::iter::once(one).chain(roots) {
            let node = next.insert_root(key);
            changed |= self.grow_tree(node, next, self.before.root(key));
        }
        changed
    }

    /// What is below a node; tells whether a node that was there before, `was`, was split otherwise.
    fn grow_tree(&mut self, node: NodeIndex, next: &mut Forest, was: Option<NodeIndex>) -> bool {
        let key = next.key(node);
        if key.lod == 0 {
            return false;
        }
        let was_split = was.is_some_and(|was| self.before.is_split(was));
        let size = self.rules.ground.size(key.lod);
        let square = Square { lod: key.lod, first: [key.x * size, key.z * size], size };
        let splits = self.sight.splits(&square, was_split, &self.rules.distances);
        let mut changed = splits != was_split;
        if splits {
            next.split(node, &self.rules.ground);
            let was = was.filter(|_| was_split);
            for number in 0..4 {
                if let Some(child) = next.child(node, number) {
                    let was = was.and_then(|was| self.before.child(was, number));
                    changed |= self.grow_tree(child, next, was);
                }
            }
        }
        changed
    }
}

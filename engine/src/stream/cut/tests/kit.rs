//! What the tests share: chance, settings, viewers that move, and a host that drives a cut past the checker.

use std::collections::BTreeSet;

use super::super::{Change, ChangeId, Cut, CutSettings, Extent, SplitDistances, Swap};
use super::checker::Checker;
use super::naive::NaiveCut;
use crate::coords::{ChunkKey, SAMPLE_LIMIT};

/// SplitMix64.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0..end
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// -reach..=reach
    pub(super) fn around(&mut self, reach: i64) -> i64 {
        self.below(2 * reach as u64 + 1) as i64 - reach
    }

    pub(super) fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    pub(super) fn unit(&mut self) -> f64 {
        self.below(1 << 20) as f64 / (1 << 20) as f64
    }
}

pub(super) fn endless(levels: u8, chunk_cells: u32, factor: f64, hysteresis: f64) -> CutSettings {
    CutSettings {
        levels,
        chunk_cells,
        distances: SplitDistances::uniform(levels, chunk_cells, factor, hysteresis).expect("valid"),
        extents: (0..levels).map(|lod| Extent::endless(lod, chunk_cells)).collect(),
        viewers_max: 1,
        open_max: 16,
    }
}

/// The chunks that hold samples `min..max`.
pub(super) fn finite(levels: u8, chunk_cells: u32, min: [i64; 2], max: [i64; 2]) -> Vec<Extent> {
    let extent = |lod| {
        let side = i64::from(chunk_cells) << lod;
        Extent { min: min.map(|at| at.div_euclid(side)), max: max.map(|at| -(-at).div_euclid(side)) }
    };
    (0..levels).map(extent).collect()
}

fn random_distances(chance: &mut Chance, levels: u8, chunk_cells: u32, factor_max: f64) -> SplitDistances {
    if chance.one_in(3) {
        let (mut split, mut keep, mut least) = (vec![], vec![], 1);
        for level in 1..=levels {
            let size = u64::from(chunk_cells) << level;
            split.push(least + chance.below(size));
            keep.push(split[split.len() - 1] + chance.below(size / 2 + 1));
            least = keep[keep.len() - 1] + size;
        }
        return SplitDistances::explicit(levels, chunk_cells, &split, &keep).expect("valid");
    }
    loop {
        let factor = 1.0 + chance.unit() * (factor_max - 1.0);
        let hysteresis = chance.unit() * (1.0 - 1.0 / factor);
        if let Ok(found) = SplitDistances::uniform(levels, chunk_cells, factor, hysteresis) {
            return found;
        }
    }
}

pub(super) fn random_settings(chance: &mut Chance) -> CutSettings {
    let levels = 1 + chance.below(8) as u8;
    let chunk_cells = [1, 2, 8, 16, 64][chance.below(5) as usize];
    let factor_max = if levels > 5 { 2.0 } else { 3.0 };
    let distances = random_distances(chance, levels, chunk_cells, factor_max);
    let root = i64::from(chunk_cells) << (levels - 1);
    let extents = if chance.one_in(2) {
        let min = [0; 2].map(|_| chance.around(4 * root));
        finite(levels, chunk_cells, min, min.map(|at| at + 1 + chance.below(9 * root as u64) as i64))
    } else {
        (0..levels).map(|lod| Extent::endless(lod, chunk_cells)).collect()
    };
    let (viewers_max, open_max) = (1 + chance.below(3) as usize, 2 + chance.below(30) as usize);
    CutSettings { levels, chunk_cells, distances, extents, viewers_max, open_max }
}

/// Viewers that walk, fly, jump, join and leave.
pub(super) struct Crowd {
    pub(super) viewers: Vec<[i64; 2]>,
    velocity: [i64; 2],
    root: i64,
    cells: i64,
    viewers_max: usize,
}

impl Crowd {
    pub(super) fn new(settings: &CutSettings) -> Self {
        let cells = i64::from(settings.chunk_cells);
        let root = cells << (settings.levels - 1);
        Self { viewers: vec![[0; 2]], velocity: [0; 2], root, cells, viewers_max: settings.viewers_max }
    }

    pub(super) fn step(&mut self, chance: &mut Chance) {
        if chance.one_in(24) {
            let speed = 1 + (self.root >> chance.below(8)).max(self.cells / 4);
            self.velocity = [0; 2].map(|_| chance.around(speed));
        }
        for viewer in &mut self.viewers {
            let jump = match chance.below(64) {
                0 => [0; 2].map(|_| chance.around(SAMPLE_LIMIT - 1) - viewer[0]),
                1..4 => [0; 2].map(|_| chance.around(3 * self.root)),
                4 => viewer.map(|at| chance.around(4 * self.root) - at), // back to where the finite worlds are
                5..30 => [0; 2].map(|_| chance.around(self.cells)),
                _ => self.velocity,
            };
            for axis in 0..2 {
                viewer[axis] = (viewer[axis] + jump[axis]).clamp(1 - SAMPLE_LIMIT, SAMPLE_LIMIT - 1);
            }
        }
        if chance.one_in(40) && self.viewers.len() < self.viewers_max {
            let near = self.viewers.first().map_or([0; 2], |&viewer| viewer);
            self.viewers.push(near.map(|at| (at + chance.around(4 * self.root)).clamp(-1 << 59, 1 << 59)));
        }
        if chance.one_in(60) {
            self.viewers.pop();
        }
    }
}

/// A host: a cut, its checker, and what is wanted by definition.
pub(super) struct Host {
    pub(super) cut: Cut,
    pub(super) checker: Checker,
    pub(super) naive: NaiveCut,
    pub(super) swap: Swap,
    /// Open changes as they were admitted less what was cancelled or executed.
    pub(super) open: Vec<(ChangeId, Change)>,
    open_max: usize,
    pub(super) changes: u64,
    pub(super) vanished: u64,
    pub(super) cancelled: u64,
}

impl Host {
    pub(super) fn new(settings: CutSettings) -> Self {
        let naive = NaiveCut::new(&settings);
        let checker = Checker { extents: settings.extents.clone(), drawn: Default::default() };
        let open_max = settings.open_max;
        let cut = Cut::new(settings).expect("valid settings");
        let swap = cut.swap();
        Self { cut, checker, naive, swap, open: vec![], open_max, changes: 0, vanished: 0, cancelled: 0 }
    }

    pub(super) fn aim(&mut self, viewers: &[[i64; 2]]) {
        let before = self.naive.leaves.clone();
        self.naive.aim(viewers);
        let mut gone = BTreeSet::new();
        let changed = self.cut.aim(viewers, &mut |id, _| assert!(gone.insert(id)));
        assert_eq!(changed, before != self.naive.leaves, "{viewers:?}");
        self.cancel(&gone);
        let wanted: BTreeSet<_> = self.cut.wanted().collect();
        assert_eq!(wanted, self.naive.leaves, "{viewers:?}");
    }

    fn cancel(&mut self, gone: &BTreeSet<ChangeId>) {
        let before = self.open.len();
        self.open.retain(|(id, _)| !gone.contains(id));
        assert_eq!(before - self.open.len(), gone.len(), "what is cancelled was open");
        assert_eq!(self.open, self.cut.open());
        self.cancelled += gone.len() as u64;
    }

    pub(super) fn vanish(&mut self) {
        let mut gone = BTreeSet::new();
        while self.cut.vanish(&mut self.swap, &mut |id, _| assert!(gone.insert(id))) {
            assert!(self.swap.show.is_empty() && !self.swap.hide.is_empty());
            self.take(true);
            self.vanished += 1;
        }
        self.cancel(&gone);
    }

    fn take(&mut self, vanishing: bool) {
        let naive = &self.naive;
        let kept = |root| !vanishing || naive.has_root(root);
        if let Err(wrong) = self.checker.swap(&self.swap, kept) {
            panic!("{wrong}; swap {:?}", self.swap);
        }
        let drawn: Vec<_> = self.checker.drawn.iter().map(|(&key, &mask)| (key, mask)).collect();
        let mut leaves: Vec<_> = self.cut.leaves().collect();
        leaves.sort_unstable();
        assert_eq!(leaves, drawn);
        assert_eq!(self.cut.leaf_count(), drawn.len());
        assert!(drawn.len() <= self.cut.leaves_max());
        let finest = drawn.iter().filter(|(key, _)| key.lod == 0).count() as u64;
        assert!(finest <= self.cut.rules.distances.leaves_of_level_max(0, self.cut.viewers_max));
    }

    pub(super) fn admit(&mut self) -> bool {
        let Some((id, change)) = self.cut.next_change() else { return false };
        assert!(self.open.last().is_none_or(|&(last, _)| last < id));
        self.open.push((id, change));
        assert_eq!(self.open, self.cut.open());
        true
    }

    pub(super) fn executable(&self) -> Vec<ChangeId> {
        self.open.iter().map(|&(id, _)| id).filter(|&id| self.cut.is_executable(id)).collect()
    }

    pub(super) fn execute(&mut self, id: ChangeId) {
        let change = self.open.iter().find(|open| open.0 == id).expect("open").1;
        self.cut.execute(id, &mut self.swap);
        assert_eq!(self.swap.show, *self.cut.needs(change));
        self.open.retain(|open| open.0 != id);
        self.take(false);
        self.changes += 1;
    }

    /// Every prefix of what is open, in order, leads from drawn to a sound cut; all fit the room.
    pub(super) fn check_plan(&self) {
        let mut planned = self.checker.clone();
        for &(id, change) in &self.open {
            let one = [change.key()];
            let (hide, show) = match change {
                Change::Appear(_) => (vec![], one.to_vec()),
                Change::Split(key) => (one.to_vec(), planned.children(key)),
                Change::Merge(key) => (planned.children(key), one.to_vec()),
            };
            planned = planned.with(&hide, &show).unwrap_or_else(|wrong| panic!("{id:?} {change:?}: {wrong}"));
        }
        let growing = |&&(_, change): &&(ChangeId, Change)| !matches!(change, Change::Merge(_));
        let growing = self.open.iter().filter(growing).count();
        assert!(self.open.len() <= self.open_max);
        assert!(growing == 0 || growing < self.open_max, "a slot is left to merges");
        let plan = self.cut.plan.forest();
        let mut leaves: Vec<_> = plan.leaves().map(|leaf| plan.key(leaf)).collect();
        leaves.sort_unstable();
        assert_eq!(leaves, planned.drawn.keys().copied().collect::<Vec<ChunkKey>>());
    }

    /// With viewers still: executes what can be in any order, until nothing is left to do. Never stuck, and no node
    /// changes twice.
    pub(super) fn settle(&mut self, chance: &mut Chance) {
        self.vanish();
        let bound = self.differences();
        for done in 0.. {
            assert!(done <= bound, "a node changed twice");
            while !chance.one_in(8) && self.admit() {}
            if self.open.is_empty() && !self.admit() {
                break;
            }
            let ready = self.executable();
            assert!(!ready.is_empty(), "stuck: {:?}", self.open);
            self.execute(ready[chance.below(ready.len() as u64) as usize]);
            self.vanish();
        }
        let drawn: BTreeSet<_> = self.checker.drawn.keys().copied().collect();
        assert_eq!(drawn, self.naive.leaves, "settled and not as wanted");
        self.checker.check_pairs().expect("all pairs");
    }

    /// How many chunks are to split, to merge, and to appear.
    fn differences(&self) -> usize {
        let (mut split, mut roots) = (BTreeSet::new(), BTreeSet::new());
        let levels = self.checker.extents.len() as u8;
        for &key in self.checker.drawn.keys() {
            let above = |up| ChunkKey { lod: key.lod + up, x: key.x >> up, z: key.z >> up };
            split.extend((1..levels - key.lod).map(above));
            roots.insert(self.checker.root_of(key));
        }
        let wanted_roots: BTreeSet<_> =
            self.naive.leaves.iter().map(|&key| self.checker.root_of(key)).collect();
        let wanted: BTreeSet<_> = self.naive.split.iter().copied().filter(|key| key.lod < levels).collect();
        split.symmetric_difference(&wanted).count() + wanted_roots.difference(&roots).count()
    }
}

//! The wanted cut by its definition: recursion over sets, distances in i128 from the corners of squares.

use std::collections::BTreeSet;

use super::super::{CutSettings, SplitDistances};
use super::checker::Checker;
use crate::coords::ChunkKey;

/// Remembers what was split, as the hysteresis does.
pub(super) struct NaiveCut {
    chunk_cells: u32,
    distances: SplitDistances,
    ground: Checker,
    /// The virtual level included.
    pub(super) split: BTreeSet<ChunkKey>,
    pub(super) leaves: BTreeSet<ChunkKey>,
}

impl NaiveCut {
    pub(super) fn new(settings: &CutSettings) -> Self {
        let ground = Checker { extents: settings.extents.clone(), drawn: Default::default() };
        let (distances, chunk_cells) = (settings.distances.clone(), settings.chunk_cells);
        Self { chunk_cells, distances, ground, split: BTreeSet::new(), leaves: BTreeSet::new() }
    }

    /// Between the squares `[v, v + 1]` and `[x0, x0 + size]`.
    pub(super) fn gap(&self, viewer: [i64; 2], key: ChunkKey) -> u64 {
        let size = i128::from(self.chunk_cells) << key.lod;
        let mut gap = 0;
        for (v, at) in viewer.into_iter().zip([key.x, key.z]) {
            let (v0, v1) = (i128::from(v), i128::from(v) + 1);
            let (x0, x1) = (i128::from(at) * size, (i128::from(at) + 1) * size);
            gap = gap.max(if v1 < x0 {
                x0 - v1
            } else if x1 < v0 {
                v0 - x1
            } else {
                0
            });
        }
        gap as u64
    }

    pub(super) fn aim(&mut self, viewers: &[[i64; 2]]) {
        let before = std::mem::take(&mut self.split);
        self.leaves.clear();
        let level = self.distances.levels();
        let size = i64::from(self.chunk_cells) << level;
        let reach = (self.distances.keep(level) as i64).div_euclid(size) + 2;
        let mut tops = BTreeSet::new();
        for viewer in viewers {
            let [x, z] = viewer.map(|v| v.div_euclid(size));
            tops.extend((-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dz| (x + dx, z + dz))));
        }
        for (x, z) in tops {
            self.grow(ChunkKey { lod: level, x, z }, viewers, &before);
        }
    }

    fn grow(&mut self, key: ChunkKey, viewers: &[[i64; 2]], before: &BTreeSet<ChunkKey>) {
        let is_virtual = key.lod == self.distances.levels();
        if !is_virtual && !self.ground.exists(key) {
            return;
        }
        let gap = viewers.iter().map(|&viewer| self.gap(viewer, key)).min();
        let reach = |level| {
            if before.contains(&key) { self.distances.keep(level) } else { self.distances.split(level) }
        };
        if key.lod > 0 && gap.is_some_and(|gap| gap < reach(key.lod)) {
            self.split.insert(key);
            for (x, z) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let child = ChunkKey { lod: key.lod - 1, x: 2 * key.x + x, z: 2 * key.z + z };
                self.grow(child, viewers, before);
            }
        } else if !is_virtual {
            self.leaves.insert(key);
        }
    }

    /// Whether a root is wanted.
    pub(super) fn has_root(&self, root: ChunkKey) -> bool {
        let parent = ChunkKey { lod: root.lod + 1, x: root.x.div_euclid(2), z: root.z.div_euclid(2) };
        self.split.contains(&parent)
    }
}

//! A host that believes nothing: it keeps the drawn set by what swaps tell it and judges every one.
//!
//! In: swaps. Out: the first thing that is wrong. Knows keys and extents; deliberately not the forest.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Extent, Swap};
use crate::coords::ChunkKey;

#[derive(Clone)]
pub(super) struct Checker {
    pub(super) extents: Vec<Extent>,
    pub(super) drawn: BTreeMap<ChunkKey, u8>,
}

fn up(key: ChunkKey) -> ChunkKey {
    ChunkKey { lod: key.lod + 1, x: key.x.div_euclid(2), z: key.z.div_euclid(2) }
}

fn beside(key: ChunkKey) -> [ChunkKey; 4] {
    [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(x, z)| ChunkKey { x: key.x + x, z: key.z + z, ..key })
}

impl Checker {
    fn root_lod(&self) -> u8 {
        self.extents.len() as u8 - 1
    }

    pub(super) fn root_of(&self, mut key: ChunkKey) -> ChunkKey {
        while key.lod < self.root_lod() {
            key = up(key);
        }
        key
    }

    pub(super) fn exists(&self, mut key: ChunkKey) -> bool {
        loop {
            let Extent { min, max } = self.extents[usize::from(key.lod)];
            if key.x < min[0] || key.x >= max[0] || key.z < min[1] || key.z >= max[1] {
                return false;
            }
            if key.lod == self.root_lod() {
                return true;
            }
            key = up(key);
        }
    }

    pub(super) fn children(&self, key: ChunkKey) -> Vec<ChunkKey> {
        let child = |x, z| ChunkKey { lod: key.lod - 1, x: key.x * 2 + x, z: key.z * 2 + z };
        let all = [child(0, 0), child(1, 0), child(0, 1), child(1, 1)];
        all.into_iter().filter(|&key| self.exists(key)).collect()
    }

    /// Takes a swap in. `kept` tells which roots must not vanish.
    pub(super) fn swap(&mut self, swap: &Swap, kept: impl Fn(ChunkKey) -> bool) -> Result<(), String> {
        let roots: BTreeSet<_> = self.drawn.keys().map(|&key| self.root_of(key)).collect();
        let before = self.drawn.clone();
        for key in &swap.hide {
            self.drawn.remove(key).ok_or(format!("{key:?} is hidden and not drawn"))?;
        }
        for &key in &swap.show {
            if !self.exists(key) || before.contains_key(&key) || self.drawn.insert(key, u8::MAX).is_some() {
                return Err(format!("{key:?} is shown: outside, or drawn already"));
            }
        }
        let mut told = BTreeSet::new();
        for &(key, mask) in &swap.masks {
            let old = self.drawn.insert(key, mask).ok_or(format!("a mask of {key:?}, not drawn"))?;
            if old == mask || !told.insert(key) {
                return Err(format!("the mask of {key:?} was known"));
            }
        }
        let left: BTreeSet<_> = self.drawn.keys().map(|&key| self.root_of(key)).collect();
        if let Some(root) = roots.difference(&left).find(|&&root| kept(root)) {
            return Err(format!("{root:?} vanished"));
        }
        self.check()
    }

    /// No overlap, no hole in a tree, 2:1, masks.
    pub(super) fn check(&self) -> Result<(), String> {
        let mut covered: BTreeMap<ChunkKey, u64> = BTreeMap::new();
        for (&key, &mask) in &self.drawn {
            let (found, sound) = self.sides(key);
            if !sound {
                return Err(format!("{key:?} next to a leaf two levels coarser, or too fine at the border"));
            }
            if found != mask {
                return Err(format!("the mask of {key:?} is {mask:#b}, its neighbours say {found:#b}"));
            }
            let mut above = key;
            while above.lod < self.root_lod() {
                above = up(above);
                if self.drawn.contains_key(&above) {
                    return Err(format!("{key:?} overlaps {above:?}"));
                }
            }
            *covered.entry(above).or_default() += self.area(key);
        }
        for (root, area) in covered {
            if area != self.area(root) {
                return Err(format!("a hole in {root:?}"));
            }
        }
        Ok(())
    }

    /// Ground of a chunk that exists, in cells of level 0.
    fn area(&self, key: ChunkKey) -> u64 {
        let side = 1 << key.lod;
        // Most chunks lie inside as a whole: all levels' extents hold their ground.
        let corners = [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1)];
        let inside = |(x, z)| {
            let corner = ChunkKey { lod: 0, x: key.x * side + x, z: key.z * side + z };
            self.exists(corner)
        };
        if corners.into_iter().all(inside) {
            return (side * side) as u64; // rectangles: four corners inside, all inside
        }
        if key.lod == 0 { 0 } else { self.children(key).into_iter().map(|child| self.area(child)).sum() }
    }

    /// The mask of a leaf, and whether its neighbours are at most one level coarser. Who is finer finds it.
    fn sides(&self, key: ChunkKey) -> (u8, bool) {
        let (mut mask, mut sound) = (0, true);
        for (side, other) in beside(key).into_iter().enumerate() {
            if !self.exists(other) {
                continue;
            }
            let mut above = other;
            while above.lod < self.root_lod() {
                above = up(above);
                if self.drawn.contains_key(&above) {
                    mask |= 1 << side;
                    sound &= above.lod == key.lod + 1;
                    break;
                }
            }
            let root = self.root_of(other);
            let undrawn = root != self.root_of(key) && !self.has_root(root);
            sound &= !undrawn || key.lod + 1 >= root.lod;
        }
        (mask, sound)
    }

    fn has_root(&self, root: ChunkKey) -> bool {
        // Where a tree has no hole, something covers the way down along any children.
        let mut key = root;
        loop {
            if self.drawn.contains_key(&key) {
                return true;
            }
            if key.lod == 0 {
                return false;
            }
            match self.children(key).first() {
                Some(&child) => key = child,
                None => return false,
            }
        }
    }

    /// The same by comparing all rectangles with all: slow, and nothing to get wrong.
    pub(super) fn check_pairs(&self) -> Result<(), String> {
        let rectangle = |key: ChunkKey| {
            let side = 1i128 << key.lod;
            let [x, z] = [key.x, key.z].map(|at| i128::from(at) * side);
            [x, x + side, z, z + side]
        };
        for (&a, &mask) in &self.drawn {
            let [ax0, ax1, az0, az1] = rectangle(a);
            let mut found = 0;
            for &b in self.drawn.keys().filter(|&&b| b != a) {
                let [bx0, bx1, bz0, bz1] = rectangle(b);
                let (along_x, along_z) = (ax0 < bx1 && bx0 < ax1, az0 < bz1 && bz0 < az1);
                if along_x && along_z {
                    return Err(format!("{a:?} overlaps {b:?}"));
                }
                let touches = [
                    along_z && bx1 == ax0,
                    along_z && bx0 == ax1,
                    along_x && bz1 == az0,
                    along_x && bz0 == az1,
                ];
                if touches.contains(&true) && a.lod.abs_diff(b.lod) > 1 {
                    return Err(format!("{a:?} next to {b:?}"));
                }
                for (side, touches) in touches.into_iter().enumerate() {
                    found |= u8::from(touches && b.lod > a.lod) << side;
                }
            }
            if found != mask {
                return Err(format!("the mask of {a:?} is {mask:#b}, all pairs say {found:#b}"));
            }
        }
        Ok(())
    }

    /// The same set with changed leaves and right masks: what a plan looks like. Judges it.
    pub(super) fn with(&self, hide: &[ChunkKey], show: &[ChunkKey]) -> Result<Self, String> {
        let mut next = self.clone();
        for key in hide {
            next.drawn.remove(key).ok_or(format!("{key:?} is to be hidden and not planned"))?;
        }
        next.drawn.extend(show.iter().map(|&key| (key, 0)));
        let keys: Vec<_> = next.drawn.keys().copied().collect();
        for key in keys {
            let (mask, _) = next.sides(key);
            next.drawn.insert(key, mask);
        }
        next.check()?;
        Ok(next)
    }
}

//! The grid of all levels: how large a chunk is, which chunks exist, who lies next to whom, how far a viewer is.
//!
//! In: keys and viewers. Out: sizes, neighbours, children, distances. Deliberately not here: what is drawn or wanted.

use super::CutError;
use crate::coords::{ChunkKey, SAMPLE_LIMIT};

/// The sides of a square, in the order of mask bits: -x, +x, -z, +z. `side ^ 1` is the opposite one.
pub(crate) const SIDES: [usize; 4] = [0, 1, 2, 3];

/// The children that lie along a side of their parent; child number = (x & 1) + 2 (z & 1).
pub(super) const CHILDREN_ALONG: [[usize; 2]; 4] = [[0, 2], [1, 3], [0, 1], [2, 3]];

/// The chunks of one level that exist, x then z: `min` is the first, `max` one past the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) min: [i64; 2],
    pub(crate) max: [i64; 2],
}

impl Extent {
    /// What a world without end has at a level: the chunks that [`ChunkKey::is_addressable`] allows.
    pub(crate) fn endless(lod: u8, chunk_cells: u32) -> Self {
        let side = i64::from(chunk_cells) << lod;
        let last = (SAMPLE_LIMIT - 1).div_euclid(side) - 2;
        let first = (side - SAMPLE_LIMIT).div_euclid(side) + 1;
        Self { min: [first; 2], max: [last + 1; 2] }
    }

    fn contains(&self, x: i64, z: i64) -> bool {
        (self.min[0]..self.max[0]).contains(&x) && (self.min[1]..self.max[1]).contains(&z)
    }
}

/// Up to four keys, without a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Keys {
    keys: [ChunkKey; 4],
    count: u8,
}

impl Keys {
    pub(crate) fn one(key: ChunkKey) -> Self {
        Self { keys: [key; 4], count: 1 }
    }
}

impl std::ops::Deref for Keys {
    type Target = [ChunkKey];

    fn deref(&self) -> &[ChunkKey] {
        &self.keys[..usize::from(self.count)]
    }
}

/// The grid of all levels.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    levels: u8,
    chunk_cells: u32,
    extents: Vec<Extent>,
}

impl Ground {
    /// Levels that are drawn: 1 to this.
    pub(crate) const LEVELS_MAX: u8 = 16;
    /// Cells along a chunk's side: a power of two up to this.
    pub(crate) const CHUNK_CELLS_MAX: u32 = 1 << 12;

    /// # Errors
    /// When a number is out of range, there is not one extent a level, an extent leaves the range of samples, or a
    /// chunk exists of whose children none does.
    pub(crate) fn new(levels: u8, chunk_cells: u32, extents: Vec<Extent>) -> Result<Self, CutError> {
        check_measures(levels, chunk_cells)?;
        if extents.len() != usize::from(levels) {
            return Err(CutError::Extents { found: extents.len(), levels });
        }
        for (lod, extent) in (0..levels).zip(&extents) {
            let end = SAMPLE_LIMIT / (i64::from(chunk_cells) << lod) + 1;
            let inside = |at: &i64| (-end..=end).contains(at);
            if !extent.min.iter().chain(&extent.max).all(inside) {
                return Err(CutError::ExtentRange { lod, end });
            }
        }
        for (lod, pair) in (1..levels).zip(extents.windows(2)) {
            let (fine, coarse) = (&pair[0], &pair[1]);
            let empty = |axis| coarse.min[axis] >= coarse.max[axis];
            let met = |axis: usize| {
                let first = fine.min[axis].div_euclid(2);
                let last = (fine.max[axis] - 1).div_euclid(2);
                fine.min[axis] < fine.max[axis] && first <= coarse.min[axis] && coarse.max[axis] <= last + 1
            };
            if !(empty(0) || empty(1) || met(0) && met(1)) {
                return Err(CutError::ExtentNesting { lod });
            }
        }
        Ok(Self { levels, chunk_cells, extents })
    }

    /// The level of the roots.
    pub(crate) fn root_lod(&self) -> u8 {
        self.levels - 1
    }

    /// Samples along a side of a chunk of a level, the virtual one above the roots included.
    pub(crate) fn size(&self, lod: u8) -> i64 {
        i64::from(self.chunk_cells) << lod
    }

    /// True when the key lies in its level's extent. A chunk exists when this holds for it and all above it, up to
    /// its root.
    pub(crate) fn contains(&self, key: ChunkKey) -> bool {
        self.extents[usize::from(key.lod)].contains(key.x, key.z)
    }

    /// The children that exist, of a chunk that exists.
    pub(crate) fn children(&self, key: ChunkKey) -> Keys {
        let mut keys = Keys { keys: [key; 4], count: 0 };
        for child in (0..4).map(|number| child(key, number)) {
            if self.contains(child) {
                keys.keys[usize::from(keys.count)] = child;
                keys.count += 1;
            }
        }
        keys
    }

    /// Samples between a viewer and a chunk, the larger of both axes: the gap between the squares `[v, v + 1]` (the
    /// viewer stands somewhere in it) and `[x0, x0 + size]`. Touching squares have gap 0.
    ///
    /// As a distance between closed sets it obeys what 2:1 is proved with: where chunk P, one level finer, shares an
    /// edge with M, each point of P is at most size(P) from M, so gap(M) <= gap(P) + size(P). The gap to a parent is
    /// at most that to its child. When the viewer moves by s samples it changes by s at most. It is symmetric, and
    /// never more than the distance from where the viewer really is.
    pub(crate) fn gap(&self, viewer: [i64; 2], key: ChunkKey) -> u64 {
        let size = self.size(key.lod);
        let axis = |v: i64, x0: i64| (x0 - v - 1).max(v - x0 - size).max(0);
        axis(viewer[0], key.x * size).max(axis(viewer[1], key.z * size)).unsigned_abs()
    }

    /// The gap to the nearest viewer; without one, as far as can be.
    pub(crate) fn gap_min(&self, viewers: &[[i64; 2]], key: ChunkKey) -> u64 {
        viewers.iter().map(|&viewer| self.gap(viewer, key)).min().unwrap_or(u64::MAX)
    }

    /// The chunk of level 0 that holds a sample.
    #[cfg(test)]
    pub(crate) fn key_at(&self, sample: [i64; 2]) -> ChunkKey {
        let [x, z] = sample.map(|index| index.div_euclid(self.size(0)));
        ChunkKey { lod: 0, x, z }
    }
}

/// # Errors
/// When a number is out of range.
pub(super) fn check_measures(levels: u8, chunk_cells: u32) -> Result<(), CutError> {
    if !(1..=Ground::LEVELS_MAX).contains(&levels) {
        return Err(CutError::Levels { found: levels });
    }
    if !chunk_cells.is_power_of_two() || chunk_cells > Ground::CHUNK_CELLS_MAX {
        return Err(CutError::ChunkCells { found: chunk_cells });
    }
    Ok(())
}

/// Child number (x & 1) + 2 (z & 1) of a chunk.
pub(super) fn child(key: ChunkKey, number: usize) -> ChunkKey {
    let (x, z) = ((number & 1) as i64, (number >> 1) as i64);
    ChunkKey { lod: key.lod - 1, x: 2 * key.x + x, z: 2 * key.z + z }
}

/// The chunk of the same level across a side.
pub(super) fn neighbour(key: ChunkKey, side: usize) -> ChunkKey {
    let step = if side & 1 == 0 { -1 } else { 1 };
    if side < 2 { ChunkKey { x: key.x + step, ..key } } else { ChunkKey { z: key.z + step, ..key } }
}

//! The pool: tiles of 32 x 32 samples with the final heights of those that were touched.
//!
//! In: a capacity, once; then heights of single samples. Out: heights laid over a grid of any stride. Nothing allocates
//! after [`Tiles::new`]. Deliberately not here: locks (`store.rs`), and the removal of a tile: an override stays, even
//! one that equals what lies below. The map is never iterated, so its order decides nothing.

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxBuildHasher;
use terrane_noise::Grid;

/// Samples along a tile's side; a row's presence is one u32.
pub(crate) const TILE_CELLS: usize = 32;
/// Samples of a tile.
pub(crate) const TILE_SAMPLES: usize = TILE_CELLS * TILE_CELLS;
const SIDE: i64 = TILE_CELLS as i64;
/// Bits of a sample index that are its place in a tile.
const SHIFT: u32 = TILE_CELLS.trailing_zeros();

/// The tile that holds a sample index, along one axis.
pub(crate) fn tile_of(index: i64) -> i64 {
    index >> SHIFT
}

/// Where in its tile a sample index lies, along one axis.
pub(crate) fn place_in_tile(index: i64) -> usize {
    (index & (SIDE - 1)) as usize
}

/// A fixed number of tiles. Columns have one entry, or one row of entries, a slot; slots are taken in order.
pub(crate) struct Tiles {
    slots: HashMap<[i64; 2], u32, FxBuildHasher>,
    total: usize,
    /// Tile coordinates of the slots in use.
    keys: Vec<[i64; 2]>,
    heights: Vec<f32>,
    /// 32 rows of a bit a sample.
    present: Vec<u32>,
    /// The edit that changed the tile last.
    changed_by: Vec<u64>,
}

/// One tile, borrowed.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "save"), expect(dead_code, reason = "the save file reads all"))]
pub(crate) struct TileRef<'a> {
    pub(crate) key: [i64; 2],
    pub(crate) heights: &'a [f32],
    pub(crate) present: &'a [u32],
    pub(crate) changed_by: u64,
}

impl Tiles {
    /// Memory comes zeroed from the system and is not touched before it is used.
    pub(crate) fn new(total: usize) -> Self {
        Self {
            slots: HashMap::with_capacity_and_hasher(2 * total, FxBuildHasher),
            total,
            keys: Vec::with_capacity(total),
            heights: vec![0.0; total * TILE_SAMPLES],
            present: vec![0; total * TILE_CELLS],
            changed_by: vec![0; total],
        }
    }

    /// What [`new`](Self::new) allocates, in bytes; the map's share is an upper bound.
    pub(crate) const fn bytes_for(total: usize) -> usize {
        let entry = size_of::<([i64; 2], u32)>() + 1;
        // A hash table of the standard library: a power of two of places, an eighth of them free.
        let places = if total == 0 { 0 } else { (2 * total * 8 / 7 + 4).next_power_of_two() };
        let tile = TILE_SAMPLES * size_of::<f32>() + TILE_CELLS * size_of::<u32>();
        total * (tile + size_of::<[i64; 2]>() + size_of::<u64>()) + places * entry + 16
    }

    pub(crate) fn used(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn total(&self) -> usize {
        self.total
    }

    pub(crate) fn free(&self) -> usize {
        self.total - self.used()
    }

    pub(crate) fn slot(&self, key: [i64; 2]) -> Option<usize> {
        self.slots.get(&key).map(|slot| *slot as usize)
    }

    /// Takes a slot for a tile that has none.
    ///
    /// # Panics
    /// When none is free: the caller counted.
    pub(crate) fn add(&mut self, key: [i64; 2]) -> usize {
        let slot = self.used();
        assert!(slot < self.total, "tiles are counted before they are taken");
        self.keys.push(key);
        let before = self.slots.insert(key, slot as u32);
        assert!(before.is_none(), "a tile has one slot");
        slot
    }

    /// Sets one sample of a tile, `[x, z]` within it.
    pub(crate) fn set(&mut self, slot: usize, [x, z]: [usize; 2], height_m: f32, by: u64) {
        self.heights[slot * TILE_SAMPLES + z * TILE_CELLS + x] = height_m;
        self.present[slot * TILE_CELLS + z] |= 1 << x;
        self.changed_by[slot] = by;
    }

    /// Fills a tile that was just added.
    #[cfg(feature = "save")]
    pub(crate) fn fill(&mut self, slot: usize, tile: TileRef<'_>) {
        self.heights[slot * TILE_SAMPLES..][..TILE_SAMPLES].copy_from_slice(tile.heights);
        self.present[slot * TILE_CELLS..][..TILE_CELLS].copy_from_slice(tile.present);
        self.changed_by[slot] = tile.changed_by;
    }

    #[cfg_attr(not(feature = "save"), expect(dead_code, reason = "the save file reads all"))]
    pub(crate) fn tile(&self, slot: usize) -> TileRef<'_> {
        TileRef {
            key: self.keys[slot],
            heights: &self.heights[slot * TILE_SAMPLES..][..TILE_SAMPLES],
            present: &self.present[slot * TILE_CELLS..][..TILE_CELLS],
            changed_by: self.changed_by[slot],
        }
    }

    /// The override of one sample.
    pub(crate) fn get(&self, x: i64, z: i64) -> Option<f32> {
        let slot = self.slot([tile_of(x), tile_of(z)])?;
        let [x, z] = [x, z].map(place_in_tile);
        let present = self.present[slot * TILE_CELLS + z] >> x & 1 == 1;
        present.then(|| self.heights[slot * TILE_SAMPLES + z * TILE_CELLS + x])
    }

    /// Puts overrides over the heights of `grid`, rows `row_stride` apart.
    pub(crate) fn overlay(&self, grid: &Grid, out: &mut [f32], row_stride: usize) {
        let [columns, rows] = Line::both(grid);
        self.for_each_over(&columns, &rows, |slot, across, down| {
            self.overlay_tile(slot, across, down, [&columns, &rows], out, row_stride);
        });
    }

    /// The last edit of the tiles that hold a changed sample of `grid`; 0 when none does.
    pub(crate) fn version(&self, grid: &Grid) -> u64 {
        let [columns, rows] = Line::both(grid);
        let mut last = 0;
        self.for_each_over(&columns, &rows, |slot, across, down| {
            if self.changed_by[slot] > last && self.has_any(slot, across, down, [&columns, &rows]) {
                last = self.changed_by[slot];
            }
        });
        last
    }

    /// How far overrides over a grid of stride 1 lie above and below the ground as it was generated, which `generate` fills in: the
    /// heights of the tile whose first sample it is told, row by row.
    pub(crate) fn reach_m(
        &self,
        grid: &Grid,
        mut generate: impl FnMut([i64; 2], &mut [f32; TILE_SAMPLES]),
    ) -> [f64; 2] {
        let [columns, rows] = Line::both(grid);
        let (mut up_m, mut down_m) = (0.0f64, 0.0f64);
        let mut ground = [0.0; TILE_SAMPLES];
        self.for_each_over(&columns, &rows, |slot, across, down| {
            if !self.has_any(slot, across.clone(), down.clone(), [&columns, &rows]) {
                return;
            }
            generate(self.keys[slot].map(|tile| tile * SIDE), &mut ground);
            let first = place_in_tile(columns.at(across.start));
            for z in down.map(|j| place_in_tile(rows.at(j))) {
                let present = self.present[slot * TILE_CELLS + z];
                for x in (first..first + across.len()).filter(|x| present >> x & 1 == 1) {
                    let change_m = f64::from(self.heights[slot * TILE_SAMPLES + z * TILE_CELLS + x])
                        - f64::from(ground[z * TILE_CELLS + x]);
                    (up_m, down_m) = (up_m.max(change_m), down_m.max(-change_m));
                }
            }
        });
        [up_m, down_m]
    }

    /// Visits the tiles over a grid: slot, columns and rows of the grid in it. Looks at the tiles of the pool or at those
    /// of the grid, whichever are fewer.
    fn for_each_over(
        &self,
        columns: &Line,
        rows: &Line,
        mut visit: impl FnMut(usize, Range<usize>, Range<usize>),
    ) {
        if self.used() <= columns.tile_count().saturating_mul(rows.tile_count()) {
            for (slot, [x, z]) in self.keys.iter().enumerate() {
                visit(slot, columns.within(*x), rows.within(*z));
            }
            return;
        }
        for z in (0..rows.tile_count()).map(|j| rows.tile(j)) {
            for x in (0..columns.tile_count()).map(|i| columns.tile(i)) {
                if let Some(slot) = self.slot([x, z]) {
                    visit(slot, columns.within(x), rows.within(z));
                }
            }
        }
    }

    /// Whether one of a grid's samples in a tile is overridden.
    fn has_any(
        &self,
        slot: usize,
        across: Range<usize>,
        mut down: Range<usize>,
        [columns, rows]: [&Line; 2],
    ) -> bool {
        let bits = across.fold(0u32, |bits, i| bits | 1 << place_in_tile(columns.at(i)));
        down.any(|j| self.present[slot * TILE_CELLS + place_in_tile(rows.at(j))] & bits != 0)
    }

    /// The part of one tile: columns `across` and rows `down` of the grid lie in it.
    fn overlay_tile(
        &self,
        slot: usize,
        across: Range<usize>,
        down: Range<usize>,
        [columns, rows]: [&Line; 2],
        out: &mut [f32],
        row_stride: usize,
    ) {
        if across.is_empty() {
            return;
        }
        let stride = columns.stride as usize;
        let x = place_in_tile(columns.at(across.start));
        for j in down {
            let z = place_in_tile(rows.at(j));
            let present = self.present[slot * TILE_CELLS + z];
            if present == 0 {
                continue;
            }
            let heights = &self.heights[slot * TILE_SAMPLES + z * TILE_CELLS..][..TILE_CELLS];
            let out = &mut out[j * row_stride..][across.clone()];
            if stride == 1 && present == u32::MAX {
                out.copy_from_slice(&heights[x..x + out.len()]);
                continue;
            }
            for (i, out) in out.iter_mut().enumerate() {
                let x = x + i * stride;
                if present >> x & 1 == 1 {
                    *out = heights[x];
                }
            }
        }
    }
}

/// The samples of a grid along one axis.
struct Line {
    first: i64,
    count: usize,
    stride: i64,
}

impl Line {
    /// Columns and rows.
    fn both(grid: &Grid) -> [Self; 2] {
        let stride = grid.stride.into();
        [
            Self { first: grid.x, count: grid.width, stride },
            Self { first: grid.z, count: grid.height, stride },
        ]
    }

    fn at(&self, i: usize) -> i64 {
        self.first + i as i64 * self.stride
    }

    /// How many tiles hold a sample of the line.
    fn tile_count(&self) -> usize {
        match self.count {
            0 => 0,
            count if self.stride > SIDE => count,
            count => (tile_of(self.at(count - 1)) - tile_of(self.first) + 1) as usize,
        }
    }

    /// The `i`-th of them.
    fn tile(&self, i: usize) -> i64 {
        if self.stride > SIDE { tile_of(self.at(i)) } else { tile_of(self.first) + i as i64 }
    }

    /// Which samples of the line lie in a tile.
    fn within(&self, tile: i64) -> Range<usize> {
        let from = tile * SIDE - self.first;
        let start = -(-from).div_euclid(self.stride);
        let end = (from + SIDE - 1).div_euclid(self.stride) + 1;
        let count = self.count as i64;
        start.clamp(0, count) as usize..end.clamp(0, count) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_knows_the_tiles_of_its_samples() {
        for stride in [1, 2, 3, 16, 31, 32, 33, 64, 256] {
            for first in [-1000, -33, -32, -1, 0, 5, 31, 32, 1 << 40] {
                let line = Line { first, count: 67, stride };
                let mut want: Vec<i64> = (0..67).map(|i| tile_of(line.at(i))).collect();
                for (i, tile) in want.iter().enumerate() {
                    assert!(line.within(*tile).contains(&i), "sample {i} of {first} by {stride}");
                }
                want.dedup();
                let got: Vec<i64> = (0..line.tile_count()).map(|i| line.tile(i)).collect();
                assert_eq!(got, want, "{first} by {stride}");
                assert!(line.within(want[0] - 1).is_empty());
            }
        }
    }
}

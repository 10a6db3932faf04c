//! What octaves of all kinds on the square lattice share: where samples lie, and seed words.

use terrane_lanes::SimdLevel;

use crate::axis::Need;
use crate::hash::{KX, KY, KZ, octave_offsets, octave_words};
use crate::kinds::AxisPart;
use crate::params::Period;
use crate::phase::{AxisMap, ONE_CELL};
use crate::scratch::OctaveScratch;

/// One octave's number, frequency and share of a fractal, before a kind makes its own of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OctavePlan {
    pub(crate) seed: u64,
    /// 0..16.
    pub(crate) index: u32,
    /// Cells a sample.
    pub(crate) frequency: f64,
    /// `share_k` of docs/NOISE.md: the octave's largest value, a little less than its part of 1.
    pub(crate) share: f64,
    /// Tiling per axis, cells already multiplied for this octave.
    pub(crate) periods: [Option<Period>; 3],
    /// x, y, z, not only x, z.
    pub(crate) three: bool,
}

/// An octave's place on the square lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Square {
    /// Per axis x, y, z.
    pub(crate) maps: [AxisMap; 3],
    /// The same of the maps, as kernels want it.
    pub(crate) cells_per_sample: [f32; 3],
    /// Seed words of the hash.
    pub(crate) words: [u32; 3],
    /// x, y, z, not only x, z.
    pub(crate) three: bool,
}

impl Square {
    pub(crate) fn new(plan: &OctavePlan) -> Self {
        let offsets = octave_offsets(plan.seed, plan.index);
        let step = (plan.frequency * ONE_CELL).round() as u64;
        let map = |axis: usize| match plan.periods[axis] {
            None => AxisMap::Free { step, offset: offsets[axis] },
            Some(Period { cells, samples }) => {
                let offset_cell = (offsets[axis] >> 32) % u64::from(cells);
                let offset = offset_cell << 32 | offsets[axis] & 0xffff_ffff;
                AxisMap::Tiled { cells, samples, offset }
            }
        };
        let maps = std::array::from_fn(map);
        Self {
            maps,
            cells_per_sample: maps.map(|map: AxisMap| map.cells_per_sample()),
            words: octave_words(plan.seed, plan.index),
            three: plan.three,
        }
    }

    /// What [`halves`](crate::kernel::hashing::halves) needs of an axis.
    #[inline(always)]
    pub(crate) fn line(&self, axis: usize) -> (u32, u32, u32) {
        ([KX, KY, KZ][axis], self.words[axis], self.maps[axis].period())
    }

    /// The folded half of a lattice line `after` lines beyond `cell`: what all corners on it share.
    #[inline(always)]
    pub(crate) fn half(&self, axis: usize, cell: u32, after: u32) -> u32 {
        let (k, word, _) = self.line(axis);
        crate::hash::fold(self.cell(axis, cell, after).wrapping_mul(k).wrapping_add(word))
    }

    /// The cell `after` cells beyond `cell`, taken mod the axis's period.
    #[inline(always)]
    pub(crate) fn cell(&self, axis: usize, cell: u32, after: u32) -> u32 {
        let (cell, period) = (cell.wrapping_add(after), self.maps[axis].period());
        if period == 0 { cell } else { cell % period }
    }

    /// True when neighbours along all axes are at most a cell apart: then grid kernels serve them.
    pub(crate) fn shares_cells(&self, stride: u32) -> bool {
        self.maps[0].shares_cells(stride)
            && self.maps[2].shares_cells(stride)
            && (!self.three || self.maps[1].shares_cells(stride))
    }

    /// Fills one axis of an octave.
    pub(crate) fn prepare(&self, level: SimdLevel, part: AxisPart, need: Need, to: &mut OctaveScratch) {
        let OctaveScratch { columns, strip, rows, slice, .. } = to;
        let axis = match part.axis {
            0 => &mut columns[*strip],
            1 => slice,
            _ => rows,
        };
        axis.fill(level, &self.maps[part.axis], (part.first, part.stride), part.n, need);
    }
}

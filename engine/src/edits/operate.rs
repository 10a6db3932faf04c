//! What an edit does, sample by sample.
//!
//! In: the ground, the overrides, an edit. Out: overrides, or an error and no change. The ground before the edit is
//! computed band by band, 32 rows of samples that are one row of tiles, with a row and a column more on every side for
//! smoothing; results go to the tiles, never to the band. Deliberately not here: locks, and any allocation after
//! [`Work::new`].

use std::ops::RangeInclusive;

use terrane_lanes::SimdLevel;
use terrane_noise::{Grid, Scratch};

use super::brush::{PlacedBrush, check_op};
use super::tiles::{TILE_CELLS, Tiles, place_in_tile, tile_of};
use super::types::BRUSH_SAMPLES_MAX;
use super::{Edit, EditError, EditId, EditOp, Edited, SampleRect};
use crate::buffers::Column;
use crate::coords::SAMPLE_LIMIT;
use crate::stages::heights::{Ground, heights};
use crate::surface::Surface;

/// Widest band: a brush, rounded outwards on both sides, and a column more on each.
const WIDTH_MAX: usize = BRUSH_SAMPLES_MAX as usize + 5;
/// Distance of a band's rows.
const ROW: usize = WIDTH_MAX.next_multiple_of(16);
/// Rows of a band with the one above and the one below.
const ROWS_MAX: usize = TILE_CELLS + 2;
/// Samples of a call to the heights' stage.
const PIECE: usize = 128;

/// The world around an edit.
pub(crate) struct Site<'a> {
    pub(crate) ground: &'a Ground,
    pub(crate) level: SimdLevel,
    pub(crate) spacing_m: f64,
    /// The height range.
    pub(crate) low_m: f32,
    pub(crate) high_m: f32,
}

/// Memory that edits work in.
pub(crate) struct Work {
    band: Column<f32>,
    /// The last row of the band before, as it was before the edit.
    above: Vec<f32>,
    scratch: Scratch,
}

impl Work {
    /// A row more than the band has: pieces that begin in the middle of a row end in the middle of the next.
    const BAND_LEN: usize = (ROWS_MAX + 1) * ROW;
    /// What it allocates without the scratch.
    pub(crate) const BYTES: usize = (Self::BAND_LEN + 64 + ROW) * size_of::<f32>();

    pub(crate) fn new(scratch: Scratch) -> Self {
        Self { band: Column::new(Self::BAND_LEN), above: vec![0.0; ROW], scratch }
    }
}

/// An operation with what it needs to know of the ground.
#[derive(Clone, Copy)]
enum Rule {
    Add(f32),
    Toward(f32),
    TowardMean,
}

impl Rule {
    fn new(op: EditOp, flat_m: f32) -> Self {
        match op {
            EditOp::Raise { by_m } => Self::Add(by_m),
            EditOp::Lower { by_m } => Self::Add(-by_m),
            EditOp::Flatten => Self::Toward(flat_m),
            EditOp::Set { height_m } => Self::Toward(height_m),
            EditOp::Smooth => Self::TowardMean,
        }
    }

    /// The new height of sample `i` of the middle of three rows, before the range.
    fn apply(self, weight: f32, rows: [&[f32]; 3], i: usize) -> f32 {
        let before = rows[1][i];
        let toward = |to: f32| if weight == 1.0 { to } else { before + (to - before) * weight };
        match self {
            Self::Add(by_m) => before + weight * by_m,
            Self::Toward(height_m) => toward(height_m),
            Self::TowardMean => {
                let mut sum = 0.0;
                for row in rows {
                    sum += f64::from(row[i - 1]) + f64::from(row[i]) + f64::from(row[i + 1]);
                }
                toward((sum / 9.0) as f32)
            }
        }
    }
}

/// Does an edit, or refuses it and changes nothing.
pub(crate) fn edit(
    site: &Site<'_>,
    tiles: &mut Tiles,
    work: &mut Work,
    edit: &Edit,
    id: EditId,
) -> Result<Edited, EditError> {
    check_op(edit.op)?;
    let brush = PlacedBrush::new(edit, site.spacing_m)?;
    let flat_m = match edit.op {
        EditOp::Flatten => Surface { ground: site.ground, edits: Some(tiles) }.height_at(edit.brush.center),
        _ => 0.0,
    };
    let rect = brush.rect(&site.limit());
    let rule = Rule::new(edit.op, flat_m);
    if rect.min[0] > rect.max[0] || rect.min[1] > rect.max[1] {
        return Ok(Edited { id, touched: None, clamped: 0 });
    }
    let mut sweep = Sweep { site, tiles, work, brush, rect, rule, id };
    // Tiles without a slot that the rectangle meets: if all fit, so do those that change. Else these must be counted.
    if sweep.missing_tiles() > sweep.tiles.free() {
        let needed = sweep.run(false).new_tiles;
        let (free, total) = (sweep.tiles.free(), sweep.tiles.total());
        if needed > free {
            return Err(EditError::PoolFull { needed, free, total });
        }
    }
    let found = sweep.run(true);
    Ok(Edited { id, touched: found.touched, clamped: found.clamped })
}

impl Site<'_> {
    /// The samples that may be touched.
    fn limit(&self) -> SampleRect {
        let all = SAMPLE_LIMIT - 1;
        let (min, max) = match &self.ground.falloff {
            Some(edge) => edge.extent(),
            None => ([-all; 2], [all; 2]),
        };
        SampleRect { min, max }
    }
}

/// What a sweep found.
#[derive(Clone, Copy, Default)]
struct Found {
    touched: Option<SampleRect>,
    clamped: u32,
    /// Tiles without a slot of which a sample changed.
    new_tiles: usize,
}

impl Found {
    fn touch(&mut self, [x, z]: [i64; 2]) {
        let rect = self.touched.get_or_insert(SampleRect { min: [x, z], max: [x, z] });
        rect.min = [rect.min[0].min(x), rect.min[1].min(z)];
        rect.max = [rect.max[0].max(x), rect.max[1].max(z)];
    }
}

/// One pass over a brush's samples.
struct Sweep<'a> {
    site: &'a Site<'a>,
    tiles: &'a mut Tiles,
    work: &'a mut Work,
    brush: PlacedBrush,
    /// Not empty.
    rect: SampleRect,
    rule: Rule,
    id: EditId,
}

impl Sweep<'_> {
    fn tiles_along(&self, axis: usize) -> RangeInclusive<i64> {
        tile_of(self.rect.min[axis])..=tile_of(self.rect.max[axis])
    }

    /// Tiles that the rectangle meets and that have no slot.
    fn missing_tiles(&self) -> usize {
        let missing = |z| self.tiles_along(0).filter(|x| self.tiles.slot([*x, z]).is_none()).count();
        self.tiles_along(1).map(missing).sum()
    }

    /// Goes over the brush and changes samples, or without `write` only looks what would change.
    fn run(&mut self, write: bool) -> Found {
        let mut found = Found::default();
        let SampleRect { min, max } = self.rect;
        for tile_z in self.tiles_along(1) {
            let rows = cut(tile_z, min[1], max[1]);
            self.fill_band(&rows);
            for tile_x in self.tiles_along(0) {
                self.do_tile([tile_x, tile_z], &rows, write, &mut found);
            }
        }
        found
    }

    /// The ground as it was before the edit: `rows` of the rectangle, a row above and below, a column on both sides.
    fn fill_band(&mut self, rows: &RangeInclusive<i64>) {
        let (SampleRect { min, max }, Site { ground, level, .. }) = (self.rect, self.site);
        let Work { band, above, scratch } = &mut *self.work;
        let band = band.as_mut_slice();
        let (width, height) = ((max[0] - min[0]) as usize + 3, (rows.end() - rows.start()) as usize + 3);
        let grid = Grid { x: min[0] - 1, z: rows.start() - 1, width, height, stride: 1 };
        for first in (0..width).step_by(PIECE) {
            let piece = Grid { x: grid.x + first as i64, width: PIECE.min(width - first), ..grid };
            heights(*level, ground, &piece, &mut band[first..], ROW, scratch);
        }
        self.tiles.overlay(&grid, band, ROW);
        if *rows.start() > min[1] {
            // The row above belongs to the band before, whose tiles have changed already.
            band[..ROW].copy_from_slice(above);
        }
        above.copy_from_slice(&band[(height - 2) * ROW..][..ROW]);
    }

    /// The part of the brush in one tile.
    fn do_tile(&mut self, key: [i64; 2], rows: &RangeInclusive<i64>, write: bool, found: &mut Found) {
        let (SampleRect { min, max }, Site { low_m, high_m, .. }) = (self.rect, self.site);
        let band = self.work.band.as_slice();
        let before = self.tiles.slot(key);
        let (mut slot, mut changed) = (before, false);
        for z in rows.clone() {
            let row = (z - rows.start()) as usize;
            let around: [&[f32]; 3] = std::array::from_fn(|r| &band[(row + r) * ROW..][..ROW]);
            let dz = self.brush.offset_z_m(z);
            for x in cut(key[0], min[0], max[0]) {
                let weight = self.brush.weight(x, dz);
                if weight == 0.0 {
                    continue;
                }
                let i = (x - min[0]) as usize + 1;
                let wanted_m = self.rule.apply(weight, around, i);
                let height_m = wanted_m.clamp(*low_m, *high_m);
                found.clamped += u32::from(height_m != wanted_m);
                if height_m.to_bits() == around[1][i].to_bits() {
                    continue;
                }
                changed = true;
                found.touch([x, z]);
                if write {
                    let slot = *slot.get_or_insert_with(|| self.tiles.add(key));
                    self.tiles.set(slot, [x, z].map(place_in_tile), height_m, self.id.0);
                }
            }
        }
        found.new_tiles += usize::from(changed && before.is_none());
    }
}

/// The samples of a tile from `min` to `max`, along one axis.
fn cut(tile: i64, min: i64, max: i64) -> RangeInclusive<i64> {
    let side = TILE_CELLS as i64;
    min.max(tile * side)..=max.min(tile * side + side - 1)
}

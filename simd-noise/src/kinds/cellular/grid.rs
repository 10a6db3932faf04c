//! Cellular noise over a block of an undisplaced grid.
//!
//! The points around a lane and a lattice row are the same for all rows of a cell row: they are hashed once a lattice
//! point and looked up once a lane and lattice row, and a sample is left with nine distances (27 in 3D). The distances
//! and their order are those of the definition in `mod.rs`, so the bits are.

use terrane_lanes::{Aligned, Kernel, Lanes};

use super::{CellularOctave, Found, OWNER};
use crate::kernel::blend::line_count;
use crate::kernel::coherent::column_halves;
use crate::kernel::job::{Block, Job, Samples, Target, vector_start};
use crate::kernel::rows::cell_row_end;
use crate::octave::Square;
use crate::scratch::{LATTICE_COLUMNS, LATTICE_ROWS, LatticeRow, OctaveScratch, ROW, Row, STRIP, boxed};

/// Entries that a lattice row keeps per lane: three points in each of one or three planes, with x and y joined, the
/// place along z, and the number.
const ENTRIES: usize = 27;

/// Tables of the grid kernel.
pub(crate) struct CellularScratch {
    /// Of each lattice point of a plane: place along x, z, y, and its number.
    points: [Box<[LatticeRow; LATTICE_ROWS]>; 4],
    /// Per lattice row `ENTRIES` rows of lanes.
    entries: Vec<Row>,
}

impl CellularScratch {
    pub(crate) fn new() -> Self {
        Self {
            points: std::array::from_fn(|_| boxed(Aligned([0.0; LATTICE_COLUMNS]))),
            entries: vec![ROW; ENTRIES * LATTICE_ROWS],
        }
    }

    /// Of the tables on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * size_of::<[LatticeRow; LATTICE_ROWS]>() + size_of_val(&self.entries[..])
    }
}

/// A block of a grid.
pub(super) struct Grid<'a, 'j, 'to, const THREE: bool, const SQUARED: bool, const KEEP: u8> {
    pub(super) octave: &'a CellularOctave,
    pub(super) job: &'a mut Job<'j, 'to>,
}

impl<const THREE: bool, const SQUARED: bool, const KEEP: u8> Grid<'_, '_, '_, THREE, SQUARED, KEEP> {
    const PLANES: usize = if THREE { 3 } else { 1 };
    /// Rows of lanes that a lattice row has: x and y joined, places along z, and numbers if they count.
    const KINDS: usize = if KEEP == OWNER { 3 } else { 2 };
    const PER_ROW: usize = 3 * Self::PLANES * Self::KINDS;
}

impl<const THREE: bool, const SQUARED: bool, const KEEP: u8> Kernel
    for Grid<'_, '_, '_, THREE, SQUARED, KEEP>
{
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { octave, job } = self;
        let (Some((octaves, work)), Samples::Block(block)) = (&mut job.tables, job.samples) else {
            unreachable!("a block comes with tables")
        };
        let axes = &octaves[job.k];
        let tables = &mut work.cellular;
        let lines = line_count(&axes.rows, block.rows) + 1;
        for plane in 0..Self::PLANES {
            points::<L, THREE>(l, octave, axes, block, plane as u32, lines, &mut tables.points);
            Self::enter_points(l, octave, axes, block, plane, lines, tables);
        }
        let direct = job.out && job.to.value.out.is_some() && block.lanes >= L::N;
        Self::rows(l, octave, axes, block, &tables.entries, (job.add, direct), &mut job.to.value);
        if job.out && !direct {
            job.to.value.copy_out((block.lanes, block.rows));
        }
    }
}

/// The points of one plane: cells from one before the first to one after the last along x and z. Plane 0 is the one
/// below the slice in 3D.
#[inline(always)]
fn points<L: Lanes, const THREE: bool>(
    l: L,
    octave: &CellularOctave,
    axes: &OctaveScratch,
    block: &Block,
    plane: u32,
    lines: usize,
    to: &mut [Box<[LatticeRow; LATTICE_ROWS]>; 4],
) {
    let square = &octave.square;
    let [x, y, z] = [0, 1, 2];
    let column = before(square, x, axes.columns().cell[0]);
    let column_count = line_count(axes.columns(), block.lanes) + 1;
    let halves = column_halves(l, square, (column, column_count));
    let half_plane = if THREE { square.half(y, before(square, y, axes.slice.cell[0]), plane) } else { 0 };
    let row = before(square, z, axes.rows.cell[0]);
    let [to_x, to_z, to_y, to_number] = to;
    for i in 0..lines {
        let half_row = l.splat_u(square.half(z, row, i as u32) ^ half_plane);
        for v in 0..column_count.div_ceil(L::N) {
            let at = v * L::N..(v + 1) * L::N;
            let point = octave.point::<L, THREE>(l, l.load_u(&halves[at.clone()]) ^ half_row);
            l.store(point[0], &mut to_x[i][at.clone()]);
            l.store(point[1], &mut to_z[i][at.clone()]);
            if THREE {
                l.store(point[2], &mut to_y[i][at.clone()]);
            }
            l.store(point[3], &mut to_number[i][at]);
        }
    }
}

/// The cell before `cell`, taken mod the period.
#[inline(always)]
fn before(square: &Square, axis: usize, cell: u32) -> u32 {
    match square.maps[axis].period() {
        0 => cell.wrapping_sub(1),
        period => (cell % period + period - 1) % period,
    }
}

impl<const THREE: bool, const SQUARED: bool, const KEEP: u8> Grid<'_, '_, '_, THREE, SQUARED, KEEP> {
    /// Looks the points of one plane up for each lane and lattice row.
    #[inline(always)]
    fn enter_points<L: Lanes>(
        l: L,
        octave: &CellularOctave,
        axes: &OctaveScratch,
        block: &Block,
        plane: usize,
        lines: usize,
        tables: &mut CellularScratch,
    ) {
        let columns = axes.columns();
        let CellularScratch { points: [xs, zs, ys, numbers], entries } = tables;
        let y = axes.slice.fraction[0] - (plane as f32 - 1.0);
        let mut at = 0;
        while at < block.lanes && at + L::N <= STRIP {
            let cell = columns.cell[at];
            let base = (cell.wrapping_sub(columns.cell[0]) & 127) as usize;
            let index = l.load_u(&columns.cell[at..]) - l.splat_u(cell);
            let f = l.load(&columns.fraction[at..]);
            for (i, entries) in entries.chunks_exact_mut(Self::PER_ROW).enumerate().take(lines) {
                for d in 0..3 {
                    let from = base + d..base + d + L::N;
                    let x = f - l.splat(d as f32 - 1.0);
                    let dx = l.look_up(&xs[i][from.clone()], index) - x;
                    let mut part = octave.size::<L, SQUARED>(l, dx);
                    if THREE {
                        let dy = l.look_up(&ys[i][from.clone()], index) - l.splat(y);
                        part = octave.join::<L, SQUARED>(l, part, octave.size::<L, SQUARED>(l, dy));
                    }
                    let entry = (plane * 3 + d) * Self::KINDS;
                    l.store(part, &mut entries[entry][at..]);
                    l.store(l.look_up(&zs[i][from.clone()], index), &mut entries[entry + 1][at..]);
                    if KEEP == OWNER {
                        l.store(l.look_up(&numbers[i][from], index), &mut entries[entry + 2][at..]);
                    }
                }
            }
            at += L::N;
        }
    }

    /// Cell row by cell row, vector by vector.
    #[inline(always)]
    fn rows<L: Lanes>(
        l: L,
        octave: &CellularOctave,
        axes: &OctaveScratch,
        block: &Block,
        entries: &[Row],
        (add, direct): (bool, bool),
        to: &mut Target<'_>,
    ) {
        let cell = &axes.rows.cell;
        let mut start = 0;
        while start < block.rows {
            let line = cell[start].wrapping_sub(cell[0]) as usize;
            let end = cell_row_end(cell, start, block.rows);
            let around = &entries[line * Self::PER_ROW..(line + 3) * Self::PER_ROW];
            let fractions = &axes.rows.fraction[start..end];
            let mut next = 0;
            while next < block.lanes && next + L::N <= STRIP {
                let at = vector_start(next, L::N, block.lanes, direct);
                Self::samples(l, octave, at, around, fractions, start, (add, direct), to);
                next += L::N;
            }
            start = end;
        }
    }

    /// The rows of one cell row at one vector.
    #[inline(always)]
    fn samples<L: Lanes>(
        l: L,
        octave: &CellularOctave,
        at: usize,
        around: &[Row],
        fractions: &[f32],
        start: usize,
        (add, direct): (bool, bool),
        to: &mut Target<'_>,
    ) {
        // In the plane nine points stay in registers, or nearly; 27 do not.
        let mut kept = [l.splat(0.0); 27];
        if !THREE {
            for (kept, row) in kept.iter_mut().zip(&around[..3 * Self::PER_ROW]) {
                *kept = l.load(&row[at..]);
            }
        }
        for (i, f) in fractions.iter().enumerate() {
            let mut found = Found::none(l);
            if THREE {
                for (line, points) in around.chunks_exact(Self::PER_ROW).enumerate() {
                    let z = l.splat(f - (line as f32 - 1.0));
                    for point in points.chunks_exact(Self::KINDS) {
                        let own = [l.load(&point[0][at..]), l.load(&point[1][at..])];
                        let number = if KEEP == OWNER { l.load(&point[2][at..]) } else { own[0] };
                        Self::point(l, octave, z, own, number, &mut found);
                    }
                }
            } else {
                for line in 0..3 {
                    let z = l.splat(f - (line as f32 - 1.0));
                    for d in 0..3 {
                        let entry = line * Self::PER_ROW + d * Self::KINDS;
                        let number = if KEEP == OWNER { kept[entry + 2] } else { kept[entry] };
                        Self::point(l, octave, z, [kept[entry], kept[entry + 1]], number, &mut found);
                    }
                }
            }
            to.put(l, octave.result::<L, KEEP>(l, found), (start + i, at), add, direct);
        }
    }

    /// One point, of which x and y are joined: how far it is.
    #[inline(always)]
    fn point<L: Lanes>(
        l: L,
        octave: &CellularOctave,
        z: L::F,
        [part, place_z]: [L::F; 2],
        number: L::F,
        found: &mut Found<L::F>,
    ) {
        let size = octave.size::<L, SQUARED>(l, place_z - z);
        found.point::<L, KEEP>(l, octave.join::<L, SQUARED>(l, size, part), number);
    }
}

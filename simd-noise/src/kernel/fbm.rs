//! Fractal sums over a grid and at a point: the order in which the other kernels run.
//!
//! A tile is cut into strips of at most 80 lanes by bands of at most 64 rows, evenly, so that 67 by 67 is one strip
//! by two bands. All octaves of a strip and band run one after the other while its sum stays in L1.

use terrane_lanes::{Kernel, Lanes};

use crate::gradient::weights;
use crate::grid::Grid;
use crate::hash::{half_x, half_z};
use crate::kernel::lattice::{blend_x, gradients, line_count};
use crate::kernel::rows::{self, Target, copy_sum};
use crate::kernel::{axis::axis, corners};
use crate::octave::Octave;
use crate::phase::{Coord, FRACTION, Ramp, cell, phase, phase_at};
use crate::scratch::{Axis, BAND, OCTAVES, STRIP, STRIPS, Scratch};

/// Equal strips of whole 16-lane vectors: the widest level's, so that all levels cut alike.
#[inline(always)]
fn strip_lanes(width: usize) -> usize {
    width.div_ceil(width.div_ceil(STRIP)).next_multiple_of(16)
}

/// Equal bands.
#[inline(always)]
fn band_rows(height: usize) -> usize {
    height.div_ceil(height.div_ceil(BAND))
}

/// fBm over a grid, into rows `row_stride` apart.
pub(crate) struct FbmGrid<'a> {
    pub(crate) octaves: &'a [Octave],
    pub(crate) grid: &'a Grid,
    pub(crate) out: &'a mut [f32],
    pub(crate) row_stride: usize,
    pub(crate) scratch: &'a mut Scratch,
}

impl Kernel for FbmGrid<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { octaves, grid, out, row_stride, scratch } = self;
        let strip = strip_lanes(grid.width);
        for x in (0..grid.width).step_by(strip * STRIPS) {
            let block = Block { x, width: (grid.width - x).min(strip * STRIPS), strip };
            fill_block(l, octaves, grid, &block, out, row_stride, scratch);
        }
    }
}

/// Columns whose axes are prepared together: up to eight strips.
struct Block {
    x: usize,
    width: usize,
    strip: usize,
}

#[inline(always)]
fn fill_block<L: Lanes>(
    l: L,
    octaves: &[Octave],
    grid: &Grid,
    block: &Block,
    out: &mut [f32],
    row_stride: usize,
    scratch: &mut Scratch,
) {
    for (columns, x) in scratch.columns.iter_mut().zip((0..block.width).step_by(block.strip)) {
        let lanes = (block.width - x).min(block.strip);
        for (axes, octave) in columns.iter_mut().zip(octaves) {
            fill_axis(l, octave, 0, grid.column(block.x + x), grid.stride, lanes, axes);
        }
    }
    let band = band_rows(grid.height);
    for z in (0..grid.height).step_by(band) {
        let row_count = (grid.height - z).min(band);
        for (axes, octave) in scratch.rows.iter_mut().zip(octaves) {
            fill_axis(l, octave, 1, grid.row(z), grid.stride, row_count, axes);
        }
        for strip in 0..block.width.div_ceil(block.strip).min(STRIPS) {
            let x = strip * block.strip;
            let lanes = (block.width - x).min(block.strip);
            let out = &mut out[z * row_stride + block.x + x..];
            fill_strip(l, octaves, grid.stride, strip, (row_count, lanes), out, row_stride, scratch);
        }
    }
}

/// One octave's cells and weights along an axis.
#[inline(always)]
fn fill_axis<L: Lanes>(
    l: L,
    octave: &Octave,
    axis_index: usize,
    first: i64,
    stride: u32,
    n: usize,
    to: &mut Axis,
) {
    let start = phase(octave.ramp.step, octave.offsets[axis_index], first);
    if stride == 1 {
        axis(l, &octave.ramp, start, n, to);
    } else {
        let ramp = Ramp::new(octave.ramp.step.wrapping_mul(u64::from(stride)));
        axis(l, &ramp, start, n, to);
    }
}

/// All octaves of one strip and band.
#[inline(always)]
fn fill_strip<L: Lanes>(
    l: L,
    octaves: &[Octave],
    stride: u32,
    strip: usize,
    (row_count, lanes): (usize, usize),
    out: &mut [f32],
    row_stride: usize,
    scratch: &mut Scratch,
) {
    let Scratch { columns, rows, lattice, along, across, sum } = scratch;
    let columns: &[Axis; OCTAVES] = &columns[strip];
    let mut to = Target { sum, out, row_stride };
    let vectors = lanes.div_ceil(L::N);
    for (k, ((octave, columns), rows)) in octaves.iter().zip(columns).zip(rows.iter()).enumerate() {
        let (first, last) = (k == 0, k + 1 == octaves.len());
        if octave.shares_cells(stride) {
            let (column_count, line_count) = (line_count(columns, lanes), line_count(rows, row_count));
            let (column, row) = ((columns.cell[0], column_count), (rows.cell[0], line_count));
            gradients(l, octave, column, row, lattice);
            blend_x(l, columns, vectors, lattice, line_count, along, across);
            rows::octave(l, (first, last), rows, (row_count, lanes), (along, across), &mut to);
        } else {
            if first {
                corners::octave::<L, true>(l, octave, columns, rows, (row_count, vectors), to.sum);
            } else {
                corners::octave::<L, false>(l, octave, columns, rows, (row_count, vectors), to.sum);
            }
            if last {
                copy_sum(&mut to, row_count, 0..lanes);
            }
        }
    }
}

/// fBm at one position.
pub(crate) struct FbmPoint<'a> {
    pub(crate) octaves: &'a [Octave],
    pub(crate) x: Coord,
    pub(crate) z: Coord,
}

impl Kernel for FbmPoint<'_> {
    type Output = f32;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f32 {
        let mut sum = l.splat(0.0);
        for (k, octave) in self.octaves.iter().enumerate() {
            let x = phase_at(octave.ramp.step, octave.offsets[0], self.x);
            let z = phase_at(octave.ramp.step, octave.offsets[1], self.z);
            let column = (l.splat_u(half_x(cell(x), octave.words[0])), weights(l, fraction(l, x)));
            let row = (l.splat_u(half_z(cell(z), octave.words[1])), weights(l, fraction(l, z)));
            let n = corners::sample(l, octave, column, row);
            // 0 + n is not n when n is -0.
            sum = if k == 0 { n } else { sum + n };
        }
        let mut out = [0.0; 16];
        l.store(sum, &mut out);
        out[0]
    }
}

#[inline(always)]
fn fraction<L: Lanes>(l: L, phase: u64) -> L::F {
    l.to_f(l.splat_u(phase as u32 >> 8)) * l.splat(FRACTION)
}

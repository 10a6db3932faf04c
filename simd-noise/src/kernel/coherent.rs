//! The grid kernel: a strip and a band at once.
//!
//! Gradient and value noise are separable (docs/NOISE.md). What the corners of a cell give is blended along x once a
//! *lattice row* and lane, in 3D along y once a slice, and a sample is left with the blend along z. Lattice points
//! are hashed once each. The operations and their order are those of the kind's definition, so `pointwise.rs` gives
//! the same bits.

use terrane_lanes::{Aligned, Kernel, Lanes, SimdLevel};

use crate::axis::Axis;
use crate::kernel::blend::{Along, Blend, blend, line_count};
use crate::kernel::fold::{self, SliceWeights};
use crate::kernel::job::{Job, Samples, Target, Targets};
use crate::kernel::pointwise::Sample;
use crate::kernel::rows::{self, Band};
use crate::octave::Square;
use crate::scratch::{Blends, LATTICE_COLUMNS, Lattice, LatticeTable, OctaveScratch, Plane, Work};

/// A kind whose samples are blends of numbers at lattice points.
pub(crate) trait LatticeKind: Sample {
    /// True for gradients, with a part for each axis; false for one value a point.
    const GRADIENT: bool;
    /// The numbers of `columns.1` by `rows.1` points from cell `(columns.0, rows.0)` on, in 3D in plane `plane`.
    fn corners<L: Lanes>(
        &self,
        l: L,
        columns: (u32, usize),
        rows: (u32, usize),
        plane: Option<u32>,
        to: &mut Lattice,
    );
}

/// [`Octave`](crate::kinds::Octave) of a kind that blends numbers at the points of its `square: Square`.
macro_rules! on_shared_cells {
    () => {
        fn coherent(&self, stride: u32) -> bool {
            self.square.shares_cells(stride)
        }

        fn prepare(
            &self,
            level: terrane_lanes::SimdLevel,
            part: $crate::kinds::AxisPart,
            coherent: bool,
            slopes: bool,
            to: &mut $crate::scratch::OctaveScratch,
        ) {
            let need = if coherent { $crate::axis::Need::blends(slopes) } else { $crate::axis::Need::Places };
            self.square.prepare(level, part, need, to);
        }

        fn run(&self, job: &mut $crate::kernel::job::Job<'_, '_>) {
            if job.coherent {
                $crate::kernel::coherent::run(self, job);
            } else {
                $crate::kernel::pointwise::run(self, job);
            }
        }
    };
}
pub(crate) use on_shared_cells;

/// Fills a job's block of an undisplaced grid whose samples share cells.
///
/// Each step is a kernel of its own, so that all but the corners are compiled once for all kinds: docs/decisions/0004.
pub(crate) fn run<K: LatticeKind>(octave: &K, job: &mut Job<'_, '_>) {
    let Some((octaves, work)) = &mut job.tables else { unreachable!("a block comes with tables") };
    let axes = &mut octaves[job.k];
    let call = Call {
        level: job.level,
        gradient: K::GRADIENT,
        slopes: job.slopes,
        add: job.add,
        out: job.out,
        extent: Extent::of(job.samples, axes),
    };
    if octave.three() {
        deep(octave, &call, axes, work, job.to);
    } else {
        flat(octave, &call, axes, work, job.to);
    }
}

/// What all steps of a call share.
struct Call {
    level: SimdLevel,
    gradient: bool,
    slopes: bool,
    add: bool,
    out: bool,
    extent: Extent,
}

/// Lanes, rows, and lattice lines under them.
#[derive(Clone, Copy)]
struct Extent {
    lanes: usize,
    rows: usize,
    columns: (u32, usize),
    lines: (u32, usize),
}

impl Extent {
    fn of(samples: Samples<'_>, octave: &OctaveScratch) -> Self {
        let (lanes, rows) = samples.size();
        Self {
            lanes,
            rows,
            columns: (octave.columns().cell[0], line_count(octave.columns(), lanes)),
            lines: (octave.rows.cell[0], line_count(&octave.rows, rows)),
        }
    }
}

/// Two dimensions.
fn flat<K: LatticeKind>(
    octave: &K,
    call: &Call,
    axes: &OctaveScratch,
    work: &mut Work,
    to: &mut Targets<'_>,
) {
    let Work { lattice, blends, .. } = work;
    call.blends(octave, None, axes, lattice, blends);
    let (e, g) = (&*blends.value[0], &*blends.value[2]);
    call.rows(axes, false, (e, g), &mut to.value);
    if call.slopes {
        let [to_x, _, to_z] = &mut to.slopes;
        call.rows(axes, false, (&blends.slope[0], &blends.slope[2]), to_x);
        call.rows(axes, true, (e, g), to_z);
    }
}

/// Three dimensions: one slice.
fn deep<K: LatticeKind>(
    octave: &K,
    call: &Call,
    axes: &mut OctaveScratch,
    work: &mut Work,
    to: &mut Targets<'_>,
) {
    let mut planes = axes.planes.take().expect("3D octaves have planes");
    call.planes(octave, axes, &mut planes, &mut work.lattice);
    let slice = &axes.slice;
    let value = [slice.value.q0[0], slice.value.p0[0], slice.value.q1[0], slice.value.p1[0]];
    let slope = [slice.slope.q0[0], slice.slope.p0[0], slice.slope.q1[0], slice.slope.p1[0]];
    let [along, across] = &mut work.folds;
    call.fold(value, false, &planes, along, across);
    call.rows(axes, false, (along, across), &mut to.value);
    if call.slopes {
        let [to_x, to_y, to_z] = &mut to.slopes;
        call.rows(axes, true, (along, across), to_z);
        call.fold(slope, false, &planes, along, across);
        call.rows(axes, false, (along, across), to_y);
        call.fold(value, true, &planes, along, across);
        call.rows(axes, false, (along, across), to_x);
    }
    axes.planes = Some(planes);
}

impl Call {
    /// Numbers at lattice points, each part blended along x: E, H and G of docs/NOISE.md.
    fn blends<K: LatticeKind>(
        &self,
        octave: &K,
        plane: Option<u32>,
        axes: &OctaveScratch,
        lattice: &mut Lattice,
        to: &mut Blends,
    ) {
        let (extent, columns) = (&self.extent, axes.columns());
        if self.slopes {
            self.level.dispatch(Tables::<K, true> { octave, extent, plane, columns, lattice, to });
        } else {
            self.level.dispatch(Tables::<K, false> { octave, extent, plane, columns, lattice, to });
        }
    }

    /// The rows pass with one set of tables, with the rows' weights or their slopes.
    fn rows(
        &self,
        axes: &OctaveScratch,
        slope: bool,
        (along, across): (&LatticeTable, &LatticeTable),
        to: &mut Target<'_>,
    ) {
        let rows = &axes.rows;
        let weights = if slope { &rows.slope } else { &rows.value };
        let band = Band { cell: &rows.cell, weights, row_count: self.extent.rows, along, across };
        let (mode, lanes) = ((self.add, self.out), self.extent.lanes);
        if self.gradient {
            self.level.dispatch(RowsPass::<true> { mode, lanes, band: &band, to });
        } else {
            self.level.dispatch(RowsPass::<false> { mode, lanes, band: &band, to });
        }
    }

    /// Makes the planes around the slice, keeping what the slice before left.
    fn planes<K: LatticeKind>(
        &self,
        octave: &K,
        axes: &OctaveScratch,
        planes: &mut [Plane; 2],
        lattice: &mut Lattice,
    ) {
        let below = axes.slice.cell[0];
        let above = below.wrapping_add(1);
        if planes[0].cell != Some(below) && planes[1].cell == Some(below) {
            planes.swap(0, 1);
        }
        for (plane, cell) in planes.iter_mut().zip([below, above]) {
            if plane.cell != Some(cell) {
                self.blends(octave, Some(cell), axes, lattice, &mut plane.blends);
                plane.cell = Some(cell);
            }
        }
    }

    /// Both planes into the tables of the slice, from the blends along x or from their slopes.
    fn fold(
        &self,
        weights: SliceWeights,
        slope: bool,
        [below, above]: &[Plane; 2],
        along: &mut LatticeTable,
        across: &mut LatticeTable,
    ) {
        let planes = if slope {
            (&below.blends.slope, &above.blends.slope)
        } else {
            (&below.blends.value, &above.blends.value)
        };
        let size = (self.extent.lanes, self.extent.lines.1);
        self.level.dispatch(Fold { gradient: self.gradient, weights, planes, size, along, across });
    }
}

struct Tables<'a, K, const SLOPES: bool> {
    octave: &'a K,
    extent: &'a Extent,
    plane: Option<u32>,
    columns: &'a Axis,
    lattice: &'a mut Lattice,
    to: &'a mut Blends,
}

impl<K: LatticeKind, const SLOPES: bool> Kernel for Tables<'_, K, SLOPES> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Extent { lanes, columns, lines, .. } = *self.extent;
        self.octave.corners(l, columns, lines, self.plane, self.lattice);
        let Blends { value: [e, h, g], slope: [ex, hx, gx] } = self.to;
        let [x, y, z] = &self.lattice.parts;
        let mut parts = [
            (if K::GRADIENT { Along::P } else { Along::Q }, x, e, ex),
            (Along::Q, z, g, gx),
            (Along::Q, y, h, hx),
        ];
        let count = if !K::GRADIENT {
            1
        } else if self.plane.is_none() {
            2
        } else {
            3
        };
        for (along, part, value, slope) in parts.iter_mut().take(count) {
            let blend =
                Blend { columns: self.columns, along: *along, lanes, part, rows: lines.1, value, slope };
            self::blend::<L, SLOPES>(l, blend);
        }
    }
}

struct RowsPass<'a, 'to, const GRADIENT: bool> {
    mode: (bool, bool),
    lanes: usize,
    band: &'a Band<'a>,
    to: &'a mut Target<'to>,
}

impl<const GRADIENT: bool> Kernel for RowsPass<'_, '_, GRADIENT> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        rows::octave::<L, GRADIENT>(l, self.mode, self.lanes, self.band, self.to);
    }
}

struct Fold<'a> {
    gradient: bool,
    weights: SliceWeights,
    planes: (&'a [Box<LatticeTable>; 3], &'a [Box<LatticeTable>; 3]),
    size: (usize, usize),
    along: &'a mut LatticeTable,
    across: &'a mut LatticeTable,
}

impl Kernel for Fold<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let ([e0, h0, g0], [e1, h1, g1]) = self.planes;
        if self.gradient {
            fold::gradient(l, self.weights, ((e0, h0), (e1, h1)), self.size, self.along);
            fold::value(l, self.weights, (g0, g1), self.size, self.across);
        } else {
            fold::value(l, self.weights, (e0, e1), self.size, self.along);
        }
    }
}

/// The folded halves of lattice lines along x, for [`LatticeKind::corners`].
#[inline(always)]
pub(crate) fn column_halves<L: Lanes>(
    l: L,
    square: &Square,
    (first, count): (u32, usize),
) -> Aligned<[u32; LATTICE_COLUMNS]> {
    let mut halves = Aligned([0u32; LATTICE_COLUMNS]);
    let (k, word, period) = square.line(0);
    if period == 0 {
        for (v, half) in halves.chunks_exact_mut(L::N).take(count.div_ceil(L::N)).enumerate() {
            let cell = l.splat_u(first.wrapping_add((v * L::N) as u32)) + l.iota();
            l.store_u(crate::kernel::hashing::fold::<L>(cell * l.splat_u(k) + l.splat_u(word)), half);
        }
    } else {
        for (i, half) in halves.iter_mut().enumerate().take(count) {
            *half = square.half(0, first, i as u32);
        }
    }
    halves
}

//! The general kernel: samples one by one, at any place.
//!
//! For displaced positions, scattered points, octaves above one cell a sample and kinds without a grid kernel. A kind
//! says what one sample is; where a grid kernel serves the kind too, the operations and their order are the same, so
//! the choice never changes a bit.

use std::ops::Range;

use terrane_lanes::{Kernel, Lanes, Two};

use crate::kernel::job::{Displacement, Job, Samples, Tables, Targets, vector_start};
use crate::phase::Coord;
use crate::scratch::{OctaveScratch, PlaceRow, STRIP};

/// Where one vector of samples lies on one axis.
#[derive(Clone, Copy)]
pub(crate) struct Place<U, F> {
    pub(crate) cell: U,
    pub(crate) fraction: F,
}

/// Places of one vector, x, y, z.
pub(crate) type At<L> = [Place<<L as Lanes>::U, <L as Lanes>::F>; 3];

/// One octave of a kind, sample by sample: the definition of the kind.
pub(crate) trait Sample {
    /// What finding places takes and all rows of a block share.
    type Shared;
    /// Makes it, once a block.
    fn share<L: Lanes, const THREE: bool>(&self, l: L, samples: Samples<'_>) -> Self::Shared;
    /// The places of scattered points, at most 80.
    fn scatter(&self, points: &[[Coord; 3]], to: &mut PlaceRow);
    /// What finding places takes and all vectors of a row share.
    type Row<L: Lanes>: Copy;
    /// Makes it, once a row.
    fn row<L: Lanes>(&self, l: L, row: &RowOf<'_>) -> Self::Row<L>;
    /// The places of one vector, from lane `at` of a row on; points have been scattered into `places`.
    fn place<L: Lanes, const THREE: bool>(
        &self,
        l: L,
        shared: (&Self::Shared, &Self::Row<L>),
        row: &RowOf<'_>,
        places: &PlaceRow,
        at: usize,
    ) -> At<L>;
    /// True where there are x, y and z, not only x and z.
    fn three(&self) -> bool;
    /// The noise.
    fn value<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> L::F;
    /// True where chains of dependent operations are so long that two vectors at once are faster. Measured: simplex gains a
    /// tenth on AVX-512 and a quarter on AVX2, warped Perlin noise a tenth on AVX-512.
    const TWO: bool = false;
    /// The same for slopes in space, of vectors of 8 lanes. Measured: two of simplex on the `wide` level are 40 KiB of code in
    /// one loop, more than the instruction cache, and a third as fast as one; on AVX2 they are as fast.
    const TWO_OF_EIGHT_WITH_SLOPES_IN_SPACE: bool = Self::TWO;
    /// What is compiled apart: simplex in the plane and moved Perlin noise gain.
    const APART: Apart = Apart::Nothing;
    /// False where slopes are 0 everywhere, or there are none.
    const SLOPES: bool = true;
    /// The noise and its slopes a sample along x, y, z, before any displacement's own slopes.
    #[inline(always)]
    fn value_and_slopes<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> [L::F; 4] {
        let zero = l.splat(0.0);
        [self.value::<L, THREE>(l, at), zero, zero, zero]
    }
}

/// Samples for which a kind is compiled apart: no vector asks where it comes from. Only where that pays, since it is the kernel
/// once more at every level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Apart {
    Nothing,
    /// Blocks of a grid that are not moved.
    Still,
    /// Blocks of a grid that are moved.
    Moved,
}

/// One row of some samples, and how far it is moved.
#[derive(Clone, Copy)]
pub(crate) struct RowOf<'a> {
    pub(crate) samples: Samples<'a>,
    pub(crate) axes: Option<&'a OctaveScratch>,
    pub(crate) row: usize,
    pub(crate) displacement: Option<Displacement<'a>>,
}

/// [`Sample`]'s places for a kind that has a `square: Square`.
macro_rules! on_the_square_lattice {
    () => {
        type Shared = ();

        #[inline(always)]
        fn share<L: Lanes, const THREE: bool>(&self, _: L, _: $crate::kernel::job::Samples<'_>) {}

        type Row<L: Lanes> = ();

        #[inline(always)]
        fn row<L: Lanes>(&self, _: L, _: &$crate::kernel::pointwise::RowOf<'_>) {}

        fn scatter(&self, points: &[[$crate::phase::Coord; 3]], to: &mut $crate::scratch::PlaceRow) {
            self.square.scatter(points, to);
        }

        #[inline(always)]
        fn place<L: Lanes, const THREE: bool>(
            &self,
            l: L,
            _: (&(), &()),
            row: &$crate::kernel::pointwise::RowOf<'_>,
            places: &$crate::scratch::PlaceRow,
            at: usize,
        ) -> $crate::kernel::pointwise::At<L> {
            $crate::kernel::places::square::<L, THREE>(l, &self.square, row, places, at)
        }

        fn three(&self) -> bool {
            self.square.three
        }
    };
}
pub(crate) use on_the_square_lattice;

/// Fills a job's samples one by one.
pub(crate) fn run<S: Sample>(octave: &S, job: &mut Job<'_, '_>) {
    let (level, slopes) = (job.level, job.slopes && S::SLOPES);
    if job.slopes && !S::SLOPES {
        flat_slopes(job);
    }
    if let Samples::Points(points) = job.samples {
        octave.scatter(points, job.places);
    }
    match (octave.three(), slopes) {
        (false, false) => level.dispatch(Pointwise::<S, false, false> { octave, job }),
        (true, false) => level.dispatch(Pointwise::<S, true, false> { octave, job }),
        (three, true) => {
            // Not even compiled where there are no slopes.
            if S::SLOPES {
                if three {
                    level.dispatch(Pointwise::<S, true, true> { octave, job });
                } else {
                    level.dispatch(Pointwise::<S, false, true> { octave, job });
                }
            }
        }
    }
}

/// Slopes that are 0 everywhere.
fn flat_slopes(job: &mut Job<'_, '_>) {
    let (lanes, rows) = job.samples.size();
    if !job.add {
        for slope in &mut job.to.slopes {
            for row in slope.rows.iter_mut().take(rows) {
                row[..lanes].fill(0.0);
            }
        }
    }
}

struct Pointwise<'a, 'j, 'to, S, const THREE: bool, const SLOPES: bool> {
    octave: &'a S,
    job: &'a mut Job<'j, 'to>,
}

impl<S: Sample, const THREE: bool, const SLOPES: bool> Kernel for Pointwise<'_, '_, '_, S, THREE, SLOPES> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { octave, job } = self;
        let Job { samples, displacement, add, out, k, places, tables, to, .. } = job;
        let of = RowOf { samples: *samples, axes: axes_of(tables, *k), row: 0, displacement: *displacement };
        let rows = Rows { octave, places, add: *add, out: *out };
        // The same call thrice: in a branch of its own the compiler knows where samples come from, and does not ask in the loop.
        // Slopes have none, nor has simplex in space: it gained nothing.
        match of {
            RowOf { samples: Samples::Block(_), displacement: None, .. }
                if S::APART == Apart::Still && !THREE && !SLOPES =>
            {
                rows.run::<L, THREE, SLOPES>(l, of, to);
            }
            RowOf { samples: Samples::Block(_), axes: Some(_), displacement: Some(_), .. }
                if S::APART == Apart::Moved && !SLOPES =>
            {
                rows.run::<L, THREE, SLOPES>(l, of, to);
            }
            _ => rows.run::<L, THREE, SLOPES>(l, of, to),
        }
    }
}

/// Fills all rows of some samples.
struct Rows<'a, S> {
    octave: &'a S,
    places: &'a PlaceRow,
    add: bool,
    out: bool,
}

impl<S: Sample> Rows<'_, S> {
    #[inline(always)]
    fn run<L: Lanes, const THREE: bool, const SLOPES: bool>(self, l: L, of: RowOf<'_>, to: &mut Targets<'_>) {
        let Self { octave, places, add, out } = self;
        let (lanes, rows) = of.samples.size();
        let shared = octave.share::<L, THREE>(l, of.samples);
        // By pairs of vectors as far as they go.
        let two = if THREE && SLOPES && L::N == 8 { S::TWO_OF_EIGHT_WITH_SLOPES_IN_SPACE } else { S::TWO };
        // A strip narrower than a vector goes through the targets' rows.
        let direct = out && to.all_out(SLOPES) && lanes >= L::N;
        for row in 0..rows {
            let of = RowOf { row, ..of };
            let part = Part { octave, shared: &shared, of: &of, places, add, direct };
            let mut next = 0;
            if two {
                next = lanes / (2 * L::N) * (2 * L::N);
                part.run::<Two<L>, THREE, SLOPES>(Two(l), 0..next, to);
            }
            part.run::<L, THREE, SLOPES>(l, next..lanes, to);
        }
        if out && !direct {
            to.copy_out((lanes, rows));
        } else if out && !SLOPES {
            // Slopes that are 0 everywhere lie in the rows.
            for slope in &mut to.slopes {
                slope.copy_out((lanes, rows));
            }
        }
    }
}

/// Some lanes of a row.
struct Part<'a, S: Sample> {
    octave: &'a S,
    shared: &'a S::Shared,
    of: &'a RowOf<'a>,
    places: &'a PlaceRow,
    add: bool,
    direct: bool,
}

impl<S: Sample> Part<'_, S> {
    #[inline(always)]
    fn run<L: Lanes, const THREE: bool, const SLOPES: bool>(
        &self,
        l: L,
        lanes: Range<usize>,
        to: &mut Targets<'_>,
    ) {
        let &Self { octave, shared, of, places, add, direct } = self;
        let Targets { value: to_value, slopes: [to_x, to_y, to_z] } = to;
        let row = octave.row(l, of);
        let mut next = lanes.start;
        while next < lanes.end && next + L::N <= STRIP {
            let at = vector_start(next, L::N, lanes.end, direct);
            let here = octave.place::<L, THREE>(l, (shared, &row), of, places, at);
            if SLOPES {
                let [n, x, y, z] = octave.value_and_slopes::<L, THREE>(l, &here);
                to_value.put(l, n, (of.row, at), add, direct);
                to_x.put(l, x, (of.row, at), add, direct);
                if THREE {
                    to_y.put(l, y, (of.row, at), add, direct);
                }
                to_z.put(l, z, (of.row, at), add, direct);
            } else {
                let n = octave.value::<L, THREE>(l, &here);
                to_value.put(l, n, (of.row, at), add, direct);
            }
            next += L::N;
        }
    }
}

/// The axes of octave `k`, if there are tables.
fn axes_of<'a>(tables: &'a Tables<'_>, k: usize) -> Option<&'a OctaveScratch> {
    tables.as_ref().map(|(octaves, _)| &octaves[k])
}

/// A vector of scattered places along one axis.
#[inline(always)]
pub(crate) fn load_place<L: Lanes>(l: L, places: &PlaceRow, axis: usize, at: usize) -> Place<L::U, L::F> {
    Place { cell: l.load_u(&places.cell[axis][at..]), fraction: l.load(&places.fraction[axis][at..]) }
}

//! What an octave is asked to do: which samples, where they go, and the memory to work in.

use terrane_lanes::{Lanes, SimdLevel};

use crate::phase::Coord;
use crate::scratch::{OctaveScratch, PlaceRow, Row, Work};

/// The samples of a strip and a band, in one slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Index of the first sample.
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) z: i64,
    pub(crate) stride: u32,
    /// Samples along x, 1 ..= 80.
    pub(crate) lanes: usize,
    /// Rows along z, 1 ..= 64.
    pub(crate) rows: usize,
}

/// Which samples.
#[derive(Clone, Copy)]
pub(crate) enum Samples<'a> {
    /// A block of a grid.
    Block(&'a Block),
    /// At most 80 places, as one row.
    Points(&'a [[Coord; 3]]),
}

impl Samples<'_> {
    /// Lanes and rows.
    #[inline(always)]
    pub(crate) fn size(&self) -> (usize, usize) {
        match self {
            Self::Block(block) => (block.lanes, block.rows),
            Self::Points(points) => (points.len(), 1),
        }
    }
}

/// How far the samples are moved, in samples of the full resolution along x, y and z.
pub(crate) type Displacement<'a> = [&'a [Row]; 3];

/// Rows of a strip, and the caller's rows where they go straight there.
pub(crate) struct Target<'a> {
    /// The strip's rows; sums are held here.
    pub(crate) rows: &'a mut [Row],
    /// The caller's rows, from the strip's first sample on, and their distance.
    pub(crate) out: Option<(&'a mut [f32], usize)>,
}

impl<'a> Target<'a> {
    pub(crate) fn rows(rows: &'a mut [Row]) -> Self {
        Self { rows, out: None }
    }

    /// With the caller's rows from `first` on, if there are any.
    pub(crate) fn new(rows: &'a mut [Row], out: &'a mut [f32], first: usize, row_stride: usize) -> Self {
        let out = if out.is_empty() { None } else { Some((&mut out[first..], row_stride)) };
        Self { rows, out }
    }

    /// Sets a vector of row `row`, or adds to it, and puts it into the caller's rows if `direct`. The rows then stay as they
    /// are, so a vector may overlap the one before it.
    #[inline(always)]
    pub(crate) fn put<L: Lanes>(
        &mut self,
        l: L,
        n: L::F,
        (row, at): (usize, usize),
        add: bool,
        direct: bool,
    ) {
        let rows = &mut self.rows[row];
        let n = if add { l.load(&rows[at..]) + n } else { n };
        match &mut self.out {
            Some((out, stride)) if direct => l.store(n, &mut out[row * *stride + at..]),
            _ => l.store(n, &mut rows[at..]),
        }
    }

    /// Copies what the rows hold to the caller's rows.
    pub(crate) fn copy_out(&mut self, (lanes, row_count): (usize, usize)) {
        let Some((out, stride)) = &mut self.out else { return };
        for (row, out) in self.rows.iter().take(row_count).zip(out.chunks_mut(*stride)) {
            out[..lanes].copy_from_slice(&row[..lanes]);
        }
    }
}

/// Value and slopes along x, y, z. What is not asked for has no rows.
pub(crate) struct Targets<'a> {
    pub(crate) value: Target<'a>,
    pub(crate) slopes: [Target<'a>; 3],
}

impl Targets<'_> {
    /// True when all that is asked for has rows of the caller. Vectors may only overlap where none goes to the targets' own
    /// rows, which they would add to twice.
    pub(crate) fn all_out(&self, slopes: bool) -> bool {
        let slopes = if slopes { &self.slopes[..] } else { &[] };
        self.value.out.is_some() && slopes.iter().all(|to| to.rows.is_empty() || to.out.is_some())
    }

    /// Copies what was asked for to the caller's rows.
    pub(crate) fn copy_out(&mut self, size: (usize, usize)) {
        self.value.copy_out(size);
        for slope in &mut self.slopes {
            slope.copy_out(size);
        }
    }
}

/// Axes of each octave, and the tables that octaves share; none for points.
pub(crate) type Tables<'a> = Option<(&'a mut [OctaveScratch], &'a mut Work)>;

/// Some samples, and what to do with one octave there. One job serves all octaves of a noise, one after the other.
pub(crate) struct Job<'a, 'to> {
    pub(crate) level: SimdLevel,
    pub(crate) samples: Samples<'a>,
    pub(crate) displacement: Option<Displacement<'a>>,
    /// Slopes too.
    pub(crate) slopes: bool,
    pub(crate) places: &'a mut PlaceRow,
    pub(crate) tables: Tables<'a>,
    pub(crate) to: &'a mut Targets<'to>,
    /// Which octave.
    pub(crate) k: usize,
    /// The samples form an undisplaced grid that the octave has a grid kernel for.
    pub(crate) coherent: bool,
    /// Add to the targets' rows instead of setting them.
    pub(crate) add: bool,
    /// The result goes to the caller's rows where a target has them; the target's rows then hold anything.
    pub(crate) out: bool,
}

/// Where vectors of `n` lanes begin in a row of `lanes`: one after the other, and, where the caller's rows are written, a
/// ragged last one at the row's end.
#[inline(always)]
pub(crate) fn vector_start(at: usize, n: usize, lanes: usize, direct: bool) -> usize {
    if direct && at + n > lanes { lanes - n } else { at }
}

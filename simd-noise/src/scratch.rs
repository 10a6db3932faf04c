//! The memory that kernels work in: made once, passed in, grown only when a larger noise or program comes.

use terrane_lanes::Aligned;

use crate::axis::Axis;
use crate::kinds::CellularScratch;
use crate::program::LeafMemory;
use crate::source::{Aside, Memory, Source};

/// Lanes of a strip. Strips and bands keep an octave's tables in L1.
pub(crate) const STRIP: usize = 80;
/// Strips whose columns are kept while the bands go by.
pub(crate) const STRIPS: usize = 8;
/// Rows of a band.
pub(crate) const BAND: usize = 64;
/// Lattice rows that a band touches at one cell a sample.
pub(crate) const LATTICE_ROWS: usize = BAND + 2;
/// Lattice columns kept: a strip's 82, and what full vectors read beyond them.
pub(crate) const LATTICE_COLUMNS: usize = 160;

/// One f32 a lane of a strip (or a row of a band).
pub(crate) type Row = Aligned<[f32; STRIP]>;
/// One word a lane of a strip (or a row of a band).
pub(crate) type WordRow = Aligned<[u32; STRIP]>;
/// One number a lattice column.
pub(crate) type LatticeRow = Aligned<[f32; LATTICE_COLUMNS]>;
/// One row for each lattice row of a band.
pub(crate) type LatticeTable = [Row; LATTICE_ROWS];

pub(crate) const ROW: Row = Aligned([0.0; STRIP]);

/// Numbers at the lattice points under a strip and a band: the parts of gradients along x, y, z, or one value each.
pub(crate) struct Lattice {
    pub(crate) parts: [Box<[LatticeRow; LATTICE_ROWS]>; 3],
}

/// Lattice numbers blended along x, per lattice row and lane: E, G and H of docs/NOISE.md, with the weights along x or
/// with their slopes.
pub(crate) struct Blends {
    pub(crate) value: [Box<LatticeTable>; 3],
    pub(crate) slope: [Box<LatticeTable>; 3],
}

impl Blends {
    /// Of the tables on the heap.
    const BYTES: usize = 6 * size_of::<LatticeTable>();

    fn new() -> Self {
        Self { value: std::array::from_fn(|_| boxed(ROW)), slope: std::array::from_fn(|_| boxed(ROW)) }
    }
}

/// One lattice plane of an octave in 3D, kept from slice to slice.
pub(crate) struct Plane {
    /// The plane's cell along y, if there is anything in it.
    pub(crate) cell: Option<u32>,
    pub(crate) blends: Blends,
}

impl Plane {
    fn new() -> Self {
        Self { cell: None, blends: Blends::new() }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + Blends::BYTES
    }
}

/// What one octave keeps while a strip, a band and a slice go by.
pub(crate) struct OctaveScratch {
    /// One entry a strip of a group.
    pub(crate) columns: Box<[Axis]>,
    /// Which of them the block takes.
    pub(crate) strip: usize,
    pub(crate) rows: Axis,
    /// One entry: the slice.
    pub(crate) slice: Axis,
    /// The lattice planes below and above the slice; none in 2D.
    pub(crate) planes: Option<Box<[Plane; 2]>>,
}

impl OctaveScratch {
    fn new() -> Self {
        Self {
            columns: vec![Axis::new(); STRIPS].into_boxed_slice(),
            strip: 0,
            rows: Axis::new(),
            slice: Axis::new(),
            planes: None,
        }
    }

    /// The block's strip.
    #[inline(always)]
    pub(crate) fn columns(&self) -> &Axis {
        &self.columns[self.strip]
    }
}

/// Where the samples of one row lie in an octave's lattice: x, y, z; y is unused in 2D.
pub(crate) struct PlaceRow {
    pub(crate) cell: [WordRow; 3],
    pub(crate) fraction: [Row; 3],
}

impl PlaceRow {
    pub(crate) const fn new() -> Self {
        Self { cell: [const { Aligned([0; STRIP]) }; 3], fraction: [ROW; 3] }
    }
}

/// Tables that every octave uses anew.
pub(crate) struct Work {
    pub(crate) lattice: Lattice,
    pub(crate) blends: Blends,
    /// X and Z of a slice in 3D, then those of its slopes.
    pub(crate) folds: [Box<LatticeTable>; 2],
    pub(crate) cellular: CellularScratch,
}

impl Work {
    fn new() -> Self {
        Self {
            lattice: Lattice { parts: std::array::from_fn(|_| boxed(Aligned([0.0; LATTICE_COLUMNS]))) },
            blends: Blends::new(),
            folds: std::array::from_fn(|_| boxed(ROW)),
            cellular: CellularScratch::new(),
        }
    }

    /// Of the tables on the heap.
    fn bytes(&self) -> usize {
        let lattice = 3 * size_of::<[LatticeRow; LATTICE_ROWS]>();
        let folds = 2 * size_of::<LatticeTable>();
        lattice + Blends::BYTES + folds + self.cellular.bytes()
    }
}

/// Working memory of one thread. It grows when a larger noise comes than any before, and never otherwise. Its contents
/// mean nothing between calls.
///
/// ```
/// use terrane_noise::{Fractal, Grid, Noise, NoiseParams, Scratch, SimdLevel};
///
/// // One scratch serves any noise and any grid, one after the other.
/// let mut scratch = Scratch::new();
/// let mut row = [0.0; 100];
/// for octaves in 1..=4 {
///     let fractal = Fractal { octaves, ..Fractal::default() };
///     let noise = Noise::new(&NoiseParams { fractal, ..NoiseParams::default() })?;
///     let grid = Grid { x: 0, z: 7, width: 100, height: 1, stride: 1 };
///     noise.fill(SimdLevel::detect(), &grid, &mut row, 100, &mut scratch);
///     assert_eq!(row[42], noise.at(42.into(), 7.into()));
/// }
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
pub struct Scratch {
    places: PlaceRow,
    octaves: Vec<OctaveScratch>,
    work: Work,
    /// Blocks of rows: value and slopes of the sum, of an octave before it joins, and of weights.
    rows: [Vec<Row>; 4],
    octave: [Vec<Row>; 4],
    weight: [Vec<Row>; 4],
    /// Registers of programs.
    registers: Vec<Row>,
}

impl Scratch {
    /// Allocates.
    #[must_use]
    pub fn new() -> Self {
        Self {
            places: PlaceRow::new(),
            octaves: Vec::new(),
            work: Work::new(),
            rows: std::array::from_fn(|_| Vec::new()),
            octave: std::array::from_fn(|_| Vec::new()),
            weight: std::array::from_fn(|_| Vec::new()),
            registers: Vec::new(),
        }
    }

    /// Size of what it holds now, in bytes.
    ///
    /// ```
    /// assert!(terrane_noise::Scratch::new().bytes() > 100_000);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        let octave = |octave: &OctaveScratch| {
            let planes = octave.planes.as_ref().map_or(0, |planes| planes.iter().map(Plane::bytes).sum());
            size_of::<OctaveScratch>() + size_of_val(&octave.columns[..]) + planes
        };
        let rows = [&self.rows, &self.octave, &self.weight].into_iter().flatten().chain([&self.registers]);
        size_of::<Self>()
            + self.octaves.iter().map(octave).sum::<usize>()
            + self.work.bytes()
            + rows.map(|rows| size_of_val(&rows[..])).sum::<usize>()
    }

    /// Makes room for a noise. Allocates only when it needs more than any before.
    pub(crate) fn fit(&mut self, source: &Source, slopes: bool) {
        self.fit_octaves(0..source.octave_count(), source.three());
        let count = if slopes { 4 } else { 1 };
        for rows in self.rows.iter_mut().take(count) {
            rows.resize(BAND, ROW);
        }
        if !source.adds_itself() {
            self.fit_aside(count);
        }
    }

    /// The parts that a call works in, and the sum's rows. What is not asked for is empty, whatever an earlier noise left.
    pub(crate) fn split(&mut self, source: &Source, slopes: bool) -> (Memory<'_>, [&mut [Row]; 4]) {
        let Self { places, octaves, work, rows, octave, weight, .. } = self;
        let wanted = [true, slopes, slopes && source.three(), slopes];
        let aside = Aside { octave: wanted_rows(octave, wanted), weight: wanted_rows(weight, wanted) };
        let memory = Memory { places, tables: Some((octaves, work)), aside };
        (memory, wanted_rows(rows, wanted))
    }

    /// Makes room for a program's registers, all rows of them.
    pub(crate) fn fit_registers(&mut self, row_count: usize) {
        if self.registers.len() < row_count {
            self.registers.resize(row_count, ROW);
        }
    }

    /// Makes room for octaves, with lattice planes where they stand on a grid in 3D.
    pub(crate) fn fit_octaves(&mut self, octaves: std::ops::Range<usize>, planes: bool) {
        while self.octaves.len() < octaves.end {
            self.octaves.push(OctaveScratch::new());
        }
        if planes {
            for octave in &mut self.octaves[octaves] {
                octave.planes.get_or_insert_with(|| Box::new([Plane::new(), Plane::new()]));
            }
        }
    }

    /// Makes room for octaves that do not add up themselves: the first `count` of value and slopes along x, y, z.
    pub(crate) fn fit_aside(&mut self, count: usize) {
        for rows in self.octave.iter_mut().take(count).chain(self.weight.iter_mut().take(count)) {
            rows.resize(BAND, ROW);
        }
    }

    /// Registers, and what a program's leaves work in.
    pub(crate) fn split_program(&mut self) -> (&mut [Row], LeafMemory<'_>) {
        let Self { places, octaves, work, octave, weight, registers, .. } = self;
        let all = [true; 4];
        let (octave, weight) = (wanted_rows(octave, all), wanted_rows(weight, all));
        (registers, LeafMemory { places, tables: Some((octaves, work)), octave, weight })
    }
}

fn wanted_rows(rows: &mut [Vec<Row>; 4], wanted: [bool; 4]) -> [&mut [Row]; 4] {
    let mut wanted = wanted.into_iter();
    rows.each_mut().map(|rows| if wanted.next() == Some(true) { &mut rows[..] } else { &mut [] })
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

/// An array on the heap that never stood on the stack.
pub(crate) fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    let Ok(array) = vec![value; N].into_boxed_slice().try_into() else { unreachable!("N values") };
    array
}

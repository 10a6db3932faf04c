//! Cellular (Worley) noise: one point in each cell of a square lattice, and the distances to the nearest.
//!
//! In a grid the points around a lane and a lattice row are the same for all rows of a cell row: they are hashed once a
//! lattice point and looked up once a lane and lattice row, and a sample is left with nine distances (27 in 3D).
//!
//! Only the 3 x 3 (x 3) cells around a sample are searched; that is the definition. docs/NOISE.md says up to which
//! jitter no nearer point can lie outside.
//!
//! Source: S. Worley, *A Cellular Texture Basis Function* (1996).

use terrane_lanes::{Aligned, Kernel, Lanes, SimdLevel};

use super::{AxisPart, KindInfo, KindParams, Octave, Setting, SettingRule, SettingValue};
use crate::axis::Need;
use crate::kernel::blend::line_count;
use crate::kernel::coherent::column_halves;
use crate::kernel::hashing::{again, corner, fold, next, number, previous};
use crate::kernel::job::{Block, Job, Samples, Target, vector_start};
use crate::kernel::pointwise::{self, At, Sample, on_the_square_lattice};
use crate::octave::{OctavePlan, Square};
use crate::scratch::{LATTICE_COLUMNS, LATTICE_ROWS, LatticeRow, OctaveScratch, ROW, Row, STRIP, boxed};

/// Cellular noise.
///
/// ```
/// use terrane_noise::{Cellular, Distance, Noise, NoiseParams, Returns};
/// let kind = Cellular { distance: Distance::Euclidean, returns: Returns::F2MinusF1, jitter: 0.9 }.into();
/// let cracks = Noise::new(&NoiseParams { kind, ..NoiseParams::default() })?;
/// assert!(cracks.at(3.into(), 4.into()).abs() <= 1.0);
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cellular {
    /// How far a point is.
    pub distance: Distance,
    /// What of the distances counts.
    pub returns: Returns,
    /// How far points leave the middle of their cells, 0 (a regular grid) ..= 1 (anywhere in the cell).
    pub jitter: f64,
}

impl Default for Cellular {
    /// The euclidean distance to the nearest point, points anywhere.
    fn default() -> Self {
        Self { distance: Distance::Euclidean, returns: Returns::F1, jitter: 1.0 }
    }
}

/// How far a point is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distance {
    /// As the crow flies.
    #[default]
    Euclidean,
    /// Its square: steeper, and cheaper.
    Squared,
    /// Along the axes: diamonds.
    Manhattan,
    /// The longest way along an axis: squares.
    Chebyshev,
}

/// What of the distances to the nearest (F1) and the second nearest point (F2) counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Returns {
    /// F1: cones.
    #[default]
    F1,
    /// F2.
    F2,
    /// F2 - F1: 0 on the lines between cells.
    F2MinusF1,
    /// F1 + F2.
    F1PlusF2,
    /// A number of the nearest point's own: plates.
    CellValue,
}

const DISTANCES: [Distance; 4] =
    [Distance::Euclidean, Distance::Squared, Distance::Manhattan, Distance::Chebyshev];
const RETURNS: [Returns; 5] =
    [Returns::F1, Returns::F2, Returns::F2MinusF1, Returns::F1PlusF2, Returns::CellValue];

/// Further than any point can be.
const FAR: f32 = 1e9;

/// One octave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellularOctave {
    square: Square,
    /// Cells searched along an axis: 3.
    neighbours: usize,
    distance: Distance,
    returns: Returns,
    /// A point's place in its cell: 16 bits times this ..
    jitter: f32,
    /// .. plus this.
    edge: f32,
    /// The result times this ..
    scale: f32,
    /// .. minus this. For cell values both are the share.
    offset: f32,
}

impl KindParams for Cellular {
    const INFO: KindInfo = KindInfo {
        id: 5,
        name: "cellular",
        about: "cells, cracks and plates: distances to scattered points",
        settings: &[
            Setting {
                name: "distance",
                about: "how far a point is",
                rule: SettingRule::Choice(&["euclidean", "squared", "manhattan", "chebyshev"]),
            },
            Setting {
                name: "returns",
                about: "the nearest point's distance (f1), the second's (f2), both, or the nearest cell's own number",
                rule: SettingRule::Choice(&["f1", "f2", "f2-f1", "f1+f2", "cell"]),
            },
            Setting {
                name: "jitter",
                about: "how far points leave the middle of their cells",
                rule: SettingRule::Number { min: 0.0, max: 1.0, default: 1.0 },
            },
        ],
        slope_max: None,
        tiles: true,
    };
    type Octave = CellularOctave;

    fn from_settings(settings: &[SettingValue]) -> Self {
        let [SettingValue::Choice(distance), SettingValue::Choice(returns), SettingValue::Number(jitter)] =
            *settings
        else {
            unreachable!("checked by their rules")
        };
        Self { distance: DISTANCES[distance], returns: RETURNS[returns], jitter }
    }

    fn settings(&self) -> Vec<SettingValue> {
        vec![
            SettingValue::Choice(self.distance as usize),
            SettingValue::Choice(self.returns as usize),
            SettingValue::Number(self.jitter),
        ]
    }

    fn octave(&self, plan: &OctavePlan) -> CellularOctave {
        let share = plan.share;
        let scale = match self.returns {
            Returns::CellValue => share,
            _ => 2.0 * share / self.largest(plan.three),
        };
        CellularOctave {
            square: Square::new(plan),
            neighbours: 3,
            distance: self.distance,
            returns: self.returns,
            jitter: (self.jitter / 65_536.0) as f32,
            edge: (0.5 - 0.5 * self.jitter) as f32,
            scale: scale as f32,
            offset: share as f32,
        }
    }
}

impl Cellular {
    /// The largest result that any points can give, rounded up; the smallest is 0. Derived per distance from the
    /// farthest that a cell's own point and its neighbours can be; `tests/bounds.rs` lets points look for more.
    fn largest(&self, three: bool) -> f64 {
        let j = self.jitter;
        // F1: the own cell's far corner. F2: the nearest neighbour's far corner at best. In space the own corner can be
        // as far.
        let reach = 1.0 + j;
        let (first, second, difference): (f64, f64, f64) = match (self.distance, three) {
            (Distance::Euclidean | Distance::Squared, false) => {
                let second = reach + j * j / 2.0;
                (reach * reach / 2.0, second, second)
            }
            (Distance::Euclidean | Distance::Squared, true) => {
                let (own, beside) = (0.75 * reach * reach, reach + 0.75 * j * j);
                // Euclidean: the largest difference of roots; squared: of squares.
                let apart = if self.distance == Distance::Euclidean { 1.0 + 2.0 * j * j } else { 3.0 * j };
                (own, beside.max(own), beside.max(apart))
            }
            (Distance::Manhattan, false) => (reach, reach, reach),
            (Distance::Manhattan, true) => (1.5 * reach, 1.5 * reach, 1.0 + 2.0 * j),
            (Distance::Chebyshev, _) => (reach / 2.0, 1.0 + j / 2.0, 1.0 + j / 2.0),
        };
        let sum = match self.distance {
            Distance::Euclidean => 4.0 * first,
            Distance::Squared | Distance::Manhattan => 2.0 * first,
            Distance::Chebyshev => reach,
        };
        let largest = match self.returns {
            Returns::F1 => first,
            Returns::F2 => second,
            Returns::F2MinusF1 => difference,
            Returns::F1PlusF2 => sum,
            Returns::CellValue => 1.0,
        };
        let root = self.distance == Distance::Euclidean && self.returns != Returns::CellValue;
        (if root { largest.sqrt() } else { largest }) * (1.0 + 1e-5)
    }
}

impl Octave for CellularOctave {
    fn coherent(&self, stride: u32) -> bool {
        self.square.shares_cells(stride)
    }

    fn prepare(&self, level: SimdLevel, part: AxisPart, coherent: bool, _: bool, to: &mut OctaveScratch) {
        // The grid kernel wants rising cells; it takes them mod the period itself.
        self.square.prepare(level, part, if coherent { Need::Rising } else { Need::Places }, to);
    }

    fn run(&self, job: &mut Job<'_, '_>) {
        if !job.coherent {
            return pointwise::run(self, job);
        }
        let squared = matches!(self.distance, Distance::Euclidean | Distance::Squared);
        match (self.square.three, squared) {
            (false, false) => self.grid::<false, false>(job),
            (false, true) => self.grid::<false, true>(job),
            (true, false) => self.grid::<true, false>(job),
            (true, true) => self.grid::<true, true>(job),
        }
    }
}

impl CellularOctave {
    fn grid<const THREE: bool, const SQUARED: bool>(&self, job: &mut Job<'_, '_>) {
        let level = job.level;
        match self.returns {
            Returns::F1 => level.dispatch(Grid::<THREE, SQUARED, NEAREST> { octave: self, job }),
            Returns::CellValue => level.dispatch(Grid::<THREE, SQUARED, OWNER> { octave: self, job }),
            _ => level.dispatch(Grid::<THREE, SQUARED, TWO_NEAREST> { octave: self, job }),
        }
    }
}

/// What a kernel keeps of the distances.
const NEAREST: u8 = 0;
const TWO_NEAREST: u8 = 1;
const OWNER: u8 = 2;

/// The nearest points so far.
#[derive(Clone, Copy)]
struct Found<F> {
    first: F,
    second: F,
    /// The nearest point's own number.
    number: F,
}

impl<F: Copy> Found<F> {
    #[inline(always)]
    fn none<L: Lanes<F = F>>(l: L) -> Self {
        Self { first: l.splat(FAR), second: l.splat(FAR), number: l.splat(0.0) }
    }

    /// One more point.
    #[inline(always)]
    fn point<L: Lanes<F = F>, const KEEP: u8>(&mut self, l: L, distance: F, number: F) {
        if KEEP == TWO_NEAREST {
            self.second = l.min(l.max(distance, self.first), self.second);
        }
        if KEEP == OWNER {
            self.number = l.pick(l.lt(distance, self.first), number, self.number);
        }
        self.first = l.min(self.first, distance);
    }

    /// One more point, of which everything is kept.
    #[inline(always)]
    fn all<L: Lanes<F = F>>(&mut self, l: L, distance: F, number: F) {
        self.number = l.pick(l.lt(distance, self.first), number, self.number);
        self.second = l.min(l.max(distance, self.first), self.second);
        self.first = l.min(self.first, distance);
    }
}

impl CellularOctave {
    /// A point's place in its cell along one axis, from a hash of its own.
    #[inline(always)]
    fn place<L: Lanes>(&self, l: L, hash: L::U) -> L::F {
        l.to_f(hash >> 16) * l.splat(self.jitter) + l.splat(self.edge)
    }

    /// Places along x, z, y and the number of the point of a lattice cell. y only in 3D.
    #[inline(always)]
    fn point<L: Lanes, const THREE: bool>(&self, l: L, folded: L::U) -> [L::F; 4] {
        let h1 = corner(l, folded);
        let h2 = again(l, h1);
        let h3 = again(l, h2);
        let own = if THREE { again(l, h3) } else { h3 };
        let number = number(l, own, self.offset * (1.0 / 8_388_608.0), self.offset);
        [self.place(l, h1), self.place(l, h2), if THREE { self.place(l, h3) } else { number }, number]
    }

    /// What two or three differences make together, without the root; x and y first, since a grid shares them.
    #[inline(always)]
    fn join<L: Lanes, const SQUARED: bool>(&self, l: L, part: L::F, other: L::F) -> L::F {
        if SQUARED || self.distance == Distance::Manhattan { part + other } else { l.max(part, other) }
    }

    /// A difference along one axis, squared or without its sign.
    #[inline(always)]
    fn size<L: Lanes, const SQUARED: bool>(&self, l: L, d: L::F) -> L::F {
        if SQUARED { d * d } else { l.max(d, l.splat(0.0) - d) }
    }

    /// The result, from what was found.
    #[inline(always)]
    fn result<L: Lanes, const KEEP: u8>(&self, l: L, found: Found<L::F>) -> L::F {
        if KEEP == OWNER {
            return found.number;
        }
        let root = self.distance == Distance::Euclidean;
        let first = if root { l.sqrt(found.first) } else { found.first };
        let mut r = first;
        if KEEP == TWO_NEAREST {
            let second = if root { l.sqrt(found.second) } else { found.second };
            r = match self.returns {
                Returns::F2MinusF1 => second - first,
                Returns::F1PlusF2 => first + second,
                _ => second,
            };
        }
        r * l.splat(self.scale) - l.splat(self.offset)
    }
}

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
}

/// A block of a grid.
struct Grid<'a, 'j, 'to, const THREE: bool, const SQUARED: bool, const KEEP: u8> {
    octave: &'a CellularOctave,
    job: &'a mut Job<'j, 'to>,
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
            let mut end = start + 1;
            while end < block.rows && cell[end] == cell[start] {
                end += 1;
            }
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

impl Sample for CellularOctave {
    // Slopes are refused before a kernel is asked: `KindInfo::slope_max` is none.
    const SLOPES: bool = false;
    on_the_square_lattice!();

    #[inline(always)]
    fn value<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> L::F {
        if matches!(self.distance, Distance::Euclidean | Distance::Squared) {
            self.search::<L, THREE, true>(l, at)
        } else {
            self.search::<L, THREE, false>(l, at)
        }
    }
}

impl CellularOctave {
    /// All points around, and everything of them: which of it counts is asked at the end.
    #[inline(always)]
    fn search<L: Lanes, const THREE: bool, const SQUARED: bool>(&self, l: L, at: &At<L>) -> L::F {
        let lines =
            [lines(l, at, &self.square, 0), lines(l, at, &self.square, 1), lines(l, at, &self.square, 2)];
        let mut found = Found::none(l);
        // The counts are not constants, so that 27 points are not 27 copies of the code.
        for line_z in lines[2].iter().take(self.neighbours) {
            for line_y in lines[1].iter().take(if THREE { self.neighbours } else { 1 }) {
                for line_x in lines[0].iter().take(self.neighbours) {
                    let folded = line_x.0 ^ line_z.0;
                    let point = self.point::<L, THREE>(l, if THREE { folded ^ line_y.0 } else { folded });
                    let (dx, dy, dz) = (point[0] - line_x.1, point[2] - line_y.1, point[1] - line_z.1);
                    let distance = self.distance::<L, THREE, SQUARED>(l, dx, dy, dz);
                    found.all(l, distance, point[3]);
                }
            }
        }
        match self.returns {
            Returns::F1 => self.result::<L, NEAREST>(l, found),
            Returns::CellValue => self.result::<L, OWNER>(l, found),
            _ => self.result::<L, TWO_NEAREST>(l, found),
        }
    }

    #[inline(always)]
    fn distance<L: Lanes, const THREE: bool, const SQUARED: bool>(
        &self,
        l: L,
        dx: L::F,
        dy: L::F,
        dz: L::F,
    ) -> L::F {
        let mut part = self.size::<L, SQUARED>(l, dx);
        if THREE {
            part = self.join::<L, SQUARED>(l, part, self.size::<L, SQUARED>(l, dy));
        }
        self.join::<L, SQUARED>(l, self.size::<L, SQUARED>(l, dz), part)
    }
}

/// The folded halves of the lattice lines before, at and after a sample's own, and the fraction seen from each.
#[inline(always)]
fn lines<L: Lanes>(l: L, at: &At<L>, square: &Square, axis: usize) -> [(L::U, L::F); 3] {
    let (k, word, period) = square.line(axis);
    let (cell, f) = (at[axis].cell, at[axis].fraction);
    let (before, after) = (previous(l, cell, period), next(l, cell, period));
    let (k, word) = (l.splat_u(k), l.splat_u(word));
    [
        (fold::<L>(before * k + word), f - l.splat(-1.0)),
        (fold::<L>(cell * k + word), f - l.splat(0.0)),
        (fold::<L>(after * k + word), f - l.splat(1.0)),
    ]
}

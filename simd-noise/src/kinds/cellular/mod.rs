//! Cellular (Worley) noise: one point in each cell of a square lattice, and the distances to the nearest.
//!
//! Here: settings, and the definition sample by sample. `grid.rs` holds the kernel for undisplaced grids.
//!
//! Only the 3 x 3 (x 3) cells around a sample are searched; that is the definition. docs/NOISE.md says up to which
//! jitter no nearer point can lie outside.
//!
//! Source: S. Worley, *A Cellular Texture Basis Function* (1996).

mod grid;

pub(crate) use grid::CellularScratch;

use grid::Grid;
use terrane_lanes::{Lanes, SimdLevel};

use super::{AxisPart, KindInfo, KindParams, Octave, Setting, SettingRule, SettingValue, Smoothness};
use crate::axis::Need;
use crate::kernel::hashing::{again, corner, fold, next, number, previous};
use crate::kernel::job::Job;
use crate::kernel::pointwise::{self, At, Sample, on_the_square_lattice};
use crate::octave::{OctavePlan, Square};
use crate::scratch::OctaveScratch;

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
        has_features: true,
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

    fn smoothness(&self, three: bool) -> Smoothness {
        if three || self.returns == Returns::CellValue {
            return Smoothness::UNKNOWN;
        }
        // No point outside the 3 x 3 cells is nearer than this, in any of the distances.
        let unseen = 1.5 - 0.5 * self.jitter;
        let largest = |returns| Self { returns, ..*self }.largest(false);
        // With all points of the plane every distance changes by at most its own slope a cell. That of a square is
        // twice the distance.
        let (slope, unseen) = match self.distance {
            Distance::Euclidean | Distance::Chebyshev => ([1.0; 2], unseen),
            Distance::Manhattan => ([std::f64::consts::SQRT_2; 2], unseen),
            Distance::Squared => {
                ([Returns::F1, Returns::F2].map(|returns| 2.0 * largest(returns).sqrt()), unseen * unseen)
            }
        };
        // What is searched can miss a nearer point, and then tells more than there is, but never more than the largest.
        let missed = [Returns::F1, Returns::F2].map(|returns| (largest(returns) - unseen).max(0.0));
        let (slope, jump) = match self.returns {
            Returns::F1 => (slope[0], missed[0]),
            Returns::F2 => (slope[1], missed[1]),
            _ => (slope[0] + slope[1], missed[0] + missed[1]),
        };
        let scale = 2.0 / self.largest(false);
        let smooth = Smoothness::new(slope * scale, f64::INFINITY);
        Smoothness { jump: jump * scale, rounding: 1.0 / 65_536.0, ..smooth }
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
const EVERYTHING: u8 = 3;

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
        if KEEP == TWO_NEAREST || KEEP == EVERYTHING {
            self.second = l.min(l.max(distance, self.first), self.second);
        }
        if KEEP == OWNER || KEEP == EVERYTHING {
            self.number = l.pick(l.lt(distance, self.first), number, self.number);
        }
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
                    found.point::<L, EVERYTHING>(l, distance, point[3]);
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

//! A noise in a program: its bounds, those of its slopes, how far it may be moved, and its text.
//!
//! Deliberately not here: the noise itself (`source.rs`).

use super::{LeafSlopes, Places, Where};
use crate::kernel::job::{Samples, Targets};
use crate::kinds::Smoothness;
use crate::noise::parts;
use crate::params::{Dimensions, FractalShape, NoiseParams};
use crate::phase::ONE_CELL;
use crate::program::deviation::{Deviation, UNIT, length};
use crate::program::error::ProgramError;
use crate::program::interval::Interval;
use crate::source::{Memory, Source};

/// No octave is moved by more cells: what is left of an f32 then places a sample within 1/128 of a cell.
const CELLS_MAX: f64 = 65_536.0;

/// A noise, or one octave of it.
#[derive(Clone, Debug)]
pub(crate) struct NoiseLeaf {
    params: NoiseParams,
    octave: Option<u32>,
    source: Source,
}

/// What was asked for decides; the compiled noise follows.
impl PartialEq for NoiseLeaf {
    fn eq(&self, other: &Self) -> bool {
        self.params == other.params && self.octave == other.octave
    }
}

impl NoiseLeaf {
    pub(crate) fn new(params: &NoiseParams) -> Result<Self, ProgramError> {
        Ok(Self { params: params.clone(), octave: None, source: Source::new(params)? })
    }

    /// Octave `k` alone, with the share that it has in the whole.
    pub(crate) fn octave(params: &NoiseParams, k: u32) -> Result<Self, ProgramError> {
        let weight = params.fractal.weighted_strength;
        if weight != 0.0 {
            let (operation, name) = ("progressive warp", "weighted_strength");
            return Err(ProgramError::Value {
                operation,
                name,
                value: weight,
                expected: "0: its octaves stand alone",
            });
        }
        Ok(Self { params: params.clone(), octave: Some(k), source: Source::octave(params, k)? })
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn slopes(&self) -> LeafSlopes {
        match self.params.kind.info().slope_max {
            None => LeafSlopes::Missing,
            Some([0.0, 0.0]) => LeafSlopes::Zero,
            Some(_) => LeafSlopes::Made,
        }
    }

    /// The octaves that there are: index, cells a sample along x, y, z, and the largest value.
    fn octaves(&self) -> impl Iterator<Item = (u32, [f64; 3], f64)> + '_ {
        let fractal = self.params.fractal;
        let (mut total, mut amplitude) = (0.0, 1.0);
        for _ in 0..fractal.octaves {
            total += amplitude;
            amplitude *= fractal.persistence;
        }
        let (mut stretch, mut frequency, mut share) = (1.0, self.params.frequency, 1.0 / total);
        (0..fractal.octaves)
            .map(move |k| {
                let cells = self.params.periods.map(|period| match period {
                    Some(period) => f64::from(period.cells) * stretch / f64::from(period.samples),
                    // As octaves round it.
                    None => (frequency * ONE_CELL).round() / ONE_CELL,
                });
                let octave = (k, cells, share);
                stretch *= fractal.lacunarity;
                frequency *= fractal.lacunarity;
                share *= fractal.persistence;
                octave
            })
            .filter(|(k, ..)| self.octave.is_none_or(|only| only == *k))
    }

    pub(crate) fn interval(&self) -> Interval {
        match self.octave {
            None => Interval::new(-1.0, 1.0),
            Some(_) => {
                let share: f64 = self.octaves().map(|(.., share)| share).sum();
                Interval::outward(-share, share)
            }
        }
    }

    /// Bounds of the slope a sample along an axis: each octave's steepest, times its cells a sample and its share; doubled
    /// where a fractal folds its octaves. Wider by 2^-14, more than rounding can do.
    pub(crate) fn slope_interval(&self, axis: usize) -> Interval {
        let fractal = self.params.fractal;
        let fold = if fractal.shape == FractalShape::Fbm { 1.0 } else { 2.0 };
        let slope_max = self.params.kind.info().slope_max;
        let steepest = fold * slope_max.map_or(f64::INFINITY, |max| max[usize::from(self.source.three())]);
        let mut sum = 0.0;
        if fractal.weighted_strength > 0.0 {
            let (p, s) = (fractal.persistence, fractal.weighted_strength);
            let total: f64 = self.octaves().map(|(.., share)| share).sum();
            let first = self.octaves().next().map_or(1.0, |(.., share)| share / total);
            let (mut weight, mut weight_slope) = (first, 0.0);
            for (_, cells, _) in self.octaves() {
                let slope = steepest * cells[axis];
                sum += slope * weight + weight_slope;
                weight_slope = weight_slope * p + weight * (p * s / 2.0) * slope;
                weight *= p;
            }
        } else {
            sum = self.octaves().map(|(_, cells, share)| steepest * cells[axis] * share).sum();
        }
        let sum = sum * (1.0 + 1.0 / 16_384.0);
        Interval::outward(-sum, sum)
    }

    /// The sum of what octaves can, each within twice its share.
    pub(crate) fn deviation(&self, at: &Places) -> Deviation {
        let smooth = self.params.kind.smoothness(self.source.three());
        let fractal = self.params.fractal;
        let octaves = self.octaves().map(|(_, cells, share)| (Phases::new(self, at, cells), share));
        if fractal.weighted_strength > 0.0 {
            return self.weighted(&smooth, octaves.map(|(phases, _)| phases));
        }
        let mut sum = Deviation::NONE;
        for (phases, share) in octaves {
            let octave = phases.value(&smooth).through(share, 0.0);
            sum = sum.plus(shaped(fractal.shape, octave, share).within(2.0 * share));
        }
        // Octaves are added one by one, each time rounded.
        let additions = f64::from(fractal.octaves - 1);
        if sum.swing == 0.0 { Deviation::NONE } else { sum.rounded(additions * UNIT) }
    }

    /// The sum of octaves times their weights, each weight p + q c times the one before.
    fn weighted(&self, smooth: &Smoothness, octaves: impl Iterator<Item = Phases>) -> Deviation {
        let fractal = self.params.fractal;
        let q = fractal.persistence * fractal.weighted_strength / 2.0;
        // 1 + p + p^2 ..
        let total = (1..fractal.octaves).fold(1.0, |sum, _| 1.0 + sum * fractal.persistence);
        let (mut weight, mut weight_size) = (Deviation::NONE, 1.0 / total);
        let mut sum = Deviation::NONE;
        for phases in octaves {
            let octave = shaped(fractal.shape, phases.value(smooth), 1.0).within(2.0);
            let part = octave.times(1.0, weight, weight_size).within(2.0 * weight_size);
            sum = sum.plus(part).rounded(2.0 * UNIT);
            let grow = octave.through(q, 0.0).rounded(2.0 * UNIT);
            // A weight lies between 0 and its size.
            weight = weight.times(weight_size, grow, fractal.persistence).within(weight_size);
            weight = weight.rounded(2.0 * UNIT * weight_size);
            weight_size *= fractal.persistence * (1.0 + 1e-6);
        }
        sum
    }

    /// Of a slope a sample along an axis: it changes as second derivatives let it, and has its bounds an octave.
    pub(crate) fn slope_deviation(&self, axis: usize, at: &Places) -> Deviation {
        let fractal = self.params.fractal;
        let slope_max = self
            .params
            .kind
            .info()
            .slope_max
            .map_or(f64::INFINITY, |max| max[usize::from(self.source.three())]);
        if fractal.shape != FractalShape::Fbm || fractal.weighted_strength > 0.0 {
            return Deviation::UNKNOWN;
        }
        let smooth = self.params.kind.smoothness(self.source.three());
        let mut sum = Deviation::NONE;
        for (_, cells, share) in self.octaves() {
            let per_sample = cells[axis] * share;
            let slope = Phases::new(self, at, cells).slope(&smooth).through(per_sample, 0.0);
            let largest = slope_max * per_sample * (1.0 + 1.0 / 16_384.0);
            sum = sum.plus(slope.within(2.0 * largest)).rounded(slope_max * per_sample / 16_384.0);
        }
        sum
    }

    pub(crate) fn check_move(&self, node: usize, by: [Interval; 3]) -> Result<(), ProgramError> {
        for (octave, cells, _) in self.octaves() {
            for (axis, name) in ['x', 'y', 'z'].into_iter().enumerate() {
                if axis == 1 && !self.source.three() {
                    continue;
                }
                let samples = by[axis].size();
                let cells = samples * cells[axis];
                if cells > CELLS_MAX {
                    return Err(ProgramError::MovedTooFar { node, octave, axis: name, samples, cells });
                }
            }
        }
        Ok(())
    }

    pub(crate) fn text(&self) -> String {
        let NoiseParams { kind, dimensions, seed, frequency, fractal, periods } = &self.params;
        let shape = fractal.shape.name();
        let octaves = match (self.octave, fractal.octaves) {
            (Some(k), _) => format!(" {shape} octave {k}"),
            (None, 1) if fractal.shape == FractalShape::Fbm => String::new(),
            (None, 1) => format!(" {shape} 1 octave"),
            (None, n) => format!(" {shape} {n} octaves"),
        };
        let deep = if *dimensions == Dimensions::Three { " 3d" } else { "" };
        let tiled = if periods.iter().any(Option::is_some) { ", tiled" } else { "" };
        format!("noise {}{deep}{octaves}, {frequency} cells a sample{tiled}, seed {seed}", kind.info().name)
    }

    pub(crate) fn run(&self, at: Where<'_>, slopes: bool, memory: &mut Memory<'_>, to: &mut Targets<'_>) {
        let Where { level, samples, cut, displacement } = at;
        let coherent = match samples {
            Samples::Block(block) if displacement.is_none() => self.source.coherent(block.stride),
            _ => 0,
        };
        if let (Some((octaves, _)), Some(cut)) = (&mut memory.tables, cut) {
            if cut.layer == 0 {
                self.source.select(cut.strip, octaves);
            }
            for part in parts(cut) {
                self.source.prepare(level, part, coherent, slopes, octaves);
            }
        }
        self.source.run(level, samples, coherent, displacement, slopes, memory, to);
    }
}

/// Where an octave's samples of one coarse triangle lie, in cells.
#[derive(Clone, Copy)]
struct Phases {
    /// The lengths of bends, drifts and swings over the axes.
    lengths: Deviation,
    /// How far fixed point and f32 can misplace a sample.
    misplaced: f64,
}

impl Phases {
    fn new(leaf: &NoiseLeaf, at: &Places, cells: [f64; 3]) -> Self {
        let axes = if leaf.source.three() { &[0, 1, 2][..] } else { &[0, 2] };
        // Lattice axes that are turned against x and z have steps of their own, each rounded to 2^-32 cells.
        let cells = |axis: usize| cells[axis] + 1.0 / ONE_CELL;
        let over = |of: fn(&Deviation) -> f64| length(axes.iter().map(|i| of(&at.axes[*i]) * cells(*i)));
        // A fraction has 24 bits. A displacement in cells is rounded, turned, added to the fraction and rounded.
        let moved: f64 = axes.iter().map(|i| at.moved[*i] * cells(*i)).sum();
        let moved = if moved > 0.0 { (moved + 1.0) * 16.0 * UNIT } else { 0.0 };
        Self {
            lengths: Deviation {
                bend: over(|of| of.bend),
                drift: over(|of| of.drift),
                swing: over(|of| of.swing),
            },
            misplaced: 4.0 * UNIT + moved,
        }
    }

    /// Of an octave with values in -1..=1.
    fn value(&self, smooth: &Smoothness) -> Deviation {
        let Deviation { bend, drift, swing } = self.lengths;
        let Smoothness { slope_max, second_max, jump, rounding } = *smooth;
        if slope_max == 0.0 {
            return Deviation::NONE;
        }
        if slope_max.is_infinite() {
            return Deviation::UNKNOWN.within(2.0);
        }
        let own = Deviation {
            bend: slope_max * bend + second_max * drift * drift / 2.0 + jump,
            drift: slope_max * drift + jump,
            swing: slope_max * swing + jump,
        };
        own.rounded(rounding + slope_max * self.misplaced).within(2.0)
    }

    /// Of an octave's slope along an axis, a cell.
    fn slope(&self, smooth: &Smoothness) -> Deviation {
        let Deviation { drift, swing, .. } = self.lengths;
        let drift = smooth.second_max * drift;
        let slope = Deviation { bend: drift, drift, swing: smooth.second_max * swing };
        slope.rounded(smooth.second_max * self.misplaced)
    }
}

/// What a fractal makes of an octave: 2 |n| - share, or share - 2 |n|.
fn shaped(shape: FractalShape, octave: Deviation, share: f64) -> Deviation {
    match shape {
        FractalShape::Fbm => octave,
        FractalShape::Billow | FractalShape::Ridged => {
            octave.through(2.0, 2.0 * octave.spread()).rounded(UNIT * 3.0 * share)
        }
    }
}

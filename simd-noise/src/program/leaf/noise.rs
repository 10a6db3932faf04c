//! A noise in a program: its bounds, those of its slopes, how far it may be moved, and its text.
//!
//! Deliberately not here: the noise itself (`source.rs`).

use super::{LeafSlopes, Where};
use crate::kernel::job::{Samples, Targets};
use crate::noise::parts;
use crate::params::{Dimensions, FractalShape, NoiseParams};
use crate::phase::ONE_CELL;
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

//! A noise, compiled: octaves of a kind and how they add up.
//!
//! In: parameters, checked once. Then: values, and slopes if asked, over a block of a grid or some points. Normalised by
//! the kind's bound, never by what a tile happens to contain. Deliberately not here: cutting grids into blocks.

use terrane_lanes::SimdLevel;

use crate::kernel::combine::{Combine, Rows4, Weighting};
use crate::kernel::job::{Displacement, Job, Samples, Tables, Target, Targets};
use crate::kinds::{AxisPart, Octaves};
use crate::octave::OctavePlan;
use crate::params::{
    Dimensions, FREQUENCY_MAX, FREQUENCY_MIN, Fractal, FractalShape, LACUNARITY_MAX, NoiseError, NoiseParams,
    OCTAVES_MAX, PERIOD_CELLS_MAX, Period,
};
use crate::scratch::{OctaveScratch, PlaceRow};

/// What f32 rounding can add to a sum of 16 octaves, and more: the guaranteed bound is kept by this much.
const ROUNDING: f64 = 1.0 / 262_144.0;

/// A compiled noise.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    octaves: Octaves,
    three: bool,
    shape: FractalShape,
    /// Each octave's share of 1.
    shares: Vec<f32>,
    weighting: Option<Weighting>,
    pub(crate) has_slopes: bool,
}

/// Memory for what an octave makes before it joins the sum, and for weights. Empty where octaves add up themselves.
pub(crate) struct Aside<'a> {
    pub(crate) octave: Rows4<'a>,
    pub(crate) weight: Rows4<'a>,
}

/// Memory that a call works in.
pub(crate) struct Memory<'a> {
    pub(crate) places: &'a mut PlaceRow,
    pub(crate) tables: Tables<'a>,
    pub(crate) aside: Aside<'a>,
}

impl Source {
    /// Checks and compiles `params`. Allocates.
    pub(crate) fn new(params: &NoiseParams) -> Result<Self, NoiseError> {
        Self::of_octaves(params, None)
    }

    /// Octave `k` alone, with the share that it has in the whole. Without weights.
    pub(crate) fn octave(params: &NoiseParams, k: u32) -> Result<Self, NoiseError> {
        Self::of_octaves(params, Some(k))
    }

    fn of_octaves(params: &NoiseParams, only: Option<u32>) -> Result<Self, NoiseError> {
        check(params)?;
        let fractal = &params.fractal;
        let three = params.dimensions == Dimensions::Three;
        let weighted = fractal.weighted_strength > 0.0;
        let (mut amplitude, mut total) = (1.0, 0.0);
        for _ in 0..fractal.octaves {
            total += amplitude;
            amplitude *= fractal.persistence;
        }
        let (mut frequency, mut amplitude) = (params.frequency, 1.0);
        let mut plans = Vec::new();
        let mut stretch = 1.0;
        for index in 0..fractal.octaves {
            let share = if weighted { 1.0 - ROUNDING } else { (1.0 - ROUNDING) * amplitude / total };
            let periods = octave_periods(params, index, stretch)?;
            plans.push(OctavePlan { seed: params.seed, index, frequency, share, periods, three });
            frequency *= fractal.lacunarity;
            stretch *= fractal.lacunarity;
            amplitude *= fractal.persistence;
        }
        plans.retain(|plan| only.is_none_or(|k| k == plan.index));
        let (p, s) = (fractal.persistence, fractal.weighted_strength);
        Ok(Self {
            octaves: Octaves::new(&params.kind, &plans),
            three,
            shape: fractal.shape,
            shares: plans.iter().map(|plan| plan.share as f32).collect(),
            weighting: weighted.then_some(Weighting {
                first: (1.0 / total) as f32,
                p: (p * (1.0 - s / 2.0)) as f32,
                q: (p * s / 2.0) as f32,
            }),
            has_slopes: params.kind.info().slope_max.is_some(),
        })
    }

    pub(crate) fn octave_count(&self) -> usize {
        self.octaves.len()
    }

    pub(crate) fn three(&self) -> bool {
        self.three
    }

    /// True where octaves add up themselves, without memory aside.
    pub(crate) fn adds_itself(&self) -> bool {
        self.shape == FractalShape::Fbm && self.weighting.is_none()
    }

    /// Prepares one axis of all octaves. `coherent` as in [`run`](Self::run).
    pub(crate) fn prepare(
        &self,
        level: SimdLevel,
        part: AxisPart,
        coherent: u32,
        slopes: bool,
        to: &mut [OctaveScratch],
    ) {
        if part.axis == 1 && !self.three {
            return;
        }
        for (k, to) in to.iter_mut().enumerate().take(self.octaves.len()) {
            self.octaves.prepare(k, level, part, coherent >> k & 1 == 1, slopes, to);
        }
    }

    /// Points all octaves at a strip of its group.
    pub(crate) fn select(&self, strip: usize, octaves: &mut [OctaveScratch]) {
        for octave in octaves.iter_mut().take(self.octaves.len()) {
            octave.strip = strip;
            // Planes stand for one strip and band.
            if let Some(planes) = &mut octave.planes {
                for plane in planes.iter_mut() {
                    plane.cell = None;
                }
            }
        }
    }

    /// Which octaves have a grid kernel for samples `stride` apart: bit k for octave k.
    pub(crate) fn coherent(&self, stride: u32) -> u32 {
        (0..self.octaves.len()).filter(|k| self.octaves.coherent(*k, stride)).map(|k| 1 << k).sum()
    }

    /// Fills the targets. `coherent` as [`coherent`](Self::coherent) says for an undisplaced block, else 0.
    pub(crate) fn run(
        &self,
        level: SimdLevel,
        samples: Samples<'_>,
        coherent: u32,
        displacement: Option<Displacement<'_>>,
        slopes: bool,
        memory: &mut Memory<'_>,
        to: &mut Targets<'_>,
    ) {
        let Memory { places, tables, aside } = memory;
        let tables = tables.as_mut().map(|(octaves, work)| (&mut **octaves, &mut **work));
        let base = JobParts { level, samples, displacement, slopes, places, tables };
        if self.adds_itself() {
            let count = self.octaves.len();
            let mut job = base.job(to);
            for k in 0..count {
                (job.k, job.add, job.out) = (k, k > 0, k + 1 == count);
                job.coherent = coherent >> k & 1 == 1;
                self.octaves.run(&mut job);
            }
            return;
        }
        let Aside { octave, weight } = aside;
        let size = samples.size();
        let mut base = base;
        for k in 0..self.octaves.len() {
            let mut octave_to = rows_of(octave);
            let mut job = base.reborrow().job(&mut octave_to);
            (job.k, job.coherent) = (k, coherent >> k & 1 == 1);
            self.octaves.run(&mut job);
            self.combine(level, k, slopes, size, octave, weight, to);
        }
        to.copy_out(size);
    }

    fn combine(
        &self,
        level: SimdLevel,
        k: usize,
        slopes: bool,
        size: (usize, usize),
        octave: &Rows4<'_>,
        weight: &mut Rows4<'_>,
        to: &mut Targets<'_>,
    ) {
        let [x, y, z] = &mut to.slopes;
        let [wv, wx, wy, wz] = weight;
        level.dispatch(Combine {
            shape: self.shape,
            share: self.shares[k],
            weighting: self.weighting,
            first: k == 0,
            slopes,
            size,
            octave,
            weight: [wv, wx, wy, wz],
            sum: [to.value.rows, x.rows, y.rows, z.rows],
        });
    }
}

fn rows_of<'a>(rows: &'a mut Rows4<'_>) -> Targets<'a> {
    let [value, x, y, z] = rows;
    Targets { value: Target::rows(value), slopes: [Target::rows(x), Target::rows(y), Target::rows(z)] }
}

/// What the jobs of all octaves share.
struct JobParts<'a> {
    level: SimdLevel,
    samples: Samples<'a>,
    displacement: Option<Displacement<'a>>,
    slopes: bool,
    places: &'a mut PlaceRow,
    tables: Tables<'a>,
}

impl<'a> JobParts<'a> {
    fn reborrow(&mut self) -> JobParts<'_> {
        JobParts {
            places: self.places,
            tables: self.tables.as_mut().map(|(octaves, work)| (&mut **octaves, &mut **work)),
            ..*self
        }
    }

    fn job<'to>(self, to: &'a mut Targets<'to>) -> Job<'a, 'to> {
        let Self { level, samples, displacement, slopes, places, tables } = self;
        let (coherent, add, out) = (false, false, false);
        Job { level, samples, displacement, slopes, places, tables, to, k: 0, coherent, add, out }
    }
}

fn check(params: &NoiseParams) -> Result<(), NoiseError> {
    params.kind.check()?;
    let Fractal { octaves, lacunarity, persistence, weighted_strength, .. } = params.fractal;
    let refuse =
        |name, value, expected: &str| Err(NoiseError::Value { name, value, expected: expected.to_owned() });
    if !(1..=OCTAVES_MAX).contains(&octaves) {
        return refuse("octaves", f64::from(octaves), "a whole number from 1 to 16");
    }
    if !(1.0..=LACUNARITY_MAX).contains(&lacunarity) {
        return refuse("lacunarity", lacunarity, "from 1 to 8");
    }
    if !(persistence > 0.0 && persistence <= 1.0) {
        return refuse("persistence", persistence, "above 0 and at most 1");
    }
    if !(0.0..=1.0).contains(&weighted_strength) {
        return refuse("weighted_strength", weighted_strength, "from 0 to 1");
    }
    let info = params.kind.info();
    if params.periods.iter().any(Option::is_some) && !info.tiles {
        return Err(NoiseError::Tiling { kind: info.name });
    }
    let mut frequency = params.frequency;
    for octave in 0..octaves {
        if !(FREQUENCY_MIN..=FREQUENCY_MAX).contains(&frequency) {
            return Err(NoiseError::Frequency { octave, frequency });
        }
        frequency *= lacunarity;
    }
    Ok(())
}

/// The periods of one octave, `stretch` = lacunarity^octave.
fn octave_periods(
    params: &NoiseParams,
    octave: u32,
    stretch: f64,
) -> Result<[Option<Period>; 3], NoiseError> {
    let mut periods = [None; 3];
    for ((period, to), axis) in params.periods.iter().zip(&mut periods).zip(['x', 'y', 'z']) {
        let Some(Period { cells, samples }) = *period else { continue };
        let octave_cells = f64::from(cells) * stretch;
        let whole =
            octave_cells.fract() == 0.0 && (1.0..=f64::from(PERIOD_CELLS_MAX)).contains(&octave_cells);
        if !whole {
            return Err(NoiseError::Period { octave, axis, cells: octave_cells });
        }
        if samples == 0 {
            return Err(NoiseError::Value { name: "samples", value: 0.0, expected: "at least 1".to_owned() });
        }
        let frequency = octave_cells / f64::from(samples);
        if !(FREQUENCY_MIN..=FREQUENCY_MAX).contains(&frequency) {
            return Err(NoiseError::Frequency { octave, frequency });
        }
        *to = Some(Period { cells: octave_cells as u32, samples });
    }
    Ok(periods)
}

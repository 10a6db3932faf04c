//! terrane-noise at a SIMD level: the only file of this package that knows its API.
//!
//! In: a piece of work and a level. Out: a runner, or `None` for what the library does not have. A new kind joins by one
//! arm in `params`.

pub use terrane_noise::SimdLevel;
use terrane_noise::{
    Cellular, Dimensions as Axes, Fractal, Noise, NoiseError, NoiseParams, Perlin, ProgramBuilder,
    ProgramError, Scratch, Simplex, Value, Volume, WarpBy,
};

use crate::runner::Prepared;
use crate::workload::{
    Dimensions, FREQUENCY, Kind, LACUNARITY, ORIGIN, PERSISTENCE, SEED, WARP_AMPLITUDE_SAMPLES, Work,
};

/// Why the library does not take a workload's parameters.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PrepareError {
    /// A noise refused them.
    #[error(transparent)]
    Noise(#[from] NoiseError),
    /// A program refused them.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// A runner for `work` at `level`, or `None` if the library cannot do it.
///
/// ```
/// use terrane_bench::ours::{SimdLevel, prepare};
/// use terrane_bench::{runner::Buffer, workload};
///
/// let work = workload::find("fbm6_2d_67").expect("listed").work;
/// let mut prepared = prepare(&work, SimdLevel::detect())?.expect("fBm is there");
/// let mut out = Buffer::for_work(&work);
/// prepared.runner.fill(out.values());
/// assert!(out.values().iter().all(|value| prepared.range.contains(value)));
/// # Ok::<(), terrane_bench::ours::PrepareError>(())
/// ```
///
/// # Errors
/// When the library refuses the parameters.
pub fn prepare(work: &Work, level: SimdLevel) -> Result<Option<Prepared>, PrepareError> {
    let params = params(work);
    match (work.kind, work.dimensions) {
        (Kind::WarpedFbm { .. }, _) => return warped(work, &params, level).map(Some),
        // Its columns are the value, d/dx and d/dz: those of a plane.
        (Kind::FbmGradient { .. }, Dimensions::Three) => return Ok(None),
        _ => {}
    }
    let noise = Noise::new(&params)?;
    let (volume, mut scratch) = (volume(work), Scratch::new());
    let strides = [volume.width, volume.width * volume.height];
    if let Kind::FbmGradient { .. } = work.kind {
        let n = work.samples();
        return Ok(Some(Prepared::new(-1.0..=1.0, move |out: &mut [f32]| {
            let (value, slopes) = out.split_at_mut(n);
            let (x, z) = slopes.split_at_mut(n);
            noise.fill_gradient(level, &volume, value, [x, &mut [], &mut z[..n]], strides, &mut scratch);
        })));
    }
    let fill = move |out: &mut [f32]| noise.fill_volume(level, &volume, out, strides, &mut scratch);
    Ok(Some(Prepared::new(-1.0..=1.0, fill)))
}

/// fBm at positions that two value noises have moved, along x and along z.
fn warped(work: &Work, params: &NoiseParams, level: SimdLevel) -> Result<Prepared, PrepareError> {
    let sway = |seed| NoiseParams {
        kind: Value.into(),
        seed: params.seed + seed,
        fractal: Fractal::default(),
        ..params.clone()
    };
    let mut builder = ProgramBuilder::new();
    let (fbm, x, z) = (builder.noise(params)?, builder.noise(&sway(1))?, builder.noise(&sway(2))?);
    let node = builder.warp(fbm, WarpBy { x, y: None, z }, WARP_AMPLITUDE_SAMPLES)?;
    builder.output("warped", node)?;
    let (program, volume, mut scratch) = (builder.build()?, volume(work), Scratch::new());
    let strides = [volume.width, volume.width * volume.height];
    let fill = move |out: &mut [f32]| program.fill_volume(level, &volume, &mut [out], strides, &mut scratch);
    Ok(Prepared::new(-1.0..=1.0, fill))
}

fn params(work: &Work) -> NoiseParams {
    let (kind, octaves) = match work.kind {
        Kind::Fbm { octaves } | Kind::FbmGradient { octaves } => (Perlin.into(), octaves),
        Kind::Simplex => (Simplex.into(), 1),
        Kind::Value => (Value.into(), 1),
        Kind::Cellular => (Cellular::default().into(), 1),
        Kind::WarpedFbm { octaves } => (Perlin.into(), octaves),
    };
    NoiseParams {
        kind,
        dimensions: match work.dimensions {
            Dimensions::Two => Axes::Two,
            Dimensions::Three => Axes::Three,
        },
        seed: SEED as u64,
        frequency: FREQUENCY,
        fractal: Fractal { octaves, lacunarity: LACUNARITY, persistence: PERSISTENCE, ..Fractal::default() },
        periods: [None; 3],
    }
}

fn volume(work: &Work) -> Volume {
    let [x, z, y] = ORIGIN.map(i64::from);
    let depth = match work.dimensions {
        Dimensions::Two => 1,
        Dimensions::Three => work.size,
    };
    Volume { x, y, z, width: work.size, height: work.size, depth, stride: work.stride }
}

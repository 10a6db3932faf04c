//! terrane-noise at a SIMD level: the only file of this package that knows its API.
//!
//! In: a piece of work and a level. Out: a runner, or `None` for what the library does not have. A new kind joins by one
//! arm in [`params`].

use terrane_noise::{
    Cellular, Dimensions as Axes, Fractal, Noise, NoiseParams, Perlin, Scratch, Simplex, Value, Volume,
};
pub use terrane_noise::{NoiseError, SimdLevel};

use crate::runner::Prepared;
use crate::workload::{Dimensions, FREQUENCY, Kind, LACUNARITY, ORIGIN, PERSISTENCE, SEED, Work};

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
/// # Ok::<(), terrane_bench::ours::NoiseError>(())
/// ```
///
/// # Errors
/// When the library refuses the parameters.
pub fn prepare(work: &Work, level: SimdLevel) -> Result<Option<Prepared>, NoiseError> {
    let Some(params) = params(work) else { return Ok(None) };
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

fn params(work: &Work) -> Option<NoiseParams> {
    let (kind, octaves) = match work.kind {
        Kind::Fbm { octaves } | Kind::FbmGradient { octaves } => (Perlin.into(), octaves),
        Kind::Simplex => (Simplex.into(), 1),
        Kind::Value => (Value.into(), 1),
        Kind::Cellular => (Cellular::default().into(), 1),
        Kind::WarpedFbm { .. } => return None,
    };
    Some(NoiseParams {
        kind,
        dimensions: match work.dimensions {
            Dimensions::Two => Axes::Two,
            Dimensions::Three => Axes::Three,
        },
        seed: SEED as u64,
        frequency: FREQUENCY,
        fractal: Fractal { octaves, lacunarity: LACUNARITY, persistence: PERSISTENCE, ..Fractal::default() },
        periods: [None; 3],
    })
}

fn volume(work: &Work) -> Volume {
    let [x, z, y] = ORIGIN.map(i64::from);
    let depth = match work.dimensions {
        Dimensions::Two => 1,
        Dimensions::Three => work.size,
    };
    Volume { x, y, z, width: work.size, height: work.size, depth, stride: work.stride }
}

//! Answers are checked before they are timed.
//!
//! In: the values that a runner wrote. Out: nothing, or what is wrong with them. Levels of ours must agree to the bit;
//! a peer has noise of its own, so of it we ask that it did fill everything with something like noise.

use std::ops::RangeInclusive;

use crate::workload::Work;

/// Why an answer is not worth timing.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum CheckError {
    /// A level differs from the scalar path.
    #[error("value {index} is {found:?}, on the scalar path {scalar:?}; every level must give the same bits")]
    Bits {
        /// Which value.
        index: usize,
        /// What the level gave.
        found: f32,
        /// What the scalar path gave.
        scalar: f32,
    },
    /// Not finite, or outside of the range.
    #[error("value {index} is {found:?}; it must be a number from {min} to {max}")]
    Range {
        /// Which value.
        index: usize,
        /// What it is.
        found: f32,
        /// The least that is allowed.
        min: f32,
        /// The most that is allowed.
        max: f32,
    },
    /// Constant, or nearly so.
    #[error("the standard deviation of column {column} is {found}; noise has at least {min}")]
    Flat {
        /// Which column, from 0.
        column: usize,
        /// What it is.
        found: f64,
        /// The least that is allowed.
        min: f64,
    },
}

/// A value column deviates from its mean by at least this share of its range.
const DEVIATION_MIN: f64 = 0.02;
/// A derivative has no range; per sample it deviates by at least this.
const SLOPE_DEVIATION_MIN: f64 = 1e-4;

/// Whether `values` are something like noise: numbers in `range` that differ.
///
/// ```
/// use terrane_bench::check::sane;
/// let work = terrane_bench::workload::find("perlin_2d_256").expect("listed").work;
/// let flat = vec![0.25; work.samples()];
/// assert!(sane(&work, &flat, &(-1.0..=1.0)).is_err());
/// ```
///
/// # Errors
/// Names the first value that is not a number in range, or the column that is flat.
pub fn sane(work: &Work, values: &[f32], range: &RangeInclusive<f32>) -> Result<(), CheckError> {
    let slopes = f32::MIN..=f32::MAX;
    for (column, values) in values.chunks(work.samples()).enumerate() {
        let (range, deviation_min) = match column {
            0 => (range, DEVIATION_MIN * f64::from(range.end() - range.start())),
            _ => (&slopes, SLOPE_DEVIATION_MIN),
        };
        if let Some(index) = values.iter().position(|value| !range.contains(value)) {
            let found = values[index];
            return Err(CheckError::Range { index, found, min: *range.start(), max: *range.end() });
        }
        let found = deviation(values);
        if found < deviation_min {
            return Err(CheckError::Flat { column, found, min: deviation_min });
        }
    }
    Ok(())
}

/// Whether a level's `values` are those of the `scalar` path to the bit.
///
/// # Errors
/// Names the first value that differs.
pub fn same_bits(values: &[f32], scalar: &[f32]) -> Result<(), CheckError> {
    let mut pairs = values.iter().zip(scalar).enumerate();
    match pairs.find(|(_, (a, b))| a.to_bits() != b.to_bits()) {
        Some((index, (&found, &scalar))) => Err(CheckError::Bits { index, found, scalar }),
        None => Ok(()),
    }
}

fn deviation(values: &[f32]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / count;
    let squares: f64 =
        values.iter().map(|&value| (f64::from(value) - mean) * (f64::from(value) - mean)).sum();
    (squares / count).sqrt()
}

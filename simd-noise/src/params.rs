//! The parameters of a noise, and why some make none.

use crate::kinds::Kind;

/// Everything that decides a noise.
///
/// ```
/// use terrane_noise::{Fractal, FractalShape, NoiseParams, Simplex};
///
/// let ridges = NoiseParams {
///     kind: Simplex.into(),
///     seed: 7,
///     frequency: 1.0 / 300.0,
///     fractal: Fractal { shape: FractalShape::Ridged, octaves: 5, ..Fractal::default() },
///     ..NoiseParams::default()
/// };
/// assert_eq!(ridges.fractal.lacunarity, 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NoiseParams {
    /// Which noise, with its own settings.
    pub kind: Kind,
    /// Two dimensions: x and z. Three: x, y (up) and z.
    pub dimensions: Dimensions,
    /// All 64 bits matter. Neighbouring seeds give unrelated noise.
    pub seed: u64,
    /// Cells a sample of the first octave: spacing / feature size. 2^-24 ..= 2^16.
    pub frequency: f64,
    /// Octaves and how they add up.
    pub fractal: Fractal,
    /// Tiling along x, y and z. A tiled axis takes its frequency from its period.
    pub periods: [Option<Period>; 3],
}

impl Default for NoiseParams {
    /// One octave of 2D Perlin noise, 64 samples a cell.
    fn default() -> Self {
        Self {
            kind: crate::kinds::Perlin.into(),
            dimensions: Dimensions::Two,
            seed: 0,
            frequency: 1.0 / 64.0,
            fractal: Fractal::default(),
            periods: [None; 3],
        }
    }
}

/// How many dimensions a noise has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimensions {
    /// x and z: the ground plane. The same at every y.
    Two,
    /// x, y (up) and z.
    Three,
}

/// Octaves and how they add up.
///
/// ```
/// use terrane_noise::Fractal;
/// let hills = Fractal { octaves: 6, persistence: 0.4, ..Fractal::default() };
/// assert_eq!(hills.octaves, 6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fractal {
    /// What an octave gives to the sum.
    pub shape: FractalShape,
    /// 1 ..= 16.
    pub octaves: u32,
    /// How much the frequency grows from octave to octave. 1 ..= 8.
    pub lacunarity: f64,
    /// How much the amplitude shrinks from octave to octave. Above 0, at most 1.
    pub persistence: f64,
    /// How much low places silence finer octaves, 0 (not at all) ..= 1.
    pub weighted_strength: f64,
}

impl Default for Fractal {
    /// One octave; more of them halve in size and in height.
    fn default() -> Self {
        Self {
            shape: FractalShape::Fbm,
            octaves: 1,
            lacunarity: 2.0,
            persistence: 0.5,
            weighted_strength: 0.0,
        }
    }
}

/// What an octave n in -1..=1 gives to the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FractalShape {
    /// n: rolling ground.
    Fbm,
    /// 2 |n| - 1: round hills between sharp valleys.
    Billow,
    /// 1 - 2 |n|: sharp ridges above round valleys.
    Ridged,
}

impl FractalShape {
    /// Every shape with its name in world files and its stable id.
    pub const ALL: [(Self, &'static str, u32); 3] =
        [(Self::Fbm, "fbm", 0), (Self::Billow, "billow", 1), (Self::Ridged, "ridged", 2)];

    /// Its name in world files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Its stable id.
    #[must_use]
    pub fn id(self) -> u32 {
        Self::ALL[self as usize].2
    }
}

/// A period of an axis: so many lattice cells in so many samples, then the same again, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// Cells of the first octave. Times lacunarity^octave it must stay whole and at most 2^20.
    pub cells: u32,
    /// Samples of the full resolution.
    pub samples: u32,
}

/// Largest number of octaves.
pub const OCTAVES_MAX: u32 = 16;
/// Largest lacunarity; the smallest is 1.
pub const LACUNARITY_MAX: f64 = 8.0;
/// Fewer cells a sample, 2^-24, would leave an octave's 32-bit step too few digits.
pub const FREQUENCY_MIN: f64 = 1.0 / 16_777_216.0;
/// More cells a sample, 2^16, are white noise.
pub const FREQUENCY_MAX: f64 = 65_536.0;
/// Largest period of an octave in cells: whole cells of that size are exact in kernels.
pub const PERIOD_CELLS_MAX: u32 = 1 << 20;

/// Why parameters make no noise.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoiseError {
    /// A number is not one, or out of range.
    #[error("{name} is {value}; it must be {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What it was.
        value: f64,
        /// What would be right.
        expected: String,
    },
    /// An octave is too coarse or too fine for fixed-point positions.
    #[error("octave {octave} has {frequency} cells a sample; it must be from 2^-24 to 2^16")]
    Frequency {
        /// Which octave, from 0.
        octave: u32,
        /// Its cells a sample.
        frequency: f64,
    },
    /// A period that does not fit an octave.
    #[error(
        "octave {octave} would repeat along {axis} after {cells} cells; it must be a whole number from 1 to 2^20, so choose \
         a period in cells (and a lacunarity) that stays whole in all octaves"
    )]
    Period {
        /// Which octave, from 0.
        octave: u32,
        /// x, y or z.
        axis: char,
        /// Its period in cells.
        cells: f64,
    },
    /// A kind that cannot tile.
    #[error("{kind} noise cannot tile: its lattice is not square; those that can are {}", tiling_kinds())]
    Tiling {
        /// The kind's name.
        kind: &'static str,
    },
}

fn tiling_kinds() -> String {
    let names: Vec<_> = Kind::ALL.iter().filter(|info| info.tiles).map(|info| info.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Filter;

    #[test]
    fn lists_stand_in_the_order_of_their_enums() {
        for (i, (shape, name, id)) in FractalShape::ALL.into_iter().enumerate() {
            assert_eq!((shape as usize, shape.name(), shape.id()), (i, name, id));
        }
        for (i, (filter, name, id)) in Filter::ALL.into_iter().enumerate() {
            assert_eq!((filter as usize, filter.name(), filter.id()), (i, name, id));
        }
    }
}

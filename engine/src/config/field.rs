//! The plain data of a named field: where its values come from.
//!
//! In: what a world file or a host says. Out: the same; the rules are in `field_rules.rs`, the keys of world files in
//! `field_keys.rs`, and `fields/` compiles all fields of a world into one program.

use std::fmt;
use std::sync::Arc;

use terrane_noise::{Filter, Fractal, Kind, Outside, WarpOrder};

use super::operations::{Operands, OperationInfo};

/// One named field of a world: a value at every position of the ground.
///
/// ```
/// use terrane::config::{FieldConfig, NoiseConfig};
/// use terrane::noise::{Fractal, Simplex};
///
/// let fractal = Fractal { octaves: 5, ..Fractal::default() };
/// let noise = NoiseConfig { kind: Simplex.into(), feature_m: 400.0, fractal, ..NoiseConfig::new("humidity") };
/// let field = FieldConfig { name: "humidity".into(), source: noise.into() };
/// assert!(field.noise().is_some());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FieldConfig {
    /// `[a-z][a-z0-9_]*`, at most 64 characters.
    pub name: String,
    /// Where its values come from.
    pub source: FieldSource,
}

/// Where the values of a field come from.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldSource {
    /// A noise: -1 ..= 1.
    Noise(NoiseConfig),
    /// A gray picture that lies on the ground.
    Raster(RasterConfig),
    /// An operation on other fields.
    Operation(OperationConfig),
    /// Another field, at positions that fields move.
    Warp(WarpConfig),
}

/// A noise of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct NoiseConfig {
    /// The field's id: its noise seed is mixed from it and the world's seed. Two fields with one id and the same settings
    /// are the same noise. In a world file it defaults to the stable hash of the name
    /// ([`hash_text`](super::hash_text)), so a renamed field without an explicit `seed` is other noise.
    pub seed: u64,
    /// Which noise, with its own settings.
    pub kind: Kind,
    /// Size of the largest features in metres: one lattice cell of the first octave. Above 0.
    pub feature_m: f64,
    /// Octaves and how they add up.
    pub fractal: Fractal,
    /// After how many metres along x and z the noise repeats; `None`: never. A whole number of samples that holds a whole
    /// number of features, in every octave.
    pub tile_m: Option<[f64; 2]>,
}

/// A gray picture as a field.
#[derive(Debug, Clone, PartialEq)]
pub struct RasterConfig {
    /// The pixels.
    pub image: RasterImage,
    /// Metres from one pixel to the next, along x and z.
    pub pixel_m: [f64; 2],
    /// Where the centre of the first pixel lies, in metres, x then z.
    pub offset_m: [f64; 2],
    /// The values of black and of white; within +-1e30.
    pub range: [f32; 2],
    /// What is between pixels.
    pub filter: Filter,
    /// What is beyond the border.
    pub outside: Outside,
}

/// The pixels of a raster, shared by all that hold them. Row 0 is the smallest z.
#[derive(Clone, PartialEq)]
pub struct RasterImage {
    /// The file that it was read from, as the world file names it; counts for nothing.
    pub file: String,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` pixels, 0 black to 65535 white.
    pub samples: Arc<[u16]>,
}

/// An operation on fields and numbers.
///
/// ```
/// use terrane::config::{Operand, OperationConfig, OperationInfo};
///
/// let clamp = OperationInfo::find("clamp").unwrap();
/// let held = OperationConfig { info: clamp, of: vec![Operand::Field(0)], settings: vec![vec![-0.5], vec![0.5]] };
/// assert_eq!(held.info.settings[0].name, "low");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct OperationConfig {
    /// Which operation.
    pub info: &'static OperationInfo,
    /// What it is made of; a mask comes last.
    pub of: Vec<Operand>,
    /// Its settings, in the order of [`OperationInfo::settings`]: one number, a pair, or the pairs of a curve one after the
    /// other.
    pub settings: Vec<Vec<f64>>,
}

/// A field, or the same number everywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand {
    /// Index into [`WorldConfig::fields`](super::WorldConfig::fields).
    Field(usize),
    /// A number, within +-1e30.
    Number(f64),
}

/// A field at positions that other fields move.
#[derive(Debug, Clone, PartialEq)]
pub struct WarpConfig {
    /// What is evaluated at the moved positions: an index into [`WorldConfig::fields`](super::WorldConfig::fields).
    pub of: usize,
    /// What moves them.
    pub by: WarpFields,
    /// How octaves of noise follow one another.
    pub order: WarpOrder,
    /// By how many metres a value of 1 moves.
    pub strength_m: f64,
}

/// What moves positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarpFields {
    /// The noise of a field, twice, with a seed of its own along x and along z.
    Noise(usize),
    /// One field along x, another along z.
    Pair([usize; 2]),
}

impl FieldConfig {
    /// The noise, where the field is one.
    #[must_use]
    pub fn noise(&self) -> Option<&NoiseConfig> {
        match &self.source {
            FieldSource::Noise(noise) => Some(noise),
            _ => None,
        }
    }

    /// The same, to change.
    pub fn noise_mut(&mut self) -> Option<&mut NoiseConfig> {
        match &mut self.source {
            FieldSource::Noise(noise) => Some(noise),
            _ => None,
        }
    }
}

impl NoiseConfig {
    /// One octave of Perlin noise with features of 100 metres, for the field of that name.
    #[must_use]
    pub fn new(field: &str) -> Self {
        Self {
            seed: super::hash_text(field),
            kind: terrane_noise::Perlin.into(),
            feature_m: 100.0,
            fractal: Fractal::default(),
            tile_m: None,
        }
    }

    /// Lattice cells per sample of each octave, first octave first: `spacing / feature`, then multiplied by the
    /// lacunarity once an octave, in `f64`. Every user takes frequencies from here, so all agree to the bit.
    ///
    /// ```
    /// use terrane::config::NoiseConfig;
    /// use terrane::noise::Fractal;
    ///
    /// let fractal = Fractal { octaves: 4, ..Fractal::default() };
    /// let noise = NoiseConfig { feature_m: 256.0, fractal, ..NoiseConfig::new("ground") };
    /// let cells: Vec<f64> = noise.frequencies(1.0).collect();
    /// assert_eq!(cells, [1.0 / 256.0, 1.0 / 128.0, 1.0 / 64.0, 1.0 / 32.0]);
    /// ```
    pub fn frequencies(&self, sample_spacing_m: f64) -> impl Iterator<Item = f64> + use<> {
        let lacunarity = self.fractal.lacunarity;
        std::iter::successors(Some(sample_spacing_m / self.feature_m), move |cells| Some(cells * lacunarity))
            .take(self.fractal.octaves as usize)
    }
}

impl FieldSource {
    /// The fields that it is made of: their indices, each with its key in a world file and, where that is a list, its place.
    pub(crate) fn operands(&self) -> Vec<(usize, &'static str, Option<usize>)> {
        match self {
            Self::Noise(_) | Self::Raster(_) => Vec::new(),
            Self::Operation(operation) => {
                let operands = operation.info.operands;
                let (mask, is_list) = (operands.mask_at(), operands != Operands::One);
                let fields = operation.of.iter().enumerate().filter_map(|(place, operand)| match operand {
                    Operand::Field(index) if Some(place) == mask => Some((*index, "mask", None)),
                    Operand::Field(index) => Some((*index, "of", is_list.then_some(place))),
                    Operand::Number(_) => None,
                });
                fields.collect()
            }
            Self::Warp(warp) => match warp.by {
                WarpFields::Noise(by) => vec![(warp.of, "of", None), (by, "by", None)],
                WarpFields::Pair([x, z]) => {
                    vec![(warp.of, "of", None), (x, "by", Some(0)), (z, "by", Some(1))]
                }
            },
        }
    }

    /// Negative zeros become zeros, where numbers are not compiled by rules that do so.
    pub(crate) fn normalize(&mut self) {
        if let Self::Raster(raster) = self {
            for value in &mut raster.range {
                *value += 0.0;
            }
            if let Outside::Constant(value) = &mut raster.outside {
                *value += 0.0;
            }
        }
    }

    /// Counts fields anew: index `i` becomes `to[i]`. What is out of range stays, for the rules to refuse.
    pub(crate) fn renumber(&mut self, to: &[usize]) {
        let renumber = |index: &mut usize| *index = to.get(*index).copied().unwrap_or(*index);
        match self {
            Self::Noise(_) | Self::Raster(_) => {}
            Self::Operation(operation) => {
                for operand in &mut operation.of {
                    if let Operand::Field(index) = operand {
                        renumber(index);
                    }
                }
            }
            Self::Warp(warp) => {
                renumber(&mut warp.of);
                match &mut warp.by {
                    WarpFields::Noise(by) => renumber(by),
                    WarpFields::Pair(by) => by.iter_mut().for_each(renumber),
                }
            }
        }
    }
}

macro_rules! from_source {
    ($($variant:ident($source:ident)),+ $(,)?) => {$(
        impl From<$source> for FieldSource {
            fn from(source: $source) -> Self {
                Self::$variant(source)
            }
        }
    )+};
}

from_source! { Noise(NoiseConfig), Raster(RasterConfig), Operation(OperationConfig), Warp(WarpConfig) }

/// The size and the name; not millions of pixels.
impl fmt::Debug for RasterImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({} x {})", self.file, self.width, self.height)
    }
}

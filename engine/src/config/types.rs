//! The plain data of a world, after parsing and before compiling: numbers with units, nothing to look up.
//!
//! In: what [`WorldConfig::from_toml_str`](super::WorldConfig::from_toml_str) or a host puts in. Out: the same,
//! checked by [`WorldConfig::validate`]. The rules are in `rules.rs`, the hash in `canonical.rs`.

use super::{ConfigError, FieldConfig, check_stream, round_spacing_m, rules};
use crate::stream::StreamSettings;

/// Everything that decides the bytes of a world, plus the two things that only decide how it is cut and
/// coloured (`chunk_cells` and `ramp`, which [`WorldConfig::world_hash`] leaves out).
///
/// A config from a world file is valid. One made in code goes through [`WorldConfig::normalized`] and
/// [`WorldConfig::validate`].
///
/// ```
/// use terrane::config::*;
/// use terrane::noise::Fractal;
///
/// let fractal = Fractal { octaves: 4, ..Fractal::default() };
/// let noise = NoiseConfig { feature_m: 120.0, fractal, ..NoiseConfig::new("ground") };
/// let world = WorldConfig {
///     seed: parse_seed("north pole"),
///     generator_version: GENERATOR_VERSION,
///     sample_spacing_m: 0.5,
///     chunk_cells: DEFAULT_CHUNK_CELLS,
///     fields: vec![FieldConfig { name: "ground".into(), source: noise.into() }],
///     height: HeightConfig {
///         field: 0,
///         min_m: -10.0,
///         max_m: 90.0,
///         sea_level_m: 0.0,
///         curve: HeightConfig::straight_curve(),
///     },
///     extent: None,
///     ramp: RampKey::gray(-10.0, 90.0),
/// }
/// .normalized();
/// world.validate()?;
/// # Ok::<(), ConfigError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WorldConfig {
    /// The world's seed: any 64 bits. Text becomes a seed by [`parse_seed`](super::parse_seed).
    pub seed: u64,
    /// [`GENERATOR_VERSION`](super::GENERATOR_VERSION); anything else is refused.
    pub generator_version: u32,
    /// Metres between neighbouring samples, 2^-10 ..= 2^16, already rounded to 16 significant bits
    /// ([`round_spacing_m`]).
    pub sample_spacing_m: f64,
    /// Quads along a chunk's side: 16, 32, 64 or 128. Does not change the ground.
    pub chunk_cells: u32,
    /// The named fields, sorted by name, each name once; 1 to 256.
    pub fields: Vec<FieldConfig>,
    /// How one of the fields becomes heights.
    pub height: HeightConfig,
    /// `None`: the world has no end.
    pub extent: Option<ExtentConfig>,
    /// Colour by height: at least two keys, heights strictly rising; between keys colours blend, beyond the
    /// outermost keys they hold. Does not change the ground.
    pub ramp: Vec<RampKey>,
}

/// How a field becomes heights: `height = min_m + curve(value) * (max_m - min_m)`.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightConfig {
    /// Index into [`WorldConfig::fields`].
    pub field: usize,
    /// The lowest height in metres, within +-1e6.
    pub min_m: f32,
    /// The highest height in metres, within +-1e6, at least 1 mm above `min_m`.
    pub max_m: f32,
    /// The sea level in metres, within +-1e6; it may lie outside the height range.
    pub sea_level_m: f32,
    /// At least two keys, `at` rising by at least 1/128 each. A value outside the outermost keys takes the
    /// outermost key's `to`.
    pub curve: Vec<CurveKey>,
}

/// One key of the height curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveKey {
    /// Value of the field, -1 ..= 1; beyond the outermost keys the curve holds.
    pub at: f64,
    /// Share of the height range, 0 ..= 1.
    pub to: f64,
}

/// The rectangle of a finite world, in samples. Positions are `[x, z]`; both ends belong to the world.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtentConfig {
    /// The first sample on each axis, above -(2^60 - 2^32).
    pub min: [i64; 2],
    /// The last sample on each axis, below 2^60 - 2^32, at least one above `min`.
    pub max: [i64; 2],
    /// Width in metres of the strip along the edge over which heights fall to `floor_m`; 0 is a sheer edge, the least else is one spacing.
    /// At most half the shorter side.
    pub falloff_m: f64,
    /// Height of the edge, and of the ground outside, in metres, within the height range.
    pub floor_m: f32,
}

/// One key of the colour ramp.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RampKey {
    /// Height in metres, within +-1e6.
    pub height_m: f32,
    /// Red, green and blue, sRGB.
    pub color: [u8; 3],
}

/// Settings that never change a byte of the world: the optional `[runtime]` section. What it does not say is as in
/// [`StreamSettings::default`].
///
/// ```
/// # #[cfg(all(feature = "config", feature = "threads"))] {
/// use std::sync::Arc;
/// use terrane::{Streamer, SystemClock, World, WorldConfig};
///
/// let text = r#"
///     seed = 7
///     generator_version = 1
///     sample_spacing_m = 1.0
///     chunk_cells = 16
///     [fields.ground]
///     noise = "perlin"
///     feature_m = 220.0
///     [height]
///     field = "ground"
///     min_m = 0.0
///     max_m = 90.0
///     [runtime]
///     levels = 3
///     [runtime.outputs]
///     colors = false
/// "#;
/// let (config, runtime) = WorldConfig::from_toml_str("my.toml", text)?;
/// let stream = Streamer::open(World::open(config)?, runtime.stream, Arc::new(SystemClock::new()))?;
/// assert!(stream.memory().rows.iter().any(|row| row.name == "colors" && row.count == 0));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuntimeConfig {
    /// How the world is streamed. Fields are numbered as in [`WorldConfig::fields`].
    pub stream: StreamSettings,
}

impl WorldConfig {
    /// Checks every rule of the data model and says which value broke which.
    ///
    /// Configs from world files have passed it. Compiles the fields: tenths of a millisecond, more with rasters.
    ///
    /// # Errors
    /// [`ConfigError`] names the first field that is wrong, its value and what would be right.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::config::WorldConfig;
    ///
    /// let mut world = WorldConfig::preset("hills").unwrap();
    /// world.fields[0].noise_mut().unwrap().fractal.octaves = 17;
    /// let error = world.validate().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "fields.ground.octaves: found 17, expected a whole number from 1 to 16"
    /// );
    /// # }
    /// ```
    pub fn validate(&self) -> Result<(), ConfigError> {
        rules::check_world(self).map(|_| ())
    }

    /// The same world in the form that [`WorldConfig::validate`] asks for: spacing rounded to 16 significant
    /// bits, fields sorted by name (indices of fields follow), and no negative zeros, so that equal
    /// hashes mean equal bits. A config from a world file is in this form already.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::config::WorldConfig;
    ///
    /// let mut world = WorldConfig::preset("hills").unwrap();
    /// world.sample_spacing_m = 0.3;
    /// assert!(world.validate().is_err());
    /// assert_eq!(world.normalized().sample_spacing_m, 0.3000030517578125);
    /// # }
    /// ```
    #[must_use]
    pub fn normalized(mut self) -> Self {
        self.sample_spacing_m = round_spacing_m(self.sample_spacing_m);
        let mut order: Vec<usize> = (0..self.fields.len()).collect();
        order.sort_by(|a, b| self.fields[*a].name.cmp(&self.fields[*b].name));
        let mut to = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            to[*old] = new;
        }
        self.fields.sort_by(|a, b| a.name.cmp(&b.name));
        for field in &mut self.fields {
            field.source.renumber(&to);
            field.source.normalize();
        }
        // An index out of range stays as it is, for `validate` to refuse.
        self.height.field = to.get(self.height.field).copied().unwrap_or(self.height.field);
        // -0.0 + 0.0 is 0.0, and every other value stays itself.
        for height_m in [&mut self.height.min_m, &mut self.height.max_m, &mut self.height.sea_level_m] {
            *height_m += 0.0;
        }
        for key in &mut self.height.curve {
            key.at += 0.0;
            key.to += 0.0;
        }
        if let Some(extent) = &mut self.extent {
            extent.falloff_m += 0.0;
            extent.floor_m += 0.0;
        }
        for key in &mut self.ramp {
            key.height_m += 0.0;
        }
        self
    }
}

impl HeightConfig {
    /// The curve of a world file that names none: -1 becomes the lowest height, 1 the highest.
    ///
    /// ```
    /// let curve = terrane::config::HeightConfig::straight_curve();
    /// assert_eq!((curve[0].at, curve[0].to), (-1.0, 0.0));
    /// assert_eq!((curve[1].at, curve[1].to), (1.0, 1.0));
    /// ```
    pub fn straight_curve() -> Vec<CurveKey> {
        vec![CurveKey { at: -1.0, to: 0.0 }, CurveKey { at: 1.0, to: 1.0 }]
    }
}

impl RampKey {
    /// The ramp of a world file that names none: dark gray at the lowest height, near white at the highest.
    ///
    /// ```
    /// let ramp = terrane::config::RampKey::gray(-10.0, 90.0);
    /// assert_eq!(ramp[0].height_m, -10.0);
    /// assert_eq!(ramp[1].color, [0xf0, 0xf0, 0xf0]);
    /// ```
    pub fn gray(min_m: f32, max_m: f32) -> Vec<RampKey> {
        vec![
            RampKey { height_m: min_m, color: [0x30, 0x30, 0x30] },
            RampKey { height_m: max_m, color: [0xf0, 0xf0, 0xf0] },
        ]
    }
}

impl RuntimeConfig {
    /// Checks the runtime settings, for streams of `world`. Those of a world file have passed it.
    ///
    /// # Errors
    /// [`ConfigError`] names the first setting that is out of range or does not go with another.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::{RuntimeConfig, StreamSettings, WorldConfig};
    ///
    /// let world = WorldConfig::preset("hills").unwrap();
    /// let with = |stream| RuntimeConfig { stream }.validate(&world);
    /// assert_eq!(with(StreamSettings { levels: 8, ..StreamSettings::default() }), Ok(()));
    /// let error = with(StreamSettings { hysteresis: 0.7, ..StreamSettings::default() }).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "runtime.hysteresis: found 0.7, expected a number from 0 to 0.5, so that split_factor * (1 - hysteresis) is at least 1"
    /// );
    /// # }
    /// ```
    pub fn validate(&self, world: &WorldConfig) -> Result<(), ConfigError> {
        check_stream(&self.stream, world.fields.len())
    }
}

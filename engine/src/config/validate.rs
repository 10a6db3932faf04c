//! From text to a valid world: reads a file, takes it apart, and builds the config.
//!
//! In: a path or a text. Out: [`WorldConfig`] and [`RuntimeConfig`], or the first error with its place. The order
//! of checks: size and encoding, TOML syntax, generator version (a file of another release may hold anything
//! else), keys, types, then the rules of `rules.rs` on the finished config.
//!
//! Values are converted by casts that keep wrong values wrong (an `i64` too large becomes the largest `u32`, a
//! coordinate that is no number becomes a forbidden one), so that each rule stands once, in `rules.rs`.

use super::document::Document;
use super::field_file::{Context, Refused, field_source};
use super::field_rules::FIELDS_MAX;
use super::rules;
use super::runtime_file::stream_settings;
use super::schema::{ColorsSchema, ExtentSchema, HeightSchema, RampSchema, SeedSchema, WorldSchema};
use super::suggest::{did_you_mean, nearest};
use super::{
    ConfigError, CurveKey, DEFAULT_CHUNK_CELLS, ExtentConfig, FieldConfig, FieldPath, HeightConfig, RampKey,
    RuntimeConfig, WorldConfig, WorldFileError, WorldFileErrorKind, parse_seed, round_spacing_m,
};
use serde_path_to_error::Segment;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest world file, in bytes. A long one has a few thousand; more is a mistake.
pub const MAX_FILE_BYTES: usize = 1 << 20;

impl WorldConfig {
    /// Reads a world from the text of a world file. `file_name` goes into errors, and paths of rasters start from its
    /// folder.
    ///
    /// # Errors
    /// [`WorldFileError`] for anything that is not a valid world file of this release.
    ///
    /// ```
    /// use terrane::config::WorldConfig;
    ///
    /// let text = r#"
    ///     seed = "north pole"
    ///     generator_version = 1
    ///     sample_spacing_m = 1.0
    ///     [fields.ground]
    ///     noise = "perlin"
    ///     feature_m = 220.0
    ///     octaves = 6
    ///     [height]
    ///     field = "ground"
    ///     min_m = -60.0
    ///     max_m = 240.0
    /// "#;
    /// let (world, runtime) = WorldConfig::from_toml_str("north.toml", text)?;
    /// assert_eq!(world.fields[world.height.field].noise().unwrap().fractal.octaves, 6);
    /// assert_eq!(runtime.stream.levels, 6);
    /// # Ok::<(), terrane::config::WorldFileError>(())
    /// ```
    pub fn from_toml_str(
        file_name: &str,
        text: &str,
    ) -> Result<(WorldConfig, RuntimeConfig), WorldFileError> {
        if text.len() > MAX_FILE_BYTES {
            return Err(too_large(file_name, text.len()));
        }
        if text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty() {
            return Err(WorldFileError::whole(
                WorldFileErrorKind::Empty,
                file_name,
                "an empty file",
                "a world file (`terrane new` writes one)",
                None,
            ));
        }
        let document = Document::parse(file_name, text)?;
        if let Some(version) = document.top_level_integer("generator_version") {
            rules::check_generator_version(version)
                .map_err(|error| document.refuse(WorldFileErrorKind::GeneratorVersion, error))?;
        }
        document.check_shape()?;
        let schema = deserialize(&document)?;
        let folder = Path::new(file_name).parent().unwrap_or(Path::new(""));
        build(schema, folder).map_err(|refused| document.place(refused))
    }

    /// Reads a world file.
    ///
    /// # Errors
    /// [`WorldFileError`] when the file cannot be read or is not a valid world file of this release.
    ///
    /// ```
    /// use terrane::config::WorldConfig;
    ///
    /// let error = WorldConfig::from_file("no-such-world.toml").unwrap_err();
    /// assert_eq!(error.file(), "no-such-world.toml");
    /// assert_eq!(error.found(), "no such file");
    /// ```
    pub fn from_file(path: impl AsRef<Path>) -> Result<(WorldConfig, RuntimeConfig), WorldFileError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = read_limited(path, &name)?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => WorldConfig::from_toml_str(&name, text),
            Err(error) => Err(not_utf8(&name, &bytes, error.valid_up_to())),
        }
    }
}

fn read_limited(path: &Path, name: &str) -> Result<Vec<u8>, WorldFileError> {
    let unreadable = |found: &str, error: Option<std::io::Error>| {
        WorldFileError::whole(
            WorldFileErrorKind::Unreadable,
            name,
            found,
            "a world file (`terrane new` writes one)",
            error,
        )
    };
    if path.is_dir() {
        return Err(unreadable("a directory", None));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file of the largest size from a larger one, whatever its length claims.
    let read = File::open(path).and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() > MAX_FILE_BYTES => {
            let length = std::fs::metadata(path).map_or(0, |data| data.len());
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            Err(too_large(name, length.max(bytes.len())))
        }
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(unreadable("no such file", Some(error)))
        }
        Err(error) => {
            let found = format!("a file that cannot be read ({error})");
            Err(unreadable(&found, Some(error)))
        }
    }
}

fn too_large(name: &str, bytes: usize) -> WorldFileError {
    WorldFileError::whole(
        WorldFileErrorKind::TooLarge,
        name,
        format!("{bytes} bytes"),
        format!("at most {MAX_FILE_BYTES} bytes"),
        None,
    )
}

fn not_utf8(name: &str, bytes: &[u8], at: usize) -> WorldFileError {
    // Everything before `at` is UTF-8, so the place is the same in the repaired text.
    let text = String::from_utf8_lossy(bytes);
    let found = format!("the byte 0x{:02x}", bytes.get(at).copied().unwrap_or(0));
    let what = ConfigError::new(FieldPath::default(), found, "text in UTF-8");
    let span = at..at + char::REPLACEMENT_CHARACTER.len_utf8();
    WorldFileError::at(WorldFileErrorKind::NotUtf8, name, &text, span, what)
}

/// Types and missing keys. serde says what is wrong in a sentence and where in a path; only the sentence about a
/// missing key has to be read, for every other the path and the list of keys know more.
fn deserialize(document: &Document<'_>) -> Result<WorldSchema, WorldFileError> {
    let deserializer = toml::Deserializer::from(document.tree());
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let mut path = FieldPath::default();
        for segment in error.path() {
            path = match segment {
                Segment::Map { key } => path.key(key.as_str()),
                Segment::Enum { variant } => path.key(variant.as_str()),
                Segment::Seq { index } => path.index(*index),
                Segment::Unknown => path,
            };
        }
        let missing =
            error.inner().message().strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        match missing {
            Some(key) => document.missing(path.key(key)),
            None => document.wrong_type(path, error.inner().span()),
        }
    })
}

fn build(schema: WorldSchema, folder: &Path) -> Result<(WorldConfig, RuntimeConfig), Refused> {
    // By name, so that a new key does not compile until it has a use.
    let WorldSchema {
        seed,
        generator_version,
        sample_spacing_m,
        chunk_cells,
        fields,
        height,
        extent,
        colors,
        runtime,
    } = schema;
    let sample_spacing_m = round_spacing_m(sample_spacing_m);
    if fields.len() > FIELDS_MAX {
        return Err(ConfigError::new(
            FieldPath::of("fields"),
            "too many tables",
            format!("at most {FIELDS_MAX}"),
        )
        .into());
    }
    let context = Context::new(fields.keys().map(String::as_str).collect(), folder);
    let fields = fields
        .iter()
        .map(|(name, table)| {
            let source = field_source(name, table, &context)?;
            Ok(FieldConfig { name: name.clone(), source })
        })
        .collect::<Result<Vec<FieldConfig>, Refused>>()?;
    let height = build_height(height, &fields)?;
    let extent = extent.map(|extent| build_extent(&extent, sample_spacing_m, height.min_m)).transpose()?;
    let ramp = match colors.and_then(|ColorsSchema { ramp }| ramp) {
        Some(keys) => build_ramp(&keys)?,
        None => RampKey::gray(height.min_m, height.max_m),
    };
    let world = WorldConfig {
        seed: build_seed(FieldPath::of("seed"), &seed)?,
        generator_version: saturate(generator_version),
        sample_spacing_m,
        chunk_cells: chunk_cells.map_or(DEFAULT_CHUNK_CELLS, saturate),
        fields,
        height,
        extent,
        ramp,
    }
    .normalized();
    world.validate()?;
    let names: Vec<_> = world.fields.iter().map(|field| field.name.as_str()).collect();
    let stream = runtime.map(|runtime| stream_settings(runtime, &names)).transpose()?.unwrap_or_default();
    let runtime = RuntimeConfig { stream };
    runtime.validate(&world)?;
    Ok((world, runtime))
}

fn build_height(height: HeightSchema, fields: &[FieldConfig]) -> Result<HeightConfig, ConfigError> {
    let HeightSchema { field, min_m, max_m, sea_level_m, curve } = height;
    if fields.is_empty() {
        return Err(rules::refuse(FieldPath::of("fields"), "no table"));
    }
    let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
    let index = field_number(FieldPath::of("height.field"), &field, &names)?;
    let curve = match curve {
        None => HeightConfig::straight_curve(),
        Some(keys) => keys
            .iter()
            .enumerate()
            .map(|(index, key)| {
                let path = FieldPath::of("height.curve").index(index);
                pair(path, key).map(|[at, to]| CurveKey { at, to })
            })
            .collect::<Result<_, _>>()?,
    };
    Ok(HeightConfig {
        field: index,
        min_m: min_m as f32,
        max_m: max_m as f32,
        sea_level_m: sea_level_m.unwrap_or(0.0) as f32,
        curve,
    })
}

/// The number of the field of that name.
pub(crate) fn field_number(path: FieldPath, name: &str, names: &[&str]) -> Result<usize, ConfigError> {
    names.iter().position(|known| *known == name).ok_or_else(|| {
        let expected = rules::known_fields(names.iter().copied());
        let expected = did_you_mean(expected, nearest(name, names.iter().copied()));
        ConfigError::new(path, format!("{name:?}"), expected)
    })
}

fn build_extent(extent: &ExtentSchema, spacing_m: f64, lowest_m: f32) -> Result<ExtentConfig, ConfigError> {
    let ExtentSchema { min_m, max_m, falloff_m, floor_m } = extent;
    let samples = |path: &'static str, metres: &[f64]| {
        pair(FieldPath::of(path), metres).map(|metres| metres.map(|metres| nearest_sample(metres, spacing_m)))
    };
    Ok(ExtentConfig {
        min: samples("extent.min_m", min_m)?,
        max: samples("extent.max_m", max_m)?,
        falloff_m: falloff_m.unwrap_or(0.0),
        floor_m: floor_m.map_or(lowest_m, |floor_m| floor_m as f32),
    })
}

fn build_ramp(keys: &[RampSchema]) -> Result<Vec<RampKey>, ConfigError> {
    let build_key = |(index, key): (usize, &RampSchema)| {
        let RampSchema { height_m, color } = key;
        match parse_color(color) {
            Some(color) => Ok(RampKey { height_m: *height_m as f32, color }),
            None => {
                let path = FieldPath::of("colors.ramp").index(index).key("color");
                Err(rules::refuse(path, format!("{color:?}")))
            }
        }
    };
    keys.iter().enumerate().map(build_key).collect()
}

pub(crate) fn build_seed(path: FieldPath, seed: &SeedSchema) -> Result<u64, ConfigError> {
    match seed {
        SeedSchema::Bits(bits) => Ok(*bits),
        SeedSchema::Text(text) if text.is_empty() => {
            let expected = "a whole number or a text that is not empty";
            Err(ConfigError::new(path, "\"\"", expected))
        }
        SeedSchema::Text(text) => Ok(parse_seed(text)),
    }
}

fn pair(path: FieldPath, values: &[f64]) -> Result<[f64; 2], ConfigError> {
    <[f64; 2]>::try_from(values).map_err(|_| rules::refuse(path, format!("a list of {}", values.len())))
}

/// `#rrggbb`.
fn parse_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?;
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some([red, green, blue])
}

/// The sample nearest to a coordinate. What is no number becomes the lowest `i64`, which no rule lets pass.
fn nearest_sample(metres: f64, spacing_m: f64) -> i64 {
    let sample = (metres / spacing_m).round();
    if sample.is_nan() {
        i64::MIN
    } else {
        // Saturates, far outside of the 2^60 that are allowed.
        sample as i64
    }
}

/// Every range of a `u32` here excludes 0 or its largest value, so what does not fit stays wrong.
pub(crate) fn saturate(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

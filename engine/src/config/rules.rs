//! The rules of the data model, each once: for world files and for configs made in code.
//!
//! In: a config. Out: nothing, or the first value that breaks a rule. [`KEYS`] says for every key of a world file
//! what a right value is; ranges are checked against the same entry that words the message, so the two cannot
//! disagree. What depends on several values (order of keys, frequencies) is checked by the functions below.
//!
//! Not here: syntax and types of the file (`validate.rs`), what single fields may be (`field_rules.rs`), and how settings of
//! a stream go together (`runtime_rules.rs`).

use super::field_keys::{self, names};
use super::field_rules::check_fields;
use super::{
    ConfigError, CurveKey, ExtentConfig, FieldConfig, FieldPath, GENERATOR_VERSION, HeightConfig, RampKey,
    WorldConfig, round_spacing_m,
};
use crate::buffers::FieldFormat;
use crate::coords::{ChunkKey, SAMPLE_LIMIT};
use crate::fields::Fields;
use std::fmt;

/// What a right value is, in words and, for numbers, in numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// Words only; code checks it.
    Words(&'static str),
    /// A whole number of that range, ends included.
    Whole(u32, u32),
    /// A number of that range, ends included.
    Number(f64, f64),
    /// The same in seconds.
    Seconds(f64, f64),
    /// A number above 0, up to that maximum.
    Above0(f64),
    /// One of some words.
    Choice(&'static [&'static str]),
}

const HEIGHT: Rule = Rule::Number(-1e6, 1e6);
/// Values of fields.
pub(crate) const VALUE: Rule = Rule::Number(-1e30, 1e30);
/// Values that f32 may round outwards or a filter overshoot: those of pixels, and keys of curves.
pub(crate) const KEY: Rule = Rule::Number(-1e29, 1e29);
/// Metres on the ground; 2^59 samples are a limit of their own.
pub(crate) const METRES: Rule = Rule::Number(-1e16, 1e16);
const POINT: Rule = Rule::Words("a pair of numbers [x, z]");
const COORDINATE: Rule = Rule::Words("a number of metres that lies within 2^60 samples of the origin");
/// Levels of detail that carry a column of the stream.
const OUTPUT: Rule =
    Rule::Words("true (every level), false (none), or a pair of levels of detail [first, last]");
const LEVEL: Rule = Rule::Whole(0, ChunkKey::LOD_MAX as u32);

/// Every key of a world file (as [`FieldPath::pattern`] writes it) with its rule. Order is the order in messages.
pub(crate) const KEYS: &[(&str, Rule)] = &[
    ("seed", Rule::Words("a whole number or a text")),
    ("generator_version", Rule::Words("1, the version that this release reads")),
    // 2^-10 and 2^16: the chunk-local products stay exact, and frequencies stay in range for sane features.
    ("sample_spacing_m", Rule::Number(0.0009765625, 65536.0)),
    ("chunk_cells", Rule::Words("16, 32, 64 or 128")),
    ("fields", Rule::Words("at least one table [fields.NAME]")),
    // The keys of a field's table depend on its source: `field_keys.rs`.
    ("fields.*", Rule::Words("a table with a noise, a raster or an op")),
    ("height", Rule::Words("a table [height]")),
    ("height.field", Rule::Words("the name of a field")),
    ("height.min_m", HEIGHT),
    ("height.max_m", HEIGHT),
    ("height.sea_level_m", HEIGHT),
    ("height.curve", Rule::Words("a list of at least 2 keys [field value, share of the height range]")),
    ("height.curve[]", Rule::Words("a pair [field value, share of the height range]")),
    ("height.curve[][0]", Rule::Number(-1.0, 1.0)),
    ("height.curve[][1]", Rule::Number(0.0, 1.0)),
    ("extent", Rule::Words("a table [extent]")),
    ("extent.min_m", POINT),
    ("extent.max_m", POINT),
    ("extent.min_m[]", COORDINATE),
    ("extent.max_m[]", COORDINATE),
    ("extent.falloff_m", Rule::Words("a number of metres, 0 or more")),
    ("extent.floor_m", HEIGHT),
    ("colors", Rule::Words("a table [colors]")),
    ("colors.ramp", Rule::Words("a list of at least 2 keys { height_m = 0, color = \"#3a6b35\" }")),
    ("colors.ramp[]", Rule::Words("a key { height_m = 0, color = \"#3a6b35\" }")),
    ("colors.ramp[].height_m", HEIGHT),
    ("colors.ramp[].color", Rule::Words("a color like \"#3a6b35\"")),
    ("runtime", Rule::Words("a table [runtime]")),
    // As fields of `StreamSettings`; how they go together: `runtime_rules.rs`.
    ("runtime.levels", Rule::Whole(1, 16)),
    ("runtime.split_factor", Rule::Number(1.0, 1000.0)),
    ("runtime.hysteresis", Rule::Words("a number from 0 to 1 - 1 / split_factor")),
    ("runtime.threads", Rule::Whole(0, 1024)),
    ("runtime.viewers_max", Rule::Whole(1, 64)),
    ("runtime.swaps_max", Rule::Whole(2, 1024)),
    ("runtime.held_max", Rule::Whole(0, 1 << 20)),
    ("runtime.prefetch_max", Rule::Whole(0, 1 << 16)),
    ("runtime.prefetch_s", Rule::Seconds(0.0, 60.0)),
    ("runtime.edited_max", Rule::Whole(1, 1 << 16)),
    ("runtime.bytes_max", Rule::Words("a whole number of bytes, 1 or more")),
    ("runtime.screen", Rule::Words("a table [runtime.screen]")),
    ("runtime.screen.error_px", Rule::Number(0.1, 1000.0)),
    ("runtime.screen.height_px", Rule::Number(1.0, 100_000.0)),
    ("runtime.screen.fov_y_deg", Rule::Number(1.0, 170.0)),
    ("runtime.outputs", Rule::Words("a table [runtime.outputs]")),
    ("runtime.outputs.heights", OUTPUT),
    ("runtime.outputs.heights[]", LEVEL),
    ("runtime.outputs.positions", OUTPUT),
    ("runtime.outputs.positions[]", LEVEL),
    ("runtime.outputs.normals", OUTPUT),
    ("runtime.outputs.normals[]", LEVEL),
    ("runtime.outputs.colors", OUTPUT),
    ("runtime.outputs.colors[]", LEVEL),
    ("runtime.outputs.coarse", OUTPUT),
    ("runtime.outputs.coarse[]", LEVEL),
    ("runtime.outputs.packed8", OUTPUT),
    ("runtime.outputs.packed8[]", LEVEL),
    ("runtime.outputs.packed4", OUTPUT),
    ("runtime.outputs.packed4[]", LEVEL),
    ("runtime.outputs.slopes", OUTPUT),
    ("runtime.outputs.slopes[]", LEVEL),
    ("runtime.outputs.walkable", OUTPUT),
    ("runtime.outputs.walkable[]", LEVEL),
    ("runtime.outputs.walkable_slope_max_deg", Rule::Whole(0, 90)),
    ("runtime.outputs.fields", Rule::Words("tables [[runtime.outputs.fields]], at most 8")),
    ("runtime.outputs.fields[]", Rule::Words("a table [[runtime.outputs.fields]]")),
    ("runtime.outputs.fields[].field", Rule::Words("the name of a field")),
    ("runtime.outputs.fields[].format", names!(FieldFormat::ALL, 1)),
    ("runtime.outputs.fields[].levels", Rule::Words("a pair of levels of detail [first, last]")),
    ("runtime.outputs.fields[].levels[]", LEVEL),
];

/// Curve keys closer than this would make cliffs that the curve's table cannot follow.
const CURVE_GAP: f64 = 1.0 / 128.0;
const HEIGHT_RANGE_MIN_M: f64 = 1e-3;
/// A chunk of the coarsest level has this many samples a side at most; the world's edge chunks must be addressable too.
const CHUNK_SIDE_MAX: i64 = 128 << ChunkKey::LOD_MAX;

/// The rule of the key at that path.
pub(crate) fn rule_of(path: &FieldPath) -> Option<Rule> {
    let pattern = path.pattern();
    if let Some(of_field) = pattern.strip_prefix("fields.*.") {
        let (key, rest) = of_field.split_at(of_field.find('[').unwrap_or(of_field.len()));
        return field_keys::rule_of(key, rest);
    }
    KEYS.iter().find(|(key, _)| *key == pattern).map(|(_, rule)| *rule)
}

impl Rule {
    pub(crate) fn admits(self, value: f64) -> bool {
        match self {
            Rule::Words(_) | Rule::Choice(_) => value.is_finite(),
            Rule::Whole(min, max) => {
                (f64::from(min)..=f64::from(max)).contains(&value) && value.fract() == 0.0
            }
            Rule::Number(min, max) | Rule::Seconds(min, max) => (min..=max).contains(&value),
            Rule::Above0(max) => value > 0.0 && value <= max,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Rule::Words(words) => f.write_str(words),
            Rule::Whole(min, max) => write!(f, "a whole number from {min} to {max}"),
            Rule::Number(min, max) => write!(f, "a number from {} to {}", plain(min), plain(max)),
            Rule::Seconds(min, max) => {
                write!(f, "a number of seconds from {} to {}", plain(min), plain(max))
            }
            Rule::Above0(f64::MAX) => f.write_str("a number above 0"),
            Rule::Above0(max) => write!(f, "a number above 0 and at most {}", plain(max)),
            Rule::Choice(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
                write!(f, "one of {}", quoted.join(", "))
            }
        }
    }
}

/// A number as a person writes it: no trailing `.0`, an exponent where it is very large or small.
pub(crate) fn plain(value: impl fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The error of a single value against the rule of its key.
pub(crate) fn refuse(path: FieldPath, found: impl Into<String>) -> ConfigError {
    let expected = rule_of(&path).map_or_else(|| "another value".into(), |rule| rule.to_string());
    ConfigError::new(path, found, expected)
}

pub(crate) fn check_number<T>(path: &FieldPath, value: T) -> Result<(), ConfigError>
where
    T: Copy + fmt::Debug + Into<f64>,
{
    match rule_of(path) {
        Some(rule) if rule.admits(value.into()) => Ok(()),
        _ => Err(refuse(path.clone(), plain(value))),
    }
}

pub(crate) fn check_generator_version(
    found: impl fmt::Display + Into<i128> + Copy,
) -> Result<(), ConfigError> {
    let version: i128 = found.into();
    if version == i128::from(GENERATOR_VERSION) {
        return Ok(());
    }
    let why = if version > i128::from(GENERATOR_VERSION) {
        format!("version {found} needs a newer release")
    } else {
        "there is no earlier version".to_owned()
    };
    Err(ConfigError::new(
        FieldPath::of("generator_version"),
        found.to_string(),
        format!("{GENERATOR_VERSION} (this release reads version {GENERATOR_VERSION} only; {why})"),
    ))
}

/// Checks every rule; the fields that come of it need not be compiled again.
pub(crate) fn check_world(world: &WorldConfig) -> Result<Fields, ConfigError> {
    check_generator_version(world.generator_version)?;

    let path = FieldPath::of("sample_spacing_m");
    let spacing_m = world.sample_spacing_m;
    check_number(&path, spacing_m)?;
    if round_spacing_m(spacing_m) != spacing_m {
        let expected =
            format!("{}, the nearest number of 16 significant bits", plain(round_spacing_m(spacing_m)));
        return Err(ConfigError::new(path, plain(spacing_m), expected));
    }

    let cells = world.chunk_cells;
    if !(cells.is_power_of_two() && (16..=128).contains(&cells)) {
        return Err(refuse(FieldPath::of("chunk_cells"), cells.to_string()));
    }

    check_fields(&world.fields, spacing_m)?;
    check_height(&world.height, &world.fields)?;
    if let Some(extent) = &world.extent {
        check_extent(extent, &world.height, spacing_m)?;
    }
    check_ramp(&world.ramp)?;
    // Last, since it takes the longest: what fields give must stay in range when they are put together.
    let fields = Fields::compile(world)?;
    check_height_bounds(world, &fields)?;
    Ok(fields)
}

/// A field that never comes into the curve would make a plain, which nobody means.
fn check_height_bounds(world: &WorldConfig, fields: &Fields) -> Result<(), ConfigError> {
    let HeightConfig { field, curve, .. } = &world.height;
    let bounds = fields.program.bounds(*field);
    let (first, last) = (curve[0].at, curve[curve.len() - 1].at);
    if f64::from(bounds.high) > first && f64::from(bounds.low) < last {
        return Ok(());
    }
    let name = &world.fields[*field].name;
    let expected = format!(
        "a field whose values come between {} and {}, the curve's ends: {name} lies in {:?}..{:?} (remap it)",
        plain(first),
        plain(last),
        bounds.low,
        bounds.high
    );
    Err(ConfigError::new(FieldPath::of("height.field"), format!("{name:?}"), expected))
}

fn check_height(height: &HeightConfig, fields: &[FieldConfig]) -> Result<(), ConfigError> {
    if height.field >= fields.len() {
        let path = FieldPath::of("height.field");
        return Err(ConfigError::new(
            path,
            height.field.to_string(),
            known_fields(fields.iter().map(|field| field.name.as_str())),
        ));
    }
    check_number(&FieldPath::of("height.min_m"), height.min_m)?;
    check_number(&FieldPath::of("height.max_m"), height.max_m)?;
    if f64::from(height.max_m) - f64::from(height.min_m) < HEIGHT_RANGE_MIN_M {
        let expected = format!("at least 0.001 above height.min_m, which is {}", plain(height.min_m));
        let path = FieldPath::of("height.max_m");
        return Err(ConfigError::new(path, plain(height.max_m), expected));
    }
    check_number(&FieldPath::of("height.sea_level_m"), height.sea_level_m)?;
    check_curve(&height.curve)
}

/// What the name of a field may be: a few of them, where there are many.
pub(crate) fn known_fields<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 20;
    let more = names.len().saturating_sub(SHOWN);
    let mut names = names.take(SHOWN).collect::<Vec<_>>().join(", ");
    if more > 0 {
        names = format!("{names} and {more} more");
    }
    format!("the name of a field: {names}")
}

fn check_curve(curve: &[CurveKey]) -> Result<(), ConfigError> {
    let path = FieldPath::of("height.curve");
    if curve.len() < 2 {
        return Err(refuse(path, format!("a list of {}", curve.len())));
    }
    for (index, key) in curve.iter().enumerate() {
        let key_path = path.clone().index(index);
        check_number(&key_path.clone().index(0), key.at)?;
        check_number(&key_path.clone().index(1), key.to)?;
        if index > 0 && key.at - curve[index - 1].at < CURVE_GAP {
            let expected = format!(
                "keys in rising order, each at least 1/128 above the one before, which is {}",
                plain(curve[index - 1].at)
            );
            return Err(ConfigError::new(key_path.index(0), plain(key.at), expected));
        }
    }
    Ok(())
}

fn check_extent(extent: &ExtentConfig, height: &HeightConfig, spacing_m: f64) -> Result<(), ConfigError> {
    for (key, samples) in [("extent.min_m", extent.min), ("extent.max_m", extent.max)] {
        for (axis, sample) in samples.into_iter().enumerate() {
            if sample.saturating_abs() >= SAMPLE_LIMIT - 2 * CHUNK_SIDE_MAX {
                let path = FieldPath::of(key).index(axis);
                return Err(refuse(path, format!("sample {sample}")));
            }
        }
    }
    for axis in 0..2 {
        if extent.min[axis] >= extent.max[axis] {
            return Err(ConfigError::new(
                FieldPath::of("extent.max_m").index(axis),
                format!("sample {}", extent.max[axis]),
                format!("at least one sample spacing above extent.min_m[{axis}]"),
            ));
        }
    }
    // Below 2^61, so the difference fits an i64; as f64 it is rounded, which no sane falloff notices.
    let shorter = (extent.max[0] - extent.min[0]).min(extent.max[1] - extent.min[1]);
    let falloff_max_m = shorter as f64 * spacing_m / 2.0;
    // Between 0 and one sample there would be nothing to fall along.
    let falloff = Rule::Number(spacing_m, falloff_max_m);
    if extent.falloff_m != 0.0 && !falloff.admits(extent.falloff_m) {
        let path = FieldPath::of("extent.falloff_m");
        let expected = format!("0 or {falloff}, from one sample to half the shorter side");
        return Err(ConfigError::new(path, plain(extent.falloff_m), expected));
    }
    let floor = Rule::Number(f64::from(height.min_m), f64::from(height.max_m));
    if !floor.admits(f64::from(extent.floor_m)) {
        let path = FieldPath::of("extent.floor_m");
        let expected = format!("{floor}, within the height range");
        return Err(ConfigError::new(path, plain(extent.floor_m), expected));
    }
    Ok(())
}

fn check_ramp(ramp: &[RampKey]) -> Result<(), ConfigError> {
    let path = FieldPath::of("colors.ramp");
    if ramp.len() < 2 {
        return Err(refuse(path, format!("a list of {}", ramp.len())));
    }
    for (index, key) in ramp.iter().enumerate() {
        let key_path = path.clone().index(index).key("height_m");
        check_number(&key_path, key.height_m)?;
        if index > 0 && key.height_m <= ramp[index - 1].height_m {
            let expected = format!(
                "heights in rising order, above the one before, which is {}",
                plain(ramp[index - 1].height_m)
            );
            return Err(ConfigError::new(key_path, plain(key.height_m), expected));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::NoiseConfig;
    use super::*;
    use terrane_noise::Fractal;

    fn good() -> WorldConfig {
        let field = |name: &str, octaves: u32| {
            let fractal = Fractal { octaves, ..Fractal::default() };
            let noise = NoiseConfig { feature_m: 200.0, fractal, ..NoiseConfig::new(name) };
            FieldConfig { name: name.into(), source: noise.into() }
        };
        WorldConfig {
            seed: 7,
            generator_version: GENERATOR_VERSION,
            sample_spacing_m: 1.0,
            chunk_cells: 64,
            fields: vec![field("ground", 6), field("mask", 1)],
            height: HeightConfig {
                field: 0,
                min_m: -60.0,
                max_m: 240.0,
                sea_level_m: 0.0,
                curve: HeightConfig::straight_curve(),
            },
            extent: Some(ExtentConfig { min: [-512; 2], max: [512; 2], falloff_m: 100.0, floor_m: -60.0 }),
            ramp: RampKey::gray(-60.0, 240.0),
        }
    }

    #[test]
    fn configs_made_in_code_follow_the_same_rules() {
        assert_eq!(good().validate(), Ok(()));
        let refused = |change: fn(&mut WorldConfig)| -> String {
            let mut world = good();
            change(&mut world);
            world.validate().unwrap_err().to_string()
        };
        for (message, expected) in [
            (
                refused(|w| w.generator_version = 2),
                "generator_version: found 2, expected 1 (this release reads version 1 only; version 2 needs a newer release)",
            ),
            (
                refused(|w| w.sample_spacing_m = 0.3),
                "sample_spacing_m: found 0.3, expected 0.3000030517578125, the nearest number of 16 significant bits",
            ),
            (refused(|w| w.fields.clear()), "fields: found none, expected at least one table [fields.NAME]"),
            (
                refused(|w| w.fields.reverse()),
                "fields.ground: found \"ground\" after \"mask\", expected fields sorted by name, each name once",
            ),
            (
                refused(|w| w.fields[1].name = "ground".into()),
                "fields.ground: found \"ground\" after \"ground\", expected fields sorted by name, each name once",
            ),
            (
                refused(|w| w.fields[0].name.clear()),
                "fields.\"\": found \"\", expected a name that starts with a letter a-z and goes on with a-z, 0-9 and _, up to 64 in all",
            ),
            (
                refused(|w| w.height.field = 2),
                "height.field: found 2, expected the name of a field: ground, mask",
            ),
            (
                refused(|w| w.height.curve[1].to = f64::NAN),
                "height.curve[1][1]: found NaN, expected a number from 0 to 1",
            ),
            (
                refused(|w| w.ramp.clear()),
                "colors.ramp: found a list of 0, expected a list of at least 2 keys { height_m = 0, color = \"#3a6b35\" }",
            ),
            (
                refused(|w| w.extent.as_mut().unwrap().min[0] = i64::MIN),
                "extent.min_m[0]: found sample -9223372036854775808, expected a number of metres that lies within 2^60 samples of the origin",
            ),
        ] {
            assert_eq!(message, expected);
        }
        let mut world = good();
        world.fields.reverse();
        world.height.field = 1;
        assert_eq!(world.normalized(), good());
    }

    /// Words of rules stand in a list of literals; they must follow the constants.
    #[test]
    fn rules_in_words_name_the_constants() {
        let words = |path| rule_of(&FieldPath::of(path)).unwrap().to_string();
        assert!(words("generator_version").starts_with(&format!("{GENERATOR_VERSION},")));
        let most = format!("at most {}", crate::buffers::FIELD_COLUMNS_MAX);
        assert!(words("runtime.outputs.fields").ends_with(&most));
    }

    /// A key stands in the docs below the heading of its table, or of one around it.
    #[test]
    fn the_docs_have_every_key() {
        let docs = include_str!("../../../docs/WORLD_FILE.md");
        let section = |table: &str| {
            let headings = match table {
                "" => ["At the top".to_owned(), String::new()],
                _ => [format!("[{table}]"), format!("[{table}.NAME]")],
            };
            let has =
                |line: &str| headings.iter().any(|heading| !heading.is_empty() && line.contains(heading));
            docs.split("\n#").find(|part| part.lines().next().is_some_and(has))
        };
        let is_key = |pattern: &&str| !pattern.ends_with(']') && !pattern.ends_with('*');
        for pattern in KEYS.iter().map(|(pattern, _)| *pattern).filter(is_key) {
            let (above, key) = pattern.rsplit_once('.').unwrap_or(("", pattern));
            let (mut table, is_item) = (above.trim_end_matches("[]"), above.ends_with("[]"));
            let part = loop {
                match section(table) {
                    Some(part) => break part,
                    None if table.is_empty() => panic!("docs/WORLD_FILE.md lacks what is at the top"),
                    None => table = table.rsplit_once('.').map_or("", |(around, _)| around),
                }
            };
            // A table has a heading of its own; keys of a list's items may stand in the example of an item.
            let is_there = section(pattern).is_some()
                || part.contains(&format!("`{key}`"))
                || (is_item && part.contains(&format!("{key} =")));
            assert!(is_there, "docs/WORLD_FILE.md lacks {pattern} below [{table}]");
        }
    }
}

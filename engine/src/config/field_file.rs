//! From a table `[fields.NAME]` to the source of a field.
//!
//! In: the table's keys and values, the names of all fields, and the folder that paths of pictures start from. Out: a
//! [`FieldSource`], or the first key that is unknown, missing or of the wrong type; ranges are left to `field_rules.rs`.

use std::path::Path;

use terrane_noise::{
    CURVE_KEYS_MAX, Filter, Fractal, FractalShape, Kind, Outside, SettingRule, SettingValue, WarpOrder,
};

use super::field::{
    FieldSource, NoiseConfig, Operand, OperationConfig, RasterConfig, RasterImage, WarpConfig, WarpFields,
};
use super::field_keys::{FieldKey, ORDERS, SOURCES, Source, WARP, home_of, keys_of};
use super::field_rules::{OPERANDS_MAX, needs};
use super::operations::{Operands, OperationInfo, Shape};
use super::raster_file::Pictures;
use super::schema::{FieldSchema, ValueSchema};
use super::suggest::{did_you_mean, nearest, quoted_list};
use super::validate::{build_seed, field_number, saturate};
use super::{ConfigError, FieldPath, WorldFileErrorKind as ErrorKind, document, rules};

/// An error with its kind, whose place is not looked up yet.
pub(crate) struct Refused {
    pub(crate) kind: ErrorKind,
    pub(crate) error: ConfigError,
}

impl From<ConfigError> for Refused {
    fn from(error: ConfigError) -> Self {
        Self { kind: ErrorKind::Value, error }
    }
}

/// What fields may refer to.
pub(crate) struct Context<'a> {
    /// Of all fields, in their order.
    names: Vec<&'a str>,
    /// Where paths of pictures start.
    folder: &'a Path,
    pictures: Pictures,
}

impl<'a> Context<'a> {
    pub(crate) fn new(names: Vec<&'a str>, folder: &'a Path) -> Self {
        Self { names, folder, pictures: Pictures::default() }
    }
}

pub(crate) fn field_source(
    name: &str,
    values: &FieldSchema,
    context: &Context<'_>,
) -> Result<FieldSource, Refused> {
    let path = FieldPath::of("fields").key(name);
    let table = Table { path, values, context };
    let mut sources = SOURCES.iter().filter(|key| values.contains_key(**key));
    if let (Some(first), Some(second)) = (sources.next(), sources.next()) {
        let expected = format!("only one of {}: {first} is there already", SOURCES.join(", "));
        return Err(ConfigError::new(table.key(second), "another source", expected).into());
    }
    match SOURCES.iter().find(|key| values.contains_key(**key)) {
        Some(&"noise") => table.noise(name).map(FieldSource::from),
        Some(&"raster") => table.raster().map(FieldSource::from),
        Some(_) => table.operation(),
        None => Err(table.no_source()),
    }
}

/// The table of a field.
struct Table<'a> {
    path: FieldPath,
    values: &'a FieldSchema,
    context: &'a Context<'a>,
}

impl Table<'_> {
    fn noise(&self, name: &str) -> Result<NoiseConfig, Refused> {
        let names: Vec<_> = Kind::ALL.iter().map(|info| info.name).collect();
        let kind = self.word("noise", &names)?.expect("the key is there");
        let info = &Kind::ALL[kind];
        self.check_keys(&keys_of(Source::Noise(info)))?;
        let mut settings = Vec::new();
        for setting in info.settings {
            let value = match setting.rule {
                SettingRule::Number { .. } => self.number(setting.name)?.map(SettingValue::Number),
                SettingRule::Choice(words) => self.word(setting.name, words)?.map(SettingValue::Choice),
            };
            settings.extend(value.map(|value| (setting.name, value)));
        }
        let kind = match Kind::from_name(info.name, &settings) {
            Some(Ok(kind)) => kind,
            // Out of range: the key is the setting's name.
            Some(Err(error)) => return Err(self.refuse_kind(&error)),
            None => unreachable!("a name of the list"),
        };
        let default = NoiseConfig::new(name);
        let fractal = Fractal {
            shape: self
                .word("fractal", &FractalShape::ALL.map(|(_, name, _)| name))?
                .map_or(FractalShape::Fbm, |at| FractalShape::ALL[at].0),
            octaves: self.whole("octaves")?.unwrap_or(1),
            lacunarity: self.number("lacunarity")?.unwrap_or(default.fractal.lacunarity),
            persistence: self.number("persistence")?.unwrap_or(default.fractal.persistence),
            weighted_strength: self.number("weighted_strength")?.unwrap_or(default.fractal.weighted_strength),
        };
        let seed = match self.values.get("seed") {
            None => default.seed,
            Some(ValueSchema::Seed(seed)) => build_seed(self.key("seed"), seed)?,
            Some(other) => return Err(self.wrong_type("seed", other)),
        };
        let feature_m = match self.number("feature_m")? {
            Some(feature_m) => feature_m,
            None if !info.has_features => default.feature_m,
            None => return Err(self.missing("feature_m")),
        };
        Ok(NoiseConfig { seed, kind, feature_m, fractal, tile_m: self.pair("tile_m")? })
    }

    fn raster(&self) -> Result<RasterConfig, Refused> {
        self.check_keys(&keys_of(Source::Raster))?;
        let file = self.text("raster")?.ok_or_else(|| self.missing("raster"))?;
        let pixel_m = match self.values.get("pixel_m") {
            None => return Err(self.missing("pixel_m")),
            Some(ValueSchema::List(_)) => self.pair("pixel_m")?.unwrap_or_default(),
            Some(_) => [self.number("pixel_m")?.unwrap_or_default(); 2],
        };
        let names = Outside::ALL.map(|(name, _)| name);
        let outside = self.word("outside", &names)?.map_or("clamp", |at| names[at]);
        let outside = match (outside, self.number("outside_value")?) {
            ("constant", Some(value)) => Outside::Constant(value as f32),
            ("constant", None) => return Err(self.missing("outside_value")),
            (_, Some(_)) => {
                let expected = "none, unless outside is \"constant\"";
                return Err(ConfigError::new(self.key("outside_value"), "a value", expected).into());
            }
            ("mirror", None) => Outside::Mirror,
            ("wrap", None) => Outside::Wrap,
            ("clamp", None) => Outside::Clamp,
            (other, None) => unreachable!("{other} is listed, and has no use here"),
        };
        Ok(RasterConfig {
            image: self.image(file)?,
            pixel_m,
            offset_m: self.pair("offset_m")?.unwrap_or([0.0; 2]),
            range: self.pair("range")?.map_or([-1.0, 1.0], |range| range.map(|value| value as f32)),
            filter: self
                .word("filter", &Filter::ALL.map(|(_, name, _)| name))?
                .map_or(Filter::Bilinear, |at| Filter::ALL[at].0),
            outside,
        })
    }

    fn image(&self, file: &str) -> Result<RasterImage, Refused> {
        let width = self.whole("width")?;
        let refuse = |found: String, expected: String| ConfigError::new(self.key("raster"), found, expected);
        let is_r16 = match file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
            Some("png") => false,
            Some("r16") => true,
            _ => {
                let expected = "a file that ends in .png or .r16";
                return Err(refuse(format!("{file:?}"), expected.to_owned()).into());
            }
        };
        if is_r16 && width.is_none() {
            return Err(self.missing("width"));
        }
        if !is_r16 && width.is_some() {
            let expected = "none: a .png has its width";
            return Err(ConfigError::new(self.key("width"), "a width", expected).into());
        }
        if let Some(width) = width {
            rules::check_number(&self.key("width"), width)?;
        }
        let Context { folder, pictures, .. } = self.context;
        pictures.get(folder, file, width).map_err(|expected| refuse(format!("{file:?}"), expected).into())
    }

    fn operation(&self) -> Result<FieldSource, Refused> {
        let names: Vec<_> = OperationInfo::ALL.iter().map(|info| info.name).chain([WARP]).collect();
        let at = self.word("op", &names)?.expect("the key is there");
        match OperationInfo::ALL.get(at) {
            Some(info) => self.operation_of(info).map(FieldSource::from),
            None => self.warp().map(FieldSource::from),
        }
    }

    fn operation_of(&self, info: &'static OperationInfo) -> Result<OperationConfig, Refused> {
        self.check_keys(&keys_of(Source::Operation(info)))?;
        let mut of = Vec::new();
        if info.operands != Operands::None {
            of = self.operands("of")?;
            // A mask that is counted as an operand would hide that one of them is missing.
            let wanted =
                info.operands.count().map(|count| count - usize::from(info.operands.mask_at().is_some()));
            if wanted.is_some_and(|wanted| of.len() != wanted) {
                let found = format!("{} of them", of.len());
                return Err(ConfigError::new(self.key("of"), found, needs(info)).into());
            }
        }
        if info.operands.mask_at().is_some() {
            let value = self.values.get("mask").ok_or_else(|| self.missing("mask"))?;
            of.push(self.operand(self.key("mask"), value)?);
        }
        let mut settings = Vec::new();
        for setting in info.settings {
            let name = setting.name;
            settings.push(match setting.shape {
                Shape::Number(rules::Rule::Whole(..)) => {
                    self.whole(name)?.map(|value| vec![f64::from(value)])
                }
                Shape::Number(_) => self.number(name)?.map(|value| vec![value]),
                Shape::Pair(_) | Shape::Place => self.pair(name)?.map(Vec::from),
                Shape::Keys(_) => self.keys(name)?,
            });
            if settings.last() == Some(&None) {
                return Err(self.missing(name));
            }
        }
        Ok(OperationConfig { info, of, settings: settings.into_iter().flatten().collect() })
    }

    fn warp(&self) -> Result<WarpConfig, Refused> {
        self.check_keys(&keys_of(Source::Warp))?;
        let of = match self.operands("of")?.as_slice() {
            [Operand::Field(of)] => *of,
            _ => {
                let expected = "the name of the field that is moved";
                return Err(ConfigError::new(self.key("of"), "something else", expected).into());
            }
        };
        let by = match self.values.get("by").ok_or_else(|| self.missing("by"))? {
            ValueSchema::List(values) => match values.as_slice() {
                [x, z] => {
                    let path = |axis| self.key("by").index(axis);
                    WarpFields::Pair([self.field(path(0), x)?, self.field(path(1), z)?])
                }
                _ => return Err(rules::refuse(self.key("by"), "a list").into()),
            },
            value => WarpFields::Noise(self.field(self.key("by"), value)?),
        };
        let order = match self.word("order", &ORDERS)? {
            Some(1) => WarpOrder::Progressive,
            _ => WarpOrder::Independent,
        };
        let strength_m = self.number("strength_m")?.ok_or_else(|| self.missing("strength_m"))?;
        Ok(WarpConfig { of, by, order, strength_m })
    }
}

/// Values of keys. `None` where there is no such key.
impl Table<'_> {
    fn key(&self, name: &str) -> FieldPath {
        self.path.clone().key(name)
    }

    fn number(&self, name: &'static str) -> Result<Option<f64>, Refused> {
        let number = |value: &ValueSchema| value.number().ok_or_else(|| self.wrong_type(name, value));
        self.values.get(name).map(number).transpose()
    }

    fn whole(&self, name: &'static str) -> Result<Option<u32>, Refused> {
        let whole = |value: &ValueSchema| match value.integer() {
            Some(value) => Ok(saturate(value)),
            None => Err(self.wrong_type(name, value)),
        };
        self.values.get(name).map(whole).transpose()
    }

    fn text(&self, name: &'static str) -> Result<Option<&str>, Refused> {
        let text = |value| ValueSchema::text(value).ok_or_else(|| self.wrong_type(name, value));
        self.values.get(name).map(text).transpose()
    }

    /// The place of a word among those that are right.
    fn word(&self, name: &'static str, words: &[&str]) -> Result<Option<usize>, Refused> {
        let Some(found) = self.text(name)? else { return Ok(None) };
        let place = words.iter().position(|word| *word == found);
        place.map(Some).ok_or_else(|| {
            let what = match name {
                "noise" => "a kind of noise:",
                "op" => "an operation:",
                _ => "one of",
            };
            let expected = format!("{what} {}", quoted_list(words));
            let is_shape = name == "noise" && FractalShape::ALL.iter().any(|(_, shape, _)| *shape == found);
            let expected = if is_shape {
                format!("{expected}; that is a shape of its octaves: fractal = {found:?}")
            } else {
                did_you_mean(expected, nearest(found, words.iter().copied()))
            };
            ConfigError::new(self.key(name), format!("{found:?}"), expected).into()
        })
    }

    fn pair(&self, name: &'static str) -> Result<Option<[f64; 2]>, Refused> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let ValueSchema::List(values) = value else { return Err(self.wrong_type(name, value)) };
        self.pair_of(&self.key(name), values).map(Some)
    }

    fn pair_of(&self, path: &FieldPath, values: &[ValueSchema]) -> Result<[f64; 2], Refused> {
        let [a, b] = values else {
            return Err(rules::refuse(path.clone(), format!("a list of {}", values.len())).into());
        };
        let number = |index: usize, value: &ValueSchema| {
            value.number().ok_or_else(|| wrong_type(path.clone().index(index), value))
        };
        Ok([number(0, a)?, number(1, b)?])
    }

    /// The pairs of a curve, one after the other.
    fn keys(&self, name: &'static str) -> Result<Option<Vec<f64>>, Refused> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let ValueSchema::List(values) = value else { return Err(self.wrong_type(name, value)) };
        if values.len() > CURVE_KEYS_MAX {
            let expected = format!("at most {CURVE_KEYS_MAX} keys");
            return Err(
                ConfigError::new(self.key(name), format!("a list of {}", values.len()), expected).into()
            );
        }
        let mut keys = Vec::new();
        for (index, value) in values.iter().enumerate() {
            let path = self.key(name).index(index);
            let ValueSchema::List(pair) = value else { return Err(wrong_type(path, value)) };
            keys.extend(self.pair_of(&path, pair)?);
        }
        if keys.len() < 4 {
            return Err(rules::refuse(self.key(name), format!("a list of {}", values.len())).into());
        }
        Ok(Some(keys))
    }

    fn operands(&self, name: &'static str) -> Result<Vec<Operand>, Refused> {
        let value = self.values.get(name).ok_or_else(|| self.missing(name))?;
        let path = self.key(name);
        match value {
            ValueSchema::List(values) if values.len() > OPERANDS_MAX => {
                let found = format!("a list of {}", values.len());
                Err(ConfigError::new(path, found, format!("at most {OPERANDS_MAX} fields or numbers")).into())
            }
            ValueSchema::List(values) => {
                let operand = |(index, value)| self.operand(path.clone().index(index), value);
                values.iter().enumerate().map(operand).collect()
            }
            value => Ok(vec![self.operand(path, value)?]),
        }
    }

    fn operand(&self, path: FieldPath, value: &ValueSchema) -> Result<Operand, Refused> {
        match value.number() {
            Some(value) => Ok(Operand::Number(value)),
            None => self.field(path, value).map(Operand::Field),
        }
    }

    /// The field of that name.
    fn field(&self, path: FieldPath, value: &ValueSchema) -> Result<usize, Refused> {
        let Some(name) = value.text() else { return Err(wrong_type(path, value)) };
        Ok(field_number(path, name, &self.context.names)?)
    }
}

/// Errors.
impl Table<'_> {
    fn check_keys(&self, keys: &[FieldKey]) -> Result<(), Refused> {
        let known = |name: &str| keys.iter().any(|key| key.name == name);
        match self.values.keys().find(|name| !known(name)) {
            Some(name) => Err(self.unknown(name, &keys.iter().map(|key| key.name).collect::<Vec<_>>())),
            None => Ok(()),
        }
    }

    fn unknown(&self, name: &str, known: &[&str]) -> Refused {
        let expected = format!("one of {}", known.join(", "));
        let expected = match (home_of(name), document::home_of(name)) {
            (Some(home), _) => format!("{expected}; {name} belongs to a field with {home}"),
            (None, Some(home)) => format!("{expected}; {name} belongs {home}"),
            (None, None) => did_you_mean(expected, nearest(name, known.iter().copied())),
        };
        let error = ConfigError::new(self.key(name), "an unknown key", expected);
        Refused { kind: ErrorKind::UnknownKey, error }
    }

    /// Nothing says where the values come from: a slip in that key, or no such key.
    fn no_source(&self) -> Refused {
        match self.values.keys().find(|name| nearest(name, SOURCES).is_some()) {
            Some(name) => self.unknown(name, &SOURCES),
            None => {
                let expected = format!("one of {}: where its values come from", SOURCES.join(", "));
                let error = ConfigError::new(self.key("noise"), "nothing", expected);
                Refused { kind: ErrorKind::MissingKey, error }
            }
        }
    }

    fn missing(&self, name: &str) -> Refused {
        Refused { kind: ErrorKind::MissingKey, error: rules::refuse(self.key(name), "nothing") }
    }

    fn wrong_type(&self, name: &str, value: &ValueSchema) -> Refused {
        wrong_type(self.key(name), value)
    }

    fn refuse_kind(&self, error: &terrane_noise::NoiseError) -> Refused {
        match error {
            terrane_noise::NoiseError::Value { name, value, .. } => {
                rules::refuse(self.key(name), rules::plain(*value)).into()
            }
            other => ConfigError::new(self.key("noise"), "such a noise", other.to_string()).into(),
        }
    }
}

fn wrong_type(path: FieldPath, value: &ValueSchema) -> Refused {
    Refused { kind: ErrorKind::WrongType, error: rules::refuse(path, value.describe()) }
}

//! The world file as TOML sees it: names and types of its keys, nothing about values.
//!
//! In: a parsed TOML document. Out: these structs, or serde's error about a key or a type. The structs carry no
//! spans; the place of a value is found again in the parsed document by its path (`document.rs`), which also
//! works for keys that are missing. A key added here gets its line in `KEYS` of `rules.rs`. Tables of fields are kept
//! as they are, for `field_file.rs`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::buffers::ColumnKind;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorldSchema {
    pub(crate) seed: SeedSchema,
    pub(crate) generator_version: i64,
    pub(crate) sample_spacing_m: f64,
    pub(crate) chunk_cells: Option<i64>,
    pub(crate) fields: BTreeMap<String, FieldSchema>,
    pub(crate) height: HeightSchema,
    pub(crate) extent: Option<ExtentSchema>,
    pub(crate) colors: Option<ColorsSchema>,
    pub(crate) runtime: Option<RuntimeSchema>,
}

/// The keys of a field, which depend on its source (`field_keys.rs`).
pub(crate) type FieldSchema = BTreeMap<String, ValueSchema>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeightSchema {
    pub(crate) field: String,
    pub(crate) min_m: f64,
    pub(crate) max_m: f64,
    pub(crate) sea_level_m: Option<f64>,
    // Lists, not pairs: serde would drop a third number in silence.
    pub(crate) curve: Option<Vec<Vec<f64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExtentSchema {
    pub(crate) min_m: Vec<f64>,
    pub(crate) max_m: Vec<f64>,
    pub(crate) falloff_m: Option<f64>,
    pub(crate) floor_m: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColorsSchema {
    pub(crate) ramp: Option<Vec<RampSchema>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RampSchema {
    pub(crate) height_m: f64,
    pub(crate) color: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuntimeSchema {
    pub(crate) levels: Option<i64>,
    pub(crate) split_factor: Option<f64>,
    pub(crate) hysteresis: Option<f64>,
    pub(crate) threads: Option<i64>,
    pub(crate) viewers_max: Option<i64>,
    pub(crate) swaps_max: Option<i64>,
    pub(crate) held_max: Option<i64>,
    pub(crate) prefetch_max: Option<i64>,
    pub(crate) prefetch_s: Option<f64>,
    pub(crate) edited_max: Option<i64>,
    pub(crate) bytes_max: Option<i64>,
    pub(crate) screen: Option<ScreenSchema>,
    pub(crate) outputs: Option<OutputsSchema>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenSchema {
    pub(crate) error_px: f64,
    pub(crate) height_px: Option<f64>,
    pub(crate) fov_y_deg: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutputsSchema {
    pub(crate) heights: Option<LevelsSchema>,
    pub(crate) positions: Option<LevelsSchema>,
    pub(crate) normals: Option<LevelsSchema>,
    pub(crate) colors: Option<LevelsSchema>,
    pub(crate) coarse: Option<LevelsSchema>,
    pub(crate) packed8: Option<LevelsSchema>,
    pub(crate) packed4: Option<LevelsSchema>,
    pub(crate) slopes: Option<LevelsSchema>,
    pub(crate) walkable: Option<LevelsSchema>,
    pub(crate) walkable_slope_max_deg: Option<i64>,
    pub(crate) fields: Option<Vec<FieldOutputSchema>>,
}

impl OutputsSchema {
    /// What the file says of a column.
    pub(crate) fn levels(&self, kind: ColumnKind) -> Option<&LevelsSchema> {
        let levels = match kind {
            ColumnKind::Heights => &self.heights,
            ColumnKind::Positions => &self.positions,
            ColumnKind::Normals => &self.normals,
            ColumnKind::Colors => &self.colors,
            ColumnKind::Coarse => &self.coarse,
            ColumnKind::Packed8 => &self.packed8,
            ColumnKind::Packed4 => &self.packed4,
            ColumnKind::Slopes => &self.slopes,
            ColumnKind::Walkable => &self.walkable,
        };
        levels.as_ref()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldOutputSchema {
    pub(crate) field: String,
    pub(crate) format: Option<String>,
    pub(crate) levels: Option<Vec<i64>>,
}

/// Levels of detail that carry a column.
pub(crate) enum LevelsSchema {
    /// All of them, or none.
    All(bool),
    /// The first and the last; any other length is wrong.
    List(Vec<i64>),
}

impl<'de> Deserialize<'de> for LevelsSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LevelsVisitor;

        impl<'de> Visitor<'de> for LevelsVisitor {
            type Value = LevelsSchema;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or a pair of levels")
            }

            fn visit_bool<E: de::Error>(self, all: bool) -> Result<LevelsSchema, E> {
                Ok(LevelsSchema::All(all))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut levels: A) -> Result<LevelsSchema, A::Error> {
                let mut list = Vec::new();
                while let Some(level) = levels.next_element()? {
                    list.push(level);
                }
                Ok(LevelsSchema::List(list))
            }
        }

        deserializer.deserialize_any(LevelsVisitor)
    }
}

/// A seed as written: an integer's 64 bits, or a text.
pub(crate) enum SeedSchema {
    Bits(u64),
    Text(String),
}

impl<'de> Deserialize<'de> for SeedSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SeedVisitor;

        impl Visitor<'_> for SeedVisitor {
            type Value = SeedSchema;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or a text")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<SeedSchema, E> {
                Ok(SeedSchema::Bits(value.cast_unsigned()))
            }

            // 2^63 and up: beyond what TOML promises, but the parser gives them exactly.
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<SeedSchema, E> {
                Ok(SeedSchema::Bits(value))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<SeedSchema, E> {
                Ok(SeedSchema::Text(value.to_owned()))
            }
        }

        deserializer.deserialize_any(SeedVisitor)
    }
}

/// Any value of a field.
pub(crate) enum ValueSchema {
    /// A whole number, or a text.
    Seed(SeedSchema),
    Number(f64),
    List(Vec<ValueSchema>),
    /// true or false, a date, a table: never right.
    Other(&'static str),
}

impl ValueSchema {
    /// A number, whole or not.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Seed(SeedSchema::Bits(bits)) => Some(bits.cast_signed() as f64),
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn integer(&self) -> Option<i64> {
        match self {
            Self::Seed(SeedSchema::Bits(bits)) => Some(bits.cast_signed()),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Seed(SeedSchema::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// What it is, for errors whose place is not found.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Seed(SeedSchema::Bits(bits)) => bits.cast_signed().to_string(),
            Self::Seed(SeedSchema::Text(text)) => format!("{text:?}"),
            Self::Number(number) => number.to_string(),
            Self::List(values) => format!("a list of {}", values.len()),
            Self::Other(what) => (*what).to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for ValueSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;

        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = ValueSchema;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value of a field")
            }

            fn visit_bool<E: de::Error>(self, _: bool) -> Result<ValueSchema, E> {
                Ok(ValueSchema::Other("true or false"))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<ValueSchema, E> {
                Ok(ValueSchema::Seed(SeedSchema::Bits(value.cast_unsigned())))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<ValueSchema, E> {
                Ok(ValueSchema::Seed(SeedSchema::Bits(value)))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<ValueSchema, E> {
                Ok(ValueSchema::Number(value))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<ValueSchema, E> {
                Ok(ValueSchema::Seed(SeedSchema::Text(value.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<ValueSchema, A::Error> {
                let mut list = Vec::new();
                while let Some(value) = values.next_element()? {
                    list.push(value);
                }
                Ok(ValueSchema::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ValueSchema, A::Error> {
                while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(ValueSchema::Other("a table"))
            }
        }

        deserializer.deserialize_any(ValueVisitor)
    }
}

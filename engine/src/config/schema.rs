//! The world file as TOML sees it: names and types of its keys, nothing about values.
//!
//! In: a parsed TOML document. Out: these structs, or serde's error about a key or a type. The structs carry no
//! spans; the place of a value is found again in the parsed document by its path (`file_error.rs`), which also
//! works for keys that are missing. A key added here gets its line in `KEYS` of `rules.rs`.

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldSchema {
    pub(crate) noise: String,
    pub(crate) feature_m: f64,
    pub(crate) octaves: i64,
    pub(crate) lacunarity: Option<f64>,
    pub(crate) persistence: Option<f64>,
    pub(crate) seed: Option<SeedSchema>,
}

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
    pub(crate) threads: Option<i64>,
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

//! World files and the settings that they become.
//!
//! In: a world file (TOML), a built-in preset, or a [`WorldConfig`] that a host makes in code. Out: a
//! [`WorldConfig`] that passed every rule, and the settings of the optional `[runtime]` section. After this
//! there are no strings and no look-ups by name: stages take numbers and indices.
//!
//! Deliberately not here: the noise itself, chunk coordinates, and anything that writes files.
//!
//! The data types, the rules, seeds, spacing and the world's hash need no feature; reading TOML and the
//! presets are behind feature `config`.

mod canonical;
#[cfg(feature = "config")]
mod document;
mod error;
mod field;
#[cfg(feature = "config")]
mod field_file;
mod field_keys;
mod field_rules;
#[cfg(feature = "config")]
mod file_error;
pub(crate) mod operations;
mod path;
#[cfg(feature = "config")]
mod presets;
#[cfg(feature = "config")]
mod raster_file;
pub(crate) mod rules;
#[cfg(feature = "config")]
mod runtime_file;
mod runtime_rules;
#[cfg(feature = "config")]
mod schema;
mod seed;
mod spacing;
#[cfg(feature = "config")]
mod suggest;
mod types;
#[cfg(feature = "config")]
mod validate;

pub use error::ConfigError;
pub use field::{
    FieldConfig, FieldSource, NoiseConfig, Operand, OperationConfig, RasterConfig, RasterImage, WarpConfig,
    WarpFields,
};
pub(crate) use field_rules::creation_order;
#[cfg(feature = "config")]
pub use file_error::{WorldFileError, WorldFileErrorKind};
pub use operations::{Operands, OperationInfo, OperationSetting};
pub use path::{FieldPath, PathSegment};
#[cfg(feature = "config")]
pub use presets::{DEFAULT_PRESET, PRESETS, Preset, UnknownPreset};
pub(crate) use runtime_rules::{TABLE as RUNTIME_TABLE, check_stream};
pub use seed::{hash_text, parse_seed};
pub use spacing::round_spacing_m;
pub use types::{CurveKey, ExtentConfig, HeightConfig, RampKey, RuntimeConfig, WorldConfig};
#[cfg(feature = "config")]
pub use validate::MAX_FILE_BYTES;

/// The generator version of this release: world files that name another one are refused.
///
/// It goes up with every change of output bits: those of version 1 are frozen since the noise library is complete.
pub const GENERATOR_VERSION: u32 = 1;

/// Cells a side of a chunk where a world file names none.
pub const DEFAULT_CHUNK_CELLS: u32 = 64;

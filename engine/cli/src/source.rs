//! Which world a command works on: a file or a preset, with the seed and level of the command line.

use terrane::config::{DEFAULT_PRESET, parse_seed};
use terrane::{RuntimeConfig, SimdLevel, World, WorldConfig};

use crate::args::SourceArgs;
use crate::error::Failure;

/// An opened world with what the file says beside it.
pub(crate) struct Source {
    pub(crate) world: World,
    pub(crate) runtime: RuntimeConfig,
    /// For people: the file's stem or the preset.
    pub(crate) name: String,
}

pub(crate) fn open(args: &SourceArgs) -> Result<Source, Failure> {
    let (mut config, runtime, name) = match &args.world {
        Some(path) => {
            let (config, runtime) = WorldConfig::from_file(path)?;
            let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            (config, runtime, name)
        }
        None => {
            let preset = args.preset.as_deref().unwrap_or(DEFAULT_PRESET);
            (WorldConfig::preset(preset)?, RuntimeConfig::default(), preset.to_owned())
        }
    };
    if let Some(seed) = &args.seed {
        if seed.is_empty() {
            return Err(Failure::EmptySeed);
        }
        config.seed = parse_seed(seed);
    }
    let level = match &args.simd {
        Some(name) => SimdLevel::from_choice(name)?,
        None => SimdLevel::from_env()?,
    };
    let world = World::open_at(config, level).expect("a config from a file or a preset is valid");
    Ok(Source { world, runtime, name })
}

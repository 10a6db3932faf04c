//! The built-in worlds: one list of world files, from which the command line, the tests and the docs take them.
//!
//! A preset is added by its file in `presets/` and one line here.

use super::WorldConfig;
use super::suggest::nearest;

/// The preset that is used when none is named.
pub const DEFAULT_PRESET: &str = "weathered";

/// Every built-in world, in the order in which they are shown.
pub const PRESETS: &[Preset] = &[
    Preset { id: "dunes", title: "Soft sand dunes: one octave", toml: include_str!("presets/dunes.toml") },
    Preset {
        id: "hills",
        title: "Green hills with lakes: four octaves",
        toml: include_str!("presets/hills.toml"),
    },
    Preset {
        id: "weathered",
        title: "Old mountains above a sea: six octaves, the fine ones faint",
        toml: include_str!("presets/weathered.toml"),
    },
    Preset {
        id: "alien",
        title: "Jagged badlands of another planet: eight octaves, the fine ones strong",
        toml: include_str!("presets/alien.toml"),
    },
    Preset {
        id: "frost",
        title: "Snowfields and frozen water: five octaves of small features, bent by another noise",
        toml: include_str!("presets/frost.toml"),
    },
    Preset {
        id: "woods",
        title: "Hills that rise to ridges, with temperature, humidity, wind and forest as named fields",
        toml: include_str!("presets/woods.toml"),
    },
    Preset {
        id: "island",
        title: "One island in the sea: a finite world that falls off to its edge",
        toml: include_str!("presets/island.toml"),
    },
];

/// A built-in world file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// What it is called on the command line.
    pub id: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    /// The world file with its comments: what `terrane new --preset` writes.
    pub toml: &'static str,
}

/// No preset has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("preset {id:?} is unknown, expected one of {}{}", ids().join(", "), hint(id))]
pub struct UnknownPreset {
    /// The name that was asked for.
    pub id: String,
}

impl Preset {
    /// The preset of that id.
    ///
    /// # Errors
    /// [`UnknownPreset`], which lists the ids.
    ///
    /// ```
    /// use terrane::config::Preset;
    ///
    /// assert_eq!(Preset::find("hills")?.id, "hills");
    /// assert_eq!(
    ///     Preset::find("hils").unwrap_err().to_string(),
    ///     "preset \"hils\" is unknown, expected one of dunes, hills, weathered, alien, frost, woods, island; \
    ///      did you mean hills?"
    /// );
    /// # Ok::<(), terrane::config::UnknownPreset>(())
    /// ```
    pub fn find(id: &str) -> Result<&'static Preset, UnknownPreset> {
        PRESETS.iter().find(|preset| preset.id == id).ok_or_else(|| UnknownPreset { id: id.to_owned() })
    }

    /// The preset's world.
    ///
    /// ```
    /// for preset in terrane::config::PRESETS {
    ///     println!("{:12} {:016x}  {}", preset.id, preset.world().world_hash(), preset.title);
    /// }
    /// ```
    pub fn world(&self) -> WorldConfig {
        match WorldConfig::from_toml_str(self.id, self.toml) {
            Ok((world, _)) => world,
            // Ours, compiled in, and read by the tests: a bug, not bad input.
            Err(error) => panic!("built-in preset: {error}"),
        }
    }
}

impl WorldConfig {
    /// A built-in world by its id.
    ///
    /// # Errors
    /// [`UnknownPreset`], which lists the ids.
    ///
    /// ```
    /// use terrane::config::{DEFAULT_PRESET, WorldConfig};
    ///
    /// let world = WorldConfig::preset(DEFAULT_PRESET)?;
    /// assert!(world.extent.is_none());
    /// # Ok::<(), terrane::config::UnknownPreset>(())
    /// ```
    pub fn preset(id: &str) -> Result<WorldConfig, UnknownPreset> {
        Preset::find(id).map(Preset::world)
    }
}

fn ids() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.id).collect()
}

fn hint(id: &str) -> String {
    nearest(id, ids()).map_or(String::new(), |near| format!("; did you mean {near}?"))
}

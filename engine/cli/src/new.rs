//! `terrane new`: a commented world file to start from.

use std::io::Write;

use terrane::config::{DEFAULT_PRESET, PRESETS, Preset};

use crate::args::NewArgs;
use crate::error::Failure;
use crate::whole_file;

pub(crate) fn run(args: &NewArgs) -> Result<(), Failure> {
    if args.list {
        for preset in PRESETS {
            let default = if preset.id == DEFAULT_PRESET { " (default)" } else { "" };
            say!("{:<10} {}{default}", preset.id, preset.title);
        }
        return Ok(());
    }
    let preset = Preset::find(args.preset.as_deref().unwrap_or(DEFAULT_PRESET))?;
    whole_file::write(&args.file, args.force, |file| file.write_all(preset.toml.as_bytes()))?;
    let path = args.file.display();
    say!("{path}: the {} preset. Change it, then: terrane generate {path}", preset.id);
    Ok(())
}

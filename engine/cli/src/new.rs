//! `terrane new`: a commented world file to start from.

use std::fs::File;
use std::io::{ErrorKind, Write};

use terrane::config::{DEFAULT_PRESET, PRESETS, Preset};

use crate::args::NewArgs;
use crate::error::Failure;

pub(crate) fn run(args: &NewArgs) -> Result<(), Failure> {
    if args.list {
        for preset in PRESETS {
            let default = if preset.id == DEFAULT_PRESET { " (default)" } else { "" };
            say!("{:<10} {}{default}", preset.id, preset.title);
        }
        return Ok(());
    }
    let preset = Preset::find(args.preset.as_deref().unwrap_or(DEFAULT_PRESET))?;
    let path = args.file.display().to_string();
    let io = |doing| {
        let path = path.clone();
        move |source: std::io::Error| match source.kind() {
            ErrorKind::AlreadyExists => Failure::Exists { path },
            _ => Failure::Io { doing, path, source },
        }
    };
    if args.file.is_dir() {
        return Err(Failure::Folder { path });
    }
    if !args.force && args.file.exists() {
        return Err(Failure::Exists { path });
    }
    // Whole or not at all: beside it first, then into place.
    let mut part = args.file.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let written = File::create_new(&part)
        .and_then(|mut file| file.write_all(preset.toml.as_bytes()))
        .and_then(|()| std::fs::rename(&part, &args.file));
    written.inspect_err(|_| drop(std::fs::remove_file(&part))).map_err(io("write"))?;
    say!("{path}: the {} preset. Change it, then: terrane generate {path}", preset.id);
    Ok(())
}

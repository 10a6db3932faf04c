//! Files that are there whole or not at all.
//!
//! In: a path and what to write. Out: the file, or an error and no trace. A folder and, without `force`, a file that is
//! there are refused before anything is written.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use crate::error::Failure;

/// Refuses a path that must not be written.
pub(crate) fn check(path: &Path, force: bool) -> Result<(), Failure> {
    let text = path.display().to_string();
    if path.is_dir() {
        return Err(Failure::Folder { path: text });
    }
    if !force && path.exists() {
        return Err(Failure::Exists { path: text });
    }
    Ok(())
}

/// Writes beside the path first, then moves into place.
pub(crate) fn write(
    path: &Path,
    force: bool,
    contents: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    check(path, force)?;
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let written = File::create_new(&part).and_then(|file| {
        let mut file = BufWriter::new(file);
        contents(&mut file)?;
        file.flush()?;
        std::fs::rename(&part, path)
    });
    written.inspect_err(|_| drop(std::fs::remove_file(&part))).map_err(|source| {
        let path = path.display().to_string();
        match source.kind() {
            ErrorKind::AlreadyExists => Failure::Exists { path },
            _ => Failure::Io { doing: "write", path, source },
        }
    })
}

//! Where results go: standard output, and files that appear whole or not at all.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::error::Failure;

/// Says before minutes of measuring, not after, that a file cannot be written.
pub(crate) fn check(option: &'static str, file: &Path) -> Result<(), Failure> {
    let wrong = |reason| Err(Failure::Output { option, file: file.to_owned(), reason });
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    if file.is_dir() || file.file_name().is_none() {
        return wrong("it is a folder; name a file");
    }
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return wrong("its folder does not exist; make it first");
    }
    Ok(())
}

/// Writes beside `file` first, then renames into place.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let mut part = file.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let written = File::create_new(&part)
        .and_then(|mut open| open.write_all(text.as_bytes()).and_then(|()| open.sync_all()))
        .and_then(|()| std::fs::rename(&part, file))
        .inspect_err(|_| drop(std::fs::remove_file(&part)));
    written.map_err(|source| Failure::Io { doing: format!("write {}", file.display()), source })
}

/// To standard output. A reader that has gone (`| head`) is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Io { doing: "write to standard output".to_owned(), source })
        }
        _ => Ok(()),
    }
}

//! Why a save file cannot be used or written. A refused file stays as it was, byte for byte.

use std::io;
use std::path::PathBuf;

use crate::edits::EditId;

/// A save file that cannot be opened, or could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb: "create", "open".
        action: &'static str,
        /// The save file.
        path: PathBuf,
        /// The system's own reason.
        source: io::Error,
    },
    /// The path is that of a folder or of something else that is no file.
    #[error("{} is not a file; a save is one file, which is created when it is missing", path.display())]
    NotAFile {
        /// What is there.
        path: PathBuf,
    },
    /// A file of another kind.
    #[error("{} is not a save file: found {found}, expected a file that Terrane wrote", path.display())]
    NotASave {
        /// The file.
        path: PathBuf,
        /// What it begins with, or is.
        found: String,
    },
    /// A save file whose contents changed since they were written.
    #[error("{} is damaged: {what}; restore it from a copy, or begin a new file under another name", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Another process, or another `Save`, has it open.
    #[error("{} is in use: another process, or another Save of this one, has it open", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// Written by a version with another format of the file.
    #[error("{} has save format {found}, this version reads format {expected}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// Ours.
        expected: u64,
    },
    /// The heights of another generator version.
    #[error(
        "{} belongs to generator version {found}, this world has {expected}: open it with the release that wrote it",
        path.display()
    )]
    GeneratorVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The world's.
        expected: u64,
    },
    /// The edits of another world.
    #[error(
        "{} belongs to another world: {what} is {found:#x} in the file and {expected:#x} here; open it with the world \
         file that it was made with", path.display()
    )]
    OtherWorld {
        /// The file.
        path: PathBuf,
        /// What differs first: "the seed", "the world hash", "the spacing (bits of its f64)".
        what: &'static str,
        /// In the file.
        found: u64,
        /// Of the world.
        expected: u64,
    },
    /// More tiles than the world's store has.
    #[error(
        "{} holds {found} tiles of edits and the world has room for {total}: open the world with more \
         (with_edit_tiles)", path.display()
    )]
    TooManyTiles {
        /// The file.
        path: PathBuf,
        /// Tiles in the file.
        found: u64,
        /// Tiles of the store.
        total: usize,
    },
    /// The world has been edited already: a file is loaded before the first edit.
    #[error(
        "cannot load {}: the world has {used} tiles of edits up to edit {}; open the save before the first edit",
        path.display(), last.0
    )]
    NotEmpty {
        /// The file.
        path: PathBuf,
        /// Tiles in use.
        used: usize,
        /// The last edit.
        last: EditId,
    },
    /// Edits could not be written. They are still in the world, and the next attempt writes them all.
    #[error("cannot write edits to {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the database says; or, when the file was lost before, why what lies at its path now is not written to.
        reason: String,
        /// The system's kind of error, when it was one: a full disk, a lost drive.
        kind: Option<io::ErrorKind>,
    },
}

/// Why edits could not be written, to be told as [`SaveError::Write`] when someone asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) reason: String,
    pub(super) kind: Option<io::ErrorKind>,
}

impl Failure {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), kind: None }
    }
}

impl From<redb::Error> for Failure {
    fn from(error: redb::Error) -> Self {
        let kind = if let redb::Error::Io(error) = &error { Some(error.kind()) } else { None };
        Self { reason: error.to_string(), kind }
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        let kind = if let SaveError::Io { source, .. } = &error { Some(source.kind()) } else { None };
        Self { reason: error.to_string(), kind }
    }
}

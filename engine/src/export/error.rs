//! What can go wrong while a region is written.
//!
//! In: refusals of the operating system, of a file format, of the person who did not say `--force`. Out: one
//! closed enum whose texts name the file or format, the amount found and the remedy, so that the command line
//! can show them as they are. Misuse by the driver (bands out of order, a mesh of the wrong size) is not
//! here: it is a bug of ours and panics.

use std::io;
use std::path::{Path, PathBuf};

/// An export that cannot be done, or could not be finished. In both cases no file has been left behind.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The operating system refused to create, write, rename or measure a path.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb: "create", "write", "rename".
        action: &'static str,
        /// The file or folder as the user knows it, never the temporary beside it.
        path: PathBuf,
        /// The system's own reason.
        source: io::Error,
    },

    /// The target is there already and overwriting it was not asked for.
    #[error("{} exists already; use --force to overwrite it, or another --out folder", path.display())]
    Exists {
        /// The file that would have been overwritten.
        path: PathBuf,
    },

    /// The target's name belongs to something that is not a file, which even `--force` does not replace.
    #[error(
        "{} is a folder, so no file can be written there; move it away or use another --out folder",
        path.display()
    )]
    NotAFile {
        /// The folder that stands in the way.
        path: PathBuf,
    },

    /// The region does not fit the format. Found by arithmetic, before the first byte is written.
    #[error("{format} would need {amount} {unit} and the format allows {limit}; {remedy}")]
    TooLarge {
        /// Id of the format in [`FORMATS`](super::FORMATS).
        format: &'static str,
        /// What the region needs, in `unit`.
        amount: u128,
        /// The most that the format can hold, in `unit`.
        limit: u128,
        /// "bytes", "pixels", "pixels on a side".
        unit: &'static str,
        /// What the user can do about it.
        remedy: &'static str,
    },

    /// The disk lacks the room for all files of the run together. Found before the first byte is written.
    #[error(
        "writing {formats} to {} needs up to {needed_bytes} bytes and {free_bytes} are free; choose a \
         smaller --region, fewer --formats or an --out folder on another disk",
        path.display()
    )]
    NoRoom {
        /// The output folder.
        path: PathBuf,
        /// The formats asked for with the bytes of each, for instance "glb (1024 bytes), heat (2048 bytes)".
        formats: String,
        /// Upper bound of what the run would write, in bytes.
        needed_bytes: u128,
        /// What the file system has for this user, in bytes.
        free_bytes: u64,
    },

    /// The PNG encoder refused for a reason other than the file it writes to.
    #[error("cannot encode {}: {source}", path.display())]
    Png {
        /// The picture.
        path: PathBuf,
        /// The encoder's reason.
        source: png::EncodingError,
    },

    /// A JSON document could not be serialised.
    #[error("cannot encode the JSON of {}: {source}", path.display())]
    Json {
        /// The file that holds the document.
        path: PathBuf,
        /// The serialiser's reason.
        source: serde_json::Error,
    },
}

impl ExportError {
    /// True when other arguments would help; false when the system refused.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Self::Exists { .. } | Self::NotAFile { .. } | Self::TooLarge { .. } | Self::NoRoom { .. }
        )
    }

    /// Wraps an [`io::Error`] with what was tried on which path: `.map_err(ExportError::io("create",
    /// &path))`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }

    /// As [`io`](Self::io), for a JSON document written to `path`: a failed write stays an I/O error.
    pub(crate) fn json(path: &Path) -> impl FnOnce(serde_json::Error) -> Self {
        move |source| {
            if source.is_io() {
                Self::Io { action: "write", path: path.to_owned(), source: source.into() }
            } else {
                Self::Json { path: path.to_owned(), source }
            }
        }
    }

    /// As [`io`](Self::io), for a picture: a failed write stays an I/O error.
    pub(crate) fn png(path: &Path) -> impl FnOnce(png::EncodingError) -> Self {
        move |source| match source {
            png::EncodingError::IoError(source) => {
                Self::Io { action: "write", path: path.to_owned(), source }
            }
            source => Self::Png { path: path.to_owned(), source },
        }
    }
}

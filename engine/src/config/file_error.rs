//! The error of a world file: what [`ConfigError`] says, plus the place in the text.
//!
//! One line on display; the accessors hold what a command line needs to draw the source with a marker.

use super::{ConfigError, FieldPath};
use std::fmt;
use std::io;
use std::ops::Range;

/// What kind of thing is wrong with a world file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WorldFileErrorKind {
    /// Missing, a directory, or not readable.
    Unreadable,
    /// Larger than [`MAX_FILE_BYTES`](super::MAX_FILE_BYTES).
    TooLarge,
    /// Nothing but white space.
    Empty,
    /// Not UTF-8.
    NotUtf8,
    /// Not TOML; a key given twice counts here.
    Syntax,
    /// Made for another generator version.
    GeneratorVersion,
    /// A key that its table does not have.
    UnknownKey,
    /// A key that must be there.
    MissingKey,
    /// Text for a number, a number for a table, and the like.
    WrongType,
    /// A value of the right type that breaks a rule.
    Value,
}

/// A world file that cannot be used: which file, line and field, what was found, and what would be right.
///
/// ```
/// use terrane::config::{WorldConfig, WorldFileErrorKind};
///
/// let text = "seed = 7\ngenerator_version = 1\nsample_spacing_m = true\n";
/// let error = WorldConfig::from_toml_str("hills.toml", text).unwrap_err();
/// assert_eq!(error.kind(), WorldFileErrorKind::WrongType);
/// assert_eq!((error.file(), error.line(), error.column()), ("hills.toml", Some(3), Some(20)));
/// assert_eq!(error.field().to_string(), "sample_spacing_m");
/// assert_eq!(error.found(), "true");
/// assert_eq!(error.expected(), "a number from 0.0009765625 to 65536");
/// assert_eq!(&error.source_text()[error.span().unwrap()], "true");
/// assert_eq!(
///     error.to_string(),
///     "hills.toml:3:20: sample_spacing_m: found true, expected a number from 0.0009765625 to 65536"
/// );
/// ```
#[derive(thiserror::Error)]
// Boxed: the error is rare, and a `Result` with it stays small.
pub struct WorldFileError(Box<Detail>);

struct Detail {
    kind: WorldFileErrorKind,
    file: String,
    what: ConfigError,
    span: Option<Range<usize>>,
    text: String,
    system: Option<io::Error>,
}

impl WorldFileError {
    /// An error at a place in the text.
    pub(crate) fn at(
        kind: WorldFileErrorKind,
        file: &str,
        text: &str,
        span: Range<usize>,
        what: ConfigError,
    ) -> WorldFileError {
        // The parser counts in the same text, so this changes nothing unless it errs; an error must not panic.
        let start = floor_char(text, span.start);
        let end = floor_char(text, span.end).max(start);
        WorldFileError(Box::new(Detail {
            kind,
            file: file.to_owned(),
            what,
            span: Some(start..end),
            text: text.to_owned(),
            system: None,
        }))
    }

    /// An error of the file as a whole.
    pub(crate) fn whole(
        kind: WorldFileErrorKind,
        file: &str,
        found: impl Into<String>,
        expected: impl Into<String>,
        system: Option<io::Error>,
    ) -> WorldFileError {
        WorldFileError(Box::new(Detail {
            kind,
            file: file.to_owned(),
            what: ConfigError::new(FieldPath::default(), found, expected),
            span: None,
            text: String::new(),
            system,
        }))
    }

    /// What kind of thing is wrong.
    pub fn kind(&self) -> WorldFileErrorKind {
        self.0.kind
    }

    /// The file's name as it was given.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// The line, from 1; `None` when the file as a whole is wrong.
    pub fn line(&self) -> Option<usize> {
        self.place().map(|(line, _)| line)
    }

    /// The column in characters, from 1; `None` when the file as a whole is wrong.
    pub fn column(&self) -> Option<usize> {
        self.place().map(|(_, column)| column)
    }

    /// The field, like `fields.ground.octaves`; empty for syntax and for the file as a whole.
    pub fn field(&self) -> &FieldPath {
        self.0.what.path()
    }

    /// The value as it stands in the text, shortened when long.
    pub fn found(&self) -> &str {
        self.0.what.found()
    }

    /// What would be right.
    pub fn expected(&self) -> &str {
        self.0.what.expected()
    }

    /// The bytes of [`WorldFileError::source_text`] that are meant; may be empty (something is missing there).
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }

    /// The file's text; bytes that are not UTF-8 are replaced. Empty when [`WorldFileError::span`] is `None`.
    pub fn source_text(&self) -> &str {
        &self.0.text
    }

    /// The system's error, for a file that could not be read.
    pub fn system_error(&self) -> Option<&io::Error> {
        self.0.system.as_ref()
    }

    fn place(&self) -> Option<(usize, usize)> {
        let start = self.0.span.as_ref()?.start;
        let before = &self.0.text[..start];
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let row_start = before.rfind('\n').map_or(0, |at| at + 1);
        // A byte-order mark has no width in an editor.
        let row = before[row_start..].trim_start_matches('\u{feff}');
        Some((line, row.chars().count() + 1))
    }
}

fn floor_char(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl fmt::Display for WorldFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file())?;
        if let Some((line, column)) = self.place() {
            write!(f, ":{line}:{column}")?;
        }
        if !self.field().segments().is_empty() {
            write!(f, ": {}", self.field())?;
        }
        write!(f, ": found {}, expected {}", self.found(), self.expected())
    }
}

/// The line of `Display`: the whole source text would drown a test's or a host's message.
impl fmt::Debug for WorldFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorldFileError({:?}, \"{self}\")", self.kind())
    }
}

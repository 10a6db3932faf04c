//! How a failure is shown, and which exit code it gives.

use std::process::ExitCode;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use terrane::config::{UnknownPreset, WorldFileError};
use terrane::{GenerateError, PositionError, SimdLevelError, StreamError};

/// Everything that can end a command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}")]
    World(Box<WorldFileReport>),
    #[error(transparent)]
    Preset(#[from] UnknownPreset),
    #[error(transparent)]
    Simd(#[from] SimdLevelError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Stream(#[from] StreamError),
    #[error("{0}")]
    Noise(String),
    #[error("{0}")]
    Usage(String),
    #[error("--region {0}")]
    Region(String),
    #[error("--seed is empty; expected a whole number, 0x.., or a text")]
    EmptySeed,
    #[error("{path} is there already; --force overwrites it")]
    Exists { path: String },
    #[error("{path} is a folder; name a file in it, like {path}/world.toml")]
    Folder { path: String },
    #[error("{doing} {path}: {source}")]
    Io { doing: &'static str, path: String, source: std::io::Error },
}

/// A world file's error with its source, for a snippet with a marker.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct WorldFileReport {
    error: WorldFileError,
    source_code: NamedSource<String>,
}

impl From<WorldFileError> for Failure {
    fn from(error: WorldFileError) -> Self {
        // A file must not write escape sequences to the terminal. One byte stays one byte, so spans still fit.
        let plain = |c: char| if c.is_ascii_control() && !"\n\r\t".contains(c) { '?' } else { c };
        let source_code = NamedSource::new(error.file(), error.source_text().chars().map(plain).collect());
        Self::World(Box::new(WorldFileReport { error, source_code }))
    }
}

impl Diagnostic for WorldFileReport {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.error.span().map(|_| &self.source_code as &dyn SourceCode)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.error.span()?;
        let label = format!("expected {}", self.error.expected());
        Some(Box::new(std::iter::once(LabeledSpan::new(Some(label), span.start, span.len()))))
    }
}

impl Failure {
    /// Prints the error on standard error.
    pub(crate) fn report(self) -> ExitCode {
        let code = self.exit_code();
        match self {
            Self::World(report) => eprintln!("{:?}", miette::Report::new(*report)),
            other => eprintln!("error: {other}"),
        }
        code
    }

    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Generate(GenerateError::Cancelled) => ExitCode::from(130),
            Self::Generate(GenerateError::Export(error)) if !error.is_input() => ExitCode::from(1),
            Self::Generate(GenerateError::Threads { .. })
            | Self::Stream(StreamError::Start(_))
            | Self::Io { .. } => ExitCode::from(1),
            _ => ExitCode::from(2),
        }
    }
}

//! Everything that can end a command, and the exit code it gives.

use std::path::PathBuf;
use std::process::ExitCode;

use terrane_bench::check::CheckError;
use terrane_bench::ours::PrepareError;

/// What went wrong, and what would be right.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("--filter {filter}: no workload's name contains that; the workloads are {}", workload_names())]
    Filter { filter: String },
    #[error("no workload is called `{name}`; the workloads are {}", workload_names())]
    Workload { name: String },
    #[error("no path is called `{name}`; the paths are {}", .known.join(", "))]
    Path { name: String, known: Vec<String> },
    #[error("{path} cannot do {workload}")]
    CannotDo { path: String, workload: &'static str },
    #[error("--peer {name}: a path has that name already; choose another")]
    PeerName { name: String },
    #[error("--peer {name}: cannot start `{program}`: {source}")]
    PeerStart { name: String, program: String, source: std::io::Error },
    #[error(
        "--peer {name}: no answer on {workload} after {patience_s:.0} s; it was asked to measure for {asked_s} s"
    )]
    PeerSilent { name: String, workload: &'static str, patience_s: f64, asked_s: f64 },
    #[error("--peer {name}: gave a figure for {workload} at first, then none: {reason}")]
    PeerFailed { name: String, workload: &'static str, reason: String },
    #[error("{path} on {workload}: {source}")]
    Answer { path: String, workload: &'static str, source: CheckError },
    #[error("{path} on {workload}: the library refuses the parameters: {source}")]
    Parameters { path: String, workload: &'static str, source: PrepareError },
    #[error("{path} on {workload}: {reason}")]
    Child { path: String, workload: &'static str, reason: String },
    #[error("--{option} {}: {reason}", .file.display())]
    Output { option: &'static str, file: PathBuf, reason: &'static str },
    #[error("cannot {doing}: {source}")]
    Io { doing: String, source: std::io::Error },
}

impl Failure {
    /// 2 when the input is wrong, 1 when the system or an answer is.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Filter { .. }
            | Self::Workload { .. }
            | Self::Path { .. }
            | Self::CannotDo { .. }
            | Self::PeerName { .. }
            | Self::PeerStart { .. }
            | Self::Output { .. } => ExitCode::from(2),
            _ => ExitCode::from(1),
        }
    }
}

fn workload_names() -> String {
    let names: Vec<_> = terrane_bench::workload::WORKLOADS.iter().map(|workload| workload.name).collect();
    names.join(", ")
}

//! A path is one way to do a workload: a SIMD level of ours, a peer of ours by crate name, or a `--peer` program.

use terrane_bench::ours::{self, SimdLevel};
use terrane_bench::peers::PEERS;
use terrane_bench::runner::{Peer, Prepared};
use terrane_bench::workload::Workload;

use crate::error::Failure;
use crate::external::External;

pub(crate) enum Path {
    Level(SimdLevel),
    Peer(&'static Peer),
    External(External),
}

impl Path {
    /// The level or peer called `name`.
    pub(crate) fn find(name: &str) -> Result<Self, Failure> {
        built_in().find(|path| path.name() == name).ok_or_else(|| Failure::Path {
            name: name.to_owned(),
            known: built_in().map(|path| path.name().to_owned()).collect(),
        })
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Level(level) => level.name(),
            Self::Peer(peer) => peer.name,
            Self::External(external) => &external.name,
        }
    }

    pub(crate) fn is_ours(&self) -> bool {
        matches!(self, Self::Level(_))
    }

    /// A runner in this process; `None` if the path cannot do the workload here.
    pub(crate) fn prepare(&self, workload: &'static Workload) -> Result<Option<Prepared>, Failure> {
        match self {
            Self::Level(level) => ours::prepare(&workload.work, *level).map_err(|source| {
                Failure::Parameters { path: self.name().to_owned(), workload: workload.name, source }
            }),
            Self::Peer(peer) => Ok((peer.prepare)(&workload.work)),
            Self::External(_) => Ok(None),
        }
    }
}

fn built_in() -> impl Iterator<Item = Path> {
    SimdLevel::available().map(Path::Level).chain(PEERS.iter().map(Path::Peer))
}

/// All paths of a run in the order in which they are shown. Without `levels`, all that this machine has.
pub(crate) fn all(levels: &[SimdLevel], externals: Vec<External>) -> Result<Vec<Path>, Failure> {
    let wanted = |path: &Path| match path {
        Path::Level(level) => levels.is_empty() || levels.contains(level),
        _ => true,
    };
    let mut paths: Vec<Path> = built_in().filter(wanted).collect();
    for external in externals {
        let taken = SimdLevel::NAMES.contains(&external.name.as_str())
            || paths.iter().any(|path| path.name() == external.name);
        if taken {
            return Err(Failure::PeerName { name: external.name });
        }
        paths.push(Path::External(external));
    }
    Ok(paths)
}

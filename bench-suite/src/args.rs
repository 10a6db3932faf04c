//! What can be asked of the command line.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};
use terrane_bench::ours::SimdLevel;
use terrane_bench::workload::WORKLOADS;

use crate::external::External;

/// Noise benchmarks: our SIMD levels against each other and against what people use today, answers checked first.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Examples:\n  \
    terrane-bench compare --quick            every workload and path once, in half a minute\n  \
    terrane-bench compare --help             more")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure workloads at every SIMD level and with every peer, each in a process of its own, in alternation.
    #[command(after_help = "Examples:\n  \
        terrane-bench compare --json noise.json --svg noise.svg\n  \
        terrane-bench compare --filter fbm6 --filter cellular --levels scalar,avx2\n  \
        terrane-bench compare --filter fbm6_2d_256 --peer fastnoise2=./fastnoise2-peer\n  \
        terrane-bench compare --peer \"fastnoise2=taskset -c 2 './my build/peer'\"\n  \
        taskset -c 2 terrane-bench compare       pinned to one core, where that is to be had")]
    Compare(CompareArgs),
    /// Measure one workload on one path and print Msamples/s: what `compare` starts.
    #[command(hide = true)]
    #[command(after_help = "Examples:\n  \
        terrane-bench run --workload fbm6_2d_256 --path avx2 --seconds 1\n  \
        terrane-bench run --workload perlin_3d_64 --path fastnoise-lite --seconds 1")]
    Run(RunArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CompareArgs {
    /// Write the figures to FILE as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Draw the figures to FILE as an SVG chart.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Only workloads whose name contains TEXT; repeat it for more [default: all].
    #[arg(long = "filter", value_name = "TEXT", long_help = filter_help())]
    pub(crate) filters: Vec<String>,
    /// SIMD levels of ours, separated by commas [default: all that this machine has].
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    pub(crate) levels: Vec<SimdLevel>,
    /// A program that joins as a peer; repeat it for more.
    ///
    /// COMMAND is started with two more arguments, the name of a workload and the seconds to measure, and prints
    /// Msamples/s. Another exit code than 0, or no number, says that it does not do that workload. Spaces part the words
    /// of COMMAND; quotes ('..' or "..") keep words together, and a backslash is an ordinary character.
    #[arg(long = "peer", value_name = "NAME=COMMAND", value_parser = External::parse)]
    pub(crate) externals: Vec<External>,
    /// How often each path has its turn; medians are over the rounds.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
    /// How long a process measures, in seconds.
    #[arg(long, value_name = "S", default_value_t = 0.3, value_parser = parse_seconds)]
    pub(crate) seconds: f64,
    /// One round of 0.05 seconds: whether everything works, not how fast.
    #[arg(long, conflicts_with_all = ["rounds", "seconds"])]
    pub(crate) quick: bool,
    /// Show what a `--peer` program says on its standard error.
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    /// The name of the workload.
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: String,
    /// A SIMD level of ours, or the crate name of a peer.
    #[arg(long, value_name = "PATH")]
    pub(crate) path: String,
    /// How long to measure, in seconds.
    #[arg(long, value_name = "S", default_value_t = 0.3, value_parser = parse_seconds)]
    pub(crate) seconds: f64,
}

fn filter_help() -> String {
    let mut help = "Only workloads whose name contains TEXT; repeat it for more [default: all]\n".to_owned();
    for workload in WORKLOADS {
        help += &format!("\n- {}: {}", workload.name, workload.about);
    }
    help
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "it must be a number from 0.001 to 3600".to_owned())
}

//! `compare`: every path its turn on every workload, each figure from a process of its own.

use std::io::IsTerminal;
use std::process::Command;

use indicatif::{ProgressBar, ProgressStyle};
use terrane_bench::workload::{WORKLOADS, Workload};

use crate::args::CompareArgs;
use crate::error::Failure;
use crate::external::Answer;
use crate::machine::Machine;
use crate::path::{self, Path};
use crate::process::{self, Ended};
use crate::results::Results;
use crate::{bars, chart, output, plan, report, table};

/// A first question to a `--peer` program, on whether it does a workload, asks it to measure for this long.
const PROBE_S: f64 = 0.01;
const QUICK_S: f64 = 0.05;

pub(crate) fn run(args: CompareArgs) -> Result<(), Failure> {
    let workloads = chosen(&args.filters)?;
    for (option, file) in [("json", &args.json), ("svg", &args.svg)] {
        file.as_deref().map_or(Ok(()), |file| output::check(option, file))?;
    }
    let (rounds, seconds) = if args.quick { (1, QUICK_S) } else { (args.rounds, args.seconds) };
    let paths = path::all(&args.levels, args.externals)?;
    let able = able(&workloads, &paths, args.verbose)?;
    let results = measure(workloads, &paths, &plan::turns(rounds, &able), seconds)?;

    let machine = Machine::detect();
    let outcomes = bars::outcomes(&results);
    let rounds_text = if rounds == 1 { "1 round".to_owned() } else { format!("medians of {rounds} rounds") };
    let head = format!("{}\none thread, {rounds_text}, {seconds} s each\n\n", machine.line());
    output::print(&(head + &table::text(&results, &outcomes)))?;
    if let Some(file) = &args.json {
        let json = report::json(&machine, &results, &outcomes, rounds, seconds).map_err(|error| {
            Failure::Io { doing: format!("write {}", file.display()), source: error.into() }
        })?;
        output::write(file, &json)?;
    }
    if let Some(file) = &args.svg {
        output::write(file, &chart::svg(&machine.line(), &results))?;
    }
    Ok(())
}

/// The workloads that the filters leave, in the order of the list.
fn chosen(filters: &[String]) -> Result<Vec<&'static Workload>, Failure> {
    let matches = |filter: &String, workload: &Workload| workload.name.contains(filter.as_str());
    if let Some(filter) = filters.iter().find(|filter| !WORKLOADS.iter().any(|w| matches(filter, w))) {
        return Err(Failure::Filter { filter: filter.clone() });
    }
    let keep =
        |workload: &&Workload| filters.is_empty() || filters.iter().any(|filter| matches(filter, workload));
    Ok(WORKLOADS.iter().filter(keep).collect())
}

/// By workload, the indices of the paths that can do it.
fn able(workloads: &[&'static Workload], paths: &[Path], verbose: bool) -> Result<Vec<Vec<usize>>, Failure> {
    let mut able = Vec::new();
    for workload in workloads {
        let mut indices = Vec::new();
        for (index, path) in paths.iter().enumerate() {
            if can(path, workload, verbose)? {
                indices.push(index);
            }
        }
        able.push(indices);
    }
    Ok(able)
}

fn can(path: &Path, workload: &'static Workload, verbose: bool) -> Result<bool, Failure> {
    let Path::External(external) = path else { return Ok(path.prepare(workload)?.is_some()) };
    match external.ask(workload, PROBE_S)? {
        Answer::MsamplesPerS(_) => Ok(true),
        Answer::No(reason) => {
            if verbose {
                eprintln!("{} does not do {}: {reason}", external.name, workload.name);
            }
            Ok(false)
        }
    }
}

fn measure(
    workloads: Vec<&'static Workload>,
    paths: &[Path],
    turns: &[plan::Turn],
    seconds: f64,
) -> Result<Results, Failure> {
    let this = std::env::current_exe()
        .map_err(|source| Failure::Io { doing: "find this program's own file".to_owned(), source })?;
    let mut results = Results::new(workloads, paths);
    let progress = Progress::new(turns.len());
    for turn in turns {
        let (workload, path) = (results.workloads[turn.workload], &paths[turn.path]);
        progress.show(turn.round, workload.name, path.name());
        results.add(turn.workload, turn.path, figure(&this, workload, path, seconds)?);
        progress.bar.inc(1);
    }
    progress.bar.finish_and_clear();
    Ok(results)
}

/// Msamples/s of one process.
fn figure(
    this: &std::path::Path,
    workload: &'static Workload,
    path: &Path,
    seconds: f64,
) -> Result<f64, Failure> {
    if let Path::External(external) = path {
        return match external.ask(workload, seconds)? {
            Answer::MsamplesPerS(rate) => Ok(rate),
            Answer::No(reason) => {
                Err(Failure::PeerFailed { name: external.name.clone(), workload: workload.name, reason })
            }
        };
    }
    let mut command = Command::new(this);
    command.args(["run", "--workload", workload.name, "--path", path.name()]);
    command.arg("--seconds").arg(seconds.to_string());
    let patience_s = process::patience_s(seconds);
    let io = |source| Failure::Io { doing: format!("start {}", this.display()), source };
    let child = |reason| Failure::Child { path: path.name().to_owned(), workload: workload.name, reason };
    match process::run(&mut command, patience_s).map_err(io)? {
        Some(Ended { status, stdout, .. }) if status.success() => {
            process::rate(&stdout).ok_or_else(|| child(format!("printed `{}`, not a rate", stdout.trim())))
        }
        Some(Ended { status, stderr, .. }) => Err(child(format!("{status}: {}", stderr.trim()))),
        None => Err(child(format!("no answer after {patience_s:.0} s"))),
    }
}

/// A bar on a terminal; elsewhere a line a round.
struct Progress {
    bar: ProgressBar,
    lines: bool,
    round: std::cell::Cell<Option<u32>>,
}

impl Progress {
    fn new(turns: usize) -> Self {
        let bar = ProgressBar::new(turns as u64);
        if let Ok(style) =
            ProgressStyle::with_template("{elapsed:>4} [{bar:30}] {pos}/{len} {msg}, {eta} left")
        {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar, lines: !std::io::stderr().is_terminal(), round: std::cell::Cell::new(None) }
    }

    fn show(&self, round: u32, workload: &str, path: &str) {
        self.bar.set_message(format!("{workload} {path}"));
        if self.lines && self.round.replace(Some(round)) != Some(round) {
            let (done, turns) = (self.bar.position(), self.bar.length().unwrap_or(0));
            eprintln!("round {}: {done} of {turns} figures done", round + 1);
        }
    }
}

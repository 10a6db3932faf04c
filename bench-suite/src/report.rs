//! The figures as JSON. `machine` and `rows` are a contract with whoever keeps records; the rest may grow.

use serde::Serialize;

use crate::bars::Outcome;
use crate::machine::Machine;
use crate::results::{Figure, Results, Statistic};

#[derive(Serialize)]
struct Report<'a> {
    machine: &'a Machine,
    settings: Settings,
    rows: Vec<Row<'a>>,
    rounds: Vec<Rounds<'a>>,
    bars: Vec<BarRow>,
}

#[derive(Serialize)]
struct Settings {
    rounds: u32,
    seconds: f64,
    /// What `rows` hold.
    statistic: &'static str,
}

/// Medians over the rounds.
#[derive(Serialize)]
struct Row<'a> {
    workload: &'static str,
    path: &'a str,
    msamples_per_s: f64,
    ns_per_sample: f64,
}

#[derive(Serialize)]
struct Rounds<'a> {
    workload: &'static str,
    path: &'a str,
    msamples_per_s: &'a [f64],
}

#[derive(Serialize)]
struct BarRow {
    about: &'static str,
    bar: f64,
    goal: f64,
    at_most: bool,
    median: f64,
    best: f64,
    verdict: &'static str,
}

pub(crate) fn json(
    machine: &Machine,
    results: &Results,
    outcomes: &[Outcome],
    rounds: u32,
    seconds: f64,
) -> Result<String, serde_json::Error> {
    let report = Report {
        machine,
        settings: Settings { rounds, seconds, statistic: "median" },
        rows: results.measured().map(|figure| row(&figure)).collect(),
        rounds: results.measured().map(|figure| all_rounds(&figure)).collect(),
        bars: outcomes.iter().map(bar_row).collect(),
    };
    serde_json::to_string_pretty(&report).map(|text| text + "\n")
}

fn row<'a>(figure: &Figure<'a>) -> Row<'a> {
    Row {
        workload: figure.workload.name,
        path: &figure.path.name,
        msamples_per_s: figure.rate(Statistic::Median),
        ns_per_sample: figure.ns_per_sample(Statistic::Median),
    }
}

fn all_rounds<'a>(figure: &Figure<'a>) -> Rounds<'a> {
    Rounds { workload: figure.workload.name, path: &figure.path.name, msamples_per_s: figure.rounds }
}

fn bar_row(outcome: &Outcome) -> BarRow {
    let &Outcome { about, bar, goal, at_most, median, best } = outcome;
    BarRow { about, bar, goal, at_most, median, best, verdict: outcome.verdict() }
}

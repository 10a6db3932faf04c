//! The figures as text: a table a workload, then the bars.

use std::fmt::Write;

use crate::bars::Outcome;
use crate::results::{Figure, Results, Statistic};

const MEDIAN: Statistic = Statistic::Median;

pub(crate) fn text(results: &Results, outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for workload in &results.workloads {
        line(&mut text, format_args!("{}: {}", workload.name, workload.about));
        line(
            &mut text,
            format_args!(
                "  {:<18} {:>11} {:>11} {:>10} {:>10} {:>12}",
                "path", "Msamples/s", "best", "ns/sample", "x scalar", "x best peer"
            ),
        );
        let scalar = results.find(workload.name, "scalar").map(|figure| figure.rate(MEDIAN));
        let peer = results.fastest(workload.name, false, MEDIAN).map(|figure| figure.rate(MEDIAN));
        for figure in results.on(workload) {
            row(&mut text, figure, scalar, peer);
        }
        text.push('\n');
    }
    summary(&mut text, outcomes);
    text
}

fn row(text: &mut String, figure: Figure<'_>, scalar: Option<f64>, peer: Option<f64>) {
    let name = &figure.path.name;
    if figure.rounds.is_empty() {
        let none = "-";
        line(text, format_args!("  {name:<18} {none:>11} {none:>11} {none:>10} {none:>10} {none:>12}"));
        return;
    }
    let rate = figure.rate(MEDIAN);
    let times = |than: Option<f64>| than.map_or("-".to_owned(), |than| number(rate / than));
    line(
        text,
        format_args!(
            "  {name:<18} {:>11} {:>11} {:>10.3} {:>10} {:>12}",
            number(rate),
            number(figure.rate(Statistic::Best)),
            figure.ns_per_sample(MEDIAN),
            times(scalar),
            times(peer),
        ),
    );
}

fn summary(text: &mut String, outcomes: &[Outcome]) {
    if outcomes.is_empty() {
        return;
    }
    line(
        text,
        format_args!(
            "{:<46} {:>7} {:>7} {:>9} {:>9}",
            "ratios of this run", "bar", "goal", "medians", "best"
        ),
    );
    for outcome in outcomes {
        let sign = if outcome.at_most { "<=" } else { ">=" };
        line(
            text,
            format_args!(
                "{:<46} {:>7} {:>7} {:>9} {:>9}  {}",
                outcome.about,
                format!("{sign}{}", outcome.bar),
                format!("{sign}{}", outcome.goal),
                number(outcome.median),
                number(outcome.best),
                outcome.verdict()
            ),
        );
    }
}

/// Three digits or more, never a false precision of many.
pub(crate) fn number(value: f64) -> String {
    let decimals = match value {
        _ if value >= 100.0 => 0,
        _ if value >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{line}");
}

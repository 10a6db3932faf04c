//! The figures as a picture: a group of bars a workload on a log axis, as an SVG that needs nothing else.
//!
//! In: the medians of a run. Out: the text of an SVG file. Paths that do not do a workload have no bar.

use std::fmt::Write;

use terrane_bench::workload::Workload;

use crate::results::{Figure, Results, Statistic};
use crate::table::number;

const WIDTH: f64 = 960.0;
const MARGIN: f64 = 28.0;
/// Where bars start: names of paths are left of it.
const AXIS_X: f64 = 160.0;
/// Right of the longest bar there is room for its figure.
const AXIS_END: f64 = WIDTH - MARGIN - 64.0;
const HEAD: f64 = 104.0;
const FOOT: f64 = 44.0;
const GROUP_TITLE: f64 = 24.0;
const GROUP_GAP: f64 = 14.0;
const BAR: f64 = 12.0;
const BAR_GAP: f64 = 3.0;

const INK: &str = "#1d2733";
const SOFT: &str = "#5d6b7a";
const GRID: &str = "#dfe4ea";
const GRID_FINE: &str = "#f0f2f5";
/// Our levels, from the narrowest to the widest lanes.
const OURS: [&str; 6] = ["#a9cfe8", "#82b7da", "#5b9ecb", "#3683b8", "#17689f", "#0b4a77"];
/// The peers.
const PEERS: [&str; 6] = ["#e58b3a", "#d1a13b", "#c0704f", "#a8854f", "#b35f7c", "#8c6f9e"];

/// The SVG of `results`; `machine` stands below the title.
pub(crate) fn svg(machine: &str, results: &Results) -> String {
    let axis = Axis::over(results);
    let groups: Vec<(&Workload, Vec<Figure<'_>>)> = results
        .workloads
        .iter()
        .map(|&workload| (workload, results.on(workload).filter(|f| !f.rounds.is_empty()).collect()))
        .filter(|(_, figures): &(_, Vec<_>)| !figures.is_empty())
        .collect();
    let body: f64 = groups.iter().map(|(_, figures)| group_height(figures.len())).sum();
    let bottom = HEAD + body;

    let mut svg = Svg::new(bottom + FOOT);
    svg.text(MARGIN, 38.0, "title", "start", "Noise on one thread, Msamples/s");
    svg.text(
        MARGIN,
        58.0,
        "soft",
        "start",
        "median of the rounds, logarithmic: a step to the next line is ten times as much",
    );
    svg.text(MARGIN, 76.0, "soft", "start", machine);
    axis.draw(&mut svg, HEAD, bottom);
    let mut y = HEAD;
    for (workload, figures) in &groups {
        group(&mut svg, &axis, y, workload, figures, results);
        y += group_height(figures.len());
    }
    svg.finish()
}

fn group_height(bars: usize) -> f64 {
    GROUP_TITLE + bars as f64 * (BAR + BAR_GAP) + GROUP_GAP
}

fn group(
    svg: &mut Svg,
    axis: &Axis,
    top: f64,
    workload: &Workload,
    figures: &[Figure<'_>],
    results: &Results,
) {
    // On a ground of its own: the title is easier to find than lines are to read through.
    svg.rect(MARGIN, top + 2.0, WIDTH - 2.0 * MARGIN, GROUP_TITLE - 5.0, "#f4f6f9");
    svg.text(MARGIN + 6.0, top + 16.0, "group", "start", workload.name);
    svg.text(WIDTH - MARGIN - 6.0, top + 16.0, "soft", "end", workload.about);
    let mut y = top + GROUP_TITLE;
    for figure in figures {
        let rate = figure.rate(Statistic::Median);
        let end = axis.x(rate);
        svg.text(AXIS_X - 8.0, y + BAR - 2.0, "path", "end", &figure.path.name);
        svg.rect(AXIS_X, y, end - AXIS_X, BAR, color(figure, results));
        svg.text(end + 5.0, y + BAR - 2.0, "figure", "start", &number(rate));
        y += BAR + BAR_GAP;
    }
}

/// A path has one colour in all groups.
fn color(figure: &Figure<'_>, results: &Results) -> &'static str {
    let ours = figure.path.is_ours;
    let alike = results.paths.iter().filter(|path| path.is_ours == ours);
    let index = alike.map(|path| &path.name).position(|name| *name == figure.path.name).unwrap_or(0);
    let palette = if ours { &OURS } else { &PEERS };
    palette[index % palette.len()]
}

/// Powers of ten from below the slowest to above the fastest.
struct Axis {
    first: i32,
    last: i32,
}

#[expect(clippy::disallowed_methods, reason = "pixels of a picture, not bits of a world")]
impl Axis {
    fn over(results: &Results) -> Self {
        let logs = || results.measured().map(|figure| figure.rate(Statistic::Median).log10());
        let first = logs().fold(f64::MAX, f64::min).min(3.0).floor() as i32;
        let last = logs().fold(f64::MIN, f64::max).max(1.0).ceil() as i32;
        Self { first, last: last.max(first + 1) }
    }

    fn x(&self, rate: f64) -> f64 {
        let share = (rate.log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        AXIS_X + share.clamp(0.002, 1.0) * (AXIS_END - AXIS_X)
    }

    fn draw(&self, svg: &mut Svg, top: f64, bottom: f64) {
        for power in self.first..=self.last {
            let decade = 10_f64.powi(power);
            if power < self.last {
                for fine in [2.0, 5.0] {
                    svg.vertical(self.x(fine * decade), top, bottom, GRID_FINE);
                }
            }
            let x = self.x(decade);
            svg.vertical(x, top, bottom, GRID);
            for y in [top - 8.0, bottom + 18.0] {
                svg.text(x, y, "tick", "middle", &thousands(decade));
            }
        }
    }
}

/// `10000` as `10 000`.
fn thousands(value: f64) -> String {
    let digits = value.to_string();
    if digits.contains('.') {
        return digits;
    }
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('\u{2009}');
        }
        grouped.push(digit);
    }
    grouped
}

/// The text of an SVG file, element by element.
struct Svg(String);

impl Svg {
    fn new(height: f64) -> Self {
        let mut svg = Self(String::new());
        svg.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">"#
        ));
        svg.add(format_args!(
            "<style>text {{ font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: {INK} }} \
             .title {{ font-size: 20px; font-weight: 600 }} .soft {{ font-size: 11.5px; fill: {SOFT} }} \
             .group {{ font-size: 12.5px; font-weight: 600 }} .path {{ font-size: 11px }} \
             .figure {{ font-size: 10.5px; fill: {SOFT} }} .tick {{ font-size: 11px; fill: {SOFT} }}</style>"
        ));
        svg.add(format_args!(r##"<rect width="100%" height="100%" fill="#ffffff"/>"##));
        svg
    }

    fn text(&mut self, x: f64, y: f64, class: &str, anchor: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.add(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" class="{class}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        self.add(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="1.5" fill="{fill}"/>"#
        ));
    }

    fn vertical(&mut self, x: f64, top: f64, bottom: f64, stroke: &str) {
        self.add(format_args!(
            r#"<line x1="{x:.1}" y1="{top:.1}" x2="{x:.1}" y2="{bottom:.1}" stroke="{stroke}"/>"#
        ));
    }

    fn finish(mut self) -> String {
        self.add(format_args!("</svg>"));
        self.0
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{element}");
    }
}

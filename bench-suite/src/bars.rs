//! The ratios that must be reached (docs: design.md, "Numbers that count"), and what a run reached.
//!
//! In: the figures of one run. Out: each bar that the run could measure. The list is the only place that knows them.

use crate::results::{Results, Statistic};

/// A ratio of two figures of one run.
enum Measure {
    /// Our fastest level over a peer.
    Peer { workload: &'static str, peer: &'static str },
    /// A level of ours over another.
    Levels { workload: &'static str, level: &'static str, over: &'static str },
    /// What a sample costs at our fastest level, over what it costs in another workload at the same level.
    Cost { workload: &'static str, over: &'static str },
}

struct Bar {
    about: &'static str,
    measure: Measure,
    /// Whether less is better.
    at_most: bool,
    bar: f64,
    goal: f64,
}

/// A bar and how the run did.
pub(crate) struct Outcome {
    pub(crate) about: &'static str,
    pub(crate) bar: f64,
    pub(crate) goal: f64,
    /// Whether less is better.
    pub(crate) at_most: bool,
    /// By medians over the rounds.
    pub(crate) median: f64,
    /// By the best rounds.
    pub(crate) best: f64,
}

const fn peer(about: &'static str, workload: &'static str, peer: &'static str, bar: f64, goal: f64) -> Bar {
    Bar { about, measure: Measure::Peer { workload, peer }, at_most: false, bar, goal }
}

const fn cost(about: &'static str, workload: &'static str, over: &'static str, bar: f64, goal: f64) -> Bar {
    Bar { about, measure: Measure::Cost { workload, over }, at_most: true, bar, goal }
}

/// The name that a `--peer` FastNoise2 must have for its bars to be shown.
const FASTNOISE2: &str = "fastnoise2";

const BARS: &[Bar] = &[
    peer("fBm 6, 256^2, over simdnoise", "fbm6_2d_256", "simdnoise", 18.0, 25.0),
    peer("fBm 6, 256^2, over fastnoise-lite", "fbm6_2d_256", "fastnoise-lite", 55.0, 80.0),
    peer("fBm 6, 256^2, over noise", "fbm6_2d_256", "noise", 100.0, 150.0),
    Bar {
        about: "fBm 6, 256^2, AVX2 over scalar",
        measure: Measure::Levels { workload: "fbm6_2d_256", level: "avx2", over: "scalar" },
        at_most: false,
        bar: 5.0,
        goal: 7.0,
    },
    cost("fBm 6, cost of a sample, 67^2 over 256^2", "fbm6_2d_67", "fbm6_2d_256", 1.5, 1.2),
    cost("fBm 6, cost of derivatives over value alone", "fbm6_grad_2d_256", "fbm6_2d_256", 2.75, 2.3),
    // `wide` has the instructions of the build: only one for this machine (-Ctarget-cpu=native) has to keep up.
    #[cfg(target_feature = "avx2")]
    Bar {
        about: "fBm 6, 256^2, AVX2 over wide of a native build",
        measure: Measure::Levels { workload: "fbm6_2d_256", level: "avx2", over: "wide" },
        at_most: true,
        bar: 2.0,
        goal: 1.3,
    },
    peer("fBm 6, 256^2, over FastNoise2", "fbm6_2d_256", FASTNOISE2, 4.5, 6.0),
    peer("Perlin 2D over FastNoise2", "perlin_2d_256", FASTNOISE2, 7.0, 9.0),
    peer("fBm 4 3D over FastNoise2", "fbm4_3d_64", FASTNOISE2, 8.0, 11.0),
    peer("value 2D over FastNoise2", "value_2d_256", FASTNOISE2, 7.0, 12.0),
    peer("cellular F1 2D over FastNoise2", "cellular_2d_256", FASTNOISE2, 5.0, 7.0),
    peer("simplex 2D over FastNoise2", "simplex_2d_256", FASTNOISE2, 1.2, 1.5),
    peer("warp + fBm 5 over FastNoise2", "warp_fbm5_2d_256", FASTNOISE2, 1.05, 1.3),
];

/// The bars whose figures the run has.
pub(crate) fn outcomes(results: &Results) -> Vec<Outcome> {
    let outcome = |bar: &Bar| {
        Some(Outcome {
            about: bar.about,
            bar: bar.bar,
            goal: bar.goal,
            at_most: bar.at_most,
            median: bar.measure.ratio(results, Statistic::Median)?,
            best: bar.measure.ratio(results, Statistic::Best)?,
        })
    };
    BARS.iter().filter_map(outcome).collect()
}

impl Measure {
    fn ratio(&self, results: &Results, statistic: Statistic) -> Option<f64> {
        let (over, under) = match *self {
            Self::Peer { workload, peer } => {
                (results.fastest(workload, true, statistic)?, results.find(workload, peer)?)
            }
            Self::Levels { workload, level, over } => {
                (results.find(workload, level)?, results.find(workload, over)?)
            }
            Self::Cost { workload, over } => {
                let over = results.fastest(over, true, statistic)?;
                (over, results.find(workload, &over.path.name)?)
            }
        };
        Some(over.rate(statistic) / under.rate(statistic))
    }
}

impl Outcome {
    /// By the best rounds: those are what the machine can do.
    pub(crate) fn verdict(&self) -> &'static str {
        let reaches = |mark: f64| if self.at_most { self.best <= mark } else { self.best >= mark };
        match (reaches(self.goal), reaches(self.bar)) {
            (true, _) => "goal",
            (_, true) => "bar",
            _ => "missed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::sample;

    #[test]
    fn every_bar_names_listed_workloads() {
        for bar in BARS {
            let names = match bar.measure {
                Measure::Peer { workload, .. } | Measure::Levels { workload, .. } => [workload, workload],
                Measure::Cost { workload, over } => [workload, over],
            };
            assert!(names.iter().all(|name| terrane_bench::workload::find(name).is_some()), "{}", bar.about);
        }
    }

    #[test]
    fn ratios_are_those_of_the_fastest_level() {
        let results = sample(&[
            ("fbm6_2d_67", "scalar", &[50.0]),
            ("fbm6_2d_67", "avx2", &[200.0]),
            ("fbm6_2d_256", "scalar", &[50.0]),
            ("fbm6_2d_256", "avx2", &[300.0]),
            ("fbm6_2d_256", "noise", &[1.5]),
            ("fbm6_2d_256", "simdnoise", &[20.0]),
        ]);
        let found: Vec<_> = outcomes(&results).iter().map(|o| (o.about, o.best, o.verdict())).collect();
        let want = [
            ("fBm 6, 256^2, over simdnoise", 15.0, "missed"),
            ("fBm 6, 256^2, over noise", 200.0, "goal"),
            ("fBm 6, 256^2, AVX2 over scalar", 6.0, "bar"),
            ("fBm 6, cost of a sample, 67^2 over 256^2", 1.5, "bar"),
        ];
        assert_eq!(found, want);
    }
}

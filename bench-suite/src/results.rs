//! The figures of a run: every round's Msamples/s for each path and workload.

use terrane_bench::workload::Workload;

use crate::path::Path;

pub(crate) struct Results {
    pub(crate) workloads: Vec<&'static Workload>,
    pub(crate) paths: Vec<PathName>,
    /// By workload, then path; empty where the path does not do the workload.
    rounds: Vec<Vec<Vec<f64>>>,
}

pub(crate) struct PathName {
    pub(crate) name: String,
    pub(crate) is_ours: bool,
}

/// One path's Msamples/s on one workload.
#[derive(Clone, Copy)]
pub(crate) struct Figure<'a> {
    pub(crate) workload: &'static Workload,
    pub(crate) path: &'a PathName,
    pub(crate) rounds: &'a [f64],
}

/// How the rounds become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statistic {
    Median,
    Best,
}

impl Results {
    pub(crate) fn new(workloads: Vec<&'static Workload>, paths: &[Path]) -> Self {
        let name = |path: &Path| PathName { name: path.name().to_owned(), is_ours: path.is_ours() };
        Self {
            rounds: vec![vec![Vec::new(); paths.len()]; workloads.len()],
            paths: paths.iter().map(name).collect(),
            workloads,
        }
    }

    pub(crate) fn add(&mut self, workload: usize, path: usize, msamples_per_s: f64) {
        self.rounds[workload][path].push(msamples_per_s);
    }

    /// Every path's rounds on `workload`, in order; without rounds where it does not do it.
    pub(crate) fn on(&self, workload: &Workload) -> impl Iterator<Item = Figure<'_>> {
        let index = self.workloads.iter().position(|known| known.name == workload.name);
        index.into_iter().flat_map(|index| {
            let workload = self.workloads[index];
            let figure = move |(path, rounds)| Figure { workload, path, rounds };
            self.paths.iter().zip(self.rounds[index].iter().map(Vec::as_slice)).map(figure)
        })
    }

    /// All that was measured.
    pub(crate) fn measured(&self) -> impl Iterator<Item = Figure<'_>> {
        self.workloads
            .iter()
            .flat_map(|workload| self.on(workload))
            .filter(|figure| !figure.rounds.is_empty())
    }

    /// The figure of a path on a workload, both by name.
    pub(crate) fn find(&self, workload: &str, path: &str) -> Option<Figure<'_>> {
        self.measured().find(|figure| figure.workload.name == workload && figure.path.name == path)
    }

    /// The fastest of our levels (or of the peers) on a workload.
    pub(crate) fn fastest(&self, workload: &str, ours: bool, statistic: Statistic) -> Option<Figure<'_>> {
        self.measured()
            .filter(|figure| figure.workload.name == workload && figure.path.is_ours == ours)
            .max_by(|a, b| a.rate(statistic).total_cmp(&b.rate(statistic)))
    }
}

impl Figure<'_> {
    /// Msamples/s over the rounds, of which there must be one at least.
    pub(crate) fn rate(&self, statistic: Statistic) -> f64 {
        let mut sorted = self.rounds.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (below, above) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        match statistic {
            Statistic::Median => f64::midpoint(below, above),
            Statistic::Best => sorted[sorted.len() - 1],
        }
    }

    pub(crate) fn ns_per_sample(&self, statistic: Statistic) -> f64 {
        1e3 / self.rate(statistic)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use terrane_bench::workload::{self, WORKLOADS};

    use super::*;

    /// Figures of a made-up run.
    pub(crate) fn sample(figures: &[(&str, &str, &[f64])]) -> Results {
        let mut paths: Vec<PathName> = Vec::new();
        for &(_, name, _) in figures {
            if paths.iter().all(|path| path.name != name) {
                paths.push(PathName { name: name.to_owned(), is_ours: ["scalar", "avx2"].contains(&name) });
            }
        }
        let workloads: Vec<_> = WORKLOADS.iter().filter(|w| figures.iter().any(|f| f.0 == w.name)).collect();
        let mut results =
            Results { rounds: vec![vec![Vec::new(); paths.len()]; workloads.len()], paths, workloads };
        for &(workload, name, rounds) in figures {
            let workload = workload::find(workload).expect("listed");
            let at = results.workloads.iter().position(|w| w.name == workload.name).expect("kept");
            let path = results.paths.iter().position(|path| path.name == name).expect("added");
            results.rounds[at][path] = rounds.to_vec();
        }
        results
    }

    #[test]
    fn medians_and_bests() {
        let results = sample(&[
            ("fbm6_2d_256", "scalar", &[50.0]),
            ("fbm6_2d_256", "avx2", &[300.0, 100.0, 200.0]),
            ("fbm6_2d_256", "noise", &[4.0, 1.0, 3.0, 2.0]),
        ]);
        let rate = |path, statistic| results.find("fbm6_2d_256", path).expect("measured").rate(statistic);
        assert_eq!([rate("scalar", Statistic::Median), rate("scalar", Statistic::Best)], [50.0, 50.0]);
        assert_eq!([rate("avx2", Statistic::Median), rate("avx2", Statistic::Best)], [200.0, 300.0]);
        assert_eq!([rate("noise", Statistic::Median), rate("noise", Statistic::Best)], [2.5, 4.0]);
        let fastest = |ours| results.fastest("fbm6_2d_256", ours, Statistic::Median).expect("measured");
        assert_eq!([&fastest(true).path.name, &fastest(false).path.name], ["avx2", "noise"]);
    }
}

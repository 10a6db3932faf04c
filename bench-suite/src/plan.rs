//! Whose turn is when.
//!
//! In: rounds, and which paths do which workload. Out: the order. A round visits every workload, and there every path,
//! so that a slow spell of the machine meets all paths and costs a round, not a workload. Every second round goes
//! backwards, which takes steady drift out of the ratios.

/// One process: a path (an index) on a workload (an index).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) round: u32,
    pub(crate) workload: usize,
    pub(crate) path: usize,
}

/// All turns of a run; `able[workload]` lists the paths that can do it.
pub(crate) fn turns(rounds: u32, able: &[Vec<usize>]) -> Vec<Turn> {
    let mut turns = Vec::new();
    for round in 0..rounds {
        for (workload, paths) in able.iter().enumerate() {
            let first = turns.len();
            turns.extend(paths.iter().map(|&path| Turn { round, workload, path }));
            if round % 2 == 1 {
                turns[first..].reverse();
            }
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::turns;

    #[test]
    fn paths_alternate_within_a_workload_and_every_second_round_goes_backwards() {
        let order: Vec<_> = turns(3, &[vec![0, 1, 4], vec![1, 2]])
            .into_iter()
            .map(|turn| format!("{}/{}/{}", turn.round, turn.workload, turn.path))
            .collect();
        let want = [
            "0/0/0 0/0/1 0/0/4 0/1/1 0/1/2",
            "1/0/4 1/0/1 1/0/0 1/1/2 1/1/1",
            "2/0/0 2/0/1 2/0/4 2/1/1 2/1/2",
        ];
        assert_eq!(order.join(" "), want.join(" "));
    }
}

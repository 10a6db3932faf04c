//! The graph against what it should be: edges against trying all cells, random operations against a small model.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::synthetic::{self, GRASS, Oracle, ROCK, Synthetic, WATER, spec};
use crate::{Shared, Unique};

fn cell(stage: StageId, level: u8, x: i64, z: i64) -> Cell {
    Cell { stage, level, x, z }
}

fn all_cells(stage: StageId, levels: u8, reach: i64) -> impl Iterator<Item = Cell> {
    (0..levels).flat_map(move |level| {
        (-reach..reach).flat_map(move |z| (-reach..reach).map(move |x| cell(stage, level, x, z)))
    })
}

#[test]
fn inputs_are_those_that_trying_finds() {
    let spec = spec();
    for (stage, levels) in [(ROCK, 2), (WATER, 1), (GRASS, 2)] {
        for cell in all_cells(stage, levels, 6) {
            let derived: Vec<Cell> = spec.inputs(cell).flat_map(CellRange::cells).collect();
            assert_eq!(derived, synthetic::inputs(cell), "{cell:?}");
        }
    }
}

#[test]
fn outputs_are_inputs_seen_from_the_other_side() {
    let spec = spec();
    for (stage, levels) in [(WATER, 1), (GRASS, 2)] {
        for reader in all_cells(stage, levels, 5) {
            for input in spec.inputs(reader).flat_map(CellRange::cells) {
                let back = spec.outputs(input).flat_map(CellRange::cells).filter(|cell| *cell == reader);
                assert_eq!(back.count(), 1, "{reader:?} reads {input:?}");
            }
        }
    }
    for (stage, levels) in [(ROCK, 2), (WATER, 1)] {
        for input in all_cells(stage, levels, 8) {
            for reader in spec.outputs(input).flat_map(CellRange::cells) {
                assert!(synthetic::inputs(reader).contains(&input), "{reader:?} does not read {input:?}");
            }
        }
    }
}

/// A target and all that it needs, by trying.
fn closure(target: Cell) -> Vec<Cell> {
    let mut found = vec![target];
    let mut at = 0;
    while let Some(&next) = found.get(at) {
        at += 1;
        for input in synthetic::inputs(next) {
            if !found.contains(&input) {
                found.push(input);
            }
        }
    }
    found
}

#[test]
fn no_closure_is_larger_than_stated() {
    let spec = spec();
    for (target, levels) in [(ROCK, 2), (WATER, 1), (GRASS, 2)] {
        let most = spec.closure_max(target);
        let mut seen = vec![0; 3];
        for target in all_cells(target, levels, 4) {
            let closure = closure(target);
            for stage in 0..3 {
                let count = closure.iter().filter(|cell| usize::from(cell.stage.0) == stage).count();
                assert!(count <= most[stage], "{target:?} needs {count} of stage {stage}, stated {most:?}");
                seen[stage] = seen[stage].max(count);
            }
        }
        // A bound that nothing comes near would waste memory.
        let slack = most.iter().zip(&seen).all(|(most, seen)| *most <= 2 * seen.max(&1));
        assert!(slack, "stated {most:?}, seen {seen:?}");
    }
}

#[test]
fn declarations_that_are_no_graph_are_refused() {
    let grid = StageGrid { cell: 8, levels: 1 };
    let stage = |name, reads: &[u16], writes: &[u16]| Stage {
        name,
        grid,
        reads: reads.iter().map(|column| Read { column: ColumnId(*column), padding: 0 }).collect(),
        writes: writes.iter().map(|column| ColumnId(*column)).collect(),
    };
    let refused = |stages: Vec<Stage>| GraphSpec::new(stages).expect_err("no graph");
    assert_eq!(refused(vec![]), GraphError::Stages { count: 0 });
    assert_eq!(
        refused(vec![stage("a", &[], &[1]), stage("b", &[], &[2, 1])]),
        GraphError::TwoWriters { column: 1, first: "a", second: "b" }
    );
    assert_eq!(refused(vec![stage("a", &[5], &[1])]), GraphError::NoWriter { stage: "a", column: 5 });
    assert!(matches!(refused(vec![stage("a", &[1], &[1])]), GraphError::Cycle { stage: "a" }));
    let ring = vec![stage("a", &[3], &[1]), stage("b", &[1], &[2]), stage("c", &[2], &[3])];
    assert!(matches!(refused(ring), GraphError::Cycle { .. }));
    let zero = Stage { grid: StageGrid { cell: 0, levels: 1 }, ..stage("a", &[], &[1]) };
    assert_eq!(refused(vec![zero]), GraphError::Grid { stage: "a", cell: 0, levels: 1 });
    let grid = StageGrid { cell: 1 << 31, levels: 19 };
    let wide = Stage { grid, ..stage("a", &[], &[1]) };
    assert_eq!(refused(vec![wide]), GraphError::Grid { stage: "a", cell: 1 << 31, levels: 19 });
    let reads = vec![Read { column: ColumnId(2), padding: u32::MAX }];
    let padded = Stage { grid: StageGrid { cell: 8, levels: 18 }, reads, ..stage("a", &[], &[1]) };
    let read = stage("b", &[], &[2]);
    let padding = GraphError::Padding { stage: "a", padding: u32::MAX, levels: 18 };
    assert_eq!(refused(vec![padded, read]), padding);
    let many = Stage { grid: StageGrid { cell: 8, levels: 9 }, ..stage("a", &[2], &[1]) };
    let fewer = Stage { grid: StageGrid { cell: 8, levels: 4 }, ..stage("b", &[], &[2]) };
    let refused = refused(vec![many, fewer]);
    assert_eq!(refused, GraphError::Levels { stage: "a", levels: 9, read: "b", read_levels: 4 });
}

/// What a host does to a graph.
#[derive(Clone, Debug)]
enum Step {
    Request {
        cell: Cell,
        ticket: u64,
        distance: u64,
        band: Band,
    },
    Cancel(Cell),
    Rekey(u64),
    Start,
    /// Of the jobs that run, the one at this place.
    Finish(usize),
    Take,
}

fn any_cell() -> impl Strategy<Value = Cell> {
    (0u8..3, 0u8..2, -3i64..3, -3i64..3).prop_map(|(stage, level, x, z)| {
        let level = if StageId(stage) == WATER { 0 } else { level };
        cell(StageId(stage), level, x, z)
    })
}

fn any_step() -> impl Strategy<Value = Step> {
    let band = prop_oneof![Just(Band::Urgent), Just(Band::Normal), Just(Band::Prefetch)];
    let request = (any_cell(), 1u64..4, 0u64..5, band)
        .prop_map(|(cell, ticket, distance, band)| Step::Request { cell, ticket, distance, band });
    prop_oneof![
        3 => request,
        1 => any_cell().prop_map(Step::Cancel),
        1 => (0u64..1000).prop_map(Step::Rekey),
        12 => Just(Step::Start),
        12 => (0usize..8).prop_map(Step::Finish),
        3 => Just(Step::Take),
    ]
}

/// A job that runs, with what it reads.
type Running = (Start<Synthetic>, Vec<(Cell, Shared<u64>)>);

/// A graph with its host and workers, all on one thread, beside what the host expects.
struct Bench {
    work: Synthetic,
    graph: Graph<Synthetic>,
    running: Vec<Running>,
    untaken: Vec<Finished<Shared<u64>>>,
    /// Asked for and neither delivered nor cancelled: cell to ticket.
    wanted: BTreeMap<Cell, u64>,
    oracle: Oracle,
    rekeyed: u64,
}

const WORKERS: usize = 4;
const FINISHED: usize = 5;

impl Bench {
    fn new(targets: usize, nodes: usize) -> Self {
        let limits = GraphLimits { nodes, admitted: 3, finished: FINISHED };
        Self {
            work: Synthetic::least(GRASS, targets),
            graph: Graph::new(Arc::new(spec()), limits),
            running: Vec::new(),
            untaken: Vec::new(),
            wanted: BTreeMap::new(),
            oracle: Oracle::default(),
            rekeyed: 0,
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Request { cell, ticket, distance, band } => {
                if self.graph.request(cell, ticket, Priority { band, distance }).is_ok() {
                    self.wanted.insert(cell, ticket);
                } else if self.wanted.get(&cell) != Some(&ticket) {
                    // An earlier ticket was cancelled before there was no room for the new one.
                    self.wanted.remove(&cell);
                }
            }
            Step::Cancel(cell) => {
                assert_eq!(self.graph.cancel(cell), self.wanted.remove(&cell).is_some(), "{cell:?}");
            }
            Step::Rekey(by) => {
                self.rekeyed = by;
                self.graph.rekey(|cell| Priority {
                    band: Band::Normal,
                    distance: cell.x.wrapping_mul(by as i64 + 1).rem_euclid(97) as u64,
                });
            }
            Step::Start if self.running.len() < WORKERS => self.start(),
            Step::Start => {}
            Step::Finish(_) if self.running.is_empty() => {}
            Step::Finish(place) => self.finish(place % self.running.len()),
            Step::Take => {
                if !self.untaken.is_empty() {
                    self.untaken.remove(0);
                    self.graph.feed();
                }
            }
        }
        self.check();
    }

    fn start(&mut self) {
        match self.graph.next(&self.work, self.untaken.len()) {
            Some(Next::Run(start)) => {
                let mut inputs = Vec::new();
                self.graph.gather(start.node, &mut inputs);
                self.running.push((start, inputs));
            }
            Some(Next::Deliver(finished)) => self.deliver(finished),
            None => {}
        }
    }

    fn finish(&mut self, place: usize) {
        let (Start { node, cell, ticket, mut buffer }, inputs) = self.running.remove(place);
        let cancels = self.graph.cancels();
        let cancelled = &cancels[node as usize];
        let job = crate::Job { cell, ticket, attempt: 0, inputs: &inputs, cancelled };
        let product = self.work.run(job, &mut buffer, &mut Vec::new()).ok().map(|()| Unique::freeze(buffer));
        drop(inputs);
        if let Some(finished) = self.graph.finish(node, product, None) {
            self.deliver(finished);
        }
    }

    fn deliver(&mut self, finished: Finished<Shared<u64>>) {
        let Finished { cell, ticket, product, .. } = &finished;
        assert_eq!(self.wanted.remove(cell), Some(*ticket), "{cell:?} is not wanted");
        assert_eq!(**product, self.oracle.result(*cell), "{cell:?}");
        self.untaken.push(finished);
        assert!(self.untaken.len() <= FINISHED, "more results than the host has room for");
    }

    fn check(&self) {
        assert_eq!(self.graph.wanted(), self.wanted.len());
        for cell in self.wanted.keys() {
            assert!(self.graph.is_wanted(*cell));
        }
        let counts = self.graph.counts();
        assert_eq!(counts.running, self.running.len());
        assert_eq!(counts.requests, counts.delivered + counts.cancelled + self.wanted.len() as u64);
    }

    /// Lets everything finish: with memory for one target there must be a way.
    fn drain(&mut self) {
        for turn in 0.. {
            assert!(turn < 100_000, "stuck:\n{}", self.graph.dump());
            if self.wanted.is_empty() && self.running.is_empty() {
                break;
            }
            self.step(Step::Take);
            self.step(Step::Start);
            self.step(Step::Finish(turn));
        }
        self.untaken.clear();
        let counts = self.graph.counts();
        assert_eq!((counts.nodes, counts.ready, counts.waiting, counts.admitted), (0, 0, 0, 0));
        for pool in &self.work.pools {
            assert_eq!(pool.free(), pool.capacity(), "memory that did not come back");
        }
    }
}

fn run(steps: Vec<Step>, targets: usize, nodes: usize) {
    let mut bench = Bench::new(targets, nodes);
    for step in steps {
        bench.step(step);
    }
    bench.drain();
}

/// Cases of a property test; `PROPTEST_CASES` asks for more.
fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: ProptestConfig::default().cases.max(count), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Memory for one target at a time: nothing locks up, nothing is late, nothing is lost.
    #[test]
    fn random_steps_with_the_least_memory(steps in prop::collection::vec(any_step(), 0..250)) {
        run(steps, 1, 4000);
    }

    /// Memory for several, and a table that is too small for all requests.
    #[test]
    fn random_steps_with_a_small_table(steps in prop::collection::vec(any_step(), 0..250)) {
        let closure: usize = spec().closure_max(GRASS).iter().sum();
        run(steps, 3, closure + WORKERS);
    }
}

/// Starts and finishes jobs until nothing is wanted, and tells their order.
fn order_of(bench: &mut Bench) -> Vec<Cell> {
    let mut order = Vec::new();
    while !bench.wanted.is_empty() {
        bench.untaken.clear();
        bench.start();
        order.extend(bench.running.iter().map(|(start, _)| start.cell));
        if !bench.running.is_empty() {
            bench.finish(0);
        }
    }
    order
}

#[test]
fn jobs_come_by_band_then_distance_then_later_stage() {
    let mut bench = Bench::new(2, 4000);
    for (x, band, distance) in [
        (0, Band::Prefetch, 0),
        (1, Band::Normal, 9),
        (2, Band::Normal, 5),
        (3, Band::Urgent, 70),
        (4, Band::Normal, 9),
        (5, Band::Urgent, 60),
    ] {
        bench.step(Step::Request { cell: cell(ROCK, 0, x, 0), ticket: 1, distance, band });
    }
    let order = order_of(&mut bench);
    assert_eq!(order.iter().map(|cell| cell.x).collect::<Vec<_>>(), [5, 3, 2, 1, 4, 0]);
    bench.drain();

    // A grass cell whose inputs are done comes before rock at the same distance.
    let mut bench = Bench::new(2, 4000);
    let request = |stage, x, distance| Step::Request {
        cell: cell(stage, 0, x, 0),
        ticket: 1,
        distance,
        band: Band::Normal,
    };
    bench.step(request(GRASS, 0, 4));
    bench.step(request(ROCK, 1000, 4));
    let order = order_of(&mut bench);
    let place = |wanted: Cell| order.iter().position(|cell| *cell == wanted).expect("built");
    assert!(place(cell(GRASS, 0, 0, 0)) < place(cell(ROCK, 0, 1000, 0)));
    bench.drain();
}

#[test]
fn a_new_priority_moves_what_waits() {
    let mut bench = Bench::new(2, 4000);
    for x in 0..6 {
        let (distance, band) = (x as u64, Band::Normal);
        bench.step(Step::Request { cell: cell(ROCK, 0, x, 0), ticket: 1, distance, band });
    }
    bench.graph.rekey(|cell| Priority { band: Band::Normal, distance: 10 - cell.x as u64 });
    bench.step(Step::Request { cell: cell(ROCK, 0, 2, 0), ticket: 1, distance: 0, band: Band::Urgent });
    let order = order_of(&mut bench);
    assert_eq!(order.iter().map(|cell| cell.x).collect::<Vec<_>>(), [2, 5, 4, 3, 1, 0]);
}

/// How often cells are built again when a row of grass is asked for, with memory for `targets` closures and no more.
fn recomputes(targets: usize) -> u64 {
    let row = (0..6).map(|x| cell(GRASS, 0, x, 0));
    let count =
        |target: Cell, stage: StageId| closure(target).iter().filter(|cell| cell.stage == stage).count();
    let most = |stage: StageId| row.clone().map(|target| count(target, stage)).max().expect("a row");
    let mut bench = Bench::new(1, 6000);
    bench.work = Synthetic::new([ROCK, WATER, GRASS].map(|stage| most(stage) * targets));
    // Not side by side: what neighbours share has to outlive a target in between.
    for (distance, x) in [0, 3, 1, 4, 2, 5].into_iter().enumerate() {
        let (cell, distance) = (cell(GRASS, 0, x, 0), distance as u64);
        bench.step(Step::Request { cell, ticket: 1, distance, band: Band::Normal });
    }
    bench.drain();
    bench.graph.counts().recomputes
}

#[test]
fn memory_for_all_means_nothing_is_built_twice() {
    assert!(recomputes(1) > 0, "with memory for one target, what the next shares with it has to go");
    assert_eq!(recomputes(6), 0);
}

#[test]
fn what_cannot_be_asked_for_is_refused() {
    let mut bench = Bench::new(1, 200);
    let priority = Priority { band: Band::Normal, distance: 0 };
    let nowhere = cell(WATER, 1, 0, 0);
    assert_eq!(bench.graph.request(nowhere, 1, priority), Err(RequestError::NoSuchStage { cell: nowhere }));
    let nowhere = cell(StageId(3), 0, 0, 0);
    assert_eq!(bench.graph.request(nowhere, 1, priority), Err(RequestError::NoSuchStage { cell: nowhere }));
    let edge =
        crate::graph::spec::UNITS_MAX / i64::from(bench.graph.spec.stages()[usize::from(GRASS.0)].grid.cell);
    for (inside, outside) in [(edge - 1, edge), (-edge, -edge - 1)] {
        assert_eq!(bench.graph.request(cell(GRASS, 0, inside, inside), 1, priority), Ok(()));
        assert!(bench.graph.cancel(cell(GRASS, 0, inside, inside)));
        let far = cell(GRASS, 0, 0, outside);
        assert_eq!(bench.graph.request(far, 1, priority), Err(RequestError::TooFar { cell: far }));
    }
    let asked = (0..).map_while(|x| bench.graph.request(cell(GRASS, 0, 9 * x, 0), 1, priority).ok()).count();
    assert!(asked > 0);
    let nodes = bench.graph.counts().nodes;
    let refused = bench.graph.request(cell(GRASS, 0, -90, 0), 1, priority);
    assert_eq!(refused, Err(RequestError::Full { nodes: 200 }));
    assert_eq!(bench.graph.counts().nodes, nodes, "nothing of a refused target stays");
}

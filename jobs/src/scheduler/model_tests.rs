//! The scheduler under a model checker: every interleaving of small scenes (loom, up to a bound on preemptions), many of
//! larger ones (shuttle).
//!
//! ```sh
//! RUSTFLAGS="--cfg loom" cargo test -p terrane-jobs --release --lib model_
//! RUSTFLAGS="--cfg shuttle" cargo test -p terrane-jobs --release --lib model_
//! ```

use std::sync::Arc;

use super::*;
use crate::{
    Band, ColumnId, GraphLimits, Job, ManualClock, Pool, Read, Shared, Stage, StageGrid, StageId, Stop,
    Unique,
};

/// Doubles a cell's column; the second stage adds its inputs.
struct Doubles(Pool<i64>);

impl Work for Doubles {
    type Buffer = Unique<i64>;
    type Product = Shared<i64>;
    type Scratch = ();

    fn scratch(&self) {}

    fn reserve(&self, _: Cell) -> Option<Unique<i64>> {
        self.0.try_take()
    }

    fn run(&self, job: Job<'_, Shared<i64>>, out: &mut Unique<i64>, (): &mut ()) -> Result<(), Stop> {
        if job.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        **out = 2 * job.cell.x + job.inputs().iter().map(|(_, input)| **input).sum::<i64>();
        Ok(())
    }

    fn placeholder(&self, _: Cell, out: &mut Unique<i64>) {
        **out = -1;
    }

    fn freeze(&self, out: Unique<i64>) -> Shared<i64> {
        out.freeze()
    }
}

const BASE: StageId = StageId(0);
const SUM: StageId = StageId(1);

fn spec() -> GraphSpec {
    let grid = StageGrid { cell: 4, levels: 1 };
    let base = Stage { name: "base", grid, reads: vec![], writes: vec![ColumnId(0)] };
    let reads = vec![Read { column: ColumnId(0), padding: 0 }];
    let sum = Stage { name: "sum", grid, reads, writes: vec![ColumnId(1)] };
    GraphSpec::new(vec![base, sum]).expect("a graph")
}

fn start(threads: usize, memory: usize) -> Scheduler<Doubles> {
    let limits = GraphLimits { nodes: 6, admitted: 2, finished: 2 };
    let settings = SchedulerSettings { limits, threads };
    let work = Doubles(Pool::new(memory, |_| 0));
    Scheduler::start(work, spec(), settings, Arc::new(ManualClock::new())).expect("it starts")
}

fn ask(scheduler: &mut Scheduler<Doubles>, stage: StageId, x: i64, ticket: u64) {
    let priority = Priority { band: Band::Normal, distance: x.unsigned_abs() };
    let cell = Cell { stage, level: 0, x, z: 0 };
    scheduler.update(|wanted| wanted.request(cell, ticket, priority)).expect("room");
}

/// Waits for the next result and lets go of it.
fn take(scheduler: &mut Scheduler<Doubles>) -> (i64, u64, i64) {
    assert_eq!(scheduler.wait(), Waited::Finished);
    let finished = scheduler.try_finished().expect("there is one");
    let taken = (finished.cell.x, finished.ticket, *finished.product);
    drop(finished);
    scheduler.feed();
    taken
}

fn end(scheduler: Scheduler<Doubles>) {
    let pool = scheduler.work().0.clone();
    drop(scheduler);
    assert_eq!(pool.free(), pool.capacity());
}

/// Runs a scene in every interleaving with at most so many preemptions.
#[cfg(loom)]
fn explore(preemptions: usize, scene: impl Fn() + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(scene);
}

/// Runs a scene in many random interleavings.
#[cfg(all(shuttle, not(loom)))]
fn explore(_: usize, scene: impl Fn() + Send + Sync + 'static) {
    shuttle::check_random(scene, 3000);
    shuttle::check_pct(move || small(), 1000, 3);
    fn small() {
        let mut scheduler = start(2, 3);
        ask(&mut scheduler, SUM, 5, 1);
        assert_eq!(take(&mut scheduler), (5, 1, 20));
        end(scheduler);
    }
}

/// A worker that is about to sleep sees the request, or is woken by it; a host that is about to sleep likewise.
#[test]
fn model_a_request_is_never_slept_through() {
    explore(3, || {
        let mut scheduler = start(1, 2);
        ask(&mut scheduler, BASE, 3, 1);
        assert_eq!(take(&mut scheduler), (3, 1, 6));
        assert_eq!(scheduler.wait(), Waited::Nothing);
        end(scheduler);
    });
}

/// A stage that reads another runs after it, whoever finishes what.
#[test]
fn model_inputs_are_done_before_their_reader() {
    explore(2, || {
        let mut scheduler = start(2, 2);
        ask(&mut scheduler, SUM, 3, 1);
        assert_eq!(take(&mut scheduler), (3, 1, 12));
        end(scheduler);
    });
}

/// Memory for one result: the worker sleeps hungry, and the host that gives memory back wakes it.
#[test]
fn model_memory_that_comes_back_wakes_the_hungry() {
    explore(3, || {
        let mut scheduler = start(1, 1);
        ask(&mut scheduler, BASE, 1, 1);
        ask(&mut scheduler, BASE, 2, 1);
        assert_eq!(take(&mut scheduler), (1, 1, 2));
        assert_eq!(take(&mut scheduler), (2, 1, 4));
        end(scheduler);
    });
}

/// The same cell asked for again while the old job may run: one result, of the new request.
#[test]
fn model_no_late_result_is_accepted() {
    explore(3, || {
        let mut scheduler = start(1, 3);
        ask(&mut scheduler, BASE, 3, 1);
        let cell = Cell { stage: BASE, level: 0, x: 3, z: 0 };
        let cancelled = scheduler.update(|wanted| wanted.cancel(cell));
        ask(&mut scheduler, BASE, 3, 2);
        if !cancelled {
            // It was finished before: queued, and the host knows.
            assert_eq!(take(&mut scheduler), (3, 1, 6));
        }
        assert_eq!(take(&mut scheduler), (3, 2, 6));
        assert_eq!(scheduler.wait(), Waited::Nothing);
        end(scheduler);
    });
}

/// The host leaves in the middle: workers end, memory is back.
#[test]
fn model_dropping_it_joins() {
    explore(2, || {
        let mut scheduler = start(2, 3);
        ask(&mut scheduler, SUM, 1, 1);
        ask(&mut scheduler, BASE, 2, 1);
        end(scheduler);
    });
}

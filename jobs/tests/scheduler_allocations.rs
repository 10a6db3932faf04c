//! Once it runs, the scheduler allocates nothing, on no thread. Counted over the whole process, so this binary holds one
//! test alone.
#![cfg(all(feature = "threads", not(any(loom, shuttle))))]

use std::alloc::System;
use std::sync::Arc;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use terrane_jobs::{
    Band, Cell, ColumnId, GraphLimits, GraphSpec, Job, Pool, Priority, Read, Scheduler, SchedulerSettings,
    Shared, Stage, StageGrid, StageId, Stop, SystemClock, Unique, Waited, Work,
};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

struct Sums([Pool<u64>; 2]);

impl Work for Sums {
    type Buffer = Unique<u64>;
    type Product = Shared<u64>;
    type Scratch = ();
    fn scratch(&self) {}
    fn reserve(&self, cell: Cell) -> Option<Unique<u64>> {
        self.0[usize::from(cell.stage.0)].try_take()
    }
    fn run(&self, job: Job<'_, Shared<u64>>, out: &mut Unique<u64>, (): &mut ()) -> Result<(), Stop> {
        **out = job.inputs().iter().fold(job.cell.x as u64, |sum, (_, input)| sum.wrapping_add(**input));
        Ok(())
    }
    fn placeholder(&self, _: Cell, out: &mut Unique<u64>) {
        **out = 0;
    }
    fn freeze(&self, out: Unique<u64>) -> Shared<u64> {
        out.freeze()
    }
}

fn scheduler(threads: usize) -> Scheduler<Sums> {
    let grid = StageGrid { cell: 32, levels: 1 };
    let base = Stage { name: "base", grid, reads: vec![], writes: vec![ColumnId(0)] };
    let reads = vec![Read { column: ColumnId(0), padding: 20 }];
    let sum = Stage { name: "sum", grid, reads, writes: vec![ColumnId(1)] };
    let spec = GraphSpec::new(vec![base, sum]).expect("a graph");
    let limits = GraphLimits { nodes: 1200, admitted: 4, finished: 16 };
    let work = Sums([Pool::new(40, |_| 0), Pool::new(20, |_| 0)]);
    let settings = SchedulerSettings { limits, threads };
    Scheduler::start(work, spec, settings, Arc::new(SystemClock::new())).expect("it starts")
}

/// Asks, changes its mind, takes, lets go: `turns` times, everywhere else than before.
fn use_it(scheduler: &mut Scheduler<Sums>, turns: i64) -> u64 {
    let mut taken = 0;
    for turn in 0..turns {
        let cell = |x: i64| Cell { stage: StageId(1), level: 0, x: 40 * turn + x, z: -turn };
        let priority = |x: i64| Priority { band: Band::Normal, distance: (x * 7 % 11) as u64 };
        scheduler.update(|wanted| {
            for x in 0..30 {
                wanted.request(cell(x), turn as u64, priority(x)).expect("room");
            }
        });
        scheduler.update(|wanted| {
            for x in (0..30).step_by(4) {
                wanted.cancel(cell(x));
            }
            wanted.rekey(|cell| priority(cell.x));
            for x in (0..30).step_by(5) {
                wanted.request(cell(x), turn as u64 + 1, priority(x)).expect("room");
            }
        });
        loop {
            match scheduler.wait() {
                Waited::Finished => {
                    let finished = scheduler.try_finished().expect("there is one");
                    taken += u64::from(finished.failure.is_none());
                    drop(finished);
                    scheduler.feed();
                }
                Waited::Nothing => break,
                other => panic!("{other:?}\n{}", scheduler.dump()),
            }
        }
    }
    taken
}

#[test]
fn nothing_allocates_once_it_runs() {
    let region = Region::new(ALLOCATOR);
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(region.change().allocations, 1, "a counter that does not count proves nothing");
    let region = Region::new(ALLOCATOR);
    std::thread::spawn(|| drop(std::hint::black_box(vec![1u8; 1 << 20]))).join().expect("no panic");
    assert!(region.change().bytes_allocated >= 1 << 20, "other threads count too");

    for threads in [0, 1, 2, 4] {
        let mut scheduler = scheduler(threads);
        // No warm-up: what a first use needs is there when `start` returns.
        let region = Region::new(ALLOCATOR);
        let taken = use_it(&mut scheduler, 200);
        let change = region.change();
        assert!(taken >= 200 * 24, "{taken}");
        assert_eq!((change.allocations, change.reallocations), (0, 0), "{threads} threads");
    }
}

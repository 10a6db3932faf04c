//! The scheduler with its threads: results, order, failures, cancellation, memory, shutdown.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::synthetic::{self, Faults, GRASS, Oracle, PLACEHOLDER, ROCK, Synthetic, WATER, spec};
use crate::{Band, FailureKind, GraphLimits, ManualClock, Shared, StageId, SystemClock};

fn cell(stage: StageId, x: i64, z: i64) -> Cell {
    Cell { stage, level: 0, x, z }
}

fn normal(distance: u64) -> Priority {
    Priority { band: Band::Normal, distance }
}

fn settings(threads: usize) -> SchedulerSettings {
    let limits = GraphLimits { nodes: 4000, admitted: threads.max(1) + 1, finished: 8 };
    SchedulerSettings { limits, threads }
}

fn start(work: Synthetic, threads: usize) -> Scheduler<Synthetic> {
    Scheduler::start(work, spec(), settings(threads), Arc::new(SystemClock::new())).expect("it starts")
}

/// Runs `test` on a thread of its own; a run that does not end is a failure with the graph's state as told by itself.
fn within(seconds: u64, test: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        test();
        let _ = done.send(());
    });
    match wait.recv_timeout(Duration::from_secs(seconds)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("stuck for {seconds} s"),
        _ => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

/// Takes everything that is wanted, in order of completion.
fn take_all(scheduler: &mut Scheduler<Synthetic>) -> Vec<Finished<Shared<u64>>> {
    let mut all = Vec::new();
    loop {
        match scheduler.wait() {
            Waited::Finished => {
                while let Some(finished) = scheduler.try_finished() {
                    all.push(finished);
                }
            }
            Waited::Nothing => return all,
            // Held results are what is starved for; a caller that keeps none never sees it.
            other => panic!("{other:?}\n{}", scheduler.dump()),
        }
    }
}

fn results(all: Vec<Finished<Shared<u64>>>) -> BTreeMap<Cell, u64> {
    all.into_iter().map(|finished| (finished.cell, *finished.product)).collect()
}

/// All memory is back.
fn assert_conserved(scheduler: Scheduler<Synthetic>) {
    let pools = scheduler.work().pools.clone();
    drop(scheduler);
    for pool in &pools {
        assert_eq!(pool.free(), pool.capacity());
    }
}

const TARGETS: [(StageId, i64); 3] = [(ROCK, 5), (WATER, 4), (GRASS, 2)];

fn all_targets() -> Vec<Cell> {
    let square = |(stage, reach): (StageId, i64)| {
        (-reach..reach).flat_map(move |z| (-reach..reach).map(move |x| cell(stage, x, z)))
    };
    TARGETS.into_iter().flat_map(square).collect()
}

fn build(threads: usize, targets: &[Cell], work: Synthetic) -> BTreeMap<Cell, u64> {
    let mut scheduler = start(work, threads);
    let mut taken = BTreeMap::new();
    // In portions, since the table holds no more; what is taken is dropped at once.
    for portion in targets.chunks(20) {
        scheduler.update(|wanted| {
            for (distance, cell) in portion.iter().enumerate() {
                wanted.request(*cell, 1, normal(distance as u64)).expect("room");
            }
        });
        loop {
            match scheduler.wait() {
                Waited::Finished => {
                    let finished = scheduler.try_finished().expect("there is one");
                    taken.insert(finished.cell, *finished.product);
                    drop(finished);
                    scheduler.feed();
                }
                Waited::Nothing => break,
                other => panic!("{other:?}\n{}", scheduler.dump()),
            }
        }
    }
    assert_conserved(scheduler);
    taken
}

#[test]
fn any_number_of_threads_and_any_order_give_the_same() {
    within(120, || {
        let mut oracle = Oracle::default();
        let mut targets = all_targets();
        let want: BTreeMap<Cell, u64> = targets.iter().map(|cell| (*cell, oracle.result(*cell))).collect();
        for threads in [0, 1, 2, 5] {
            assert_eq!(build(threads, &targets, Synthetic::least(GRASS, 1)), want, "{threads} threads");
            targets.reverse();
            let mut work = Synthetic::least(GRASS, 3);
            work.meanwhile = Some(Box::new(|cell| {
                if cell.x & 1 == 0 {
                    std::thread::yield_now();
                }
            }));
            assert_eq!(build(threads, &targets, work), want, "{threads} threads, yielding");
            targets.rotate_left(17);
        }
    });
}

#[test]
fn a_panic_is_tried_again_then_stood_in_for() {
    within(60, || {
        for threads in [0, 1, 2] {
            let mut work = Synthetic::least(GRASS, 2);
            work.faults =
                Faults { panic_once: Some(2), panic_always: Some(5), error: Some(7), stage: Some(ROCK) };
            let faults = work.faults;
            let mut scheduler = start(work, threads);
            let mut oracle = Oracle::default();
            let targets: Vec<Cell> = (0..60).map(|x| cell(ROCK, x, 3)).collect();
            for target in &targets {
                scheduler.update(|wanted| wanted.request(*target, 9, normal(0))).expect("room");
                let all = take_all(&mut scheduler);
                let [finished] = &all[..] else { panic!("{} results", all.len()) };
                match &finished.failure {
                    None => assert_eq!(*finished.product, oracle.result(*target)),
                    Some(failure) => {
                        assert!(faults.spoil(*target), "{failure}");
                        assert_eq!(*finished.product, PLACEHOLDER);
                        assert_eq!((failure.stage, failure.cell, failure.ticket), ("rock", *target, 9));
                        let tries = if failure.how == FailureKind::Panic { 2 } else { 1 };
                        assert_eq!(failure.attempts, tries);
                        assert!(failure.message.starts_with("a planted "), "{}", failure.message);
                    }
                }
                assert_eq!(finished.failure.is_some(), faults.spoil(*target), "{target:?}");
            }
            assert!(targets.iter().any(|target| faults.spoil(*target)));
            assert_conserved(scheduler);
        }
    });
}

#[test]
fn a_fault_in_an_input_reaches_its_reader_as_a_report() {
    within(60, || {
        for stage in [ROCK, WATER, GRASS] {
            let mut work = Synthetic::least(GRASS, 2);
            work.faults = Faults { panic_always: Some(1), stage: Some(stage), ..Faults::default() };
            let mut scheduler = start(work, 2);
            scheduler.update(|wanted| wanted.request(cell(GRASS, 0, 0), 1, normal(0))).expect("room");
            let all = take_all(&mut scheduler);
            let failure = all[0].failure.as_ref().expect("its inputs failed");
            assert_eq!(failure.cell.stage, stage);
            drop(all);
            assert_conserved(scheduler);
        }
    });
}

/// A gate that jobs wait at.
#[derive(Default)]
struct Gate {
    open: AtomicBool,
    waiting: AtomicU32,
}

impl Gate {
    fn pass(&self) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while !self.open.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    fn await_jobs(&self, count: u32) {
        while self.waiting.load(Ordering::SeqCst) < count {
            std::thread::yield_now();
        }
    }
}

/// Jobs of cells with x below 0 wait at the gate.
fn gated(capacity: usize) -> (Synthetic, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let mut work = Synthetic::new([capacity; 3]);
    let at = Arc::clone(&gate);
    work.meanwhile = Some(Box::new(move |cell| {
        if cell.x < 0 {
            at.pass();
        }
    }));
    (work, gate)
}

#[test]
fn a_cancelled_job_gives_no_result_and_a_new_request_gets_its_own() {
    within(60, || {
        let (work, gate) = gated(16);
        let mut scheduler = start(work, 2);
        let slow = cell(ROCK, -1, 0);
        scheduler.update(|wanted| wanted.request(slow, 1, normal(0))).expect("room");
        gate.await_jobs(1);
        // Running: the old job goes on for nobody, beside the new one.
        scheduler.update(|wanted| wanted.request(slow, 2, normal(0))).expect("room");
        gate.await_jobs(2);
        assert!(scheduler.update(|wanted| wanted.cancel(slow)));
        assert!(!scheduler.update(|wanted| wanted.cancel(slow)));
        scheduler.update(|wanted| wanted.request(slow, 3, normal(0))).expect("room");
        gate.open.store(true, Ordering::SeqCst);
        let all = take_all(&mut scheduler);
        assert_eq!(all.iter().map(|finished| finished.ticket).collect::<Vec<_>>(), [3]);
        assert_eq!(*all[0].product, Oracle::default().result(slow));
        // Delivered: nothing is left to cancel.
        assert!(!scheduler.update(|wanted| wanted.cancel(slow)));
        drop(all);
        // The jobs of the earlier requests may still be on their way out.
        while scheduler.counts().running > 0 {
            std::thread::yield_now();
        }
        let counts = scheduler.counts();
        assert_eq!((counts.delivered, counts.cancelled, counts.discarded), (1, 2, 2));
        assert_conserved(scheduler);
    });
}

#[test]
fn an_urgent_target_is_next_behind_two_thousand_others() {
    within(60, || {
        let (work, gate) = gated(2100);
        let started = Arc::new(AtomicUsize::new(0));
        let urgent_at = Arc::new(AtomicUsize::new(usize::MAX));
        let mut work = work;
        let (count, at, inner) = (Arc::clone(&started), Arc::clone(&urgent_at), work.meanwhile.take());
        work.meanwhile = Some(Box::new(move |cell| {
            let order = count.fetch_add(1, Ordering::SeqCst);
            if cell.x == 77_777 {
                at.store(order, Ordering::SeqCst);
            }
            inner.as_ref().expect("the gate")(cell);
        }));
        let limits = GraphLimits { nodes: 2100, admitted: 2, finished: 2100 };
        let settings = SchedulerSettings { limits, threads: 2 };
        let mut scheduler =
            Scheduler::start(work, spec(), settings, Arc::new(SystemClock::new())).expect("it starts");
        scheduler.update(|wanted| {
            for x in 0..2 {
                wanted.request(cell(ROCK, -1 - x, 0), 1, normal(0)).expect("room");
            }
            for x in 0..2000 {
                wanted.request(cell(ROCK, x, 0), 1, normal(x as u64)).expect("room");
            }
        });
        gate.await_jobs(2);
        let urgent = Priority { band: Band::Urgent, distance: 1 << 40 };
        scheduler.update(|wanted| wanted.request(cell(ROCK, 77_777, 0), 1, urgent)).expect("room");
        gate.open.store(true, Ordering::SeqCst);
        assert_eq!(take_all(&mut scheduler).len(), 2003);
        // Two were running; whichever worker was free first took it.
        assert_eq!(urgent_at.load(Ordering::SeqCst), 2);
    });
}

#[test]
fn far_jobs_are_culled_and_the_first_near_one_starts_within_those_that_run() {
    within(60, || {
        let (mut work, gate) = gated(2100);
        let started = Arc::new(std::sync::Mutex::new(Vec::new()));
        let (log, inner) = (Arc::clone(&started), work.meanwhile.take());
        work.meanwhile = Some(Box::new(move |cell| {
            log.lock().expect("a log").push(cell.x);
            inner.as_ref().expect("the gate")(cell);
        }));
        let mut scheduler = start(work, 2);
        let far: Vec<Cell> = (1..1500).map(|x| cell(ROCK, -x, 0)).collect();
        scheduler.update(|wanted| {
            for (distance, cell) in far.iter().enumerate() {
                wanted.request(*cell, 1, normal(distance as u64)).expect("room");
            }
        });
        gate.await_jobs(2);
        scheduler.update(|wanted| {
            for cell in &far {
                wanted.cancel(*cell);
            }
            wanted.request(cell(ROCK, 5, 5), 2, normal(0)).expect("room");
        });
        gate.open.store(true, Ordering::SeqCst);
        assert_eq!(results(take_all(&mut scheduler)).len(), 1);
        let started = started.lock().expect("a log").clone();
        assert_eq!(started.len(), 3, "far jobs that had not started never do: {started:?}");
        assert_eq!(started[2], 5);
        assert_conserved(scheduler);
    });
}

#[test]
fn a_host_that_takes_nothing_parks_the_workers() {
    within(60, || {
        let mut scheduler = start(Synthetic::new([300; 3]), 2);
        scheduler.update(|wanted| {
            for x in 0..200 {
                wanted.request(cell(ROCK, x, 0), 1, normal(x as u64)).expect("room");
            }
        });
        let pool = scheduler.work().pools[0].clone();
        let until = Instant::now() + Duration::from_secs(5);
        while scheduler.finished_len() < 8 && Instant::now() < until {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(30));
        assert_eq!(scheduler.finished_len(), 8, "as many as the queue of results holds");
        assert_eq!(pool.in_use(), 8, "and no more memory than that");
        assert_eq!(take_all(&mut scheduler).len(), 200);
        assert_conserved(scheduler);
    });
}

#[test]
fn results_that_the_host_holds_starve_it_until_it_lets_go() {
    within(60, || {
        for threads in [0, 2] {
            let mut scheduler = start(Synthetic::new([3; 3]), threads);
            scheduler.update(|wanted| {
                for x in 0..9 {
                    wanted.request(cell(ROCK, x, 0), 1, normal(x as u64)).expect("room");
                }
            });
            let mut held = Vec::new();
            let mut count = 0;
            loop {
                match scheduler.wait() {
                    Waited::Finished => {
                        held.extend(scheduler.try_finished());
                        count += 1;
                    }
                    Waited::Starved => {
                        assert_eq!(held.len(), 3, "{threads} threads");
                        held.clear();
                        scheduler.feed();
                    }
                    Waited::Nothing => break,
                    Waited::Paused => unreachable!("nobody paused"),
                }
            }
            assert_eq!(count, 9);
            held.clear();
            assert_conserved(scheduler);
        }
    });
}

#[test]
fn paused_it_starts_nothing() {
    within(60, || {
        for threads in [0, 2] {
            let mut scheduler = start(Synthetic::new([30; 3]), threads);
            scheduler.pause();
            scheduler.update(|wanted| wanted.request(cell(ROCK, 1, 0), 1, normal(0))).expect("room");
            assert_eq!(scheduler.wait(), Waited::Paused);
            assert!(!scheduler.pump(|_, _| true));
            scheduler.resume();
            assert_eq!(take_all(&mut scheduler).len(), 1);
        }
    });
}

#[test]
fn dropped_while_busy_it_joins_and_nothing_runs_afterwards() {
    within(120, || {
        for round in 0..40u64 {
            let mut work = Synthetic::least(GRASS, 4);
            work.faults.panic_always = Some(5);
            let jobs = Arc::new(AtomicUsize::new(0));
            let count = Arc::clone(&jobs);
            work.meanwhile = Some(Box::new(move |_| {
                count.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_micros(50));
            }));
            let mut scheduler = start(work, 3);
            scheduler.update(|wanted| {
                for x in 0..4 {
                    wanted.request(cell(GRASS, x, 0), 1, normal(x as u64)).expect("room");
                }
            });
            if round % 4 == 3 {
                scheduler.pause();
            }
            std::thread::sleep(Duration::from_micros(100 * round));
            let before = Instant::now();
            assert_conserved(scheduler);
            assert!(before.elapsed() < Duration::from_secs(2));
            let after = jobs.load(Ordering::SeqCst);
            std::thread::sleep(Duration::from_micros(300));
            assert_eq!(jobs.load(Ordering::SeqCst), after, "a job ran after the end");
        }
    });
}

#[test]
fn a_pump_runs_a_job_only_when_it_fits() {
    let clock = Arc::new(ManualClock::new());
    let mut work = Synthetic::new([30; 3]);
    let turn = Arc::clone(&clock);
    work.meanwhile = Some(Box::new(move |_| turn.advance_ns(700)));
    let mut scheduler = Scheduler::start(work, spec(), settings(0), clock).expect("it starts");
    for x in 0..3 {
        scheduler.update(|wanted| wanted.request(cell(ROCK, x, 0), 1, normal(x as u64))).expect("room");
    }
    assert!(scheduler.pump(|_, predicted_ns| predicted_ns == 0), "nothing is known yet");
    assert!(!scheduler.pump(|_, predicted_ns| predicted_ns <= 600));
    assert!(scheduler.pump(|first, predicted_ns| first.x == 1 && predicted_ns == 700));
    let times = scheduler.stage_times(ROCK);
    assert_eq!((times.count, times.max_ns), (2, 700));
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let refused = |limits: GraphLimits| {
        let settings = SchedulerSettings { limits, threads: 1 };
        let clock = Arc::new(ManualClock::new());
        Scheduler::start(Synthetic::new([9; 3]), spec(), settings, clock).err().expect("refused")
    };
    let limits = GraphLimits { nodes: 4000, admitted: 1, finished: 1 };
    assert_eq!(refused(GraphLimits { admitted: 0, ..limits }), StartError::Zero { what: "admitted" });
    assert_eq!(refused(GraphLimits { finished: 0, ..limits }), StartError::Zero { what: "finished" });
    let needed = spec().closure_max(GRASS).iter().sum();
    let few = StartError::TooFewNodes { nodes: 50, stage: "grass", needed };
    assert_eq!(refused(GraphLimits { nodes: 50, ..limits }), few);
    let nodes = (1 << 24) + 1;
    assert_eq!(refused(GraphLimits { nodes, ..limits }), StartError::TooManyNodes { nodes });
}

/// What a host does, with workers running meanwhile.
#[derive(Clone, Debug)]
enum Step {
    Request(Cell, u64),
    Cancel(Cell),
    Rekey(u64),
    Take,
    TakeAll,
    Yield,
}

fn any_step() -> impl Strategy<Value = Step> {
    let any_cell = || (0u8..3, -2i64..2, -2i64..2).prop_map(|(stage, x, z)| cell(StageId(stage), x, z));
    prop_oneof![
        4 => (any_cell(), 1u64..4).prop_map(|(cell, ticket)| Step::Request(cell, ticket)),
        1 => any_cell().prop_map(Step::Cancel),
        1 => (0u64..100).prop_map(Step::Rekey),
        4 => Just(Step::Take),
        1 => Just(Step::TakeAll),
        2 => Just(Step::Yield),
    ]
}

/// The host's own record of what it asked for.
#[derive(Default)]
struct Host {
    wanted: BTreeMap<Cell, u64>,
    /// Cancelled; a result may have been queued before.
    late: BTreeMap<(Cell, u64), u32>,
    oracle: Oracle,
}

impl Host {
    fn take(&mut self, finished: &Finished<Shared<u64>>) {
        let Finished { cell, ticket, product, failure } = finished;
        assert!(failure.is_none());
        assert_eq!(**product, self.oracle.result(*cell));
        if self.wanted.get(cell) == Some(ticket) {
            self.wanted.remove(cell);
        } else {
            let late = self.late.get_mut(&(*cell, *ticket)).expect("asked for once");
            *late = late.checked_sub(1).expect("delivered once a request");
        }
    }
}

fn run_steps(threads: usize, steps: Vec<Step>) {
    let mut scheduler = start(Synthetic::least(GRASS, 1), threads);
    let mut host = Host::default();
    for step in steps {
        match step {
            Step::Request(cell, ticket) => {
                let before = host.wanted.insert(cell, ticket);
                if before != Some(ticket)
                    && let Some(before) = before
                {
                    *host.late.entry((cell, before)).or_default() += 1;
                }
                // Delivered but not taken, it counts as asked for again: then there are two results.
                let known = scheduler.update(|wanted| {
                    let known = wanted.is_wanted(cell);
                    wanted.request(cell, ticket, normal(cell.x as u64 & 7)).expect("room");
                    known
                });
                if before == Some(ticket) && !known {
                    *host.late.entry((cell, ticket)).or_default() += 1;
                }
            }
            Step::Cancel(cell) => {
                let cancelled = scheduler.update(|wanted| wanted.cancel(cell));
                if let Some(ticket) = host.wanted.remove(&cell)
                    && !cancelled
                {
                    *host.late.entry((cell, ticket)).or_default() += 1;
                }
            }
            Step::Rekey(by) => {
                scheduler.update(|wanted| wanted.rekey(|cell| normal((cell.z as u64).wrapping_mul(by) & 15)));
            }
            Step::Take => {
                if let Some(finished) = scheduler.try_finished() {
                    host.take(&finished);
                    drop(finished);
                    scheduler.feed();
                }
            }
            Step::TakeAll => {
                while let Some(finished) = scheduler.try_finished() {
                    host.take(&finished);
                }
                scheduler.feed();
            }
            Step::Yield => std::thread::yield_now(),
        }
    }
    loop {
        match scheduler.wait() {
            Waited::Finished => {
                let finished = scheduler.try_finished().expect("there is one");
                host.take(&finished);
                drop(finished);
                scheduler.feed();
            }
            Waited::Nothing => break,
            other => panic!("{other:?}\n{}", scheduler.dump()),
        }
    }
    assert!(host.wanted.is_empty(), "not delivered: {:?}", host.wanted);
    assert_conserved(scheduler);
}

/// Cases of a property test; `PROPTEST_CASES` asks for more.
fn cases(count: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: cases.unwrap_or(count), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(100))]

    /// Random hosts, workers at work: each request gives its result once, at most one late, memory comes back.
    #[test]
    fn random_hosts(threads in 0usize..4, steps in prop::collection::vec(any_step(), 0..120)) {
        within(60, move || run_steps(threads, steps));
    }
}

#[test]
fn the_oracle_finds_other_inputs_for_other_cells() {
    assert_ne!(synthetic::inputs(cell(GRASS, 0, 0)), synthetic::inputs(cell(GRASS, 1, 0)));
    assert_ne!(Oracle::default().result(cell(GRASS, 0, 0)), Oracle::default().result(cell(GRASS, 1, 0)));
}

//! What the scheduler costs a job, beside `rayon::spawn` and beside the same jobs without any scheduler.
//!
//! `cargo bench -p terrane-bench --bench scheduler`. Jobs spin for about 20 us. The reference deals them out to as many
//! threads beforehand, a fixed share each. All three take turns, and medians of their times are compared: the difference
//! to the reference, a job and worker, is the cost. Every job leaves a number; sums are checked first. Empty jobs show the
//! cost when workers do nothing but ask for more, the lock always wanted.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::Thread;
use std::time::{Duration, Instant};

use terrane_jobs::{
    Band, Cell, ColumnId, Finished, GraphLimits, GraphSpec, Job, Pool, Priority, Scheduler,
    SchedulerSettings, Shared, Stage, StageGrid, StageId, Stop, SystemClock, Targets, Unique, Waited, Work,
};

const JOBS: usize = 2000;
const ROUNDS: usize = 15;

/// Turns of the loop of a job, and where jobs say that they are done.
struct Spin {
    turns: u64,
    left: AtomicUsize,
    sum: AtomicU64,
    host: Thread,
}

impl Spin {
    /// One piece of code for all three, so that where it lies in memory tells nothing.
    #[inline(never)]
    fn job(&self, number: u64) -> u64 {
        let mut value = number;
        for _ in 0..self.turns {
            value = (value ^ value >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        // Relaxed sums of what every job gives, to be compared; the last one wakes the host.
        self.sum.fetch_add(value, Ordering::Relaxed);
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.host.unpark();
        }
        value
    }

    fn reset(&self) {
        self.left.store(JOBS, Ordering::Release);
        self.sum.store(0, Ordering::Release);
    }

    fn await_all(&self) -> u64 {
        while self.left.load(Ordering::Acquire) > 0 {
            std::thread::park();
        }
        self.sum.load(Ordering::Acquire)
    }
}

struct SpinWork {
    spin: Arc<Spin>,
    results: Pool<u64>,
}

impl Work for SpinWork {
    type Buffer = Unique<u64>;
    type Product = Shared<u64>;
    type Scratch = ();
    fn scratch(&self) {}
    fn reserve(&self, _: Cell) -> Option<Unique<u64>> {
        self.results.try_take()
    }
    fn run(&self, job: Job<'_, Shared<u64>>, out: &mut Unique<u64>, (): &mut ()) -> Result<(), Stop> {
        **out = self.spin.job(job.cell.x as u64);
        Ok(())
    }
    fn placeholder(&self, _: Cell, out: &mut Unique<u64>) {
        **out = 0;
    }
    fn freeze(&self, out: Unique<u64>) -> Shared<u64> {
        out.freeze()
    }
}

fn scheduler(spin: &Arc<Spin>, threads: usize) -> Scheduler<SpinWork> {
    let grid = StageGrid { cell: 64, levels: 1 };
    let stage = Stage { name: "spin", grid, reads: vec![], writes: vec![ColumnId(0)] };
    let limits = GraphLimits { nodes: JOBS + threads, admitted: threads + 1, finished: JOBS };
    let work = SpinWork { spin: Arc::clone(spin), results: Pool::new(JOBS + threads + 1, |_| 0) };
    let spec = GraphSpec::new(vec![stage]).expect("a graph");
    let settings = SchedulerSettings { limits, threads };
    Scheduler::start(work, spec, settings, Arc::new(SystemClock::new())).expect("it starts")
}

/// All jobs through the scheduler; distances come in no order, as when a viewer moves.
fn by_scheduler(scheduler: &mut Scheduler<SpinWork>, spin: &Spin) -> (Duration, u64) {
    spin.reset();
    let begun = Instant::now();
    scheduler.update(|targets| {
        for job in 0..JOBS {
            let priority = Priority { band: Band::Normal, distance: (job as u64 * 7919) % 2003 };
            let cell = Cell { stage: StageId(0), level: 0, x: job as i64, z: 0 };
            targets.request(cell, 1, priority).expect("room");
        }
    });
    let sum = spin.await_all();
    let took = begun.elapsed();
    let mut taken = 0;
    while taken < JOBS {
        taken += usize::from(scheduler.try_finished().is_some());
    }
    (took, sum)
}

fn by_rayon(pool: &rayon::ThreadPool, spin: &Arc<Spin>) -> (Duration, u64) {
    spin.reset();
    let begun = Instant::now();
    for job in 0..JOBS {
        let spin = Arc::clone(spin);
        pool.spawn(move || {
            spin.job(job as u64);
        });
    }
    let sum = spin.await_all();
    (begun.elapsed(), sum)
}

/// A fixed share each, on threads that are there already.
fn by_shares(spin: &Arc<Spin>, threads: usize) -> (Duration, u64) {
    spin.reset();
    let barrier = Arc::new(Barrier::new(threads + 1));
    let workers: Vec<_> = (0..threads)
        .map(|worker| {
            let (spin, barrier) = (Arc::clone(spin), Arc::clone(&barrier));
            std::thread::spawn(move || {
                barrier.wait();
                for job in (worker..JOBS).step_by(threads) {
                    spin.job(job as u64);
                }
            })
        })
        .collect();
    barrier.wait();
    let begun = Instant::now();
    let sum = spin.await_all();
    let took = begun.elapsed();
    for worker in workers {
        worker.join().expect("no panic");
    }
    (took, sum)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Turns that take `us` on this machine now.
fn turns_for(us: f64) -> u64 {
    let spin = Spin {
        turns: 20_000,
        left: AtomicUsize::new(usize::MAX),
        sum: AtomicU64::new(0),
        host: std::thread::current(),
    };
    let time = |_| {
        let begun = Instant::now();
        spin.job(1);
        begun.elapsed().as_secs_f64() * 1e6
    };
    (spin.turns as f64 * us / median((0..50).map(time).collect())) as u64
}

fn compare(us: f64, threads: usize) {
    let turns = if us > 0.0 { turns_for(us) } else { 0 };
    let host = std::thread::current();
    let spin = Arc::new(Spin { turns, left: AtomicUsize::new(0), sum: AtomicU64::new(0), host });
    let mut ours = scheduler(&spin, threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let want = by_shares(&spin, threads).1;
    assert_eq!(by_scheduler(&mut ours, &spin).1, want, "the scheduler's sum");
    assert_eq!(by_rayon(&pool, &spin).1, want, "rayon's sum");

    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        times[0].push(by_shares(&spin, threads).0.as_secs_f64());
        times[1].push(by_scheduler(&mut ours, &spin).0.as_secs_f64());
        times[2].push(by_rayon(&pool, &spin).0.as_secs_f64());
    }
    let [shares, ours, rayon] = times.map(median);
    let job_ns = |seconds: f64| seconds * 1e9 * threads as f64 / JOBS as f64;
    let cost = |seconds: f64| {
        let ns = job_ns(seconds - shares);
        if us > 0.0 {
            format!("{ns:+6.0} ns {:+5.2} %", 100.0 * ns / job_ns(shares))
        } else {
            format!("{ns:+6.0} ns")
        }
    };
    println!(
        "{threads} worker(s), job of {:8.0} ns: scheduler {}, rayon::spawn {}",
        job_ns(shares),
        cost(ours),
        cost(rayon)
    );
}

/// How long an urgent job waits behind all others: from the call that asks for it to its own start, in nanoseconds.
fn urgent(us: f64, threads: usize) {
    let spin = Arc::new(Spin {
        turns: turns_for(us),
        left: AtomicUsize::new(0),
        sum: AtomicU64::new(0),
        host: std::thread::current(),
    });
    let mut ours = scheduler(&spin, threads);
    let mut waits = Vec::new();
    for round in 0..20 * ROUNDS {
        spin.left.store(JOBS + 1, Ordering::Release);
        let ask = |targets: &mut Targets<'_, SpinWork>, job: usize, band| {
            let cell = Cell { stage: StageId(0), level: 0, x: job as i64, z: 0 };
            let priority = Priority { band, distance: (job as u64 * 7919) % 2003 };
            targets.request(cell, 1, priority).expect("room");
        };
        ours.update(|targets| (0..JOBS - 1).for_each(|job| ask(targets, job, Band::Normal)));
        // Somewhere in the middle of a job.
        while spin.left.load(Ordering::Acquire) > JOBS - round % 7 {
            std::hint::spin_loop();
        }
        let asked = Instant::now();
        let left = ours.update(|targets| {
            ask(targets, JOBS, Band::Urgent);
            spin.left.load(Ordering::Acquire)
        });
        let cell_of = |finished: Option<Finished<_>>| finished.map(|finished| finished.cell.x);
        let mut others = 0;
        loop {
            match cell_of(ours.try_finished()) {
                Some(cell) if cell == JOBS as i64 => break,
                Some(_) => others += 1,
                None => std::hint::spin_loop(),
            }
        }
        waits.push(asked.elapsed().as_secs_f64() * 1e6 - us);
        // Those that were done, and one that each worker had taken.
        assert!(others <= JOBS + 1 - left + threads, "{others} others came first, {left} jobs were left");
        ours.update(|targets| {
            for job in 0..JOBS {
                targets.cancel(Cell { stage: StageId(0), level: 0, x: job as i64, z: 0 });
            }
        });
        while ours.wait() == Waited::Finished {
            while ours.try_finished().is_some() {}
        }
    }
    waits.sort_by(f64::total_cmp);
    let (half, most) = (waits[waits.len() / 2], waits[waits.len() * 99 / 100]);
    println!(
        "{threads} worker(s), urgent job behind {JOBS} of {us} us: starts after {half:.1} us, p99 {most:.1} us"
    );
}

fn main() {
    // `cargo test --benches` starts it with `--test`: once, to see that it works.
    let test = std::env::args().any(|arg| arg == "--test");
    println!(
        "median of {ROUNDS} rounds of {JOBS} jobs, cost over jobs dealt out beforehand, a job and worker"
    );
    for (us, threads) in [(20.0, 1), (20.0, 2), (0.0, 1), (0.0, 2)] {
        if !test || us == 0.0 {
            compare(us, threads);
        }
    }
    for threads in [1, 2] {
        urgent(20.0, threads);
    }
}

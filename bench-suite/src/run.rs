//! `run`: one workload on one path in this process, checked, then timed; prints Msamples/s.

use std::hint::black_box;
use std::time::{Duration, Instant};

use terrane_bench::check;
use terrane_bench::ours::SimdLevel;
use terrane_bench::runner::{Buffer, Runner};
use terrane_bench::workload::{self, Workload};

use crate::args::RunArgs;
use crate::error::Failure;
use crate::output;
use crate::path::Path;

/// A batch is about this long: the clock costs nothing, and a slow moment spoils few.
const BATCH: Duration = Duration::from_micros(500);
/// Share of the measuring time that is spent before it, until the clock of the processor has risen.
const WARM_UP: f64 = 0.2;

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let workload =
        workload::find(&args.workload).ok_or_else(|| Failure::Workload { name: args.workload.clone() })?;
    let path = Path::find(&args.path)?;
    let prepared = path
        .prepare(workload)?
        .ok_or_else(|| Failure::CannotDo { path: path.name().to_owned(), workload: workload.name })?;
    let mut runner = prepared.runner;
    let mut out = Buffer::for_work(&workload.work);
    runner.fill(out.values());
    let wrong = |source| Failure::Answer { path: path.name().to_owned(), workload: workload.name, source };
    check::sane(&workload.work, out.values(), &prepared.range).map_err(wrong)?;
    if path.is_ours() {
        check::same_bits(out.values(), scalar(workload)?.values()).map_err(wrong)?;
    }
    let pass_s = best_pass_s(&mut *runner, out.values(), args.seconds);
    output::print(&format!("{:.3}\n", workload.work.samples() as f64 / pass_s / 1e6))
}

fn scalar(workload: &'static Workload) -> Result<Buffer, Failure> {
    let mut out = Buffer::for_work(&workload.work);
    if let Some(mut prepared) = Path::Level(SimdLevel::SCALAR).prepare(workload)? {
        prepared.runner.fill(out.values());
    }
    Ok(out)
}

/// Seconds a pass in the best batch of those that fit in `seconds`.
fn best_pass_s(runner: &mut dyn Runner, out: &mut [f32], seconds: f64) -> f64 {
    let mut passes = 1;
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < seconds * WARM_UP {
        if batch(runner, out, passes) < BATCH {
            passes += passes.div_ceil(4);
        }
    }
    let mut best = Duration::MAX;
    let start = Instant::now();
    while best == Duration::MAX || start.elapsed().as_secs_f64() < seconds {
        best = best.min(batch(runner, out, passes));
    }
    best.as_secs_f64() / f64::from(passes)
}

fn batch(runner: &mut dyn Runner, out: &mut [f32], passes: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..passes {
        runner.pass(black_box(out));
    }
    start.elapsed()
}

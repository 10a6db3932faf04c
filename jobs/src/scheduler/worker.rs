//! A worker: takes a job under the lock, runs it without, hands the result in under the lock and takes the next.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::graph::{Cell, Next, Start};
use crate::scheduler::{Hub, State};
use crate::sync::MutexGuard;
use crate::sync::atomic::{Ordering, fence};
use crate::work::{Failure, FailureKind, Job, Work};

/// Attempts at a job that panics.
const ATTEMPTS: u8 = 2;

pub(crate) struct Worker<W: Work> {
    scratch: W::Scratch,
    /// Of the job at hand; empty between jobs, so that it holds no memory of pools.
    inputs: Vec<(Cell, W::Product)>,
}

/// What became of a job.
struct Outcome<P> {
    product: Option<P>,
    failure: Option<Box<Failure>>,
}

impl<W: Work> Worker<W> {
    pub(crate) fn new(hub: &Hub<W>) -> Self {
        // A node reads no more than its whole closure.
        let inputs = Vec::with_capacity(hub.state.lock().graph.closure_max());
        Self { scratch: hub.work.scratch(), inputs }
    }

    /// A thread's life.
    #[cfg(feature = "threads")]
    pub(crate) fn work(mut self, hub: &Hub<W>) {
        let mut state = hub.state.lock();
        state.started += 1;
        hub.wake_host(&mut state);
        let mut now = hub.clock.now_ns();
        while !state.stopping {
            let Some(start) = Self::find(hub, &mut state) else {
                state.idle += 1;
                hub.wake_host(&mut state);
                hub.job_ready.wait(&mut state);
                state.idle -= 1;
                now = hub.clock.now_ns();
                continue;
            };
            hub.wake(&state);
            state = self.run(hub, state, start, &mut now);
        }
    }

    /// One job on the host's thread.
    pub(crate) fn run_one(&mut self, hub: &Hub<W>, fits: impl FnOnce(Cell, u64) -> bool) -> bool {
        let mut state = hub.state.lock();
        let Some(first) = state.graph.peek_next() else { return false };
        let predicted_ns = state.times[usize::from(first.stage.0)].predicted_ns();
        if !fits(first, predicted_ns) {
            return false;
        }
        let Some(start) = Self::find(hub, &mut state) else { return false };
        let mut now = hub.clock.now_ns();
        drop(self.run(hub, state, start, &mut now));
        true
    }

    /// The next job. Before it gives up it says that it is hungry, and looks again: a host that gave memory back in between
    /// either sees the word or was early enough.
    fn find(hub: &Hub<W>, state: &mut State<W>) -> Option<Start<W>> {
        if state.paused || state.stopping {
            return None;
        }
        let found = Self::next(hub, state);
        if found.is_some() || state.graph.waiting() == 0 {
            return found;
        }
        hub.hungry.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        state.graph.feed();
        Self::next(hub, state)
    }

    fn next(hub: &Hub<W>, state: &mut State<W>) -> Option<Start<W>> {
        loop {
            match state.graph.next(&hub.work, hub.finished.len())? {
                Next::Run(start) => return Some(start),
                Next::Deliver(finished) => hub.deliver(state, finished),
            }
        }
    }

    fn run<'a>(
        &mut self,
        hub: &'a Hub<W>,
        state: MutexGuard<'a, State<W>>,
        start: Start<W>,
        now: &mut u64,
    ) -> MutexGuard<'a, State<W>> {
        state.graph.gather(start.node, &mut self.inputs);
        drop(state);
        let (node, stage) = (start.node, usize::from(start.cell.stage.0));
        let outcome = self.fill(hub, start);
        self.inputs.clear();
        let began = std::mem::replace(now, hub.clock.now_ns());

        let mut state = hub.state.lock();
        if state.stopping {
            // Jobs that were told to stop have no results, and nobody takes any.
            return state;
        }
        state.times[stage].record(now.saturating_sub(began));
        if let Some(finished) = state.graph.finish(node, outcome.product, outcome.failure) {
            hub.deliver(&mut state, finished);
        }
        state
    }

    /// Runs a job to a result, or to what stands in for it. No product: cancelled.
    fn fill(&mut self, hub: &Hub<W>, start: Start<W>) -> Outcome<W::Product> {
        let Start { node, cell, ticket, mut buffer } = start;
        let cancelled = &hub.cancels[node as usize];
        let mut failed = None;
        for attempt in 0..ATTEMPTS {
            let job = Job { cell, ticket, attempt, inputs: &self.inputs, cancelled };
            let scratch = &mut self.scratch;
            let ran = catch_unwind(AssertUnwindSafe(|| hub.work.run(job, &mut buffer, scratch)));
            if matches!(ran, Ok(Ok(()))) {
                failed = None;
                break;
            }
            if ran.is_err()
                && let Ok(scratch) = catch_unwind(AssertUnwindSafe(|| hub.work.scratch()))
            {
                self.scratch = scratch;
            }
            // Before anything is put into words: jobs are cancelled all the time.
            if job.is_cancelled() {
                return Outcome { product: None, failure: None };
            }
            let (how, message) = match ran {
                Ok(stop) => (FailureKind::Error, stop.expect_err("it did not run").to_string()),
                Err(panic) => (FailureKind::Panic, message_of(&*panic)),
            };
            failed = Some((how, message, attempt + 1));
            if how == FailureKind::Error {
                break;
            }
        }
        let failure = failed.map(|(how, message, attempts)| {
            // A placeholder that panics leaves the buffer as it is: it is marked as failed all the same.
            let _ = catch_unwind(AssertUnwindSafe(|| hub.work.placeholder(cell, &mut buffer)));
            let stage = hub.spec.name(cell.stage);
            Box::new(Failure { stage, cell, ticket, attempts, how, message })
        });
        Outcome { product: Some(hub.work.freeze(buffer)), failure }
    }
}

/// The text of a panic.
fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without text".to_owned()
    }
}

#![doc = include_str!("README.md")]

#[cfg(all(test, feature = "threads", any(loom, shuttle)))]
mod model_tests;
mod settings;
#[cfg(all(test, feature = "threads", not(any(loom, shuttle))))]
mod tests;
mod worker;

pub(crate) use settings::predict;
pub use settings::{SchedulerSettings, StageTimes, StartError, Waited};

use std::sync::Arc;

use crate::clock::Clock;
use crate::graph::{Cell, Graph, GraphCounts, GraphSpec, Priority, RequestError};
use crate::scheduler::settings::Times;
use crate::scheduler::worker::Worker;
use crate::sync::atomic::{AtomicBool, Ordering, fence};
use crate::sync::{Condvar, Mutex, MutexGuard, Queue};
use crate::work::{Finished, Work};

/// What the lock protects.
struct State<W: Work> {
    graph: Graph<W>,
    times: Vec<Times>,
    /// Workers that sleep.
    idle: usize,
    /// Workers that are there.
    started: usize,
    /// Nothing new starts.
    paused: bool,
    /// Nothing new starts, ever.
    stopping: bool,
    /// The host sleeps.
    host_waits: bool,
}

/// What host and workers share.
struct Hub<W: Work> {
    work: W,
    spec: Arc<GraphSpec>,
    clock: Arc<dyn Clock>,
    state: Mutex<State<W>>,
    /// There may be a job.
    job_ready: Condvar,
    /// There is a result, or there will be none.
    host_ready: Condvar,
    finished: Queue<Finished<W::Product>>,
    /// A worker sleeps although targets wait: for memory, or for the host to take results.
    hungry: AtomicBool,
    cancels: Arc<[AtomicBool]>,
    threads: usize,
}

impl<W: Work> Hub<W> {
    /// Wakes a worker when one sleeps and there is something to do. A worker that takes a job wakes the next in turn.
    fn wake(&self, state: &State<W>) {
        if state.idle > 0 && state.graph.has_work() && !state.paused {
            self.job_ready.notify_one();
        }
    }

    fn deliver(&self, state: &mut State<W>, finished: Finished<W::Product>) {
        let pushed = self.finished.push(finished);
        assert!(pushed.is_ok(), "no more is admitted than the queue of results holds");
        self.wake_host(state);
    }

    fn wake_host(&self, state: &mut State<W>) {
        if std::mem::take(&mut state.host_waits) {
            self.host_ready.notify_one();
        }
    }
}

/// Runs the jobs of a graph by priority, on threads of its own or on the host's. See the essay above.
///
/// One host owns it; dropping it stops the workers and waits for them.
///
/// ```
/// use std::sync::Arc;
/// use terrane_jobs::{
///     Band, Cell, ColumnId, GraphLimits, GraphSpec, Job, ManualClock, Pool, Priority, Scheduler, SchedulerSettings,
///     Shared, Stage, StageGrid, StageId, Stop, Unique, Work,
/// };
///
/// /// Squares numbers into pooled memory.
/// struct Squares(Pool<i64>);
///
/// impl Work for Squares {
///     type Buffer = Unique<i64>;
///     type Product = Shared<i64>;
///     type Scratch = ();
///     fn scratch(&self) {}
///     fn reserve(&self, _: Cell) -> Option<Unique<i64>> {
///         self.0.try_take()
///     }
///     fn run(&self, job: Job<'_, Shared<i64>>, square: &mut Unique<i64>, (): &mut ()) -> Result<(), Stop> {
///         **square = job.cell.x * job.cell.x;
///         Ok(())
///     }
///     fn placeholder(&self, _: Cell, square: &mut Unique<i64>) {
///         **square = 0;
///     }
///     fn freeze(&self, square: Unique<i64>) -> Shared<i64> {
///         square.freeze()
///     }
/// }
///
/// let grid = StageGrid { cell: 1, levels: 1 };
/// let stage = Stage { name: "square", grid, reads: vec![], writes: vec![ColumnId(0)] };
/// let settings = SchedulerSettings { limits: GraphLimits { nodes: 16, admitted: 4, finished: 8 }, threads: 0 };
/// let work = Squares(Pool::new(8, |_| 0));
/// let spec = GraphSpec::new(vec![stage])?;
/// let mut scheduler = Scheduler::start(work, spec, settings, Arc::new(ManualClock::new()))?;
///
/// let cell = Cell { stage: StageId(0), level: 0, x: -12, z: 0 };
/// scheduler.update(|targets| targets.request(cell, 1, Priority { band: Band::Normal, distance: 3 }))?;
/// scheduler.wait();
/// assert_eq!(*scheduler.try_finished().unwrap().product, 144);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scheduler<W: Work> {
    hub: Arc<Hub<W>>,
    /// The host as a worker.
    host: Worker<W>,
    #[cfg(feature = "threads")]
    threads: Vec<crate::sync::thread::JoinHandle<()>>,
}

impl<W: Work> Scheduler<W> {
    /// Starts the workers and waits until each has made its memory. Nothing allocates afterwards, failures of jobs apart.
    ///
    /// # Errors
    /// When the limits leave no room for one target, or the system refuses a thread.
    pub fn start(
        work: W,
        spec: GraphSpec,
        settings: SchedulerSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, StartError> {
        settings.check(&spec)?;
        let spec = Arc::new(spec);
        let graph = Graph::new(Arc::clone(&spec), settings.limits);
        let cancels = graph.cancels();
        let times = spec.stages().iter().map(|_| Times::new()).collect();
        let hub = Arc::new(Hub {
            spec,
            clock,
            state: Mutex::new(State {
                graph,
                times,
                idle: 0,
                started: 0,
                paused: false,
                stopping: false,
                host_waits: false,
            }),
            job_ready: Condvar::new(),
            host_ready: Condvar::new(),
            finished: Queue::new(settings.limits.finished),
            hungry: AtomicBool::new(false),
            cancels,
            threads: settings.threads,
            work,
        });
        let host = Worker::new(&hub);
        #[cfg(feature = "threads")]
        let scheduler = {
            let threads = Vec::with_capacity(settings.threads);
            let mut scheduler = Self { hub, host, threads };
            scheduler.start_threads(settings.threads)?;
            scheduler
        };
        #[cfg(not(feature = "threads"))]
        let scheduler = Self { hub, host };
        Ok(scheduler)
    }

    #[cfg(feature = "threads")]
    fn start_threads(&mut self, count: usize) -> Result<(), StartError> {
        // Host and workers sleep once now, so that nothing is allocated when they first have to.
        crate::sync::thread::sleep_once();
        for index in 0..count {
            let hub = Arc::clone(&self.hub);
            let body = move || {
                crate::sync::thread::sleep_once();
                Worker::new(&hub).work(&hub);
            };
            match crate::sync::thread::spawn(format!("terrane-{index}"), body) {
                Ok(thread) => self.threads.push(thread),
                // Dropping stops those that are there.
                Err(error) => return Err(StartError::Thread { index, message: error.to_string() }),
            }
        }
        let hub = Arc::clone(&self.hub);
        let mut state = hub.state.lock();
        while state.started < count {
            state.host_waits = true;
            hub.host_ready.wait(&mut state);
        }
        Ok(())
    }

    /// Changes what is wanted, under one lock: keep it short. Workers are woken afterwards.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut Targets<'_, W>) -> R) -> R {
        let mut state = self.hub.state.lock();
        let result = change(&mut Targets { graph: &mut state.graph });
        self.hub.wake(&state);
        result
    }

    /// The next result, if there is one: in order of completion. Takes no lock unless workers wait for room.
    pub fn try_finished(&mut self) -> Option<Finished<W::Product>> {
        let finished = self.hub.finished.pop()?;
        self.feed();
        Some(finished)
    }

    /// How many results lie there.
    #[must_use]
    pub fn finished_len(&self) -> usize {
        self.hub.finished.len()
    }

    /// To be called after products were dropped: wakes workers that sleep for want of memory. Costs a load when none does.
    pub fn feed(&mut self) {
        // Pairs with the fence in `Worker::find`: either the worker sees what was given back, or this sees that it is hungry.
        fence(Ordering::SeqCst);
        if self.hub.hungry.load(Ordering::Relaxed) {
            self.hub.hungry.store(false, Ordering::Relaxed);
            let mut state = self.hub.state.lock();
            state.graph.feed();
            self.hub.wake(&state);
        }
    }

    /// Runs one job on the caller's thread, if there is one and `fits` agrees to its stage and its predicted time in
    /// nanoseconds. True when it did. Works beside threads too.
    pub fn pump(&mut self, fits: impl FnOnce(Cell, u64) -> bool) -> bool {
        let Self { hub, host, .. } = self;
        host.run_one(hub, fits)
    }

    /// Blocks until there is a result or there will be none. Without threads it runs the jobs itself.
    pub fn wait(&mut self) -> Waited {
        loop {
            let mut state = self.hub.state.lock();
            let outcome = self.outcome(&state);
            if let Some(outcome) = outcome {
                return outcome;
            }
            if self.hub.threads > 0 {
                state.host_waits = true;
                self.hub.host_ready.wait(&mut state);
            } else {
                drop(state);
                if !self.pump(|_, _| true) {
                    return if self.finished_len() > 0 { Waited::Finished } else { Waited::Starved };
                }
            }
        }
    }

    fn outcome(&self, state: &MutexGuard<'_, State<W>>) -> Option<Waited> {
        if !self.hub.finished.is_empty() {
            Some(Waited::Finished)
        } else if state.graph.wanted() == 0 {
            Some(Waited::Nothing)
        } else if state.graph.running() > 0 {
            None
        } else if state.paused {
            Some(Waited::Paused)
        } else if self.hub.threads > 0 && state.idle == self.hub.threads && !state.graph.has_work() {
            Some(Waited::Starved)
        } else {
            None
        }
    }

    /// Whether a job could start now: one is ready, or a target waits that may find memory, and it is not paused.
    #[must_use]
    pub fn has_work(&self) -> bool {
        let state = self.hub.state.lock();
        state.graph.has_work() && !state.paused
    }

    /// Starts no more jobs; those that run finish.
    pub fn pause(&mut self) {
        self.hub.state.lock().paused = true;
    }

    /// Goes on after [`pause`](Self::pause).
    pub fn resume(&mut self) {
        let mut state = self.hub.state.lock();
        state.paused = false;
        self.hub.wake(&state);
    }

    /// What the graph holds and has done.
    #[must_use]
    pub fn counts(&self) -> GraphCounts {
        self.hub.state.lock().graph.counts()
    }

    /// How long jobs of a stage take.
    ///
    /// # Panics
    /// When there is no such stage.
    #[must_use]
    pub fn stage_times(&self, stage: crate::StageId) -> StageTimes {
        self.hub.state.lock().times[usize::from(stage.0)].summary()
    }

    /// Every node and what it waits for, as text: for a watchdog, when jobs are ready and none runs.
    #[must_use]
    pub fn dump(&self) -> String {
        let state = self.hub.state.lock();
        let State { idle, started, paused, stopping, .. } = &*state;
        let head = format!("{idle} of {started} workers sleep; paused {paused}, stopping {stopping}");
        format!("{head}; {} results not taken\n{}", self.hub.finished.len(), state.graph.dump())
    }

    /// The host's work.
    #[must_use]
    pub fn work(&self) -> &W {
        &self.hub.work
    }
}

impl<W: Work> Drop for Scheduler<W> {
    /// Tells running jobs to stop, waits for them, and gives all memory back. No job runs afterwards.
    fn drop(&mut self) {
        let mut state = self.hub.state.lock();
        state.stopping = true;
        state.graph.stop_all();
        drop(state);
        self.hub.job_ready.notify_all();
        #[cfg(feature = "threads")]
        for thread in self.threads.drain(..) {
            // Jobs' panics are caught; a worker that died nevertheless has been reported by the panic hook.
            let _ = thread.join();
        }
    }
}

/// Size of a node of the graph with its places in maps, heaps and lists, in bytes: for a host that counts its memory.
#[must_use]
pub fn node_bytes<W: Work>() -> usize {
    Graph::<W>::NODE_BYTES
}

/// Size of a place in the queue of results, in bytes.
#[must_use]
pub fn finished_bytes<W: Work>() -> usize {
    size_of::<Finished<W::Product>>() + size_of::<usize>()
}

/// What is wanted, as [`Scheduler::update`] lends it.
pub struct Targets<'a, W: Work> {
    graph: &'a mut Graph<W>,
}

impl<W: Work> Targets<'_, W> {
    /// Asks for a target. The same cell and ticket again only changes the priority; another ticket cancels the earlier
    /// request, and a result of it that has not been queued yet will never be.
    ///
    /// # Errors
    /// No such stage or level, a cell too far out, or no room in the table (an earlier request is cancelled all the same).
    pub fn request(&mut self, cell: Cell, ticket: u64, priority: Priority) -> Result<(), RequestError> {
        self.graph.request(cell, ticket, priority)
    }

    /// Withdraws a request. False when there is none any more: then its result has been queued.
    pub fn cancel(&mut self, cell: Cell) -> bool {
        self.graph.cancel(cell)
    }

    /// Gives every target a new priority. Costs about as much as asking for all of them.
    pub fn rekey(&mut self, priority: impl FnMut(Cell) -> Priority) {
        self.graph.rekey(priority);
    }

    /// Whether a target is asked for and not delivered.
    #[must_use]
    pub fn is_wanted(&self, cell: Cell) -> bool {
        self.graph.is_wanted(cell)
    }
}

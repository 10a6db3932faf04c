//! The streamer: viewers in, events out.
//!
//! A frame is [`Streamer::set_viewers`], then [`Streamer::poll`]. All decisions fall in these two, on the host's thread; workers only
//! fill columns. What a poll does, in this order, until the budget is spent: roots that left the view vanish; what can
//! be shown is shown; what was hidden is retired; what was built is announced. Then the next changes are opened and
//! their chunks ordered.
//!
//! State changes before the host is told: a callback that panics loses its own event and nothing else.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use terrane_jobs::{Budget, Clock, Costs, Finished, Histogram, Meter, Scheduler, Waited};

use crate::coords::{ChunkKey, Position, SAMPLE_LIMIT};
#[cfg(feature = "save")]
use crate::save::Save;
use crate::stream::chunk::{ChunkHandle, ChunkId, Levels, Product};
use crate::stream::chunks::{Chunks, Progress, Purpose};
use crate::stream::cut::{self, Change, ChangeId, Cut};
use crate::stream::edits::PendingEdits;
use crate::stream::events::{FailureReport, Flushed, Polled, StreamEvent, Swap, Viewer};
use crate::stream::memory::MemoryPlan;
use crate::stream::orders::Orders;
use crate::stream::settings::StreamSettings;
use crate::stream::stats::{Counters, StreamStats};
use crate::stream::work::{CHUNK, ChunkWork, key};
use crate::world::World;

/// Kinds of events, for the prediction of what they cost.
const READY: usize = 0;
const SWAP: usize = 1;
const RETIRED: usize = 2;
const FAILED: usize = 3;
const KINDS: usize = 4;

/// Viewers that a stream cannot have. It goes on with those that it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewersError {
    /// More than agreed at opening.
    #[error("{found} viewers; this stream was opened for at most {viewers_max}")]
    TooMany {
        /// As given.
        found: usize,
        /// As agreed.
        viewers_max: usize,
    },
    /// Beyond the last sample: [`Position::from_samples`] and [`Position::from_metres`] give none such.
    #[error("viewer {viewer} stands on sample {sample:?}; samples have indices between -2^60 and 2^60")]
    TooFar {
        /// Its place in the list.
        viewer: usize,
        /// Where it stands, x then z.
        sample: [i64; 2],
    },
}

/// Asks a stream to stop, from anywhere: also from the callback of its own poll.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<AtomicBool>);

impl Stopper {
    /// The poll that runs hands out no further event; later ones do nothing at all. Dropping the stream joins its workers.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Streams a world around viewers.
///
/// ```
/// # #[cfg(all(feature = "config", feature = "threads"))] {
/// use std::sync::Arc;
/// use terrane::{Budget, Flushed, Position, StreamEvent, StreamSettings, Streamer, SystemClock, Viewer, World, WorldConfig};
///
/// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let settings = StreamSettings { levels: 3, ..StreamSettings::default() };
/// let mut stream = Streamer::open(world, settings, Arc::new(SystemClock::new())).unwrap();
/// stream.set_viewers(&[Viewer::at(Position::from_samples([120, -40]).unwrap())]).unwrap();
///
/// // A frame: as much as fits two milliseconds.
/// stream.poll(Budget::of_ms(2.0), |event| match event {
///     StreamEvent::Ready(chunk) => assert!(!chunk.view().positions().is_empty()),
///     StreamEvent::Swap(swap) => assert!(!swap.show.is_empty()),
///     _ => {}
/// });
/// // Behind a loading screen: until all that is wanted is drawn.
/// assert_eq!(stream.flush(|_| {}), Flushed::Settled);
/// assert!(stream.stats().drawn > 50);
/// # }
/// ```
pub struct Streamer {
    pub(crate) world: World,
    pub(crate) settings: StreamSettings,
    pub(crate) memory: MemoryPlan,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) levels: Arc<Levels>,
    pub(crate) scheduler: Scheduler<ChunkWork>,
    pub(crate) cut: Cut,
    pub(crate) chunks: Chunks,
    pub(crate) orders: Orders,
    /// Built and not announced: keys and tickets, the next first. Some may be wanted no more.
    pub(crate) built: VecDeque<(ChunkKey, u64)>,
    pub(crate) edits: PendingEdits,
    #[cfg(feature = "save")]
    pub(crate) save: Option<Save>,
    pub(crate) retired: VecDeque<ChunkId>,
    pub(crate) failed: VecDeque<FailureReport>,
    pub(crate) viewers: Vec<Viewer>,
    /// Samples of the viewers, or of where they will be.
    pub(crate) samples: Vec<[i64; 2]>,
    /// Open changes that were cancelled.
    pub(crate) cancelled: Vec<(ChangeId, Change)>,
    /// Chunks to build ahead.
    pub(crate) ahead: Vec<ChunkKey>,
    /// How often they were chosen.
    pub(crate) looks_ahead: u64,
    pub(crate) cut_swap: cut::Swap,
    pub(crate) swap: Swap,
    pub(crate) costs: Costs<KINDS>,
    pub(crate) stall_ns: Histogram,
    pub(crate) counters: Counters,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) ticket: u64,
    pub(crate) flags: Flags,
}

/// What has changed since it was last looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    /// Roots may have left the view.
    vanish: bool,
    /// An open change may have become executable, or edits may be complete.
    pub(crate) swaps: bool,
    /// There may be changes to open.
    pub(crate) plan: bool,
    /// Other chunks may be wanted soon.
    pub(crate) ahead: bool,
    /// What is drawn has changed, and the host has not been told: nothing else may be told before.
    pub(crate) swap_due: bool,
}

impl Streamer {
    /// Says where the viewers are. Costs almost nothing while none crosses a distance that counts; nothing is built or told
    /// before the next poll.
    ///
    /// Crossing one costs a walk through the wanted cut, some tens of microseconds, beside the budget of any poll.
    ///
    /// # Errors
    /// More viewers than the settings allow, or one beyond the last sample.
    pub fn set_viewers(&mut self, viewers: &[Viewer]) -> Result<(), ViewersError> {
        let viewers_max = self.settings.viewers_max;
        if viewers.len() > viewers_max {
            return Err(ViewersError::TooMany { found: viewers.len(), viewers_max });
        }
        let samples = viewers.iter().map(|viewer| viewer.position.sample());
        let is_far = |sample: &[i64; 2]| sample.iter().any(|at| !(-SAMPLE_LIMIT < *at && *at < SAMPLE_LIMIT));
        if let Some((viewer, sample)) = samples.enumerate().find(|(_, sample)| is_far(sample)) {
            return Err(ViewersError::TooFar { viewer, sample });
        }
        self.viewers.clear();
        self.viewers.extend_from_slice(viewers);
        self.samples.clear();
        self.samples.extend(viewers.iter().map(|viewer| viewer.position.sample()));
        let cancelled = &mut self.cancelled;
        if self.cut.aim(&self.samples, &mut |id, change| cancelled.push((id, change))) {
            self.flags = Flags { vanish: true, swaps: true, plan: true, ahead: true, ..self.flags };
            self.orders.rekey();
            self.drop_cancelled();
        } else if self.is_to_look_ahead() {
            (self.flags.plan, self.flags.ahead) = (true, true);
        }
        Ok(())
    }

    /// Hands out what is there, as far as the budget goes: the first event always, each other one only when it is expected to
    /// fit. Without work it costs less than a microsecond. Without threads, jobs run here while they fit.
    pub fn poll(&mut self, budget: Budget, mut event: impl FnMut(StreamEvent<'_>)) -> Polled {
        if self.is_stopped() {
            return Polled { stopped: true, ..Polled::default() };
        }
        // The host may have let go of chunks since.
        self.scheduler.feed();
        self.collect();
        self.tell_saved(&mut event);
        if !self.has_something() && !self.has_own_jobs() {
            return Polled { stopped: self.is_stopped(), ..Polled::default() };
        }
        let clock = Arc::clone(&self.clock);
        let mut meter = Meter::start(&*clock, budget);
        let mut more = false;
        while !self.is_stopped() {
            self.vanish();
            // Roots that are about to vanish would be merged for nothing. What does not fit any more is for the next poll.
            if self.flags.plan && !self.flags.vanish && meter.fits(0, 0) {
                self.plan();
            }
            let Some(next) = self.next_event() else {
                if self.memory.threads == 0 && self.pump(&mut meter) {
                    self.collect();
                    continue;
                }
                break;
            };
            let bytes = self.bytes_of(next);
            if !meter.may(&self.costs, next.kind(), bytes) {
                more = true;
                break;
            }
            self.hand_out(next, &mut event);
            meter.done(&mut self.costs, next.kind(), bytes);
        }
        self.scheduler.feed();
        meter.end();
        self.record(&meter);
        let (items, spent_ns, overrun_ns) = (meter.items(), meter.spent_ns(), meter.overrun_ns());
        let more = more || self.flags.plan || self.has_own_jobs();
        Polled { items, spent_ns, overrun_ns, more, stopped: self.is_stopped() }
    }

    /// Polls without a budget, and waits for jobs, until all that is wanted is drawn.
    pub fn flush(&mut self, mut event: impl FnMut(StreamEvent<'_>)) -> Flushed {
        loop {
            let polled = self.poll(Budget::UNLIMITED, &mut event);
            if polled.stopped {
                return Flushed::Stopped;
            }
            if self.is_settled() {
                return Flushed::Settled;
            }
            match self.scheduler.wait() {
                Waited::Finished => {}
                Waited::Paused => return Flushed::Paused,
                Waited::Starved => return Flushed::Starved,
                Waited::Nothing => unreachable!("open changes wait for jobs that nobody asked for"),
            }
        }
    }

    /// True when all that is wanted is drawn, and all is told.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let Flags { vanish, plan, swap_due, .. } = self.flags;
        let told = !swap_due && self.retired.is_empty() && self.failed.is_empty();
        !vanish && !plan && told && self.cut.open().is_empty() && self.edits.is_empty()
    }

    /// Starts no more jobs; what is built is still handed out.
    pub fn pause(&mut self) {
        self.scheduler.pause();
    }

    /// Goes on after [`pause`](Self::pause).
    pub fn resume(&mut self) {
        self.scheduler.resume();
    }

    /// Something that can ask the stream to stop, from any thread and from its own callback.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The memory that was set aside, part by part.
    #[must_use]
    pub fn memory(&self) -> &MemoryPlan {
        &self.memory
    }

    /// The ground's height in metres, as [`World::height_at`], whatever is drawn.
    #[must_use]
    pub fn height_at(&self, at: Position) -> f32 {
        self.world.height_at(at)
    }

    /// The value of field number `field`, as [`World::field_at`]: the continuous field, without edits.
    ///
    /// # Panics
    /// When there is no such field.
    #[must_use]
    pub fn field_at(&self, field: usize, at: Position) -> f32 {
        self.world.field_at(field, at)
    }

    /// The chunks that are drawn, with their masks.
    pub fn drawn(&self) -> impl Iterator<Item = (&ChunkHandle, u8)> {
        self.cut.leaves().map(|(key, mask)| {
            let record = &self.chunks[self.chunks.find(key).expect("what is drawn is known")];
            (record.shown.as_ref().expect("what is drawn is there"), mask)
        })
    }

    /// Counts and times since it was opened.
    #[must_use]
    pub fn stats(&self) -> StreamStats {
        let Counters { ready, swaps, retired, failed, polls, overruns } = self.counters;
        let pools = self.scheduler.work().pools.iter();
        let unused = pools
            .zip(&self.memory.rows)
            .map(|(pool, row)| (pool.capacity() - pool.high_water()) as u64 * row.bytes_each as u64);
        StreamStats {
            drawn: self.cut.leaf_count(),
            open_changes: self.cut.open().len(),
            edited: self.edits.len(),
            ahead: self.ahead_count(),
            ready,
            swaps,
            retired,
            failed,
            polls,
            overruns,
            stall_ns_p50: self.stall_ns.percentile(50.0),
            stall_ns_p99: self.stall_ns.percentile(99.0),
            stall_ns_max: self.stall_ns.max(),
            bytes: self.memory.bytes,
            bytes_peak: self.memory.bytes - unused.sum::<u64>(),
            jobs: self.scheduler.counts(),
            job_times: self.scheduler.stage_times(CHUNK),
        }
    }

    /// The state of all jobs as text, for a watchdog.
    #[must_use]
    pub fn dump(&self) -> String {
        let open = self.cut.open();
        format!("{:?}\n{open:?}\n{}", self.flags, self.scheduler.dump())
    }
}

/// An event that is due.
#[derive(Clone, Copy)]
enum Next {
    Swap,
    Failed,
    Retired,
    Ready(u32),
}

impl Next {
    fn kind(self) -> usize {
        match self {
            Self::Swap => SWAP,
            Self::Failed => FAILED,
            Self::Retired => RETIRED,
            Self::Ready(_) => READY,
        }
    }
}

impl Streamer {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether jobs wait that only a poll can run.
    fn has_own_jobs(&self) -> bool {
        self.memory.threads == 0 && self.scheduler.has_work()
    }

    fn has_something(&self) -> bool {
        let Flags { vanish, swaps, plan, swap_due, .. } = self.flags;
        vanish
            || swaps
            || plan
            || swap_due
            || !self.built.is_empty()
            || !self.retired.is_empty()
            || !self.failed.is_empty()
    }

    /// Takes results from the workers. What was built before an edit that it lacks is asked for again.
    pub(crate) fn collect(&mut self) {
        while let Some(Finished { cell, ticket, product, failure }) = self.scheduler.try_finished() {
            let key = key(cell);
            let Some(index) = self.chunks.find(key) else { continue };
            let Some(coming) = self.chunks[index].coming.as_mut().filter(|coming| coming.ticket == ticket)
            else {
                continue;
            };
            debug_assert!(matches!(coming.progress, Progress::Asked), "{key:?} is built twice");
            let handle = handle(key, product, &self.levels, failure.is_some());
            if handle.id().version < self.world.chunk_version(key) {
                let purpose = coming.purpose;
                self.ask_anew(index, purpose);
                continue;
            }
            if let Some(failure) = failure {
                let (seed, world_hash) = (self.world.config().seed, self.world.world_hash());
                let message = failure.to_string();
                self.failed.push_back(FailureReport { id: handle.id(), seed, world_hash, message });
            }
            coming.progress = Progress::Built(handle);
            let purpose = coming.purpose;
            self.announce(key, ticket, purpose);
        }
        self.find_edits();
        self.give_orders();
    }

    /// Puts something built in the queue of what is to be announced.
    pub(crate) fn announce(&mut self, key: ChunkKey, ticket: u64, purpose: Purpose) {
        if self.built.len() == self.built.capacity() {
            // A host that polls little and moves much leaves entries that nobody wants any more.
            let mut built = std::mem::take(&mut self.built);
            built.retain(|&(key, ticket)| self.built_record(key, ticket).is_some());
            self.built = built;
        }
        match purpose {
            Purpose::Change(_) => self.built.push_back((key, ticket)),
            Purpose::Edit => self.built.push_front((key, ticket)),
            Purpose::Prefetch => {}
        }
    }

    /// The most important event that is due.
    fn next_event(&mut self) -> Option<Next> {
        if !self.failed.is_empty() {
            return Some(Next::Failed);
        }
        if !self.flags.swap_due && std::mem::take(&mut self.flags.swaps) && !self.show_edited() {
            self.execute();
        }
        if self.flags.swap_due {
            return Some(Next::Swap);
        }
        if !self.retired.is_empty() {
            return Some(Next::Retired);
        }
        while let Some(&(key, ticket)) = self.built.front() {
            if let Some(index) = self.built_record(key, ticket) {
                return Some(Next::Ready(index));
            }
            self.built.pop_front();
        }
        None
    }

    /// The first open change whose chunks are all ready, and which fits what is drawn.
    fn executable(&self) -> Option<ChangeId> {
        let open = self.cut.open().iter();
        let mut complete =
            open.filter(|(_, change)| self.cut.needs(*change).iter().all(|key| self.is_ready(*key)));
        let fits = |(_, change): &&(ChangeId, Change)| {
            self.cut.fits(*change) && !self.edits.hold_back(self.levels.chunk_cells, change.key())
        };
        complete.find(fits).map(|(id, _)| *id)
    }

    /// Whether the host has the version of a chunk that is on its way.
    pub(crate) fn is_ready(&self, key: ChunkKey) -> bool {
        let record = self.chunks.find(key).map(|index| &self.chunks[index]);
        let coming = record.and_then(|record| record.coming.as_ref());
        coming.is_some_and(|coming| matches!(coming.progress, Progress::Ready(_)))
    }

    /// The record of something built that is still wanted and not announced.
    fn built_record(&self, key: ChunkKey, ticket: u64) -> Option<u32> {
        let index = self.chunks.find(key)?;
        let coming = self.chunks[index].coming.as_ref()?;
        let is_built = matches!(coming.progress, Progress::Built(_)) && coming.ticket == ticket;
        is_built.then_some(index)
    }

    /// Size of what an event brings.
    fn bytes_of(&self, next: Next) -> u64 {
        match next {
            Next::Ready(index) => {
                let lod = self.chunks[index].key.lod;
                self.levels.plan(lod).layout.bytes(self.levels.chunk_cells) as u64
            }
            _ => 0,
        }
    }

    fn hand_out(&mut self, next: Next, event: &mut impl FnMut(StreamEvent<'_>)) {
        match next {
            Next::Swap => {
                self.flags.swap_due = false;
                self.counters.swaps += 1;
                event(StreamEvent::Swap(&self.swap));
            }
            Next::Failed => {
                let report = self.failed.pop_front().expect("one is due");
                self.counters.failed += 1;
                event(StreamEvent::Failed(&report));
            }
            Next::Retired => {
                let id = self.retired.pop_front().expect("one is due");
                self.counters.retired += 1;
                event(StreamEvent::Retired(id));
            }
            Next::Ready(index) => {
                self.built.pop_front();
                self.counters.ready += 1;
                self.flags.swaps = true;
                let coming = self.chunks[index].coming.as_mut().expect("it is built");
                let Progress::Built(handle) = coming.progress.clone() else { unreachable!("it is built") };
                coming.progress = Progress::Ready(handle);
                if let Progress::Ready(handle) = &coming.progress {
                    event(StreamEvent::Ready(handle));
                }
            }
        }
    }

    /// Takes away roots that left the view.
    fn vanish(&mut self) {
        if self.flags.swap_due || !std::mem::take(&mut self.flags.vanish) {
            return;
        }
        let cancelled = &mut self.cancelled;
        if self.cut.vanish(&mut self.cut_swap, &mut |id, change| cancelled.push((id, change))) {
            // Edits may have waited for what is gone.
            (self.flags.plan, self.flags.swaps) = (true, true);
            self.drop_cancelled();
            self.swap_chunks();
        }
    }

    /// Executes the first open change that can be.
    fn execute(&mut self) {
        if let Some(id) = self.executable() {
            self.cut.execute(id, &mut self.cut_swap);
            // Others may follow; roots that lingered may be free; there is room for more changes.
            self.flags = Flags { vanish: true, swaps: true, plan: true, ..self.flags };
            self.swap_chunks();
        }
    }

    /// Moves records along with a change of the drawn cut. The host is told next.
    fn swap_chunks(&mut self) {
        self.swap.clear();
        for i in 0..self.cut_swap.hide.len() {
            let index = self.chunks.find(self.cut_swap.hide[i]).expect("what is hidden was drawn");
            let shown = self.chunks[index].shown.take().expect("what is hidden was drawn");
            self.swap.hide.push(shown.id());
            self.retired.push_back(shown.id());
            self.forget_edited(shown.key);
            self.drop_coming(index);
        }
        for i in 0..self.cut_swap.show.len() {
            let index = self.chunks.find(self.cut_swap.show[i]).expect("what is shown is ready");
            let record = &mut self.chunks[index];
            let coming = record.coming.take().expect("what is shown is ready");
            let Progress::Ready(handle) = coming.progress else { unreachable!("what is shown is ready") };
            self.swap.show.push(handle.id());
            record.shown = Some(handle);
        }
        self.swap.masks.extend_from_slice(&self.cut_swap.masks);
        self.flags.swap_due = true;
    }

    /// Runs one job here, if it fits.
    fn pump(&mut self, meter: &mut Meter<'_>) -> bool {
        let ran = self.scheduler.pump(|_, predicted_ns| meter.fits(predicted_ns, 0));
        if ran {
            meter.count(0);
        }
        ran
    }

    fn record(&mut self, meter: &Meter<'_>) {
        self.counters.polls += 1;
        self.counters.overruns += u64::from(meter.overrun_ns() > 0);
        self.stall_ns.record(meter.spent_ns());
    }
}

fn handle(key: ChunkKey, product: Product, levels: &Arc<Levels>, is_placeholder: bool) -> ChunkHandle {
    ChunkHandle { key, product, levels: Arc::clone(levels), is_placeholder }
}

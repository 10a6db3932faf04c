//! What the stream asks of the scheduler: which chunks, how soon; gathered and given under one lock.

use terrane_jobs::{Band, Priority, Scheduler};

use crate::coords::{ChunkKey, SAMPLE_LIMIT};
use crate::stream::chunks::{Coming, Progress, Purpose};
use crate::stream::cut::{Change, Cut};
use crate::stream::events::Viewer;
use crate::stream::streamer::Streamer;
use crate::stream::work::{ChunkWork, cell, key};

#[derive(Clone, Copy, Debug)]
enum Order {
    Request {
        key: ChunkKey,
        ticket: u64,
        priority: Priority,
    },
    /// Another priority for what was asked for; nothing when its result lies there already. A request would build it twice.
    Reorder {
        key: ChunkKey,
        ticket: u64,
        priority: Priority,
    },
    Cancel(ChunkKey),
}

/// Orders that have not been given yet.
#[derive(Debug)]
pub(crate) struct Orders {
    orders: Vec<Order>,
    /// Everything that is asked for gets a new priority first.
    rekey: bool,
}

impl Orders {
    /// For so many chunks on their way at a time.
    pub(crate) fn new(coming_max: usize) -> Self {
        // What is cancelled and asked for anew makes two orders.
        Self { orders: Vec::with_capacity(3 * coming_max + 8), rekey: false }
    }

    pub(crate) fn request(&mut self, key: ChunkKey, ticket: u64, priority: Priority) {
        self.orders.push(Order::Request { key, ticket, priority });
    }

    fn reorder(&mut self, key: ChunkKey, ticket: u64, priority: Priority) {
        self.orders.push(Order::Reorder { key, ticket, priority });
    }

    pub(crate) fn cancel(&mut self, key: ChunkKey) {
        self.orders.push(Order::Cancel(key));
    }

    pub(crate) fn rekey(&mut self) {
        self.rekey = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.orders.is_empty() && !self.rekey
    }

    /// True when more might not fit.
    pub(crate) fn is_full(&self) -> bool {
        self.orders.len() + 8 > self.orders.capacity()
    }

    /// Gives all orders, in their order.
    pub(crate) fn give(
        &mut self,
        scheduler: &mut Scheduler<ChunkWork>,
        mut priority: impl FnMut(ChunkKey) -> Priority,
    ) {
        if self.is_empty() {
            return;
        }
        scheduler.update(|targets| {
            // What is no longer wanted need not get a priority first.
            for order in self.orders.drain(..) {
                match order {
                    Order::Cancel(key) => {
                        targets.cancel(cell(key));
                    }
                    Order::Reorder { key, .. } if !targets.is_wanted(cell(key)) => {}
                    Order::Request { key, ticket, priority } | Order::Reorder { key, ticket, priority } => {
                        let asked = targets.request(cell(key), ticket, priority);
                        asked.expect("the graph has a node for every chunk that can be on its way");
                    }
                }
            }
            if std::mem::take(&mut self.rekey) {
                targets.rekey(|cell| priority(key(cell)));
            }
        });
    }
}

impl Streamer {
    /// Gives up what cancelled changes asked for.
    pub(crate) fn drop_cancelled(&mut self) {
        while let Some((_, change)) = self.cancelled.pop() {
            for key in self.cut.needs(change).iter() {
                if let Some(index) = self.chunks.find(*key) {
                    self.drop_coming(index);
                }
            }
        }
    }

    /// Gives up a version on its way.
    pub(crate) fn drop_coming(&mut self, index: u32) {
        let key = self.chunks[index].key;
        match self.chunks[index].coming.take().map(|coming| coming.progress) {
            Some(Progress::Asked) => {
                self.orders.cancel(key);
                if self.orders.is_full() {
                    self.give_orders();
                }
            }
            Some(Progress::Ready(handle)) => self.retired.push_back(handle.id()),
            Some(Progress::Built(_)) | None => {}
        }
        self.chunks.tidy(index);
    }

    /// Opens the next changes and orders their chunks; then what may be wanted soon.
    pub(crate) fn plan(&mut self) {
        self.flags.plan = false;
        while let Some((_, change)) = self.cut.next_change() {
            for key in self.cut.needs(change).iter() {
                self.ask(*key, Purpose::Change(change));
            }
        }
        if std::mem::take(&mut self.flags.ahead) {
            self.look_ahead();
        }
        self.give_orders();
    }

    /// Asks for a chunk, or takes one that was asked for to be ready for this.
    fn ask(&mut self, key: ChunkKey, purpose: Purpose) {
        let index = self.chunks.enter(key);
        let priority = self.priority(key, purpose);
        if let Some(coming) = &mut self.chunks[index].coming {
            debug_assert_eq!(coming.purpose, Purpose::Prefetch, "{key:?} is asked for twice");
            coming.purpose = purpose;
            let ticket = coming.ticket;
            match coming.progress {
                Progress::Asked => self.orders.reorder(key, ticket, priority),
                Progress::Built(_) | Progress::Ready(_) => self.announce(key, ticket, purpose),
            }
        } else {
            self.ticket += 1;
            let (ticket, progress) = (self.ticket, Progress::Asked);
            self.chunks[index].coming = Some(Coming { ticket, purpose, progress });
            self.orders.request(key, ticket, priority);
        }
        if self.orders.is_full() {
            self.give_orders();
        }
    }

    pub(crate) fn give_orders(&mut self) {
        let Self { orders, scheduler, cut, chunks, .. } = self;
        orders.give(scheduler, |key| {
            let record = chunks.find(key).and_then(|index| chunks[index].coming.as_ref());
            priority(cut, key, record.map_or(Purpose::Prefetch, |coming| coming.purpose))
        });
    }

    pub(crate) fn priority(&self, key: ChunkKey, purpose: Purpose) -> Priority {
        priority(&self.cut, key, purpose)
    }

    /// Whether other chunks may be wanted soon than when it was last looked at.
    pub(crate) fn is_to_look_ahead(&mut self) -> bool {
        if self.aim_ahead() { !self.cut.foresees(&self.samples) } else { !self.ahead.is_empty() }
    }

    /// Takes aim at where the viewers will be; false when nothing is to be built ahead.
    fn aim_ahead(&mut self) -> bool {
        let Self { settings, viewers, samples, memory, world, .. } = self;
        let is_moving = viewers.iter().any(|viewer| viewer.velocity_m_s != [0.0; 2]);
        if memory.prefetch_max == 0 || !is_moving {
            return false;
        }
        let samples_ahead = settings.prefetch_s / world.sample_spacing_m();
        samples.clear();
        samples.extend(viewers.iter().map(|viewer| ahead_of(viewer, samples_ahead)));
        true
    }

    /// Builds ahead of moving viewers what will be wanted where they will be.
    fn look_ahead(&mut self) {
        self.ahead.clear();
        for index in 0..self.chunks.capacity() {
            let record = &self.chunks[index];
            let is_spare = record.coming.as_ref().is_some_and(|coming| coming.purpose == Purpose::Prefetch);
            // What is wanted by now waits for its change to be opened: it is not to be built again.
            if is_spare && self.cut.is_wanted(record.key) {
                self.ahead.push(record.key);
            }
        }
        if self.aim_ahead() {
            let Self { cut, samples, ahead, memory, .. } = self;
            cut.wanted_for(samples, memory.prefetch_max - ahead.len(), ahead);
        }
        self.looks_ahead += 1;
        for key in &self.ahead {
            if let Some(index) = self.chunks.find(*key) {
                self.chunks[index].ahead = self.looks_ahead;
            }
        }
        for index in 0..self.chunks.capacity() {
            let record = &self.chunks[index];
            let is_spare = record.coming.as_ref().is_some_and(|coming| coming.purpose == Purpose::Prefetch);
            if is_spare && record.ahead != self.looks_ahead {
                self.drop_coming(index);
            }
        }
        for i in 0..self.ahead.len() {
            let key = self.ahead[i];
            let is_known = self.chunks.find(key).is_some();
            if !is_known {
                self.ask(key, Purpose::Prefetch);
            }
        }
    }

    /// Chunks built ahead, or asked for to be.
    pub(crate) fn ahead_count(&self) -> usize {
        let coming = |key: &ChunkKey| self.chunks[self.chunks.find(*key)?].coming.as_ref();
        let is_spare =
            |key: &&ChunkKey| coming(key).is_some_and(|coming| coming.purpose == Purpose::Prefetch);
        self.ahead.iter().filter(is_spare).count()
    }
}

/// How soon a chunk is wanted. All chunks of a change are as near as what they replace, or none would be shown until the
/// farthest is there. At the same distance the coarser one comes first: finer ones cannot be shown before. Merges come
/// before all: one chunk gives four back, and what splits wait for may be held by chunks that are to be merged.
fn priority(cut: &Cut, key: ChunkKey, purpose: Purpose) -> Priority {
    let (band, of) = match purpose {
        Purpose::Edit => (Band::Urgent, key),
        Purpose::Prefetch => (Band::Prefetch, key),
        Purpose::Change(Change::Merge(_)) => return Priority { band: Band::Normal, distance: 0 },
        Purpose::Change(change) => (Band::Normal, change.key()),
    };
    let finer = u64::from(ChunkKey::LOD_MAX - key.lod.min(ChunkKey::LOD_MAX));
    // Beyond 2^58 samples all are as far.
    Priority { band, distance: 1 + (cut.gap(of).min(1 << 58) << 5 | finer) }
}

/// The sample where a viewer will be, `samples_ahead` times its velocity from where it is.
fn ahead_of(viewer: &Viewer, samples_ahead: f64) -> [i64; 2] {
    let limit = SAMPLE_LIMIT - 1;
    let at = viewer.position.sample();
    std::array::from_fn(|axis| {
        // A velocity that is no number moves nothing.
        let by = (f64::from(viewer.velocity_m_s[axis]) * samples_ahead) as i64;
        at[axis].saturating_add(by).clamp(-limit, limit)
    })
}

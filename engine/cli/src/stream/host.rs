//! What a run knows from the events that it is told: counts, and how long the ground around the viewer took to be drawn
//! at full detail.

use std::collections::HashSet;
use std::time::Instant;

use terrane::{ChunkKey, Position, StreamEvent, Streamer};

pub(crate) struct Host {
    chunk_cells: i64,
    /// Of level 0.
    drawn: HashSet<[i64; 2]>,
    extent: Option<([i64; 2], [i64; 2])>,
    /// The viewer's chunk, and since when the ring around it is wanted; `None`: it is drawn.
    at: [i64; 2],
    waiting: Option<Instant>,
    /// Most recent waits in microseconds, for percentiles; as many as there is room for.
    pub(crate) waits_us: Vec<u64>,
    pub(crate) ready: u64,
    pub(crate) digest: u128,
    sums_up: bool,
    pub(crate) edits_refused: u64,
    /// What could not be built, in words.
    pub(crate) failures: Vec<String>,
}

impl Host {
    /// Sums the digests of all chunks that become ready, if `sums_up`.
    pub(crate) fn new(stream: &Streamer, sums_up: bool) -> Self {
        let world = stream.world();
        let chunks = stream.memory().rows.iter().map(|row| row.count).max().unwrap_or(0);
        Self {
            chunk_cells: i64::from(world.chunk_cells()),
            drawn: HashSet::with_capacity(2 * chunks + 16),
            extent: world.chunk_extent(0),
            at: [i64::MIN; 2],
            waiting: None,
            waits_us: Vec::with_capacity(1 << 16),
            ready: 0,
            digest: 0,
            sums_up,
            edits_refused: 0,
            failures: Vec::new(),
        }
    }

    pub(crate) fn take(&mut self, event: &StreamEvent<'_>) {
        match event {
            StreamEvent::Ready(chunk) => {
                self.ready += 1;
                if self.sums_up {
                    self.digest = self.digest.wrapping_add(chunk.digest());
                }
            }
            StreamEvent::Swap(swap) => {
                let place = |key: &ChunkKey| (key.lod == 0).then_some([key.x, key.z]);
                for hidden in swap.hide.iter().filter_map(|id| place(&id.key)) {
                    self.drawn.remove(&hidden);
                }
                self.drawn.extend(swap.show.iter().filter_map(|id| place(&id.key)));
            }
            StreamEvent::Failed(report) => self.failures.push(report.to_string()),
            _ => {}
        }
    }

    /// The viewer moves; in a new chunk the ring around it is wanted from now on.
    pub(crate) fn move_to(&mut self, position: Position, now: Instant) {
        let at = position.sample().map(|sample| sample.div_euclid(self.chunk_cells));
        if at != self.at {
            self.at = at;
            self.waiting = self.waiting.or(Some(now));
        }
    }

    /// Notes when the ring is drawn.
    pub(crate) fn look(&mut self, frame: Instant) {
        let Some(since) = self.waiting.filter(|_| self.is_ring_drawn()) else { return };
        self.waiting = None;
        if self.waits_us.len() < self.waits_us.capacity() {
            // Drawn in the frame that asked: at once.
            let us = if since == frame { 0 } else { since.elapsed().as_micros() as u64 };
            self.waits_us.push(us);
        }
    }

    fn is_ring_drawn(&self) -> bool {
        let [x, z] = self.at;
        let ring = (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| [x + dx, z + dz]));
        let exists = |[x, z]: [i64; 2]| {
            let inside = |(min, max): ([i64; 2], [i64; 2])| {
                (min[0]..max[0]).contains(&x) && (min[1]..max[1]).contains(&z)
            };
            self.extent.is_none_or(inside)
        };
        ring.filter(|place| exists(*place)).all(|place| self.drawn.contains(&place))
    }

    /// What came before counts no more.
    pub(crate) fn warmed_up(&mut self) {
        self.waits_us.clear();
        self.waiting = None;
    }
}

//! A host that believes nothing: it keeps its own record of what it was told to draw, and judges it after every event. It
//! knows keys and rectangles only, none of the stream's trees.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane::buffers::{ChunkLayout, ColumnKind};
use terrane::{
    Budget, ChunkBuffers, ChunkHandle, ChunkId, ChunkKey, Position, StreamEvent, Streamer, Swap, Viewer,
    World, WorldConfig,
};
use terrane_jobs::{
    Cell, ColumnId, GraphCounts, GraphLimits, GraphSpec, Job, ManualClock, Pool, Scheduler,
    SchedulerSettings, Shared, Stage, StageGrid, Stop, Unique, Work,
};

/// Small chunks, so that there are many.
pub(crate) fn world(preset: &str) -> World {
    let mut config = WorldConfig::preset(preset).expect("a preset");
    config.chunk_cells = 16;
    World::open(config).expect("presets are valid")
}

pub(crate) fn viewer(x: i64, z: i64) -> Viewer {
    Viewer::at(Position::from_samples([x, z]).expect("near enough"))
}

/// What a host knows.
pub(crate) struct Host {
    world: World,
    root_lod: u8,
    /// Told to be ready, not retired.
    pub(crate) held: BTreeMap<ChunkId, ChunkHandle>,
    pub(crate) drawn: BTreeMap<ChunkKey, (u64, u8)>,
    /// Compare the bytes of one chunk in so many with `World::build`; 0: none.
    pub(crate) compare_one_in: u64,
    pub(crate) ready: u64,
    pub(crate) swaps: u64,
    pub(crate) digest: u128,
    buffers: ChunkBuffers,
    pub(crate) failures: Vec<String>,
}

impl Host {
    pub(crate) fn new(world: &World, levels: u8) -> Self {
        Self {
            world: world.clone(),
            root_lod: levels - 1,
            held: BTreeMap::new(),
            drawn: BTreeMap::new(),
            compare_one_in: 0,
            ready: 0,
            swaps: 0,
            digest: 0,
            buffers: ChunkBuffers::with_layout(world.chunk_cells(), all_columns()),
            failures: Vec::new(),
        }
    }

    /// Does what an event says, and judges it.
    pub(crate) fn take(&mut self, event: StreamEvent<'_>) {
        match event {
            StreamEvent::Ready(chunk) => {
                self.ready += 1;
                self.digest = self.digest.wrapping_add(chunk.digest());
                if self.compare_one_in > 0 && self.ready.is_multiple_of(self.compare_one_in) {
                    self.compare(chunk);
                }
                let before = self.held.insert(chunk.id(), chunk.clone());
                assert!(before.is_none(), "{:?} is ready twice", chunk.id());
            }
            StreamEvent::Swap(swap) => {
                self.swap(swap);
                self.check();
            }
            StreamEvent::Retired(id) => {
                let drawn = self.drawn.get(&id.key).is_some_and(|(version, _)| *version == id.version);
                assert!(!drawn, "{id:?} is retired and drawn");
                assert!(self.held.remove(&id).is_some(), "{id:?} is retired and was never ready");
            }
            StreamEvent::Failed(report) => self.failures.push(report.to_string()),
            _ => {}
        }
    }

    fn swap(&mut self, swap: &Swap) {
        self.swaps += 1;
        let before: BTreeSet<ChunkKey> = self.drawn.keys().copied().collect();
        for id in &swap.hide {
            let hidden = self.drawn.remove(&id.key);
            assert_eq!(
                hidden.map(|(version, _)| version),
                Some(id.version),
                "{id:?} is hidden and not drawn"
            );
        }
        for id in &swap.show {
            assert!(self.held.contains_key(id), "{id:?} is shown and not ready");
            assert!(self.drawn.insert(id.key, (id.version, 0xFF)).is_none(), "{id:?} is shown and drawn");
        }
        for (key, mask) in &swap.masks {
            self.drawn.get_mut(key).unwrap_or_else(|| panic!("a mask for {key:?}, which is not drawn")).1 =
                *mask;
        }
        // Ground that was drawn stays drawn, unless a whole root goes.
        for key in before {
            let root_goes = self.under(self.root_of(key)).is_empty();
            assert!(root_goes || self.is_covered(key), "a hole at {key:?}");
        }
    }

    fn root_of(&self, key: ChunkKey) -> ChunkKey {
        let up = self.root_lod - key.lod;
        ChunkKey { lod: self.root_lod, x: key.x >> up, z: key.z >> up }
    }

    /// Drawn chunks below a chunk.
    fn under(&self, of: ChunkKey) -> Vec<ChunkKey> {
        let inside = |key: &&ChunkKey| {
            key.lod <= of.lod && key.x >> (of.lod - key.lod) == of.x && key.z >> (of.lod - key.lod) == of.z
        };
        self.drawn.keys().filter(inside).copied().collect()
    }

    /// The drawn chunk that a chunk lies in.
    fn over(&self, key: ChunkKey) -> Option<ChunkKey> {
        let up = |lod: u8| ChunkKey { lod, x: key.x >> (lod - key.lod), z: key.z >> (lod - key.lod) };
        (key.lod..=self.root_lod).map(up).find(|key| self.drawn.contains_key(key))
    }

    fn exists(&self, key: ChunkKey) -> bool {
        self.world
            .chunk_extent(key.lod)
            .is_none_or(|(min, max)| (min[0]..max[0]).contains(&key.x) && (min[1]..max[1]).contains(&key.z))
    }

    /// All of a chunk's ground that exists is drawn.
    fn is_covered(&self, key: ChunkKey) -> bool {
        if !self.exists(key) || self.over(key).is_some() {
            return true;
        }
        key.lod > 0 && children(key).into_iter().all(|child| self.is_covered(child))
    }

    /// No overlap, no hole in a root, 2:1, masks.
    pub(crate) fn check(&self) {
        let roots: BTreeSet<ChunkKey> = self.drawn.keys().map(|key| self.root_of(*key)).collect();
        for root in roots {
            assert!(self.is_covered(root), "a hole in {root:?}");
        }
        for (&key, &(_, mask)) in &self.drawn {
            let parent = ChunkKey { lod: key.lod + 1, x: key.x >> 1, z: key.z >> 1 };
            if key.lod < self.root_lod {
                assert_eq!(self.over(parent), None, "{key:?} is drawn twice");
            }
            for (bit, (dx, dz)) in [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().enumerate() {
                let beside = ChunkKey { x: key.x + dx, z: key.z + dz, ..key };
                let over = self.over(beside);
                assert!(over.is_none_or(|over| over.lod <= key.lod + 1), "{key:?} beside {over:?}");
                let is_coarser = over.is_some_and(|over| over.lod > key.lod);
                assert_eq!(
                    mask >> bit & 1 == 1,
                    is_coarser,
                    "mask {mask:04b} of {key:?}, beside it {over:?}"
                );
            }
        }
    }

    /// Vertices that neighbours share are at one height: of all of the finer chunk's, those that the coarser one has too.
    pub(crate) fn check_borders(&self) {
        let view = |key: &ChunkKey| self.held[&ChunkId { key: *key, version: self.drawn[key].0 }].view();
        let side = self.world.chunk_cells() as usize + 1;
        for key in self.drawn.keys() {
            for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let Some(over) = self.over(ChunkKey { x: key.x + dx, z: key.z + dz, ..*key }) else {
                    continue;
                };
                let (fine, coarse) = (view(key), view(&over));
                let stride = i64::from(over.stride());
                for i in 0..side {
                    // Along the border, then across it.
                    let along = i;
                    let across = if dx + dz > 0 { side - 1 } else { 0 };
                    let at = if dx != 0 { [across, along] } else { [along, across] };
                    let sample: [i64; 2] = std::array::from_fn(|axis| {
                        fine.origin_sample()[axis] + at[axis] as i64 * i64::from(key.stride())
                    });
                    let there: [i64; 2] =
                        std::array::from_fn(|axis| sample[axis] - coarse.origin_sample()[axis]);
                    if there.iter().any(|at| at.rem_euclid(stride) != 0) {
                        continue;
                    }
                    let [x, z] = there.map(|at| (at / stride) as usize);
                    let got = fine.positions()[at[1] * side + at[0]][1];
                    let want = coarse.positions()[z * side + x][1];
                    assert_eq!(
                        got.to_bits(),
                        want.to_bits(),
                        "a crack at {sample:?} between {key:?} and {over:?}"
                    );
                }
            }
        }
    }

    /// Equal to what the world builds on the caller's thread.
    pub(crate) fn compare(&mut self, chunk: &ChunkHandle) {
        let key = chunk.id().key;
        self.world.build(key, &mut self.buffers, &mut self.world.scratch()).expect("it exists");
        let (got, want) = (chunk.view(), self.buffers.view());
        for (kind, ..) in ColumnKind::ALL {
            if !got.bytes(kind).is_empty() {
                assert!(got.bytes(kind) == want.bytes(kind), "{key:?} {kind:?}");
            }
        }
        assert_eq!((got.bounds_m(), got.vertex_spacing_m()), (want.bounds_m(), want.vertex_spacing_m()));
        if got.has_heights() {
            for z in 0..got.side() {
                assert_eq!(got.heights(z), want.heights(z), "{key:?}");
            }
        }
    }

    /// Sum over what is drawn.
    pub(crate) fn drawn_digest(&self) -> u128 {
        let digest = |(key, (version, _)): (&ChunkKey, &(u64, u8))| {
            self.held[&ChunkId { key: *key, version: *version }].digest()
        };
        self.drawn.iter().map(digest).fold(0, u128::wrapping_add)
    }
}

fn children(key: ChunkKey) -> [ChunkKey; 4] {
    let child = |x, z| ChunkKey { lod: key.lod - 1, x: 2 * key.x + x, z: 2 * key.z + z };
    [child(0, 0), child(1, 0), child(0, 1), child(1, 1)]
}

/// A small generator for tests: PCG-like, no crate.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 32)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// From -reach to reach.
    pub(crate) fn around(&mut self, reach: i64) -> i64 {
        self.below(2 * reach as u64 + 1) as i64 - reach
    }
}

/// Fails when jobs could run and none does. To be asked between polls of a stream that is not paused.
pub(crate) struct Watchdog {
    looked: Instant,
    /// How long nothing has run, of the time that was looked at.
    idle: Duration,
    delivered: u64,
}

impl Watchdog {
    /// So long nothing may run.
    const IDLE_MAX: Duration = Duration::from_secs(1);
    /// A look counts for so long at most: a process that got no processor has seen nothing, and its workers neither.
    const LOOK_MAX: Duration = Duration::from_millis(20);

    pub(crate) fn new() -> Self {
        Self { looked: Instant::now(), idle: Duration::ZERO, delivered: 0 }
    }

    /// Looks at a scheduler; `dump` says what it looks like when it stands still.
    pub(crate) fn look(&mut self, counts: &GraphCounts, dump: impl FnOnce() -> String) {
        let since = std::mem::replace(&mut self.looked, Instant::now()).elapsed().min(Self::LOOK_MAX);
        let has_moved = std::mem::replace(&mut self.delivered, counts.delivered) != counts.delivered;
        let stands_still = counts.ready + counts.waiting > 0 && counts.running == 0 && !has_moved;
        self.idle = if stands_still { self.idle + since } else { Duration::ZERO };
        assert!(self.idle < Self::IDLE_MAX, "jobs could run, and for a second none has:\n{}", dump());
    }

    /// Polls until all that is wanted is drawn.
    pub(crate) fn settle(&mut self, stream: &mut Streamer, host: &mut Host) {
        while !stream.is_settled() {
            let polled = stream.poll(Budget::UNLIMITED, |event| host.take(event));
            self.look(&stream.stats().jobs, || stream.dump());
            if polled.items == 0 {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
    }
}

/// The smallest work: squares of numbers.
pub(crate) struct Squares(Pool<i64>);

impl Work for Squares {
    type Buffer = Unique<i64>;
    type Product = Shared<i64>;
    type Scratch = ();

    fn scratch(&self) {}

    fn reserve(&self, _: Cell) -> Option<Unique<i64>> {
        self.0.try_take()
    }

    fn run(&self, job: Job<'_, Shared<i64>>, square: &mut Unique<i64>, (): &mut ()) -> Result<(), Stop> {
        **square = job.cell.x * job.cell.x;
        Ok(())
    }

    fn placeholder(&self, _: Cell, square: &mut Unique<i64>) {
        **square = 0;
    }

    fn freeze(&self, square: Unique<i64>) -> Shared<i64> {
        square.freeze()
    }
}

/// A scheduler of them, with room for 16.
pub(crate) fn squares(threads: usize) -> Scheduler<Squares> {
    let grid = StageGrid { cell: 1, levels: 1 };
    let stage = Stage { name: "square", grid, reads: Vec::new(), writes: vec![ColumnId(0)] };
    let spec = GraphSpec::new(vec![stage]).expect("one stage");
    let settings = SchedulerSettings { limits: GraphLimits { nodes: 16, admitted: 4, finished: 8 }, threads };
    Scheduler::start(Squares(Pool::new(16, |_| 0)), spec, settings, Arc::new(ManualClock::new()))
        .expect("room")
}

/// Every column that does not name a field.
pub(crate) fn all_columns() -> ChunkLayout {
    ChunkLayout::of(&ColumnKind::ALL.map(|(kind, ..)| kind))
}

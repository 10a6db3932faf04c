//! A stream for a long time: viewers that walk, fly, teleport, come and go, and edits. Nothing is allocated, resident
//! memory stays as it is, and every byte is right. Allocations are counted over the whole process, so this binary holds
//! one test alone.
//!
//! 3,000 chunks, or 100,000 when `TERRANE_LONG` is set, on no thread and on three: what is drawn has the same digest in
//! every tenth frame. What is announced on the way may differ by a few chunks: roots that leave the view are merged
//! before they vanish, or vanish first.
#![cfg(all(feature = "config", feature = "threads"))]

use std::alloc::System;
use std::sync::Arc;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use stream_kit::{Random, world};
use terrane::edits::{Brush, BrushShape, Edit, EditOp};
use terrane::{
    Budget, ChunkBuffers, ChunkHandle, ChunkView, Flushed, Position, Scratch, StreamEvent, StreamSettings,
    Streamer, SystemClock, Viewer, World,
};

mod stream_kit;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const VIEWERS_MAX: usize = 3;
/// Edits stay within so many samples of the origin: the store of edits has a fixed number of tiles.
const EDITS_REACH: i64 = 300;
/// One chunk in so many is compared with what the world builds.
const COMPARE_ONE_IN: u64 = 50;
/// Resident memory may grow by so much after the first quarter: pages of columns that no chunk had used before.
const GROWTH_MAX_BYTES: u64 = 4 << 20;

fn chunks() -> u64 {
    if std::env::var_os("TERRANE_LONG").is_some() { 100_000 } else { 3_000 }
}

/// Bytes of the process that are in memory, without an allocation. `None` where the system does not say.
fn resident_bytes() -> Option<u64> {
    use std::io::Read as _;
    let mut text = [0; 4096];
    let mut file = std::fs::File::open("/proc/self/status").ok()?;
    let len = file.read(&mut text).ok()?;
    let text = std::str::from_utf8(&text[..len]).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// A host that keeps sums, and no memory that grows.
struct Sums {
    ready: u64,
    retired: u64,
    compared: u64,
    world: World,
    buffers: ChunkBuffers,
    scratch: Scratch,
}

impl Sums {
    fn new(world: &World) -> Self {
        let (buffers, scratch) = (ChunkBuffers::new(world.chunk_cells()), world.scratch());
        Self { ready: 0, retired: 0, compared: 0, world: world.clone(), buffers, scratch }
    }

    fn take(&mut self, event: StreamEvent<'_>) {
        match event {
            StreamEvent::Ready(chunk) => {
                self.ready += 1;
                if self.ready.is_multiple_of(COMPARE_ONE_IN) {
                    self.compare(chunk);
                }
            }
            StreamEvent::Swap(_) => {}
            StreamEvent::Retired(_) => self.retired += 1,
            other => panic!("{other:?}"),
        }
    }

    /// Edits are made between polls and renew what they touch, so a chunk that is announced holds all of them.
    fn compare(&mut self, chunk: &ChunkHandle) {
        self.compared += 1;
        let key = chunk.id().key;
        self.world.build(key, &mut self.buffers, &mut self.scratch).expect("it exists");
        let columns = |view: ChunkView<'_>| -> bool {
            let got = chunk.view();
            got.positions() == view.positions()
                && got.normals() == view.normals()
                && got.colors() == view.colors()
        };
        assert!(columns(self.buffers.view()), "{key:?} is not what the world builds");
    }
}

/// Where viewers are, from frame to frame.
struct Crowd {
    random: Random,
    at: Vec<[i64; 2]>,
    viewers: Vec<Viewer>,
}

impl Crowd {
    fn new(seed: u64) -> Self {
        let mut at = Vec::with_capacity(VIEWERS_MAX);
        at.push([0, 0]);
        Self { random: Random(seed), at, viewers: Vec::with_capacity(VIEWERS_MAX) }
    }

    /// Most frames walk, some fly, few teleport: half of those home, where edits are.
    fn step(&mut self) -> &[Viewer] {
        let Self { random, at, viewers } = self;
        match random.below(60) {
            0 if at.len() < VIEWERS_MAX => at.push([random.around(500), random.around(500)]),
            1 if at.len() > 1 => drop(at.pop()),
            2 => {
                let reach = if random.below(2) == 0 { 1_000_000_000 } else { EDITS_REACH };
                at[0] = [random.around(reach), random.around(reach)];
            }
            _ => {}
        }
        let by = if random.below(4) == 0 { 90 } else { 8 };
        viewers.clear();
        for at in at.iter_mut() {
            let moved = [random.around(by), random.around(by)];
            *at = [at[0] + moved[0], at[1] + moved[1]];
            let position = Position::from_samples(*at).expect("near enough");
            // In metres a second: as if it went on like this.
            viewers.push(Viewer { position, velocity_m_s: moved.map(|by| 10.0 * by as f32) });
        }
        viewers
    }

    /// Where the first viewer stands, if that is where edits may be.
    fn edit(&mut self) -> Option<Edit> {
        let at = self.at[0];
        if at.iter().any(|at| at.abs() > EDITS_REACH) || self.random.below(6) > 0 {
            return None;
        }
        let center = Position::from_samples(at).expect("near enough");
        let shape = BrushShape::Circle { radius_m: 2.0 + self.random.below(14) as f64 };
        let op = if self.random.below(2) == 0 { EditOp::Raise { by_m: 0.5 } } else { EditOp::Smooth };
        Some(Edit { brush: Brush { center, shape, falloff_m: 2.0 }, op })
    }
}

/// A run of so many frames, each of which waits until all that is wanted is drawn.
struct Run {
    stream: Streamer,
    crowd: Crowd,
    sums: Sums,
    edits: u64,
    /// Over what was drawn in every tenth frame.
    digest: u128,
}

impl Run {
    fn new(threads: usize) -> Self {
        let world = world("dunes");
        let settings = StreamSettings {
            levels: 4,
            threads: Some(threads),
            viewers_max: VIEWERS_MAX,
            edited_max: 200,
            ..StreamSettings::default()
        };
        let sums = Sums::new(&world);
        let stream =
            Streamer::open(world, settings, Arc::new(SystemClock::new())).expect("the settings are valid");
        Self { stream, crowd: Crowd::new(2026), sums, edits: 0, digest: 0 }
    }

    fn frame(&mut self, number: u32) {
        let Self { stream, crowd, sums, edits, digest } = self;
        stream.set_viewers(crowd.step()).expect("as many as agreed");
        if let Some(edit) = crowd.edit() {
            let _ = stream.edit(&edit).expect("there is room");
            *edits += 1;
        }
        // Other orders: some frames begin with a poll that takes little.
        stream.poll(Budget { items: Some(number % 4), ..Budget::UNLIMITED }, |event| sums.take(event));
        assert_eq!(stream.flush(|event| sums.take(event)), Flushed::Settled);
        let drawn = stream.stats().drawn as u64;
        assert_eq!(sums.ready - sums.retired, drawn, "what is not drawn is retired");
        if number.is_multiple_of(10) {
            let sum = stream.drawn().map(|(chunk, _)| chunk.digest()).fold(0, u128::wrapping_add);
            *digest = digest.rotate_left(1).wrapping_add(sum);
        }
    }
}

/// The digest of a run on so many threads, and its frames: until so many chunks were announced, or as many as are told.
fn run(threads: usize, chunks: u64, frames: Option<u32>) -> (u128, u32) {
    let mut run = Run::new(threads);
    let (mut frame, mut resident_after_warm_up) = (0, None);
    let region = Region::new(ALLOCATOR);
    while frames.map_or(run.sums.ready < chunks, |frames| frame < frames) {
        run.frame(frame);
        frame += 1;
        if resident_after_warm_up.is_none() && run.sums.ready > chunks / 4 {
            resident_after_warm_up = resident_bytes();
        }
    }
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{threads} threads");
    if let (Some(before), Some(after)) = (resident_after_warm_up, resident_bytes()) {
        let grown = after.saturating_sub(before);
        assert!(grown <= GROWTH_MAX_BYTES, "{before} bytes were resident, now {after}, on {threads} threads");
    }
    let Run { stream, sums, edits, digest, .. } = run;
    assert_eq!(stream.stats().failed, 0);
    assert!(
        sums.compared >= chunks / 2 / COMPARE_ONE_IN && edits > chunks / 1500,
        "{} {edits}",
        sums.compared
    );
    (digest, frame)
}

#[test]
fn a_long_run_allocates_nothing_grows_by_nothing_and_is_right() {
    let region = Region::new(ALLOCATOR);
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(region.change().allocations, 1, "a counter that does not count proves nothing");
    if cfg!(target_os = "linux") {
        assert!(resident_bytes().is_some_and(|bytes| bytes > 1 << 20), "{:?}", resident_bytes());
    }
    let (want, frames) = run(0, chunks(), None);
    assert_eq!(run(3, chunks(), Some(frames)).0, want);
}

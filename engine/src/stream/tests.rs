//! Streams whose jobs fail: one bad chunk costs one chunk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use terrane_jobs::{Budget, Column, ManualClock, Pool, Stop};

use crate::buffers::{ChunkBuffers, ColumnKind, FieldColumn, FieldFormat};
use crate::edits::{Brush, BrushShape, Edit, EditOp};
use crate::stream::work::Fault;
use crate::stream::{
    ChunkId, FieldOutput, Flushed, Levels, Outputs, StreamEvent, StreamSettings, Streamer, Viewer,
    ViewersError,
};
use crate::world::STAGES;
use crate::{ChunkHandle, ChunkKey, Position, World, WorldConfig};

fn world() -> World {
    let mut config = WorldConfig::preset("hills").expect("a preset");
    config.chunk_cells = 16;
    config.height.sea_level_m = 3.5;
    World::open(config).expect("valid")
}

fn open(world: &World, threads: usize, fault: Option<Fault>) -> Streamer {
    let column = FieldColumn { field: 0, format: FieldFormat::Unorm16 };
    let all = ColumnKind::ALL.iter().fold(Outputs::none(), |all, (kind, ..)| all.with(*kind, Levels::ALL));
    let outputs = all.with_field(FieldOutput { column, levels: Levels::ALL });
    let settings = StreamSettings { levels: 3, threads: Some(threads), outputs, ..StreamSettings::default() };
    Streamer::open_with(world.clone(), settings, Arc::new(ManualClock::new()), |work| work.fault = fault)
        .expect("valid")
}

fn viewer() -> Viewer {
    Viewer::at(Position::from_samples([5, 5]).expect("near"))
}

fn pools(stream: &Streamer) -> Vec<Pool<Column<u32>>> {
    stream.scheduler.work().pools.clone()
}

/// All chunks of a settled stream, and what was reported.
fn run(stream: &mut Streamer) -> (BTreeMap<ChunkKey, ChunkHandle>, Vec<String>) {
    let (mut ready, mut reports) = (BTreeMap::new(), Vec::new());
    stream.set_viewers(&[viewer()]).expect("one viewer");
    let flushed = stream.flush(|event| match event {
        StreamEvent::Ready(chunk) => {
            assert!(ready.insert(chunk.id().key, chunk.clone()).is_none(), "ready once");
        }
        StreamEvent::Failed(report) => reports.push(report.to_string()),
        _ => {}
    });
    assert_eq!(flushed, Flushed::Settled);
    (ready, reports)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    PanicOnce,
    PanicAlways,
    Error,
}

/// Chunks fail in one stage: `bad` says which.
fn fails(
    stage: &'static str,
    how: How,
    threads: usize,
    bad: impl Fn(ChunkKey) -> bool + Copy + Send + Sync + 'static,
) {
    let world = world();
    let fault: Fault = Box::new(move |at, key, attempt| {
        if at != stage || !bad(key) {
            return Ok(());
        }
        match how {
            How::PanicOnce if attempt > 0 => Ok(()),
            How::PanicOnce | How::PanicAlways => panic!("a planted panic"),
            How::Error => Err(Stop::Failed("a planted error".to_owned())),
        }
    });
    let mut stream = open(&world, threads, Some(fault));
    let pools = pools(&stream);
    let (ready, reports) = run(&mut stream);
    let (mut buffers, mut scratch) = (ChunkBuffers::new(16), world.scratch());
    let mut failed = 0;
    for (key, chunk) in &ready {
        let view = chunk.view();
        if bad(*key) && how != How::PanicOnce {
            failed += 1;
            assert!(chunk.is_placeholder(), "{key:?}");
            assert!(view.positions().iter().all(|position| position[1] == 3.5));
            assert!(view.normals().iter().all(|normal| *normal == [0.0, 1.0, 0.0]));
            let place = format!("chunk ({}, {}) at level {} of the world", key.x, key.z, key.lod);
            let line = reports.iter().find(|report| report.contains(&place)).expect("a report");
            assert!(line.contains("seed 2026") && line.contains("a planted "), "{line}");
        } else {
            assert!(!chunk.is_placeholder());
            world.build(*key, &mut buffers, &mut scratch).expect("it exists");
            assert_eq!(view.positions(), buffers.view().positions(), "{key:?}");
            assert_eq!(view.normals(), buffers.view().normals(), "{key:?}");
        }
    }
    assert_eq!(reports.len(), failed, "one report a placeholder");
    assert_eq!(failed > 0, how != How::PanicOnce);
    drop((ready, stream));
    for pool in pools {
        assert_eq!(pool.free(), pool.capacity(), "memory that did not come back");
    }
}

#[test]
fn a_stage_that_fails_costs_one_chunk() {
    let order = order();
    let [first, middle, last] = [order[0], order[order.len() / 2], order[order.len() - 1]];
    for stage in &STAGES {
        for how in [How::PanicOnce, How::PanicAlways, How::Error] {
            fails(stage.name, how, 2, move |key| key == first);
            fails(stage.name, how, 1, move |key| key == middle);
            fails(stage.name, how, 1, move |key| key == last);
            fails(stage.name, how, 0, |key| key.x < 0);
        }
    }
}

/// The chunks of a stream in the order in which they are built.
fn order() -> Vec<ChunkKey> {
    let mut order = Vec::new();
    let mut stream = open(&world(), 0, None);
    stream.set_viewers(&[viewer()]).expect("one viewer");
    stream.flush(|event| {
        if let StreamEvent::Ready(chunk) = event {
            order.push(chunk.id().key);
        }
    });
    order
}

/// The version says which of two is drawn, also when the newer one is a placeholder.
#[test]
fn an_edited_chunk_that_fails_takes_the_place_of_the_one_that_is_drawn() {
    let bad = ChunkKey { lod: 0, x: 0, z: 0 };
    let broken = Arc::new(AtomicBool::new(false));
    let fault: Fault = Box::new({
        let broken = Arc::clone(&broken);
        move |_, key, _| {
            let fails = key == bad && broken.load(Ordering::Relaxed);
            if fails { Err(Stop::Failed("a planted error".to_owned())) } else { Ok(()) }
        }
    });
    let mut stream = open(&world(), 1, Some(fault));
    run(&mut stream);
    let mut drawn: BTreeSet<ChunkId> = stream.drawn().map(|(chunk, _)| chunk.id()).collect();
    let before = *drawn.iter().find(|id| id.key == bad).expect("it is drawn");
    for (is_broken, by_m) in [(true, 1.0), (false, 2.0)] {
        broken.store(is_broken, Ordering::Relaxed);
        let brush =
            Brush { center: viewer().position, shape: BrushShape::Circle { radius_m: 2.0 }, falloff_m: 0.0 };
        let _ = stream.edit(&Edit { brush, op: EditOp::Raise { by_m } }).expect("room");
        stream.flush(|event| match event {
            StreamEvent::Ready(chunk) => assert!(!drawn.contains(&chunk.id()), "{:?} is drawn", chunk.id()),
            StreamEvent::Swap(swap) => {
                assert!(swap.hide.iter().all(|id| drawn.remove(id)));
                assert!(swap.show.iter().all(|id| drawn.insert(*id)));
            }
            StreamEvent::Retired(id) => assert!(!drawn.contains(&id), "{id:?} is drawn"),
            _ => {}
        });
        let now = drawn.iter().find(|id| id.key == bad).expect("it is drawn");
        assert!(now.version > before.version);
        let is_placeholder = stream.drawn().any(|(chunk, _)| chunk.id() == *now && chunk.is_placeholder());
        assert_eq!(is_placeholder, is_broken);
    }
}

#[test]
fn a_poll_without_work_looks_at_no_clock() {
    struct Counting(std::sync::atomic::AtomicU64);
    impl terrane_jobs::Clock for Counting {
        fn now_ns(&self) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed)
        }
    }
    for threads in [0, 1] {
        let clock = Arc::new(Counting(0.into()));
        let settings = StreamSettings { levels: 2, threads: Some(threads), ..StreamSettings::default() };
        let mut stream =
            Streamer::open(world(), settings, Arc::<Counting>::clone(&clock) as _).expect("valid");
        stream.set_viewers(&[viewer()]).expect("one viewer");
        stream.flush(|_| {});
        // The worker that went to sleep may still have looked.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let (before, polls) = (clock.0.load(Ordering::Relaxed), stream.stats().polls);
        for _ in 0..1000 {
            stream.set_viewers(&[viewer()]).expect("one viewer");
            let polled = stream.poll(Budget::of_ms(2.0), |_| panic!("nothing is due"));
            assert_eq!((polled.items, polled.more), (0, false));
        }
        assert_eq!((clock.0.load(Ordering::Relaxed), stream.stats().polls), (before, polls));
    }
}

/// Also when no poll has time for more than one event, all comes; and each says that there is more.
#[test]
fn budgets_of_less_than_an_event_are_enough() {
    let clock = Arc::new(ManualClock::new());
    let settings = StreamSettings { levels: 3, threads: Some(0), ..StreamSettings::default() };
    let mut stream =
        Streamer::open(world(), settings, Arc::<ManualClock>::clone(&clock) as _).expect("valid");
    stream.set_viewers(&[viewer()]).expect("one viewer");
    let budget = Budget { time_ns: Some(100), ..Budget::UNLIMITED };
    let mut polls = 0;
    while !stream.is_settled() {
        // Every event costs more than a poll has.
        let mut events = 0;
        let polled = stream.poll(budget, |_| {
            clock.advance_ns(150);
            events += 1;
        });
        assert!(events <= 1 && polled.overrun_ns <= 50, "{events} events, {polled:?}");
        assert!(polled.more || stream.is_settled(), "{polled:?} after {polls} polls");
        polls += 1;
    }
    assert!(polls > 50);
}

#[test]
fn a_viewer_beyond_the_last_sample_is_refused_and_the_others_stay() {
    let mut stream = open(&world(), 0, None);
    run(&mut stream);
    let drawn = stream.stats().drawn;
    let mut far = viewer();
    far.position.x.index = 1 << 60;
    let refused = stream.set_viewers(&[far]).expect_err("beyond");
    assert_eq!(refused, ViewersError::TooFar { viewer: 0, sample: [1 << 60, 5] });
    assert_eq!(stream.flush(|_| panic!("nothing has changed")), Flushed::Settled);
    assert_eq!(stream.stats().drawn, drawn);
}

/// Built ahead, its result not looked at yet, and then wanted: it is not asked for a second time.
#[test]
fn what_lies_there_when_it_is_wanted_is_not_built_again() {
    let mut stream = open(&world(), 1, None);
    let ahead = (100.0 / stream.world.sample_spacing_m()) as i64;
    let at = |x| Viewer {
        velocity_m_s: [200.0, 0.0],
        ..Viewer::at(Position::from_samples([x, 5]).expect("near"))
    };
    let idle = |stream: &Streamer| {
        while stream.scheduler.counts().waiting + stream.scheduler.counts().admitted > 0 {
            std::thread::yield_now();
        }
    };
    stream.set_viewers(&[viewer()]).expect("one viewer");
    let mut ready = 0;
    let mut count = |event: StreamEvent<'_>| ready += u64::from(matches!(event, StreamEvent::Ready(_)));
    assert_eq!(stream.flush(&mut count), Flushed::Settled);
    stream.set_viewers(&[at(5)]).expect("one viewer");
    stream.plan();
    idle(&stream);
    let untaken = stream.scheduler.finished_len();
    stream.set_viewers(&[at(5 + ahead)]).expect("one viewer");
    stream.plan();
    assert_eq!(stream.flush(&mut count), Flushed::Settled);
    idle(&stream);
    let stats = stream.stats();
    assert!(untaken > 0 && ready > 0);
    assert_eq!(stats.jobs.delivered, ready + stats.ahead as u64, "{untaken} lay there; {stats:?}");
}

#[cfg(feature = "save")]
#[test]
fn a_save_that_fails_is_told_through_the_stream() {
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    use crate::edits::{Brush, BrushShape, Edit, EditOp};
    use crate::save::Save;
    use crate::save::flaky::{Flaky, Switches};

    let folder = tempfile::tempdir().expect("a folder");
    let (path, away) = (folder.path().join("a"), folder.path().join("away"));
    let (world, switches) = (world(), Switches::default());
    let mut stream = open(&world, 1, None);
    let save = Save::open_on(Flaky::new(&switches), &path, &world);
    assert!(stream.attach_save(save).expect("of this world").is_none());
    std::fs::rename(&path, &away).expect("moved");
    switches.is_broken.store(true, Ordering::Relaxed);
    let brush =
        Brush { center: viewer().position, shape: BrushShape::Circle { radius_m: 4.0 }, falloff_m: 0.0 };
    let edited = stream.edit(&Edit { brush, op: EditOp::Raise { by_m: 1.0 } }).expect("room");
    let (begun, mut told, mut is_saved) = (Instant::now(), Vec::new(), false);
    while !is_saved {
        let before = told.len();
        stream.poll(terrane_jobs::Budget::UNLIMITED, |event| match event {
            StreamEvent::SaveFailed(error) => told.push(error.to_string()),
            StreamEvent::Saved(id) => is_saved = id == edited.id,
            _ => {}
        });
        if before == 0 && !told.is_empty() {
            // Nobody asks for the next attempt.
            std::fs::rename(&away, &path).expect("moved back");
        }
        assert!(begun.elapsed().as_secs() < 30, "{told:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!told.is_empty() && told[0].contains("cannot write edits"), "{told:?}");
    stream.detach_save().expect("attached").close().expect("written");
}

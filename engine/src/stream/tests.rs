//! Streams whose jobs fail: one bad chunk costs one chunk.

use std::collections::BTreeMap;
use std::sync::Arc;

use terrane_jobs::{Column, ManualClock, Pool, Stop};

use crate::buffers::{ChunkBuffers, FieldColumn, FieldFormat};
use crate::stream::work::Fault;
use crate::stream::{FieldOutput, Flushed, Levels, Outputs, StreamEvent, StreamSettings, Streamer, Viewer};
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
    let fields = vec![FieldOutput { column, levels: Levels::ALL }];
    let outputs = Outputs { fields, ..Outputs::default() };
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
fn fails(stage: &'static str, how: How, threads: usize, bad: fn(ChunkKey) -> bool) {
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
    for stage in &STAGES {
        for how in [How::PanicOnce, How::PanicAlways, How::Error] {
            // The first that is built, one in the middle, all on one side.
            fails(stage.name, how, 2, |key| key == ChunkKey { lod: 2, x: 0, z: 0 });
            fails(stage.name, how, 1, |key| key.lod == 0 && (key.x, key.z) == (1, -1));
            fails(stage.name, how, 0, |key| key.x < 0);
        }
    }
}

#[test]
fn a_poll_without_work_looks_at_no_clock() {
    struct Counting(std::sync::atomic::AtomicU64);
    impl terrane_jobs::Clock for Counting {
        fn now_ns(&self) -> u64 {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
        }
    }
    let clock = Arc::new(Counting(0.into()));
    let settings = StreamSettings { levels: 2, threads: Some(1), ..StreamSettings::default() };
    let mut stream = Streamer::open(world(), settings, Arc::<Counting>::clone(&clock) as _).expect("valid");
    stream.set_viewers(&[viewer()]).expect("one viewer");
    stream.flush(|_| {});
    // The worker that went to sleep may still have looked.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let before = clock.0.load(std::sync::atomic::Ordering::Relaxed);
    for _ in 0..1000 {
        stream.set_viewers(&[viewer()]).expect("one viewer");
        let polled = stream.poll(terrane_jobs::Budget::of_ms(2.0), |_| panic!("nothing is due"));
        assert_eq!(polled.items, 0);
    }
    assert_eq!(clock.0.load(std::sync::atomic::Ordering::Relaxed), before);
}

//! Streams as a host sees them: no hole, no overlap, the right bytes, on any number of threads.
#![cfg(all(feature = "config", feature = "threads"))]

mod stream_kit;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use stream_kit::{Host, Random, Watchdog, viewer, world};
use terrane::buffers::{ColumnKind, FieldColumn, FieldFormat, FieldValues};
use terrane::{
    Budget, ChunkBuffers, FieldOutput, Flushed, Levels, Outputs, ScreenError, StreamError, StreamEvent,
    StreamSettings, Streamer, SystemClock, Viewer, World, WorldConfig,
};
use terrane_jobs::{Band, Cell, Priority, StageId};

fn settings(levels: u8, threads: usize) -> StreamSettings {
    StreamSettings { levels, threads: Some(threads), ..StreamSettings::default() }
}

fn open(world: &World, settings: StreamSettings) -> Streamer {
    Streamer::open(world.clone(), settings, Arc::new(SystemClock::new())).expect("the settings are valid")
}

/// Where viewers go.
#[derive(Clone, Copy, Debug)]
enum Path {
    Walk,
    Fly,
    Teleport,
    All,
}

/// Moves viewers a step along a path; steps of all kinds and viewers that come and go, where the path is `All`.
fn step(path: Path, at: &mut Vec<[i64; 2]>, random: &mut Random, viewers_max: usize) {
    let path = match (path, random.below(10)) {
        (Path::All, 0) => Path::Teleport,
        (Path::All, 1..=4) => Path::Fly,
        (Path::All, _) => Path::Walk,
        (path, _) => path,
    };
    if viewers_max > 1 && random.below(20) == 0 {
        if at.len() < viewers_max {
            at.push([random.around(2000), random.around(2000)]);
        } else {
            at.pop();
        }
    }
    for at in at.iter_mut() {
        let by = match path {
            Path::Walk => 6,
            Path::Fly | Path::All => 80,
            Path::Teleport => {
                let reach = if random.below(2) == 0 { 1_000_000 } else { 600 };
                *at = [random.around(reach), random.around(reach)];
                continue;
            }
        };
        *at = [at[0] + random.around(by), at[1] + random.around(by)];
    }
}

fn viewers(at: &[[i64; 2]], random: &mut Random) -> Vec<Viewer> {
    let moving =
        |[x, z]: &[i64; 2]| Viewer { velocity_m_s: [random.around(300) as f32, 40.0], ..viewer(*x, *z) };
    at.iter().map(moving).collect()
}

/// Frames along a path with small budgets; judged after every event.
fn run(preset: &str, path: Path, levels: u8, threads: usize, frames: usize, seed: u64) {
    let world = world(preset);
    let viewers_max = 2;
    let mut stream = open(&world, StreamSettings { viewers_max, ..settings(levels, threads) });
    let mut host = Host::new(&world, levels);
    host.compare_one_in = 17;
    let mut random = Random(seed);
    let mut at = vec![[0, 0]];
    stream.set_viewers(&viewers(&at, &mut random)).expect("as many as agreed");
    stream.flush(|event| host.take(event));
    assert!(host.ready > 0);
    for _ in 0..frames {
        step(path, &mut at, &mut random, viewers_max);
        stream.set_viewers(&viewers(&at, &mut random)).expect("as many as agreed");
        let items = Some(random.below(6) as u32);
        stream.poll(Budget { items, ..Budget::UNLIMITED }, |event| host.take(event));
    }
    stream.set_viewers(&viewers(&at, &mut random)).expect("as many as agreed");
    assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled, "{}", stream.dump());
    host.check();
    let drawn = stream.drawn().map(|(chunk, mask)| (chunk.id().key, (chunk.id().version, mask)));
    assert_eq!(drawn.collect::<BTreeMap<_, _>>(), host.drawn);
    assert_eq!(host.held.len(), host.drawn.len(), "what is not drawn is retired");
    assert!(host.failures.is_empty(), "{:?}", host.failures);
}

#[test]
fn walks_flights_and_teleports_never_show_a_hole() {
    for (seed, path) in [(1, Path::Walk), (2, Path::Fly), (3, Path::Teleport), (4, Path::All)] {
        for threads in [0, 1, 3] {
            run("hills", path, 4, threads, 200, seed);
        }
    }
}

#[test]
fn finite_worlds_and_single_levels_stream_too() {
    run("island", Path::All, 4, 2, 200, 5);
    run("island", Path::Walk, 1, 2, 60, 6);
    run("dunes", Path::All, 1, 0, 60, 7);
    run("hills", Path::All, 7, 2, 120, 8);
}

/// A run in which every frame waits for all that it wants: sum over delivered chunks, and over what is drawn in the end.
fn lockstep(world: &World, threads: usize, yields: bool) -> (u128, u128, u64) {
    let mut stream = open(world, settings(4, threads));
    let mut host = Host::new(world, 4);
    let mut random = Random(99);
    let mut at = vec![[0, 0]];
    for frame in 0..40 {
        let path = if frame % 13 == 12 { Path::Teleport } else { Path::Fly };
        step(path, &mut at, &mut random, 1);
        stream.set_viewers(&viewers(&at, &mut random)).expect("one viewer");
        if yields {
            // Other orders: some frames begin with a poll, the workers lose their turn.
            stream.poll(Budget { items: Some(frame % 4), ..Budget::UNLIMITED }, |event| host.take(event));
            std::thread::yield_now();
        }
        assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled);
    }
    (host.digest, host.drawn_digest(), host.ready)
}

#[test]
fn a_lockstep_run_gives_one_digest_on_any_number_of_threads() {
    let world = world("hills");
    let want = lockstep(&world, 0, false);
    assert!(want.2 > 1000, "{want:?}");
    for threads in [1, 2, 5] {
        assert_eq!(lockstep(&world, threads, false), want, "{threads} threads");
        assert_eq!(lockstep(&world, threads, true), want, "{threads} threads, yielding");
    }
    let other = World::open(WorldConfig { seed: 1, ..world.config().clone() }).expect("valid");
    assert_ne!(lockstep(&other, 2, false).0, want.0);
}

#[test]
fn every_chunk_is_what_the_world_builds() {
    for preset in ["weathered", "frost", "island"] {
        let world = world(preset);
        let outputs = ColumnKind::ALL
            .iter()
            .fold(Outputs::none(), |outputs, (kind, ..)| outputs.with(*kind, Levels::ALL));
        let mut stream = open(&world, StreamSettings { outputs, ..settings(5, 2) });
        let mut host = Host::new(&world, 5);
        host.compare_one_in = 1;
        for at in [[0, 0], [300, -40], [4000, 4000]] {
            stream.set_viewers(&[viewer(at[0], at[1])]).expect("one viewer");
            assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled);
        }
    }
}

#[test]
fn named_fields_come_as_columns_of_the_levels_that_ask_for_them() {
    let world = world("woods");
    let field = world.field_names().position(|name| name == "temperature").expect("woods have one");
    let output =
        |format, from, to| FieldOutput { column: FieldColumn { field, format }, levels: Levels { from, to } };
    let fields = vec![
        output(FieldFormat::F32, 0, 0),
        output(FieldFormat::Unorm8, 0, 2),
        output(FieldFormat::Unorm16, 1, 3),
    ];
    let mut outputs = Outputs::default().without(ColumnKind::Positions).without(ColumnKind::Colors);
    outputs.fields = fields;
    let mut stream = open(&world, StreamSettings { outputs, ..settings(4, 2) });
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    let (bounds, mut seen) = (world.field_bounds(field), [0; 3]);
    stream.flush(|event| {
        let StreamEvent::Ready(chunk) = event else { return };
        let (view, lod) = (chunk.view(), chunk.id().key.lod);
        assert!(view.positions().is_empty() && view.colors().is_empty() && !view.normals().is_empty());
        let formats: Vec<_> = (0..3).map_while(|column| view.field(column)).collect();
        assert_eq!(formats.len(), [2, 2, 2, 1][usize::from(lod)], "level {lod}");
        let (side, [x, z], stride) = (view.side(), view.origin_sample(), 1 << lod);
        for (column, values) in formats {
            for i in (0..side * side).step_by(7) {
                let at = |index: i64, by: usize| index + by as i64 * stride;
                let position =
                    terrane::Position::from_samples([at(x, i % side), at(z, i / side)]).expect("near");
                let want = world.field_at(column.field, position);
                let share = f64::from(want - bounds.low) / f64::from(bounds.high - bounds.low);
                match values {
                    FieldValues::F32(values) => {
                        seen[0] += 1;
                        assert_eq!(values[i].to_bits(), want.to_bits());
                    }
                    FieldValues::Unorm8(values) => {
                        seen[1] += 1;
                        assert!(
                            (f64::from(values[i]) - share * 255.0).abs() < 0.501,
                            "{} {share}",
                            values[i]
                        );
                    }
                    FieldValues::Unorm16(values) => {
                        seen[2] += 1;
                        assert!(
                            (f64::from(values[i]) - share * 65_535.0).abs() < 0.51,
                            "{} {share}",
                            values[i]
                        );
                    }
                }
            }
        }
    });
    assert!(seen.iter().all(|seen| *seen > 100), "{seen:?}");
}

#[test]
fn a_callback_that_panics_loses_its_event_and_nothing_else() {
    let world = world("hills");
    let mut stream = open(&world, settings(4, 2));
    let mut host = Host::new(&world, 4);
    let mut random = Random(5);
    let mut panics = 0;
    for _ in 0..60 {
        let at = [random.around(900), random.around(900)];
        stream.set_viewers(&[viewer(at[0], at[1])]).expect("one viewer");
        let mut left = random.below(9);
        let polled = catch_unwind(AssertUnwindSafe(|| {
            stream.flush(|event| {
                // The host takes it, then fails.
                host.take(event);
                if left == 0 {
                    panic!("a host's own bug");
                }
                left -= 1;
            })
        }));
        panics += usize::from(polled.is_err());
    }
    assert!(panics > 10, "{panics}");
    assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled);
    host.check();
}

#[test]
fn less_memory_than_the_least_is_refused_and_the_least_is_enough() {
    let world = world("hills");
    let asked = settings(4, 2);
    let plan = Streamer::plan_memory(&world, &asked).expect("valid");
    assert!(plan.bytes_min < plan.bytes_no_recompute);
    assert_eq!(plan.bytes, plan.rows.iter().map(|row| row.bytes()).sum::<u64>());
    let with = |bytes: u64| StreamSettings { bytes_max: Some(bytes), ..asked.clone() };
    let refused = Streamer::plan_memory(&world, &with(plan.bytes_min - 1)).expect_err("too little");
    let StreamError::Memory(error) = &refused else { panic!("{refused}") };
    assert_eq!(error.bytes_min, plan.bytes_min);
    assert!(refused.to_string().contains(&plan.bytes_min.to_string()), "{refused}");

    let stream = ten_thousand_chunks(&world, with(plan.bytes_min));
    assert!(stream.memory().bytes <= plan.bytes_min);
    assert_eq!(stream.memory().prefetch_max, 0);
}

#[test]
fn as_much_memory_as_asked_for_gives_up_nothing() {
    let world = world("hills");
    let asked = settings(4, 2);
    let plan = Streamer::plan_memory(&world, &asked).expect("valid");
    let stream = ten_thousand_chunks(
        &world,
        StreamSettings { bytes_max: Some(plan.bytes_no_recompute), ..asked.clone() },
    );
    let memory = stream.memory();
    let given = (memory.swaps_max, memory.prefetch_max, memory.held_max, memory.edited_max);
    assert_eq!(given, (asked.swaps_max, asked.prefetch_max, asked.held_max, asked.edited_max));
    assert_eq!(stream.stats().jobs.recomputes, 0);
}

/// Ten thousand chunks under a watchdog.
fn ten_thousand_chunks(world: &World, settings: StreamSettings) -> Streamer {
    let mut stream = open(world, settings);
    let (mut host, mut watchdog) = (Host::new(world, 4), Watchdog::new());
    let (mut random, mut at) = (Random(8), vec![[0, 0]]);
    let begun = Instant::now();
    while host.ready < 10_000 {
        step(Path::All, &mut at, &mut random, 1);
        stream.set_viewers(&viewers(&at, &mut random)).expect("one viewer");
        watchdog.settle(&mut stream, &mut host);
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "{} chunks so far, {}",
            host.ready,
            stream.dump()
        );
    }
    let stats = stream.stats();
    assert!(stats.bytes_peak <= stats.bytes);
    stream
}

/// A scheduler without threads that nobody pumps stands still; one that is pumped does not.
#[test]
fn the_watchdog_finds_a_scheduler_that_stands_still() {
    let look = |pumped: bool| {
        let mut scheduler = stream_kit::squares(0);
        scheduler.update(|targets| {
            for x in 0..10 {
                let cell = Cell { stage: StageId(0), level: 0, x, z: 0 };
                let asked = targets.request(cell, 1, Priority { band: Band::Normal, distance: 0 });
                asked.expect("there is room");
            }
        });
        let mut watchdog = Watchdog::new();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(1500) {
            if pumped {
                scheduler.pump(|_, _| true);
                let _ = scheduler.try_finished();
            }
            watchdog.look(&scheduler.counts(), || scheduler.dump());
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    look(true);
    let found = catch_unwind(AssertUnwindSafe(|| look(false))).expect_err("nobody pumps");
    let said = found.downcast_ref::<String>().expect("a text");
    assert!(said.contains("jobs could run") && said.contains("square level 0 (9, 0)"), "{said}");
}

#[test]
fn a_host_that_polls_nothing_stops_the_workers() {
    let world = world("hills");
    let mut stream = open(&world, settings(5, 2));
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    // One poll orders the first chunks; then the host stalls.
    stream.poll(Budget { items: Some(0), ..Budget::UNLIMITED }, |_| {});
    let begun = Instant::now();
    while stream.stats().jobs.running + stream.stats().jobs.waiting > 0 {
        assert!(begun.elapsed() < Duration::from_secs(30), "{}", stream.dump());
        std::thread::yield_now();
    }
    let before = stream.stats();
    std::thread::sleep(Duration::from_millis(100));
    let after = stream.stats();
    assert_eq!((before.jobs.delivered, before.bytes_peak), (after.jobs.delivered, after.bytes_peak));
    assert!(after.jobs.delivered as usize <= 4 * stream.memory().swaps_max);
    let mut host = Host::new(&world, 5);
    assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled);
}

#[test]
fn handles_outlive_retirement_and_the_stream() {
    let world = world("hills");
    let mut stream = open(&world, StreamSettings { held_max: 4, ..settings(3, 1) });
    let mut kept = Vec::new();
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    stream.flush(|event| {
        if let StreamEvent::Ready(chunk) = event
            && kept.len() < 4
        {
            kept.push(chunk.clone());
        }
    });
    stream.set_viewers(&[viewer(1 << 30, 0)]).expect("one viewer");
    assert_eq!(stream.flush(|_| {}), Flushed::Settled);
    drop(stream);
    let (mut buffers, mut scratch) = (ChunkBuffers::new(16), world.scratch());
    for chunk in kept {
        world.build(chunk.id().key, &mut buffers, &mut scratch).expect("it exists");
        assert_eq!(chunk.view().positions(), buffers.view().positions());
    }
}

#[test]
fn a_host_that_holds_too_much_is_told_and_can_go_on() {
    let world = world("hills");
    let mut stream = open(&world, StreamSettings { held_max: 4, prefetch_max: 0, ..settings(3, 2) });
    let mut kept = Vec::new();
    let mut starved = 0;
    for x in 0..30 {
        stream.set_viewers(&[viewer(x << 20, 0)]).expect("one viewer");
        loop {
            let flushed = stream.flush(|event| {
                if let StreamEvent::Ready(chunk) = event {
                    kept.push(chunk.clone());
                }
            });
            match flushed {
                Flushed::Starved => {
                    starved += 1;
                    kept.clear();
                }
                Flushed::Settled => break,
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(starved > 0);
}

#[test]
fn after_a_teleport_near_chunks_come_first_and_far_ones_never() {
    // With a backlog of which nothing has started, and with whatever the worker got done.
    for is_paused in [true, false] {
        let world = world("hills");
        let mut stream = open(&world, settings(6, 1));
        stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
        if is_paused {
            stream.pause();
        }
        stream.poll(Budget { items: Some(0), ..Budget::UNLIMITED }, |_| {});
        let there = 50_000_000;
        stream.set_viewers(&[viewer(there, 0)]).expect("one viewer");
        stream.resume();
        let mut ready = Vec::new();
        assert_eq!(
            stream.flush(|event| {
                if let StreamEvent::Ready(chunk) = event {
                    ready.push(chunk.id().key);
                }
            }),
            Flushed::Settled
        );
        let is_far = |key: &terrane::ChunkKey| (key.x << key.lod) * 16 < there / 2;
        assert_eq!(ready.iter().filter(|key| is_far(key)).count(), 0, "chunks of the place that was left");
        let stats = stream.stats();
        assert!(!is_paused || stats.jobs.cancelled > 0, "{stats:?}");
        // Only what was running when the viewer left may have been built for nothing.
        assert!(stats.jobs.discarded <= 1, "{stats:?}");
    }
}

#[test]
fn stopped_from_a_callback_it_says_no_more() {
    let world = world("hills");
    for threads in [0, 2] {
        let mut stream = open(&world, settings(4, threads));
        stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
        let stopper = stream.stopper();
        let mut events = 0;
        let flushed = stream.flush(|_| {
            events += 1;
            if events == 7 {
                stopper.stop();
            }
        });
        assert_eq!((flushed, events), (Flushed::Stopped, 7));
        let polled = stream.poll(Budget::UNLIMITED, |_| panic!("an event after the end"));
        assert!(polled.stopped);
        let begun = Instant::now();
        drop(stream);
        assert!(begun.elapsed() < Duration::from_secs(1));
    }
}

#[test]
fn paused_it_builds_nothing_and_tells_what_is_there() {
    let world = world("hills");
    let mut stream = open(&world, settings(4, 2));
    stream.pause();
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    assert_eq!(stream.flush(|_| panic!("nothing is there")), Flushed::Paused);
    assert_eq!(stream.stats().jobs.delivered, 0);
    stream.resume();
    assert_eq!(stream.flush(|_| {}), Flushed::Settled);
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let world = world("hills");
    let ok = StreamSettings::default();
    for (settings, want) in [
        (StreamSettings { levels: 0, ..ok.clone() }, "levels: found 0, expected a whole number from 1 to 16"),
        (
            StreamSettings { swaps_max: 1, ..ok.clone() },
            "swaps_max: found 1, expected a whole number from 2 to 1024",
        ),
        (
            StreamSettings { viewers_max: 0, ..ok.clone() },
            "viewers_max: found 0, expected a whole number from 1 to 64",
        ),
        (
            StreamSettings { prefetch_s: f64::NAN, ..ok.clone() },
            "prefetch_s: found NaN, expected a number of seconds from 0 to 60",
        ),
        (
            StreamSettings { split_factor: 0.5, ..ok.clone() },
            "split_factor: found 0.5, expected a number from 1 to 1000",
        ),
        (
            StreamSettings { hysteresis: -1.0, ..ok.clone() },
            "hysteresis: found -1, expected a number from 0 to 0.5, so that split_factor * (1 - hysteresis) is at least 1",
        ),
        (
            StreamSettings { hysteresis: 0.6, ..ok.clone() },
            "hysteresis: found 0.6, expected a number from 0 to 0.5, so that split_factor * (1 - hysteresis) is at least 1",
        ),
    ] {
        let error = Streamer::plan_memory(&world, &settings).expect_err(want);
        assert_eq!(error.to_string(), want);
    }
    // More chunks than can be told apart: known before anything is planned for them.
    let huge = StreamSettings { split_factor: 1000.0, ..ok.clone() };
    let refused = Streamer::plan_memory(&world, &huge).expect_err("24 million chunks").to_string();
    assert!(refused.contains("at most 4194304"), "{refused}");
    let column = FieldColumn { field: 99, format: FieldFormat::F32 };
    let outputs = Outputs::default().with_field(FieldOutput { column, levels: Levels::ALL });
    let error =
        Streamer::plan_memory(&world, &StreamSettings { outputs, ..ok.clone() }).expect_err("no such field");
    assert_eq!(
        error.to_string(),
        "outputs.fields: found field 99, expected a number below 1, the world's fields"
    );
    let mut stream = open(&world, StreamSettings { levels: 1, threads: Some(0), ..ok });
    let error = stream.set_viewers(&[viewer(0, 0), viewer(1, 1)]).expect_err("two");
    assert_eq!(error.to_string(), "2 viewers; this stream was opened for at most 1");
}

/// Where the drawn chunks are those that are wanted, a vertex on a border between levels has moved the whole way on the finer side
/// and not at all on the coarser.
#[test]
fn levels_meet_where_vertices_have_moved() {
    let world = world("hills");
    let settings = StreamSettings { split_factor: 1.6, hysteresis: 0.3, viewers_max: 2, ..settings(5, 0) };
    let mut stream = open(&world, settings);
    let (cells, spacing_m) = (i64::from(world.chunk_cells()), world.sample_spacing_m());
    let mut random = Random(11);
    let (mut borders, mut tight) = (0, f64::INFINITY);
    let mut at = [[0i64; 2]; 2];
    for step in 0..40 {
        for at in at.iter_mut().flatten() {
            *at += random.below(400) as i64 - 200;
        }
        let viewers = at.map(|[x, z]| viewer(x, z));
        stream.set_viewers(&viewers[..1 + step % 2]).expect("two at most");
        assert_eq!(stream.flush(|_| {}), Flushed::Settled);
        let viewers = &at[..1 + step % 2];
        let distance_m = |x: i64, z: i64| {
            let of = |[vx, vz]: &[i64; 2]| (x - vx).abs().max((z - vz).abs());
            viewers.iter().map(of).min().expect("one") as f64 * spacing_m
        };
        for (chunk, mask) in stream.drawn() {
            let (key, [start, end]) = (chunk.id().key, chunk.morph_distances_m().map(f64::from));
            assert!(start <= end, "{key:?}: {start} to {end}");
            let (side, [x0, z0]) = (cells * i64::from(key.stride()), key.origin(world.chunk_cells()));
            let sides = [
                [[x0, z0], [x0, z0 + side]],
                [[x0 + side, z0], [x0 + side, z0 + side]],
                [[x0, z0], [x0 + side, z0]],
                [[x0, z0 + side], [x0 + side, z0 + side]],
            ];
            for (bit, [from, to]) in sides.into_iter().enumerate() {
                let points =
                    (0..=cells).map(|i| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * i / cells));
                for [x, z] in points {
                    let d = distance_m(x, z);
                    if mask >> bit & 1 == 1 {
                        assert!(
                            d >= end,
                            "{key:?} meets a coarser one at {d} m, its vertices arrive at {end} m"
                        );
                        // The coarser one's vertices there must not have started.
                        let next = stream.drawn().find(|(other, _)| other.id().key.lod == key.lod + 1);
                        let start = f64::from(next.expect("a coarser one").0.morph_distances_m()[0]);
                        assert!(d <= start, "{key:?}: {d} m, the coarser level starts at {start} m");
                        tight = tight.min(start - d);
                        borders += 1;
                    }
                }
            }
        }
    }
    assert!(borders > 10_000 && tight < 200.0, "{borders} {tight}");
}

/// With a screen to look at, no drawn chunk has an error that shows: none that its level's bound allows, from where the viewer is.
#[test]
fn errors_that_would_show_are_split_away() {
    let world = world("hills");
    let screen = ScreenError { error_px: 24.0, height_px: 1080.0, fov_y_deg: 60.0 };
    let plain = StreamSettings { split_factor: 1.25, hysteresis: 0.2, ..settings(6, 0) };
    let drawn = |settings: StreamSettings| {
        let mut stream = open(&world, settings);
        let mut drawn = Vec::new();
        for at in [[0, 0], [700, -300], [705, -300]] {
            stream.set_viewers(&[viewer(at[0], at[1])]).expect("one viewer");
            assert_eq!(stream.flush(|_| {}), Flushed::Settled);
            let worst_px = |chunk: &terrane::ChunkHandle| {
                let (key, [x0, z0]) = (chunk.id().key, chunk.view().origin_sample());
                let side = i64::from(world.chunk_cells()) * i64::from(key.stride());
                let gap = |first: i64, at: i64| (first - at).max(at - first - side).max(0);
                let gap_m = gap(x0, at[0]).max(gap(z0, at[1])) as f64 * world.sample_spacing_m();
                // The distance from which the error is so many pixels, turned around.
                screen.distance_m(world.error_bound_m(key.lod)) / gap_m.max(1e-9) * screen.error_px
            };
            drawn.extend(
                stream.drawn().filter(|(chunk, _)| chunk.id().key.lod > 0).map(|(chunk, _)| worst_px(chunk)),
            );
        }
        (drawn.len(), drawn.into_iter().fold(0.0, f64::max))
    };
    let (_, without) = drawn(plain.clone());
    let (chunks, with) = drawn(StreamSettings { screen: Some(screen), ..plain.clone() });
    assert!(chunks > 0 && with <= screen.error_px, "{with} px");
    assert!(without > screen.error_px, "{without} px without it");
    let much = ScreenError { error_px: 0.1, ..screen };
    let refused = Streamer::plan_memory(&world, &StreamSettings { screen: Some(much), ..plain });
    let text = refused.expect_err("millions of chunks").to_string();
    assert!(
        text.starts_with("levels, split_factor, screen, viewers_max: found up to ")
            && text.contains("leaves"),
        "{text}"
    );
}

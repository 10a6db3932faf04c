//! Streams as a host sees them: no hole, no overlap, the right bytes, on any number of threads.
#![cfg(all(feature = "config", feature = "threads"))]

mod stream_kit;

use std::sync::Arc;

use stream_kit::{Host, Random, viewer, world};
use terrane::{Budget, Flushed, StreamSettings, Streamer, SystemClock, Viewer, World};

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
    assert_eq!(drawn.collect::<std::collections::BTreeMap<_, _>>(), host.drawn);
    assert_eq!(host.held.len(), host.drawn.len(), "what is not drawn is retired");
    assert!(host.failures.is_empty(), "{:?}", host.failures);
    assert!(host.ready > 0);
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

//! Chunks that are built ahead of moving viewers: there when they are wanted, told to nobody before, given up when the
//! viewer goes elsewhere. Without threads, so that a frame builds all or, paused, nothing.
#![cfg(all(feature = "config", feature = "threads"))]

mod stream_kit;

use std::sync::Arc;

use stream_kit::{Host, viewer, world};
use terrane::{Budget, Flushed, StreamSettings, Streamer, SystemClock, Viewer, World};

const LEVELS: u8 = 4;

fn open(world: &World, prefetch_max: usize) -> Streamer {
    let settings = StreamSettings {
        levels: LEVELS,
        threads: Some(0),
        prefetch_max,
        prefetch_s: 0.5,
        ..StreamSettings::default()
    };
    Streamer::open(world.clone(), settings, Arc::new(SystemClock::new())).expect("the settings are valid")
}

/// One that goes along x, by a sample a frame at 60 frames a second.
fn walker(x: i64) -> Viewer {
    Viewer { velocity_m_s: [60.0, 0.0], ..viewer(x, 7) }
}

/// How a walk went.
#[derive(Debug, Default)]
struct Walk {
    /// Frames that wanted other chunks than the one before.
    changes: u32,
    /// Of those, frames whose chunks were not all there.
    waits: u32,
    ahead_max: usize,
    /// Chunks that were built ahead and given up.
    built_for_nothing: u64,
}

/// A walk whose frames begin with a poll that cannot build anything: what it draws was there.
fn walk(prefetch_max: usize) -> Walk {
    let world = world("hills");
    let mut stream = open(&world, prefetch_max);
    let mut host = Host::new(&world, LEVELS);
    host.compare_one_in = 5;
    let mut walk = Walk::default();
    for x in 0..400 {
        stream.set_viewers(&[walker(x)]).expect("one viewer");
        if x > 0 {
            stream.pause();
            let swaps = host.swaps;
            stream.poll(Budget::UNLIMITED, |event| host.take(event));
            let waits = !stream.is_settled();
            walk.changes += u32::from(waits || host.swaps > swaps);
            walk.waits += u32::from(waits);
            stream.resume();
        }
        assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled);
        assert_eq!(host.held.len(), host.drawn.len(), "what nothing needs yet is not announced");
        walk.ahead_max = walk.ahead_max.max(stream.stats().ahead);
    }
    let stats = stream.stats();
    walk.built_for_nothing = stats.jobs.delivered - host.ready - stats.ahead as u64;
    walk
}

#[test]
fn a_walker_waits_for_nothing_that_was_built_ahead() {
    let without = walk(0);
    assert!(
        without.changes > 20 && without.waits == without.changes && without.ahead_max == 0,
        "{without:?}"
    );
    let with = walk(256);
    assert!(with.changes > 20 && with.waits == 0 && with.ahead_max > 0, "{with:?}");
    assert_eq!(with.built_for_nothing, 0, "on a straight way all that is built ahead is needed, once");
}

#[test]
fn no_more_is_built_ahead_than_there_is_room_for() {
    let little = walk(3);
    assert!(little.ahead_max == 3 && little.waits > 0, "{little:?}");
}

/// A walker who stops or turns needs other chunks, though those that are wanted now are the same.
#[test]
fn what_was_to_be_built_ahead_is_given_up_when_the_viewer_turns() {
    let world = world("hills");
    let mut stream = open(&world, 64);
    let mut host = Host::new(&world, LEVELS);
    stream.set_viewers(&[viewer(8, 8)]).expect("one viewer");
    assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled);
    assert_eq!(stream.stats().ahead, 0, "one that stands will need nothing else");
    // So that it stays at what is asked for.
    stream.pause();
    let mut ahead = |velocity_m_s: [f32; 2]| {
        let before = stream.stats();
        stream.set_viewers(&[Viewer { velocity_m_s, ..viewer(8, 8) }]).expect("one viewer");
        stream.poll(Budget::UNLIMITED, |event| panic!("{event:?}, and nothing has changed"));
        let stats = stream.stats();
        assert_eq!(stats.jobs.waiting, stats.ahead);
        (stats.ahead, (stats.jobs.cancelled - before.jobs.cancelled) as usize)
    };
    let (east, gone) = ahead([150.0, 0.0]);
    assert!(east > 0 && gone == 0, "{east} {gone}");
    assert_eq!(ahead([150.0, 0.0]), (east, 0), "going on");
    let (west, gone) = ahead([-150.0, 0.0]);
    assert!(west > 0 && gone > 0 && gone <= east, "{west} {gone}");
    assert_eq!(ahead([0.0, 0.0]), (0, west), "standing still");
}

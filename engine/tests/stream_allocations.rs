//! Once it is open, a stream allocates nothing: standing, moving, teleporting, editing. Counted over the whole process, so this
//! binary holds one test alone.
#![cfg(all(feature = "config", feature = "threads"))]

use std::alloc::System;
use std::sync::Arc;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use terrane::edits::{Brush, BrushShape, Edit, EditOp};
use terrane::{
    Budget, Flushed, Position, StreamEvent, StreamSettings, Streamer, SystemClock, Viewer, World, WorldConfig,
};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn frames(stream: &mut Streamer, frames: i64, place: impl Fn(i64) -> [i64; 2]) -> u64 {
    let mut ready = 0;
    for frame in 0..frames {
        let position = Position::from_samples(place(frame)).expect("near enough");
        let viewer = Viewer { velocity_m_s: [150.0, -20.0], ..Viewer::at(position) };
        stream.set_viewers(&[viewer]).expect("one viewer");
        stream.poll(Budget::of_ms(2.0), |event| ready += u64::from(matches!(event, StreamEvent::Ready(_))));
        if frame % 50 == 49 {
            assert_eq!(
                stream.flush(|event| ready += u64::from(matches!(event, StreamEvent::Ready(_)))),
                Flushed::Settled
            );
        }
    }
    ready
}

/// Edits in motion: of a few chunks each, now and then of many, and some that another stream would make.
fn edits(stream: &mut Streamer, count: i64) -> u64 {
    let mut ready = 0;
    for n in 0..count {
        ready += frames(stream, 3, |frame| [9 * n + frame, -4 * n]);
        let center =
            Position::from_samples([9 * n + 13 * (n % 7), 5 * (n % 11) - 4 * n]).expect("near enough");
        let radius_m = if n % 10 == 9 { 70.0 } else { 9.0 };
        let brush = Brush { center, shape: BrushShape::Circle { radius_m }, falloff_m: radius_m / 2.0 };
        let op = if n % 2 == 0 { EditOp::Raise { by_m: 2.0 } } else { EditOp::Smooth };
        let edit = Edit { brush, op };
        if n % 3 == 0 {
            let edited = stream.world().edit(&edit).expect("room");
            stream.note_edit(&edited);
        } else {
            let _ = stream.edit(&edit).expect("room");
        }
    }
    ready + frames(stream, 50, |_| [0, 0])
}

#[test]
fn nothing_allocates_once_it_is_open() {
    let region = Region::new(ALLOCATOR);
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(region.change().allocations, 1, "a counter that does not count proves nothing");

    for threads in [0, 1, 3] {
        let mut config = WorldConfig::preset("woods").expect("a preset");
        config.chunk_cells = 32;
        let world = World::open(config).expect("valid");
        let settings = StreamSettings { levels: 5, threads: Some(threads), ..StreamSettings::default() };
        let mut stream = Streamer::open(world, settings, Arc::new(SystemClock::new())).expect("valid");
        // No warm-up: all that is ever used is there when `open` returns.
        let region = Region::new(ALLOCATOR);
        let steady = frames(&mut stream, 100, |_| [5, 5]);
        let moving = frames(&mut stream, 300, |frame| [5 + 9 * frame, -4 * frame]);
        let teleports = frames(&mut stream, 100, |frame| [frame / 25 * 1_000_000, 0]);
        let edited = edits(&mut stream, 60);
        let change = region.change();
        assert!(edited > 60, "{edited}");
        assert!(steady > 0 && moving > 100 && teleports > 100, "{steady} {moving} {teleports}");
        assert_eq!((change.allocations, change.reallocations), (0, 0), "{threads} threads");
    }
}

//! Edits in streams: shown all at once, before everything else, and never half.
#![cfg(all(feature = "config", feature = "threads"))]

mod stream_kit;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use stream_kit::{Host, Random, viewer, world};
use terrane::edits::{Brush, BrushShape, Edit, EditOp};
use terrane::{
    Budget, ChunkHandle, Flushed, Position, StreamEditError, StreamEvent, StreamSettings, Streamer,
    SystemClock, World,
};

fn open(world: &World, settings: StreamSettings) -> Streamer {
    Streamer::open(world.clone(), settings, Arc::new(SystemClock::new())).expect("the settings are valid")
}

fn settings(levels: u8, threads: usize) -> StreamSettings {
    StreamSettings { levels, threads: Some(threads), edited_max: 200, ..StreamSettings::default() }
}

fn edit(x: i64, z: i64, radius_m: f64, op: EditOp) -> Edit {
    let center = Position::from_samples([x, z]).expect("near enough");
    Edit { brush: Brush { center, shape: BrushShape::Circle { radius_m }, falloff_m: radius_m / 2.0 }, op }
}

fn any_op(random: &mut Random) -> EditOp {
    match random.below(5) {
        0 => EditOp::Raise { by_m: 3.0 },
        1 => EditOp::Lower { by_m: 5.5 },
        2 => EditOp::Flatten,
        3 => EditOp::Set { height_m: 12.25 },
        _ => EditOp::Smooth,
    }
}

/// Everything that is drawn is what the world builds now.
fn compare_all(stream: &Streamer, host: &mut Host) {
    let drawn: Vec<ChunkHandle> = stream.drawn().map(|(chunk, _)| chunk.clone()).collect();
    for chunk in &drawn {
        host.compare(chunk);
    }
}

#[test]
fn edits_on_the_way_never_tear_a_border() {
    for (seed, threads) in [(1, 0), (2, 1), (3, 3)] {
        let world = world("hills").with_edit_tiles(400);
        let mut stream = open(&world, settings(4, threads));
        let mut host = Host::new(&world, 4);
        let mut random = Random(seed);
        let (mut at, mut edits) = ([0, 0], 0);
        for frame in 0..150 {
            let by = if frame % 50 == 49 { 400 } else { 12 };
            at = [at[0] + random.around(by), at[1] + random.around(by)];
            stream.set_viewers(&[viewer(at[0], at[1])]).expect("one viewer");
            if random.below(3) == 0 {
                let place = [at[0] + random.around(60), at[1] + random.around(60)];
                let radius_m = 2.0 + random.below(60) as f64;
                let edit = edit(place[0], place[1], radius_m, any_op(&mut random));
                // Some come from elsewhere, and nobody tells the stream.
                if random.below(3) == 0 {
                    let _ = world.edit(&edit).expect("room");
                } else {
                    match stream.edit(&edit) {
                        Ok(_) | Err(StreamEditError::Busy { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
                edits += 1;
            }
            let items = Some(random.below(12) as u32);
            stream.poll(Budget { items, ..Budget::UNLIMITED }, |event| {
                let is_swap = matches!(event, StreamEvent::Swap(_));
                host.take(event);
                if is_swap {
                    host.check_borders();
                }
            });
        }
        assert!(edits > 30);
        assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled, "{}", stream.dump());
        host.check_borders();
        compare_all(&stream, &mut host);
        assert_eq!(host.held.len(), host.drawn.len());
    }
}

/// A brush that is dragged: an edit in every frame, while workers are quick enough to build one between two frames.
#[test]
fn edits_in_every_frame_are_shown_as_they_come() {
    let world = world("hills").with_edit_tiles(400);
    let mut stream = open(&world, settings(4, 1));
    let mut host = Host::new(&world, 4);
    let (mut shown, mut other) = (0, 0);
    for frame in 0..120 {
        stream.set_viewers(&[viewer(4 * frame, 0)]).expect("one viewer");
        if frame > 0 {
            // Back and forth over the corner of four chunks.
            let place = edit(12 + frame % 9, 16, 6.0, EditOp::Raise { by_m: 0.25 });
            let _ = stream.edit(&place).expect("room: each is shown before the one after the next");
        }
        stream.poll(Budget::UNLIMITED, |event| {
            if let StreamEvent::Swap(swap) = &event {
                let is_edit = swap.hide.first().map(|id| id.key) == swap.show.first().map(|id| id.key);
                *(if is_edit { &mut shown } else { &mut other }) += 1;
            }
            let is_swap = matches!(event, StreamEvent::Swap(_));
            host.take(event);
            if is_swap {
                host.check_borders();
            }
        });
        // The rest of the frame: the worker finishes what it was asked for.
        while stream.stats().jobs.waiting + stream.stats().jobs.admitted > 0 {
            std::thread::yield_now();
        }
        if frame == 0 {
            stream.flush(|event| host.take(event));
        }
    }
    assert!(shown >= 55, "{shown} of 119 edits were shown");
    assert!(other >= 20, "{other} splits and merges on the way");
    assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled);
    compare_all(&stream, &mut host);
}

#[test]
fn only_what_an_edit_touches_is_built_again() {
    let world = world("hills");
    let mut stream = open(&world, settings(4, 1));
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    stream.flush(|_| {});
    // Inside of a chunk, beside its border, on its corner: all in one tile of edits.
    for (at, touched) in [([8, 8], 1), ([15, 8], 2), ([16, 16], 4)] {
        let edited = stream.edit(&edit(at[0], at[1], 0.4, EditOp::Raise { by_m: 1.0 })).expect("room");
        let rect = edited.touched.expect("it raised the ground");
        assert_eq!(rect.min, rect.max, "one sample");
        let mut ready = 0;
        stream.flush(|event| ready += usize::from(matches!(event, StreamEvent::Ready(_))));
        assert_eq!(ready, touched, "{at:?}");
    }
}

/// Little room, edits from everywhere, jumps while they wait: all is shown in the end.
#[test]
fn edits_that_wait_for_room_are_not_forgotten() {
    for seed in 1..5 {
        let world = world("hills").with_edit_tiles(400);
        let mut stream = open(&world, StreamSettings { edited_max: 5, ..settings(4, 2) });
        let mut host = Host::new(&world, 4);
        let mut random = Random(seed);
        let mut at = [0, 0];
        for frame in 0..200 {
            let by = if frame % 40 == 39 { 3000 } else { 10 };
            at = [at[0] + random.around(by), at[1] + random.around(by)];
            stream.set_viewers(&[viewer(at[0], at[1])]).expect("one viewer");
            let place = [at[0] + random.around(60), at[1] + random.around(60)];
            let edit = edit(place[0], place[1], 1.0 + random.below(40) as f64, any_op(&mut random));
            match (random.below(4), world.edits().tiles_used() < 300) {
                (0, true) => stream.note_edit(&world.edit(&edit).expect("room")),
                (1, true) => {
                    let _ = world.edit(&edit).expect("room");
                }
                (2, true) => match stream.edit(&edit) {
                    Ok(_) | Err(StreamEditError::Busy { .. } | StreamEditError::TooManyChunks { .. }) => {}
                    Err(error) => panic!("{error}"),
                },
                _ => {}
            }
            let items = Some(random.below(6) as u32);
            stream.poll(Budget { items, ..Budget::UNLIMITED }, |event| host.take(event));
        }
        assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled, "{}", stream.dump());
        host.check_borders();
        compare_all(&stream, &mut host);
        assert_eq!(stream.stats().edited, 0);
    }
}

/// A host whose chunk is one that the edit does not show would see a crack: the check finds it.
#[test]
fn a_planted_crack_is_found() {
    let world = world("hills");
    let mut stream = open(&world, settings(3, 1));
    let mut host = Host::new(&world, 3);
    stream.set_viewers(&[viewer(8, 8)]).expect("one viewer");
    stream.flush(|event| host.take(event));
    host.check_borders();
    let _ = stream.edit(&edit(16, 16, 9.0, EditOp::Raise { by_m: 2.0 })).expect("room");
    stream.flush(|event| match event {
        StreamEvent::Swap(swap) => {
            let mut part = swap.clone();
            part.hide.pop();
            part.show.pop();
            part.masks.pop();
            host.take(StreamEvent::Swap(&part));
        }
        StreamEvent::Retired(_) => {}
        other => host.take(other),
    });
    assert!(catch_unwind(AssertUnwindSafe(|| host.check_borders())).is_err());
}

#[test]
fn an_edit_at_a_corner_of_four_chunks_and_two_levels_is_one_swap() {
    let world = world("hills");
    let mut stream = open(&world, settings(4, 2));
    let mut host = Host::new(&world, 4);
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    stream.flush(|event| host.take(event));
    // Where chunks of two levels meet.
    let (fine, coarse) = (0..200)
        .map(|i| 16 * i)
        .find_map(|x| {
            let level = |x: i64| {
                let holds = |key: &&terrane::ChunkKey| {
                    let [ox, oz] = key.origin(16);
                    let side = 16 * i64::from(key.stride());
                    (ox..ox + side).contains(&x) && (oz..oz + side).contains(&0)
                };
                host.drawn.keys().find(holds).map(|key| key.lod)
            };
            (level(x - 1)? != level(x)?).then_some((x, level(x)?))
        })
        .expect("levels change somewhere");
    assert!(coarse > 0);
    let _ = stream.edit(&edit(fine, 0, 20.0, EditOp::Lower { by_m: 6.0 })).expect("room");
    let mut swaps = Vec::new();
    stream.flush(|event| {
        if let StreamEvent::Swap(swap) = event {
            swaps.push(swap.clone());
        }
        host.take(event);
    });
    let [swap] = &swaps[..] else { panic!("{} swaps", swaps.len()) };
    let levels: std::collections::BTreeSet<u8> = swap.show.iter().map(|id| id.key.lod).collect();
    assert!(levels.len() >= 2 && swap.show.len() >= 4, "{swap:?}");
    assert_eq!(swap.masks.len(), swap.show.len(), "masks stay as they are");
    host.check_borders();
    compare_all(&stream, &mut host);
}

#[test]
fn an_edit_while_much_is_loading_is_served_next() {
    let world = world("hills");
    let mut stream = open(&world, settings(6, 1));
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    stream.flush(|_| {});
    // A backlog of which nothing has started.
    stream.pause();
    stream.set_viewers(&[viewer(700, 300)]).expect("one viewer");
    stream.poll(Budget { items: Some(0), ..Budget::UNLIMITED }, |_| {});
    let edited = stream.edit(&edit(0, 0, 10.0, EditOp::Raise { by_m: 1.0 })).expect("room");
    assert!(stream.stats().jobs.waiting > 20, "{:?}", stream.stats().jobs);
    stream.resume();
    let (mut order, mut shown) = (Vec::new(), Vec::new());
    stream.flush(|event| match event {
        StreamEvent::Ready(chunk) => order.push(chunk.id()),
        // The edit's own swap shows new versions of what it hides.
        StreamEvent::Swap(swap)
            if swap.hide.first().map(|id| id.key) == swap.show.first().map(|id| id.key) =>
        {
            shown.extend_from_slice(&swap.show);
        }
        _ => {}
    });
    let last = order.iter().rposition(|id| shown.contains(id)).expect("drawn ground was edited");
    assert!(shown.len() >= 4 && last + 1 < order.len(), "{last} of {}", order.len());
    let before = order[..last].iter().filter(|id| id.version != edited.id.0).count();
    assert_eq!(before, 0, "chunks without the edit were built before it");
}

#[test]
fn an_edit_of_more_chunks_than_there_is_room_for_changes_nothing() {
    let world = world("hills");
    let mut stream = open(&world, StreamSettings { edited_max: 4, ..settings(4, 1) });
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    stream.flush(|_| {});
    let far = edit(0, 0, 300.0, EditOp::Raise { by_m: 1.0 });
    let StreamEditError::TooManyChunks { found, edited_max: 4 } = stream.edit(&far).expect_err("too many")
    else {
        panic!("another error")
    };
    assert!(found > 4);
    // One that would fit, were not another waiting.
    stream.pause();
    let _ = stream.edit(&edit(16, 16, 5.0, EditOp::Raise { by_m: 1.0 })).expect("four chunks");
    let second = edit(80, 80, 5.0, EditOp::Raise { by_m: 1.0 });
    let tiles = world.edits().tiles_used();
    assert_eq!(stream.edit(&second), Err(StreamEditError::Busy { found: 8, edited_max: 4 }));
    assert_eq!((world.edits().tiles_used(), world.edits().last_edit().0), (tiles, 1));
    stream.resume();
    stream.flush(|_| {});
    let _ = stream.edit(&second).expect("now there is room");
    stream.flush(|_| {});
    // Made elsewhere, it is shown in several swaps.
    let edited = world.edit(&far).expect("the world can");
    stream.note_edit(&edited);
    let mut swaps = 0;
    assert_eq!(
        stream.flush(|event| swaps += usize::from(matches!(event, StreamEvent::Swap(_)))),
        Flushed::Settled
    );
    assert!(swaps > 1);
    let mut host = Host::new(&world, 4);
    compare_all(&stream, &mut host);
}

#[cfg(feature = "save")]
#[test]
fn saved_edits_are_told_and_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("edits.redb");
    let first = world("hills");
    let mut stream = open(&first, settings(3, 1));
    let save = terrane::save::Save::open(&path, &first).expect("a new file");
    assert!(stream.attach_save(save).expect("of this world").is_none());
    stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
    stream.flush(|_| {});
    let mut last = 0;
    for x in 0..5 {
        last = stream.edit(&edit(7 * x, 3, 6.0, EditOp::Raise { by_m: 1.5 })).expect("room").id.0;
    }
    let mut saved = Vec::new();
    let begun = std::time::Instant::now();
    while saved.last() != Some(&last) {
        stream.poll(Budget::UNLIMITED, |event| match event {
            StreamEvent::Saved(id) => saved.push(id.0),
            StreamEvent::SaveFailed(error) => panic!("{error}"),
            _ => {}
        });
        assert!(begun.elapsed().as_secs() < 30, "{saved:?}");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(saved.is_sorted());
    drop(stream);
    let second = world("hills");
    let save = terrane::save::Save::open(&path, &second).expect("the same world");
    let at = Position::from_samples([14, 3]).expect("near");
    assert_eq!(second.height_at(at), first.height_at(at));
    drop(save);
}

#[cfg(feature = "save")]
mod with_save {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::time::{Duration, Instant};

    use terrane::edits::EditId;
    use terrane::save::Save;

    use super::*;

    /// Polls until the stream tells that an edit, or one after it, is on disk.
    fn wait_saved(stream: &mut Streamer, wanted: EditId) {
        let (begun, mut saved) = (Instant::now(), EditId(0));
        while saved < wanted {
            stream.poll(Budget::UNLIMITED, |event| match event {
                StreamEvent::Saved(id) => saved = id,
                StreamEvent::SaveFailed(error) => panic!("{error}"),
                _ => {}
            });
            assert!(begun.elapsed().as_secs() < 30, "{saved:?} is on disk, {wanted:?} is not");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// A save with edits around the origin, two of them over the same ground.
    fn written(path: &Path) -> World {
        let world = world("hills");
        let save = Save::open(path, &world).expect("a new file");
        for (x, z, op) in [
            (0, 0, EditOp::Raise { by_m: 9.0 }),
            (40, -20, EditOp::Lower { by_m: 7.0 }),
            (10, 6, EditOp::Flatten),
            (-90, 33, EditOp::Set { height_m: 14.0 }),
        ] {
            let _ = world.edit(&edit(x, z, 17.0, op)).expect("room");
        }
        save.close().expect("written");
        world
    }

    #[test]
    fn a_save_that_is_opened_late_changes_what_is_drawn() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("edits.redb");
        drop(written(&path));
        for (edited_max, threads) in [(200, 1), (4, 2)] {
            let world = world("hills");
            let mut stream = open(&world, StreamSettings { edited_max, ..settings(4, threads) });
            let mut host = Host::new(&world, 4);
            stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
            stream.flush(|event| host.take(event));
            let save = Save::open(&path, &world).expect("the same world");
            assert!(stream.attach_save(save).expect("of this world").is_none());
            // What appears from here on has the edits: all of it fits what is drawn.
            for x in (0..=160).step_by(16) {
                stream.set_viewers(&[viewer(x, 10)]).expect("one viewer");
                assert_eq!(stream.flush(|event| host.take(event)), Flushed::Settled, "{}", stream.dump());
                host.check_borders();
                compare_all(&stream, &mut host);
            }
        }
    }

    #[test]
    fn ground_that_was_loaded_has_the_versions_that_it_was_saved_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("edits.redb");
        let digests = |world: &World| {
            let mut stream = open(world, settings(4, 1));
            stream.set_viewers(&[viewer(0, 0)]).expect("one viewer");
            stream.flush(|_| {});
            let digests: BTreeMap<_, _> =
                stream.drawn().map(|(chunk, _)| (chunk.id(), chunk.digest())).collect();
            digests
        };
        let live = digests(&written(&path));
        let again = world("hills");
        let _save = Save::open(&path, &again).expect("the same world");
        let reloaded = digests(&again);
        assert!(live.keys().any(|id| id.version == 4) && live.keys().any(|id| id.version == 0));
        assert!(live == reloaded, "{live:?}\n{reloaded:?}");
    }

    #[test]
    fn edits_that_were_made_elsewhere_are_saved_when_the_stream_hears_of_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let world = world("hills");
        let mut stream = open(&world, settings(3, 1));
        let save = Save::open(folder.path().join("edits.redb"), &world).expect("a new file");
        assert!(stream.attach_save(save).expect("of this world").is_none());
        let edited = world.edit(&edit(3, 4, 6.0, EditOp::Raise { by_m: 1.0 })).expect("room");
        stream.note_edit(&edited);
        wait_saved(&mut stream, edited.id);
        // One that changes nothing is counted on disk too.
        let edited = world.edit(&edit(3, 4, 6.0, EditOp::Raise { by_m: 0.0 })).expect("room");
        assert_eq!(edited.touched, None);
        stream.note_edit(&edited);
        wait_saved(&mut stream, edited.id);
    }

    #[test]
    fn edits_from_before_a_save_is_attached_are_saved() {
        let folder = tempfile::tempdir().expect("a folder");
        let world = world("hills");
        let mut stream = open(&world, settings(3, 1));
        let save = Save::open(folder.path().join("edits.redb"), &world).expect("a new file");
        let edited = stream.edit(&edit(3, 4, 6.0, EditOp::Raise { by_m: 1.0 })).expect("room");
        assert!(stream.attach_save(save).expect("of this world").is_none());
        wait_saved(&mut stream, edited.id);
    }
    #[test]
    fn a_save_of_other_edits_is_not_attached() {
        let folder = tempfile::tempdir().expect("a folder");
        let (ours, others) = (world("hills"), world("hills"));
        let mut stream = open(&ours, settings(3, 1));
        let save = Save::open(folder.path().join("others"), &others).expect("a new file");
        let error = stream.attach_save(save).expect_err("of another store");
        assert!(error.to_string().contains("others"), "{error}");
        assert!(stream.detach_save().is_none());
        // It goes on where it was.
        let edited = others.edit(&edit(3, 4, 6.0, EditOp::Raise { by_m: 1.0 })).expect("room");
        error.save.flush().expect("written");
        assert_eq!(error.save.try_saved(), Some(edited.id));

        let path = folder.path().join("first");
        let first = Save::open(&path, &ours).expect("a new file");
        let second = Save::open(folder.path().join("second"), &ours).expect("a new file");
        assert!(stream.attach_save(first).expect("of this world").is_none());
        let before = stream.attach_save(second).expect("of this world").expect("there was one");
        assert_eq!(before.path(), path);
        let edited = stream.edit(&edit(3, 4, 6.0, EditOp::Raise { by_m: 1.0 })).expect("room");
        wait_saved(&mut stream, edited.id);
        before.close().expect("it was handed back open");
    }
}

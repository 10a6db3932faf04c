//! A disk that fails and comes back: the host is told, and nothing is lost.

use std::fs;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::super::flaky::{Flaky, Switches};
use super::*;
use crate::WorldConfig;
use crate::config::{HeightConfig, NoiseConfig, RampKey};
use crate::edits::{Brush, BrushShape, Edit, EditOp};
use crate::{Position, World};

impl Saver {
    /// Loads the file, and writes to another disk until that fails.
    fn on(disk: Flaky, path: &Path, world: &World) -> Self {
        drop(Save::open(path, world).expect("opened"));
        let Opened { identity, loaded, .. } = file::open(path, world).expect("opened");
        let database = Database::builder().set_cache_size(4 << 20).create_with_backend(disk).expect("made");
        Self {
            path: path.to_owned(),
            identity,
            database: Some(database),
            is_anew: false,
            copies: Copies::new(world.edits().tiles(), loaded.changed_by),
            saved: loaded.last,
            newest: loaded.last,
            retry: Duration::from_millis(20),
        }
    }
}

impl Save {
    /// A save on another disk; what lies at the path is opened when that disk has failed.
    pub(crate) fn open_on(disk: Flaky, path: &Path, world: &World) -> Self {
        let saver = Saver::on(disk, path, world);
        let loaded = Edited { id: saver.saved, touched: None, clamped: 0 };
        Self::start(saver, Arc::clone(world.edits()), loaded).expect("started")
    }
}

pub(in crate::save) fn world() -> World {
    let config = WorldConfig {
        seed: 5,
        generator_version: crate::config::GENERATOR_VERSION,
        sample_spacing_m: 1.0,
        chunk_cells: 16,
        fields: vec![crate::config::FieldConfig {
            name: "ground".into(),
            source: NoiseConfig { feature_m: 90.0, ..NoiseConfig::new("ground") }.into(),
        }],
        height: HeightConfig {
            field: 0,
            min_m: -10.0,
            max_m: 90.0,
            sea_level_m: 0.0,
            curve: HeightConfig::straight_curve(),
        },
        extent: None,
        ramp: RampKey::gray(-10.0, 90.0),
    };
    World::open(config).expect("a valid config")
}

fn set(world: &World, x: i64, height_m: f32) -> Position {
    let center = Position::from_samples([x, 0]).expect("in range");
    let brush = Brush { center, shape: BrushShape::Square { half_m: 3.0 }, falloff_m: 0.0 };
    let _ = world.edit(&Edit { brush, op: EditOp::Set { height_m } }).expect("a valid edit");
    center
}

fn height_at(world: &World, x: i64) -> f32 {
    world.height_at(Position::from_samples([x, 0]).expect("in range"))
}

/// A save of the world's edits `xs`, one after the other, from what the file holds; heights are 10 + x / 100.
fn played(path: &Path, xs: &[i64]) {
    let world = world();
    let save = Save::open(path, &world).expect("opened");
    for x in xs {
        set(&world, *x, 10.0 + *x as f32 / 100.0);
    }
    save.close().expect("written");
}

/// A saver whose disk has failed, with the edit that could not be written at 900.
fn failed(path: &Path, world: &World) -> Saver {
    let switches = Switches::default();
    let mut saver = Saver::on(Flaky::new(&switches), path, world);
    switches.is_broken.store(true, Ordering::Relaxed);
    set(world, 900, 19.0);
    let failure = saver.save(world.edits()).expect_err("the disk is full");
    assert_eq!(failure.kind, Some(ErrorKind::StorageFull), "{}", failure.reason);
    saver
}

#[test]
fn a_disk_that_fails_is_reported_and_written_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, world, switches) = (dir.path().join("world.save"), world(), Switches::default());
    let mut saver = Saver::on(Flaky::new(&switches), &path, &world);
    let store = world.edits();
    let first = set(&world, 0, 7.0);
    saver.save(store).expect("written to the first disk");
    assert_eq!(saver.saved, EditId(1));
    let second = set(&world, 500, 9.0);
    switches.is_broken.store(true, Ordering::Relaxed);
    let failure = saver.save(store).expect_err("the disk is full");
    assert_eq!(failure.kind, Some(ErrorKind::StorageFull), "{}", failure.reason);
    assert_eq!(saver.saved, EditId(1), "nothing is called saved that is not");
    // The next attempt opens the file again and writes everything, what the lost disk held included.
    saver.save(store).expect("written to the file");
    assert_eq!(saver.saved, EditId(2));
    drop(saver);
    let again = self::world();
    let _save = Save::open(&path, &again).expect("opened");
    assert_eq!((again.height_at(first), again.height_at(second)), (7.0, 9.0));
}

#[test]
fn an_older_copy_at_the_path_is_made_whole() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, copy) = (dir.path().join("world.save"), dir.path().join("copy"));
    played(&path, &[100]);
    fs::copy(&path, &copy).expect("copied");
    played(&path, &[300]);
    let world = world();
    let mut saver = failed(&path, &world);
    fs::rename(&copy, &path).expect("put there");
    saver.save(world.edits()).expect("written to the file");
    drop(saver);
    let again = self::world();
    let _save = Save::open(&path, &again).expect("opened");
    assert_eq!([100, 300, 900].map(|x| height_at(&again, x)), [11.0, 13.0, 19.0]);
    assert_eq!(
        (again.edits().last_edit(), again.edits().tiles_used()),
        (EditId(3), world.edits().tiles_used())
    );
}

#[test]
fn nothing_of_a_copy_that_went_another_way_is_left() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, copy) = (dir.path().join("world.save"), dir.path().join("copy"));
    played(&path, &[100]);
    fs::copy(&path, &copy).expect("copied");
    played(&copy, &[700]);
    let world = world();
    let mut saver = failed(&path, &world);
    fs::rename(&copy, &path).expect("put there");
    saver.save(world.edits()).expect("written to the file");
    drop(saver);
    let again = self::world();
    let _save = Save::open(&path, &again).expect("opened");
    assert_eq!([100, 700, 900].map(|x| height_at(&again, x)), [100, 700, 900].map(|x| height_at(&world, x)));
    assert_eq!(again.edits().tiles_used(), world.edits().tiles_used());
}

/// What is put at the path of a save whose disk has failed must be refused, and stays as it is.
fn refused(path: &Path, put: &Path, what: &str) {
    let world = world();
    let mut saver = failed(path, &world);
    fs::rename(put, path).expect("put there");
    let before = fs::read(path).expect("read");
    for _ in 0..2 {
        let failure = saver.save(world.edits()).expect_err("another file");
        assert!(failure.reason.contains(what), "{}", failure.reason);
    }
    drop(saver);
    assert!(fs::read(path).expect("read") == before, "the file was written to");
}

#[test]
fn another_file_at_the_path_is_not_written_to() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, other) = (dir.path().join("world.save"), dir.path().join("other"));
    let config = WorldConfig { seed: 6, ..world().config().clone() };
    let other_world = World::open(config).expect("valid");
    let save = Save::open(&other, &other_world).expect("made");
    set(&other_world, 0, 5.0);
    save.close().expect("written");
    refused(&path, &other, "the seed");

    fs::remove_file(&path).expect("removed");
    played(&other, &[100]);
    refused(&path, &other, "another save of this world");

    fs::remove_file(&path).expect("removed");
    played(&path, &[100]);
    fs::copy(&path, &other).expect("copied");
    played(&other, &[200, 300, 400]);
    refused(&path, &other, "edit 4");

    fs::remove_file(&path).expect("removed");
    fs::write(&other, b"Dear diary").expect("written");
    refused(&path, &other, "Dear diar");
}

#[test]
fn the_disk_is_not_waited_for_under_the_lock_of_the_store() {
    let dir = tempfile::tempdir().expect("a folder");
    let world = world().with_edit_tiles(10_000);
    let store = Arc::clone(world.edits());
    let (looks, held) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let look = {
        let (looks, held, store) = (Arc::clone(&looks), Arc::clone(&held), Arc::clone(&store));
        move || {
            looks.store(true, Ordering::Relaxed);
            held.fetch_or(!store.is_free(), Ordering::Relaxed);
        }
    };
    let disk = Flaky::new(&Switches::default()).looking(look);
    let mut saver = Saver::on(disk, &dir.path().join("world.save"), &world);
    for x in 0..2 {
        let center = Position::from_samples([x * 2048, 0]).expect("in range");
        let brush = Brush { center, shape: BrushShape::Square { half_m: 1024.0 }, falloff_m: 0.0 };
        let _ = world.edit(&Edit { brush, op: EditOp::Raise { by_m: 1.0 } }).expect("room");
    }
    assert!(store.tiles_used() > 8000, "more than the database keeps in memory");
    saver.save(&store).expect("written");
    assert!(looks.load(Ordering::Relaxed) && !held.load(Ordering::Relaxed));
}

/// Waits for an error.
fn error_of(save: &Save) -> SaveError {
    let begun = Instant::now();
    loop {
        if let Some(error) = save.try_error() {
            return error;
        }
        assert!(begun.elapsed().as_secs() < 30, "no error");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_thread_that_ends_says_why_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let (world, switches) = (world(), Switches::default());
    let save = Save::open_on(Flaky::new(&switches), &dir.path().join("world.save"), &world);
    switches.panics.store(true, Ordering::Relaxed);
    set(&world, 0, 7.0);
    save.submit();
    let error = error_of(&save);
    assert!(error.to_string().contains("a bug in the database"), "{error}");
    std::thread::sleep(Duration::from_millis(50));
    assert!(save.try_error().is_none(), "told once");
    save.submit();
    assert!(save.try_saved().is_none());
    let error = save.close().expect_err("nothing is written any more");
    assert!(error.to_string().contains("a bug in the database"), "{error}");
}

#[test]
fn the_saver_tries_again_by_itself_and_tells_what_is_new() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, away) = (dir.path().join("world.save"), dir.path().join("away"));
    let (world, switches) = (world(), Switches::default());
    let save = Save::open_on(Flaky::new(&switches), &path, &world);
    fs::rename(&path, &away).expect("moved");
    switches.is_broken.store(true, Ordering::Relaxed);
    set(&world, 0, 7.0);
    save.submit();
    while !error_of(&save).to_string().contains("cannot open") {}
    std::thread::sleep(Duration::from_millis(200));
    assert!(save.try_error().is_none(), "the same reason again");
    save.submit();
    assert!(error_of(&save).to_string().contains("cannot open"), "somebody asked");
    fs::rename(&away, &path).expect("moved back");
    let begun = Instant::now();
    while save.try_saved() != Some(EditId(1)) {
        assert!(begun.elapsed().as_secs() < 30, "not written");
        std::thread::sleep(Duration::from_millis(1));
    }
    // Whatever failed at the very end was made good.
    assert!(save.try_error().is_none());
    save.close().expect("written");
}

#[test]
fn a_stream_of_edits_does_not_starve_the_saver() {
    let dir = tempfile::tempdir().expect("a folder");
    let world = world();
    let save = Save::open(dir.path().join("a"), &world).expect("made");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for x in 0..100 {
                    set(&world, x * 32, (x % 50) as f32);
                }
            }
        });
        for _ in 0..5 {
            save.flush().expect("written while edits go on");
        }
        done.store(true, Ordering::Relaxed);
    });
    save.close().expect("written");
}

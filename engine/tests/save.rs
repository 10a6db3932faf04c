//! The save file: what goes in comes out, and what is refused stays as it was.
#![cfg(feature = "save")]

mod kit;
#[path = "kit/script.rs"]
mod script;

use std::fs;
use std::path::{Path, PathBuf};

use kit::{config, open};
use script::{TILES, scripted, square};
use terrane::World;
use terrane::edits::{EditId, EditOp};
use terrane::save::{Save, SaveError};

fn fresh() -> World {
    open(config(32, 1.0)).with_edit_tiles(TILES)
}

fn do_edits(world: &World, edits: std::ops::RangeInclusive<u64>) {
    for n in edits {
        assert_eq!(world.edit(&scripted(n)).expect("a valid edit").id, EditId(n));
    }
}

/// A closed save of 30 edits, and its world.
fn written(dir: &Path) -> (PathBuf, World) {
    let (path, world) = (dir.join("world.save"), fresh());
    let save = Save::open(&path, &world).expect("made");
    do_edits(&world, 1..=30);
    save.close().expect("written");
    (path, world)
}

/// Opens a file that must be refused, and checks that it stays as it was.
fn refused(path: &Path, world: &World) -> SaveError {
    let before = fs::read(path).ok();
    let error = Save::open(path, world).expect_err("refused");
    assert!(fs::read(path).ok() == before, "{} was changed: {error}", path.display());
    let text = error.to_string();
    assert!(text.contains(&path.display().to_string()), "{text}");
    assert_eq!((world.edits().tiles_used(), world.edits().last_edit()), (0, EditId(0)), "nothing is loaded");
    error
}

#[test]
fn edits_come_back_and_go_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, world) = written(dir.path());
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["world.save"], "nothing is left beside the file");

    let again = fresh();
    let save = Save::open(&path, &again).expect("opened");
    assert!(square(&again) == square(&world));
    assert_eq!(again.edits().last_edit(), EditId(30));
    assert_eq!(again.edits().tiles_used(), world.edits().tiles_used());
    assert_eq!(save.try_saved(), None, "nothing is new");
    do_edits(&again, 31..=50);
    do_edits(&world, 31..=50);
    // Dropping flushes.
    drop(save);
    let third = fresh();
    let save = Save::open(&path, &third).expect("opened");
    assert!(square(&third) == square(&world));
    assert_eq!(third.edits().last_edit(), EditId(50));
    assert_eq!(save.path(), path);
}

#[test]
fn ids_are_reported_in_order_up_to_the_last() {
    let dir = tempfile::tempdir().expect("a folder");
    let world = fresh();
    let save = Save::open(dir.path().join("a"), &world).expect("made");
    let mut reports = Vec::new();
    for n in 1..=60 {
        do_edits(&world, n..=n);
        save.submit();
        reports.extend(save.try_saved());
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    while reports.last() != Some(&EditId(60)) {
        reports.extend(save.try_saved());
        assert!(save.try_error().is_none());
        std::thread::yield_now();
    }
    assert!(reports.is_sorted_by(|a, b| a < b), "{reports:?}");
    save.flush().expect("nothing to do");
    assert_eq!(save.try_saved(), None);
}

#[test]
fn an_edit_without_effect_is_counted_on_disk_too() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, world) = (dir.path().join("a"), fresh());
    let save = Save::open(&path, &world).expect("made");
    let mut edit = scripted(1);
    edit.op = EditOp::Raise { by_m: 0.0 };
    assert_eq!(world.edit(&edit).expect("valid").touched, None);
    save.close().expect("written");
    let again = fresh();
    let _save = Save::open(&path, &again).expect("opened");
    assert_eq!((again.edits().last_edit(), again.edits().tiles_used()), (EditId(1), 0));
}

#[test]
fn files_of_other_kinds_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("thing");
    let noise: Vec<u8> = (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut begins_well = b"redb\x1a\x0a\xa9\x0d\x0a".to_vec();
    begins_well.extend(&noise);
    for (bytes, found) in
        [(&b""[..], "an empty file"), (b"Dear diary,\n", "Dear diar"), (&noise, "begins with")]
    {
        fs::write(&path, bytes).unwrap();
        let error = refused(&path, &fresh());
        assert!(matches!(error, SaveError::NotASave { .. }) && error.to_string().contains(found), "{error}");
    }
    for len in [9, 10, 100, 320, 4096, begins_well.len()] {
        fs::write(&path, &begins_well[..len]).unwrap();
        let error = refused(&path, &fresh());
        assert!(matches!(error, SaveError::Damaged { .. } | SaveError::NotASave { .. }), "{len}: {error}");
    }
    let error = refused(dir.path(), &fresh());
    assert!(matches!(error, SaveError::NotAFile { .. }), "{error}");
    let error = refused(&dir.path().join("no/such/folder"), &fresh());
    assert!(matches!(error, SaveError::Io { action: "create", .. }), "{error}");
}

#[test]
fn databases_of_other_programs_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("other.redb");
    let table = redb::TableDefinition::<&str, &str>::new("songs");
    let database = redb::Database::create(&path).expect("made");
    let transaction = database.begin_write().expect("begun");
    transaction.open_table(table).expect("opened").insert("a", "b").expect("inserted");
    transaction.commit().expect("committed");
    drop(database);
    let error = refused(&path, &fresh());
    assert!(matches!(error, SaveError::NotASave { .. }), "{error}");
}

#[test]
fn other_worlds_and_versions_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, world) = written(dir.path());
    let base = config(32, 1.0);
    let mut seed = base.clone();
    seed.seed ^= 1;
    let mut curve = base.clone();
    curve.height.max_m += 1.0;
    for (config, what) in [(seed, "the seed"), (curve, "the world hash"), (config(32, 2.0), "the spacing")] {
        let error = refused(&path, &open(config));
        assert!(matches!(error, SaveError::OtherWorld { .. }) && error.to_string().contains(what), "{error}");
    }
    // Colours and chunk sizes do not make another world.
    let mut same = config(64, 1.0);
    same.ramp.pop();
    let same = open(same);
    drop(Save::open(&path, &same).expect("the same ground"));
    assert!(square(&same) == square(&world));

    let meta = redb::TableDefinition::<&str, u64>::new("terrane-meta");
    let patch = |name: &str, value: u64| {
        let database = redb::Database::open(&path).expect("opened");
        let transaction = database.begin_write().expect("begun");
        let before = transaction.open_table(meta).unwrap().insert(name, value).unwrap().unwrap().value();
        transaction.commit().expect("committed");
        before
    };
    let before = patch("generator_version", 9);
    let error = refused(&path, &fresh());
    assert!(matches!(error, SaveError::GeneratorVersion { found: 9, .. }), "{error}");
    patch("generator_version", before);
    for format in [1, 3] {
        patch("format", format);
        let error = refused(&path, &fresh());
        assert!(matches!(error, SaveError::Format { found, expected: 2, .. } if found == format), "{error}");
    }
    patch("format", 2);
    // A tile that was changed after the last edit cannot be.
    patch("last_edit", 29);
    let error = refused(&path, &fresh());
    assert!(matches!(error, SaveError::Damaged { .. }) && error.to_string().contains("edit 30"), "{error}");
}

#[test]
fn a_world_without_room_or_with_edits_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, world) = written(dir.path());
    let used = world.edits().tiles_used();
    let error = refused(&path, &fresh().with_edit_tiles(used - 1));
    assert!(
        matches!(error, SaveError::TooManyTiles { found, total, .. } if found as usize == used && total == used - 1),
        "{error}"
    );
    drop(Save::open(&path, &fresh().with_edit_tiles(used)).expect("exactly enough"));
    let before = fs::read(&path).unwrap();
    let error = Save::open(&path, &world).expect_err("edited");
    assert!(matches!(error, SaveError::NotEmpty { last: EditId(30), .. }), "{error}");
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn what_opening_did_is_told_like_an_edit() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, world) = (dir.path().join("a"), fresh());
    let save = Save::open(&path, &world).expect("made");
    assert_eq!((save.loaded().id, save.loaded().touched), (EditId(0), None));
    let rects: Vec<_> =
        (1..=4).map(|n| world.edit(&scripted(n)).expect("valid").touched.expect("some ground")).collect();
    save.close().expect("written");
    let again = fresh();
    let loaded = Save::open(&path, &again).expect("opened").loaded();
    let touched = loaded.touched.expect("tiles were loaded");
    for axis in 0..2 {
        let min = rects.iter().map(|rect| rect.min[axis]).min().expect("four");
        let max = rects.iter().map(|rect| rect.max[axis]).max().expect("four");
        let tiles = (min.div_euclid(32) * 32, max.div_euclid(32) * 32 + 31);
        assert_eq!((touched.min[axis], touched.max[axis]), tiles);
    }
    assert_eq!((loaded.id, loaded.clamped), (EditId(4), 0));
}

#[test]
fn one_save_at_a_time() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("a");
    let world = fresh();
    let save = Save::open(&path, &world).expect("made");
    let error = Save::open(&path, &fresh()).expect_err("in use");
    assert!(matches!(error, SaveError::Locked { .. }), "{error}");
    do_edits(&world, 1..=3);
    save.flush().expect("the attempt did no harm");
    drop(save);
    drop(Save::open(&path, &fresh()).expect("free again"));
}

/// Damages a file in many places: it is refused and left alone, or read in full.
fn damage(path: &Path, bytes: &[u8], world: &World, seed: u64) -> usize {
    let mut state = seed;
    let mut found = 0;
    let want = square(world);
    for _ in 0..120 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (state >> 20) as usize % bytes.len();
        // The first page often: it holds the roots. Byte 9 says which of two states counts, and nothing protects it.
        let at = if state & 7 == 0 { at % 512 } else { at };
        if at == 9 {
            continue;
        }
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 1 << (state >> 17 & 7);
        fs::write(path, &damaged).unwrap();
        let again = fresh();
        match Save::open(path, &again) {
            Ok(_) => assert!(square(&again) == want, "damage at byte {at} went unnoticed"),
            Err(error) => {
                found += 1;
                assert!(fs::read(path).unwrap() == damaged, "byte {at}: a refused file was written to");
                assert!(
                    matches!(error, SaveError::Damaged { .. } | SaveError::NotASave { .. }),
                    "byte {at}: {error}"
                );
            }
        }
    }
    found
}

#[test]
fn damage_is_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, world) = written(dir.path());
    let closed = fs::read(&path).unwrap();
    let found = damage(&path, &closed, &world, 1);
    assert!(found > 20, "{found} of 120");

    // As a killed process leaves it: a copy of the file while it is open.
    let (open_path, world) = (dir.path().join("open.save"), fresh());
    let save = Save::open(&open_path, &world).expect("made");
    do_edits(&world, 1..=20);
    save.flush().expect("written");
    do_edits(&world, 21..=30);
    save.flush().expect("written");
    let killed = fs::read(&open_path).unwrap();
    drop(save);
    fs::write(&path, &killed).unwrap();
    let again = fresh();
    drop(Save::open(&path, &again).expect("repaired"));
    assert!(square(&again) == square(&world));
    let found = damage(&path, &killed, &world, 2);
    assert!(found > 20, "{found} of 120");

    for bytes in [&closed, &killed] {
        for cut in [1, 511, 4096, bytes.len() / 2, bytes.len() - 100] {
            fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
            let error = refused(&path, &fresh());
            assert!(
                matches!(error, SaveError::Damaged { .. } | SaveError::NotASave { .. }),
                "{cut}: {error}"
            );
        }
    }
}

/// A regular file that cannot be read, though it may be opened: page 0 of a process is not there.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read_says_why() {
    let error = Save::open("/proc/self/mem", &fresh()).expect_err("no save");
    let SaveError::Io { source, .. } = &error else { panic!("{error}") };
    assert!(source.raw_os_error().is_some(), "{error}");
}

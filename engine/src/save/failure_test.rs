//! A disk that fails and comes back: the host is told, and nothing is lost.

use std::sync::atomic::{AtomicBool, Ordering};

use redb::StorageBackend;
use redb::backends::InMemoryBackend;

use super::*;
use crate::WorldConfig;
use crate::config::{HeightConfig, NoiseConfig, RampKey};
use crate::edits::{Brush, BrushShape, Edit, EditOp};
use crate::{Position, World};

/// Memory that can be told to refuse.
#[derive(Debug)]
struct Flaky {
    memory: InMemoryBackend,
    broken: Arc<AtomicBool>,
}

impl Flaky {
    fn check(&self) -> io::Result<()> {
        if self.broken.load(Ordering::Relaxed) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

impl StorageBackend for Flaky {
    fn len(&self) -> io::Result<u64> {
        self.memory.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.memory.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.check()?;
        self.memory.set_len(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.check()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.check()?;
        self.memory.write(offset, data)
    }
}

fn world() -> World {
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

#[test]
fn a_disk_that_fails_is_reported_and_written_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("world.save");
    let world = world();
    drop(Save::open(&path, &world).expect("made"));
    let broken = Arc::new(AtomicBool::new(false));
    let flaky = Flaky { memory: InMemoryBackend::new(), broken: Arc::clone(&broken) };
    let store = world.edits();
    let mut saver = Saver {
        path: path.clone(),
        database: Some(Database::builder().create_with_backend(flaky).expect("made")),
        copied: vec![0; store.tiles()],
        portion: Vec::new(),
        saved: EditId(0),
    };
    let first = set(&world, 0, 7.0);
    saver.save(store).expect("written to the first disk");
    assert_eq!(saver.saved, EditId(1));
    let second = set(&world, 500, 9.0);
    broken.store(true, Ordering::Relaxed);
    let failure = saver.save(store).expect_err("the disk is full");
    assert_eq!(failure.kind, Some(io::ErrorKind::StorageFull), "{}", failure.reason);
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

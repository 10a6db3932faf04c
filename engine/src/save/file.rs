//! The file: made whole or not at all, checked on a copy in memory, then opened.
//!
//! In: a path and a world. Out: an open database and the tiles in it. A file that is refused is not written to: opening a
//! database repairs it, so that happens over an [`Overlay`] first, with every checksum of the file verified. A file that was
//! lost and is opened again may be another one by then, and is checked in the same way. Deliberately not here: writing
//! edits (`saver.rs`).

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use redb::backends::FileBackend;
use redb::{
    Builder, Database, DatabaseError, ReadTransaction, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, TableDefinition, TableError,
};

use super::error::{Failure, SaveError};
use super::overlay::Overlay;
use super::tile_bytes::{KEY_BYTES, TILE_BYTES, decode, key_of};
use crate::World;
use crate::coords::SAMPLE_LIMIT;
use crate::edits::{EditId, TILE_CELLS, TILE_SAMPLES, TileRef};

/// The format of the file; any change of it counts up.
const FORMAT: u64 = 2;
const META: TableDefinition<'_, &str, u64> = TableDefinition::new("terrane-meta");
pub(super) const TILES: TableDefinition<'_, &[u8; KEY_BYTES], &[u8; TILE_BYTES]> =
    TableDefinition::new("terrane-tiles");
const LAST_EDIT: &str = "last_edit";
const SAVE_ID: &str = "save_id";
/// What a database file begins with.
const MAGIC: &[u8; 9] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// Pages that the database keeps in memory; saves are written, and read once.
const CACHE_BYTES: usize = 4 << 20;

/// The tiles of a file, one after the other.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    keys: Vec<[i64; 2]>,
    heights: Vec<f32>,
    present: Vec<u32>,
    /// The edit that changed each tile last.
    pub(super) changed_by: Vec<u64>,
    pub(super) last: EditId,
}

impl Loaded {
    pub(super) fn tiles(&self) -> impl ExactSizeIterator<Item = TileRef<'_>> {
        let heights = self.heights.chunks_exact(TILE_SAMPLES);
        let columns = heights.zip(self.present.chunks_exact(TILE_CELLS)).zip(&self.changed_by);
        self.keys.iter().zip(columns).map(|(key, ((heights, present), changed_by))| TileRef {
            key: *key,
            heights,
            present,
            changed_by: *changed_by,
        })
    }
}

/// Which file it is: of what world, and which of its saves. Copies of a file have the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    facts: Facts,
    save_id: u64,
}

type Facts = [(&'static str, u64); 6];

/// A file that was opened.
pub(super) struct Opened {
    pub(super) database: Database,
    pub(super) identity: Identity,
    pub(super) loaded: Loaded,
}

/// Opens a save file, and makes it if it is missing.
pub(super) fn open(path: &Path, world: &World) -> Result<Opened, SaveError> {
    if fs::metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        create(path, world)?;
    }
    let (database, (save_id, loaded)) = open_checked(path, |database| read(path, database, world))?;
    Ok(Opened { database, identity: Identity { facts: facts(world), save_id }, loaded })
}

/// Opens a file again. What lies at the path must be the same file or a copy of it, and hold no edit after `newest`.
pub(super) fn reopen(path: &Path, identity: &Identity, newest: EditId) -> Result<Database, Failure> {
    let check = |database: &Database| {
        let transaction = database.begin_read().map_err(|error| read_error(path, error.into()))?;
        let (save_id, last) = read_meta(path, &transaction, &identity.facts)?;
        if save_id != identity.save_id {
            return Err(Failure::new("the file there is another save of this world"));
        }
        if last > newest {
            let (last, newest) = (last.0, newest.0);
            let what =
                format!("the file there is a copy that went on to edit {last}, ours ends with {newest}");
            return Err(Failure::new(what));
        }
        Ok(())
    };
    open_checked(path, check).map(|(database, ())| database)
}

/// Opens a file if `check` has nothing against it. Else it stays as it is.
fn open_checked<T, E: From<SaveError>>(
    path: &Path,
    check: impl Fn(&Database) -> Result<T, E>,
) -> Result<(Database, T), E> {
    let metadata = fs::metadata(path);
    let metadata = metadata.map_err(|source| SaveError::Io { action: "open", path: path.into(), source })?;
    if !metadata.is_file() {
        return Err(SaveError::NotAFile { path: path.into() }.into());
    }
    check_magic(path)?;
    let refused = |error| database_error(path, error);
    {
        let mut builder = builder();
        builder.set_check_integrity_on_open(true);
        let overlay = Overlay::new(open_file(path)?).map_err(refused)?;
        check(&builder.create_with_backend(overlay).map_err(refused)?)?;
    }
    let database = builder().open(path).map_err(refused)?;
    let checked = check(&database)?;
    Ok((database, checked))
}

/// Notes the last edit that the tiles hold.
pub(super) fn set_last_edit(
    transaction: &redb::WriteTransaction,
    EditId(last): EditId,
) -> Result<(), redb::Error> {
    transaction.open_table(META)?.insert(LAST_EDIT, last)?;
    Ok(())
}

fn builder() -> Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn open_file(path: &Path) -> Result<File, SaveError> {
    let file = OpenOptions::new().read(true).write(true).open(path);
    file.map_err(|source| SaveError::Io { action: "open", path: path.into(), source })
}

/// Refuses what is no database before the database looks at it.
fn check_magic(path: &Path) -> Result<(), SaveError> {
    let mut first = Vec::with_capacity(MAGIC.len());
    let read = open_file(path)?.take(MAGIC.len() as u64).read_to_end(&mut first);
    let found = match read {
        Err(error) if is_lock(&error) => return Err(SaveError::Locked { path: path.into() }),
        Err(source) => return Err(SaveError::Io { action: "read", path: path.into(), source }),
        Ok(_) if first == MAGIC => return Ok(()),
        Ok(0) => "an empty file".into(),
        Ok(_) => format!("a file that begins with \"{}\"", first.escape_ascii()),
    };
    Err(SaveError::NotASave { path: path.into(), found })
}

/// A locked file cannot be read on Windows, which says so by a number of its own (ERROR_LOCK_VIOLATION).
fn is_lock(error: &io::Error) -> bool {
    cfg!(windows) && error.raw_os_error() == Some(33)
}

/// Makes an empty save: under another name first, so that a file of this name is complete.
fn create(path: &Path, world: &World) -> Result<(), SaveError> {
    let failed = |source| SaveError::Io { action: "create", path: path.into(), source };
    let (file, part) = create_part(path).map_err(failed)?;
    let made = fill(file, world).map_err(|error| write_error(path, error)).and_then(|()| {
        // A second name fails where the first exists; not every file system has them.
        match fs::hard_link(&part, path) {
            // Another process was faster: its file is opened and checked like any other.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(_) if !path.exists() => fs::rename(&part, path).map_err(failed),
            _ => Ok(()),
        }
    });
    // Gone already when it was renamed.
    let _ = fs::remove_file(&part);
    made?;
    sync_folder(path).map_err(failed)
}

/// A new file beside the target: a second name is possible only within one file system.
fn create_part(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{count}.part", std::process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (file, name.into())),
        }
    }
}

/// Writes what says which world a file belongs to, and no tiles; durable when it returns.
fn fill(file: File, world: &World) -> Result<(), redb::Error> {
    let database = builder().create_with_backend(FileBackend::new(file)?)?;
    let mut transaction = database.begin_write()?;
    transaction.set_two_phase_commit(true);
    {
        let mut meta = transaction.open_table(META)?;
        for (name, value) in facts(world) {
            meta.insert(name, value)?;
        }
        meta.insert(LAST_EDIT, 0)?;
        // Keys of the standard library's hasher come from the system's random numbers.
        meta.insert(SAVE_ID, RandomState::new().hash_one(std::process::id()))?;
        transaction.open_table(TILES)?;
    }
    transaction.commit()?;
    Ok(database.close()?)
}

/// Makes the file's name durable. Windows does it by itself, and has no way to ask.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// What a file must say of its world, in the order in which it is compared.
fn facts(world: &World) -> Facts {
    let config = world.config();
    [
        ("format", FORMAT),
        ("tile_cells", TILE_CELLS as u64),
        ("generator_version", config.generator_version.into()),
        ("seed", config.seed),
        ("spacing_bits", config.sample_spacing_m.to_bits()),
        ("world_hash", world.world_hash()),
    ]
}

/// Compares a file with its world and reads which save it is, and its tiles.
fn read(path: &Path, database: &Database, world: &World) -> Result<(u64, Loaded), SaveError> {
    let refused = |error: redb::Error| read_error(path, error);
    let transaction = database.begin_read().map_err(|error| refused(error.into()))?;
    let (save_id, last) = read_meta(path, &transaction, &facts(world))?;
    let table = transaction.open_table(TILES).map_err(|error| refused(error.into()))?;
    let found = table.len().map_err(|error| refused(error.into()))?;
    let total = world.edits().tiles();
    if found > total as u64 {
        return Err(SaveError::TooManyTiles { path: path.into(), found, total });
    }
    let mut loaded = Loaded { last, ..Loaded::default() };
    for tile in table.iter().map_err(|error| refused(error.into()))? {
        let (key, bytes) = tile.map_err(|error| refused(error.into()))?;
        loaded.keys.push(key_of(key.value()));
        let changed_by = decode(bytes.value(), &mut loaded.heights, &mut loaded.present);
        loaded.changed_by.push(changed_by);
    }
    check_tiles(path, &loaded, world)?;
    Ok((save_id, loaded))
}

/// Compares a file with the facts of a world; which save it is, and its last edit.
fn read_meta(path: &Path, transaction: &ReadTransaction, facts: &Facts) -> Result<(u64, EditId), SaveError> {
    let refused = |error: redb::Error| read_error(path, error);
    let foreign =
        || SaveError::NotASave { path: path.into(), found: "a redb database of something else".into() };
    let meta = match transaction.open_table(META) {
        Err(TableError::TableDoesNotExist(_) | TableError::TableTypeMismatch { .. }) => return Err(foreign()),
        meta => meta.map_err(|error| refused(error.into()))?,
    };
    let number = |name: &str| -> Result<u64, SaveError> {
        let value = meta.get(name).map_err(|error| refused(error.into()))?;
        value.map(|value| value.value()).ok_or_else(foreign)
    };
    for (name, expected) in *facts {
        let found = number(name)?;
        if found != expected {
            return Err(differs(path.into(), name, found, expected));
        }
    }
    Ok((number(SAVE_ID)?, EditId(number(LAST_EDIT)?)))
}

/// The error of a fact that differs.
fn differs(path: PathBuf, name: &str, found: u64, expected: u64) -> SaveError {
    let what = match name {
        "format" | "tile_cells" => return SaveError::Format { path, found, expected },
        "generator_version" => return SaveError::GeneratorVersion { path, found, expected },
        "seed" => "the seed",
        "spacing_bits" => "the spacing (the bits of its f64)",
        _ => "the world hash",
    };
    SaveError::OtherWorld { path, what, found, expected }
}

/// Every tile must be one that an edit of this world can have made.
fn check_tiles(path: &Path, loaded: &Loaded, world: &World) -> Result<(), SaveError> {
    let range = &world.config().height;
    let limit = SAMPLE_LIMIT / TILE_CELLS as i64;
    for TileRef { key: [x, z], heights, present, changed_by } in loaded.tiles() {
        let here = [x, z].iter().all(|index| (-limit..limit).contains(index));
        let in_range = |height: &f32| (range.min_m..=range.max_m).contains(height);
        let is_set = |i: usize| present[i / TILE_CELLS] >> (i % TILE_CELLS) & 1 == 1;
        if !here || heights.iter().enumerate().any(|(i, height)| is_set(i) && !in_range(height)) {
            let what = format!("tile ({x}, {z}) lies outside the world or its height range");
            return Err(SaveError::Damaged { path: path.into(), what });
        }
        if !(1..=loaded.last.0).contains(&changed_by) {
            let last = loaded.last.0;
            let what = format!("tile ({x}, {z}) was changed by edit {changed_by}, the edits are 1 to {last}");
            return Err(SaveError::Damaged { path: path.into(), what });
        }
    }
    Ok(())
}

fn database_error(path: &Path, error: DatabaseError) -> SaveError {
    read_error(path, error.into())
}

/// An error of the database while it was opened or read, in our words.
fn read_error(path: &Path, error: redb::Error) -> SaveError {
    let path = path.to_owned();
    match error {
        redb::Error::DatabaseAlreadyOpen | redb::Error::LockProtocolMismatch => SaveError::Locked { path },
        redb::Error::UpgradeRequired(version) => {
            SaveError::NotASave { path, found: format!("a redb database of file format {version}") }
        }
        redb::Error::Io(source)
            if !matches!(
                source.kind(),
                ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::InvalidInput
            ) =>
        {
            SaveError::Io { action: "read", path, source }
        }
        other => SaveError::Damaged { path, what: other.to_string() },
    }
}

/// An error of the database while it was written.
fn write_error(path: &Path, error: redb::Error) -> SaveError {
    let Failure { reason, kind } = error.into();
    SaveError::Write { path: path.into(), reason, kind }
}

//! The saver: a thread that owns the database and writes what changed.
//!
//! In: nudges. Out: the last edit that is durable, or why it is not. A transaction holds the ground as it was after one
//! edit. After a failure the file is opened again, checked, and written anew from the store, at the next nudge or some seconds
//! later. A panic here, a bug of ours or of the database, ends the thread, and the host is told. Deliberately not here: the
//! file's format (`file.rs`), and copying tiles while they change (`copies.rs`).

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use redb::Database;

use super::copies::Copies;
use super::error::{Failure, SaveError};
use super::file::{self, Identity, Opened, TILES};
use crate::World;
use crate::edits::{EditId, EditStore, Edited, LoadError, SampleRect, TILE_CELLS};

/// Time after a failure until the next attempt, if nobody asks before.
const RETRY: Duration = Duration::from_secs(3);

/// An open save file and its thread, named `terrane-save`.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::edits::{Brush, BrushShape, Edit, EditOp};
/// use terrane::save::Save;
/// use terrane::{Position, World, WorldConfig};
///
/// # let dir = std::env::temp_dir().join(format!("terrane-doc-save-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir).unwrap();
/// # let path = dir.join("hills.save");
/// let open = || World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let center = Position::from_samples([10, 20]).unwrap();
/// let brush = Brush { center, shape: BrushShape::Square { half_m: 3.0 }, falloff_m: 0.0 };
///
/// let world = open();
/// let save = Save::open(&path, &world).unwrap();
/// let edited = world.edit(&Edit { brush, op: EditOp::Set { height_m: 4.0 } }).unwrap();
/// save.submit();
/// save.flush().unwrap();
/// assert_eq!(save.try_saved(), Some(edited.id));
/// drop(save);
///
/// let again = open();
/// let save = Save::open(&path, &again).unwrap();
/// assert_eq!(again.height_at(center), 4.0);
/// # drop(save);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # }
/// ```
#[derive(Debug)]
pub struct Save {
    path: PathBuf,
    store: Arc<EditStore>,
    loaded: Edited,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    done: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Nudges so far, and how many of them have been dealt with.
    asked: u64,
    answered: u64,
    stop: bool,
    /// The thread has ended.
    ended: bool,
    saved: EditId,
    reported: EditId,
    /// Of the last attempt.
    failure: Option<Failure>,
    /// The host has not been told of it, and has to be.
    untold: bool,
}

impl Save {
    /// Opens the save file of a world and loads its edits, or makes the file when it is missing. The world (with its
    /// clones) must not have been edited yet. Streams that are open already have to hear of it:
    /// [`Streamer::attach_save`](crate::Streamer::attach_save) sees to that, for others there is [`loaded`](Self::loaded).
    /// Reads the file twice, verifying every checksum: about 3 ms per hundred tiles. After a process was killed, the file
    /// is repaired here.
    ///
    /// # Errors
    /// A file of another kind, world, version or size, a damaged one, one that is in use: see [`SaveError`]. The file
    /// stays as it was, and nothing is loaded.
    pub fn open(path: impl AsRef<Path>, world: &World) -> Result<Self, SaveError> {
        let (path, store) = (path.as_ref().to_owned(), Arc::clone(world.edits()));
        let (used, last) = (store.tiles_used(), store.last_edit());
        if used > 0 || last > EditId(0) {
            return Err(SaveError::NotEmpty { path, used, last });
        }
        let Opened { database, identity, loaded } = file::open(&path, world)?;
        store.load(loaded.tiles(), loaded.last).map_err(|error| match error {
            LoadError::NotEmpty { used, last } => SaveError::NotEmpty { path: path.clone(), used, last },
            LoadError::TooFew { total } => {
                SaveError::TooManyTiles { path: path.clone(), found: loaded.tiles().len() as u64, total }
            }
        })?;
        let edited =
            Edited { id: loaded.last, touched: around(loaded.tiles().map(|tile| tile.key)), clamped: 0 };
        let saver = Saver {
            path,
            identity,
            database: Some(database),
            is_anew: false,
            copies: Copies::new(store.tiles(), loaded.changed_by),
            saved: loaded.last,
            newest: loaded.last,
            retry: RETRY,
        };
        Self::start(saver, store, edited)
    }

    /// Starts the thread.
    fn start(mut saver: Saver, store: Arc<EditStore>, loaded: Edited) -> Result<Self, SaveError> {
        let path = saver.path.clone();
        let state = State { saved: saver.saved, reported: saver.saved, ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), ..Shared::default() });
        let work = {
            let (shared, store) = (Arc::clone(&shared), Arc::clone(&store));
            move || {
                let panic = catch_unwind(AssertUnwindSafe(|| saver.run(&shared, &store))).err();
                if panic.is_some() {
                    // Its locks may be poisoned: closing it would panic again. The system closes the file at the end.
                    std::mem::forget(saver.database.take());
                }
                shared.end(panic);
            }
        };
        let thread = std::thread::Builder::new().name("terrane-save".into()).spawn(work);
        let thread = thread.map_err(|source| SaveError::Io {
            action: "start the thread that writes",
            path: path.clone(),
            source,
        })?;
        Ok(Self { path, store, loaded, shared, thread: Some(thread) })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What opening did to the world, as if it had been one edit: its number is the last in the file, its rectangle lies
    /// around all tiles. For streams of the world that were open before: see
    /// [`Streamer::note_edit`](crate::Streamer::note_edit).
    pub fn loaded(&self) -> Edited {
        self.loaded
    }

    /// Whether it writes the edits of a world, or of clones of it.
    pub(crate) fn is_of(&self, world: &World) -> bool {
        Arc::ptr_eq(&self.store, world.edits())
    }

    /// Wakes the saver: all edits so far are to be written. Returns at once and allocates nothing; call it after every
    /// edit, or once for several. An edit that nobody submits is written with the next one that is, or at the end.
    pub fn submit(&self) {
        self.shared.state.lock().asked += 1;
        self.shared.wake.notify_one();
    }

    /// The last edit that is durable, when it is another than at the last call: this edit and every one before it
    /// survive whatever happens to the process.
    #[must_use]
    pub fn try_saved(&self) -> Option<EditId> {
        let mut state = self.shared.state.lock();
        let news = state.saved > state.reported;
        state.reported = state.saved;
        news.then_some(state.saved)
    }

    /// What went wrong in the last attempt to write, once. The edits are still in the world. The next
    /// [`submit`](Self::submit) tries again, and so does the saver every few seconds. What a later attempt made good is not
    /// told, and neither are the saver's own attempts that fail for the same reason.
    #[must_use]
    pub fn try_error(&self) -> Option<SaveError> {
        let mut state = self.shared.state.lock();
        let untold = std::mem::take(&mut state.untold);
        untold.then(|| self.error(state.failure.clone()))
    }

    /// Waits until every edit that was done before the call is on disk.
    ///
    /// # Errors
    /// [`SaveError::Write`] when they could not be written.
    pub fn flush(&self) -> Result<(), SaveError> {
        let wanted = self.store.last_edit();
        let mut state = self.shared.state.lock();
        state.asked += 1;
        let mine = state.asked;
        self.shared.wake.notify_one();
        while state.answered < mine && !state.ended {
            self.shared.done.wait(&mut state);
        }
        if state.saved >= wanted {
            return Ok(());
        }
        state.untold = false;
        Err(self.error(state.failure.clone()))
    }

    /// Flushes and closes the file. Dropping does the same, waits for the disk, and keeps errors to itself.
    ///
    /// # Errors
    /// As [`flush`](Self::flush).
    pub fn close(self) -> Result<(), SaveError> {
        self.flush()
    }

    fn error(&self, failure: Option<Failure>) -> SaveError {
        let failure = failure.unwrap_or_else(|| Failure::new("the thread that writes has ended"));
        let Failure { reason, kind } = failure;
        SaveError::Write { path: self.path.clone(), reason, kind }
    }
}

impl Drop for Save {
    fn drop(&mut self) {
        {
            let mut state = self.shared.state.lock();
            state.asked += 1;
            state.stop = true;
        }
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // It ends by itself, whatever happens there.
            let _ = thread.join();
        }
    }
}

/// The samples of some tiles.
fn around(keys: impl Iterator<Item = [i64; 2]>) -> Option<SampleRect> {
    let side = TILE_CELLS as i64;
    let of_tile = |key: [i64; 2]| SampleRect {
        min: key.map(|index| index * side),
        max: key.map(|index| index * side + side - 1),
    };
    keys.map(of_tile).reduce(|all, tile| SampleRect {
        min: std::array::from_fn(|axis| all.min[axis].min(tile.min[axis])),
        max: std::array::from_fn(|axis| all.max[axis].max(tile.max[axis])),
    })
}

impl Shared {
    /// Waits until there is something to do: the count of nudges, and whether it is the last time.
    fn wait(&self, retry: Duration) -> (u64, bool) {
        let mut state = self.state.lock();
        while state.asked == state.answered && !state.stop {
            if state.failure.is_none() {
                self.wake.wait(&mut state);
            } else if self.wake.wait_for(&mut state, retry).timed_out() {
                break;
            }
        }
        (state.asked, state.stop)
    }

    /// Notes how an attempt went.
    fn answer(&self, asked: u64, saved: EditId, failure: Option<Failure>) {
        let mut state = self.state.lock();
        let is_news = asked > state.answered || failure != state.failure;
        state.untold = failure.is_some() && (is_news || state.untold);
        state.answered = asked;
        state.saved = saved;
        state.failure = failure;
        self.done.notify_all();
    }

    /// The thread ends here. After a panic, nothing is written any more.
    fn end(&self, panic: Option<Box<dyn Any + Send>>) {
        let mut state = self.state.lock();
        if let Some(panic) = panic {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            state.failure = Some(Failure::new(format!("the thread that writes has panicked: {text}")));
            state.untold = true;
        }
        state.ended = true;
        self.done.notify_all();
    }
}

/// The thread's own.
struct Saver {
    path: PathBuf,
    identity: Identity,
    /// `None` after a failure: a database that lost its file must be opened again.
    database: Option<Database>,
    /// It was opened again: what is in it may be older than what was saved.
    is_anew: bool,
    copies: Copies,
    saved: EditId,
    /// The last edit of any attempt: one that failed may be in the file all the same.
    newest: EditId,
    retry: Duration,
}

impl Saver {
    fn run(&mut self, shared: &Shared, store: &EditStore) {
        loop {
            let (asked, stop) = shared.wait(self.retry);
            let result = self.save(store);
            shared.answer(asked, self.saved, result.err());
            if stop {
                return;
            }
        }
    }

    /// Writes all edits so far.
    fn save(&mut self, store: &EditStore) -> Result<(), Failure> {
        if store.last_edit() == self.saved {
            return Ok(());
        }
        let written = self.open().and_then(|()| Ok(self.write(store)?));
        match written {
            Ok(last) => {
                (self.saved, self.is_anew) = (last, false);
                Ok(())
            }
            Err(failure) => {
                // Which copies reached the file is unknown: all are made again.
                self.database = None;
                self.copies.forget();
                Err(failure)
            }
        }
    }

    /// Opens the file again if it was lost.
    fn open(&mut self) -> Result<(), Failure> {
        if self.database.is_none() {
            self.database = Some(file::reopen(&self.path, &self.identity, self.newest)?);
            self.is_anew = true;
        }
        Ok(())
    }

    fn write(&mut self, store: &EditStore) -> Result<EditId, redb::Error> {
        let database = self.database.as_ref().expect("it was opened");
        let mut transaction = database.begin_write()?;
        // Durable when the commit returns (the default), and the commit before it stays whole until then: a page of the
        // newest state that is damaged later is found, not taken for a crash.
        transaction.set_durability(redb::Durability::Immediate)?;
        transaction.set_two_phase_commit(true);
        if self.is_anew {
            transaction.delete_table(TILES)?;
        }
        let last = {
            let mut table = transaction.open_table(TILES)?;
            self.copies.take(store, |key, bytes| table.insert(key, bytes).map(drop))?
        };
        self.newest = self.newest.max(last);
        file::set_last_edit(&transaction, last)?;
        transaction.commit()?;
        Ok(last)
    }
}

#[cfg(test)]
#[path = "failure_test.rs"]
pub(super) mod failure_test;

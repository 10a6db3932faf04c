//! The store: a pool of tiles behind a lock. Edits write, whole edits at a time; chunk jobs and single positions read.
//!
//! In: a capacity and a world's scratch, once. Out: guards that read, and edits that are done or refused as a whole.
//! Deliberately not here: what an edit does to a sample (`operate.rs`).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::{MappedRwLockReadGuard, RwLock, RwLockReadGuard};
use terrane_noise::Scratch;

use super::operate::{Site, Work, edit};
#[cfg(feature = "save")]
use super::tiles::TileRef;
use super::tiles::Tiles;
use super::{Edit, EditError, EditId, Edited};

/// Tiles of the store that [`World::open`](crate::World::open) makes: about four and a half megabytes, of which the
/// system gives what is used.
pub const EDIT_TILES_DEFAULT: usize = 1024;

/// The most tiles that a store may have: about four and a half gigabytes.
pub const EDIT_TILES_MAX: usize = 1 << 20;

/// The edits of a world: a fixed number of tiles of 32 x 32 samples. Clones of a world share one.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::edits::EDIT_TILES_DEFAULT;
/// use terrane::{World, WorldConfig};
///
/// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// assert_eq!((world.edits().tiles_used(), world.edits().tiles()), (0, EDIT_TILES_DEFAULT));
/// # }
/// ```
pub struct EditStore {
    total: usize,
    /// A copy of what the lock guards: a store without edits costs its readers one load.
    used: AtomicUsize,
    last: AtomicU64,
    inner: RwLock<Inner>,
}

struct Inner {
    tiles: Tiles,
    work: Work,
    last: EditId,
}

/// What stops a save file from being loaded.
#[cfg(feature = "save")]
#[derive(Debug)]
pub(crate) enum LoadError {
    /// The store has been used already.
    NotEmpty { used: usize, last: EditId },
    /// It has too few tiles.
    TooFew { total: usize },
}

impl EditStore {
    /// A store of `tiles` tiles; `scratch` must have been made ready for the world's program. Allocates.
    ///
    /// # Panics
    /// When `tiles` is above [`EDIT_TILES_MAX`].
    pub(crate) fn new(tiles: usize, scratch: Scratch) -> Self {
        assert!(tiles <= EDIT_TILES_MAX, "{tiles} tiles of edits; {EDIT_TILES_MAX} are the most");
        let inner = Inner { tiles: Tiles::new(tiles), work: Work::new(scratch), last: EditId(0) };
        Self { total: tiles, used: AtomicUsize::new(0), last: AtomicU64::new(0), inner: RwLock::new(inner) }
    }

    /// What a store of `tiles` tiles allocates, in bytes: an upper bound, without the scratch of the noise library.
    ///
    /// ```
    /// use terrane::edits::EditStore;
    /// let bytes_per_tile = (EditStore::bytes_for(2000) - EditStore::bytes_for(1000)) / 1000;
    /// assert!((4248..4400).contains(&bytes_per_tile), "{bytes_per_tile}");
    /// ```
    #[must_use]
    pub const fn bytes_for(tiles: usize) -> usize {
        // The Arc around it has two counters before it.
        let counters = if align_of::<Self>() > 16 { align_of::<Self>() } else { 16 };
        Tiles::bytes_for(tiles) + Work::BYTES + size_of::<Self>() + counters
    }

    /// Tiles of the pool, used and free.
    #[must_use]
    pub fn tiles(&self) -> usize {
        self.total
    }

    /// Tiles that hold at least one changed sample. It never falls.
    #[must_use]
    pub fn tiles_used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// The last edit that was done; `EditId(0)` before the first.
    #[must_use]
    pub fn last_edit(&self) -> EditId {
        EditId(self.last.load(Ordering::Relaxed))
    }

    /// The overrides, for as long as the guard lives; `None` when there are none. A thread that was told of an edit
    /// sees it: the telling orders the load.
    pub(crate) fn read(&self) -> Option<MappedRwLockReadGuard<'_, Tiles>> {
        (self.tiles_used() > 0).then(|| RwLockReadGuard::map(self.inner.read(), |inner| &inner.tiles))
    }

    /// Does an edit, or refuses it and changes nothing. Readers wait meanwhile, so none sees half an edit.
    pub(crate) fn edit(&self, site: &Site<'_>, what: &Edit) -> Result<Edited, EditError> {
        let mut inner = self.inner.write();
        let Inner { tiles, work, last } = &mut *inner;
        let edited = edit(site, tiles, work, what, EditId(last.0 + 1))?;
        *last = edited.id;
        self.publish(&inner);
        Ok(edited)
    }

    fn publish(&self, inner: &Inner) {
        self.used.store(inner.tiles.used(), Ordering::Relaxed);
        self.last.store(inner.last.0, Ordering::Relaxed);
    }
}

#[cfg(feature = "save")]
impl EditStore {
    /// The tiles and the last edit that is in them, under one lock.
    pub(crate) fn with_tiles<T>(&self, look: impl FnOnce(&Tiles, EditId) -> T) -> T {
        let inner = self.inner.read();
        look(&inner.tiles, inner.last)
    }

    /// Whether nobody reads or writes at the moment.
    #[cfg(test)]
    pub(crate) fn is_free(&self) -> bool {
        self.inner.try_write().is_some()
    }

    /// Fills an unused store with tiles from a file, slot after slot.
    pub(crate) fn load<'a>(
        &self,
        tiles: impl ExactSizeIterator<Item = TileRef<'a>>,
        last: EditId,
    ) -> Result<(), LoadError> {
        let mut inner = self.inner.write();
        if inner.tiles.used() > 0 || inner.last.0 > 0 {
            return Err(LoadError::NotEmpty { used: inner.tiles.used(), last: inner.last });
        }
        if tiles.len() > self.total {
            return Err(LoadError::TooFew { total: self.total });
        }
        for tile in tiles {
            let slot = inner.tiles.add(tile.key);
            inner.tiles.fill(slot, tile);
        }
        inner.last = last;
        self.publish(&inner);
        Ok(())
    }
}

impl std::fmt::Debug for EditStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { total, used, last, .. } = self;
        f.debug_struct("EditStore").field("tiles", total).field("used", used).field("last", last).finish()
    }
}

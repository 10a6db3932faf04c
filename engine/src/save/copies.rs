//! Copies of changed tiles that together are the ground after one edit, taken while edits go on.
//!
//! In: the store. Out: tiles as bytes, for the database. The store is walked in portions, each under a short read lock that
//! does nothing but copy. A walk during which nothing was edited has found everything; else another one follows, and copies
//! what was edited since. The first hands its portions on between two locks, so that all tiles of a large store are never in
//! memory twice; the later ones keep them, and each may copy twice as much under a lock as the one before. They end: once a
//! portion holds more than twice what edits change between two of them, each walk finds less than half of what the one before
//! did. Deliberately not here: the database, whose work would hold up edits if it were done under the lock.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::tile_bytes::{KEY_BYTES, TILE_BYTES, encode, key_bytes};
use crate::edits::{EditId, EditStore, TileRef};

/// Tiles that are copied under one lock: a quarter of a megabyte, some tens of microseconds.
const PORTION_TILES: usize = 64;
/// Slots that are looked at for each tile that may be copied.
const LOOKED_AT_MAX: usize = 1024;

/// What was copied, and memory for copies.
pub(super) struct Copies {
    /// The edit that each slot's copy holds; 0 without one.
    stamps: Vec<u64>,
    /// The first `count` are to be handed on.
    copies: Vec<Box<Tile>>,
    count: usize,
    /// Which of them is that of a slot.
    places: HashMap<usize, usize, FxBuildHasher>,
}

struct Tile {
    key: [u8; KEY_BYTES],
    bytes: [u8; TILE_BYTES],
}

/// A way through all slots.
#[derive(Default)]
struct Walk {
    slot: usize,
    /// The last edit when it began.
    since: Option<EditId>,
}

/// The end of a walk.
struct Walked {
    last: EditId,
    /// Nothing was edited on the way.
    is_whole: bool,
}

impl Copies {
    /// For a store of `tiles` tiles, the first of which have copies already, of these edits.
    pub(super) fn new(tiles: usize, mut stamps: Vec<u64>) -> Self {
        stamps.resize(tiles, 0);
        Self { stamps, copies: Vec::with_capacity(PORTION_TILES), count: 0, places: HashMap::default() }
    }

    /// All copies are to be made again.
    pub(super) fn forget(&mut self) {
        self.stamps.fill(0);
        self.drop_copies();
    }

    /// Hands on copies of what changed since the last call; of a tile that comes twice, the later one counts. Returns the
    /// edit after which the ground is what all of them say.
    pub(super) fn take<E>(
        &mut self,
        store: &EditStore,
        mut each: impl FnMut(&[u8; KEY_BYTES], &[u8; TILE_BYTES]) -> Result<(), E>,
    ) -> Result<EditId, E> {
        let (mut walk, mut limit) = (Walk::default(), PORTION_TILES);
        let mut end = loop {
            let end = self.portion(store, &mut walk, limit);
            self.hand_on(&mut each)?;
            if let Some(end) = end {
                break end;
            }
        };
        while !end.is_whole {
            limit = limit.saturating_mul(2);
            walk = Walk::default();
            end = loop {
                if let Some(end) = self.portion(store, &mut walk, limit) {
                    break end;
                }
            };
        }
        self.hand_on(&mut each)?;
        self.copies.truncate(PORTION_TILES);
        Ok(end.last)
    }

    /// The next part of a walk, under one lock. Tells when it was the last.
    fn portion(&mut self, store: &EditStore, walk: &mut Walk, limit: usize) -> Option<Walked> {
        store.with_tiles(|tiles, last| {
            let since = *walk.since.get_or_insert(last);
            let end = tiles.used().min(walk.slot.saturating_add(limit.saturating_mul(LOOKED_AT_MAX)));
            let mut room = limit;
            while walk.slot < end && room > 0 {
                room -= usize::from(self.copy(walk.slot, tiles.tile(walk.slot)));
                walk.slot += 1;
            }
            (walk.slot == tiles.used()).then_some(Walked { last, is_whole: last == since })
        })
    }

    /// Copies a tile, unless it has not changed.
    fn copy(&mut self, slot: usize, tile: TileRef<'_>) -> bool {
        if tile.changed_by == self.stamps[slot] {
            return false;
        }
        self.stamps[slot] = tile.changed_by;
        let place = *self.places.entry(slot).or_insert(self.count);
        if place == self.count {
            self.count += 1;
            if place == self.copies.len() {
                self.copies.push(Box::new(Tile { key: [0; KEY_BYTES], bytes: [0; TILE_BYTES] }));
            }
        }
        let copy = &mut *self.copies[place];
        copy.key = key_bytes(tile.key);
        encode(tile, &mut copy.bytes);
        true
    }

    fn hand_on<E>(
        &mut self,
        each: &mut impl FnMut(&[u8; KEY_BYTES], &[u8; TILE_BYTES]) -> Result<(), E>,
    ) -> Result<(), E> {
        for copy in &self.copies[..self.count] {
            each(&copy.key, &copy.bytes)?;
        }
        self.drop_copies();
        Ok(())
    }

    fn drop_copies(&mut self) {
        self.count = 0;
        self.places.clear();
    }
}

#[cfg(test)]
#[path = "copies_test.rs"]
mod copies_test;

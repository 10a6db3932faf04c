//! What the stream knows of each chunk: the version that is drawn, and the one that is on its way.
//!
//! A fixed table with a map from keys. Deliberately not here: which chunks are wanted; [`cut`](super::cut) decides.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};

use rustc_hash::FxBuildHasher;

use crate::coords::ChunkKey;
use crate::stream::chunk::ChunkHandle;
use crate::stream::cut::Change;

/// Size of a record with its share of the map, which is never more than half full.
pub(crate) const RECORD_BYTES: usize = size_of::<Record>() + 4 + 4 * size_of::<(ChunkKey, u32)>();

/// Why a chunk was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// This open change shows it.
    Change(Change),
    /// It takes the place of a version without the latest edits.
    Edit,
    /// It may be wanted soon.
    Prefetch,
}

/// How far a chunk on its way has come.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    /// The scheduler has been asked.
    Asked,
    /// Built; the host does not know yet.
    Built(ChunkHandle),
    /// The host has it.
    Ready(ChunkHandle),
}

/// A version on its way.
#[derive(Clone, Debug)]
pub(crate) struct Coming {
    /// Of the request: a result with another one is late.
    pub(crate) ticket: u64,
    pub(crate) purpose: Purpose,
    pub(crate) progress: Progress,
}

/// A chunk.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) key: ChunkKey,
    /// The version that is drawn.
    pub(crate) shown: Option<ChunkHandle>,
    pub(crate) coming: Option<Coming>,
    /// Number of the last look ahead that wanted it.
    pub(crate) ahead: u64,
}

pub(crate) struct Chunks {
    records: Vec<Record>,
    free: Vec<u32>,
    map: HashMap<ChunkKey, u32, FxBuildHasher>,
}

impl Chunks {
    pub(crate) fn new(capacity: usize) -> Self {
        let nothing = Record { key: ChunkKey { lod: 0, x: 0, z: 0 }, shown: None, coming: None, ahead: 0 };
        Self {
            records: vec![nothing; capacity],
            free: (0..capacity as u32).rev().collect(),
            map: HashMap::with_capacity_and_hasher(2 * capacity + 1, FxBuildHasher),
        }
    }

    pub(crate) fn find(&self, key: ChunkKey) -> Option<u32> {
        self.map.get(&key).copied()
    }

    /// The record of a key, made when there is none.
    pub(crate) fn enter(&mut self, key: ChunkKey) -> u32 {
        if let Some(index) = self.find(key) {
            return index;
        }
        let index = self.free.pop().expect("as many records as chunks that can be drawn or coming");
        self.map.insert(key, index);
        self[index].key = key;
        index
    }

    /// Forgets a record with nothing in it.
    pub(crate) fn tidy(&mut self, index: u32) {
        let record = &self[index];
        if record.shown.is_none() && record.coming.is_none() {
            self.map.remove(&self.records[index as usize].key);
            self.free.push(index);
        }
    }

    /// Records are numbered from 0; those that are free hold nothing.
    pub(crate) fn capacity(&self) -> u32 {
        self.records.len() as u32
    }
}

impl Index<u32> for Chunks {
    type Output = Record;
    fn index(&self, index: u32) -> &Record {
        &self.records[index as usize]
    }
}

impl IndexMut<u32> for Chunks {
    fn index_mut(&mut self, index: u32) -> &mut Record {
        &mut self.records[index as usize]
    }
}

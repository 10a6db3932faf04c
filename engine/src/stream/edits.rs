//! Edits in a stream: the drawn chunks that one touches are built anew and shown together.
//!
//! In: edits. Out: requests in the urgent band, and one swap once every chunk that a pending edit touches is ready. Until
//! then nothing changes in their surroundings: a split that showed the new ground beside the old would tear the border.
//! Deliberately not here: what an edit does to the ground (`edits/`), and where it is kept.

use terrane_jobs::{Band, Priority};

use crate::coords::ChunkKey;
use crate::edits::{BrushShape, Edit, EditError, Edited, SampleRect};
use crate::stream::chunks::{Coming, Progress, Purpose};
use crate::stream::events::StreamEvent;
use crate::stream::streamer::Streamer;

/// Samples along the side of a tile of edits.
const TILE: i64 = 32;

/// Why a stream cannot take an edit. Nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StreamEditError {
    /// The world cannot take it.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// It would touch more drawn chunks than there is memory for; they have to be shown together.
    #[error(
        "the edit touches {found} drawn chunks, those included that earlier edits touch and that are not shown yet; there is \
         room for {edited_max} (setting edited_max)"
    )]
    TooManyChunks {
        /// As many as it would be, by the brush's outline.
        found: usize,
        /// As many as can be.
        edited_max: usize,
    },
}

/// Edited chunks that are not shown yet.
#[derive(Debug)]
pub(crate) struct PendingEdits {
    /// Drawn chunks whose new version is on its way.
    keys: Vec<ChunkKey>,
    /// Around all samples that they are waiting for.
    area: Option<SampleRect>,
    /// Around samples whose chunks found no room: their turn is next.
    left: Option<SampleRect>,
    edited_max: usize,
}

impl PendingEdits {
    pub(crate) fn new(edited_max: usize) -> Self {
        Self { keys: Vec::with_capacity(edited_max), area: None, left: None, edited_max }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether a change of a chunk has to wait: its ground, or what its chunks see of it, is being edited.
    pub(crate) fn hold_back(&self, chunk_cells: u32, key: ChunkKey) -> bool {
        self.area.is_some_and(|area| meets(area, chunk_cells, key))
    }

    fn add(&mut self, key: ChunkKey) {
        if !self.keys.contains(&key) {
            self.keys.push(key);
        }
    }

    fn is_full(&self) -> bool {
        self.keys.len() >= self.edited_max
    }
}

/// A rectangle around one, or two.
fn around(known: Option<SampleRect>, rect: SampleRect) -> Option<SampleRect> {
    Some(known.map_or(rect, |known| SampleRect {
        min: std::array::from_fn(|axis| known.min[axis].min(rect.min[axis])),
        max: std::array::from_fn(|axis| known.max[axis].max(rect.max[axis])),
    }))
}

/// Whether a chunk's samples, apron included, reach into a rectangle.
fn meets(rect: SampleRect, chunk_cells: u32, key: ChunkKey) -> bool {
    let (origin, stride) = (key.origin(chunk_cells), i64::from(key.stride()));
    let side = i64::from(chunk_cells) * stride;
    (0..2).all(|axis| {
        let (first, last) = (origin[axis] - stride, origin[axis] + side + stride);
        first <= rect.max[axis] && rect.min[axis] <= last
    })
}

/// Whole tiles around a rectangle: versions are kept by tile.
fn tiles_around(rect: SampleRect) -> SampleRect {
    SampleRect {
        min: rect.min.map(|first| first.div_euclid(TILE) * TILE),
        max: rect.max.map(|last| last.div_euclid(TILE) * TILE + TILE - 1),
    }
}

/// The samples that a brush can reach, and one more on each side.
fn outline(edit: &Edit, spacing_m: f64) -> SampleRect {
    let (BrushShape::Circle { radius_m: reach_m } | BrushShape::Square { half_m: reach_m }) =
        edit.brush.shape;
    // Saturating; what is no number is refused by the world.
    let reach = (reach_m / spacing_m).ceil() as i64;
    let at = edit.brush.center.sample();
    SampleRect {
        min: at.map(|at| at.saturating_sub(reach).saturating_sub(1)),
        max: at.map(|at| at.saturating_add(reach).saturating_add(2)),
    }
}

impl Streamer {
    /// Changes the ground. What is drawn of it is built anew before everything else, and shown in one swap: across borders,
    /// corners and levels. Other streams of the same world are told by [`note_edit`](Self::note_edit).
    ///
    /// # Errors
    /// As [`World::edit`](crate::World::edit), or when it touches more drawn chunks than the settings allow.
    ///
    /// ```
    /// # #[cfg(all(feature = "config", feature = "threads"))] {
    /// use std::sync::Arc;
    /// use terrane::edits::{Brush, BrushShape, Edit, EditOp};
    /// use terrane::{Position, StreamEvent, StreamSettings, Streamer, SystemClock, Viewer, World, WorldConfig};
    ///
    /// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
    /// let settings = StreamSettings { levels: 3, ..StreamSettings::default() };
    /// let mut stream = Streamer::open(world, settings, Arc::new(SystemClock::new())).unwrap();
    /// stream.set_viewers(&[Viewer::at(Position::from_samples([0, 0]).unwrap())]).unwrap();
    /// stream.flush(|_| {});
    ///
    /// // A hole at a corner of four chunks.
    /// let center = Position::from_samples([64, 64]).unwrap();
    /// let brush = Brush { center, shape: BrushShape::Circle { radius_m: 20.0 }, falloff_m: 5.0 };
    /// stream.edit(&Edit { brush, op: EditOp::Lower { by_m: 4.0 } }).unwrap();
    /// let mut swaps = Vec::new();
    /// stream.flush(|event| if let StreamEvent::Swap(swap) = event { swaps.push(swap.clone()) });
    /// assert_eq!((swaps.len(), swaps[0].hide.len(), swaps[0].show.len()), (1, 4, 4));
    /// # }
    /// ```
    pub fn edit(&mut self, edit: &Edit) -> Result<Edited, StreamEditError> {
        let reach = tiles_around(outline(edit, self.world.sample_spacing_m()));
        let cells = self.levels.chunk_cells;
        let drawn = self.cut.leaves().map(|(key, _)| key).filter(|key| meets(reach, cells, *key));
        let found = self.edits.keys.len() + drawn.filter(|key| !self.edits.keys.contains(key)).count();
        let edited_max = self.edits.edited_max;
        if found > edited_max {
            return Err(StreamEditError::TooManyChunks { found, edited_max });
        }
        let edited = self.world.edit(edit)?;
        self.note_edit(&edited);
        #[cfg(feature = "save")]
        if let Some(save) = &self.save {
            save.submit();
        }
        Ok(edited)
    }

    /// Takes notice of an edit that was made elsewhere: by [`World::edit`](crate::World::edit), or by another stream of the
    /// same world. Chunks beyond the setting `edited_max` are shown in a swap of their own.
    pub fn note_edit(&mut self, edited: &Edited) {
        if let Some(rect) = edited.touched.map(tiles_around) {
            self.renew_all(rect);
            self.flags.swaps = true;
            self.give_orders();
        }
    }

    /// Orders the chunks anew that reach into a rectangle and lack an edit.
    fn renew_all(&mut self, rect: SampleRect) {
        for index in 0..self.chunks.capacity() {
            let record = &self.chunks[index];
            let is_there = record.shown.is_some() || record.coming.is_some();
            if is_there && meets(rect, self.levels.chunk_cells, record.key) {
                self.renew(index, rect);
            }
        }
        self.edits.area = if self.edits.is_empty() { None } else { around(self.edits.area, rect) };
    }

    /// Orders the versions of a chunk anew that lack an edit.
    fn renew(&mut self, index: u32, rect: SampleRect) {
        let record = &self.chunks[index];
        let (key, version) = (record.key, self.world.chunk_version(record.key));
        let purpose = record.coming.as_ref().map(|coming| coming.purpose);
        match purpose {
            Some(Purpose::Prefetch) if !record.is_built_with(version) => self.drop_coming(index),
            Some(purpose) if !record.is_built_with(version) => self.ask_anew(index, purpose),
            Some(_) => {}
            None => {
                let is_old = record.shown.as_ref().is_some_and(|shown| shown.id().version != version);
                if is_old && self.edits.is_full() {
                    self.edits.left = around(self.edits.left, rect);
                } else if is_old {
                    self.edits.add(key);
                    self.ask_anew(index, Purpose::Edit);
                }
            }
        }
    }

    /// Asks for a chunk whatever was asked for before: the older version is given up.
    fn ask_anew(&mut self, index: u32, purpose: Purpose) {
        let key = self.chunks[index].key;
        let before = self.chunks[index].coming.take().map(|coming| coming.progress);
        if let Some(Progress::Ready(handle)) = before {
            self.retired.push_back(handle.id());
        }
        self.ticket += 1;
        let (ticket, progress) = (self.ticket, Progress::Asked);
        self.chunks[index].coming = Some(Coming { ticket, purpose, progress });
        let priority = Priority { band: Band::Urgent, ..self.priority(key, purpose) };
        // A request with another ticket cancels the earlier one.
        self.orders.request(key, ticket, priority);
        if self.orders.is_full() {
            self.give_orders();
        }
    }

    /// Shows the edited chunks when all of them are ready. True when it did.
    pub(crate) fn show_edited(&mut self) -> bool {
        if self.edits.is_empty() || !self.edits.keys.iter().all(|key| self.is_ready(*key)) {
            return false;
        }
        self.swap.clear();
        while let Some(key) = self.edits.keys.pop() {
            let index = self.chunks.find(key).expect("edited chunks are drawn");
            let record = &mut self.chunks[index];
            let coming = record.coming.take().expect("it is ready");
            let Progress::Ready(handle) = coming.progress else { unreachable!("it is ready") };
            self.swap.show.push(handle.id());
            self.swap.masks.push((key, self.cut.mask(key).expect("edited chunks are drawn")));
            let before = record.shown.replace(handle).expect("edited chunks are drawn");
            self.swap.hide.push(before.id());
            self.retired.push_back(before.id());
        }
        self.edits.area = None;
        if let Some(rect) = self.edits.left.take() {
            self.renew_all(rect);
            self.give_orders();
        }
        // What was held back may go on.
        (self.flags.swaps, self.flags.swap_due) = (true, true);
        true
    }

    /// A chunk is no longer drawn: its new version need not be waited for.
    pub(crate) fn forget_edited(&mut self, key: ChunkKey) {
        self.edits.keys.retain(|edited| *edited != key);
        if self.edits.is_empty() {
            self.edits.area = None;
        }
    }

    /// Attaches a save file: edits of this stream are written to it in the background, and
    /// [`StreamEvent::Saved`] tells when one is on disk.
    #[cfg(feature = "save")]
    pub fn attach_save(&mut self, save: crate::save::Save) {
        self.save = Some(save);
    }

    /// The save file, which is no longer attached; `None` when there was none.
    #[cfg(feature = "save")]
    pub fn detach_save(&mut self) -> Option<crate::save::Save> {
        self.save.take()
    }

    #[cfg(feature = "save")]
    pub(crate) fn tell_saved(&mut self, event: &mut impl FnMut(StreamEvent<'_>)) {
        let Some(save) = &self.save else { return };
        while let Some(id) = save.try_saved() {
            event(StreamEvent::Saved(id));
        }
        while let Some(error) = save.try_error() {
            event(StreamEvent::SaveFailed(&error));
        }
    }

    #[cfg(not(feature = "save"))]
    pub(crate) fn tell_saved(&mut self, _: &mut impl FnMut(StreamEvent<'_>)) {}
}

//! Edits in a stream: the drawn chunks that one touches are built anew and shown together.
//!
//! In: edits. Out: requests in the urgent band, and one swap once every chunk of a *batch* is ready. Until then nothing
//! changes in their surroundings: a split that showed the new ground beside the old would tear the border.
//! Deliberately not here: what an edit does to the ground (`edits/`), and where it is kept.
//!
//! All chunks of a batch must be of one state of the ground. An edit that comes while some of them are still being built joins
//! the batch: what it touches and what was built before it is built again. Once all are built the batch is closed; it will be
//! shown as it is, and later edits make the next one. So a host that edits in every frame sees each edit a frame or two later,
//! as long as a batch can be built between two edits.
//!
//! Whether a chunk lacks an edit is told by versions alone: what comes from a worker older than the ground now is asked for
//! again. Edits made elsewhere are found by their number before anything that has them can be shown.

use terrane_jobs::{Band, Priority};

use crate::buffers::APRON;
use crate::coords::ChunkKey;
use crate::edits::{BrushShape, Edit, EditError, EditId, Edited, SampleRect};
use crate::stream::chunks::{Coming, Progress, Purpose};
use crate::stream::events::StreamEvent;
use crate::stream::streamer::Streamer;

/// Why a stream cannot take an edit. Nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StreamEditError {
    /// The world cannot take it.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// It would touch more drawn chunks than there is memory for; they have to be shown together. A smaller brush fits, or
    /// [`World::edit`](crate::World::edit) with [`Streamer::note_edit`], which shows it in parts.
    #[error("the edit touches {found} drawn chunks; there is room for {edited_max} (setting edited_max)")]
    TooManyChunks {
        /// As many as it would be, by the brush's outline.
        found: usize,
        /// As many as can be.
        edited_max: usize,
    },
    /// It fits, but not beside earlier edits that are not shown yet. The same edit can be made after their swap.
    #[error(
        "with this edit {found} drawn chunks wait to be shown edited; there is room for {edited_max} (setting edited_max): \
         try again after the next swap"
    )]
    Busy {
        /// As many as it would be.
        found: usize,
        /// As many as can be.
        edited_max: usize,
    },
}

/// A save that is not of the stream's world.
#[cfg(feature = "save")]
#[derive(Debug, thiserror::Error)]
#[error(
    "{} was opened for other edits than those of this stream's world: open the save with the world, or a clone of it, that the \
     stream is opened with", .save.path().display()
)]
pub struct AttachSaveError {
    /// It is open, as it was.
    pub save: crate::save::Save,
}

/// Edited chunks that are not shown yet.
#[derive(Debug)]
pub(crate) struct PendingEdits {
    /// The batch: drawn chunks whose new version is on its way. Their records say [`Purpose::Edit`], and no others do.
    keys: Vec<ChunkKey>,
    /// What the batch is about.
    area: Area,
    /// What the next batch will be about.
    later: Area,
    /// Of `later`, while that batch is begun.
    due: Area,
    /// The last edit that was looked at.
    noted: EditId,
    edited_max: usize,
}

impl PendingEdits {
    pub(crate) fn new(edited_max: usize, noted: EditId) -> Self {
        let (area, later, due) = (Area::new(), Area::new(), Area::new());
        Self { keys: Vec::with_capacity(edited_max), area, later, due, noted, edited_max }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.later.is_empty()
    }

    /// Chunks of the batch.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether a change of a chunk has to wait: its ground, or what its chunks see of it, is being edited.
    pub(crate) fn hold_back(&self, chunk_cells: u32, key: ChunkKey) -> bool {
        self.area.meets(chunk_cells, key) || self.later.meets(chunk_cells, key)
    }
}

/// A few rectangles of samples. Rectangles that meet become one, and so do some that do not when there are too many.
#[derive(Debug)]
struct Area(Vec<SampleRect>);

impl Area {
    const RECTS_MAX: usize = 16;

    fn new() -> Self {
        Self(Vec::with_capacity(Self::RECTS_MAX + 1))
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn add(&mut self, mut rect: SampleRect) {
        while let Some(known) = self.0.iter().position(|known| overlap(*known, rect)) {
            rect = around(self.0.swap_remove(known), rect);
        }
        self.0.push(rect);
        if self.0.len() > Self::RECTS_MAX {
            let all = self.0.drain(..).reduce(around).expect("there are some");
            self.0.push(all);
        }
    }

    fn meets(&self, chunk_cells: u32, key: ChunkKey) -> bool {
        self.0.iter().any(|rect| meets(*rect, chunk_cells, key))
    }
}

fn overlap(one: SampleRect, other: SampleRect) -> bool {
    (0..2).all(|axis| one.min[axis] <= other.max[axis] && other.min[axis] <= one.max[axis])
}

/// The rectangle around two.
fn around(one: SampleRect, other: SampleRect) -> SampleRect {
    SampleRect {
        min: std::array::from_fn(|axis| one.min[axis].min(other.min[axis])),
        max: std::array::from_fn(|axis| one.max[axis].max(other.max[axis])),
    }
}

/// A chunk's samples.
fn ground(chunk_cells: u32, key: ChunkKey) -> SampleRect {
    let (origin, side) = (key.origin(chunk_cells), i64::from(chunk_cells) * i64::from(key.stride()));
    SampleRect { min: origin, max: origin.map(|first| first + side) }
}

/// Whether a chunk's samples, apron included, reach into a rectangle.
fn meets(rect: SampleRect, chunk_cells: u32, key: ChunkKey) -> bool {
    let (origin, stride) = (key.origin(chunk_cells), i64::from(key.stride()));
    let side = i64::from(chunk_cells) * stride;
    (0..2).all(|axis| {
        let apron = APRON as i64 * stride;
        let (first, last) = (origin[axis] - apron, origin[axis] + side + apron);
        first <= rect.max[axis] && rect.min[axis] <= last
    })
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
        // What is built by now may close a batch.
        self.collect();
        let outline = outline(edit, self.world.sample_spacing_m());
        self.check_room(outline)?;
        let edited = self.world.edit(edit)?;
        self.note_edit(&edited);
        Ok(edited)
    }

    /// Whether the chunks in a rectangle can be shown together, with those that they have to be shown with.
    fn check_room(&self, rect: SampleRect) -> Result<(), StreamEditError> {
        let (cells, edited_max, later) = (self.levels.chunk_cells, self.edits.edited_max, &self.edits.later);
        let count = |is_counted: &dyn Fn(ChunkKey) -> bool| {
            self.cut.leaves().filter(|(key, _)| is_counted(*key)).count()
        };
        let found = count(&|key| meets(rect, cells, key));
        if found > edited_max {
            return Err(StreamEditError::TooManyChunks { found, edited_max });
        }
        let found = if self.is_closed() {
            count(&|key| meets(rect, cells, key) || later.meets(cells, key))
        } else {
            self.edits.len() + count(&|key| meets(rect, cells, key) && !self.is_in_batch(key))
        };
        if found > edited_max { Err(StreamEditError::Busy { found, edited_max }) } else { Ok(()) }
    }

    fn is_in_batch(&self, key: ChunkKey) -> bool {
        let coming = self.chunks.find(key).and_then(|index| self.chunks[index].coming.as_ref());
        coming.is_some_and(|coming| coming.purpose == Purpose::Edit)
    }

    /// Whether there is a batch of which all is built.
    fn is_closed(&self) -> bool {
        let is_built = |key: &ChunkKey| {
            let record = &self.chunks[self.chunks.find(*key).expect("edited chunks are drawn")];
            record.coming.as_ref().is_some_and(|coming| !matches!(coming.progress, Progress::Asked))
        };
        !self.edits.keys.is_empty() && self.edits.keys.iter().all(is_built)
    }

    /// Takes notice of an edit that was made elsewhere: by [`World::edit`](crate::World::edit), or by another stream of the
    /// same world. Without it the next poll finds out by itself, and has to look at every chunk. Drawn chunks beyond the
    /// setting `edited_max` are shown in a swap of their own; until then there is a crack between the two. An attached save
    /// writes it.
    pub fn note_edit(&mut self, edited: &Edited) {
        if edited.id.0 == self.edits.noted.0 + 1 {
            self.edits.noted = edited.id;
        }
        self.submit();
        self.collect();
        if let Some(rect) = edited.touched {
            self.renew_all(rect);
            self.flags.swaps = true;
            self.give_orders();
        }
    }

    /// Looks for edits that nobody told of. To be called after results were collected: what has such an edit is then held back
    /// until what is drawn has it too.
    pub(crate) fn find_edits(&mut self) {
        let last = self.world.edits().last_edit();
        if last > self.edits.noted {
            self.edits.noted = last;
            self.submit();
            self.renew_all(SampleRect { min: [i64::MIN; 2], max: [i64::MAX; 2] });
            self.flags.swaps = true;
            self.give_orders();
        }
    }

    /// Orders the chunks anew that reach into a rectangle and lack an edit.
    fn renew_all(&mut self, rect: SampleRect) {
        let is_closed = self.is_closed();
        for index in 0..self.chunks.capacity() {
            let record = &self.chunks[index];
            let is_there = record.shown.is_some() || record.coming.is_some();
            if is_there && meets(rect, self.levels.chunk_cells, record.key) {
                self.renew(index, is_closed);
            }
        }
    }

    /// Orders the versions of a chunk anew that lack an edit. Of what is being built, [`collect`](Self::collect) will see
    /// whether it has it.
    fn renew(&mut self, index: u32, is_closed: bool) {
        let record = &self.chunks[index];
        let (key, version) = (record.key, self.world.chunk_version(record.key));
        let rect = ground(self.levels.chunk_cells, key);
        let Some(coming) = &record.coming else {
            let is_old = record.shown.as_ref().is_some_and(|shown| shown.id().version != version);
            if is_old && (is_closed || self.edits.len() >= self.edits.edited_max) {
                self.edits.later.add(rect);
            } else if is_old {
                self.edits.keys.push(key);
                self.edits.area.add(rect);
                self.ask_anew(index, Purpose::Edit);
            }
            return;
        };
        match (coming.purpose, &coming.progress) {
            (_, Progress::Asked) => {}
            (_, Progress::Built(chunk) | Progress::Ready(chunk)) if chunk.id().version == version => {}
            (Purpose::Edit, _) if is_closed => self.edits.later.add(rect),
            (purpose, _) => self.ask_anew(index, purpose),
        }
    }

    /// Asks for a chunk whatever was asked for before: the older version is given up. What was only to be ready in time is
    /// not asked for again.
    pub(crate) fn ask_anew(&mut self, index: u32, purpose: Purpose) {
        if purpose == Purpose::Prefetch {
            return self.drop_coming(index);
        }
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

    /// Shows the batch when all of it is ready. True when it did.
    pub(crate) fn show_edited(&mut self) -> bool {
        if self.edits.keys.is_empty() {
            self.begin_batch();
            return false;
        }
        if let Some(at) = self.edits.keys.iter().position(|key| !self.is_ready(*key)) {
            // It will be asked first the next time.
            self.edits.keys.swap(0, at);
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
        self.edits.area.clear();
        self.begin_batch();
        // What was held back may go on.
        (self.flags.swaps, self.flags.swap_due) = (true, true);
        true
    }

    /// Begins the batch of what had to wait for the one before.
    fn begin_batch(&mut self) {
        if self.edits.later.is_empty() {
            return;
        }
        // What finds no room waits for the batch after.
        std::mem::swap(&mut self.edits.later, &mut self.edits.due);
        while let Some(rect) = self.edits.due.0.pop() {
            self.renew_all(rect);
        }
        self.give_orders();
    }

    /// A chunk is no longer drawn: its new version need not be waited for.
    pub(crate) fn forget_edited(&mut self, key: ChunkKey) {
        if self.is_in_batch(key) {
            self.edits.keys.retain(|edited| *edited != key);
            if self.edits.keys.is_empty() {
                self.edits.area.clear();
                self.flags.swaps = true;
            }
        }
    }

    /// Attaches a save file: edits of this stream, and those that it hears of by [`note_edit`](Self::note_edit), are written
    /// to it in the background, and [`StreamEvent::Saved`] tells when one is on disk. Those that were made before are written
    /// too; one that no stream hears of waits for the next that one does.
    ///
    /// What the file brought into the world is shown like an edit, if chunks were drawn before: attach it before the next
    /// poll. Other streams of the world take notice by [`Save::loaded`](crate::save::Save::loaded).
    ///
    /// Returns the save that was attached before; dropping it waits for the disk. So does dropping the stream, which keeps the
    /// last error to itself: [`detach_save`](Self::detach_save) first, then close.
    ///
    /// # Errors
    /// A save that was opened with another world, or before [`World::with_edit_tiles`](crate::World::with_edit_tiles) gave
    /// this one another store. Nothing has changed; the error holds the save.
    ///
    /// ```
    /// # #[cfg(all(feature = "config", feature = "threads"))] {
    /// use std::sync::Arc;
    /// use terrane::save::Save;
    /// use terrane::{StreamSettings, Streamer, SystemClock, World, WorldConfig};
    ///
    /// # let dir = std::env::temp_dir().join(format!("terrane-doc-attach-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir).unwrap();
    /// # let path = dir.join("hills.save");
    /// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
    /// let save = Save::open(&path, &world).unwrap();
    /// let settings = StreamSettings { levels: 3, ..StreamSettings::default() };
    /// let mut stream = Streamer::open(world, settings, Arc::new(SystemClock::new())).unwrap();
    /// assert!(stream.attach_save(save).unwrap().is_none());
    /// // Frames; then, before the stream goes:
    /// if let Some(save) = stream.detach_save() {
    ///     save.close().unwrap();
    /// }
    /// # std::fs::remove_dir_all(&dir).unwrap();
    /// # }
    /// ```
    #[cfg(feature = "save")]
    pub fn attach_save(
        &mut self,
        save: crate::save::Save,
    ) -> Result<Option<crate::save::Save>, AttachSaveError> {
        if !save.is_of(&self.world) {
            return Err(AttachSaveError { save });
        }
        let before = self.save.replace(save);
        self.submit();
        // What the file brought, the drawn chunks do not have.
        self.collect();
        Ok(before)
    }

    /// The save file, which is no longer attached; `None` when there was none. [`Save::close`](crate::save::Save::close)
    /// waits until all is on disk and says if it is not.
    #[cfg(feature = "save")]
    pub fn detach_save(&mut self) -> Option<crate::save::Save> {
        self.save.take()
    }

    /// Lets the attached save know that there is something to write.
    fn submit(&self) {
        #[cfg(feature = "save")]
        if let Some(save) = &self.save {
            save.submit();
        }
    }

    #[cfg(feature = "save")]
    pub(crate) fn tell_saved(&mut self, event: &mut impl FnMut(StreamEvent<'_>)) {
        let Some(save) = &self.save else { return };
        while !self.is_stopped()
            && let Some(id) = save.try_saved()
        {
            event(StreamEvent::Saved(id));
        }
        while !self.is_stopped()
            && let Some(error) = save.try_error()
        {
            event(StreamEvent::SaveFailed(&error));
        }
    }

    #[cfg(not(feature = "save"))]
    pub(crate) fn tell_saved(&mut self, _: &mut impl FnMut(StreamEvent<'_>)) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_join_what_meets_and_stay_small() {
        let rect = |x: i64, z: i64| SampleRect { min: [x, z], max: [x + 9, z + 9] };
        let mut area = Area::new();
        for at in [0, 100, 200] {
            area.add(rect(at, 0));
        }
        assert_eq!(area.0.len(), 3);
        // Meets two of them.
        area.add(SampleRect { min: [5, 5], max: [105, 6] });
        assert_eq!(area.0.len(), 2);
        let key = |x: i64| ChunkKey { lod: 0, x, z: 0 };
        // Chunk 3 is 48..=64 with one more on each side, chunk 11 begins at 176.
        assert!(
            area.meets(16, key(3))
                && !area.meets(16, key(9))
                && !area.meets(16, key(11))
                && area.meets(16, key(12))
        );
        let capacity = area.0.capacity();
        for at in 0..100 {
            area.add(rect(1000 * at, 1000 * at));
        }
        assert!(area.0.len() <= Area::RECTS_MAX && area.0.capacity() == capacity);
        assert!(area.meets(16, key(3)) && area.meets(16, key(12)), "nothing is lost");
    }
}

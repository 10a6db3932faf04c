//! What a world does with its edits.
//!
//! In: an edit. Out: the store, changed. Deliberately not here: reading, which is `World`'s own.

use std::sync::Arc;

use super::{Edit, EditError, EditStore, Edited, Site};
use crate::World;

impl World {
    /// The same world with a new store of `tiles` tiles of edits (see [`EditStore::bytes_for`]), which clones made
    /// before do not share. Allocates.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::{World, WorldConfig};
    ///
    /// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap().with_edit_tiles(64);
    /// assert_eq!(world.edits().tiles(), 64);
    /// # }
    /// ```
    ///
    /// # Panics
    /// When `tiles` is above [`EDIT_TILES_MAX`](crate::edits::EDIT_TILES_MAX).
    #[must_use]
    pub fn with_edit_tiles(mut self, tiles: usize) -> Self {
        self.edits = Arc::new(EditStore::new(tiles, self.scratch()));
        self
    }

    /// The store of edits, which clones of this world share.
    #[must_use]
    pub fn edits(&self) -> &Arc<EditStore> {
        &self.edits
    }

    /// Changes the ground, as a whole or, on an error, not at all. Calls apply one after the other, each to the ground
    /// that the one before left. Chunks and positions read by other threads wait meanwhile. Allocates nothing. Outside a
    /// finite world nothing is touched.
    ///
    /// Streams and saves of the world hear of it from the caller: `Streamer::note_edit`, `Save::submit`.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::edits::{Brush, BrushShape, Edit, EditOp};
    /// use terrane::{Position, World, WorldConfig};
    ///
    /// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
    /// let center = Position::from_samples([0, 0]).unwrap();
    /// let brush = Brush { center, shape: BrushShape::Square { half_m: 8.0 }, falloff_m: 0.0 };
    /// let before_m = world.height_at(center);
    /// let edited = world.edit(&Edit { brush, op: EditOp::Raise { by_m: 0.5 } }).unwrap();
    /// assert!(edited.touched.is_some() && world.height_at(center) > before_m);
    /// # }
    /// ```
    ///
    /// # Errors
    /// A number that makes no sense, a brush that is too large, a pool without room: see [`EditError`].
    pub fn edit(&self, edit: &Edit) -> Result<Edited, EditError> {
        let range = &self.config().height;
        let site = Site {
            ground: &self.ground,
            level: self.level(),
            spacing_m: self.sample_spacing_m(),
            low_m: range.min_m,
            high_m: range.max_m,
        };
        self.edits.edit(&site, edit)
    }
}

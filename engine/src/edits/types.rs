//! What an edit is, and what it did.
//!
//! Plain data with metres and samples. Deliberately not here: checking (`brush.rs`) and doing (`operate.rs`).

use crate::buffers::APRON;
use crate::coords::{ChunkKey, Position};

/// Samples a side that a brush may span: twice its radius is at most this many spacings.
pub const BRUSH_SAMPLES_MAX: u32 = 2048;

/// A change of the ground: where, and what.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::edits::{Brush, BrushShape, Edit, EditOp};
/// use terrane::{Position, World, WorldConfig};
///
/// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let center = Position::from_samples([100, -7]).unwrap();
/// let brush = Brush { center, shape: BrushShape::Circle { radius_m: 12.0 }, falloff_m: 4.0 };
/// let edited = world.edit(&Edit { brush, op: EditOp::Set { height_m: 3.5 } }).unwrap();
/// assert_eq!(world.height_at(center), 3.5);
/// // Chunks of level 0 to build again: x -1..=2, because a chunk sees two samples beyond its border.
/// let (min, max) = edited.chunks(0, 64).unwrap();
/// assert!(min[0] <= 1 && max[0] >= 2);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edit {
    /// Which samples, and how much.
    pub brush: Brush,
    /// What happens to them.
    pub op: EditOp,
}

/// Which samples an edit reaches, and with what weight.
///
/// The weight is 1 inside and falls to 0 at the rim, as a smoothstep over the outer [`falloff_m`](Self::falloff_m)
/// metres. A sample of weight 0 is not touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// The middle; it may lie between samples.
    pub center: Position,
    /// Outline and size.
    pub shape: BrushShape,
    /// Width of the strip along the rim over which the weight falls, in metres: 0 (sheer, the rim itself belongs to the
    /// brush) up to the radius.
    pub falloff_m: f64,
}

/// The outline of a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BrushShape {
    /// A disc.
    Circle {
        /// In metres, above 0; at most 1024 spacings.
        radius_m: f64,
    },
    /// A square along the axes.
    Square {
        /// Half a side in metres, above 0; at most 1024 spacings.
        half_m: f64,
    },
}

/// What an edit does to a sample. The result is held within the world's height range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EditOp {
    /// Adds weight times `by_m`.
    Raise {
        /// In metres, 0 or more.
        by_m: f32,
    },
    /// Subtracts weight times `by_m`.
    Lower {
        /// In metres, 0 or more.
        by_m: f32,
    },
    /// Moves by the weight towards the height that the ground at the brush's centre had before the edit.
    Flatten,
    /// Moves by the weight towards a height.
    Set {
        /// In metres, finite.
        height_m: f32,
    },
    /// Moves by the weight towards the mean of the 3 x 3 samples around it as they were before the edit.
    Smooth,
}

/// The number of an edit: 1 for the first of a store, then counting up. A store that was loaded from a save file goes
/// on from the last number in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EditId(pub u64);

/// A rectangle of samples, `[x, z]`; both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleRect {
    /// The smallest indices.
    pub min: [i64; 2],
    /// The largest.
    pub max: [i64; 2],
}

/// What an edit did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the chunks that it touched are to be built again"]
pub struct Edited {
    /// Its number. An edit that changed nothing has one too, so that hosts may count calls.
    pub id: EditId,
    /// The smallest rectangle around the samples whose height changed by a bit or more; `None` when none did.
    pub touched: Option<SampleRect>,
    /// Samples that would have left the world's height range and were stopped at its end.
    pub clamped: u32,
}

impl Edited {
    /// The chunks of level `lod` whose columns can differ now: the first, and one past the last, x then z. A chunk sees
    /// two samples beyond its border, at its level's distance of samples. `None` when no sample of that level's grid was
    /// touched. In a finite world the range may reach over the edge: [`World::chunk_extent`](crate::World::chunk_extent).
    ///
    /// ```
    /// use terrane::edits::{EditId, Edited, SampleRect};
    ///
    /// let rect = SampleRect { min: [63, 5], max: [65, 5] };
    /// let edited = Edited { id: EditId(1), touched: Some(rect), clamped: 0 };
    /// assert_eq!(edited.chunks(0, 64), Some(([0, 0], [2, 1])));
    /// assert_eq!(edited.chunks(1, 64), None, "row 5 is not on the grid of every second sample");
    /// ```
    ///
    /// # Panics
    /// When `chunk_cells` is 0.
    #[must_use]
    pub fn chunks(&self, lod: u8, chunk_cells: u32) -> Option<([i64; 2], [i64; 2])> {
        let rect = self.touched?;
        let stride = i64::from(ChunkKey { lod, x: 0, z: 0 }.stride());
        let cells = i64::from(chunk_cells);
        let (mut first, mut end) = ([0; 2], [0; 2]);
        for axis in 0..2 {
            // The touched places of the level's grid: rounded inwards.
            let low = -(-rect.min[axis]).div_euclid(stride);
            let high = rect.max[axis].div_euclid(stride);
            if low > high {
                return None;
            }
            // Chunk k reads k * cells - apron ..= (k + 1) * cells + apron.
            let apron = APRON as i64;
            first[axis] = (low - apron - 1).div_euclid(cells);
            end[axis] = (high + apron).div_euclid(cells) + 1;
        }
        Some((first, end))
    }
}

//! Which columns a chunk has, and how large they are.
//!
//! A column is an array of 4-byte words on a cache line, whatever its values are: so one kind of memory serves all, and
//! a pool holds columns of one size.

use crate::buffers::{APRON, ColumnKind};

/// Most columns of named fields that a chunk can carry.
pub const FIELD_COLUMNS_MAX: usize = 8;

/// Columns that do not name a field.
pub(crate) const PLAIN: usize = ColumnKind::ALL.len();
/// Places of columns: plain ones as [`ColumnKind::ALL`] has them, then fields in the order of [`ChunkLayout::fields`].
pub(crate) const KINDS: usize = PLAIN + FIELD_COLUMNS_MAX;
/// The place of the first field.
pub(crate) const FIELDS: usize = PLAIN;

/// How the values of a named field are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldFormat {
    /// As they are.
    F32,
    /// 0 ..= 255 over the field's guaranteed bounds, rounded to the nearest.
    Unorm8,
    /// 0 ..= 65535 over the field's guaranteed bounds, rounded to the nearest.
    Unorm16,
}

impl FieldFormat {
    /// Every format with its name in world files.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::F32, "f32"), (Self::Unorm8, "unorm8"), (Self::Unorm16, "unorm16")];

    /// Size of a value.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::Unorm8 => 1,
            Self::Unorm16 => 2,
        }
    }
}

/// A named field as a column: one value a vertex, row by row, without apron.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldColumn {
    /// Its number, as [`World::field_names`](crate::World::field_names) counts.
    pub field: usize,
    /// In which form.
    pub format: FieldFormat,
}

/// What one column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Plain(ColumnKind),
    Field(FieldColumn),
}

impl Content {
    /// Its place; for a field the first that a field can have.
    pub(crate) fn place(self) -> usize {
        match self {
            Self::Plain(kind) => kind.index(),
            Self::Field(_) => FIELDS,
        }
    }
}

/// The columns of a chunk.
///
/// ```
/// use terrane::buffers::{ChunkLayout, ColumnKind};
/// let layout = ChunkLayout::default().without(ColumnKind::Colors);
/// assert_eq!(layout.bytes(64), 22_144 + 4225 * (12 + 12));
/// assert_eq!(ChunkLayout::of(&[ColumnKind::Packed8]).bytes(64), 4225 * 8);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChunkLayout {
    plain: [bool; PLAIN],
    /// Steepest slope that [`ColumnKind::Walkable`] admits, in degrees from level ground.
    pub walkable_slope_max_deg: u8,
    /// Named fields, at most [`FIELD_COLUMNS_MAX`].
    pub fields: Vec<FieldColumn>,
}

impl Default for ChunkLayout {
    /// A mesh: heights, positions, normals, colours.
    fn default() -> Self {
        Self::of(&[ColumnKind::Heights, ColumnKind::Positions, ColumnKind::Normals, ColumnKind::Colors])
    }
}

impl ChunkLayout {
    /// Steepest slope that is walkable when nobody says another, in degrees.
    pub const WALKABLE_SLOPE_MAX_DEG: u8 = 40;

    /// These columns and no others.
    #[must_use]
    pub fn of(kinds: &[ColumnKind]) -> Self {
        let mut plain = [false; PLAIN];
        for kind in kinds {
            plain[kind.index()] = true;
        }
        Self { plain, walkable_slope_max_deg: Self::WALKABLE_SLOPE_MAX_DEG, fields: Vec::new() }
    }

    /// Heights alone.
    #[must_use]
    pub fn heights_only() -> Self {
        Self::of(&[ColumnKind::Heights])
    }

    /// The same with a column more.
    #[must_use]
    pub fn with(mut self, kind: ColumnKind) -> Self {
        self.plain[kind.index()] = true;
        self
    }

    /// The same with a column less.
    #[must_use]
    pub fn without(mut self, kind: ColumnKind) -> Self {
        self.plain[kind.index()] = false;
        self
    }

    /// Whether chunks have this column.
    #[must_use]
    pub fn has(&self, kind: ColumnKind) -> bool {
        self.plain[kind.index()]
    }

    /// The same with another column.
    pub(crate) fn with_content(self, content: Content) -> Self {
        match content {
            Content::Plain(kind) => self.with(kind),
            Content::Field(column) => {
                let mut layout = self;
                layout.fields.push(column);
                layout
            }
        }
    }

    /// 4-byte words of the column at a place for chunks of `chunk_cells` cells; 0 when the chunk has none.
    pub(crate) fn words(&self, place: usize, chunk_cells: u32) -> usize {
        let side = chunk_cells as usize + 1;
        let bytes = match ColumnKind::ALL.get(place) {
            Some((kind, ..)) if !self.has(*kind) => 0,
            Some((ColumnKind::Heights, ..)) => 4 * apron_len(side),
            Some((_, _, bytes)) => side * side * bytes,
            None => self.fields.get(place - FIELDS).map_or(0, |column| side * side * column.format.bytes()),
        };
        bytes.div_ceil(4)
    }

    /// Size of all columns of a chunk in bytes.
    #[must_use]
    pub fn bytes(&self, chunk_cells: u32) -> usize {
        (0..KINDS).map(|place| 4 * self.words(place, chunk_cells)).sum()
    }
}

/// Distance of the apron's rows: whole 16-lane vectors.
pub(crate) fn apron_stride(side: usize) -> usize {
    (side + 2 * APRON).next_multiple_of(16)
}

/// Values of the apron column. Kernels read whole vectors to the right and below: a vector more than the rows hold.
pub(crate) fn apron_len(side: usize) -> usize {
    (side + 2 * APRON) * apron_stride(side) + 16
}

//! Which columns a chunk has, and how large they are.
//!
//! A column is an array of 4-byte words on a cache line, whatever its values are: so one kind of memory serves all, and
//! a pool holds columns of one size.

use crate::buffers::APRON;

/// Most columns of named fields that a chunk can carry.
pub const FIELD_COLUMNS_MAX: usize = 8;

/// Kinds of columns: heights, positions, normals, colours, and named fields.
pub(crate) const KINDS: usize = 4 + FIELD_COLUMNS_MAX;
/// The places of the first four; fields follow in the order of [`ChunkLayout::fields`].
pub(crate) const HEIGHTS: usize = 0;
pub(crate) const POSITIONS: usize = 1;
pub(crate) const NORMALS: usize = 2;
pub(crate) const COLORS: usize = 3;
pub(crate) const FIELDS: usize = 4;

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
    Heights,
    Positions,
    Normals,
    Colors,
    Field(FieldColumn),
}

impl Content {
    /// Its place among the kinds; for a field the first that a field can have.
    pub(crate) fn kind(self) -> usize {
        match self {
            Self::Heights => HEIGHTS,
            Self::Positions => POSITIONS,
            Self::Normals => NORMALS,
            Self::Colors => COLORS,
            Self::Field(_) => FIELDS,
        }
    }
}

/// The columns of a chunk.
///
/// ```
/// use terrane::buffers::ChunkLayout;
/// let layout = ChunkLayout { colors: false, ..ChunkLayout::default() };
/// assert_eq!(layout.bytes(64), 21_504 + 4225 * (12 + 12));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChunkLayout {
    /// Heights in metres, with an apron of one sample on every side.
    pub heights: bool,
    /// Positions in metres relative to the chunk's first sample.
    pub positions: bool,
    /// Unit normals.
    pub normals: bool,
    /// Colours by height.
    pub colors: bool,
    /// Named fields, at most [`FIELD_COLUMNS_MAX`].
    pub fields: Vec<FieldColumn>,
}

impl Default for ChunkLayout {
    /// A mesh: heights, positions, normals, colours.
    fn default() -> Self {
        Self { heights: true, positions: true, normals: true, colors: true, fields: Vec::new() }
    }
}

impl ChunkLayout {
    /// Heights alone.
    #[must_use]
    pub fn heights_only() -> Self {
        Self::of([Content::Heights])
    }

    /// These columns and no others.
    pub(crate) fn of(columns: impl IntoIterator<Item = Content>) -> Self {
        let mut layout =
            Self { heights: false, positions: false, normals: false, colors: false, fields: Vec::new() };
        for column in columns {
            match column {
                Content::Heights => layout.heights = true,
                Content::Positions => layout.positions = true,
                Content::Normals => layout.normals = true,
                Content::Colors => layout.colors = true,
                Content::Field(field) => layout.fields.push(field),
            }
        }
        layout
    }

    /// 4-byte words of a kind of column for chunks of `chunk_cells` cells; 0 when the chunk has none.
    pub(crate) fn words(&self, kind: usize, chunk_cells: u32) -> usize {
        let side = chunk_cells as usize + 1;
        let vertices = side * side;
        match kind {
            HEIGHTS if self.heights => apron_len(side),
            POSITIONS if self.positions => 3 * vertices,
            NORMALS if self.normals => 3 * vertices,
            COLORS if self.colors => vertices,
            HEIGHTS | POSITIONS | NORMALS | COLORS => 0,
            _ => self
                .fields
                .get(kind - FIELDS)
                .map_or(0, |column| (vertices * column.format.bytes()).div_ceil(4)),
        }
    }

    /// Size of all columns of a chunk in bytes.
    #[must_use]
    pub fn bytes(&self, chunk_cells: u32) -> usize {
        (0..KINDS).map(|kind| 4 * self.words(kind, chunk_cells)).sum()
    }
}

/// Distance of the apron's rows: whole 16-lane vectors.
pub(crate) fn apron_stride(side: usize) -> usize {
    (side + 2 * APRON).next_multiple_of(16)
}

/// Values of the apron column. Normals read whole vectors to the right and below: a vector more than the rows hold.
pub(crate) fn apron_len(side: usize) -> usize {
    (side + 2 * APRON) * apron_stride(side) + 16
}

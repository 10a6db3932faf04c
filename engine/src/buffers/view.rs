//! A chunk's columns borrowed: to fill them, or to read them. Wherever their memory lies.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::buffers::layout::{
    COLORS, FIELD_COLUMNS_MAX, FIELDS, FieldColumn, FieldFormat, HEIGHTS, KINDS, NORMALS, POSITIONS,
    apron_stride,
};
use crate::buffers::{APRON, ChunkLayout};
use crate::coords::ChunkKey;

/// A chunk's columns while they are filled. What the chunk does not have is empty.
pub(crate) struct ChunkColumns<'a> {
    pub(crate) key: ChunkKey,
    pub(crate) origin_sample: [i64; 2],
    /// Vertices along a side.
    pub(crate) side: usize,
    /// Set with the heights: the last edit that is in them.
    pub(crate) version: u64,
    /// Heights with apron, rows [`apron_stride`] apart. Always there: the others are made from them.
    pub(crate) apron: &'a mut [f32],
    pub(crate) positions: &'a mut [[f32; 3]],
    pub(crate) normals: &'a mut [[f32; 3]],
    pub(crate) colors: &'a mut [[u8; 4]],
    pub(crate) fields: [Option<(FieldColumn, &'a mut [u32])>; FIELD_COLUMNS_MAX],
}

impl<'a> ChunkColumns<'a> {
    /// From the words of each kind, `None` where the chunk has no such column; heights go to `apron` then.
    pub(crate) fn new(
        layout: &ChunkLayout,
        key: ChunkKey,
        chunk_cells: u32,
        mut words: [Option<&'a mut [u32]>; KINDS],
        apron: &'a mut [f32],
    ) -> Self {
        let mut take = |kind: usize| words[kind].take();
        let (heights, positions) = (take(HEIGHTS), take(POSITIONS));
        let (normals, colors) = (take(NORMALS), take(COLORS));
        let fields = std::array::from_fn(|i| Some((*layout.fields.get(i)?, take(FIELDS + i)?)));
        Self {
            key,
            origin_sample: key.origin(chunk_cells),
            side: chunk_cells as usize + 1,
            version: 0,
            apron: heights.map_or(apron, cast_slice_mut),
            positions: positions.map_or(&mut [], cast_slice_mut),
            normals: normals.map_or(&mut [], cast_slice_mut),
            colors: colors.map_or(&mut [], cast_slice_mut),
            fields,
        }
    }
}

/// A finished chunk, borrowed. Columns that it does not have are empty.
#[derive(Clone, Copy, Debug)]
pub struct ChunkView<'a> {
    key: ChunkKey,
    origin_sample: [i64; 2],
    side: usize,
    apron: &'a [f32],
    positions: &'a [[f32; 3]],
    normals: &'a [[f32; 3]],
    colors: &'a [[u8; 4]],
    fields: [Option<(FieldColumn, &'a [u32])>; FIELD_COLUMNS_MAX],
}

/// The values of a named field, one a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldValues<'a> {
    /// As they are.
    F32(&'a [f32]),
    /// Over the field's guaranteed bounds.
    Unorm8(&'a [u8]),
    /// Over the field's guaranteed bounds.
    Unorm16(&'a [u16]),
}

impl<'a> ChunkView<'a> {
    pub(crate) fn new(
        layout: &ChunkLayout,
        key: ChunkKey,
        chunk_cells: u32,
        words: [Option<&'a [u32]>; KINDS],
    ) -> Self {
        let fields = std::array::from_fn(|i| Some((*layout.fields.get(i)?, words[FIELDS + i]?)));
        Self {
            key,
            origin_sample: key.origin(chunk_cells),
            side: chunk_cells as usize + 1,
            apron: words[HEIGHTS].map_or(&[], cast_slice),
            positions: words[POSITIONS].map_or(&[], cast_slice),
            normals: words[NORMALS].map_or(&[], cast_slice),
            colors: words[COLORS].map_or(&[], cast_slice),
            fields,
        }
    }

    /// Which chunk it is.
    #[must_use]
    pub fn key(self) -> ChunkKey {
        self.key
    }

    /// The sample that positions are relative to, x then z.
    #[must_use]
    pub fn origin_sample(self) -> [i64; 2] {
        self.origin_sample
    }

    /// Vertices along a side: `chunk_cells + 1`.
    #[must_use]
    pub fn side(self) -> usize {
        self.side
    }

    /// Whether the chunk keeps its heights.
    #[must_use]
    pub fn has_heights(self) -> bool {
        !self.apron.is_empty()
    }

    /// Heights of row `z` in metres, without apron: one a vertex.
    ///
    /// # Panics
    /// When `z` is not below [`side`](Self::side), or the chunk has no column of heights.
    #[must_use]
    pub fn heights(self, z: usize) -> &'a [f32] {
        assert!(z < self.side, "row {z} of {}", self.side);
        let first = (z + APRON) * apron_stride(self.side) + APRON;
        &self.apron[first..first + self.side]
    }

    /// Metres relative to the origin, y up.
    #[must_use]
    pub fn positions(self) -> &'a [[f32; 3]] {
        self.positions
    }

    /// Unit normals: the normalised central difference of heights, one stride to each side.
    #[must_use]
    pub fn normals(self) -> &'a [[f32; 3]] {
        self.normals
    }

    /// sRGB and alpha by the height's place on the colour ramp.
    #[must_use]
    pub fn colors(self) -> &'a [[u8; 4]] {
        self.colors
    }

    /// The column number `column` of named fields, with the field that it holds; `None` when the chunk has not so many.
    #[must_use]
    pub fn field(self, column: usize) -> Option<(FieldColumn, FieldValues<'a>)> {
        let (of, words) = (*self.fields.get(column)?)?;
        let vertices = self.side * self.side;
        let values = match of.format {
            FieldFormat::F32 => FieldValues::F32(cast_slice(words)),
            FieldFormat::Unorm8 => FieldValues::Unorm8(&cast_slice(words)[..vertices]),
            FieldFormat::Unorm16 => FieldValues::Unorm16(&cast_slice(words)[..vertices]),
        };
        Some((of, values))
    }
}

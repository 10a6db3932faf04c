//! A chunk's columns borrowed: to fill them, or to read them. Wherever their memory lies.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::buffers::layout::{FIELD_COLUMNS_MAX, FIELDS, FieldColumn, FieldFormat, KINDS, apron_stride};
use crate::buffers::{APRON, ChunkLayout, ColumnKind};
use crate::coords::ChunkKey;

/// What is known of a chunk beside its columns; set with its heights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ChunkFacts {
    /// The last edit that is in the columns.
    pub(crate) version: u64,
    /// Lowest and highest vertex.
    pub(crate) heights_m: [f32; 2],
    /// Metres between vertices.
    pub(crate) spacing_m: f32,
}

/// A chunk's columns while they are filled. What the chunk does not have is empty.
pub(crate) struct ChunkColumns<'a> {
    pub(crate) key: ChunkKey,
    pub(crate) origin_sample: [i64; 2],
    /// Vertices along a side.
    pub(crate) side: usize,
    pub(crate) facts: &'a mut ChunkFacts,
    /// Heights with apron, rows [`apron_stride`] apart. Always there: the others are made from them.
    pub(crate) apron: &'a mut [f32],
    pub(crate) positions: &'a mut [[f32; 3]],
    pub(crate) normals: &'a mut [[f32; 3]],
    pub(crate) colors: &'a mut [[u8; 4]],
    pub(crate) coarse: &'a mut [[f32; 4]],
    pub(crate) packed8: &'a mut [[u8; 8]],
    pub(crate) packed4: &'a mut [[u8; 4]],
    pub(crate) slopes: &'a mut [u8],
    pub(crate) walkable: &'a mut [u8],
    pub(crate) walkable_slope_max_deg: u8,
    pub(crate) fields: [Option<(FieldColumn, &'a mut [u32])>; FIELD_COLUMNS_MAX],
}

impl<'a> ChunkColumns<'a> {
    /// From the words of each place, `None` where the chunk has no such column; heights go to `apron` then.
    pub(crate) fn new(
        layout: &ChunkLayout,
        key: ChunkKey,
        chunk_cells: u32,
        mut words: [Option<&'a mut [u32]>; KINDS],
        facts: &'a mut ChunkFacts,
        apron: &'a mut [f32],
    ) -> Self {
        let fields = std::array::from_fn(|i| Some((*layout.fields.get(i)?, words[FIELDS + i].take()?)));
        let mut take = |kind: ColumnKind| words[kind.index()].take().unwrap_or_default();
        let heights = take(ColumnKind::Heights);
        let side = chunk_cells as usize + 1;
        Self {
            key,
            origin_sample: key.origin(chunk_cells),
            side,
            facts,
            apron: if heights.is_empty() { apron } else { cast_slice_mut(heights) },
            positions: cast_slice_mut(take(ColumnKind::Positions)),
            normals: cast_slice_mut(take(ColumnKind::Normals)),
            colors: cast_slice_mut(take(ColumnKind::Colors)),
            coarse: cast_slice_mut(take(ColumnKind::Coarse)),
            packed8: cast_slice_mut(take(ColumnKind::Packed8)),
            packed4: cast_slice_mut(take(ColumnKind::Packed4)),
            slopes: bytes_of(take(ColumnKind::Slopes), side),
            walkable: bytes_of(take(ColumnKind::Walkable), side),
            walkable_slope_max_deg: layout.walkable_slope_max_deg,
            fields,
        }
    }
}

/// A byte a vertex, without what fills up the last word.
fn bytes_of(words: &mut [u32], side: usize) -> &mut [u8] {
    let bytes: &mut [u8] = cast_slice_mut(words);
    let vertices = bytes.len().min(side * side);
    &mut bytes[..vertices]
}

/// A finished chunk, borrowed. Columns that it does not have are empty.
#[derive(Clone, Copy, Debug)]
pub struct ChunkView<'a> {
    key: ChunkKey,
    origin_sample: [i64; 2],
    side: usize,
    facts: ChunkFacts,
    apron: &'a [f32],
    positions: &'a [[f32; 3]],
    normals: &'a [[f32; 3]],
    colors: &'a [[u8; 4]],
    coarse: &'a [[f32; 4]],
    packed8: &'a [[u8; 8]],
    packed4: &'a [[u8; 4]],
    slopes: &'a [u8],
    walkable: &'a [u8],
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
        facts: ChunkFacts,
        words: [Option<&'a [u32]>; KINDS],
    ) -> Self {
        let fields = std::array::from_fn(|i| Some((*layout.fields.get(i)?, words[FIELDS + i]?)));
        let of = |kind: ColumnKind| words[kind.index()].unwrap_or_default();
        let side = chunk_cells as usize + 1;
        let bytes_of = |kind: ColumnKind| {
            let bytes: &[u8] = cast_slice(of(kind));
            &bytes[..bytes.len().min(side * side)]
        };
        Self {
            key,
            origin_sample: key.origin(chunk_cells),
            side,
            facts,
            apron: cast_slice(of(ColumnKind::Heights)),
            positions: cast_slice(of(ColumnKind::Positions)),
            normals: cast_slice(of(ColumnKind::Normals)),
            colors: cast_slice(of(ColumnKind::Colors)),
            coarse: cast_slice(of(ColumnKind::Coarse)),
            packed8: cast_slice(of(ColumnKind::Packed8)),
            packed4: cast_slice(of(ColumnKind::Packed4)),
            slopes: bytes_of(ColumnKind::Slopes),
            walkable: bytes_of(ColumnKind::Walkable),
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

    /// Metres between neighbouring vertices.
    #[must_use]
    pub fn vertex_spacing_m(self) -> f32 {
        self.facts.spacing_m
    }

    /// The lowest and the highest vertex, in metres.
    #[must_use]
    pub fn heights_m(self) -> [f32; 2] {
        self.facts.heights_m
    }

    /// The box around the vertices, in metres relative to the origin: smallest corner, largest corner.
    #[must_use]
    pub fn bounds_m(self) -> [[f32; 3]; 2] {
        let ([low, high], side_m) = (self.facts.heights_m, (self.side - 1) as f32 * self.facts.spacing_m);
        [[0.0, low, 0.0], [side_m, high, side_m]]
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

    /// Heights of row `z` with one sample of the apron at either end; row 0 is the apron's as well. `side + 2` rows.
    pub(crate) fn ringed_heights(self, z: usize) -> &'a [f32] {
        assert!(z < self.side + 2, "row {z} of {}", self.side + 2);
        let outside = APRON - 1;
        &self.apron[(z + outside) * apron_stride(self.side) + outside..][..self.side + 2]
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

    /// Height in metres and unit normal on the mesh of the next coarser level: what a vertex moves to before its chunk is replaced by
    /// a coarser one. Vertices that the coarser mesh lacks are in the middle of its edges.
    #[must_use]
    pub fn coarse(self) -> &'a [[f32; 4]] {
        self.coarse
    }

    /// Vertices of 8 bytes, as [`Packed8`](super::Packed8) reads them.
    #[must_use]
    pub fn packed8(self) -> &'a [[u8; 8]] {
        self.packed8
    }

    /// Vertices of 4 bytes, as [`Packed4`](super::Packed4) reads them.
    #[must_use]
    pub fn packed4(self) -> &'a [[u8; 4]] {
        self.packed4
    }

    /// Angles from level ground, of the vertices' normals: 0 is level, 255 vertical, steps of 90 / 255 degrees.
    #[must_use]
    pub fn slopes(self) -> &'a [u8] {
        self.slopes
    }

    /// 1 where the ground is walkable: no steeper than the layout's limit and not below the sea; else 0.
    #[must_use]
    pub fn walkable(self) -> &'a [u8] {
        self.walkable
    }

    /// The bytes of a column, as a host uploads them; empty when the chunk has none. Heights are empty here: their rows have an apron
    /// between them, [`heights`](Self::heights) gives them without.
    #[must_use]
    pub fn bytes(self, kind: ColumnKind) -> &'a [u8] {
        match kind {
            ColumnKind::Heights => &[],
            ColumnKind::Positions => cast_slice(self.positions),
            ColumnKind::Normals => cast_slice(self.normals),
            ColumnKind::Colors => cast_slice(self.colors),
            ColumnKind::Coarse => cast_slice(self.coarse),
            ColumnKind::Packed8 => cast_slice(self.packed8),
            ColumnKind::Packed4 => cast_slice(self.packed4),
            ColumnKind::Slopes => self.slopes,
            ColumnKind::Walkable => self.walkable,
        }
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

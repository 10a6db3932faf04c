//! Memory of the caller's for columns of a chunk: a mapped GPU buffer, a part of a larger mesh.

use crate::buffers::{ChunkColumns, ColumnKind};

/// Where columns go instead of into a chunk's own memory. Each slice that is there has one entry a vertex, `(chunk_cells + 1)^2`.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::buffers::{ChunkLayout, ChunkSlices};
/// use terrane::{ChunkBuffers, ChunkKey, World, WorldConfig};
///
/// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let mut chunk = ChunkBuffers::with_layout(world.chunk_cells(), ChunkLayout::of(&[]));
/// let mut vertices = vec![[0; 8]; 65 * 65];
/// let out = ChunkSlices { packed8: Some(&mut vertices), ..ChunkSlices::default() };
/// world.build_into(ChunkKey { lod: 3, x: 0, z: -1 }, &mut chunk, out, &mut world.scratch()).unwrap();
///
/// let short = ChunkSlices { slopes: Some(&mut [0; 4096]), ..ChunkSlices::default() };
/// let error = world.build_into(ChunkKey { lod: 3, x: 0, z: -1 }, &mut chunk, short, &mut world.scratch());
/// assert_eq!(error.unwrap_err().to_string(), "memory for slopes of 4096 vertices, a chunk of this world has 4225");
/// # }
/// ```
#[derive(Debug, Default)]
pub struct ChunkSlices<'a> {
    /// For [`ColumnKind::Positions`].
    pub positions: Option<&'a mut [[f32; 3]]>,
    /// For [`ColumnKind::Normals`].
    pub normals: Option<&'a mut [[f32; 3]]>,
    /// For [`ColumnKind::Colors`].
    pub colors: Option<&'a mut [[u8; 4]]>,
    /// For [`ColumnKind::Coarse`].
    pub coarse: Option<&'a mut [[f32; 4]]>,
    /// For [`ColumnKind::Packed8`].
    pub packed8: Option<&'a mut [[u8; 8]]>,
    /// For [`ColumnKind::Packed4`].
    pub packed4: Option<&'a mut [[u8; 4]]>,
    /// For [`ColumnKind::Slopes`].
    pub slopes: Option<&'a mut [u8]>,
    /// For [`ColumnKind::Walkable`].
    pub walkable: Option<&'a mut [u8]>,
}

impl<'a> ChunkSlices<'a> {
    /// The first slice that has not one entry a vertex, with its entries.
    pub(crate) fn wrong_size(&self, vertices: usize) -> Option<(ColumnKind, usize)> {
        fn len<T>(slice: &Option<&mut [T]>) -> Option<usize> {
            slice.as_ref().map(|slice| slice.len())
        }
        let lens = [
            (ColumnKind::Positions, len(&self.positions)),
            (ColumnKind::Normals, len(&self.normals)),
            (ColumnKind::Colors, len(&self.colors)),
            (ColumnKind::Coarse, len(&self.coarse)),
            (ColumnKind::Packed8, len(&self.packed8)),
            (ColumnKind::Packed4, len(&self.packed4)),
            (ColumnKind::Slopes, len(&self.slopes)),
            (ColumnKind::Walkable, len(&self.walkable)),
        ];
        lens.into_iter().find_map(|(kind, len)| Some((kind, len.filter(|len| *len != vertices)?)))
    }

    /// Puts the slices into their places.
    pub(crate) fn put_into(self, columns: &mut ChunkColumns<'a>) {
        fn put<'a, T>(slice: Option<&'a mut [T]>, place: &mut &'a mut [T]) {
            if let Some(slice) = slice {
                *place = slice;
            }
        }
        put(self.positions, &mut columns.positions);
        put(self.normals, &mut columns.normals);
        put(self.colors, &mut columns.colors);
        put(self.coarse, &mut columns.coarse);
        put(self.packed8, &mut columns.packed8);
        put(self.packed4, &mut columns.packed4);
        put(self.slopes, &mut columns.slopes);
        put(self.walkable, &mut columns.walkable);
    }
}

//! The nine chunks around a point as one height field.
//!
//! In: a source of chunks' heights. Out: the square of three by three chunks, decimated in place, with its exact error.
//! Deliberately not here: the choice of the point, and when to make the next one (the middle chunk of a body is
//! [`World::chunk_at`]; a body that leaves it has a whole chunk of room before it comes to the edge). While a body is
//! on a merged field, the colliders of the nine chunks must not be there for it: two surfaces in one place are two
//! contacts.
//!
//! Why one field: physics engines correct contacts at edges inside one shape only. At the seam of two fields a body
//! that slides meets the edge of the next one as if it were a wall (rapier #182, JoltPhysics #1922). Inside a merged
//! field there is no seam.
//!
//! The outer borders keep to the border rule, chunk by chunk, so that the field also fits the colliders of single
//! chunks around it. Inner borders are as near to the ground as the rest.

use crate::buffers::{ChunkBuffers, ChunkLayout, ChunkView};
use crate::collider::decimate::Rim;
use crate::collider::error::check_capacity;
use crate::collider::{ColliderError, Decimation, HeightField};
use crate::coords::{ChunkKey, Position};
use crate::world::{BuildError, World};
use terrane_noise::Scratch;

/// Chunks along a side.
pub const CHUNKS: usize = 3;

/// Where the heights of chunks come from.
pub trait ChunkHeights {
    /// What can go wrong.
    type Error;

    /// Writes the heights of the chunk that is `offset` chunks, x then z, from the middle one, each -1, 0 or 1: all
    /// rows of level 0, borders included, that begin `row_stride` apart. What lies between rows must stay as it is.
    ///
    /// # Errors
    /// When there is no such chunk.
    fn fill(&mut self, offset: [i64; 2], out: &mut [f32], row_stride: usize) -> Result<(), Self::Error>;
}

/// Why there is no merged field. The memory may be overwritten.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MergeError<E> {
    /// The memory, the tolerance or the heights are wrong.
    #[error(transparent)]
    Collider(#[from] ColliderError),
    /// The source has no heights for a chunk.
    #[error("the chunk at {x}, {z} from the middle has no heights: {error}")]
    Source {
        /// Chunks from the middle along x.
        x: i64,
        /// Chunks from the middle along z.
        z: i64,
        /// Why.
        error: E,
    },
}

/// Samples of the memory that [`merge`] works in: those of level 0.
///
/// ```
/// assert_eq!(terrane::collider::merged::capacity(64), 193 * 193);
/// ```
#[must_use]
pub fn capacity(cells: usize) -> usize {
    (CHUNKS * cells + 1) * (CHUNKS * cells + 1)
}

/// Fills `out` with the heights of nine chunks of `cells` cells and decimates them where they are. The first
/// [`samples`](Decimation::samples) values are the result, row by row; the rest is rubbish.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::collider::merged::{WorldChunks, capacity, merge};
/// use terrane::{Position, World, WorldConfig};
///
/// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let feet = Position::from_samples([130, -7]).unwrap();
/// let mut chunks = WorldChunks::new(&world, world.chunk_at(feet));
/// let mut heights = vec![0.0; capacity(64)];
/// let field = merge(64, 0.0, &mut chunks, &mut heights).unwrap();
/// assert_eq!((field.step, field.side, field.error_exact_m), (1, 193, 0.0));
/// // The middle chunk begins at sample (128, -64); the field one chunk before it.
/// assert_eq!(heights[121 * 193 + 66], world.height_at(feet));
/// # }
/// ```
///
/// # Errors
/// When `out` has not exactly [`capacity`] values, cells, tolerance or heights are not those of [`Decimation::plan`],
/// or the source fails.
pub fn merge<S: ChunkHeights>(
    cells: usize,
    tolerance_m: f64,
    source: &mut S,
    out: &mut [f32],
) -> Result<Decimation, MergeError<S::Error>> {
    check_capacity("a merged field", out.len(), capacity(cells))?;
    let side = CHUNKS * cells + 1;
    for z in 0..CHUNKS {
        for x in 0..CHUNKS {
            let offset = [x as i64 - 1, z as i64 - 1];
            let first = (z * side + x) * cells;
            let end = first + cells * side + cells + 1;
            source.fill(offset, &mut out[first..end], side).map_err(|error| MergeError::Source {
                x: offset[0],
                z: offset[1],
                error,
            })?;
        }
    }
    let heights = HeightField::new(out, side)?;
    let plan = Decimation::plan_chunks(&heights, CHUNKS, tolerance_m)?;
    let rim = Rim::new(&heights, CHUNKS, tolerance_m);
    plan.write_in_place(out, &rim);
    Ok(plan)
}

/// Why a finished chunk is not the one that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// It is another chunk.
    #[error(
        "chunk {}, {} of level {} is needed, {}, {} of level {} is there",
        expected.x, expected.z, expected.lod, found.x, found.z, found.lod
    )]
    Key {
        /// The chunk that is there.
        found: ChunkKey,
        /// The chunk of this place.
        expected: ChunkKey,
    },
    /// Its layout has no column of heights.
    #[error("chunk {}, {} keeps no heights", key.x, key.z)]
    NoHeights {
        /// Which chunk.
        key: ChunkKey,
    },
    /// It has another number of cells than the field.
    #[error("{found} samples a side; {expected} are needed")]
    Side {
        /// Samples of the chunk's side.
        found: usize,
        /// The cells of [`merge`] and one.
        expected: usize,
    },
}

/// Nine chunks of level 0 that are there already, such as those of a stream: rows of chunks along x, the smallest z
/// first.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::collider::merged::{ViewChunks, capacity, merge};
/// use terrane::{ChunkBuffers, ChunkKey, World, WorldConfig};
///
/// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let mut scratch = world.scratch();
/// let chunks: [[ChunkBuffers; 3]; 3] = std::array::from_fn(|z| {
///     std::array::from_fn(|x| {
///         let mut chunk = ChunkBuffers::new(world.chunk_cells());
///         world.build(ChunkKey { lod: 0, x: x as i64, z: z as i64 }, &mut chunk, &mut scratch).unwrap();
///         chunk
///     })
/// });
/// let mut source = ViewChunks(chunks.each_ref().map(|row| row.each_ref().map(ChunkBuffers::view)));
/// let mut heights = vec![0.0; capacity(64)];
/// let field = merge(64, 0.25, &mut source, &mut heights).unwrap();
/// assert!(field.error_exact_m <= 0.25);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ViewChunks<'a>(pub [[ChunkView<'a>; CHUNKS]; CHUNKS]);

impl ChunkHeights for ViewChunks<'_> {
    type Error = ViewError;

    fn fill(&mut self, [dx, dz]: [i64; 2], out: &mut [f32], row_stride: usize) -> Result<(), ViewError> {
        let middle = self.0[1][1].key();
        let view = self.0[(dz + 1) as usize][(dx + 1) as usize];
        let expected = ChunkKey { lod: 0, x: middle.x.wrapping_add(dx), z: middle.z.wrapping_add(dz) };
        if view.key() != expected {
            return Err(ViewError::Key { found: view.key(), expected });
        }
        if !view.has_heights() {
            return Err(ViewError::NoHeights { key: expected });
        }
        let side = (row_stride - 1) / CHUNKS + 1;
        if view.side() != side {
            return Err(ViewError::Side { found: view.side(), expected: side });
        }
        copy(view, out, row_stride);
        Ok(())
    }
}

fn copy(view: ChunkView<'_>, out: &mut [f32], row_stride: usize) {
    for (z, row) in out.chunks_mut(row_stride).enumerate() {
        row[..view.side()].copy_from_slice(view.heights(z));
    }
}

/// The chunks of a world, built one after the other. Allocates when it is made, not when it is used.
///
/// Outside a finite world the ground is the edge floor, as [`World::height_at`] has it.
pub struct WorldChunks<'a> {
    world: &'a World,
    middle: ChunkKey,
    chunk: ChunkBuffers,
    scratch: Scratch,
}

impl<'a> WorldChunks<'a> {
    /// Those around the chunk `middle` of level 0.
    #[must_use]
    pub fn new(world: &'a World, middle: ChunkKey) -> Self {
        let chunk = ChunkBuffers::with_layout(world.chunk_cells(), ChunkLayout::heights_only());
        Self { world, middle, chunk, scratch: world.scratch() }
    }

    /// Those around another chunk, in the same memory.
    pub fn move_to(&mut self, middle: ChunkKey) {
        self.middle = middle;
    }
}

impl ChunkHeights for WorldChunks<'_> {
    type Error = BuildError;

    fn fill(&mut self, [dx, dz]: [i64; 2], out: &mut [f32], row_stride: usize) -> Result<(), BuildError> {
        let (x, z) = (self.middle.x.wrapping_add(dx), self.middle.z.wrapping_add(dz));
        let key = ChunkKey { lod: 0, x, z };
        let side = self.world.chunk_cells() as usize + 1;
        match self.world.build(key, &mut self.chunk, &mut self.scratch) {
            Ok(()) => copy(self.chunk.view(), out, row_stride),
            Err(BuildError::Outside { .. }) => {
                let [x0, z0] = key.origin(self.world.chunk_cells());
                for (z, row) in out.chunks_mut(row_stride).enumerate() {
                    for (x, height) in row[..side].iter_mut().enumerate() {
                        let at = Position::from_samples([x0 + x as i64, z0 + z as i64]);
                        *height = at.map_or(0.0, |at| self.world.height_at(at));
                    }
                }
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

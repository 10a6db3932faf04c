//! Writers for a whole region: one file per format, one list of formats.
//!
//! In: a [`Scene`] (what is known before the first height), then one [`Band`] per row of chunks, from small z
//! to large z. Out: files in an [`OutputDir`], whole or not at all. Memory is bounded by a band, so a region
//! of a thousand by a thousand chunks is a matter of patience and disk only.
//!
//! [`FORMATS`] drives the command line, the tests and the docs, and so does [`COLLIDERS`], what is written only when
//! it is asked for. A new exporter is one file that implements [`Exporter`], its `mod` line and one line in a list.
//!
//! Architecture invariants: an exporter never looks past its band, never normalises by what it happens to see
//! (heights are coded by the range of the *world*, so neighbouring regions fit), and computes its size before
//! it opens a file. Deliberately not here: generating, scheduling, progress and cancelling, which are the
//! driver's.
//!
//! ```
//! use terrane::config::RampKey;
//! use terrane::export::{Band, MeshOptions, OutputDir, Region, Scene, Session, find};
//!
//! # fn main() -> Result<(), terrane::export::ExportError> {
//! # let dir = std::env::temp_dir().join(format!("terrane-doc-export-{}", std::process::id()));
//! let scene = Scene {
//!     region: Region { x0: 0, z0: 0, x1: 1, z1: 2 },
//!     chunk_cells: 16,
//!     width: 17,
//!     height: 33,
//!     origin_sample: [0, 0],
//!     sample_spacing_m: 1.0,
//!     min_m: 0.0,
//!     max_m: 100.0,
//!     sea_level_m: 10.0,
//!     seed: 7,
//!     generator_version: 1,
//!     world_hash: 0,
//!     world_name: "a slope".to_owned(),
//!     ramp: RampKey::gray(0.0, 100.0),
//!     mesh: MeshOptions::default(),
//!     error_bounds_m: vec![0.0],
//! };
//! let out = OutputDir::create(&dir, false)?;
//! let mut session = Session::open(&scene, &[find("heights-r16").unwrap()], &out)?;
//! // Two rows of chunks; the last band also has the region's last row of samples.
//! for (first_row, rows) in [(0, 16), (16, 17)] {
//!     let ground: Vec<f32> = (0..17 * scene.width).map(|i| (i % scene.width) as f32).collect();
//!     let heights = &ground[..rows * scene.width];
//!     let (ground, chunks, coarse, indices, uvs) = (&ground, &[], &[], &[], &[]);
//!     session.write_band(&Band { first_row, rows, heights, ground, chunks, coarse, indices, uvs })?;
//! }
//! let formats = session.finish()?;
//! out.commit()?;
//! assert_eq!(formats[0].files[0].bytes, 2 * 17 * 33);
//! # std::fs::remove_dir_all(&dir).unwrap();
//! # Ok(())
//! # }
//! ```

mod collider;
mod color;
mod error;
mod glb;
mod glb_json;
mod heat;
mod heights;
mod heights_png;
mod heights_r16;
mod output;
mod png_stream;
mod preview;
mod session;
#[cfg(test)]
mod test_scene;

use crate::config::RampKey;

pub use error::ExportError;
pub use output::{OutputDir, PartFile, WrittenFile};
pub use session::{Finished, Session};

/// Every format, in the order in which they are listed to people. Ids are stable; the order is not.
pub const FORMATS: &[Format] =
    &[heights_png::FORMAT, heights_r16::FORMAT, preview::FORMAT, heat::FORMAT, glb::FORMAT];

/// Colliders of level 0 for physics engines, one format an engine. Ids are stable; the order is not.
pub const COLLIDERS: &[Format] =
    &[collider::rapier::FORMAT, collider::jolt::FORMAT, collider::godot::FORMAT, collider::physx::FORMAT];

/// The format with that [`id`](Format::id), in either list.
///
/// ```
/// assert_eq!(terrane::export::find("glb").unwrap().files, ["world.glb"]);
/// assert_eq!(terrane::export::find("collider-jolt").unwrap().files, ["collider-jolt.bin", "collider-jolt.json"]);
/// assert!(terrane::export::find("obj").is_none());
/// ```
pub fn find(id: &str) -> Option<&'static Format> {
    FORMATS.iter().chain(COLLIDERS).find(|format| format.id == id)
}

/// One entry of [`FORMATS`] or [`COLLIDERS`].
#[derive(Debug)]
pub struct Format {
    /// Stable name for `--formats`.
    pub id: &'static str,
    /// The files that it writes; formats may share one.
    pub files: &'static [&'static str],
    /// One line for people.
    pub about: &'static str,
    /// True if bands must carry chunk meshes; other formats read the heights only.
    pub needs_mesh: bool,
    /// Size of its files in bytes: exact for `heights-r16` and a `glb` of grids (without the sidecar's few hundred
    /// bytes), an upper bound for pictures, whose size depends on how well they compress, for a `glb` of adaptive
    /// meshes and for colliders, whose size depends on the ground. Never fails and never overflows, so it can be
    /// asked about regions that the format refuses.
    pub bytes: fn(&Scene) -> u128,
    /// Refuses a region that does not fit the format, by arithmetic alone.
    pub check: fn(&Scene) -> Result<(), ExportError>,
    /// Begins the files in the folder and returns the writer. Call `check` before.
    pub open: OpenFn,
}

/// See [`Format::open`].
pub type OpenFn = fn(&Scene, &OutputDir) -> Result<Box<dyn Exporter>, ExportError>;

/// Writes one format, band by band. `Send`, so that the formats of a run can work side by side.
pub trait Exporter: Send {
    /// Takes the next row of chunks.
    ///
    /// # Errors
    /// [`ExportError`] if the file cannot be written; the exporter is then of no further use.
    fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError>;

    /// Completes the files after the last band. They get their names when the [`OutputDir`] is committed.
    ///
    /// # Errors
    /// [`ExportError`] if a file cannot be written.
    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, ExportError>;
}

/// A rectangle of chunks, half-open: `x0..x1` by `z0..z1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// First chunk column.
    pub x0: i64,
    /// First chunk row.
    pub z0: i64,
    /// One past the last chunk column.
    pub x1: i64,
    /// One past the last chunk row.
    pub z1: i64,
}

impl Region {
    /// Chunks along x, at least 0.
    pub fn columns(&self) -> u64 {
        if self.x1 > self.x0 { self.x1.abs_diff(self.x0) } else { 0 }
    }

    /// Chunks along z, at least 0.
    pub fn rows(&self) -> u64 {
        if self.z1 > self.z0 { self.z1.abs_diff(self.z0) } else { 0 }
    }

    /// Chunks in all.
    pub fn chunks(&self) -> u128 {
        u128::from(self.columns()) * u128::from(self.rows())
    }
}

/// What an exporter is told before the first band.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The chunks to write.
    pub region: Region,
    /// Quads along a chunk's side.
    pub chunk_cells: u32,
    /// Samples along x: `columns * chunk_cells + 1`.
    pub width: usize,
    /// Samples along z: `rows * chunk_cells + 1`.
    pub height: usize,
    /// Global index of the region's first sample, x then z.
    pub origin_sample: [i64; 2],
    /// Distance of neighbouring samples in metres, as rounded when the world was opened.
    pub sample_spacing_m: f64,
    /// Lower end of the world's height range in metres (the world's, never the region's).
    pub min_m: f32,
    /// Upper end of the world's height range in metres.
    pub max_m: f32,
    /// Height of the sea in metres; at or below `min_m` there is none.
    pub sea_level_m: f32,
    /// The world's seed.
    pub seed: u64,
    /// Version of the rules that decide bits.
    pub generator_version: u32,
    /// Hash of the world's canonical form.
    pub world_hash: u64,
    /// The world's name, for people.
    pub world_name: String,
    /// Colour ramp: height in metres, sRGB; heights do not decrease. Held constant outside.
    pub ramp: Vec<RampKey>,
    /// How meshes and colliders are made.
    pub mesh: MeshOptions,
    /// [`World::error_bound_m`](crate::World::error_bound_m) of levels 0 to [`MeshOptions::lod_max`].
    pub error_bounds_m: Vec<f64>,
}

/// What meshes and colliders are made of. The default is the grid of level 0, and colliders that equal the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshOptions {
    /// The coarsest level that meshes are written for, beside all finer ones; 0 to [`LOD_MAX`](Self::LOD_MAX). The
    /// region is then a multiple of `2^lod_max` chunks in place and size.
    pub lod_max: u8,
    /// `None`: the whole grid of each chunk. Else adaptive meshes, at most so many metres from the grid of their
    /// level; 0 or more, finite.
    pub adaptive_error_m: Option<f64>,
    /// How many metres colliders may be from the ground; 0 or more, finite.
    pub collider_error_m: f64,
}

impl MeshOptions {
    /// The coarsest level that can be asked for. A row of its chunks is 256 rows of chunks of level 0.
    pub const LOD_MAX: u8 = 8;

    /// Whether meshes are more than the grid of level 0.
    pub(crate) fn has_levels(&self) -> bool {
        self.lod_max > 0 || self.adaptive_error_m.is_some()
    }
}

impl Scene {
    /// Vertices of one chunk: `(chunk_cells + 1)^2`.
    pub fn chunk_vertices(&self) -> usize {
        let side = self.chunk_cells as usize + 1;
        side * side
    }

    /// Samples of the region, shared borders once.
    pub fn samples(&self) -> u128 {
        self.width as u128 * self.height as u128
    }

    /// Panics unless the fields fit each other: a driver that fills them in wrongly is a bug of ours.
    fn assert_consistent(&self) {
        let side = |chunks: u64| u128::from(chunks) * u128::from(self.chunk_cells) + 1;
        assert!(self.region.chunks() > 0, "the region {:?} is empty", self.region);
        assert_eq!(self.width as u128, side(self.region.columns()), "width of the scene");
        assert_eq!(self.height as u128, side(self.region.rows()), "height of the scene");
        assert!(self.min_m.is_finite() && self.max_m.is_finite() && self.min_m <= self.max_m, "height range");
        assert!(self.sample_spacing_m.is_finite() && self.sample_spacing_m > 0.0, "sample spacing");
        assert!(self.sea_level_m.is_finite(), "sea level");
        assert!(
            !self.ramp.is_empty() && self.ramp.is_sorted_by(|a, b| a.height_m <= b.height_m),
            "colour ramp"
        );
        let (mesh, side) = (self.mesh, 1i64 << self.mesh.lod_max.min(MeshOptions::LOD_MAX));
        let Region { x0, z0, x1, z1 } = self.region;
        assert!(mesh.lod_max <= MeshOptions::LOD_MAX, "coarsest level");
        assert!([x0, z0, x1, z1].iter().all(|corner| corner % side == 0), "a region of whole coarse chunks");
        let tolerances = [mesh.adaptive_error_m.unwrap_or(0.0), mesh.collider_error_m];
        assert!(tolerances.iter().all(|metres| metres.is_finite() && *metres >= 0.0), "tolerances");
        assert_eq!(self.error_bounds_m.len(), usize::from(mesh.lod_max) + 1, "an error bound a level");
    }
}

/// One row of chunks.
#[derive(Clone, Copy, Debug)]
pub struct Band<'a> {
    /// First row of samples, counted from the region's smallest z.
    pub first_row: usize,
    /// Rows of samples: `chunk_cells`, and one more in the last band, so that shared borders come once.
    pub rows: usize,
    /// `rows * width` heights in metres, row by row along x.
    pub heights: &'a [f32],
    /// The same and the row after them, if there is one: `chunk_cells + 1` rows in every band, so that each chunk of
    /// the row is whole.
    pub ground: &'a [f32],
    /// The chunks of the row, by rising x. May be empty if no open format [needs meshes](Format::needs_mesh).
    pub chunks: &'a [ChunkMesh<'a>],
    /// Chunks of coarser levels, up to [`MeshOptions::lod_max`], that end with this row of chunks: by rising level,
    /// then x. As `chunks` they may be missing.
    pub coarse: &'a [ChunkMesh<'a>],
    /// Triangle list of every chunk that has none of its own, counter-clockwise seen from above; the same in all
    /// bands.
    pub indices: &'a [u16],
    /// Texture coordinates of every chunk; the same in all bands.
    pub uvs: &'a [[f32; 2]],
}

/// Columns of one chunk, each with [`Scene::chunk_vertices`] entries.
#[derive(Clone, Copy, Debug)]
pub struct ChunkMesh<'a> {
    /// Level of detail.
    pub lod: u8,
    /// Chunk coordinates on the level's grid, x then z.
    pub key: [i64; 2],
    /// Global index of the chunk's first sample, x then z.
    pub origin_sample: [i64; 2],
    /// Metres, relative to the chunk's first sample at height 0; y up.
    pub positions: &'a [[f32; 3]],
    /// Unit normals.
    pub normals: &'a [[f32; 3]],
    /// Colours, sRGB with straight alpha.
    pub colors: &'a [[u8; 4]],
    /// The largest vertical distance of its triangles to the ground, in metres.
    pub error_exact_m: f64,
    /// Its own triangles, if meshes are adaptive.
    pub adaptive: Option<AdaptiveTriangles<'a>>,
}

/// Triangles that use some of a chunk's vertices.
#[derive(Clone, Copy, Debug)]
pub struct AdaptiveTriangles<'a> {
    /// Which vertices of the chunk are used.
    pub vertices: &'a [u16],
    /// Three a triangle, counter-clockwise seen from above: places in `vertices`.
    pub indices: &'a [u16],
}

//! A world: an opened config. It answers for single positions and builds chunks on the caller's thread; it has no
//! threads, and its only state is the store of edits, so any number of threads may share one.

use std::sync::Arc;

use terrane_noise::{Bounds, Grid, Scratch, SimdLevel, SimdLevelError, Volume};

use crate::buffers::{APRON, ChunkBuffers, ChunkColumns, ChunkFacts, ChunkSlices, apron_stride};
use crate::config::rules::check_world;
use crate::config::{ConfigError, FieldConfig, FieldSource, WorldConfig};
use crate::coords::{ChunkKey, Position};
use crate::edits::{EDIT_TILES_DEFAULT, EditStore, TILE_CELLS};
use crate::fields::HeightCurve;
use crate::mesh::{HeightLattice, IndexTemplates, LEVELS, error_bounds_m, grid_uvs};
use crate::stages::coarse::coarse;
use crate::stages::colors::{ColorTable, colors};
use crate::stages::fields::field;
use crate::stages::heights::{EdgeFalloff, Ground, heights, range};
use crate::stages::normals::normals;
use crate::stages::packed::{packed4, packed8};
use crate::stages::slopes::{Walk, slopes};
use crate::stages::vertices::positions;
use crate::surface::Surface;

/// An opened world.
///
/// ```
/// # #[cfg(feature = "config")] {
/// use terrane::{ChunkBuffers, ChunkKey, Position, World, WorldConfig};
///
/// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
/// let mut chunk = ChunkBuffers::new(world.chunk_cells());
/// world.build(ChunkKey { lod: 0, x: -1, z: 2 }, &mut chunk, &mut world.scratch()).unwrap();
///
/// let view = chunk.view();
/// assert_eq!(view.positions().len(), 65 * 65);
/// let [x, z] = view.origin_sample();
/// assert_eq!(view.heights(0)[0], world.height_at(Position::from_samples([x, z]).unwrap()));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct World {
    config: WorldConfig,
    world_hash: u64,
    level: SimdLevel,
    pub(crate) ground: Ground,
    lattice: HeightLattice,
    color_table: ColorTable,
    templates: Arc<IndexTemplates>,
    uvs: Arc<[[f32; 2]]>,
    pub(crate) edits: Arc<EditStore>,
    error_bounds_m: [f64; LEVELS],
}

/// One step of a chunk, for [`World::build`], streams, and batch work, which times each.
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    /// Whether the chunk has what it makes.
    pub(crate) is_wanted: fn(&ChunkColumns<'_>) -> bool,
    /// Fills its columns.
    pub(crate) run: fn(&World, &mut ChunkColumns<'_>, &mut Scratch),
}

/// The stages of a chunk, each reading only columns that earlier ones wrote.
pub(crate) const STAGES: [Stage; 9] = [
    Stage { name: "heights", is_wanted: |_| true, run: World::build_heights },
    Stage { name: "normals", is_wanted: |chunk| !chunk.normals.is_empty(), run: World::build_normals },
    Stage { name: "positions", is_wanted: |chunk| !chunk.positions.is_empty(), run: World::build_positions },
    Stage { name: "colors", is_wanted: |chunk| !chunk.colors.is_empty(), run: World::build_colors },
    Stage { name: "coarse", is_wanted: |chunk| !chunk.coarse.is_empty(), run: World::build_coarse },
    Stage { name: "packed8", is_wanted: |chunk| !chunk.packed8.is_empty(), run: World::build_packed8 },
    Stage { name: "packed4", is_wanted: |chunk| !chunk.packed4.is_empty(), run: World::build_packed4 },
    Stage {
        name: "slopes",
        is_wanted: |chunk| !(chunk.slopes.is_empty() && chunk.walkable.is_empty()),
        run: World::build_slopes,
    },
    Stage { name: "fields", is_wanted: |chunk| chunk.fields[0].is_some(), run: World::build_fields },
];

/// Why a world cannot be opened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OpenError {
    /// A value breaks a rule of the config.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// `TERRANE_SIMD` names a level that is not here.
    #[error(transparent)]
    Simd(#[from] SimdLevelError),
}

/// Why a chunk cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// The chunk's samples have indices of 2^60 or more, or the level is above [`ChunkKey::LOD_MAX`].
    #[error("chunk ({}, {}) at level {} is beyond 2^60 samples, or beyond level 24", .key.x, .key.z, .key.lod)]
    Unaddressable {
        /// The chunk that was asked for.
        key: ChunkKey,
    },
    /// The chunk lies outside a finite world.
    #[error(
        "chunk ({}, {}) at level {} lies outside the world: its chunks at this level are x {}..{}, z {}..{}",
        .key.x, .key.z, .key.lod, .min[0], .max[0], .min[1], .max[1]
    )]
    Outside {
        /// The chunk that was asked for.
        key: ChunkKey,
        /// First chunk of the world at that level, x then z.
        min: [i64; 2],
        /// One past the last.
        max: [i64; 2],
    },
    /// Memory of the caller's for a column has another size than a chunk.
    #[error("memory for {column} of {found} vertices, a chunk of this world has {expected}")]
    Capacity {
        /// Which column.
        column: &'static str,
        /// Vertices that it holds.
        found: usize,
        /// Vertices of a chunk.
        expected: usize,
    },
    /// There is no such stage.
    #[error("no stage {found:?}; there are {}", World::stage_names().collect::<Vec<_>>().join(", "))]
    Stage {
        /// What was asked for.
        found: String,
    },
    /// The buffers were made for another chunk size.
    #[error("the buffers hold {found} vertices a side, chunks of this world have {expected}")]
    Buffers {
        /// Vertices a side of the buffers.
        found: usize,
        /// Vertices a side of a chunk.
        expected: usize,
    },
}

impl World {
    /// Normalises and checks `config` and compiles it, at the SIMD level that `TERRANE_SIMD` names, or the fastest of
    /// this machine. Allocates.
    /// The spacing is rounded to 16 significant bits; [`config`](Self::config) tells what is used.
    ///
    /// # Errors
    /// The first value that breaks a rule of the config, or a level that is not available: never a silent fallback.
    pub fn open(config: WorldConfig) -> Result<Self, OpenError> {
        Ok(Self::open_at(config, SimdLevel::from_env()?)?)
    }

    /// The same at a SIMD level of the caller's choice. The level never changes a bit.
    ///
    /// # Errors
    /// The first value that breaks a rule of the config.
    pub fn open_at(config: WorldConfig, level: SimdLevel) -> Result<Self, ConfigError> {
        let config = config.normalized();
        let fields = check_world(&config)?;
        let spacing_m = config.sample_spacing_m;
        let ground = Ground {
            fields,
            field: config.height.field,
            curve: HeightCurve::new(&config.height),
            falloff: config.extent.as_ref().map(|extent| EdgeFalloff::new(extent, spacing_m)),
        };
        Ok(Self {
            world_hash: config.world_hash(),
            level,
            edits: Arc::new(EditStore::new(EDIT_TILES_DEFAULT, scratch(&ground))),
            error_bounds_m: error_bounds_m(&ground, config.chunk_cells),
            ground,
            lattice: HeightLattice::new(config.height.min_m, config.height.max_m),
            color_table: ColorTable::new(&config.ramp, config.height.min_m, config.height.max_m),
            templates: Arc::new(IndexTemplates::new(config.chunk_cells)),
            uvs: grid_uvs(config.chunk_cells).into(),
            config,
        })
    }

    /// Working memory of one thread, made to this world's measure: [`build`](Self::build) with it allocates nothing. A
    /// [`Scratch::new`] serves as well and grows at the first chunk.
    #[must_use]
    pub fn scratch(&self) -> Scratch {
        scratch(&self.ground)
    }

    /// The config that was opened.
    #[must_use]
    pub fn config(&self) -> &WorldConfig {
        &self.config
    }

    /// Hash of everything that decides the world's bytes.
    #[must_use]
    pub fn world_hash(&self) -> u64 {
        self.world_hash
    }

    /// Memory that the world itself takes, in bytes: templates, tables and the pixels of its rasters; names and programs, some
    /// kilobytes, are not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let pixels_of = |field: &FieldConfig| match &field.source {
            FieldSource::Raster(raster) => size_of_val(&raster.image.samples[..]),
            _ => 0,
        };
        let pixels: usize = self.config.fields.iter().map(pixels_of).sum();
        let templates = self.templates.bytes() + size_of_val(&self.uvs[..]);
        pixels + templates + self.color_table.bytes() + size_of_val(self.ground.curve.table_m())
    }

    /// The SIMD level that chunks are built at.
    #[must_use]
    pub fn level(&self) -> SimdLevel {
        self.level
    }

    /// Cells along a chunk's side.
    #[must_use]
    pub fn chunk_cells(&self) -> u32 {
        self.config.chunk_cells
    }

    /// Metres between neighbouring samples, as used.
    #[must_use]
    pub fn sample_spacing_m(&self) -> f64 {
        self.config.sample_spacing_m
    }

    /// Triangles of every chunk, for every way in which its neighbours can be coarser.
    #[must_use]
    pub fn templates(&self) -> &IndexTemplates {
        &self.templates
    }

    /// What codes of packed heights mean, in every chunk.
    #[must_use]
    pub fn height_lattice(&self) -> HeightLattice {
        self.lattice
    }

    /// Texture coordinates of every chunk.
    #[must_use]
    pub fn uvs(&self) -> &[[f32; 2]] {
        &self.uvs
    }

    /// How far heights may lie from the height curve, in metres: the curve is read from a table.
    #[must_use]
    pub fn curve_error_m(&self) -> f64 {
        self.ground.curve.error_m()
    }

    /// No point of a mesh of level `lod` is further above or below the full-resolution surface than this, in metres,
    /// anywhere in the world: a guaranteed bound from the fields alone, computed when the world is opened, f32
    /// rounding included. 0 at level 0, never falling from level to level, never above the height range. Levels
    /// beyond [`LOD_MAX`](ChunkKey::LOD_MAX) count as that level. docs/ERRORS.md says how it is made and how close it
    /// is.
    ///
    /// It speaks of full-precision vertices and of index mask 0. Packed formats add half a step of their lattice. In
    /// the triangles beside a coarser neighbour the bound is `error_bound_m(lod + 1) + error_bound_m(1)`. Edits are
    /// not in it: where the edited samples that a mesh touches lie at most `up_m` above and `down_m` below the ground
    /// as it was generated, add
    /// `up_m + down_m`. That is the largest edit where all go one way, and at most twice the largest.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::{World, WorldConfig};
    ///
    /// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
    /// let height_m = world.config().height.max_m - world.config().height.min_m;
    /// assert_eq!(world.error_bound_m(0), 0.0);
    /// assert!(world.error_bound_m(1) < 2.0 && world.error_bound_m(2) > world.error_bound_m(1));
    /// assert!(world.error_bound_m(24) <= f64::from(height_m));
    /// # }
    /// ```
    #[must_use]
    pub fn error_bound_m(&self, lod: u8) -> f64 {
        self.error_bounds_m[usize::from(lod.min(ChunkKey::LOD_MAX))]
    }

    /// The same for the ground of one chunk with the edits that are on it at this moment, whether the chunk shows them or not: a coarse
    /// mesh may have none of the samples that an edit moved. Costs the generation of every edited tile of 32 x 32 samples under the
    /// chunk; edits wait meanwhile. Allocates nothing.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::edits::{Brush, BrushShape, Edit, EditOp};
    /// use terrane::{ChunkKey, Position, World, WorldConfig};
    ///
    /// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
    /// // One sample, which chunks of level 1 do not have.
    /// let center = Position::from_samples([7, 5]).unwrap();
    /// let brush = Brush { center, shape: BrushShape::Square { half_m: 0.1 }, falloff_m: 0.0 };
    /// let _ = world.edit(&Edit { brush, op: EditOp::Raise { by_m: 3.0 } }).unwrap();
    /// let bound_m = world.chunk_error_bound_m(ChunkKey { lod: 1, x: 0, z: 0 }, &mut world.scratch());
    /// assert!((bound_m - world.error_bound_m(1) - 3.0).abs() < 1e-4);
    /// # }
    /// ```
    #[must_use]
    pub fn chunk_error_bound_m(&self, key: ChunkKey, scratch: &mut Scratch) -> f64 {
        let bound_m = self.error_bound_m(key.lod);
        let Some(edits) = self.edits.read().filter(|_| key.lod > 0) else { return bound_m };
        let [x, z] = key.origin(self.config.chunk_cells);
        let side = self.config.chunk_cells as usize * key.stride() as usize + 1;
        let under = Grid { x, z, width: side, height: side, stride: 1 };
        let [up_m, down_m] = edits.reach_m(&under, |[x, z], out| {
            let tile = Grid { x, z, width: TILE_CELLS, height: TILE_CELLS, stride: 1 };
            heights(self.level, &self.ground, &tile, out, TILE_CELLS, scratch);
        });
        // Edits stay in the height range, and so does every mesh.
        let range_m = f64::from(self.config.height.max_m) - f64::from(self.config.height.min_m);
        (bound_m + up_m + down_m).min(range_m)
    }

    /// The names of the fields, in the order that [`field_at`](Self::field_at) counts.
    pub fn field_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.ground.fields.program.outputs()
    }

    /// Guaranteed bounds of field number `field`, f32 rounding included.
    ///
    /// # Panics
    /// When there is no such field.
    #[must_use]
    pub fn field_bounds(&self, field: usize) -> Bounds {
        self.ground.fields.program.bounds(field)
    }

    /// Fills `out` with field number `field` over a grid of samples, rows `row_stride` apart: the values of
    /// [`field_at`](Self::field_at), to the bit. Allocates nothing with a scratch of [`scratch`](Self::scratch).
    ///
    /// # Panics
    /// When there is no such field, `out` has no room for the rows, or the grid's stride is 0.
    pub fn fill_field(
        &self,
        field: usize,
        grid: &Grid,
        out: &mut [f32],
        row_stride: usize,
        scratch: &mut Scratch,
    ) {
        let (program, volume) = (&self.ground.fields.program, Volume::from(*grid));
        program.fill_output(self.level, field, &volume, out, [row_stride, 0], scratch);
    }

    /// Fills one slice a field, in their order, over a grid of samples, rows `row_stride` apart. The bits of
    /// [`fill_field`](Self::fill_field); what fields share is computed once. Allocates nothing once `scratch` has seen it.
    ///
    /// # Panics
    /// When there are not as many slices as fields, one has no room for the rows, or the grid's stride is 0.
    pub fn fill_fields(
        &self,
        grid: &Grid,
        outs: &mut [&mut [f32]],
        row_stride: usize,
        scratch: &mut Scratch,
    ) {
        self.ground.fields.program.fill(self.level, grid, outs, row_stride, scratch);
    }

    /// The program that makes the fields, an instruction a line, with bounds.
    #[must_use]
    pub fn describe_fields(&self) -> &str {
        self.ground.fields.program.describe()
    }

    /// The chunks of a finite world at a level: the first, and one past the last, x then z. `None`: no end.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::{World, WorldConfig};
    ///
    /// let island = World::open(WorldConfig::preset("island").unwrap()).unwrap();
    /// assert_eq!(island.chunk_extent(0), Some(([0, 0], [8, 8])));
    /// assert_eq!(island.chunk_extent(2), Some(([0, 0], [2, 2])));
    /// # }
    /// ```
    #[must_use]
    pub fn chunk_extent(&self, lod: u8) -> Option<([i64; 2], [i64; 2])> {
        let (min, max) = self.ground.falloff.as_ref()?.extent();
        let side = i64::from(self.config.chunk_cells) * i64::from(ChunkKey { lod, x: 0, z: 0 }.stride());
        // Rounded up without overflow: the last sample of the world may be the first of no chunk.
        let end = |last: i64| -(-last).div_euclid(side);
        Some((min.map(|first| first.div_euclid(side)), max.map(end)))
    }

    /// True when the position belongs to the world: always, unless it is finite. The last row and column belong to it.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::{Position, World, WorldConfig};
    ///
    /// let island = World::open(WorldConfig::preset("island").unwrap()).unwrap();
    /// let at = |x, z| Position::from_samples([x, z]).unwrap();
    /// assert!(island.contains(at(0, 512)) && !island.contains(at(0, 513)));
    /// # }
    /// ```
    #[must_use]
    pub fn contains(&self, at: Position) -> bool {
        let past = |sample: i64, fraction: u16| sample.saturating_add(i64::from(fraction > 0));
        let last = [past(at.x.index, at.x.fraction), past(at.z.index, at.z.fraction)];
        self.ground.falloff.as_ref().is_none_or(|edge| edge.contains(at.sample()) && edge.contains(last))
    }

    /// The chunk of level 0 that holds a position; on a border, the one with the larger coordinates.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::{Position, World, WorldConfig};
    ///
    /// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
    /// let key = world.chunk_at(Position::from_samples([-1, 64]).unwrap());
    /// assert_eq!((key.x, key.z), (-1, 1));
    /// # }
    /// ```
    #[must_use]
    pub fn chunk_at(&self, at: Position) -> ChunkKey {
        let [x, z] = at.sample().map(|index| index.div_euclid(i64::from(self.config.chunk_cells)));
        ChunkKey { lod: 0, x, z }
    }

    /// Builds one chunk on the caller's thread. Allocates nothing. For costs see docs/PERFORMANCE.md.
    ///
    /// # Errors
    /// When the chunk is out of range or outside a finite world, or the buffers are for another chunk size.
    pub fn build(
        &self,
        key: ChunkKey,
        chunk: &mut ChunkBuffers,
        scratch: &mut Scratch,
    ) -> Result<(), BuildError> {
        self.begin(key, chunk)?;
        self.build_columns(&mut chunk.columns(), scratch);
        Ok(())
    }

    /// The same, with some columns written into memory of the caller's; the chunk's own columns of these kinds, if it has them, stay as
    /// they were. Heights that the chunk does not keep cost nothing more. Allocates nothing.
    ///
    /// # Errors
    /// As [`build`](Self::build), and when a slice has another size than a chunk. Nothing is written then.
    pub fn build_into(
        &self,
        key: ChunkKey,
        chunk: &mut ChunkBuffers,
        out: ChunkSlices<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), BuildError> {
        self.begin(key, chunk)?;
        self.build_columns(&mut self.redirected(chunk, out)?, scratch);
        Ok(())
    }

    /// The names of a chunk's stages, in their order.
    pub fn stage_names() -> impl ExactSizeIterator<Item = &'static str> {
        STAGES.iter().map(|stage| stage.name)
    }

    /// Runs one stage of a chunk that was built, once more: to measure it alone. It gives the same bytes; where neither the chunk nor
    /// `out` has room for what it makes, nothing happens.
    ///
    /// # Errors
    /// As [`build_into`](Self::build_into), and when there is no such stage.
    pub fn build_stage(
        &self,
        name: &str,
        chunk: &mut ChunkBuffers,
        out: ChunkSlices<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), BuildError> {
        let stage = STAGES.iter().find(|stage| stage.name == name);
        let stage = stage.ok_or_else(|| BuildError::Stage { found: name.to_owned() })?;
        let mut columns = self.redirected(chunk, out)?;
        if (stage.is_wanted)(&columns) {
            (stage.run)(self, &mut columns, scratch);
        }
        Ok(())
    }

    /// A chunk's columns, some in memory of the caller's.
    fn redirected<'a>(
        &self,
        chunk: &'a mut ChunkBuffers,
        out: ChunkSlices<'a>,
    ) -> Result<ChunkColumns<'a>, BuildError> {
        let side = self.config.chunk_cells as usize + 1;
        if let Some((column, found)) = out.wrong_size(side * side) {
            return Err(BuildError::Capacity { column: column.name(), found, expected: side * side });
        }
        let mut columns = chunk.columns();
        out.put_into(&mut columns);
        Ok(columns)
    }

    /// Whether the chunk exists.
    pub(crate) fn check_key(&self, key: ChunkKey) -> Result<(), BuildError> {
        if !key.is_addressable(self.config.chunk_cells) {
            return Err(BuildError::Unaddressable { key });
        }
        if let Some((min, max)) = self.chunk_extent(key.lod) {
            let inside = (min[0]..max[0]).contains(&key.x) && (min[1]..max[1]).contains(&key.z);
            if !inside {
                return Err(BuildError::Outside { key, min, max });
            }
        }
        Ok(())
    }

    /// Points the buffers at a chunk. The stages follow, in their order or leaving some out.
    pub(crate) fn begin(&self, key: ChunkKey, chunk: &mut ChunkBuffers) -> Result<(), BuildError> {
        let side = |cells: u32| cells as usize + 1;
        let (found, expected) = (side(chunk.chunk_cells()), side(self.config.chunk_cells));
        if found != expected {
            return Err(BuildError::Buffers { found, expected });
        }
        self.check_key(key)?;
        chunk.key = key;
        Ok(())
    }

    /// All stages that the columns ask for, of a chunk that exists.
    pub(crate) fn build_columns(&self, chunk: &mut ChunkColumns<'_>, scratch: &mut Scratch) {
        for stage in STAGES {
            if (stage.is_wanted)(chunk) {
                (stage.run)(self, chunk, scratch);
            }
        }
    }

    /// What stands in for a chunk that cannot be built: flat ground at sea level, fields at 0. Of the version that it
    /// would have, so that it can take an earlier one's place.
    pub(crate) fn build_flat(&self, chunk: &mut ChunkColumns<'_>) {
        let (height_m, spacing_m) = (self.config.height.sea_level_m, self.vertex_spacing_m(chunk.key));
        let version = self.chunk_version(chunk.key);
        *chunk.facts = ChunkFacts { version, heights_m: [height_m; 2], spacing_m };
        chunk.apron.fill(height_m);
        for (_, words) in chunk.fields.iter_mut().flatten() {
            words.fill(0);
        }
        let mut scratch = Scratch::new();
        for stage in STAGES.iter().filter(|stage| !["heights", "fields"].contains(&stage.name)) {
            if (stage.is_wanted)(chunk) {
                (stage.run)(self, chunk, &mut scratch);
            }
        }
    }

    /// The samples of a chunk's heights, apron included.
    fn apron_grid(&self, key: ChunkKey) -> Grid {
        let (stride, [x, z]) = (key.stride(), key.origin(self.config.chunk_cells));
        let width = self.config.chunk_cells as usize + 1 + 2 * APRON;
        let margin = APRON as i64 * i64::from(stride);
        Grid { x: x - margin, z: z - margin, width, height: width, stride }
    }

    /// The last edit that is in a chunk's columns, by whole tiles; 0 when none is.
    pub(crate) fn chunk_version(&self, key: ChunkKey) -> u64 {
        self.edits.read().map_or(0, |edits| edits.version(&self.apron_grid(key)))
    }

    fn build_heights(&self, chunk: &mut ChunkColumns<'_>, scratch: &mut Scratch) {
        let (grid, row_stride) = (self.apron_grid(chunk.key), apron_stride(chunk.side));
        heights(self.level, &self.ground, &grid, chunk.apron, row_stride, scratch);
        let mut version = 0;
        if let Some(edits) = self.edits.read() {
            edits.overlay(&grid, chunk.apron, row_stride);
            version = edits.version(&grid);
        }
        let heights_m = range(self.level, chunk.side, chunk.apron);
        *chunk.facts = ChunkFacts { version, heights_m, spacing_m: self.vertex_spacing_m(chunk.key) };
    }

    fn build_normals(&self, chunk: &mut ChunkColumns<'_>, _: &mut Scratch) {
        normals(self.level, chunk.side, chunk.facts.spacing_m, chunk.apron, chunk.normals);
    }

    fn build_positions(&self, chunk: &mut ChunkColumns<'_>, _: &mut Scratch) {
        positions(chunk.side, chunk.facts.spacing_m, chunk.apron, chunk.positions);
    }

    fn build_colors(&self, chunk: &mut ChunkColumns<'_>, _: &mut Scratch) {
        colors(chunk.side, &self.color_table, chunk.apron, chunk.colors);
    }

    fn build_coarse(&self, chunk: &mut ChunkColumns<'_>, _: &mut Scratch) {
        coarse(self.level, chunk.side, chunk.facts.spacing_m, chunk.apron, chunk.coarse);
    }

    fn build_packed8(&self, chunk: &mut ChunkColumns<'_>, _: &mut Scratch) {
        let spacing_m = chunk.facts.spacing_m;
        packed8(self.level, chunk.side, &self.lattice, spacing_m, chunk.apron, chunk.packed8);
    }

    fn build_packed4(&self, chunk: &mut ChunkColumns<'_>, _: &mut Scratch) {
        let spacing_m = chunk.facts.spacing_m;
        packed4(self.level, chunk.side, &self.lattice, spacing_m, chunk.apron, chunk.packed4);
    }

    fn build_slopes(&self, chunk: &mut ChunkColumns<'_>, _: &mut Scratch) {
        let ChunkColumns { side, facts, apron, walkable_slope_max_deg: slope_max_deg, .. } = chunk;
        let walk = Walk { slope_max_deg: *slope_max_deg, sea_level_m: self.config.height.sea_level_m };
        slopes(self.level, *side, facts.spacing_m, walk, apron, chunk.slopes, chunk.walkable);
    }

    fn build_fields(&self, chunk: &mut ChunkColumns<'_>, scratch: &mut Scratch) {
        let [x, z] = chunk.origin_sample;
        let grid = Grid { x, z, width: chunk.side, height: chunk.side, stride: chunk.key.stride() };
        for (column, words) in chunk.fields.iter_mut().flatten() {
            field(self.level, &self.ground.fields.program, *column, &grid, words, scratch);
        }
    }

    /// Metres between a chunk's vertices: exact, the spacing has 16 significant bits.
    fn vertex_spacing_m(&self, key: ChunkKey) -> f32 {
        self.config.sample_spacing_m as f32 * key.stride() as f32
    }

    /// The ground's height in metres: that of the triangulated surface of level 0, edits included, whatever is
    /// resident. Outside a finite world, the edge floor. Costs one noise sample at a sample, four between them.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::{Position, World, WorldConfig};
    ///
    /// let world = World::open(WorldConfig::preset("hills").unwrap()).unwrap();
    /// let spacing_m = world.sample_spacing_m();
    /// let feet = Position::from_metres([120.5, -40.0], spacing_m).unwrap();
    /// let height_m = world.height_at(feet);
    /// assert!((world.config().height.min_m..=world.config().height.max_m).contains(&height_m));
    /// # }
    /// ```
    #[must_use]
    pub fn height_at(&self, at: Position) -> f32 {
        let edits = self.edits.read();
        Surface { ground: &self.ground, edits: edits.as_deref() }.height_at(at)
    }

    /// The ground's unit normal: at a sample, the vertex normal of level 0; between samples, vertex normals blended
    /// over the triangle, as a renderer blends them. Edits are included.
    #[must_use]
    pub fn normal_at(&self, at: Position) -> [f32; 3] {
        let edits = self.edits.read();
        let surface = Surface { ground: &self.ground, edits: edits.as_deref() };
        surface.normal_at(at, self.config.sample_spacing_m as f32)
    }

    /// The value of field number `field` at a position: the continuous field, without curve, edge and edits.
    ///
    /// # Panics
    /// When there is no such field.
    #[must_use]
    pub fn field_at(&self, field: usize, at: Position) -> f32 {
        self.ground.fields.program.at(field, at.x, at.z)
    }
}

/// Working memory for the fields of a ground.
fn scratch(ground: &Ground) -> Scratch {
    let mut scratch = Scratch::new();
    ground.fields.program.reserve(&mut scratch);
    scratch
}

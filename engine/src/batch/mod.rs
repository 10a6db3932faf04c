//! Batch work: a region of chunks on a rayon pool of our own, band by band into an export session.
//!
//! In: an opened world, a region, formats, an output folder. Out: files and a report. While one band (a row of
//! chunks) is written, the next is built; memory is two bands. Chunks of coarser levels belong to the band that
//! completes their ground; their errors ([`levels`]) take the heights of all bands under them. Deliberately not here:
//! streaming around a viewer, and anything about a format.

mod levels;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use crate::buffers::ChunkLayout;
use crate::coords::ChunkKey;
use crate::export::{
    Band, COLLIDERS, ExportError, Finished, Format, MeshOptions, OutputDir, Region, Scene, Session,
    WrittenFile,
};
use crate::world::{BuildError, STAGES, Stage, World};
use levels::{BuiltChunk, Levels, ends_level};
use terrane_noise::Scratch;

/// The report's file name.
const REPORT: &str = "report.json";
/// Two bands may take this much memory; a wider region is refused.
const BANDS_BYTES_MAX: u128 = 4 << 30;

/// A region of more samples than this, 2^34 chunks of 64 cells, would take weeks and hundreds of terabytes.
const SAMPLES_MAX: u128 = 1 << 46;

/// What to generate.
#[derive(Clone, Debug)]
pub struct Job {
    /// The chunks.
    pub region: Region,
    /// What to write.
    pub formats: Vec<&'static Format>,
    /// How meshes and colliders are made.
    pub mesh: MeshOptions,
    /// Worker threads; `None`: as many as the machine has.
    pub threads: Option<usize>,
    /// The world's name, for the picture's legend.
    pub world_name: String,
}

/// Shared with another thread while a job runs: how far it is, and whether it should stop.
#[derive(Debug, Default)]
pub struct Monitor {
    chunks_done: AtomicU64,
    cancelled: AtomicBool,
}

impl Monitor {
    /// Chunks that are built and written.
    #[must_use]
    pub fn chunks_done(&self) -> u64 {
        self.chunks_done.load(Ordering::Relaxed)
    }

    /// Asks the job to stop: it returns [`GenerateError::Cancelled`] after the chunks that are being built.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    fn check(&self) -> Result<(), GenerateError> {
        if self.cancelled.load(Ordering::Relaxed) { Err(GenerateError::Cancelled) } else { Ok(()) }
    }
}

/// Why a region cannot be generated. Dropping the output folder's handle has then removed what was begun.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// No chunks.
    #[error(
        "the region {},{},{},{} holds no chunks: it is half-open, so its second corner must be larger than its \
         first on both axes",
        .0.x0, .0.z0, .0.x1, .0.z1
    )]
    Empty(Region),
    /// More than anyone can wait for.
    #[error("the region has {chunks} chunks, the limit is 2^46 samples; choose a smaller --region")]
    Samples {
        /// Chunks of the region.
        chunks: u128,
    },
    /// A row of chunks is too wide.
    #[error(
        "a row of {columns} chunks{} needs {bytes} bytes of memory, the limit is {BANDS_BYTES_MAX}; split the \
         region along x{}",
        if *lod_max > 0 { format!(" up to level {lod_max}") } else { String::new() },
        if *lod_max > 0 { ", or choose a smaller --lod" } else { "" }
    )]
    Memory {
        /// Chunks along x.
        columns: u64,
        /// The coarsest level.
        lod_max: u8,
        /// What two rows of them need, and the ground under a row of the coarsest level.
        bytes: u128,
    },
    /// No such level.
    #[error("level {found} of the mesh; 0 to {} are possible", MeshOptions::LOD_MAX)]
    Lod {
        /// As given.
        found: u8,
    },
    /// A distance that none can keep to.
    #[error("the error of {what} is {found} m; it must be a finite number, 0 or more")]
    Tolerance {
        /// Of what.
        what: &'static str,
        /// As given.
        found: f64,
    },
    /// Chunks of the coarsest level would reach beyond the region.
    #[error(
        "the region {} is not made of whole chunks of level {lod}, which cover {side} x {side} chunks: its corners \
         must be multiples of {side}; {}",
        text(region), nearest_text(nearest.as_ref()), side = 1u64 << lod
    )]
    Unaligned {
        /// As given.
        region: Region,
        /// The coarsest level that was asked for.
        lod: u8,
        /// The smallest region around it that would be right; in a finite world that it would leave, the largest
        /// inside it.
        nearest: Option<Region>,
    },
    /// A chunk is out of range or outside a finite world.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A format cannot hold the region, or a file cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The workers could not be started.
    #[error("{threads} worker threads could not be started: {source}; try fewer with --threads")]
    Threads {
        /// How many were asked for; 0: as many as the machine has.
        threads: usize,
        /// What the system said.
        source: rayon::ThreadPoolBuildError,
    },
    /// [`Monitor::cancel`] was called.
    #[error("cancelled; nothing was written")]
    Cancelled,
}

fn text(region: &Region) -> String {
    format!("{},{},{},{}", region.x0, region.z0, region.x1, region.z1)
}

fn nearest_text(nearest: Option<&Region>) -> String {
    match nearest {
        Some(region) => format!("the nearest that would be right is {}", text(region)),
        None => "no region near it is, choose a smaller --lod".to_owned(),
    }
}

/// Seconds of one stage, summed over threads.
#[derive(Clone, Debug, Serialize)]
pub struct StageTime {
    /// The stage.
    pub name: String,
    /// Seconds of work in it.
    pub seconds: f64,
}

/// What was generated: the contents of `report.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Chunks built.
    pub chunks: u64,
    /// Samples of the region, shared borders once.
    pub samples: u64,
    /// Wall time, files included.
    pub seconds: f64,
    /// Chunks a second of wall time.
    pub chunks_per_s: f64,
    /// Millions of samples a second of wall time.
    pub msamples_per_s: f64,
    /// Name of the SIMD level.
    pub simd_level: &'static str,
    /// Worker threads.
    pub threads: usize,
    /// The world's seed.
    pub seed: u64,
    /// Version of the rules that decide bits.
    pub generator_version: u32,
    /// 16 hex digits; covers everything that decides bytes.
    pub world_hash: String,
    /// 32 hex digits: XXH3-128 of the bits of all heights as little-endian f32, row by row over the whole region,
    /// shared borders once. Does not depend on the chunk size.
    pub height_digest: String,
    /// Where the time went; stages of several threads add up to more than `seconds`.
    pub stages: Vec<StageTime>,
    /// The region in chunks: x0, z0, x1, z1, half-open.
    pub region: [i64; 4],
    /// Cells along a chunk's side.
    pub chunk_cells: u32,
    /// Metres between samples, as used.
    pub sample_spacing_m: f64,
    /// Lowest and highest sample of the region in metres.
    pub heights_m: [f32; 2],
    /// How far heights may lie from the height curve, in metres.
    pub curve_error_m: f64,
    /// A summary of each level's mesh, if more than the grid of level 0 was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<ReportLevel>,
    /// How far adaptive meshes may be from the grid of their level, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive_error_m: Option<f64>,
    /// How far colliders may be from the ground, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collider_error_m: Option<f64>,
    /// Files and their sizes in bytes.
    pub files: Vec<ReportFile>,
}

/// The mesh of a level over the whole region.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportLevel {
    /// Which level.
    pub level: u8,
    /// Chunks of it.
    pub chunks: u64,
    /// Triangles of all of them.
    pub triangles: u64,
    /// No mesh of the level is further from the ground, anywhere in the world: in metres.
    pub error_bound_m: f64,
    /// The largest vertical distance of its triangles, as they are in the file, to the ground of level 0, in metres.
    pub error_exact_m: f64,
}

/// A file of a [`Report`].
#[derive(Clone, Debug, Serialize)]
pub struct ReportFile {
    /// Its name in the output folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// Nanoseconds of each of the chunk's stages and of adaptive meshes, over all threads.
#[derive(Default)]
struct Clock {
    stages: [AtomicU64; STAGES.len()],
    adaptive: AtomicU64,
}

/// One row of chunks in memory, and those of coarser levels that end with it.
struct BandBuffers {
    /// By level, finest first.
    levels: Vec<Vec<BuiltChunk>>,
    heights: Vec<f32>,
}

/// What all bands of a job share.
struct Shared<'a> {
    world: &'a World,
    pool: &'a rayon::ThreadPool,
    scene: &'a Scene,
    needs_mesh: bool,
    /// What the open formats need: without meshes, level 0 alone.
    mesh: MeshOptions,
    monitor: &'a Monitor,
    clock: Clock,
    /// One a worker, made when it first builds.
    scratch: Vec<Mutex<Option<Scratch>>>,
}

/// The scene of a region of a world: everything that can be refused by arithmetic alone is refused here.
fn scene(world: &World, job: &Job) -> Result<Scene, GenerateError> {
    let (region, config) = (job.region, world.config());
    if region.chunks() == 0 {
        return Err(GenerateError::Empty(region));
    }
    for (x, z) in [(region.x0, region.z0), (region.x1 - 1, region.z1 - 1)] {
        world.check_key(ChunkKey { lod: 0, x, z })?;
    }
    let mesh = job.mesh;
    check_mesh(world, region, mesh)?;
    let columns = region.columns();
    let cells = u128::from(config.chunk_cells);
    if region.chunks().saturating_mul(cells * cells) > SAMPLES_MAX {
        return Err(GenerateError::Samples { chunks: region.chunks() });
    }
    let needs_mesh = job.formats.iter().any(|format| format.needs_mesh);
    let bytes = band_bytes(config.chunk_cells, columns, needs_mesh, needed(mesh, needs_mesh));
    if bytes > BANDS_BYTES_MAX {
        return Err(GenerateError::Memory { columns, lod_max: mesh.lod_max, bytes });
    }
    let cells = i64::from(config.chunk_cells);
    Ok(Scene {
        region,
        chunk_cells: config.chunk_cells,
        width: columns as usize * cells as usize + 1,
        height: region.rows() as usize * cells as usize + 1,
        origin_sample: [region.x0 * cells, region.z0 * cells],
        sample_spacing_m: config.sample_spacing_m,
        min_m: config.height.min_m,
        max_m: config.height.max_m,
        sea_level_m: config.height.sea_level_m,
        seed: config.seed,
        generator_version: config.generator_version,
        world_hash: world.world_hash(),
        world_name: job.world_name.clone(),
        ramp: config.ramp.clone(),
        mesh,
        error_bounds_m: (0..=mesh.lod_max).map(|lod| world.error_bound_m(lod)).collect(),
    })
}

/// Refuses levels and tolerances that cannot be.
fn check_mesh(world: &World, region: Region, mesh: MeshOptions) -> Result<(), GenerateError> {
    let lod = mesh.lod_max;
    if lod > MeshOptions::LOD_MAX {
        return Err(GenerateError::Lod { found: lod });
    }
    let tolerances =
        [("adaptive meshes", mesh.adaptive_error_m.unwrap_or(0.0)), ("colliders", mesh.collider_error_m)];
    for (what, found) in tolerances {
        if !found.is_finite() || found < 0.0 {
            return Err(GenerateError::Tolerance { what, found });
        }
    }
    // Corners are below 2^60: nothing overflows.
    let side = 1i64 << lod;
    let down = |corner: i64| corner - corner.rem_euclid(side);
    let up = |corner: i64| corner + (-corner).rem_euclid(side);
    let Region { x0, z0, x1, z1 } = region;
    let around = Region { x0: down(x0), z0: down(z0), x1: up(x1), z1: up(z1) };
    if around != region {
        let within = Region { x0: up(x0), z0: up(z0), x1: down(x1), z1: down(z1) };
        let exists = |region: &Region| region.chunks() > 0 && check_corners(world, *region, lod).is_ok();
        let nearest = [around, within].into_iter().find(exists);
        return Err(GenerateError::Unaligned { region, lod, nearest });
    }
    Ok(check_corners(world, region, lod)?)
}

/// Whether the chunks of an aligned region exist at levels 0 and `lod`.
fn check_corners(world: &World, region: Region, lod: u8) -> Result<(), BuildError> {
    for (x, z) in [(region.x0, region.z0), (region.x1 - 1, region.z1 - 1)] {
        world.check_key(ChunkKey { lod: 0, x, z })?;
        world.check_key(ChunkKey { lod, x: x >> lod, z: z >> lod })?;
    }
    Ok(())
}

/// What is made of the options for formats that want meshes, or do not.
fn needed(mesh: MeshOptions, needs_mesh: bool) -> MeshOptions {
    if needs_mesh { mesh } else { MeshOptions { lod_max: 0, adaptive_error_m: None, ..mesh } }
}

/// Memory of two bands, and of the ground under a row of the coarsest level.
fn band_bytes(chunk_cells: u32, columns: u64, needs_mesh: bool, mesh: MeshOptions) -> u128 {
    let (columns, cells) = (u128::from(columns), u128::from(chunk_cells));
    let chunk_bytes = BuiltChunk::bytes(chunk_cells, &layout(needs_mesh), mesh.adaptive_error_m.is_some());
    let chunks: u128 = (0..=mesh.lod_max).map(|lod| columns >> lod).sum();
    let ground = if mesh.lod_max > 0 { 4 * ((cells << mesh.lod_max) + 1) * (columns * cells + 1) } else { 0 };
    2 * (chunks * chunk_bytes + columns * 4 * cells * (cells + 1)) + ground
}

/// The columns of a chunk that formats need.
fn layout(mesh: bool) -> ChunkLayout {
    if mesh { ChunkLayout::default() } else { ChunkLayout::heights_only() }
}

/// A job that fits its world and the machine: checked, not yet begun.
#[derive(Debug)]
pub struct Batch<'a> {
    world: &'a World,
    job: Job,
    scene: Scene,
}

impl<'a> Batch<'a> {
    /// Checks a job. Builds and writes nothing.
    ///
    /// # Errors
    /// When the region is empty, out of range, outside a finite world, or too large.
    pub fn new(world: &'a World, job: Job) -> Result<Self, GenerateError> {
        let scene = scene(world, &job)?;
        Ok(Self { world, job, scene })
    }

    /// Chunks of the region.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        // Fewer than SAMPLES_MAX.
        self.scene.region.chunks() as u64
    }

    /// Builds the region and writes its formats and `report.json` into `out`: all files or, on an error, none.
    ///
    /// # Errors
    /// See [`GenerateError`]. Sizes are computed before anything is built.
    pub fn run(&self, out: OutputDir, monitor: &Monitor) -> Result<Report, GenerateError> {
        let start = Instant::now();
        let Self { world, job, scene } = self;
        let mut session = Session::open(scene, &job.formats, &out)?;
        let mut report_file = out.file(REPORT)?;
        let threads = job.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("terrane-{i}"))
            .build()
            .map_err(|source| GenerateError::Threads { threads, source })?;
        let shared = Shared {
            world,
            pool: &pool,
            scene,
            needs_mesh: session.needs_mesh(),
            mesh: needed(scene.mesh, session.needs_mesh()),
            monitor,
            clock: Clock::default(),
            scratch: (0..pool.current_num_threads()).map(|_| Mutex::new(None)).collect(),
        };
        let (mut digest, mut levels) = (HeightDigest::default(), Levels::new(scene, shared.mesh));
        pool.install(|| run_bands(&shared, &mut session, &mut digest, &mut levels))?;
        monitor.check()?;
        let formats = session.finish_on(&pool)?;

        let run = Run {
            clock: &shared.clock,
            digest: &digest,
            levels: &levels,
            formats: &formats,
            threads: pool.current_num_threads(),
        };
        let report = run.report(world, scene, start.elapsed().as_secs_f64());
        let path = report_file.path().to_owned();
        serde_json::to_writer_pretty(&mut report_file, &report).map_err(ExportError::json(&path))?;
        report_file.finish()?;
        monitor.check()?;
        out.commit()?;
        Ok(report)
    }
}

/// What a run found, for its report.
struct Run<'a> {
    clock: &'a Clock,
    digest: &'a HeightDigest,
    levels: &'a Levels,
    formats: &'a [Finished],
    threads: usize,
}

impl Run<'_> {
    fn report(&self, world: &World, scene: &Scene, seconds: f64) -> Report {
        let (chunks, samples, region) = (scene.region.chunks() as u64, scene.samples() as u64, scene.region);
        let levels = self.levels.reports();
        let adaptive_error_m = scene.mesh.adaptive_error_m.filter(|_| !levels.is_empty());
        let has_colliders =
            self.formats.iter().any(|done| COLLIDERS.iter().any(|format| format.id == done.id));
        let mut stages = self.clock.stages(adaptive_error_m.is_some());
        stages.push(StageTime { name: "digest".into(), seconds: self.digest.seconds });
        stages.extend(
            self.formats
                .iter()
                .map(|format| StageTime { name: format!("write {}", format.id), seconds: format.seconds }),
        );
        Report {
            chunks,
            samples,
            seconds,
            chunks_per_s: chunks as f64 / seconds,
            msamples_per_s: samples as f64 / seconds / 1e6,
            simd_level: world.level().name(),
            threads: self.threads,
            seed: scene.seed,
            generator_version: scene.generator_version,
            world_hash: format!("{:016x}", scene.world_hash),
            height_digest: format!("{:032x}", self.digest.hash.digest128()),
            stages,
            region: [region.x0, region.z0, region.x1, region.z1],
            chunk_cells: scene.chunk_cells,
            sample_spacing_m: scene.sample_spacing_m,
            heights_m: [self.digest.low_m, self.digest.high_m],
            curve_error_m: world.curve_error_m(),
            levels,
            adaptive_error_m,
            collider_error_m: has_colliders.then_some(scene.mesh.collider_error_m),
            files: self.formats.iter().flat_map(|format| &format.files).map(ReportFile::from).collect(),
        }
    }
}

/// Builds band after band, each while the one before is written.
fn run_bands(
    shared: &Shared<'_>,
    session: &mut Session,
    digest: &mut HeightDigest,
    levels: &mut Levels,
) -> Result<(), GenerateError> {
    let rows = shared.scene.region.rows() as usize;
    let (mut current, mut next) = (BandBuffers::new(shared), BandBuffers::new(shared));
    shared.build_band(0, &mut current)?;
    for row in 0..rows {
        let build_next = || if row + 1 < rows { shared.build_band(row + 1, &mut next) } else { Ok(()) };
        let write_current = || shared.write_band(row, &mut current, session, digest, levels);
        let (written, built) = rayon::join(write_current, build_next);
        written.and(built)?;
        std::mem::swap(&mut current, &mut next);
        shared.monitor.chunks_done.fetch_add(shared.scene.region.columns(), Ordering::Relaxed);
    }
    Ok(())
}

impl BandBuffers {
    fn new(shared: &Shared<'_>) -> Self {
        let scene = shared.scene;
        let columns = scene.region.columns() as usize;
        let is_adaptive = shared.mesh.adaptive_error_m.is_some();
        let chunk = |_| BuiltChunk::new(scene.chunk_cells, layout(shared.needs_mesh), is_adaptive);
        let level = |lod: u8| (0..columns >> lod).map(chunk).collect();
        Self {
            levels: (0..=shared.mesh.lod_max).map(level).collect(),
            heights: vec![0.0; scene.width * (scene.chunk_cells as usize + 1)],
        }
    }
}

impl Shared<'_> {
    /// Builds the chunks of one row, and those of coarser levels that end with it, in parallel.
    fn build_band(&self, row: usize, band: &mut BandBuffers) -> Result<(), GenerateError> {
        let region = self.scene.region;
        let mut chunks = Vec::new();
        for (lod, level) in (0..).zip(&mut band.levels).filter(|(lod, _)| ends_level(row, *lod)) {
            let (first, z) = (region.x0 >> lod, (region.z0 + row as i64) >> lod);
            chunks.extend((first..).zip(level).map(|(x, chunk)| (ChunkKey { lod, x, z }, chunk)));
        }
        chunks.into_par_iter().try_for_each(|(key, chunk)| self.build_chunk(key, chunk))
    }

    fn build_chunk(&self, key: ChunkKey, chunk: &mut BuiltChunk) -> Result<(), GenerateError> {
        self.monitor.check()?;
        self.world.begin(key, &mut chunk.buffers)?;
        // A pool's worker; the mutex is never contended, and a poisoned scratch is as good as any.
        let worker = rayon::current_thread_index().unwrap_or(0);
        let mut scratch = self.scratch[worker].lock().unwrap_or_else(PoisonError::into_inner);
        let scratch = scratch.get_or_insert_with(|| self.world.scratch());
        let mut columns = chunk.buffers.columns();
        for (stage, ns) in STAGES.iter().zip(&self.clock.stages) {
            if !(stage.is_wanted)(&columns) {
                continue;
            }
            let start = Instant::now();
            (stage.run)(self.world, &mut columns, scratch);
            ns.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        }
        if let Some(tolerance_m) = self.mesh.adaptive_error_m {
            let start = Instant::now();
            chunk.make_triangles(tolerance_m);
            self.clock.adaptive.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Puts a band's heights together, digests them and hands the band to the exporters.
    fn write_band(
        &self,
        row: usize,
        band: &mut BandBuffers,
        session: &mut Session,
        digest: &mut HeightDigest,
        levels: &mut Levels,
    ) -> Result<(), GenerateError> {
        self.monitor.check()?;
        let (scene, cells) = (self.scene, self.scene.chunk_cells as usize);
        let last = row + 1 == scene.region.rows() as usize;
        let rows = cells + usize::from(last);
        for (z, heights) in band.heights.chunks_exact_mut(scene.width).enumerate() {
            for (column, chunk) in band.levels[0].iter().enumerate() {
                // The last sample of a row is the first of the neighbour's: equal to the bit.
                heights[column * cells..][..cells + 1].copy_from_slice(chunk.buffers.view().heights(z));
            }
        }
        let (ground, heights) = (&band.heights[..], &band.heights[..rows * scene.width]);
        digest.add(heights);
        let [chunks, coarse] =
            if self.needs_mesh { levels.meshes(row, ground, &band.levels) } else { Default::default() };
        let band = Band {
            first_row: row * cells,
            rows,
            heights,
            ground,
            chunks: &chunks,
            coarse: &coarse,
            indices: self.world.templates().indices(0),
            uvs: self.world.uvs(),
        };
        session.write_band_on(self.pool, &band)?;
        Ok(())
    }
}

/// The hash of a region's heights, and their extremes.
struct HeightDigest {
    hash: xxhash_rust::xxh3::Xxh3,
    low_m: f32,
    high_m: f32,
    seconds: f64,
}

impl Default for HeightDigest {
    fn default() -> Self {
        let hash = xxhash_rust::xxh3::Xxh3::new();
        Self { hash, low_m: f32::INFINITY, high_m: f32::NEG_INFINITY, seconds: 0.0 }
    }
}

impl HeightDigest {
    fn add(&mut self, heights: &[f32]) {
        let start = Instant::now();
        for heights in heights.chunks(1024) {
            let mut bytes = [0; 4096];
            for (to, height) in bytes.chunks_exact_mut(4).zip(heights) {
                to.copy_from_slice(&height.to_le_bytes());
                self.low_m = self.low_m.min(*height);
                self.high_m = self.high_m.max(*height);
            }
            self.hash.update(&bytes[..4 * heights.len()]);
        }
        self.seconds += start.elapsed().as_secs_f64();
    }
}

impl Clock {
    fn stages(&self, is_adaptive: bool) -> Vec<StageTime> {
        let time = |name: &str, ns: &AtomicU64| {
            let seconds = ns.load(Ordering::Relaxed) as f64 / 1e9;
            StageTime { name: name.to_owned(), seconds }
        };
        let mut times: Vec<_> =
            STAGES.iter().zip(&self.stages).map(|(stage, ns): (&Stage, _)| time(stage.name, ns)).collect();
        times.extend(is_adaptive.then(|| time("adaptive", &self.adaptive)));
        times
    }
}

impl From<&WrittenFile> for ReportFile {
    fn from(file: &WrittenFile) -> Self {
        Self { name: file.name.to_owned(), bytes: file.bytes }
    }
}

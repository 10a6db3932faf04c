//! The meshes of a region's levels: adaptive triangles, and how far every chunk's mesh is from the ground.
//!
//! In: built chunks, and the heights of level 0 row of chunks by row of chunks. Out: triangles, errors, and a summary a
//! level. Memory: the heights under one row of chunks of the coarsest level. Deliberately not here: building chunks,
//! and the order in which they come.

use rayon::prelude::*;

use crate::buffers::{ChunkBuffers, ChunkLayout};
use crate::export::{AdaptiveTriangles, ChunkMesh, MeshOptions, Scene};
use crate::mesh::{AdaptiveMesher, error_exact_m, triangles_error_exact_m};

use super::ReportLevel;

const VALID: &str = "chunks have 16 to 128 cells, heights are finite, and tolerances were checked";

/// True when row of chunks `row` of a region is the last one under a row of chunks of level `lod`.
pub(super) fn ends_level(row: usize, lod: u8) -> bool {
    (row + 1).is_multiple_of(1 << lod)
}

/// A chunk, and its adaptive triangles if they are asked for.
pub(super) struct BuiltChunk {
    pub(super) buffers: ChunkBuffers,
    adaptive: Option<Adaptive>,
}

/// Adaptive triangles and the memory to make them.
#[derive(Default)]
struct Adaptive {
    mesher: AdaptiveMesher,
    heights: Vec<f32>,
    vertices: Vec<u16>,
    indices: Vec<u16>,
    /// To the grid of the chunk's own level.
    error_m: f64,
}

impl BuiltChunk {
    pub(super) fn new(chunk_cells: u32, layout: ChunkLayout, is_adaptive: bool) -> Self {
        let buffers = ChunkBuffers::with_layout(chunk_cells, layout);
        Self { buffers, adaptive: is_adaptive.then(Adaptive::default) }
    }

    /// Bytes of a chunk with its triangles, at most.
    pub(super) fn bytes(chunk_cells: u32, layout: &ChunkLayout, is_adaptive: bool) -> u128 {
        let (cells, side) = (u128::from(chunk_cells), u128::from(chunk_cells) + 1);
        // Heights, vertices and the mesher's five bytes a vertex; indices.
        let adaptive = if is_adaptive { (4 + 2 + 5) * side * side + 12 * cells * cells } else { 0 };
        layout.bytes(chunk_cells) as u128 + adaptive
    }

    /// Makes the triangles, at most `tolerance_m` from the grid. Without any asked for, nothing.
    pub(super) fn make_triangles(&mut self, tolerance_m: f64) {
        let Some(Adaptive { mesher, heights, vertices, indices, error_m }) = &mut self.adaptive else {
            return;
        };
        let view = self.buffers.view();
        heights.clear();
        (0..view.side()).for_each(|z| heights.extend_from_slice(view.heights(z)));
        let (side, no_coarser) = (view.side(), 0);
        let mesh = mesher.build(heights, side, side - 1, tolerance_m, no_coarser, indices).expect(VALID);
        *error_m = mesh.error_exact_m;
        mesher.compact(indices, vertices);
    }

    /// The chunk as exporters see it.
    pub(super) fn mesh(&self, error_exact_m: f64) -> ChunkMesh<'_> {
        let view = self.buffers.view();
        let key = view.key();
        ChunkMesh {
            lod: key.lod,
            key: [key.x, key.z],
            origin_sample: view.origin_sample(),
            positions: view.positions(),
            normals: view.normals(),
            colors: view.colors(),
            error_exact_m,
            adaptive: self
                .adaptive
                .as_ref()
                .map(|own| AdaptiveTriangles { vertices: &own.vertices, indices: &own.indices }),
        }
    }
}

/// What is known of the levels so far.
pub(super) struct Levels {
    mesh: MeshOptions,
    cells: usize,
    width: usize,
    /// Heights of level 0 under a row of chunks of the coarsest level; empty when there is no coarser one.
    ground: Vec<f32>,
    reports: Vec<ReportLevel>,
}

impl Levels {
    pub(super) fn new(scene: &Scene, mesh: MeshOptions) -> Self {
        let (cells, width) = (scene.chunk_cells as usize, scene.width);
        let tolerance_m = mesh.adaptive_error_m.unwrap_or(0.0);
        let report = |lod: u8| ReportLevel {
            level: lod,
            chunks: 0,
            triangles: 0,
            error_bound_m: scene.error_bounds_m[usize::from(lod)] + tolerance_m,
            error_exact_m: 0.0,
        };
        let reports = (0..=mesh.lod_max).map(report).collect();
        Self { mesh, cells, width, ground: vec![0.0; Self::ground_len(cells, width, mesh.lod_max)], reports }
    }

    /// Heights that are kept for errors of coarser levels.
    pub(super) fn ground_len(cells: usize, width: usize, lod_max: u8) -> usize {
        if lod_max > 0 { ((cells << lod_max) + 1) * width } else { 0 }
    }

    /// A summary a level, finest first; empty when only the grid of level 0 was asked for.
    pub(super) fn reports(&self) -> Vec<ReportLevel> {
        if self.mesh.has_levels() { self.reports.clone() } else { Vec::new() }
    }

    /// The meshes that end with row of chunks `row`: by rising level, then x. `ground` are the row's heights, and one
    /// row more.
    pub(super) fn meshes<'a>(
        &mut self,
        row: usize,
        ground: &[f32],
        levels: &'a [Vec<BuiltChunk>],
    ) -> [Vec<ChunkMesh<'a>>; 2] {
        if !self.ground.is_empty() {
            let first = row % (1 << self.mesh.lod_max) * self.cells * self.width;
            self.ground[first..first + ground.len()].copy_from_slice(ground);
        }
        let mut meshes = [const { Vec::new() }; 2];
        for (lod, chunks) in levels.iter().enumerate().filter(|(lod, _)| ends_level(row, *lod as u8)) {
            let mesh = |(column, chunk): (usize, &'a BuiltChunk)| {
                chunk.mesh(self.error_exact_m(row, lod as u8, column, chunk))
            };
            let row: Vec<_> = chunks.par_iter().enumerate().map(mesh).collect();
            let report = &mut self.reports[lod];
            for chunk in &row {
                report.chunks += 1;
                let grid = 2 * self.cells * self.cells;
                report.triangles += chunk.adaptive.map_or(grid, |own| own.indices.len() / 3) as u64;
                report.error_exact_m = report.error_exact_m.max(chunk.error_exact_m);
            }
            meshes[usize::from(lod > 0)].extend(row);
        }
        meshes
    }

    /// How far a chunk's triangles are from the ground.
    fn error_exact_m(&self, row: usize, lod: u8, column: usize, chunk: &BuiltChunk) -> f64 {
        if lod == 0 {
            return chunk.adaptive.as_ref().map_or(0.0, |own| own.error_m);
        }
        let stride = 1 << lod;
        let first_row = (row + 1 - stride) % (1 << self.mesh.lod_max);
        let under = &self.ground[(first_row * self.width + column * stride) * self.cells..];
        match &chunk.adaptive {
            None => error_exact_m(under, self.width, self.cells, stride).expect(VALID).interior_m,
            Some(own) => {
                let vertices = own.indices.iter().map(|index| own.vertices[usize::from(*index)]);
                triangles_error_exact_m(under, self.width, self.cells, stride, vertices).expect(VALID)
            }
        }
    }
}

//! Scenes for the tests of this folder: analytic hills, white noise, and terrain worth looking at.

use std::path::Path;

use super::{Band, ChunkMesh, Format, MeshOptions, OutputDir, Region, Scene, Session, WrittenFile};
use crate::config::RampKey;
use crate::stages::colors::ramp_color;

/// A scene with all its heights in memory.
pub(super) struct TestScene {
    pub(super) scene: Scene,
    pub(super) heights: Vec<f32>,
}

/// A scene without heights, of any size.
pub(super) fn huge(region: Region, chunk_cells: u32) -> Scene {
    let side = |chunks: u64| chunks as usize * chunk_cells as usize + 1;
    let origin = |chunk: i64| chunk.saturating_mul(i64::from(chunk_cells));
    Scene {
        region,
        chunk_cells,
        width: side(region.columns()),
        height: side(region.rows()),
        origin_sample: [origin(region.x0), origin(region.z0)],
        sample_spacing_m: 0.75,
        min_m: -80.0,
        max_m: 420.0,
        sea_level_m: 0.0,
        seed: 42,
        generator_version: 1,
        world_hash: 0x0123_4567_89ab_cdef,
        world_name: "test hills".to_owned(),
        ramp: [
            (-80.0, [28, 52, 92]),
            (-4.0, [118, 142, 128]),
            (2.0, [214, 198, 148]),
            (12.0, [120, 150, 78]),
            (90.0, [82, 116, 60]),
            (190.0, [122, 112, 88]),
            (280.0, [142, 136, 130]),
            (340.0, [238, 240, 244]),
        ]
        .map(|(height_m, color)| RampKey { height_m, color })
        .into(),
        mesh: MeshOptions::default(),
        error_bounds_m: vec![0.0],
    }
}

impl TestScene {
    fn new(chunk_cells: u32, chunks: [i64; 2], height: impl Fn(i64, i64) -> f32) -> Self {
        let region = Region { x0: -1, z0: 2, x1: chunks[0] - 1, z1: chunks[1] + 2 };
        let scene = huge(region, chunk_cells);
        let [x0, z0] = scene.origin_sample;
        let rows = z0..z0 + scene.height as i64;
        let heights = rows.flat_map(|z| (x0..x0 + scene.width as i64).map(move |x| (x, z)));
        let heights = heights.map(|(x, z)| height(x, z)).collect();
        Self { scene, heights }
    }

    /// Smooth bumps that use the whole range.
    pub(super) fn hills(chunk_cells: u32, chunks: [i64; 2]) -> Self {
        let wave = |t: i64| {
            let t = (t.rem_euclid(48) as f32 - 24.0) / 24.0;
            1.0 - t * t
        };
        Self::new(chunk_cells, chunks, |x, z| -79.0 + 498.0 * wave(x) * wave(z + x / 7))
    }

    /// White noise, the worst case of every compressor.
    pub(super) fn noise(chunk_cells: u32, chunks: [i64; 2]) -> Self {
        Self::new(chunk_cells, chunks, |x, z| -80.0 + 500.0 * lattice(x, z, 9))
    }

    /// Ridged mountains with a coast; the first features are `feature` samples wide.
    pub(super) fn terrain(chunk_cells: u32, chunks: [i64; 2], feature: f32) -> Self {
        Self::new(chunk_cells, chunks, move |x, z| {
            let (mut sum, mut amplitude, mut size) = (0.0, 1.0, feature);
            for octave in 0..7 {
                sum += amplitude * (value(x as f32 / size, z as f32 / size, octave) - 0.5);
                (amplitude, size) = (amplitude * 0.47, size / 2.03);
            }
            let ridge = 1.0 - (2.0 * value(x as f32 / feature + 7.3, z as f32 / feature, 77) - 1.0).abs();
            let t = (0.42 + 0.62 * sum + 0.3 * sum * ridge * ridge).clamp(0.0, 1.0);
            -80.0 + 500.0 * t * (0.35 + 0.65 * t)
        })
    }

    /// Calls `act` with every band, meshes included.
    pub(super) fn for_each_band(&self, mut act: impl FnMut(&Band<'_>)) {
        let scene = &self.scene;
        let cells = scene.chunk_cells as usize;
        let (indices, uvs) = (indices(cells), uvs(cells));
        let chunk_rows = (scene.height - 1) / cells;
        for row in 0..chunk_rows {
            let chunks: Vec<_> =
                (0..(scene.width - 1) / cells).map(|column| self.chunk(column, row)).collect();
            let meshes: Vec<_> = chunks.iter().map(OwnedChunk::mesh).collect();
            let (first_row, rows) = (row * cells, cells + usize::from(row + 1 == chunk_rows));
            let heights = &self.heights[first_row * scene.width..][..rows * scene.width];
            let ground = &self.heights[first_row * scene.width..][..(cells + 1) * scene.width];
            let (indices, uvs) = (&indices, &uvs);
            act(&Band { first_row, rows, heights, ground, chunks: &meshes, coarse: &[], indices, uvs });
        }
    }

    /// Runs `formats` into `dir` and commits.
    pub(super) fn export(&self, formats: &[&'static Format], dir: &Path) -> Vec<WrittenFile> {
        let out = OutputDir::create(dir, false).unwrap();
        let mut session = Session::open(&self.scene, formats, &out).unwrap();
        self.for_each_band(|band| session.write_band(band).unwrap());
        let files = session.finish().unwrap().into_iter().flat_map(|format| format.files).collect();
        out.commit().unwrap();
        files
    }

    pub(super) fn assert_codes_within_half_a_step(&self, codes: impl Iterator<Item = u16>) {
        let (min, max) = (f64::from(self.scene.min_m), f64::from(self.scene.max_m));
        let step = (max - min) / 65535.0;
        let mut count = 0;
        for (code, &height) in codes.zip(&self.heights) {
            let back = min + f64::from(code) * step;
            assert!(
                (back - f64::from(height)).abs() <= 0.500_000_1 * step,
                "{height} m came back as {back} m"
            );
            count += 1;
        }
        assert_eq!(count, self.heights.len());
    }

    /// The mesh of a chunk counted from the region's corner.
    pub(super) fn chunk(&self, column: usize, row: usize) -> OwnedChunk {
        let scene = &self.scene;
        let cells = scene.chunk_cells as usize;
        let at =
            |x: usize, z: usize| self.heights[z.min(scene.height - 1) * scene.width + x.min(scene.width - 1)];
        let spacing = scene.sample_spacing_m as f32;
        let mut chunk = OwnedChunk {
            key: [scene.region.x0 + column as i64, scene.region.z0 + row as i64],
            origin_sample: [
                scene.origin_sample[0] + (column * cells) as i64,
                scene.origin_sample[1] + (row * cells) as i64,
            ],
            ..OwnedChunk::default()
        };
        for (j, i) in (0..=cells).flat_map(|j| (0..=cells).map(move |i| (j, i))) {
            let (x, z) = (column * cells + i, row * cells + j);
            let height = at(x, z);
            let (dx, dz) = (at(x + 1, z) - at(x.max(1) - 1, z), at(x, z + 1) - at(x, z.max(1) - 1));
            let normal = [-dx, 2.0 * spacing, -dz];
            let length = normal.iter().map(|v| v * v).sum::<f32>().sqrt();
            let color = ramp_color(&scene.ramp, height);
            chunk.positions.push([i as f32 * spacing, height, j as f32 * spacing]);
            chunk.normals.push(normal.map(|v| v / length));
            chunk.colors.push([color[0] as u8, color[1] as u8, color[2] as u8, 255]);
        }
        chunk
    }
}

/// A chunk's columns.
#[derive(Default)]
pub(super) struct OwnedChunk {
    pub(super) key: [i64; 2],
    pub(super) origin_sample: [i64; 2],
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) colors: Vec<[u8; 4]>,
}

impl OwnedChunk {
    pub(super) fn mesh(&self) -> ChunkMesh<'_> {
        ChunkMesh {
            lod: 0,
            key: self.key,
            origin_sample: self.origin_sample,
            positions: &self.positions,
            normals: &self.normals,
            colors: &self.colors,
            error_exact_m: 0.0,
            adaptive: None,
        }
    }
}

/// Two triangles a cell, counter-clockwise from above.
pub(super) fn indices(cells: usize) -> Vec<u16> {
    let corner = |i: usize, j: usize| (j * (cells + 1) + i) as u16;
    let cell = |i, j| {
        let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1));
        [a, c, b, b, c, d]
    };
    (0..cells).flat_map(|j| (0..cells).flat_map(move |i| cell(i, j))).collect()
}

pub(super) fn uvs(cells: usize) -> Vec<[f32; 2]> {
    let part = |i: usize| i as f32 / cells as f32;
    (0..=cells).flat_map(|j| (0..=cells).map(move |i| [part(i), part(j)])).collect()
}

/// Decodes a whole picture.
pub(super) fn read_png(path: &Path) -> (png::OutputInfo, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    (info, bytes)
}

/// A value 0..1 of a lattice point.
fn lattice(x: i64, z: i64, seed: i64) -> f32 {
    let mut h =
        (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (z as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    h = (h ^ (seed as u64).wrapping_mul(0x1656_67b1_9e37_79f9) ^ (h >> 29))
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (h >> 40) as f32 / (1 << 24) as f32
}

/// Value noise 0..1 with a quintic fade.
fn value(x: f32, z: f32, seed: i64) -> f32 {
    let (cx, cz) = (x.floor(), z.floor());
    let fade = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (u, v) = (fade(x - cx), fade(z - cz));
    let at = |i: i64, j: i64| lattice(cx as i64 + i, cz as i64 + j, seed);
    let (low, high) = (at(0, 0) + (at(1, 0) - at(0, 0)) * u, at(0, 1) + (at(1, 1) - at(0, 1)) * u);
    low + (high - low) * v
}

//! `world.glb`: binary glTF 2.0, one node a chunk, written in one pass.
//!
//! In: chunk meshes. Out: a root node `region` with a child per chunk, placed in metres relative to the
//! region's corner; the chunk's i64 coordinates and origin are in the node's `extras`. Indices and texture
//! coordinates are the same in every chunk and are stored once; position, normal and colour are interleaved
//! in one buffer view a chunk. Colours are linear light in normalised `u16`, as glTF asks.
//!
//! With coarser levels the root has a child `level L` for each, whose `extras` tell its error, and the chunks are
//! theirs. All levels lie in one place: a host shows one, or switches. Adaptive meshes have vertices, texture
//! coordinates and indices of their own, and no vertex that is not used.
//!
//! A GLB states its JSON before its data, but the JSON needs each chunk's bounds, which are known later. So
//! the JSON gets room for its longest possible text (see `glb_json.rs`), the data is streamed behind it, and
//! [`Glb::finish`] goes back and fills it in, padded with spaces. Per chunk only its bounds stay in memory. Lengths of
//! adaptive meshes are known last, so the two headers that state them are written again.
//!
//! glTF's limits: lengths are `u32`, so 4 GiB - 1 is the end; a node's translation is `f32`, exact while
//! chunks times their side fits 24 bits (16 of them may be the spacing's) and rounded to 1 part in 2^24 beyond; integers above 2^53 in `extras` are exact
//! here, though readers that keep numbers as doubles round them. Source: Khronos glTF 2.0 specification,
//! section 4.4.

use std::io::{Seek, SeekFrom, Write};

use super::color;
use super::glb_json::{ChunkRecord, Document, Layout};
use super::{Band, ChunkMesh, ExportError, Exporter, Format, OutputDir, PartFile, Scene, WrittenFile};

pub(super) const FORMAT: Format = Format {
    id: "glb",
    files: &["world.glb"],
    about: "binary glTF: one node a chunk with normals, texture coordinates and colours",
    needs_mesh: true,
    bytes: |scene| Layout::new(scene).file_bytes_max(),
    check,
    open: |scene, out| Ok(Box::new(Glb::open(scene, out)?)),
};

/// Lengths in a GLB are `u32`.
const BYTES_MAX: u128 = u32::MAX as u128;

/// Where the file's length is.
const LENGTH_START: u64 = 8;
/// Bytes before the JSON: file header and chunk header.
const JSON_START: u64 = 20;
/// Bytes of the header of the data.
const BIN_HEADER: u64 = 8;

fn check(scene: &Scene) -> Result<(), ExportError> {
    let amount = Layout::new(scene).file_bytes_max();
    if amount <= BYTES_MAX {
        return Ok(());
    }
    Err(ExportError::TooLarge {
        format: FORMAT.id,
        amount,
        limit: BYTES_MAX,
        unit: "bytes",
        remedy: "choose a smaller --region or leave `glb` out of --formats",
    })
}

struct Glb {
    file: PartFile,
    document: Document,
    linear: [u16; 256],
    /// One chunk in the file's layout: position, normal, two words of colour.
    vertices: Vec<[u32; 8]>,
    /// The same with texture coordinates, and the indices: of an adaptive mesh.
    adaptive: Vec<[u32; 10]>,
    indices: Vec<u16>,
}

impl Glb {
    fn open(scene: &Scene, out: &OutputDir) -> Result<Self, ExportError> {
        let layout = Layout::new(scene);
        let file = out.file("world.glb")?;
        let linear = std::array::from_fn(|code| color::linear_u16(code as u8));
        let vertices = Vec::with_capacity(scene.chunk_vertices());
        let document = Document::new(scene, layout);
        let mut glb = Self { file, document, linear, vertices, adaptive: Vec::new(), indices: Vec::new() };
        glb.write_headers(layout).map_err(ExportError::io("write", glb.file.path()))?;
        Ok(glb)
    }

    /// The file's header, the room for the JSON, the header of the data; lengths of data are not known yet.
    fn write_headers(&mut self, layout: Layout) -> std::io::Result<()> {
        self.file.write_all(b"glTF")?;
        self.file.write_all(&2u32.to_le_bytes())?;
        self.file.write_all(&0u32.to_le_bytes())?;
        self.file.write_all(&word(layout.json_bytes as u64))?;
        self.file.write_all(b"JSON")?;
        self.file.seek(SeekFrom::Start(JSON_START + layout.json_bytes as u64))?;
        self.file.write_all(&0u32.to_le_bytes())?;
        self.file.write_all(b"BIN\0")
    }

    /// Fills in the lengths.
    fn write_lengths(&mut self) -> std::io::Result<()> {
        let (json_bytes, bin_bytes) = (self.document.layout().json_bytes as u64, self.document.bin_bytes());
        let bin_start = JSON_START + json_bytes + BIN_HEADER;
        let found = self.file.stream_position()? - bin_start;
        assert_eq!(found, bin_bytes, "bytes of data that were written, and that the JSON speaks of");
        self.file.seek(SeekFrom::Start(LENGTH_START))?;
        self.file.write_all(&word(bin_start + bin_bytes))?;
        self.file.seek(SeekFrom::Start(bin_start - BIN_HEADER))?;
        self.file.write_all(&word(bin_bytes))
    }

    fn write_shared(&mut self, band: &Band<'_>) -> std::io::Result<()> {
        let indices: Vec<u16> = band.indices.iter().map(|index| index.to_le()).collect();
        self.file.write_all(bytemuck::cast_slice(&indices))?;
        let uvs: Vec<[u32; 2]> = band.uvs.iter().map(|uv| uv.map(le)).collect();
        self.file.write_all(bytemuck::cast_slice(&uvs))
    }

    fn write_chunk(&mut self, chunk: &ChunkMesh<'_>, uvs: &[[f32; 2]]) -> std::io::Result<()> {
        self.vertices.clear();
        let columns = chunk.positions.iter().zip(chunk.normals).zip(chunk.colors);
        self.vertices.extend(columns.map(|((position, normal), color)| {
            let [px, py, pz] = position.map(le);
            let [nx, ny, nz] = normal.map(le);
            let [r, g, b] = [color[0], color[1], color[2]].map(|code| self.linear[code as usize]);
            // Alpha is linear already: 255 becomes 65535.
            let a = u16::from(color[3]) * 257;
            [px, py, pz, nx, ny, nz, pair(r, g), pair(b, a)]
        }));
        let Some(own) = chunk.adaptive else {
            self.document.push(record(chunk, chunk.positions.iter()));
            return self.file.write_all(bytemuck::cast_slice(&self.vertices));
        };
        let used = || own.vertices.iter().map(|vertex| usize::from(*vertex));
        self.adaptive.clear();
        self.adaptive.extend(used().map(|vertex| {
            let [px, py, pz, nx, ny, nz, rg, ba] = self.vertices[vertex];
            let [u, v] = uvs[vertex].map(le);
            [px, py, pz, nx, ny, nz, rg, ba, u, v]
        }));
        self.indices.clear();
        self.indices.extend(own.indices.iter().map(|index| index.to_le()));
        // To a multiple of four bytes; the JSON does not count it.
        self.indices.resize(self.indices.len().next_multiple_of(2), 0);
        let (vertices, indices) = (own.vertices.len() as u32, own.indices.len() as u32);
        let positions = used().map(|vertex| &chunk.positions[vertex]);
        self.document.push(ChunkRecord { vertices, indices, ..record(chunk, positions) });
        self.file.write_all(bytemuck::cast_slice(&self.adaptive))?;
        self.file.write_all(bytemuck::cast_slice(&self.indices))
    }
}

/// What the JSON says of a chunk with these positions.
fn record<'a>(chunk: &ChunkMesh<'_>, positions: impl Iterator<Item = &'a [f32; 3]>) -> ChunkRecord {
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    let mut finite = true;
    for position in positions {
        for axis in 0..3 {
            let value = position[axis];
            finite &= value.is_finite();
            min[axis] = if value < min[axis] { value } else { min[axis] };
            max[axis] = if value > max[axis] { value } else { max[axis] };
        }
    }
    assert!(finite, "a position of chunk {:?} is not finite", chunk.key);
    let ChunkMesh { lod, key, origin_sample, error_exact_m, .. } = *chunk;
    ChunkRecord { lod, key, origin_sample, min, max, error_exact_m, ..ChunkRecord::default() }
}

/// A length in a header. `check` has seen to it that all fit.
fn word(bytes: u64) -> [u8; 4] {
    u32::try_from(bytes).expect("`check` comes before `open`").to_le_bytes()
}

/// The word whose bytes in memory are the value's bytes in the file.
fn le(value: f32) -> u32 {
    value.to_bits().to_le()
}

/// The same for two `u16`, the first one first.
fn pair(first: u16, second: u16) -> u32 {
    (u32::from(first) | u32::from(second) << 16).to_le()
}

impl Exporter for Glb {
    fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError> {
        if band.first_row == 0 && !self.document.layout().is_adaptive() {
            self.write_shared(band).map_err(ExportError::io("write", self.file.path()))?;
        }
        for chunk in band.chunks.iter().chain(band.coarse) {
            self.write_chunk(chunk, band.uvs).map_err(ExportError::io("write", self.file.path()))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<WrittenFile>, ExportError> {
        let path = self.file.path().to_owned();
        self.write_lengths().map_err(ExportError::io("write", &path))?;
        self.file.seek(SeekFrom::Start(JSON_START)).map_err(ExportError::io("write", &path))?;
        serde_json::to_writer(&mut self.file, &self.document).map_err(ExportError::json(&path))?;
        let end = self.file.stream_position().map_err(ExportError::io("write", &path))? - JSON_START;
        let room = self.document.layout().json_bytes as u64;
        assert!(end <= room, "the JSON takes {end} bytes and {room} were set aside");
        let spaces =
            std::io::copy(&mut std::io::Read::take(std::io::repeat(b' '), room - end), &mut self.file);
        spaces.map_err(ExportError::io("write", &path))?;
        Ok(vec![self.file.finish()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::Region;
    use crate::export::test_scene::{self, TestScene};

    fn bits(values: &[f32]) -> Vec<u32> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    #[test]
    fn reads_back_to_the_bit() {
        for scene in [TestScene::hills(16, [2, 3]), TestScene::terrain(64, [3, 2], 40.0)] {
            let dir = tempfile::tempdir().unwrap();
            let file = scene.export(&[&FORMAT], dir.path()).remove(0);
            assert_eq!(u128::from(file.bytes), (FORMAT.bytes)(&scene.scene), "the size was known before");
            let (document, buffers, _) = gltf::import(&file.path).unwrap();
            let (width, cells) = (scene.scene.width, scene.scene.chunk_cells as usize);
            let columns = (width - 1) / cells;
            let root = document.default_scene().unwrap().nodes().next().unwrap();
            let nodes: Vec<_> = root.children().collect();
            assert_eq!(nodes.len() as u128, scene.scene.region.chunks());
            for (i, node) in nodes.iter().enumerate() {
                let expected = scene.chunk(i % columns, i / columns);
                let step = cells as f64 * scene.scene.sample_spacing_m;
                let translation = [(i % columns) as f64 * step, 0.0, (i / columns) as f64 * step];
                assert_eq!(node.transform().decomposed().0.map(f64::from), translation);
                assert_eq!(node.name().unwrap(), format!("chunk {},{}", expected.key[0], expected.key[1]));
                let extras: serde_json::Value =
                    serde_json::from_str(node.extras().as_ref().unwrap().get()).unwrap();
                assert_eq!(
                    extras,
                    serde_json::json!({ "chunk": expected.key, "origin_sample": expected.origin_sample })
                );

                let primitive = node.mesh().unwrap().primitives().next().unwrap();
                let reader = primitive.reader(|buffer| Some(&buffers[buffer.index()]));
                let positions: Vec<_> = reader.read_positions().unwrap().collect();
                assert_eq!(bits(positions.as_flattened()), bits(expected.positions.as_flattened()));
                let normals: Vec<_> = reader.read_normals().unwrap().collect();
                assert_eq!(bits(normals.as_flattened()), bits(expected.normals.as_flattened()));
                let uvs: Vec<_> = reader.read_tex_coords(0).unwrap().into_f32().collect();
                assert_eq!(uvs, test_scene::uvs(cells));
                let indices = reader.read_indices().unwrap().into_u32().map(|index| index as u16);
                assert!(indices.eq(test_scene::indices(cells)));
                let colors: Vec<_> = reader.read_colors(0).unwrap().into_rgba_u16().collect();
                for (color, expected) in colors.iter().zip(&expected.colors) {
                    let [r, g, b] = [expected[0], expected[1], expected[2]].map(color::linear_u16);
                    assert_eq!(*color, [r, g, b, u16::from(expected[3]) * 257]);
                }
                assert_bounds_are_exact(&primitive, &expected.positions);
            }
        }
    }

    fn assert_bounds_are_exact(primitive: &gltf::Primitive<'_>, positions: &[[f32; 3]]) {
        let bounds = primitive.bounding_box();
        for axis in 0..3 {
            let values = positions.iter().map(|position| position[axis]);
            assert_eq!(values.clone().fold(f32::INFINITY, f32::min), bounds.min[axis]);
            assert_eq!(values.fold(f32::NEG_INFINITY, f32::max), bounds.max[axis]);
        }
    }

    #[test]
    fn indices_and_texture_coordinates_are_stored_once() {
        let scene = TestScene::hills(16, [3, 3]);
        let dir = tempfile::tempdir().unwrap();
        let file = scene.export(&[&FORMAT], dir.path()).remove(0);
        let (document, buffers, _) = gltf::import(&file.path).unwrap();
        assert_eq!(document.accessors().count(), 2 + 3 * 9);
        assert_eq!(document.views().count(), 2 + 9);
        assert_eq!(buffers[0].len(), 6 * 256 * 2 + 289 * (8 + 9 * 32));
        let scene = document.default_scene().unwrap();
        let extras: serde_json::Value = serde_json::from_str(scene.extras().as_ref().unwrap().get()).unwrap();
        assert_eq!(extras["world_hash"], "0123456789abcdef");
        assert_eq!(extras["seed"], 42);
    }

    #[test]
    fn far_from_the_origin_the_room_for_the_json_suffices() {
        let mut scene = TestScene::hills(16, [4, 5]);
        let far = 1i64 << 55;
        scene.scene.region = Region { x0: -far - 4, z0: far, x1: -far, z1: far + 5 };
        scene.scene.origin_sample = [(-far - 4) * 16, far * 16];
        scene.scene.seed = u64::MAX;
        scene.scene.sample_spacing_m = 1.234_567_8e-5;
        let sign = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        scene.heights.iter_mut().enumerate().for_each(|(i, height)| *height *= 1.234_567_9e-8 * sign(i));
        let dir = tempfile::tempdir().unwrap();
        let file = scene.export(&[&FORMAT], dir.path()).remove(0);
        let (document, ..) = gltf::import(&file.path).unwrap();
        assert_eq!(document.meshes().count(), 20);
    }

    #[test]
    fn a_file_over_4_gib_is_refused_with_its_size() {
        let side = |chunks| Region { x0: 0, z0: 0, x1: chunks, z1: chunks };
        assert!(check(&test_scene::huge(side(170), 64)).is_ok());
        let scene = test_scene::huge(side(190), 64);
        let bytes = (FORMAT.bytes)(&scene);
        assert!(bytes > BYTES_MAX);
        let text = check(&scene).unwrap_err().to_string();
        for part in ["glb", &bytes.to_string(), "4294967295", "--region", "--formats"] {
            assert!(text.contains(part), "{part} is missing in: {text}");
        }
    }

    #[test]
    #[should_panic(expected = "is not finite")]
    fn heights_that_are_not_numbers_are_a_bug() {
        let mut scene = TestScene::hills(16, [1, 1]);
        scene.heights[5] = f32::NAN;
        scene.export(&[&FORMAT], tempfile::tempdir().unwrap().path());
    }
}

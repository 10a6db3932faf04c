//! The JSON of `world.glb`, serialised item by item, and the arithmetic of its size.
//!
//! In: the scene and, chunk by chunk, a [`ChunkRecord`]. Out: a `Serialize` document of `gltf-json` types
//! that never holds more than one of them, since a region may have hundreds of thousands of chunks and each
//! takes a kilobyte as a tree. [`Layout`] knows all lengths before the first chunk; of adaptive meshes, whose lengths
//! the ground decides, the longest.

use std::collections::BTreeMap;

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Stride, Target, View};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Accessor, Asset, Buffer, Index, Material, Mesh, Node, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Scene;

/// Bytes of an interleaved vertex: position, normal, colour; in adaptive meshes texture coordinates too.
const STRIDE: usize = 32;
const ADAPTIVE_STRIDE: usize = 40;
const NORMAL_OFFSET: u64 = 12;
const COLOR_OFFSET: u64 = 24;
const UV_OFFSET: u64 = 32;

/// The longest text of an `f32` that is written as the `f64` of the same value (tested).
const NUMBER_TEXT_MAX: u128 = 25;

/// What a chunk's items need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChunkRecord {
    pub(super) lod: u8,
    pub(super) key: [i64; 2],
    pub(super) origin_sample: [i64; 2],
    /// Exact bounds of the positions.
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
    pub(super) error_exact_m: f64,
    /// Of its own, in an adaptive mesh.
    pub(super) vertices: u32,
    pub(super) indices: u32,
    /// Where its vertices begin in the data; [`Document::push`] sets it.
    pub(super) offset: u64,
}

/// Lengths in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Of all levels.
    chunks: u128,
    /// Of a whole chunk.
    vertices: u64,
    indices: u64,
    lod_max: u8,
    is_adaptive: bool,
    /// Room for the JSON: no text of this region is longer.
    pub(super) json_bytes: u128,
}

impl Layout {
    pub(super) fn new(scene: &Scene) -> Self {
        let (cells, mesh) = (u64::from(scene.chunk_cells), scene.mesh);
        let of_level = |lod: u8| scene.region.chunks() >> (2 * lod);
        let mut layout = Self {
            chunks: (0..=mesh.lod_max).map(of_level).sum(),
            vertices: (cells + 1).pow(2),
            indices: 6 * cells * cells,
            lod_max: mesh.lod_max,
            is_adaptive: mesh.adaptive_error_m.is_some(),
            json_bytes: 0,
        };
        layout.json_bytes = layout.longest_json(scene).next_multiple_of(4);
        layout
    }

    /// The whole file: three headers, JSON, data. Of adaptive meshes, the most that it can be.
    pub(super) fn file_bytes_max(self) -> u128 {
        28 + self.json_bytes + self.bin_bytes_max()
    }

    fn bin_bytes_max(self) -> u128 {
        u128::from(self.shared_bytes()) + self.chunks * u128::from(self.chunk_bytes_max())
    }

    fn index_bytes(self) -> u64 {
        2 * self.indices
    }

    /// Indices and texture coordinates of all chunks.
    fn shared_bytes(self) -> u64 {
        if self.is_adaptive { 0 } else { self.index_bytes() + 8 * self.vertices }
    }

    fn chunk_bytes_max(self) -> u64 {
        let vertices = self.stride() as u64 * self.vertices;
        if self.is_adaptive { vertices + self.index_bytes() } else { vertices }
    }

    /// Bytes of a chunk: vertices, then indices to a multiple of four.
    fn chunk_bytes(self, record: &ChunkRecord) -> u64 {
        if self.is_adaptive {
            self.vertex_bytes(record) + (2 * u64::from(record.indices)).next_multiple_of(4)
        } else {
            self.chunk_bytes_max()
        }
    }

    fn vertex_bytes(self, record: &ChunkRecord) -> u64 {
        self.stride() as u64 * self.vertices_of(record)
    }

    fn vertices_of(self, record: &ChunkRecord) -> u64 {
        if self.is_adaptive { u64::from(record.vertices) } else { self.vertices }
    }

    fn stride(self) -> usize {
        if self.is_adaptive { ADAPTIVE_STRIDE } else { STRIDE }
    }

    /// Buffer views and accessors that all chunks share: indices, then texture coordinates.
    fn shared(self) -> u32 {
        if self.is_adaptive { 0 } else { 2 }
    }

    /// Whether chunks have indices of their own.
    pub(super) fn is_adaptive(self) -> bool {
        self.is_adaptive
    }

    /// Position, normal and colour; in an adaptive mesh texture coordinates and indices too.
    fn accessors_per_chunk(self) -> u32 {
        if self.is_adaptive { 5 } else { 3 }
    }

    fn views_per_chunk(self) -> u32 {
        if self.is_adaptive { 2 } else { 1 }
    }

    /// Nodes between the root and the chunks.
    fn level_nodes(self) -> usize {
        if self.lod_max > 0 { usize::from(self.lod_max) + 1 } else { 0 }
    }

    /// Whether chunks tell their level and error.
    fn tells_errors(self) -> bool {
        self.lod_max > 0 || self.is_adaptive
    }

    /// Length of the JSON if every chunk had the longest text.
    ///
    /// Integers are measured at their extremes; the text of a float has no simple worst case, so floats are
    /// measured as zeros and their longest text is added.
    fn longest_json(self, scene: &Scene) -> u128 {
        // Index and offset of the last chunk that a `u32` could count.
        let last = u32::MAX;
        let worst = ChunkRecord {
            lod: self.lod_max,
            key: [i64::MIN; 2],
            origin_sample: [i64::MIN; 2],
            vertices: last,
            indices: last,
            offset: self.shared_bytes() + u64::from(last) * self.chunk_bytes_max(),
            ..ChunkRecord::default()
        };
        let (views, accessors) = (self.views_per_chunk(), self.accessors_per_chunk());
        let items = [
            text_bytes(&self.node(&worst, [0.0; 3], last)),
            text_bytes(&self.mesh(last)),
            (0..views).map(|which| text_bytes(&self.view(&worst, which))).sum(),
            (0..accessors).map(|attribute| text_bytes(&self.accessor(&worst, attribute, last))).sum(),
            text_bytes(&last),
        ];
        // A comma after each item; six bounds, two coordinates of the translation, an error.
        let commas = u128::from(3 + views + accessors);
        let numbers = 6 + 2 + u128::from(self.tells_errors());
        let per_chunk = items.iter().sum::<u128>() + commas + numbers * NUMBER_TEXT_MAX;
        let mut empty = Document::new(scene, self);
        // As long as it can be. A file of more than u32 is refused before.
        empty.bin_bytes = self.bin_bytes_max() as u64;
        text_bytes(&empty) + self.level_nodes() as u128 * NUMBER_TEXT_MAX + self.chunks * per_chunk
    }

    fn node(self, chunk: &ChunkRecord, translation: [f32; 3], i: u32) -> Node {
        let mut extras = serde_json::json!({ "chunk": chunk.key, "origin_sample": chunk.origin_sample });
        if self.tells_errors() {
            extras["level"] = chunk.lod.into();
            extras["error_exact_m"] = chunk.error_exact_m.into();
        }
        let level = if chunk.lod > 0 { format!(" level {}", chunk.lod) } else { String::new() };
        Node {
            name: Some(format!("chunk {},{}{level}", chunk.key[0], chunk.key[1])),
            mesh: Some(Index::new(i)),
            translation: Some(translation),
            extras: Some(raw(&extras)),
            ..Node::default()
        }
    }

    fn mesh(self, i: u32) -> Mesh {
        let first = i.wrapping_mul(self.accessors_per_chunk()).wrapping_add(self.shared());
        let attribute = |semantic, accessor| (Checked::Valid(semantic), Index::new(accessor));
        let (uvs, indices) =
            if self.is_adaptive { (first.wrapping_add(3), first.wrapping_add(4)) } else { (1, 0) };
        let primitive = Primitive {
            attributes: BTreeMap::from([
                attribute(Semantic::Positions, first),
                attribute(Semantic::Normals, first.wrapping_add(1)),
                attribute(Semantic::Colors(0), first.wrapping_add(2)),
                attribute(Semantic::TexCoords(0), uvs),
            ]),
            extensions: None,
            extras: None,
            indices: Some(Index::new(indices)),
            material: Some(Index::new(0)),
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
        };
        Mesh { extensions: None, extras: None, name: None, primitives: vec![primitive], weights: None }
    }

    /// The chunk's vertices, and in an adaptive mesh its indices.
    fn view(self, chunk: &ChunkRecord, which: u32) -> View {
        let bytes = self.vertex_bytes(chunk);
        if which == 0 {
            let stride = Some(Stride(self.stride()));
            return View { byte_stride: stride, ..view(chunk.offset, bytes, Target::ArrayBuffer) };
        }
        view(chunk.offset + bytes, 2 * u64::from(chunk.indices), Target::ElementArrayBuffer)
    }

    fn accessor(self, chunk: &ChunkRecord, attribute: u32, i: u32) -> Accessor {
        let view = i.saturating_mul(self.views_per_chunk()).saturating_add(self.shared());
        let accessor = |offset, component, type_| Accessor {
            byte_offset: Some(USize64(offset)),
            ..accessor(view, self.vertices_of(chunk), component, type_)
        };
        match attribute {
            0 => Accessor {
                min: Some(bound(chunk.min)),
                max: Some(bound(chunk.max)),
                ..accessor(0, ComponentType::F32, Type::Vec3)
            },
            1 => accessor(NORMAL_OFFSET, ComponentType::F32, Type::Vec3),
            2 => Accessor { normalized: true, ..accessor(COLOR_OFFSET, ComponentType::U16, Type::Vec4) },
            3 => accessor(UV_OFFSET, ComponentType::F32, Type::Vec2),
            _ => indices(view.saturating_add(1), u64::from(chunk.indices)),
        }
    }
}

/// The document; grows by a record a chunk.
pub(super) struct Document {
    layout: Layout,
    records: Vec<ChunkRecord>,
    /// Data so far.
    bin_bytes: u64,
    corner: [i64; 2],
    chunk_size_m: f64,
    sample_spacing_m: f64,
    adaptive_error_m: Option<f64>,
    error_bounds_m: Vec<f64>,
    scene: gltf_json::Scene,
}

impl Document {
    pub(super) fn new(scene: &Scene, layout: Layout) -> Self {
        let extras = serde_json::json!({
            "seed": scene.seed,
            "seed_hex": format!("{:#018x}", scene.seed),
            "generator_version": scene.generator_version,
            "world_hash": format!("{:016x}", scene.world_hash),
            "sample_spacing_m": scene.sample_spacing_m,
            "range_min_m": scene.min_m,
            "range_max_m": scene.max_m,
            "sea_level_m": scene.sea_level_m,
            "origin_sample": scene.origin_sample,
        });
        Self {
            layout,
            records: Vec::new(),
            bin_bytes: layout.shared_bytes(),
            corner: [scene.region.x0, scene.region.z0],
            chunk_size_m: f64::from(scene.chunk_cells) * scene.sample_spacing_m,
            sample_spacing_m: scene.sample_spacing_m,
            adaptive_error_m: scene.mesh.adaptive_error_m,
            error_bounds_m: scene.error_bounds_m.clone(),
            scene: gltf_json::Scene {
                extensions: None,
                extras: Some(raw(&extras)),
                name: Some(scene.world_name.clone()),
                nodes: vec![Index::new(0)],
            },
        }
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// Bytes of the data of all chunks so far.
    pub(super) fn bin_bytes(&self) -> u64 {
        self.bin_bytes
    }

    /// The next chunk: its vertices and, in an adaptive mesh, its indices to a multiple of four bytes come now.
    pub(super) fn push(&mut self, record: ChunkRecord) {
        let record = ChunkRecord { offset: self.bin_bytes, ..record };
        self.bin_bytes += self.layout.chunk_bytes(&record);
        self.records.push(record);
    }

    /// Item 0 is the root, then one a level if there are several, then one a chunk.
    fn node(&self, item: usize) -> Node {
        let (levels, chunks) = (self.layout.level_nodes(), self.records.len());
        if item == 0 {
            let below = if levels > 0 { levels } else { chunks };
            let children = (1..=below as u32).map(Index::new).collect();
            return Node { name: Some("region".to_owned()), children: Some(children), ..Node::default() };
        }
        if item <= levels {
            return self.level_node((item - 1) as u8);
        }
        let i = item - 1 - levels;
        let record = &self.records[i];
        let metres = |axis: usize| {
            let key = record.key[axis].wrapping_mul(1 << record.lod);
            (key.wrapping_sub(self.corner[axis]) as f64 * self.chunk_size_m) as f32
        };
        self.layout.node(record, [metres(0), 0.0, metres(1)], i as u32)
    }

    /// A level: its chunks, and what a host needs to choose.
    fn level_node(&self, lod: u8) -> Node {
        let first = 1 + self.layout.level_nodes();
        let of_level = self.records.iter().enumerate().filter(|(_, record)| record.lod == lod);
        let children = of_level.clone().map(|(i, _)| Index::new((first + i) as u32)).collect();
        let error_exact_m = of_level.map(|(_, record)| record.error_exact_m).fold(0.0, f64::max);
        let tolerance_m = self.adaptive_error_m.unwrap_or(0.0);
        let mut extras = serde_json::json!({
            "level": lod,
            "vertex_spacing_m": self.sample_spacing_m * f64::from(1u32 << lod),
            "error_bound_m": self.error_bounds_m[usize::from(lod)] + tolerance_m,
            "error_exact_m": error_exact_m,
        });
        if let Some(tolerance_m) = self.adaptive_error_m {
            extras["adaptive_error_m"] = tolerance_m.into();
        }
        let name = Some(format!("level {lod}"));
        Node { name, children: Some(children), extras: Some(raw(&extras)), ..Node::default() }
    }

    fn view(&self, item: u32) -> View {
        let layout = self.layout;
        let Some(own) = item.checked_sub(layout.shared()) else {
            return match item {
                0 => view(0, layout.index_bytes(), Target::ElementArrayBuffer),
                _ => view(layout.index_bytes(), 8 * layout.vertices, Target::ArrayBuffer),
            };
        };
        let per_chunk = layout.views_per_chunk();
        layout.view(&self.records[(own / per_chunk) as usize], own % per_chunk)
    }

    fn accessor(&self, item: u32) -> Accessor {
        let layout = self.layout;
        let Some(own) = item.checked_sub(layout.shared()) else {
            return match item {
                0 => indices(0, layout.indices),
                _ => accessor(1, layout.vertices, ComponentType::F32, Type::Vec2),
            };
        };
        let (i, attribute) = (own / layout.accessors_per_chunk(), own % layout.accessors_per_chunk());
        layout.accessor(&self.records[i as usize], attribute, i)
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (chunks, layout) = (self.records.len(), self.layout);
        let count = |per_chunk: u32| layout.shared() as usize + per_chunk as usize * chunks;
        let buffer = Buffer {
            byte_length: USize64(self.bin_bytes),
            name: None,
            uri: None,
            extensions: None,
            extras: None,
        };
        let nodes = 1 + layout.level_nodes() + chunks;
        let accessors = Each(count(layout.accessors_per_chunk()), |item| self.accessor(item as u32));
        let views = Each(count(layout.views_per_chunk()), |item| self.view(item as u32));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("asset", &asset())?;
        map.serialize_entry("scene", &0)?;
        map.serialize_entry("scenes", &[&self.scene])?;
        map.serialize_entry("nodes", &Each(nodes, |item| self.node(item)))?;
        map.serialize_entry("meshes", &Each(chunks, |item| layout.mesh(item as u32)))?;
        map.serialize_entry("materials", &[material()])?;
        map.serialize_entry("accessors", &accessors)?;
        map.serialize_entry("bufferViews", &views)?;
        map.serialize_entry("buffers", &[buffer])?;
        map.end()
    }
}

/// A sequence that makes its items one by one.
struct Each<F>(usize, F);

impl<T: Serialize, F: Fn(usize) -> T> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0).map(&self.1))
    }
}

fn asset() -> Asset {
    Asset { generator: Some(concat!("terrane ", env!("CARGO_PKG_VERSION")).to_owned()), ..Asset::default() }
}

/// Bare ground: no metal, no gloss; the vertex colours do the rest.
fn material() -> Material {
    let mut material = Material { name: Some("terrain".to_owned()), ..Material::default() };
    material.pbr_metallic_roughness.metallic_factor.0 = 0.0;
    material.pbr_metallic_roughness.roughness_factor.0 = 1.0;
    material
}

fn view(offset: u64, bytes: u64, target: Target) -> View {
    View {
        buffer: Index::new(0),
        byte_length: USize64(bytes),
        byte_offset: Some(USize64(offset)),
        byte_stride: None,
        name: None,
        target: Some(Checked::Valid(target)),
        extensions: None,
        extras: None,
    }
}

fn accessor(view: u32, count: u64, component: ComponentType, type_: Type) -> Accessor {
    Accessor {
        buffer_view: Some(Index::new(view)),
        byte_offset: None,
        count: USize64(count),
        component_type: Checked::Valid(GenericComponentType(component)),
        extensions: None,
        extras: None,
        type_: Checked::Valid(type_),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}

fn indices(view: u32, count: u64) -> Accessor {
    accessor(view, count, ComponentType::U16, Type::Scalar)
}

/// As `f64` of the same value: the shortest text of an `f32` names another `f64`, and readers compare.
fn bound(values: [f32; 3]) -> Value {
    values.iter().map(|&value| f64::from(value)).collect()
}

fn raw(value: &Value) -> Box<serde_json::value::RawValue> {
    serde_json::value::to_raw_value(value).expect("a JSON value is JSON")
}

/// Length of a value's JSON text.
fn text_bytes(value: &impl Serialize) -> u128 {
    serde_json::to_vec(value).expect("these types serialise").len() as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene;
    use crate::export::{MeshOptions, Region};

    /// Every float, as far as a test can: many random bit patterns and the ends of each binade.
    fn floats() -> impl Iterator<Item = f32> {
        let mut state = 7u64;
        let random = (0..2_000_000).map(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        });
        let ends =
            (0..=255u32).flat_map(|exponent| [0, 1, 0x7f_ffff].map(|low| exponent << 23 | low | 1 << 31));
        random.chain(ends).map(f32::from_bits).filter(|value| value.is_finite())
    }

    #[test]
    fn no_float_has_a_longer_text() {
        let longest = floats().map(|value| text_bytes(&f64::from(value)).max(text_bytes(&value))).max();
        assert!(longest <= Some(NUMBER_TEXT_MAX), "{longest:?}");
    }

    #[test]
    fn extreme_chunks_fit_the_room() {
        let region = Region { x0: i64::MIN, z0: i64::MIN, x1: i64::MIN + 64, z1: i64::MIN + 64 };
        let mut scene = test_scene::huge(region, 128);
        (scene.seed, scene.world_hash, scene.generator_version) = (u64::MAX, u64::MAX, u32::MAX);
        (scene.min_m, scene.max_m, scene.sample_spacing_m) = (f32::MIN, f32::MAX, 1.234_567_890_123_456_7e-5);
        scene.world_name = "\u{1}\"\\ ünïcödé".repeat(50);
        let layout = Layout::new(&scene);
        let mut document = Document::new(&scene, layout);
        let mut floats = floats();
        let mut next = || [(); 3].map(|()| floats.next().unwrap());
        for _ in 0..region.chunks() {
            let (key, origin_sample) = ([i64::MIN; 2], [i64::MIN; 2]);
            let (min, max) = (next(), next());
            document.push(ChunkRecord { key, origin_sample, min, max, ..ChunkRecord::default() });
        }
        let bytes = text_bytes(&document);
        assert!(bytes <= layout.json_bytes, "{bytes} > {}", layout.json_bytes);
        // And it is not wasteful: the room is within the bounds' slack of the text.
        assert!(layout.json_bytes < 2 * bytes);
    }

    #[test]
    fn extreme_levels_and_adaptive_meshes_fit_the_room() {
        for (lod_max, adaptive_error_m) in [(8, None), (0, Some(0.1)), (3, Some(f64::MIN_POSITIVE * 1.1))] {
            let first = i64::MIN + (1 << 40);
            let region = Region { x0: first, z0: first, x1: first + 256, z1: first + 256 };
            let mut scene = test_scene::huge(region, 64);
            scene.mesh = MeshOptions { lod_max, adaptive_error_m, collider_error_m: 0.0 };
            scene.error_bounds_m =
                (0..=lod_max).map(|lod| f64::from(lod) * 1.234_567_890_123_456_7e-5).collect();
            let layout = Layout::new(&scene);
            let mut document = Document::new(&scene, layout);
            let mut floats = floats();
            let mut next = || [(); 3].map(|()| floats.next().unwrap());
            for lod in 0..=lod_max {
                for _ in 0..region.chunks() >> (2 * lod) {
                    let record = ChunkRecord {
                        lod,
                        key: [first >> lod; 2],
                        origin_sample: [i64::MIN; 2],
                        min: next(),
                        max: next(),
                        error_exact_m: -f64::MIN_POSITIVE * 1.234_567_890_123_456_7,
                        vertices: 65 * 65,
                        indices: 6 * 64 * 64,
                        offset: 0,
                    };
                    document.push(record);
                }
            }
            assert_eq!(u128::from(document.bin_bytes), layout.bin_bytes_max());
            let bytes = text_bytes(&document);
            assert!(bytes <= layout.json_bytes, "{bytes} > {}", layout.json_bytes);
            assert!(layout.json_bytes < 2 * bytes);
        }
    }

    #[test]
    fn the_document_is_what_gltf_json_reads() {
        let region = Region { x0: 0, z0: 0, x1: 2, z1: 1 };
        let scene = test_scene::huge(region, 16);
        let mut document = Document::new(&scene, Layout::new(&scene));
        for x in 0..2 {
            let (min, max) = ([0.0, -1.5, 0.0], [12.0, 0.1, 12.0]);
            let (key, origin_sample) = ([x, 0], [16 * x, 0]);
            document.push(ChunkRecord { key, origin_sample, min, max, ..ChunkRecord::default() });
        }
        let text = serde_json::to_string(&document).unwrap();
        let root: gltf_json::Root = serde_json::from_str(&text).unwrap();
        assert_eq!((root.nodes.len(), root.meshes.len(), root.accessors.len()), (3, 2, 8));
        assert_eq!(root.nodes[2].translation, Some([12.0, 0.0, 0.0]));
        assert_eq!(root.accessors[2].max.as_ref().unwrap()[1], f64::from(0.1f32));
        assert_eq!(root.asset.generator.as_deref(), Some(concat!("terrane ", env!("CARGO_PKG_VERSION"))));
    }
}

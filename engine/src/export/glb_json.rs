//! The JSON of `world.glb`, serialised item by item, and the arithmetic of its size.
//!
//! In: the scene and, chunk by chunk, a [`ChunkRecord`]. Out: a `Serialize` document of `gltf-json` types
//! that never holds more than one of them, since a region may have hundreds of thousands of chunks and each
//! takes a kilobyte as a tree. [`Layout`] knows all lengths before the first chunk.

use std::collections::BTreeMap;

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Stride, Target, View};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Accessor, Asset, Buffer, Index, Material, Mesh, Node, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Scene;

/// Bytes of an interleaved vertex: position, normal, colour.
const STRIDE: usize = 32;
const NORMAL_OFFSET: u64 = 12;
const COLOR_OFFSET: u64 = 24;

/// Buffer views and accessors that all chunks share: indices, then texture coordinates.
const SHARED: u32 = 2;

/// The longest text of an `f32` that is written as the `f64` of the same value (tested).
const NUMBER_TEXT_MAX: u128 = 25;

/// What a chunk's items need.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkRecord {
    pub(super) key: [i64; 2],
    pub(super) origin_sample: [i64; 2],
    /// Exact bounds of the positions.
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
}

/// Lengths in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    chunks: u128,
    vertices: u64,
    indices: u64,
    /// Room for the JSON: no text of this region is longer.
    pub(super) json_bytes: u128,
}

impl Layout {
    pub(super) fn new(scene: &Scene) -> Self {
        let cells = u64::from(scene.chunk_cells);
        let chunks = scene.region.chunks();
        let mut layout =
            Self { chunks, vertices: (cells + 1).pow(2), indices: 6 * cells * cells, json_bytes: 0 };
        layout.json_bytes = layout.longest_json(scene).next_multiple_of(4);
        layout
    }

    /// The whole file: three headers, JSON, data.
    pub(super) fn file_bytes(self) -> u128 {
        28 + self.json_bytes + self.bin_bytes()
    }

    pub(super) fn bin_bytes(self) -> u128 {
        u128::from(self.shared_bytes()) + self.chunks * u128::from(self.chunk_bytes())
    }

    fn index_bytes(self) -> u64 {
        2 * self.indices
    }

    fn shared_bytes(self) -> u64 {
        self.index_bytes() + 8 * self.vertices
    }

    fn chunk_bytes(self) -> u64 {
        STRIDE as u64 * self.vertices
    }

    /// Length of the JSON if every chunk had the longest text.
    ///
    /// Integers are measured at their extremes; the text of a float has no simple worst case, so floats are
    /// measured as zeros and their longest text is added.
    fn longest_json(self, scene: &Scene) -> u128 {
        let worst =
            ChunkRecord { key: [i64::MIN; 2], origin_sample: [i64::MIN; 2], min: [0.0; 3], max: [0.0; 3] };
        // Index and offset of the last chunk that a `u32` could count.
        let last = u32::MAX;
        let items = [
            text_bytes(&self.node(&worst, [0.0; 3], last)),
            text_bytes(&self.mesh(last)),
            text_bytes(&self.view(last)),
            (0..3).map(|attribute| text_bytes(&self.accessor(&worst, attribute, last))).sum(),
            text_bytes(&last),
        ];
        // Seven items with a comma each, six bounds, two coordinates of the translation.
        let per_chunk = items.iter().sum::<u128>() + 7 + (6 + 2) * NUMBER_TEXT_MAX;
        text_bytes(&Document::new(scene, self)) + self.chunks * per_chunk
    }

    fn node(self, chunk: &ChunkRecord, translation: [f32; 3], i: u32) -> Node {
        let extras = serde_json::json!({ "chunk": chunk.key, "origin_sample": chunk.origin_sample });
        Node {
            name: Some(format!("chunk {},{}", chunk.key[0], chunk.key[1])),
            mesh: Some(Index::new(i)),
            translation: Some(translation),
            extras: Some(raw(&extras)),
            ..Node::default()
        }
    }

    fn mesh(self, i: u32) -> Mesh {
        let first = i.wrapping_mul(3).wrapping_add(SHARED);
        let attribute = |semantic, accessor| (Checked::Valid(semantic), Index::new(accessor));
        let primitive = Primitive {
            attributes: BTreeMap::from([
                attribute(Semantic::Positions, first),
                attribute(Semantic::Normals, first.wrapping_add(1)),
                attribute(Semantic::Colors(0), first.wrapping_add(2)),
                attribute(Semantic::TexCoords(0), 1),
            ]),
            extensions: None,
            extras: None,
            indices: Some(Index::new(0)),
            material: Some(Index::new(0)),
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
        };
        Mesh { extensions: None, extras: None, name: None, primitives: vec![primitive], weights: None }
    }

    fn view(self, i: u32) -> View {
        let offset = self.shared_bytes() + u64::from(i) * self.chunk_bytes();
        View { byte_stride: Some(Stride(STRIDE)), ..view(offset, self.chunk_bytes(), Target::ArrayBuffer) }
    }

    fn accessor(self, chunk: &ChunkRecord, attribute: u32, i: u32) -> Accessor {
        let view = i.saturating_add(SHARED);
        let accessor = |offset, component, type_| Accessor {
            byte_offset: Some(USize64(offset)),
            ..accessor(view, self.vertices, component, type_)
        };
        match attribute {
            0 => Accessor {
                min: Some(bound(chunk.min)),
                max: Some(bound(chunk.max)),
                ..accessor(0, ComponentType::F32, Type::Vec3)
            },
            1 => accessor(NORMAL_OFFSET, ComponentType::F32, Type::Vec3),
            _ => Accessor { normalized: true, ..accessor(COLOR_OFFSET, ComponentType::U16, Type::Vec4) },
        }
    }
}

/// The document; grows by a record a chunk.
pub(super) struct Document {
    layout: Layout,
    records: Vec<ChunkRecord>,
    corner: [i64; 2],
    chunk_size_m: f64,
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
            corner: [scene.region.x0, scene.region.z0],
            chunk_size_m: f64::from(scene.chunk_cells) * scene.sample_spacing_m,
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

    pub(super) fn push(&mut self, record: ChunkRecord) {
        self.records.push(record);
    }

    /// Item 0 is the root, then one a chunk.
    fn node(&self, item: usize) -> Node {
        let Some(i) = item.checked_sub(1) else {
            let children = (1..=self.records.len() as u32).map(Index::new).collect();
            return Node { name: Some("region".to_owned()), children: Some(children), ..Node::default() };
        };
        let record = &self.records[i];
        let metres = |axis: usize| {
            (record.key[axis].wrapping_sub(self.corner[axis]) as f64 * self.chunk_size_m) as f32
        };
        self.layout.node(record, [metres(0), 0.0, metres(1)], i as u32)
    }

    fn view(&self, item: usize) -> View {
        let layout = self.layout;
        match item {
            0 => view(0, layout.index_bytes(), Target::ElementArrayBuffer),
            1 => view(layout.index_bytes(), 8 * layout.vertices, Target::ArrayBuffer),
            _ => layout.view(item as u32 - SHARED),
        }
    }

    fn accessor(&self, item: usize) -> Accessor {
        let layout = self.layout;
        match item {
            0 => accessor(0, layout.indices, ComponentType::U16, Type::Scalar),
            1 => accessor(1, layout.vertices, ComponentType::F32, Type::Vec2),
            _ => {
                let (i, attribute) = ((item as u32 - SHARED) / 3, (item as u32 - SHARED) % 3);
                layout.accessor(&self.records[i as usize], attribute, i)
            }
        }
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let chunks = self.records.len();
        let shared = SHARED as usize;
        let buffer = Buffer {
            byte_length: USize64(self.layout.bin_bytes() as u64),
            name: None,
            uri: None,
            extensions: None,
            extras: None,
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("asset", &asset())?;
        map.serialize_entry("scene", &0)?;
        map.serialize_entry("scenes", &[&self.scene])?;
        map.serialize_entry("nodes", &Each(1 + chunks, |item| self.node(item)))?;
        map.serialize_entry("meshes", &Each(chunks, |item| self.layout.mesh(item as u32)))?;
        map.serialize_entry("materials", &[material()])?;
        map.serialize_entry("accessors", &Each(shared + 3 * chunks, |item| self.accessor(item)))?;
        map.serialize_entry("bufferViews", &Each(shared + chunks, |item| self.view(item)))?;
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
    use crate::export::Region;
    use crate::export::test_scene;

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
            let record =
                ChunkRecord { key: [i64::MIN; 2], origin_sample: [i64::MIN; 2], min: next(), max: next() };
            document.push(record);
        }
        let bytes = text_bytes(&document);
        assert!(bytes <= layout.json_bytes, "{bytes} > {}", layout.json_bytes);
        // And it is not wasteful: the room is within the bounds' slack of the text.
        assert!(layout.json_bytes < 2 * bytes);
    }

    #[test]
    fn the_document_is_what_gltf_json_reads() {
        let region = Region { x0: 0, z0: 0, x1: 2, z1: 1 };
        let scene = test_scene::huge(region, 16);
        let mut document = Document::new(&scene, Layout::new(&scene));
        for x in 0..2 {
            let (min, max) = ([0.0, -1.5, 0.0], [12.0, 0.1, 12.0]);
            document.push(ChunkRecord { key: [x, 0], origin_sample: [16 * x, 0], min, max });
        }
        let text = serde_json::to_string(&document).unwrap();
        let root: gltf_json::Root = serde_json::from_str(&text).unwrap();
        assert_eq!((root.nodes.len(), root.meshes.len(), root.accessors.len()), (3, 2, 8));
        assert_eq!(root.nodes[2].translation, Some([12.0, 0.0, 0.0]));
        assert_eq!(root.accessors[2].max.as_ref().unwrap()[1], f64::from(0.1f32));
        assert_eq!(root.asset.generator.as_deref(), Some(concat!("terrane ", env!("CARGO_PKG_VERSION"))));
    }
}

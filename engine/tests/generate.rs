//! `generate` as a library: meshes of levels, adaptive meshes and colliders read back and compared with the world.
#![cfg(all(feature = "config", feature = "export", feature = "threads"))]

mod kit;
mod mesh_kit;

use std::collections::BTreeMap;
use std::path::Path;

use mesh_kit::ground::Ground;
use serde_json::{Value, json};
use terrane::collider::{Decimation, HeightField, layouts::rapier};
use terrane::export::{Format, MeshOptions, OutputDir, Region, find};
use terrane::mesh::{AdaptiveMesher, error_exact_m};
use terrane::{Batch, ChunkKey, GenerateError, Job, Monitor, Report, World};

const REGION: Region = Region { x0: -4, z0: 4, x1: 4, z1: 8 };
const CELLS: u32 = 16;

fn job(region: Region, formats: &[&str], mesh: MeshOptions) -> Job {
    let formats: Vec<&'static Format> = formats.iter().map(|id| find(id).expect("a format")).collect();
    Job { region, formats, mesh, threads: Some(2), world_name: "test".into() }
}

fn generate(world: &World, job: Job, dir: &Path) -> Report {
    let out = OutputDir::create(dir, false).expect("a folder");
    Batch::new(world, job).expect("a job that fits").run(out, &Monitor::default()).expect("files")
}

/// A chunk: level, x, z.
type Key = (u8, i64, i64);
type Chunks = BTreeMap<Key, Read>;

/// One chunk of a file.
struct Read {
    extras: Value,
    translation: [f32; 3],
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

/// The extras of level nodes and the chunks of a file, by level and chunk. Without level nodes all are of level 0.
fn read(path: &Path) -> (Vec<Value>, Chunks) {
    let (document, buffers, _) = gltf::import(path).expect("a GLB");
    let json = |node: &gltf::Node<'_>| -> Value {
        serde_json::from_str(node.extras().as_ref().expect("extras").get()).expect("JSON")
    };
    let root = document.default_scene().expect("a scene").nodes().next().expect("a root");
    assert_eq!(root.name(), Some("region"));
    let mut levels = Vec::new();
    let mut chunks = BTreeMap::new();
    let mut take = |lod: u8, node: gltf::Node<'_>| {
        let extras = json(&node);
        let primitive = node.mesh().expect("a mesh").primitives().next().expect("triangles");
        let reader = primitive.reader(|buffer| Some(&buffers[buffer.index()]));
        let read = Read {
            translation: node.transform().decomposed().0,
            positions: reader.read_positions().expect("positions").collect(),
            normals: reader.read_normals().expect("normals").collect(),
            uvs: reader.read_tex_coords(0).expect("texture coordinates").into_f32().collect(),
            indices: reader.read_indices().expect("indices").into_u32().collect(),
            extras,
        };
        let key = |axis: usize| read.extras["chunk"][axis].as_i64().expect("a number");
        assert!(chunks.insert((lod, key(0), key(1)), read).is_none(), "a chunk twice");
    };
    for node in root.children() {
        if node.mesh().is_some() {
            take(0, node);
            continue;
        }
        let lod = levels.len() as u8;
        assert_eq!(node.name(), Some(format!("level {lod}").as_str()));
        levels.push(json(&node));
        node.children().for_each(|chunk| take(lod, chunk));
    }
    (levels, chunks)
}

/// The chunks of a region at levels 0 to `lod_max`.
fn keys(region: Region, lod_max: u8) -> Vec<Key> {
    let of_level = |lod: u8| {
        let rows = region.z0 >> lod..region.z1 >> lod;
        rows.flat_map(move |z| (region.x0 >> lod..region.x1 >> lod).map(move |x| (lod, x, z)))
    };
    let mut keys: Vec<_> = (0..=lod_max).flat_map(of_level).collect();
    keys.sort_unstable();
    keys
}

/// The ground of level 0 under a chunk.
fn ground(world: &World, (lod, x, z): Key) -> Ground {
    let cells = world.chunk_cells() as usize;
    let (chunks, side) = (1usize << lod, (cells << lod) + 1);
    let mut heights = vec![0.0; side * side];
    for (row, column) in (0..chunks).flat_map(|row| (0..chunks).map(move |column| (row, column))) {
        let chunk = kit::build(world, (x << lod) + column as i64, (z << lod) + row as i64);
        for line in 0..=cells {
            let at = (row * cells + line) * side + column * cells;
            heights[at..=at + cells].copy_from_slice(chunk.view().heights(line));
        }
    }
    Ground { name: "world", cells: side - 1, heights }
}

/// Bits, for comparing.
fn bits<const N: usize>(values: &[[f32; N]]) -> Vec<u32> {
    values.as_flattened().iter().map(|value| value.to_bits()).collect()
}

/// What every chunk's node says, whatever its triangles.
fn check_node(world: &World, region: Region, key: Key, read: &Read) {
    let ((lod, x, z), spacing_m) = (key, world.sample_spacing_m());
    let origin = ChunkKey { lod, x, z }.origin(world.chunk_cells());
    let corner = ChunkKey { lod: 0, x: region.x0, z: region.z0 }.origin(world.chunk_cells());
    let metres = |axis: usize| ((origin[axis] - corner[axis]) as f64 * spacing_m) as f32;
    assert_eq!(read.translation, [metres(0), 0.0, metres(1)], "{key:?}");
    assert_eq!(read.extras["origin_sample"], json!(origin));
    assert_eq!(read.extras["level"], json!(lod));
}

#[test]
fn levels_of_grids_are_the_worlds_chunks_to_the_bit() {
    let world = kit::open(kit::config(CELLS, 0.5));
    let dir = tempfile::tempdir().expect("a folder");
    let mesh = MeshOptions { lod_max: 2, ..MeshOptions::default() };
    let report = generate(&world, job(REGION, &["glb"], mesh), dir.path());
    let (levels, chunks) = read(&dir.path().join("world.glb"));
    assert_eq!(chunks.keys().copied().collect::<Vec<_>>(), keys(REGION, 2));
    assert_eq!((levels.len(), report.levels.len()), (3, 3));
    let mut errors_m = [0.0f64; 3];
    for (key, read) in &chunks {
        let chunk = kit::build_at(&world, key.0, key.1, key.2);
        let view = chunk.view();
        assert_eq!(bits(&read.positions), bits(view.positions()), "{key:?}");
        assert_eq!(bits(&read.normals), bits(view.normals()), "{key:?}");
        assert_eq!(bits(&read.uvs), bits(world.uvs()));
        assert!(read.indices.iter().copied().eq(world.templates().indices(0).iter().map(|i| u32::from(*i))));
        check_node(&world, REGION, *key, read);
        let ground = ground(&world, *key);
        let stride = 1 << key.0;
        let want = error_exact_m(&ground.heights, ground.side(), CELLS as usize, stride).expect("a chunk");
        assert_eq!(read.extras["error_exact_m"].as_f64(), Some(want.interior_m), "{key:?}");
        let most = &mut errors_m[usize::from(key.0)];
        *most = most.max(want.interior_m);
    }
    assert!(errors_m[0] == 0.0 && errors_m[1] > 0.0 && errors_m[2] > 0.0, "{errors_m:?}");
    for (lod, level) in (0u8..).zip(&levels) {
        let (error_m, bound_m) = (errors_m[usize::from(lod)], world.error_bound_m(lod));
        let spacing_m = world.sample_spacing_m() * f64::from(1u32 << lod);
        let of_world = json!({ "level": lod, "vertex_spacing_m": spacing_m, "error_bound_m": bound_m });
        let mut want = of_world.as_object().expect("a map").clone();
        want.insert("error_exact_m".into(), error_m.into());
        assert_eq!(level.as_object(), Some(&want));
        assert!(error_m <= bound_m);
        let told = &report.levels[usize::from(lod)];
        assert_eq!((told.level, told.error_exact_m, told.error_bound_m), (lod, error_m, bound_m));
        assert_eq!(told.chunks, 32 >> (2 * lod));
        assert_eq!(told.triangles, told.chunks * 2 * 16 * 16);
    }
}

#[test]
fn adaptive_meshes_are_the_meshers_and_have_no_vertex_too_many() {
    let world = kit::open(kit::config(CELLS, 0.5));
    let tolerance_m = 0.25;
    for lod_max in [0, 1] {
        let dir = tempfile::tempdir().expect("a folder");
        let mesh = MeshOptions { lod_max, adaptive_error_m: Some(tolerance_m), ..MeshOptions::default() };
        let report = generate(&world, job(REGION, &["glb"], mesh), dir.path());
        let (levels, chunks) = read(&dir.path().join("world.glb"));
        assert_eq!(chunks.keys().copied().collect::<Vec<_>>(), keys(REGION, lod_max));
        assert_eq!(levels.len(), if lod_max == 0 { 0 } else { 2 });
        assert_eq!(report.adaptive_error_m, Some(tolerance_m));
        let mut errors_m = [0.0f64; 2];
        let mut triangles = [0; 2];
        for (key, read) in &chunks {
            let error_m = check_adaptive(&world, *key, read, tolerance_m);
            check_node(&world, REGION, *key, read);
            let lod = usize::from(key.0);
            errors_m[lod] = errors_m[lod].max(error_m);
            triangles[lod] += read.indices.len() as u64 / 3;
        }
        for (lod, told) in report.levels.iter().enumerate() {
            assert_eq!((told.error_exact_m, told.triangles), (errors_m[lod], triangles[lod]));
            assert_eq!(told.error_bound_m, world.error_bound_m(lod as u8) + tolerance_m);
            assert!(told.error_exact_m <= told.error_bound_m);
            assert!(told.triangles < told.chunks * 2 * 16 * 16, "fewer than the grid");
            if lod_max > 0 {
                assert_eq!(levels[lod]["error_exact_m"].as_f64(), Some(told.error_exact_m));
                assert_eq!(levels[lod]["error_bound_m"].as_f64(), Some(told.error_bound_m));
                assert_eq!(levels[lod]["adaptive_error_m"].as_f64(), Some(tolerance_m));
            }
        }
    }
}

/// Compares a chunk with the mesher's triangles over the chunk's own grid. Returns its error.
fn check_adaptive(world: &World, key: Key, read: &Read, tolerance_m: f64) -> f64 {
    let (cells, side) = (CELLS as usize, CELLS as usize + 1);
    let chunk = kit::build_at(world, key.0, key.1, key.2);
    let view = chunk.view();
    let heights: Vec<f32> = (0..side).flat_map(|z| view.heights(z).to_vec()).collect();
    let (mut mesher, mut indices) = (AdaptiveMesher::new(), Vec::<u16>::new());
    let mesh = mesher.build(&heights, side, cells, tolerance_m, 0, &mut indices).expect("a chunk");

    let vertices = read.positions.len();
    let used: std::collections::BTreeSet<_> = read.indices.iter().copied().collect();
    assert!(used.iter().copied().eq(0..vertices as u32), "{key:?}: every vertex is used");
    let vertex_of = |position: &[f32; 3]| {
        let [x, z] = [position[0], position[2]].map(|metres| (metres / view.vertex_spacing_m()) as usize);
        z * side + x
    };
    let of_grid: Vec<usize> = read.positions.iter().map(vertex_of).collect();
    let found: Vec<_> = read.indices.iter().map(|index| of_grid[*index as usize] as u16).collect();
    assert_eq!(found, indices, "{key:?}");
    for (i, &vertex) in of_grid.iter().enumerate() {
        assert_eq!(bits(&[read.positions[i]]), bits(&[view.positions()[vertex]]));
        assert_eq!(bits(&[read.normals[i]]), bits(&[view.normals()[vertex]]));
        assert_eq!(bits(&[read.uvs[i]]), bits(&[world.uvs()[vertex]]));
    }
    let error_m = read.extras["error_exact_m"].as_f64().expect("a number");
    if key.0 == 0 {
        assert_eq!(error_m, mesh.error_exact_m);
    }
    // A search of the merged triangulation that shares no code with ours.
    let stride = 1i64 << key.0;
    let triangles = mesh_kit::points(&indices, CELLS, [0, 0], stride);
    let (searched, at) = ground(world, key).distance(&triangles);
    assert!((searched - error_m).abs() < 1e-9, "{key:?}: {error_m}, and {searched} at {at:?}");
    error_m
}

#[test]
fn colliders_are_those_of_the_worlds_chunks() {
    let world = kit::open(kit::config(CELLS, 0.5));
    let dir = tempfile::tempdir().expect("a folder");
    let mesh = MeshOptions { collider_error_m: 1.0, ..MeshOptions::default() };
    let formats = ["collider-rapier", "collider-jolt", "collider-godot", "collider-physx"];
    let report = generate(&world, job(REGION, &formats, mesh), dir.path());
    assert_eq!((report.collider_error_m, report.levels.len()), (Some(1.0), 0));
    let names: Vec<_> = report.files.iter().map(|file| file.name.as_str()).collect();
    let want: Vec<_> = formats.iter().flat_map(|id| [format!("{id}.bin"), format!("{id}.json")]).collect();
    assert_eq!(names, want);
    let text = std::fs::read_to_string(dir.path().join("collider-rapier.json")).expect("a file");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let bytes = std::fs::read(dir.path().join("collider-rapier.bin")).expect("a file");
    let chunks = document["chunks"].as_array().expect("a list");
    assert_eq!(chunks.len(), 32);
    let mut steps = std::collections::BTreeSet::new();
    for chunk in chunks {
        let number = |value: &Value| value.as_i64().expect("a number");
        let key = [number(&chunk["chunk"][0]), number(&chunk["chunk"][1])];
        let built = kit::build(&world, key[0], key[1]);
        let plan = Decimation::plan(&built.view(), 1.0).expect("a chunk");
        let mut decimated = vec![0.0; plan.samples()];
        plan.write(&built.view(), &mut decimated).expect("room");
        let field = HeightField::new(&decimated, plan.side).expect("a square");
        let mut heights = vec![0.0; plan.samples()];
        let placed = rapier::write(&field, 0.5 * plan.step as f32, &mut heights).expect("room");
        let (offset, length) = (number(&chunk["offset"]) as usize, number(&chunk["bytes"]) as usize);
        let read = bytes[offset..offset + length].chunks(4);
        let read = read.map(|word| u32::from_le_bytes(word.try_into().expect("four")));
        assert!(read.eq(heights.iter().map(|height| height.to_bits())), "{key:?}");
        assert_eq!(chunk["error_exact_m"].as_f64(), Some(plan.error_exact_m));
        let x = (key[0] - REGION.x0) as f64 * 8.0 + f64::from(placed.translation[0]);
        assert_eq!(chunk["translation"][0].as_f64(), Some(x));
        steps.insert(plan.step);
    }
    assert!(steps.len() > 1, "one step only: {steps:?}");
}

#[test]
fn wrong_levels_regions_and_tolerances_are_answered_with_numbers() {
    let world = kit::open(kit::config(CELLS, 0.5));
    let refused = |region: Region, mesh: MeshOptions| {
        Batch::new(&world, job(region, &["glb"], mesh)).expect_err("a wrong job").to_string()
    };
    let level = |lod_max: u8| MeshOptions { lod_max, ..MeshOptions::default() };
    let text = refused(Region { x0: -3, z0: 4, x1: 4, z1: 9 }, level(2));
    for part in ["-3,4,4,9", "level 2", "4 x 4 chunks", "-4,4,4,12"] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    assert!(refused(REGION, level(9)).contains("level 9 of the mesh; 0 to 8"));
    for metres in [-0.5, f64::NAN, f64::INFINITY] {
        let mesh = MeshOptions { adaptive_error_m: Some(metres), ..MeshOptions::default() };
        assert!(refused(REGION, mesh).contains(&format!("adaptive meshes is {metres} m")));
        let mesh = MeshOptions { collider_error_m: metres, ..MeshOptions::default() };
        assert!(refused(REGION, mesh).contains(&format!("colliders is {metres} m")));
    }
    // Near the end of addresses there is a chunk of level 0 and none of level 8.
    let far = (1i64 << 56) - 512;
    let text = refused(Region { x0: far, z0: 0, x1: far + 256, z1: 256 }, level(8));
    assert!(text.contains("at level 8 is beyond 2^60 samples"), "{text}");
    let wide = Region { x0: 0, z0: 0, x1: 1 << 15, z1: 256 };
    let text = refused(wide, level(8));
    assert!(text.contains("32768 chunks up to level 8") && text.contains("--lod"), "{text}");
}

#[test]
fn a_finite_world_is_told_a_region_that_it_has() {
    // Its chunks are -4..5 along x, -4..4 along z.
    let world = kit::open(kit::finite_config(32));
    let (min, max) = world.chunk_extent(0).expect("an end");
    let whole = Region { x0: min[0], z0: min[1], x1: max[0], z1: max[1] };
    assert_eq!(max[0], 5, "a width that is no multiple of 2");
    let mesh = MeshOptions { lod_max: 1, ..MeshOptions::default() };
    let error = Batch::new(&world, job(whole, &["glb"], mesh)).expect_err("half a chunk");
    let GenerateError::Unaligned { nearest: Some(nearest), .. } = error else { panic!("{error}") };
    assert_eq!(nearest, Region { x1: 4, ..whole });
    Batch::new(&world, job(nearest, &["glb"], mesh)).expect("the region that was named");
    let mesh = MeshOptions { lod_max: 6, ..MeshOptions::default() };
    let error = Batch::new(&world, job(whole, &["glb"], mesh)).expect_err("no such chunk").to_string();
    assert!(error.contains("choose a smaller --lod"), "{error}");
}

#[test]
fn nothing_is_told_that_was_not_asked_for() {
    let world = kit::open(kit::config(CELLS, 0.5));
    let dir = tempfile::tempdir().expect("a folder");
    let report = generate(&world, job(REGION, &["glb", "heat"], MeshOptions::default()), dir.path());
    let text = std::fs::read_to_string(dir.path().join("report.json")).expect("a report");
    for key in ["levels", "adaptive", "collider"] {
        assert!(!text.contains(key), "{text}");
    }
    assert!(report.levels.is_empty() && report.stages.iter().all(|stage| stage.name != "adaptive"));
    let (levels, chunks) = read(&dir.path().join("world.glb"));
    assert_eq!((levels.len(), chunks.len()), (0, 32));
    for chunk in chunks.values() {
        assert_eq!(chunk.extras.as_object().expect("a map").len(), 2, "{}", chunk.extras);
    }
    // Levels that no format wants cost nothing and are not told of.
    let mesh = MeshOptions { lod_max: 2, adaptive_error_m: Some(0.5), ..MeshOptions::default() };
    let dir = tempfile::tempdir().expect("a folder");
    let report = generate(&world, job(REGION, &["heights-r16"], mesh), dir.path());
    assert!(report.levels.is_empty() && report.adaptive_error_m.is_none());
}

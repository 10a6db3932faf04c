//! Colliders of level 0, chunk by chunk, in the layout of a physics engine: `collider-ENGINE.bin` and `.json`.
//!
//! In: the heights of a row of chunks, a tolerance. Out: the samples of all chunks one after the other, as
//! [`layouts`](crate::collider::layouts) writes them, little-endian; and a JSON document that says for each chunk where
//! its samples are, what the engine wants to know beside them, where the shape goes, and how far it is from the ground.
//! Chunks come by rising z, then x. An engine is one file here: an [`Engine`], its `FORMAT`, a `mod` line, and a line
//! in [`COLLIDERS`](super::COLLIDERS).
//!
//! Both files are streamed: nothing of a chunk stays in memory. Deliberately not here: merged fields and fields with
//! apron (a host that wants those makes them at run time), coarser levels (bodies move on the finest).

pub(super) mod godot;
pub(super) mod jolt;
pub(super) mod physx;
pub(super) mod rapier;

use std::io::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Band, ExportError, Exporter, Format, OutputDir, PartFile, Scene, WrittenFile};
use crate::collider::{ColliderError, Decimation, HeightField};

/// Bytes of a sample, whatever the engine.
const SAMPLE_BYTES: usize = 4;
/// No text of a chunk is longer (tested).
const CHUNK_TEXT_MAX: u128 = 1024;
/// No text around the chunks is longer, the world's name aside.
const HEAD_TEXT_MAX: u128 = 4096;

/// A physics engine's layout.
trait Engine: Send + Sized + 'static {
    /// Id of the format.
    const ID: &'static str;
    /// The file of samples, the file that explains them.
    const FILES: [&'static str; 2];
    /// What a sample is and in which order they come, in one sentence.
    const SAMPLES: &'static str;
    /// How a host makes a shape of it, in one sentence.
    const USE: &'static str;
    /// One sample in memory.
    type Sample: Copy + Default + Send;

    /// What is the same for all chunks.
    fn new(scene: &Scene) -> Self;

    /// Samples of a field of `side` by `side`: those of the field, unless the engine wants more.
    fn samples(side: usize) -> usize {
        side * side
    }

    /// Writes a field whose samples are `spacing_m` apart.
    fn write(
        &self,
        field: &HeightField<'_>,
        spacing_m: f32,
        out: &mut [Self::Sample],
    ) -> Result<Placed, ColliderError>;

    /// A sample as the file has it.
    fn bytes(sample: Self::Sample) -> [u8; SAMPLE_BYTES];
}

/// The format of an engine.
const fn format<E: Engine>(about: &'static str) -> Format {
    let check: fn(&Scene) -> Result<(), ExportError> = |_| Ok(());
    Format {
        id: E::ID,
        files: &E::FILES,
        about,
        needs_mesh: false,
        bytes: bytes::<E>,
        check,
        open: open::<E>,
    }
}

/// What a layout says of a chunk's shape.
struct Placed {
    /// The engine's own words for counts and scale.
    facts: Map<String, Value>,
    /// From the chunk's first sample, in metres.
    translation: [f32; 3],
    /// What the layout or the engine moves a height by, at most.
    rounding_m: f64,
}

/// Makes the map of a `json!` object.
fn facts(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Upper bound of both files.
fn bytes<E: Engine>(scene: &Scene) -> u128 {
    let samples = E::samples(scene.chunk_cells as usize + 1) * SAMPLE_BYTES;
    let texts = HEAD_TEXT_MAX + 6 * scene.world_name.len() as u128;
    texts + scene.region.chunks() * (samples as u128 + CHUNK_TEXT_MAX)
}

fn open<E: Engine>(scene: &Scene, out: &OutputDir) -> Result<Box<dyn Exporter>, ExportError> {
    let [samples, text] = E::FILES;
    let mut colliders = Colliders {
        engine: E::new(scene),
        file: out.file(samples)?,
        text: out.file(text)?,
        scene: scene.clone(),
        offset: 0,
        decimated: Vec::new(),
        samples: Vec::new(),
        bytes: Vec::new(),
        errors_m: [0.0; 2],
    };
    colliders.write_head()?;
    Ok(Box::new(colliders))
}

/// The exporter of all engines.
struct Colliders<E: Engine> {
    engine: E,
    file: PartFile,
    text: PartFile,
    scene: Scene,
    /// Bytes of samples so far.
    offset: u64,
    decimated: Vec<f32>,
    samples: Vec<E::Sample>,
    bytes: Vec<u8>,
    /// The largest so far: exact, and with what the engine rounds.
    errors_m: [f64; 2],
}

/// What a reader needs before the first chunk.
#[derive(Serialize)]
struct Head<'a> {
    engine: &'a str,
    file: &'a str,
    byte_order: &'static str,
    sample_bytes: usize,
    samples: &'static str,
    r#use: &'static str,
    place: &'static str,
    error: &'static str,
    world_name: &'a str,
    seed: u64,
    seed_hex: String,
    generator_version: u32,
    world_hash: String,
    region: [i64; 4],
    origin_sample: [i64; 2],
    chunk_cells: u32,
    sample_spacing_m: f64,
    tolerance_m: f64,
}

impl<E: Engine> Colliders<E> {
    fn write_head(&mut self) -> Result<(), ExportError> {
        let scene = &self.scene;
        let region = scene.region;
        let head = Head {
            engine: E::ID.trim_start_matches("collider-"),
            file: E::FILES[0],
            byte_order: "little-endian",
            sample_bytes: SAMPLE_BYTES,
            samples: E::SAMPLES,
            r#use: E::USE,
            place: "translation is in metres from the region's corner, the sample origin_sample [x, z], at height 0; \
                    y is up; offset and bytes are in the file of samples; step is in samples of level 0",
            error: "error_exact_m is the largest vertical distance of the written heights' surface to the ground; \
                    error_total_m adds what the layout or the engine rounds and is never below the truth",
            world_name: &scene.world_name,
            seed: scene.seed,
            seed_hex: format!("{:#018x}", scene.seed),
            generator_version: scene.generator_version,
            world_hash: format!("{:016x}", scene.world_hash),
            region: [region.x0, region.z0, region.x1, region.z1],
            origin_sample: scene.origin_sample,
            chunk_cells: scene.chunk_cells,
            sample_spacing_m: scene.sample_spacing_m,
            tolerance_m: scene.mesh.collider_error_m,
        };
        let path = self.text.path().to_owned();
        let text = serde_json::to_string(&head).map_err(ExportError::json(&path))?;
        // The chunks follow inside the same object.
        let open = text.strip_suffix('}').unwrap_or(&text);
        write!(self.text, "{open},\"chunks\":[").map_err(ExportError::io("write", &path))
    }

    /// Decimates and writes the chunk in column `column` of a row of chunks.
    fn write_chunk(&mut self, column: usize, row: usize, band: &Band<'_>) -> Result<(), ExportError> {
        const VALID: &str = "the ground is finite, within the world's range, and chunks have 16 to 128 cells";
        let (scene, cells) = (&self.scene, self.scene.chunk_cells as usize);
        let ground = HeightField::with_stride(&band.ground[column * cells..], [cells + 1; 2], scene.width);
        let ground = ground.expect(VALID);
        let plan = Decimation::plan(&ground, scene.mesh.collider_error_m).expect(VALID);
        self.decimated.resize(plan.samples(), 0.0);
        plan.write(&ground, &mut self.decimated).expect(VALID);
        let field = HeightField::new(&self.decimated, plan.side).expect(VALID);
        // Exact: the spacing has 16 significant bits, the step is a power of two.
        let spacing_m = scene.sample_spacing_m as f32 * plan.step as f32;
        self.samples.resize(E::samples(plan.side), E::Sample::default());
        let placed = self.engine.write(&field, spacing_m, &mut self.samples).expect(VALID);

        self.bytes.clear();
        self.bytes.extend(self.samples.iter().flat_map(|sample| E::bytes(*sample)));
        self.file.write_all(&self.bytes).map_err(ExportError::io("write", self.file.path()))?;
        let corner_m = [column, row].map(|chunk| (chunk * cells) as f64 * scene.sample_spacing_m);
        let [x, y, z] = placed.translation.map(f64::from);
        let error_total_m = plan.error_exact_m + placed.rounding_m;
        let mut chunk = facts(json!({
            "chunk": [scene.region.x0 + column as i64, scene.region.z0 + row as i64],
            "offset": self.offset,
            "bytes": self.bytes.len(),
            "step": plan.step,
            "translation": [corner_m[0] + x, y, corner_m[1] + z],
            "error_exact_m": plan.error_exact_m,
            "error_total_m": error_total_m,
        }));
        chunk.extend(placed.facts);
        let separator = if self.offset == 0 { "\n" } else { ",\n" };
        self.offset += self.bytes.len() as u64;
        self.errors_m = [self.errors_m[0].max(plan.error_exact_m), self.errors_m[1].max(error_total_m)];
        let path = self.text.path().to_owned();
        self.text.write_all(separator.as_bytes()).map_err(ExportError::io("write", &path))?;
        serde_json::to_writer(&mut self.text, &chunk).map_err(ExportError::json(&path))
    }
}

impl<E: Engine> Exporter for Colliders<E> {
    fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError> {
        let (columns, row) =
            (self.scene.region.columns() as usize, band.first_row / self.scene.chunk_cells as usize);
        (0..columns).try_for_each(|column| self.write_chunk(column, row, band))
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, ExportError> {
        let mut colliders = *self;
        let [exact_m, total_m] = colliders.errors_m;
        // As serde_json writes floats.
        let (exact_m, total_m) = (json!(exact_m), json!(total_m));
        let end = format!("\n],\"error_exact_m\":{exact_m},\"error_total_m\":{total_m}}}\n");
        let path = colliders.text.path().to_owned();
        colliders.text.write_all(end.as_bytes()).map_err(ExportError::io("write", &path))?;
        Ok(vec![colliders.file.finish()?, colliders.text.finish()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collider::layouts;
    use crate::export::test_scene::TestScene;
    use crate::export::{COLLIDERS, Region};

    /// The heights of a chunk.
    fn heights(scene: &TestScene, column: usize, row: usize) -> Vec<f32> {
        let (cells, width) = (scene.scene.chunk_cells as usize, scene.scene.width);
        let rows = row * cells..=(row + 1) * cells;
        rows.flat_map(|z| scene.heights[z * width + column * cells..][..=cells].to_vec()).collect()
    }

    /// Reads one engine's files: the document, and the samples of each chunk.
    fn read(dir: &std::path::Path, id: &str) -> (Value, Vec<u8>) {
        let text = std::fs::read(dir.join(format!("{id}.json"))).unwrap();
        (serde_json::from_slice(&text).unwrap(), std::fs::read(dir.join(format!("{id}.bin"))).unwrap())
    }

    #[test]
    fn every_engine_reads_back_as_its_layout() {
        for (mut scene, tolerance_m) in [
            (TestScene::hills(16, [2, 3]), 0.0),
            (TestScene::terrain(64, [3, 2], 40.0), 0.75),
            (TestScene::terrain(32, [2, 2], 400.0), 0.05),
        ] {
            scene.scene.mesh.collider_error_m = tolerance_m;
            let dir = tempfile::tempdir().unwrap();
            scene.export(&COLLIDERS.iter().collect::<Vec<_>>(), dir.path());
            for format in COLLIDERS {
                let (document, bytes) = read(dir.path(), format.id);
                let chunks = document["chunks"].as_array().unwrap();
                assert_eq!(chunks.len() as u128, scene.scene.region.chunks());
                let mut end = 0;
                let mut errors = [0.0f64; 2];
                for (i, chunk) in chunks.iter().enumerate() {
                    let columns = scene.scene.region.columns() as usize;
                    let (column, row) = (i % columns, i / columns);
                    let (offset, length) = (
                        chunk["offset"].as_u64().unwrap() as usize,
                        chunk["bytes"].as_u64().unwrap() as usize,
                    );
                    assert_eq!(offset, end);
                    end += length;
                    check_chunk(&scene, format.id, [column, row], chunk, &bytes[offset..end]);
                    for (error, key) in errors.iter_mut().zip(["error_exact_m", "error_total_m"]) {
                        *error = error.max(chunk[key].as_f64().unwrap());
                    }
                }
                assert_eq!(end, bytes.len());
                assert_eq!(document["error_exact_m"].as_f64(), Some(errors[0]));
                assert_eq!(document["error_total_m"].as_f64(), Some(errors[1]));
                assert!(errors[0] <= tolerance_m && errors[0] <= errors[1]);
            }
        }
    }

    fn check_chunk(scene: &TestScene, id: &str, [column, row]: [usize; 2], chunk: &Value, bytes: &[u8]) {
        let scene_facts = &scene.scene;
        let ground = heights(scene, column, row);
        let ground = HeightField::new(&ground, scene_facts.chunk_cells as usize + 1).unwrap();
        let plan = Decimation::plan(&ground, scene_facts.mesh.collider_error_m).unwrap();
        let mut decimated = vec![0.0; plan.samples()];
        plan.write(&ground, &mut decimated).unwrap();
        let field = HeightField::new(&decimated, plan.side).unwrap();
        let spacing_m = scene_facts.sample_spacing_m as f32 * plan.step as f32;
        let mut floats = vec![0.0; decimated.len()];
        let (want, translation, rounding_m): (Vec<[u8; 4]>, _, _) = match id {
            "collider-rapier" => {
                let placed = layouts::rapier::write(&field, spacing_m, &mut floats).unwrap();
                assert_eq!(chunk["nrows"].as_u64(), Some(placed.nrows as u64));
                assert_eq!(chunk["scale"], json!(placed.scale));
                (floats.iter().map(|height| height.to_le_bytes()).collect(), placed.translation, 0.0)
            }
            "collider-jolt" => {
                floats.resize(layouts::jolt::sample_count(plan.side, 2).pow(2), 0.0);
                let placed = layouts::jolt::write(&field, spacing_m, 2, &mut floats).unwrap();
                assert_eq!(chunk["count"].as_u64(), Some(placed.count as u64));
                assert_eq!(chunk["offset_m"], json!(placed.offset));
                assert_eq!(chunk["shape_scale"], json!(placed.shape_scale));
                let rounding_m = layouts::jolt::rounding_m(&field, 2, 8).unwrap();
                (floats.iter().map(|height| height.to_le_bytes()).collect(), [0.0; 3], rounding_m)
            }
            "collider-godot" => {
                let placed = layouts::godot::write(&field, spacing_m, &mut floats).unwrap();
                assert_eq!(chunk["width"].as_u64(), Some(placed.width as u64));
                assert_eq!(chunk["scale"], json!(placed.scale));
                (floats.iter().map(|height| height.to_le_bytes()).collect(), placed.translation, 0.0)
            }
            "collider-physx" => {
                let lattice = layouts::physx::Lattice::new(scene_facts.min_m, scene_facts.max_m).unwrap();
                let mut samples = vec![[0; 4]; decimated.len()];
                let placed = layouts::physx::write(&field, spacing_m, &lattice, 0, &mut samples).unwrap();
                assert_eq!(chunk["rows"].as_u64(), Some(placed.rows as u64));
                assert_eq!(chunk["scale"], json!(placed.scale));
                let code = |[low, high, ..]: [u8; 4]| i16::from_ne_bytes([low, high]).to_le_bytes();
                let le = samples.iter().map(|sample| [code(*sample)[0], code(*sample)[1], 0, 0]).collect();
                (le, placed.translation, lattice.error_m())
            }
            other => panic!("no test of {other}"),
        };
        assert_eq!(bytes, want.as_flattened(), "{id} {column},{row}");
        let key = [scene_facts.region.x0 + column as i64, scene_facts.region.z0 + row as i64];
        assert_eq!(chunk["chunk"], json!(key));
        assert_eq!(chunk["step"].as_u64(), Some(plan.step as u64));
        assert_eq!(chunk["error_exact_m"].as_f64(), Some(plan.error_exact_m));
        assert_eq!(chunk["error_total_m"].as_f64(), Some(plan.error_exact_m + rounding_m));
        let side_m = f64::from(scene_facts.chunk_cells) * scene_facts.sample_spacing_m;
        let corner = [column as f64 * side_m, 0.0, row as f64 * side_m];
        for axis in 0..3 {
            let found = chunk["translation"][axis].as_f64().unwrap();
            assert_eq!(found, corner[axis] + f64::from(translation[axis]));
        }
        assert!((chunk.to_string().len() as u128) < CHUNK_TEXT_MAX / 2);
    }

    #[test]
    fn texts_fit_the_room_that_is_asked_for() {
        let mut scene = TestScene::hills(16, [1, 1]);
        let far = (1i64 << 55) + 7;
        scene.scene.region = Region { x0: -far - 1, z0: -far - 1, x1: -far, z1: -far };
        scene.scene.origin_sample = [(-far - 1) * 16; 2];
        scene.scene.seed = u64::MAX;
        scene.scene.world_name = "\u{1}\"\\ ünïcödé".repeat(50);
        let dir = tempfile::tempdir().unwrap();
        let files = scene.export(&COLLIDERS.iter().collect::<Vec<_>>(), dir.path());
        for (format, files) in COLLIDERS.iter().zip(files.chunks(2)) {
            let bytes: u64 = files.iter().map(|file| file.bytes).sum();
            assert!(u128::from(bytes) <= (format.bytes)(&scene.scene), "{}", format.id);
        }
    }
}

//! Height codes and the sidecar that explains them, shared by the picture and the raw file.
//!
//! A code is `round((height - min) / (max - min) * 65535)` with the range of the *world*, so that files of
//! neighbouring regions fit. In: heights in metres. Out: codes, and `heights.json`, which is written once
//! however many of the height formats a run asks for.

use std::io::Write;

use serde::Serialize;

use super::{ExportError, OutputDir, Scene, WrittenFile};

/// Name of the sidecar.
pub(super) const SIDECAR: &str = "heights.json";

/// The largest code.
const CODE_MAX: f64 = 65535.0;

/// Turns heights into 16-bit codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codes {
    min_m: f64,
    codes_per_metre: f64,
}

impl Codes {
    pub(super) fn new(scene: &Scene) -> Self {
        let (min_m, range_m) = (f64::from(scene.min_m), f64::from(scene.max_m) - f64::from(scene.min_m));
        // A world without relief has code 0 everywhere.
        let codes_per_metre = if range_m > 0.0 { CODE_MAX / range_m } else { 0.0 };
        Self { min_m, codes_per_metre }
    }

    /// The nearest code. Heights outside the range, which a world never has, get the code of the nearer end.
    #[inline]
    pub(super) fn code(self, height_m: f32) -> u16 {
        // The cast truncates and saturates, so this rounds to nearest without a call.
        ((f64::from(height_m) - self.min_m) * self.codes_per_metre + 0.5) as u16
    }

    /// Appends the codes of `heights`, each passed through `order` for the byte order of the file.
    pub(super) fn encode(self, heights: &[f32], order: fn(u16) -> u16, into: &mut Vec<u16>) {
        into.clear();
        into.extend(heights.iter().map(|&height| order(self.code(height))));
    }
}

/// What a reader needs to turn codes into heights on the ground.
#[derive(Serialize)]
struct Sidecar<'a> {
    world_name: &'a str,
    seed: u64,
    /// The same, for readers whose numbers are doubles.
    seed_hex: String,
    generator_version: u32,
    world_hash: String,
    width: usize,
    height: usize,
    origin_sample: [i64; 2],
    sample_spacing_m: f64,
    range_min_m: f32,
    range_max_m: f32,
    metres_per_code: f64,
    sea_level_m: f32,
    decode: &'static str,
    row_order: &'static str,
}

impl<'a> Sidecar<'a> {
    fn new(scene: &'a Scene) -> Self {
        Self {
            world_name: &scene.world_name,
            seed: scene.seed,
            seed_hex: format!("{:#018x}", scene.seed),
            generator_version: scene.generator_version,
            world_hash: format!("{:016x}", scene.world_hash),
            width: scene.width,
            height: scene.height,
            origin_sample: scene.origin_sample,
            sample_spacing_m: scene.sample_spacing_m,
            range_min_m: scene.min_m,
            range_max_m: scene.max_m,
            metres_per_code: (f64::from(scene.max_m) - f64::from(scene.min_m)) / CODE_MAX,
            sea_level_m: scene.sea_level_m,
            decode: "height_m = range_min_m + code * metres_per_code",
            row_order: "rows run along +x, the first row has the smallest z; origin_sample is [x, z] of the \
                        first sample; heights.r16 is little-endian without a header",
        }
    }
}

/// Writes `heights.json` unless another format of this run has.
pub(super) fn write_sidecar(scene: &Scene, out: &OutputDir) -> Result<Option<WrittenFile>, ExportError> {
    let Some(mut file) = out.file_once(SIDECAR)? else { return Ok(None) };
    let path = file.path().to_owned();
    serde_json::to_writer_pretty(&mut file, &Sidecar::new(scene)).map_err(ExportError::json(&path))?;
    file.write_all(b"\n").map_err(ExportError::io("write", &path))?;
    file.finish().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene::TestScene;

    #[test]
    fn codes_are_nearest_and_ends_are_exact() {
        let mut scene = TestScene::hills(16, [1, 1]).scene;
        (scene.min_m, scene.max_m) = (-120.5, 1873.25);
        let codes = Codes::new(&scene);
        assert_eq!((codes.code(scene.min_m), codes.code(scene.max_m)), (0, 65535));
        assert_eq!((codes.code(-1e30), codes.code(1e30), codes.code(f32::NAN)), (0, 65535, 0));
        let metres_per_code = Sidecar::new(&scene).metres_per_code;
        for i in 0..=100_000 {
            let height = -120.5 + 1993.75 * (i as f32 / 100_000.0);
            let back = -120.5 + f64::from(codes.code(height)) * metres_per_code;
            assert!((back - f64::from(height)).abs() <= 0.500_001 * metres_per_code);
        }
    }

    #[test]
    fn a_flat_world_has_code_0() {
        let mut scene = TestScene::hills(16, [1, 1]).scene;
        (scene.min_m, scene.max_m) = (5.0, 5.0);
        assert_eq!(Codes::new(&scene).code(5.0), 0);
        assert_eq!(Sidecar::new(&scene).metres_per_code, 0.0);
    }

    #[test]
    fn the_sidecar_keeps_every_bit() {
        let mut scene = TestScene::hills(16, [2, 3]).scene;
        scene.seed = u64::MAX - 1;
        scene.origin_sample = [-(1 << 59) - 1, (1 << 59) + 1];
        scene.min_m = -0.1;
        scene.world_name = "a \"quoted\" name".to_owned();
        let dir = tempfile::tempdir().unwrap();
        let out = OutputDir::create(dir.path(), false).unwrap();
        assert!(write_sidecar(&scene, &out).unwrap().is_some());
        assert!(write_sidecar(&scene, &out).unwrap().is_none());
        out.commit().unwrap();
        let text = std::fs::read_to_string(dir.path().join(SIDECAR)).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["seed"].as_u64(), Some(scene.seed));
        assert_eq!(json["seed_hex"], "0xfffffffffffffffe");
        assert_eq!(json["origin_sample"], serde_json::json!(scene.origin_sample));
        assert_eq!(json["range_min_m"].as_f64().map(|value| value as f32), Some(scene.min_m));
        assert_eq!(json["world_name"], scene.world_name.as_str());
        assert_eq!(json["world_hash"], format!("{:016x}", scene.world_hash));
        assert_eq!([&json["width"], &json["height"]], [33, 49]);
    }
}

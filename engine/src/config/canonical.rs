//! What makes a world the same world: its canonical bytes and their hash.
//!
//! In: a config. Out: bytes that hold exactly what decides the ground, little-endian, in a fixed order:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | the text `TRNWORLD` |
//! | 4 | generator version |
//! | 8 | seed |
//! | 8 | sample spacing in metres, `f64` |
//! | 4 | number of fields |
//! | 16 each | the fields: XXH3, 128 bits, of each one's record, sorted |
//! | 16 | that of the height's field |
//! | 12 | lowest height, highest height, sea level in metres, `f32` each |
//! | 4 | number of curve keys |
//! | 16 each | curve keys: at, to, `f64` each |
//! | 1 | 1 if the world is finite, else 0 and the end |
//! | 44 | first sample x, z, last sample x, z (`i64` each), falloff in metres `f64`, floor in metres `f32` |
//!
//! A field's record, also little-endian; `f64` where no other type is named:
//!
//! | source | record |
//! |---|---|
//! | noise | 1 (1 byte), kind id (4), field id (8), feature in metres, shape id (4), octaves (4), lacunarity, persistence, weighted strength; 1 and the period in metres along x and z, or 0 (1 byte); each setting: a number, or a choice's place (8) |
//! | raster | 2 (1), width, height (4 each), XXH3, 128 bits, of the pixels (2 bytes each), metres a pixel along x and z, offset along x and z, black, white (`f32` each), filter id (4), outside id (4), the value outside if it is constant (`f32`) |
//! | operation | 3 (1), operation id (4), number of operands (4), each: 0 (1) and a number, or 1 (1) and the hash of that field's record (16); each setting: how many numbers (4) and the numbers |
//! | warp | 4 (1), the hash of the record of what is moved (16), 0 for the noise of one field or 1 for a pair (1), their hashes (16 each), 0 independent or 1 progressive (1), strength in metres |
//!
//! Settings that happen to change nothing (the seed and features of a constant) count like others.
//!
//! Not in it: comments, key order, chunk size, colour ramp, runtime settings, names of raster files, and the names of
//! fields. A name counts only through the id that it gives a noise without an explicit seed; that is why the records are
//! sorted by content and refer to one another by content.

use terrane_noise::{Outside, SettingValue, WarpOrder};
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use super::field::{
    FieldConfig, FieldSource, NoiseConfig, Operand, OperationConfig, RasterConfig, WarpConfig, WarpFields,
};
use super::field_rules::creation_order;
use super::{CurveKey, ExtentConfig, HeightConfig, WorldConfig};

const MAGIC: &[u8; 8] = b"TRNWORLD";

impl WorldConfig {
    /// The world's identity: XXH3, 64 bits, seed 0, of [`WorldConfig::canonical_bytes`].
    ///
    /// Two configs with one hash make the same ground. Chunk size, colours and runtime settings do not count.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::config::WorldConfig;
    ///
    /// let world = WorldConfig::preset("hills").unwrap();
    /// let mut other = world.clone();
    /// other.chunk_cells = 16;
    /// assert_eq!(world.world_hash(), other.world_hash());
    /// other.seed += 1;
    /// assert_ne!(world.world_hash(), other.world_hash());
    /// # }
    /// ```
    pub fn world_hash(&self) -> u64 {
        xxh3_64(&self.canonical_bytes())
    }

    /// The bytes that [`WorldConfig::world_hash`] hashes; their layout stands at the top of `canonical.rs`.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::config::WorldConfig;
    ///
    /// let bytes = WorldConfig::preset("hills").unwrap().canonical_bytes();
    /// assert_eq!(&bytes[..12], b"TRNWORLD\x01\0\0\0");
    /// # }
    /// ```
    pub fn canonical_bytes(&self) -> Vec<u8> {
        // Every setting by name: a new one does not compile until someone decides whether it belongs here.
        let WorldConfig {
            seed,
            generator_version,
            sample_spacing_m,
            chunk_cells: _,
            fields,
            height,
            extent,
            ramp: _,
        } = self;
        let HeightConfig { field, min_m, max_m, sea_level_m, curve } = height;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(generator_version.to_le_bytes());
        bytes.extend(seed.to_le_bytes());
        put_f64(&mut bytes, *sample_spacing_m);

        let hashes = field_hashes(fields);
        let mut sorted = hashes.clone();
        sorted.sort_unstable();
        bytes.extend(count(sorted.len()).to_le_bytes());
        bytes.extend(sorted.iter().flat_map(|hash| hash.to_le_bytes()));
        // 0 only for an invalid config.
        bytes.extend(hashes.get(*field).copied().unwrap_or(0).to_le_bytes());

        for height_m in [min_m, max_m, sea_level_m] {
            put_f32(&mut bytes, *height_m);
        }
        bytes.extend(count(curve.len()).to_le_bytes());
        for CurveKey { at, to } in curve {
            put_f64(&mut bytes, *at);
            put_f64(&mut bytes, *to);
        }

        bytes.push(u8::from(extent.is_some()));
        if let Some(ExtentConfig { min, max, falloff_m, floor_m }) = extent {
            for sample in min.iter().chain(max) {
                bytes.extend(sample.to_le_bytes());
            }
            put_f64(&mut bytes, *falloff_m);
            put_f32(&mut bytes, *floor_m);
        }
        bytes
    }
}

/// The hash of each field's record, in the order of the fields. 0 where fields go round in a circle, which no rule allows.
fn field_hashes(fields: &[FieldConfig]) -> Vec<u128> {
    let mut hashes = vec![0; fields.len()];
    for index in creation_order(fields) {
        let mut record = Vec::new();
        match &fields[index].source {
            FieldSource::Noise(noise) => put_noise(&mut record, noise),
            FieldSource::Raster(raster) => put_raster(&mut record, raster),
            FieldSource::Operation(operation) => put_operation(&mut record, operation, &hashes),
            FieldSource::Warp(warp) => put_warp(&mut record, warp, &hashes),
        }
        hashes[index] = xxh3_128(&record);
    }
    hashes
}

fn put_noise(record: &mut Vec<u8>, noise: &NoiseConfig) {
    let NoiseConfig { seed, kind, feature_m, fractal, tile_m } = noise;
    record.push(1);
    record.extend(kind.info().id.to_le_bytes());
    record.extend(seed.to_le_bytes());
    put_f64(record, *feature_m);
    record.extend(fractal.shape.id().to_le_bytes());
    record.extend(fractal.octaves.to_le_bytes());
    put_f64(record, fractal.lacunarity);
    put_f64(record, fractal.persistence);
    put_f64(record, fractal.weighted_strength);
    record.push(u8::from(tile_m.is_some()));
    for tile_m in tile_m.iter().flatten() {
        put_f64(record, *tile_m);
    }
    for setting in kind.settings() {
        match setting {
            SettingValue::Number(value) => put_f64(record, value),
            SettingValue::Choice(place) => record.extend((place as u64).to_le_bytes()),
        }
    }
}

fn put_raster(record: &mut Vec<u8>, raster: &RasterConfig) {
    let RasterConfig { image, pixel_m, offset_m, range, filter, outside } = raster;
    let mut pixels = Xxh3::new();
    let mut bytes = [0; 4096];
    for samples in image.samples.chunks(bytes.len() / 2) {
        for (to, sample) in bytes.chunks_exact_mut(2).zip(samples) {
            to.copy_from_slice(&sample.to_le_bytes());
        }
        pixels.update(&bytes[..samples.len() * 2]);
    }
    record.push(2);
    record.extend(image.width.to_le_bytes());
    record.extend(image.height.to_le_bytes());
    record.extend(pixels.digest128().to_le_bytes());
    for metres in pixel_m.iter().chain(offset_m) {
        put_f64(record, *metres);
    }
    for value in range {
        put_f32(record, *value);
    }
    record.extend(filter.id().to_le_bytes());
    record.extend(outside.id().to_le_bytes());
    if let Outside::Constant(value) = outside {
        put_f32(record, *value);
    }
}

fn put_operation(record: &mut Vec<u8>, operation: &OperationConfig, hashes: &[u128]) {
    let OperationConfig { info, of, settings } = operation;
    record.push(3);
    record.extend(info.id.to_le_bytes());
    record.extend(count(of.len()).to_le_bytes());
    for operand in of {
        match operand {
            Operand::Number(value) => {
                record.push(0);
                put_f64(record, *value);
            }
            Operand::Field(index) => {
                record.push(1);
                record.extend(hash_of(hashes, *index));
            }
        }
    }
    for setting in settings {
        record.extend(count(setting.len()).to_le_bytes());
        for value in setting {
            put_f64(record, *value);
        }
    }
}

fn put_warp(record: &mut Vec<u8>, warp: &WarpConfig, hashes: &[u128]) {
    let WarpConfig { of, by, order, strength_m } = warp;
    record.push(4);
    record.extend(hash_of(hashes, *of));
    match by {
        WarpFields::Noise(by) => {
            record.push(0);
            record.extend(hash_of(hashes, *by));
        }
        WarpFields::Pair(by) => {
            record.push(1);
            for by in by {
                record.extend(hash_of(hashes, *by));
            }
        }
    }
    record.push(u8::from(*order == WarpOrder::Progressive));
    put_f64(record, *strength_m);
}

/// 0 only for an invalid config.
fn hash_of(hashes: &[u128], field: usize) -> [u8; 16] {
    hashes.get(field).copied().unwrap_or(0).to_le_bytes()
}

fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}

// `+ 0.0` turns -0.0 into 0.0: the two are one value in every formula of the generator.
fn put_f64(bytes: &mut Vec<u8>, value: f64) {
    bytes.extend((value + 0.0).to_bits().to_le_bytes());
}

fn put_f32(bytes: &mut Vec<u8>, value: f32) {
    bytes.extend((value + 0.0).to_bits().to_le_bytes());
}

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
//! | 40 each | the fields' records, sorted by their bytes: noise kind id (4), field id (8), feature in metres `f64` (8), octaves (4), lacunarity `f64` (8), persistence `f64` (8) |
//! | 4 | position of the height's field among the sorted records |
//! | 12 | lowest height, highest height, sea level in metres, `f32` each |
//! | 4 | number of curve keys |
//! | 16 each | curve keys: at, to, `f64` each |
//! | 1 | 1 if the world is finite, else 0 and the end |
//! | 44 | first sample x, z, last sample x, z (`i64` each), falloff in metres `f64`, floor in metres `f32` |
//!
//! Not in it: comments, key order, chunk size, colour ramp, runtime settings, and the names of fields. A name
//! counts only through the id that it gives a field without an explicit seed; that is why the records are
//! sorted by content and not by name.

use super::{CurveKey, ExtentConfig, FieldConfig, HeightConfig, WorldConfig};
use xxhash_rust::xxh3::xxh3_64;

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

        let mut records: Vec<Vec<u8>> = fields.iter().map(field_record).collect();
        let height_record = records.get(*field).cloned();
        records.sort();
        bytes.extend(count(records.len()).to_le_bytes());
        bytes.extend(records.iter().flatten());
        // Equal records are equal noise: the first of them stands for all. u32::MAX only for an invalid config.
        let height_position =
            records.iter().position(|record| Some(record) == height_record.as_ref()).map_or(u32::MAX, count);
        bytes.extend(height_position.to_le_bytes());

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

fn field_record(field: &FieldConfig) -> Vec<u8> {
    let FieldConfig { name: _, seed, noise, feature_m, octaves, lacunarity, persistence } = field;
    let mut record = Vec::with_capacity(40);
    record.extend(noise.id().to_le_bytes());
    record.extend(seed.to_le_bytes());
    put_f64(&mut record, *feature_m);
    record.extend(octaves.to_le_bytes());
    put_f64(&mut record, *lacunarity);
    put_f64(&mut record, *persistence);
    record
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

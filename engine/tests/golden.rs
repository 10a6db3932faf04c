//! Golden hashes: what the levels and threads of one machine agree on must also be what every other machine gets.
//!
//! A change here is a change of the world's bits, and needs a new `generator_version`: 1 is frozen.
#![cfg(feature = "config")]

mod kit;

use kit::{Region, finite_config, open, shuffled};
use terrane::config::PRESETS;
use xxhash_rust::xxh3::xxh3_128;

/// XXH3-128 of the heights of samples 0..=256 on both axes, as in a report.
fn digest(world: &terrane::World, origin: [i64; 2]) -> String {
    let chunks = 256 / world.chunk_cells() as usize;
    let region = Region::build(world, origin, 256, 2, &shuffled(chunks * chunks, 9));
    let bytes: Vec<u8> = region.bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    format!("{:032x}", xxh3_128(&bytes))
}

const GOLDEN: [(&str, &str); 7] = [
    ("dunes", "dda6821a08a573aa781799719725cb4d"),
    ("hills", "5f5e3300e96d48ac829fe622e70ad975"),
    ("weathered", "364b86fc4e5bdb62b7aa94ce89ce4cf8"),
    ("alien", "b68a0420ac2bd0cfed77586e740cce55"),
    ("frost", "9a1aa22bacb539fc4122287f53eac6f5"),
    ("woods", "8042dd521b5393d39b8e20f4a702f9e7"),
    ("island", "60fe33e0bce568a2cd6799db6c5ea3d3"),
];

#[test]
fn presets_have_their_golden_digests() {
    let found: Vec<_> =
        PRESETS.iter().map(|preset| (preset.id, digest(&open(preset.world()), [0, 0]))).collect();
    let golden: Vec<_> = GOLDEN.iter().map(|(id, hash)| (*id, (*hash).to_owned())).collect();
    assert_eq!(found, golden);
}

#[test]
fn far_and_finite_ground_have_their_golden_digests() {
    let far = digest(&open(kit::config(64, 0.3)), [1 << 40, -(1 << 40)]);
    let finite = digest(&open(finite_config(32)), [-96, -128]);
    assert_eq!(
        [far.as_str(), finite.as_str()],
        ["41191dc356ed136a67ccd03701e9e2b9", "2da62b57b62311a852a6faad5e33d2c9"]
    );
}

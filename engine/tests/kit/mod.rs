//! What the engine's tests share: worlds, and a region put together from chunks.
#![allow(dead_code)] // each test uses its part

use terrane::config::{
    CurveKey, ExtentConfig, FieldConfig, HeightConfig, NoiseConfig, RampKey, round_spacing_m,
};
use terrane::noise::Fractal;
use terrane::{ChunkBuffers, ChunkKey, Scratch, SimdLevel, World, WorldConfig};

/// Where tests look: the origin, and places that break float coordinates.
pub(crate) const PLACES: [i64; 3] = [0, -1_000_000_000, 1 << 40];

/// Six octaves over hills and sea, without presets, so that tests hold when those are tuned.
pub(crate) fn config(chunk_cells: u32, spacing_m: f64) -> WorldConfig {
    let fractal = Fractal { octaves: 6, ..Fractal::default() };
    let noise = NoiseConfig { seed: 17, feature_m: 90.0, fractal, ..NoiseConfig::new("ground") };
    WorldConfig {
        seed: 0x7e44_a9e5_eed0_0001,
        generator_version: terrane::config::GENERATOR_VERSION,
        sample_spacing_m: round_spacing_m(spacing_m),
        chunk_cells,
        fields: vec![FieldConfig { name: "ground".into(), source: noise.into() }],
        height: HeightConfig {
            field: 0,
            min_m: -40.0,
            max_m: 160.0,
            sea_level_m: 0.0,
            curve: [[-0.6, 0.0], [-0.1, 0.2], [0.15, 0.3], [0.6, 1.0]]
                .map(|[at, to]| CurveKey { at, to })
                .into(),
        },
        extent: None,
        ramp: [
            (-40.0, [11, 37, 69]),
            (0.0, [215, 201, 150]),
            (10.0, [70, 120, 60]),
            (160.0, [250, 250, 250]),
        ]
        .map(|(height_m, color)| RampKey { height_m, color })
        .into(),
    }
}

/// The same with an edge, 256 samples square.
pub(crate) fn finite_config(chunk_cells: u32) -> WorldConfig {
    let extent = ExtentConfig { min: [-100, -128], max: [156, 128], falloff_m: 60.0, floor_m: -30.0 };
    WorldConfig { extent: Some(extent), ..config(chunk_cells, 1.0) }
}

pub(crate) fn open(config: WorldConfig) -> World {
    World::open(config).expect("a valid config")
}

pub(crate) fn open_at(config: WorldConfig, level: SimdLevel) -> World {
    World::open_at(config, level).expect("a valid config")
}

/// Builds one chunk of level 0 into memory of its own.
pub(crate) fn build(world: &World, x: i64, z: i64) -> ChunkBuffers {
    build_at(world, 0, x, z)
}

/// Builds one chunk into memory of its own.
pub(crate) fn build_at(world: &World, lod: u8, x: i64, z: i64) -> ChunkBuffers {
    let mut chunk = ChunkBuffers::new(world.chunk_cells());
    world.build(ChunkKey { lod, x, z }, &mut chunk, &mut Scratch::new()).expect("a chunk in range");
    chunk
}

/// A rectangle of samples, shared borders once.
#[derive(Debug, PartialEq)]
pub(crate) struct Region {
    pub(crate) origin: [i64; 2],
    pub(crate) side: usize,
    pub(crate) bits: Vec<u32>,
}

impl Region {
    /// `samples` cells a side (a multiple of the chunk's), chunks taken in the order of `order` over `threads` threads.
    pub(crate) fn build(
        world: &World,
        origin: [i64; 2],
        samples: usize,
        threads: usize,
        order: &[usize],
    ) -> Self {
        let cells = world.chunk_cells() as usize;
        let (chunks, side) = (samples / cells, samples + 1);
        assert_eq!(order.len(), chunks * chunks);
        let keys: Vec<ChunkKey> = order
            .iter()
            .map(|i| ChunkKey {
                lod: 0,
                x: origin[0].div_euclid(cells as i64) + (i % chunks) as i64,
                z: origin[1].div_euclid(cells as i64) + (i / chunks) as i64,
            })
            .collect();
        let mut bits = vec![None; side * side];
        let built: Vec<Vec<ChunkBuffers>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|t| {
                    let keys = keys.iter().skip(t).step_by(threads);
                    scope.spawn(move || keys.map(|key| build(world, key.x, key.z)).collect())
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
        });
        for chunk in built.iter().flatten() {
            let view = chunk.view();
            let [x, z] = view.origin_sample();
            for row in 0..view.side() {
                for (i, height) in view.heights(row).iter().enumerate() {
                    let at = (z - origin[1]) as usize + row;
                    let sample = &mut bits[at * side + (x - origin[0]) as usize + i];
                    // A border sample comes from up to four chunks.
                    assert!(
                        sample.is_none_or(|bits| bits == height.to_bits()),
                        "chunks disagree on a border"
                    );
                    *sample = Some(height.to_bits());
                }
            }
        }
        let bits = bits.into_iter().map(|bits| bits.expect("every sample is in a chunk")).collect();
        Self { origin, side, bits }
    }
}

/// 0..n in an order that depends on `seed`.
pub(crate) fn shuffled(n: usize, mut seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(i, (seed >> 33) as usize % (i + 1));
    }
    order
}

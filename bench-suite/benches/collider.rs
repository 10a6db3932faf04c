//! What colliders cost from heights in memory.
//!
//! `cargo bench -p terrane-bench --bench collider`. Each layout of 1024^2 and of 1025^2 samples beside a copy of as
//! many bytes, in the same run; and the decimation of a chunk of 64 cells. Answers are checked first. Source and output
//! are the same memory every time: 4 MB each, which the last cache of larger machines holds; the copy has the same
//! advantage.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use terrane::collider::layouts::{godot, jolt, physx, rapier};
use terrane::collider::{Decimation, HeightField};
use terrane::{ChunkBuffers, ChunkKey, Scratch, World, WorldConfig};

/// Heights of the "hills" preset, `side` by `side` samples.
fn ground(side: usize) -> (Vec<f32>, [f32; 2]) {
    let config = WorldConfig::preset("hills").expect("a preset");
    let range_m = [config.height.min_m, config.height.max_m];
    let world = World::open(config).expect("a world");
    let cells = world.chunk_cells() as usize;
    let (mut chunk, mut scratch) = (ChunkBuffers::new(world.chunk_cells()), Scratch::new());
    let mut heights = vec![0.0; side * side];
    let chunks = side.div_ceil(cells);
    for i in 0..chunks * chunks {
        let (cx, cz) = (i % chunks, i / chunks);
        world
            .build(ChunkKey { lod: 0, x: cx as i64, z: cz as i64 }, &mut chunk, &mut scratch)
            .expect("a chunk");
        let (x0, z0) = (cx * cells, cz * cells);
        let wide = (cells + 1).min(side - x0);
        for z in 0..(cells + 1).min(side - z0) {
            heights[(z0 + z) * side + x0..][..wide].copy_from_slice(&chunk.view().heights(z)[..wide]);
        }
    }
    (heights, range_m)
}

fn layouts(criterion: &mut Criterion, side: usize) {
    let (heights, [min_m, max_m]) = ground(side);
    let field = HeightField::new(&heights, side).expect("a square");
    let lattice = physx::Lattice::new(min_m, max_m).expect("a range");
    let mut out = vec![0.0f32; side * side];
    let count = jolt::sample_count(side, 2);
    let mut blocks = vec![0.0f32; count * count];
    let mut codes = vec![[0u8; 4]; side * side];

    rapier::write(&field, 1.0, &mut out).expect("memory to its measure");
    jolt::write(&field, 1.0, 2, &mut blocks).expect("memory to its measure");
    physx::write(&field, 1.0, &lattice, 0, &mut codes).expect("memory to its measure");
    for z in 0..side {
        for x in 0..side {
            let height = heights[z * side + x];
            assert_eq!(out[x * side + z], height);
            assert_eq!(blocks[(side - 1 - z) * count + x], height);
            let code = i16::from_ne_bytes([codes[x * side + z][0], codes[x * side + z][1]]);
            assert!((f64::from(lattice.height_m(code)) - f64::from(height)).abs() <= lattice.error_m());
        }
    }
    godot::write(&field, 1.0, &mut out).expect("memory to its measure");
    assert_eq!(out, heights);

    let mut group = criterion.benchmark_group(format!("collider_{side}"));
    group.throughput(Throughput::Elements((side * side) as u64));
    group.bench_function("copy", |bench| {
        bench.iter(|| out.copy_from_slice(black_box(&heights)));
    });
    group.bench_function("rapier", |bench| {
        bench.iter(|| rapier::write(black_box(&field), 1.0, &mut out));
    });
    group.bench_function("jolt", |bench| {
        bench.iter(|| jolt::write(black_box(&field), 1.0, 2, &mut blocks));
    });
    group.bench_function("godot", |bench| {
        bench.iter(|| godot::write(black_box(&field), 1.0, &mut out));
    });
    group.bench_function("physx", |bench| {
        bench.iter(|| physx::write(black_box(&field), 1.0, &lattice, 0, &mut codes));
    });
    group.bench_function("jolt_rounding", |bench| {
        bench.iter(|| jolt::rounding_m(black_box(&field), 2, 8));
    });
    group.finish();
}

fn decimation(criterion: &mut Criterion) {
    let (heights, _) = ground(65);
    let field = HeightField::new(&heights, 65).expect("a square");
    let mut group = criterion.benchmark_group("decimate_64");
    for (tolerance_m, name) in [(0.0, "0"), (0.05, "0.05"), (0.5, "0.5"), (1.0e3, "1000")] {
        let plan = Decimation::plan(&field, tolerance_m).expect("a chunk");
        assert!(plan.error_exact_m <= tolerance_m);
        assert!(tolerance_m < 1.0e3 || plan.step == 64, "{plan:?}");
        println!("tolerance {tolerance_m} m: step {}, error {} m", plan.step, plan.error_exact_m);
        let mut samples = vec![0.0; plan.samples()];
        group.bench_function(name, |bench| {
            bench.iter(|| {
                let plan = Decimation::plan(black_box(&field), tolerance_m).expect("a chunk");
                plan.write(&field, &mut samples)
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    layouts(&mut criterion, 1024);
    layouts(&mut criterion, 1025);
    decimation(&mut criterion);
    criterion.final_summary();
}

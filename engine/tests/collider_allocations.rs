//! Colliders allocate nothing: planned, written, merged, laid out. Counted over the whole process, so this binary holds
//! one test alone.
#![cfg(feature = "config")]

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use terrane::collider::layouts::{godot, jolt, physx, rapier};
use terrane::collider::merged::{ViewChunks, WorldChunks, capacity, merge};
use terrane::collider::{Decimation, HeightField};
use terrane::{ChunkBuffers, ChunkKey, Scratch, World, WorldConfig};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn colliders_allocate_nothing() {
    let region = Region::new(ALLOCATOR);
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(region.change().allocations, 1, "a counter that does not count proves nothing");

    let config = WorldConfig::preset("hills").expect("a preset");
    let (min_m, max_m) = (config.height.min_m, config.height.max_m);
    let world = World::open(config).expect("valid");
    let cells = world.chunk_cells() as usize;
    let mut scratch = Scratch::new();
    let chunks: [[ChunkBuffers; 3]; 3] = std::array::from_fn(|z| {
        std::array::from_fn(|x| {
            let mut chunk = ChunkBuffers::new(world.chunk_cells());
            let key = ChunkKey { lod: 0, x: x as i64 - 1, z: z as i64 - 1 };
            world.build(key, &mut chunk, &mut scratch).expect("a chunk");
            chunk
        })
    });
    let views = chunks.each_ref().map(|row| row.each_ref().map(ChunkBuffers::view));
    let middle = ChunkKey { lod: 0, x: 0, z: 0 };
    let mut source = WorldChunks::new(&world, middle);
    let mut merged = vec![0.0; capacity(cells)];
    // The scratch of a world's noise grows once.
    merge(cells, 0.0, &mut source, &mut merged).expect("nine chunks");

    let side = cells + 1;
    let mut samples = vec![0.0; side * side];
    let mut out = vec![0.0; capacity(cells)];
    let mut blocks = vec![0.0; (3 * cells + 9).pow(2)];
    let mut codes = vec![[0; 4]; capacity(cells)];
    let lattice = physx::Lattice::new(min_m, max_m).expect("a range");

    let region = Region::new(ALLOCATOR);
    for tolerance_m in [0.0, 0.1, 1.0, 10.0] {
        let view = chunks[1][1].view();
        let plan = Decimation::plan(&view, tolerance_m).expect("a chunk");
        plan.write(&view, &mut samples[..plan.samples()]).expect("memory to its measure");
        let plan = merge(cells, tolerance_m, &mut source, &mut merged).expect("nine chunks");
        let first = merged[0];
        let again = merge(cells, tolerance_m, &mut ViewChunks(views), &mut merged).expect("nine chunks");
        assert_eq!((plan, first), (again, merged[0]));
        let field = HeightField::new(&merged[..plan.samples()], plan.side).expect("a square");
        rapier::write(&field, 1.0, &mut out[..plan.samples()]).expect("memory to its measure");
        godot::write(&field, 1.0, &mut out[..plan.samples()]).expect("memory to its measure");
        let count = jolt::sample_count(plan.side, 4);
        jolt::write(&field, 1.0, 4, &mut blocks[..count * count]).expect("memory to its measure");
        jolt::rounding_m(&field, 4, 8).expect("valid");
        physx::write(&field, 1.0, &lattice, 0, &mut codes[..plan.samples()]).expect("memory to its measure");
    }
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0));
}

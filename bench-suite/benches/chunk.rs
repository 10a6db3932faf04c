//! A whole chunk and its parts against copying what they write, and against the crate `noise`.
//!
//! `cargo bench -p terrane-bench --bench chunk`. Everything in one process, in turns, medians of many rounds; answers are checked
//! first. What is compared:
//! - *memcpy*: copying as many bytes as the work writes, from slots to slots in shuffled order over rings of at least 256 MiB (and
//!   eight times the L3 cache, which is asked for with `--ring-mib` where it is larger than 32 MiB). The work writes into the
//!   same ring in the same order: its outputs are as cold as the copies';
//! - *the noise baseline*: crate `noise`, `Fbm<Perlin>`, f64, a sample at a time over 67 x 67 samples, normals by central differences,
//!   fresh vectors for positions, normals, texture coordinates and u32 indices. A fixed piece of code to be so many times
//!   faster than, not a rival.

use std::hint::black_box;
use std::time::Instant;

use noise::{Fbm, MultiFractal, NoiseFn, Perlin};
use terrane::buffers::{ChunkLayout, ChunkSlices, ColumnKind};
use terrane::config::{FieldConfig, NoiseConfig};
use terrane::noise::Fractal;
use terrane::{ChunkBuffers, ChunkKey, SimdLevel, World, WorldConfig};

const SIDE: usize = 65;
const VERTICES: usize = SIDE * SIDE;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let is_test = args.iter().any(|arg| arg == "--test");
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let ring_mib = value("--ring-mib").map_or(if is_test { 1 } else { 256 }, |mib| mib.parse().expect("MiB"));
    let rounds = if is_test { 2 } else { 41 };
    let level = SimdLevel::from_env().expect("a level of this machine");
    println!("{} on a ring of {ring_mib} MiB, medians of {rounds} rounds", level.name());
    let world = open(level);
    check(&world);

    // Packed8 is 8 bytes a vertex; the height field of a collider 4.
    let packed = Work::new("packed8 from heights", 8 * VERTICES);
    let level0 = Work::new("chunk of level 0: six octaves, packed8, collider heights", 12 * VERTICES);
    let level6 = Work::new("the same at level 6", 12 * VERTICES);
    let mut ring = Ring::new(ring_mib << 20, 12 * VERTICES);
    let mut builder = Builder::new(&world);
    let [mut copy8, mut copy12, mut pack, mut build0, mut build6, mut baseline] = [const { Vec::new() }; 6];
    for round in 0..rounds {
        copy8.push(ring.copy(packed.bytes, round));
        pack.push(ring.write(round, |slot, _| builder.pack(slot)));
        copy12.push(ring.copy(level0.bytes, round));
        build0.push(ring.write(round, |slot, i| builder.build(slot, 0, i)));
        build6.push(ring.write(round, |slot, i| builder.build(slot, 6, i)));
        if round < 5 {
            baseline.push(noise_baseline(round as i64));
        }
    }
    let [copy8, copy12, pack, build0, build6, baseline] =
        [copy8, copy12, pack, build0, build6, baseline].map(median);
    packed.print(pack, copy8);
    level0.print(build0, copy12);
    level6.print(build6, copy12);
    println!("level 6 takes {:.2} times level 0", build6 / build0);
    println!("noise baseline {:.1} us a chunk: {:.1} times level 0", 1e6 * baseline, baseline / build0);
}

fn open(level: SimdLevel) -> World {
    let mut config = WorldConfig::preset("hills").expect("a preset");
    let fractal = Fractal { octaves: 6, ..Fractal::default() };
    let noise = NoiseConfig { feature_m: 90.0, fractal, ..NoiseConfig::new("ground") };
    config.fields = vec![FieldConfig { name: "ground".into(), source: noise.into() }];
    config.height.field = 0;
    World::open_at(config, level).expect("a world")
}

/// Packed vertices and heights say the same at the level that is timed as on the scalar path.
fn check(world: &World) {
    let scalar = World::open_at(world.config().clone(), SimdLevel::SCALAR).expect("a world");
    for lod in [0, 6] {
        let [ours, want] = [world, &scalar].map(|world| {
            let layout = ChunkLayout::of(&[ColumnKind::Packed8, ColumnKind::Heights]);
            let mut chunk = ChunkBuffers::with_layout(64, layout);
            world.build(ChunkKey { lod, x: 5, z: -3 }, &mut chunk, &mut world.scratch()).expect("built");
            chunk
        });
        assert!(ours.view().packed8() == want.view().packed8(), "level {lod}");
        assert!((0..SIDE).all(|z| ours.view().heights(z) == want.view().heights(z)), "level {lod}");
    }
}

struct Work {
    name: &'static str,
    bytes: usize,
}

impl Work {
    fn new(name: &'static str, bytes: usize) -> Self {
        Self { name, bytes }
    }

    fn print(&self, seconds: f64, copy: f64) {
        let Self { name, bytes } = self;
        let gb_per_s = *bytes as f64 / copy / 1e9;
        println!(
            "{name}: {:.2} us; memcpy of its {bytes} bytes {:.2} us ({gb_per_s:.1} GB/s): {:.2} times",
            1e6 * seconds,
            1e6 * copy,
            seconds / copy
        );
    }
}

/// Slots in shuffled order, as those of a pool in use are.
struct Ring {
    slots: Vec<Vec<u8>>,
    from: Vec<Vec<u8>>,
    order: Vec<usize>,
}

/// Slots that are timed together.
const BATCH: usize = 64;

impl Ring {
    fn new(bytes: usize, slot_bytes: usize) -> Self {
        let count = (bytes / slot_bytes).max(2 * BATCH);
        let slots = || (0..count).map(|i| vec![i as u8; slot_bytes]).collect();
        let mut order: Vec<usize> = (0..count).collect();
        let mut state = 1u64;
        for i in (1..count).rev() {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            order.swap(i, (state >> 33) as usize % (i + 1));
        }
        Self { slots: slots(), from: slots(), order }
    }

    /// Seconds of one copy.
    fn copy(&mut self, bytes: usize, round: usize) -> f64 {
        let places = self.places(round);
        let begun = Instant::now();
        for place in &places {
            // Another slot than the one it goes to.
            let from = (place + self.from.len() / 2) % self.from.len();
            self.slots[*place][..bytes].copy_from_slice(&self.from[from][..bytes]);
            black_box(&mut self.slots[*place]);
        }
        begun.elapsed().as_secs_f64() / BATCH as f64
    }

    /// Seconds of one piece of work.
    fn write(&mut self, round: usize, mut work: impl FnMut(&mut [u8], usize)) -> f64 {
        let places = self.places(round);
        let begun = Instant::now();
        for place in &places {
            work(&mut self.slots[*place], *place);
            black_box(&mut self.slots[*place]);
        }
        begun.elapsed().as_secs_f64() / BATCH as f64
    }

    /// The next slots, so that all of the ring is visited before one comes again.
    fn places(&self, round: usize) -> Vec<usize> {
        (0..BATCH).map(|i| self.order[(round * BATCH * 5 + i) % self.order.len()]).collect()
    }
}

struct Builder<'a> {
    world: &'a World,
    chunk: ChunkBuffers,
    scratch: terrane::Scratch,
}

impl<'a> Builder<'a> {
    fn new(world: &'a World) -> Self {
        let mut chunk = ChunkBuffers::with_layout(64, ChunkLayout::heights_only());
        let mut scratch = world.scratch();
        world.build(ChunkKey { lod: 0, x: 0, z: 0 }, &mut chunk, &mut scratch).expect("built");
        Self { world, chunk, scratch }
    }

    fn pack(&mut self, slot: &mut [u8]) {
        let (vertices, _) = slot.as_chunks_mut();
        let out = ChunkSlices { packed8: Some(&mut vertices[..VERTICES]), ..ChunkSlices::default() };
        self.world.build_stage("packed8", &mut self.chunk, out, &mut self.scratch).expect("a stage");
    }

    fn build(&mut self, slot: &mut [u8], lod: u8, i: usize) {
        let (packed, collider) = slot.split_at_mut(8 * VERTICES);
        let (vertices, _) = packed.as_chunks_mut();
        let out = ChunkSlices { packed8: Some(vertices), ..ChunkSlices::default() };
        let key = ChunkKey { lod, x: i as i64 % 64, z: i as i64 / 64 };
        self.world.build_into(key, &mut self.chunk, out, &mut self.scratch).expect("built");
        // A collider of all samples: rows without the apron.
        let view = self.chunk.view();
        for (z, row) in collider.chunks_exact_mut(4 * SIDE).take(SIDE).enumerate() {
            for (to, height) in row.as_chunks_mut().0.iter_mut().zip(view.heights(z)) {
                *to = height.to_le_bytes();
            }
        }
    }
}

/// Seconds of one chunk, as one would write it with the crate `noise` and without thinking of speed.
fn noise_baseline(round: i64) -> f64 {
    let fbm = Fbm::<Perlin>::new(7).set_octaves(6).set_frequency(1.0 / 90.0);
    let begun = Instant::now();
    let chunks = 4;
    for chunk in 0..chunks {
        let x0 = (round * chunks + chunk) * 64;
        let at = |x: usize, z: usize| fbm.get([(x0 + x as i64 - 1) as f64, z as f64 - 1.0]) as f32 * 100.0;
        let heights: Vec<f32> = (0..67 * 67).map(|i| at(i % 67, i / 67)).collect();
        let (mut positions, mut normals, mut uvs, mut indices) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for z in 0..SIDE {
            for x in 0..SIDE {
                let i = (z + 1) * 67 + x + 1;
                positions.push([x as f32, heights[i], z as f32]);
                let (dx, dz) = (heights[i - 1] - heights[i + 1], heights[i - 67] - heights[i + 67]);
                let length = (dx * dx + 4.0 + dz * dz).sqrt();
                normals.push([dx / length, 2.0 / length, dz / length]);
                uvs.push([x as f32 / 64.0, z as f32 / 64.0]);
                if x < 64 && z < 64 {
                    let v = (z * SIDE + x) as u32;
                    let below = v + SIDE as u32;
                    indices.extend([v, below, v + 1, v + 1, below, below + 1]);
                }
            }
        }
        black_box((positions, normals, uvs, indices));
    }
    begun.elapsed().as_secs_f64() / chunks as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

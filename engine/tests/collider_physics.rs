//! Colliders in rapier: bodies over the borders of chunks, rays, and what rests on a seam.
//!
//! Grounds are chunks of gentle worlds of ours. A run over separate chunks is compared with the same run over one field
//! of the same samples. `--nocapture` shows what was measured; docs/COLLIDERS.md quotes it.

mod kit;

use kit::{build, config, open};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use terrane::collider::layouts::rapier;
use terrane::collider::merged::{ViewChunks, WorldChunks, capacity, merge};
use terrane::collider::{Decimation, HeightField as Heights, HeightRows};
use terrane::config::RampKey;
use terrane::mesh::IndexTemplates;
use terrane::{ChunkBuffers, ChunkKey, Position, World, WorldConfig};

/// Cells of a chunk's side.
const CELLS: usize = 16;
const SPACING_M: f64 = 0.5;
const CHUNK_M: f32 = CELLS as f32 * SPACING_M as f32;
/// Chunks in a row; one border less, and 100 of them are crossed.
const ROW: usize = 104;
/// Where the row begins: it lies around the origin, where f32 is finest.
const FIRST: i64 = -(ROW as i64) / 2;

/// Slopes of a few degrees, hills of less than two metres.
fn gentle(cells: u32, amplitude_m: f32) -> WorldConfig {
    let mut config = config(cells, SPACING_M);
    (config.height.min_m, config.height.max_m) = (-amplitude_m, amplitude_m);
    config.height.curve =
        [[-1.0, 0.0], [1.0, 1.0]].map(|[at, to]| terrane::config::CurveKey { at, to }).into();
    config.ramp = [(-amplitude_m, [0; 3]), (amplitude_m, [255; 3])]
        .map(|(height_m, color)| RampKey { height_m, color })
        .into();
    config
}

/// A field as rapier takes it, at its place in a world whose origin is sample (0, 0).
fn height_field(field: &impl HeightRows, first: [i64; 2], step: usize) -> ColliderBuilder {
    let [width, rows] = field.size();
    let mut heights = vec![f32::NAN; width * rows];
    let spacing_m = (SPACING_M * step as f64) as f32;
    let layout = rapier::write(field, spacing_m, &mut heights).expect("memory to its measure");
    let array = Array2::new(layout.nrows, layout.ncols, heights);
    let origin = first.map(|sample| (sample as f64 * SPACING_M) as f32);
    let [x, y, z] = layout.translation;
    ColliderBuilder::heightfield_with_flags(
        array,
        Vector::from(layout.scale),
        HeightFieldFlags::FIX_INTERNAL_EDGES,
    )
    .translation(Vector::new(origin[0] + x, y, origin[1] + z))
}

/// All triangles of a chunk as a mesh.
fn triangle_mesh(chunk: &ChunkBuffers) -> ColliderBuilder {
    let view = chunk.view();
    let positions = view.positions().iter().copied().map(Vector::from).collect();
    let templates = IndexTemplates::new(view.side() as u32 - 1);
    let triangles = templates.indices(0).chunks_exact(3);
    let triangles = triangles.map(|of| [u32::from(of[0]), u32::from(of[1]), u32::from(of[2])]).collect();
    let [x, z] = view.origin_sample().map(|sample| (sample as f64 * SPACING_M) as f32);
    ColliderBuilder::trimesh_with_flags(positions, triangles, TriMeshFlags::FIX_INTERNAL_EDGES)
        .expect("a mesh")
        .translation(Vector::new(x, 0.0, z))
}

/// One chunk, decimated within a tolerance.
fn decimated(chunk: &ChunkBuffers, tolerance_m: f64) -> (Decimation, ColliderBuilder) {
    let view = chunk.view();
    let plan = Decimation::plan(&view, tolerance_m).expect("a chunk");
    let mut samples = vec![f32::NAN; plan.samples()];
    plan.write(&view, &mut samples).expect("memory to its measure");
    let field = Heights::new(&samples, plan.side).expect("a square");
    (plan, height_field(&field, view.origin_sample(), plan.step))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ground {
    /// A height field a chunk.
    Fields,
    /// A triangle mesh a chunk.
    Meshes,
    /// A height field a chunk, decimated within a tolerance.
    Decimated(f64),
    /// One height field for all.
    One,
}

/// A row of chunks along x.
fn row_of(world: &World, ground: Ground) -> Vec<ColliderBuilder> {
    let chunks: Vec<ChunkBuffers> = (0..ROW as i64).map(|i| build(world, FIRST + i, 0)).collect();
    match ground {
        Ground::Fields => {
            chunks.iter().map(|chunk| height_field(&chunk.view(), chunk.view().origin_sample(), 1)).collect()
        }
        Ground::Meshes => chunks.iter().map(triangle_mesh).collect(),
        Ground::Decimated(tolerance_m) => {
            chunks.iter().map(|chunk| decimated(chunk, tolerance_m).1).collect()
        }
        Ground::One => {
            let width = ROW * CELLS + 1;
            let mut heights = vec![f32::NAN; width * (CELLS + 1)];
            for (i, chunk) in chunks.iter().enumerate() {
                for z in 0..=CELLS {
                    heights[z * width + i * CELLS..][..=CELLS].copy_from_slice(chunk.view().heights(z));
                }
            }
            let field = Heights::with_stride(&heights, [width, CELLS + 1], width).expect("a strip");
            vec![height_field(&field, [FIRST * CELLS as i64, 0], 1)]
        }
    }
}

fn physics(colliders: Vec<ColliderBuilder>) -> PhysicsWorld {
    let mut physics = PhysicsWorld::new();
    for collider in colliders {
        physics.insert_collider(collider.friction(0.5), None);
    }
    physics
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Body {
    Ball,
    Capsule,
    /// Rotation locked, no friction: it slides.
    Box,
}

const RADIUS_M: f32 = 0.5;

/// A body in the middle of the row's first chunk, on its way along x.
fn launch(physics: &mut PhysicsWorld, world: &World, body: Body, speed_m_s: f32) -> RigidBodyHandle {
    let x = FIRST as f32 * CHUNK_M + CHUNK_M / 2.0 + 0.1;
    let z = CHUNK_M / 2.0 + 0.13;
    let ground = height_at(world, x, z);
    let (collider, above) = match body {
        Body::Ball => (ColliderBuilder::ball(RADIUS_M).friction(0.5), RADIUS_M),
        Body::Capsule => (ColliderBuilder::capsule_y(0.5, RADIUS_M).friction(0.0), RADIUS_M + 0.5),
        Body::Box => (ColliderBuilder::cuboid(0.4, 0.4, 0.4).friction(0.0), 0.4),
    };
    let collider = collider.friction_combine_rule(CoefficientCombineRule::Min);
    let mut builder = RigidBodyBuilder::dynamic()
        .translation(Vector::new(x, ground + above + 0.05, z))
        .linvel(Vector::new(speed_m_s, 0.0, 0.0))
        .can_sleep(false)
        // In the row's middle, however the ground leans.
        .enabled_translations(true, true, false);
    if body != Body::Ball {
        builder = builder.lock_rotations();
    }
    physics.insert(builder, collider).0
}

fn height_at(world: &World, x: f32, z: f32) -> f32 {
    world.height_at(Position::from_metres([f64::from(x), f64::from(z)], SPACING_M).expect("near enough"))
}

/// Position and velocity after each step, until it has crossed 100 borders or has stood for a second.
fn run(physics: &mut PhysicsWorld, body: RigidBodyHandle, steps: usize) -> Vec<(Vector, Vector)> {
    let end = (FIRST + 101) as f32 * CHUNK_M + 1.0;
    let mut path = Vec::new();
    let mut slow = 0;
    for _ in 0..steps {
        physics.step();
        let body = &physics.bodies[body];
        path.push((body.translation(), body.linvel()));
        slow = if body.linvel().length() < 0.05 { slow + 1 } else { 0 };
        if body.translation().x > end || slow > 60 {
            break;
        }
    }
    path
}

fn borders_crossed(path: &[(Vector, Vector)]) -> i64 {
    let last = path.last().expect("steps").0;
    (last.x / CHUNK_M).floor() as i64 - FIRST
}

/// The largest difference of velocities at the same place, forward and vertical, in m/s.
fn difference(one: &[(Vector, Vector)], other: &[(Vector, Vector)]) -> [f32; 2] {
    let mut largest = [0.0f32; 2];
    for (a, b) in one.iter().zip(other).skip(30) {
        largest[0] = largest[0].max((a.1.x - b.1.x).abs());
        largest[1] = largest[1].max((a.1.y - b.1.y).abs());
    }
    largest
}

#[test]
fn experiment() {
    let world = open(gentle(CELLS as u32, 4.0));
    for body in [Body::Ball, Body::Capsule, Body::Box] {
        let speed = 10.0;
        let paths = [Ground::One, Ground::Fields, Ground::Meshes, Ground::Decimated(0.01)].map(|ground| {
            let mut physics = physics(row_of(&world, ground));
            let handle = launch(&mut physics, &world, body, speed);
            let path = run(&mut physics, handle, 12_000);
            let speeds: Vec<f32> = path.iter().map(|p| p.1.length()).collect();
            println!(
                "{body:?} {ground:?}: {} steps {} borders, last {:?}, min speed {:?} max {:?}",
                path.len(),
                borders_crossed(&path),
                path.last(),
                speeds.iter().copied().fold(f32::INFINITY, f32::min),
                speeds.iter().copied().fold(0.0, f32::max)
            );
            path
        });
        for i in 1..4 {
            println!("  difference {:?}", difference(&paths[0], &paths[i]));
        }
    }
}

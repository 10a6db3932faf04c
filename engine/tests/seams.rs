//! No seams: whatever two chunks share is equal to the bit, on all four edges, and the check finds one wrong ulp.

mod kit;

use kit::{PLACES, build, build_at, config, finite_config, open};
use proptest::prelude::*;
use terrane::{ChunkBuffers, World};

/// One chunk's edge, as bits: heights, normals, colours.
#[derive(Debug, PartialEq)]
struct Edge {
    heights: Vec<u32>,
    normals: Vec<[u32; 3]>,
    colors: Vec<[u8; 4]>,
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

fn edge(chunk: &ChunkBuffers, side: Side) -> Edge {
    let view = chunk.view();
    let last = view.side() - 1;
    let vertices = (0..=last).map(|i| match side {
        Side::Left => (0, i),
        Side::Right => (last, i),
        Side::Top => (i, 0),
        Side::Bottom => (i, last),
    });
    let at = |(x, z): (usize, usize)| z * view.side() + x;
    Edge {
        heights: vertices.clone().map(|(x, z)| view.heights(z)[x].to_bits()).collect(),
        normals: vertices.clone().map(|v| view.normals()[at(v)].map(f32::to_bits)).collect(),
        colors: vertices.map(|v| view.colors()[at(v)]).collect(),
    }
}

/// The first seam between a chunk and its four neighbours.
fn find_seam(world: &World, lod: u8, x: i64, z: i64) -> Result<(), String> {
    let middle = build_at(world, lod, x, z);
    for (dx, dz, side, opposite) in [
        (-1, 0, Side::Left, Side::Right),
        (1, 0, Side::Right, Side::Left),
        (0, -1, Side::Top, Side::Bottom),
        (0, 1, Side::Bottom, Side::Top),
    ] {
        let neighbour = build_at(world, lod, x + dx, z + dz);
        compare(&edge(&middle, side), &edge(&neighbour, opposite))
            .map_err(|what| format!("{what} differ between ({x}, {z}) and ({}, {})", x + dx, z + dz))?;
    }
    Ok(())
}

fn compare(a: &Edge, b: &Edge) -> Result<(), &'static str> {
    match () {
        () if a.heights != b.heights => Err("heights"),
        () if a.normals != b.normals => Err("normals"),
        () if a.colors != b.colors => Err("colours"),
        () => Ok(()),
    }
}

#[test]
fn all_four_edges_of_all_neighbours_are_equal_to_the_bit() {
    for cells in [16, 64, 128] {
        for spacing_m in [0.02, 0.3, 1.0, 7.0] {
            let world = open(config(cells, spacing_m));
            for place in PLACES {
                let middle = place.div_euclid(i64::from(cells));
                for (x, z) in [(0, 0), (1, 0), (-1, -1), (5, -3)] {
                    assert_eq!(find_seam(&world, 0, middle + x, middle / 3 + z), Ok(()));
                }
            }
        }
    }
    let world = open(finite_config(32));
    for (x, z) in [(-3, -3), (0, 0), (3, 2)] {
        assert_eq!(find_seam(&world, 0, x, z), Ok(()));
    }
}

#[test]
fn coarse_levels_have_no_seams_either() {
    let world = open(config(32, 0.3));
    for lod in [1, 2, 7, 24] {
        for (x, z) in [(0, 0), (-1, 3), (-1000, 999)] {
            assert_eq!(find_seam(&world, lod, x, z), Ok(()), "level {lod}");
        }
    }
}

#[test]
fn a_planted_fault_of_one_ulp_is_found() {
    let world = open(config(64, 1.0));
    let (left, right) = (build(&world, 0, 0), build(&world, 1, 0));
    let (a, b) = (edge(&left, Side::Right), edge(&right, Side::Left));
    assert_eq!(compare(&a, &b), Ok(()));
    for i in [0, 17, 64] {
        let mut planted = edge(&right, Side::Left);
        planted.heights[i] = f32::from_bits(planted.heights[i]).next_up().to_bits();
        assert_eq!(compare(&a, &planted), Err("heights"));
        let mut planted = edge(&right, Side::Left);
        planted.normals[i][2] ^= 1;
        assert_eq!(compare(&a, &planted), Err("normals"));
        let mut planted = edge(&right, Side::Left);
        planted.colors[i][1] ^= 1;
        assert_eq!(compare(&a, &planted), Err("colours"));
    }
    // And the wrong pair of edges is not taken for a seamless one.
    assert!(compare(&edge(&left, Side::Left), &b).is_err());
}

/// How many times the usual number of cases: `TERRANE_LONG`, set by .ci/long.
fn long_run() -> u32 {
    std::env::var("TERRANE_LONG").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60 * long_run()))]
    #[test]
    fn random_worlds_have_no_seams(
        seed in any::<u64>(), x in -(1i64 << 50)..1 << 50, z in -(1i64 << 50)..1 << 50, spacing_m in 0.01..50.0f64,
        octaves in 1u32..=9, feature_m in 20.0..5000.0f64, persistence in 0.1..=1.0f64,
    ) {
        let mut config = config(16, spacing_m);
        config.seed = seed;
        let noise = config.fields[0].noise_mut().expect("a noise");
        noise.feature_m = feature_m;
        (noise.fractal.octaves, noise.fractal.persistence) = (octaves, persistence);
        let world = open(config);
        prop_assert_eq!(find_seam(&world, 0, x, z), Ok(()));
    }
}

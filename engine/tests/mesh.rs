//! The mesh of a chunk: closed inside, facing up, unit normals, positions exact.

mod kit;

use std::collections::BTreeMap;

use kit::{PLACES, build, build_at, config, open};
use terrane::mesh::{grid_indices, grid_uvs};

/// What is wrong with the triangles of a grid of `cells` by `cells`: an edge used twice in one direction, or a hole.
fn find_fault(cells: u32, indices: &[u16]) -> Option<String> {
    let side = cells as usize + 1;
    let mut edges = BTreeMap::new();
    for triangle in indices.chunks(3) {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            // Directed: the two triangles of an edge run through it in opposite directions.
            *edges.entry((triangle[a], triangle[b])).or_insert(0) += 1;
        }
    }
    let mut border = 0;
    for ((a, b), uses) in &edges {
        if *uses > 1 {
            return Some(format!("edge {a}-{b} twice in one direction"));
        }
        if !edges.contains_key(&(*b, *a)) {
            let (a, b) = (usize::from(*a), usize::from(*b));
            let on = |v: usize| {
                [v.is_multiple_of(side), v % side == side - 1, v / side == 0, v / side == side - 1]
            };
            if !on(a).iter().zip(on(b)).any(|(a, b)| *a && b) {
                return Some(format!("a hole at {a}-{b}"));
            }
            border += 1;
        }
    }
    (border != 4 * cells).then(|| format!("{border} border edges"))
}

#[test]
fn every_interior_edge_is_used_exactly_twice_and_every_border_edge_once() {
    for cells in [1u32, 16, 32, 64, 128] {
        let indices = grid_indices(cells);
        assert_eq!(indices.len(), 6 * (cells * cells) as usize);
        assert_eq!(find_fault(cells, &indices), None);
    }
}

#[test]
fn planted_faults_are_found_by_the_same_check() {
    let good = grid_indices(16);
    let mut flipped = good.clone();
    flipped.swap(300, 301);
    assert!(find_fault(16, &flipped).is_some());
    let mut holed = good.clone();
    holed.drain(300..303);
    assert!(find_fault(16, &holed).is_some());
    let mut other_diagonal = good.clone();
    other_diagonal[302] = other_diagonal[305];
    assert!(find_fault(16, &other_diagonal).is_some());
}

#[test]
fn no_triangle_is_degenerate_or_flipped() {
    for spacing_m in [0.02, 1.0, 7.0] {
        for place in PLACES {
            let world = open(config(64, spacing_m));
            let chunk = build(&world, place.div_euclid(64), place.div_euclid(64));
            let positions = chunk.view().positions();
            for triangle in world.templates().indices(0).chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|i| positions[usize::from(triangle[i])].map(f64::from));
                let (ab, ac) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
                // The y part of ab x ac, positive for counter-clockwise seen from above.
                let area = ab[1] * ac[0] - ab[0] * ac[1];
                let cell = world.sample_spacing_m() * world.sample_spacing_m();
                assert!((area - cell).abs() < 1e-9 * cell, "area {area}, a cell has {cell}");
            }
        }
    }
}

#[test]
fn normals_have_unit_length_and_point_up() {
    for spacing_m in [0.02, 1.0, 7.0] {
        let world = open(config(64, spacing_m));
        for (x, z) in [(0, 0), (-15_625_000, 3), (1 << 34, -(1 << 34))] {
            let chunk = build(&world, x, z);
            for normal in chunk.view().normals() {
                let length = normal.iter().map(|c| f64::from(*c) * f64::from(*c)).sum::<f64>().sqrt();
                assert!((length - 1.0).abs() < 1.0 / 4_194_304.0, "length {length}");
                assert!(normal[1] > 0.0);
            }
        }
    }
}

#[test]
fn normals_are_central_differences_of_heights() {
    for lod in [0u8, 1, 5] {
        let world = open(config(32, 0.5));
        let chunk = build_at(&world, lod, 4, -9);
        let view = chunk.view();
        for z in 1..32 {
            for x in 1..32 {
                let h = |x: usize, z: usize| f64::from(view.heights(z)[x]);
                let difference = [h(x - 1, z) - h(x + 1, z), f64::from(1 << lod), h(x, z - 1) - h(x, z + 1)];
                let length = difference.iter().map(|c| c * c).sum::<f64>().sqrt();
                let normal = view.normals()[z * 33 + x];
                for (got, want) in normal.iter().zip(difference) {
                    assert!((f64::from(*got) - want / length).abs() < 1e-6, "level {lod}");
                }
            }
        }
    }
}

#[test]
fn positions_are_exact_multiples_of_the_spacing() {
    for (lod, spacing_m) in [(0u8, 0.02), (0, 0.3), (3, 7.0), (24, 1234.567)] {
        let world = open(config(128, spacing_m));
        let chunk = build_at(&world, lod, 3, 3);
        let (view, step_m) = (chunk.view(), world.sample_spacing_m() * f64::from(1u32 << lod));
        for (i, position) in view.positions().iter().enumerate() {
            assert_eq!(f64::from(position[0]), (i % 129) as f64 * step_m);
            assert_eq!(position[1].to_bits(), view.heights(i / 129)[i % 129].to_bits());
            assert_eq!(f64::from(position[2]), (i / 129) as f64 * step_m);
        }
        assert_eq!(world.uvs(), grid_uvs(128));
    }
}

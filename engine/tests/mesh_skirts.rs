//! Skirts: walls that close the sheet's border, face out, and are deep enough.

mod mesh_kit;

use std::collections::BTreeSet;

use mesh_kit::ground::{Ground, Random};
use terrane::mesh::{IndexTemplates, MASKS, MeshInputError, Skirts, error_exact_m, skirt_depth_m};

/// A chunk's vertices, a metre apart.
fn positions(ground: &Ground) -> Vec<[f32; 3]> {
    let side = ground.side();
    (0..side * side).map(|i| [(i % side) as f32, ground.heights[i], (i / side) as f32]).collect()
}

/// Both parts of a chunk with skirts: vertices, and the walls' triangles.
fn make(ground: &Ground, skirts: Skirts, depth_m: f32) -> (Vec<[f32; 3]>, Vec<u16>) {
    let mut vertices = positions(ground);
    let mut lowered = vec![[0.0; 3]; skirts.vertex_count()];
    skirts.write_positions(&vertices, depth_m, &mut lowered).expect("it fits");
    vertices.extend(lowered);
    let mut indices = vec![0; skirts.index_count()];
    skirts.write_indices(&mut indices).expect("it fits");
    (vertices, indices)
}

/// What is wrong with walls of depth 1: which way they face, or edges that do not fit the sheet's.
fn find_fault(ground: &Ground, sides: u8, mask: u8, vertices: &[[f32; 3]], walls: &[u16]) -> Option<String> {
    let last = ground.cells as f32;
    let key = |index: u16| vertices[usize::from(index)].map(f32::to_bits);
    let is_on = |side: u8, [x, _, z]: [f32; 3]| [x == 0.0, x == last, z == 0.0, z == last][usize::from(side)];
    let mut edges = BTreeSet::new();
    for corners in walls.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|i| vertices[usize::from(corners[i])]);
        let side = (0..4).find(|side| [a, b, c].iter().all(|vertex| is_on(*side, *vertex)));
        let Some(side) = side.filter(|side| sides >> side & 1 == 1) else {
            return Some(format!("{corners:?} is on no side that has a wall"));
        };
        let (p, q) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
        let normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        let outwards = [-normal[0], normal[0], -normal[2], normal[2]][usize::from(side)];
        if outwards <= 0.0 {
            return Some(format!("{corners:?} faces in"));
        }
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            if !edges.insert((key(corners[from]), key(corners[to]))) {
                return Some(format!("an edge of {corners:?} twice"));
            }
        }
    }
    let templates = IndexTemplates::new(ground.cells as u32);
    let mut partners = 0;
    for corners in templates.indices(mask).chunks(3) {
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let [from, to] = [corners[from], corners[to]];
            partners += usize::from(edges.contains(&(key(to), key(from))));
            if edges.contains(&(key(from), key(to))) {
                return Some(format!("the wall at {from}-{to} runs as the sheet does"));
            }
        }
    }
    let of_side = |side: u8| if mask >> side & 1 == 1 { ground.cells / 2 } else { ground.cells };
    let border: usize = (0..4).filter(|side| sides >> side & 1 == 1).map(of_side).sum();
    if partners != border {
        return Some(format!("{partners} edges of the sheet have a wall, not {border}"));
    }
    if walls.len() != 6 * border {
        return Some(format!("{} indices for {border} edges", walls.len()));
    }
    // Open are the lower edges, and where walls end: in a corner between two walls they meet.
    let open = edges.iter().filter(|(a, b)| !edges.contains(&(*b, *a))).count() - border;
    let corners = [(0u8, 2u8), (0, 3), (1, 2), (1, 3)];
    let ends = corners.iter().filter(|(i, j)| (sides >> i & 1) != (sides >> j & 1)).count();
    if open != border + ends { Some(format!("{open} open edges, not {}", border + ends)) } else { None }
}

#[test]
fn walls_close_the_border_and_face_out() {
    for cells in [2, 16, 64] {
        let ground = Ground::new(13, cells, 1);
        for sides in 0..MASKS as u8 {
            for mask in 0..MASKS as u8 {
                let skirts = Skirts::new(cells as u32, sides, mask).expect("good masks");
                let (vertices, walls) = make(&ground, skirts, 1.0);
                let fault = find_fault(&ground, sides, mask, &vertices, &walls);
                assert_eq!(fault, None, "{cells} cells, sides {sides:04b}, mask {mask:04b}");
                let own = ground.side() * ground.side();
                for vertex in 0..skirts.vertex_count() {
                    let [x, y, z] = vertices[skirts.source(vertex)];
                    assert_eq!(vertices[own + vertex], [x, y - 1.0, z]);
                }
            }
        }
    }
    // The most cells: the last index is below the restart value.
    let skirts = Skirts::new(252, 15, 0).expect("fits");
    let mut indices = vec![0; skirts.index_count()];
    skirts.write_indices(&mut indices).expect("it fits");
    assert_eq!(indices.iter().max(), Some(&((253 * 253 + 4 * 253 - 1) as u16)));
}

#[test]
fn planted_faults_are_found() {
    let ground = Ground::new(13, 16, 2);
    let skirts = Skirts::new(16, 0b1011, 0b0010).expect("good masks");
    let (vertices, walls) = make(&ground, skirts, 1.0);
    let finds = |sides, mask, walls: &[u16]| find_fault(&ground, sides, mask, &vertices, walls).is_some();
    assert!(!finds(0b1011, 0b0010, &walls));
    assert!(finds(0b1111, 0b0010, &walls) && finds(0b0011, 0b0010, &walls) && finds(0b1011, 0, &walls));
    for at in 0..walls.len() / 3 {
        let mut bad = walls.clone();
        bad.swap(3 * at, 3 * at + 1);
        assert!(finds(0b1011, 0b0010, &bad));
        let mut bad = walls.clone();
        bad.drain(3 * at..3 * at + 3);
        assert!(finds(0b1011, 0b0010, &bad));
    }
}

/// Two chunks side by side, of different strides: no gap between their borders is deeper than the suggested depth.
#[test]
fn the_suggested_depth_hides_every_gap() {
    let mut deepest: f64 = 0.0;
    for (kind, seed) in (0..14).flat_map(|kind| (0..8).map(move |seed| (kind, seed))) {
        // Its middle column is the border between the two; strides that need not be neighbours.
        let ground = Ground::new(kind, 64, seed);
        for [fine, coarse] in [[1, 2], [1, 8], [2, 4], [4, 16]] {
            let error_m = |first: usize, stride: usize| {
                error_exact_m(&ground.heights[first..], 65, 32 / stride, stride)
                    .expect("good input")
                    .interior_m
            };
            let depth_m = skirt_depth_m(error_m(0, fine), error_m(32, coarse));
            let line = |z: usize, stride: usize| {
                let (first, along) = (z / stride * stride, (z % stride) as f64 / stride as f64);
                let at = |z: usize| ground.at([32, z as i64]);
                if along == 0.0 { at(z) } else { at(first) + along * (at(first + stride) - at(first)) }
            };
            for z in 0..=32 {
                let gap = (line(z, fine) - line(z, coarse)).abs();
                assert!(gap <= f64::from(depth_m), "{}, {z}: {gap} m, {depth_m} m deep", ground.name);
                deepest = deepest.max(gap / f64::from(depth_m).max(1e-9));
            }
        }
    }
    assert!(deepest > 0.95, "depths are {deepest} used: the check would not notice a smaller one");
}

#[test]
fn a_wall_is_never_less_deep_than_asked_for() {
    let mut random = Random(4);
    for _ in 0..2000 {
        let mut ground = Ground::new(0, 2, 1);
        ground.heights.fill((9000.0 * random.signed()) as f32);
        let depth_m = (20.0 * random.signed().abs()) as f32;
        let (vertices, _) = make(&ground, Skirts::new(2, 1, 0).expect("good masks"), depth_m);
        let lowered = f64::from(vertices[0][1]) - f64::from(vertices[9][1]);
        assert!(lowered >= f64::from(depth_m) && lowered < f64::from(depth_m) + 0.002);
        let (a, b) = (random.signed().abs(), random.signed().abs());
        assert!(f64::from(skirt_depth_m(a, b)) >= a + b);
    }
}

#[test]
fn wrong_input_is_named_with_its_numbers_and_nothing_is_written() {
    let said = |cells, sides, mask| Skirts::new(cells, sides, mask).expect_err("wrong").to_string();
    assert_eq!(said(3, 15, 0), "3 cells a side; a skirt with u16 indices takes even numbers from 2 to 252");
    assert_eq!(
        said(254, 15, 0),
        "254 cells a side; a skirt with u16 indices takes even numbers from 2 to 252"
    );
    assert_eq!(
        said(16, 16, 0),
        "set of sides 16 has bits beyond the four sides of a chunk; the largest is 15"
    );
    assert_eq!(
        said(16, 1, 99),
        "neighbour mask 99 has bits beyond the four sides of a chunk; the largest is 15"
    );

    let ground = Ground::new(13, 16, 1);
    let skirts = Skirts::new(16, 0b0110, 0).expect("good masks");
    let mut lowered = vec![[7.0; 3]; 33];
    let refused = skirts.write_positions(&positions(&ground), 1.0, &mut lowered);
    assert_eq!(refused, Err(MeshInputError::Capacity { what: "skirt positions", found: 33, expected: 34 }));
    let refused = skirts.write_positions(&positions(&ground)[1..], 1.0, &mut [[7.0; 3]; 34]);
    let (found, expected) = (288, 289);
    assert_eq!(refused, Err(MeshInputError::Capacity { what: "a chunk's positions", found, expected }));
    let refused = skirts.write_positions(&positions(&ground), -1.0, &mut lowered);
    assert_eq!(refused.expect_err("wrong").to_string(), "the depth is -1 m; it must be 0 or more");
    let mut indices = vec![7; 191];
    let refused = skirts.write_indices(&mut indices).expect_err("too short").to_string();
    assert_eq!(refused, "the memory for skirt indices has room for 191, 192 are needed");
    assert!(lowered.iter().flatten().all(|value| *value == 7.0) && indices.iter().all(|index| *index == 7));
}

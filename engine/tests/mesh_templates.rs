//! The index templates: closed, facing up, and fitting neighbours of the next level, for every mask.

use std::collections::{BTreeMap, BTreeSet};

use terrane::mesh::{IndexTemplates, MASKS, grid_indices};

const SIZES: [u32; 5] = [2, 16, 32, 64, 128];

type Point = [i64; 2];
type Edge = (Point, Point);

/// A chunk's triangles as points in samples of the finest level: `stride` apart, from `origin`.
fn triangles(templates: &IndexTemplates, mask: u8, origin: Point, stride: i64) -> Vec<[Point; 3]> {
    let side = i64::from(templates.cells()) + 1;
    let point = |index: u16| {
        let index = i64::from(index);
        [origin[0] + stride * (index % side), origin[1] + stride * (index / side)]
    };
    templates.indices(mask).chunks(3).map(|corners| [0, 1, 2].map(|i| point(corners[i]))).collect()
}

/// Twice the area, positive for counter-clockwise seen from above (x to the right, z towards the viewer).
fn area([a, b, c]: [Point; 3]) -> i64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// Directed edges that have no partner in the other direction; an error when one is there twice or a triangle is flat.
fn open_edges(triangles: &[[Point; 3]]) -> Result<BTreeSet<Edge>, String> {
    let mut uses: BTreeMap<Edge, u32> = BTreeMap::new();
    for triangle in triangles {
        if area(*triangle) <= 0 {
            return Err(format!("{triangle:?} does not face up"));
        }
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            *uses.entry((triangle[a], triangle[b])).or_default() += 1;
        }
    }
    if let Some((edge, _)) = uses.iter().find(|(_, uses)| **uses > 1) {
        return Err(format!("{edge:?} twice in one direction"));
    }
    Ok(uses.keys().filter(|(a, b)| !uses.contains_key(&(*b, *a))).copied().collect())
}

/// Faults of a mesh of a whole chunk: besides the above, what is missing or too much along the border.
fn find_fault(cells: i64, mask: u8, triangles: &[[Point; 3]]) -> Option<String> {
    let open = match open_edges(triangles) {
        Ok(open) => open,
        Err(fault) => return Some(fault),
    };
    let want: BTreeSet<Edge> = (0..4).flat_map(|side| border(cells, side, mask >> side & 1 == 1)).collect();
    let covered: i64 = triangles.iter().map(|triangle| area(*triangle)).sum();
    if covered != 2 * cells * cells {
        return Some(format!("twice the area is {covered}"));
    }
    open.symmetric_difference(&want).next().map(|edge| format!("{edge:?} on the border"))
}

/// The edges of one side of a chunk at the origin, as its triangles run through them: counter-clockwise around it.
fn border(cells: i64, side: u8, is_coarse: bool) -> Vec<Edge> {
    let step = if is_coarse { 2 } else { 1 };
    let edge = |along: i64| match side {
        0 => ([0, along], [0, along + step]),
        1 => ([cells, along + step], [cells, along]),
        2 => ([along + step, 0], [along, 0]),
        _ => ([along, cells], [along + step, cells]),
    };
    (0..cells).step_by(step as usize).map(edge).collect()
}

#[test]
fn every_mask_gives_a_closed_sheet_with_the_right_border() {
    for cells in SIZES {
        let templates = IndexTemplates::new(cells);
        assert_eq!(templates.indices(0), grid_indices(cells));
        for mask in 0..MASKS as u8 {
            let triangles = triangles(&templates, mask, [0, 0], 1);
            assert_eq!(find_fault(cells.into(), mask, &triangles), None, "{cells} cells, mask {mask:04b}");
        }
    }
}

/// Across each side lies a chunk of the next level, or of the same: their edges there are the same, the other way round.
#[test]
fn neighbours_of_both_levels_meet_without_a_gap() {
    for cells in [2, 16] {
        let templates = IndexTemplates::new(cells);
        let side_of = i64::from(cells);
        for mask in 0..MASKS as u8 {
            let mine = open_edges(&triangles(&templates, mask, [0, 0], 1)).expect("a sheet");
            for side in 0..4u8 {
                let is_coarse = mask >> side & 1 == 1;
                let stride = if is_coarse { 2 } else { 1 };
                // A coarse neighbour begins where this chunk does, or a chunk's side before.
                for shift in [0, if is_coarse { -side_of } else { 0 }] {
                    let across = if side % 2 == 1 { side_of } else { -stride * side_of };
                    let origin = if side < 2 { [across, shift] } else { [shift, across] };
                    // It may itself have coarser neighbours elsewhere.
                    for its_mask in (0..MASKS as u8).filter(|mask| mask >> (side ^ 1) & 1 == 0) {
                        let its =
                            open_edges(&triangles(&templates, its_mask, origin, stride)).expect("a sheet");
                        let shared = border(side_of, side, is_coarse);
                        assert!(shared.iter().all(|edge| mine.contains(edge)));
                        let meets = shared.iter().all(|(a, b)| its.contains(&(*b, *a)));
                        assert!(meets, "{cells} cells, mask {mask:04b}, side {side}, beside {its_mask:04b}");
                    }
                }
            }
        }
    }
}

#[test]
fn planted_faults_are_found() {
    let templates = IndexTemplates::new(16);
    for mask in 0..MASKS as u8 {
        let good = triangles(&templates, mask, [0, 0], 1);
        // The list of another mask: a vertex in the middle of a neighbour's edge.
        let other = triangles(&templates, mask ^ 2, [0, 0], 1);
        assert!(find_fault(16, mask, &other).is_some());
        for at in [0, good.len() / 2, good.len() - 1] {
            let mut holed = good.clone();
            holed.remove(at);
            assert!(find_fault(16, mask, &holed).is_some());
            let mut flipped = good.clone();
            flipped[at].swap(0, 1);
            assert!(find_fault(16, mask, &flipped).is_some());
            let mut moved = good.clone();
            moved[at][2] = moved[at][1];
            assert!(find_fault(16, mask, &moved).is_some());
        }
    }
}

/// Average cache miss ratio: transformed vertices a triangle, for the FIFO of small hardware and for a larger one.
#[test]
fn triangles_come_in_an_order_that_vertex_caches_like() {
    for (cells, most) in [(16, 0.64), (64, 0.60), (128, 0.59)] {
        let templates = IndexTemplates::new(cells);
        let vertices = (cells as usize + 1).pow(2);
        for mask in 0..MASKS as u8 {
            let indices: Vec<u32> = templates.indices(mask).iter().map(|index| u32::from(*index)).collect();
            for cache_size in [16, 32] {
                let acmr = meshopt::analyze_vertex_cache(&indices, vertices, cache_size, 0, 0).acmr;
                assert!(acmr <= most + 0.03, "{cells} cells, mask {mask:04b}, cache of {cache_size}: {acmr}");
                assert!(mask > 0 || acmr <= most, "{cells} cells, cache of {cache_size}: {acmr}");
            }
        }
    }
    // The check can fail: rows over the whole width.
    let rows: Vec<u32> = (0..64u32)
        .flat_map(|z| (0..64).map(move |x| 65 * z + x))
        .flat_map(|v| [v, v + 65, v + 1, v + 1, v + 65, v + 66])
        .collect();
    assert!(meshopt::analyze_vertex_cache(&rows, 65 * 65, 16, 0, 0).acmr > 1.0);
}

#[test]
#[should_panic(expected = "3 cells a side cannot meet a coarser neighbour")]
fn an_odd_number_of_cells_has_no_templates() {
    let _ = IndexTemplates::new(3);
}

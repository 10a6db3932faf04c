//! The index templates: closed, facing up, and fitting neighbours of the next level, for every mask.

mod mesh_kit;

use mesh_kit::{Point, across, border, find_fault, open_edges, points};
use terrane::mesh::{IndexTemplates, MASKS, grid_indices};

const SIZES: [u32; 5] = [2, 16, 32, 64, 128];

/// A chunk's triangles as points in samples of the finest level: `stride` apart, from `origin`.
fn triangles(templates: &IndexTemplates, mask: u8, origin: Point, stride: i64) -> Vec<[Point; 3]> {
    points(templates.indices(mask), templates.cells(), origin, stride)
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
                    let origin = across(side_of, side, stride, shift);
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

//! Adaptive meshes: closed sheets that fit neighbours of both kinds, never further from the ground than their
//! tolerance, exact in what they say about it.

mod mesh_kit;

use std::collections::BTreeSet;

use mesh_kit::ground::{Ground, KINDS, Random};
use mesh_kit::{Point, across, border, find_fault, open_edges, points};
use terrane::mesh::{AdaptiveMesh, AdaptiveMesher, IndexTemplates, MASKS, MeshInputError, error_exact_m};

fn is_long() -> bool {
    std::env::var_os("TERRANE_LONG").is_some()
}

fn build(ground: &Ground, tolerance_m: f64, mask: u8) -> (AdaptiveMesh, Vec<[Point; 3]>) {
    let mut indices = Vec::<u16>::new();
    let mesh = AdaptiveMesher::new()
        .build(&ground.heights, ground.side(), ground.cells, tolerance_m, mask, &mut indices)
        .expect("good input");
    assert_eq!(indices.len(), 3 * mesh.triangle_count);
    (mesh, points(&indices, ground.cells as u32, [0, 0], 1))
}

/// What is wrong with a mesh.
fn find_mesh_fault(
    ground: &Ground,
    tolerance_m: f64,
    mask: u8,
    mesh: AdaptiveMesh,
    triangles: &[[Point; 3]],
) -> Option<String> {
    if let Some(fault) = find_fault(ground.cells as i64, mask, triangles) {
        return Some(fault);
    }
    let (truth, at) = ground.distance(triangles);
    let stitched = error_exact_m(&ground.heights, ground.side(), ground.cells, 1).expect("good input");
    let most = tolerance_m.max(stitched.of_mask(mask));
    if truth > most {
        return Some(format!("{truth} m from the ground at {at:?}, {most} allowed"));
    }
    if mesh.error_exact_m != truth {
        return Some(format!("says {} m, is {truth} m from the ground at {at:?}", mesh.error_exact_m));
    }
    None
}

/// Triangles, each beginning with its smallest corner.
fn as_set(triangles: &[[Point; 3]]) -> BTreeSet<[Point; 3]> {
    let turned = |corners: &[Point; 3]| {
        let first = (0..3).min_by_key(|i| corners[*i]).expect("three");
        [0, 1, 2].map(|i| corners[(first + i) % 3])
    };
    triangles.iter().map(turned).collect()
}

#[test]
fn every_mesh_is_a_sheet_within_its_tolerance() {
    let seeds = if is_long() { 30 } else { 1 };
    let mut meshes = 0;
    for cells in [2, 4, 8, 16, 32] {
        for kind in 0..KINDS.len() {
            for seed in 0..seeds {
                let ground = Ground::new(kind, cells, seed);
                for mask in 0..MASKS as u8 {
                    for tolerance_m in [0.0, 0.3, 5.0] {
                        let (mesh, triangles) = build(&ground, tolerance_m, mask);
                        let fault = find_mesh_fault(&ground, tolerance_m, mask, mesh, &triangles);
                        let name = ground.name;
                        assert_eq!(fault, None, "{name}, {cells} cells, {tolerance_m} m, mask {mask:04b}");
                        meshes += 1;
                    }
                }
            }
        }
    }
    eprintln!("{meshes} meshes");
}

/// Whole chunks, and larger squares with u32.
#[test]
fn large_meshes_are_sheets_within_their_tolerance() {
    for (cells, mask) in [(64, 0), (128, 0b1001), (256, 0b0110)] {
        let kinds: &[usize] = if is_long() { &[6, 8, 11, 13] } else { &[13] };
        for &kind in kinds {
            let ground = Ground::new(kind, cells, 4);
            for tolerance_m in [0.0, 0.5, 4.0] {
                let mut indices = Vec::<u32>::new();
                let mesh = AdaptiveMesher::new()
                    .build(&ground.heights, cells + 1, cells, tolerance_m, mask, &mut indices)
                    .expect("good input");
                let triangles = points(&indices, cells as u32, [0, 0], 1);
                let fault = find_mesh_fault(&ground, tolerance_m, mask, mesh, &triangles);
                assert_eq!(fault, None, "{}, {cells} cells, {tolerance_m} m", ground.name);
                if cells <= 128 {
                    let (short_mesh, short_triangles) = build(&ground, tolerance_m, mask);
                    assert_eq!((short_mesh, short_triangles), (mesh, triangles));
                }
            }
        }
    }
}

/// MARTINI as it is published: a vertex counts with its own distance in the middle of a hypotenuse, and no less than
/// those below it. Two triangles over the whole square to begin with.
fn martini(ground: &Ground, tolerance_m: f64) -> Vec<[Point; 3]> {
    fn middle([a, b, _]: [Point; 3]) -> Point {
        [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
    }
    fn halves(corners: [Point; 3]) -> [[Point; 3]; 2] {
        let [a, b, c] = corners;
        [[c, a, middle(corners)], [b, c, middle(corners)]]
    }
    fn is_whole([a, b, _]: [Point; 3]) -> bool {
        (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) == 1
    }
    fn measure(ground: &Ground, errors: &mut [f64], corners: [Point; 3]) -> f64 {
        if is_whole(corners) {
            return 0.0;
        }
        let at = middle(corners);
        let own = (ground.at(at) - (ground.at(corners[0]) + ground.at(corners[1])) / 2.0).abs();
        let [left, right] = halves(corners).map(|half| measure(ground, errors, half));
        let error = &mut errors[at[1] as usize * ground.side() + at[0] as usize];
        *error = error.max(own).max(left).max(right);
        *error
    }
    fn cut(
        ground: &Ground,
        errors: &[f64],
        tolerance_m: f64,
        corners: [Point; 3],
        out: &mut Vec<[Point; 3]>,
    ) {
        let at = middle(corners);
        if is_whole(corners) || errors[at[1] as usize * ground.side() + at[0] as usize] <= tolerance_m {
            return out.push(corners);
        }
        for half in halves(corners) {
            cut(ground, errors, tolerance_m, half, out);
        }
    }
    let n = ground.cells as i64;
    let roots = [[[0, n], [n, 0], [0, 0]], [[n, 0], [0, n], [n, n]]];
    let mut errors = vec![0.0; ground.side() * ground.side()];
    // Twice: a vertex between two triangles must know of what lies below it on both sides.
    for root in [roots, roots].concat() {
        measure(ground, &mut errors, root);
    }
    let mut out = Vec::new();
    for root in roots {
        cut(ground, &errors, tolerance_m, root, &mut out);
    }
    out
}

#[test]
fn a_thousand_tiles_keep_their_tolerance_and_martini_does_not() {
    let tiles = if is_long() { 1000 } else { 200 };
    let (mut over, mut over_at_samples, mut worst) = (0, 0, 0.0f64);
    let mut random = Random(2024);
    for tile in 0..tiles {
        let cells = [16, 32, 64][tile % 3];
        // Kinds that are not flat.
        let ground = Ground::new(2 + tile % (KINDS.len() - 2), cells, 1000 + tile as u64);
        let tolerance_m = [0.05, 0.5, 1.0, 3.0][random.below(4) as usize] * (1.0 + random.signed().abs());
        let (mesh, triangles) = build(&ground, tolerance_m, 0);
        assert!(mesh.error_exact_m <= tolerance_m);
        let (truth, at) = ground.distance(&triangles);
        assert!(truth == mesh.error_exact_m, "tile {tile}, {}: {truth} at {at:?}, {mesh:?}", ground.name);

        let theirs = martini(&ground, tolerance_m);
        let (distance, _) = ground.distance(&theirs);
        over += usize::from(distance > tolerance_m);
        over_at_samples += usize::from(ground.distance_at_samples(&theirs) > tolerance_m);
        worst = worst.max(distance / tolerance_m);
    }
    eprintln!(
        "of {tiles} tiles none is over its tolerance; MARTINI's method is over on {over}, on {over_at_samples} of them \
         at samples too, by up to {worst:.1} times"
    );
    assert!(over > tiles / 4 && over_at_samples > tiles / 20, "the tiles are too easy: {over} of {tiles}");
}

/// On ground where every cell bends both ways nothing can be left out: what remains is the template, for every mask.
#[test]
fn with_tolerance_0_rough_ground_gives_the_template() {
    for cells in [2, 4, 16, 64] {
        let templates = IndexTemplates::new(cells as u32);
        for seed in 0..4 {
            let ground = Ground::new(11, cells, seed);
            for mask in 0..MASKS as u8 {
                let (mesh, triangles) = build(&ground, 0.0, mask);
                let template = points(templates.indices(mask), cells as u32, [0, 0], 1);
                assert_eq!(as_set(&triangles), as_set(&template), "{cells} cells, mask {mask:04b}");
                assert!(mask > 0 || mesh.error_exact_m == 0.0);
            }
        }
    }
}

#[test]
fn tolerance_0_is_exact_on_every_ground() {
    for cells in [2, 8, 64] {
        for kind in 0..KINDS.len() {
            let ground = Ground::new(kind, cells, 8);
            let (mesh, triangles) = build(&ground, 0.0, 0);
            assert_eq!((mesh.error_exact_m, ground.distance(&triangles).0), (0.0, 0.0), "{}", ground.name);
        }
    }
}

/// The fewest triangles that border vertices allow: the vertices that must be there, and those without which they
/// cannot.
#[test]
fn flat_ground_has_the_border_and_what_it_needs() {
    for cells in [2i64, 4, 8, 16, 64, 128] {
        for mask in 0..MASKS as u8 {
            let want = fewest_triangles(cells, mask);
            for kind in [0, 1] {
                let ground = Ground::new(kind, cells as usize, 6);
                for tolerance_m in [0.0, 1e9] {
                    let (mesh, _) = build(&ground, tolerance_m, mask);
                    assert_eq!(mesh.triangle_count, want, "{}, {cells} cells, {mask:04b}", ground.name);
                }
            }
        }
    }
    assert_eq!((fewest_triangles(4, 0), fewest_triangles(4, 15)), (24, 8), "drawn on paper");
}

/// Each vertex is in the middle of an edge between two squares or across one; the triangles beside that edge end in
/// two other vertices, which must be there first. Each vertex makes two triangles more, or one on the border.
fn fewest_triangles(cells: i64, mask: u8) -> usize {
    let mut needed = BTreeSet::from([[cells / 2, cells / 2]]);
    let mut open: Vec<Point> = Vec::new();
    for side in 0..4u8 {
        for (vertex, _) in border(cells, side, mask >> side & 1 == 1) {
            if vertex.iter().any(|along| along % cells != 0) {
                open.push(vertex);
            }
        }
    }
    while let Some([x, z]) = open.pop() {
        if !needed.insert([x, z]) {
            continue;
        }
        let scale = 1 << (x | z).trailing_zeros();
        let is_odd = |along: i64| along / scale % 2 == 1;
        let mut ends = [[x, z - scale], [x, z + scale], [x - scale, z], [x + scale, z]].to_vec();
        match (is_odd(x), is_odd(z)) {
            (true, false) => ends.truncate(2),
            (false, true) => ends = ends.split_off(2),
            _ => {
                // Those corners of its square that are centers, or sides' middles, of larger squares.
                ends = [[-1, -1], [1, 1], [-1, 1], [1, -1]]
                    .map(|[i, j]| [x + i * scale, z + j * scale])
                    .to_vec();
                ends.retain(|[x, z]| (x / (2 * scale) + z / (2 * scale)) % 2 == 1);
            }
        }
        let is_inside = |[x, z]: &Point| (0..=cells).contains(x) && (0..=cells).contains(z);
        open.extend(ends.iter().filter(|end| is_inside(end)));
    }
    let is_border = |[x, z]: &&Point| x % cells == 0 || z % cells == 0;
    2 + 2 * needed.len() - needed.iter().filter(is_border).count()
}

#[test]
fn a_larger_tolerance_leaves_vertices_out_and_adds_none() {
    for kind in 0..KINDS.len() {
        for (seed, mask) in [(1, 0), (2, 0b0101), (3, 0b1111)] {
            let ground = Ground::new(kind, 32, seed);
            let mut before: Option<(usize, BTreeSet<Point>)> = None;
            for tolerance_m in [0.0, 0.01, 0.1, 0.5, 1.0, 2.0, 7.0, 40.0, 1000.0, f64::INFINITY] {
                let (mesh, triangles) = build(&ground, tolerance_m, mask);
                let vertices: BTreeSet<Point> = triangles.into_iter().flatten().collect();
                if let Some((count, more)) = before {
                    assert!(mesh.triangle_count <= count && vertices.is_subset(&more), "{}", ground.name);
                }
                before = Some((mesh.triangle_count, vertices));
            }
        }
    }
}

/// Heights with all 24 bits: sums round in the last bits of an f64. What decides and what certifies round alike, so the
/// certificate keeps the tolerance to the bit, even one that is the error of another mesh; the search rounds otherwise.
#[test]
fn heights_off_any_lattice_keep_the_tolerance_to_the_bit() {
    let mut meshes = 0;
    for seed in 0..if is_long() { 200 } else { 12 } {
        let mut random = Random(seed);
        let mut ground = Ground::new([6, 12, 13][seed as usize % 3], 32, seed);
        for height in &mut ground.heights {
            *height += (0.01 * random.signed()) as f32 / 3.0;
        }
        let stitched = error_exact_m(&ground.heights, 33, 32, 1).expect("good input");
        for mask in [0, 0b0110, 0b1111] {
            let mut tolerance_m = 8.0;
            for _ in 0..12 {
                let (mesh, triangles) = build(&ground, tolerance_m, mask);
                assert!(mesh.error_exact_m <= tolerance_m.max(stitched.of_mask(mask)), "{mesh:?}");
                let difference = mesh.error_exact_m - ground.distance(&triangles).0;
                assert!(difference.abs() < 1e-12, "{difference}: heights are below 100 m");
                meshes += 1;
                let next =
                    if mesh.error_exact_m < tolerance_m { mesh.error_exact_m } else { 0.6 * tolerance_m };
                tolerance_m = next.min(tolerance_m.next_down()).max(0.0);
            }
        }
    }
    eprintln!("{meshes} meshes");
}

/// A tolerance of exactly the error keeps the mesh; the next f64 below does not.
#[test]
fn the_tolerance_itself_is_allowed() {
    let mut ground = Ground::new(0, 16, 1);
    ground.heights.fill(0.0);
    ground.heights[17 * 6 + 7] = 1.0;
    let (rough, _) = build(&ground, 1.0, 0);
    let (fine, _) = build(&ground, 1f64.next_down(), 0);
    assert_eq!((rough.error_exact_m, rough.triangle_count), (1.0, fewest_triangles(16, 0)));
    assert!(fine.error_exact_m < 1.0 && fine.triangle_count > rough.triangle_count);
    // 3 and -1 in turn: 4 apart at samples and in the middle of cells, so it is all or nothing.
    let saddle = Ground::new(7, 16, 1);
    assert_eq!(build(&saddle, 4.0, 0).0.error_exact_m, 4.0);
    let fine = AdaptiveMesh { triangle_count: 2 * 16 * 16, error_exact_m: 0.0 };
    assert_eq!(build(&saddle, 4f64.next_down(), 0).0, fine);
}

/// No triangle is spent on a vertex that the coarser neighbour lacks: its distance stays, whatever is done inside.
#[test]
fn a_vertex_that_a_coarser_neighbour_lacks_costs_nothing() {
    for (mask, at) in [(4, 3), (1, 17 * 3), (8, 17 * 16 + 13), (2, 17 * 13 + 16)] {
        let mut ground = Ground::new(0, 16, 1);
        ground.heights.fill(0.0);
        ground.heights[at] = 50.0;
        let (mesh, _) = build(&ground, 1.0, mask);
        let want = AdaptiveMesh { triangle_count: fewest_triangles(16, mask), error_exact_m: 50.0 };
        assert_eq!(mesh, want, "mask {mask:04b}");
        assert!(build(&ground, 1.0, 0).0.error_exact_m <= 1.0);
    }
}

#[test]
fn neighbours_of_both_kinds_and_levels_meet_without_a_gap() {
    let cells = 16i64;
    let templates = IndexTemplates::new(16);
    for kind in [0, 10, 13] {
        let mine = Ground::new(kind, 16, 1);
        let its = Ground::new(kind, 16, 2);
        for mask in 0..MASKS as u8 {
            let open = open_edges(&build(&mine, 1.0, mask).1).expect("a sheet");
            let template = points(templates.indices(mask), 16, [0, 0], 1);
            assert_eq!(open, open_edges(&template).expect("a sheet"), "borders are the template's");
            for side in 0..4u8 {
                let is_coarse = mask >> side & 1 == 1;
                let stride = if is_coarse { 2 } else { 1 };
                let its_mask = (mask.rotate_left(1) & 15) & !(1 << (side ^ 1));
                let origin = across(cells, side, stride, 0);
                let mut adaptive = Vec::<u16>::new();
                let heights = &its.heights;
                AdaptiveMesher::new()
                    .build(heights, 17, 16, 2.0, its_mask, &mut adaptive)
                    .expect("good input");
                for indices in [&adaptive[..], templates.indices(its_mask)] {
                    let other = open_edges(&points(indices, 16, origin, stride)).expect("a sheet");
                    let shared = border(cells, side, is_coarse);
                    let meets =
                        shared.iter().all(|(a, b)| open.contains(&(*a, *b)) && other.contains(&(*b, *a)));
                    assert!(meets, "mask {mask:04b}, side {side}, beside {its_mask:04b}");
                }
            }
        }
    }
}

#[test]
fn planted_faults_are_found() {
    for mask in 0..MASKS as u8 {
        let ground = Ground::new(13, 16, 3);
        let tolerance_m = 2.0;
        let (mesh, good) = build(&ground, tolerance_m, mask);
        let finds = |mesh, triangles: &[[Point; 3]]| {
            find_mesh_fault(&ground, tolerance_m, mask, mesh, triangles).is_some()
        };
        assert!(!finds(mesh, &good));
        // A crack: a side of another mask. A wrong certificate: the next number.
        assert!(finds(mesh, &build(&ground, tolerance_m, mask ^ 4).1));
        for said in [mesh.error_exact_m.next_up(), mesh.error_exact_m.next_down()] {
            assert!(finds(AdaptiveMesh { error_exact_m: said, ..mesh }, &good));
        }
        for at in [0, good.len() / 2, good.len() - 1] {
            let mut holed = good.clone();
            holed.remove(at);
            assert!(finds(mesh, &holed));
            let mut flipped = good.clone();
            flipped[at].swap(0, 1);
            assert!(finds(mesh, &flipped));
            // Cut in two on one side of an edge only: a vertex in the middle of another triangle's edge.
            if let Some(cut) =
                good.iter().position(|[a, b, _]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) > 1)
            {
                let [a, b, c] = good[cut];
                let middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
                let mut torn = good.clone();
                torn.splice(cut..=cut, [[c, a, middle], [b, c, middle]]);
                assert!(finds(mesh, &torn));
            }
        }
    }
    // Ground that changed after the mesh was made, inside a triangle: further away than allowed.
    let flat = Ground::new(0, 32, 3);
    let (mesh, triangles) = build(&flat, 0.5, 0);
    let mut changed = flat.clone();
    changed.heights[33 * 14 + 13] += 0.75;
    assert!(find_mesh_fault(&changed, 0.5, 0, mesh, &triangles).is_some());
}

#[test]
fn memory_of_the_caller_is_filled_to_the_last_index_or_not_at_all() {
    let ground = Ground::new(13, 32, 5);
    let mut mesher = AdaptiveMesher::new();
    let mut grown = vec![3u16; 7];
    let mesh = mesher.build(&ground.heights, 33, 32, 1.0, 2, &mut grown).expect("good input");
    let mut fixed = vec![u16::MAX; grown.len() + 5];
    assert_eq!(mesher.build_into(&ground.heights, 33, 32, 1.0, 2, &mut fixed), Ok(mesh));
    assert_eq!(fixed[..grown.len()], grown);
    assert!(fixed[grown.len()..].iter().all(|index| *index == u16::MAX), "not beyond");
    let mut short = vec![u16::MAX; grown.len() - 1];
    let (found, expected) = (short.len(), grown.len());
    let refused = mesher.build_into(&ground.heights, 33, 32, 1.0, 2, &mut short);
    assert_eq!(refused, Err(MeshInputError::Capacity { what: "indices", found, expected }));
    assert!(short.iter().all(|index| *index == u16::MAX), "nothing written");
    assert_eq!(
        refused.expect_err("too short").to_string(),
        format!("the memory for indices has room for {found}, {expected} are needed")
    );

    // Compact: the same triangles over fewer vertices.
    let (mut compact, mut vertices) = (grown.clone(), Vec::new());
    mesher.compact(&mut compact, &mut vertices);
    let back: Vec<u16> = compact.iter().map(|index| vertices[usize::from(*index)]).collect();
    assert_eq!(back, grown);
    assert_eq!(vertices.len(), grown.iter().collect::<BTreeSet<_>>().len());
    assert!(vertices.len() < 33 * 33);
}

#[test]
fn the_second_mesh_allocates_nothing() {
    let (first, second) = (Ground::new(11, 64, 1), Ground::new(13, 64, 2));
    let (mut mesher, mut indices, mut vertices) = (AdaptiveMesher::new(), Vec::<u16>::new(), Vec::new());
    let mut build = |ground: &Ground, mask| {
        mesher.build(&ground.heights, 65, 64, 0.0, mask, &mut indices).expect("good input");
        mesher.compact(&mut indices, &mut vertices);
    };
    let begin = allocation_counter::measure(|| build(&first, 0));
    assert!(begin.count_total > 0);
    for mask in 0..MASKS as u8 {
        let again = allocation_counter::measure(|| build(&second, mask));
        assert_eq!(again.count_total, 0, "mask {mask:04b}");
    }
}

#[test]
fn wrong_input_is_named_with_its_numbers() {
    let heights = vec![0.0; 17 * 17];
    let said = |cells, tolerance_m, mask, length: usize| {
        let mut indices = vec![9u16];
        let error = AdaptiveMesher::new()
            .build(&heights[..length], 17, cells, tolerance_m, mask, &mut indices)
            .expect_err("wrong");
        assert_eq!(indices, [9], "untouched");
        error.to_string()
    };
    assert_eq!(
        said(12, 0.0, 0, 289),
        "12 cells a side; an adaptive mesh with u16 takes powers of two from 2 to 128"
    );
    assert_eq!(
        said(256, 0.0, 0, 289),
        "256 cells a side; an adaptive mesh with u16 takes powers of two from 2 to 128"
    );
    assert_eq!(said(16, -0.5, 0, 289), "the tolerance is -0.5 m; it must be 0 or more");
    assert_eq!(said(16, f64::NAN, 0, 289), "the tolerance is NaN m; it must be 0 or more");
    assert_eq!(
        said(16, 0.0, 16, 289),
        "neighbour mask 16 has bits beyond the four sides of a chunk; the largest is 15"
    );
    assert_eq!(
        said(16, 0.0, 0, 288),
        "288 heights do not make 17 rows of 17, 17 apart: at least 289 are needed, and rows that do not overlap"
    );
    let large = AdaptiveMesher::new().build(&heights, 17, 2048, 0.0, 0, &mut Vec::<u32>::new());
    assert_eq!(
        large.expect_err("too large").to_string(),
        "2048 cells a side; an adaptive mesh takes powers of two from 2 to 1024"
    );
}

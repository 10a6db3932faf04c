//! `error_exact_m` equals the largest distance that a plain search over the merged triangulation finds, for every
//! stride and neighbour mask.

mod mesh_kit;

use mesh_kit::ground::{Ground, KINDS, Random};
use mesh_kit::points;
use terrane::mesh::{IndexTemplates, MASKS, MeshError, MeshInputError, error_exact_m};

fn is_long() -> bool {
    std::env::var_os("TERRANE_LONG").is_some()
}

fn measure(ground: &Ground, cells: usize, stride: usize) -> MeshError {
    error_exact_m(&ground.heights, ground.side(), cells, stride).expect("good input")
}

/// The distance of the template's mesh, searched.
fn search(ground: &Ground, templates: &IndexTemplates, stride: usize, mask: u8) -> f64 {
    let triangles = points(templates.indices(mask), templates.cells(), [0, 0], stride as i64);
    ground.distance(&triangles).0
}

/// What is wrong with a measured error. Counts masks of several sides: all, and those where the value is the truth.
fn find_fault(
    ground: &Ground,
    templates: &IndexTemplates,
    stride: usize,
    error: MeshError,
    counts: &mut [u32; 2],
) -> Option<String> {
    for mask in 0..MASKS as u8 {
        let (said, truth) = (error.of_mask(mask), search(ground, templates, stride, mask));
        if mask.count_ones() > 1 {
            counts[0] += 1;
            counts[1] += u32::from(said == truth);
        }
        let is_right = if mask.count_ones() > 1 { said >= truth } else { said == truth };
        if !is_right {
            let (name, cells) = (ground.name, templates.cells());
            return Some(format!(
                "{name}, {cells} cells, stride {stride}, mask {mask:04b}: {said}, not {truth}"
            ));
        }
    }
    None
}

#[test]
fn the_error_is_the_largest_distance_for_all_strides_and_masks() {
    let seeds = if is_long() { 40 } else { 2 };
    let (mut measured, mut counts) = (0, [0, 0]);
    for cells in [2, 4, 16] {
        let templates = IndexTemplates::new(cells);
        for stride in [1, 2, 4, 8] {
            for kind in 0..KINDS.len() {
                for seed in 0..seeds {
                    let ground = Ground::new(kind, cells as usize * stride, seed);
                    let error = measure(&ground, cells as usize, stride);
                    assert_eq!(find_fault(&ground, &templates, stride, error, &mut counts), None);
                    assert!(stride > 1 || error.interior_m == 0.0);
                    measured += 1;
                }
            }
        }
    }
    // Not so strict that masks of several sides were only bounded: nearly all are exact as well.
    assert!(counts[1] * 10 > counts[0] * 9, "{counts:?}");
    eprintln!(
        "{measured} errors; of {} masks of several sides {} exact, none too small",
        counts[0], counts[1]
    );
}

/// The chunks that worlds have, strides up to 32.
#[test]
fn the_error_is_the_largest_distance_for_whole_chunks() {
    for (cells, stride) in [(64, 1), (64, 2), (16, 32), (32, 16), (128, 1)] {
        let templates = IndexTemplates::new(cells);
        let kinds: &[usize] = if is_long() { &[6, 8, 11, 13] } else { &[13] };
        for &kind in kinds {
            let ground = Ground::new(kind, cells as usize * stride, 99);
            let error = measure(&ground, cells as usize, stride);
            assert_eq!(find_fault(&ground, &templates, stride, error, &mut [0, 0]), None);
        }
    }
}

/// Heights with all 24 bits at random exponents: sums round in the last bit of an f64, and the two ways round
/// differently.
#[test]
fn heights_off_any_lattice_differ_by_rounding_only() {
    let templates = IndexTemplates::new(8);
    for seed in 0..20 {
        let mut random = Random(seed);
        let mut ground = Ground::new(0, 32, 0);
        for height in &mut ground.heights {
            let exponent = random.below(40) as f64 - 20.0;
            *height = (random.signed() * exponent.exp2_by_products()) as f32;
        }
        let largest = ground.heights.iter().fold(0.0f64, |most, height| most.max(f64::from(height.abs())));
        let error = measure(&ground, 8, 4);
        for mask in [0, 1, 2, 4, 8] {
            let difference = (error.of_mask(mask) - search(&ground, &templates, 4, mask)).abs();
            assert!(difference <= 8.0 * f64::EPSILON * largest, "mask {mask:04b}: {difference} of {largest}");
        }
    }
}

trait Exp2 {
    fn exp2_by_products(self) -> f64;
}

impl Exp2 for f64 {
    /// For whole numbers.
    fn exp2_by_products(self) -> f64 {
        (0..self.abs() as u32).fold(1.0, |power, _| if self < 0.0 { power / 2.0 } else { power * 2.0 })
    }
}

/// The search itself: against a fine lattice of places in all cells, and against errors worked out by hand.
#[test]
fn the_search_finds_the_largest_distance() {
    let templates = IndexTemplates::new(4);
    for kind in 0..KINDS.len() {
        let ground = Ground::new(kind, 8, 5);
        for mask in 0..MASKS as u8 {
            let triangles = points(templates.indices(mask), 4, [0, 0], 2);
            let (most, at) = ground.distance(&triangles);
            let mut seen: f64 = 0.0;
            for place in 0..65 * 65 {
                let at = [f64::from(place % 65) / 8.0, f64::from(place / 65) / 8.0];
                seen = seen.max(distance_at(&ground, &triangles, at));
            }
            assert!(seen == most, "{}, mask {mask:04b}: {seen}, searched {most} at {at:?}", ground.name);
        }
    }
    // A saddle in the cell beside the moved vertex: ground 1 in the middle, where the mesh is at 0.
    let mut ground = Ground::new(0, 2, 0);
    ground.heights = vec![0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let templates = IndexTemplates::new(2);
    let error = measure(&ground, 2, 1);
    assert_eq!(error, MeshError { interior_m: 0.0, sides_m: [1.0, 0.0, 1.0, 0.0] });
    assert_eq!(search(&ground, &templates, 1, 4), 1.0);
    // Without the vertices' own deviation only the cell's center is left.
    ground.heights[2] = 2.0;
    assert_eq!(measure(&ground, 2, 1).sides_m[2], 1.0);
}

/// By looking for the triangle over a place.
fn distance_at(ground: &Ground, triangles: &[[[i64; 2]; 3]], at: [f64; 2]) -> f64 {
    for corners in triangles {
        let [a, b, c] = corners.map(|[x, z]| [x as f64, z as f64]);
        let area = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
            (q[1] - p[1]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[1] - p[1])
        };
        let weights = [area(at, b, c), area(a, at, c), area(a, b, at)];
        if weights.iter().all(|weight| *weight >= 0.0) {
            let heights = corners.map(|corner| ground.at(corner));
            let sum: f64 = (0..3).map(|i| weights[i] * heights[i]).sum();
            return (ground.height(at) - sum / area(a, b, c)).abs();
        }
    }
    panic!("no triangle over {at:?}");
}

#[test]
fn planted_faults_are_found() {
    for (cells, stride) in [(4, 1), (4, 4), (16, 2)] {
        let templates = IndexTemplates::new(cells);
        let ground = Ground::new(11, cells as usize * stride, 7);
        let good = measure(&ground, cells as usize, stride);
        let finds = |error| find_fault(&ground, &templates, stride, error, &mut [0, 0]).is_some();
        assert!(!finds(good));
        // The last bit, each value; one side's for another's.
        for side in 0..4 {
            for other in [good.sides_m[side].next_up(), good.sides_m[side].next_down()] {
                let mut bad = good;
                bad.sides_m[side] = other;
                assert!(finds(bad));
            }
            let mut swapped = good;
            swapped.sides_m.swap(side, side ^ 1);
            assert!(finds(swapped) || good.sides_m[side] == good.sides_m[side ^ 1]);
        }
        assert!(finds(MeshError { interior_m: good.interior_m.next_up(), ..good }));
    }
    // Another diagonal is another mesh: in a saddle of 3 and -1 they are 4 apart in the middle.
    let ground = Ground::new(7, 4, 1);
    let mut triangles = points(IndexTemplates::new(4).indices(0), 4, [0, 0], 1);
    assert_eq!(ground.distance(&triangles).0, 0.0);
    let ([a, b, d], [_, _, c]) = (triangles[0], triangles[1]);
    triangles[..2].copy_from_slice(&[[a, b, c], [a, c, d]]);
    assert_eq!(ground.distance(&triangles), (4.0, [0.5, 0.5]));
}

/// Level 0 reads the two outermost rows and columns, and nothing else; padding between rows is never read.
#[test]
fn level_0_reads_the_border_strip_only() {
    let cells = 16;
    let ground = Ground::new(11, cells, 3);
    let want = measure(&ground, cells, 1);
    let row_stride = cells + 9;
    let mut spaced = vec![f32::NAN; row_stride * cells + cells + 1];
    let mut strip = spaced.clone();
    for z in 0..=cells {
        for x in 0..=cells {
            let height = ground.heights[z * (cells + 1) + x];
            spaced[z * row_stride + x] = height;
            if x < 2 || z < 2 || x + 1 >= cells || z + 1 >= cells {
                strip[z * row_stride + x] = height;
            }
        }
    }
    assert_eq!(error_exact_m(&spaced, row_stride, cells, 1), Ok(want));
    assert_eq!(error_exact_m(&strip, row_stride, cells, 1), Ok(want));
    assert_eq!(error_exact_m(&spaced, row_stride, cells / 4, 4), Ok(measure(&ground, cells / 4, 4)));
}

#[test]
fn wrong_input_is_named_with_its_numbers() {
    let heights = [0.0; 25];
    let said = |cells, stride, row_stride, length| {
        error_exact_m(&heights[..length], row_stride, cells, stride).expect_err("wrong").to_string()
    };
    assert_eq!(said(3, 1, 5, 25), "3 cells a side; the error of a level takes even numbers from 2 to 4096");
    assert_eq!(said(0, 1, 5, 25), "0 cells a side; the error of a level takes even numbers from 2 to 4096");
    assert_eq!(said(4, 3, 5, 25), "a stride of 3 samples; powers of two from 1 to 65536 nest");
    assert_eq!(
        said(4, 1, 5, 24),
        "24 heights do not make 5 rows of 5, 5 apart: at least 25 are needed, and rows that do not overlap"
    );
    assert!(matches!(
        error_exact_m(&heights, 4, 2, 2),
        Err(MeshInputError::Heights { found: 25, side: 5, row_stride: 4, expected: 21 })
    ));
    assert!(error_exact_m(&heights, usize::MAX, 2, 2).is_err());
}

#[test]
#[should_panic(expected = "mask 16 has bits beyond the four sides")]
fn a_mask_of_more_than_four_sides_is_a_bug() {
    let _ = MeshError::default().of_mask(16);
}

//! What the tests of meshes share: whether triangles make a closed sheet with the right border, and ([`ground`]) how
//! far they lie from the ground.
#![allow(dead_code)] // each test uses its part

pub(crate) mod ground;

use std::collections::{BTreeMap, BTreeSet};

/// A sample of the finest level: x, z.
pub(crate) type Point = [i64; 2];
pub(crate) type Edge = (Point, Point);

/// A chunk's triangles as points in samples of the finest level: `stride` apart, from `origin`.
pub(crate) fn points<I: Copy + Into<u32>>(
    indices: &[I],
    cells: u32,
    origin: Point,
    stride: i64,
) -> Vec<[Point; 3]> {
    let side = i64::from(cells) + 1;
    let point = |index: I| {
        let index = i64::from(index.into());
        [origin[0] + stride * (index % side), origin[1] + stride * (index / side)]
    };
    indices.chunks(3).map(|corners| [0, 1, 2].map(|i| point(corners[i]))).collect()
}

/// Twice the area, positive for counter-clockwise seen from above (x to the right, z towards the viewer).
pub(crate) fn area([a, b, c]: [Point; 3]) -> i64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// Directed edges that have no partner in the other direction; an error when one is there twice or a triangle is flat.
pub(crate) fn open_edges(triangles: &[[Point; 3]]) -> Result<BTreeSet<Edge>, String> {
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
pub(crate) fn find_fault(cells: i64, mask: u8, triangles: &[[Point; 3]]) -> Option<String> {
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
pub(crate) fn border(cells: i64, side: u8, is_coarse: bool) -> Vec<Edge> {
    let step = if is_coarse { 2 } else { 1 };
    let edge = |along: i64| match side {
        0 => ([0, along], [0, along + step]),
        1 => ([cells, along + step], [cells, along]),
        2 => ([along + step, 0], [along, 0]),
        _ => ([along, cells], [along + step, cells]),
    };
    (0..cells).step_by(step as usize).map(edge).collect()
}

/// Where a neighbour across `side` begins, in samples: one of `stride` times this chunk's size, moved by `shift`
/// along the side.
pub(crate) fn across(cells: i64, side: u8, stride: i64, shift: i64) -> Point {
    let across = if side % 2 == 1 { cells } else { -stride * cells };
    if side < 2 { [across, shift] } else { [shift, across] }
}

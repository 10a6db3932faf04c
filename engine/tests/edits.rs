//! Edits against an oracle that does them sample by sample: chunks of all levels, borders, single positions; refusals
//! that change nothing; clones; memory.

mod kit;
#[path = "kit/naive.rs"]
mod naive;

use kit::{PLACES, build_at, config, finite_config, open};
use naive::{Done, Naive};
use proptest::prelude::*;
use terrane::edits::{
    Brush, BrushShape, EDIT_TILES_DEFAULT, Edit, EditError, EditId, EditOp, EditStore, Edited, SampleRect,
};
use terrane::{ChunkBuffers, ChunkKey, Coord, Position, World};

fn at(x: i64, z: i64) -> Position {
    Position::from_samples([x, z]).expect("in range")
}

fn disc(center: Position, radius_m: f64, falloff_m: f64, op: EditOp) -> Edit {
    Edit { brush: Brush { center, shape: BrushShape::Circle { radius_m }, falloff_m }, op }
}

fn done(edited: &Edited) -> Done {
    Done { touched: edited.touched, clamped: edited.clamped }
}

/// The normal of a chunk's vertex as the documentation says it.
fn normal(naive: &Naive, [x, z]: [i64; 2], stride: i64, spacing_m: f32) -> [u32; 3] {
    let [left, right] = [-stride, stride].map(|d| naive.height([x + d, z]));
    let [above, below] = [-stride, stride].map(|d| naive.height([x, z + d]));
    let (dx, up, dz) = (left - right, 2.0 * (spacing_m * stride as f32), above - below);
    let length = ((dx * dx + up * up) + dz * dz).sqrt();
    [dx / length, up / length, dz / length].map(f32::to_bits)
}

/// A chunk's heights, normals and positions against the oracle.
fn check_chunk(world: &World, naive: &Naive, key: ChunkKey) {
    let chunk = build_at(world, key.lod, key.x, key.z);
    let (view, stride) = (chunk.view(), i64::from(key.stride()));
    let [x, z] = view.origin_sample();
    for (j, i) in (0..view.side()).flat_map(|j| (0..view.side()).map(move |i| (j, i))) {
        let sample = [x + i as i64 * stride, z + j as i64 * stride];
        let want_m = naive.height(sample);
        let vertex = j * view.side() + i;
        assert_eq!(view.heights(j)[i].to_bits(), want_m.to_bits(), "{sample:?} of {key:?}");
        assert_eq!(view.positions()[vertex][1].to_bits(), want_m.to_bits());
        let want = normal(naive, sample, stride, world.sample_spacing_m() as f32);
        assert_eq!(view.normals()[vertex].map(f32::to_bits), want, "normal at {sample:?} of {key:?}");
    }
}

/// The chunks in a range, which must be few.
fn keys(lod: u8, (min, max): ([i64; 2], [i64; 2])) -> Vec<ChunkKey> {
    assert!((max[0] - min[0]) * (max[1] - min[1]) < 500, "{min:?} {max:?}");
    (min[1]..max[1]).flat_map(|z| (min[0]..max[0]).map(move |x| ChunkKey { lod, x, z })).collect()
}

/// Columns of a chunk as bits.
fn bits(chunk: &ChunkBuffers) -> Vec<u32> {
    let view = chunk.view();
    let heights = (0..view.side()).flat_map(|z| view.heights(z)).map(|h| h.to_bits());
    heights.chain(view.normals().iter().flatten().map(|n| n.to_bits())).collect()
}

fn op() -> impl Strategy<Value = EditOp> {
    prop_oneof![
        (0.0..90.0f32).prop_map(|by_m| EditOp::Raise { by_m }),
        (0.0..90.0f32).prop_map(|by_m| EditOp::Lower { by_m }),
        Just(EditOp::Flatten),
        (-60.0..200.0f32).prop_map(|height_m| EditOp::Set { height_m }),
        Just(EditOp::Smooth),
        Just(EditOp::Smooth),
    ]
}

/// An edit within some 60 samples of a place, at a spacing; brushes of 0.3 to 40 samples.
fn edit(place: i64, spacing_m: f64) -> impl Strategy<Value = Edit> {
    let coord = (-60i64..60, prop_oneof![Just(0u16), any::<u16>()]);
    let center = (coord.clone(), coord).prop_map(move |((x, fx), (z, fz))| Position {
        x: Coord { index: place + x, fraction: fx },
        z: Coord { index: place / 3 + z, fraction: fz },
    });
    let size = prop_oneof![0.3..6.0f64, 3.0..40.0f64, (1i32..12).prop_map(f64::from)];
    let falloff = prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0f64];
    (center, size, falloff, any::<bool>(), op()).prop_map(move |(center, size, part, round, op)| {
        let size_m = size * spacing_m;
        let shape = if round {
            BrushShape::Circle { radius_m: size_m }
        } else {
            BrushShape::Square { half_m: size_m }
        };
        Edit { brush: Brush { center, shape, falloff_m: size_m * part }, op }
    })
}

fn long_run() -> u32 {
    std::env::var("TERRANE_LONG").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

fn worlds() -> impl Strategy<Value = (i64, f64, Vec<Edit>)> {
    (0usize..PLACES.len(), prop_oneof![Just(1.0), Just(0.3), Just(7.0)]).prop_flat_map(
        |(place, spacing_m)| {
            let spacing_m = terrane::config::round_spacing_m(spacing_m);
            let edits = proptest::collection::vec(edit(PLACES[place], spacing_m), 1..7);
            (Just(PLACES[place]), Just(spacing_m), edits)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24 * long_run()))]
    #[test]
    fn edits_equal_the_oracle((_, spacing_m, edits) in worlds(), probes in proptest::collection::vec(any::<[u16; 4]>(), 40)) {
        let world = open(config(16, spacing_m));
        let mut naive = Naive::new(open(config(16, spacing_m)));
        let mut rects = Vec::new();
        for (i, edit) in edits.iter().enumerate() {
            let edited = world.edit(edit).expect("a valid edit");
            prop_assert_eq!(edited.id, EditId(i as u64 + 1));
            prop_assert_eq!(done(&edited), naive.edit(edit));
            rects.extend(edited.touched.map(|_| edited));
        }
        for edited in &rects {
            let rect = edited.touched.expect("touched");
            for lod in 0..=4 {
                for key in edited.chunks(lod, 16).map(|range| keys(lod, range)).unwrap_or_default() {
                    check_chunk(&world, &naive, key);
                }
            }
            for [x, z, fx, fz] in &probes {
                let inside = |axis: usize, part: u16| {
                    let width = rect.max[axis] - rect.min[axis] + 3;
                    rect.min[axis] - 1 + i64::from(part) % width
                };
                let position = Position {
                    x: Coord { index: inside(0, *x), fraction: fx & 0xfff0 },
                    z: Coord { index: inside(1, *z), fraction: if fz & 1 == 0 { 0 } else { *fz } },
                };
                prop_assert_eq!(world.height_at(position).to_bits(), naive.surface(position).to_bits());
                let sample = at(position.x.index, position.z.index);
                prop_assert_eq!(world.height_at(sample).to_bits(), naive.height(sample.sample()).to_bits());
                let want = normal(&naive, sample.sample(), 1, spacing_m as f32);
                prop_assert_eq!(world.normal_at(sample).map(f32::to_bits), want);
            }
        }
    }

    #[test]
    fn only_chunks_that_were_named_change((_, spacing_m, edits) in worlds()) {
        let world = open(config(16, spacing_m));
        let plain = open(config(16, spacing_m));
        let edited = world.edit(&edits[0]).expect("a valid edit");
        for lod in 0..=4 {
            let Some((min, max)) = edited.chunks(lod, 16) else {
                continue;
            };
            let around = (min.map(|first| first - 1), max.map(|end| end + 1));
            for key in keys(lod, around) {
                let named = (min[0]..max[0]).contains(&key.x) && (min[1]..max[1]).contains(&key.z);
                let [a, b] = [&world, &plain].map(|world| bits(&build_at(world, key.lod, key.x, key.z)));
                prop_assert!(named || a == b, "{key:?} changed and lies outside {min:?}..{max:?}");
            }
        }
    }

    #[test]
    fn the_range_of_chunks_is_exact(
        low in (-300i64..300, -300i64..300), size in (0i64..40, 0i64..40), lod in 0u8..=5, cells in 4u32..20, far in any::<bool>(),
    ) {
        let far = if far { 1 << 50 } else { 0 };
        let min = [low.0 + far, low.1 + far];
        let rect = SampleRect { min, max: [min[0] + size.0, min[1] + size.1] };
        let edited = Edited { id: EditId(1), touched: Some(rect), clamped: 0 };
        let (stride, cells_i) = (1i64 << lod, i64::from(cells));
        // Which chunks of an axis read a touched sample of the level's grid: by looking at all that could.
        let reads = |axis: usize| -> Vec<i64> {
            let middle = min[axis].div_euclid(stride * cells_i);
            let touched = |sample: i64| (rect.min[axis]..=rect.max[axis]).contains(&sample);
            let reads = |k: &i64| (-2..=cells_i + 2).any(|i| touched((k * cells_i + i) * stride));
            (middle - 15..middle + 15).filter(reads).collect()
        };
        let (x, z) = (reads(0), reads(1));
        let want = (!x.is_empty() && !z.is_empty())
            .then(|| ([x[0], z[0]], [x[x.len() - 1] + 1, z[z.len() - 1] + 1]));
        prop_assert_eq!(edited.chunks(lod, cells), want);
    }
}

#[test]
fn neighbours_agree_on_edited_borders() {
    let world = open(config(16, 1.0));
    for (i, op) in [EditOp::Raise { by_m: 30.0 }, EditOp::Smooth, EditOp::Flatten].into_iter().enumerate() {
        let _ = world.edit(&disc(at(16 + i as i64, 31), 20.0, 9.0, op)).expect("valid");
    }
    for lod in 0..=4u8 {
        for (x, z) in [(0, 1), (0, 0), (-1, 0), (0, -1), (1, 1)] {
            let [a, b] = [build_at(&world, lod, x, z), build_at(&world, lod, x + 1, z)];
            let c = build_at(&world, lod, x, z + 1);
            for i in 0..17 {
                let (a, b, c) = (a.view(), b.view(), c.view());
                assert_eq!(a.heights(i)[16].to_bits(), b.heights(i)[0].to_bits());
                assert_eq!(a.normals()[i * 17 + 16].map(f32::to_bits), b.normals()[i * 17].map(f32::to_bits));
                assert_eq!(a.heights(16)[i].to_bits(), c.heights(0)[i].to_bits());
                assert_eq!(a.normals()[16 * 17 + i].map(f32::to_bits), c.normals()[i].map(f32::to_bits));
            }
        }
    }
}

#[test]
fn many_tiles_and_few_tiles_give_the_same_chunk() {
    // The overlay goes over the pool or over the grid, whichever is less.
    let world = open(config(16, 1.0));
    let mut naive = Naive::new(open(config(16, 1.0)));
    for i in 0..12 {
        let edit = disc(at(i * 70 - 400, i * 41 - 200), 45.0, 20.0, EditOp::Raise { by_m: 9.0 });
        assert_eq!(done(&world.edit(&edit).expect("valid")), naive.edit(&edit));
        for lod in [0, 2, 4, 6, 7] {
            check_chunk(&world, &naive, ChunkKey { lod, x: -1, z: -1 });
            check_chunk(&world, &naive, ChunkKey { lod, x: 0, z: 0 });
        }
    }
    assert!(world.edits().tiles_used() > 60);
}

#[test]
fn a_large_brush_equals_the_oracle() {
    // Over several bands and pieces; smoothing reads across them.
    let world = open(config(16, 1.0));
    let mut naive = Naive::new(open(config(16, 1.0)));
    for op in [EditOp::Lower { by_m: 20.0 }, EditOp::Smooth] {
        let edit = disc(at(-7, 3), 150.5, 150.5, op);
        assert_eq!(done(&world.edit(&edit).expect("valid")), naive.edit(&edit));
    }
    for (sample, height_m) in &naive.overrides {
        assert_eq!(world.height_at(at(sample[0], sample[1])).to_bits(), height_m.to_bits());
    }
}

#[test]
fn the_largest_brush_is_done_and_a_larger_one_refused() {
    let world = open(config(16, 0.5)).with_edit_tiles(5000);
    let half = Coord { index: 1 << 40, fraction: 0x8000 };
    let center = Position { x: half, z: half };
    let edit = |radius_m| {
        let brush = Brush { center, shape: BrushShape::Square { half_m: radius_m }, falloff_m: 0.0 };
        world.edit(&Edit { brush, op: EditOp::Set { height_m: 1.0 } })
    };
    let error = edit(512.001).expect_err("too wide");
    assert!(matches!(error, EditError::TooWide { limit_m: 512.0, .. }), "{error}");
    assert!(error.to_string().contains("2048"), "{error}");
    let rect = edit(512.0).expect("fits").touched.expect("touched");
    assert_eq!([rect.max[0] - rect.min[0], rect.max[1] - rect.min[1]], [2047; 2]);
    assert_eq!(world.height_at(at(rect.max[0], rect.min[1])), 1.0);
    assert_ne!(world.height_at(at(rect.max[0] + 1, rect.min[1])), 1.0);
}

#[test]
fn finite_worlds_end_for_edits_too() {
    let world = open(finite_config(16));
    let mut naive = Naive::new(open(finite_config(16)));
    for (x, z, op) in
        [(-100, -128, EditOp::Set { height_m: 50.0 }), (150, 0, EditOp::Smooth), (0, 132, EditOp::Flatten)]
    {
        let edit = disc(at(x, z), 20.0, 3.0, op);
        assert_eq!(done(&world.edit(&edit).expect("valid")), naive.edit(&edit));
    }
    assert_eq!(world.height_at(at(-101, -128)), -30.0);
    assert_eq!(world.height_at(at(-100, -128)), 50.0);
    let outside = world.edit(&disc(at(1000, 0), 5.0, 0.0, EditOp::Raise { by_m: 1.0 })).expect("valid");
    assert_eq!((outside.touched, outside.id), (None, EditId(4)));
    for key in keys(0, ([-7, -8], [10, 8])) {
        check_chunk(&world, &naive, key);
    }
}

#[test]
fn a_full_pool_leaves_everything_as_it_was() {
    let world = open(config(16, 1.0)).with_edit_tiles(3);
    let set = |x: i64, half_m: f64, height_m: f32| {
        let brush = Brush { center: at(x, 16), shape: BrushShape::Square { half_m }, falloff_m: 0.0 };
        world.edit(&Edit { brush, op: EditOp::Set { height_m } })
    };
    let _ = set(16, 3.0, 5.0).expect("one tile");
    let before = [0, 1, 2, 3].map(|x| bits(&build_at(&world, 0, x, 0)));
    // Nine tiles would change, one of which is there.
    let error = set(48, 40.0, 7.0).expect_err("no room");
    assert_eq!(error, EditError::PoolFull { needed: 8, free: 2, total: 3 });
    for part in ["8 more", "2 of 3"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    assert_eq!([0, 1, 2, 3].map(|x| bits(&build_at(&world, 0, x, 0))), before);
    assert_eq!((world.edits().tiles_used(), world.edits().last_edit()), (1, EditId(1)));
    // The rectangle of a disc meets four tiles, its samples two: counted, not guessed.
    let corner = disc(at(60, 29), 3.5, 0.0, EditOp::Set { height_m: 9.0 });
    assert_eq!(world.edit(&corner).expect("room for what changes").id, EditId(2));
    // Samples that have their height already need no room.
    let full = open(config(16, 1.0)).with_edit_tiles(0);
    let nothing = disc(at(0, 0), 50.0, 0.0, EditOp::Raise { by_m: 0.0 });
    assert_eq!(full.edit(&nothing).expect("nothing to store").touched, None);
    let lift = disc(at(0, 0), 0.5, 0.0, EditOp::Raise { by_m: 1.0 });
    assert_eq!(full.edit(&lift), Err(EditError::PoolFull { needed: 1, free: 0, total: 0 }));
}

#[test]
fn the_height_range_stops_edits_and_says_so() {
    let world = open(config(16, 1.0));
    let square = |op| {
        let brush = Brush { center: at(5, 5), shape: BrushShape::Square { half_m: 2.0 }, falloff_m: 0.0 };
        world.edit(&Edit { brush, op }).expect("valid")
    };
    let up = square(EditOp::Raise { by_m: f32::MAX });
    assert_eq!((up.clamped, world.height_at(at(5, 5))), (25, 160.0));
    let again = square(EditOp::Raise { by_m: 1.0 });
    assert_eq!((again.clamped, again.touched), (25, None), "stopped, and nothing changed");
    let down = square(EditOp::Set { height_m: -f32::MAX });
    assert_eq!((down.clamped, world.height_at(at(3, 7))), (25, -40.0));
    assert_eq!(square(EditOp::Raise { by_m: 10.0 }).clamped, 0);
}

#[test]
fn numbers_that_make_no_sense_name_their_field() {
    let world = open(config(16, 1.0));
    let circle = |radius_m, falloff_m, op| {
        let brush = Brush { center: at(0, 0), shape: BrushShape::Circle { radius_m }, falloff_m };
        world.edit(&Edit { brush, op }).expect_err("nonsense").to_string()
    };
    for radius_m in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        let text = circle(radius_m, 0.0, EditOp::Smooth);
        assert!(text.contains("brush.shape.radius_m") && text.contains("above 0"), "{text}");
    }
    for falloff_m in [f64::NAN, f64::INFINITY, -0.5, 3.1] {
        assert!(circle(3.0, falloff_m, EditOp::Smooth).contains("brush.falloff_m"));
    }
    for by_m in [f32::NAN, f32::INFINITY, -1.0] {
        assert!(circle(3.0, 0.0, EditOp::Raise { by_m }).contains("op.by_m"));
        assert!(circle(3.0, 0.0, EditOp::Lower { by_m }).contains("op.by_m"));
    }
    assert!(circle(3.0, 0.0, EditOp::Set { height_m: f32::NAN }).contains("op.height_m"));
    let nowhere = Position { x: 0.into(), z: (1i64 << 60).into() };
    let error = world.edit(&disc(nowhere, 2.0, 0.0, EditOp::Smooth)).expect_err("out of range");
    assert_eq!(error, EditError::Center { axis: 'z', index: 1 << 60 });
    assert_eq!(world.edits().last_edit(), EditId(0), "refused edits have no number");
}

#[test]
fn the_rim_of_the_addressable_world_can_be_edited() {
    let world = open(config(16, 1.0));
    let last = (1i64 << 60) - 1;
    let edited = world.edit(&disc(at(last, -last), 4.0, 0.0, EditOp::Set { height_m: 3.0 })).expect("valid");
    let rect = edited.touched.expect("touched");
    assert_eq!((rect.min, rect.max), ([last - 4, -last], [last, 4 - last]));
    assert_eq!(world.height_at(at(last, -last)), 3.0);
}

#[test]
fn clones_share_and_fields_and_hashes_stay() {
    let world = open(config(16, 1.0));
    let plain = open(config(16, 1.0));
    let clone = world.clone();
    let _ = clone.edit(&disc(at(3, 3), 6.0, 2.0, EditOp::Set { height_m: 77.0 })).expect("valid");
    assert_eq!(world.height_at(at(3, 3)), 77.0);
    assert_eq!(world.field_at(0, at(3, 3)).to_bits(), plain.field_at(0, at(3, 3)).to_bits());
    assert_eq!(world.world_hash(), plain.world_hash());
    let fresh = world.clone().with_edit_tiles(8);
    assert_eq!(fresh.height_at(at(3, 3)), plain.height_at(at(3, 3)));
    assert_eq!(world.height_at(at(3, 3)), 77.0);
    assert_eq!((world.edits().tiles(), fresh.edits().tiles()), (EDIT_TILES_DEFAULT, 8));
}

#[test]
fn nothing_allocates_after_the_store_is_made() {
    let mut world = open(config(64, 1.0));
    let made = allocation_counter::measure(|| world = world.clone().with_edit_tiles(300));
    let scratch = allocation_counter::measure(|| drop(world.scratch()));
    let config_copy = allocation_counter::measure(|| drop(world.clone()));
    let store_bytes = made.bytes_total - scratch.bytes_total - config_copy.bytes_total;
    let bound = EditStore::bytes_for(300) as u64;
    assert!((bound * 9 / 10..=bound).contains(&store_bytes), "{store_bytes} of {bound}");

    let (mut chunk, mut scratch) = (ChunkBuffers::new(64), world.scratch());
    let edits = [
        EditOp::Raise { by_m: 5.0 },
        EditOp::Smooth,
        EditOp::Flatten,
        EditOp::Lower { by_m: 3.0 },
        EditOp::Set { height_m: 2.0 },
    ];
    let counted = allocation_counter::measure(|| {
        for i in 0..15 {
            let edit = disc(at(i * 40 - 300, i * 9), 70.0, 30.0, edits[i as usize % 5]);
            let _ = world.edit(&edit).expect("valid");
            for lod in 0..5 {
                let key = ChunkKey { lod, x: 0, z: 0 };
                world.build(key, &mut chunk, &mut scratch).expect("in range");
            }
            assert!(world.height_at(at(i, i)).is_finite());
        }
        assert!(world.edit(&disc(at(1 << 30, 0), 1000.0, 0.0, EditOp::Raise { by_m: 1.0 })).is_err());
    });
    assert!(world.edits().tiles_used() > 50);
    assert_eq!(counted.count_total, 0);
}

#[test]
fn readers_see_whole_edits() {
    let world = open(config(16, 1.0)).with_edit_tiles(64);
    let set = |height_m| disc(at(40, 40), 30.0, 0.0, EditOp::Set { height_m });
    let _ = world.edit(&set(0.0)).expect("valid");
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for i in 1..400 {
                let _ = world.edit(&set(i as f32 / 4.0)).expect("valid");
            }
        });
        while !writer.is_finished() {
            let chunk = build_at(&world, 0, 2, 2);
            let first = chunk.view().heights(0)[0];
            assert!((0..17).all(|z| chunk.view().heights(z).iter().all(|height| *height == first)));
        }
    });
}

/// What edits do to the error of coarse chunks is in the bound, also where no vertex of the chunk was moved.
#[test]
fn error_bounds_of_chunks_count_their_edits() {
    let world = open(config(16, 1.0));
    let mut scratch = world.scratch();
    // One sample between coarse vertices, a wide brush over a border, and a hole beside a hill.
    for (x, z, radius_m, op) in [
        (7, 5, 0.2, EditOp::Set { height_m: 160.0 }),
        (64, 70, 20.0, EditOp::Raise { by_m: 12.0 }),
        (-40, -33, 3.0, EditOp::Set { height_m: -40.0 }),
        (-37, -33, 0.2, EditOp::Set { height_m: 160.0 }),
    ] {
        let _ = world.edit(&disc(at(x, z), radius_m, 0.0, op)).expect("room");
    }
    let (mut tight, mut is_needed) = (0.0f64, false);
    for lod in 0..=4u8 {
        for (x, z) in [(0, 0), (1, 1), (-1, -1), (-2, -2), (40, 40)] {
            let key = ChunkKey { lod, x, z };
            let (stride, [x0, z0]) = (i64::from(key.stride()), key.origin(16));
            let side = 16 * stride + 1;
            let heights: Vec<f32> =
                (0..side * side).map(|i| world.height_at(at(x0 + i % side, z0 + i / side))).collect();
            let exact =
                terrane::mesh::error_exact_m(&heights, side as usize, 16, stride as usize).expect("valid");
            let bound_m = world.chunk_error_bound_m(key, &mut scratch);
            assert!(exact.interior_m <= bound_m, "{key:?}: {} m, bound {bound_m} m", exact.interior_m);
            is_needed |= exact.interior_m > world.error_bound_m(lod);
            if (x, z) == (40, 40) {
                assert_eq!(bound_m, world.error_bound_m(lod), "no edit is near");
            } else if lod == 1 {
                tight = tight.max(exact.interior_m / bound_m);
            }
        }
    }
    assert!(is_needed && tight > 0.3, "{is_needed} {tight}");
}

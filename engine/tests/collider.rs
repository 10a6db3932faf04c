//! Decimated colliders: the certificate is the truth, borders are shared, and faults that are planted are found.
#![allow(clippy::disallowed_methods, reason = "grounds of a test: no bits of the library come from here")]

mod kit;

use kit::{build, config, open};
use terrane::collider::merged::{ChunkHeights, MergeError, ViewChunks, WorldChunks, capacity, merge};
use terrane::collider::{CELLS_MAX, ColliderError, Decimation, HeightField, border_line, border_step};
use terrane::{ChunkBuffers, ChunkKey, Position};

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// 0 .. 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The height of a surface over a grid of samples `step` apart, at (x, z) in samples of level 0: plainly, triangle by
/// triangle.
fn surface(samples: &[f32], side: usize, step: usize, x: f64, z: f64) -> f64 {
    let (x, z) = (x / step as f64, z / step as f64);
    let (i, j) = ((x as usize).min(side - 2), (z as usize).min(side - 2));
    let (u, v) = (x - i as f64, z - j as f64);
    let at = |i: usize, j: usize| f64::from(samples[j * side + i]);
    let (b, c) = (at(i + 1, j), at(i, j + 1));
    if u + v <= 1.0 {
        let a = at(i, j);
        a + u * (b - a) + v * (c - a)
    } else {
        let d = at(i + 1, j + 1);
        d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d)
    }
}

/// The largest distance by brute force: at all samples, and at many places of every cell.
fn brute_force(heights: &[f32], side: usize, samples: &[f32], step: usize) -> f64 {
    let coarse = (side - 1) / step + 1;
    let parts = 4;
    let mut error = 0.0f64;
    for z in 0..=(side - 1) * parts {
        for x in 0..=(side - 1) * parts {
            let (x, z) = (x as f64 / parts as f64, z as f64 / parts as f64);
            let (ground, collider) = (surface(heights, side, 1, x, z), surface(samples, coarse, step, x, z));
            error = error.max((ground - collider).abs());
        }
    }
    error
}

/// Grounds that are hard in one way each, and random ones of all roughness.
fn ground(kind: usize, side: usize, random: &mut Random) -> Vec<f32> {
    let cells = side - 1;
    let spot = [random.below(side), random.below(side)];
    let slope = [random.unit() - 0.5, random.unit() - 0.5];
    let scale = 10.0f64.powf(random.unit() * 6.0 - 3.0);
    (0..side * side)
        .map(|i| {
            let (x, z) = (i % side, i / side);
            let (fx, fz) = (x as f64, z as f64);
            let height = match kind {
                0 => fx * slope[0] + fz * slope[1],                    // plane
                1 => f64::from(u8::from([x, z] == spot)) * 50.0,       // spike
                2 => (20.0 - (fx - fz).abs()).max(0.0),                // ridge along the other diagonal
                3 => (20.0 - (fx + fz - cells as f64).abs()).max(0.0), // ridge along ours
                4 => f64::from(u8::from(x > spot[0])) * 100.0,         // cliff
                5 => (fx - cells as f64 / 2.0) * (fz - cells as f64 / 2.0) * slope[0], // saddle
                6 => f64::from((x % 2 * 2 + z % 2 * 3) as u8),         // saddles everywhere
                7 => (fx * 0.2).sin() * 3.0 + (fz * 0.13 + slope[0]).cos() * 2.0,
                8 => (random.unit() - 0.5) * scale,
                9 => 1.0e6 + (random.unit() - 0.5) * 1.0e-1,
                10 => ((fx - fz) * 0.05).sin() * scale + random.unit() * scale * 0.01,
                _ => 7.25,
            };
            height as f32
        })
        .collect()
}

const KINDS: usize = 12;

fn decimate(heights: &[f32], side: usize, tolerance_m: f64) -> (Decimation, Vec<f32>) {
    let field = HeightField::new(heights, side).expect("a square");
    let plan = Decimation::plan(&field, tolerance_m).expect("finite heights");
    let mut samples = vec![f32::NAN; plan.samples()];
    plan.write(&field, &mut samples).expect("memory to its measure");
    (plan, samples)
}

#[test]
fn the_certificate_is_the_largest_distance_and_within_tolerance() {
    let mut random = Random(5);
    let mut steps = [0; 8];
    for round in 0..30 {
        for kind in 0..KINDS {
            let side = [3, 9, 17, 33][round % 4];
            let heights = ground(kind, side, &mut random);
            let tolerance_m = [0.0, 0.01, 0.3, 2.0, 60.0][random.below(5)] * random.unit();
            let (plan, samples) = decimate(&heights, side, tolerance_m);
            let truth = brute_force(&heights, side, &samples, plan.step);
            let rounding = 1e-9 * (1.0 + f64::from(heights[0].abs()));
            assert!((plan.error_exact_m - truth).abs() <= rounding, "kind {kind}: {plan:?}, truly {truth}");
            assert!(plan.error_exact_m <= tolerance_m, "kind {kind}: {plan:?} for {tolerance_m}");
            steps[plan.step.trailing_zeros() as usize] += 1;
        }
    }
    assert!(steps.iter().take(6).all(|&count| count > 0), "steps found: {steps:?}");
}

#[test]
fn the_step_is_the_largest_that_the_rules_allow() {
    let mut random = Random(6);
    for round in 0..40 {
        for kind in 0..KINDS {
            let side = [9, 17][round % 2];
            let heights = ground(kind, side, &mut random);
            let tolerance_m = random.unit() * 3.0;
            let (plan, _) = decimate(&heights, side, tolerance_m);
            let limit = plan.border_steps.into_iter().min().expect("four sides");
            assert!(plan.step <= limit);
            let mut larger = plan.step * 2;
            while larger <= limit {
                // At most the borders' steps it has ground samples on them, or points of their lines.
                let samples = naive(&heights, side, larger, plan.border_steps);
                assert!(brute_force(&heights, side, &samples, larger) > tolerance_m, "{larger} for {plan:?}");
                larger *= 2;
            }
        }
    }
}

/// A decimated field by the definition alone.
fn naive(heights: &[f32], side: usize, step: usize, border_steps: [usize; 4]) -> Vec<f32> {
    let lines: Vec<Vec<f32>> = (0..4)
        .map(|which| {
            let border = border(heights, side, which);
            let mut line = vec![0.0; side];
            border_line(&border, border_steps[which], &mut line);
            line
        })
        .collect();
    let last = side - 1;
    let sample = |x: usize, z: usize| match (x, z) {
        (0, z) => lines[0][z],
        (x, z) if x == last => lines[1][z],
        (x, 0) => lines[2][x],
        (x, z) if z == last => lines[3][x],
        _ => heights[z * side + x],
    };
    (0..side)
        .step_by(step)
        .flat_map(|z| (0..side).step_by(step).map(move |x| (x, z)))
        .map(|(x, z)| sample(x, z))
        .collect()
}

/// -x, +x, -z, +z.
fn border(heights: &[f32], side: usize, which: usize) -> Vec<f32> {
    let last = side - 1;
    let at = |i: usize| match which {
        0 => i * side,
        1 => i * side + last,
        2 => i,
        _ => last * side + i,
    };
    (0..side).map(|i| heights[at(i)]).collect()
}

#[test]
fn samples_are_the_grounds_inside_and_the_lines_on_borders() {
    let mut random = Random(7);
    for round in 0..KINDS * 10 {
        let heights = ground(round % KINDS, 33, &mut random);
        let tolerance_m = random.unit();
        let (plan, samples) = decimate(&heights, 33, tolerance_m);
        let naive = naive(&heights, 33, plan.step, plan.border_steps);
        assert!(samples.iter().zip(&naive).all(|(a, b)| a.to_bits() == b.to_bits()), "{plan:?}");
        for (which, step) in plan.border_steps.into_iter().enumerate() {
            assert_eq!(step, border_step(&border(&heights, 33, which), tolerance_m));
        }
    }
}

/// The largest step whose polyline, without rounding, is within `tolerance_m` of a border.
fn naive_border_step(heights: &[f32], tolerance_m: f64) -> usize {
    let cells = heights.len() - 1;
    let error = |step: usize| {
        let distance = |i: usize| {
            let first = (i / step * step).min(cells - step);
            let [a, b] = [first, first + step].map(|i| f64::from(heights[i]));
            (a + (b - a) * (i - first) as f64 / step as f64 - f64::from(heights[i])).abs()
        };
        (0..=cells).map(distance).fold(0.0, f64::max)
    };
    (0..8)
        .rev()
        .map(|i| 1 << i)
        .find(|&step| step <= cells && error(step) <= tolerance_m)
        .expect("step 1 is exact")
}

#[test]
fn border_steps_are_the_largest_within_tolerance() {
    let mut random = Random(8);
    for round in 0..2000 {
        let roughness = 10.0f64.powf(random.unit() * 4.0 - 3.0);
        let heights: Vec<f32> = (0..65)
            .map(|i| (100.0 + (f64::from(i) * 0.11).sin() * 4.0 + (random.unit() - 0.5) * roughness) as f32)
            .collect();
        let tolerance_m = random.unit() * if round % 2 == 0 { 5.0 } else { 0.2 };
        let step = border_step(&heights, tolerance_m);
        // What the rule sets aside for rounding is less than one in the last place.
        let rounding = f64::from(110.0f32.next_up() - 110.0);
        assert!(step <= naive_border_step(&heights, tolerance_m));
        assert!(step >= naive_border_step(&heights, tolerance_m - rounding) || tolerance_m < rounding);
    }
}

/// A border line as a collider of `step` has it: its samples, straight between them; the height at sample `i` of level
/// 0.
fn along(samples: &[f32], step: usize, i: usize) -> f64 {
    let first = (i / step).min(samples.len() - 2);
    let [a, b] = [samples[first], samples[first + 1]].map(f64::from);
    a + (b - a) * (i - first * step) as f64 / step as f64
}

/// What is wrong between two colliders' borders of 32 cells. At samples of both they must have the same bits, between
/// them be no further apart than `units` in the last place.
fn find_gap(one: (&[f32], usize), other: (&[f32], usize), units: f64) -> Option<String> {
    let coarse = one.1.max(other.1);
    for i in 0..=32 {
        let (a, b) = (along(one.0, one.1, i), along(other.0, other.1, i));
        let allowed = if i % coarse == 0 {
            0.0
        } else {
            units * f64::from((a.abs() as f32).next_up() - a.abs() as f32)
        };
        if (a - b).abs() > allowed {
            return Some(format!("sample {i}: {a} and {b} m, steps {} and {}", one.1, other.1));
        }
    }
    None
}

/// Two chunks of 32 cells with a common border, the first one's `side` (+x or +z). One is rough, so that steps differ.
fn neighbours(random: &mut Random, side: usize, exact: bool) -> [Vec<f32>; 2] {
    let wave = random.unit();
    let shared: Vec<f64> =
        (0..33).map(|i| (f64::from(i) * (0.05 + wave * 0.3)).sin() * 20.0 + 60.0).collect();
    let chunk = |random: &mut Random, first: bool, roughness: f64| -> Vec<f32> {
        let cell = |i: usize| {
            let (x, z) = (i % 33, i / 33);
            let (across, on) = if side == 1 { (x, z) } else { (z, x) };
            let away = if first { 32 - across } else { across };
            let noise = if away == 0 { 0.0 } else { (random.unit() - 0.5) * roughness };
            let height = shared[on] + away as f64 * 0.1 + noise;
            // On a lattice of 2^-10 m points of lines need no rounding.
            let height = if exact { (height * 1024.0).round() / 1024.0 } else { height };
            height as f32
        };
        (0..33 * 33).map(cell).collect()
    };
    let rough = [0.01, 0.3, 3.0, 20.0];
    [true, false].map(|first| {
        let roughness = rough[random.below(4)];
        chunk(random, first, roughness)
    })
}

#[test]
fn neighbours_of_any_steps_have_the_same_border() {
    let mut random = Random(9);
    let (mut different, mut moved) = (0, 0);
    for round in 0..1500 {
        let (side, exact) = ([1, 3][round % 2], round % 4 >= 2);
        let chunks = neighbours(&mut random, side, exact);
        let tolerance_m = [0.02, 0.1, 0.5, 3.0][random.below(4)];
        let [one, other] = chunks.each_ref().map(|heights| decimate(heights, 33, tolerance_m));
        let border_of = |(plan, samples): &(Decimation, Vec<f32>), which| border(samples, plan.side, which);
        let lines = [border_of(&one, side), border_of(&other, side - 1)];
        assert_eq!(one.0.border_steps[side], other.0.border_steps[side - 1], "both find the same step");
        let gap = find_gap((&lines[0], one.0.step), (&lines[1], other.0.step), if exact { 0.0 } else { 1.0 });
        assert_eq!(gap, None, "round {round}");
        different += usize::from(one.0.step != other.0.step);
        moved += usize::from(one.0.step.min(other.0.step) < one.0.border_steps[side]);
    }
    assert!(different > 300, "{different} pairs of different steps");
    assert!(moved > 300, "{moved} pairs with samples that are the line's and not the ground's");
}

#[test]
fn a_border_that_differs_is_found_by_the_same_check() {
    let mut random = Random(10);
    let (mut found, mut pairs) = (0, 0);
    for _ in 0..200 {
        let chunks = neighbours(&mut random, 1, false);
        let [one, other] = chunks.each_ref().map(|heights| decimate(heights, 33, 0.5));
        let lines = [border(&one.1, one.0.side, 1), border(&other.1, other.0.side, 0)];
        if one.0.step == other.0.step {
            continue;
        }
        pairs += 1;
        // Without the border rule the finer one has the ground's own samples.
        let fine = usize::from(other.0.step < one.0.step);
        let mut ground = lines.clone();
        let step = [one.0.step, other.0.step][fine];
        ground[fine] = border(&chunks[fine], 33, 1 - fine).into_iter().step_by(step).collect();
        found += usize::from(find_gap((&ground[0], one.0.step), (&ground[1], other.0.step), 1.0).is_some());
        // One sample off by three in the last place.
        let mut off = lines.clone();
        let sample = &mut off[fine][random.below(lines[fine].len())];
        *sample = sample.next_up().next_up().next_up();
        assert!(find_gap((&off[0], one.0.step), (&off[1], other.0.step), 1.0).is_some());
    }
    assert!(pairs > 40 && found * 10 > pairs * 9, "{found} of {pairs}");
}

#[test]
fn levels_would_not_nest_with_the_other_diagonal() {
    // A ridge along our diagonal: step 2 meets it in every sample and along its diagonals, so the error is 0.
    let ridge: Vec<f32> = (0..17 * 17).map(|i| -((i % 17) as f32 + (i / 17) as f32 - 16.0).abs()).collect();
    let (plan, _) = decimate(&ridge, 17, 0.0);
    assert_eq!((plan.step, plan.error_exact_m), (16, 0.0));
    // Mirrored, it runs across the diagonals, and no step but 1 is exact.
    let mirrored: Vec<f32> = (0..17 * 17).map(|i| ridge[i / 17 * 17 + 16 - i % 17]).collect();
    let (plan, samples) = decimate(&mirrored, 17, 0.9);
    assert_eq!(plan.step, 1);
    assert_eq!(brute_force(&mirrored, 17, &samples, 1), 0.0);
}

#[test]
fn chunks_of_a_world_keep_to_the_tolerance_where_they_are_stood_on() {
    let world = open(config(64, 0.5));
    let mut random = Random(11);
    let mut fewer = 0;
    for (x, z) in [(0, 0), (3, -2), (-1_000_000, 77)] {
        let chunk = build(&world, x, z);
        let view = chunk.view();
        for tolerance_m in [0.0, 0.05, 0.5, 4.0, 12.0] {
            let plan = Decimation::plan(&view, tolerance_m).expect("a chunk");
            let mut samples = vec![0.0; plan.samples()];
            plan.write(&view, &mut samples).expect("memory to its measure");
            fewer += usize::from(plan.step > 1);
            for _ in 0..3000 {
                let [px, pz] =
                    [random.unit() * 64.0, random.unit() * 64.0].map(|p| (p * 65_536.0).floor() / 65_536.0);
                let [ox, oz] = view.origin_sample();
                let at = [px + ox as f64, pz + oz as f64].map(|p| p * 0.5);
                let ground = world.height_at(Position::from_metres(at, 0.5).expect("a position"));
                let collider = surface(&samples, plan.side, plan.step, px, pz);
                // `height_at` interpolates in f32.
                assert!((collider - f64::from(ground)).abs() <= plan.error_exact_m + 4e-5);
            }
        }
    }
    assert!(fewer > 0);
}

#[test]
fn what_is_wrong_is_said_with_its_numbers_and_nothing_is_written() {
    let heights = vec![1.0; 17 * 17];
    let field = HeightField::new(&heights, 17).expect("a square");
    let plan = Decimation::plan(&field, 0.1).expect("flat ground");
    let mut small = [7.0; 3];
    assert_eq!(
        plan.write(&field, &mut small),
        Err(ColliderError::Capacity { what: "a decimated field", found: 3, expected: 4 })
    );
    assert_eq!(small, [7.0; 3]);
    for tolerance_m in [-0.1, f64::NAN] {
        assert!(matches!(Decimation::plan(&field, tolerance_m), Err(ColliderError::Tolerance { .. })));
    }
    // A chunk that keeps no heights is one of 0 by 0 samples.
    let layout = terrane::buffers::ChunkLayout::default().without(terrane::buffers::ColumnKind::Heights);
    let world = open(config(16, 1.0));
    let mut chunk = ChunkBuffers::with_layout(16, layout);
    world.build(ChunkKey { lod: 0, x: 0, z: 0 }, &mut chunk, &mut world.scratch()).expect("a chunk");
    let error = Decimation::plan(&chunk.view(), 1.0).expect_err("no heights");
    assert_eq!(error, ColliderError::Cells { size: [0, 0], chunks: 1, max: CELLS_MAX });
    for side in [1, 2, 4, 16, CELLS_MAX * 2 + 1] {
        let heights = vec![0.0; side * side];
        let field = HeightField::new(&heights, side).expect("a square");
        assert!(matches!(Decimation::plan(&field, 1.0), Err(ColliderError::Cells { .. })), "{side}");
    }
    for bad in [f32::NAN, f32::INFINITY] {
        let mut heights = heights.clone();
        heights[3 * 17 + 5] = bad;
        let field = HeightField::new(&heights, 17).expect("a square");
        let error = Decimation::plan(&field, 1.0).expect_err("no number");
        assert!(error.to_string().starts_with("the height of sample 5, 3 is "), "{error}");
    }
    let error = HeightField::with_stride(&heights, [17, 17], 16).expect_err("rows overlap");
    assert_eq!(
        error.to_string(),
        "289 heights do not make 17 rows of 17, 16 apart: 273 are needed, and rows that do not overlap"
    );
}

#[test]
fn nine_chunks_are_one_field() {
    let world = open(config(16, 1.0));
    for tolerance_m in [0.0, 0.2, 2.0] {
        let middle = ChunkKey { lod: 0, x: -5, z: 9 };
        let mut out = vec![f32::NAN; capacity(16)];
        let plan =
            merge(16, tolerance_m, &mut WorldChunks::new(&world, middle), &mut out).expect("nine chunks");
        let heights: Vec<f32> = (0..49 * 49)
            .map(|i| {
                let sample = [-6 * 16 + (i % 49) as i64, 8 * 16 + (i / 49) as i64];
                world.height_at(Position::from_samples(sample).expect("a sample"))
            })
            .collect();
        let truth = brute_force(&heights, 49, &out[..plan.samples()], plan.step);
        assert!((plan.error_exact_m - truth).abs() < 1e-9 && truth <= tolerance_m, "{plan:?}, truly {truth}");
        // Its outer border is the line that the chunks beyond find by themselves.
        for part in 0..3 {
            let beyond = build(&world, -7, 8 + part as i64);
            let beyond = Decimation::plan(&beyond.view(), tolerance_m).expect("a chunk");
            let ground: Vec<f32> = (0..17).map(|z| heights[(part * 16 + z) * 49]).collect();
            let mut line = [0.0; 17];
            border_line(&ground, beyond.border_steps[1], &mut line);
            for z in (0..=16).step_by(plan.step) {
                let sample = out[(part * 16 + z) / plan.step * plan.side];
                assert_eq!(sample.to_bits(), line[z].to_bits(), "part {part}, sample {z}");
            }
        }
    }
}

#[test]
fn a_merged_field_goes_on_outside_a_finite_world_and_says_which_chunk_is_missing() {
    let world = open(kit::finite_config(64));
    let (min, _) = world.chunk_extent(0).expect("a finite world");
    let corner = ChunkKey { lod: 0, x: min[0], z: min[1] };
    let mut out = vec![f32::NAN; capacity(64)];
    let plan = merge(64, 0.0, &mut WorldChunks::new(&world, corner), &mut out).expect("nine chunks");
    for (x, z) in [(0, 0), (63, 190), (64, 64), (192, 192)] {
        let sample = [(min[0] - 1) * 64 + x, (min[1] - 1) * 64 + z];
        let height = world.height_at(Position::from_samples(sample).expect("a sample"));
        assert_eq!(out[z as usize / plan.step * plan.side + x as usize / plan.step], height);
    }

    struct Hole;
    impl ChunkHeights for Hole {
        type Error = &'static str;
        fn fill(&mut self, offset: [i64; 2], out: &mut [f32], _: usize) -> Result<(), &'static str> {
            out[0] = 0.0;
            if offset == [1, -1] { Err("not there") } else { Ok(()) }
        }
    }
    let error = merge(64, 0.0, &mut Hole, &mut out).expect_err("a hole");
    assert_eq!(error.to_string(), "the chunk at 1, -1 from the middle has no heights: not there");
    let error = merge(64, 0.0, &mut Hole, &mut out[1..]).expect_err("too small");
    assert!(matches!(error, MergeError::Collider(ColliderError::Capacity { expected: 37_249, .. })));
}

#[test]
fn chunks_that_are_there_are_merged_and_wrong_ones_are_named() {
    let world = open(config(16, 1.0));
    let chunks: Vec<ChunkBuffers> = (0..9).map(|i| build(&world, 4 + i % 3, -8 + i / 3)).collect();
    let views: [[_; 3]; 3] = std::array::from_fn(|z| std::array::from_fn(|x| chunks[z * 3 + x].view()));
    let mut memory = [vec![f32::NAN; capacity(16)], vec![f32::NAN; capacity(16)]];
    let middle = ChunkKey { lod: 0, x: 5, z: -7 };
    let built = merge(16, 0.5, &mut WorldChunks::new(&world, middle), &mut memory[0]).expect("nine chunks");
    let from_views = merge(16, 0.5, &mut ViewChunks(views), &mut memory[1]).expect("nine chunks");
    assert_eq!(from_views, built);
    let samples = from_views.samples();
    assert!(memory[0][..samples].iter().zip(&memory[1][..samples]).all(|(a, b)| a.to_bits() == b.to_bits()));

    let mut wrong = views;
    wrong[0].swap(0, 2);
    let error = merge(16, 0.5, &mut ViewChunks(wrong), &mut memory[1]).expect_err("another chunk");
    assert_eq!(
        error.to_string(),
        "the chunk at -1, -1 from the middle has no heights: chunk 4, -8 of level 0 is needed, 6, -8 of level 0 is there"
    );
    let error =
        merge(32, 0.5, &mut ViewChunks(views), &mut vec![0.0; capacity(32)]).expect_err("smaller chunks");
    assert!(error.to_string().ends_with("17 samples a side; 33 are needed"), "{error}");
}

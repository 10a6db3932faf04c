//! One answer: the same heights at every SIMD level, on any number of threads, in any order, for every chunk size,
//! at every place; and position queries agree with chunks to the bit.

mod kit;

use kit::{PLACES, Region, config, finite_config, open, open_at, shuffled};
use terrane::{ChunkBuffers, ChunkKey, Position, Scratch, SimdLevel};

#[test]
fn heights_do_not_depend_on_level_threads_order_or_chunk_size() {
    let levels: Vec<_> = SimdLevel::available().collect();
    println!("levels: {}", levels.iter().map(|l| l.name()).collect::<Vec<_>>().join(", "));
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        assert!(levels.iter().any(|level| level.name() == "avx2"), "AVX2 must be among the levels");
    }
    for place in PLACES {
        // Both a multiple of 128 samples and, thrown in, not of the noise's cells.
        let origin = [place.div_euclid(128) * 128, place.div_euclid(384) * 128];
        let want =
            Region::build(&open_at(config(64, 1.0), SimdLevel::SCALAR), origin, 256, 1, &shuffled(16, 0));
        for level in &levels {
            let got = Region::build(&open_at(config(64, 1.0), *level), origin, 256, 1, &shuffled(16, 1));
            assert!(got == want, "{level} at {origin:?}");
        }
        let world = open(config(64, 1.0));
        for threads in [1, 2, 5] {
            let got = Region::build(&world, origin, 256, threads, &shuffled(16, threads as u64));
            assert!(got == want, "{threads} threads at {origin:?}");
        }
        for cells in [16, 32, 128] {
            let order = shuffled((256 / cells) * (256 / cells), 3);
            let got = Region::build(&open(config(cells as u32, 1.0)), origin, 256, 2, &order);
            assert!(got == want, "chunks of {cells} cells at {origin:?}");
        }
    }
}

#[test]
fn a_single_wrong_bit_is_found() {
    let world = open(config(64, 1.0));
    let want = Region::build(&world, [0, 0], 256, 1, &shuffled(16, 0));
    let mut got = Region::build(&world, [0, 0], 256, 1, &shuffled(16, 0));
    got.bits[77_777 % got.side] ^= 1;
    assert!(got != want);
    let other = open(terrane::WorldConfig { seed: config(64, 1.0).seed ^ 1, ..config(64, 1.0) });
    assert!(Region::build(&other, [0, 0], 256, 1, &shuffled(16, 0)) != want);
}

#[test]
fn positions_have_the_heights_of_chunks() {
    for spacing_m in [0.3, 1.0, 7.0] {
        for (config, place) in
            PLACES.map(|place| (config(64, spacing_m), place)).into_iter().chain([(finite_config(64), 0)])
        {
            let world = open(config);
            let key = ChunkKey { lod: 0, x: place.div_euclid(64), z: place.div_euclid(192) };
            let chunk = kit::build(&world, key.x, key.z);
            let (view, spacing_m) = (chunk.view(), world.sample_spacing_m());
            let [x0, z0] = view.origin_sample();
            for z in 0..view.side() {
                for (x, height) in view.heights(z).iter().enumerate() {
                    let sample = [x0 + x as i64, z0 + z as i64];
                    let at = Position::from_samples(sample).expect("in range");
                    assert_eq!(
                        world.height_at(at).to_bits(),
                        height.to_bits(),
                        "{sample:?} at {spacing_m} m"
                    );
                    assert_eq!(world.normal_at(at), view.normals()[z * view.side() + x], "{sample:?}");
                    let metres = sample.map(|index| index as f64 * spacing_m);
                    if place.abs() < 1 << 34 {
                        assert_eq!(Position::from_metres(metres, spacing_m), Ok(at));
                    }
                }
            }
        }
    }
}

#[test]
fn between_samples_the_ground_is_the_triangulated_surface() {
    let world = open(config(16, 1.0));
    let at =
        |x: f64, z: f64| f64::from(world.height_at(Position::from_metres([x, z], 1.0).expect("in range")));
    for (x, z) in [(3.0, 5.0), (-8.0, 2.0), (100.0, -77.0)] {
        let [h00, h10, h01, h11] = [at(x, z), at(x + 1.0, z), at(x, z + 1.0), at(x + 1.0, z + 1.0)];
        // The diagonal runs from (0, 1) to (1, 0).
        assert!((at(x + 0.5, z + 0.5) - (h10 + h01) / 2.0).abs() < 1e-4);
        assert!((at(x + 0.25, z + 0.25) - (h00 + (h10 - h00) / 4.0 + (h01 - h00) / 4.0)).abs() < 1e-4);
        assert!((at(x + 0.75, z + 0.75) - (h11 + (h01 - h11) / 4.0 + (h10 - h11) / 4.0)).abs() < 1e-4);
        let normal = world.normal_at(Position::from_metres([x + 0.3, z + 0.4], 1.0).expect("in range"));
        assert!((normal.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn coarse_chunks_have_the_heights_of_fine_ones() {
    let world = open(config(32, 1.0));
    let (mut coarse, mut scratch) = (ChunkBuffers::new(32), Scratch::new());
    for lod in 1..=10 {
        world.build(ChunkKey { lod, x: -1, z: 2 }, &mut coarse, &mut scratch).expect("in range");
        let view = coarse.view();
        let [x0, z0] = view.origin_sample();
        for z in 0..view.side() {
            for (x, height) in view.heights(z).iter().enumerate() {
                let sample = [x0 + ((x as i64) << lod), z0 + ((z as i64) << lod)];
                let at = Position::from_samples(sample).expect("in range");
                assert_eq!(world.height_at(at).to_bits(), height.to_bits(), "level {lod}, {sample:?}");
            }
        }
    }
}

#[test]
fn heights_stay_in_the_range_of_the_world() {
    let world = open(config(64, 1.0));
    let region = Region::build(&world, [-512, 512], 512, 2, &shuffled(64, 4));
    assert!(region.bits.iter().all(|bits| (-40.0..=160.0).contains(&f32::from_bits(*bits))));
}

#[test]
fn a_finite_world_ends_at_its_floor() {
    let world = open(finite_config(64));
    let at = |x, z| world.height_at(Position::from_samples([x, z]).expect("in range"));
    for i in -300..300 {
        for (x, z) in [(-100, i), (156, i), (i, -128), (i, 128), (-101, i), (i, 5000), (1 << 50, i)] {
            assert_eq!(at(x, z), -30.0, "({x}, {z})");
        }
    }
    // Far inside, the falloff changes nothing.
    let endless = open(config(64, 1.0));
    for (x, z) in [(0, 0), (20, 30), (90, -60)] {
        assert_eq!(at(x, z), endless.height_at(Position::from_samples([x, z]).expect("in range")));
    }
    // Chunks that touch the world exist, others do not.
    assert_eq!(world.chunk_extent(0), Some(([-2, -2], [3, 2])));
    let mut chunk = ChunkBuffers::new(64);
    let outside = world.build(ChunkKey { lod: 0, x: 3, z: 0 }, &mut chunk, &mut Scratch::new()).unwrap_err();
    let message =
        "chunk (3, 0) at level 0 lies outside the world: its chunks at this level are x -2..3, z -2..2";
    assert_eq!(outside.to_string(), message);
}

#[test]
fn the_last_chunks_of_the_address_space_can_be_built() {
    for cells in [16, 128] {
        let world = open(config(cells, 1.0));
        for lod in [0, 7, 24] {
            let side = i64::from(cells) << lod;
            let last = terrane::SAMPLE_LIMIT / side - 3;
            for (x, z) in [(last, -last), (-last, last)] {
                let chunk = kit::build_at(&world, lod, x, z);
                let at = Position::from_samples([x * side, z * side]).expect("in range");
                assert_eq!(chunk.view().heights(0)[0].to_bits(), world.height_at(at).to_bits());
            }
            let mut chunk = ChunkBuffers::new(cells);
            let beyond = ChunkKey { lod, x: last + 4, z: 0 };
            assert!(world.build(beyond, &mut chunk, &mut Scratch::new()).is_err());
        }
    }
}

#[test]
fn building_chunks_allocates_nothing() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(counted.count_total, 1, "the counter does not count");
    let world = open(config(64, 1.0));
    let (mut chunk, mut scratch) = (ChunkBuffers::new(64), world.scratch());
    let counted = allocation_counter::measure(|| {
        for lod in 0..9 {
            for x in -2..2 {
                world.build(ChunkKey { lod, x, z: 3 }, &mut chunk, &mut scratch).expect("in range");
            }
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

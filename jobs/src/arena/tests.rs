use std::ops::Range;

use proptest::prelude::*;

use super::{Arena, ArenaFull};

#[test]
fn slices_start_on_a_line_and_hold_defaults() {
    let mut arena = Arena::new(100_000);
    for round in 0..3_u8 {
        for len in [0, 1, 15, 64, 67, 1000] {
            let bytes = arena.try_slice::<u8>(len).expect("there is room");
            assert!(bytes.iter().all(|&byte| byte == 0), "what an earlier round wrote");
            bytes.fill(round + 1);
            assert_eq!(bytes.as_ptr().addr() % 64, 0);
            arena.try_alloc(0x5A_u8).expect("there is room");
            let vectors = arena.try_slice::<[f32; 3]>(len).expect("there is room");
            assert!(vectors.iter().all(|&vector| vector == [0.0; 3]));
            vectors.fill([1.0; 3]);
            assert_eq!(vectors.as_ptr().addr() % 64, 0);
            assert_eq!(bytes, vec![round + 1; len], "two slices overlap");
        }
        arena.reset();
    }
}

#[test]
fn the_whole_limit_can_be_used_and_not_a_byte_more() {
    // 448, 960, 4032 and 8128 are what bumpalo gives without a byte to spare.
    for limit_bytes in [0, 1, 64, 448, 500, 512, 960, 4032, 4096, 8128, 65_536, 1_000_001] {
        let mut arena = Arena::new(limit_bytes);
        let limit = arena.limit_bytes();
        assert!((limit_bytes..limit_bytes + 64).contains(&limit));
        assert!((limit..=limit + 8192).contains(&arena.allocated_bytes()), "{}", arena.allocated_bytes());
        for _ in 0..2 {
            while arena.used_bytes() < limit {
                arena.try_slice::<u8>(33).expect("a line is left");
            }
            let refusal = ArenaFull { asked_bytes: 1, left_bytes: 0, limit_bytes: limit };
            assert_eq!(arena.try_slice::<u8>(1).map(|_| ()), Err(refusal));
            assert_eq!(arena.try_alloc(1_u8).map(|_| ()), Err(refusal));
            arena.try_slice::<u8>(0).expect("nothing takes nothing");
            arena.try_slice::<()>(usize::MAX).expect("nothing takes nothing");
            arena.try_alloc(()).expect("nothing takes nothing");
            arena.reset();
            assert_eq!((arena.used_bytes(), arena.high_water_bytes()), (0, limit));
        }
        if limit > 0 {
            assert_eq!(arena.try_slice::<u8>(limit).expect("it is empty").len(), limit);
        }
    }
}

#[test]
fn a_refusal_says_what_was_asked_and_what_is_left_from_the_boundary() {
    let arena = Arena::new(256);
    arena.try_alloc(1_u8).expect("there is room");
    let refusal = arena.try_slice::<u16>(97).unwrap_err();
    assert_eq!(refusal, ArenaFull { asked_bytes: 194, left_bytes: 192, limit_bytes: 256 });
    assert_eq!(refusal.to_string(), "the arena is full: 194 bytes asked, 192 left of 256");
    let refusal = arena.try_slice::<u64>(usize::MAX).unwrap_err();
    assert_eq!(refusal, ArenaFull { asked_bytes: usize::MAX, left_bytes: 192, limit_bytes: 256 });
    assert_eq!(arena.used_bytes(), 1, "a refusal takes nothing");
    arena.try_slice::<u16>(96).expect("exactly what is left");
}

#[test]
fn an_arena_goes_to_its_worker() {
    let mut arena = Arena::new(1000);
    let high_water_bytes = std::thread::spawn(move || {
        arena.try_slice::<f32>(100).expect("there is room").fill(1.0);
        arena.reset();
        arena.high_water_bytes()
    });
    assert_eq!(high_water_bytes.join().expect("no panic"), 448);
}

#[test]
#[should_panic(expected = "the system gives no such memory")]
fn a_limit_beyond_the_address_space_is_refused() {
    let _ = Arena::new(usize::MAX - 10);
}

#[derive(Clone, Debug)]
enum Op {
    Bytes(usize),
    Halves(usize),
    Vectors(usize),
    One8,
    One64,
    OneLine,
    Reset,
}

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(#[expect(dead_code, reason = "only its size counts")] [u8; 64]);

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        3 => (0_usize..700).prop_map(Op::Bytes),
        3 => (0_usize..300).prop_map(Op::Halves),
        2 => (0_usize..90).prop_map(Op::Vectors),
        2 => Just(Op::One8),
        2 => Just(Op::One64),
        1 => Just(Op::OneLine),
        1 => Just(Op::Reset),
    ];
    proptest::collection::vec(op, 1..60)
}

/// Does what `op` asks for: how many bytes, on which boundary, and the addresses that came.
fn request(arena: &Arena, op: &Op) -> (usize, usize, Result<Range<usize>, ArenaFull>) {
    fn range_of<T: ?Sized>(value: &mut T) -> Range<usize> {
        let start = std::ptr::from_ref(value).cast::<u8>().addr();
        start..start + size_of_val(value)
    }
    match *op {
        Op::Bytes(len) => (len, 64, arena.try_slice::<u8>(len).map(range_of)),
        Op::Halves(len) => (len * 2, 64, arena.try_slice::<u16>(len).map(range_of)),
        Op::Vectors(len) => (len * 12, 64, arena.try_slice::<[f32; 3]>(len).map(range_of)),
        Op::One8 => (1, 1, arena.try_alloc(7_u8).map(range_of)),
        Op::One64 => (8, 8, arena.try_alloc(7_u64).map(range_of)),
        Op::OneLine => (64, 64, arena.try_alloc(Line([0; 64])).map(range_of)),
        Op::Reset => unreachable!("a reset asks for nothing"),
    }
}

proptest! {
    /// Sizes alone decide what fits: two arenas at other addresses do as the arithmetic says, and share no byte.
    #[test]
    fn sequences_of_requests_follow_the_arithmetic(ops in ops(), limit_bytes in 0_usize..5000) {
        let mut arenas = [Arena::new(limit_bytes), Arena::new(limit_bytes)];
        for arena in &mut arenas {
            let limit = arena.limit_bytes();
            let (mut used, mut highest) = (0_usize, 0_usize);
            let mut taken: Vec<Range<usize>> = Vec::new();
            for op in &ops {
                if matches!(op, Op::Reset) {
                    arena.reset();
                    (used, taken) = (0, Vec::new());
                    continue;
                }
                let (asked, align, got) = request(arena, op);
                let start = used.next_multiple_of(align);
                match got {
                    Ok(got) => {
                        prop_assert!(asked == 0 || start + asked <= limit, "more than the limit");
                        prop_assert_eq!((got.len(), got.start % align), (asked, 0));
                        let apart = |other: &Range<usize>| got.end <= other.start || other.end <= got.start;
                        prop_assert!(taken.iter().all(apart), "shared bytes");
                        if asked > 0 {
                            used = start + asked.next_multiple_of(align);
                            taken.push(got);
                        }
                    }
                    Err(refusal) => {
                        let left_bytes = limit - start;
                        prop_assert_eq!(refusal, ArenaFull { asked_bytes: asked, left_bytes, limit_bytes: limit });
                        prop_assert!(asked > left_bytes, "it would have fitted");
                    }
                }
                highest = highest.max(used);
                prop_assert_eq!((arena.used_bytes(), arena.high_water_bytes()), (used, highest));
            }
        }
    }
}

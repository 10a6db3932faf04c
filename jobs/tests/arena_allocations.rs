//! An arena takes its memory when it is made and gives it back when it drops: nothing between allocates or frees.
#![cfg(not(any(loom, shuttle)))]

use std::hint::black_box;

use allocation_counter::measure;
use terrane_jobs::Arena;

/// Numbers that look random, without memory.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Jobs of a few requests each, some of which are refused; returns how many were given and how many refused.
fn run(arena: &mut Arena, rounds: usize, seed: u64) -> [usize; 2] {
    let (mut state, mut outcomes) = (seed, [0, 0]);
    for _ in 0..rounds {
        for _ in 0..next(&mut state) % 12 {
            let len = next(&mut state) % 3000;
            let given = match next(&mut state) % 6 {
                0 => arena.try_slice::<u8>(len).map(|slice| slice.fill(1)).is_ok(),
                1 => arena.try_slice::<f32>(len).map(|slice| slice.fill(1.0)).is_ok(),
                2 => arena.try_slice::<[f32; 3]>(len).map(|slice| slice.fill([1.0; 3])).is_ok(),
                3 => arena.try_alloc(1_u64).map(|value| *black_box(value)).is_ok(),
                4 => arena.try_alloc([1_u8; 100]).map(|value| value[0]).is_ok(),
                // Sizes that fit no arena, and one that is no size.
                _ => arena.try_slice::<u64>(usize::MAX >> (next(&mut state) % 40)).is_ok(),
            };
            outcomes[usize::from(!given)] += 1;
        }
        arena.reset();
    }
    outcomes
}

#[test]
fn nothing_allocates_or_frees_between_new_and_drop() {
    // The counter counts allocations, and the balance shows what is freed.
    let both = measure(|| drop(black_box(Box::new(1))));
    assert_eq!((both.count_total, both.count_current), (1, 0), "the counter does not count");
    let boxed = black_box(Box::new(1));
    let freed = measure(|| drop(boxed));
    assert_eq!((freed.count_total, freed.count_current), (0, -1), "the counter does not see what is freed");

    for limit_bytes in [0, 64, 5_000, 16_384, 100_000] {
        let mut arena = None;
        let made = measure(|| arena = Some(Arena::new(limit_bytes)));
        let mut arena = arena.expect("just made");
        assert_eq!((made.count_total, made.bytes_total), (1, arena.allocated_bytes() as u64), "one chunk");

        let mut outcomes = [0, 0];
        let counted = measure(|| outcomes = run(&mut arena, 5_000, limit_bytes as u64));
        assert_eq!((counted.count_total, counted.count_current), (0, 0), "{limit_bytes}: {counted:?}");
        let [given, refused] = outcomes;
        assert!(refused > 500 && (given > 500 || limit_bytes == 0), "{limit_bytes}: {outcomes:?}");
        assert!(arena.high_water_bytes() >= arena.limit_bytes() / 2);

        let dropped = measure(|| drop(arena));
        assert_eq!((dropped.count_total, dropped.count_current), (0, -1));
    }
}

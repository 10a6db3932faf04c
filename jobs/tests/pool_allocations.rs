//! A pool makes its slots when it is made: nothing that is done with them after it allocates or frees.
#![cfg(not(any(loom, shuttle)))]

use std::hint::black_box;

use allocation_counter::measure;
use terrane_jobs::{Column, Pool};

fn use_slots(pool: &Pool<Column<u32>>, rounds: u32) {
    for round in 0..rounds {
        let Some(mut unique) = pool.try_take() else { continue };
        unique.as_mut_slice()[0] = round;
        let id = unique.id();
        let shared = unique.freeze();
        let (second, other_name) = (shared.clone(), pool.clone());
        let shared = shared.try_unfreeze().expect_err("there are two");
        assert!(other_name.is_live(id));
        drop(shared);
        let mut unique = second.try_unfreeze().expect("there is one");
        unique.as_mut_slice()[1] = round;
        black_box((pool.free(), pool.in_use(), pool.high_water()));
    }
}

#[test]
fn nothing_allocates_after_new() {
    let both = measure(|| drop(black_box(Box::new(1))));
    assert_eq!((both.count_total, both.count_current), (1, 0), "the counter does not count");
    let mut pool = None;
    let made = measure(|| pool = Some(Pool::new(3, |_| Column::new(100))));
    assert!(made.count_total > 3, "the columns at least: {made:?}");
    let pool = pool.expect("just made");

    let counted = measure(|| use_slots(&pool, 10_000));
    assert_eq!((counted.count_total, counted.count_current), (0, 0), "{counted:?}");
    // Full, so that takes are refused; and with other threads, each of which counts its own.
    let held = [(); 2].map(|()| pool.try_take());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let counted = measure(|| use_slots(&pool, 10_000));
                assert_eq!((counted.count_total, counted.count_current), (0, 0), "{counted:?}");
            });
        }
    });
    drop(held);
    assert_eq!((pool.free(), pool.high_water()), (3, 3));

    let dropped = measure(|| drop(pool));
    assert_eq!(dropped.count_current, -made.count_current, "all that was made is freed");
}

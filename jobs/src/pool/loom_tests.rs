//! The pool under every interleaving of its threads, and every value that an atomic may show to them. To run:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p terrane-jobs --release --lib loom
//! ```
//!
//! Loom watches each slot's cell: a read or write that is not ordered after the last write, or a write that is not
//! ordered after all reads, fails the test wherever an interleaving has it. `LOOM_LOG=1` and `LOOM_LOCATION=1` tell
//! where.

use std::sync::atomic::{AtomicUsize as Count, Ordering as Counting};

use loom::thread;

use super::{Pool, Shared, Unique};
use crate::sync::Arc;

/// Runs `model` under every interleaving and says how many there were.
fn explore(name: &str, model: impl Fn() + Send + Sync + 'static) {
    let executions = std::sync::Arc::new(Count::new(0));
    let counter = std::sync::Arc::clone(&executions);
    loom::model(move || {
        counter.fetch_add(1, Counting::Relaxed);
        model();
    });
    println!("{name}: {} executions", executions.load(Counting::Relaxed));
}

fn pool(capacity: usize) -> Pool<u32> {
    Pool::new(capacity, |_| 0)
}

fn take(pool: &Pool<u32>, content: u32) -> Unique<u32> {
    let mut unique = pool.try_take().expect("one is free");
    *unique = content;
    unique
}

/// Two readers drop at any time: one of them, and one only, gives the slot back, and whoever takes it then may
/// write.
#[test]
fn loom_a_slot_returns_once_whoever_drops_last() {
    explore("returns once", || {
        let pool = pool(1);
        let shared = take(&pool, 7).freeze();
        let id = shared.id();
        let other = shared.clone();
        let reader = thread::spawn(move || {
            assert_eq!(*other, 7);
            drop(other);
        });
        assert_eq!(*shared, 7);
        assert!(pool.is_live(id));
        drop(shared);
        reader.join().unwrap();
        assert_eq!((pool.free(), pool.is_live(id), pool.high_water()), (1, false, 1));
        let again = take(&pool, 8);
        assert_eq!((again.id().index, again.id().generation), (0, 1));
        assert!(pool.try_take().is_none(), "it returned twice");
    });
}

/// The next taker writes as soon as it gets the slot, without any other order between it and the readers.
#[test]
fn loom_the_next_taker_sees_no_reader() {
    explore("next taker", || {
        let pool = pool(1);
        let shared = take(&pool, 7).freeze();
        let other = shared.clone();
        let reader = thread::spawn(move || {
            assert_eq!(*other, 7);
        });
        assert_eq!(*shared, 7);
        drop(shared);
        if let Some(mut unique) = pool.try_take() {
            assert_eq!(*unique, 7, "what the last user left");
            *unique = 8;
        }
        reader.join().unwrap();
        assert_eq!(pool.free(), 1);
    });
}

/// A taker on a third thread: the slot comes to it through the free list alone.
#[test]
fn loom_a_third_thread_takes_what_two_gave_back() {
    explore("third thread", || {
        let pool = pool(1);
        let shared = take(&pool, 7).freeze();
        let other = shared.clone();
        let reader = thread::spawn(move || {
            assert_eq!(*other, 7);
        });
        let taker = thread::spawn({
            let pool = pool.clone();
            move || {
                if let Some(mut unique) = pool.try_take() {
                    assert_eq!(*unique, 7);
                    *unique = 8;
                }
            }
        });
        drop(shared);
        reader.join().unwrap();
        taker.join().unwrap();
        assert_eq!(pool.free(), 1);
    });
}

/// Unfreezing while another reader drops: it fails, or it sees all that the reader did.
#[test]
fn loom_who_unfreezes_is_alone() {
    explore("unfreeze", || {
        let pool = pool(1);
        let shared = take(&pool, 7).freeze();
        let other = shared.clone();
        let write = |shared: Shared<u32>| match shared.try_unfreeze() {
            Ok(mut unique) => {
                *unique += 1;
                1
            }
            Err(shared) => {
                assert!(*shared == 7);
                0
            }
        };
        let reader = thread::spawn(move || write(other));
        let writes = write(shared) + reader.join().unwrap();
        assert!(writes <= 1, "both were alone");
        assert_eq!(pool.free(), 1);
        assert_eq!(*pool.try_take().expect("it is free"), 7 + writes);
    });
}

/// Clones of clones, made while others drop.
#[test]
fn loom_clones_keep_the_slot() {
    explore("clones", || {
        let pool = pool(1);
        let shared = take(&pool, 7).freeze();
        let id = shared.id();
        let other = shared.clone();
        let reader = thread::spawn(move || {
            let third = other.clone();
            drop(other);
            assert_eq!(*third, 7);
            third
        });
        drop(shared);
        assert!(pool.try_take().is_none(), "a reader has it");
        let third = reader.join().unwrap();
        assert!(pool.is_live(id));
        drop(third);
        assert!(!pool.is_live(id));
    });
}

/// Two threads take, write and drop: never the same slot at once.
#[test]
fn loom_takers_never_share_a_slot() {
    for capacity in [1, 2] {
        explore(&format!("takers of {capacity}"), move || {
            let pool = pool(capacity);
            let use_one = |pool: &Pool<u32>| {
                let Some(mut unique) = pool.try_take() else { return 0 };
                *unique += 1;
                1
            };
            let other = thread::spawn({
                let pool = pool.clone();
                move || use_one(&pool)
            });
            let uses = use_one(&pool) + other.join().unwrap();
            assert!(uses >= 1 && (capacity == 1 || uses == 2), "a free slot was not given");
            assert_eq!(pool.free(), capacity);
            assert!((1..=capacity).contains(&pool.high_water()));
            let sum: u32 = (0..capacity).map(|_| *pool.try_take().expect("all are free")).sum();
            assert_eq!(sum, uses);
        });
    }
}

/// An id, looked at while its use ends and the next begins: live only while it is, and never again.
#[test]
fn loom_an_id_dies_once() {
    explore("ids", || {
        let pool = pool(1);
        let unique = take(&pool, 7);
        let id = unique.id();
        let watcher = thread::spawn({
            let pool = pool.clone();
            move || [pool.is_live(id), pool.is_live(id)]
        });
        drop(unique);
        assert!(!pool.is_live(id));
        let next = take(&pool, 8);
        assert!(!pool.is_live(id) && pool.is_live(next.id()));
        let seen = watcher.join().unwrap();
        assert_ne!(seen, [false, true], "it came back to life");
    });
}

/// The pool's values drop once, on whatever thread is the last, and after all that was done with them.
#[test]
fn loom_the_last_handle_drops_the_pool() {
    struct Watched(Arc<loom::cell::UnsafeCell<u32>>);
    // SAFETY: of this test: the cell is written by the drop alone, which loom watches.
    unsafe impl Send for Watched {}
    // SAFETY: as above; readers read.
    unsafe impl Sync for Watched {}
    impl Drop for Watched {
        fn drop(&mut self) {
            // SAFETY: loom fails where this is not alone.
            self.0.with_mut(|drops| unsafe { *drops += 1 });
        }
    }
    explore("pool dropped", || {
        let drops = Arc::new(loom::cell::UnsafeCell::new(0));
        let pool = Pool::new(1, |_| Watched(Arc::clone(&drops)));
        let shared = pool.try_take().expect("one is free").freeze();
        let other = shared.clone();
        drop(pool);
        let read = |shared: Shared<Watched>| {
            // SAFETY: loom fails where the drop is not after this.
            shared.0.with(|drops| assert_eq!(unsafe { *drops }, 0));
        };
        let reader = thread::spawn(move || read(other));
        read(shared);
        reader.join().unwrap();
        // SAFETY: both threads are done.
        drops.with(|drops| assert_eq!(unsafe { *drops }, 1));
    });
}

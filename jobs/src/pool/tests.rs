use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::{Pool, Shared, SlotId, Unique, slot};

/// A value that counts how often one of its kind drops.
struct Counted {
    content: u32,
    dropped: Arc<AtomicUsize>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

fn counted_pool(capacity: usize) -> (Pool<Counted>, Arc<AtomicUsize>) {
    let dropped = Arc::new(AtomicUsize::new(0));
    let make = |index| Counted { content: index as u32, dropped: Arc::clone(&dropped) };
    (Pool::new(capacity, make), Arc::clone(&dropped))
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Take,
    /// Of the handles that are held, the one at this index, modulo their number.
    Write(usize, u32),
    Freeze(usize),
    Clone(usize),
    Unfreeze(usize),
    Drop(usize),
    DropPool,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let at = 0_usize..1000;
    let op = prop_oneof![
        40 => Just(Op::Take),
        20 => (at.clone(), any::<u32>()).prop_map(|(at, content)| Op::Write(at, content)),
        25 => at.clone().prop_map(Op::Freeze),
        25 => at.clone().prop_map(Op::Clone),
        25 => at.clone().prop_map(Op::Unfreeze),
        50 => at.prop_map(Op::Drop),
        1 => Just(Op::DropPool),
    ];
    proptest::collection::vec(op, 1..150)
}

enum Handle {
    Unique(Unique<Counted>),
    Shared(Shared<Counted>),
}

impl Handle {
    fn id(&self) -> SlotId {
        match self {
            Self::Unique(handle) => handle.id(),
            Self::Shared(handle) => handle.id(),
        }
    }

    fn content(&self) -> u32 {
        match self {
            Self::Unique(handle) => handle.content,
            Self::Shared(handle) => handle.content,
        }
    }
}

/// What a pool does, one step after another, without a pool.
struct Model {
    /// Of each slot: generation, handles, content.
    slots: Vec<(u32, u32, u32)>,
    high_water: usize,
    /// All that were ever given out.
    ids: Vec<SlotId>,
}

impl Model {
    fn new(capacity: usize) -> Self {
        Self {
            slots: (0..capacity).map(|index| (0, 0, index as u32)).collect(),
            high_water: 0,
            ids: Vec::new(),
        }
    }

    fn in_use(&self) -> usize {
        self.slots.iter().filter(|slot| slot.1 > 0).count()
    }

    fn take(&mut self, id: SlotId) {
        let slot = &mut self.slots[id.index as usize];
        assert_eq!((id.generation, 0), (slot.0, slot.1), "the slot is in use, or in another generation");
        slot.1 = 1;
        self.ids.push(id);
        self.high_water = self.high_water.max(self.in_use());
    }

    fn drop(&mut self, id: SlotId) {
        let slot = &mut self.slots[id.index as usize];
        slot.1 -= 1;
        slot.0 += u32::from(slot.1 == 0);
    }

    fn check(&self, pool: Option<&Pool<Counted>>, held: &[Handle]) {
        for handle in held {
            let id = handle.id();
            let (generation, handles, content) = self.slots[id.index as usize];
            assert_eq!((id.generation, handle.content()), (generation, content));
            assert!(handles > 0);
        }
        let Some(pool) = pool else { return };
        assert_eq!(pool.in_use(), self.in_use());
        assert_eq!(pool.free() + pool.in_use(), pool.capacity());
        assert_eq!(pool.high_water(), self.high_water);
        for &id in &self.ids {
            let (generation, handles, _) = self.slots[id.index as usize];
            assert_eq!(pool.is_live(id), generation == id.generation && handles > 0, "{id:?}");
        }
    }
}

fn step(op: Op, pool: &mut Option<Pool<Counted>>, held: &mut Vec<Handle>, model: &mut Model) {
    let index = |at: usize| (!held.is_empty()).then(|| at % held.len());
    match op {
        Op::Take => {
            let Some(pool) = &pool else { return };
            match pool.try_take() {
                Some(handle) => {
                    model.take(handle.id());
                    held.push(Handle::Unique(handle));
                }
                None => assert_eq!(model.in_use(), model.slots.len(), "a slot is free"),
            }
        }
        Op::Write(at, content) => {
            let Some(Handle::Unique(handle)) = index(at).map(|index| &mut held[index]) else { return };
            handle.content = content;
            model.slots[handle.id().index as usize].2 = content;
        }
        Op::Freeze(at) => {
            let Some(index) = index(at) else { return };
            let handle = match held.swap_remove(index) {
                Handle::Unique(handle) => handle.freeze(),
                Handle::Shared(handle) => handle,
            };
            held.push(Handle::Shared(handle));
        }
        Op::Clone(at) => {
            let Some(Handle::Shared(handle)) = index(at).map(|index| &held[index]) else { return };
            model.slots[handle.id().index as usize].1 += 1;
            held.push(Handle::Shared(handle.clone()));
        }
        Op::Unfreeze(at) => {
            let Some(index) = index(at) else { return };
            let handle = match held.swap_remove(index) {
                Handle::Unique(handle) => Handle::Unique(handle),
                Handle::Shared(handle) => {
                    let handles = model.slots[handle.id().index as usize].1;
                    let got = handle.try_unfreeze();
                    assert_eq!(got.is_ok(), handles == 1);
                    got.map_or_else(Handle::Shared, Handle::Unique)
                }
            };
            held.push(handle);
        }
        Op::Drop(at) => {
            let Some(index) = index(at) else { return };
            let handle = held.swap_remove(index);
            model.drop(handle.id());
        }
        Op::DropPool => *pool = None,
    }
}

proptest! {
    #[test]
    fn sequences_of_operations_do_as_the_model(ops in ops(), capacity in 0_usize..6) {
        let (pool, dropped) = counted_pool(capacity);
        let (mut pool, mut held, mut model) = (Some(pool), Vec::new(), Model::new(capacity));
        for op in ops {
            step(op, &mut pool, &mut held, &mut model);
            model.check(pool.as_ref(), &held);
            let alive = pool.is_some() || !held.is_empty();
            prop_assert_eq!(dropped.load(Ordering::Relaxed), if alive { 0 } else { capacity });
        }
        drop((pool, held));
        prop_assert_eq!(dropped.load(Ordering::Relaxed), capacity, "each value once");
    }
}

#[test]
fn the_last_of_pool_and_handles_drops_the_values() {
    let (pool, dropped) = counted_pool(3);
    let other = pool.clone();
    let unique = other.try_take().expect("three are free");
    let shared = pool.try_take().expect("two are free").freeze();
    drop((pool, other, unique));
    assert_eq!((dropped.load(Ordering::Relaxed), shared.content), (0, 1));
    drop(shared);
    assert_eq!(dropped.load(Ordering::Relaxed), 3);
}

#[test]
fn a_maker_that_panics_leaks_nothing() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let made = std::panic::catch_unwind(|| {
        Pool::new(5, |index| {
            assert!(index < 3, "as planned");
            Counted { content: 0, dropped: Arc::clone(&dropped) }
        })
    });
    assert!(made.is_err());
    assert_eq!(dropped.load(Ordering::Relaxed), 3);
}

#[test]
fn a_value_keeps_its_address() {
    let pool = Pool::new(4, |_| [0_u64; 9]);
    let mut seen = HashSet::new();
    for _ in 0..40 {
        let unique = pool.try_take().expect("four are free");
        let address = std::ptr::from_ref(&*unique);
        let shared = unique.freeze();
        assert_eq!(std::ptr::from_ref(&*shared.clone()), address);
        seen.insert(address);
    }
    assert_eq!(seen.len(), 4);
}

#[test]
fn strange_ids_are_not_live() {
    let pool = Pool::new(2, |_| ());
    let taken = pool.try_take().expect("two are free").id();
    assert!(!pool.is_live(SlotId { index: 2, ..taken }), "there is no such slot");
    assert!(!pool.is_live(SlotId { index: 1, generation: 0 }), "it was never taken");
    assert!(!pool.is_live(SlotId { generation: taken.generation + 1, ..taken }), "it is free");
}

#[test]
fn debug_names_the_use_and_not_the_value() {
    let pool = Pool::new(1, |_| [0_u8; 100]);
    let unique = pool.try_take().expect("one is free");
    assert_eq!(format!("{unique:?}"), "Unique(SlotId { index: 0, generation: 0 })");
    assert_eq!(format!("{pool:?}"), "Pool { capacity: 1, in_use: 1, high_water: 1, .. }");
}

/// Writers fill what they took and send clones round; readers must find one writer's pattern, whole.
#[test]
fn patterns_arrive_whole_on_other_threads() {
    const WORDS: usize = 256;
    const ROUNDS: u64 = if cfg!(miri) { 50 } else { 20_000 };
    let pool = Pool::new(5, |_| [0_u64; WORDS]);
    let (senders, receivers): (Vec<_>, Vec<_>) =
        (0..2).map(|_| std::sync::mpsc::sync_channel::<(u64, Shared<[u64; WORDS]>)>(2)).unzip();
    std::thread::scope(|scope| {
        for writer in 0..2_u64 {
            let (pool, senders) = (pool.clone(), senders.clone());
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let pattern = writer << 32 | round;
                    let mut unique = std::iter::repeat_with(|| {
                        std::thread::yield_now();
                        pool.try_take()
                    });
                    let mut unique = unique.find_map(|taken| taken).expect("readers give back");
                    unique.fill(pattern);
                    let mut shared = unique.freeze();
                    if round % 3 == 0 {
                        // Nobody else has it yet.
                        let mut again = shared.try_unfreeze().expect("the only handle");
                        again[0] = pattern;
                        shared = again.freeze();
                    }
                    for sender in &senders {
                        sender.send((pattern, shared.clone())).expect("the reader runs");
                    }
                }
            });
        }
        drop(senders);
        for receiver in receivers {
            scope.spawn(move || {
                for (pattern, shared) in receiver {
                    assert!(shared.iter().all(|&word| word == pattern), "a torn or foreign pattern");
                    // The last reader writes over it: whoever still reads would see.
                    if let Ok(mut unique) = shared.try_unfreeze() {
                        unique.fill(u64::MAX);
                    }
                }
            });
        }
    });
    assert_eq!((pool.free(), pool.in_use()), (5, 0));
    assert!((1..=5).contains(&pool.high_water()));
    // Slots come in the order in which they came back: five takes, each dropped at once, are five slots.
    let uses: u64 = (0..5).map(|_| u64::from(pool.try_take().expect("all are free").id().generation)).sum();
    assert_eq!(uses, 2 * ROUNDS);
}

/// The child of this test ends itself; what is tested is that it does.
#[test]
#[cfg(not(miri))]
fn too_many_handles_end_the_process() {
    let name = "pool::tests::too_many_handles_end_the_process";
    if std::env::var_os("TERRANE_TEST_CHILD").is_some() {
        let pool = Pool::new(1, |_| 0);
        let shared = pool.try_take().expect("one is free").freeze();
        pool.inner.slots[0].pretend_handles(slot::HANDLES_MAX - 2);
        std::mem::forget(shared.clone());
        eprintln!("as many as are allowed");
        std::mem::forget(shared.clone());
        eprintln!("one too many");
        std::process::exit(0);
    }
    let child = std::process::Command::new(std::env::current_exe().expect("a test runs from a file"))
        .args(["--exact", name, "--nocapture"])
        .env("TERRANE_TEST_CHILD", "1")
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success() && said.contains("as many as are allowed"), "{said}");
    assert!(!said.contains("one too many"), "{said}");
}

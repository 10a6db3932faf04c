//! The checker finds what is planted; without this the other tests would show nothing.

use super::super::{Change, ChangeId, Cut, Swap};
use super::checker::Checker;
use super::kit::{Chance, Host, endless};
use crate::coords::ChunkKey;

/// A host that is on its way from one place to another; its swaps are still right.
fn under_way() -> (Host, Chance) {
    let mut chance = Chance(20);
    let mut host = Host::new(super::super::CutSettings { open_max: 24, ..endless(5, 8, 1.5, 0.2) });
    host.aim(&[[0, 0]]);
    host.settle(&mut chance);
    host.aim(&[[333, 90]]);
    host.vanish();
    while host.admit() {}
    (host, chance)
}

/// Lets `spoil` change swaps until it says that it did, and gives the checker's verdict on that one.
fn verdict(spoil: impl Fn(&mut Swap, &Checker) -> bool) -> String {
    let (mut host, mut chance) = under_way();
    for _ in 0..1000 {
        while host.admit() {}
        let ready = host.executable();
        let id = ready[chance.below(ready.len() as u64) as usize];
        let mut checker = host.checker.clone();
        host.execute(id);
        let mut swap = host.swap.clone();
        checker.clone().swap(&swap, |_| true).expect("right before it is spoiled");
        if spoil(&mut swap, &checker) {
            return checker.swap(&swap, |_| true).expect_err("spoiled, and nobody minds");
        }
        host.vanish();
    }
    panic!("nothing to spoil");
}

#[test]
fn a_wrong_mask_is_found() {
    for bit in 0..4 {
        let wrong = verdict(|swap, _| {
            swap.masks[0].1 ^= 1 << bit;
            true
        });
        assert!(wrong.contains("mask of"), "{wrong}");
    }
}

#[test]
fn a_mask_that_is_not_told_is_found() {
    let wrong = verdict(|swap, _| {
        let shown = swap.show.len();
        swap.masks.len() > shown && swap.masks.pop().is_some()
    });
    assert!(wrong.contains("mask of"), "{wrong}");
}

#[test]
fn a_dropped_child_is_found() {
    let wrong = verdict(|swap, _| {
        let child = swap.show[0];
        swap.show.remove(0);
        swap.masks.retain(|&(key, _)| key != child);
        swap.show.len() == 3
    });
    assert!(wrong.contains("hole") || wrong.contains("mask"), "{wrong}");
    let mut checker = under_way().0.checker;
    let inner = checker.drawn.keys().copied().find(|key| key.lod < 4).expect("something fine");
    checker.drawn.remove(&inner);
    assert!(checker.check().is_err());
}

#[test]
fn an_overlap_is_found() {
    let wrong = verdict(|swap, _| swap.hide.pop().is_some());
    assert!(wrong.contains("overlaps") || wrong.contains("mask"), "{wrong}");
    let mut checker = under_way().0.checker;
    let (&fine, _) = checker.drawn.iter().next().expect("something is drawn");
    assert_eq!(fine.lod, 0);
    checker.drawn.insert(ChunkKey { lod: 1, x: fine.x >> 1, z: fine.z >> 1 }, 0);
    assert!(checker.check_pairs().expect_err("both").contains("overlaps"));
}

#[test]
fn a_wanted_root_that_vanishes_is_found() {
    let mut checker = under_way().0.checker;
    let root = checker.root_of(*checker.drawn.keys().next().expect("something is drawn"));
    let hide = checker.drawn.keys().copied().filter(|&key| checker.root_of(key) == root).collect();
    let wrong = checker.swap(&Swap { hide, ..Swap::default() }, |_| true).expect_err("a hole");
    assert!(wrong.contains("vanished"), "{wrong}");
}

/// What the legality test keeps back breaks 2:1 when it is executed, each kind.
#[test]
fn what_is_executed_too_early_is_found() {
    let (mut splits, mut merges) = (0, 0);
    let (mut host, mut chance) = under_way();
    for round in 0..60 {
        while host.admit() {}
        let held = host.open.iter().copied().filter(|&(id, _)| !host.cut.is_executable(id));
        let fits = |cut: &Cut, change: Change| {
            let node = cut.drawn.find(change.key(), &cut.rules.ground);
            node.is_some_and(|node| match change {
                Change::Split(_) => !cut.drawn.is_split(node),
                _ => cut.drawn.children(node).all(|child| !cut.drawn.is_split(child)),
            })
        };
        let held: Vec<(ChangeId, Change)> = held.filter(|&(_, change)| fits(&host.cut, change)).collect();
        if let Some(&(id, change)) = held.get(round % held.len().max(1)) {
            host.cut.execute_unchecked(id, &mut host.swap);
            let wrong = host.checker.swap(&host.swap, |_| true).expect_err("too early, and nobody minds");
            assert!(wrong.contains("two levels coarser"), "{wrong}");
            match change {
                Change::Split(_) => splits += 1,
                _ => merges += 1,
            }
            (host, chance) = (under_way().0, Chance(20 + round as u64));
        }
        for _ in 0..chance.below(20) {
            while host.admit() {}
            let ready = host.executable();
            if ready.is_empty() {
                break;
            }
            host.execute(ready[chance.below(ready.len() as u64) as usize]);
        }
    }
    assert!(splits > 0 && merges > 0, "{splits} splits and {merges} merges were held back");
}

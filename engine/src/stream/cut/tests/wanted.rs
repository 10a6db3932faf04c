//! The wanted cut against its definition, its bound and 2:1, at places of chance and of malice.

use std::collections::BTreeSet;

use super::super::{Cut, CutSettings};
use super::checker::Checker;
use super::kit::{Chance, Crowd, endless, random_settings};
use super::naive::NaiveCut;
use crate::coords::{ChunkKey, SAMPLE_LIMIT};

fn judge(cut: &mut Cut, naive: &mut NaiveCut, ground: &Checker, viewers: &[[i64; 2]], sound: bool) -> usize {
    cut.aim(viewers, &mut |_, _| ());
    naive.aim(viewers);
    let wanted: BTreeSet<_> = cut.wanted().collect();
    assert_eq!(wanted, naive.leaves, "{viewers:?}");
    assert!(wanted.len() as u64 <= cut.rules.distances.leaves_max(viewers.len()));
    assert!(wanted.iter().all(|&key| cut.is_wanted(key)));
    if sound {
        // What the checker finds is judged as a plan: no overlap, no hole, 2:1, (I).
        ground.with(&[], &wanted.into_iter().collect::<Vec<_>>()).expect("sound");
    }
    naive.leaves.len()
}

#[test]
fn the_wanted_cut_is_what_its_definition_says() {
    let mut chance = Chance(10);
    for _ in 0..260 {
        let settings = CutSettings { open_max: 2, ..random_settings(&mut chance) };
        let ground = Checker { extents: settings.extents.clone(), drawn: Default::default() };
        let (mut crowd, mut naive) = (Crowd::new(&settings), NaiveCut::new(&settings));
        let mut cut = Cut::new(settings).expect("valid");
        for step in 0..50 {
            crowd.step(&mut chance);
            judge(&mut cut, &mut naive, &ground, &crowd.viewers, step % 4 == 0);
        }
    }
}

#[test]
fn corners_of_cells_do_not_break_the_bound() {
    for (levels, cells, factor, hysteresis) in [
        (1, 16, 1.0, 0.0),
        (3, 16, 1.5, 0.3),
        (4, 8, 2.0, 0.5),
        (3, 4, 2.25, 0.25),
        (2, 1, 3.0, 0.5),
        (16, 64, 1.0, 0.0),
    ] {
        let settings = endless(levels, cells, factor, hysteresis);
        let ground = Checker { extents: settings.extents.clone(), drawn: Default::default() };
        let mut most = 0;
        let far = (SAMPLE_LIMIT - 1) >> (levels + 5) << (levels + 5);
        for centre in [0, 3 * (i64::from(cells) << levels), far, -far] {
            let mut naive = NaiveCut::new(&settings);
            let mut cut = Cut::new(settings.clone()).expect("valid");
            for reach in [0, 1, 2, i64::from(cells) / 2, i64::from(cells), 2 * i64::from(cells)] {
                for [x, z] in [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [0, 0]] {
                    let viewer = [centre + x * reach, centre + z * reach];
                    most = most.max(judge(&mut cut, &mut naive, &ground, &[viewer], true));
                }
            }
        }
        let bound = settings.distances.leaves_max(1) as usize;
        assert!(most * 2 > bound, "{bound} is no bound worth its name: at most {most} leaves");
    }
}

/// The gap is what 2:1 is proved with.
#[test]
fn gaps_are_lipschitz_and_nested() {
    let mut chance = Chance(11);
    let settings = endless(6, 8, 1.0, 0.0);
    let (naive, cut) = (NaiveCut::new(&settings), Cut::new(settings).expect("valid"));
    let ground = &cut.rules.ground;
    for _ in 0..100_000 {
        let viewer = [0; 2].map(|_| chance.around(900));
        let key = ChunkKey { lod: chance.below(5) as u8, x: chance.around(20), z: chance.around(20) };
        let gap = ground.gap(viewer, key);
        assert_eq!(gap, naive.gap(viewer, key));
        let reach = chance.below(50) as i64;
        let moved = viewer.map(|at| at + chance.around(reach));
        assert!(ground.gap(moved, key).abs_diff(gap) <= reach as u64);
        let up = |key: ChunkKey| ChunkKey { lod: key.lod + 1, x: key.x >> 1, z: key.z >> 1 };
        assert!(ground.gap(viewer, up(key)) <= gap);
        for [x, z] in [[-1, 0], [1, 0], [0, -1], [0, 1]] {
            let other = up(ChunkKey { x: key.x + x, z: key.z + z, ..key });
            assert!(ground.gap(viewer, other) <= gap + ground.size(key.lod) as u64);
        }
    }
}

/// Inside the remembered ranges nothing is computed, and nothing would change; a step over a threshold is seen.
#[test]
fn the_ranges_of_viewers_are_exact_enough() {
    let settings = endless(5, 32, 2.0, 0.0);
    let mut cut = Cut::new(settings.clone()).expect("valid");
    let mut naive = NaiveCut::new(&settings);
    let mut changes = 0;
    for x in -300..300 {
        let viewers = [[x, 5 - x / 2]];
        let before = naive.leaves.clone();
        naive.aim(&viewers);
        let changed = cut.aim(&viewers, &mut |_, _| ());
        assert_eq!(changed, before != naive.leaves);
        changes += usize::from(changed);
        // All thresholds lie on the grid of level 1: the cut was made for the chunk of level 1 that the viewer is in,
        // and is not made anew as long as it stays there.
        let made_for = cut.wanted.viewers()[0];
        assert_eq!(made_for.map(|at| at.div_euclid(64)), viewers[0].map(|at: i64| at.div_euclid(64)));
        assert!(changed || made_for != viewers[0], "made anew for nothing at {viewers:?}");
    }
    assert!((12..=17).contains(&changes), "{changes}");
}

#[test]
fn predictions_change_nothing_and_are_what_aim_would_bring() {
    let mut chance = Chance(12);
    for _ in 0..40 {
        let settings = random_settings(&mut chance);
        let mut crowd = Crowd::new(&settings);
        let mut cut = Cut::new(settings).expect("valid");
        for _ in 0..20 {
            crowd.step(&mut chance);
            cut.aim(&crowd.viewers, &mut |_, _| ());
            let now: BTreeSet<_> = cut.wanted().collect();
            crowd.step(&mut chance);
            let (count_max, mut ahead) = (chance.below(400) as usize, vec![]);
            cut.wanted_for(&crowd.viewers, count_max, &mut ahead);
            assert_eq!(cut.wanted().collect::<BTreeSet<_>>(), now);
            cut.aim(&crowd.viewers, &mut |_, _| ());
            let new: BTreeSet<_> = cut.wanted().filter(|key| !now.contains(key)).collect();
            assert_eq!(ahead.len(), new.len().min(count_max));
            assert!(ahead.iter().all(|key| new.contains(key)));
            let gap = |key: &ChunkKey| cut.rules.ground.gap_min(&crowd.viewers, *key);
            assert!(ahead.is_sorted_by_key(gap), "nearest first");
            let last = ahead.last().map_or(0, gap);
            assert!(new.iter().filter(|key| !ahead.contains(key)).all(|key| gap(key) >= last));
        }
    }
}

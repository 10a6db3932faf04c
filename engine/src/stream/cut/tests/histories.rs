//! Long histories past the checker: every single change is judged, and wherever viewers stop, the wanted cut is reached.

use super::kit::{Chance, Crowd, Host, endless, finite, random_settings};

/// `steps` frames of a host that is now eager, now lazy.
fn live(host: &mut Host, crowd: &mut Crowd, chance: &mut Chance, steps: u64) {
    let mut zeal = 4;
    for step in 0..steps {
        if chance.one_in(20) {
            zeal = 1 + chance.below(12);
        }
        crowd.step(chance);
        host.aim(&crowd.viewers);
        if !chance.one_in(5) {
            host.vanish();
        }
        for _ in 0..chance.below(2 * zeal) {
            host.admit();
        }
        for _ in 0..chance.below(2 * zeal) {
            let ready = host.executable();
            if ready.is_empty() {
                break;
            }
            host.execute(ready[chance.below(ready.len() as u64) as usize]);
            if chance.one_in(2) {
                host.vanish();
            }
        }
        if step % 8 == 0 {
            host.check_plan();
        }
    }
    host.checker.check_pairs().expect("all pairs");
}

#[test]
fn no_change_ever_shows_a_hole_and_still_viewers_get_what_they_want() {
    let mut chance = Chance(1);
    let (mut changes, mut vanished, mut cancelled) = (0, 0, 0);
    for _ in 0..40 {
        let settings = random_settings(&mut chance);
        let mut crowd = Crowd::new(&settings);
        let mut host = Host::new(settings);
        for _ in 0..3 {
            live(&mut host, &mut crowd, &mut chance, 40);
            host.settle(&mut chance);
        }
        changes += host.changes;
        vanished += host.vanished;
        cancelled += host.cancelled;
    }
    assert!(changes > 10_000 && vanished > 200 && cancelled > 500, "{changes} {vanished} {cancelled}");
}

#[test]
fn two_open_changes_are_enough() {
    let mut chance = Chance(2);
    for _ in 0..20 {
        let settings = super::super::CutSettings { open_max: 2, ..random_settings(&mut chance) };
        let mut crowd = Crowd::new(&settings);
        let mut host = Host::new(settings);
        live(&mut host, &mut crowd, &mut chance, 60);
        host.settle(&mut chance);
    }
}

/// Sits on a corner of cells, where a cut is largest, fills the room, and goes to another such corner that shares
/// ground with it: the drawn cut has to shrink before it grows.
#[test]
fn a_full_room_empties_by_merges() {
    for hysteresis in [0.0, 0.25, 0.5] {
        for size in [[40, 40], [9, 13]] {
            let mut settings = endless(5, 8, 2.0, hysteresis);
            if size[0] < 40 {
                settings.extents = finite(5, 8, [-500, -300], [-500 + size[0] * 100, -300 + size[1] * 100]);
            }
            let mut chance = Chance(3);
            let mut host = Host::new(settings);
            for (viewer, fill) in
                [([0, 0], true), ([129, 0], false), ([128, 128], true), ([-500, 120], false), ([0, 7], true)]
            {
                // Walks on the spot first, so that the hysteresis holds what it can.
                for reach in [2, 1, 0].map(|reach| i64::from(fill) * reach * 8) {
                    for corner in [[-reach, -reach], [reach, -reach], [-reach, reach], [reach, reach]] {
                        host.aim(&[[viewer[0] + corner[0], viewer[1] + corner[1]]]);
                        while host.admit() {}
                        for _ in 0..5 {
                            if let Some(&id) = host.executable().first() {
                                host.execute(id);
                            }
                        }
                        host.check_plan();
                    }
                }
                if fill {
                    host.settle(&mut chance);
                }
            }
            host.settle(&mut chance);
        }
    }
}

/// Away and back at once: whatever was open, drawn or lingering, nothing is shown twice or lost.
#[test]
fn a_far_teleport_drops_all_at_once_and_a_near_one_nothing_that_is_wanted() {
    let mut chance = Chance(4);
    let mut host = Host::new(endless(4, 16, 1.5, 0.2));
    host.aim(&[[5, 5]]);
    host.settle(&mut chance);
    let (before, drawn) = (host.changes, host.checker.drawn.len());
    host.aim(&[[1 << 40, 0]]);
    host.vanish();
    assert_eq!((host.vanished, host.checker.drawn.len()), (1, 0), "{drawn} chunks in one change");
    host.settle(&mut chance);
    assert!(host.changes > before);
    // Within the view distance: the old centre is fine next to ground that is to vanish, which lingers.
    let root = 16 << 3;
    let (mut lingered, mut kept) = (0, 0);
    for step in 1..12 {
        let drawn = host.checker.drawn.len();
        host.aim(&[[(1 << 40) + step * 3 * root, step * root]]);
        host.vanish();
        let roots = host.checker.drawn.keys().map(|&key| host.checker.root_of(key));
        lingered += roots.filter(|&root| !host.naive.has_root(root)).count();
        kept += usize::from(host.checker.drawn.len() * 8 > drawn);
        host.settle(&mut chance);
    }
    assert!(lingered > 0 && kept > 5, "{lingered} roots lingered, {kept} times much was kept");
}

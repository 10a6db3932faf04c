//! Calls: errors of settings, answers about places, the same sequence twice, nothing allocated.

use super::super::{Change, ChangeId, Cut, CutError, CutSettings, Extent, SplitDistances, Swap};
use super::kit::{Chance, Crowd, Host, endless, random_settings};
use crate::coords::{ChunkKey, SAMPLE_LIMIT};

#[test]
fn errors_say_what_would_be_right() {
    let uniform = |factor, hysteresis| SplitDistances::uniform(4, 64, factor, hysteresis);
    assert_eq!(uniform(0.9, 0.0), Err(CutError::Factor { found: 0.9 }));
    assert!(matches!(uniform(f64::NAN, 0.0), Err(CutError::Factor { .. })));
    assert_eq!(uniform(2.0, -0.1), Err(CutError::Hysteresis { found: -0.1 }));
    assert!(uniform(2.0, 0.5).is_ok() && uniform(1.0, 0.0).is_ok());
    let wrong = uniform(2.0, 0.51).expect_err("2 (1 - 0.51) < 1");
    assert_eq!(wrong, CutError::Split { level: 2, found: 512, least: 514, most: 1 << 48 });
    assert!(wrong.to_string().contains("level 2 is 512 samples; expected 514 to"), "{wrong}");
    let explicit = |split: &[u64], keep: &[u64]| SplitDistances::explicit(2, 16, split, keep);
    assert!(explicit(&[1, 34], &[2, 34]).is_ok());
    assert!(matches!(explicit(&[0, 34], &[2, 34]), Err(CutError::Split { level: 1, least: 1, .. })));
    assert!(matches!(explicit(&[1, 33], &[2, 34]), Err(CutError::Split { level: 2, least: 34, .. })));
    assert!(matches!(explicit(&[1, 34], &[2, 33]), Err(CutError::Keep { level: 2, least: 34, .. })));
    assert!(matches!(explicit(&[1], &[2, 33]), Err(CutError::Distances { found: 1, levels: 2 })));
    assert!(matches!(SplitDistances::uniform(0, 16, 1.0, 0.0), Err(CutError::Levels { found: 0 })));
    assert!(matches!(SplitDistances::uniform(2, 48, 1.0, 0.0), Err(CutError::ChunkCells { found: 48 })));

    let wrong = |change: fn(&mut CutSettings)| {
        let mut settings = endless(3, 16, 2.0, 0.2);
        change(&mut settings);
        Cut::new(settings).expect_err("a wrong setting")
    };
    assert!(matches!(wrong(|settings| settings.levels = 17), CutError::Levels { found: 17 }));
    assert!(matches!(wrong(|settings| settings.chunk_cells = 8), CutError::Measures { .. }));
    assert!(matches!(wrong(|settings| settings.viewers_max = 0), CutError::ViewersMax { .. }));
    assert!(matches!(wrong(|settings| settings.open_max = 1), CutError::OpenMax { .. }));
    assert!(matches!(wrong(|settings| settings.extents.truncate(2)), CutError::Extents { found: 2, .. }));
    let orphan = wrong(|settings| settings.extents[0] = Extent { min: [2; 2], max: [4; 2] });
    assert_eq!(orphan, CutError::ExtentNesting { lod: 1 });
    let beyond = wrong(|settings| settings.extents[2].max[1] = i64::MAX);
    assert!(matches!(beyond, CutError::ExtentRange { lod: 2, .. }));
    let far = SplitDistances::uniform(3, 16, 1e4, 0.0).expect("far, but right");
    let settings = CutSettings { distances: far, ..endless(3, 16, 2.0, 0.2) };
    assert!(matches!(Cut::new(settings), Err(CutError::Leaves { .. })));
}

/// Rounding to samples takes nothing away from what the rule for settings allows.
#[test]
fn every_hysteresis_up_to_the_rule_is_allowed() {
    let mut chance = Chance(7);
    for _ in 0..20_000 {
        let factor = 1.0 + chance.around(5000).unsigned_abs() as f64 / 1000.0;
        let most = 1.0 - 1.0 / factor;
        for cells in [16, 32, 64, 128] {
            for hysteresis in [0.0, most / 2.0, most] {
                let distances = SplitDistances::uniform(3, cells, factor, hysteresis);
                assert!(distances.is_ok(), "{cells} cells, {factor}, {hysteresis}: {distances:?}");
            }
        }
    }
}

/// Distances that errors ask for keep the rule, and ask for no more than they must.
#[test]
fn distances_of_errors_keep_the_rule() {
    let mut chance = Chance(8);
    for _ in 0..5000 {
        let levels = 1 + chance.below(12) as u8;
        let uniform = SplitDistances::uniform(levels, 32, 1.5, 0.2).expect("valid");
        let errors: Vec<u64> = (0..=levels).map(|_| 1 << chance.below(24)).collect();
        let far = uniform.at_least(0.2, |lod| errors[usize::from(lod)]).expect("in range");
        for lod in 1..=levels {
            let wanted = if lod < levels { errors[usize::from(lod)] } else { 0 };
            let least = if lod == 1 { 1 } else { far.keep(lod - 1) + (32 << (lod - 1)) };
            assert_eq!(far.split(lod), uniform.split(lod).max(least).max(wanted));
            assert!(far.keep(lod) >= far.split(lod));
        }
    }
    let uniform = SplitDistances::uniform(6, 64, 2.3, 0.3).expect("valid");
    assert_eq!(uniform.at_least(0.3, |_| 0), Ok(uniform));
    let beyond = SplitDistances::uniform(6, 64, 2.3, 0.3).expect("valid").at_least(0.3, |_| u64::MAX);
    assert!(matches!(beyond, Err(CutError::Split { level: 1, .. })), "{beyond:?}");
}

#[test]
fn the_endless_extent_is_what_keys_can_address() {
    for chunk_cells in [1, 16, 128] {
        for lod in [0, 1, 9, 15] {
            let Extent { min, max } = Extent::endless(lod, chunk_cells);
            let is_addressable = |x| ChunkKey { lod, x, z: 0 }.is_addressable(chunk_cells);
            assert!(is_addressable(min[0]) && is_addressable(max[0] - 1));
            assert!(!is_addressable(min[0] - 1) && !is_addressable(max[0]));
        }
    }
}

/// With no hysteresis and nothing open, the leaf bound of the design follows: (floor(2k) + 2)^2 (3n + 1).
#[test]
fn the_leaf_bound_is_no_worse_than_the_design_says() {
    for (levels, factor, hysteresis) in [(1, 1.0, 0.0), (8, 2.0, 0.1), (6, 3.7, 0.3), (16, 1.25, 0.2)] {
        let distances = SplitDistances::uniform(levels, 64, factor, hysteresis).expect("valid");
        let keep = (64.0 * factor * (1.0 + hysteresis)).floor() / 64.0;
        let across = (2.0f64 * keep).floor() as u64 + 2;
        assert!(distances.leaves_max(1) <= across * across * (3 * u64::from(levels) + 1));
        assert_eq!(distances.leaves_max(3), 3 * distances.leaves_max(1));
    }
}

#[test]
fn places_are_found() {
    let mut chance = Chance(30);
    let mut host = Host::new(endless(4, 16, 1.5, 0.2));
    assert_eq!(host.cut.leaf_at([0, 0]), None);
    assert_eq!(host.cut.gap(ChunkKey { lod: 0, x: 0, z: 0 }), u64::MAX);
    host.aim(&[[-3, 70]]);
    host.settle(&mut chance);
    for _ in 0..2000 {
        let sample = [0; 2].map(|_| chance.around(600));
        let holds = |key: &ChunkKey| {
            let size = 16 << key.lod;
            key.x == sample[0].div_euclid(size) && key.z == sample[1].div_euclid(size)
        };
        assert_eq!(host.cut.leaf_at(sample), host.checker.drawn.keys().copied().find(holds));
    }
    for (&key, &mask) in &host.checker.drawn {
        assert_eq!(host.cut.mask(key), Some(mask));
        assert!(host.cut.is_wanted(key));
        assert_eq!(host.cut.gap(key), host.naive.gap([-3, 70], key));
        let above = ChunkKey { lod: key.lod + 1, x: key.x >> 1, z: key.z >> 1 };
        assert_eq!((host.cut.mask(above), host.cut.is_wanted(above)), (None, false));
    }
}

#[test]
#[should_panic(expected = "stand on samples")]
fn viewers_beyond_the_samples_are_refused() {
    Cut::new(endless(2, 16, 1.0, 0.0)).expect("valid").aim(&[[0, SAMPLE_LIMIT]], &mut |_, _| ());
}

/// Coarse ground comes first where nothing is drawn, then what is near; a merge gets its turn.
#[test]
fn near_ground_comes_first_and_merges_are_not_forgotten() {
    let settings = CutSettings { open_max: 4000, ..endless(5, 16, 2.0, 0.2) };
    let mut cut = Cut::new(settings).expect("valid");
    let mut swap = cut.swap();
    cut.aim(&[[7, 7]], &mut |_, _| ());
    let (_, first) = cut.next_change().expect("all is missing");
    assert_eq!(first, Change::Appear(ChunkKey { lod: 4, x: 0, z: 0 }));
    let (_, second) = cut.next_change().expect("much is missing");
    assert_eq!(second, Change::Split(first.key()), "a root may split next to nothing");
    let (_, third) = cut.next_change().expect("much is missing");
    assert_eq!(third, Change::Appear(ChunkKey { lod: 4, x: -1, z: 0 }), "its child must not");
    while let Some((id, _)) = cut.next_change() {
        assert!(cut.is_executable(id) || cut.open().len() > 1);
    }
    while let Some(&(id, _)) = cut.open().first() {
        cut.execute(id, &mut swap);
    }
    // A step of one root: ground to refine ahead and to merge behind.
    cut.aim(&[[7 + 256, 7]], &mut |_, _| ());
    cut.vanish(&mut swap, &mut |_, _| ());
    let kinds: Vec<bool> = std::iter::from_fn(|| cut.next_change())
        .map(|(_, change)| matches!(change, Change::Merge(_)))
        .collect();
    let first_merges: Vec<_> = kinds.iter().enumerate().filter(|kind| *kind.1).map(|kind| kind.0).collect();
    assert_eq!(first_merges[..3], [3, 7, 11], "{kinds:?}");
}

/// What happened, in order.
#[derive(Debug, PartialEq)]
enum Event {
    Cancelled(ChangeId, Change),
    Opened(ChangeId, Change),
    Swapped(Swap),
}

fn events(seed: u64) -> Vec<Event> {
    let mut chance = Chance(seed);
    let settings = random_settings(&mut chance);
    let mut crowd = Crowd::new(&settings);
    let mut cut = Cut::new(settings).expect("valid");
    let (mut swap, mut events) = (cut.swap(), vec![]);
    for _ in 0..60 {
        crowd.step(&mut chance);
        cut.aim(&crowd.viewers, &mut |id, change| events.push(Event::Cancelled(id, change)));
        if cut.vanish(&mut swap, &mut |id, change| events.push(Event::Cancelled(id, change))) {
            events.push(Event::Swapped(swap.clone()));
        }
        for _ in 0..chance.below(9) {
            events.extend(cut.next_change().map(|(id, change)| Event::Opened(id, change)));
        }
        for turn in 0..chance.below(9) as usize {
            let ready = cut.open().iter().map(|open| open.0).filter(|&id| cut.is_executable(id));
            if let Some(id) = ready.min_by_key(|id| (id.0 as usize + turn) % 3) {
                cut.execute(id, &mut swap);
                events.push(Event::Swapped(swap.clone()));
            }
        }
    }
    events
}

#[test]
fn the_same_calls_bring_the_same_changes() {
    let mut count = 0;
    for seed in 40..60 {
        let first = events(seed);
        assert_eq!(first, events(seed), "seed {seed}");
        count += first.len();
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn nothing_allocates_after_new() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(counted.count_total, 1, "the counter does not count");
    let mut chance = Chance(50);
    for _ in 0..30 {
        let settings = random_settings(&mut chance);
        let mut crowd = Crowd::new(&settings);
        crowd.viewers.reserve(settings.viewers_max);
        let counted = allocation_counter::measure(|| drop(Cut::new(settings.clone())));
        assert!(counted.count_total > 0);
        let mut cut = Cut::new(settings).expect("valid");
        let (mut swap, mut ahead) = (cut.swap(), Vec::with_capacity(40));
        let mut changes = 0;
        let counted = allocation_counter::measure(|| {
            for _ in 0..200 {
                crowd.step(&mut chance);
                cut.aim(&crowd.viewers, &mut |_, _| ());
                cut.vanish(&mut swap, &mut |_, _| ());
                ahead.clear();
                cut.wanted_for(&crowd.viewers, 40, &mut ahead);
                for _ in 0..20 {
                    changes += u32::from(cut.next_change().is_some());
                }
                for _ in 0..20 {
                    let mut ready = cut.open().iter().map(|open| open.0);
                    if let Some(id) = ready.find(|&id| cut.is_executable(id)) {
                        cut.execute(id, &mut swap);
                    }
                }
            }
        });
        assert_eq!(counted.count_total, 0, "{counted:?}");
        assert!(changes > 0 || cut.wanted().next().is_none());
    }
}

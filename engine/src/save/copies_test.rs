//! Copies that are taken while edits go on are the ground after the edit that they name.

use std::collections::BTreeMap;

use super::*;
use crate::edits::{Brush, BrushShape, Edit, EditOp};
use crate::save::saver::failure_test::world;
use crate::{Position, World};

type Table = BTreeMap<[u8; KEY_BYTES], [u8; TILE_BYTES]>;

/// Edit number n: brushes of some tiles that lie over each other, and now and then one of a hundred.
fn edit(world: &World, n: u64) {
    let place = |by: u64| (n.wrapping_mul(by) >> 7) as i64 % 300;
    let half_m = if n.is_multiple_of(50) { 150.0 } else { 20.0 };
    let center = Position::from_samples([place(0x9e37_79b9), place(0x85eb_ca6b)]).expect("in range");
    let brush = Brush { center, shape: BrushShape::Square { half_m }, falloff_m: 0.0 };
    let op = EditOp::Set { height_m: n as f32 % 80.0 };
    assert_eq!(world.edit(&Edit { brush, op }).expect("room").id, EditId(n));
}

/// The store as a table, whole.
fn all(world: &World) -> Table {
    let mut table = Table::new();
    let mut bytes = [0; TILE_BYTES];
    world.edits().with_tiles(|tiles, _| {
        for slot in 0..tiles.used() {
            encode(tiles.tile(slot), &mut bytes);
            table.insert(key_bytes(tiles.tile(slot).key), bytes);
        }
    });
    table
}

fn take(copies: &mut Copies, world: &World, table: &mut Table, mut between: impl FnMut()) -> EditId {
    let taken = copies.take(world.edits(), |key, bytes| {
        table.insert(*key, *bytes);
        between();
        Ok::<_, std::convert::Infallible>(())
    });
    let Ok(last) = taken;
    last
}

/// The ground after an edit, done again from the first.
fn expect(table: &Table, last: EditId) {
    let model = world().with_edit_tiles(1024);
    (1..=last.0).for_each(|n| edit(&model, n));
    assert!(*table == all(&model), "not the ground after edit {}", last.0);
}

#[test]
fn copies_between_edits_are_the_ground_after_one() {
    let world = world().with_edit_tiles(1024);
    let (mut copies, mut table) = (Copies::new(1024, Vec::new()), Table::new());
    let mut n = 0;
    let mut next = || {
        assert!(world.edits().is_free(), "the lock is held");
        n += 1;
        edit(&world, n);
    };
    (0..50).for_each(|_| next());
    // Each tile that is handed on is followed by an edit of several: there is always more to do.
    for _ in 0..3 {
        let before = world.edits().last_edit();
        let last = take(&mut copies, &world, &mut table, &mut next);
        assert!(last >= before);
        expect(&table, last);
    }
    let last = take(&mut copies, &world, &mut table, || {});
    assert_eq!(last, world.edits().last_edit());
    expect(&table, last);
    assert_eq!(take(&mut copies, &world, &mut table, || panic!("nothing has changed")), last);
    assert!(copies.copies.len() <= PORTION_TILES, "memory is given back");
    copies.forget();
    table.clear();
    take(&mut copies, &world, &mut table, || {});
    expect(&table, last);
}

#[test]
fn copies_beside_edits_are_the_ground_after_one() {
    let world = world().with_edit_tiles(1024);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 1.. {
                edit(&world, n);
                if done.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
            }
        });
        let (mut copies, mut table) = (Copies::new(1024, Vec::new()), Table::new());
        let mut lasts = Vec::new();
        for _ in 0..5 {
            lasts.push((take(&mut copies, &world, &mut table, std::thread::yield_now), table.clone()));
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        for (last, table) in lasts {
            expect(&table, last);
        }
    });
}

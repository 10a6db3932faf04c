//! The lattice hash over lanes: `hash.rs` with vectors for words.

use terrane_lanes::Lanes;

use crate::hash::{FOLD_AFTER, FOLD_BEFORE, KM};
use crate::kernel::pointwise::At;
use crate::octave::Square;

/// [`fold`](crate::hash::fold).
#[inline(always)]
pub(crate) fn fold<L: Lanes>(half: L::U) -> L::U {
    half ^ (half >> FOLD_BEFORE)
}

/// [`corner_top`](crate::hash::corner_top) of halves that are folded: they meet by exclusive or.
#[inline(always)]
pub(crate) fn corner_top<L: Lanes>(l: L, folded: L::U) -> L::U {
    folded * (folded + l.splat_u(KM))
}

/// [`corner`](crate::hash::corner) of folded halves.
#[inline(always)]
pub(crate) fn corner<L: Lanes>(l: L, folded: L::U) -> L::U {
    let m = corner_top(l, folded);
    m ^ (m >> FOLD_AFTER)
}

/// [`again`](crate::hash::again): the same point, 32 more bits.
#[inline(always)]
pub(crate) fn again<L: Lanes>(l: L, hash: L::U) -> L::U {
    corner(l, fold::<L>(hash))
}

/// The cell after `cell` on an axis that repeats after `period` cells; 0 for 2^32.
#[inline(always)]
pub(crate) fn next<L: Lanes>(l: L, cell: L::U, period: u32) -> L::U {
    let next = cell + l.splat_u(1);
    if period == 0 { next } else { l.pick_u(l.lt_u(next, l.splat_u(period)), next, l.splat_u(0)) }
}

/// The cell before `cell`.
#[inline(always)]
pub(crate) fn previous<L: Lanes>(l: L, cell: L::U, period: u32) -> L::U {
    let previous = cell - l.splat_u(1);
    if period == 0 {
        previous
    } else {
        l.pick_u(l.lt_u(cell, l.splat_u(1)), l.splat_u(period.wrapping_sub(1)), previous)
    }
}

/// The halves of the lattice lines at and after `cell`, one axis: `cell * K + word`.
#[inline(always)]
fn halves<L: Lanes>(l: L, cell: L::U, (k, word, period): (u32, u32, u32)) -> (L::U, L::U) {
    let low = cell * l.splat_u(k) + l.splat_u(word);
    let high =
        if period == 0 { low + l.splat_u(k) } else { next(l, cell, period) * l.splat_u(k) + l.splat_u(word) };
    (low, high)
}

/// A half that is not folded, and one that is: the folded halves, joined.
#[inline(always)]
fn join<L: Lanes>(l: L, half: L::U, folded: L::U) -> L::U {
    l.xor3(half, half >> FOLD_BEFORE, folded)
}

/// The folded halves of the corners around a sample, joined: `[lower or upper in z][lower or upper in y][left or right]`. In
/// 2D y 0 and 1 are alike.
#[inline(always)]
pub(crate) fn corners<L: Lanes, const THREE: bool>(
    l: L,
    [x, y, z]: &At<L>,
    square: &Square,
) -> [[[L::U; 2]; 2]; 2] {
    let (x0, x1) = halves(l, x.cell, square.line(0));
    let (z0, z1) = halves(l, z.cell, square.line(2));
    let none = l.splat_u(0);
    let (y0, y1) = if THREE { halves(l, y.cell, square.line(1)) } else { (none, none) };
    // Along x the fold is part of joining, which costs nothing where three words meet in one operation.
    let ((y0, y1), (z0, z1)) = ((fold::<L>(y0), fold::<L>(y1)), (fold::<L>(z0), fold::<L>(z1)));
    let [[a, b], [c, d]] = [[z0 ^ y0, z0 ^ y1], [z1 ^ y0, z1 ^ y1]];
    [
        [[join(l, x0, a), join(l, x1, a)], [join(l, x0, b), join(l, x1, b)]],
        [[join(l, x0, c), join(l, x1, c)], [join(l, x0, d), join(l, x1, d)]],
    ]
}

/// A hash as a number: the upper 24 bits in -a..a, of `scale` = a * 2^-23 and `offset` = a.
#[inline(always)]
pub(crate) fn number<L: Lanes>(l: L, hash: L::U, scale: f32, offset: f32) -> L::F {
    l.to_f(hash >> 8) * l.splat(scale) - l.splat(offset)
}

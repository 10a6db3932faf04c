//! Two vectors as one set of lanes: the same kernel, twice the independent work.
//!
//! For kernels with long chains of dependent operations (simplex, warped noise), where one vector leaves the processor
//! waiting. Each operation is done on both halves, so bits are those of the level.

use std::ops::{Add, BitAnd, BitXor, Div, Mul, Shr, Sub};

use crate::lanes::Lanes;
use crate::storage::Table8;

/// `2 * L::N` lanes over those of `L`.
#[derive(Clone, Copy, Debug)]
pub struct Two<L>(
    /// The level's own lanes.
    pub L,
);

/// The lower and the upper half.
#[derive(Clone, Copy, Debug)]
pub struct Pair<X>(X, X);

macro_rules! pair {
    ($($trait:ident $method:ident),*) => {$(
        impl<X: $trait<Output = X>> $trait for Pair<X> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    )*};
}
pair!(Add add, Sub sub, Mul mul, Div div, BitAnd bitand, BitXor bitxor);

impl<X: Shr<u32, Output = X>> Shr<u32> for Pair<X> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by, self.1 >> by)
    }
}

macro_rules! on_both {
    ($($name:ident($($arg:ident: $in:ident),*) -> $out:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: Self::$in),*) -> Self::$out {
            Pair(self.0.$name($($arg.0),*), self.0.$name($($arg.1),*))
        }
    )*};
}

impl<L: Lanes> Lanes for Two<L> {
    const N: usize = 2 * L::N;
    const SUM_VECTORS: usize = 1;
    const WRITE_VECTORS: usize = 1;
    type F = Pair<L::F>;
    type U = Pair<L::U>;
    type M = Pair<L::M>;

    #[inline(always)]
    fn splat(self, v: f32) -> Pair<L::F> {
        Pair(self.0.splat(v), self.0.splat(v))
    }
    #[inline(always)]
    fn splat_u(self, v: u32) -> Pair<L::U> {
        Pair(self.0.splat_u(v), self.0.splat_u(v))
    }
    #[inline(always)]
    fn iota(self) -> Pair<L::U> {
        Pair(self.0.iota(), self.0.iota() + self.0.splat_u(L::N as u32))
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> Pair<L::F> {
        Pair(self.0.load(from), self.0.load(&from[L::N..]))
    }
    #[inline(always)]
    fn load_u(self, from: &[u32]) -> Pair<L::U> {
        Pair(self.0.load_u(from), self.0.load_u(&from[L::N..]))
    }
    #[inline(always)]
    fn store(self, v: Pair<L::F>, to: &mut [f32]) {
        self.0.store(v.0, to);
        self.0.store(v.1, &mut to[L::N..]);
    }
    #[inline(always)]
    fn store_u(self, v: Pair<L::U>, to: &mut [u32]) {
        self.0.store_u(v.0, to);
        self.0.store_u(v.1, &mut to[L::N..]);
    }
    /// The first `L::N` entries are in reach, of both halves.
    #[inline(always)]
    fn look_up(self, table: &[f32], i: Pair<L::U>) -> Pair<L::F> {
        Pair(self.0.look_up(table, i.0), self.0.look_up(table, i.1))
    }
    #[inline(always)]
    fn look_up8(self, table: &Table8, hash: Pair<L::U>) -> Pair<L::F> {
        Pair(self.0.look_up8(table, hash.0), self.0.look_up8(table, hash.1))
    }
    #[inline(always)]
    fn split(self, v: Pair<L::F>) -> (Pair<L::U>, Pair<L::F>) {
        let ((whole0, rest0), (whole1, rest1)) = (self.0.split(v.0), self.0.split(v.1));
        (Pair(whole0, whole1), Pair(rest0, rest1))
    }
    #[inline(always)]
    fn pick_both(self, m: Pair<L::M>, a: f32, b: f32) -> (Pair<L::F>, Pair<L::F>) {
        let ((a0, b0), (a1, b1)) = (self.0.pick_both(m.0, a, b), self.0.pick_both(m.1, a, b));
        (Pair(a0, a1), Pair(b0, b1))
    }
    on_both! {
        xor3(a: U, b: U, c: U) -> U;
        to_f(v: U) -> F;
        trunc(v: F) -> U;
        floor(v: F) -> F;
        sqrt(v: F) -> F;
        min(a: F, b: F) -> F;
        max(a: F, b: F) -> F;
        lt(a: F, b: F) -> M;
        lt_u(a: U, b: U) -> M;
        pick(m: M, a: F, b: F) -> F;
        pick_u(m: M, a: U, b: U) -> U;
    }
}

//! The trait that kernels are written over.
//!
//! In: scalars and slices. Out: the same. Deliberately not here: anything whose result depends on the number of
//! lanes (sums over lanes), on the instruction set (fused multiply-add, reciprocal estimates) or on libm.

use std::ops::{Add, BitAnd, BitXor, Div, Mul, Shr, Sub};

use crate::storage::Table8;

/// One level's lanes: a vector of `N` f32 and one of `N` u32, and what kernels do with them.
///
/// A value of the implementing type is a proof that the level's instructions are available; it is what
/// [`SimdLevel::dispatch`](crate::SimdLevel::dispatch) hands to a kernel.
///
/// # One answer
/// Every operation gives the same bits at every level, at the edges too:
///
/// | operation | pinned to |
/// |---|---|
/// | `+ - * /`, `sqrt` | IEEE 754, round to nearest even, subnormals kept |
/// | u32 `+ - *` | wrapping |
/// | u32 `>>` | by 0..32; more is a bug |
/// | [`min`](Self::min), [`max`](Self::max) | `if a < b { a } else { b }`, `if a > b { a } else { b }`: the second operand for NaN and for -0 against +0 |
/// | [`floor`](Self::floor) | exact; keeps -0, NaN, infinities and values of 2^23 and more |
/// | [`trunc`](Self::trunc) | towards zero; `0x8000_0000` for NaN and out of range |
/// | [`split`](Self::split) | exact for the values of an i32; others and -0 are a bug |
/// | [`lt`](Self::lt) | false for NaN |
///
/// Only the payload of a NaN is not pinned. A host that sets flush-to-zero voids the first line.
///
/// Kernels are named functions marked `#[inline(always)]`: a closure, or a function without the attribute, may be
/// compiled outside the level's target features, with right bits and at a tenth of the speed.
pub trait Lanes: Copy {
    /// Lanes of a vector.
    const N: usize;
    /// How many vectors a pass that adds to a row should take at once. Measured per level.
    const SUM_VECTORS: usize;
    /// How many vectors a pass that only writes a row should take at once. Measured per level.
    const WRITE_VECTORS: usize;

    /// `N` f32.
    type F: Copy
        + Add<Output = Self::F>
        + Sub<Output = Self::F>
        + Mul<Output = Self::F>
        + Div<Output = Self::F>;
    /// `N` u32 with wrapping arithmetic.
    type U: Copy
        + Add<Output = Self::U>
        + Sub<Output = Self::U>
        + Mul<Output = Self::U>
        + BitAnd<Output = Self::U>
        + BitXor<Output = Self::U>
        + Shr<u32, Output = Self::U>;
    /// `N` truth values.
    type M: Copy;

    /// `v` in every lane.
    fn splat(self, v: f32) -> Self::F;
    /// `v` in every lane.
    fn splat_u(self, v: u32) -> Self::U;
    /// 0, 1, 2, ... N - 1.
    fn iota(self) -> Self::U;
    /// The first `N` of `from`. Panics when there are fewer.
    fn load(self, from: &[f32]) -> Self::F;
    /// The first `N` of `from`. Panics when there are fewer.
    fn load_u(self, from: &[u32]) -> Self::U;
    /// Writes `N` values to the start of `to`. Panics when it is shorter.
    fn store(self, v: Self::F, to: &mut [f32]);
    /// Writes `N` values to the start of `to`. Panics when it is shorter.
    fn store_u(self, v: Self::U, to: &mut [u32]);
    /// `table[i]` of every lane. The first `N` entries are in reach; `i >= N` is a bug and gives any of them.
    /// One permute where the level has one. Panics when `table` is shorter than `N`.
    fn look_up(self, table: &[f32], i: Self::U) -> Self::F;
    /// `table[hash >> 29]` of every lane.
    fn look_up8(self, table: &Table8, hash: Self::U) -> Self::F;
    /// Each lane read as an i32, to f32, rounded to nearest even.
    fn to_f(self, v: Self::U) -> Self::F;
    /// Towards zero to an i32's bits; `0x8000_0000` for NaN and for values outside i32.
    fn trunc(self, v: Self::F) -> Self::U;
    /// The largest whole number not above `v`.
    fn floor(self, v: Self::F) -> Self::F;
    /// The largest whole number not above `v`, to an i32's bits, and `v` minus that number.
    #[inline(always)]
    fn split(self, v: Self::F) -> (Self::U, Self::F) {
        let whole = self.floor(v);
        (self.trunc(whole), v - whole)
    }
    /// `(a ^ b) ^ c`: one operation on AVX-512.
    #[inline(always)]
    fn xor3(self, a: Self::U, b: Self::U, c: Self::U) -> Self::U {
        (a ^ b) ^ c
    }
    /// The correctly rounded square root.
    fn sqrt(self, v: Self::F) -> Self::F;
    /// `if a < b { a } else { b }`.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `if a > b { a } else { b }`.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a < b`.
    fn lt(self, a: Self::F, b: Self::F) -> Self::M;
    /// `a < b`, unsigned. Three operations on AVX2: not for inner loops.
    fn lt_u(self, a: Self::U, b: Self::U) -> Self::M;
    /// `a` where `m`, else `b`.
    fn pick(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// `a` where `m`, else `b`; and the other one: `b` where `m`, else `a`.
    #[inline(always)]
    fn pick_both(self, m: Self::M, a: f32, b: f32) -> (Self::F, Self::F) {
        let (a, b) = (self.splat(a), self.splat(b));
        (self.pick(m, a, b), self.pick(m, b, a))
    }
    /// `a` where `m`, else `b`.
    fn pick_u(self, m: Self::M, a: Self::U, b: Self::U) -> Self::U;
}

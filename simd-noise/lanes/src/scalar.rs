//! One lane in plain f32 and u32: the honest scalar path, and the definition that the other levels are tested against.

use std::ops::{Add, BitAnd, BitXor, Mul, Shr, Sub};

use crate::lanes::Lanes;
use crate::storage::Table8;

/// The scalar level. Always available.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar;

/// A u32 whose arithmetic wraps, as that of a vector does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrapping32(u32);

macro_rules! wrapping {
    ($($trait:ident $method:ident $function:ident),*) => {$(
        impl $trait for Wrapping32 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$function(other.0))
            }
        }
    )*};
}
wrapping!(Add add wrapping_add, Sub sub wrapping_sub, Mul mul wrapping_mul, BitAnd bitand bitand, BitXor bitxor bitxor);

impl Shr<u32> for Wrapping32 {
    type Output = Self;
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
}

impl Lanes for Scalar {
    const N: usize = 1;
    const SUM_VECTORS: usize = 1;
    const WRITE_VECTORS: usize = 1;
    type F = f32;
    type U = Wrapping32;
    type M = bool;

    #[inline(always)]
    fn splat(self, v: f32) -> f32 {
        v
    }
    #[inline(always)]
    fn splat_u(self, v: u32) -> Wrapping32 {
        Wrapping32(v)
    }
    #[inline(always)]
    fn iota(self) -> Wrapping32 {
        Wrapping32(0)
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> f32 {
        from[0]
    }
    #[inline(always)]
    fn load_u(self, from: &[u32]) -> Wrapping32 {
        Wrapping32(from[0])
    }
    #[inline(always)]
    fn store(self, v: f32, to: &mut [f32]) {
        to[0] = v;
    }
    #[inline(always)]
    fn store_u(self, v: Wrapping32, to: &mut [u32]) {
        to[0] = v.0;
    }
    #[inline(always)]
    fn look_up(self, table: &[f32], _: Wrapping32) -> f32 {
        // One entry is in reach, so the index is 0.
        table[0]
    }
    #[inline(always)]
    fn look_up8(self, table: &Table8, hash: Wrapping32) -> f32 {
        table.values()[(hash.0 >> 29) as usize]
    }
    #[inline(always)]
    fn to_f(self, v: Wrapping32) -> f32 {
        v.0.cast_signed() as f32
    }
    #[inline(always)]
    fn trunc(self, v: f32) -> Wrapping32 {
        // `as` saturates; x86 gives the lowest i32 for everything out of range, and that is the pinned answer.
        let in_range = (-2_147_483_648.0..2_147_483_648.0).contains(&v);
        Wrapping32(if in_range { (v as i32).cast_unsigned() } else { 0x8000_0000 })
    }
    #[inline(always)]
    fn floor(self, v: f32) -> f32 {
        // Not `f32::floor`: without SSE4.1 that is a call into libm.
        let whole = v as i32 as f32;
        let down = if v < whole { whole - 1.0 } else { whole };
        // From 2^23 on every f32 is whole. The sign is v's own: the floor of -0 is -0.
        if v.abs() < 8_388_608.0 { down.copysign(v) } else { v }
    }
    #[inline(always)]
    fn sqrt(self, v: f32) -> f32 {
        v.sqrt()
    }
    #[inline(always)]
    fn min(self, a: f32, b: f32) -> f32 {
        if a < b { a } else { b }
    }
    #[inline(always)]
    fn max(self, a: f32, b: f32) -> f32 {
        if a > b { a } else { b }
    }
    #[inline(always)]
    fn lt(self, a: f32, b: f32) -> bool {
        a < b
    }
    #[inline(always)]
    fn lt_u(self, a: Wrapping32, b: Wrapping32) -> bool {
        a.0 < b.0
    }
    #[inline(always)]
    fn pick(self, m: bool, a: f32, b: f32) -> f32 {
        if m { a } else { b }
    }
    #[inline(always)]
    fn pick_u(self, m: bool, a: Wrapping32, b: Wrapping32) -> Wrapping32 {
        if m { a } else { b }
    }
}

//! Eight lanes over the `wide` crate: whatever instructions the build's target features give.
//!
//! In a default x86-64 build that is SSE2; with `-Ctarget-cpu=native` it is what the machine has. `wide` never
//! looks at the processor at run time, which is why it stands beside the native levels and can be compared to them.

use wide::{f32x8, i32x8, u32x8};

use crate::lanes::Lanes;
use crate::storage::Table8;

/// The `wide` level. Always available.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide;

const N: usize = 8;

#[inline(always)]
fn eight<T: Copy>(from: &[T]) -> [T; N] {
    from[..N].try_into().expect("a slice of N")
}

#[inline(always)]
fn signed(v: u32x8) -> i32x8 {
    wide::bytemuck::cast(v)
}

#[inline(always)]
fn unsigned(v: i32x8) -> u32x8 {
    wide::bytemuck::cast(v)
}

impl Lanes for Wide {
    const N: usize = N;
    const SUM_VECTORS: usize = 2;
    const WRITE_VECTORS: usize = 2;
    type F = f32x8;
    type U = u32x8;
    type M = u32x8;

    #[inline(always)]
    fn splat(self, v: f32) -> f32x8 {
        f32x8::splat(v)
    }
    #[inline(always)]
    fn splat_u(self, v: u32) -> u32x8 {
        u32x8::splat(v)
    }
    #[inline(always)]
    fn iota(self) -> u32x8 {
        u32x8::new([0, 1, 2, 3, 4, 5, 6, 7])
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> f32x8 {
        f32x8::new(eight(from))
    }
    #[inline(always)]
    fn load_u(self, from: &[u32]) -> u32x8 {
        u32x8::new(eight(from))
    }
    #[inline(always)]
    fn store(self, v: f32x8, to: &mut [f32]) {
        to[..N].copy_from_slice(&v.to_array());
    }
    #[inline(always)]
    fn store_u(self, v: u32x8, to: &mut [u32]) {
        to[..N].copy_from_slice(&v.to_array());
    }
    #[inline(always)]
    fn look_up(self, table: &[f32], i: u32x8) -> f32x8 {
        f32x8::new(eight(table)).shuffle(i)
    }
    #[inline(always)]
    fn look_up8(self, table: &Table8, hash: u32x8) -> f32x8 {
        f32x8::new(eight(table.values())).shuffle(hash >> 29)
    }
    #[inline(always)]
    fn to_f(self, v: u32x8) -> f32x8 {
        f32x8::from_i32x8(signed(v))
    }
    #[inline(always)]
    fn trunc(self, v: f32x8) -> u32x8 {
        // The fast conversion's out-of-range result is the target's own; pinned by a select.
        let fits = v.simd_lt(f32x8::splat(2_147_483_648.0)).to_bits()
            & v.simd_gt(f32x8::splat(-2_147_483_904.0)).to_bits();
        fits.select(unsigned(v.fast_trunc_int()), u32x8::splat(0x8000_0000))
    }
    #[inline(always)]
    fn floor(self, v: f32x8) -> f32x8 {
        // `f32x8::floor` is eight libm calls below SSE4.1: truncate and compare, as in scalar.rs.
        let sign = v.to_bits() & u32x8::splat(0x8000_0000);
        let whole = f32x8::from_i32x8(v.fast_trunc_int());
        let down = whole - v.simd_lt(whole).select(f32x8::splat(1.0), f32x8::splat(0.0));
        let small = (v.to_bits() & u32x8::splat(0x7fff_ffff)).simd_lt(u32x8::splat(0x4b00_0000));
        small.select(f32x8::from_bits(down.to_bits() | sign), v)
    }
    #[inline(always)]
    fn sqrt(self, v: f32x8) -> f32x8 {
        v.sqrt()
    }
    #[inline(always)]
    fn min(self, a: f32x8, b: f32x8) -> f32x8 {
        // minps is the pinned answer; other instruction sets have others.
        if cfg!(target_feature = "sse") { a.fast_min(b) } else { a.simd_lt(b).select(a, b) }
    }
    #[inline(always)]
    fn max(self, a: f32x8, b: f32x8) -> f32x8 {
        if cfg!(target_feature = "sse") { a.fast_max(b) } else { a.simd_gt(b).select(a, b) }
    }
    #[inline(always)]
    fn lt(self, a: f32x8, b: f32x8) -> u32x8 {
        a.simd_lt(b).to_bits()
    }
    #[inline(always)]
    fn lt_u(self, a: u32x8, b: u32x8) -> u32x8 {
        a.simd_lt(b)
    }
    #[inline(always)]
    fn pick(self, m: u32x8, a: f32x8, b: f32x8) -> f32x8 {
        m.select(a, b)
    }
    #[inline(always)]
    fn pick_u(self, m: u32x8, a: u32x8, b: u32x8) -> u32x8 {
        m.select(a, b)
    }
}

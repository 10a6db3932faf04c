//! The run-time levels over `fearless_simd`: a token proves that the processor has the instructions.
//!
//! Almost everything is `fearless_simd`'s own portable operation. What differs between instruction sets, or would
//! be slow, stands in [`Instructions`], one implementation a level.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::dispatch::Kernel;
use crate::lanes::Lanes;
use crate::storage::Table8;

/// Lanes of the level whose token `S` is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Native<S>(pub(crate) S);

/// Compiles the kernel inside the level's target features. The attributed closure is the only one in any kernel.
pub(crate) fn enter<S: Instructions, K: Kernel>(simd: S, kernel: K) -> K::Output {
    simd.vectorize(
        #[inline(always)]
        || kernel.run(Native(simd)),
    )
}

/// What each instruction set does in its own way.
pub(crate) trait Instructions: Simd {
    /// See [`Lanes::SUM_VECTORS`].
    const SUM_VECTORS: usize = 2;
    /// See [`Lanes::WRITE_VECTORS`].
    const WRITE_VECTORS: usize = 2;
    /// See [`Lanes::look_up`].
    fn look_up(self, table: &[f32], i: Self::u32s) -> Self::f32s;
    /// See [`Lanes::look_up8`].
    fn look_up8(self, table: &Table8, hash: Self::u32s) -> Self::f32s;
    /// See [`Lanes::floor`].
    #[inline(always)]
    fn floor(self, v: Self::f32s) -> Self::f32s {
        v.floor()
    }
    /// See [`Lanes::split`].
    #[inline(always)]
    fn split(self, v: Self::f32s) -> (Self::u32s, Self::f32s) {
        let whole = self.floor(v);
        (self.trunc(whole), v - whole)
    }
    /// See [`Lanes::xor3`].
    #[inline(always)]
    fn xor3(self, a: Self::u32s, b: Self::u32s, c: Self::u32s) -> Self::u32s {
        (a ^ b) ^ c
    }
    /// See [`Lanes::pick_both`].
    #[inline(always)]
    fn pick_both(self, m: Self::mask32s, a: f32, b: f32) -> (Self::f32s, Self::f32s) {
        let (a, b) = (Self::f32s::splat(self, a), Self::f32s::splat(self, b));
        (m.select(a, b), m.select(b, a))
    }
    /// See [`Lanes::trunc`].
    #[inline(always)]
    fn trunc(self, v: Self::f32s) -> Self::u32s {
        // On x86 the raw conversion gives 0x8000_0000 out of range, which is the pinned answer; tests/pinned.rs
        // would notice another one. The levels that saturate override this.
        Self::i32s::truncate_from(v).bitcast()
    }
    /// See [`Lanes::min`].
    #[inline(always)]
    fn min(self, a: Self::f32s, b: Self::f32s) -> Self::f32s {
        a.simd_lt(b).select(a, b)
    }
    /// See [`Lanes::max`].
    #[inline(always)]
    fn max(self, a: Self::f32s, b: Self::f32s) -> Self::f32s {
        a.simd_gt(b).select(a, b)
    }
}

/// On x86 minps and maxps are the pinned answer, second operand for NaN and for equal zeros; a compare and a select
/// would cost three operations more. Elsewhere the instruction's answer is another.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! minps_and_maxps {
    () => {
        #[inline(always)]
        fn min(self, a: Self::f32s, b: Self::f32s) -> Self::f32s {
            a.min(b)
        }
        #[inline(always)]
        fn max(self, a: Self::f32s, b: Self::f32s) -> Self::f32s {
            a.max(b)
        }
    };
}

/// Look-ups of four lanes by four scalar loads: with four entries in reach there is nothing faster without a byte
/// shuffle, and the levels that have one have wider lanes too.
macro_rules! four_lanes {
    ($level:ty { $($more:tt)* }) => {
        impl Instructions for $level {
            #[inline(always)]
            fn look_up(self, table: &[f32], i: Self::u32s) -> Self::f32s {
                let t: &[f32; 4] = table[..4].try_into().expect("a slice of 4");
                let i = i.as_slice();
                let at = [t[(i[0] & 3) as usize], t[(i[1] & 3) as usize], t[(i[2] & 3) as usize], t[(i[3] & 3) as usize]];
                Self::f32s::from_slice(self, &at)
            }
            #[inline(always)]
            fn look_up8(self, table: &Table8, hash: Self::u32s) -> Self::f32s {
                let (t, h) = (table.values(), hash.as_slice());
                let at = [t[(h[0] >> 29) as usize], t[(h[1] >> 29) as usize], t[(h[2] >> 29) as usize], t[(h[3] >> 29) as usize]];
                Self::f32s::from_slice(self, &at)
            }
            $($more)*
        }
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    use super::*;
    #[cfg(target_arch = "x86")]
    use core::arch::x86 as arch;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64 as arch;
    use fearless_simd::{Avx2, Avx512, Sse2, Sse4_2, f32x8, f32x16, i32x16, kernel, u32x8, u32x16};

    four_lanes!(Sse2 {
        minps_and_maxps!();
        // Below SSE4.1 `fearless_simd`'s floor is four libm calls: truncate and compare, as in scalar.rs.
        #[inline(always)]
        fn floor(self, v: Self::f32s) -> Self::f32s {
            let sign = v.bitcast::<Self::u32s>() & 0x8000_0000;
            let size = v.bitcast::<Self::u32s>() & 0x7fff_ffff;
            let whole = Self::f32s::float_from(Self::i32s::truncate_from(v));
            let one = v.simd_lt(whole).select(Self::f32s::splat(self, 1.0), Self::f32s::splat(self, 0.0));
            let down = (whole - one).bitcast::<Self::u32s>() | sign;
            size.simd_lt(Self::u32s::splat(self, 0x4b00_0000)).select(down.bitcast(), v)
        }
    });
    four_lanes!(Sse4_2 {
        minps_and_maxps!();
    });

    kernel!(
        #[inline(always)]
        fn permute8(simd: Avx2, table: f32x8<Avx2>, i: u32x8<Avx2>) -> f32x8<Avx2> {
            arch::_mm256_permutevar8x32_ps(table.into(), i.into()).simd_into(simd)
        }
    );
    kernel!(
        #[inline(always)]
        fn permute16(simd: Avx512, table: f32x16<Avx512>, i: u32x16<Avx512>) -> f32x16<Avx512> {
            arch::_mm512_permutexvar_ps(i.into(), table.into()).simd_into(simd)
        }
    );
    kernel!(
        #[inline(always)]
        fn round_down16(simd: Avx512, v: f32x16<Avx512>) -> u32x16<Avx512> {
            const DOWN: i32 = arch::_MM_FROUND_TO_NEG_INF | arch::_MM_FROUND_NO_EXC;
            arch::_mm512_cvt_roundps_epi32::<DOWN>(v.into()).simd_into(simd)
        }
    );
    kernel!(
        #[inline(always)]
        fn three_xor16(
            simd: Avx512,
            a: u32x16<Avx512>,
            b: u32x16<Avx512>,
            c: u32x16<Avx512>,
        ) -> u32x16<Avx512> {
            // Where one or three of the bits are set.
            const XOR: i32 = 0x96;
            arch::_mm512_ternarylogic_epi32::<XOR>(a.into(), b.into(), c.into()).simd_into(simd)
        }
    );

    impl Instructions for Avx2 {
        minps_and_maxps!();
        // For the processor a blend by a mask is two or three operations, an AND or XOR is one.
        #[inline(always)]
        fn pick_both(self, m: Self::mask32s, a: f32, b: f32) -> (f32x8<Self>, f32x8<Self>) {
            let other = m.select(u32x8::splat(self, a.to_bits() ^ b.to_bits()), u32x8::splat(self, 0));
            let (a, b) = (u32x8::splat(self, a.to_bits()), u32x8::splat(self, b.to_bits()));
            ((b ^ other).bitcast(), (a ^ other).bitcast())
        }
        #[inline(always)]
        fn look_up(self, table: &[f32], i: u32x8<Self>) -> f32x8<Self> {
            permute8(self, f32x8::from_slice(self, &table[..8]), i)
        }
        #[inline(always)]
        fn look_up8(self, table: &Table8, hash: u32x8<Self>) -> f32x8<Self> {
            permute8(self, f32x8::from_slice(self, &table.values()[..8]), hash >> 29)
        }
    }

    impl Instructions for Avx512 {
        // Measured: 512-bit sums run best one vector wide, direct writes four wide.
        const SUM_VECTORS: usize = 1;
        const WRITE_VECTORS: usize = 4;
        minps_and_maxps!();
        // For the processor rounding to a float is two operations, and so is rounding to an integer and back to a float.
        #[inline(always)]
        fn split(self, v: f32x16<Self>) -> (u32x16<Self>, f32x16<Self>) {
            let whole = round_down16(self, v);
            (whole, v - f32x16::float_from(whole.bitcast::<i32x16<Self>>()))
        }
        #[inline(always)]
        fn xor3(self, a: u32x16<Self>, b: u32x16<Self>, c: u32x16<Self>) -> u32x16<Self> {
            three_xor16(self, a, b, c)
        }
        #[inline(always)]
        fn look_up(self, table: &[f32], i: u32x16<Self>) -> f32x16<Self> {
            permute16(self, f32x16::from_slice(self, &table[..16]), i)
        }
        #[inline(always)]
        fn look_up8(self, table: &Table8, hash: u32x16<Self>) -> f32x16<Self> {
            permute16(self, f32x16::from_slice(self, table.values()), hash >> 29)
        }
    }
}

/// Conversions that saturate, pinned to x86's answer outside i32.
#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
macro_rules! saturating {
    ($level:ty) => {
        four_lanes!($level {
            #[inline(always)]
            fn trunc(self, v: Self::f32s) -> Self::u32s {
                let low = Self::u32s::splat(self, 0x8000_0000);
                let fits = v.simd_lt(Self::f32s::splat(self, 2_147_483_648.0));
                fits.select(Self::i32s::truncate_from(v).bitcast(), low)
            }
        });
    };
}
#[cfg(target_arch = "aarch64")]
saturating!(fearless_simd::Neon);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
saturating!(fearless_simd::WasmSimd128);

impl<S: Instructions> Lanes for Native<S> {
    const N: usize = S::f32s::LEN;
    const SUM_VECTORS: usize = S::SUM_VECTORS;
    const WRITE_VECTORS: usize = S::WRITE_VECTORS;
    type F = S::f32s;
    type U = S::u32s;
    type M = S::mask32s;

    #[inline(always)]
    fn splat(self, v: f32) -> S::f32s {
        S::f32s::splat(self.0, v)
    }
    #[inline(always)]
    fn splat_u(self, v: u32) -> S::u32s {
        S::u32s::splat(self.0, v)
    }
    #[inline(always)]
    fn iota(self) -> S::u32s {
        const IOTA: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        S::u32s::from_slice(self.0, &IOTA[..S::u32s::LEN])
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> S::f32s {
        S::f32s::from_slice(self.0, &from[..S::f32s::LEN])
    }
    #[inline(always)]
    fn load_u(self, from: &[u32]) -> S::u32s {
        S::u32s::from_slice(self.0, &from[..S::u32s::LEN])
    }
    #[inline(always)]
    fn store(self, v: S::f32s, to: &mut [f32]) {
        v.store_slice(&mut to[..S::f32s::LEN]);
    }
    #[inline(always)]
    fn store_u(self, v: S::u32s, to: &mut [u32]) {
        v.store_slice(&mut to[..S::u32s::LEN]);
    }
    #[inline(always)]
    fn look_up(self, table: &[f32], i: S::u32s) -> S::f32s {
        self.0.look_up(table, i)
    }
    #[inline(always)]
    fn look_up8(self, table: &Table8, hash: S::u32s) -> S::f32s {
        self.0.look_up8(table, hash)
    }
    #[inline(always)]
    fn to_f(self, v: S::u32s) -> S::f32s {
        // Through i32: AVX2 has no unsigned conversion.
        S::f32s::float_from(v.bitcast::<S::i32s>())
    }
    #[inline(always)]
    fn trunc(self, v: S::f32s) -> S::u32s {
        self.0.trunc(v)
    }
    #[inline(always)]
    fn floor(self, v: S::f32s) -> S::f32s {
        self.0.floor(v)
    }
    #[inline(always)]
    fn split(self, v: S::f32s) -> (S::u32s, S::f32s) {
        self.0.split(v)
    }
    #[inline(always)]
    fn xor3(self, a: S::u32s, b: S::u32s, c: S::u32s) -> S::u32s {
        self.0.xor3(a, b, c)
    }
    #[inline(always)]
    fn pick_both(self, m: S::mask32s, a: f32, b: f32) -> (S::f32s, S::f32s) {
        self.0.pick_both(m, a, b)
    }
    #[inline(always)]
    fn sqrt(self, v: S::f32s) -> S::f32s {
        v.sqrt()
    }
    #[inline(always)]
    fn min(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.min(a, b)
    }
    #[inline(always)]
    fn max(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.max(a, b)
    }
    #[inline(always)]
    fn lt(self, a: S::f32s, b: S::f32s) -> S::mask32s {
        a.simd_lt(b)
    }
    #[inline(always)]
    fn lt_u(self, a: S::u32s, b: S::u32s) -> S::mask32s {
        a.simd_lt(b)
    }
    #[inline(always)]
    fn pick(self, m: S::mask32s, a: S::f32s, b: S::f32s) -> S::f32s {
        m.select(a, b)
    }
    #[inline(always)]
    fn pick_u(self, m: S::mask32s, a: S::u32s, b: S::u32s) -> S::u32s {
        m.select(a, b)
    }
}

//! The one place where a level becomes code: a kernel is compiled once per level, and a call takes one branch.

use crate::lanes::Lanes;
use crate::level::{SimdLevel, Token};
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use crate::native::enter;
use crate::scalar::Scalar;
use crate::wide::Wide;

/// Work that is written once over [`Lanes`]: its inputs and outputs are the fields of the implementing type.
pub trait Kernel {
    /// What a run returns.
    type Output;
    /// Runs on `lanes`. Mark the implementation `#[inline(always)]`.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

impl SimdLevel {
    /// Runs `kernel` at this level. Costs one branch.
    pub fn dispatch<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Token::Scalar => kernel.run(Scalar),
            Token::Wide => kernel.run(Wide),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Sse2(simd) => enter(simd, kernel),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Sse42(simd) => enter(simd, kernel),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Avx2(simd) => enter(simd, kernel),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Avx512(simd) => enter(simd, kernel),
            #[cfg(target_arch = "aarch64")]
            Token::Neon(simd) => enter(simd, kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Token::Simd128(simd) => enter(simd, kernel),
        }
    }
}

//! The lanes that Terrane's kernels are written over.
//!
//! A kernel is written once over [`Lanes`]: an f32 and a u32 vector of `N` lanes with about 25 operations. It runs
//! on every [`SimdLevel`] with the same bits: one scalar implementation, one over the `wide` crate (instructions
//! chosen at build time) and one over `fearless_simd` (instructions chosen at run time).
//!
//! - [`Lanes`], the trait, with what each operation does at the edges (-0, NaN, out of range);
//! - [`Table8`], [`Aligned`], the storage that look-ups and rows want;
//! - [`SimdLevel`], detected once, forced by name or by `TERRANE_SIMD`;
//! - [`Two`], two vectors as one, for kernels with long chains;
//! - [`Kernel`] and [`SimdLevel::dispatch`], the one place where a level becomes code.
//!
//! Not here: fused multiply-add, approximate reciprocals, horizontal sums. They would make the answer depend on
//! the level.
//!
//! ```
//! use terrane_lanes::{Kernel, Lanes, SimdLevel};
//!
//! struct Double<'a>(&'a mut [f32]);
//! impl Kernel for Double<'_> {
//!     type Output = ();
//!     #[inline(always)]
//!     fn run<L: Lanes>(self, lanes: L) {
//!         for row in self.0.chunks_exact_mut(L::N) {
//!             lanes.store(lanes.load(row) + lanes.load(row), row);
//!         }
//!     }
//! }
//!
//! let mut values = [1.0; 16];
//! SimdLevel::detect().dispatch(Double(&mut values));
//! assert_eq!(values, [2.0; 16]);
//! ```
#![forbid(unsafe_code)]

mod dispatch;
mod lanes;
mod level;
// Only where there is a run-time level.
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod native;
mod scalar;
mod storage;
mod two;
mod wide;

pub use dispatch::Kernel;
pub use lanes::Lanes;
pub use level::{SimdLevel, SimdLevelError};
pub use storage::{Aligned, Table8};
pub use two::{Pair, Two};

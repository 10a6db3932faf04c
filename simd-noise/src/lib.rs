//! Noise kernels, written once, run at every SIMD level with the same bits.
//!
//! - [`Fbm`]: fractal sums of gradient noise over a [`Grid`] or at a point;
//! - [`Coord`]: exact positions, as good at 2^50 samples as at the origin;
//! - [`Scratch`]: the working memory of one thread, made once;
//! - [`hash`]: the lattice hash and how 64-bit seeds become words.
//!
//! Nothing here allocates after a noise and its scratch are made, knows of chunks or metres, or holds a world
//! position in a float.
#![forbid(unsafe_code)]

mod fbm;
mod gradient;
mod grid;
pub mod hash;
mod kernel;
mod octave;
mod phase;
mod scratch;

pub use fbm::{Fbm, FbmParams, NoiseError};
pub use grid::Grid;
pub use phase::Coord;
pub use scratch::Scratch;
pub use terrane_lanes::{SimdLevel, SimdLevelError};

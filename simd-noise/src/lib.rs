//! Noise kernels, written once, run at every SIMD level with the same bits.
//!
//! - [`Noise`]: a kind of noise ([`Kind::ALL`]) and its fractal over a [`Grid`], a [`Volume`], a line or points, with
//!   its derivatives if asked;
//! - [`NoiseParams`]: what decides it; docs/NOISE.md defines each kind to the bit;
//! - [`Program`]: named fields made of noise and of one another, with guaranteed bounds; docs/PROGRAMS.md;
//! - [`Raster`]: 16-bit pixels on the ground; docs/RASTERS.md;
//! - [`Coord`]: exact positions, as good at 2^50 samples as at the origin;
//! - [`Scratch`]: the working memory of one thread, made once;
//! - [`hash`]: the lattice hash and how 64-bit seeds become words.
//!
//! Nothing here allocates after a noise and its scratch are made, knows of chunks or metres, or holds a world
//! position in a float.
#![forbid(unsafe_code)]

mod axis;
mod blocks;
mod gradient;
mod grid;
pub mod hash;
mod kernel;
mod kinds;
mod noise;
mod octave;
mod params;
mod phase;
mod program;
mod raster;
mod scratch;
mod source;

pub use grid::{Grid, Volume};
pub use kinds::{
    Cellular, Constant, Distance, Kind, KindInfo, Perlin, PerlinClassic, PermutationTable, Returns, Setting,
    SettingRule, SettingValue, Simplex, Value, White,
};
pub use noise::{Gradient, Noise};
pub use params::{
    Dimensions, FREQUENCY_MAX, FREQUENCY_MIN, Fractal, FractalShape, LACUNARITY_MAX, NoiseError, NoiseParams,
    OCTAVES_MAX, PERIOD_CELLS_MAX, Period,
};
pub use phase::Coord;
pub use program::{
    Bounds, CURVE_INTERVALS, CURVE_KEYS_MAX, Curve, CurveKey, Deviation, Node, Program, ProgramBuilder,
    ProgramError, WarpBy, WarpNoise, WarpOrder,
};
pub use raster::{
    Filter, Outside, PIXELS_PER_SAMPLE_MAX, PIXELS_PER_SAMPLE_MIN, RASTER_SIDE_MAX, RASTER_VALUE_MAX, Raster,
    RasterError, RasterParams,
};
pub use scratch::Scratch;
pub use terrane_lanes::{SimdLevel, SimdLevelError};

//! One octave, compiled: everything a kernel needs that does not depend on the tile.

use terrane_lanes::Table8;

use crate::gradient::{DIRECTION_X, DIRECTION_Z};
use crate::hash::{octave_offsets, octave_words};
use crate::phase::Ramp;

/// An octave of gradient noise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octave {
    /// Phase steps of 0..16 samples.
    pub(crate) ramp: Ramp,
    /// Phase of sample 0 along x and z.
    pub(crate) offsets: [u64; 2],
    /// Seed words of the column's and the row's half of the hash.
    pub(crate) words: [u32; 2],
    /// Gradient directions times the octave's amplitude.
    pub(crate) gradient_x: Table8,
    pub(crate) gradient_z: Table8,
}

impl Octave {
    /// Octave `index` of the field with `seed`, `step` cells a sample in 32.32 fixed point.
    pub(crate) fn new(seed: u64, index: u32, step: u64, amplitude: f32) -> Self {
        let [offset_x, _, offset_z] = octave_offsets(seed, index);
        let [word_x, _, word_z] = octave_words(seed, index);
        Self {
            ramp: Ramp::new(step),
            offsets: [offset_x, offset_z],
            words: [word_x, word_z],
            gradient_x: Table8::new(DIRECTION_X.map(|v| v * amplitude)),
            gradient_z: Table8::new(DIRECTION_Z.map(|v| v * amplitude)),
        }
    }

    /// True when neighbours at `stride` are at most one cell apart: then the lattice-coherent kernel serves them.
    #[inline(always)]
    pub(crate) fn shares_cells(&self, stride: u32) -> bool {
        u128::from(self.ramp.step) * u128::from(stride) <= 1 << 32
    }
}

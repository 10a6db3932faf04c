//! Two slow, plain definitions of the noise, written from the formula and not from the kernels.
//!
//! - [`Oracle::exact`]: the separable formula of the contract, operation by operation in f32, one sample at a time.
//!   Every kernel at every level must equal it to the bit.
//! - [`Oracle::textbook`]: gradient noise as in the textbook, in f64, on exact integer positions with all 32 bits
//!   of the fraction. It bounds the error of the separable form and shows that the error is the same anywhere.
#![allow(dead_code)] // each test uses its part

use terrane_noise::{FbmParams, hash};

struct OracleOctave {
    step: u64,
    offsets: [u64; 2],
    words: [u32; 2],
    amplitude: f64,
}

pub(crate) struct Oracle {
    octaves: Vec<OracleOctave>,
    directions: [[f64; 2]; 8],
}

/// The largest sum of one octave: literal in the library, searched for in `bounds.rs`.
pub(crate) const BOUND: f64 = 0.693_6;

impl Oracle {
    #[expect(clippy::disallowed_methods, reason = "the oracle derives the literal directions anew")]
    pub(crate) fn new(params: &FbmParams) -> Self {
        let total: f64 = (0..params.octaves).map(|i| params.persistence.powi(i as i32)).sum();
        let mut frequency = params.frequency;
        let octaves = (0..params.octaves).map(|i| {
            let offsets = hash::octave_offsets(params.seed, i);
            let words = hash::octave_words(params.seed, i);
            let octave = OracleOctave {
                step: (frequency * 4_294_967_296.0).round() as u64,
                offsets: [offsets[0], offsets[2]],
                words: [words[0], words[2]],
                amplitude: params.persistence.powi(i as i32) * (1.0 - 1.0 / 262_144.0) / (BOUND * total),
            };
            frequency *= params.lacunarity;
            octave
        });
        let octaves = octaves.collect();
        let directions = std::array::from_fn(|k| {
            let angle = (k as f64 + 0.25) * std::f64::consts::FRAC_PI_4;
            [angle.cos(), angle.sin()]
        });
        Self { octaves, directions }
    }

    fn gradient(&self, octave: &OracleOctave, x: u32, z: u32) -> [f64; 2] {
        let h = hash::corner(hash::half_x(x, octave.words[0]), hash::half_z(z, octave.words[1]));
        self.directions[(h >> 29) as usize]
    }

    /// The separable formula in f32.
    pub(crate) fn exact(&self, x: i64, z: i64) -> f32 {
        let mut sum = None;
        for octave in &self.octaves {
            let [(cx, fx), (cz, fz)] = octave.position(x, z);
            let (fx, fz) = (fraction24(fx), fraction24(fz));
            let ([xp0, xp1, xq0, xq1], [zp0, zp1, zq0, zq1]) = (weights(fx), weights(fz));
            let row = |cz: u32| {
                let scaled = |cx: u32| {
                    let [gx, gz] = self.gradient(octave, cx, cz);
                    [gx as f32 * octave.amplitude as f32, gz as f32 * octave.amplitude as f32]
                };
                let ([gx0, gz0], [gx1, gz1]) = (scaled(cx), scaled(cx.wrapping_add(1)));
                (gx0 * xp0 + gx1 * xp1, gz0 * xq0 + gz1 * xq1)
            };
            let ((e0, g0), (e1, g1)) = (row(cz), row(cz.wrapping_add(1)));
            let n = (e0 * zq0 + g0 * zp0) + (e1 * zq1 + g1 * zp1);
            sum = Some(sum.map_or(n, |sum: f32| sum + n));
        }
        sum.expect("at least one octave")
    }

    /// The textbook formula in f64: corner gradients dotted with the way to the corner, blended by the quintic.
    pub(crate) fn textbook(&self, x: i64, z: i64) -> f64 {
        self.octaves.iter().map(|octave| self.textbook_octave(octave, x, z)).sum()
    }

    fn textbook_octave(&self, octave: &OracleOctave, x: i64, z: i64) -> f64 {
        let [(cx, fx), (cz, fz)] = octave.position(x, z);
        let (fx, fz) = (f64::from(fx) / 4_294_967_296.0, f64::from(fz) / 4_294_967_296.0);
        let corner = |i: u32, j: u32| {
            let [gx, gz] = self.gradient(octave, cx.wrapping_add(i), cz.wrapping_add(j));
            gx * (fx - f64::from(i)) + gz * (fz - f64::from(j))
        };
        let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        let lerp = |t: f64, a: f64, b: f64| a + t * (b - a);
        let (u, v) = (fade(fx), fade(fz));
        octave.amplitude * lerp(v, lerp(u, corner(0, 0), corner(1, 0)), lerp(u, corner(0, 1), corner(1, 1)))
    }
}

impl OracleOctave {
    /// Cell and 32-bit fraction per axis, from an exact product: nothing wraps before the last step.
    fn position(&self, x: i64, z: i64) -> [(u32, u32); 2] {
        [(x, self.offsets[0]), (z, self.offsets[1])].map(|(index, offset)| {
            let phase =
                (i128::from(index) * i128::from(self.step) + i128::from(offset)).rem_euclid(1 << 64) as u64;
            ((phase >> 32) as u32, phase as u32)
        })
    }
}

fn fraction24(fraction: u32) -> f32 {
    (fraction >> 8) as f32 / 16_777_216.0
}

fn weights(f: f32) -> [f32; 4] {
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    [f * (1.0 - u), (f - 1.0) * u, 1.0 - u, u]
}

//! The lattice of packed heights: u16 codes that mean the same height in every chunk of a world.
//!
//! In: a world's height range. Out: a step, a power of two metres, and the height of code 0, a multiple of the step. One lattice a
//! world keeps what two chunks share equal: a border vertex has one height, so it has one code. A lattice a chunk would be finer
//! and would tear borders by half a step.
//!
//! Decoding is exact in f32, with or without fused multiply-add: code * step and the sum with the height of code 0 are multiples
//! of the step below 2^24 of them.

use terrane_lanes::Lanes;

/// The code that no height has: hosts may mark holes with it.
pub const HOLE: u16 = 65_535;

/// Most steps between the lowest and the highest height.
const STEPS_MAX: f64 = 65_534.0;
/// Multiples of a step up to here are exact in f32.
const EXACT_MAX: f64 = 16_777_216.0;

/// Heights as u16.
///
/// ```
/// use terrane::mesh::HeightLattice;
/// let lattice = HeightLattice::new(-20.0, 180.0);
/// assert_eq!((lattice.step_m(), lattice.min_m()), (1.0 / 256.0, -20.0));
/// assert_eq!(lattice.encode(3.51), 6019);
/// assert_eq!(lattice.decode(6019), 3.511_718_75);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightLattice {
    step_m: f32,
    /// Multiples of the step: that of code 0, and the largest code.
    base: f32,
    last: f32,
}

impl HeightLattice {
    /// The finest for heights from `low_m` to `high_m`: the smallest step, a power of two, that needs at most 65,534 steps for
    /// them and at most 2^24 from 0 metres to either.
    ///
    /// # Panics
    /// When a bound is not finite, or `low_m` is above `high_m`.
    #[must_use]
    pub fn new(low_m: f32, high_m: f32) -> Self {
        assert!(
            low_m.is_finite() && high_m.is_finite() && low_m <= high_m,
            "heights from {low_m} to {high_m} m"
        );
        let (low, high) = (f64::from(low_m), f64::from(high_m));
        let mut step_m = 1.0 / f64::from(1u32 << 30);
        loop {
            // Exact: the step is a power of two.
            let (base, top) = ((low / step_m).floor(), (high / step_m).ceil());
            if top - base <= STEPS_MAX && base >= -EXACT_MAX && top <= EXACT_MAX {
                return Self { step_m: step_m as f32, base: base as f32, last: (top - base) as f32 };
            }
            step_m *= 2.0;
        }
    }

    /// Metres between neighbouring codes: a power of two.
    #[must_use]
    pub fn step_m(&self) -> f32 {
        self.step_m
    }

    /// The height of code 0 in metres.
    #[must_use]
    pub fn min_m(&self) -> f32 {
        self.base * self.step_m
    }

    /// How far a decoded height can be from the one that was encoded, in metres: half a step.
    #[must_use]
    pub fn error_m(&self) -> f64 {
        f64::from(self.step_m) * 0.5
    }

    /// The height of a code in metres: `min_m + code * step_m`. Exact.
    #[must_use]
    pub fn decode(&self, code: u16) -> f32 {
        (self.base + f32::from(code)) * self.step_m
    }

    /// The nearest code to a height, halves upwards; outside the range, the first or the last.
    #[must_use]
    pub fn encode(&self, height_m: f32) -> u16 {
        struct One(HeightLattice, f32);
        impl terrane_lanes::Kernel for One {
            type Output = u16;
            #[inline(always)]
            fn run<L: Lanes>(self, l: L) -> u16 {
                let mut code = [0];
                l.store_u(encode(l, &self.0, l.splat(self.1)), &mut code);
                code[0] as u16
            }
        }
        terrane_lanes::SimdLevel::SCALAR.dispatch(One(*self, height_m))
    }
}

/// The nearest codes.
#[inline(always)]
pub(crate) fn encode<L: Lanes>(l: L, lattice: &HeightLattice, height_m: L::F) -> L::U {
    // A power of two: multiplying by its inverse is exact.
    let steps = height_m * l.splat(1.0 / lattice.step_m);
    // Not the floor of the sum with a half: near 2^24 steps the sum would be rounded itself.
    let below = l.floor(steps);
    let nearest = l.pick(l.lt(steps - below, l.splat(0.5)), below, below + l.splat(1.0));
    let code = nearest - l.splat(lattice.base);
    l.trunc(l.min(l.max(code, l.splat(0.0)), l.splat(lattice.last)))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_are_within_half_a_step_and_exact(
            low_m in -12_000.0f32..12_000.0, range_exponent in -10.0f32..14.0, shares in prop::collection::vec(0.0f32..=1.0, 50),
        ) {
            let high_m = low_m + range_exponent.exp2();
            let lattice = HeightLattice::new(low_m, high_m);
            let step_m = f64::from(lattice.step_m());
            prop_assert!(lattice.step_m().log2().fract() == 0.0);
            for share in shares {
                let height_m = (low_m + share * (high_m - low_m)).clamp(low_m, high_m);
                let code = lattice.encode(height_m);
                prop_assert!(code < HOLE);
                let exact = f64::from(lattice.min_m()) + f64::from(code) * step_m;
                prop_assert_eq!(f64::from(lattice.decode(code)), exact);
                prop_assert!((exact - f64::from(height_m)).abs() <= lattice.error_m());
                prop_assert_eq!(f32::from(code).mul_add(lattice.step_m(), lattice.min_m()), lattice.decode(code));
            }
            // No finer step would do.
            let finer = step_m / 2.0;
            let steps = (f64::from(high_m) / finer).ceil() - (f64::from(low_m) / finer).floor();
            let reach = f64::from(low_m.abs().max(high_m.abs())) / finer;
            prop_assert!(steps > STEPS_MAX || reach > EXACT_MAX || step_m < 1e-9);
        }
    }

    #[test]
    fn what_is_outside_takes_the_ends() {
        let lattice = HeightLattice::new(0.0, 100.0);
        assert_eq!([-1e30, -1.0, f32::NAN].map(|height_m| lattice.encode(height_m)), [0; 3]);
        assert_eq!(lattice.decode(lattice.encode(1e30)), 100.0);
    }
}

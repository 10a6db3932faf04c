//! How steep the ground is: `sqrt(dx dx + dz dz) s`, from the operand's slopes a sample along x and z; s samples a metre.

use terrane_lanes::Lanes;

use super::{Operation, Vectorwise, vector_by_vector};
use crate::program::deviation::{Deviation, Operand, UNIT, length};
use crate::program::error::{ProgramError, number};
use crate::program::interval::Interval;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slope {
    samples_per_metre: f32,
}

impl Slope {
    pub(crate) fn new(sample_spacing_m: f64) -> Result<Self, ProgramError> {
        let spacing = number(
            "slope",
            "sample_spacing_m",
            sample_spacing_m,
            1e-9..=1e9,
            "from 1e-9 to 1e9 metres a sample",
        )?;
        Ok(Self { samples_per_metre: (1.0 / spacing) as f32 })
    }
}

impl Operation<2> for Slope {
    const NAME: &'static str = "slope";
    // It would take second derivatives.
    const HAS_SLOPE: bool = false;
    vector_by_vector!(2);

    fn interval(&self, [dx, dz]: [Interval; 2]) -> Interval {
        dx.square().add(dz.square()).sqrt().times(self.samples_per_metre)
    }

    fn deviation(&self, [dx, dz]: [Operand; 2]) -> Deviation {
        // A length changes by no more than its vector.
        let scale = f64::from(self.samples_per_metre);
        let both = |of: fn(&Deviation) -> f64| length([of(&dx.deviation), of(&dz.deviation)]) * scale;
        let drift = both(|of| of.drift);
        let largest = length([dx.size(), dz.size()]) * scale;
        Deviation { bend: drift, drift, swing: both(|of| of.swing) }
            // Squares below 1e-45 are lost.
            .rounded(UNIT * 4.0 * largest + 1e-22 * scale)
    }

    fn slope_interval(&self, _: [Interval; 2], _: [Interval; 2]) -> Interval {
        unreachable!("slopes of a slope are refused")
    }

    fn parameters(&self) -> String {
        format!("{} samples a metre", self.samples_per_metre)
    }
}

impl Vectorwise<2> for Slope {
    #[inline(always)]
    fn value<L: Lanes>(&self, l: L, [dx, dz]: [L::F; 2]) -> L::F {
        l.sqrt(dx * dx + dz * dz) * l.splat(self.samples_per_metre)
    }

    #[inline(always)]
    fn slope<L: Lanes>(&self, l: L, _: [L::F; 2], _: [L::F; 2]) -> L::F {
        l.splat(0.0)
    }
}

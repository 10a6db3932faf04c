//! The height curve: from a field's value in -1..=1 to metres.
//!
//! In: the keys and the range of a validated config. Out: the noise library's [`Curve`] over them: a table with a stated
//! error. Deliberately not here: the curve itself, and reading it over lanes (`stages/heights.rs`).

use terrane_noise::{Bounds, CURVE_INTERVALS, Curve, CurveKey, Deviation};

use crate::config::HeightConfig;

/// Intervals of the table.
pub(crate) const INTERVALS: usize = CURVE_INTERVALS;

/// A compiled height curve.
#[derive(Clone, Debug)]
pub(crate) struct HeightCurve {
    curve: Curve,
    pub(crate) min_m: f32,
    pub(crate) max_m: f32,
}

impl HeightCurve {
    /// Compiles the curve and the range of a validated config.
    pub(crate) fn new(config: &HeightConfig) -> Self {
        let (min_m, max_m) = (config.min_m, config.max_m);
        let keys: Vec<_> = config.curve.iter().map(|key| CurveKey { at: key.at, to: key.to }).collect();
        // The rules of the config are stricter: keys 1/128 apart, shares in 0..=1, a range of a millimetre.
        let curve =
            Curve::with_shares(&keys, [-1.0, 1.0], [min_m, max_m]).expect("a validated config makes a curve");
        Self { curve, min_m, max_m }
    }

    /// Heights in metres at -1, -1 + 2/1024, .. 1.
    #[inline(always)]
    pub(crate) fn table_m(&self) -> &[f32; INTERVALS + 1] {
        self.curve.table()
    }

    /// The largest distance of a height from the curve, in metres: table, interpolation and f32 rounding.
    pub(crate) fn error_m(&self) -> f64 {
        self.curve.error()
    }

    /// How far heights, in metres, can leave a coarse triangulation, where values within `values` can as `of` says.
    pub(crate) fn deviation_m(&self, of: Deviation, values: Bounds) -> Deviation {
        self.curve.deviation(of, values)
    }

    /// A height as programs of fields read it.
    #[cfg(test)]
    pub(crate) fn at(&self, value: f32) -> f32 {
        self.curve.at(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn chunks_read_the_curve_as_programs_do(
            gaps in prop::collection::vec(2u32..40, 1..9), shares in prop::collection::vec(0.0..=1.0f64, 10),
            min_m in -9000.0f32..9000.0, range_m in 0.01f32..9000.0,
        ) {
            let total: u32 = gaps.iter().sum();
            let mut curve = vec![config::CurveKey { at: -1.0, to: shares[0] }];
            for (gap, share) in gaps.iter().zip(&shares[1..]) {
                let at = curve.last().expect("one at least").at + 1.9 * f64::from(*gap) / f64::from(total);
                curve.push(config::CurveKey { at, to: *share });
            }
            let config = HeightConfig { field: 0, min_m, max_m: min_m + range_m, sea_level_m: 0.0, curve };
            let curve = HeightCurve::new(&config);
            for i in 0..=20_000 {
                let value = (f64::from(i) / 10_000.0 - 1.0) as f32;
                let height = crate::stages::heights::shape(&curve, value);
                prop_assert_eq!(height.to_bits(), curve.at(value).to_bits(), "{}", value);
            }
        }
    }
}

//! The height curve: from a field's value in -1..=1 to metres.
//!
//! In: keys. Out: a table of 1025 heights over -1..=1, read with linear interpolation, and a bound on what that
//! differs from the curve. The curve is the monotone cubic through the keys: it never overshoots a key and rises
//! where they rise. Source: F. N. Fritsch and R. E. Carlson, *Monotone Piecewise Cubic Interpolation* (1980), with
//! the three-point tangents of F. N. Fritsch and J. Butland (1984).

use crate::config::HeightConfig;

/// Intervals of the table.
pub(crate) const INTERVALS: usize = 1024;

/// A compiled height curve.
#[derive(Clone, Debug)]
pub(crate) struct HeightCurve {
    /// Heights in metres at -1, -1 + 2/1024, .. 1.
    pub(crate) table_m: Box<[f32; INTERVALS + 1]>,
    pub(crate) min_m: f32,
    pub(crate) max_m: f32,
    /// The largest distance of a height from the curve, in metres: table, interpolation and f32 rounding.
    pub(crate) error_m: f64,
}

/// A cubic piece per pair of keys, in Hermite form.
struct MonotoneCubic {
    /// (value, share, tangent) per key.
    keys: Vec<[f64; 3]>,
}

impl HeightCurve {
    /// Compiles the curve and the range of a validated config.
    pub(crate) fn new(config: &HeightConfig) -> Self {
        let cubic = MonotoneCubic::new(config);
        let (min_m, range_m) = (f64::from(config.min_m), f64::from(config.max_m) - f64::from(config.min_m));
        let height = |i: usize| {
            let share = cubic.at(i as f64 * (2.0 / INTERVALS as f64) - 1.0);
            ((min_m + share * range_m) as f32).clamp(config.min_m, config.max_m)
        };
        let step = 2.0 / INTERVALS as f64;
        let bend = step * step / 8.0 * cubic.second_derivative_max() * range_m;
        // The kernel rounds: value + 1 (up to 2^-24 of a value, times the slope), both entries, their difference, the
        // product and the sum (each up to 2^-24 of the largest height, the difference of twice that).
        let unit = f64::from(f32::EPSILON) / 2.0;
        let height_max_m = f64::from(config.min_m.abs().max(config.max_m.abs()));
        let rounding = unit * (cubic.slope_max() * range_m + 6.0 * height_max_m);
        Self {
            table_m: Box::new(std::array::from_fn(height)),
            min_m: config.min_m,
            max_m: config.max_m,
            error_m: bend + rounding,
        }
    }
}

impl MonotoneCubic {
    fn new(config: &HeightConfig) -> Self {
        let keys = &config.curve;
        let slope = |i: usize| (keys[i + 1].to - keys[i].to) / (keys[i + 1].at - keys[i].at);
        let tangent = |i: usize| {
            if i == 0 || i + 1 == keys.len() {
                // Beyond an outermost key the curve holds its height: flat there, so that no crease shows. At the
                // end of all values there is nothing beyond.
                return if keys[i].at.abs() == 1.0 { slope(i.saturating_sub(1)) } else { 0.0 };
            }
            let (before, after) = (slope(i - 1), slope(i));
            if before * after <= 0.0 {
                return 0.0;
            }
            let (left, right) = (keys[i].at - keys[i - 1].at, keys[i + 1].at - keys[i].at);
            let (w0, w1) = (2.0 * right + left, right + 2.0 * left);
            (w0 + w1) / (w0 / before + w1 / after)
        };
        Self { keys: (0..keys.len()).map(|i| [keys[i].at, keys[i].to, tangent(i)]).collect() }
    }

    /// The share of the height range at a field value.
    fn at(&self, value: f64) -> f64 {
        let (first, last) = (self.keys[0], self.keys[self.keys.len() - 1]);
        if value <= first[0] {
            return first[1];
        }
        if value >= last[0] {
            return last[1];
        }
        let piece = self.keys.partition_point(|key| key[0] <= value) - 1;
        let ([x0, y0, m0], [x1, y1, m1]) = (self.keys[piece], self.keys[piece + 1]);
        let width = x1 - x0;
        let t = (value - x0) / width;
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * y0
            + (t3 - 2.0 * t2 + t) * width * m0
            + (3.0 * t2 - 2.0 * t3) * y1
            + (t3 - t2) * width * m1
    }

    /// No slope of the curve is steeper: a monotone cubic's is at most three times that of its piece.
    fn slope_max(&self) -> f64 {
        let slopes =
            self.keys.windows(2).map(|pair| ((pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).abs());
        3.0 * slopes.fold(0.0, f64::max)
    }

    /// The largest |second derivative|: it is linear on a piece, so it is largest at one of its ends.
    fn second_derivative_max(&self) -> f64 {
        let ends = self.keys.windows(2).map(|pair| {
            let ([x0, y0, m0], [x1, y1, m1]) = (pair[0], pair[1]);
            let width = x1 - x0;
            let slope = (y1 - y0) / width;
            let start = (6.0 * slope - 4.0 * m0 - 2.0 * m1) / width;
            let end = (-6.0 * slope + 2.0 * m0 + 4.0 * m1) / width;
            start.abs().max(end.abs())
        });
        ends.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CurveKey;
    use proptest::prelude::*;

    fn config(keys: &[[f64; 2]]) -> HeightConfig {
        let curve = keys.iter().map(|[at, to]| CurveKey { at: *at, to: *to }).collect();
        HeightConfig { field: 0, min_m: -40.0, max_m: 160.0, sea_level_m: 0.0, curve }
    }

    /// As the kernel reads it.
    fn read(curve: &HeightCurve, value: f32) -> f64 {
        f64::from(crate::stages::heights::shape(curve, value))
    }

    #[test]
    fn the_stated_error_counts_the_rounding_of_the_kernel() {
        // A straight curve has no bend: all of its error is rounding.
        let config = HeightConfig { min_m: -64.3, max_m: 64.3, ..config(&[[-1.0, 0.0], [1.0, 1.0]]) };
        let (curve, cubic) = (HeightCurve::new(&config), MonotoneCubic::new(&config));
        let (low, range) = (f64::from(config.min_m), f64::from(config.max_m) - f64::from(config.min_m));
        let errors = (0..400_000).map(|i| {
            let value = (f64::from(i) / 200_000.0 - 1.0) as f32;
            (read(&curve, value) - (low + range * cubic.at(f64::from(value)))).abs()
        });
        let worst = errors.fold(0.0, f64::max);
        assert!(worst <= curve.error_m && worst > curve.error_m / 8.0, "{worst} of {}", curve.error_m);
    }

    #[test]
    fn a_straight_curve_is_straight_and_held_ends_are_flat() {
        let curve = HeightCurve::new(&config(&[[-1.0, 0.0], [1.0, 1.0]]));
        for i in 0..=INTERVALS {
            let want = -40.0 + 200.0 * i as f32 / INTERVALS as f32;
            assert!((curve.table_m[i] - want).abs() < 1e-4);
        }
        let held = HeightCurve::new(&config(&[[-0.5, 0.2], [0.5, 0.8]]));
        assert_eq!((held.table_m[0], held.table_m[255]), (0.0, 0.0));
        assert_eq!(held.table_m[INTERVALS], 120.0);
        assert!(held.table_m[257] - held.table_m[256] < 0.01, "a crease where the curve is held");
    }

    proptest! {
        #[test]
        fn the_table_is_within_its_stated_error_and_never_overshoots(
            gaps in prop::collection::vec(1u32..40, 1..9), heights in prop::collection::vec(0.0..=1.0f64, 10),
        ) {
            let total: u32 = gaps.iter().sum();
            let mut at = -1.0;
            let mut keys = vec![[at, heights[0]]];
            for (gap, to) in gaps.iter().zip(&heights[1..]) {
                at += 1.9 * f64::from(*gap) / f64::from(total);
                keys.push([at, *to]);
            }
            let config = config(&keys);
            let (curve, cubic) = (HeightCurve::new(&config), MonotoneCubic::new(&config));
            for i in 0..=20_000 {
                let value = (f64::from(i) / 10_000.0 - 1.0) as f32;
                let exact = -40.0 + 200.0 * cubic.at(f64::from(value));
                prop_assert!((read(&curve, value) - exact).abs() <= curve.error_m);
            }
            // Between two keys the curve stays between their heights.
            for pair in keys.windows(2) {
                let (low, high) = (pair[0][1].min(pair[1][1]), pair[0][1].max(pair[1][1]));
                for i in 0..=100 {
                    let share = cubic.at(pair[0][0] + (pair[1][0] - pair[0][0]) * f64::from(i) / 100.0);
                    prop_assert!((low - 1e-12..=high + 1e-12).contains(&share));
                }
            }
        }
    }
}

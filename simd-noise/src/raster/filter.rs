//! What stands between pixels, along one axis: the formulas of docs/RASTERS.md, once each.
//!
//! In: the values of up to four neighbouring pixels and a fraction. Out: a value, and a slope a pixel. A raster filters
//! along x and then, with the same functions, along z. All are differences to one pixel, so that equal pixels give
//! exactly their value and a fraction of 0 gives exactly the pixel.
//!
//! Source of the bicubic: Catmull and Rom, "A class of local interpolating splines", 1974 (tension 1/2).

use super::place::Place;

/// Values of neighbouring pixels; only the first [`Taps::COUNT`] mean anything.
pub(super) type Four = [f32; 4];
/// What a fraction becomes, once for all samples that share it.
pub(super) type Weights = [f32; 3];

/// A filter along one axis.
pub(super) trait Taps {
    /// Pixels it reads.
    const COUNT: usize;
    /// The first of them, from the pixel of the place.
    const FIRST: i64;
    /// How far its values can leave the range of its pixels, over that range, along both axes together.
    const OVERSHOOT: f64;
    /// The largest slope a pixel, over the range of its pixels.
    const STEEPEST: f64;
    /// The place that it sees.
    #[inline(always)]
    fn settle(place: Place) -> Place {
        place
    }
    /// Weights of values.
    fn weights(fraction: f32) -> Weights;
    /// Weights of slopes.
    fn slope_weights(fraction: f32) -> Weights;
    /// The value.
    fn value(pixels: Four, weights: Weights) -> f32;
    /// The slope a pixel.
    fn slope(pixels: Four, slope_weights: Weights) -> f32;
}

/// The nearest pixel.
pub(super) struct NearestTaps;
/// A straight line.
pub(super) struct BilinearTaps;
/// A Catmull-Rom spline.
pub(super) struct BicubicTaps;

impl Taps for NearestTaps {
    const COUNT: usize = 1;
    const FIRST: i64 = 0;
    const OVERSHOOT: f64 = 0.0;
    const STEEPEST: f64 = 0.0;

    #[inline(always)]
    fn settle(place: Place) -> Place {
        Place { pixel: place.pixel + i64::from(place.fraction >= 0.5), fraction: 0.0 }
    }

    #[inline(always)]
    fn weights(_: f32) -> Weights {
        [0.0; 3]
    }

    #[inline(always)]
    fn slope_weights(_: f32) -> Weights {
        [0.0; 3]
    }

    #[inline(always)]
    fn value([pixel, ..]: Four, _: Weights) -> f32 {
        pixel
    }

    #[inline(always)]
    fn slope(_: Four, _: Weights) -> f32 {
        0.0
    }
}

impl Taps for BilinearTaps {
    const COUNT: usize = 2;
    const FIRST: i64 = 0;
    const OVERSHOOT: f64 = 0.0;
    const STEEPEST: f64 = 1.0;

    #[inline(always)]
    fn weights(fraction: f32) -> Weights {
        [fraction, 0.0, 0.0]
    }

    #[inline(always)]
    fn slope_weights(_: f32) -> Weights {
        [0.0; 3]
    }

    #[inline(always)]
    fn value([a, b, ..]: Four, [f, ..]: Weights) -> f32 {
        a + (b - a) * f
    }

    #[inline(always)]
    fn slope([a, b, ..]: Four, _: Weights) -> f32 {
        b - a
    }
}

impl Taps for BicubicTaps {
    const COUNT: usize = 4;
    const FIRST: i64 = -1;
    // Along one axis the weights sum to 1 and their magnitudes to at most 1.25 (half way: -1/16, 9/16, 9/16, -1/16), along
    // both to 1.5625: the negative ones to (1.5625 - 1) / 2.
    const OVERSHOOT: f64 = 0.28125;
    // The weights of slopes sum to 0, the positive ones to at most 1.5 (half way: 6 f (1 - f)); the other axis adds 1.25.
    const STEEPEST: f64 = 1.875;

    /// Of the first, third and fourth pixel; the second has what is missing to 1.
    #[inline(always)]
    fn weights(f: f32) -> Weights {
        let g = 1.0 - f;
        let h = f * 0.5;
        [0.0 - (h * g) * g, h * (1.0 + f * (4.0 - f * 3.0)), 0.0 - (h * f) * g]
    }

    /// Likewise; the second has what is missing to 0.
    #[inline(always)]
    fn slope_weights(f: f32) -> Weights {
        let g = (1.0 - f) * 0.5;
        [g * (f * 3.0 - 1.0), g * (f * 9.0 + 1.0), (f * 0.5) * (f * 3.0 - 2.0)]
    }

    #[inline(always)]
    fn value([a, b, c, d]: Four, [wa, wc, wd]: Weights) -> f32 {
        ((b + (a - b) * wa) + (c - b) * wc) + (d - b) * wd
    }

    #[inline(always)]
    fn slope([a, b, c, d]: Four, [wa, wc, wd]: Weights) -> f32 {
        ((a - b) * wa + (c - b) * wc) + (d - b) * wd
    }
}

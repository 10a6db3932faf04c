//! Where a sample lies among the pixels of one axis, and which pixel stands there.
//!
//! In: exact positions, and displacements in samples. Out: a pixel below and a fraction of the way to the next, as
//! exact at 2^50 samples as at the origin; then, per pixel that a filter asks for, one that the raster has, or
//! [`OUTSIDE`]. A position is never a float. Divisions happen only where a far pixel is folded back into a wrapped or
//! mirrored raster.

use crate::phase::{Coord, ONE_CELL, fraction};

use super::params::{Outside, RasterParams};

/// The index of a pixel that is not there: the constant outside. Larger than any width or height.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// Pixels at which a position outside a clamped or constant raster stays, so that a displacement cannot overflow.
const FAR: i64 = 1 << 61;

/// A pixel and how far on towards the next, 0 ..= 1 (1 only where a displacement was rounded up to it).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) pixel: i64,
    pub(super) fraction: f32,
}

/// One axis of a raster.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisMap {
    origin: Coord,
    /// Pixels a sample times 2^32; 2^8 ..= 2^48.
    step: u64,
    /// Pixels a sample, for displacements and slopes.
    pub(super) per_sample: f32,
    edge: Edge,
}

/// What is beyond the border of one axis.
#[derive(Clone, Copy, Debug)]
struct Edge {
    rule: Rule,
    /// Pixels.
    count: i64,
    /// Pixels until the same comes again, where it does.
    period: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    Clamp,
    Wrap,
    Mirror,
    Constant,
}

impl AxisMap {
    /// Axis 0 (x) or 1 (z) of checked parameters.
    pub(super) fn new(params: &RasterParams, axis: usize, count: u32) -> Self {
        let step = (params.pixels_per_sample[axis] * ONE_CELL).round() as u64;
        let per_sample = step as f32 * (1.0 / 4_294_967_296.0);
        Self { origin: params.origin[axis], step, per_sample, edge: Edge::new(params.outside, count) }
    }

    /// Pixels a sample as rounded.
    pub(super) fn pixels_per_sample(&self) -> f64 {
        self.step as f64 / ONE_CELL
    }

    /// The place of an exact position: `(position - origin) * step`, rounded down once to 2^-32 pixels.
    pub(super) fn place(&self, at: Coord) -> Place {
        let step = i128::from(self.step);
        let samples = i128::from(at.index) - i128::from(self.origin.index);
        let part = i128::from(at.fraction) - i128::from(self.origin.fraction);
        // Whole samples and parts apart: together they would need 129 bits at the ends of i64.
        let phase = samples * step + ((part * step) >> 16);
        Place { pixel: self.edge.fold(phase >> 32), fraction: fraction(phase as u64) }
    }

    /// A place moved by `by` samples.
    #[inline(always)]
    pub(super) fn displaced(&self, place: Place, by: f32) -> Place {
        let (pixels, fraction) = whole(place.fraction + by * self.per_sample);
        Place { pixel: place.pixel + pixels, fraction }
    }

    /// The pixel to read for any pixel of the endless plane.
    #[inline(always)]
    pub(super) fn index(&self, pixel: i64) -> u32 {
        self.edge.index(pixel)
    }
}

/// Whole pixels and the rest. What is no number moves nothing; what is beyond [`FAR`] stops there, on a pixel.
#[inline(always)]
fn whole(t: f32) -> (i64, f32) {
    // Not `f32::floor`, which is a call where SSE2 is all there is.
    let toward_zero = t as i64;
    let pixels = (toward_zero - i64::from(t < toward_zero as f32 && toward_zero > -FAR)).clamp(-FAR, FAR);
    let rest = t - pixels as f32;
    (pixels, if (0.0..=1.0).contains(&rest) { rest } else { 0.0 })
}

impl Edge {
    fn new(outside: Outside, count: u32) -> Self {
        let count = i64::from(count);
        let (rule, period) = match outside {
            Outside::Clamp => (Rule::Clamp, 0),
            Outside::Constant(_) => (Rule::Constant, 0),
            Outside::Wrap => (Rule::Wrap, count),
            // A single pixel reflects into itself.
            Outside::Mirror => (Rule::Mirror, (2 * (count - 1)).max(1)),
        };
        Self { rule, count, period }
    }

    /// A pixel that stands for `pixel` and can be moved without overflow.
    fn fold(self, pixel: i128) -> i64 {
        match self.rule {
            Rule::Clamp | Rule::Constant => pixel.clamp(-i128::from(FAR), i128::from(FAR)) as i64,
            Rule::Wrap | Rule::Mirror => match i64::try_from(pixel) {
                Ok(pixel) => modulo(pixel, self.period),
                Err(_) => pixel.rem_euclid(i128::from(self.period)) as i64,
            },
        }
    }

    #[inline(always)]
    fn index(self, pixel: i64) -> u32 {
        if (0..self.count).contains(&pixel) {
            return pixel as u32;
        }
        match self.rule {
            Rule::Clamp => pixel.clamp(0, self.count - 1) as u32,
            Rule::Constant => OUTSIDE,
            Rule::Wrap => modulo(pixel, self.period) as u32,
            Rule::Mirror => {
                let pixel = modulo(pixel, self.period);
                pixel.min(self.period - pixel) as u32
            }
        }
    }
}

/// `pixel mod period`, never negative. Near the raster, without a division.
#[inline(always)]
fn modulo(pixel: i64, period: i64) -> i64 {
    if (0..period).contains(&pixel) {
        pixel
    } else if (-period..0).contains(&pixel) {
        pixel + period
    } else if (period..2 * period).contains(&pixel) {
        pixel - period
    } else {
        pixel.rem_euclid(period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_pixels_and_the_rest() {
        for (t, pixels, rest) in [
            (0.0, 0, 0.0),
            (0.75, 0, 0.75),
            (1.0, 1, 0.0),
            (-0.25, -1, 0.75),
            (-1.0, -1, 0.0),
            (-2.5, -3, 0.5),
            (-1e-20, -1, 1.0),
            (8_388_607.5, 8_388_607, 0.5),
            (-8_388_607.5, -8_388_608, 0.5),
            (1e12, 999_999_995_904, 0.0),
            (1e30, FAR, 0.0),
            (-1e30, -FAR, 0.0),
            (f32::INFINITY, FAR, 0.0),
            (f32::NEG_INFINITY, -FAR, 0.0),
            (f32::NAN, 0, 0.0),
        ] {
            assert_eq!(whole(t), (pixels, rest), "{t}");
        }
    }

    #[test]
    fn edges_by_their_definition() {
        for count in [1u32, 2, 3, 7] {
            for outside in [Outside::Clamp, Outside::Wrap, Outside::Mirror, Outside::Constant(0.0)] {
                let edge = Edge::new(outside, count);
                // Walk from pixel 0 to the right and to the left as the definition says.
                for pixel in -40..40i64 {
                    let last = i64::from(count) - 1;
                    let expected = match outside {
                        Outside::Clamp => pixel.clamp(0, last) as u32,
                        Outside::Constant(_) if (0..=last).contains(&pixel) => pixel as u32,
                        Outside::Constant(_) => OUTSIDE,
                        Outside::Wrap => (pixel + 40 * i64::from(count)) as u32 % count,
                        Outside::Mirror => bounce(pixel, last),
                    };
                    let found = edge.index(pixel);
                    assert_eq!(found, expected, "{outside:?} {count} at {pixel}");
                    assert_eq!(edge.index(edge.fold(i128::from(pixel))), expected);
                }
            }
        }
    }

    /// A ball that starts on pixel 0 and turns at the border pixels.
    fn bounce(pixel: i64, last: i64) -> u32 {
        let (mut at, mut direction) = (0, 1);
        for _ in 0..pixel.abs() {
            if last == 0 {
                break;
            }
            if (at == last && direction > 0) || (at == 0 && direction < 0) {
                direction = -direction;
            }
            at += direction;
        }
        at as u32
    }

    #[test]
    fn far_pixels_fold_exactly() {
        for count in [1u32, 5, 32_768] {
            for pixel in [1i128 << 90, -(1 << 90), (1 << 111) + 12_345, i128::from(i64::MIN) - 1] {
                let wrap = Edge::new(Outside::Wrap, count);
                assert_eq!(i128::from(wrap.index(wrap.fold(pixel))), pixel.rem_euclid(i128::from(count)));
                let mirror = Edge::new(Outside::Mirror, count);
                let period = (2 * i128::from(count) - 2).max(1);
                let expected = pixel.rem_euclid(period);
                let expected = expected.min(period - expected);
                assert_eq!(i128::from(mirror.index(mirror.fold(pixel))), expected);
                let constant = Edge::new(Outside::Constant(1.0), count);
                assert_eq!(constant.index(constant.fold(pixel)), OUTSIDE);
                assert!(constant.fold(pixel).checked_add(FAR).is_some());
                assert!(constant.fold(pixel).checked_sub(FAR).is_some());
            }
        }
    }
}

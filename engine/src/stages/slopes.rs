//! Slopes, and where one can walk: both in one pass.
//!
//! In: heights with an apron. Out: the angle of each vertex's normal from straight up, in steps of 90 / 255 degrees; and 1 where it is at
//! most a limit and the vertex is not below the sea. The angle is an arc tangent by a polynomial of five terms: the platform's may
//! differ between machines. The tangent is the slope of the normal, so chunks of one level agree at borders.

use terrane_lanes::{Kernel, Lanes, SimdLevel};

use crate::buffers::{APRON, apron_stride};

/// Steps of a right angle.
pub(crate) const STEPS: f32 = 255.0;

/// What is walkable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) slope_max_deg: u8,
    pub(crate) sea_level_m: f32,
}

/// Fills `slopes` and `walkable` of a chunk with `side` vertices a side; either may be empty. `spacing_m` is that of the chunk.
pub(crate) fn slopes(
    level: SimdLevel,
    side: usize,
    spacing_m: f32,
    walk: Walk,
    apron: &[f32],
    slopes: &mut [u8],
    walkable: &mut [u8],
) {
    level.dispatch(Slopes { side, spacing_m, walk, apron, slopes, walkable });
}

struct Slopes<'a> {
    side: usize,
    spacing_m: f32,
    walk: Walk,
    apron: &'a [f32],
    slopes: &'a mut [u8],
    walkable: &'a mut [u8],
}

impl Kernel for Slopes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { side, spacing_m, walk, apron, slopes, walkable } = self;
        let row_stride = apron_stride(side);
        let run = l.splat(2.0 * spacing_m);
        let steepest = l.splat(f32::from(walk.slope_max_deg) * (STEPS / 90.0));
        let sea = l.splat(walk.sea_level_m);
        let (zero, one) = (l.splat_u(0), l.splat_u(1));
        for z in 0..side {
            let above = &apron[(z + APRON - 1) * row_stride..];
            let (middle, below) = (&above[row_stride..], &above[2 * row_stride..]);
            for at in (0..side).step_by(L::N) {
                let dx = l.load(&middle[at + APRON - 1..]) - l.load(&middle[at + APRON + 1..]);
                let dz = l.load(&above[at + APRON..]) - l.load(&below[at + APRON..]);
                let angle = steps(l, l.sqrt(dx * dx + dz * dz) / run);
                let is_steep = l.lt(steepest, angle);
                let is_wet = l.lt(l.load(&middle[at + APRON..]), sea);
                let walks = l.pick_u(is_wet, zero, l.pick_u(is_steep, zero, one));
                let (from, count) = (z * side + at, L::N.min(side - at));
                put(l, l.trunc(angle + l.splat(0.5)), slopes.get_mut(from..from + count));
                put(l, walks, walkable.get_mut(from..from + count));
            }
        }
    }
}

/// Lowest bytes of lanes.
#[inline(always)]
fn put<L: Lanes>(l: L, codes: L::U, bytes: Option<&mut [u8]>) {
    if let Some(bytes) = bytes {
        let mut words = [0; 16];
        l.store_u(codes, &mut words);
        for (byte, word) in bytes.iter_mut().zip(&words) {
            *byte = *word as u8;
        }
    }
}

/// The angles whose tangents these are, 0 or more, in steps of 90 / 255 degrees. Within 0.001 degrees.
#[inline(always)]
fn steps<L: Lanes>(l: L, tangent: L::F) -> L::F {
    let one = l.splat(1.0);
    let is_steep = l.lt(one, tangent);
    let t = l.min(tangent, one / tangent);
    // The polynomial of Hastings (Approximations for Digital Computers, sheet 11) for 0 ..= 1.
    let t2 = t * t;
    let mut sum = l.splat(0.020_835_1);
    for term in [-0.085_133, 0.180_141, -0.330_299_5, 0.999_866] {
        sum = sum * t2 + l.splat(term);
    }
    let angle = sum * t * l.splat(STEPS / std::f32::consts::FRAC_PI_2);
    l.pick(is_steep, l.splat(STEPS) - angle, angle)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
mod tests {
    use super::*;

    struct One(f32);
    impl Kernel for One {
        type Output = f32;
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> f32 {
            let mut angle = [0.0];
            l.store(steps(l, l.splat(self.0)), &mut angle);
            angle[0] * 90.0 / STEPS
        }
    }

    #[test]
    fn angles_are_those_of_their_tangents() {
        let tangents = (0..=2000).map(|i| i as f32 / 1000.0).chain([0.0, 1e-20, 3.5, 57.0, 1e6, 1e20]);
        for tangent in tangents {
            let (found, want) =
                (SimdLevel::SCALAR.dispatch(One(tangent)), f64::from(tangent).atan().to_degrees());
            assert!((f64::from(found) - want).abs() < 1e-3, "{tangent}: {found}, {want}");
        }
    }
}

//! Octahedral normals in two i8: what packed vertices carry.
//!
//! In: a direction that points up. Out: its place on the octahedron |x| + |y| + |z| = 1, seen from above, in steps of 1/127. The
//! lower half of the octahedron is folded outwards in the usual mapping; ground never points there, so decoding needs no fold:
//!
//! ```text
//! x = code.x / 127, z = code.z / 127, y = max(1 - |x| - |z|, 0), then normalise
//! ```
//!
//! Encoding is one division a direction, and none of its length: the direction need not be a unit vector.

use terrane_lanes::Lanes;

/// The largest angle between a direction and what its code stands for, in degrees: found by a search over all directions that
/// point up (a test repeats a part of it). Around level ground it is 0.32, on slopes up to 45 degrees 0.94.
pub const OCTAHEDRAL_ERROR_DEG: f64 = 0.96;

/// The unit direction of a code.
///
/// ```
/// assert_eq!(terrane::mesh::decode_octahedral([0, 0]), [0.0, 1.0, 0.0]);
/// ```
#[must_use]
pub fn decode_octahedral([x, z]: [i8; 2]) -> [f32; 3] {
    let [x, z] = [x, z].map(|code| f32::from(code) / 127.0);
    let y = (1.0 - x.abs() - z.abs()).max(0.0);
    let length = (x * x + y * y + z * z).sqrt();
    [x / length, y / length, z / length]
}

/// Codes of directions (x, y, z), y above 0: x in bits 0 to 7, z in bits 8 to 15, two's complement.
#[inline(always)]
pub(crate) fn encode<L: Lanes>(l: L, [x, y, z]: [L::F; 3]) -> L::U {
    let scale = l.splat(127.0) / (abs(l, x) + y + abs(l, z));
    code(l, x * scale) + code(l, z * scale) * l.splat_u(1 << 8)
}

/// The nearest whole number in -127..=127 as a byte, halves upwards.
#[inline(always)]
fn code<L: Lanes>(l: L, v: L::F) -> L::U {
    // 1 ..= 255; less 128, modulo 256, is the top bit flipped.
    l.trunc(v + l.splat(128.5)) ^ l.splat_u(0x80)
}

#[inline(always)]
fn abs<L: Lanes>(l: L, v: L::F) -> L::F {
    l.max(v, l.splat(0.0) - v)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
mod tests {
    use super::*;
    use terrane_lanes::{Kernel, SimdLevel};

    struct One([f32; 3]);
    impl Kernel for One {
        type Output = [i8; 2];
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [i8; 2] {
            let mut word = [0];
            l.store_u(encode(l, self.0.map(|v| l.splat(v))), &mut word);
            [word[0] as i8, (word[0] >> 8) as i8]
        }
    }

    fn angle_deg(a: [f64; 3], b: [f64; 3]) -> f64 {
        let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        let length = |v: [f64; 3]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        length(cross).atan2(a.iter().zip(b).map(|(a, b)| a * b).sum()).to_degrees()
    }

    #[test]
    fn directions_come_back_within_the_stated_angle() {
        let (mut worst, mut worst_to_45) = (0.0f64, 0.0f64);
        // Six steps a code: the corners between four codes, where the angle is largest, are among them.
        let n = 6 * 127;
        for i in -n..=n {
            for j in -n..=n {
                let (x, z) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                let y = 1.0 - x.abs() - z.abs();
                if y <= 0.0 {
                    continue;
                }
                let code = SimdLevel::SCALAR.dispatch(One([x, y, z].map(|v| v as f32)));
                let angle = angle_deg([x, y, z], decode_octahedral(code).map(f64::from));
                worst = worst.max(angle);
                if y >= (x * x + z * z).sqrt() {
                    worst_to_45 = worst_to_45.max(angle);
                }
            }
        }
        assert!(worst <= OCTAHEDRAL_ERROR_DEG && worst > OCTAHEDRAL_ERROR_DEG - 0.05, "{worst}");
        assert!(worst_to_45 <= 0.94, "{worst_to_45}");
    }

    #[test]
    fn what_is_level_decodes_as_level() {
        assert_eq!(SimdLevel::SCALAR.dispatch(One([0.0, 3.0, 0.0])), [0, 0]);
        assert_eq!(SimdLevel::SCALAR.dispatch(One([1.0, 0.0, 0.0])), [127, 0]);
        assert_eq!(SimdLevel::SCALAR.dispatch(One([0.0, 1e-30, -1e30])), [0, -127]);
    }
}

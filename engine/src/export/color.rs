//! sRGB and linear light, by exact arithmetic: the same bits on every platform, without `powf`.
//!
//! The curve is IEC 61966-2-1. Its power is taken as x^2.4 = x^2 * (x^2)^(1/5), the fifth root by Newton's
//! method with a fixed number of steps.

/// Newton steps for the fifth root. From a start above the root each step removes at least a fifth of the
/// distance, then the error squares; 24 reach the last bit for every 8-bit code (tested).
const NEWTON_STEPS: usize = 24;

/// Linear light 0..=1 of each 8-bit sRGB code.
pub(super) static LINEAR: [f64; 256] = linear_table();

/// Linear light of an sRGB value, both 0..=1.
const fn linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 {
        return encoded / 12.92;
    }
    let base = (encoded + 0.055) / 1.055;
    let square = base * base;
    let mut root = 1.0;
    let mut step = 0;
    while step < NEWTON_STEPS {
        root = (4.0 * root + square / (root * root * root * root)) / 5.0;
        step += 1;
    }
    square * root
}

const fn linear_table() -> [f64; 256] {
    let mut table = [0.0; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = linear(code as f64 / 255.0);
        code += 1;
    }
    table
}

/// Linear light of an 8-bit sRGB code as a normalised `u16`.
pub(super) fn linear_u16(code: u8) -> u16 {
    (LINEAR[code as usize] * 65535.0 + 0.5) as u16
}

/// Linear light of an sRGB colour.
pub(super) fn linear_rgb(color: [u8; 3]) -> [f32; 3] {
    color.map(|code| LINEAR[code as usize] as f32)
}

/// Looks up the sRGB code of linear light.
pub(super) struct Encoder {
    codes: Vec<u8>,
}

impl Encoder {
    /// Steps of the table: the darkest codes are 0.0003 apart, so this keeps them to within a code.
    const STEPS: usize = 1 << 13;

    pub(super) fn new() -> Self {
        let mut code = 0usize;
        let codes = (0..=Self::STEPS)
            .map(|step| {
                let light = step as f64 / Self::STEPS as f64;
                // Up to the code whose interval, cut half-way in encoded terms, holds this light.
                while code < 255 && linear((code as f64 + 0.5) / 255.0) < light {
                    code += 1;
                }
                code as u8
            })
            .collect();
        Self { codes }
    }

    /// The sRGB code of `light`, clamped to 0..=1.
    #[inline]
    pub(super) fn code(&self, light: f32) -> u8 {
        self.codes[((light * Self::STEPS as f32 + 0.5) as usize).min(Self::STEPS)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods)] // the oracle may use the platform's power
    fn the_curve_is_srgb() {
        for code in 0..=255u8 {
            let encoded = f64::from(code) / 255.0;
            let oracle =
                if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) };
            assert!((LINEAR[code as usize] - oracle).abs() < 1e-15, "{code}");
        }
        assert_eq!((linear_u16(0), linear_u16(255)), (0, 65535));
        assert!((0..255u8).all(|code| linear_u16(code) < linear_u16(code + 1)));
    }

    #[test]
    fn codes_survive_the_way_there_and_back() {
        let encoder = Encoder::new();
        for code in 0..=255u8 {
            assert_eq!(encoder.code(LINEAR[code as usize] as f32), code);
        }
        assert_eq!((encoder.code(-1.0), encoder.code(9.0), encoder.code(f32::NAN)), (0, 255, 0));
    }
}

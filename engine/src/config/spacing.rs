//! The rule for the distance between samples. In: metres as written. Out: the metres that are used.

/// Bits of an `f64` mantissa that the rounding drops: 53 significant bits (one implicit) less 16.
const DROPPED_BITS: u32 = 53 - 16;

/// Rounds a spacing to 16 significant bits, half to even.
///
/// A vertex at column `i` of a chunk lies at `i * spacing` from the chunk's origin. With 16 bits in the spacing and
/// at most 8 in `i` the product is exact in `f32`, so neighbouring chunks agree on it to the bit. The relative
/// change is at most 2^-16: 0.3 m becomes 0.300003 m. Valid spacings are 2^-10 ..= 2^16 m; a value that is not
/// finite comes back as it is, for the validation to refuse.
///
/// ```
/// use terrane::config::round_spacing_m;
///
/// assert_eq!(round_spacing_m(1.0), 1.0);
/// assert_eq!(round_spacing_m(0.3), 0.3000030517578125);
/// ```
pub fn round_spacing_m(spacing_m: f64) -> f64 {
    if !spacing_m.is_finite() {
        return spacing_m;
    }
    // On the bits: adding half of the last kept bit, less one when that bit is even, then cutting. A carry runs
    // into the exponent, which is the right result (the next power of two).
    let bits = spacing_m.to_bits();
    let is_odd = (bits >> DROPPED_BITS) & 1;
    let half = 1u64 << (DROPPED_BITS - 1);
    let rounded = (bits + (half - 1) + is_odd) & !((1u64 << DROPPED_BITS) - 1);
    f64::from_bits(rounded)
}

#[cfg(test)]
mod tests {
    use super::round_spacing_m;

    #[test]
    fn spacing_is_rounded_to_16_bits_half_to_even() {
        for (metres, rounded) in [
            (1.0, 1.0),
            (0.3, 0.3000030517578125),
            (7.0, 7.0),
            (32767.5, 32767.5),
            (65535.5, 65536.0),       // a carry into the exponent
            (32768.0 + 0.5, 32768.0), // a tie goes to the even neighbour below
            (32768.0 + 1.5, 32770.0), // and above
            (32768.0 + 0.5000001, 32769.0),
            (-0.3, -0.3000030517578125),
            (0.0, 0.0),
            (f64::INFINITY, f64::INFINITY),
        ] {
            assert_eq!(round_spacing_m(metres), rounded, "{metres}");
        }
        assert!(round_spacing_m(f64::NAN).is_nan());
    }
}

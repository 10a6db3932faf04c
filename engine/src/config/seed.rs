//! From text to seeds. In: a seed as a person writes it. Out: 64 bits. These rules never change: saved worlds
//! depend on them.

use xxhash_rust::xxh3::xxh3_64;

/// The seed that a text stands for; every text has one.
///
/// - Decimal digits, with an optional `+`, that fit in a `u64`, or with a `-` that fit in an `i64`: that number,
///   a negative one as its 64 bits in two's complement (as for the integers of a world file).
/// - `0x` and up to 16 significant hexadecimal digits of either case: that number.
/// - Anything else, numbers too large for 64 bits included: [`hash_text`] of it. Spaces, letter case and Unicode
///   forms count: nothing is trimmed or folded.
///
/// ```
/// use terrane::config::{hash_text, parse_seed};
///
/// assert_eq!(parse_seed("2026"), 2026);
/// assert_eq!(parse_seed("-1"), u64::MAX);
/// assert_eq!(parse_seed("0xC0ffee"), 0xc0ffee);
/// assert_eq!(parse_seed("north pole"), hash_text("north pole"));
/// ```
pub fn parse_seed(text: &str) -> u64 {
    if let Ok(number) = text.parse::<u64>() {
        return number;
    }
    if let Ok(number) = text.parse::<i64>() {
        return number.cast_unsigned();
    }
    if let Some(digits) = text.strip_prefix("0x") {
        // `from_str_radix` would take a sign as well.
        let are_digits = digits.bytes().all(|b| b.is_ascii_hexdigit());
        if are_digits && let Ok(number) = u64::from_str_radix(digits, 16) {
            return number;
        }
    }
    hash_text(text)
}

/// The stable hash of a text: XXH3, 64 bits, seed 0, of its UTF-8 bytes.
///
/// It gives text seeds, and the default id of a field from the field's name.
///
/// ```
/// assert_eq!(terrane::config::hash_text("ground"), 0x12b6_2b5a_c39b_9023);
/// ```
pub fn hash_text(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{hash_text, parse_seed};

    #[test]
    fn seeds_follow_their_rules() {
        for (text, seed) in [
            ("0", 0),
            ("+7", 7),
            ("007", 7),
            ("18446744073709551615", u64::MAX),
            ("-1", u64::MAX),
            ("-9223372036854775808", 1 << 63),
            ("0x0", 0),
            ("0xFFFFFFFFFFFFFFFF", u64::MAX),
            ("0x00000000000000000000ff", 255),
        ] {
            assert_eq!(parse_seed(text), seed, "{text}");
        }
        for text in [
            "",
            " 7",
            "7 ",
            "1_000",
            "18446744073709551616",
            "-9223372036854775809",
            "0x",
            "0x+1",
            "0X1",
            "-0x1",
            "0x10000000000000000",
            "1e3",
            "1.0",
            "ground",
            "Ground",
            "世界",
        ] {
            assert_eq!(parse_seed(text), hash_text(text), "{text}");
        }
        // The published value of XXH3-64 with seed 0 for no bytes at all.
        assert_eq!(hash_text(""), 0x2d06_8005_38d3_94c2);
    }
}

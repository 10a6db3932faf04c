//! Round numbers and their texts.
//!
//! In: lengths in metres. Out: steps that people count in, and short texts. No logarithms: decades are found
//! by multiplying.

/// The largest of 1, 2, 5 times a power of ten that is not above `value`, which is positive.
pub(super) fn round_down(value: f64) -> f64 {
    let mut decade = 1.0;
    while decade * 10.0 <= value && decade < 1e30 {
        decade *= 10.0;
    }
    while decade > value && decade > 1e-30 {
        decade /= 10.0;
    }
    [5.0, 2.0].map(|step| step * decade).into_iter().find(|&step| step <= value).unwrap_or(decade)
}

/// A length with its unit.
pub(super) fn length(metres: f64) -> String {
    let size = metres.abs();
    if size >= 1000.0 {
        format!("{} km", number(metres / 1000.0))
    } else if size >= 1.0 || size == 0.0 {
        format!("{} m", number(metres))
    } else {
        format!("{} cm", number(metres * 100.0))
    }
}

/// About three digits, without trailing zeros.
pub(super) fn number(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (value, step) in [(1.0, 1.0), (1.99, 1.0), (2.0, 2.0), (9.0, 5.0), (10.0, 10.0), (730.0, 500.0)] {
            assert_eq!(round_down(value), step);
        }
        assert!((round_down(0.03) - 0.02).abs() < 1e-12);
    }

    #[test]
    fn texts_are_short() {
        let texts = [0.0, 384.0, 12.5, 1536.0, 0.25, -40.0, 63_999.25, -0.0].map(length);
        assert_eq!(texts, ["0 m", "384 m", "12.5 m", "1.54 km", "25 cm", "-40 m", "64 km", "0 m"]);
    }
}

//! Scales that map values to positions on the canvas, the values that get a label, and number formatting.

use qortal_types::Amount;

/// A range of values and the range of pixels it is drawn in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    values: (i64, i64),
    pixels: (f64, f64),
}

/// Converts a value. The result is exact up to 2^53, far beyond any position on a canvas.
const fn real(value: i64) -> f64 {
    value as f64
}

impl Scale {
    pub(crate) const fn new(values: (i64, i64), pixels: (f64, f64)) -> Self {
        Self { values, pixels }
    }

    /// Returns the pixel of a value, or the middle pixel if the range holds a single value.
    pub(crate) fn at(self, value: i64) -> f64 {
        let ((low, high), (from, to)) = (self.values, self.pixels);
        let range = real(high) - real(low);
        if range <= 0.0 {
            return f64::midpoint(from, to);
        }
        from + (real(value) - real(low)) / range * (to - from)
    }

    /// Returns the number of pixels that a distance between two values takes.
    pub(crate) fn length(self, of: i64) -> f64 {
        let ((low, high), (from, to)) = (self.values, self.pixels);
        let range = real(high) - real(low);
        if range <= 0.0 {
            return (to - from).abs();
        }
        real(of) / range * (to - from).abs()
    }
}

/// Returns `of` as a fraction of `whole`, 0 to 1.
pub(crate) fn part(of: i64, whole: i64) -> f64 {
    if whole > 0 {
        (real(of) / real(whole)).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Returns a round distance between labeled values that yields at most `most` of them: 1, 2 or 5, followed by zeros.
pub(crate) fn step(low: i64, high: i64, most: i64) -> i64 {
    let least = (high.saturating_sub(low) / most.max(1)).max(1);
    let mut unit = 1_i64;
    loop {
        for factor in [1, 2, 5] {
            let step = unit.saturating_mul(factor);
            if step >= least {
                return step;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

/// Returns the multiples of a step within a range.
pub(crate) fn multiples(low: i64, high: i64, step: i64) -> impl Iterator<Item = i64> {
    let first = low.div_euclid(step);
    let last = high.div_euclid(step);
    let all = (first..=last).filter_map(move |it| it.checked_mul(step));
    all.filter(move |it| (low..=high).contains(it))
}

/// Formats an amount with as many decimal places as a step needs, such as `1,250.50`.
pub(crate) fn amount(units: i64, step: i64) -> String {
    let mut places = 8_usize;
    let mut rest = step;
    while places > 0 && rest % 10 == 0 {
        rest /= 10;
        places -= 1;
    }
    let text = Amount::from_units(units).to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = grouped(whole);
    match fraction.get(..places).filter(|it| !it.is_empty()) {
        Some(fraction) => format!("{whole}.{fraction}"),
        None => whole,
    }
}

/// Formats an amount without trailing zeros.
pub(crate) fn trimmed(units: i64) -> String {
    let text = amount(units, 1);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats an amount for reading: rounded to two decimal places from 1 on, exact below 1.
pub fn rounded(units: i64) -> String {
    const HUNDREDTH: i64 = 1_000_000;
    if units.saturating_abs() < 100 * HUNDREDTH {
        return trimmed(units);
    }
    let rest = units % HUNDREDTH;
    let up = if rest.abs() * 2 >= HUNDREDTH {
        HUNDREDTH * rest.signum()
    } else {
        0
    };
    trimmed((units - rest).saturating_add(up))
}

/// Formats an integer with thousands separators, such as `1,250`.
pub fn count(number: i64) -> String {
    grouped(&number.to_string())
}

/// Groups digits in threes.
fn grouped(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("−", digits),
        None => ("", digits),
    };
    let mut out = sign.to_owned();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_values_are_round_and_few() {
        for (low, high, expected) in [
            (10_748, 11_250, vec![10_800, 11_000, 11_200]),
            (
                0,
                68_060_000_000,
                vec![0, 20_000_000_000, 40_000_000_000, 60_000_000_000],
            ),
            (7, 7, vec![7]),
        ] {
            let step = step(low, high, 4);
            let named: Vec<_> = multiples(low, high, step).collect();
            assert_eq!(named, expected);
        }
        assert_eq!(step(0, i64::MAX, 5), 2_000_000_000_000_000_000);
    }

    #[test]
    fn amounts_have_the_places_of_their_step() {
        for (units, step, expected) in [
            (10_800, 200, "0.000108"),
            (11_000, 200, "0.000110"),
            (908_170_000_000, 10_000_000, "9,081.7"),
            (200_000_000, 100_000_000, "2"),
            (-123_456_700_000_000, 100_000_000, "−1,234,567"),
        ] {
            assert_eq!(amount(units, step), expected);
        }
        assert_eq!(trimmed(10_933), "0.00010933");
        assert_eq!(trimmed(908_170_000_000), "9,081.7");
        assert_eq!(rounded(68_060_200_000), "680.6");
        assert_eq!(rounded(-12_345_678_900), "−123.46");
        assert_eq!(rounded(1_234_567), "0.01234567");
        // Half a hundredth rounds up. Below 1, nothing is rounded.
        assert_eq!(rounded(100_499_999), "1");
        assert_eq!(rounded(100_500_000), "1.01");
        assert_eq!(rounded(-100_500_000), "−1.01");
        assert_eq!(rounded(99_999_999), "0.99999999");
        assert_eq!(count(1_000), "1,000");
    }
}

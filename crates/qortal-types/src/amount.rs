//! Amounts of QORT, of assets and of foreign coins.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// Decimal places of an amount.
const PLACES: usize = 8;
const UNITS_PER_COIN: i64 = 100_000_000;
/// No amount takes more; the longest the Core prints has 21 characters.
const MAX_CHARACTERS: usize = 64;
/// Decimal digits of the largest number of units.
const MAX_DIGITS: i64 = 19;
/// Below 2^26 coins neighboring `f64` are less than one unit apart, so that the shortest text of one is the amount itself.
const MAX_EXACT_FLOAT: f64 = 67_108_864.0;

/// An error parsing an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AmountError {
    /// The text is not a decimal number.
    #[error("not a decimal number")]
    Malformed,
    /// The number has digits after the eighth decimal place.
    #[error("more than {PLACES} decimal places")]
    TooPrecise,
    /// The number does not fit into a signed 64-bit number of 10^-8 units.
    #[error("outside the range of amounts, which is about ±92 billion")]
    OutOfRange,
}

/// An amount in units of 10^-8 of a coin, a signed 64-bit number as in the Core (class `Amounts`).
///
/// `Display` and serde write eight decimal places. Parsing accepts all forms that the Core prints, including exponents (`0E-8`,
/// `5E-8`) and malformed negatives (`-1.-50000000`, `0.-5000000`). In these, the part after the point is a signed number of units.
///
/// ```
/// use qortal_types::Amount;
///
/// let amount: Amount = "-1.-50000000".parse()?;
/// assert_eq!(amount.units(), -150_000_000);
/// assert_eq!(amount.to_string(), "-1.50000000");
/// # Ok::<(), qortal_types::AmountError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Amount(i64);

impl Amount {
    /// The amount zero.
    pub const ZERO: Self = Self(0);
    /// The largest amount.
    pub const MAX: Self = Self(i64::MAX);
    /// The smallest amount.
    pub const MIN: Self = Self(i64::MIN);

    /// Creates an amount from a number of 10^-8 units.
    #[must_use]
    pub const fn from_units(units: i64) -> Self {
        Self(units)
    }

    /// Creates an amount from a number of whole coins, or returns `None` if it is out of range.
    #[must_use]
    pub const fn from_coins(coins: i64) -> Option<Self> {
        match coins.checked_mul(UNITS_PER_COIN) {
            Some(units) => Some(Self(units)),
            None => None,
        }
    }

    /// Returns the number of 10^-8 units.
    #[must_use]
    pub const fn units(self) -> i64 {
        self.0
    }

    /// Returns the sum, or `None` if it is out of range.
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(units) => Some(Self(units)),
            None => None,
        }
    }

    /// Returns the difference, or `None` if it is out of range.
    #[must_use]
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(units) => Some(Self(units)),
            None => None,
        }
    }

    /// Returns the amount multiplied by `factor`, or `None` if it is out of range.
    #[must_use]
    pub const fn checked_mul(self, factor: i64) -> Option<Self> {
        match self.0.checked_mul(factor) {
            Some(units) => Some(Self(units)),
            None => None,
        }
    }

    /// Returns the value of this amount at a price for one coin, rounded toward zero, or `None` if it is out of range.
    #[must_use]
    pub fn checked_at_price(self, price: Self) -> Option<Self> {
        let units = i128::from(self.0) * i128::from(price.0) / i128::from(UNITS_PER_COIN);
        i64::try_from(units).ok().map(Self)
    }

    /// Returns the price of one coin if `self` is paid for `quantity`, rounded toward zero.
    ///
    /// Returns `None` if the quantity is zero or the price is out of range.
    #[must_use]
    pub fn checked_price_of(self, quantity: Self) -> Option<Self> {
        let units = (i128::from(self.0) * i128::from(UNITS_PER_COIN))
            .checked_div(i128::from(quantity.0))?;
        i64::try_from(units).ok().map(Self)
    }

    /// Returns the cost of this quantity at a price, rounded up as the Core does for orders
    /// (`org.qortal.utils.Amounts.roundUpScaled`). Both must not be negative.
    ///
    /// Returns `None` if the cost is out of range.
    #[must_use]
    pub fn checked_cost_at(self, price: Self) -> Option<Self> {
        let coin = i128::from(UNITS_PER_COIN);
        let units = (i128::from(self.0) * i128::from(price.0) + coin - 1) / coin;
        i64::try_from(units).ok().map(Self)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = self.0.unsigned_abs();
        let coin = UNITS_PER_COIN.unsigned_abs();
        let (coins, places) = (units / coin, units % coin);
        let has_form = f.width().is_some() || f.sign_plus();
        if has_form {
            let digits = format!("{coins}.{places:0PLACES$}");
            return f.pad_integral(self.0 >= 0, "", &digits);
        }
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{coins}.{places:0PLACES$}")
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Amount({self})")
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        if text.len() > MAX_CHARACTERS {
            return Err(AmountError::Malformed);
        }
        if let Some((whole, fraction)) = text.split_once(".-") {
            return from_inner_sign(whole, fraction);
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (
                mantissa,
                exponent
                    .parse::<i32>()
                    .map_err(|_| AmountError::Malformed)?,
            ),
            None => (text, 0),
        };
        let (negative, mantissa) = match mantissa.strip_prefix('-') {
            Some(mantissa) => (true, mantissa),
            None => (false, mantissa),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
            Some(_) => return Err(AmountError::Malformed),
            None => (mantissa, ""),
        };
        if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
            return Err(AmountError::Malformed);
        }
        from_digits(negative, whole, fraction, exponent)
    }
}

/// `-1.-50000000` and `0.-0000005`: whole coins, then a signed number of units padded to eight characters.
fn from_inner_sign(whole: &str, fraction: &str) -> Result<Amount, AmountError> {
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_negative_or_zero = whole == "0" || digits.len() < whole.len();
    let is_padded = (PLACES - 1..=PLACES).contains(&fraction.len());
    if digits.is_empty()
        || !is_digits(digits)
        || !is_digits(fraction)
        || !is_negative_or_zero
        || !is_padded
    {
        return Err(AmountError::Malformed);
    }
    let coins: i64 = whole.parse().map_err(|_| AmountError::OutOfRange)?;
    let units: i64 = fraction.parse().map_err(|_| AmountError::Malformed)?;
    let amount = Amount::from_coins(coins).and_then(|whole| whole.checked_sub(Amount(units)));
    amount.ok_or(AmountError::OutOfRange)
}

fn from_digits(
    negative: bool,
    whole: &str,
    fraction: &str,
    exponent: i32,
) -> Result<Amount, AmountError> {
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Ok(Amount::ZERO);
    }
    let length = |text: &str| i64::try_from(text.len()).expect("text of at most 64 bytes");
    let trailing_zeros = length(&digits) - length(digits.trim_end_matches('0'));
    // The number is `significant` × 10^`zeros` units.
    let zeros = trailing_zeros - length(fraction) + i64::from(exponent) + length("12345678");
    let Ok(zeros_behind) = usize::try_from(zeros) else {
        return Err(AmountError::TooPrecise);
    };
    if length(significant) + zeros > MAX_DIGITS {
        return Err(AmountError::OutOfRange);
    }
    let sign = if negative { "-" } else { "" };
    let units = format!("{sign}{significant}{:0<zeros_behind$}", "");
    units
        .parse()
        .map(Amount)
        .map_err(|_| AmountError::OutOfRange)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    /// Deserializes a string or a number of coins. A fraction beyond 2^26 coins is rejected, because floating-point numbers cannot
    /// distinguish neighboring amounts there.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AmountVisitor)
    }
}

struct AmountVisitor;

impl de::Visitor<'_> for AmountVisitor {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
        text.parse()
            .map_err(|error| E::custom(format_args!("an amount expected: {error}")))
    }

    fn visit_i64<E: de::Error>(self, coins: i64) -> Result<Amount, E> {
        Amount::from_coins(coins).ok_or_else(|| E::custom(AmountError::OutOfRange))
    }

    fn visit_u64<E: de::Error>(self, coins: u64) -> Result<Amount, E> {
        i64::try_from(coins)
            .map_err(|_| E::custom(AmountError::OutOfRange))
            .and_then(|coins| self.visit_i64(coins))
    }

    fn visit_f64<E: de::Error>(self, coins: f64) -> Result<Amount, E> {
        if coins.abs() >= MAX_EXACT_FLOAT {
            return Err(E::custom(
                "an amount this large must be a string to be read exactly",
            ));
        }
        self.visit_str(&coins.to_string())
    }
}

#[cfg(test)]
mod tests;

//! Amounts that are never negative: the Core accepts no such fee, amount or price (`NEGATIVE_FEE`, `NEGATIVE_AMOUNT` and
//! `NEGATIVE_PRICE` of its `ValidationResult`).

use qortal_types::Amount;
use serde::{Deserialize, Deserializer, de::Error};

/// A fee, a price, or what is paid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unsigned(Amount);

impl Unsigned {
    /// `None` if it is negative.
    pub(crate) fn new(amount: Amount) -> Option<Self> {
        (amount >= Amount::ZERO).then_some(Self(amount))
    }

    pub(crate) const fn amount(self) -> Amount {
        self.0
    }
}

impl<'de> Deserialize<'de> for Unsigned {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let amount = Amount::deserialize(deserializer)?;
        Self::new(amount).ok_or_else(|| D::Error::custom(format_args!("{amount} is negative")))
    }
}

/// Reads such an amount.
pub(crate) fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
    Unsigned::deserialize(deserializer).map(Unsigned::amount)
}

/// Reads one that may be null.
pub(crate) fn amount_if_any<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Amount>, D::Error> {
    let amount = Option::<Unsigned>::deserialize(deserializer)?;
    Ok(amount.map(Unsigned::amount))
}

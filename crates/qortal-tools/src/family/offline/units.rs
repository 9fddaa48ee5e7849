//! A value in other units: amounts, times and bytes.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_types::{Amount, Timestamp, TimestampError};
use serde_json::Value;
use tool_schema::{choice, excerpt};

use super::ShortText;
use crate::declare::{Context, Tool, ToolError};

choice! {
    /// The unit of a value.
    pub(super) enum Unit {
        /// Coins, as a decimal number.
        Coins = "coins",
        /// Smallest units, 100,000,000 to a coin.
        Units = "units",
        /// Milliseconds since 1970.
        Milliseconds = "milliseconds",
        /// Seconds since 1970.
        Seconds = "seconds",
        /// A date or a moment for people.
        Iso8601 = "iso8601",
        /// Bytes in Base58.
        Base58 = "base58",
        /// Bytes in Base64.
        Base64 = "base64",
        /// Bytes in hexadecimal digits.
        Hex = "hex"
    }
}

params! {
    pub(super) struct ConvertUnits {
        /// Value to convert.
        value: ShortText,
        /// Unit of the value. units are 10^-8 coins.
        from: Unit
    }
}

record! {
    pub(super) struct Converted {
        /// The kind: `amount`, `moment` or `bytes`.
        kind: &'static str,
        /// The amount in coins.
        coins: Option<Amount>,
        /// The amount in units of 10^-8, as text.
        units: Option<String>,
        /// The moment in milliseconds since 1970.
        milliseconds: Option<i64>,
        /// The moment in seconds since 1970, rounded down.
        seconds: Option<i64>,
        /// The moment in ISO 8601, UTC.
        iso8601: Option<String>,
        /// The number of bytes.
        byte_count: Option<u32>,
        /// The bytes in Base58.
        base58: Option<String>,
        /// The bytes in Base64.
        base64: Option<String>,
        /// The bytes in hexadecimal digits.
        hex: Option<String>
    }
}

const NOTHING: Converted = Converted {
    kind: "",
    coins: None,
    units: None,
    milliseconds: None,
    seconds: None,
    iso8601: None,
    byte_count: None,
    base58: None,
    base64: None,
    hex: None,
};

impl Tool for ConvertUnits {
    const NAME: &str = "convert_units";
    const TITLE: &str = "Convert units";
    const DESCRIPTION: &str = "Convert coins and units of 10^-8, milliseconds, seconds and ISO 8601, or Base58, Base64 and hex.";
    const EXAMPLE: &str = r#"{"value":"125000000","from":"units"}"#;
    const KEYWORDS: &str = "convert, base58, base64, hex, unix time, timestamp, date, what day, satoshi, unit, decimal, milliseconds";
    const USES_NODE: bool = false;
    type Output = Converted;

    async fn call(self, _: &Context) -> Result<Self::Output, ToolError> {
        let text = self.value.as_str().trim();
        let found = match self.from {
            Unit::Coins => text.parse().map(amount).map_err(|err| err.to_string()),
            Unit::Units => whole(text).map(|it| amount(Amount::from_units(it))),
            Unit::Milliseconds => whole(text).map(|it| moment(Timestamp::from_millis(it))),
            Unit::Seconds => whole(text).and_then(|it| {
                let found = Timestamp::from_seconds(it).map(moment);
                found.ok_or_else(|| "out of range".to_owned())
            }),
            Unit::Iso8601 => text
                .parse()
                .map(moment)
                .map_err(|err: TimestampError| err.to_string()),
            Unit::Base58 => bs58::decode(text)
                .into_vec()
                .map(|it| bytes(&it))
                .map_err(|err| err.to_string()),
            Unit::Base64 => STANDARD
                .decode(text)
                .map(|it| bytes(&it))
                .map_err(|err| err.to_string()),
            Unit::Hex => unhex(text)
                .map(|it| bytes(&it))
                .ok_or_else(|| "not an even number of hexadecimal digits".to_owned()),
        };
        found.map_err(|err| {
            ToolError::argument(
                "value",
                "Invalid argument.",
                format!("is {}: {err}", excerpt(&Value::from(text))),
                expected(self.from),
            )
        })
    }
}

const fn expected(unit: Unit) -> &'static str {
    match unit {
        Unit::Coins => "a decimal number with at most 8 places, such as 1.25",
        Unit::Units => "a whole number of units, 100000000 are one coin",
        Unit::Milliseconds => "a whole number of milliseconds since 1970",
        Unit::Seconds => "a whole number of seconds since 1970",
        Unit::Iso8601 => {
            "a date or a moment in ISO 8601, such as 2026-11-20, 2026-11-20T22:00:00Z or 2026-11-20T22:00:00.123+01:00"
        }
        Unit::Base58 => "Base58, which has no 0, O, I and l",
        Unit::Base64 => "Base64 with + and /, padded with =",
        Unit::Hex => "hexadecimal digits, two for each byte",
    }
}

fn whole(text: &str) -> Result<i64, String> {
    text.parse()
        .map_err(|_| "not a whole number of 64 bits".to_owned())
}

fn amount(amount: Amount) -> Converted {
    Converted {
        kind: "amount",
        coins: Some(amount),
        units: Some(amount.units().to_string()),
        ..NOTHING
    }
}

fn moment(moment: Timestamp) -> Converted {
    Converted {
        kind: "moment",
        milliseconds: Some(moment.millis()),
        seconds: Some(moment.millis().div_euclid(1_000)),
        iso8601: Some(moment.to_string()),
        ..NOTHING
    }
}

fn bytes(bytes: &[u8]) -> Converted {
    Converted {
        kind: "bytes",
        byte_count: u32::try_from(bytes.len()).ok(),
        base58: Some(bs58::encode(bytes).into_string()),
        base64: Some(STANDARD.encode(bytes)),
        hex: Some(bytes.iter().map(|it| format!("{it:02x}")).collect()),
        ..NOTHING
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let digits: Option<Vec<u32>> = digits.chars().map(|it| it.to_digit(16)).collect();
    let digits = digits.filter(|it| it.len() % 2 == 0 && !it.is_empty())?;
    digits
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high * 16 + low).ok(),
            _ => None,
        })
        .collect()
}

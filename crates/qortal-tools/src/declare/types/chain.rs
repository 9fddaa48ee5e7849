//! Names, assets, coins, identifiers and moments of the chain.

use std::{ops::Range, str::FromStr};

use qortal_types::{
    Amount, AssetId, BlockSignature, Blockchain, Name, PublicKey, Service, Signature, Timestamp,
    TransactionType,
};
use serde_json::{Value, json};

use crate::{
    Object,
    declare::{
        Param, Wrong, typed,
        types::{
            basic::{exact_digits, whole},
            shown, string,
        },
    },
    iso,
};

/// The published form of what a text means in any spelling that the type knows.
fn meant<T: Param + FromStr>(value: &Value) -> Option<Value> {
    let meant = value.as_str()?.trim().parse::<T>().ok()?.to_value();
    Some(meant).filter(|meant| meant != value)
}

impl Param for Name {
    fn schema() -> Object {
        typed("string")
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let accepted = "a registered name of 3 to 40 bytes";
        let text = string(value, accepted)?;
        let wrong = |what: String| Wrong::new("Invalid name.", what, accepted);
        if text.chars().any(char::is_control) {
            return Err(wrong("holds a control character".to_owned()));
        }
        text.parse::<Self>()
            .map_err(|err| wrong(format!("is {}, but {err}", shown(value))))
    }

    /// The digits of a number.
    fn mend(value: &Value) -> Option<Value> {
        exact_digits(value)
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

impl Param for Amount {
    fn schema() -> Object {
        let mut schema = typed("string");
        schema.insert("minLength".to_owned(), 1.into());
        schema.insert("maxLength".to_owned(), 21.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let accepted = "a decimal number as text, with at most 8 places, such as 1.25";
        let wrong = |what: String| Wrong::new("Invalid amount.", what, accepted);
        let text = string(value, accepted).map_err(|it| wrong(it.what))?;
        let amount = text
            .trim()
            .parse::<Self>()
            .map_err(|err| wrong(format!("is {}, but it is {err}", shown(value))))?;
        if amount < Self::ZERO {
            return Err(wrong(format!("is {}, which is negative", shown(value))));
        }
        Ok(amount)
    }

    fn mend(value: &Value) -> Option<Value> {
        exact_digits(value)
    }

    fn to_value(&self) -> Value {
        self.to_string().into()
    }
}

impl Param for AssetId {
    fn schema() -> Object {
        let mut schema = typed("integer");
        schema.insert("minimum".to_owned(), 0.into());
        schema.insert("maximum".to_owned(), MAX_ASSET.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let accepted = "the number of an asset, 0 is QORT";
        value
            .as_u64()
            .filter(|it| *it <= MAX_ASSET)
            .map(Self::new)
            .ok_or_else(|| {
                Wrong::new(
                    "Invalid asset ID.",
                    format!("is {}", shown(value)),
                    accepted,
                )
            })
    }

    fn mend(value: &Value) -> Option<Value> {
        whole(value)
    }

    fn to_value(&self) -> Value {
        self.number().into()
    }
}

/// Assets are numbered in the order they are issued; this is far above any.
const MAX_ASSET: u64 = 2_147_483_647;

impl Param for Blockchain {
    fn schema() -> Object {
        let mut schema = typed("string");
        let names: Vec<_> = Self::ALL.iter().map(Self::as_str).collect();
        schema.insert("enum".to_owned(), json!(names));
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let names: Vec<_> = Self::ALL.iter().map(Self::as_str).collect();
        let accepted = format!("one of {}", names.join(", "));
        let text = string(value, &accepted)?;
        text.parse::<Self>().map_err(|err| {
            Wrong::new(
                "Unknown blockchain.",
                format!("is not known: {err}"),
                accepted,
            )
        })
    }

    /// Any case, and other spellings the type knows.
    fn mend(value: &Value) -> Option<Value> {
        meant::<Self>(value)
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

impl Param for Timestamp {
    fn schema() -> Object {
        let mut schema = typed("integer");
        schema.insert("minimum".to_owned(), 1.into());
        schema.insert("maximum".to_owned(), MAX_MILLIS.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let accepted = "milliseconds since 1970, or a moment such as 2026-11-20T22:00:00Z";
        value
            .as_i64()
            .filter(|it| (1..=MAX_MILLIS).contains(it))
            .map(Self::from_millis)
            .ok_or_else(|| {
                Wrong::new(
                    "Invalid timestamp.",
                    format!("is {}", shown(value)),
                    accepted,
                )
            })
    }

    /// Seconds where no milliseconds can be meant, and moments as people write them.
    fn mend(value: &Value) -> Option<Value> {
        let number = whole(value);
        let moment = match number.as_ref().unwrap_or(value).as_i64() {
            Some(seconds) if PLAUSIBLE_SECONDS.contains(&seconds) => Self::from_seconds(seconds),
            Some(_) => return number,
            None => iso::parse(value.as_str()?.trim()),
        };
        moment.map(|it| it.to_value())
    }

    fn to_value(&self) -> Value {
        self.millis().into()
    }
}

/// Moments of a chain in seconds, 2015 to 2100. As milliseconds they are in the first weeks of 1970.
pub(crate) const PLAUSIBLE_SECONDS: Range<i64> = 1_420_000_000..4_102_444_800;

/// The year 9999.
const MAX_MILLIS: i64 = 253_402_300_799_999;

/// Base58 texts that stand for bytes: read with their own words for what is wrong.
macro_rules! base58_params {
    ($($Ty:ty => $plain:literal, $accepted:literal;)+) => {
        $(
            impl Param for $Ty {
                fn schema() -> Object {
                    typed("string")
                }

                fn read(value: &Value) -> Result<Self, Wrong> {
                    let text = string(value, $accepted)?.trim();
                    text.parse::<Self>().map_err(|err| {
                        Wrong::new($plain, format!("is {}, but {err}", shown(value)), $accepted)
                    })
                }

                fn to_value(&self) -> Value {
                    self.to_string().into()
                }
            }
        )+
    };
}

base58_params! {
    PublicKey => "Invalid public key.", "a public key, 32 bytes in Base58 (43 or 44 characters), resolve_identity finds that of an address or name";
    Signature => "Invalid signature.", "the signature of a transaction, 64 bytes in Base58 (86 to 88 characters)";
    BlockSignature => "Invalid signature.", "the signature of a block, 128 bytes in Base58 (about 174 characters)";
}

impl Param for TransactionType {
    /// Without the 38 names, which would cost every listing more than they are worth: who mistypes one
    /// is told the nearest.
    fn schema() -> Object {
        typed("string")
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let accepted = "the Core's name of a transaction type, such as PAYMENT or REGISTER_NAME";
        let text = string(value, accepted)?;
        text.parse::<Self>().map_err(|err| {
            Wrong::new(
                "Unknown transaction type.",
                format!("is not known: {err}"),
                accepted,
            )
        })
    }

    /// Any case, and other spellings the type knows.
    fn mend(value: &Value) -> Option<Value> {
        meant::<Self>(value)
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

impl Param for Service {
    fn schema() -> Object {
        typed("string")
    }

    /// A name in any case, or the number as text.
    fn read(value: &Value) -> Result<Self, Wrong> {
        let accepted =
            "the name of a QDN service, such as WEBSITE, APP, IMAGE or DOCUMENT, or its number";
        let text = string(value, accepted)?.trim();
        if let Some(service) = text.parse().ok().and_then(Self::from_id) {
            return Ok(service);
        }
        text.parse::<Self>()
            .map_err(|err| Wrong::new("Unknown service.", format!("is not known: {err}"), accepted))
    }

    /// The number itself, and any case.
    fn mend(value: &Value) -> Option<Value> {
        let text = match value {
            Value::Number(number) => number.to_string(),
            other => other.as_str()?.to_owned(),
        };
        let meant = Self::read(&text.into()).ok()?.to_value();
        Some(meant).filter(|meant| meant != value)
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

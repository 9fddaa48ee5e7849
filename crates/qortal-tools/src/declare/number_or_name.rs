//! Groups and assets in parameters. Both have a number and a name. Digits always mean a number, so a group or asset
//! named by digits can be found by its own number only.

use qortal_types::AssetId;
use serde_json::Value;
use tool_schema::{InvalidValue, Param, excerpt, integer, number_as_text, text};

use crate::declare::Qortal;

/// A kind of thing with a number and a name.
struct Kind {
    /// The noun for it in messages.
    noun: &'static str,
    /// The message for an invalid value.
    invalid: &'static str,
    /// The accepted values.
    expected: &'static str,
    /// Maximum length of a name, in characters.
    longest: usize,
}

/// Reads a number, or else a name.
fn read<N>(
    value: &Value,
    kind: &Kind,
    number: impl FnOnce(&str) -> Option<N>,
) -> Result<Result<N, String>, InvalidValue> {
    let text = text(value, kind.expected).map_err(|it| it.with_short_message(kind.invalid))?;
    let text = text.trim();
    let invalid = |problem: String| InvalidValue::new(kind.invalid, problem, kind.expected);
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) {
        let (shown, noun) = (excerpt(value), kind.noun);
        let unknown = || invalid(format!("is {shown}, and no {noun} has this number"));
        return number(text).map(Ok).ok_or_else(unknown);
    }
    match text.chars().count() {
        0 => Err(invalid("is empty".to_owned())),
        characters if characters > kind.longest => {
            Err(invalid(format!("has {characters} characters")))
        }
        _ if text.chars().any(char::is_control) => {
            Err(invalid("contains a control character".to_owned()))
        }
        _ => Ok(Err(text.to_owned())),
    }
}

/// Returns the digits of a number.
fn digits(value: &Value) -> Option<Value> {
    let number = integer(value).filter(|_| value.is_number());
    number_as_text(&number.unwrap_or_else(|| value.clone()))
}

/// A group in a parameter: its number, at least `MIN`, or its name. 0 means no group, where it is accepted.
///
/// The published type is text, because some hosts drop tools with union types. Numbers are accepted as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GroupRef<const MIN: u32 = 1> {
    /// A number.
    Number(u32),
    /// A name that is not resolved yet.
    Name(String),
}

/// The accepted forms, also used in the error for an unknown name.
pub(crate) const A_GROUP: &str =
    "a group's number or its name, list_groups with `query` finds groups by words";
/// The message for an invalid group.
pub(crate) const INVALID_GROUP: &str = "Invalid group.";

const GROUP: Kind = Kind {
    noun: "group",
    invalid: INVALID_GROUP,
    expected: A_GROUP,
    // More than the Core allows in a name (32 bytes).
    longest: 100,
};
/// The highest number of a group: the Core numbers groups in 31 bits.
const MAX_GROUP: u32 = i32::MAX.cast_unsigned();

impl<const MIN: u32> Param<Qortal> for GroupRef<MIN> {
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let number = |text: &str| {
            text.parse()
                .ok()
                .filter(|it| (MIN..=MAX_GROUP).contains(it))
        };
        let read = read(value, &GROUP, number)?;
        Ok(read.map_or_else(Self::Name, Self::Number))
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        digits(value)
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Number(number) => number.to_string().into(),
            Self::Name(name) => name.as_str().into(),
        }
    }
}

/// An asset in a parameter: its number or its name. The published type is text, as for groups. Numbers are accepted as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AssetRef {
    /// A number.
    Number(AssetId),
    /// A name that is not resolved yet.
    Name(String),
}

/// The accepted forms, also used in the error for an unknown name.
pub(crate) const AN_ASSET: &str =
    "an asset's number (0 is QORT) or its name, list_assets with `query` finds assets by words";
/// The message for an invalid asset.
pub(crate) const INVALID_ASSET: &str = "Invalid asset.";

const ASSET: Kind = Kind {
    noun: "asset",
    invalid: INVALID_ASSET,
    expected: AN_ASSET,
    // `Asset.MAX_NAME_SIZE` bytes.
    longest: 40,
};
/// The highest number of an asset. Assets are numbered in the order of issue, and this is far above any.
const MAX_ASSET: u64 = 2_147_483_647;

impl AssetRef {
    pub(crate) const QORT: Self = Self::Number(AssetId::QORT);
}

impl Param<Qortal> for AssetRef {
    fn description_hint() -> &'static str {
        "Number or name."
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let number = |text: &str| text.parse().ok().filter(|it| *it <= MAX_ASSET);
        let read = read(value, &ASSET, number)?;
        Ok(read.map_or_else(Self::Name, |it| Self::Number(AssetId::new(it))))
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        digits(value)
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Number(number) => number.to_string().into(),
            Self::Name(name) => name.as_str().into(),
        }
    }
}

//! Assets in parameters.

use qortal_types::AssetId;
use serde_json::Value;
use tool_schema::{
    InvalidValue, Object, Param, excerpt, integer, number_as_text, text, type_schema,
};

use crate::declare::Qortal;

/// An asset in a parameter: its number, or its name. The published type is text, as that of groups is; numbers are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AssetRef {
    /// The number itself.
    Number(AssetId),
    /// A name, still to be looked up.
    Name(String),
}

/// What is accepted, also where a name turns out to be unknown.
pub(crate) const AN_ASSET: &str =
    "an asset's number (0 is QORT) or its name, list_assets with `query` finds assets by words";
/// The message for an asset that is not one.
pub(crate) const INVALID_ASSET: &str = "Invalid asset.";

/// Assets are numbered in the order they are issued; this is far above any.
const MAX: u64 = 2_147_483_647;
/// The most characters of a name (`Asset.MAX_NAME_SIZE` bytes).
const LONGEST: usize = 40;

impl AssetRef {
    pub(crate) const QORT: Self = Self::Number(AssetId::QORT);
}

impl Param<Qortal> for AssetRef {
    fn schema() -> Object {
        type_schema("string")
    }

    fn form() -> &'static str {
        "Number or name."
    }

    /// Digits are a number, so that an asset whose name is one is found by its number alone.
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, AN_ASSET).map_err(|it| it.with_message(INVALID_ASSET))?;
        let text = text.trim();
        let invalid = |problem: String| InvalidValue::new(INVALID_ASSET, problem, AN_ASSET);
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) {
            let number = text.parse().ok().filter(|it| *it <= MAX);
            return number
                .map(|it| Self::Number(AssetId::new(it)))
                .ok_or_else(|| {
                    invalid(format!(
                        "is {}, and no asset has this number",
                        excerpt(value)
                    ))
                });
        }
        match text.chars().count() {
            0 => Err(invalid("is empty".to_owned())),
            1..=LONGEST if !text.chars().any(char::is_control) => Ok(Self::Name(text.to_owned())),
            1..=LONGEST => Err(invalid("contains a control character".to_owned())),
            characters => Err(invalid(format!("has {characters} characters"))),
        }
    }

    /// The digits of a number.
    fn coerce(value: &Value) -> Option<Value> {
        number_as_text(
            &integer(value)
                .filter(|_| value.is_number())
                .unwrap_or_else(|| value.clone()),
        )
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Number(number) => number.to_string().into(),
            Self::Name(name) => name.as_str().into(),
        }
    }
}

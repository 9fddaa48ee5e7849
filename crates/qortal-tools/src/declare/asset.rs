//! Assets in parameters.

use qortal_types::AssetId;
use serde_json::Value;
use tool_schema::{InvalidValue, Object, Param, type_schema};

use crate::declare::{
    Qortal,
    number_or_name::{self, Kind},
};

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

const ASSET: Kind = Kind {
    noun: "asset",
    invalid: INVALID_ASSET,
    expected: AN_ASSET,
    // `Asset.MAX_NAME_SIZE` bytes.
    longest: 40,
};
/// Assets are numbered in the order they are issued; this is far above any.
const MAX: u64 = 2_147_483_647;

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

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let number = |text: &str| text.parse().ok().filter(|it| *it <= MAX);
        let read = number_or_name::read(value, &ASSET, number)?;
        Ok(read.map_or_else(Self::Name, |it| Self::Number(AssetId::new(it))))
    }

    fn coerce(value: &Value) -> Option<Value> {
        number_or_name::coerce(value)
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Number(number) => number.to_string().into(),
            Self::Name(name) => name.as_str().into(),
        }
    }
}

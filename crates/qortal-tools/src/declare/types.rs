//! The types that parameters have.

use mcp_protocol::Object;
use qortal_types::{Address, AssetId, Blockchain, Name};
use serde_json::{Value, json};

use crate::declare::{Param, Wrong, typed};

impl Param for bool {
    fn schema() -> Object {
        typed("boolean")
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        value.as_bool().ok_or_else(|| {
            Wrong::new(
                "Invalid argument.",
                format!("is {}", shown(value)),
                "true or false",
            )
        })
    }

    fn to_value(&self) -> Value {
        (*self).into()
    }
}

/// An integer from `MIN` to `MAX`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounded<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Bounded<MIN, MAX> {
    pub(crate) const fn new(value: u32) -> Self {
        assert!(
            MIN <= value && value <= MAX,
            "the default is within the bounds"
        );
        Self(value)
    }

    pub(crate) const fn value(self) -> u32 {
        self.0
    }
}

impl<const MIN: u32, const MAX: u32> Param for Bounded<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = typed("integer");
        schema.insert("minimum".to_owned(), MIN.into());
        schema.insert("maximum".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        value
            .as_u64()
            .and_then(|it| u32::try_from(it).ok())
            .filter(|it| (MIN..=MAX).contains(it))
            .map(Self)
            .ok_or_else(|| {
                let accepted = format!("an integer from {MIN} to {MAX}");
                Wrong::new(
                    "Invalid argument.",
                    format!("is {}", shown(value)),
                    accepted,
                )
            })
    }

    fn to_value(&self) -> Value {
        self.0.into()
    }
}

/// A text of `MIN` to `MAX` characters without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl<const MIN: usize, const MAX: usize> Param for Text<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = typed("string");
        schema.insert("minLength".to_owned(), MIN.into());
        schema.insert("maxLength".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let text = string(value, "a text")?;
        let characters = text.chars().count();
        let accepted = || format!("{MIN} to {MAX} characters");
        if !(MIN..=MAX).contains(&characters) {
            let what = format!("has {characters} characters");
            return Err(Wrong::new("Invalid argument.", what, accepted()));
        }
        if text.chars().any(char::is_control) {
            let what = "holds a control character";
            return Err(Wrong::new("Invalid argument.", what, accepted()));
        }
        Ok(Self(text.to_owned()))
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

/// The name of an account that a client may give instead of its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AccountRef {
    /// The address itself, checksum verified.
    Address(Address),
    /// A registered name, still to be looked up.
    Name(Name),
}

const INVALID_ADDRESS: &str = "Invalid Qortal address.";
const AN_ACCOUNT: &str = "an address of 34 characters that starts with Q (or A for an automated transaction), or a registered name";

impl Param for AccountRef {
    fn schema() -> Object {
        let mut schema = typed("string");
        schema.insert("minLength".to_owned(), 1.into());
        schema.insert("maxLength".to_owned(), 128.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let text = string(value, AN_ACCOUNT)
            .map_err(|it| Wrong {
                plain: INVALID_ADDRESS,
                ..it
            })?
            .trim();
        let wrong = |what: String| Wrong::new(INVALID_ADDRESS, what, AN_ACCOUNT);
        let err = match text.parse::<Address>() {
            Ok(address) => return Ok(Self::Address(address)),
            Err(err) => err,
        };
        if looks_like_an_address(text) {
            return Err(wrong(format!("is {} but {err}", shown(value))));
        }
        match text.parse::<Name>() {
            Ok(name) if !text.chars().any(char::is_control) => Ok(Self::Name(name)),
            Ok(_) => Err(wrong("holds a control character".to_owned())),
            Err(name) => Err(wrong(format!("is {}: {err}, and {name}", shown(value)))),
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Address(address) => address.as_str().into(),
            Self::Name(name) => name.as_str().into(),
        }
    }
}

/// A mistyped address should be told so, not looked up as a name.
fn looks_like_an_address(text: &str) -> bool {
    (32..=36).contains(&text.len())
        && text.starts_with(['Q', 'A', 'N', 'q', 'a'])
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

impl Param for Name {
    fn schema() -> Object {
        let mut schema = typed("string");
        schema.insert("minLength".to_owned(), 1.into());
        schema.insert("maxLength".to_owned(), 128.into());
        schema
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

    fn to_value(&self) -> Value {
        self.as_str().into()
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

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

fn string<'a>(value: &'a Value, accepted: &str) -> Result<&'a str, Wrong> {
    value.as_str().ok_or_else(|| {
        Wrong::new(
            "Invalid argument.",
            format!("is {}", shown(value)),
            accepted,
        )
    })
}

/// A value as a message shows it: short, without control characters.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Array(_) => return "a list".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
        other => other.to_string(),
    };
    if text.chars().count() <= 60 {
        return text;
    }
    format!("{}...\"", text.chars().take(56).collect::<String>())
}

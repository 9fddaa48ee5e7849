//! Accounts as clients name them.

use mcp_protocol::Object;
use qortal_types::{Address, Name};
use serde_json::Value;

use crate::declare::{
    Param, Wrong, typed,
    types::{shown, string},
};

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

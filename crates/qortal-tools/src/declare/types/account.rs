//! Accounts as clients name them.

use qortal_types::{Address, AddressKind, Name, PublicKey};
use serde_json::Value;

use crate::{
    Object,
    declare::{
        Param, Wrong, typed,
        types::{shown, string},
    },
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
        typed("string")
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

/// The address of an automated transaction. Those have no names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AtAddress(pub(crate) Address);

const AN_AT: &str = "the address of an automated transaction, 34 characters that start with A, list_trade_offers shows those of trades";

impl Param for AtAddress {
    fn schema() -> Object {
        AccountRef::schema()
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let wrong = |what: String| Wrong::new(INVALID_ADDRESS, what, AN_AT);
        let text = string(value, AN_AT).map_err(|it| wrong(it.what))?.trim();
        match text.parse::<Address>() {
            Ok(address) if address.kind() == AddressKind::At => Ok(Self(address)),
            Ok(_) => Err(wrong(format!(
                "is {}, the address of an account",
                shown(value)
            ))),
            Err(err) => Err(wrong(format!("is {} but {err}", shown(value)))),
        }
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

/// Anything that tells an account: its address, a name it owns, or its public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The public key itself.
    PublicKey(PublicKey),
    /// An address, or a name still to be looked up.
    Account(AccountRef),
}

impl Param for Identity {
    fn schema() -> Object {
        AccountRef::schema()
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        // No name has 32 Base58 characters or more that stand for 32 bytes, but for ones on purpose.
        if let Some(Ok(key)) = value.as_str().map(|text| text.trim().parse()) {
            return Ok(Self::PublicKey(key));
        }
        AccountRef::read(value)
            .map(Self::Account)
            .map_err(|wrong| Wrong {
                accepted: format!("{}, or a public key of 32 bytes in Base58", wrong.accepted),
                ..wrong
            })
    }

    fn to_value(&self) -> Value {
        match self {
            Self::PublicKey(key) => key.to_string().into(),
            Self::Account(account) => account.to_value(),
        }
    }
}

/// A mistyped address should be told so, not looked up as a name.
fn looks_like_an_address(text: &str) -> bool {
    (32..=36).contains(&text.len())
        && text.starts_with(['Q', 'A', 'N', 'q', 'a'])
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

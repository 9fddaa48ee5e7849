//! Accounts in parameters.

use qortal_types::{Address, AddressKind, Name, PublicKey};
use serde_json::Value;
use tool_schema::{InvalidValue, Object, Param, excerpt, text};

use crate::{
    ToolError,
    context::{Account, Context},
    declare::Qortal,
};

/// An account in a parameter, by any of its identifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AccountRef {
    /// An address with a verified checksum.
    Address(Address),
    /// A registered name that is not resolved yet.
    Name(Name),
    /// A public key.
    PublicKey(PublicKey),
}

pub(crate) const INVALID_ADDRESS: &str = "Invalid Qortal address.";
/// The accepted forms, also used in the error for an unknown name.
pub(crate) const AN_ACCOUNT: &str = "an address of 34 characters that starts with Q (or A for an automated transaction), a registered name (search_names finds names), or a public key of 32 bytes in Base58";
/// Length in bytes of the longest name (class `Name` of the Core).
const LONGEST_NAME: usize = 40;

impl Param<Qortal> for AccountRef {
    fn description_hint() -> &'static str {
        "Address or name."
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, AN_ACCOUNT)
            .map_err(|it| it.with_short_message(INVALID_ADDRESS))?
            .trim();
        let invalid = |problem: String| InvalidValue::new(INVALID_ADDRESS, problem, AN_ACCOUNT);
        if text.starts_with("0x") && text.len() > LONGEST_NAME {
            let problem = format!("is {}, an address of another blockchain", excerpt(value));
            return Err(invalid(problem));
        }
        // The names that the Core allows are shorter than a public key.
        match text.parse() {
            Ok(key) => return Ok(Self::PublicKey(key)),
            Err(err) if text.len() > LONGEST_NAME => {
                let problem = format!("is {}, but {err}", excerpt(value));
                return Err(invalid(problem).with_short_message("Invalid public key."));
            }
            Err(_) => (),
        }
        let err = match text.parse::<Address>() {
            Ok(address) => return Ok(Self::Address(address)),
            Err(err) => err,
        };
        if looks_like_an_address(text) {
            return Err(invalid(format!("is {} but {err}", excerpt(value))));
        }
        match text.parse::<Name>() {
            Ok(name) if !text.chars().any(char::is_control) => Ok(Self::Name(name)),
            Ok(_) => Err(invalid("contains a control character".to_owned())),
            Err(name) => Err(invalid(format!("is {}: {err}, and {name}", excerpt(value)))),
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Address(address) => address.as_str().into(),
            Self::Name(name) => name.as_str().into(),
            Self::PublicKey(key) => key.to_string().into(),
        }
    }
}

/// The address of an automated transaction. These have no names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AtAddress(pub(crate) Address);

const AN_AT: &str = "the address of an automated transaction, 34 characters that start with A, list_trade_offers shows those of trades";

impl Param<Qortal> for AtAddress {
    fn schema() -> Object {
        AccountRef::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let invalid = |problem: String| InvalidValue::new(INVALID_ADDRESS, problem, AN_AT);
        let text = text(value, AN_AT).map_err(|it| invalid(it.problem))?.trim();
        match text.parse::<Address>() {
            Ok(address) if address.kind() == AddressKind::At => Ok(Self(address)),
            Ok(_) => Err(invalid(format!(
                "is {}, the address of an account",
                excerpt(value)
            ))),
            Err(err) => Err(invalid(format!("is {} but {err}", excerpt(value)))),
        }
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

/// Returns whether a text is a mistyped address. That is an error rather than a name to look up.
pub(crate) fn looks_like_an_address(text: &str) -> bool {
    (32..=36).contains(&text.len())
        && text.starts_with(['Q', 'A', 'N', 'q', 'a'])
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// An account with its public key.
#[derive(Debug, Clone)]
pub(crate) struct AccountWithKey {
    pub(crate) account: Account,
    pub(crate) key: PublicKey,
}

impl Context {
    /// Returns the public key. If the client gave an address, looking up its key takes one request to the node, and a
    /// name takes one more.
    pub(crate) async fn public_key(
        &self,
        parameter: &'static str,
        account: AccountRef,
    ) -> Result<AccountWithKey, ToolError> {
        if let AccountRef::PublicKey(key) = account {
            let account = key.address().into();
            return Ok(AccountWithKey { account, key });
        }
        let account = self.account(parameter, account).await?;
        let key = self.node.public_key(&account.address).await?;
        let named = account.resolved_from.as_ref();
        let shown = named.map_or(account.address.as_str(), String::as_str);
        let key = key.ok_or_else(|| {
            ToolError::argument(
                parameter,
                "No public key yet.",
                format!(
                    "is {}, an account whose public key is not on the chain: it has made no transaction",
                    Value::from(shown)
                ),
                "an account that has made a transaction, by its address, name or public key",
            )
        })?;
        Ok(AccountWithKey { account, key })
    }
}

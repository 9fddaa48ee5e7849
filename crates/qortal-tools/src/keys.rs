//! Public keys of accounts that clients name otherwise.

use qortal_types::PublicKey;
use serde_json::Value;

use crate::declare::{Account, AccountRef, Context, ToolError};

/// An account with its public key.
#[derive(Debug, Clone)]
pub(crate) struct Keyed {
    pub(crate) account: Account,
    pub(crate) key: PublicKey,
}

impl Context {
    /// The public key that a client gave, or that of the account whose address or name it gave, which takes one request
    /// to the node, and a name one before it.
    pub(crate) async fn public_key(
        &self,
        parameter: &'static str,
        account: AccountRef,
    ) -> Result<Keyed, ToolError> {
        if let AccountRef::PublicKey(key) = account {
            let account = key.address().into();
            return Ok(Keyed { account, key });
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
        Ok(Keyed { account, key })
    }
}

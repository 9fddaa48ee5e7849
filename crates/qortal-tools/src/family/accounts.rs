//! Tools about accounts: their identity, holdings and history.

mod activity;
mod identity;
mod ledger;
mod moves;
mod orders;
mod overview;
mod payments;
mod report;

use qortal_client::ApiError;
use qortal_types::{Address, AddressKind, Amount, AssetId};
use tool_schema::BoundedString;

use crate::declare::{
    AN_ASSET, Account, AccountRef, AssetRef, Context, NodeResult, Tool, ToolError,
};
#[cfg(feature = "charts")]
pub(super) use moves::moves;
pub(super) use orders::sides;
pub(super) use overview::known_account;

family! {
    "accounts", "Who is this account, and what does it hold?":
    overview::GetAccountOverview,
    report::GetAccountReport,
    identity::ResolveIdentity,
    GetBalance,
    activity::GetAccountActivity,
    payments::FindPayments,
    ledger::GetAccountLedger,
    ValidateAddress,
}

params! {
    struct GetBalance {
        /// Account.
        address: AccountRef,
        /// QORT is 0.
        asset_id: AssetRef = AssetRef::QORT
    }
}

record! {
    struct Balance {
        /// The account's address.
        address: Account,
        /// The asset's number. 0 is QORT.
        asset_id: AssetId,
        /// Confirmed balance in the asset's unit.
        balance: Amount
    }
}

impl Tool for GetBalance {
    const NAME: &str = "get_balance";
    const TITLE: &str = "Account balance";
    const DESCRIPTION: &str = "Confirmed balance of an account in QORT or another asset. Names, level, trades: get_account_report.";
    const EXAMPLE: &str = r#"{"address":"Alice Test"}"#;
    const KEYWORDS: &str = "balance, balance of address, how much qort, wallet, funds";
    type Output = Balance;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let asset_id = cx.asset("asset_id", self.asset_id).await?;
        let balance = cx.node.balance(&found.address, asset_id).await;
        let balance = balance.error_if(ApiError::INVALID_ASSET_ID, || no_such_asset(asset_id))?;
        Ok(Balance {
            address: found,
            asset_id,
            balance,
        })
    }
}

fn no_such_asset(asset_id: AssetId) -> ToolError {
    ToolError::argument(
        "asset_id",
        "Asset not found.",
        format!("is {asset_id}, which no asset has"),
        AN_ASSET,
    )
}

params! {
    struct ValidateAddress {
        /// Text to check.
        address: BoundedString<0, 1000>
    }
}

record! {
    struct ValidatedAddress {
        /// The checked text.
        address: String,
        /// Whether it is the address of an account or of an automated transaction.
        is_valid: bool,
        /// The owner's kind: `account` or `automated transaction`. Only for a valid address.
        kind: Option<&'static str>,
        /// The fault. Only for an invalid address.
        reason: Option<String>
    }
}

impl Tool for ValidateAddress {
    const NAME: &str = "validate_address";
    const TITLE: &str = "Address validation";
    const DESCRIPTION: &str =
        "Check the checksum of a Qortal address. Other texts: inspect_identifier.";
    const EXAMPLE: &str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const KEYWORDS: &str = "address valid, check address, checksum, address typo, verify";
    const USES_NODE: bool = false;
    type Output = ValidatedAddress;

    async fn call(self, _: &Context) -> Result<Self::Output, ToolError> {
        let parsed = self.address.as_str().parse::<Address>();
        let kind = parsed.as_ref().ok().map(kind);
        Ok(ValidatedAddress {
            address: self.address.into_string(),
            is_valid: parsed.is_ok(),
            kind,
            reason: parsed.err().map(|err| err.to_string()),
        })
    }
}

/// Returns the kind of an address, as text.
fn kind(address: &Address) -> &'static str {
    match address.kind() {
        AddressKind::Account => "account",
        AddressKind::At => "automated transaction",
    }
}

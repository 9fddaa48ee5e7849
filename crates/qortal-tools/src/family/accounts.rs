//! Tools about accounts: their identity, holdings and history.

mod activity;
mod identity;
mod overview;
mod payments;
mod report;

use qortal_client::{
    ApiError, Node, NodeError,
    api::{addresses::Account as NodeAccount, names::NameSummary},
};
use qortal_types::{Address, AddressKind, Amount, AssetId};
use tool_schema::Text;

use crate::{
    catalog::Family,
    context::{Account, Context},
    declare::{AN_ASSET, AccountRef, AssetRef, Entry, Paged, Tool},
    error::{NodeResult, ToolError},
    untrusted::Untrusted,
};

pub(crate) static FAMILY: Family = Family {
    name: "accounts",
    purpose: "Who is this account, and what does it hold?",
    tools: &TOOLS,
};

static TOOLS: [Entry; 7] = [
    Entry::of::<overview::GetAccountOverview>(),
    Entry::of::<report::GetAccountReport>(),
    Entry::of::<identity::ResolveIdentity>(),
    Entry::of::<GetBalance>(),
    Entry::of::<activity::GetAccountActivity>(),
    Entry::of::<payments::FindPayments>(),
    Entry::of::<ValidateAddress>(),
];

/// The account as the node knows it; `None` if it was never used, which is valid: it holds nothing.
pub(super) async fn known_account(
    node: &Node,
    address: &Address,
) -> Result<Option<NodeAccount>, NodeError> {
    node.account(address)
        .await
        .none_if(ApiError::ADDRESS_UNKNOWN)
}

/// Registered names as they are shown.
fn texts(names: Paged<NameSummary>) -> Vec<Untrusted> {
    let names = names.items.into_iter();
    names.filter_map(|it| it.name.map(Untrusted)).collect()
}

struct GetBalance;

params! {
    struct GetBalanceParams {
        /// The account.
        address: AccountRef,
        /// QORT if omitted.
        asset_id: AssetRef = AssetRef::QORT
    }
}

record! {
    struct Balance {
        /// The account's address.
        address: Account,
        /// The asset's number; 0 is QORT.
        asset_id: AssetId,
        /// Confirmed balance in the asset's unit.
        balance: Amount
    }
}

impl Tool for GetBalance {
    const NAME: &'static str = "get_balance";
    const TITLE: &'static str = "Account balance";
    const DESCRIPTION: &'static str = "Confirmed balance of an account in QORT or another asset, and nothing else. Names, level, trades: get_account_report.";
    const EXAMPLE: &'static str = r#"{"address":"Alice Test"}"#;
    type Params = GetBalanceParams;
    type Output = Balance;

    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", params.address).await?;
        let asset_id = cx.asset("asset_id", params.asset_id).await?;
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

struct ValidateAddress;

params! {
    struct ValidateAddressParams {
        /// The text to check.
        address: Text<0, 1000>
    }
}

record! {
    struct ValidatedAddress {
        /// The text that was checked.
        address: String,
        /// Whether it is the address of an account or of an automated transaction.
        is_valid: bool,
        /// Whose address it is: `account` or `automated transaction`; only when it is valid.
        kind: Option<&'static str>,
        /// What is wrong with it; only when it is not valid.
        reason: Option<String>
    }
}

impl Tool for ValidateAddress {
    const NAME: &'static str = "validate_address";
    const TITLE: &'static str = "Check an address";
    const DESCRIPTION: &'static str =
        "Check the checksum of a Qortal address. Other texts: inspect_identifier.";
    const EXAMPLE: &'static str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const USES_NODE: bool = false;
    type Params = ValidateAddressParams;
    type Output = ValidatedAddress;

    async fn call(_: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let parsed = params.address.as_str().parse::<Address>();
        let kind = parsed.as_ref().ok().map(|address| match address.kind() {
            AddressKind::Account => "account",
            AddressKind::At => "automated transaction",
        });
        Ok(ValidatedAddress {
            address: params.address.into_string(),
            is_valid: parsed.is_ok(),
            kind,
            reason: parsed.err().map(|err| err.to_string()),
        })
    }
}

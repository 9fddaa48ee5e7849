//! Tools about accounts: who they are and what they hold.

use mcp_protocol::ToolAnnotations;
use qortal_client::{ApiError, Page};
use qortal_types::{Address, AddressKind, Amount, AssetId};

use crate::{
    catalogue::{Family, Surface},
    context::Context,
    declare::{AccountRef, Entry, Text, Tool},
    error::{Problem, ToolError},
    untrusted::Untrusted,
};

pub(crate) static FAMILY: Family = Family {
    name: "accounts",
    purpose: "Who is this account, and what does it hold?",
    tools: &TOOLS,
};

static TOOLS: [Entry; 3] = [
    Entry::of::<GetAccountOverview>(),
    Entry::of::<GetBalance>(),
    Entry::of::<ValidateAddress>(),
];

struct GetAccountOverview;

params! {
    struct GetAccountOverviewParams {
        /// The account: an address, or a registered name.
        address: AccountRef
    }
}

record! {
    struct AccountOverview {
        /// The account's address.
        address: Address,
        /// The registered name the address was found by.
        resolved_from: Option<Untrusted>,
        /// Whether the account has ever appeared on the chain.
        is_known: bool,
        /// Confirmed balance in QORT.
        balance: Amount,
        /// The name the account goes by.
        primary_name: Option<Untrusted>,
        /// The names it owns, the oldest first, at most 20.
        names: Vec<Untrusted>,
        /// Whether it owns more names than are shown.
        names_truncated: bool,
        /// Minting level, 0 to 10.
        level: u32,
        /// Blocks it has minted.
        blocks_minted: i64,
        /// Blocks added when another account's privileges were transferred to it.
        blocks_minted_adjustment: i64,
        /// Blocks taken off as a penalty, 0 or less.
        blocks_minted_penalty: i64,
        /// It is a founder of the chain.
        is_founder: bool,
        /// Its public key in Base58; left out until it has sent something.
        public_key: Option<String>,
        /// The group its transactions belong to unless they say otherwise; 0 is none.
        default_group_id: u32
    }
}

/// Names of one account that an overview shows.
const NAMES_SHOWN: u32 = 20;

impl Tool for GetAccountOverview {
    const NAME: &'static str = "get_account_overview";
    const TITLE: &'static str = "Account overview";
    const DESCRIPTION: &'static str =
        "Return one account's QORT balance, names, minting level and public key.";
    const EXAMPLE: &'static str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const SURFACE: Surface = Surface::Core;
    type Params = GetAccountOverviewParams;
    type Output = AccountOverview;

    async fn call(
        cx: &Context,
        params: GetAccountOverviewParams,
    ) -> Result<AccountOverview, ToolError> {
        let found = cx.account("address", params.address).await?;
        let address = found.address;
        let account = async {
            match cx.node.account(&address).await {
                Ok(account) => Ok(Some(account)),
                // A valid address that was never used is no mistake: it holds nothing.
                Err(err) if err.is(ApiError::ADDRESS_UNKNOWN) => Ok(None),
                Err(err) => Err(err),
            }
        };
        let (account, balance, primary_name, names) = tokio::try_join!(
            account,
            cx.node.balance(&address, AssetId::QORT),
            cx.node.primary_name(&address),
            cx.node.names_of(&address, Page::first(NAMES_SHOWN + 1)),
        )?;
        let names = cx.paged(names, NAMES_SHOWN, 0);
        let known = account.as_ref();
        Ok(AccountOverview {
            address,
            resolved_from: found.resolved_from,
            is_known: known.is_some(),
            balance,
            primary_name: primary_name.map(Untrusted),
            names: names
                .items
                .into_iter()
                .filter_map(|it| it.name.map(Untrusted))
                .collect(),
            names_truncated: names.truncated,
            level: known.map_or(0, |it| it.level),
            blocks_minted: known.map_or(0, |it| it.blocks_minted),
            blocks_minted_adjustment: known.map_or(0, |it| it.blocks_minted_adjustment),
            blocks_minted_penalty: known.and_then(|it| it.blocks_minted_penalty).unwrap_or(0),
            is_founder: known.is_some_and(|it| it.flags & FOUNDER != 0),
            public_key: known.and_then(|it| it.public_key).map(|it| it.to_string()),
            default_group_id: known.map_or(0, |it| it.default_group_id),
        })
    }
}

/// Bit of `AccountData.flags`.
const FOUNDER: i32 = 1;

struct GetBalance;

params! {
    struct GetBalanceParams {
        /// The account: an address, or a registered name.
        address: AccountRef,
        /// The asset; 0 is QORT.
        asset_id: AssetId = AssetId::QORT
    }
}

record! {
    struct Balance {
        /// The account's address.
        address: Address,
        /// The registered name the address was found by.
        resolved_from: Option<Untrusted>,
        /// The asset's number; 0 is QORT.
        asset_id: AssetId,
        /// Confirmed balance in the asset's unit.
        balance: Amount
    }
}

impl Tool for GetBalance {
    const NAME: &'static str = "get_balance";
    const TITLE: &'static str = "Account balance";
    const DESCRIPTION: &'static str =
        "Return one account's confirmed balance of QORT or of another asset.";
    const EXAMPLE: &'static str = r#"{"address":"Alice Test"}"#;
    const SURFACE: Surface = Surface::Core;
    type Params = GetBalanceParams;
    type Output = Balance;

    async fn call(cx: &Context, params: GetBalanceParams) -> Result<Balance, ToolError> {
        let found = cx.account("address", params.address).await?;
        let balance = cx.node.balance(&found.address, params.asset_id).await;
        let balance = balance.map_err(|err| {
            if err.is(ApiError::INVALID_ASSET_ID) {
                return no_such_asset(params.asset_id);
            }
            err.into()
        })?;
        Ok(Balance {
            address: found.address,
            resolved_from: found.resolved_from,
            asset_id: params.asset_id,
            balance,
        })
    }
}

fn no_such_asset(asset_id: AssetId) -> ToolError {
    ToolError::Arguments(vec![Problem {
        parameter: "asset_id".to_owned(),
        plain: "Asset not found.",
        what: format!("is {asset_id}, which no asset has"),
        accepted: "the number of an issued asset, 0 is QORT".to_owned(),
    }])
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
    const DESCRIPTION: &'static str = "Check whether a text is a Qortal address, checksum included, and say what is wrong if not. Asks no node.";
    const EXAMPLE: &'static str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const ANNOTATIONS: ToolAnnotations = ToolAnnotations::PURE;
    type Params = ValidateAddressParams;
    type Output = ValidatedAddress;

    async fn call(
        _: &Context,
        params: ValidateAddressParams,
    ) -> Result<ValidatedAddress, ToolError> {
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

//! The overview of one account.

use futures_util::TryFutureExt;
use qortal_client::{
    ApiError, Node, NodeError, PageRequest,
    api::{
        addresses::Account as NodeAccount,
        assets::{AssetBalance, BalanceFilter, BalanceOrder},
        names::NameSummary,
    },
};
use qortal_types::{Address, Amount, AssetId};
use tool_schema::BoundedVec;

use crate::{
    declare::{Account, AccountRef, AssetRef, Context, Full, NodeResult, Page, Tool, ToolError},
    support::{groups::GroupNames, untrusted::Untrusted},
};

/// Maximum number of names of one account in an overview.
const NAMES_SHOWN: u32 = 20;
/// Maximum number of assets of one account in an overview.
const ASSETS_SHOWN: u32 = 50;

/// Returns the account, or `None` if it was never used, which is valid: it holds nothing.
pub(in crate::family) async fn known_account(
    node: &Node,
    address: &Address,
) -> Result<Option<NodeAccount>, NodeError> {
    node.account(address)
        .await
        .none_if(ApiError::ADDRESS_UNKNOWN)
}

/// Returns the texts of registered names for display.
pub(super) fn texts(names: Page<NameSummary>) -> Vec<Untrusted> {
    let names = names.items.into_iter();
    names.filter_map(|it| it.name.map(Untrusted)).collect()
}

params! {
    pub(super) struct GetAccountOverview {
        /// Account.
        address: AccountRef,
        /// Include all asset balances.
        include_assets: bool = false,
        /// Only these assets, even with balance 0. Implies include_assets.
        asset_ids: Option<BoundedVec<AssetRef, 50>>
    }
}

record! {
    pub(super) struct AccountOverview {
        /// The account's address.
        address: Account,
        /// Whether the account has ever appeared on the chain.
        is_known: bool,
        /// Confirmed balance in QORT.
        balance: Amount,
        /// The name the account goes by.
        primary_name: Option<Untrusted>,
        /// The names it owns, the oldest first, at most 20.
        names: Option<Vec<Untrusted>>,
        /// Whether it owns more names than are shown.
        names_truncated: Option<bool>,
        /// Minting level, 0 to 10.
        level: u32,
        /// Blocks it has minted.
        blocks_minted: i64,
        /// Blocks added when another account's privileges were transferred to it.
        blocks_minted_adjustment: i64,
        /// Blocks taken off as a penalty, 0 or less.
        blocks_minted_penalty: i64,
        /// Whether it is a founder of the chain.
        is_founder: bool,
        /// Its public key in Base58. Absent until it has sent something.
        public_key: Full<Option<String>>,
        /// The default group of its transactions. 0 is none.
        default_group_id: u32,
        /// The group's name.
        default_group_name: Option<Untrusted>,
        /// Its balances by asset, at most 50. Only with include_assets.
        assets: Option<Vec<Holding>>,
        /// Whether it holds more assets than are shown. Only with include_assets.
        assets_truncated: Option<bool>
    }

    pub(super) struct Holding from(it: AssetBalance) {
        /// The asset's number. 0 is QORT.
        asset_id: AssetId,
        /// The asset's name. Absent if the account never had any of it.
        asset_name: Option<Untrusted> = it.asset_name.map(Untrusted),
        /// Confirmed balance in the asset's unit.
        balance: Amount
    }
}

impl Tool for GetAccountOverview {
    const NAME: &str = "get_account_overview";
    const TITLE: &str = "Account overview";
    const DESCRIPTION: &str = "Balance, names, level and public key of an account. More: get_account_report. Less: get_balance.";
    const EXAMPLE: &str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const KEYWORDS: &str = "account, wallet, balance, public key, level, asset";
    type Output = AccountOverview;

    /// Sends four requests at once, or five with assets.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let address = found.address;
        let ids = match self.asset_ids {
            Some(asset_ids) => Some(cx.assets("asset_ids", asset_ids.into_vec()).await?),
            None => None,
        };
        let assets = async {
            if self.include_assets || ids.is_some() {
                assets(cx, address, ids.unwrap_or_default()).await
            } else {
                Ok(None)
            }
        };
        let page = PageRequest::first(NAMES_SHOWN + 1);
        let (account, balance, primary_name, names, assets) = tokio::try_join!(
            known_account(&cx.node, &address).map_err(ToolError::from),
            cx.node
                .balance(&address, AssetId::QORT)
                .map_err(ToolError::from),
            cx.optional("The primary name is", cx.node.primary_name(&address)),
            cx.optional("The names are", cx.node.names_of(&address, page)),
            assets,
        )?;
        let names = names.map(|it| Page::first(cx, NAMES_SHOWN, it));
        let known = account.as_ref();
        let default_group_id = known.map_or(0, |it| it.default_group_id);
        let groups = GroupNames::of(cx, [default_group_id]).await;
        Ok(AccountOverview {
            address: found,
            is_known: known.is_some(),
            balance,
            primary_name: primary_name.flatten().map(Untrusted),
            names_truncated: names.as_ref().map(|it| it.remainder.truncated),
            names: names.map(texts),
            level: known.map_or(0, |it| it.level),
            blocks_minted: known.map_or(0, |it| it.blocks_minted),
            blocks_minted_adjustment: known.map_or(0, |it| it.blocks_minted_adjustment),
            blocks_minted_penalty: known.and_then(|it| it.blocks_minted_penalty).unwrap_or(0),
            is_founder: known.is_some_and(NodeAccount::is_founder),
            public_key: Full(known.and_then(|it| it.public_key).map(|it| it.to_string())),
            default_group_id,
            default_group_name: groups.get(default_group_id),
            assets_truncated: assets.as_ref().map(|it| it.remainder.truncated),
            assets: assets.map(|it| it.items.into_iter().map(Holding::of).collect()),
        })
    }
}

/// Returns the balances of an account: for some assets, or for all that it holds.
async fn assets(
    cx: &Context,
    address: Address,
    ids: Vec<AssetId>,
) -> Result<Option<Page<AssetBalance>>, ToolError> {
    let filter = BalanceFilter::default()
        .with_addresses(vec![address])
        .with_exclude_zero(ids.is_empty())
        .with_assets(ids.clone())
        .with_order(BalanceOrder::AccountAsset);
    let page = PageRequest::first(ASSETS_SHOWN + 1);
    let balances = cx.node.asset_balances(&filter, page).await;
    if balances
        .as_ref()
        .is_err_and(|err| err.is(ApiError::INVALID_ASSET_ID))
    {
        return Err(ToolError::argument(
            "asset_ids",
            "Asset not found.",
            "has a number that no asset has",
            "numbers or names of issued assets, list_assets shows them",
        ));
    }
    let Some(balances) = cx.part("The balances by asset are", balances) else {
        return Ok(None);
    };
    let mut balances = Page::first(cx, ASSETS_SHOWN, balances);
    // The node leaves out assets that the account never had.
    for asset_id in ids {
        if !balances.items.iter().any(|it| it.asset_id == asset_id) {
            balances
                .items
                .push(AssetBalance::new(address, asset_id, Amount::ZERO));
        }
    }
    Ok(Some(balances))
}

//! The overview of one account.

use qortal_client::{
    ApiError, Page,
    api::{
        addresses::Account as NodeAccount,
        assets::{AssetBalance, BalanceFilter, BalanceOrder},
    },
};
use qortal_types::{Address, Amount, AssetId};
use tool_schema::List;

use super::known_account;
use crate::{
    context::{Account, Context},
    declare::{AccountRef, Paged, Slice, Tool},
    error::{NodeResult, ToolError},
    untrusted::Untrusted,
};

/// Names of one account that an overview shows.
const NAMES_SHOWN: u32 = 20;
/// Assets of one account that an overview shows.
const ASSETS_SHOWN: u32 = 50;

pub(super) struct GetAccountOverview;

params! {
    pub(super) struct GetAccountOverviewParams {
        /// The account: an address, or a registered name.
        address: AccountRef,
        /// Also return its balance of each asset, including QORT.
        include_assets: bool = false,
        /// Only these assets, including those with a balance of 0. Implies include_assets.
        asset_ids: Option<List<AssetId, 50>>
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
        /// Whether it is a founder of the chain.
        is_founder: bool,
        /// Its public key in Base58; left out until it has sent something.
        public_key: Option<String>,
        /// The default group of its transactions; 0 is none.
        default_group_id: u32,
        /// Its balances by asset, at most 50; only on request.
        assets: Option<Vec<Holding>>,
        /// Whether it holds more assets than are shown; only on request.
        assets_truncated: Option<bool>
    }
}

record! {
    pub(super) struct Holding {
        /// The asset's number; 0 is QORT.
        asset_id: AssetId,
        /// The asset's name; left out if the account never had any of it.
        asset_name: Option<Untrusted>,
        /// Confirmed balance in the asset's unit.
        balance: Amount
    }
}

impl From<AssetBalance> for Holding {
    fn from(it: AssetBalance) -> Self {
        Self {
            asset_id: it.asset_id,
            asset_name: it.asset_name.map(Untrusted),
            balance: it.balance,
        }
    }
}

impl Tool for GetAccountOverview {
    const NAME: &'static str = "get_account_overview";
    const TITLE: &'static str = "Account overview";
    const DESCRIPTION: &'static str = "Return one account's QORT balance, names, minting level and public key, and its other assets if asked for.";
    const EXAMPLE: &'static str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    type Params = GetAccountOverviewParams;
    type Output = AccountOverview;

    /// Four requests at once, or five with assets.
    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", params.address).await?;
        let address = found.address;
        let ids = params.asset_ids.map(List::into_vec);
        let assets = async {
            if params.include_assets || ids.is_some() {
                assets(cx, address, ids.unwrap_or_default()).await.map(Some)
            } else {
                Ok(None)
            }
        };
        let account = async { Ok(known_account(&cx.node, &address).await?) };
        let balance = async { Ok(cx.node.balance(&address, AssetId::QORT).await?) };
        let primary_name = async { Ok(cx.node.primary_name(&address).await?) };
        let names = async {
            let page = Page::first(NAMES_SHOWN + 1);
            Ok::<_, ToolError>(cx.node.names_of(&address, page).await?)
        };
        let (account, balance, primary_name, names, assets) =
            tokio::try_join!(account, balance, primary_name, names, assets)?;
        let names = Slice::first(NAMES_SHOWN).of(cx, names);
        let known = account.as_ref();
        Ok(AccountOverview {
            address: found,
            is_known: known.is_some(),
            balance,
            primary_name: primary_name.map(Untrusted),
            names: names
                .items
                .into_iter()
                .filter_map(|it| it.name.map(Untrusted))
                .collect(),
            names_truncated: names.remainder.truncated,
            level: known.map_or(0, |it| it.level),
            blocks_minted: known.map_or(0, |it| it.blocks_minted),
            blocks_minted_adjustment: known.map_or(0, |it| it.blocks_minted_adjustment),
            blocks_minted_penalty: known.and_then(|it| it.blocks_minted_penalty).unwrap_or(0),
            is_founder: known.is_some_and(NodeAccount::is_founder),
            public_key: known.and_then(|it| it.public_key).map(|it| it.to_string()),
            default_group_id: known.map_or(0, |it| it.default_group_id),
            assets_truncated: assets.as_ref().map(|it| it.remainder.truncated),
            assets: assets.map(|it| it.items.into_iter().map(Holding::from).collect()),
        })
    }
}

/// The balances of an account: of some assets, or of all that it holds.
async fn assets(
    cx: &Context,
    address: Address,
    ids: Vec<AssetId>,
) -> Result<Paged<AssetBalance>, ToolError> {
    let filter = BalanceFilter::default()
        .with_addresses(vec![address])
        .with_exclude_zero(ids.is_empty())
        .with_assets(ids.clone())
        .with_order(BalanceOrder::AccountAsset);
    let page = Page::first(ASSETS_SHOWN + 1);
    let balances =
        cx.node
            .asset_balances(&filter, page)
            .await
            .error_if(ApiError::INVALID_ASSET_ID, || {
                ToolError::argument(
                    "asset_ids",
                    "Asset not found.",
                    "has a number that no asset has",
                    "numbers of issued assets, list_assets shows them",
                )
            })?;
    let mut balances = Slice::first(ASSETS_SHOWN).of(cx, balances);
    // The node leaves out what the account never had.
    for asset_id in ids {
        if !balances.items.iter().any(|it| it.asset_id == asset_id) {
            balances
                .items
                .push(AssetBalance::new(address, asset_id, Amount::ZERO));
        }
    }
    Ok(balances)
}

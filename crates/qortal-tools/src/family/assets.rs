//! Tools about assets, their holders and markets, and about automated transactions.

mod automated;
mod market;
mod order;
mod orders;
mod transfers;

use futures_util::future::try_join_all;
use qortal_client::{
    ApiError, NodeError, PageRequest,
    api::assets::{Asset, AssetBalance, BalanceFilter, BalanceOrder},
};
use qortal_types::{Address, Amount, AssetId};
use tool_schema::{BoundedString, BoundedVec, choice};

use crate::{
    declare::{
        AN_ASSET, AccountRef, AssetRef, By, Context, Continued, Cursor, INVALID_ASSET, Page,
        Paging, SortKey, Tool, ToolError, given,
    },
    family::assets::{automated::GetAt, market::GetAssetMarket},
    support::{
        groups::GroupNames,
        nearest,
        primary_names::{Person, PrimaryNames},
        untrusted::Untrusted,
        words::{Words, note_searched},
    },
};

family! {
    "assets", "Which assets are there, and how do they trade?":
    ListAssets,
    GetAssetInfo,
    GetAssetBalances,
    GetAssetMarket,
    orders::ListAssetOrders,
    order::GetAssetOrder,
    transfers::ListAssetTransfers,
    GetAt,
}

/// Returns the error for an asset that does not exist.
fn asset_error(which: impl FnOnce() -> String) -> impl FnOnce(NodeError) -> ToolError {
    move |err| {
        if err.is(ApiError::INVALID_ASSET_ID) {
            return ToolError::not_found(
                "Asset not found.",
                format!("{} list_assets lists all assets.", which()),
            );
        }
        err.into()
    }
}

impl Context {
    /// Returns the number of an asset given by number or name. A name takes one request to the node unless it is QORT.
    /// Names match in any case, unless several assets differ in case only.
    pub(crate) async fn asset(
        &self,
        parameter: &'static str,
        asset: AssetRef,
    ) -> Result<AssetId, ToolError> {
        let name = match asset {
            AssetRef::Number(number) => return Ok(number),
            AssetRef::Name(name) if name.eq_ignore_ascii_case("QORT") => return Ok(AssetId::QORT),
            AssetRef::Name(name) => name,
        };
        let assets = self.node.assets(PageRequest::first(MOST_ASSETS)).await?;
        let named = assets.iter().map(|it| (it.asset_id.number(), &*it.name));
        nearest::find(&named.collect::<Vec<_>>(), &name, "an asset")
            .map(AssetId::new)
            .map_err(|problem| ToolError::argument(parameter, INVALID_ASSET, problem, AN_ASSET))
    }

    /// Resolves several assets and keeps their order.
    pub(crate) async fn assets(
        &self,
        parameter: &'static str,
        assets: Vec<AssetRef>,
    ) -> Result<Vec<AssetId>, ToolError> {
        try_join_all(assets.into_iter().map(|it| self.asset(parameter, it))).await
    }
}

/// Maximum number of assets that a word search reads, because the node cannot search. The main network has fewer.
pub(super) const MOST_ASSETS: u32 = 5_000;

params! {
    struct ListAssets {
        /// Search words, best match first.
        query: Option<BoundedString<1, 100>>,
        /// Include the owners' data.
        include_data: bool = false,
        #[flatten]
        page: Continued<20>,
        /// Newest asset first.
        reverse: bool = false
    }
}

record! {
    struct Assets {
        /// The assets, by number unless reversed. With `query`, the best match first.
        assets: Page<AssetInfo, Option<u32>>
    }

    struct AssetInfo from(it: Asset, groups: &GroupNames) {
        /// Its number. 0 is QORT.
        asset_id: AssetId,
        /// Its name.
        name: Untrusted = it.name.into(),
        /// The owner's description.
        description: Untrusted = it.description.into(),
        /// The owner.
        owner: Address,
        /// The issued quantity. 0 for assets without a fixed quantity, such as QORT.
        quantity: Amount,
        /// Whether parts of one exist.
        is_divisible: bool,
        /// Whether only its owner can send it.
        is_unspendable: bool,
        /// The group it was issued in. Absent if none.
        creation_group_id: Option<u32> = Some(it.creation_group_id).filter(|it| *it != 0),
        /// The group's name.
        creation_group_name: Option<Untrusted> = groups.get(it.creation_group_id),
        /// The owner's data, on request.
        data: Option<Untrusted> = it.data.filter(|it| !it.is_empty()).map(Untrusted)
    }
}

impl Tool for ListAssets {
    const NAME: &str = "list_assets";
    const TITLE: &str = "All assets";
    const DESCRIPTION: &str =
        "Find assets by words, or list all. QORT is asset 0. One asset: get_asset_info.";
    const KEYWORDS: &str = "asset, all asset, asset on chain";
    type Output = Assets;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let ask = |page| async move {
            if self.include_data {
                cx.node.assets_with_data(page).await
            } else {
                cx.node.assets(page).await
            }
        };
        let key = |by| {
            SortKey::new(by, self.reverse, |it: &Asset| {
                it.asset_id.to_string().into()
            })
        };
        let assets = match self.query {
            Some(query) => {
                let found = ask(PageRequest::first(MOST_ASSETS).with_reverse(self.reverse)).await?;
                note_searched(cx, found.len(), MOST_ASSETS);
                let words = Words::of(query.as_str());
                let found = words.find(found, |it| (&it.name, &it.description));
                self.page
                    .of_whole(cx, Cursor::AfterRow(key(By::Other)), found)
            }
            None => self
                .page
                .read(cx, key(By::Number), ask)
                .await?
                .with_total(None),
        };
        let groups = assets.items.iter().map(|it| it.creation_group_id);
        let groups = GroupNames::of(cx, groups).await;
        Ok(Assets {
            assets: assets.map(|it| AssetInfo::of(it, &groups)),
        })
    }
}

params! {
    struct GetAssetInfo {
        /// Required without asset_name.
        asset_id: Option<AssetRef>,
        /// The asset's exact name. Case matters.
        asset_name: Option<BoundedString<1, 40>>
    }
}

impl Tool for GetAssetInfo {
    const NAME: &str = "get_asset_info";
    const TITLE: &str = "Asset";
    const DESCRIPTION: &str = "One asset by number (asset_id) or exact name (asset_name), with its data. By words: list_assets.";
    const EXAMPLE: &str = r#"{"asset_name":"Gizmo"}"#;
    const KEYWORDS: &str = "asset, asset detail, issuer, asset quantity";
    type Output = AssetInfo;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let invalid = |parameter: &str, what: &str| {
            ToolError::argument(
                parameter,
                "Invalid argument.",
                what,
                "either asset_id or asset_name",
            )
        };
        let asset_id = given(self.asset_id, |it| cx.asset("asset_id", it)).await?;
        let asset = match (asset_id, self.asset_name) {
            (Some(asset_id), None) => {
                let which = || format!("No asset has the number {asset_id}.");
                let found = cx.node.asset(asset_id).await;
                found.map_err(asset_error(which))?
            }
            (None, Some(name)) => {
                let which = || "No asset has exactly this name. Case matters.".to_owned();
                let found = cx.node.asset_named(name.as_str()).await;
                found.map_err(asset_error(which))?
            }
            (Some(_), Some(_)) => {
                return Err(invalid("asset_name", "is given together with asset_id"));
            }
            (None, None) => return Err(invalid("asset_id", "and asset_name are missing")),
        };
        let groups = GroupNames::of(cx, [asset.creation_group_id]).await;
        Ok(AssetInfo::of(asset, &groups))
    }
}

choice! {
    /// How balances are ordered.
    enum Ordering {
        /// By asset, then balance, smallest first.
        AssetBalanceAccount = "ASSET_BALANCE_ACCOUNT",
        /// By account, then asset.
        AccountAsset = "ACCOUNT_ASSET",
        /// By asset, then account.
        AssetAccount = "ASSET_ACCOUNT",
    }
}

/// Maximum number of accounts or assets in one request.
const MOST: usize = 20;

params! {
    struct GetAssetBalances {
        /// Required without asset_ids.
        addresses: Option<BoundedVec<AccountRef, MOST>>,
        /// 0 is QORT.
        asset_ids: Option<BoundedVec<AssetRef, MOST>>,
        /// Sort order.
        ordering: Ordering = Ordering::AssetBalanceAccount,
        /// Leave out balances of zero.
        exclude_zero: bool = false,
        #[flatten]
        page: Paging<25, 100, 10_000_000>,
        /// Reverse the order.
        reverse: bool = false
    }
}

record! {
    struct AssetBalances {
        /// The registered names given instead of addresses, in the order of the arguments.
        resolved_from: Option<Vec<String>>,
        /// The balances.
        balances: Page<BalanceOfAsset>
    }

    struct BalanceOfAsset from(it: AssetBalance, names: &PrimaryNames) {
        /// The account.
        address: Person = names.person(it.address),
        /// The asset.
        asset_id: AssetId,
        /// The asset's name.
        asset_name: Option<Untrusted> = it.asset_name.map(Untrusted),
        /// Confirmed balance in the asset's unit.
        balance: Amount
    }
}

impl Tool for GetAssetBalances {
    const NAME: &str = "get_asset_balances";
    const TITLE: &str = "Asset balances";
    const DESCRIPTION: &str = "Balances of accounts (addresses), of assets (asset_ids), or both. asset_ids [0] with reverse lists the richest holders of QORT.";
    const EXAMPLE: &str = r#"{"asset_ids":["Gizmo"],"reverse":true}"#;
    const KEYWORDS: &str = "rich, rich list, who holds most, richest, whale, top holder, top account, top wallet, biggest account, holder, distribution";
    const TABLE: Option<&str> = Some("balances");
    type Output = AssetBalances;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let accounts = self.addresses.map(BoundedVec::into_vec).unwrap_or_default();
        let assets = self.asset_ids.map(BoundedVec::into_vec).unwrap_or_default();
        if accounts.is_empty() && assets.is_empty() {
            return Err(ToolError::argument(
                "addresses",
                "Invalid argument.",
                "and asset_ids are missing",
                "at least one account or one asset",
            ));
        }
        let assets = cx.assets("asset_ids", assets).await?;
        let mut filter = BalanceFilter::default()
            .with_addresses(Vec::with_capacity(accounts.len()))
            .with_assets(assets)
            .with_order(match self.ordering {
                Ordering::AssetBalanceAccount => BalanceOrder::AssetBalanceAccount,
                Ordering::AccountAsset => BalanceOrder::AccountAsset,
                Ordering::AssetAccount => BalanceOrder::AssetAccount,
            })
            .with_exclude_zero(self.exclude_zero);
        let mut resolved_from = Vec::new();
        for found in cx.accounts("addresses", accounts).await? {
            filter.addresses.push(found.address);
            resolved_from.extend(found.resolved_from);
        }
        let page = self.page.one_more(self.reverse);
        let which = || "One of asset_ids is not the number of an asset.".to_owned();
        let found = cx.node.asset_balances(&filter, page).await;
        let balances = self
            .page
            .of(cx, Cursor::Offset, found.map_err(asset_error(which))?);
        let names = PrimaryNames::of(cx, balances.items.iter().map(|it| it.address)).await;
        Ok(AssetBalances {
            resolved_from: Some(resolved_from).filter(|it| !it.is_empty()),
            balances: balances.map(|it| BalanceOfAsset::of(it, &names)),
        })
    }
}

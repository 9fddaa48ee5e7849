//! Assets and their exchange on the chain (resource `/assets`).

use qortal_types::{Address, Amount, AssetId, PublicKey, Signature, Timestamp};
use serde::{Deserialize, Deserializer};

use crate::{
    Endpoint, Node, NodeError, Page, api::transactions::Transaction, call::Call, setters::setters,
};

/// An asset (class `AssetData`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Asset {
    /// Its number.
    pub asset_id: AssetId,
    /// Who owns it.
    pub owner: Address,
    /// Its name.
    pub name: String,
    /// Free text of the owner.
    pub description: String,
    /// How much of it was issued; 0 for QORT.
    #[serde(deserialize_with = "units")]
    pub quantity: Amount,
    /// Whether parts of one exist.
    pub is_divisible: bool,
    /// More free text of the owner, up to 400,000 bytes; absent in lists.
    pub data: Option<String>,
    /// Whether only its owner can spend it.
    pub is_unspendable: bool,
    /// The group for which it was issued.
    pub creation_group_id: u32,
}

/// Here alone the Core writes units as a JSON integer.
fn units<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
    i64::deserialize(deserializer).map(Amount::from_units)
}

/// How much of an asset someone has (class `AccountBalanceData`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AssetBalance {
    /// Who.
    pub address: Address,
    /// Of which asset.
    pub asset_id: AssetId,
    /// How much.
    pub balance: Amount,
    /// The asset's name.
    pub asset_name: Option<String>,
}

impl AssetBalance {
    /// A balance without the name of its asset.
    #[must_use]
    pub const fn new(address: Address, asset_id: AssetId, balance: Amount) -> Self {
        Self {
            address,
            asset_id,
            balance,
            asset_name: None,
        }
    }
}

/// An offer to exchange one asset for another (class `OrderData`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Order {
    /// Its identifier.
    pub order_id: Signature,
    /// Whose.
    pub creator_public_key: PublicKey,
    /// What is offered.
    pub have_asset_id: AssetId,
    /// What is wanted.
    pub want_asset_id: AssetId,
    /// How much, of the asset `amount_asset_id`.
    pub amount: Amount,
    /// At which price, in the pair `price_pair`.
    pub price: Amount,
    /// How much of it is done.
    pub fulfilled: Amount,
    /// When it was made.
    pub timestamp: Timestamp,
    /// Whether it was taken back or is done completely.
    pub is_closed: bool,
    /// Whether it is done completely.
    pub is_fulfilled: bool,
    /// Whose.
    pub creator: Address,
    /// Name of what is offered.
    pub have_asset_name: Option<String>,
    /// Name of what is wanted.
    pub want_asset_name: Option<String>,
    /// The asset in which `amount` counts.
    pub amount_asset_id: AssetId,
    /// Its name.
    pub amount_asset_name: Option<String>,
    /// Such as `QORT/TEST`.
    pub price_pair: Option<String>,
}

/// All open orders of one price.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OrderBookLevel {
    /// The price.
    pub price: Amount,
    /// Such as `QORT/TEST`.
    pub price_pair: Option<String>,
    /// How much is still to be had.
    pub unfulfilled: Amount,
    /// Of which asset.
    pub unfulfilled_asset_id: AssetId,
    /// Its name.
    pub unfulfilled_asset_name: Option<String>,
}

/// An exchange (class `TradeData`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AssetTrade {
    /// The later order, which took the other one.
    pub initiating_order_id: Signature,
    /// The order that was there.
    pub target_order_id: Signature,
    /// What the target's side gave, of the asset that it had.
    pub target_amount: Amount,
    /// What the initiator's side gave, of the asset that it had.
    pub initiator_amount: Amount,
    /// What the initiator saved because the target's price was better.
    pub initiator_saving: Amount,
    /// When.
    pub timestamp: Timestamp,
    /// The Core's word for the asset of the target's amount: of both assets the one with the larger number, even where the
    /// target had the other one.
    pub target_amount_asset_id: Option<AssetId>,
    /// Its name.
    pub target_amount_asset_name: Option<String>,
    /// The same for the initiator's amount: of both assets the one with the smaller number.
    pub initiator_amount_asset_id: Option<AssetId>,
    /// Its name.
    pub initiator_amount_asset_name: Option<String>,
}

/// An exchange with both of its orders (class `TradeWithOrderInfo`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AssetTradeWithOrders {
    /// The exchange.
    pub trade: AssetTrade,
    /// The later order.
    pub initiating_order: Order,
    /// The order that was there.
    pub target_order: Order,
}

/// How balances are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum BalanceOrder {
    /// By asset, then balance, smallest first, then account.
    #[default]
    AssetBalanceAccount,
    /// By account, then asset.
    AccountAsset,
    /// By asset, then account.
    AssetAccount,
}

/// Which balances are wanted. At least one address or asset is needed.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct BalanceFilter {
    /// Of these accounts.
    pub addresses: Vec<Address>,
    /// Of these assets.
    pub assets: Vec<AssetId>,
    /// In which order.
    pub order: BalanceOrder,
    /// Whether balances of zero are left out; they are anyway if there is no address.
    pub exclude_zero: bool,
}

setters!(BalanceFilter {
    with_addresses(addresses: impl Into<Vec<Address>>),
    with_assets(assets: impl Into<Vec<AssetId>>),
    with_order(order: BalanceOrder),
    with_exclude_zero(exclude_zero: bool),
});

/// Which orders of an account are wanted; the Core compares for equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct OrderState {
    /// Whether they are closed: taken back, or done completely.
    pub closed: bool,
    /// Whether they are done completely; such orders are closed as well.
    pub fulfilled: bool,
}

setters!(OrderState {
    with_closed(closed: bool),
    with_fulfilled(fulfilled: bool),
});

impl Node {
    /// Returns assets by number, without their `data`.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/assets")]
    pub async fn assets(&self, page: Page) -> Result<Vec<Asset>, NodeError> {
        self.ask(Call::to(Endpoint::Assets).page(page))
            .await?
            .list()
    }

    /// Returns assets by number, with their `data`: up to 400 kB each, so ask for few.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/assets")]
    pub async fn assets_with_data(&self, page: Page) -> Result<Vec<Asset>, NodeError> {
        self.ask(
            Call::to(Endpoint::Assets)
                .query("includeData", true)
                .page(page),
        )
        .await?
        .list()
    }

    /// Returns an asset by its number.
    ///
    /// # Errors
    ///
    /// Fails with code [`INVALID_ASSET_ID`](crate::ApiError::INVALID_ASSET_ID) if there is none.
    #[doc(alias = "/assets/info")]
    pub async fn asset(&self, asset: AssetId) -> Result<Asset, NodeError> {
        self.ask(Call::to(Endpoint::Asset).query("assetId", asset))
            .await?
            .json()
    }

    /// Returns an asset by its name, in which case matters.
    ///
    /// # Errors
    ///
    /// Fails with code [`INVALID_ASSET_ID`](crate::ApiError::INVALID_ASSET_ID) if there is none.
    #[doc(alias = "/assets/info")]
    pub async fn asset_named(&self, name: &str) -> Result<Asset, NodeError> {
        self.ask(Call::to(Endpoint::Asset).query("assetName", name))
            .await?
            .json()
    }

    /// Returns balances. The richest holders of an asset come with [`Page::last`].
    ///
    /// # Errors
    ///
    /// Fails with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if there is neither an address nor an asset,
    /// [`INVALID_ASSET_ID`](crate::ApiError::INVALID_ASSET_ID) if an asset does not exist.
    #[doc(alias = "/assets/balances")]
    pub async fn asset_balances(
        &self,
        filter: &BalanceFilter,
        page: Page,
    ) -> Result<Vec<AssetBalance>, NodeError> {
        let order = match filter.order {
            BalanceOrder::AssetBalanceAccount => "ASSET_BALANCE_ACCOUNT",
            BalanceOrder::AccountAsset => "ACCOUNT_ASSET",
            BalanceOrder::AssetAccount => "ASSET_ACCOUNT",
        };
        // The Core's parameter is `assetid`; another spelling would silently be no filter at all.
        let call = Call::to(Endpoint::AssetBalances)
            .query_each("address", &filter.addresses)
            .query_each("assetid", &filter.assets)
            .query("ordering", order)
            .query_flag("excludeZero", filter.exclude_zero);
        self.ask(call.page(page)).await?.list()
    }

    /// Returns open orders that offer one asset for another, by price.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/assets/openorders/{assetid}/{otherassetid}")]
    pub async fn open_orders(
        &self,
        have: AssetId,
        want: AssetId,
        page: Page,
    ) -> Result<Vec<Order>, NodeError> {
        self.ask(
            Call::to(Endpoint::AssetOpenOrders)
                .with(have)
                .with(want)
                .page(page),
        )
        .await?
        .list()
    }

    /// Returns the same orders put together by price.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/assets/orderbook/{assetid}/{otherassetid}")]
    pub async fn order_book(
        &self,
        have: AssetId,
        want: AssetId,
        page: Page,
    ) -> Result<Vec<OrderBookLevel>, NodeError> {
        self.ask(
            Call::to(Endpoint::AssetOrderBook)
                .with(have)
                .with(want)
                .page(page),
        )
        .await?
        .list()
    }

    /// Returns exchanges that an order with `asset` began by taking one with `other`, by time.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/assets/trades/{assetid}/{otherassetid}")]
    pub async fn asset_trades(
        &self,
        asset: AssetId,
        other: AssetId,
        page: Page,
    ) -> Result<Vec<AssetTradeWithOrders>, NodeError> {
        self.ask(
            Call::to(Endpoint::AssetTrades)
                .with(asset)
                .with(other)
                .page(page),
        )
        .await?
        .list()
    }

    /// Returns an account's orders in exactly this state, by time.
    ///
    /// # Errors
    ///
    /// Fails with code [`ADDRESS_UNKNOWN`](crate::ApiError::ADDRESS_UNKNOWN) if the account's key is not known.
    #[doc(alias = "/assets/orders/{address}")]
    pub async fn orders_of(
        &self,
        address: &Address,
        state: OrderState,
        page: Page,
    ) -> Result<Vec<Order>, NodeError> {
        let call = Call::to(Endpoint::AssetOrdersOfAddress).with(address);
        let call = call
            .query_flag("includeClosed", state.closed)
            .query_flag("includeFulfilled", state.fulfilled);
        self.ask(call.page(page)).await?.list()
    }

    /// Returns transfers of an asset, of all accounts or from and to one.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/assets/transfers/{assetid}")]
    pub async fn asset_transfers(
        &self,
        asset: AssetId,
        address: Option<&Address>,
        page: Page,
    ) -> Result<Vec<Transaction>, NodeError> {
        self.ask(
            Call::to(Endpoint::AssetTransfers)
                .with(asset)
                .query_if("address", address)
                .page(page),
        )
        .await?
        .list()
    }
}

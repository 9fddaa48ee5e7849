//! Assets and their exchange on the chain (resource `/assets`).

use qortal_types::{
    Address, Amount, AssetId, Height, PublicKey, Signature, Timestamp, TransactionType,
};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::{
    Endpoint, Node, NodeError, NodeFuture, PageRequest,
    answer::answers,
    api::transactions::{Transaction, TransactionFilter},
    call::Call,
    options::options,
};

answers! {
    /// An asset (class `AssetData`).
    pub struct Asset {
        /// The ID of the asset.
        pub asset_id: AssetId,
        /// The owner's address.
        pub owner: Address,
        /// The name.
        pub name: String,
        /// Free text by the owner.
        pub description: String,
        /// The issued quantity. 0 for QORT.
        #[serde(deserialize_with = "units")]
        pub quantity: Amount,
        /// Whether it is divisible.
        pub is_divisible: bool,
        /// More free text by the owner, up to 400,000 bytes. Absent in lists.
        pub data: Option<String>,
        /// Whether only the owner can spend the asset.
        pub is_unspendable: bool,
        /// The group for which it was issued.
        pub creation_group_id: u32,
    }

    /// An account's balance in an asset (class `AccountBalanceData`).
    pub struct AssetBalance {
        /// The account.
        pub address: Address,
        /// The asset.
        pub asset_id: AssetId,
        /// The balance.
        pub balance: Amount,
        /// The asset's name.
        pub asset_name: Option<String>,
    }

    /// An offer to exchange one asset for another (class `OrderData`).
    pub struct Order {
        /// The identifier.
        pub order_id: Signature,
        /// The creator's public key.
        pub creator_public_key: PublicKey,
        /// The asset offered.
        pub have_asset_id: AssetId,
        /// The asset wanted.
        pub want_asset_id: AssetId,
        /// The amount, in the asset `amount_asset_id`.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub amount: Amount,
        /// The price, in the pair `price_pair`.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub price: Amount,
        /// The amount fulfilled.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub fulfilled: Amount,
        /// The time the order was made.
        pub timestamp: Timestamp,
        /// Whether the order is closed, because it was cancelled or fulfilled.
        pub is_closed: bool,
        /// Whether the order is fulfilled.
        pub is_fulfilled: bool,
        /// The creator's address.
        pub creator: Address,
        /// The name of the asset offered.
        pub have_asset_name: Option<String>,
        /// The name of the asset wanted.
        pub want_asset_name: Option<String>,
        /// The asset of `amount`.
        pub amount_asset_id: AssetId,
        /// The name.
        pub amount_asset_name: Option<String>,
        /// The pair of the price, such as `QORT/TEST`.
        pub price_pair: Option<String>,
    }

    /// A trade (class `TradeData`).
    pub struct AssetTrade {
        /// The later order, which matched the other one.
        pub initiating_order_id: Signature,
        /// The earlier order.
        pub target_order_id: Signature,
        /// The amount that the target's side gave, of its asset.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub target_amount: Amount,
        /// The amount that the initiator's side gave, of its asset.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub initiator_amount: Amount,
        /// The amount that the initiator saved because the target's price was better.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub initiator_saving: Amount,
        /// The time the orders matched.
        pub timestamp: Timestamp,
        /// The asset that the Core states for the target's amount: the one with the larger ID, even where the
        /// target had the other one.
        pub target_amount_asset_id: Option<AssetId>,
        /// The name.
        pub target_amount_asset_name: Option<String>,
        /// The ID of the asset of the initiator's amount, the one of both assets with the smaller number.
        pub initiator_amount_asset_id: Option<AssetId>,
        /// The name.
        pub initiator_amount_asset_name: Option<String>,
    }

    /// A trade with both of its orders (class `TradeWithOrderInfo`).
    pub struct AssetTradeWithOrders {
        /// The trade.
        pub trade: AssetTrade,
        /// The later order.
        pub initiating_order: Order,
        /// The earlier order.
        pub target_order: Order,
    }
}

/// Only here does the Core write units as a JSON integer.
fn units<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
    i64::deserialize(deserializer).map(Amount::from_units)
}

impl AssetBalance {
    /// Creates a balance without the name of its asset.
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

/// The order of balances.
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

options! {
    /// A filter for balances. It needs at least one address or asset.
    #[derive(Debug, Clone, Default)]
    pub struct BalanceFilter {
        /// Of these accounts.
        addresses: Vec<Address> => into with_addresses,
        /// Of these assets.
        assets: Vec<AssetId> => into with_assets,
        /// The order of the balances.
        order: BalanceOrder => with_order,
        /// Whether to omit balances of zero. Without an address, they are always omitted.
        exclude_zero: bool => with_exclude_zero,
    }
}

options! {
    /// A filter for the orders of an account. The Core compares for equality.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct OrderState {
        /// Whether the orders are closed, because they were cancelled or fulfilled.
        closed: bool => with_closed,
        /// Whether the orders are fulfilled. Such orders are closed as well.
        fulfilled: bool => with_fulfilled,
    }
}

impl Node {
    /// Returns assets by ID, including their `data` of up to 400 kB each, so request few.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/assets")]
    pub fn assets(&self, page: PageRequest) -> NodeFuture<'_, Vec<Asset>> {
        self.list(Call::to(Endpoint::Assets).page(page))
    }

    /// Returns assets by ID, with their `data`: up to 400 kB each, so request few.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/assets")]
    pub fn assets_with_data(&self, page: PageRequest) -> NodeFuture<'_, Vec<Asset>> {
        self.list(
            Call::to(Endpoint::Assets)
                .query("includeData", true)
                .page(page),
        )
    }

    /// Returns an asset by its ID.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_ASSET_ID`](crate::ApiError::INVALID_ASSET_ID) if there is none.
    #[doc(alias = "/assets/info")]
    pub fn asset(&self, asset: AssetId) -> NodeFuture<'_, Asset> {
        self.json(Call::to(Endpoint::Asset).query("assetId", asset))
    }

    /// Returns an asset by its name, case-sensitive.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_ASSET_ID`](crate::ApiError::INVALID_ASSET_ID) if there is none.
    #[doc(alias = "/assets/info")]
    pub fn asset_named(&self, name: &str) -> NodeFuture<'_, Asset> {
        self.json(Call::to(Endpoint::Asset).query("assetName", name))
    }

    /// Returns balances. The richest holders of an asset are on [`PageRequest::last`].
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if there is neither an address nor an
    /// asset, [`INVALID_ASSET_ID`](crate::ApiError::INVALID_ASSET_ID) if an asset does not exist.
    #[doc(alias = "/assets/balances")]
    pub fn asset_balances(
        &self,
        filter: &BalanceFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<AssetBalance>> {
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
        self.list(call.page(page))
    }

    /// Returns open orders that offer one asset for another, by price.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/assets/openorders/{assetid}/{otherassetid}")]
    pub fn open_orders(
        &self,
        have: AssetId,
        want: AssetId,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Order>> {
        self.list(
            Call::to(Endpoint::AssetOpenOrders)
                .with(have)
                .with(want)
                .page(page),
        )
    }

    /// Returns trades in which an order offering `asset` matched an earlier one offering `other`, by time.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/assets/trades/{assetid}/{otherassetid}")]
    pub fn asset_trades(
        &self,
        asset: AssetId,
        other: AssetId,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<AssetTradeWithOrders>> {
        self.list(
            Call::to(Endpoint::AssetTrades)
                .with(asset)
                .with(other)
                .page(page),
        )
    }

    /// Returns an order.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`ORDER_UNKNOWN`](crate::ApiError::ORDER_UNKNOWN) if there is none.
    #[doc(alias = "/assets/order/{orderid}")]
    pub fn asset_order(&self, order: &Signature) -> NodeFuture<'_, Order> {
        self.json(Call::to(Endpoint::AssetOrder).with(order))
    }

    /// Returns the trades of an order, by time, or an empty list if there is no such order.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/assets/order/{orderid}/trades")]
    pub fn trades_of_order(
        &self,
        order: &Signature,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<AssetTrade>> {
        let call = Call::to(Endpoint::AssetOrderTrades).with(order);
        self.list(call.page(page))
    }

    /// Returns an account's orders in exactly this state, by time.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`ADDRESS_UNKNOWN`](crate::ApiError::ADDRESS_UNKNOWN) if the account's key is not known.
    #[doc(alias = "/assets/orders/{address}")]
    pub fn orders_of(
        &self,
        address: &Address,
        state: OrderState,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Order>> {
        let call = Call::to(Endpoint::AssetOrdersOfAddress).with(address);
        let call = call
            .query_flag("includeClosed", state.closed)
            .query_flag("includeFulfilled", state.fulfilled);
        self.list(call.page(page))
    }

    /// Returns an account's orders that offer one asset for another, in exactly this state or in any, by time.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`ADDRESS_UNKNOWN`](crate::ApiError::ADDRESS_UNKNOWN) if the account's key is not known, and
    /// [`INVALID_ASSET_ID`](crate::ApiError::INVALID_ASSET_ID) if an asset does not exist.
    #[doc(alias = "/assets/orders/{address}/{assetid}/{otherassetid}")]
    pub fn orders_of_pair(
        &self,
        address: &Address,
        have: AssetId,
        want: AssetId,
        state: Option<OrderState>,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Order>> {
        let call = Call::to(Endpoint::AssetOrdersOfAddressAndPair)
            .with(address)
            .with(have)
            .with(want);
        // Without these the Core returns all; the other endpoint takes their absence for false.
        let call = call
            .query_if("isClosed", state.map(|it| it.closed))
            .query_if("isFulfilled", state.map(|it| it.fulfilled));
        self.list(call.page(page))
    }

    /// Returns transfers of an asset in the blocks up to this one, so later blocks do not change the result. The method also reads
    /// all later transfers, and returns `None` if there are too many.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    pub async fn asset_transfers_up_to(
        &self,
        asset: AssetId,
        address: Option<&Address>,
        last: Height,
        page: PageRequest,
    ) -> Result<Option<Vec<Transaction>>, NodeError> {
        let list = || transfers(asset, address);
        let later = TransactionFilter::default()
            .with_types([TransactionType::TransferAsset])
            .with_address(address.copied());
        let number = asset.number();
        let is_one =
            |it: &Transaction| it.details.get("assetId").and_then(Value::as_u64) == Some(number);
        self.up_to(&list, &|| later.call(), is_one, last, page)
            .await
    }

    /// Returns transfers of an asset by all accounts, or from and to one account.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/assets/transfers/{assetid}")]
    pub fn asset_transfers(
        &self,
        asset: AssetId,
        address: Option<&Address>,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        self.list(transfers(asset, address).page(page))
    }
}

fn transfers(asset: AssetId, address: Option<&Address>) -> Call {
    let call = Call::to(Endpoint::AssetTransfers).with(asset);
    call.query_if("address", address)
}

//! One order on the exchange of assets, and its trades.

use qortal_client::{
    ApiError, PageRequest,
    api::assets::{AssetTrade, Order},
};
use qortal_types::{Address, Amount, Timestamp};

use super::orders::AssetOrder;
use crate::{
    declare::{Context, Flat, NodeResult, Tool, ToolError, TransactionRef},
    family::accounts::sides,
    support::{
        primary_names::{Person, PrimaryNames},
        untrusted::Untrusted,
    },
};

/// Maximum number of trades shown for one order.
const MOST: u32 = 50;

params! {
    pub(super) struct GetAssetOrder {
        /// Order.
        order_id: TransactionRef
    }
}

record! {
    pub(super) struct OneOrder {
        /// The order.
        order: Flat<AssetOrder>,
        /// The creator.
        creator: Person,
        /// Its trades, the latest first, at most 50.
        trades: Vec<OrderTrade>
    }

    pub(super) struct OrderTrade {
        /// The time.
        timestamp: Timestamp,
        /// The given amount, in units of gaveAsset.
        gave_amount: Amount,
        /// The name of the given asset.
        gave_asset: Option<Untrusted>,
        /// The received amount, in units of receivedAsset.
        received_amount: Amount,
        /// The name of the received asset.
        received_asset: Option<Untrusted>
    }
}

impl OrderTrade {
    /// Returns a trade from the side of an order, or `None` if it is not its order.
    fn of(trade: &AssetTrade, order: &Order) -> Option<Self> {
        let (gave_amount, received_amount) = sides(trade, order.order_id)?;
        Some(Self {
            timestamp: trade.timestamp,
            gave_amount,
            gave_asset: order.have_asset_name.clone().map(Untrusted),
            received_amount,
            received_asset: order.want_asset_name.clone().map(Untrusted),
        })
    }
}

impl Tool for GetAssetOrder {
    const NAME: &str = "get_asset_order";
    const TITLE: &str = "Asset order";
    const DESCRIPTION: &str =
        "One order for assets by its ID, with its trades. An account's: list_asset_orders.";
    const EXAMPLE: &str = r#"{"order_id":"pVravVAHx961rrcFKJk3SHT7HZUBhS3Re3GfSA6XSQMP8exqELxbKxKdXqMziDkrc5k79HpDRuwGzih4D1j2iTX"}"#;
    const KEYWORDS: &str = "asset order, order by id, order id, trades of order";
    type Output = OneOrder;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let id = cx.signature(self.order_id).await?;
        let order = cx.node.asset_order(&id).await;
        let order = order.error_if(ApiError::ORDER_UNKNOWN, || {
            ToolError::not_found(
                "Order not found.",
                "No order on this node has that id. list_asset_orders lists those of an account.",
            )
        })?;
        let creator: Address = order.creator;
        let (trades, names) = tokio::join!(
            cx.node.trades_of_order(&id, PageRequest::last(MOST)),
            PrimaryNames::of(cx, [creator]),
        );
        let trades = trades?;
        Ok(OneOrder {
            trades: trades
                .iter()
                .filter_map(|it| OrderTrade::of(it, &order))
                .collect(),
            order: Flat(AssetOrder::of(order)),
            creator: names.person(creator),
        })
    }
}

//! One order on the exchange of assets, and what it traded.

use qortal_client::{ApiError, Page, api::assets::AssetTrade};
use qortal_types::{Address, Amount, Timestamp};

use super::orders::AssetOrder;
use crate::declare::{
    Context, Flat, NodeResult, Person, PrimaryNames, Tool, ToolError, TransactionRef,
};

/// Trades that are shown of one order.
const MOST: u32 = 50;

params! {
    pub(super) struct GetAssetOrder {
        /// The order: the signature of its transaction.
        order_id: TransactionRef
    }
}

record! {
    pub(super) struct OneOrder {
        /// The order.
        order: Flat<AssetOrder>,
        /// Who made it.
        creator: Person,
        /// Its trades, the latest first, at most 50.
        trades: Vec<OrderTrade>
    }

    pub(super) struct OrderTrade from(it: AssetTrade) {
        /// When.
        timestamp: Timestamp,
        /// How much the later order gave, in units of the asset that it had.
        initiator_amount: Amount,
        /// How much the earlier order gave, in units of the asset that it had.
        target_amount: Amount
    }
}

impl Tool for GetAssetOrder {
    const NAME: &str = "get_asset_order";
    const TITLE: &str = "Asset order";
    const DESCRIPTION: &str =
        "One order for assets by its id, with what it traded. An account's: list_asset_orders.";
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
            cx.node.trades_of_order(&id, Page::last(MOST)),
            PrimaryNames::of(cx, [creator]),
        );
        Ok(OneOrder {
            order: Flat(AssetOrder::of(order)),
            creator: names.person(creator),
            trades: trades?.into_iter().map(OrderTrade::of).collect(),
        })
    }
}

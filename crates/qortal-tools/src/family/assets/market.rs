//! The market of two assets.

use std::cmp::Reverse;

use qortal_client::{
    PageRequest,
    api::assets::{AssetTradeWithOrders, Order},
};
use qortal_types::{Address, Amount, AssetId, Timestamp};
use tool_schema::CappedInt;

use crate::{
    declare::{AssetRef, Context, Full, NextPage, Rows, Tool, ToolError},
    family::assets::asset_error,
    support::untrusted::Untrusted,
};

/// The largest limit.
const MOST: u32 = 50;

params! {
    pub(super) struct GetAssetMarket {
        /// First asset.
        asset_id: AssetRef,
        /// Second asset.
        other_asset_id: AssetRef = AssetRef::QORT,
        /// Offers per side, and exchanges.
        limit: CappedInt<1, MOST> = CappedInt::from_const(10)
    }
}

record! {
    pub(super) struct AssetMarket {
        /// The asset's number.
        asset_id: AssetId,
        /// The asset's name.
        asset_name: Untrusted,
        /// The other asset's number.
        other_asset_id: AssetId,
        /// The other asset's name.
        other_asset_name: Untrusted,
        /// The asset of prices: the one with the smaller number.
        price_asset_id: AssetId,
        /// The priced asset: prices are for one unit of it.
        priced_asset_id: AssetId,
        /// Open orders offering the asset for the other, the best for a taker first.
        offers_of_asset: Rows<Offer>,
        /// Open orders offering the other asset for it, the best for a taker first.
        offers_of_other: Rows<Offer>,
        /// Past exchanges, the latest first.
        exchanges: Option<Rows<Exchange>>,
        /// Whether there are more offers or exchanges than these.
        remainder: NextPage
    }

    pub(super) struct Offer from(it: Order) {
        /// Units of the price asset for one unit of the priced asset.
        price: Amount,
        /// The available rest, in the unit of the next asset.
        unfulfilled: Amount = it.amount.checked_sub(it.fulfilled).unwrap_or(Amount::ZERO),
        /// The asset of the amount.
        unfulfilled_asset_id: AssetId = it.amount_asset_id,
        /// The seller.
        creator: Address,
        /// The time of the order.
        timestamp: Timestamp,
        /// The order: the signature of its transaction.
        order_id: Full<String> = Full(it.order_id.to_string())
    }

    pub(super) struct Exchange {
        /// The time.
        timestamp: Timestamp,
        /// The exchanged amount of the asset, in its unit.
        amount: Amount,
        /// The exchanged amount of the other asset, in its unit.
        other_amount: Amount,
        /// The side given by the later order: `asset` or `other`.
        taker_gave: &'static str,
        /// The creator of the later order.
        taker: Address,
        /// The creator of the earlier order.
        maker: Address,
        /// Units of the price asset for one unit of the priced asset, rounded to 8 places.
        price: Option<Amount>
    }
}

/// Assigns the amounts of both sides by the account that gave them. The assets that the Core names with the amounts are
/// wrong if the later order gave the asset with the larger number, so they are not used.
fn exchange(it: &AssetTradeWithOrders, taker_gave_asset: bool, asset_is_priced: bool) -> Exchange {
    let trade = &it.trade;
    let (amount, other_amount) = if taker_gave_asset {
        (trade.initiator_amount, trade.target_amount)
    } else {
        (trade.target_amount, trade.initiator_amount)
    };
    Exchange {
        timestamp: trade.timestamp,
        price: if asset_is_priced {
            other_amount.checked_price_of(amount)
        } else {
            amount.checked_price_of(other_amount)
        },
        amount,
        other_amount,
        taker_gave: if taker_gave_asset { "asset" } else { "other" },
        taker: it.initiating_order.creator,
        maker: it.target_order.creator,
    }
}

impl Tool for GetAssetMarket {
    const NAME: &str = "get_asset_market";
    const TITLE: &str = "Asset market";
    const DESCRIPTION: &str = "Open offers and latest exchanges of two assets of the chain. QORT for coins: get_trade_order_book.";
    const EXAMPLE: &str = r#"{"asset_id":"3"}"#;
    const KEYWORDS: &str = "who offers asset, offers of asset, asset market, asset price, asset trade, asset order, exchange asset";
    const MANY_LISTS: bool = true;
    type Output = AssetMarket;

    /// Sends six requests at once.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let (asset, other) = tokio::try_join!(
            cx.asset("asset_id", self.asset_id),
            cx.asset("other_asset_id", self.other_asset_id),
        )?;
        if asset == other {
            return Err(ToolError::argument(
                "other_asset_id",
                "Invalid argument.",
                format!("is {other}, the same as asset_id"),
                "the number of another asset, 0 is QORT",
            ));
        }
        let wanted = self.limit.value().saturating_add(1);
        let last = PageRequest::last(wanted);
        // For those who give the priced asset, the lowest price is best. For those who give the price asset, it is the
        // highest.
        let best = |gives_the_priced: bool| {
            if gives_the_priced {
                PageRequest::first(wanted)
            } else {
                last
            }
        };
        let which = || {
            let asked = [asset, other].into_iter().filter(|it| *it != AssetId::QORT);
            let asked: Vec<_> = asked.map(|it| it.to_string()).collect();
            format!("No asset has the number {}.", asked.join(", or none has "))
        };
        let trades = async {
            tokio::try_join!(
                cx.node.asset_trades(asset, other, last),
                cx.node.asset_trades(other, asset, last),
            )
        };
        let (asset_info, other_info, offers_of_asset, offers_of_other, trades) = tokio::try_join!(
            cx.node.asset(asset),
            cx.node.asset(other),
            cx.node.open_orders(asset, other, best(other < asset)),
            cx.node.open_orders(other, asset, best(asset < other)),
            cx.optional("Past exchanges are", trades),
        )
        .map_err(asset_error(which))?;
        let asset_is_priced = other < asset;
        let exchanges = trades.map(|(given, taken)| {
            let given = given.iter().map(|it| exchange(it, true, asset_is_priced));
            let taken = taken.iter().map(|it| exchange(it, false, asset_is_priced));
            let mut exchanges: Vec<_> = given.chain(taken).collect();
            exchanges.sort_by_cached_key(|it| Reverse(it.timestamp));
            exchanges
        });
        let most = self.limit.value() as usize;
        let truncated = [
            offers_of_asset.len(),
            offers_of_other.len(),
            exchanges.as_ref().map_or(0, Vec::len),
        ]
        .iter()
        .any(|it| *it > most);
        let exchanges = exchanges.map(|it| it.into_iter().take(most).collect());
        let largest = cx.next().with([("limit", MOST.into())]);
        let offers = |orders: Vec<Order>| orders.into_iter().take(most).map(Offer::of);
        Ok(AssetMarket {
            asset_id: asset,
            asset_name: asset_info.name.into(),
            other_asset_id: other,
            other_asset_name: other_info.name.into(),
            price_asset_id: asset.min(other),
            priced_asset_id: asset.max(other),
            offers_of_asset: offers(offers_of_asset).collect(),
            offers_of_other: offers(offers_of_other).collect(),
            exchanges,
            remainder: NextPage::new(truncated, self.limit.value(), move |rows| {
                (rows < MOST).then(|| largest.with([]))
            }),
        })
    }
}

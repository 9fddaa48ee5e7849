//! How two assets of the chain are exchanged for each other.

use std::cmp::Reverse;

use qortal_client::{
    Page,
    api::assets::{AssetTradeWithOrders, OrderBookLevel},
};
use qortal_types::{Amount, AssetId, Timestamp};
use tool_schema::Bounded;

use crate::{
    catalog::Surface,
    context::Context,
    declare::{Remainder, Tool},
    error::ToolError,
    family::assets::asset_error,
    untrusted::Untrusted,
};

/// The largest limit.
const MOST: u32 = 50;

pub(super) struct GetAssetMarket;

params! {
    pub(super) struct GetAssetMarketParams {
        /// The asset.
        asset_id: AssetId,
        /// The asset it is exchanged for; 0 is QORT.
        other_asset_id: AssetId = AssetId::QORT,
        /// How many offers of each side and how many exchanges to return.
        limit: Bounded<1, MOST> = Bounded::new(10)
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
        /// The asset that prices are in: the one with the smaller number.
        price_asset_id: AssetId,
        /// The asset that prices are for one of.
        priced_asset_id: AssetId,
        /// Open offers that give the asset for the other, grouped by price, the best for a taker first.
        offers_of_asset: Vec<Level>,
        /// Open offers that give the other asset for it, grouped by price, the best for a taker first.
        offers_of_other: Vec<Level>,
        /// Past exchanges, the latest first.
        exchanges: Vec<Exchange>,
        /// Whether there are more offers or exchanges than these.
        remainder: Remainder
    }
}

record! {
    pub(super) struct Level {
        /// How much of the price asset for one of the priced asset.
        price: Amount,
        /// How much is still available.
        unfulfilled: Amount,
        /// Of which asset.
        unfulfilled_asset_id: AssetId
    }
}

record! {
    pub(super) struct Exchange {
        /// When.
        timestamp: Timestamp,
        /// How much of the asset changed hands.
        amount: Amount,
        /// How much of the other asset was given for it.
        other_amount: Amount,
        /// What the later order gave: `asset` or `other`.
        taker_gave: &'static str,
        /// How much of the price asset for one of the priced asset, rounded to 8 places.
        price: Option<Amount>
    }
}

impl From<OrderBookLevel> for Level {
    fn from(it: OrderBookLevel) -> Self {
        Self {
            price: it.price,
            unfulfilled: it.unfulfilled,
            unfulfilled_asset_id: it.unfulfilled_asset_id,
        }
    }
}

/// The amounts of both sides are assigned by who gave them. The assets that the Core names with them are wrong where the
/// later order gave the asset with the larger number, so they are not used.
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
    }
}

impl Tool for GetAssetMarket {
    const NAME: &'static str = "get_asset_market";
    const TITLE: &'static str = "Market of an asset";
    const DESCRIPTION: &'static str = "Return open offers and latest exchanges between two assets of the chain. For QORT against Litecoin, Bitcoin etc. use the trade tools.";
    const EXAMPLE: &'static str = r#"{"asset_id":3}"#;
    const SURFACE: Surface = Surface::Full;
    type Params = GetAssetMarketParams;
    type Output = AssetMarket;

    /// Six requests at once.
    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let (asset, other) = (params.asset_id, params.other_asset_id);
        if asset == other {
            return Err(ToolError::argument(
                "other_asset_id",
                "Invalid argument.",
                format!("is {other}, the same as asset_id"),
                "the number of another asset, 0 is QORT",
            ));
        }
        let wanted = params.limit.value().saturating_add(1);
        let last = Page::last(wanted);
        // Who gives the priced asset is best at the lowest price, who gives the price asset at the highest.
        let best = |gives_the_priced: bool| match gives_the_priced {
            true => Page::first(wanted),
            false => last,
        };
        let which = || {
            let asked = [asset, other].into_iter().filter(|it| *it != AssetId::QORT);
            let asked: Vec<_> = asked.map(|it| it.to_string()).collect();
            format!("No asset has the number {}.", asked.join(", or none has "))
        };
        let (asset_info, other_info, offers_of_asset, offers_of_other, given, taken) =
            tokio::try_join!(
                cx.node.asset(asset),
                cx.node.asset(other),
                cx.node.order_book(asset, other, best(other < asset)),
                cx.node.order_book(other, asset, best(asset < other)),
                cx.node.asset_trades(asset, other, last),
                cx.node.asset_trades(other, asset, last),
            )
            .map_err(asset_error(which))?;
        let asset_is_priced = other < asset;
        let given = given.iter().map(|it| exchange(it, true, asset_is_priced));
        let taken = taken.iter().map(|it| exchange(it, false, asset_is_priced));
        let mut exchanges: Vec<_> = given.chain(taken).collect();
        exchanges.sort_by_key(|it| Reverse(it.timestamp));
        let most = params.limit.value() as usize;
        let truncated = [
            offers_of_asset.len(),
            offers_of_other.len(),
            exchanges.len(),
        ]
        .iter()
        .any(|it| *it > most);
        exchanges.truncate(most);
        let levels = |levels: Vec<OrderBookLevel>| levels.into_iter().take(most).map(Level::from);
        Ok(AssetMarket {
            asset_id: asset,
            asset_name: asset_info.name.into(),
            other_asset_id: other,
            other_asset_name: other_info.name.into(),
            price_asset_id: asset.min(other),
            priced_asset_id: asset.max(other),
            offers_of_asset: levels(offers_of_asset).collect(),
            offers_of_other: levels(offers_of_other).collect(),
            exchanges,
            remainder: Remainder {
                truncated,
                next: (truncated && params.limit.value() < MOST)
                    .then(|| cx.next_with([("limit", MOST.into())])),
            },
        })
    }
}

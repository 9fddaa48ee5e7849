//! The orders of one account on the exchange of assets.

use std::cmp::Reverse;

use futures_util::future::try_join_all;
use qortal_client::{
    ApiError, NodeError, PageRequest,
    api::assets::{Order, OrderState},
};
use qortal_types::{Amount, AssetId, Timestamp};
use tool_schema::choice;

use crate::{
    declare::{
        Account, AccountRef, AssetRef, Context, Cursor, Full, Page, Paging, Range, Tool, ToolError,
        given,
    },
    family::assets::asset_error,
    support::untrusted::Untrusted,
};

choice! {
    /// The state of orders.
    enum State {
        /// Neither fulfilled nor cancelled.
        Open = "open",
        /// Cancelled before they were fulfilled.
        Cancelled = "cancelled",
        /// Fulfilled.
        Fulfilled = "fulfilled",
        /// All.
        Any = "any",
    }
}

/// Maximum number of orders of each state that are read to find those in a range.
const MOST_ORDERS: u32 = 5_000;

params! {
    pub(super) struct ListAssetOrders {
        /// Account.
        address: AccountRef,
        /// Order state.
        state: State = State::Any,
        /// Offered asset. Needs want_asset_id.
        have_asset_id: Option<AssetRef>,
        /// Wanted asset. Needs have_asset_id.
        want_asset_id: Option<AssetRef>,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<20, 100, 1_000>
    }
}

record! {
    pub(super) struct AssetOrders {
        /// The account's address.
        address: Account,
        /// The orders, the latest first.
        orders: Page<AssetOrder>
    }

    pub(super) struct AssetOrder from(it: Order) {
        /// The time of its creation.
        timestamp: Timestamp,
        /// open, cancelled or fulfilled.
        state: &'static str = state_of(&it),
        /// The offered asset.
        have_asset_id: AssetId,
        /// Its name.
        have_asset_name: Option<Untrusted> = it.have_asset_name.map(Untrusted),
        /// The wanted asset.
        want_asset_id: AssetId,
        /// Its name.
        want_asset_name: Option<Untrusted> = it.want_asset_name.map(Untrusted),
        /// The ordered amount, in the unit of the next asset.
        amount: Amount,
        /// The fulfilled part, in the same unit.
        fulfilled: Amount,
        /// The asset of both amounts: of the two the one with the larger number.
        amount_asset_id: AssetId,
        /// The price of one unit, in units of the other asset.
        price: Amount,
        /// The order: the signature of its transaction.
        order_id: Full<String> = Full(it.order_id.to_string())
    }
}

fn state_of(order: &Order) -> &'static str {
    match (order.is_fulfilled, order.is_closed) {
        (true, _) => "fulfilled",
        (false, true) => "cancelled",
        (false, false) => "open",
    }
}

impl Tool for ListAssetOrders {
    const NAME: &str = "list_asset_orders";
    const TITLE: &str = "Account asset orders";
    const DESCRIPTION: &str = "One account's orders for assets of the chain: open, cancelled, fulfilled. Everyone's open ones: get_asset_market.";
    const EXAMPLE: &str = r#"{"address":"Alice Test","have_asset_id":"3","want_asset_id":"0"}"#;
    const KEYWORDS: &str = "asset order, my asset order, open order";
    const TABLE: Option<&str> = Some("orders");
    type Output = AssetOrders;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let (have, want) = tokio::try_join!(
            given(self.have_asset_id, |it| cx.asset("have_asset_id", it)),
            given(self.want_asset_id, |it| cx.asset("want_asset_id", it)),
        )?;
        let pair = match (have, want) {
            (None, None) => None,
            (Some(have), Some(want)) => Some((have, want)),
            (Some(_), None) => return Err(incomplete("want_asset_id", "have_asset_id")),
            (None, Some(_)) => return Err(incomplete("have_asset_id", "want_asset_id")),
        };
        let found = cx.account("address", self.address).await?;
        // By account, the Core lists one state at a time. By pair, it lists any or all. A fulfilled order is closed as well.
        let open = OrderState::default();
        let cancelled = open.with_closed(true);
        let fulfilled = cancelled.with_fulfilled(true);
        let states = match (self.state, pair) {
            (State::Open, _) => vec![Some(open)],
            (State::Cancelled, _) => vec![Some(cancelled)],
            (State::Fulfilled, _) => vec![Some(fulfilled)],
            (State::Any, Some(_)) => vec![None],
            (State::Any, None) => vec![Some(open), Some(cancelled), Some(fulfilled)],
        };
        // Several lists have to be merged from their beginnings.
        let period = self.range.period(cx).await?;
        let wanted = if self.range.is_given() {
            MOST_ORDERS
        } else {
            self.page.offset.saturating_add(self.page.limit)
        };
        let page = PageRequest::last(wanted.saturating_add(1));
        let orders = async |state: &Option<OrderState>| {
            let orders = match pair {
                Some((have, want)) => {
                    cx.node
                        .orders_of_pair(&found.address, have, want, *state, page)
                        .await
                }
                None => {
                    let state = state.unwrap_or_default();
                    cx.node.orders_of(&found.address, state, page).await
                }
            };
            none_of_an_unknown_account(orders)
        };
        let orders = try_join_all(states.iter().map(orders)).await;
        let which = || "have_asset_id or want_asset_id is not the number of an asset.".to_owned();
        let mut orders = orders.map_err(asset_error(which))?.concat();
        orders.sort_by_cached_key(|it| Reverse((it.timestamp, it.order_id)));
        let is_more = orders.len().saturating_add(cx.rows_left_out()) > wanted as usize;
        orders.retain(|it| period.has(it.timestamp));
        let by_time = Cursor::Pinned(true, |it: &Order| Some(it.timestamp));
        let orders: Page<_> = self.page.of_whole(cx, by_time, orders);
        let orders = orders.or_more(is_more);
        Ok(AssetOrders {
            address: found,
            orders: orders.map(AssetOrder::of),
        })
    }
}

/// Turns the error for an unknown account into an empty list. An account that never sent anything has no orders, and the
/// Core responds with this error.
fn none_of_an_unknown_account(
    orders: Result<Vec<Order>, NodeError>,
) -> Result<Vec<Order>, NodeError> {
    match orders {
        Err(err) if err.is(ApiError::ADDRESS_UNKNOWN) => Ok(Vec::new()),
        result => result,
    }
}

fn incomplete(missing: &str, given: &str) -> ToolError {
    ToolError::argument(
        missing,
        "Missing argument.",
        format!("is required with `{given}`"),
        "an asset, or neither of them",
    )
}

//! Orders of the asset exchange and the trades between them (`AssetsResource`).

use serde_json::{Value, json};

use crate::{
    chain::amount_text,
    codec::base58_decode,
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table,
        assets::asset_in_path, fits, list, refuse_if, valid_address,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/assets/openorders/{assetid}/{otherassetid}", open_orders),
    Endpoint::get("/assets/orderbook/{assetid}/{otherassetid}", order_book),
    Endpoint::get("/assets/trades/recent", recent_trades),
    Endpoint::get("/assets/trades/{assetid}/{otherassetid}", trades),
    Endpoint::get("/assets/order/{orderid}", order),
    Endpoint::get("/assets/order/{orderid}/trades", trades_of_order),
    Endpoint::get("/assets/orders/{address}", orders_of_account),
    Endpoint::get(
        "/assets/orders/{address}/{assetid}/{otherassetid}",
        orders_of_account_and_pair,
    ),
];

/// Number of trades per pair in `/assets/trades/recent`.
const RECENT: usize = 2;

fn is_pair(order: &Value, have: i64, want: i64) -> bool {
    order.number("haveAssetId") == have && order.number("wantAssetId") == want
}

/// Returns the open orders that sell the first asset of the path for the second, the cheapest first.
fn open<'state>(state: &'state State, request: &Request) -> Result<Vec<&'state Value>, Refusal> {
    let have = asset_in_path(state, request, "assetid")?;
    let want = asset_in_path(state, request, "otherassetid")?;
    let is_open = |order: &Value| !order.flag("isClosed") && !order.flag("isFulfilled");
    let orders = &state.chain.orders;
    let mut orders = orders.matching(|order| is_pair(order, have, want) && is_open(order));
    orders.sort_by_cached_key(|order| (order.amount("price"), order.number("timestamp")));
    Ok(orders)
}

fn open_orders(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    paging.list(open(state, request)?)
}

/// Returns the unfulfilled amounts of the open orders, summed per price.
fn order_book(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let mut prices: Vec<(&Value, i64)> = Vec::new();
    for order in open(state, request)? {
        let left = order.amount("amount") - order.amount("fulfilled");
        let same = |(first, _): &&mut (&Value, i64)| first.text("price") == order.text("price");
        match prices.last_mut().filter(same) {
            Some((_, sum)) => *sum = sum.saturating_add(left),
            None => prices.push((order, left)),
        }
    }
    paging.list_of(prices, |(order, left)| {
        json!({
            "price": order.at("price"),
            "pricePair": order.at("pricePair"),
            "unfulfilled": amount_text(left),
            "unfulfilledAssetId": order.at("amountAssetId"),
            "unfulfilledAssetName": order.at("amountAssetName"),
        })
    })
}

fn find_order<'state>(state: &'state State, id: &str) -> Option<&'state Value> {
    state.chain.orders.row("orderId", id)
}

/// Returns the trades whose newer order has the one asset and wants the other, by time.
fn trades_of_pair(state: &State, have: i64, want: i64) -> Vec<&Value> {
    let is_of_pair = |trade: &Value| {
        find_order(state, trade.text("initiatingOrderId"))
            .is_some_and(|order| is_pair(order, have, want))
    };
    state.chain.asset_trades.matching(is_of_pair)
}

/// Returns the newest trades of each pair. An omitted side is asset 0.
fn recent_trades(state: &State, request: &Request) -> Result<Body, Refusal> {
    let ids = |name: &'static str| -> Result<Vec<i64>, Refusal> {
        let ids = request.longs(name)?;
        let is_known = ids.iter().all(|id| state.chain.has_asset(*id));
        let ids = if ids.is_empty() { vec![0] } else { ids };
        refuse_if(!is_known, ApiError::INVALID_ASSET_ID)?;
        Ok(ids)
    };
    let (assets, others) = (ids("assetid")?, ids("otherassetid")?);
    let mut rows = Vec::new();
    for asset in assets {
        for other in &others {
            let newest = trades_of_pair(state, asset, *other)
                .into_iter()
                .rev()
                .take(RECENT);
            rows.extend(newest.map(|trade| {
                json!({
                    "assetId": asset,
                    "otherAssetId": other,
                    "otherAmount": trade.at("targetAmount"),
                    "amount": trade.at("initiatorAmount"),
                    "timestamp": trade.at("timestamp"),
                })
            }));
        }
    }
    list(rows)
}

fn trades(state: &State, request: &Request) -> Result<Body, Refusal> {
    let have = asset_in_path(state, request, "assetid")?;
    let want = asset_in_path(state, request, "otherassetid")?;
    let paging = Paging::of(request)?;
    paging.list_of(trades_of_pair(state, have, want), |trade| {
        json!({
            "trade": trade,
            "initiatingOrder": find_order(state, trade.text("initiatingOrderId")),
            "targetOrder": find_order(state, trade.text("targetOrderId")),
        })
    })
}

/// Returns the order in the path.
fn named<'state>(state: &'state State, request: &Request) -> Result<&'state Value, Refusal> {
    let id = request.capture("orderid");
    base58_decode(id).ok_or(ApiError::INVALID_ORDER_ID)?;
    Ok(find_order(state, id).ok_or(ApiError::ORDER_UNKNOWN)?)
}

fn order(state: &State, request: &Request) -> Result<Body, Refusal> {
    named(state, request).cloned().map(Body::Json)
}

fn trades_of_order(state: &State, request: &Request) -> Result<Body, Refusal> {
    let id = named(state, request)?.text("orderId");
    let paging = Paging::of(request)?;
    paging.list(state.chain.asset_trades.matching(|trade| {
        [trade.text("initiatingOrderId"), trade.text("targetOrderId")].contains(&id)
    }))
}

/// Returns the orders of an account with a public key, by time.
fn of_account<'state>(
    state: &'state State,
    request: &Request,
) -> Result<Vec<&'state Value>, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let account = state.chain.account(address);
    let has_key = account.is_some_and(|account| !account.text("publicKey").is_empty());
    refuse_if(!has_key, ApiError::ADDRESS_UNKNOWN)?;
    let orders = &state.chain.orders;
    Ok(orders.matching(|order| order.text("creator") == address))
}

/// Returns the orders of an account. `includeClosed` and `includeFulfilled` are equality filters, despite their names.
fn orders_of_account(state: &State, request: &Request) -> Result<Body, Refusal> {
    let mut orders = of_account(state, request)?;
    orders.retain(|order| order.flag("isClosed") == request.flag("includeClosed"));
    orders.retain(|order| order.flag("isFulfilled") == request.flag("includeFulfilled"));
    Paging::of(request)?.list(orders)
}

fn orders_of_account_and_pair(state: &State, request: &Request) -> Result<Body, Refusal> {
    let mut orders = of_account(state, request)?;
    let have = asset_in_path(state, request, "assetid")?;
    let want = asset_in_path(state, request, "otherassetid")?;
    let (closed, fulfilled) = (
        request.optional_flag("isClosed"),
        request.optional_flag("isFulfilled"),
    );
    orders.retain(|order| is_pair(order, have, want));
    orders.retain(|order| fits(closed, order.flag("isClosed")));
    orders.retain(|order| fits(fulfilled, order.flag("isFulfilled")));
    Paging::of(request)?.list(orders)
}

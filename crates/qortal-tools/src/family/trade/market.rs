//! The price of QORT: a summary of all coins, and the node's mean price in one coin.

use std::num::NonZeroU32;

use futures_util::future::join_all;
use qortal_client::{
    NodeError, NodeErrorKind, PageRequest,
    api::crosschain::{CompletedTrade, PriceOf, Trade, TradeFilter},
};
use qortal_types::{Address, Amount, Blockchain, Timestamp};
use tool_schema::CappedInt;

use super::{
    Coin,
    candles::{PriceOf as Priced, Prices},
    is_online, sum, symbol,
};
use crate::declare::{Context, Flat, Reply, Tool, ToolError, count};

const DAY_MILLIS: i64 = 86_400_000;
/// Number of days searched for the last trade of a coin. Without a bound, the Core reads all trades.
const LOOK_BACK_DAYS: i64 = 7;

params! { pub(super) struct GetMarketOverview; }

record! {
    pub(super) struct MarketOverview {
        /// One for each coin.
        coins: Vec<CoinMarket>
    }

    pub(super) struct CoinMarket {
        /// The foreign coin.
        coin: Flat<Coin>,
        /// The last price: foreign coin for one QORT. Absent without trades within seven days.
        last_price: Option<Amount>,
        /// The time of the last trade.
        last_traded: Option<Timestamp>,
        /// Trades of the last 24 hours.
        trades24h: Option<u32>,
        /// QORT sold in them.
        volume_qort24h: Option<Amount>,
        /// The foreign coin paid in them.
        volume_foreign24h: Option<Amount>,
        /// The lowest price of an online seller: foreign coin for one QORT. Absent if no seller is online.
        best_ask: Option<Amount>,
        /// The oldest such offer at the price.
        best_ask_at_address: Option<Address>,
        /// The lowest price of any seller, online or not: foreign coin for one QORT. Absent without offers.
        lowest_ask: Option<Amount>,
        /// Open offers.
        open_offers: u32,
        /// QORT in them.
        offered_qort: Amount,
        /// Whether this coin is enabled on the node.
        coin_enabled: Option<bool>,
        /// Connected servers of the coin.
        connected_servers: Option<u32>
    }
}

impl Tool for GetMarketOverview {
    const NAME: &str = "get_market_overview";
    const TITLE: &str = "Market overview";
    const DESCRIPTION: &str = "What QORT is worth: last price, best ask, volume and offers for each coin. All offers of one: get_trade_order_book.";
    const KEYWORDS: &str = "price, market, qort worth, what costs qort, cost qort, volume, exchange rate, market cap, ticker, trade portal, coin";
    type Output = Reply<MarketOverview>;

    /// Sends fourteen requests: all offers, the clock, and for each coin its status and recent trades.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let statuses = join_all(Blockchain::ALL.iter().map(|it| cx.node.coin_status(it)));
        let trades = async {
            let now = cx.part("Trades and who is online are", cx.node.network_time().await)?;
            // Begins at midnight, so that all calls of one day send the same request.
            let midnight = now.millis() - now.millis().rem_euclid(DAY_MILLIS);
            let since = Timestamp::from_millis(midnight - LOOK_BACK_DAYS * DAY_MILLIS);
            let trades = Blockchain::ALL.iter().map(|it| async move {
                let filter = TradeFilter::default().with_blockchain(it.clone());
                cx.node.all_trades(&filter.with_since(since)).await
            });
            Some((now, join_all(trades).await))
        };
        let (offers, statuses, trades) =
            tokio::join!(cx.node.all_trade_offers(None), statuses, trades);
        let offers = offers?;
        let (now, trades) = trades.unzip();
        let mut trades = trades.into_iter().flatten();
        let coins = Blockchain::ALL
            .iter()
            .zip(statuses)
            .map(|(blockchain, status)| {
                let symbol = symbol(blockchain);
                let status = cx.part(&format!("The state of {symbol} is"), status);
                let trades = trades.next();
                let trades =
                    trades.and_then(|it| cx.part(&format!("The trades of {symbol} are"), it));
                let of_coin = offers
                    .iter()
                    .filter(|it| it.foreign_blockchain == *blockchain);
                CoinMarket {
                    coin_enabled: status.as_ref().map(|it| it.enabled),
                    connected_servers: status.as_ref().map(|it| it.connected_servers),
                    ..coin_market(
                        blockchain,
                        &of_coin.collect::<Vec<_>>(),
                        trades.as_deref(),
                        now,
                    )
                }
            });
        let coins = coins.collect();
        Ok(Reply::new(MarketOverview { coins })
        .note(format!(
            "Prices are for one QORT. Trades older than {LOOK_BACK_DAYS} days are not considered; get_price_history goes further back."
        )))
    }
}

/// Summarizes a coin. `trades` are the trades of the period, with the time.
fn coin_market(
    blockchain: &Blockchain,
    offers: &[&Trade],
    trades: Option<&[CompletedTrade]>,
    now: Option<Timestamp>,
) -> CoinMarket {
    let last = trades.and_then(|it| it.iter().max_by_key(|it| it.trade_timestamp));
    let recent = trades
        .zip(now)
        .map(|(trades, now)| -> Vec<&CompletedTrade> {
            let yesterday = Timestamp::from_millis(now.millis() - DAY_MILLIS);
            let trades = trades.iter();
            trades.filter(|it| it.trade_timestamp > yesterday).collect()
        });
    let recent = recent.as_ref();
    let price = |it: &Trade| it.expected_foreign_amount.checked_price_of(it.qort_amount);
    let online = offers
        .iter()
        .filter(|it| now.is_some_and(|now| is_online(it.creator_presence_expiry, now)));
    // Among equal prices, the first is the oldest offer.
    let best = online
        .filter_map(|it| Some((price(it)?, it.qortal_at_address)))
        .min_by_key(|(price, _)| *price);
    CoinMarket {
        coin: Flat(Coin::of(blockchain)),
        last_price: last.and_then(|it| it.foreign_amount.checked_price_of(it.qort_amount)),
        last_traded: last.map(|it| it.trade_timestamp),
        trades24h: recent.map(|it| count(it.len())),
        volume_qort24h: recent.map(|it| sum(it.iter().map(|it| it.qort_amount))),
        volume_foreign24h: recent.map(|it| sum(it.iter().map(|it| it.foreign_amount))),
        best_ask: best.map(|(price, _)| price),
        best_ask_at_address: best.map(|(_, at_address)| at_address),
        lowest_ask: offers.iter().filter_map(|it| price(it)).min(),
        open_offers: count(offers.len()),
        offered_qort: sum(offers.iter().map(|it| it.qort_amount)),
        coin_enabled: None,
        connected_servers: None,
    }
}

params! {
    pub(super) struct GetTradePrice {
        /// Coin.
        blockchain: Blockchain,
        /// Latest trades to average. 10 if omitted.
        max_trades: Option<CappedInt<1, 1000>>,
        #[flatten]
        prices: Prices
    }
}

record! {
    pub(super) struct TradePrice {
        /// The foreign coin.
        coin: Flat<Coin>,
        /// The mean price of recent trades, in the unit of `unit`.
        price: Amount,
        /// Its unit, such as `QORT for one LTC`.
        unit: String
    }
}

impl Tool for GetTradePrice {
    const NAME: &str = "get_trade_price";
    const TITLE: &str = "Recent price";
    const DESCRIPTION: &str = "Average price of recent trades for one coin. All coins, offers, volume: get_market_overview.";
    const EXAMPLE: &str = r#"{"blockchain":"LITECOIN"}"#;
    const KEYWORDS: &str = "price, average price, qort ltc, qort in coin, qort in bitcoin, qort in litecoin, qort in doge";
    type Output = TradePrice;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let symbol = symbol(&self.blockchain);
        let (of, unit) = match self.prices.of() {
            Priced::Qort => (PriceOf::Qort, format!("{symbol} for one QORT")),
            Priced::Coin => (PriceOf::ForeignCoin, format!("QORT for one {symbol}")),
        };
        let most = self.max_trades.and_then(|it| NonZeroU32::new(it.value()));
        let price = match cx.node.trade_price(&self.blockchain, of, most).await {
            Ok(price) => price,
            Err(err) => return Err(no_price(cx, &self.blockchain, err).await),
        };
        Ok(TradePrice {
            coin: Flat(Coin::of(&self.blockchain)),
            price,
            unit,
        })
    }
}

/// Returns the error for a missing price. The Core divides by zero if nothing was ever traded, which looks like any
/// failure, so a second request decides.
async fn no_price(cx: &Context, blockchain: &Blockchain, err: NodeError) -> ToolError {
    let NodeErrorKind::Refused {
        status: 500,
        code: None,
        ..
    } = err.kind()
    else {
        return err.into();
    };
    let filter = TradeFilter::default().with_blockchain(blockchain.clone());
    match cx.node.trades(&filter, PageRequest::first(1)).await {
        Ok(trades) if trades.is_empty() => ToolError::not_found(
            "No price.",
            format!(
                "Nothing was ever traded for {} on this chain. get_trade_order_book shows the offers, get_market_overview the other coins.",
                symbol(blockchain)
            ),
        ),
        Ok(_) => err.into(),
        Err(other) => other.into(),
    }
}

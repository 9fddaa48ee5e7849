//! Prices over time, as numbers.

use qortal_client::api::crosschain::TradeFilter;
use qortal_types::{Amount, Blockchain, Timestamp};
use tool_schema::CappedInt;

use super::{
    Coin,
    candles::{Candle, Interval, PriceOf, Prices, candles},
    symbol,
};
use crate::declare::{Context, Flat, NextPage, Period, Range, Reply, Rows, Tool, ToolError};

/// Prices below this have few significant digits left in eight decimal places: 0.0001.
const COARSE: Amount = Amount::from_units(10_000);

record! {
    pub(super) struct PriceHistory {
        /// The foreign coin.
        coin: Flat<Coin>,
        /// The unit of prices, such as `LTC for one QORT`.
        unit: String,
        /// The length of a candle: hour, day or week, in UTC.
        interval: &'static str,
        /// The start of the period.
        since: Timestamp,
        /// One for each interval with a trade, the oldest first.
        candles: Rows<Candle>,
        /// Whether there are more.
        remainder: NextPage
    }
}

/// The query for a price history.
pub(super) struct HistoryQuery {
    pub(super) blockchain: Blockchain,
    pub(super) interval: Interval,
    pub(super) of: PriceOf,
    pub(super) period: Period,
    pub(super) limit: u32,
}

/// Requests all trades of the period at once, after a request for the node's clock unless the start is given.
pub(super) async fn history(
    cx: &Context,
    query: HistoryQuery,
) -> Result<Reply<PriceHistory>, ToolError> {
    let HistoryQuery {
        blockchain,
        interval,
        of,
        period: Period { after, before },
        limit,
    } = query;
    let since = match (after, before) {
        (Some(moment), _) => interval.start(moment),
        (None, before) => {
            let now = async {
                match before {
                    // The time is exclusive: it may be the end of the last interval.
                    Some(end) => Ok(Timestamp::from_millis(end.millis().saturating_sub(1))),
                    None => cx.node.network_time().await,
                }
            };
            let current = interval.start(now.await?);
            let earlier = i64::from(limit.saturating_sub(1)) * interval.millis();
            Timestamp::from_millis(current.millis() - earlier)
        }
    };
    let filter = TradeFilter::default()
        .with_blockchain(blockchain.clone())
        .with_since(since);
    let mut trades = cx.node.all_trades(&filter).await?;
    trades.retain(|it| before.is_none_or(|end| it.trade_timestamp < end));
    let mut candles = candles(trades, interval, of);
    let starts: Vec<Timestamp> = candles.iter().map(|it| it.start).collect();
    let truncated = candles.len() > limit as usize;
    candles.truncate(limit as usize);
    let symbol = symbol(&blockchain);
    let unit = match of {
        PriceOf::Qort => format!("{symbol} for one QORT"),
        PriceOf::Coin => format!("QORT for one {symbol}"),
    };
    let mut notes = Vec::new();
    if candles.is_empty() {
        let nothing = nothing_traded(cx);
        notes.push(format!(
            "{nothing} for {symbol} since then. An earlier `after` may show more, get_market_overview shows all coins."
        ));
    } else {
        notes.push(
            "Intervals without trades are left out. Open and close are the first and last trade of the interval."
                .to_owned(),
        );
    }
    if of == PriceOf::Qort && candles.iter().any(|it| it.low < COARSE) {
        notes.push(
            "At 8 places these prices have few digits; with price_of coin they have more."
                .to_owned(),
        );
    }
    let call = cx.next();
    let mut reply = Reply::new(PriceHistory {
        coin: Flat(Coin::of(&blockchain)),
        unit,
        interval: interval.word(),
        since,
        candles: Rows(candles),
        remainder: NextPage::new(truncated, limit, move |shown| {
            let start = starts.get(shown as usize)?.to_string();
            Some(call.with([("after", start.into())]))
        }),
    });
    reply.notes = notes;
    Ok(reply)
}

/// Returns the beginning of a sentence about a period without candles.
pub(super) fn nothing_traded(cx: &Context) -> &'static str {
    match cx.misses_rows() {
        true => "No trade that could be read was made",
        false => "Nothing was traded",
    }
}

params! {
    pub(super) struct GetPriceHistory {
        /// Coin.
        blockchain: Blockchain,
        /// Candle length (UTC).
        interval: Interval = Interval::Day,
        #[flatten]
        range: Range,
        /// Rows.
        limit: CappedInt<1, 200> = CappedInt::from_const(24),
        #[flatten]
        prices: Prices
    }
}

impl Tool for GetPriceHistory {
    const NAME: &str = "get_price_history";
    const TITLE: &str = "Price history";
    const DESCRIPTION: &str = "Open, high, low, close and volume of trades for one coin by hour, day or week. Chart: get_price_chart.";
    const EXAMPLE: &str = r#"{"blockchain":"LITECOIN","interval":"hour"}"#;
    const KEYWORDS: &str = "price history, candle, ohlc, volume, price last week, high, low, trend";
    const TABLE: Option<&str> = Some("candles");
    type Output = Reply<PriceHistory>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        history(
            cx,
            HistoryQuery {
                blockchain: self.blockchain,
                interval: self.interval,
                of: self.prices.of(),
                period: self.range.period(cx).await?,
                limit: self.limit.value(),
            },
        )
        .await
    }
}

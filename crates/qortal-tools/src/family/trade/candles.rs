//! Trades grouped by time: open, high, low, close.

use qortal_client::api::crosschain::CompletedTrade;
use qortal_types::{Amount, Timestamp};
use tool_schema::{ArgumentReader, Params, Property, choice};

use super::sum;
use crate::declare::{Qortal, count};

choice! {
    /// How long a candle is, in UTC.
    pub(super) enum Interval {
        /// An hour.
        Hour = "hour" | "1h",
        /// A day.
        Day = "day" | "1d",
        /// A week, from Monday on.
        Week = "week" | "1w"
    }
}

choice! {
    /// The direction of a price.
    pub(super) enum PriceOf {
        /// The coin's amount for one QORT.
        Qort = "qort",
        /// QORT for one coin.
        Coin = "coin"
    }
}

const HOUR_MILLIS: i64 = 3_600_000;
const DAY_MILLIS: i64 = 24 * HOUR_MILLIS;
/// The first Monday after the beginning of 1970, which was a Thursday.
const FIRST_MONDAY_MILLIS: i64 = 4 * DAY_MILLIS;

impl Interval {
    pub(super) const fn millis(self) -> i64 {
        match self {
            Self::Hour => HOUR_MILLIS,
            Self::Day => DAY_MILLIS,
            Self::Week => 7 * DAY_MILLIS,
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
        }
    }

    /// Returns the beginning of the interval that contains a time.
    pub(super) const fn start(self, moment: Timestamp) -> Timestamp {
        let from = match self {
            Self::Hour | Self::Day => 0,
            Self::Week => FIRST_MONDAY_MILLIS,
        };
        let into = (moment.millis() - from).rem_euclid(self.millis());
        Timestamp::from_millis(moment.millis() - into)
    }
}

/// The parameter `price_of`, which is QORT by default.
///
/// The earlier parameter `inverse` is accepted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices(PriceOf);

impl Prices {
    pub(super) const fn of(self) -> PriceOf {
        self.0
    }
}

impl Params for Prices {
    fn properties() -> Vec<Property> {
        vec![Property::parameter::<_, Qortal>(
            PRICE_OF,
            "Of QORT in the coin, or the reverse.",
            Some(&PriceOf::Qort),
        )]
    }

    fn take(arguments: &mut ArgumentReader<'_>) -> Option<Self> {
        arguments.alias("inverse", PRICE_OF, |sent| {
            let inverse = match sent.as_str() {
                Some(text) => text.trim().to_ascii_lowercase().parse().ok()?,
                None => sent.as_bool()?,
            };
            Some(if inverse { "qort" } else { "coin" }.into())
        });
        arguments
            .take::<_, Qortal>(PRICE_OF, Some(PriceOf::Qort))
            .map(Self)
    }
}

const PRICE_OF: &str = "price_of";

impl PriceOf {
    fn price(self, trade: &CompletedTrade) -> Option<Amount> {
        match self {
            Self::Qort => trade.foreign_amount.checked_price_of(trade.qort_amount),
            Self::Coin => trade.qort_amount.checked_price_of(trade.foreign_amount),
        }
    }
}

record! {
    pub(super) struct Candle {
        /// The start of the interval.
        start: Timestamp,
        /// The first price, in the unit of `unit`.
        open: Amount,
        /// The highest price, in the unit of `unit`.
        high: Amount,
        /// The lowest price, in the unit of `unit`.
        low: Amount,
        /// The last price, in the unit of `unit`.
        close: Amount,
        /// QORT sold.
        volume_qort: Amount,
        /// The foreign coin paid.
        volume_foreign: Amount,
        /// Trades.
        trades: u32
    }
}

/// Returns one candle for each interval with a trade, the oldest first.
pub(super) fn candles(
    mut trades: Vec<CompletedTrade>,
    interval: Interval,
    of: PriceOf,
) -> Vec<Candle> {
    trades.sort_by_cached_key(|it| it.trade_timestamp);
    trades
        .chunk_by(|a, b| interval.start(a.trade_timestamp) == interval.start(b.trade_timestamp))
        .filter_map(|trades| {
            let first = trades.first()?;
            let prices: Vec<Amount> = trades.iter().filter_map(|it| of.price(it)).collect();
            Some(Candle {
                start: interval.start(first.trade_timestamp),
                open: *prices.first()?,
                high: prices.iter().copied().max()?,
                low: prices.iter().copied().min()?,
                close: *prices.last()?,
                volume_qort: sum(trades.iter().map(|it| it.qort_amount)),
                volume_foreign: sum(trades.iter().map(|it| it.foreign_amount)),
                trades: count(trades.len()),
            })
        })
        .collect()
}

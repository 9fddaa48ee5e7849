//! The sums of ledgers: amounts received and paid of each coin, the fees and the net amount, in total and by month.

use std::collections::BTreeMap;

use qortal_types::{Amount, Timestamp};
use tool_schema::{JsonWriter, Object, Output, choice};

use crate::{
    declare::{Context, Flat, Qortal},
    support::untrusted::Untrusted,
};

/// Maximum number of month rows. Each takes about 150 bytes. Seven coins for a year fit.
const MOST_MONTHS: usize = 100;

choice! {
    /// The grouping of sums.
    pub(crate) enum SumsBy {
        /// By coin.
        Coin = "coin",
        /// By coin, and by month as well.
        Month = "month",
    }
}

record! {
    pub(crate) struct CoinTotal {
        /// The coin or asset.
        coin: CoinName,
        /// The amount of the coin received.
        received: Amount,
        /// The amount of the coin paid, without fees.
        paid: Amount,
        /// The fees it paid in this coin.
        fees: Amount,
        /// Received minus paid minus fees, in units of the coin.
        net: Amount,
        /// The number of summed rows.
        rows: u32
    }

    pub(crate) struct MonthTotal {
        /// The month (UTC) of the times of the rows, such as 2026-11.
        month: String,
        /// Its amounts.
        total: Flat<CoinTotal>
    }
}

/// The name of a coin: a symbol, or the name of an asset, which is untrusted text.
#[derive(Debug, Clone)]
pub(crate) enum CoinName {
    Symbol(String),
    Asset(Untrusted),
}

impl Output<Qortal> for CoinName {
    fn schema() -> Object {
        <String as Output<Qortal>>::schema()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        match self {
            Self::Symbol(symbol) => Output::<Qortal>::write(symbol, member, json),
            Self::Asset(name) => Output::<Qortal>::write(name, member, json),
        }
    }
}

/// Amounts of one coin in one row.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moved {
    pub(crate) received: Amount,
    pub(crate) paid: Amount,
    pub(crate) fees: Amount,
}

impl Moved {
    /// Creates the record of an amount that was received, or paid if it is negative.
    pub(crate) fn of(amount: Amount) -> Self {
        if amount < Amount::ZERO {
            let paid = Amount::from_units(amount.units().saturating_neg());
            return Self {
                paid,
                ..Self::default()
            };
        }
        Self {
            received: amount,
            ..Self::default()
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    moved: Moved,
    rows: u32,
}

impl Sum {
    fn add(&mut self, it: Moved, rows: u32) {
        let sum = &mut self.moved;
        sum.received = plus(sum.received, it.received);
        sum.paid = plus(sum.paid, it.paid);
        sum.fees = plus(sum.fees, it.fees);
        self.rows = self.rows.saturating_add(rows);
    }

    fn total(self, coin: CoinName) -> CoinTotal {
        let Moved {
            received,
            paid,
            fees,
        } = self.moved;
        CoinTotal {
            coin,
            received,
            paid,
            fees,
            net: minus(minus(received, paid), fees),
            rows: self.rows,
        }
    }
}

/// Adds two amounts and saturates at the largest amount, which exceeds the supply of any coin.
fn plus(sum: Amount, amount: Amount) -> Amount {
    sum.checked_add(amount).unwrap_or(Amount::MAX)
}

fn minus(sum: Amount, amount: Amount) -> Amount {
    sum.checked_sub(amount).unwrap_or(Amount::MIN)
}

/// Sums by month and coin.
#[derive(Debug)]
pub(crate) struct Sums<K>(BTreeMap<(String, K), Sum>);

impl<K> Default for Sums<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Clone> Sums<K> {
    /// Adds the amounts of one coin in one row.
    pub(crate) fn add(&mut self, time: Timestamp, coin: K, moved: Moved) {
        self.0.entry((month(time), coin)).or_default().add(moved, 1);
    }

    /// Returns all coins in the order of their keys.
    pub(crate) fn coins(&self, name: impl Fn(&K) -> CoinName) -> Vec<CoinTotal> {
        let mut coins = BTreeMap::<&K, Sum>::new();
        for ((_, coin), it) in &self.0 {
            coins.entry(coin).or_default().add(it.moved, it.rows);
        }
        let coins = coins.into_iter();
        coins.map(|(coin, sum)| sum.total(name(coin))).collect()
    }

    /// Returns the coins of each month, newest first, if requested.
    pub(crate) fn months(
        &self,
        cx: &Context,
        by: SumsBy,
        name: impl Fn(&K) -> CoinName,
    ) -> Option<Vec<MonthTotal>> {
        if by == SumsBy::Coin {
            return None;
        }
        if self.0.len() > MOST_MONTHS {
            cx.note(format!("Months has the latest {MOST_MONTHS} of {} rows. Request a year at a time with `after` and `before` for the others.", self.0.len()));
        }
        let mut months: Vec<_> = self.0.iter().collect();
        months.sort_by(|((one, _), _), ((other, _), _)| other.cmp(one));
        let months = months.into_iter().take(MOST_MONTHS);
        let months = months.map(|((month, coin), sum)| MonthTotal {
            month: month.clone(),
            total: Flat(sum.total(name(coin))),
        });
        Some(months.collect())
    }
}

/// Returns the year and the month in ISO 8601.
fn month(time: Timestamp) -> String {
    let text = time.to_string();
    let date = text
        .split_once('T')
        .and_then(|(date, _)| date.rsplit_once('-'));
    date.map_or_else(|| text.clone(), |(month, _)| month.to_owned())
}

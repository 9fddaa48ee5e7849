//! All trades of one key, for tax declarations.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use qortal_client::api::crosschain::{CompletedTrade, TradeFilter};
use qortal_types::{Address, Amount, Blockchain, Timestamp};

use super::symbol;
use crate::declare::{
    Account, AccountRef, Context, Cursor, File, Order, Page, Paging, Range, Tool, ToolError,
};

/// Rows of one answer. The node sends all of them at once; this many are about a megabyte of CSV.
const MOST_ROWS: u32 = 10_000;
const QORT: &str = "QORT";

params! {
    pub(super) struct GetTradeLedger {
        /// Whose trades.
        address: AccountRef,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<40, MOST_ROWS>,
        #[flatten]
        order: Order
    }
}

record! {
    pub(super) struct TradeLedger {
        /// The account's address.
        address: Account,
        /// What was traded in the range, by coin, on all pages.
        totals: Vec<CoinTotal>,
        /// The rows, in this order.
        rows: Page<LedgerRow, u32>
    }

    pub(super) struct CoinTotal {
        /// The coin.
        coin: String,
        /// How much the account received, in units of this coin.
        received: Amount,
        /// How much it gave, in units of this coin.
        paid: Amount
    }

    pub(super) struct LedgerRow {
        /// The same as timestampIso, to the minute.
        date_time: String,
        /// What the account received.
        received: String,
        /// How much of that, in units of this coin.
        received_amount: Amount,
        /// What the account gave.
        paid: String,
        /// How much of that, in units of this coin.
        paid_amount: Amount,
        /// When the trade was completed.
        timestamp: Timestamp,
        /// Identifies the trade.
        at_address: Address
    }
}

impl Tool for GetTradeLedger {
    const NAME: &str = "get_trade_ledger";
    const TITLE: &str = "Account trade ledger";
    const DESCRIPTION: &str = "All completed trades of one account, for taxes. Can be slow. Everyone's: list_completed_trades.";
    const EXAMPLE: &str = r#"{"address":"rita-trades"}"#;
    const KEYWORDS: &str = "tax, tax report, profit of trades, gain, loss, export trade, csv, bookkeeping, my trade, ledger";
    const TABLE: Option<&str> = Some("rows");
    const FILES: &[File] = &[File::csv("qortal://ledger/{address}.csv")];
    type Output = TradeLedger;

    /// Not by the Core's own ledger, `/crosschain/ledger`, which has the same trades to the minute and without their addresses, and fails
    /// where a coin's wallet is disabled. One request for each coin and role, as the rows of the node do not name them.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let keyed = cx.public_key("address", self.address).await?;
        let period = self.range.period(cx).await?;
        let filter = TradeFilter::default().with_since(period.after);
        let sold = filter.clone().with_seller(Some(keyed.key));
        let bought = filter.with_buyer(Some(keyed.key));
        let asked = Blockchain::ALL.iter().map(|coin| {
            let of_coin = |filter: &TradeFilter| filter.clone().with_blockchain(coin.clone());
            let (sold, bought) = (of_coin(&sold), of_coin(&bought));
            async move {
                let (sold, bought) =
                    tokio::try_join!(cx.node.all_trades(&sold), cx.node.all_trades(&bought))?;
                let coin = symbol(coin);
                let sold = sold.into_iter().map(|it| LedgerRow::sold(it, &coin));
                let bought = bought.into_iter().map(|it| LedgerRow::bought(it, &coin));
                Ok::<Vec<_>, ToolError>(sold.chain(bought).collect())
            }
        });
        let mut rows: Vec<_> = try_join_all(asked).await?.into_iter().flatten().collect();
        rows.retain(|it| period.has(it.timestamp));
        rows.sort_by_cached_key(|it| (it.timestamp, it.at_address, it.received == QORT));
        let totals = totals(&rows);
        let (rows, newest_first) = (self.order.of(rows), self.order.is_newest_first());
        let by_time = Cursor::by_time(newest_first, |it: &LedgerRow| Some(it.timestamp));
        let mut rows = self.page.of_whole(cx, by_time, rows);
        rows.remainder.truncated |= cx.rows_left_out() > 0;
        Ok(TradeLedger {
            address: keyed.account,
            totals,
            rows,
        })
    }
}

fn totals(rows: &[LedgerRow]) -> Vec<CoinTotal> {
    let mut totals = BTreeMap::<&str, (Amount, Amount)>::new();
    let add = |sum: Amount, it| sum.checked_add(it).unwrap_or(Amount::MAX);
    for row in rows {
        let received = totals.entry(&row.received).or_default();
        received.0 = add(received.0, row.received_amount);
        let paid = totals.entry(&row.paid).or_default();
        paid.1 = add(paid.1, row.paid_amount);
    }
    let totals = totals.into_iter();
    let totals = totals.map(|(coin, (received, paid))| CoinTotal {
        coin: coin.to_owned(),
        received,
        paid,
    });
    totals.collect()
}

impl LedgerRow {
    fn sold(trade: CompletedTrade, coin: &str) -> Self {
        let received = (coin, trade.foreign_amount);
        Self::of(
            trade.trade_timestamp,
            trade.at_address,
            received,
            (QORT, trade.qort_amount),
        )
    }

    fn bought(trade: CompletedTrade, coin: &str) -> Self {
        let paid = (coin, trade.foreign_amount);
        Self::of(
            trade.trade_timestamp,
            trade.at_address,
            (QORT, trade.qort_amount),
            paid,
        )
    }

    fn of(
        timestamp: Timestamp,
        at_address: Address,
        (received, received_amount): (&str, Amount),
        (paid, paid_amount): (&str, Amount),
    ) -> Self {
        Self {
            date_time: to_the_minute(timestamp),
            received: received.to_owned(),
            received_amount,
            paid: paid.to_owned(),
            paid_amount,
            timestamp,
            at_address,
        }
    }
}

/// `2026-11-20T23:35Z`, as the Core's ledger has it.
fn to_the_minute(timestamp: Timestamp) -> String {
    let text = timestamp.to_string();
    match text.rsplit_once(':') {
        Some((minute, _)) => format!("{minute}Z"),
        None => text,
    }
}

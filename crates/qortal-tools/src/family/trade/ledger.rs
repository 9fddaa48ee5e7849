//! All trades of one key, for tax declarations.

use qortal_client::{ApiError, NodeErrorKind};
use qortal_types::{Amount, Timestamp};

use crate::declare::{
    Account, AccountRef, Context, Order, Paged, Paging, Range, Reply, Tool, ToolError,
};

/// Rows of one answer. The node sends all of them at once; this many are about a megabyte of CSV.
const MOST_ROWS: u32 = 10_000;

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
        /// The rows, in this order.
        rows: Paged<LedgerRow, u32>
    }

    pub(super) struct LedgerRow {
        /// When the trade was completed, to the minute, UTC.
        date_time: String,
        /// What the account received.
        received: String,
        /// How much of that, in units of this coin.
        received_amount: Amount,
        /// What the account gave.
        paid: String,
        /// How much of that, in units of this coin.
        paid_amount: Amount
    }
}

impl Tool for GetTradeLedger {
    const NAME: &str = "get_trade_ledger";
    const TITLE: &str = "Trade ledger of one account";
    const DESCRIPTION: &str = "All completed trades of one account, for taxes. Can be slow. Everyone's: list_completed_trades.";
    const EXAMPLE: &str = r#"{"address":"rita-trades"}"#;
    const KEYWORDS: &str = "tax, tax report, export trade, csv, bookkeeping, my trade, ledger";
    const TABLE: Option<&str> = Some("rows");
    type Output = Reply<TradeLedger>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let keyed = cx.public_key("address", self.address).await?;
        let period = self.range.period(cx).await?;
        let csv = cx.node.trade_ledger(&keyed.key, period.after).await;
        let csv = csv.map_err(|err| match err.kind() {
            // The Core's answer where a coin wallet is disabled.
            NodeErrorKind::Refused { status: 500, code: None | Some(ApiError::FOREIGN_BLOCKCHAIN_NETWORK_ISSUE), .. } => {
                ToolError::not_found(
                    "No ledger.",
                    "This node failed to make one; a known cause is a coin wallet that is not enabled there. list_completed_trades returns the same trades with `seller` and with `buyer`.",
                )
            }
            _ => err.into(),
        })?;
        let mut rows = Vec::new();
        let mut unreadable = 0_u32;
        for line in csv.lines().skip(1).filter(|it| !it.trim().is_empty()) {
            match row(line) {
                Some(row) if period.before.is_some_and(|end| minute(&row) >= end) => {}
                Some(row) => rows.push(row),
                None => unreadable += 1,
            }
        }
        let (rows, newest_first) = (self.order.of(rows), self.order.is_newest_first());
        let mut rows = self.page.by_time(cx, rows, newest_first, minute);
        rows.remainder.truncated |= unreadable > 0;
        let reply = Reply::new(TradeLedger {
            address: keyed.account,
            rows,
        });
        Ok(reply.note_if(unreadable > 0, format!(
                "{unreadable} rows of the node's ledger cannot be read and are left out, on this page or another. list_completed_trades shows all trades."
            )))
    }
}

/// One line of the Core's CSV: Market, Currency, Quantity, Commission Paid, Commission Currency, Total Price,
/// Date Time, Exchange. Market is what was bought, currency what it was paid with; a commission is always zero.
fn row(line: &str) -> Option<LedgerRow> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let [market, currency, quantity, _, _, price, date_time, _] = fields.as_slice() else {
        return None;
    };
    Some(LedgerRow {
        date_time: iso(date_time)?,
        received: (*market).to_owned(),
        received_amount: quantity.parse().ok()?,
        paid: (*currency).to_owned(),
        paid_amount: price.parse().ok()?,
    })
}

/// When a trade was completed, to the minute.
fn minute(row: &LedgerRow) -> Timestamp {
    row.date_time.parse().unwrap_or(Timestamp::from_millis(0))
}

/// `20261120 23:35` as `2026-11-20T23:35Z`.
fn iso(date_time: &str) -> Option<String> {
    let (date, time) = date_time.split_once(' ')?;
    let (year, month, day) = (date.get(..4)?, date.get(4..6)?, date.get(6..)?);
    Some(format!("{year}-{month}-{day}T{time}Z"))
}

//! All trades of one key, for tax declarations.

use std::collections::HashMap;

use futures_util::future::try_join_all;
use qortal_client::{
    PageRequest,
    api::{
        crosschain::{CompletedTrade, TradeFilter},
        transactions::{Transaction, TransactionFilter},
    },
};
use qortal_types::{Address, Amount, Blockchain, Timestamp, TransactionType};

use super::symbol;
use crate::{
    declare::{
        Account, AccountRef, Context, Cursor, File, Order, Page, Paging, Range, Reply, Tool,
        ToolError, TransactionId,
    },
    support::{
        primary_names::{Person, PrimaryNames},
        sums::{CoinName, CoinTotal, MonthTotal, Moved, Sums, SumsBy},
    },
};

/// Maximum number of rows in one answer. The node sends all of them at once. This many are about a megabyte of CSV.
const MOST_ROWS: u32 = 10_000;

/// Maximum number of offers, and of payouts, whose transactions are read. An offer has about 2.5 kB.
const MOST_READ: u32 = 2_000;

const QORT: &str = "QORT";

params! {
    pub(super) struct GetTradeLedger {
        /// Account.
        address: AccountRef,
        #[flatten]
        range: Range,
        /// month also sums by month.
        totals: SumsBy = SumsBy::Coin,
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
        /// The sums of all rows in the range, on all pages. QORT is the first.
        totals: Vec<CoinTotal>,
        /// The same by month, the latest first.
        months: Option<Vec<MonthTotal>>,
        /// The rows, in this order.
        rows: Page<LedgerRow, u32>
    }

    pub(super) struct LedgerRow from(it: Line, names: &PrimaryNames) {
        /// The same as timestampIso, to the minute.
        date_time: String = to_the_minute(it.trade.trade_timestamp),
        /// The received coin.
        received: String = it.received().0.to_owned(),
        /// The amount, in units of this coin.
        received_amount: Amount = it.received().1,
        /// The paid coin.
        paid: String = it.paid().0.to_owned(),
        /// The amount, in units of this coin.
        paid_amount: Amount = it.paid().1,
        /// The account's fee in QORT: for a sale the offer's fee. A purchase costs the account none.
        fee: Option<Amount> = it.fee,
        /// For a sale the receiver of the QORT, for a purchase the seller.
        counterparty: Person = names.person(it.counterparty()),
        /// The time of the trade's completion.
        timestamp: Timestamp = it.trade.trade_timestamp,
        /// For a sale the offer's transaction, for a purchase the payout.
        transaction: Option<TransactionId> = it.transaction,
        /// Identifies the trade.
        at_address: Address = it.trade.at_address
    }
}

/// One side of a trade.
struct Line {
    trade: CompletedTrade,
    /// The symbol of the coin.
    coin: String,
    is_sale: bool,
    fee: Option<Amount>,
    transaction: Option<TransactionId>,
}

impl Line {
    fn of(trade: CompletedTrade, coin: &str, is_sale: bool) -> Self {
        Self {
            trade,
            coin: coin.to_owned(),
            is_sale,
            fee: (!is_sale).then_some(Amount::ZERO),
            transaction: None,
        }
    }

    fn received(&self) -> (&str, Amount) {
        match self.is_sale {
            true => (&self.coin, self.trade.foreign_amount),
            false => (QORT, self.trade.qort_amount),
        }
    }

    fn paid(&self) -> (&str, Amount) {
        match self.is_sale {
            true => (QORT, self.trade.qort_amount),
            false => (&self.coin, self.trade.foreign_amount),
        }
    }

    const fn counterparty(&self) -> Address {
        match self.is_sale {
            true => self.trade.buyer_receiving_address,
            false => self.trade.seller_address,
        }
    }

    /// Adds its amounts and its fee to the sums. The keys put QORT first.
    fn add_to(&self, sums: &mut Sums<(bool, String)>) {
        let (received, paid) = (self.received(), self.paid());
        let mut add = |coin: &str, moved: Moved| {
            let fees = match coin {
                QORT => self.fee.unwrap_or(Amount::ZERO),
                _ => Amount::ZERO,
            };
            let key = (coin != QORT, coin.to_owned());
            sums.add(self.trade.trade_timestamp, key, Moved { fees, ..moved });
        };
        add(
            received.0,
            Moved {
                received: received.1,
                ..Moved::default()
            },
        );
        add(
            paid.0,
            Moved {
                paid: paid.1,
                ..Moved::default()
            },
        );
    }
}

impl Tool for GetTradeLedger {
    const NAME: &str = "get_trade_ledger";
    const TITLE: &str = "Account trade ledger";
    const DESCRIPTION: &str = "All completed trades of one account, for taxes, with sums. Can be slow. Everyone's: list_completed_trades.";
    const EXAMPLE: &str = r#"{"address":"rita-trades"}"#;
    const KEYWORDS: &str = "tax, tax report, export trade, csv, bookkeeping, my trade, ledger, sum of trades, profit of trades, gain, loss, traded in all";
    const TABLE: Option<&str> = Some("rows");
    const FILES: &[File] = &[File::csv("qortal://ledger/{address}.csv")];
    type Output = Reply<TradeLedger>;

    /// Sends one request for each coin and role, because the node's rows do not name them. The Core's own ledger,
    /// `/crosschain/ledger`, is not used: it has the same trades with times to the minute and without addresses, and it
    /// fails if a coin's wallet is disabled.
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
                let sold = sold.into_iter().map(|it| Line::of(it, &coin, true));
                let bought = bought.into_iter().map(|it| Line::of(it, &coin, false));
                Ok::<Vec<_>, ToolError>(sold.chain(bought).collect())
            }
        });
        let mut rows: Vec<_> = try_join_all(asked).await?.into_iter().flatten().collect();
        let rows_left_out = cx.rows_left_out();
        rows.retain(|it| period.has(it.trade.trade_timestamp));
        rows.sort_by_cached_key(|it| (it.trade.trade_timestamp, it.trade.at_address, !it.is_sale));
        add_transactions(cx, keyed.account.address, &mut rows).await;
        let mut sums = Sums::default();
        rows.iter().for_each(|it| it.add_to(&mut sums));
        let coin = |(_, coin): &(bool, String)| CoinName::Symbol(coin.clone());
        let unknown = rows.iter().filter(|it| it.fee.is_none()).count();
        let (rows, newest_first) = (self.order.of(rows), self.order.is_newest_first());
        let by_time = Cursor::Pinned(newest_first, |it: &Line| Some(it.trade.trade_timestamp));
        let mut rows = self.page.of_whole(cx, by_time, rows);
        rows.remainder.truncated |= rows_left_out > 0;
        let names = PrimaryNames::of(cx, rows.items.iter().map(Line::counterparty)).await;
        let reply = Reply::new(TradeLedger {
            address: keyed.account,
            totals: sums.coins(coin),
            months: sums.months(cx, self.totals, coin),
            rows: rows.map(|it| LedgerRow::of(it, &names)),
        });
        Ok(reply.note_if(unknown > 0, format!("The fees of some sales are not in the sums ({unknown}): their offers are not among the latest {MOST_READ} of the account that the node returned.")))
    }
}

/// Adds the transactions of an account that belong to its trades, with a request for each role in which it traded.
async fn add_transactions(cx: &Context, address: Address, rows: &mut [Line]) {
    const TRANSACTIONS: &str = "The transactions and fees of trades are";
    let of_type = |it| {
        let of_type = TransactionFilter::default().with_types([it]);
        of_type.with_address(address)
    };
    let (offers, payouts) = (
        of_type(TransactionType::DeployAt),
        of_type(TransactionType::At),
    );
    let read = async |filter: &TransactionFilter, is_needed: bool| {
        if !is_needed {
            return Vec::new();
        }
        let latest = PageRequest::last(MOST_READ);
        let found = cx.node.search_transactions(filter, latest).await;
        cx.part(TRANSACTIONS, found).unwrap_or_default()
    };
    let (offers, payouts) = tokio::join!(
        read(&offers, rows.iter().any(|it| it.is_sale)),
        read(&payouts, rows.iter().any(|it| !it.is_sale)),
    );
    let (offers, payouts) = (
        by_trade(&offers, "aTAddress"),
        by_trade(&payouts, "atAddress"),
    );
    for row in rows {
        let known = if row.is_sale { &offers } else { &payouts };
        let known = known.get(row.trade.at_address.as_str());
        let Some(known) = known else { continue };
        // In a trade with oneself, the rest comes back as another payout.
        let is_payout = |it: &&&Transaction| it.amount() == Some(row.trade.qort_amount);
        let first = known.first();
        let found = known.iter().find(is_payout).filter(|_| !row.is_sale);
        if let Some(found) = found.or(first) {
            row.transaction = Some(TransactionId::from(*found));
            if row.is_sale {
                row.fee = found.fee;
            }
        }
    }
}

/// Groups transactions by the address of their trade, which this field contains.
fn by_trade<'a>(
    transactions: &'a [Transaction],
    field: &str,
) -> HashMap<&'a str, Vec<&'a Transaction>> {
    let mut trades = HashMap::<&str, Vec<&Transaction>>::new();
    for it in transactions {
        if let Some(trade) = it.detail(field) {
            trades.entry(trade).or_default().push(it);
        }
    }
    trades
}

/// Formats a time as `2026-11-20T23:35Z`, like the Core's ledger.
fn to_the_minute(timestamp: Timestamp) -> String {
    let text = timestamp.to_string();
    match text.rsplit_once(':') {
        Some((minute, _)) => format!("{minute}Z"),
        None => text,
    }
}

//! The receipts and payments of an account in bookkeeping form.

use std::collections::BTreeMap;

use qortal_client::{
    NodeError, NodeErrorKind, PageRequest,
    api::transactions::{Transaction, TransactionFilter},
};
use qortal_types::{Address, AddressKind, Amount, AssetId, Height, Timestamp, TransactionType};

use super::{
    moves::{Move, moves},
    orders::AssetOrders,
};
use crate::{
    declare::{
        Account, AccountRef, Blocks, Context, Cursor, File, Order, Page, Paging, Range, Reply,
        Tool, ToolError, TransactionId, rest,
    },
    support::{
        asset_names::AssetNames,
        primary_names::{Person, PrimaryNames},
        sums::{CoinName, CoinTotal, MonthTotal, Moved, Sums, SumsBy},
        untrusted::Untrusted,
    },
};

/// Maximum number of transactions read at once: some megabytes. Few accounts have more.
pub(super) const MOST: u32 = 5_000;

/// Maximum number of rows in one answer. A transaction has one row unless it has several payments.
const MOST_ROWS: u32 = 10_000;

params! {
    pub(super) struct GetAccountLedger {
        /// Account.
        address: AccountRef,
        #[flatten]
        range: Range,
        /// month also sums by month.
        totals: SumsBy = SumsBy::Coin,
        #[flatten]
        page: Paging<20, MOST_ROWS>,
        #[flatten]
        order: Order
    }
}

record! {
    pub(super) struct Ledger {
        /// The account's address.
        address: Account,
        /// QORT it had before the range.
        opening_balance: Option<Amount>,
        /// QORT it had at the end of the range.
        closing_balance: Option<Amount>,
        /// QORT paid by blocks in the range, for minting, as an admin of the minting group and for legacy QORA. No
        /// transaction shows it: it is the balance minus the sum of all transactions. Without a range it is known for
        /// all time, in a range only if the account never had any.
        rewards: Option<Amount>,
        /// The sums of all rows in the range, on all pages, without rewards. QORT is the first.
        totals: Vec<CoinTotal>,
        /// The same by month, the latest first.
        months: Option<Vec<MonthTotal>>,
        /// The rows, in this order.
        rows: Page<LedgerRow, u32>
    }

    pub(super) struct LedgerRow from(it: Line<'_>, names: &PrimaryNames, assets: &AssetNames) {
        /// The time of the transaction.
        timestamp: Timestamp = it.transaction.timestamp,
        /// Its type.
        kind: String = it.transaction.transaction_type.to_string(),
        /// Amount received, or paid if negative, in units of the coin and without the fee. 0 if only a fee was paid.
        amount: Amount = it.moved.as_ref().map_or(Amount::ZERO, |it| it.amount),
        /// The coin or asset of the amount.
        coin: CoinName = coin(it.asset(), assets),
        /// The fee paid by the account, in QORT, on one row of each transaction.
        fee: Amount = it.fee,
        /// The other side.
        counterparty: Option<Person> = it.counterparty().map(|it| names.person(it)),
        /// The block it is in.
        height: Option<Height> = it.transaction.block_height,
        /// The transaction.
        transaction: TransactionId = it.transaction.into(),
        /// The number of the row within its transaction, from 1. Absent for a single row.
        part: Option<u32>
    }
}

/// One movement of one transaction, or its fee alone.
struct Line<'a> {
    transaction: &'a Transaction,
    moved: Option<Move>,
    fee: Amount,
    part: Option<u32>,
}

impl Line<'_> {
    fn counterparty(&self) -> Option<Address> {
        self.moved.as_ref()?.counterparty
    }

    /// Returns the asset of its amount, or QORT if there is only a fee.
    fn asset(&self) -> AssetId {
        self.moved.as_ref().map_or(AssetId::QORT, |it| it.asset)
    }

    /// Adds its amount and its fee to the sums.
    fn add_to(&self, sums: &mut Sums<AssetId>) {
        let time = self.transaction.timestamp;
        let moved = self.moved.as_ref();
        let mut moved = moved.map_or_else(Moved::default, |it| Moved::of(it.amount));
        let fees = Moved {
            fees: self.fee,
            ..Moved::default()
        };
        if self.asset() == AssetId::QORT {
            moved.fees = self.fee;
        } else if self.fee != Amount::ZERO {
            sums.add(time, AssetId::QORT, fees);
        }
        sums.add(time, self.asset(), moved);
    }

    /// Returns its effect on the balance of QORT.
    fn qort(&self) -> Amount {
        let moved = self.moved.as_ref().filter(|it| it.asset == AssetId::QORT);
        let moved = moved.map_or(Amount::ZERO, |it| it.amount);
        moved.checked_sub(self.fee).unwrap_or(Amount::MIN)
    }
}

fn coin(asset: AssetId, assets: &AssetNames) -> CoinName {
    if asset == AssetId::QORT {
        return CoinName::Symbol("QORT".to_owned());
    }
    let name = assets.get(asset).map(str::to_owned);
    CoinName::Asset(Untrusted(name.unwrap_or_else(|| format!("asset {asset}"))))
}

/// Returns the lines of a transaction, and the reason if its effect on the balance is unknown.
fn lines<'a>(
    transaction: &'a Transaction,
    who: &Address,
    orders: Option<&AssetOrders>,
) -> (Vec<Line<'a>>, Option<&'static str>) {
    let all = moves(transaction, who, orders);
    let mut fee = all.fee;
    let mut line = |moved, part| Line {
        transaction,
        moved,
        fee: std::mem::take(&mut fee),
        part,
    };
    let has_parts = all.moves.len() > 1;
    let moves = all.moves.into_iter().zip(1..);
    let moves = moves.map(|(it, part)| line(Some(it), has_parts.then_some(part)));
    let mut lines: Vec<_> = moves.collect();
    if lines.is_empty() && all.fee != Amount::ZERO {
        lines.push(line(None, None));
    }
    (lines, all.unaccounted)
}

impl Tool for GetAccountLedger {
    const NAME: &str = "get_account_ledger";
    const TITLE: &str = "Account ledger";
    const DESCRIPTION: &str = "Amounts an account received and paid, for taxes, with balances and minting rewards. Trades: get_trade_ledger.";
    const EXAMPLE: &str = r#"{"address":"victor","before":"2026-11-21"}"#;
    const KEYWORDS: &str = "total fees, fees paid, fees of account, sum of fees, tax, tax report, bookkeeping, ledger, account statement, income, minting income, what did minting bring, earned, earnings, rewards received, opening balance, closing balance, balance on a date, balance at end of year, export payments, csv";
    const TABLE: Option<&str> = Some("rows");
    const FILES: &[File] = &[File::csv("qortal://account/{address}/ledger.csv")];
    type Output = Reply<Ledger>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let account = cx.account("address", self.address).await?;
        let address = account.address;
        if address.kind() == AddressKind::At {
            return Err(ToolError::argument(
                "address",
                "Not an account.",
                "is an automated transaction, which pays for its steps without transactions, so that there is no ledger of it",
                "an account, or for the automated transaction the tool get_at",
            ));
        }
        let newest = self.order.is_newest_first();
        let range = self.range.settled_blocks(cx, newest).await?;
        let all = TransactionFilter::default().with_address(address);
        let (balance, whole) =
            tokio::try_join!(cx.node.balance(&address, AssetId::QORT), read(cx, &all),)?;
        let is_whole = whole.is_some();
        let (transactions, blocks, border) = match whole {
            Some(whole) => (whole, range, None),
            None => part(cx, &all, range, newest).await?,
        };
        let ends = !self.range.has_end() && (newest || border.is_none());
        let orders = all.with_types([TransactionType::CreateAssetOrder]);
        let of_all_blocks;
        let own = if is_whole {
            Some(transactions.as_slice())
        } else {
            of_all_blocks = read(cx, &orders).await?;
            of_all_blocks.as_deref()
        };
        let orders = match own {
            Some(own) => AssetOrders::of(cx, own).await,
            None => Ok(None),
        };
        let orders = cx.part("Trades of assets are", orders).flatten();
        let (mut rows, mut unaccounted) = (Vec::new(), BTreeMap::new());
        let (mut before, mut after) = (Amount::ZERO, Amount::ZERO);
        let matching = orders.iter().flat_map(|it| it.matching(address));
        let mut transactions: Vec<_> = transactions.iter().chain(matching).collect();
        transactions.sort_by_key(|it| it.timestamp);
        for it in transactions {
            let (lines, why) = lines(it, &address, orders.as_ref());
            if let Some(why) = why {
                unaccounted.insert(it.transaction_type.to_string(), why);
            }
            for line in lines {
                let height = it.block_height.unwrap_or(Height::new(0));
                if blocks.has(height) {
                    rows.push(line);
                } else if blocks.start.is_some_and(|start| height < start) {
                    before = add(before, line.qort());
                } else {
                    after = add(after, line.qort());
                }
            }
        }
        let shown = rows.iter().map(Line::qort).fold(Amount::ZERO, add);
        let mut sums = Sums::default();
        rows.iter().for_each(|it| it.add_to(&mut sums));
        let in_range: Vec<_> = rows.iter().map(|it| it.transaction).collect();
        let named = orders.iter().flat_map(AssetOrders::all);
        let known = is_whole && unaccounted.is_empty() && cx.rows_left_out() == 0;
        let moved = add(add(before, shown), after);
        let rewards = balance.checked_sub(moved).filter(|_| known);
        let is_short = rewards.is_some_and(|it| it < Amount::ZERO);
        let rewards = rewards.filter(|_| !is_short);
        let untimed = rewards.is_some_and(|it| it != Amount::ZERO);
        let starts = blocks.start.is_none_or(|it| it.number() <= 1);
        let opening_balance = rewards.filter(|_| starts || !untimed).map(|_| before);
        let closing_balance = match rewards {
            _ if ends && (rewards.is_some() || !is_whole) => Some(balance),
            Some(_) if !untimed => Some(add(before, shown)),
            _ => None,
        };
        let rows = self.page.of_whole(cx, Cursor::Offset, self.order.of(rows));
        let rows = rows.followed_by(cx, border.map(|it| rest(newest, it)));
        let names = rows.items.iter().filter_map(Line::counterparty);
        let (names, assets) = tokio::join!(
            PrimaryNames::of(cx, names.collect::<Vec<_>>()),
            AssetNames::of_transactions(cx, in_range.into_iter().chain(named)),
        );
        let mut reply = Reply::new(Ledger {
            address: account,
            opening_balance,
            closing_balance,
            rewards: rewards.filter(|_| !untimed || (starts && ends)),
            totals: sums.coins(|it| coin(*it, &assets)),
            months: sums.months(cx, self.totals, |it| coin(*it, &assets)),
            rows: rows.map(|it| LedgerRow::of(it, &names, &assets)),
        });
        for (kind, why) in unaccounted {
            reply.notes.push(format!(
                "Balances and rewards are left out: the account has transactions of type {kind}, and {why}."
            ));
        }
        Ok(reply
            .note_if(!is_whole, "Rewards and earlier balances are left out: the account has too many transactions to read all of them.")
            .note_if(border.is_some() && !cx.whole_pages, format!("The range has more transactions than one call reads. The rows and their number and sums are of its {} blocks, and `next` continues with the others. The command-line option --all reads them all.", if newest { "newest" } else { "oldest" }))
            .note_if(is_short, "Balances and rewards are left out: by its transactions the account has more than its balance, so that some are missing in the node's list.")
            .note_if(untimed && !(starts && ends), "Blocks paid the account rewards, and no node returns when. They, and a balance that depends on them, are left out. Without a range the rewards of all time are returned.")
            .note("Only confirmed transactions, by the times of their blocks."))
    }
}

/// Returns the matching transactions, or `None` if they are too many.
pub(super) async fn read(
    cx: &Context,
    filter: &TransactionFilter,
) -> Result<Option<Vec<Transaction>>, NodeError> {
    let page = PageRequest::first(MOST + 1);
    match cx.node.search_transactions(filter, page).await {
        Err(err) if is_too_large(&err) => Ok(None),
        read => Ok(Some(read?).filter(|it| it.len() <= MOST as usize)),
    }
}

fn is_too_large(err: &NodeError) -> bool {
    matches!(err.kind(), NodeErrorKind::TooLarge { .. })
}

/// Reads the transactions in these blocks, or in the first of them in this order if they are too many. Returns them with their blocks,
/// and the border to the others.
async fn part(
    cx: &Context,
    all: &TransactionFilter,
    mut blocks: Blocks,
    newest: bool,
) -> Result<(Vec<Transaction>, Blocks, Option<Height>), ToolError> {
    let (mut border, mut most) = (None, MOST);
    while most > 0 && (border.is_none() || blocks.limit != Some(0)) {
        let filter = all.clone().with_start_block(blocks.start);
        let filter = filter.with_block_limit(blocks.limit);
        let page = PageRequest::first(most + 1).with_reverse(newest);
        let mut rows = match cx.node.search_transactions(&filter, page).await {
            Err(err) if is_too_large(&err) => {
                most /= 2;
                continue;
            }
            rows => rows?,
        };
        if rows.len() <= most as usize {
            if newest {
                rows.reverse();
            }
            return Ok((rows, blocks, border));
        }
        // The node lists them by the times at which they were made, so that others may belong to these blocks.
        let mut heights: Vec<_> = rows.iter().filter_map(|it| it.block_height).collect();
        heights.sort_unstable();
        let tenths = if newest { 1 } else { 9 };
        let at = heights.len() / 10 * tenths;
        let height = heights.get(at).map_or(0, |it| it.number());
        let height = height.saturating_add(u32::from(newest));
        blocks = blocks.cut(height, newest);
        border = Some(Height::new(height));
    }
    Err(ToolError::argument(
        "after",
        "Too many transactions.",
        "begins a range in which one block has more of them than are read",
        "another range with `after` and `before`",
    ))
}

fn add(sum: Amount, amount: Amount) -> Amount {
    sum.checked_add(amount).unwrap_or(Amount::MAX)
}

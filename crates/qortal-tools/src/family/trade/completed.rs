//! Completed trades, each with its coin.

use futures_util::future::try_join_all;
use qortal_client::{
    NodeError, PageRequest,
    api::crosschain::{CompletedTrade, TradeFilter},
};
use qortal_types::{Address, Amount, Blockchain, Timestamp};

use super::symbol;
use crate::{
    declare::{
        AccountRef, Context, File, Next, NextPage, Order, Paging, Range, Reply, Rows, Tool,
        ToolError, given,
    },
    support::primary_names::{Person, PrimaryNames},
};

/// The Core's largest limit. It applies to each contract type before the lists are merged, so only a page that begins
/// at the first trade is correct. Other pages are cut out of it here.
const REACH: u32 = 100;

/// Numbers of days before a time whose trades are requested, one after the other.
const DAYS_BEFORE: [i64; 2] = [7, 60];
const DAY_MILLIS: i64 = 86_400_000;

params! {
    pub(super) struct ListCompletedTrades {
        /// Only this coin.
        blockchain: Option<Blockchain>,
        #[flatten]
        range: Range,
        /// Only this buyer.
        buyer: Option<AccountRef>,
        /// Only this seller.
        seller: Option<AccountRef>,
        #[flatten]
        page: Paging<20, 100, 99>,
        #[flatten]
        order: Order
    }
}

record! {
    pub(super) struct CompletedTrades {
        /// The requested blockchains.
        foreign_blockchains: Vec<String>,
        /// The trades, in this order.
        trades: Rows<TradeDone>,
        /// Whether there are more.
        remainder: NextPage
    }

    pub(super) struct TradeDone from(it: CompletedTrade, blockchain: &Blockchain, names: &PrimaryNames) {
        /// The time of its completion.
        trade_timestamp: Timestamp,
        /// The foreign coin's symbol.
        symbol: String = symbol(blockchain),
        /// QORT sold.
        qort_amount: Amount,
        /// The amount of the foreign coin.
        foreign_amount: Amount,
        /// Foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount> = it.foreign_amount.checked_price_of(it.qort_amount),
        /// The seller.
        seller_address: Person = names.person(it.seller_address),
        /// The receiver of the QORT.
        buyer_receiving_address: Person = names.person(it.buyer_receiving_address),
        /// Identifies the trade.
        at_address: Address
    }
}

impl Tool for ListCompletedTrades {
    const NAME: &str = "list_completed_trades";
    const TITLE: &str = "Completed trades";
    const DESCRIPTION: &str = "Completed trades of QORT for coins with prices and parties. One account: get_trade_ledger. Over time: get_price_chart.";
    const EXAMPLE: &str = r#"{"blockchain":"LITECOIN","after":"2026-11-20T22:00Z"}"#;
    const KEYWORDS: &str =
        "completed trade, last trade, last sale, sold qort, who bought qort, trade history";
    const TABLE: Option<&str> = Some("trades");
    const FILES: &[File] = &[File::csv("qortal://trades/{blockchain}.csv")];
    type Output = Reply<CompletedTrades>;

    /// Sends one request per blockchain, because the responses do not name it.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let offset = self.page.offset;
        let limit = self
            .page
            .at_most(cx, REACH - offset, "with this offset")
            .limit;
        let end = limit + offset;
        let (buyer, seller, period) = tokio::try_join!(
            given(self.buyer, |it| cx.public_key("buyer", it)),
            given(self.seller, |it| cx.public_key("seller", it)),
            self.range.period(cx),
        )?;
        let blockchains = match self.blockchain {
            Some(blockchain) => vec![blockchain],
            None => Blockchain::ALL.to_vec(),
        };
        let filter = TradeFilter::default()
            .with_since(period.after)
            .with_buyer(buyer.as_ref().map(|it| it.key))
            .with_seller(seller.as_ref().map(|it| it.key));
        let newest_first = self.order.is_newest_first();
        let page = PageRequest::first((end + 1).min(REACH)).with_reverse(newest_first);
        let asked = Asked {
            cx,
            blockchains: &blockchains,
            filter,
        };
        let (mut trades, is_all) = match period.before.filter(|_| newest_first) {
            Some(before) => (asked.before(before, end as usize + 1).await?, true),
            None => asked.page(page, period.before).await?,
        };
        trades.retain(|(_, it)| period.has(it.trade_timestamp));
        trades.sort_by_cached_key(|(_, it)| it.trade_timestamp);
        let trades = self.order.of(trades);
        let truncated = trades.len() > end as usize || !is_all;
        let rest = Rest {
            call: cx.next(),
            offset,
            limit,
            newest_first,
            moments: trades.iter().map(|(_, it)| it.trade_timestamp).collect(),
        };
        let stuck = truncated && rest.after(limit).is_none();
        let page = trades.into_iter().take(end as usize);
        let page: Vec<_> = page.skip(offset as usize).collect();
        let accounts = page.iter().map(|(_, it)| it);
        let accounts = accounts.flat_map(|it| [it.seller_address, it.buyer_receiving_address]);
        let names = PrimaryNames::of(cx, accounts.collect::<Vec<_>>()).await;
        let page = page.into_iter();
        let page = page.map(|(blockchain, it)| TradeDone::of(it, blockchain, &names));
        let reply = Reply::new(CompletedTrades {
            foreign_blockchains: blockchains.iter().map(ToString::to_string).collect(),
            trades: page.collect(),
            remainder: NextPage::new(truncated, limit, move |shown| rest.after(shown)),
        });
        Ok(reply.note_if(stuck, "The node does not page further back than this. For older trades, use `order` oldest and an `after` before them."))
    }
}

/// A trade with its coin, which the responses of the node do not name.
type OfCoin<'a> = (&'a Blockchain, CompletedTrade);

/// The requests to the node, for all blockchains at once.
struct Asked<'a> {
    cx: &'a Context,
    blockchains: &'a [Blockchain],
    filter: TradeFilter,
}

impl<'a> Asked<'a> {
    async fn of_each<T>(
        &self,
        since: Option<Timestamp>,
        ask: impl Fn(TradeFilter) -> T,
    ) -> Result<Vec<(&'a Blockchain, Vec<CompletedTrade>)>, NodeError>
    where
        T: Future<Output = Result<Vec<CompletedTrade>, NodeError>>,
    {
        let asked = self.blockchains.iter().map(|it| {
            let filter = self.filter.clone().with_since(since);
            ask(filter.with_blockchain(it.clone()))
        });
        let answers = try_join_all(asked).await?;
        Ok(self.blockchains.iter().zip(answers).collect())
    }

    /// Returns the first trades, and whether those that end before a time are complete.
    async fn page(
        &self,
        page: PageRequest,
        before: Option<Timestamp>,
    ) -> Result<(Vec<OfCoin<'a>>, bool), NodeError> {
        let node = &self.cx.node;
        let ask = |filter| async move { node.trades(&filter, page).await };
        let answers = self.of_each(self.filter.since, ask).await?;
        // A full page may or may not be the last one.
        let is_all = answers.iter().all(|(_, trades)| {
            let ends = |it: &CompletedTrade| before.is_some_and(|end| it.trade_timestamp >= end);
            trades.len() < REACH as usize || trades.last().is_some_and(ends)
        });
        Ok((flat(answers), is_all))
    }

    /// Returns at least `needed` of the latest trades before a time, or all. The node has only a lower bound of time,
    /// so the days before are requested, and more of them if they have too few trades.
    async fn before(&self, before: Timestamp, needed: usize) -> Result<Vec<OfCoin<'a>>, NodeError> {
        let node = &self.cx.node;
        let ask = |filter| async move { node.all_trades(&filter).await };
        for days in DAYS_BEFORE {
            let since = Timestamp::from_millis(before.millis().saturating_sub(days * DAY_MILLIS));
            if self.filter.since.is_some_and(|it| it >= since) {
                break;
            }
            let mut trades = flat(self.of_each(Some(since), ask).await?);
            trades.retain(|(_, it)| it.trade_timestamp < before);
            if trades.len() >= needed {
                return Ok(trades);
            }
        }
        Ok(flat(self.of_each(self.filter.since, ask).await?))
    }
}

fn flat<'a>(answers: Vec<(&'a Blockchain, Vec<CompletedTrade>)>) -> Vec<OfCoin<'a>> {
    let trades = answers.into_iter();
    let trades = trades.flat_map(|(of, trades)| trades.into_iter().map(move |it| (of, it)));
    trades.collect()
}

/// The rest of the list after a page.
struct Rest {
    call: Next,
    offset: u32,
    limit: u32,
    newest_first: bool,
    /// The times of all trades that were read, in the order of the list.
    moments: Vec<Timestamp>,
}

impl Rest {
    /// Returns the call that continues after the first trades of the page. It begins at the time of the next trade, or
    /// of the last one shown if the next is unknown, without the shown trades of that time.
    fn after(&self, shown: u32) -> Option<Next> {
        let end = (self.offset + shown) as usize;
        let next = self.moments.get(end).or(self.moments.last());
        let moment = *next?;
        let shown = self.moments.iter().take(end);
        let same = shown.filter(|it| **it == moment).count();
        let offset = u32::try_from(same).ok().filter(|it| *it < REACH)?;
        let edge = if self.newest_first {
            let end = Timestamp::from_millis(moment.millis().saturating_add(1));
            ("before", end.to_string().into())
        } else {
            ("after", moment.to_string().into())
        };
        Some(self.call.with([
            edge,
            ("offset", offset.into()),
            ("limit", self.limit.min(REACH - offset).into()),
        ]))
    }
}

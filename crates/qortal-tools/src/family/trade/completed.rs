//! Completed trades, each with its coin.

use futures_util::future::try_join_all;
use qortal_client::{
    Page,
    api::crosschain::{CompletedTrade, TradeFilter},
};
use qortal_types::{Address, Amount, Blockchain, Timestamp};
use tool_schema::Bounded;

use super::symbol;
use crate::declare::{
    AccountRef, Context, Moment, Next, Order, Person, PrimaryNames, Remainder, Reply, Rows, Slice,
    Tool, ToolError, given,
};

/// The Core's largest limit. It applies to each contract type before the lists are merged, so that
/// only a page that begins at the first trade is correct, and others are cut out of it here.
const REACH: u32 = 100;

params! {
    pub(super) struct ListCompletedTrades {
        /// Only trades for this coin. All six if omitted.
        blockchain: Option<Blockchain>,
        /// Only trades completed since. Faster with it.
        after: Option<Moment>,
        /// Only trades whose QORT went to this account.
        buyer: Option<AccountRef>,
        /// Only trades in which this account sold.
        seller: Option<AccountRef>,
        /// How many to return.
        limit: Bounded<1, 100> = Bounded::new(20),
        /// Rows to skip.
        offset: Bounded<0, 99> = Bounded::new(0),
        #[flatten]
        order: Order
    }
}

record! {
    pub(super) struct CompletedTrades {
        /// The blockchains that were asked for.
        foreign_blockchains: Vec<String>,
        /// The trades, in this order.
        trades: Rows<TradeDone>,
        /// Whether there are more.
        remainder: Remainder
    }

    pub(super) struct TradeDone from(it: CompletedTrade, blockchain: &Blockchain, names: &PrimaryNames) {
        /// When it was completed.
        trade_timestamp: Timestamp,
        /// The foreign coin's symbol.
        symbol: String = symbol(blockchain),
        /// QORT sold.
        qort_amount: Amount,
        /// For how much of the foreign coin.
        foreign_amount: Amount,
        /// Foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount> = it.foreign_amount.checked_price_of(it.qort_amount),
        /// The seller.
        seller_address: Person = names.person(it.seller_address),
        /// Where the QORT went.
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
    type Output = Reply<CompletedTrades>;

    /// One request per blockchain, because the answers do not name it.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let offset = self.offset.value();
        let slice = Slice::new(self.limit, self.offset);
        let limit = slice.at_most(cx, REACH - offset, "with this offset").limit;
        let end = limit + offset;
        let (buyer, seller, since) = tokio::try_join!(
            given(self.buyer, |it| cx.public_key("buyer", it)),
            given(self.seller, |it| cx.public_key("seller", it)),
            given(self.after, |it| cx.moment("after", it)),
        )?;
        let blockchains = match self.blockchain {
            Some(blockchain) => vec![blockchain],
            None => Blockchain::ALL.to_vec(),
        };
        let page = Page::first((end + 1).min(REACH)).with_reverse(self.order.is_newest_first());
        let asked = blockchains.iter().map(|blockchain| {
            let filter = TradeFilter::default()
                .with_blockchain(blockchain.clone())
                .with_since(since)
                .with_buyer(buyer.as_ref().map(|it| it.key))
                .with_seller(seller.as_ref().map(|it| it.key));
            async move { cx.node.trades(&filter, page).await }
        });
        let answers = try_join_all(asked).await?;
        // A full page may or may not be the last one.
        let may_be_more = answers.iter().any(|it| it.len() >= REACH as usize);
        let trades = blockchains.iter().zip(answers);
        let trades = trades.flat_map(|(of, trades)| trades.into_iter().map(move |it| (of, it)));
        let mut trades: Vec<(&Blockchain, CompletedTrade)> = trades.collect();
        trades.sort_by_cached_key(|(_, it)| it.trade_timestamp);
        let trades = self.order.of(trades);
        let truncated = trades.len() > end as usize || may_be_more;
        let rest = Rest {
            call: cx.next(),
            offset,
            limit,
            oldest_first: if self.order.is_newest_first() {
                None
            } else {
                Some(trades.iter().map(|(_, it)| it.trade_timestamp).collect())
            },
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
            remainder: Remainder::new(truncated, limit, move |shown| rest.after(shown)),
        });
        Ok(reply.note_if(stuck, "The node does not page further back than this. For older trades, use `order` oldest and an `after` before them."))
    }
}

/// What comes after a page.
struct Rest {
    call: Next,
    offset: u32,
    limit: u32,
    /// The moments of all trades that were read, in the order in which a moment can begin a page.
    oldest_first: Option<Vec<Timestamp>>,
}

impl Rest {
    /// The call that continues after the first trades of the page: from the moment of the next trade, or of the last one
    /// shown where that is not known, without those of that moment that were shown.
    fn after(&self, shown: u32) -> Option<Next> {
        let end = self.offset + shown;
        let Some(moments) = &self.oldest_first else {
            let can_be_read = shown < self.limit || end + self.limit <= REACH;
            return can_be_read.then(|| self.call.with([("offset", end.into())]));
        };
        let moment = *moments.get(end as usize).or(moments.last())?;
        let shown = moments.iter().take(end as usize);
        let same = shown.filter(|it| **it == moment).count();
        let offset = u32::try_from(same).ok().filter(|it| *it < REACH)?;
        Some(self.call.with([
            ("after", moment.to_string().into()),
            ("offset", offset.into()),
            ("limit", self.limit.min(REACH - offset).into()),
        ]))
    }
}

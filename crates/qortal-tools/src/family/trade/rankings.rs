//! The largest sellers and buyers of QORT.

use std::{cmp::Reverse, collections::BTreeMap};

use futures_util::future::try_join_all;
use qortal_client::api::crosschain::TradeFilter;
use qortal_types::{Address, Amount, Blockchain, Timestamp};
use tool_schema::choice;

use super::sum;
use crate::{
    declare::{Context, Cursor, Page, Paging, Range, Reply, Tool, ToolError, count},
    support::primary_names::{Person, PrimaryNames},
};

const DAY_MILLIS: i64 = 86_400_000;

/// Number of days that are read without `after`. The Core reads all trades since a time.
const DAYS: i64 = 30;

choice! {
    /// The ranked side of trades.
    enum By {
        /// Sellers of QORT.
        Sellers = "sellers",
        /// Buyers of QORT.
        Buyers = "buyers",
    }
}

params! {
    pub(super) struct GetTradeRankings {
        /// Sellers or buyers.
        by: By = By::Sellers,
        /// Only this coin.
        blockchain: Option<Blockchain>,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<10>
    }
}

record! {
    pub(super) struct TradeRankings {
        /// The start of the range. 30 days ago if none was given.
        since: Timestamp,
        /// Trades of everyone in the range.
        total_trades: u32,
        /// QORT sold in them.
        total_qort: Amount,
        /// The amount of the foreign coin paid in them, with `blockchain`.
        total_foreign: Option<Amount>,
        /// The accounts, those with most QORT first.
        traders: Page<Trader, u32>
    }

    pub(super) struct Trader from(it: (Address, Volume), names: &PrimaryNames, has_coin: bool) {
        /// The account.
        address: Person = names.person(it.0),
        /// QORT sold, or bought.
        qort_amount: Amount = it.1.qort,
        /// Its trades.
        trades: u32 = it.1.trades,
        /// The paid amount of the foreign coin, with `blockchain`.
        foreign_amount: Option<Amount> = has_coin.then_some(it.1.foreign),
        /// The mean price: foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount> = has_coin.then(|| it.1.foreign.checked_price_of(it.1.qort)).flatten()
    }
}

/// The trades of one account.
#[derive(Debug, Clone, Copy, Default)]
struct Volume {
    qort: Amount,
    foreign: Amount,
    trades: u32,
}

impl Tool for GetTradeRankings {
    const NAME: &str = "get_trade_rankings";
    const TITLE: &str = "Trade rankings";
    const DESCRIPTION: &str =
        "Top sellers or buyers of QORT in a period, by default 30 days, with totals.";
    const EXAMPLE: &str = r#"{"blockchain":"LITECOIN"}"#;
    const KEYWORDS: &str = "who sells most, who buys most, biggest seller, biggest buyer, top seller, top buyer, top trader, trading volume";
    const TABLE: Option<&str> = Some("traders");
    type Output = Reply<TradeRankings>;

    /// Sends one request for each coin, and one for the node's clock unless the start is given.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let period = self.range.period(cx).await?;
        let since = match (period.after, period.before) {
            (Some(after), _) => after,
            (None, Some(before)) => days_before(before),
            (None, None) => days_before(cx.node.network_time().await?),
        };
        let blockchains = match &self.blockchain {
            Some(blockchain) => std::slice::from_ref(blockchain),
            None => Blockchain::ALL,
        };
        let asked = blockchains.iter().map(|it| {
            let filter = TradeFilter::default().with_blockchain(it.clone());
            cx.node.all_trades(&filter.with_since(since))
        });
        let trades = try_join_all(asked).await?.into_iter().flatten();
        let in_range = |it: Timestamp| it >= since && period.has(it);
        let trades: Vec<_> = trades.filter(|it| in_range(it.trade_timestamp)).collect();
        let mut volumes = BTreeMap::<Address, Volume>::new();
        for it in &trades {
            let trader = match self.by {
                By::Sellers => it.seller_address,
                By::Buyers => it.buyer_receiving_address,
            };
            let volume = volumes.entry(trader).or_default();
            volume.qort = sum([volume.qort, it.qort_amount].into_iter());
            volume.foreign = sum([volume.foreign, it.foreign_amount].into_iter());
            volume.trades = volume.trades.saturating_add(1);
        }
        let mut volumes: Vec<_> = volumes.into_iter().collect();
        volumes.sort_by_key(|(_, it)| Reverse((it.qort, it.trades)));
        let has_coin = self.blockchain.is_some();
        let foreign = has_coin.then(|| sum(trades.iter().map(|it| it.foreign_amount)));
        let traders = self.page.of_whole(cx, Cursor::Offset, volumes);
        let names = PrimaryNames::of(cx, traders.items.iter().map(|(who, _)| *who)).await;
        let reply = Reply::new(TradeRankings {
            since,
            total_trades: count(trades.len()),
            total_qort: sum(trades.iter().map(|it| it.qort_amount)),
            total_foreign: foreign,
            traders: traders.map(|it| Trader::of(it, &names, has_coin)),
        });
        Ok(reply.note_if(
            self.by == By::Buyers,
            "A buyer is the account that received the QORT.",
        ))
    }
}

/// Returns the beginning of the day some days before, so that the calls of a day send the same requests.
fn days_before(end: Timestamp) -> Timestamp {
    let start = end.millis().saturating_sub(DAYS * DAY_MILLIS);
    Timestamp::from_millis(start - start.rem_euclid(DAY_MILLIS))
}

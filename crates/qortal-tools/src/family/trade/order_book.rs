//! Open offers for one coin, grouped by price.

use std::collections::BTreeMap;

use qortal_client::api::crosschain::Trade;
use qortal_types::{Address, Amount, Blockchain, Timestamp};

use super::{
    Coin, is_online,
    purchase::{Chosen, Purchase},
    sum,
};
use crate::{
    declare::{Context, Cursor, Flat, NextPage, Paging, Reply, Rows, Tool, ToolError, count},
    support::{primary_names::PrimaryNames, untrusted::Untrusted},
};

params! {
    pub(super) struct GetTradeOrderBook {
        /// Coin to pay with.
        blockchain: Blockchain,
        /// Coin to spend now.
        budget: Option<Amount>,
        #[flatten]
        page: Paging<20>
    }
}

record! {
    pub(super) struct OrderBook {
        /// The foreign coin.
        coin: Flat<Coin>,
        /// The lowest price of an online seller: foreign coin for one QORT. Absent if no seller is online.
        best_ask: Option<Amount>,
        /// The lowest price of any seller, online or not: foreign coin for one QORT. Absent without offers.
        lowest_ask: Option<Amount>,
        /// The purchase for the budget now, from online sellers.
        purchase: Option<Purchase>,
        /// The prices, the lowest first.
        levels: Rows<Level>,
        /// The number of prices in total.
        total_levels: u32,
        /// The number of offers in total.
        total_offers: u32,
        /// QORT offered in all.
        total_qort: Amount,
        /// Whether there are more prices.
        remainder: NextPage
    }

    pub(super) struct Level {
        /// Foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Amount,
        /// QORT offered at this price.
        qort_amount: Amount,
        /// Their cost in the foreign coin.
        foreign_amount: Amount,
        /// QORT offered at this price or a lower one.
        cumulative_qort: Amount,
        /// Offers at this price.
        offers: u32,
        /// Offers of online sellers.
        offers_online: u32,
        /// The offer to take first at this price: an online seller's oldest, or else the oldest.
        at_address: Address,
        /// Its seller.
        seller: Address,
        /// The name the seller goes by.
        seller_name: Option<Untrusted>
    }
}

impl Level {
    /// Creates the level of one price from at least one offer, the oldest first.
    fn of(price: Amount, offers: &[Trade], now: Timestamp) -> Option<Self> {
        let online = |it: &&Trade| is_online(it.creator_presence_expiry, now);
        let first = offers.iter().find(online).or(offers.first())?;
        Some(Self {
            price_per_qort: price,
            qort_amount: sum(offers.iter().map(|it| it.qort_amount)),
            foreign_amount: sum(offers.iter().map(|it| it.expected_foreign_amount)),
            cumulative_qort: Amount::ZERO,
            offers: count(offers.len()),
            offers_online: count(offers.iter().filter(online).count()),
            at_address: first.qortal_at_address,
            seller: first.qortal_creator,
            seller_name: None,
        })
    }
}

/// The open offers for one coin.
pub(crate) struct Offers {
    /// The offers at each price, the oldest first.
    pub(crate) by_price: BTreeMap<Amount, Vec<Trade>>,
    total: u32,
    total_qort: Amount,
    /// The time of the request, by the node's clock.
    now: Timestamp,
}

impl Offers {
    pub(crate) async fn of(cx: &Context, blockchain: &Blockchain) -> Result<Self, ToolError> {
        let (offers, now) = tokio::try_join!(
            cx.node.all_trade_offers(Some(blockchain)),
            cx.node.network_time(),
        )?;
        let total = count(offers.len());
        let total_qort = sum(offers.iter().map(|it| it.qort_amount));
        let mut by_price: BTreeMap<Amount, Vec<Trade>> = BTreeMap::new();
        for offer in offers {
            // An offer of nothing has no price. The contracts do not allow one.
            let price = offer
                .expected_foreign_amount
                .checked_price_of(offer.qort_amount);
            if let Some(price) = price {
                by_price.entry(price).or_default().push(offer);
            }
        }
        Ok(Self {
            by_price,
            total,
            total_qort,
            now,
        })
    }

    /// Returns whether the seller of an offer is online.
    #[cfg(feature = "charts")]
    pub(crate) fn is_online(&self, offer: &Trade) -> bool {
        is_online(offer.creator_presence_expiry, self.now)
    }
}

impl Tool for GetTradeOrderBook {
    const NAME: &str = "get_trade_order_book";
    const TITLE: &str = "Trade order book";
    const DESCRIPTION: &str = "Open offers of QORT for one coin by price, with online sellers. Use it to see what an amount (budget) buys now.";
    const EXAMPLE: &str = r#"{"blockchain":"LITECOIN"}"#;
    const KEYWORDS: &str = "order book, orderbook, cheap offer, who sells cheapest, best ask, depth, sell order, buy qort, offer, buy for 2 ltc, what can I buy for, how much qort for, cheapest offer that can be taken now";
    type Output = Reply<OrderBook>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let Offers {
            by_price,
            total: total_offers,
            total_qort,
            now,
        } = Offers::of(cx, &self.blockchain).await?;
        let all = by_price.values().flatten();
        let chosen = self.budget.map(|it| Chosen::of(cx, all, it, now));
        let levels = by_price.iter();
        let levels = levels.filter_map(|(price, offers)| Level::of(*price, offers, now));
        let mut levels: Vec<Level> = levels.collect();
        let mut cumulative = Amount::ZERO;
        for level in &mut levels {
            cumulative = sum([cumulative, level.qort_amount].into_iter());
            level.cumulative_qort = cumulative;
        }
        let lowest_ask = levels.first().map(|it| it.price_per_qort);
        let best_ask = levels.iter().find(|it| it.offers_online > 0);
        let best_ask = best_ask.map(|it| it.price_per_qort);
        let mut levels = self.page.of_whole(cx, Cursor::Offset, levels);
        let sellers = levels.items.iter().map(|it| it.seller);
        let bought_from = chosen.iter().flat_map(Chosen::sellers);
        let names = PrimaryNames::of(cx, sellers.chain(bought_from)).await;
        for level in &mut levels.items {
            level.seller_name = names.get(&level.seller);
        }
        Ok(Reply::new(OrderBook {
            coin: Flat(Coin::of(&self.blockchain)),
            best_ask,
            lowest_ask,
            purchase: chosen.map(|it| it.purchase(&names)),
            total_levels: levels.total,
            levels: Rows(levels.items),
            total_offers,
            total_qort,
            remainder: levels.remainder,
        })
        .note(
            "There are no bids: on Qortal sellers offer QORT and buyers take an offer whole. Offers that this node hides are not counted.",
        ))
    }
}

//! Open offers for one coin, grouped by price.

use std::collections::BTreeMap;

use qortal_types::{Amount, Blockchain};

use super::{Coin, sum};
use crate::{
    catalog::Surface,
    context::Context,
    declare::{Flat, Paging, Remainder, Reply, Tool, count},
    error::ToolError,
};

pub(super) struct GetTradeOrderBook;

params! {
    pub(super) struct GetTradeOrderBookParams {
        /// The coin to pay with.
        blockchain: Blockchain,
        #[flatten("prices")]
        page: Paging<20, 100, 100_000>
    }
}

record! {
    pub(super) struct OrderBook {
        /// The foreign coin.
        coin: Flat<Coin>,
        /// The lowest price: foreign coin for one QORT; left out if nothing is offered.
        best_price: Option<Amount>,
        /// The lowest price among sellers who are online.
        best_price_online: Option<Amount>,
        /// The prices, the lowest first.
        levels: Vec<Level>,
        /// How many prices there are in all.
        total_levels: u32,
        /// How many offers there are in all.
        total_offers: u32,
        /// QORT offered in all.
        total_qort: Amount,
        /// Whether there are more prices.
        remainder: Remainder
    }
}

record! {
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
        /// Offers of sellers who are online.
        offers_online: u32
    }
}

impl Tool for GetTradeOrderBook {
    const NAME: &'static str = "get_trade_order_book";
    const TITLE: &'static str = "Order book of one coin";
    const DESCRIPTION: &'static str = "Return the open offers to sell QORT for one coin by price, with how much is offered at each and how many sellers are online.";
    const EXAMPLE: &'static str = r#"{"blockchain":"LITECOIN"}"#;
    const SURFACE: Surface = Surface::Full;
    type Params = GetTradeOrderBookParams;
    type Output = Reply<OrderBook>;

    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let (offers, now) = tokio::try_join!(
            cx.node.all_trade_offers(Some(&params.blockchain)),
            cx.node.clock(),
        )?;
        let total_offers = count(offers.len());
        let total_qort = sum(offers.iter().map(|it| it.qort_amount));
        let mut by_price: BTreeMap<Amount, Level> = BTreeMap::new();
        for offer in offers {
            // An offer of nothing has no price; the contracts do not allow one.
            let Some(price) = offer
                .expected_foreign_amount
                .checked_price_of(offer.qort_amount)
            else {
                continue;
            };
            let level = by_price.entry(price).or_insert(Level {
                price_per_qort: price,
                qort_amount: Amount::ZERO,
                foreign_amount: Amount::ZERO,
                cumulative_qort: Amount::ZERO,
                offers: 0,
                offers_online: 0,
            });
            level.qort_amount = sum([level.qort_amount, offer.qort_amount].into_iter());
            level.foreign_amount =
                sum([level.foreign_amount, offer.expected_foreign_amount].into_iter());
            level.offers += 1;
            level.offers_online +=
                u32::from(offer.creator_presence_expiry.is_some_and(|it| it > now));
        }
        let mut levels: Vec<Level> = by_price.into_values().collect();
        let mut cumulative = Amount::ZERO;
        for level in &mut levels {
            cumulative = sum([cumulative, level.qort_amount].into_iter());
            level.cumulative_qort = cumulative;
        }
        let best_price = levels.first().map(|it| it.price_per_qort);
        let best_price_online = levels.iter().find(|it| it.offers_online > 0);
        let best_price_online = best_price_online.map(|it| it.price_per_qort);
        let levels = params.page.of_all(cx, levels);
        Ok(Reply::new(OrderBook {
            coin: Flat(Coin::of(&params.blockchain)),
            best_price,
            best_price_online,
            total_levels: levels.total,
            levels: levels.items,
            total_offers,
            total_qort,
            remainder: levels.remainder,
        })
        .note(
            "There are no bids: on Qortal sellers offer QORT and buyers take an offer whole. Offers that this node hides are not counted.",
        ))
    }
}

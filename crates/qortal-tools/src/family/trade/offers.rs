//! Offers to sell QORT, as a list.

use qortal_client::api::crosschain::Trade;
use qortal_types::{Address, Amount, Blockchain, Timestamp};
use tool_schema::CappedInt;

use super::{is_online, symbol};
use crate::{
    declare::{
        AccountRef, Context, Cursor, Order, Page, Paging, Range, Reply, Slice, Tool, ToolError,
        given,
    },
    support::primary_names::{Person, PrimaryNames},
};

params! {
    pub(super) struct ListTradeOffers {
        #[flatten]
        page: Paging<20>,
        #[flatten]
        order: Order,
        /// Only this coin.
        blockchain: Option<Blockchain>,
        /// Only this seller.
        seller: Option<AccountRef>,
        /// Highest price in the coin. Needs blockchain.
        max_price: Option<Amount>,
        #[flatten]
        range: Range
    }
}

record! {
    pub(super) struct TradeOffers {
        /// The open offers, in this order.
        offers: Page<TradeOffer, u32>
    }

    pub(super) struct TradeOffer from(it: Trade, now: Timestamp, names: &PrimaryNames) {
        /// Identifies the offer: the automated transaction with the QORT.
        qortal_at_address: Address,
        /// The seller.
        qortal_creator: Person = names.person(it.qortal_creator),
        /// QORT for sale.
        qort_amount: Amount,
        /// The seller's price for all of it, in the foreign coin.
        expected_foreign_amount: Amount,
        /// The foreign coin's blockchain.
        foreign_blockchain: String = it.foreign_blockchain.to_string(),
        /// The price: foreign coin for one QORT, rounded to 8 places.
        price_per_qort: Option<Amount> = it.expected_foreign_amount.checked_price_of(it.qort_amount),
        /// The state of the trade.
        mode: String = it.mode.to_string(),
        /// The time of the offer.
        creation_timestamp: Timestamp,
        /// Minutes a buyer has.
        trade_timeout: i64,
        /// The contract.
        acct_name: String,
        /// Whether the seller's trade bot is online. Otherwise no one can buy.
        seller_online: bool = is_online(it.creator_presence_expiry, now),
        /// End of the bot's online period. Absent or past if offline.
        creator_presence_expiry: Option<Timestamp>
    }
}

/// Returns a page of offers. The Core pages offers incorrectly or not at all, so all are read and the page is cut out
/// of them.
async fn page(cx: &Context, offers: Page<Trade, u32>, now: Timestamp) -> TradeOffers {
    let names = PrimaryNames::of(cx, offers.items.iter().map(|it| it.qortal_creator)).await;
    TradeOffers {
        offers: offers.map(|it| TradeOffer::of(it, now, &names)),
    }
}

impl Tool for ListTradeOffers {
    const NAME: &str = "list_trade_offers";
    const TITLE: &str = "Open trade offers";
    const DESCRIPTION: &str = "Single open offers to sell QORT: of a seller, below a price, by age. By price: get_trade_order_book.";
    const EXAMPLE: &str = r#"{"blockchain":"LITECOIN","limit":3}"#;
    const KEYWORDS: &str = "offer, my offer, buy qort, sell order, buy order, open offer, trade portal, offer below price, cheaper than, offer of seller";
    const TABLE: Option<&str> = Some("offers");
    type Output = TradeOffers;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        if self.max_price.is_some() && self.blockchain.is_none() {
            return Err(ToolError::argument(
                "max_price",
                "Missing argument.",
                "is a price in one coin, and `blockchain` is missing",
                "`blockchain` as well, such as LITECOIN",
            ));
        }
        let seller = given(self.seller, |it| cx.account("seller", it)).await?;
        let period = self.range.period(cx).await?;
        let offers = cx.node.all_trade_offers(self.blockchain.as_ref());
        let (mut offers, now) = tokio::try_join!(offers, cx.node.network_time())?;
        offers.retain(|it| {
            let price = it.expected_foreign_amount.checked_price_of(it.qort_amount);
            seller
                .as_ref()
                .is_none_or(|seller| it.qortal_creator == seller.address)
                && self
                    .max_price
                    .is_none_or(|most| price.is_some_and(|it| it <= most))
                && period.has(it.creation_timestamp)
        });
        let offers = self.order.of(offers);
        let newest_first = self.order.is_newest_first();
        let by_time = Cursor::Pinned(newest_first, |it: &Trade| Some(it.creation_timestamp));
        let offers = self.page.of_whole(cx, by_time, offers);
        Ok(page(cx, offers, now).await)
    }
}

params! {
    pub(super) struct ListHiddenTradeOffers {
        /// Rows.
        limit: CappedInt<1, 100> = CappedInt::from_const(20),
        /// Only this coin.
        blockchain: Option<Blockchain>,
        /// Rows to skip.
        offset: CappedInt<0, 1_000_000> = CappedInt::from_const(0)
    }
}

impl Tool for ListHiddenTradeOffers {
    const NAME: &str = "list_hidden_trade_offers";
    const TITLE: &str = "Hidden trade offers";
    const DESCRIPTION: &str = "Offers hidden by this node because attempts to take them failed. Others: list_trade_offers.";
    const KEYWORDS: &str = "hidden offer, hidden trade, failed trade";
    type Output = Reply<TradeOffers>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let blockchain = self.blockchain;
        let offers = cx.node.trade_offers_hidden(blockchain.as_ref());
        let (offers, now) = tokio::try_join!(offers, cx.node.network_time())?;
        let of = blockchain.map_or_else(String::new, |it| format!(" for {}", symbol(&it)));
        let note = match offers.len() {
            0 => format!("This node hides no offers{of}; other nodes may hide others."),
            _ => "Other nodes may hide other offers.".to_owned(),
        };
        let offers = Slice::new(self.limit, self.offset).of_whole(cx, Cursor::Offset, offers);
        Ok(Reply::new(page(cx, offers, now).await).note(note))
    }
}

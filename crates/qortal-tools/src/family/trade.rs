//! Tools about trading QORT for foreign coins.

use qortal_client::api::crosschain::Trade;
use qortal_types::{Address, Amount, Blockchain, Timestamp};

use crate::{
    catalogue::{Family, Surface},
    context::{Context, Next},
    declare::{Bounded, Entry, Tool},
    error::ToolError,
};

pub(crate) static FAMILY: Family = Family {
    name: "trade",
    purpose: "What does QORT cost in other coins, and who sells it?",
    tools: &TOOLS,
};

static TOOLS: [Entry; 1] = [Entry::of::<ListTradeOffers>()];

struct ListTradeOffers;

params! {
    struct ListTradeOffersParams {
        /// How many offers to return.
        limit: Bounded<1, 100> = Bounded::new(25),
        /// How many offers to skip.
        offset: Bounded<0, 100_000> = Bounded::new(0),
        /// Latest offer first.
        reverse: bool = false,
        /// Only offers for this coin; all six if omitted.
        foreign_blockchain: Option<Blockchain>
    }
}

record! {
    struct TradeOffers {
        /// The open offers, the oldest first unless reversed.
        offers: Vec<TradeOffer>,
        /// How many open offers there are in all.
        total: u32,
        /// Whether there are more than these.
        truncated: bool,
        /// The call that returns the next page.
        next: Option<Next>
    }
}

record! {
    struct TradeOffer {
        /// Identifies the offer: the automated transaction that holds the QORT.
        qortal_at_address: Address,
        /// The seller.
        qortal_creator: Address,
        /// QORT for sale.
        qort_amount: Amount,
        /// What the seller wants for it, in the foreign coin.
        expected_foreign_amount: Amount,
        /// The foreign coin's blockchain.
        foreign_blockchain: String,
        /// The price: foreign coin for one QORT, rounded to 8 places.
        price_per_qort: Option<Amount>,
        /// How far the trade has come.
        mode: String,
        /// When the offer was made.
        creation_timestamp: Timestamp,
        /// Minutes a buyer has.
        trade_timeout: i64,
        /// The contract.
        acct_name: String,
        /// Until when the seller was last seen online; left out or past if offline.
        creator_presence_expiry: Option<Timestamp>
    }
}

impl From<Trade> for TradeOffer {
    fn from(it: Trade) -> Self {
        Self {
            qortal_at_address: it.qortal_at_address,
            qortal_creator: it.qortal_creator,
            price_per_qort: it.expected_foreign_amount.checked_price_of(it.qort_amount),
            qort_amount: it.qort_amount,
            expected_foreign_amount: it.expected_foreign_amount,
            foreign_blockchain: it.foreign_blockchain.to_string(),
            mode: it.mode.to_string(),
            creation_timestamp: it.creation_timestamp,
            trade_timeout: it.trade_timeout,
            acct_name: it.acct_name,
            creator_presence_expiry: it.creator_presence_expiry,
        }
    }
}

impl Tool for ListTradeOffers {
    const NAME: &'static str = "list_trade_offers";
    const TITLE: &'static str = "Open trade offers";
    const DESCRIPTION: &'static str = "List open offers to sell QORT for Bitcoin, Litecoin, Dogecoin, Digibyte, Ravencoin or Pirate Chain.";
    const EXAMPLE: &'static str = r#"{"foreign_blockchain":"LITECOIN","limit":3}"#;
    const SURFACE: Surface = Surface::Core;
    type Params = ListTradeOffersParams;
    type Output = TradeOffers;

    async fn call(cx: &Context, params: ListTradeOffersParams) -> Result<TradeOffers, ToolError> {
        let mut offers = cx
            .node
            .all_trade_offers(params.foreign_blockchain.as_ref())
            .await?;
        if params.reverse {
            offers.reverse();
        }
        let total = u32::try_from(offers.len()).unwrap_or(u32::MAX);
        let (limit, offset) = (params.limit.value(), params.offset.value());
        let offers = offers.into_iter().skip(offset as usize).collect();
        let offers = cx.paged(offers, limit, offset);
        Ok(TradeOffers {
            offers: offers.items.into_iter().map(TradeOffer::from).collect(),
            total,
            truncated: offers.truncated,
            next: offers.next,
        })
    }
}

//! The meaning of a trade's state, and its next step.

use qortal_client::api::{
    block_time::BlockTime,
    crosschain::{Trade, TradeMode},
};
use qortal_types::{Address, Amount, Height, Timestamp};

use super::{detail::trade, is_online, symbol};
use crate::{
    declare::{AtAddress, Context, Tool, ToolError},
    support::{
        estimate::{about, chain},
        primary_names::PrimaryNames,
        untrusted::Untrusted,
    },
};

params! {
    pub(super) struct ExplainTrade {
        /// AT address of the trade.
        at_address: AtAddress
    }
}

record! {
    pub(super) struct ExplainedTrade {
        /// Identifies the trade.
        qortal_at_address: Address,
        /// Its state: OFFERING, TRADING, CANCELLED, REFUNDED or REDEEMED.
        mode: String,
        /// Whether the state is final.
        is_final: bool,
        /// The trade and its state, in a sentence.
        summary: String,
        /// The meaning of the state.
        meaning: String,
        /// The next step, or your options.
        next_step: String,
        /// QORT sold.
        qort_amount: Amount,
        /// The amount of the foreign coin.
        expected_foreign_amount: Amount,
        /// The foreign coin's symbol.
        symbol: String,
        /// Foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount>,
        /// The seller.
        seller: Address,
        /// The seller's primary name.
        seller_name: Option<Untrusted>,
        /// Whether the seller's trade bot was online a moment ago. Only until the trade ends.
        seller_online: Option<bool>,
        /// The buyer in the contract, often a key made by the trade bot for this trade. Only after the offer was taken.
        buyer: Option<Address>,
        /// The buyer's primary name.
        buyer_name: Option<Untrusted>,
        /// The receiving account. Only when REDEEMED.
        receiver: Option<Address>,
        /// The account's primary name.
        receiver_name: Option<Untrusted>,
        /// Whether the buyer's trade bot was online a moment ago. Only when TRADING.
        buyer_online: Option<bool>,
        /// Whether this node hides the offer from buyers. Only when OFFERING.
        is_hidden: Option<bool>,
        /// The time of the offer.
        created: Timestamp,
        /// The height of the chain now.
        height: Option<Height>,
        /// The block in which the QORT return unless the buyer redeems before. Only when TRADING.
        refund_height: Option<Height>,
        /// Blocks left until then. 0 if it is due.
        blocks_until_refund: Option<u32>,
        /// The time for these blocks at the pace of the last 1440.
        time_until_refund: Option<String>,
        /// Earliest time the buyer can take the foreign coins back. Only when TRADING.
        buyer_refund_from: Option<Timestamp>
    }
}

impl Tool for ExplainTrade {
    const NAME: &str = "explain_trade";
    const TITLE: &str = "Trade explanation";
    const DESCRIPTION: &str = "Explain one trade: state, deadlines, online parties, what happens next, what to do when it is stuck.";
    const EXAMPLE: &str = r#"{"at_address":"Aes2JuboJupax6uybgMa2was61y7MRiDJS"}"#;
    const KEYWORDS: &str = "trade stuck, stuck trade, trade pending, trade pending for hours, my trade, trade waiting, refund, trade not completing, trade failed, money back, get ltc back, atomic swap, trade status, redeem, swap stuck";
    type Output = ExplainedTrade;

    /// Takes two round trips: the trade, then its dependent facts.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let trade = trade(&cx.node, self.at_address).await?;
        let parties = [
            Some(trade.qortal_creator),
            trade.qortal_partner_address,
            trade.qortal_partner_receiving_address,
        ];
        let hidden = async {
            if trade.mode != TradeMode::Offering {
                return None;
            }
            let hidden = cx.node.trade_offers_hidden(Some(&trade.foreign_blockchain));
            let hidden = cx.part("Whether the node hides the offer is", hidden.await)?;
            let is_this = |it: &Trade| it.qortal_at_address == trade.qortal_at_address;
            Some(hidden.iter().any(is_this))
        };
        let now = async {
            if is_final(&trade.mode) {
                None
            } else {
                cx.part("Who is online is", cx.node.network_time().await)
            }
        };
        let is_trading = trade.mode == TradeMode::Trading;
        let (chain, now, names, is_hidden) = tokio::join!(
            chain(cx, "The height of the chain is", is_trading),
            now,
            PrimaryNames::of(cx, parties.into_iter().flatten()),
            hidden,
        );
        let (height, block_time) = chain;
        let moment = Moment {
            height,
            block_time,
            now,
            is_hidden,
        };
        Ok(explained(trade, &moment, &names))
    }
}

/// The state of the chain and the node when the trade is explained.
struct Moment {
    height: Option<Height>,
    block_time: Option<BlockTime>,
    /// The node's clock. It is needed only until the trade ends.
    now: Option<Timestamp>,
    is_hidden: Option<bool>,
}

impl Moment {
    /// Returns whether a party is online, or `None` when that no longer matters.
    fn is_online(&self, expiry: Option<Timestamp>) -> Option<bool> {
        self.now.map(|now| is_online(expiry, now))
    }

    /// Returns the number of blocks until a height is reached.
    fn blocks_until(&self, height: Height) -> Option<u32> {
        let now = self.height?.number();
        Some(height.number().saturating_sub(now))
    }

    /// Returns the time that a number of blocks takes.
    fn time_of(&self, blocks: u32) -> Option<String> {
        let millis = self.block_time?.millis_of(blocks);
        Some(about((millis, millis)))
    }
}

fn explained(trade: Trade, moment: &Moment, names: &PrimaryNames) -> ExplainedTrade {
    let is_trading = trade.mode == TradeMode::Trading;
    let refund_height = trade.trade_refund_height.filter(|_| is_trading);
    let blocks = refund_height.and_then(|it| moment.blocks_until(it));
    let buyer_refund_from = trade
        .lock_time_a
        .filter(|seconds| is_trading && *seconds > 0)
        .and_then(Timestamp::from_seconds);
    let seller_online = moment.is_online(trade.creator_presence_expiry);
    let symbol = symbol(&trade.foreign_blockchain);
    let price = trade
        .expected_foreign_amount
        .checked_price_of(trade.qort_amount);
    let time = blocks.filter(|it| *it > 0);
    let time = time.and_then(|it| moment.time_of(it));
    let step = || trading_step(blocks, time.as_deref(), buyer_refund_from);
    let words = words(&trade, moment, seller_online, step);
    let summary = format!(
        "{} QORT for {} {symbol}{}: {}.",
        trade.qort_amount,
        trade.expected_foreign_amount,
        price.map_or_else(String::new, |it| format!(" ({it} {symbol} for one QORT)")),
        words.state
    );
    let name_of = |account: Option<Address>| names.get(&account?);
    ExplainedTrade {
        qortal_at_address: trade.qortal_at_address,
        is_final: is_final(&trade.mode),
        summary,
        meaning: words.meaning,
        next_step: words.next_step,
        qort_amount: trade.qort_amount,
        expected_foreign_amount: trade.expected_foreign_amount,
        symbol,
        price_per_qort: price,
        seller: trade.qortal_creator,
        seller_name: names.get(&trade.qortal_creator),
        seller_online,
        buyer: trade.qortal_partner_address,
        buyer_name: name_of(trade.qortal_partner_address),
        receiver: trade.qortal_partner_receiving_address,
        receiver_name: name_of(trade.qortal_partner_receiving_address),
        buyer_online: moment
            .is_online(trade.partner_presence_expiry)
            .filter(|_| is_trading),
        is_hidden: moment.is_hidden,
        created: trade.creation_timestamp,
        height: moment.height,
        refund_height,
        blocks_until_refund: blocks,
        time_until_refund: time,
        buyer_refund_from,
        mode: trade.mode.to_string(),
    }
}

/// Returns a short text for a state.
pub(super) fn state(mode: &TradeMode) -> &'static str {
    match mode {
        TradeMode::Offering => "on offer, no buyer yet",
        TradeMode::Trading => "a buyer is being served",
        TradeMode::Cancelled => "cancelled by the seller",
        TradeMode::Refunded => "refunded",
        TradeMode::Redeemed => "completed",
        _ => "in a state that is not known here",
    }
}

fn is_final(mode: &TradeMode) -> bool {
    matches!(
        mode,
        TradeMode::Cancelled | TradeMode::Refunded | TradeMode::Redeemed
    )
}

/// The texts about a state.
struct Words {
    /// The text that follows the amounts.
    state: &'static str,
    meaning: String,
    next_step: String,
}

/// Returns the texts. The states come from `AcctMode` and the transitions from the contracts (`LitecoinACCTv3` and
/// similar ones).
fn words(
    trade: &Trade,
    moment: &Moment,
    seller_online: Option<bool>,
    trading_step: impl FnOnce() -> String,
) -> Words {
    let say = |meaning: String, next_step: String| Words {
        state: state(&trade.mode),
        meaning,
        next_step,
    };
    match &trade.mode {
        TradeMode::Offering => say(
            "The QORT are locked in the automated transaction. An offer has no end of its own: it waits for a buyer or until the seller cancels it.".to_owned(),
            offering_step(moment, seller_online).to_owned(),
        ),
        TradeMode::Trading => say(
            "The seller's trade bot saw the buyer's coins locked on the foreign chain and reserved the QORT for that buyer. Now the buyer's trade bot has to reveal its secret to the automated transaction, which releases the QORT, and the seller takes the coins with that secret.".to_owned(),
            trading_step(),
        ),
        TradeMode::Cancelled => say(
            "The seller took the offer back before anyone bought; the QORT were returned.".to_owned(),
            "Nothing: this is final. A new offer has another address.".to_owned(),
        ),
        TradeMode::Refunded => say(
            "The buyer did not reveal the secret before the refund height, so the automated transaction returned the QORT to the seller.".to_owned(),
            "Nothing on Qortal: this is final. The buyer's coins come back on the foreign chain once their lock time has passed; the buyer's trade bot does it when it runs, or the buyer in the wallet.".to_owned(),
        ),
        TradeMode::Redeemed => say(
            "The buyer revealed the secret and received the QORT; with it the seller can take the coins on the foreign chain.".to_owned(),
            "Nothing for the buyer: this is final. The seller's trade bot collects the coins when it runs; whether it has, Qortal does not show.".to_owned(),
        ),
        _ => say(
            "This node reports a state that this version does not know.".to_owned(),
            "See get_trade_detail for the facts.".to_owned(),
        ),
    }
}

fn offering_step(moment: &Moment, seller_online: Option<bool>) -> &'static str {
    match (moment.is_hidden, seller_online) {
        (Some(true), _) => {
            "This node hides the offer, because attempts to buy it failed or are left unanswered. The seller can cancel it and offer anew."
        }
        (_, Some(true)) => {
            "A buyer can take it now: the seller's trade bot is online, and it has to be to accept a buyer."
        }
        (_, None) => {
            "A buyer can take it while the seller's trade bot is online, which is not known here."
        }
        (_, Some(false)) => {
            "A buyer should wait: the seller's trade bot is not online as far as this node knows, and no one else can accept a buyer. The seller should open the trade portal with the node running."
        }
    }
}

fn trading_step(
    blocks: Option<u32>,
    time: Option<&str>,
    buyer_refund_from: Option<Timestamp>,
) -> String {
    let mut step = match blocks {
        Some(0) => "The refund is due: the automated transaction returns the QORT to the seller when it runs next.".to_owned(),
        Some(blocks) => format!(
            "Wait, with the buyer's node and trade bot running. If nothing happens the QORT go back to the seller in {blocks} blocks{}.",
            time.map_or_else(String::new, |time| format!(", {time}"))
        ),
        None => "Wait, with the buyer's node and trade bot running.".to_owned(),
    };
    if let Some(from) = buyer_refund_from {
        step.push_str(&format!(
            " The buyer's coins, if not spent, can be taken back from {from} on, which the buyer's trade bot does."
        ));
    }
    step.push_str(" No one can speed this up or cancel it, and neither side can take both.");
    step
}

//! Trade offers, as in `TradeOffersWebSocket`: the messages on opening and after a new tip.

use std::collections::HashMap;

use serde_json::Value;

use crate::{
    announcement::Announcement,
    chain::{Chain, Row},
    resource::BLOCKCHAINS,
    state::State,
};

/// Minimum age of a chain for changes to be sent.
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The modes in which an automated transaction still runs, so each block has a state of it.
const RUNNING: [&str; 2] = ["OFFERING", "TRADING"];

/// Returns the modes that a servlet has at its start, when it only reads open offers.
pub(crate) fn open(chain: &Chain) -> HashMap<String, String> {
    let trades = chain.trades.iter().map(|row| row.at("trade"));
    let open = trades.filter(|trade| trade.text("mode") == "OFFERING");
    open.map(known).collect()
}

fn known(trade: &Value) -> (String, String) {
    let of = |member| trade.text(member).to_owned();
    (of("qortalAtAddress"), of("mode"))
}

/// Returns the open offers and, with `finished`, those that have ended within a day.
pub(super) fn list(state: &State, blockchain: Option<&str>, finished: bool) -> Value {
    let since = state.machine_time() - DAY_MILLIS;
    let rows = state.chain.trades.iter().filter(|row| {
        let trade = row.at("trade");
        let is_meant = blockchain.is_none_or(|it| it == trade.text("foreignBlockchain"));
        let has_ended = !RUNNING.contains(&trade.text("mode"));
        // The time of a cancellation or a refund is not recorded.
        let is_recent = row.get("completed").is_none() || row.number("completed") > since;
        is_meant
            && !row.flag("hidden")
            && (trade.text("mode") == "OFFERING" || (finished && has_ended && is_recent))
    });
    rows.map(|row| summary(row.at("trade"), row.number("completed")))
        .collect()
}

impl State {
    /// Announces the changed modes after a new tip from a peer.
    ///
    /// Only states of that block are compared: an offer that ended in an earlier block is never announced. A chain younger than a day has
    /// no announcements.
    pub(crate) fn tell_offers(&mut self) {
        let genesis = self.chain.block(1).map_or(0, |block| block.timestamp());
        let Some(tip) = self.chain.tip() else {
            return;
        };
        if genesis > self.machine_time() - DAY_MILLIS {
            return;
        }
        let (height, timestamp) = (tip.height, tip.timestamp());
        let mut changed: HashMap<&str, Vec<Value>> = HashMap::new();
        let told_modes = self.told_modes.get_or_insert_default();
        for row in self.chain.trades.iter() {
            let trade = row.at("trade");
            let (address, mode) = known(trade);
            let has_state = RUNNING.contains(&mode.as_str()) || row.number("movedAt") >= height;
            if has_state && told_modes.get(&address) != Some(&mode) {
                told_modes.insert(address, mode);
                let of_coin = changed.entry(trade.text("foreignBlockchain")).or_default();
                of_coin.push(summary(trade, timestamp));
            }
        }
        for (blockchain, ..) in BLOCKCHAINS {
            if let Some(changed) = changed.remove(blockchain) {
                self.announcements.add(Announcement::Offers {
                    blockchain,
                    changed,
                });
            }
        }
    }
}

/// Returns the summary of a trade. `moment` is the time of the tip, or of the trade's end.
fn summary(trade: &Value, moment: i64) -> Value {
    let timestamp = match trade.text("mode") {
        "OFFERING" => trade.at("creationTimestamp").clone(),
        _ => moment.into(),
    };
    let foreign = trade.at("expectedForeignAmount");
    let summary = trade
        .pick("qortalAtAddress qortalCreator qortalCreatorTradeAddress qortAmount")
        .with("btcAmount", foreign.clone())
        .with("foreignAmount", foreign.clone())
        .extended(&trade.pick("tradeTimeout mode"))
        .with("timestamp", timestamp);
    let receiver = trade.get("qortalPartnerReceivingAddress").cloned();
    let receiver = receiver.filter(|_| trade.text("mode") == "REDEEMED");
    summary
        .with_some("partnerQortalReceivingAddress", receiver)
        .extended(&trade.pick("foreignBlockchain acctName"))
}

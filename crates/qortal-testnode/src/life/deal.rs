//! Trades of the demo: an offer is accepted, completed and followed by a new offer. An overdue trade is refunded.

use serde_json::{Value, json};

use crate::{
    chain::{NULL_ACCOUNT, Row, amount_text, pseudo_random},
    codec::{account_address, at_address},
    state::State,
};

/// Number of blocks after which an automated transaction refunds an incomplete trade.
const REFUND_AFTER: i64 = 720;
/// Time for which a buyer's coins stay locked, in seconds.
const LOCKED_FOR: i64 = 24 * 60 * 60;
/// Amount that an automated transaction reserves for fees and returns at its end, in units of 10⁻⁸ QORT.
const AT_FEES: i64 = 10_000_000;

impl State {
    /// Accepts the first offer for a coin whose seller is online. The seller's trade bot confirms the buyer.
    pub(super) fn take_offer(&mut self, act: &Value) {
        let now = self.now();
        let mut trades = self.chain.trades.iter().map(|row| row.at("trade"));
        let offer = trades.find(|trade| {
            trade.text("mode") == "OFFERING"
                && trade.text("foreignBlockchain") == act.text("coin")
                && trade.number("creatorPresenceExpiry") > now
                && !self.life.buyers.contains_key(trade.text("qortalAtAddress"))
        });
        let Some(offer) = offer else {
            return;
        };
        let contract = offer.text("qortalAtAddress").to_owned();
        let seller = offer.text("qortalCreator").to_owned();
        let mut buyers = act.rows("by").iter().filter_map(Value::as_str);
        let buyer = buyers.find_map(|name| Some(self.owner(name)).filter(|it| *it != seller));
        self.life
            .buyers
            .insert(contract.clone(), buyer.unwrap_or_default());
        self.send_to_contract(&seller, &contract);
    }

    /// Completes the oldest accepted trade: its buyer sends the secret.
    pub(super) fn complete_trade(&mut self) {
        if self.life.taken.is_empty() {
            return;
        }
        let contract = self.life.taken.remove(0);
        let buyer = self.life.buyers.get(&contract).cloned().unwrap_or_default();
        self.send_to_contract(&buyer, &contract);
        self.life.sold = Some(contract);
    }

    fn send_to_contract(&mut self, creator: &str, contract: &str) {
        let fields = json!({"recipient": contract, "data": self.fresh_text(32)});
        self.send("MESSAGE", creator, &fields);
    }

    /// Offers the amount that was sold last, by the same seller and for the same price.
    pub(super) fn make_offer(&mut self) {
        let Some(sold) = self.life.sold.take() else {
            return;
        };
        let Some(row) = self.trade(&sold).cloned() else {
            return;
        };
        let trade = row.at("trade");
        let hash = |sequence: u64| -> [u8; 20] {
            let bytes = pseudo_random(self.now(), self.events.wrapping_add(sequence), 20);
            bytes.try_into().unwrap_or_default()
        };
        let contract = at_address(hash(700));
        let amount = trade.amount("qortAmount").saturating_add(AT_FEES);
        let offer = trade
            .pick(
                "qortalAtAddress qortalCreator qortalCreatorTradeAddress creatorBitcoinPKH \
                 creatorForeignPKH creationTimestamp tradeTimeout qortBalance qortAmount \
                 expectedBitcoin expectedForeignAmount mode foreignBlockchain acctName",
            )
            .with("qortalAtAddress", contract.clone())
            .with("qortalCreatorTradeAddress", account_address(hash(701)))
            .with("creationTimestamp", self.now())
            .with("qortBalance", amount_text(amount))
            .with("mode", "OFFERING");
        self.life.offers.insert(contract.clone(), offer);
        let mut rows = self.chain.transactions.iter();
        let deployment = rows.find(|row| row.text("aTAddress") == sold).cloned();
        if let Some(deployment) = deployment {
            let fields = json!({"aTAddress": contract, "amount": amount_text(amount)});
            self.send_like(&deployment, trade.text("qortalCreator"), &fields);
        }
    }

    /// Applies a message to an automated transaction, which begins a trade or completes it.
    pub(super) fn message_to_contract(&mut self, contract: &str, height: i64, time: i64) {
        let Some(row) = self.trade(contract) else {
            return;
        };
        let trade = row.at("trade").clone();
        let buyer = self.life.buyers.get(contract).cloned().unwrap_or_default();
        match trade.text("mode") {
            "OFFERING" if !buyer.is_empty() => {
                let taken = trade
                    .with("hashOfSecretA", self.fresh_text(20))
                    .with("qortalPartnerAddress", buyer)
                    .with("refundTimeout", REFUND_AFTER)
                    .with("tradeRefundHeight", height.saturating_add(REFUND_AFTER))
                    .with("mode", "TRADING")
                    .with("lockTimeA", time / 1_000 + LOCKED_FOR)
                    .with("partnerBitcoinPKH", self.fresh_text(20))
                    .with("partnerForeignPKH", self.fresh_text(20))
                    .with(
                        "partnerPresenceExpiry",
                        trade.number("creatorPresenceExpiry"),
                    );
                self.set_trade(contract, &taken, height);
                self.life.taken.push(contract.to_owned());
            }
            "TRADING" if !buyer.is_empty() => {
                self.end_trade(contract, "REDEEMED", &buyer, height, time);
            }
            _ => {}
        }
    }

    /// Adds the offer of a confirmed deployment.
    pub(super) fn deploy_offer(&mut self, deployment: &Value) {
        let contract = deployment.text("aTAddress");
        let Some(offer) = self.life.offers.remove(contract) else {
            return;
        };
        self.credit(contract, deployment.amount("amount"));
        let like = offer.text("acctName").to_owned();
        let mut ats = self.chain.ats.iter();
        let running = ats.find(|row| row.text("atName") == like);
        if let Some(running) = running {
            let at = running
                .at("at")
                .with("ATAddress", contract)
                .with("creatorPublicKey", deployment.text("creatorPublicKey"))
                .with("creation", deployment.number("timestamp"))
                .with("isSleeping", true);
            let row = running.with("at", at);
            self.chain.ats.own().push(row);
        }
        self.chain.trades.own().push(json!({"trade": offer}));
        let until = self.online_until();
        let nonce = self.events;
        self.seller_online(nonce, contract, until);
    }

    /// Refunds the overdue trades.
    pub(super) fn refund_overdue(&mut self, height: i64) {
        let trades = self.chain.trades.iter().map(|row| row.at("trade"));
        let overdue = trades.filter(|trade| {
            trade.text("mode") == "TRADING" && trade.number("tradeRefundHeight") <= height
        });
        let overdue: Vec<(String, String)> = overdue
            .map(|trade| {
                let of = |name| trade.text(name).to_owned();
                (of("qortalAtAddress"), of("qortalCreator"))
            })
            .collect();
        let time = self.chain.tip().map_or(0, |block| block.timestamp());
        for (contract, seller) in overdue {
            self.end_trade(&contract, "REFUNDED", &seller, height, time);
            self.life.taken.retain(|taken| *taken != contract);
        }
    }

    /// Ends a trade: its automated transaction pays the amount to an account and the rest to its creator.
    fn end_trade(&mut self, contract: &str, mode: &str, to: &str, height: i64, time: i64) {
        let Some(row) = self.trade(contract) else {
            return;
        };
        let mut trade = row
            .at("trade")
            .with("mode", mode)
            .with("qortBalance", "0.00000000")
            .without("creatorPresenceExpiry")
            .without("partnerPresenceExpiry");
        let seller = trade.text("qortalCreator").to_owned();
        let amount = trade.amount("qortAmount");
        if mode == "REDEEMED" {
            trade = trade.with("qortalPartnerReceivingAddress", to);
        }
        self.set_trade(contract, &trade, height);
        let row = { self.chain.trades.own().iter_mut() }
            .find(|row| row.at("trade").text("qortalAtAddress") == contract);
        if let Some(row) = row.filter(|_| mode == "REDEEMED") {
            *row = row.with("completed", time);
        }
        self.presences
            .own()
            .retain(|row| row.text("atAddress") != contract);
        let at = { self.chain.ats.own().iter_mut() }
            .find(|row| row.at("at").text("ATAddress") == contract);
        if let Some(row) = at {
            let at = row
                .at("at")
                .with("isSleeping", false)
                .with("isFinished", true);
            *row = row.without("atName").with("at", at);
        }
        let is_of = |row: &Value| row.text("address") == contract;
        self.chain.balances.own().retain(|row| !is_of(row));
        for (to, amount) in [(to, amount), (&*seller, AT_FEES)] {
            self.pay_from_contract(contract, to, amount, height, time);
        }
    }

    fn pay_from_contract(&mut self, contract: &str, to: &str, amount: i64, height: i64, time: i64) {
        self.credit(to, amount);
        let row = json!({
            "type": "AT",
            "timestamp": time,
            "reference": "1".repeat(64),
            "fee": "0.00000000",
            "signature": self.fresh_text(64),
            "txGroupId": 0,
            "blockHeight": height,
            "approvalStatus": "NOT_REQUIRED",
            "creatorAddress": NULL_ACCOUNT,
            "recipient": to,
            "atAddress": contract,
            "amount": amount_text(amount),
            "assetId": 0,
        });
        self.chain.hold(height, &row);
        self.chain.transactions.own().push(row);
    }

    fn trade(&self, contract: &str) -> Option<&Value> {
        let mut trades = self.chain.trades.iter();
        trades.find(|row| row.at("trade").text("qortalAtAddress") == contract)
    }

    fn set_trade(&mut self, contract: &str, trade: &Value, height: i64) {
        let mut trades = self.chain.trades.own().iter_mut();
        let row = trades.find(|row| row.at("trade").text("qortalAtAddress") == contract);
        if let Some(row) = row {
            *row = row.with("trade", trade.clone()).with("movedAt", height);
        }
    }
}

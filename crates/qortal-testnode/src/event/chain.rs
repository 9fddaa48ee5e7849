//! Events that affect only the chain.

use serde_json::{Value, json};

use super::{BLOCK_TIME, PAYER};
use crate::{
    chain::{Chain, Row, amount_text, pseudo_random},
    codec::{base58_encode, public_key},
};

/// Returns `true` if a row has all fields of another one.
pub(super) fn has_all(row: &Value, members: &Value) -> bool {
    let mut members = members.as_object().into_iter().flatten();
    members.all(|(name, value)| row.at(name) == value)
}

impl Chain {
    /// Removes the newest block.
    pub(super) fn drop_tip(&mut self) {
        match &mut self.made {
            Some(made) => made.tip -= 1,
            None => drop(self.blocks.own().pop()),
        }
    }

    pub(super) fn grow(&mut self, nonce: u64) {
        if let Some(made) = &mut self.made {
            made.tip += 1;
            return;
        }
        let Some(mut block) = self.blocks.last().cloned() else {
            return;
        };
        let parent = block.signature().to_owned();
        block.height += 1;
        let signature = base58_encode(&pseudo_random(block.height, nonce.wrapping_add(1), 128));
        let timestamp = block.timestamp().saturating_add(BLOCK_TIME);
        block.row = block
            .row
            .without("minterSignature")
            .without("transactionsSignature")
            .with("signature", signature)
            .with("reference", parent)
            .with("height", block.height)
            .with("timestamp", timestamp)
            .with("transactionCount", 0);
        self.blocks.own().push(block);
    }

    /// Removes the newest block. Its transactions become unconfirmed again.
    pub(super) fn orphan(&mut self) {
        let height = self.height();
        self.drop_tip();
        let rows = self.transactions.own().iter_mut();
        for row in rows.filter(|row| row.number("blockHeight") == height) {
            *row = row.without("blockHeight");
        }
    }

    /// Counts a transaction in the newest block, which has this height.
    pub(crate) fn hold(&mut self, height: i64, transaction: &Value) {
        if let Some(made) = &mut self.made {
            made.hold(height, transaction);
        } else if let Some(block) = self.blocks.own().last_mut() {
            let count = block.row.number("transactionCount") + 1;
            block.row = block.row.with("transactionCount", count);
        }
    }

    pub(super) fn pay(&mut self, to: &str, units: i64) {
        let balances = self.balances.own();
        let mut rows = balances.iter_mut();
        let row = rows.find(|row| row.text("address") == to && row.number("assetId") == 0);
        if let Some(row) = row {
            let balance = row.amount("balance").saturating_add(units);
            *row = row.with("balance", amount_text(balance));
        }
    }

    /// Returns the signature of a group's last message.
    pub(super) fn last_signature(&self, group: u32) -> Option<Value> {
        let mut messages = self.chat.iter();
        let last = messages.rfind(|row| row.number("txGroupId") == i64::from(group));
        last.map(|row| row.at("signature").clone())
    }

    pub(super) fn say(
        &mut self,
        nonce: u64,
        now: i64,
        group: u32,
        [from, to]: [&str; 2],
        text: &str,
        refers_to: Option<Value>,
    ) {
        let name = |address: &str| self.primary_name(address).unwrap_or(address).to_owned();
        let known = self.account(from).map(|account| account.text("publicKey"));
        let known = known.filter(|key| public_key(key).is_some());
        // An account without earlier messages reveals its key now.
        let key = known.map_or_else(
            || base58_encode(&pseudo_random(now, nonce, 32)),
            str::to_owned,
        );
        // Each message is later than the previous one, since lists are in time order.
        let last = self.chat.last().map_or(0, |row| row.number("timestamp"));
        let now = now.max(last.saturating_add(1));
        let to = Some(to).filter(|it| !it.is_empty());
        let signature = base58_encode(&pseudo_random(now, nonce.wrapping_add(1), 64));
        let row = json!({
            "timestamp": now,
            "txGroupId": group,
            "reference": base58_encode(&pseudo_random(now, nonce, 64)),
            "senderPublicKey": key,
            "sender": from,
            "senderName": name(from),
        });
        let row = row
            .with_some("recipient", to)
            .with_some("recipientName", to.map(name))
            .with_some("chatReference", refers_to)
            .with("encoding", "BASE58")
            .with("data", base58_encode(text.as_bytes()))
            .with("isText", true)
            .with("isEncrypted", false)
            .with("signature", signature);
        self.chat.own().push(row);
    }

    /// Changes the mode of a trade. A final mode ends the trade with the next block.
    pub(super) fn move_trade(&mut self, at_address: &str, mode: &str) {
        let height = self.height() + 1;
        let is_meant = |row: &&mut Value| row.at("trade").text("qortalAtAddress") == at_address;
        if let Some(row) = self.trades.own().iter_mut().find(is_meant) {
            let mut trade = row.at("trade").with("mode", mode);
            if ["TRADING", "REDEEMED"].contains(&mode)
                && trade.get("qortalPartnerReceivingAddress").is_none()
            {
                trade = trade.with("qortalPartnerReceivingAddress", PAYER);
            }
            *row = row.with("trade", trade).with("movedAt", height);
        }
    }

    /// Returns the rows of a table, or of a list in an object.
    pub(super) fn rows_of(&mut self, name: &str) -> Option<&mut Vec<Value>> {
        match name.strip_prefix("group_events.") {
            Some(list) => self.group_events.own().get_mut(list)?.as_array_mut(),
            None => self.table(name),
        }
    }

    pub(super) fn add_row(&mut self, table: &str, like: &Value, but: &Value) {
        let Some(rows) = self.rows_of(table) else {
            return;
        };
        let Some(row) = rows.iter().find(|row| has_all(row, like)) else {
            return;
        };
        let row = row.extended(but);
        rows.push(row);
    }

    pub(super) fn offer(&mut self, like: &str, at_address: &str, now: i64) {
        let mut trades = self.trades.iter();
        let like = trades.find(|row| row.at("trade").text("qortalAtAddress") == like);
        if let Some(row) = like {
            let trade = row
                .at("trade")
                .with("qortalAtAddress", at_address)
                .with("mode", "OFFERING")
                .with("creationTimestamp", now);
            self.trades.own().push(json!({"trade": trade}));
        }
    }
}

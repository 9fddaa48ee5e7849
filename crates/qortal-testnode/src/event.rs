//! What can happen to a node while it runs: the tests' hand on the world.

use serde_json::{Value, json};

use crate::chain::{Chain, Row, amount_text, drawn};
use crate::codec::{base58_encode, public_key};
use crate::world::World;

/// Something that happens to the chain or to the node; every answer from then on knows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A block without transactions follows the last one.
    Block,
    /// Another block takes the place of the last one, as after a reorganization.
    OtherBlock,
    /// The node has this many connections now.
    Connections(u32),
    /// An amount, in units of 10⁻⁸ QORT, comes to an account in a new block.
    Payment {
        /// The account.
        to: String,
        /// How much.
        units: i64,
    },
    /// A text is sent to a group.
    GroupMessage {
        /// Who sends it.
        from: String,
        /// The group's number.
        group: u32,
        /// What it says.
        text: String,
    },
    /// A text is sent from one account to another.
    DirectMessage {
        /// Who sends it.
        from: String,
        /// Who gets it.
        to: String,
        /// What it says.
        text: String,
    },
    /// An offer is withdrawn in a new block.
    OfferCancelled {
        /// The address of the automated transaction behind it.
        at_address: String,
    },
}

/// The time between two blocks, in ms.
const BLOCK_TIME: i64 = 60_000;

impl World {
    pub(crate) fn happen(&mut self, event: &Event) {
        self.events = self.events.saturating_add(1);
        let nonce = self.events;
        let chain = &mut self.chain;
        match event {
            Event::Block => chain.grow(nonce),
            Event::OtherBlock => {
                chain.blocks.own().pop();
                chain.grow(nonce);
            }
            Event::Connections(connections) => self.connections = Some(*connections),
            Event::Payment { to, units } => {
                chain.pay(to, *units);
                chain.grow(nonce);
            }
            Event::GroupMessage { from, group, text } => {
                let now = self.now();
                self.chain.say(nonce, now, *group, [from, ""], text);
            }
            Event::DirectMessage { from, to, text } => {
                let now = self.now();
                self.chain.say(nonce, now, 0, [from, to], text);
            }
            Event::OfferCancelled { at_address } => {
                chain.cancel(at_address);
                chain.grow(nonce);
            }
        }
    }
}

impl Chain {
    fn grow(&mut self, nonce: u64) {
        let Some(mut block) = self.blocks.last().cloned() else {
            return;
        };
        let parent = block.signature().to_owned();
        block.height += 1;
        let signature = base58_encode(&drawn(block.height, nonce.wrapping_add(1), 128));
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

    fn pay(&mut self, to: &str, units: i64) {
        let balances = self.balances.own();
        let mut rows = balances.iter_mut();
        let row = rows.find(|row| row.text("address") == to && row.number("assetId") == 0);
        if let Some(row) = row {
            let balance = row.amount("balance").saturating_add(units);
            *row = row.with("balance", amount_text(balance));
        }
    }

    fn say(&mut self, nonce: u64, now: i64, group: u32, [from, to]: [&str; 2], text: &str) {
        let name = |address: &str| self.primary_name(address).unwrap_or(address).to_owned();
        let known = self.account(from).map(|account| account.text("publicKey"));
        let known = known.filter(|key| public_key(key).is_some());
        // An account that has sent nothing so far shows its key now.
        let key = known.map_or_else(|| base58_encode(&drawn(now, nonce, 32)), str::to_owned);
        let mut row = json!({
            "timestamp": now,
            "txGroupId": group,
            "reference": base58_encode(&drawn(now, nonce, 64)),
            "senderPublicKey": key,
            "sender": from,
            "senderName": name(from),
        });
        if !to.is_empty() {
            row = row.with("recipient", to).with("recipientName", name(to));
        }
        let signature = base58_encode(&drawn(now, nonce.wrapping_add(1), 64));
        let row = row
            .with("encoding", "BASE58")
            .with("data", base58_encode(text.as_bytes()))
            .with("isText", true)
            .with("isEncrypted", false)
            .with("signature", signature);
        self.chat.own().push(row);
    }

    fn cancel(&mut self, at_address: &str) {
        let is_meant = |row: &&mut Value| row.at("trade").text("qortalAtAddress") == at_address;
        if let Some(row) = self.trades.own().iter_mut().find(is_meant) {
            let trade = row.at("trade").with("mode", "CANCELLED");
            *row = row.with("trade", trade);
        }
    }
}

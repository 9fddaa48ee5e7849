//! Life of the demo: a repeating script of acts on its chain.
//!
//! `data/demo_life.json` lists the acts by the number of blocks since the start. An act that is a transaction is sent after its block,
//! stays unconfirmed, and takes effect with the next block.

mod act;
mod deal;
mod settle;

use std::{collections::HashMap, sync::LazyLock};

use serde_json::Value;

use crate::{
    chain::{Row, amount_text, embedded},
    state::State,
};

/// The acts, each with its block number.
static SCRIPT: LazyLock<Vec<Value>> = LazyLock::new(|| embedded!("demo_life.json"));
/// Number of blocks after which the script repeats. Ten minutes cover the first half, which has an act of each kind.
const ROUND: i64 = 16;

/// Trades that began during the demo, by the address of the automated transaction.
#[derive(Debug, Default)]
pub(crate) struct Life {
    /// Address of the buyer of each accepted trade.
    buyers: HashMap<String, String>,
    /// Accepted but incomplete trades, in order.
    taken: Vec<String>,
    /// Address of the last accepted offer, which the next new offer resembles.
    sold: Option<String>,
    /// Offers with an unconfirmed deployment.
    offers: HashMap<String, Value>,
}

impl State {
    /// Makes the next block with the unconfirmed transactions, then sends the next ones of the script.
    pub(crate) fn live(&mut self) {
        let before = self.chain.height();
        self.next_block();
        let height = self.chain.height();
        if height == before {
            return;
        }
        self.settle_waiting(height);
        self.refund_overdue(height);
        self.tell_offers();
        let Some(made) = &self.chain.made else {
            return;
        };
        let turn = made.since_start().rem_euclid(ROUND);
        for act in SCRIPT.iter().filter(|act| act.number("block") == turn) {
            self.act(act);
        }
    }

    /// Returns the owner of a name, or an empty string if it is not registered.
    pub(crate) fn owner(&self, name: &str) -> String {
        let mut names = self.chain.names.iter();
        let row = names.find(|row| row.text("name") == name);
        row.map(|row| row.text("owner").to_owned())
            .unwrap_or_default()
    }

    /// Adds an amount, in units of 10⁻⁸ QORT, to a balance. A balance does not fall below zero.
    fn credit(&mut self, address: &str, units: i64) {
        let balances = self.chain.balances.own();
        let mut rows = balances.iter_mut();
        let row = rows.find(|row| row.text("address") == address && row.number("assetId") == 0);
        match row {
            Some(row) => {
                let balance = row.amount("balance").saturating_add(units).max(0);
                *row = row.with("balance", amount_text(balance));
            }
            None if units > 0 => balances.push(serde_json::json!({
                "address": address,
                "assetId": 0,
                "balance": amount_text(units),
                "assetName": "QORT",
            })),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests;

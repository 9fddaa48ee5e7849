//! A chain with accounts of varying activity, made by code: the recorded one with two thousand more blocks. Some of their transactions were
//! made long before their block, and some have equal timestamps.

use serde_json::{Value, json};

use super::{Block, Chain, Row, amount_text, letters, pseudo_random};
use crate::codec::account_address;

/// Number of accounts. Each pays the next one.
const ACCOUNTS: u8 = 6;
const BLOCKS: i64 = 2_000;
/// Number of blocks for which an account's activity stays the same.
const SPELL: i64 = 150;
/// Number of transactions that an account makes in a hundred blocks, by spell.
const BUSY: [i64; 6] = [0, 0, 2, 20, 100, 300];
/// Maximum time between two blocks in ms.
const BLOCK_TIME: i64 = 120_000;
/// Interval of transactions that were made up to half a day before their block.
const LATE: i64 = 40;
const HALF_A_DAY: i64 = 12 * 60 * 60 * 1_000;
/// Interval of transactions with the timestamp of the previous one.
const SAME_MOMENT: i64 = 10;

/// The first purpose passed to [`drawn`]. Each account has its own.
const DRAWN: u64 = 100;

impl Chain {
    pub(crate) fn grown_unevenly(self) -> Self {
        let tip = self.height();
        let mut time = self.tip().map_or(0, |it| it.timestamp());
        let mut grown = self.longer(tip + BLOCKS, |height| {
            time += 1 + number(height, 0) % BLOCK_TIME;
            time
        });
        let mut made = Vec::new();
        for block in grown.blocks.iter().filter(|it| it.height > tip) {
            for account in 0..ACCOUNTS {
                transactions(account, block, &mut made);
            }
        }
        let rows = grown.transactions.own();
        rows.extend(made);
        rows.sort_by_key(|row| row.number("timestamp"));
        grown
    }

    /// Returns the chain with more blocks, up to this height, which resemble its last one. `time` returns the time of a block.
    pub(super) fn longer(mut self, height: i64, mut time: impl FnMut(i64) -> i64) -> Self {
        if let Some(tip) = self.blocks.last().cloned() {
            let blocks = self.blocks.own();
            for height in tip.height + 1..=height {
                let row = tip
                    .row
                    .with("height", height)
                    .with("timestamp", time(height));
                let row = row.with("signature", letters(DRAWN, height, 175));
                blocks.push(Block::new(height, row, false));
            }
        }
        self
    }
}

/// Returns an account of the chain.
fn account(index: u8) -> String {
    account_address([index.wrapping_add(1); 20])
}

/// Adds the transactions of an account in a block.
fn transactions(account: u8, block: &Block, made: &mut Vec<Value>) {
    let (height, block_time) = (block.height, block.timestamp());
    let sequence = 1 + 4 * u64::from(account);
    let spell = number(height / SPELL, sequence);
    let busy = usize::try_from(spell).unwrap_or_default() % BUSY.len();
    let busy = BUSY.get(busy).copied().unwrap_or_default();
    let chance = number(height, sequence + 1) % 100;
    let count = busy / 100 + i64::from(chance < busy % 100);
    let mut time = block_time;
    for index in 0..count {
        let place = height * 10 + index;
        let draw = number(place, sequence + 2);
        if index == 0 || draw % SAME_MOMENT > 0 {
            let longest = if draw % LATE == 0 {
                HALF_A_DAY
            } else {
                BLOCK_TIME
            };
            time = block_time - draw / LATE % longest;
        }
        made.push(json!({
            "type": if draw % 3 == 0 { "MESSAGE" } else { "PAYMENT" },
            "timestamp": time,
            "fee": "0.01000000",
            "signature": letters(DRAWN + sequence, place, 88),
            "txGroupId": 0,
            "recipient": self::account((account + 1) % ACCOUNTS),
            "blockHeight": height,
            "approvalStatus": "NOT_REQUIRED",
            "creatorAddress": self::account(account),
            "amount": amount_text(1 + draw % 5),
        }));
    }
}

/// Returns a pseudo-random number of at least 0.
fn number(place: i64, purpose: u64) -> i64 {
    let bytes = pseudo_random(place, DRAWN + purpose, 4);
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | i64::from(*byte))
}

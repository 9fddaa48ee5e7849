//! The demo: a node of an invented network that looks like the main one.
//!
//! Nothing in it is real. Its tables are in `data/`, as they are at noon of one day; a node that starts at another moment has the
//! same rows, with their times moved. Blocks are made when they are asked for, and the chain goes on by itself.

use serde_json::Value;

use crate::chain::{Calendar, Chain, MadeBlocks, Part, Payments, Row, embedded, letters};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// The moment at which the tables in `data/` begin to go on: noon (UTC) of November 23, 2026.
const WRITTEN: i64 = 1_795_435_200_000;
/// No time in them is later; greater numbers are others.
const LATEST: i64 = WRITTEN + 365 * 24 * HOUR;
/// The main network began then, and so no time is earlier.
const EARLIEST: i64 = 1_593_450_000_000;

/// Connections that came in, and those that the node made.
pub(crate) const PEERS: (u32, u32) = (9, 21);
/// Of the peers, so many exchange QDN data.
pub(crate) const DATA_PEERS: u32 = 14;
/// How long the node had been running at the start.
pub(crate) const RUNNING_FOR: i64 = 4 * 24 * HOUR + 3 * HOUR;

/// Minters say once in so long that they are online.
const ONLINE_PERIOD: i64 = 10 * MINUTE;
/// A file below `data/` with its times moved, which is read when it is first looked at.
macro_rules! moved {
    ($file:literal, $calendar:ident) => {
        Part::later(move || {
            let mut value = embedded!($file);
            expand(&mut value, $calendar);
            table(value)
        })
    };
}

impl Chain {
    /// The chain of the demo as it is at the start.
    pub(crate) fn demo(start: Calendar) -> Self {
        let transactions = moved!("demo_transactions.json", start);
        let online: Part<Vec<Value>> = Part::later(move || online_accounts(start.start()));
        Self {
            accounts: moved!("demo_accounts.json", start),
            balances: moved!("demo_balances.json", start),
            names: moved!("demo_names.json", start),
            primary_names: Part::later(|| embedded!("demo_primary_names.json")),
            reward_shares: moved!("demo_reward_shares.json", start),
            online_accounts: online.clone(),
            minting_accounts: moved!("demo_minting_accounts.json", start),
            blocks: Part::empty(),
            made: Some(MadeBlocks::new(start, transactions.clone(), online)),
            transactions,
            payments: Payments::default(),
            trades: moved!("demo_trades.json", start),
            presences: moved!("demo_presences.json", start),
            groups: moved!("demo_groups.json", start),
            group_members: moved!("demo_group_members.json", start),
            group_events: Part::later(move || {
                let mut value = embedded!("demo_group_events.json");
                expand(&mut value, start);
                value
            }),
            polls: moved!("demo_polls.json", start),
            votes: moved!("demo_votes.json", start),
            chat: moved!("demo_chat.json", start),
            assets: moved!("demo_assets.json", start),
            orders: moved!("demo_orders.json", start),
            asset_trades: moved!("demo_asset_trades.json", start),
            ats: moved!("demo_ats.json", start),
            qdn_resources: moved!("demo_qdn_resources.json", start),
            qdn_hosted: moved!("demo_qdn_hosted.json", start),
            qdn_content: moved!("demo_qdn_content.json", start),
            qdn_categories: Self::recorded().qdn_categories,
            peers_known: moved!("demo_peers_known.json", start),
            facts: Part::later(|| embedded!("demo_facts.json")),
        }
    }
}

/// The rows of a table.
fn table(value: Value) -> Vec<Value> {
    match value {
        Value::Array(rows) => rows,
        other => vec![other],
    }
}

/// Moves the times to the start, and writes out the texts that stand as `~SEQUENCE:PLACE:LENGTH`.
fn expand(value: &mut Value, start: Calendar) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| expand(it, start)),
        Value::Object(members) => {
            for member in members.values_mut() {
                expand(member, start);
            }
        }
        Value::Number(number) => {
            let time = number
                .as_i64()
                .filter(|it| (EARLIEST..=LATEST).contains(it));
            if let Some(time) = time {
                *value = moved(time, start).into();
            }
        }
        Value::String(text) => {
            if let Some(drawn) = drawn(text) {
                *text = drawn;
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// A signature or a key that no one made: so many letters that look random.
fn drawn(text: &str) -> Option<String> {
    let mut parts = text.strip_prefix('~')?.split(':');
    let sequence = parts.next()?.parse().ok()?;
    let place = parts.next()?.parse().ok()?;
    Some(letters(sequence, place, parts.next()?.parse().ok()?))
}

/// What is to come is told in whole minutes.
fn moved(time: i64, start: Calendar) -> i64 {
    let moved = start.moved(time, Calendar::at(WRITTEN));
    match time > WRITTEN {
        true => moved.div_euclid(MINUTE) * MINUTE,
        false => moved,
    }
}

/// The minters who are online at a moment.
pub(crate) fn online_accounts(now: i64) -> Vec<Value> {
    let mut rows: Value = embedded!("demo_online_accounts.json");
    expand(&mut rows, Calendar::at(WRITTEN));
    let period = now.div_euclid(ONLINE_PERIOD) * ONLINE_PERIOD;
    table(rows)
        .iter()
        .map(|it| it.with("timestamp", period))
        .collect()
}

#[cfg(test)]
mod tests;

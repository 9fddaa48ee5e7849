//! The demo: a node of an invented network that resembles the main one.
//!
//! Nothing in it is real. Its tables in `data/` show the state at noon of one day. A node that starts at another time has the same rows
//! with shifted times. Blocks are made on demand, and the chain grows automatically.

mod forms;

use data_encoding::BASE64;
use serde_json::Value;

use crate::{
    chain::{Calendar, Chain, MadeBlocks, Part, Row, embedded, letters, rows},
    codec::base58_encode,
};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// The start time of the tables in `data/`: noon (UTC) of November 23, 2026.
const WRITTEN: i64 = 1_795_435_200_000;
/// The latest time in the tables. Greater numbers are not times.
const LATEST: i64 = WRITTEN + 365 * 24 * HOUR;
/// The start of the main network, and the earliest time in the tables.
const EARLIEST: i64 = 1_593_450_000_000;

/// Numbers of inbound and outbound connections.
pub(crate) const PEERS: (u32, u32) = (9, 21);
/// Number of peers that exchange QDN data.
pub(crate) const DATA_PEERS: u32 = 14;
/// Uptime of the node at the start.
pub(crate) const RUNNING_FOR: i64 = 4 * 24 * HOUR + 3 * HOUR;

/// Interval at which minters announce that they are online.
const ONLINE_PERIOD: i64 = 10 * MINUTE;

impl Chain {
    /// Returns the demo's chain at the start.
    pub(crate) fn demo(start: Calendar) -> Self {
        let online: Part<Vec<Value>> = Part::later(move || online_accounts(start.start()));
        let transactions =
            Part::later(move || rows(expanded(embedded!("demo_transactions.json"), start)));
        let made = MadeBlocks::new(start, transactions.clone(), online.clone());
        Self {
            online_accounts: online,
            transactions,
            facts: Part::later(|| embedded!("demo_facts.json")),
            ..Self::invented(made, move |it| expanded(it, start))
        }
    }
}

fn expanded(mut value: Value, start: Calendar) -> Value {
    expand(&mut value, start);
    value
}

/// Shifts the times to the start. Expands the generated strings, which are written `~SEQUENCE:PLACE:LENGTH`, and the data in readable form.
fn expand(value: &mut Value, start: Calendar) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| expand(it, start)),
        Value::Object(members) => {
            for member in members.values_mut() {
                expand(member, start);
            }
            if let Some(lock_time) = members.get_mut("lockTimeA") {
                // Foreign chains use seconds.
                let seconds = lock_time.as_i64().filter(|seconds| *seconds > 0);
                if let Some(seconds) = seconds {
                    *lock_time =
                        (start.moved(seconds * 1_000, Calendar::at(WRITTEN)) / 1_000).into();
                }
            }
            let is_message = members.contains_key("encoding");
            if let Some(data) = members.get_mut("data")
                && let Some(bytes) = forms::bytes(data)
            {
                // Messages are stored in the encoding that the Core uses by default.
                *data = if is_message {
                    base58_encode(&bytes)
                } else {
                    BASE64.encode(&bytes)
                }
                .into();
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
            if let Some(drawn) = generated(text) {
                *text = drawn;
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Returns a made-up signature or key of pseudo-random letters. For the sequence `picture`, returns an image with a length in bytes.
fn generated(text: &str) -> Option<String> {
    let mut parts = text.strip_prefix('~')?.split(':');
    let sequence = parts.next()?;
    let place = parts.next()?.parse().ok()?;
    let length = parts.next()?.parse().ok()?;
    if sequence == "picture" {
        return Some(forms::picture(place, length));
    }
    Some(letters(sequence.parse().ok()?, place, length))
}

/// Shifts a time. Future times are rounded to minutes.
fn moved(time: i64, start: Calendar) -> i64 {
    let moved = start.moved(time, Calendar::at(WRITTEN));
    if time > WRITTEN {
        moved.div_euclid(MINUTE) * MINUTE
    } else {
        moved
    }
}

/// Returns the online minters at a time.
pub(crate) fn online_accounts(now: i64) -> Vec<Value> {
    let table = expanded(
        embedded!("demo_online_accounts.json"),
        Calendar::at(WRITTEN),
    );
    let period = now.div_euclid(ONLINE_PERIOD) * ONLINE_PERIOD;
    rows(table)
        .iter()
        .map(|it| it.with("timestamp", period))
        .collect()
}

#[cfg(test)]
mod tests;

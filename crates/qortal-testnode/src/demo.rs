//! The demo: a node of an invented network that looks like the main one.
//!
//! Nothing in it is real. Its tables are in `data/`, as they are at noon of one day; a node that starts at another moment has the
//! same rows, with their times moved. Blocks are made when they are asked for, and the chain goes on by itself.

mod forms;

use data_encoding::BASE64;
use serde_json::Value;

use crate::{
    chain::{Calendar, Chain, MadeBlocks, Part, Row, embedded, letters, rows},
    codec::base58_encode,
};

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

impl Chain {
    /// The chain of the demo as it is at the start.
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

/// Moves the times to the start, and writes out the texts that stand as `~SEQUENCE:PLACE:LENGTH` and the data that stands in a
/// readable form.
fn expand(value: &mut Value, start: Calendar) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| expand(it, start)),
        Value::Object(members) => {
            for member in members.values_mut() {
                expand(member, start);
            }
            if let Some(lock_time) = members.get_mut("lockTimeA") {
                // Foreign chains count in seconds.
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
                // Messages are kept in the encoding that the Core uses without a parameter.
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

/// Returns a signature or a key that no one made: letters that look random. With the sequence `picture` it returns a picture of
/// a length in bytes.
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

/// What is to come is told in whole minutes.
fn moved(time: i64, start: Calendar) -> i64 {
    let moved = start.moved(time, Calendar::at(WRITTEN));
    if time > WRITTEN {
        moved.div_euclid(MINUTE) * MINUTE
    } else {
        moved
    }
}

/// The minters who are online at a moment.
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

//! The demo: a node of an invented network that looks like the main one.
//!
//! Nothing in it is real. Its tables are in `data/`, as they are at noon of one day; a node that starts at another moment has the
//! same rows, with their times moved. Blocks are made when they are asked for, and the chain goes on by itself.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::chain::{Calendar, Chain, MadeBlocks, Part, Payments, Row, embedded};
use crate::event::Event;
use crate::world::World;

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
/// How long a trade bot counts as online after it said so.
const ONLINE_FOR: i64 = 30 * MINUTE;
/// The member of a trade that says how long the buyer does.
const BUYER_ONLINE: &str = "partnerPresenceExpiry";
/// A trade bot says that it is online before this much of the time is left for which that counts.
const RENEWED_BEFORE: i64 = 10 * MINUTE;
/// Every so many blocks something is said, in a group.
const SAID_EVERY: i64 = 4;
const LOUNGE: u32 = 3;
const LATER: [&str; 6] = [
    "Another block, another minute.",
    "The kettle whistles.",
    "My node counts blocks, I count sheep.",
    "Is it evening where you are?",
    "The radio plays rain again.",
    "Someone voted for soup.",
];

/// A file below `data/` with its times moved, which is read when it is first looked at.
macro_rules! moved {
    ($file:literal, $calendar:ident) => {
        Part::later(move || {
            let mut value = embedded!($file);
            move_times(&mut value, $calendar);
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
                move_times(&mut value, start);
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

fn move_times(value: &mut Value, start: Calendar) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| move_times(it, start)),
        Value::Object(members) => {
            for member in members.values_mut() {
                move_times(member, start);
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
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
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
fn online_accounts(now: i64) -> Vec<Value> {
    let rows: Vec<Value> = embedded!("demo_online_accounts.json");
    let period = now.div_euclid(ONLINE_PERIOD) * ONLINE_PERIOD;
    rows.iter().map(|it| it.with("timestamp", period)).collect()
}

impl World {
    /// When the next block comes; none on a chain that does not go on by itself.
    pub(crate) fn next_tick(&self) -> Option<Instant> {
        let made = self.chain.made.as_ref()?;
        let left = made.next_time() - self.now();
        let left = Duration::from_millis(u64::try_from(left).unwrap_or_default());
        Some(Instant::now() + left)
    }

    /// A block comes, and what came with it.
    pub(crate) fn tick(&mut self) {
        self.happen(&Event::Block);
        self.renew_presences();
        let now = self.now();
        self.chain.online_accounts = Part::later(move || online_accounts(now));
        let height = self.chain.height();
        if height % SAID_EVERY == 0 {
            let turn = usize::try_from(height / SAID_EVERY).unwrap_or_default();
            let text = LATER.iter().cycle().nth(turn % LATER.len());
            self.happen(&Event::GroupMessage {
                from: self.speaker(turn),
                group: LOUNGE,
                text: text.copied().unwrap_or_default().to_owned(),
            });
        }
    }

    /// One of the group whose name is known.
    fn speaker(&self, turn: usize) -> String {
        let members = self.chain.group_members.iter();
        let of_group = members.filter(|row| row.number("groupId") == i64::from(LOUNGE));
        let named: Vec<&str> = of_group
            .map(|row| row.text("member"))
            .filter(|it| self.chain.primary_name(it).is_some())
            .collect();
        let speaker = named.get(turn * 5 % named.len().max(1));
        speaker.copied().unwrap_or_default().to_owned()
    }

    fn renew_presences(&mut self) {
        let now = self.now();
        let is_ending = |time: i64| time < now + RENEWED_BEFORE;
        let ending: Vec<String> = self
            .presences
            .iter()
            .filter(|it| is_ending(it.number("timestamp")))
            .map(|it| it.text("atAddress").to_owned())
            .collect();
        let until = (now + ONLINE_FOR).div_euclid(MINUTE) * MINUTE;
        for contract in ending {
            self.renew_buyer(&contract, until);
            self.happen(&Event::SellerOnline {
                at_address: contract,
                until,
            });
        }
    }

    /// The buyer in a trade stays online as long as the seller does.
    fn renew_buyer(&mut self, contract: &str, until: i64) {
        let is_meant = |row: &&mut Value| {
            let trade = row.at("trade");
            trade.text("qortalAtAddress") == contract && trade.get(BUYER_ONLINE).is_some()
        };
        if let Some(row) = self.chain.trades.own().iter_mut().find(is_meant) {
            let trade = row.at("trade").with(BUYER_ONLINE, until);
            *row = row.with("trade", trade);
        }
    }
}

#[cfg(test)]
mod tests;

//! A large chain, made by code: the recorded one with many more names, QDN resources, rated apps and payments.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::{
    Chain, Row, amount_text, letters,
    part::Part,
    payments::{GENESIS, PAYER, PAYER_KEY, Payments},
    pseudo_random,
};
use crate::codec::{account_address, base58_encode};

const NAMES: i64 = 50_000;
/// Number of accounts that own the names in turn.
const OWNERS: i64 = 20_000;
/// Interval of names that are for sale.
const FOR_SALE: i64 = 50;

const RESOURCES: i64 = 100_000;
/// Number of names that publish the resources in turn.
const PUBLISHERS: i64 = 7_000;
/// Services of the resources in turn. Three were recorded, and the others resemble them.
const SERVICES: [&str; 8] = [
    "DOCUMENT",
    "IMAGE",
    "VIDEO",
    "AUDIO",
    "BLOG_POST",
    "WEBSITE",
    "APP",
    "MESSAGE",
];

/// Number of rated apps in addition to the recorded one, and of the votes for each.
const RATED_APPS: i64 = 40;
const VOTES: i64 = 20;

/// The purpose passed to [`drawn`].
const VOTER: u64 = 12;
const PUBLICATION: u64 = 13;

static ALL_NAMES: LazyLock<Vec<Value>> = LazyLock::new(|| names(NAMES));

static ALL_RESOURCES: LazyLock<Vec<Value>> = LazyLock::new(|| resources(RESOURCES));

fn names(count: i64) -> Vec<Value> {
    let owners: Vec<String> = (0..OWNERS).map(owner).collect();
    let made = (0..count).zip(owners.iter().cycle());
    let names = made.map(|(index, owner)| name(index, owner));
    Chain::recorded()
        .names
        .iter()
        .cloned()
        .chain(names)
        .collect()
}

fn resources(count: i64) -> Vec<Value> {
    let recorded = Chain::recorded().qdn_resources;
    let made = (0..count).map(resource);
    made.chain(recorded.iter().cloned()).collect()
}

impl Chain {
    /// Returns the genesis block with this many names and QDN resources, and with payments of one account up to its last block.
    pub(crate) fn grown_to<const ROWS: i64>(self) -> Self {
        let payments = Payments::of(ROWS);
        let last = payments.last_block();
        Self {
            names: Part::later(|| names(ROWS)),
            qdn_resources: Part::later(|| resources(ROWS)),
            payments,
            ..self.up_to(1).longer(last, Payments::end_of_block)
        }
    }

    /// Returns the chain with as many rows as the main network.
    pub(crate) fn grown_large(mut self) -> Self {
        let polls = (0..RATED_APPS).map(poll);
        self.polls.own().extend(polls);
        let votes =
            (0..RATED_APPS).flat_map(|app| (0..VOTES).map(move |vote| self::vote(app, vote)));
        self.votes.own().extend(votes);
        let summary = self.facts.at("summary");
        let types = summary.at("transactionCountByType");
        let payments = types.number("PAYMENT") + Payments::ALL;
        let total = summary.number("totalTransactionCount") + Payments::ALL;
        let summary = summary
            .with("transactionCountByType", types.with("PAYMENT", payments))
            .with("totalTransactionCount", total);
        Self {
            names: Part::Recorded(&ALL_NAMES),
            qdn_resources: Part::Recorded(&ALL_RESOURCES),
            facts: Part::Own(self.facts.with("summary", summary)),
            payments: Payments::of(Payments::ALL),
            ..self
        }
    }
}

/// Returns an address whose hash is the account's number.
fn owner(index: i64) -> String {
    let mut hash = [0; 20];
    let [.., high, middle, low] = index.to_be_bytes();
    hash[..3].copy_from_slice(&[high, middle, low]);
    account_address(hash)
}

fn name(index: i64, owner: &str) -> Value {
    let name = format!("user{index:06}");
    let length = usize::try_from(index % 50).unwrap_or_default();
    let is_for_sale = index % FOR_SALE == 0;
    let price = is_for_sale.then(|| amount_text(100_000_000 + index));
    let row = json!({
        "name": name,
        "reducedName": name,
        "owner": owner,
        "data": "x".repeat(length),
        "registered": GENESIS + index,
        "isForSale": is_for_sale,
    });
    row.with_some("salePrice", price)
}

fn resource(index: i64) -> Value {
    let services = i64::try_from(SERVICES.len()).unwrap_or(1);
    let service = usize::try_from(index % services).unwrap_or_default();
    json!({
        "name": format!("user{:06}", index % PUBLISHERS),
        "service": SERVICES.get(service),
        "identifier": format!("id-{index}"),
        "latestSignature": letters(PUBLICATION, index, 88),
        "metadata": {"title": format!("title {index}")},
        "size": 1_000 + index,
        "created": GENESIS + index * 250,
    })
}

fn app_name(app: i64) -> String {
    format!("app-library-APP-rating-App{app:02}")
}

fn poll(app: i64) -> Value {
    let options = (1..=5).map(|stars| json!({"optionName": stars.to_string()}));
    json!({
        "creatorPublicKey": PAYER_KEY,
        "description": "rating",
        "owner": PAYER,
        "pollName": app_name(app),
        "pollOptions": options.collect::<Vec<_>>(),
        "published": GENESIS + app * 1_000,
    })
}

/// Returns a vote. Votes choose the options in turn, and their keys have no account.
fn vote(app: i64, vote: i64) -> Value {
    json!({
        "optionIndex": vote % 5,
        "pollName": app_name(app),
        "voterPublicKey": base58_encode(&pseudo_random(app * VOTES + vote, VOTER, 32)),
    })
}

//! A large chain, made by code: the recorded one with many more names, QDN resources, rated apps and payments.

use std::{ops::Range, sync::LazyLock};

use serde_json::{Value, json};

use super::{
    part::Part,
    {Chain, Row, amount_text, drawn},
};
use crate::codec::{account_address, base58_decode, base58_encode};

/// The time of the genesis block, from which on rows are counted.
const GENESIS: i64 = 1_795_212_000_000;

const NAMES: i64 = 50_000;
/// Accounts that own them in turn.
const OWNERS: i64 = 20_000;
/// Every so many names one is for sale.
const FOR_SALE: i64 = 50;

const RESOURCES: i64 = 100_000;
/// Names that publish them in turn.
const PUBLISHERS: i64 = 7_000;
/// Their services in turn. Three of them were recorded, the others are like them.
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

/// Rated apps besides the recorded one, and the votes of each.
const RATED_APPS: i64 = 40;
const VOTES: i64 = 20;

/// The account that pays, and its key.
const PAYER: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const PAYER_KEY: &str = "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP";
/// Those who are paid in turn.
const RECIPIENTS: [&str; 3] = [
    "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK",
    "QSsBRjKobUenghATsCnodVRfYGDACzreCC",
    "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC",
];
const PAYMENTS: i64 = 150_000;
const PAYMENTS_IN_A_BLOCK: i64 = 500;
/// The block with the first of them.
const FIRST_BLOCK: i64 = 160;
/// ms between two payments.
const PAYMENT_TIME: i64 = 200;

/// What [`drawn`] is asked for.
const SIGNATURE: u64 = 11;
const VOTER: u64 = 12;
const PUBLICATION: u64 = 13;

static ALL_NAMES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let owners: Vec<String> = (0..OWNERS).map(owner).collect();
    let made = (0..NAMES).zip(owners.iter().cycle());
    let recorded = Chain::recorded().names.iter().cloned().collect::<Vec<_>>();
    let names = made.map(|(index, owner)| name(index, owner));
    recorded.into_iter().chain(names).collect()
});

static ALL_RESOURCES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let recorded: Vec<Value> = Chain::recorded().qdn_resources.iter().cloned().collect();
    (0..RESOURCES).map(resource).chain(recorded).collect()
});

impl Chain {
    /// The chain with as many rows as the main network has.
    pub(crate) fn grown_large(mut self) -> Self {
        let polls = (0..RATED_APPS).map(poll);
        self.polls.own().extend(polls);
        let votes =
            (0..RATED_APPS).flat_map(|app| (0..VOTES).map(move |vote| self::vote(app, vote)));
        self.votes.own().extend(votes);
        let summary = self.facts.at("summary");
        let types = summary.at("transactionCountByType");
        let payments = types.number("PAYMENT") + PAYMENTS;
        let total = summary.number("totalTransactionCount") + PAYMENTS;
        let summary = summary
            .with("transactionCountByType", types.with("PAYMENT", payments))
            .with("totalTransactionCount", total);
        Self {
            names: Part::Recorded(&ALL_NAMES),
            qdn_resources: Part::Recorded(&ALL_RESOURCES),
            facts: Part::Own(self.facts.with("summary", summary)),
            payments: Payments(PAYMENTS),
            ..self
        }
    }
}

/// An address whose hash is the number of the account.
fn owner(index: i64) -> String {
    let mut hash = [0; 20];
    let [.., high, middle, low] = index.to_be_bytes();
    hash[..3].copy_from_slice(&[high, middle, low]);
    account_address(hash)
}

fn name(index: i64, owner: &str) -> Value {
    let name = format!("user{index:06}");
    let length = usize::try_from(index % 50).unwrap_or_default();
    let row = json!({
        "name": name,
        "reducedName": name,
        "owner": owner,
        "data": "x".repeat(length),
        "registered": GENESIS + index,
        "isForSale": index % FOR_SALE == 0,
    });
    if index % FOR_SALE == 0 {
        row.with("salePrice", amount_text(100_000_000 + index))
    } else {
        row
    }
}

fn resource(index: i64) -> Value {
    let services = i64::try_from(SERVICES.len()).unwrap_or(1);
    let service = usize::try_from(index % services).unwrap_or_default();
    json!({
        "name": format!("user{:06}", index % PUBLISHERS),
        "service": SERVICES.get(service),
        "identifier": format!("id-{index}"),
        "latestSignature": signature_text(index),
        "metadata": {"title": format!("title {index}")},
        "size": 1_000 + index,
        "created": GENESIS + index * 250,
    })
}

/// A text that is Base58 of 64 bytes, without the work of encoding them: 88 letters of which the first counts 1.
fn signature_text(index: i64) -> String {
    const LETTERS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let letters = drawn(index, PUBLICATION, 87);
    let letters = letters
        .iter()
        .map(|byte| usize::from(*byte) % LETTERS.len());
    let letters = letters.filter_map(|place| LETTERS.get(place));
    std::iter::once('2')
        .chain(letters.map(|letter| char::from(*letter)))
        .collect()
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

/// The votes go to the options in turn, of keys without account.
fn vote(app: i64, vote: i64) -> Value {
    json!({
        "optionIndex": vote % 5,
        "pollName": app_name(app),
        "voterPublicKey": base58_encode(&drawn(app * VOTES + vote, VOTER, 32)),
    })
}

/// Payments of one account, which are made when they are asked for: as rows they would take hundreds of megabytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Payments(i64);

impl Payments {
    /// The time of a payment.
    pub(crate) fn time(index: i64) -> i64 {
        GENESIS + index * PAYMENT_TIME
    }

    /// The transaction of a payment.
    pub(crate) fn row(index: i64) -> Value {
        let mut row = template(index);
        set(&mut row, index);
        row.with("signature", signature(index))
            .with("reference", signature(index - 1))
    }

    /// The payments whose transactions fit; signature and reference are not there to be judged.
    pub(crate) fn matching(self, fits: impl Fn(&Value) -> bool) -> Vec<i64> {
        let mut templates: Vec<Value> = (0..3).map(template).collect();
        let mut found = Vec::new();
        for index in 0..self.0 {
            let place = usize::try_from(index % 3).unwrap_or_default();
            let Some(row) = templates.get_mut(place) else {
                continue;
            };
            set(row, index);
            if fits(row) {
                found.push(index);
            }
        }
        found
    }

    /// The payments in a block.
    pub(crate) fn in_block(self, height: i64) -> Range<i64> {
        let first = (height - FIRST_BLOCK) * PAYMENTS_IN_A_BLOCK;
        if first < 0 || first >= self.0 {
            return 0..0;
        }
        first..(first + PAYMENTS_IN_A_BLOCK).min(self.0)
    }

    /// The payment with a signature.
    pub(crate) fn named(self, text: &str) -> Option<Value> {
        let bytes = base58_decode(text)?;
        let (_, index) = bytes.split_last_chunk::<4>()?;
        let index = i64::from(u32::from_be_bytes(*index));
        (index < self.0 && signature(index) == text).then(|| Self::row(index))
    }
}

/// Drawn, with the number of the payment at its end.
fn signature(index: i64) -> String {
    let mut bytes = drawn(index, SIGNATURE, 60);
    let [.., a, b, c, d] = index.to_be_bytes();
    bytes.extend([a, b, c, d]);
    base58_encode(&bytes)
}

/// What all payments to one recipient have in common, in the order of the members.
fn template(index: i64) -> Value {
    let recipient = usize::try_from(index % 3).unwrap_or_default();
    json!({
        "type": "PAYMENT",
        "timestamp": 0,
        "reference": "",
        "fee": "0.01000000",
        "signature": "",
        "txGroupId": 0,
        "recipient": RECIPIENTS.get(recipient),
        "blockHeight": 0,
        "approvalStatus": "NOT_REQUIRED",
        "creatorAddress": PAYER,
        "senderPublicKey": PAYER_KEY,
        "amount": "",
    })
}

fn set(row: &mut Value, index: i64) {
    for (member, value) in [
        ("timestamp", Payments::time(index).into()),
        (
            "blockHeight",
            (FIRST_BLOCK + index / PAYMENTS_IN_A_BLOCK).into(),
        ),
        ("amount", amount_text(index + 1).into()),
    ] {
        if let Some(place) = row.get_mut(member) {
            *place = value;
        }
    }
}

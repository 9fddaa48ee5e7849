//! The registered names of the demo: one for most of the cast, some more that are for sale or were sold.

use qortal_types::Reduced;
use serde_json::{Value, json};

use super::Demo;
use super::draw::{Kind, number, wide};
use super::ledger::{Ledger, QORT};
use super::people::{
    ALICE, BOB, CHLOE, GINA, NELL, OTHERS, RITA, SELLERS, VICTOR, Who, ZEBRA, named, person,
};
use super::time::{DAY, HOUR};
use crate::chain::{Row, amount_text};

/// The transaction that an example names: the sale of `collectible`.
const SALE: &str =
    "2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko";

/// What became of a name that is not the first of its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Market {
    /// It is kept.
    No,
    /// It is for sale, for so many QORT, since so many days.
    Sale(i64, i64),
    /// The owner sold it for so many QORT so many days ago.
    Sold(Who, i64, i64),
}

/// Name, who registered it, days since then, what it says, and what became of it.
const MORE: [(&str, Who, i64, &str, Market); 18] = [
    (
        "alice-shop",
        ALICE,
        400,
        "{\"about\":\"second name\"}",
        Market::Sale(250, 40),
    ),
    (
        "collectible",
        CHLOE,
        380,
        "for sale soon",
        Market::Sold(NELL, 42, 12),
    ),
    ("q-demo", VICTOR, 350, "name of an app", Market::No),
    ("approved-name", BOB, 300, "was pending", Market::No),
    ("日本語の名前", VICTOR, 290, "unicode name", Market::No),
    (
        "long-story",
        VICTOR,
        280,
        "{\"about\":\"stories in installments\"}",
        Market::No,
    ),
    (
        "harbor-radio",
        OTHERS.start,
        210,
        "{\"about\":\"music for boats that do not exist\"}",
        Market::No,
    ),
    (
        "paper-boats",
        OTHERS.start + 1,
        190,
        "{\"about\":\"folding\"}",
        Market::Sale(180, 21),
    ),
    (
        "moss-garden",
        OTHERS.start + 2,
        170,
        "{\"about\":\"slow plants\"}",
        Market::Sale(95, 9),
    ),
    (
        "night-train",
        OTHERS.start + 3,
        160,
        "",
        Market::Sale(320, 33),
    ),
    (
        "tin-robot",
        OTHERS.start + 4,
        150,
        "{\"about\":\"toys\"}",
        Market::Sale(150, 3),
    ),
    ("cloud-map", OTHERS.start + 5, 140, "", Market::Sale(75, 17)),
    ("seven-steps", SELLERS.start, 130, "", Market::Sale(500, 50)),
    (
        "blue-kettle",
        SELLERS.start + 1,
        120,
        "",
        Market::Sale(60, 5),
    ),
    (
        "snail-mail",
        SELLERS.start + 2,
        110,
        "{\"about\":\"letters\"}",
        Market::Sold(BOB, 88, 26),
    ),
    ("round-table", RITA, 100, "", Market::Sale(210, 14)),
    ("zebra-crossing", ZEBRA, 90, "", Market::Sale(45, 2)),
    (
        "odd-socks",
        CHLOE,
        80,
        "",
        Market::Sold(OTHERS.start + 6, 30, 4),
    ),
];
/// The first one that was sold went for half a QORT more.
const CENTS: i64 = QORT / 2;

/// When an account registered its first name, in ms before the start.
fn first_registered(who: Who) -> i64 {
    (420 + number(Kind::Name, wide(who)) % 480) * DAY + wide(who) * 11 * HOUR
}

/// When the owner of a name asked for money, in ms before the start.
fn offered(days: i64) -> i64 {
    days * DAY + 5 * HOUR
}

fn price(name: &str, qort: i64) -> i64 {
    match name {
        "collectible" => qort * QORT + CENTS,
        _ => qort * QORT,
    }
}

/// Who registered a name that is not the first of its owner.
pub(super) fn registrant(name: &str) -> Who {
    let mut more = MORE.iter();
    let found = more.find(|(known, ..)| *known == name);
    found.map_or(ALICE, |(_, by, ..)| *by)
}

/// Every primary name by the address of its owner.
pub(super) fn primary() -> Value {
    let rows = named().map(|it| (it.address.clone(), Value::from(it.name.as_str())));
    Value::Object(rows.collect())
}

pub(super) fn rows(demo: Demo) -> Vec<Value> {
    let row = |name: &str, owner: Who, data: &str, ago: i64| {
        json!({
            "name": name,
            "reducedName": Reduced::of(name).text(),
            "owner": person(owner).address,
            "data": data,
            "registered": demo.before(ago),
        })
    };
    let first = named().map(|it| {
        row(&it.name, it.who, about(it.who), first_registered(it.who)).with("isForSale", false)
    });
    let more = MORE.iter().map(|(name, by, days, data, market)| {
        let ago = days * DAY;
        match *market {
            Market::No => row(name, *by, data, ago).with("isForSale", false),
            Market::Sale(qort, _) => row(name, *by, data, ago)
                .with("isForSale", true)
                .with("salePrice", amount_text(price(name, qort))),
            Market::Sold(owner, qort, days) => row(name, owner, data, ago)
                .with("updated", demo.before(days * DAY))
                .with("isForSale", false)
                .with("salePrice", amount_text(price(name, qort))),
        }
    });
    first.chain(more).collect()
}

/// What an account says of itself beside its name.
fn about(who: Who) -> &'static str {
    match who {
        ALICE => "{\"about\":\"tries things out\"}",
        RITA => "{\"shop\":true}",
        VICTOR => "app author",
        _ => "",
    }
}

pub(super) fn record(ledger: &mut Ledger) {
    for owner in named() {
        let members = json!({"name": owner.name, "data": about(owner.who)});
        let ago = first_registered(owner.who);
        ledger.add(ledger.sent("REGISTER_NAME", ago, owner.who, members));
    }
    for (name, by, days, data, market) in MORE {
        let members = json!({"name": name, "data": data});
        ledger.add(ledger.sent("REGISTER_NAME", days * DAY, by, members));
        let (qort, days) = match market {
            Market::No => continue,
            Market::Sale(qort, days) | Market::Sold(_, qort, days) => (qort, days),
        };
        let amount = amount_text(price(name, qort));
        let members = json!({"name": name, "amount": amount});
        ledger.add(ledger.sent("SELL_NAME", offered(days), by, members));
        if let Market::Sold(buyer, ..) = market {
            let members = json!({"name": name, "amount": amount, "seller": person(by).address});
            let mut entry = ledger.sent("BUY_NAME", days * DAY, buyer, members);
            if name == "collectible" {
                entry = entry.signed(SALE);
            }
            ledger.add(entry);
        }
    }
    let members = json!({"name": "gina-pending", "data": "not yet in a block"});
    ledger.add(
        ledger
            .sent("REGISTER_NAME", 15_000, GINA, members)
            .waiting(),
    );
}

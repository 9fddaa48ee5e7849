//! What an omitted parameter means, what a parameter accepts, and how it is called: the same in every tool.

use std::collections::BTreeSet;

use qortal_tools::{Catalog, Entry, Property};
use serde_json::{Value, json};

use crate::Chain;

pub(crate) fn example(entry: &Entry) -> Value {
    serde_json::from_str(entry.example).unwrap()
}

pub(crate) fn with(entry: &Entry, parameter: &str, value: impl Into<Value>) -> Value {
    let mut arguments = example(entry);
    arguments[parameter] = value.into();
    arguments
}

/// Each tool with each of its parameters.
pub(crate) fn parameters() -> impl Iterator<Item = (&'static Entry, Property)> {
    Catalog::entries().flat_map(|entry| entry.parameters().into_iter().map(move |it| (entry, it)))
}

/// Parameters that number something: the nearest number would be that of something else.
const NUMBERS: [&str; 5] = [
    "get_block_by_height height",
    "get_block_minting_info height",
    "list_block_range height",
    "list_accounts_by_level level",
    "list_online_minters level",
];

#[test]
fn numbers_beyond_a_limit_are_lowered_to_it() {
    let mut lowered = 0;
    for (entry, parameter) in parameters() {
        if parameter.schema["type"] != "integer" {
            continue;
        }
        let name = parameter.name.as_str();
        let full_name = format!("{} {name}", entry.name);
        let is_number = NUMBERS.contains(&full_name.as_str());
        let most = parameter.schema.get("maximum").and_then(Value::as_u64);
        for beyond in [most.unwrap_or(1 << 40) + 1, u64::MAX] {
            let mut arguments = with(entry, name, beyond).as_object().unwrap().clone();
            let read = entry.validate(&mut arguments);
            assert_eq!(read.is_err(), is_number, "{full_name}: {beyond}");
            if let (Ok(()), Some(most)) = (read, most) {
                assert_eq!(arguments[name], most, "{full_name}");
                lowered += 1;
            }
        }
        // What is too little means nothing that could be guessed.
        let mut arguments = with(entry, name, -1).as_object().unwrap().clone();
        assert!(entry.validate(&mut arguments).is_err(), "{full_name}");
    }
    assert!(lowered > 100, "{lowered}");
}

#[tokio::test]
async fn what_was_lowered_is_noted() {
    let chain = Chain::recorded().await;
    for (tool, arguments, note) in [
        (
            "search_names",
            json!({"query": "e", "limit": 500}),
            "limit was sent as 500 and lowered to 100, the most it can be.",
        ),
        (
            "search_transactions",
            json!({"limit": 30}),
            "limit was sent as 30 and lowered to 20, the most it can be without tx_types or address.",
        ),
        (
            "search_qdn",
            json!({"group_id": 0, "limit": 30}),
            "limit was sent as 30 and lowered to 20, the most it can be without address or service.",
        ),
        (
            "list_completed_trades",
            json!({"limit": 100, "offset": 40}),
            "limit was sent as 100 and lowered to 60, the most it can be with this offset.",
        ),
    ] {
        let answer = chain.call(tool, arguments).await.unwrap();
        let notes = answer["notes"].as_array().unwrap();
        assert!(notes.iter().any(|it| it == note), "{tool}: {notes:?}");
        // The next page is asked for with what was meant.
        if let Some(limit) = answer.pointer("/next/arguments/limit") {
            assert!(
                note.contains(&format!("lowered to {limit}")),
                "{tool}: {limit}"
            );
        }
    }
    chain.stop().await;
}

/// Some hosts drop `default`, `minimum` and `maximum` from what a model sees.
#[test]
fn descriptions_tell_defaults_and_limits() {
    const LARGEST_SAID: u64 = 1_000_000;
    for (entry, parameter) in parameters() {
        let said = |what: String| {
            let doc = &parameter.doc;
            let is_said = doc.to_lowercase().contains(&what.to_lowercase());
            assert!(is_said, "{} {}: {doc}", entry.name, parameter.name);
        };
        if let Some(default) = parameter.schema.get("default") {
            said(match default {
                Value::String(word) => format!("default {word}"),
                other => format!("default {other}"),
            });
        }
        let number = |key: &str| parameter.schema.get(key).and_then(Value::as_u64);
        for most in [number("maximum"), number("maxItems")]
            .into_iter()
            .flatten()
        {
            if most < LARGEST_SAID {
                said(format!("at most {most}"));
            }
        }
        if let Some(least) = number("minimum").filter(|it| *it > 1) {
            said(format!("at least {least}"));
        }
    }
}

/// Lists with a time: the tool, its arguments, the list, and its member that is the time.
fn lists_by_time() -> Vec<(&'static str, Value, &'static str, &'static str)> {
    let account = |name: &str| json!({ "address": name });
    vec![
        (
            "get_account_activity",
            account("victor"),
            "activities",
            "timestampIso",
        ),
        (
            "find_payments",
            json!({"sender": "Alice Test"}),
            "payments",
            "timestampIso",
        ),
        (
            "list_trade_offers",
            json!({}),
            "offers",
            "creationTimestampIso",
        ),
        (
            "list_completed_trades",
            json!({}),
            "trades",
            "tradeTimestampIso",
        ),
        (
            "get_trade_ledger",
            account("rita-trades"),
            "rows",
            "dateTime",
        ),
        (
            "list_account_trades",
            account("rita-trades"),
            "trades",
            "creationTimestampIso",
        ),
        (
            "get_account_ledger",
            account("victor"),
            "rows",
            "timestampIso",
        ),
        (
            "get_group_history",
            json!({"group_id": 3}),
            "events",
            "timestampIso",
        ),
        (
            "get_chat_messages",
            json!({"group_id": 3}),
            "messages",
            "timestampIso",
        ),
        ("search_qdn_resources", json!({}), "resources", "createdIso"),
        (
            "search_qdn",
            json!({"service": "DOCUMENT"}),
            "publications",
            "timestampIso",
        ),
        (
            "list_transactions_by_block",
            json!({"signature": 19}),
            "transactions",
            "timestampIso",
        ),
        (
            "list_transactions_by_address",
            account("chloe"),
            "transactions",
            "timestampIso",
        ),
        (
            "list_transactions_by_creator",
            account("chloe"),
            "transactions",
            "timestampIso",
        ),
        (
            "list_unconfirmed_transactions",
            json!({}),
            "transactions",
            "timestampIso",
        ),
        (
            "search_transactions",
            account("Alice Test"),
            "transactions",
            "timestampIso",
        ),
    ]
}

/// Lists by time whose order cannot be seen, and why.
const UNSEEN: [(&str, &str); 2] = [
    ("get_names_by_address", "its names have no time"),
    ("list_pending_transactions", "one is recorded"),
];

/// Tools whose `reverse` meant the oldest first.
const REVERSED_TO_OLDEST: [&str; 2] = ["get_account_activity", "find_payments"];

#[tokio::test]
async fn the_newest_come_first_unless_the_order_is_oldest() {
    let chain = Chain::recorded().await;
    for (tool, arguments, list, time) in lists_by_time() {
        let times = async |order: Option<(&str, Value)>| {
            let mut arguments = arguments.clone();
            arguments["limit"] = 100.into();
            if let Some((name, value)) = order {
                arguments[name] = value;
            }
            let answer = chain.call(tool, arguments).await.unwrap();
            let rows = answer[list].as_array().unwrap();
            let times = rows.iter().map(|it| it[time].as_str().unwrap().to_owned());
            times.collect::<Vec<_>>()
        };
        let newest = times(None).await;
        let different: BTreeSet<_> = newest.iter().collect();
        assert!(different.len() > 1, "{tool} shows no order: {newest:?}");
        assert!(newest.is_sorted_by(|a, b| a >= b), "{tool}: {newest:?}");
        let oldest = times(Some(("order", "oldest".into()))).await;
        assert!(oldest.is_sorted(), "{tool}: {oldest:?}");
        assert_eq!(
            times(Some(("order", "newest".into()))).await,
            newest,
            "{tool}"
        );
        let reversed = times(Some(("reverse", true.into()))).await;
        let expected = match REVERSED_TO_OLDEST.contains(&tool) {
            true => &oldest,
            false => &newest,
        };
        assert_eq!(&reversed, expected, "{tool}");
    }
    chain.stop().await;
}

#[test]
fn every_list_by_time_is_tested() {
    let by_time = parameters().filter(|(_, it)| it.doc == "Default newest.");
    let by_time: BTreeSet<_> = by_time.map(|(entry, _)| entry.name).collect();
    let tested: BTreeSet<_> = lists_by_time()
        .into_iter()
        .map(|(tool, ..)| tool)
        .chain(UNSEEN.map(|(tool, _)| tool))
        .collect();
    assert_eq!(by_time, tested);
}

/// What something is called elsewhere, and the tool that must understand it.
#[tokio::test]
async fn names_of_siblings_are_accepted_and_noted() {
    let chain = Chain::recorded().await;
    for (tool, other, name, value) in [
        (
            "list_trade_offers",
            "foreign_blockchain",
            "blockchain",
            json!("LITECOIN"),
        ),
        (
            "list_completed_trades",
            "coin",
            "blockchain",
            json!("LITECOIN"),
        ),
        (
            "list_completed_trades",
            "minimum_timestamp",
            "after",
            json!("2026-11-20"),
        ),
        (
            "list_completed_trades",
            "since",
            "after",
            json!("2026-11-20"),
        ),
        (
            "list_completed_trades",
            "buyer_public_key",
            "buyer",
            json!("rita-trades"),
        ),
        (
            "list_completed_trades",
            "seller_public_key",
            "seller",
            json!("rita-trades"),
        ),
        (
            "get_trade_ledger",
            "public_key",
            "address",
            json!("rita-trades"),
        ),
        (
            "list_transactions_by_creator",
            "public_key",
            "address",
            json!("chloe"),
        ),
        ("get_balance", "account", "address", json!("chloe")),
        ("get_names_by_address", "owner", "address", json!("victor")),
        ("resolve_identity", "address", "identity", json!("victor")),
        ("get_chat_messages", "tx_group_id", "group_id", json!(3)),
        (
            "get_chat_messages",
            "until",
            "before",
            json!("2026-11-21T20:00Z"),
        ),
        ("get_group", "group", "group_id", json!("open-lounge")),
        ("search_qdn", "tx_group_id", "group_id", json!(0)),
        ("get_poll", "name", "poll_name", json!("Favourite colour")),
        (
            "get_trade_detail",
            "qortal_at_address",
            "at_address",
            json!("Aes2JuboJupax6uybgMa2was61y7MRiDJS"),
        ),
        (
            "search_transactions",
            "tx_type",
            "tx_types",
            json!(["PAYMENT"]),
        ),
        (
            "list_transactions_by_block",
            "height",
            "signature",
            json!("19"),
        ),
        (
            "get_transaction_by_signature",
            "transaction",
            "signature",
            json!("19/1"),
        ),
        ("search_names", "count", "limit", json!(2)),
    ] {
        let entry = chain.catalog.entry(tool).unwrap();
        let mut arguments = example(entry);
        arguments.as_object_mut().unwrap().remove(name);
        let (mut sent, mut meant) = (arguments.clone(), arguments);
        sent[other] = value.clone();
        meant[name] = value;
        let mut said = chain.call(tool, sent).await.unwrap();
        let mut expected = chain.call(tool, meant).await.unwrap();
        let note = Value::from(format!("{other} was read as {name}."));
        let notes = said["notes"].as_array_mut().unwrap();
        assert!(notes.contains(&note), "{tool} {other}: {notes:?}");
        notes.retain(|it| *it != note);
        // The other note could be the same list without it, or no list at all.
        let expected_notes = expected.as_object_mut().unwrap().remove("notes");
        assert_eq!(
            notes,
            expected_notes.unwrap_or(json!([])).as_array().unwrap()
        );
        said.as_object_mut().unwrap().remove("notes");
        assert_eq!(said, expected, "{tool} {other}");
    }
    chain.stop().await;
}

#[test]
fn one_thing_has_one_name() {
    let old = [
        "foreign_blockchain",
        "tx_group_id",
        "minimum_timestamp",
        "public_key",
        "inverse",
    ];
    for (entry, parameter) in parameters() {
        assert!(
            !old.contains(&parameter.name.as_str()),
            "{} {}",
            entry.name,
            parameter.name
        );
    }
}

#[tokio::test]
async fn prices_are_in_coin_for_one_qort_unless_asked_otherwise() {
    let chain = Chain::recorded().await;
    let price = async |arguments: Value| {
        let answer = chain.call("get_trade_price", arguments).await.unwrap();
        answer["unit"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        price(json!({"blockchain": "LITECOIN"})).await,
        "LTC for one QORT"
    );
    for (inverse, expected) in [(true, "LTC for one QORT"), (false, "QORT for one LTC")] {
        let arguments = json!({"blockchain": "LITECOIN", "inverse": inverse});
        assert_eq!(price(arguments).await, expected);
    }
    let history = json!({"blockchain": "LITECOIN", "interval": "hour"});
    let history = chain.call("get_price_history", history).await.unwrap();
    assert_eq!(history["unit"], "LTC for one QORT");
    chain.stop().await;
}

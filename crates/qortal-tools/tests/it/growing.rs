//! Lists in a chain that grows while they are read.

use std::collections::BTreeMap;

use qortal_testnode::Event;
use serde_json::{Value, json};

use crate::{
    Chain,
    paging::{ALICE, largest_limit, lists},
    walk,
};

const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";

/// What tells a row from the others, although blocks come meanwhile.
fn key(row: &Value) -> String {
    let members = ["signature", "atAddress", "height", "timestampIso"];
    let of_accounts = ["sender", "address"];
    let key = members.iter().chain(&of_accounts);
    key.filter_map(|it| row.get(*it)?.as_str())
        .next()
        .map_or_else(|| row.to_string(), str::to_owned)
}

fn counted(rows: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(row).or_default() += 1;
    }
    counts
}

/// Blocks, payments and messages come while a list is read: what was there is shown as often as before, and `next` gets to
/// the end.
#[tokio::test]
async fn every_list_is_whole_in_a_chain_that_grows() {
    let mut problems = Vec::new();
    for (tool, arguments, list) in lists().into_iter().filter(|it| walk::tries(it.0)) {
        let chain = Chain::recorded().await;
        let mut largest = arguments.clone();
        largest["limit"] = largest_limit(tool).unwrap();
        let before = chain.rows(tool, list, largest).await;
        let mut asked = arguments.clone();
        asked["limit"] = (before.len() / 4).max(1).into();
        let mut seen = Vec::new();
        for page in 0.. {
            assert!(page < 30, "{tool} {arguments}: no end");
            let answer = chain.call(tool, asked).await.unwrap();
            seen.extend(answer[list].as_array().unwrap().iter().map(key));
            let Some(next) = answer.get("next") else {
                break;
            };
            asked = next["arguments"].clone();
            let (to, from, text) = (ALICE.to_owned(), ALICE.to_owned(), "meanwhile".to_owned());
            chain.node.apply(&Event::Payment { to, units: 1 });
            chain.node.apply(&Event::GroupMessage {
                from,
                group: 3,
                text,
            });
        }
        let seen = counted(seen.into_iter());
        for (row, count) in counted(before.iter().map(key)) {
            let found = seen.get(&row).copied().unwrap_or(0);
            if found != count {
                problems.push(format!(
                    "{tool} {arguments}: {found} times, not {count}: {row}"
                ));
            }
        }
        chain.stop().await;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Lists to which a payment by Alice, or its block, adds a row.
fn lists_that_grow() -> Vec<(&'static str, Value, &'static str)> {
    let account = json!({"address": ALICE});
    let both = json!({"address": ALICE, "confirmation_status": "BOTH"});
    vec![
        ("find_payments", json!({"sender": ALICE}), "payments"),
        (
            "find_payments",
            json!({"sender": ALICE, "confirmation_status": "CONFIRMED"}),
            "payments",
        ),
        (
            "find_payments",
            json!({"sender": ALICE, "amount": "0.00000001"}),
            "payments",
        ),
        ("get_account_activity", account.clone(), "activities"),
        ("get_account_ledger", account.clone(), "rows"),
        ("list_blocks_by_minter", account.clone(), "blocks"),
        (
            "list_transactions_by_address",
            account.clone(),
            "transactions",
        ),
        ("list_transactions_by_address", both.clone(), "transactions"),
        ("list_transactions_by_creator", account, "transactions"),
        ("list_transactions_by_creator", both, "transactions"),
        (
            "search_transactions",
            json!({"tx_types": ["PAYMENT"]}),
            "transactions",
        ),
        (
            "search_transactions",
            json!({"tx_types": ["PAYMENT"], "confirmation_status": "BOTH"}),
            "transactions",
        ),
        (
            "search_transactions",
            json!({"tx_types": ["PAYMENT"], "start_block": 400}),
            "transactions",
        ),
        (
            "search_transactions",
            json!({"tx_types": ["PAYMENT"], "block_limit": 60}),
            "transactions",
        ),
    ]
}

/// What tells a transaction from the others, in a block or not.
fn name_of(row: &Value) -> String {
    let transaction = row.get("transaction").and_then(Value::as_str);
    let signature = transaction.map(|it| it.rsplit('/').next().unwrap_or(it));
    let beginning = signature.and_then(|it| it.get(..8));
    beginning.map_or_else(|| row["height"].to_string(), str::to_owned)
}

/// Pages of this limit. What is farther back than payments come is read in larger ones.
const SMALL_PAGES: usize = 10;

/// Pages of blocks that hold several payments made at the same moment, some of which waited, while more come: every row is on one page.
async fn check_growing(
    tool: &str,
    arguments: &Value,
    list: &str,
    limit: usize,
) -> Result<(), String> {
    let chain = Chain::recorded().await;
    let pay = |count| {
        let to = QUINN.to_owned();
        let units = 1;
        chain.node.apply(&Event::Payments { to, units, count });
    };
    pay(5);
    let mut whole = arguments.clone();
    whole["limit"] = largest_limit(tool).unwrap();
    let before = chain.rows(tool, list, whole).await;
    let before = counted(before.iter().map(name_of));
    let mut next = arguments.clone();
    next["limit"] = limit.into();
    let mut seen = Vec::new();
    // What is there is read when as many pages were.
    for page in 0.. {
        let answer = chain.call(tool, next).await?;
        seen.extend(answer[list].as_array().unwrap().iter().map(name_of));
        let Some(call) = answer.get("next") else {
            break;
        };
        if page > before.len() {
            return Err("no end".to_owned());
        }
        next = call["arguments"].clone();
        if page == SMALL_PAGES {
            next["limit"] = limit.max(20).into();
        }
        pay(3);
        if page == 1 {
            chain.node.apply(&Event::Confirmed);
        }
    }
    chain.stop().await;
    let seen = counted(seen.into_iter());
    let wrong = before
        .iter()
        .filter(|(row, count)| seen.get(*row) != Some(count));
    let new = seen.iter().filter(|(row, _)| !before.contains_key(*row));
    let repeated = new.filter(|(_, count)| **count > 1).count();
    match (wrong.count(), repeated) {
        (0, 0) => Ok(()),
        (wrong, new) => Err(format!(
            "{wrong} of {} rows, and {new} new ones",
            before.len()
        )),
    }
}

#[tokio::test]
async fn no_row_of_a_growing_list_comes_twice_or_is_left_out_at_any_limit() {
    let mut problems = Vec::new();
    for (tool, arguments, list) in lists_that_grow().into_iter().filter(|it| walk::tries(it.0)) {
        for limit in [1, 2, 3, 7, 20] {
            if let Err(problem) = check_growing(tool, &arguments, list, limit).await {
                problems.push(format!("{tool} {arguments} {limit}: {problem}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Offers come and go while they are read: each that stays is on one page.
#[tokio::test]
async fn no_offer_that_stays_comes_twice_or_is_left_out() {
    let tool = "list_trade_offers";
    for order in ["newest", "oldest"] {
        for limit in [1, 2, 3] {
            let chain = Chain::recorded().await;
            let name = |it: &Value| it["qortalAtAddress"].as_str().unwrap().to_owned();
            let whole = json!({"order": order, "limit": 100});
            let before = chain.rows(tool, "offers", whole).await;
            let before: Vec<_> = before.iter().map(name).collect();
            let mut next = Some(json!({"order": order, "limit": limit}));
            let mut seen = Vec::new();
            while let Some(arguments) = next {
                let answer = chain.call(tool, arguments).await.unwrap();
                seen.extend(answer["offers"].as_array().unwrap().iter().map(name));
                next = answer.get("next").map(|it| it["arguments"].clone());
                if seen.len() == 3 {
                    let (at_address, like) = (before[1].clone(), before[0].clone());
                    chain.node.apply(&Event::OfferCancelled { at_address });
                    let at_address = "AdHUGv8nNxa5ebHM7sgHHMjQUvDWQqtp8v".to_owned();
                    chain.node.apply(&Event::OfferMade { like, at_address });
                }
            }
            let seen = counted(seen.into_iter());
            let stays = before.iter().filter(|it| **it != before[1]);
            assert!(stays.clone().count() > 3, "{before:?}");
            for offer in stays {
                assert_eq!(seen.get(offer), Some(&1), "{order} {limit} {offer}");
            }
            chain.stop().await;
        }
    }
}

/// Publications come while those of a name are read: what was there is on one page.
#[tokio::test]
async fn no_publication_of_a_name_comes_twice_or_is_left_out() {
    for limit in [1, 2, 3] {
        let chain = Chain::recorded().await;
        let whole = json!({"name": "victor", "limit": 20});
        let before = chain.rows("search_qdn", "publications", whole).await;
        let mut next = Some(json!({"name": "victor", "limit": limit}));
        let mut seen = Vec::new();
        for page in 1_u8.. {
            let Some(arguments) = next.take() else {
                break;
            };
            let answer = chain.call("search_qdn", arguments).await.unwrap();
            seen.extend(answer["publications"].as_array().unwrap().iter().cloned());
            next = answer.get("next").map(|it| it["arguments"].clone());
            chain.node.apply(&Event::Block);
            chain.node.apply(&Event::RowAdded {
                table: "transactions",
                like: json!({"type": "ARBITRARY", "name": "victor"}),
                but: json!({
                    "signature": bs58::encode([page; 64]).into_string(),
                    "timestamp": 1_795_300_000_000_i64 + i64::from(page),
                    "blockHeight": 468 + u64::from(page),
                }),
            });
        }
        assert!(before.len() > 3, "{before:?}");
        assert_eq!(seen, before, "{limit}");
        chain.stop().await;
    }
}

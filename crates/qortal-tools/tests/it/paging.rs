//! Every list can be read to its end by sending `next` as it is: no row is lost and none comes twice.

use std::collections::BTreeSet;

use qortal_testnode::{Event, Fault, Scenario};
use qortal_tools::{Catalog, Place};
use serde_json::{Value, json};

use crate::{Chain, walk};

pub(crate) const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const ALICE_KEY: &str = "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP";
/// A block of 20 payments.
const BLOCK_19: &str = "CHponuYQm7FqUg3puhQxaEQoVEa7RmqmSLNSnvfYGpxg1qE3MtDWvY1JdeYoEnzHbKH6z9Q7Mtyf4as1KVVXgbCok77KuuUu8iEMDBTXjrzaz9NRBVHAvoDWKR2GHDS4PpPY3n8uK5UaALqeamBmtdyJBojUJcSAXceLYMSej4BikmY";

/// A tool, its other arguments, and the member that is the list.
pub(crate) fn lists() -> Vec<(&'static str, Value, &'static str)> {
    let group = |number: u32| json!({ "group_id": number });
    let account = |name: &str| json!({ "address": name });
    let coin = json!({"blockchain": "LITECOIN"});
    vec![
        ("get_account_activity", account("Bób-Name"), "activities"),
        ("find_payments", json!({"sender": ALICE}), "payments"),
        ("get_account_ledger", account("Alice Test"), "rows"),
        ("list_reward_shares", json!({}), "rewardShares"),
        ("list_online_minters", json!({"detail": "full"}), "minters"),
        ("list_accounts_by_level", json!({}), "accounts"),
        ("list_penalties", json!({}), "penalties"),
        ("get_node_lists", json!({}), "followedNames"),
        ("get_names_by_address", account("victor"), "names"),
        ("search_names", json!({"query": "e"}), "names"),
        ("list_names", json!({}), "names"),
        ("list_names", json!({"reverse": true}), "names"),
        ("list_names_for_sale", json!({}), "names"),
        ("list_trade_offers", json!({}), "offers"),
        ("list_account_trades", account("rita-trades"), "trades"),
        (
            "get_group_rankings",
            json!({"by": "joins", "year": 2026}),
            "accounts",
        ),
        (
            "get_trade_rankings",
            json!({"after": "height 1"}),
            "traders",
        ),
        ("get_group_requests", group(4), "invites"),
        ("list_groups", json!({"order": "newest"}), "groups"),
        (
            "check_publications",
            json!({"name": "rita-trades"}),
            "incomplete",
        ),
        (
            "search_qdn_index",
            json!({"terms": ["weather", "report"]}),
            "matches",
        ),
        ("list_trade_offers", json!({"reverse": true}), "offers"),
        ("list_hidden_trade_offers", json!({}), "offers"),
        ("get_trade_order_book", coin.clone(), "levels"),
        ("list_completed_trades", json!({}), "trades"),
        ("list_completed_trades", json!({"reverse": true}), "trades"),
        (
            "list_completed_trades",
            json!({"foreign_blockchain": "LITECOIN"}),
            "trades",
        ),
        (
            "get_price_history",
            json!({"blockchain": "LITECOIN", "interval": "hour", "minimum_timestamp": 1_795_212_000_000_u64}),
            "candles",
        ),
        (
            "get_price_chart",
            json!({"blockchain": "LITECOIN", "interval": "hour", "minimum_timestamp": 1_795_212_000_000_u64}),
            "candles",
        ),
        (
            "get_trade_ledger",
            json!({"public_key": "CddYUrFeW4SV4GCpK7i1Vh34AmaqkHJGk9vqj6yeyVp7"}),
            "rows",
        ),
        ("search_qdn_resources", json!({}), "resources"),
        (
            "search_qdn_resources",
            json!({"service": "DOCUMENT"}),
            "resources",
        ),
        ("search_qdn", json!({"service": "DOCUMENT"}), "publications"),
        (
            "search_qdn",
            json!({"tx_group_id": 0, "limit": 20}),
            "publications",
        ),
        ("list_hosted_qdn", json!({}), "hosted"),
        ("search_hosted_qdn", json!({}), "resources"),
        ("list_groups", json!({}), "groups"),
        ("get_groups_by_owner", account("trent"), "groups"),
        ("get_groups_by_member", account("victor"), "groups"),
        ("get_group_members", group(3), "members"),
        (
            "get_group_members",
            json!({"group_id": 3, "only_admins": true}),
            "members",
        ),
        (
            "get_group_invites_by_address",
            account("QjHp5Ky4WmVaRKnaaGCKvTQ4TuvwhyMZCz"),
            "invites",
        ),
        ("get_group_invites_by_group", group(4), "invites"),
        ("get_group_join_requests", group(4), "joiners"),
        ("get_group_bans", group(3), "bans"),
        ("list_group_kicks", group(3), "kicks"),
        ("get_group_history", group(3), "events"),
        ("list_group_kicks", account("spam-name"), "kicks"),
        ("list_pending_approvals", account(ALICE), "joinRequests"),
        (
            "get_chat_messages",
            json!({"tx_group_id": 3, "decode_text": false}),
            "messages",
        ),
        ("get_chat_activity", json!({"tx_group_id": 3}), "senders"),
        ("get_active_chats", account(ALICE), "groups"),
        ("list_groups", json!({"query": "e"}), "groups"),
        ("list_polls", json!({"query": "rating"}), "polls"),
        ("list_assets", json!({"query": "or"}), "assets"),
        ("list_names_for_sale", json!({"order": "price"}), "names"),
        ("list_block_signers", json!({}), "signers"),
        (
            "list_blocks_by_minter",
            account("QMu8e6kPdCx4pCBgwuEEBPkZ8qXMyV4q92"),
            "blocks",
        ),
        (
            "search_transactions",
            json!({"tx_types": ["REGISTER_NAME"], "confirmation_status": "BOTH"}),
            "transactions",
        ),
        (
            "list_transactions_by_block",
            json!({"signature": BLOCK_19}),
            "transactions",
        ),
        (
            "list_transactions_by_address",
            account("chloe"),
            "transactions",
        ),
        (
            "list_transactions_by_creator",
            json!({"public_key": ALICE_KEY, "confirmation_status": "CONFIRMED"}),
            "transactions",
        ),
        (
            "list_transactions_by_creator",
            json!({"public_key": ALICE_KEY, "confirmation_status": "BOTH"}),
            "transactions",
        ),
        ("list_unconfirmed_transactions", json!({}), "transactions"),
        ("list_pending_transactions", json!({}), "transactions"),
        ("list_polls", json!({}), "polls"),
        (
            "get_poll",
            json!({"poll_name": "Favourite colour", "detail": "full"}),
            "votes",
        ),
        ("get_app_ratings", json!({}), "ratings"),
        ("list_assets", json!({}), "assets"),
        ("get_asset_balances", json!({"asset_ids": [0]}), "balances"),
        ("list_asset_orders", account("Bób-Name"), "orders"),
        ("list_asset_transfers", json!({"asset_id": 6}), "transfers"),
    ]
}

pub(crate) fn largest_limit(tool: &str) -> Option<Value> {
    largest(tool, "limit")
}

/// The most that a parameter can be, if there is such a parameter.
fn largest(tool: &str, parameter: &str) -> Option<Value> {
    let schema = Catalog::entries()
        .find(|it| it.name == tool)
        .unwrap()
        .input_schema();
    schema["properties"]
        .get(parameter)
        .map(|it| it["maximum"].clone())
}

async fn check(chain: &Chain, tool: &str, list: &str, arguments: &Value) {
    let with_limit = |limit: Value| {
        let mut arguments = arguments.clone();
        let given = arguments.as_object_mut().unwrap();
        given.entry("limit").or_insert(limit);
        arguments
    };
    let limit = largest_limit(tool).unwrap_or_else(|| panic!("{tool} has no limit"));
    let largest = with_limit(limit);
    // Chat has several pages even so: an answer does not grow beyond its bytes.
    let whole = chain.rows(tool, list, largest.clone()).await;
    assert!(
        !whole.is_empty(),
        "{tool} {arguments}: nothing to page through"
    );
    // The smallest, and those at which the list just ends or just does not.
    let count = whole.len();
    let limits = BTreeSet::from([1, 2, 3, count.max(2) - 1, count, count + 1]);
    let most = largest["limit"].as_u64().unwrap();
    for limit in limits.into_iter().filter(|it| *it as u64 <= most) {
        let mut arguments = arguments.clone();
        arguments["limit"] = limit.into();
        let rows = chain.rows(tool, list, arguments.clone()).await;
        assert_eq!(rows, whole, "{tool} {arguments}");
    }
    // A client may begin anywhere.
    let offsets = BTreeSet::from([1, count / 2]).into_iter();
    for offset in offsets.filter(|it| *it < count && self::largest(tool, "offset").is_some()) {
        let mut arguments = arguments.clone();
        arguments["limit"] = (count / 3).clamp(1, 20).into();
        arguments["offset"] = offset.into();
        let rows = chain.rows(tool, list, arguments.clone()).await;
        assert_eq!(rows, whole[offset..], "{tool} {arguments}");
    }
}

#[tokio::test]
async fn every_list_is_whole_when_read_in_small_pages() {
    let chain = Chain::recorded().await;
    for (tool, arguments, list) in lists().into_iter().filter(|it| walk::tries(it.0)) {
        check(&chain, tool, list, &arguments).await;
    }
    chain.stop().await;
    // The recorded node has no peers.
    let chain = Chain::of(Scenario::syncing()).await;
    check(&chain, "list_peers", "peers", &json!({"detail": "full"})).await;
    chain.stop().await;
}

/// Tools with a limit that is not one of rows, and those tested elsewhere.
const NOT_LISTS: [(&str, &str); 7] = [
    ("find_tools", "the best only, and how many there are in all"),
    ("get_qdn_metadata", "no recorded resource names two files"),
    ("list_peers", "over another chain, above"),
    ("get_qdn_resource", "its limit is one of characters"),
    ("count_chat_messages", "its limit is one of a count"),
    (
        "get_chat_stats",
        "the largest only, `next` asks for more of them at once",
    ),
    ("get_asset_market", "the same"),
];

#[test]
fn every_tool_that_pages_is_listed() {
    let listed: Vec<_> = lists().into_iter().map(|(tool, ..)| tool).collect();
    let missing: Vec<_> = Catalog::entries()
        .map(|it| it.name)
        .filter(|it| largest_limit(it).is_some() && !listed.contains(it))
        .filter(|it| NOT_LISTS.iter().all(|(tool, _)| tool != it))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A row that cannot be read is passed over: none that can is lost, and none comes twice.
#[tokio::test]
async fn the_next_page_begins_after_the_last_row_of_this_one_odd_or_not() {
    const LIMIT: usize = 3;
    let owner = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
    let name = |n: usize| json!({"name": format!("n{n}"), "owner": owner, "data": "", "registered": 1, "isForSale": false});
    let chain = Chain::recorded().await;
    for (odd, shown) in [
        ([false, false, false, false], vec!["n0", "n1", "n2"]),
        ([false, true, false, false], vec!["n0", "n2"]),
        ([true, false, true, false], vec!["n1"]),
        ([false, false, false, true], vec!["n0", "n1", "n2"]),
        ([false, false, true, true], vec!["n0", "n1"]),
    ] {
        for instead in [Value::Null, json!(7)] {
            let rows = (0..).zip(odd).map(|(n, is_odd)| match is_odd {
                true => instead.clone(),
                false => name(n),
            });
            let rows = Value::Array(rows.collect());
            let fault = Fault::Status(200, rows.to_string());
            chain.node.fault_times("/names", fault, 1);
            let arguments = json!({"limit": LIMIT, "offset": 5});
            let page = chain.call("list_names", arguments).await.unwrap();
            let names = page["names"].as_array().unwrap().iter();
            let names: Vec<_> = names.map(|it| it["name"].as_str().unwrap()).collect();
            assert_eq!(names, shown, "{rows}");
            assert_eq!(page["next"]["arguments"]["offset"], 5 + LIMIT, "{rows}");
        }
    }
    chain.stop().await;
}

/// An answer has no room for a page of long rows: the next one begins after the last row that is shown, whichever before or
/// after have nothing to show, since they cannot be read or have no name.
#[tokio::test]
async fn a_page_that_is_cut_for_its_length_goes_on_among_odd_rows() {
    const ROWS: usize = 100;
    const LIMIT: usize = 50;
    type Row<'a> = &'a dyn Fn(usize) -> Value;
    let text = "\u{1F600}".repeat(1_000);
    let group = |n: usize| json!({"groupId": n, "owner": ALICE, "groupName": n.to_string(), "description": text, "created": 1, "isOpen": true, "approvalThreshold": "NONE", "minimumBlockDelay": 1, "maximumBlockDelay": 2, "memberCount": 1});
    let name = |n: usize| json!({"name": format!("{n} {text}"), "owner": ALICE});
    let nameless = |n: usize| match n % 2 {
        0 => Value::Null,
        _ => json!({"owner": ALICE}),
    };
    let lists: [(_, _, _, Row<'_>, Row<'_>); 2] = [
        ("list_groups", "/groups", "groups", &group, &|_| Value::Null),
        (
            "get_names_by_address",
            "/names/address/*",
            "names",
            &name,
            &nameless,
        ),
    ];
    // The number that a row begins with.
    let number = |it: &Value| -> usize {
        let text = it.get("groupName").unwrap_or(it).as_str().unwrap();
        text.split(' ').next().unwrap().parse().unwrap()
    };
    let chain = Chain::recorded().await;
    for (tool, path, list, row, odd) in lists {
        for is_odd in [
            |n: usize| n.is_multiple_of(3),
            |n: usize| n % 3 == 2,
            |n: usize| n < 20,
            |n: usize| n > 10 && n % 20 > 4,
        ] {
            let rows = (0..ROWS).map(|n| if is_odd(n) { odd(n) } else { row(n) });
            let rows: Vec<Value> = rows.collect();
            let (mut seen, mut pages) = (Vec::new(), 0);
            let mut arguments = json!({"limit": LIMIT});
            if tool == "get_names_by_address" {
                arguments["address"] = ALICE.into();
            }
            loop {
                let offset = arguments["offset"].as_u64().unwrap_or(0);
                let offset = usize::try_from(offset).unwrap();
                // Ten on either side are asked for to find the last row of the page before.
                let (first, most) = match arguments.get("start_after") {
                    Some(_) => (offset.saturating_sub(10), offset + LIMIT + 10),
                    None => (offset, offset + LIMIT),
                };
                let asked = rows.iter().take(most + 1).skip(first);
                let body = json!(asked.collect::<Vec<_>>());
                let answer = Fault::Status(200, body.to_string());
                chain.node.fault_times(path, answer, 1);
                let page = chain.call(tool, arguments).await.unwrap();
                seen.extend(page[list].as_array().unwrap().iter().map(number));
                pages += 1;
                let Some(next) = page.get("next") else { break };
                arguments = next["arguments"].clone();
            }
            let readable: Vec<_> = (0..ROWS).filter(|n| !is_odd(*n)).collect();
            assert_eq!(seen, readable, "{tool}");
            assert!(pages > 2, "{tool}: {pages} pages");
        }
    }
    chain.stop().await;
}

/// All that [`Catalog::pages`] reads, and where it would go on.
async fn all(
    chain: &Chain,
    tool: &str,
    arguments: Value,
    place: Option<Place>,
) -> (Vec<Value>, Place) {
    let entry = chain.catalog.entry(tool).unwrap();
    let arguments = arguments.as_object().unwrap().clone();
    let mut pages = chain.catalog.pages(entry, arguments).unwrap();
    if let Some(place) = place {
        pages = pages.starting_at(place);
    }
    let mut rows = Vec::new();
    while let Some(page) = pages.next().await {
        rows.extend(page.unwrap().rows);
    }
    (rows, pages.place().clone())
}

#[tokio::test]
async fn every_list_is_read_to_its_end_at_once() {
    let chain = Chain::recorded().await;
    for (tool, mut arguments, list) in lists() {
        let entry = chain.catalog.entry(tool).unwrap();
        if tool == "find_payments" {
            // What waits is in no block, which this list is read by.
            arguments["confirmation_status"] = "CONFIRMED".into();
        }
        let object = arguments.as_object().unwrap().clone();
        // They have several lists in one answer.
        if chain.catalog.pages(entry, object).is_none() {
            assert!(
                [
                    "get_node_lists",
                    "list_pending_approvals",
                    "get_active_chats",
                    "get_group_requests"
                ]
                .contains(&tool),
                "{tool}"
            );
            continue;
        }
        let mut largest = arguments.clone();
        largest["limit"] = largest_limit(tool).unwrap();
        let whole = chain.rows(tool, list, largest).await;
        let mut small = arguments.clone();
        small["limit"] = (whole.len() / 3).max(1).into();
        assert_eq!(all(&chain, tool, small, None).await.0, whole, "{tool}");
        assert_eq!(all(&chain, tool, arguments, None).await.0, whole, "{tool}");
    }
    let balance = chain.catalog.entry("get_balance").unwrap();
    assert!(
        chain
            .catalog
            .pages(balance, qortal_tools::Object::new())
            .is_none()
    );
    chain.stop().await;
}

#[tokio::test]
async fn a_list_with_its_oldest_rows_first_goes_on_with_what_is_added() {
    let chain = Chain::recorded().await;
    let arguments = json!({"tx_group_id": 3, "order": "oldest", "limit": 4});
    let tool = "get_chat_messages";
    let (before, place) = all(&chain, tool, arguments.clone(), None).await;
    let (nothing, place) = all(&chain, tool, arguments.clone(), Some(place)).await;
    assert_eq!(nothing, [Value::Null; 0]);
    for number in 1..=6 {
        let (from, text) = (ALICE.to_owned(), number.to_string());
        chain.node.apply(&Event::GroupMessage {
            from,
            group: 3,
            text,
        });
    }
    let (new, _) = all(&chain, tool, arguments.clone(), Some(place)).await;
    assert_eq!(new.len(), 6, "{new:?}");
    let (whole, _) = all(&chain, tool, arguments, None).await;
    assert_eq!(whole, [before, new].concat());
    // Those that come first push the others down.
    let newest = json!({"tx_group_id": 3});
    assert!(all(&chain, tool, newest, None).await.1.is_end());
    chain.stop().await;
}

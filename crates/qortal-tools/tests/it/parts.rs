//! Parts of an answer that fail: each costs that part and a note, not the answer.

use qortal_testnode::{Fault, Scenario};
use serde_json::{Value, json};

use crate::Chain;

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const TRANSACTION: &str =
    "2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko";

/// A tool with its arguments, what fails, the members that are left out, and the beginning of the note.
type Case = (
    &'static str,
    Value,
    &'static str,
    &'static [&'static str],
    &'static str,
);

fn cases() -> Vec<Case> {
    let address = || json!({"address": ALICE});
    let coin = || json!({"blockchain": "LITECOIN"});
    let trade = || json!({"at_address": "Aes2JuboJupax6uybgMa2was61y7MRiDJS"});
    let name = || json!({"name": "A1ice Test"});
    let at = || json!({"at_address": "AJ9ZYkb9yDmNtbU6zA2nuTzEaTNyQ6BBpE", "detail": "full"});
    let transaction = || json!({"signature": TRANSACTION});
    vec![
        (
            "get_node_health",
            json!({}),
            "/admin/info",
            &["buildVersion"],
            "Its version",
        ),
        (
            "get_node_health",
            json!({}),
            "/blocks/last",
            &["lastBlockAge"],
            "Its last block",
        ),
        (
            "get_node_health",
            json!({}),
            "/peers",
            &["inboundPeers"],
            "Its peers",
        ),
        (
            "list_peers",
            json!({}),
            "/peers/data",
            &["dataPeers"],
            "The data peers",
        ),
        (
            "get_network_stats",
            json!({}),
            "/admin/summary",
            &["blocksLastDay"],
            "The figures",
        ),
        (
            "get_network_stats",
            json!({}),
            "/addresses/online/levels",
            &["onlineMinters"],
            "The minters",
        ),
        (
            "get_account_overview",
            address(),
            "/names/address/*",
            &["names", "namesTruncated"],
            "The names",
        ),
        (
            "get_account_overview",
            json!({"address": ALICE, "include_assets": true}),
            "/assets/balances",
            &["assets"],
            "The balances",
        ),
        (
            "resolve_identity",
            json!({"identity": ALICE}),
            "/names/address/*",
            &["names"],
            "The names",
        ),
        (
            "get_account_report",
            address(),
            "/addresses/rewardshares",
            &["rewardShares"],
            "The reward shares",
        ),
        (
            "get_account_report",
            address(),
            "/groups/member/*",
            &["groups", "totalGroups"],
            "The groups",
        ),
        (
            "get_account_report",
            address(),
            "/crosschain/trades",
            &["recentTrades"],
            "Recent trades",
        ),
        (
            "get_account_report",
            address(),
            "/crosschain/tradeoffers",
            &["openOffers"],
            "Open offers",
        ),
        (
            "get_account_report",
            address(),
            "/transactions/search",
            &["recentActivity"],
            "Recent activity",
        ),
        (
            "get_minting_status",
            json!({"address": ALICE, "include_online": true}),
            "/addresses/online",
            &["isOnline"],
            "Whether it is online",
        ),
        (
            "list_online_minters",
            json!({"detail": "full"}),
            "/addresses/online/levels",
            &["total", "levels"],
            "The counts",
        ),
        (
            "check_name",
            name(),
            "/names/search",
            &["similar"],
            "Similar names",
        ),
        (
            "check_name",
            name(),
            "/transactions/pending",
            &["underWay"],
            "Registrations",
        ),
        (
            "check_name",
            name(),
            "/transactions/unitfee",
            &["registrationFee"],
            "The fee",
        ),
        (
            "explain_trade",
            trade(),
            "/blocks/last",
            &["height", "blocksUntilRefund", "timeUntilRefund"],
            "The height",
        ),
        (
            "explain_trade",
            trade(),
            "/blocks/byheight/2",
            &["timeUntilRefund"],
            "The time that blocks take",
        ),
        (
            "get_chain_params",
            json!({}),
            "/blocks/byheight/2",
            &["measuredBlockSeconds", "measuredBlocksPerDay"],
            "The time that blocks take",
        ),
        (
            "explain_transaction",
            transaction(),
            "/blocks/height",
            &["confirmations"],
            "The confirmations",
        ),
        (
            "get_foreign_chain_status",
            coin(),
            "/crosschain/ltc/status",
            &["enabled"],
            "Whether the coin",
        ),
        (
            "get_foreign_chain_status",
            coin(),
            "/crosschain/ltc/serverinfos",
            &["uselessServers"],
            "The coin's servers",
        ),
        (
            "get_foreign_chain_status",
            coin(),
            "/crosschain/ltc/height",
            &["height"],
            "The chain's height",
        ),
        (
            "get_foreign_chain_status",
            coin(),
            "/crosschain/ltc/feekb",
            &["feePerKb"],
            "The fee per",
        ),
        (
            "get_foreign_chain_status",
            coin(),
            "/crosschain/ltc/feerequired",
            &["feeRequired"],
            "The fee for",
        ),
        (
            "get_chat_stats",
            json!({}),
            "/chat/groupstats",
            &["groups"],
            "The groups",
        ),
        (
            "get_poll",
            json!({"poll_name": "Favourite colour"}),
            "/polls/votes/*",
            &["totalVotes"],
            "The votes",
        ),
        (
            "get_asset_market",
            json!({"asset_id": 3}),
            "/assets/trades/*",
            &["exchanges"],
            "Past exchanges",
        ),
        ("get_at", at(), "/at/*/data", &["data"], "Its data"),
        (
            "get_at",
            at(),
            "/addresses/balance/*",
            &["balance"],
            "Its balance",
        ),
        (
            "get_group_join_requests",
            json!({"group_id": 4}),
            "/groups/4",
            &["groupName"],
            "The group's name",
        ),
        (
            "list_pending_approvals",
            address(),
            "/transactions/pending",
            &["transactions"],
            "The pending",
        ),
        (
            "search",
            json!({"query": "victor"}),
            "/names/search",
            &[],
            "Names are",
        ),
        (
            "search",
            json!({"query": "victor"}),
            "/arbitrary/resources/search",
            &[],
            "QDN resources",
        ),
    ]
}

#[tokio::test]
async fn a_part_that_fails_costs_that_part_and_a_note() {
    let mut problems = Vec::new();
    for (tool, arguments, path, members, note) in cases() {
        let chain = Chain::recorded().await;
        chain.node.fault(path, Fault::Status(500, String::new()));
        let said = chain.call(tool, arguments).await;
        chain.stop().await;
        let Ok(answer) = said else {
            problems.push(format!("{tool} without {path}: {said:?}"));
            continue;
        };
        let notes = answer["notes"].as_array().cloned().unwrap_or_default();
        let mut notes = notes.iter().filter_map(Value::as_str);
        if !notes.any(|it| {
            it.starts_with(note) && it.contains("left out, because the node answered HTTP 500")
        }) {
            problems.push(format!(
                "{tool} without {path} does not say so: {}",
                answer["notes"]
            ));
        }
        for member in members {
            if answer.get(member).is_some() {
                problems.push(format!("{tool} without {path} has {member}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[tokio::test]
async fn an_answer_of_parts_alone_needs_one_of_them() {
    let chain = Chain::recorded().await;
    for path in [
        "/stats/supply/circulating",
        "/addresses/online/levels",
        "/admin/summary",
    ] {
        chain.call("get_network_stats", json!({})).await.unwrap();
        chain.node.fault(path, Fault::Status(500, String::new()));
    }
    let said = chain
        .call("get_network_stats", json!({}))
        .await
        .unwrap_err();
    assert!(said.starts_with("Node failed."), "{said}");
    chain.stop().await;
}

#[tokio::test]
async fn a_node_without_network_time_still_says_what_it_knows() {
    let chain = Chain::of(Scenario::recorded().without_network_time()).await;
    let health = chain.call("get_node_health", json!({})).await.unwrap();
    let reasons = health["reasons"].as_array().unwrap().iter();
    let mut reasons = reasons.filter_map(Value::as_str);
    assert!(reasons.any(|it| it.starts_with("It could not get network time")));
    let stats = chain.call("get_network_stats", json!({})).await.unwrap();
    assert_eq!(stats["onlineMinters"], 0);
    assert!(stats.get("blocksLastDay").is_none());
    let report = json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"});
    for (tool, arguments) in [
        ("get_node_summary", json!({})),
        ("get_qdn_resource", report.clone()),
        ("get_qdn_resource_status", report),
        ("fetch", json!({"id": "qdn:DOCUMENT/victor/report-2026"})),
    ] {
        let said = chain.call(tool, arguments).await.unwrap_err();
        assert!(
            said.starts_with("Node not ready. It could not get network time"),
            "{tool}: {said}"
        );
    }
    chain.stop().await;
}

#[tokio::test]
async fn an_uptime_may_be_negative() {
    // Of the recorded machine the clock was set back by 45 minutes after the start.
    let chain = Chain::of(Scenario::recorded().with_machine_clock(-45 * 60_000)).await;
    for tool in ["get_node_info", "get_node_uptime", "get_node_health"] {
        let answer = chain.call(tool, json!({})).await.unwrap();
        let text = answer["uptimeText"].as_str().unwrap();
        assert!(text.starts_with("unknown"), "{tool}: {text}");
    }
    chain.stop().await;
}

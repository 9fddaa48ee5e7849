//! What a model is told when the node does not answer as it should.

use std::time::Duration;

use insta::assert_snapshot;
use qortal_client::Node;
use qortal_testnode::{API_KEY, Fault, Scenario};
use qortal_tools::{Catalog, Selection};
use serde_json::json;
use tokio::time::Instant;

use crate::{Chain, walk};
use test_chain::config;

/// One tool of each family.
const TOOLS: [(&str, &str, &str); 16] = [
    ("get_node_status", "/admin/status", "{}"),
    (
        "get_balance",
        "/addresses/balance/*",
        r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#,
    ),
    ("search_names", "/names/search", r#"{"query":"al"}"#),
    ("list_trade_offers", "/crosschain/tradeoffers", "{}"),
    ("get_market_overview", "/crosschain/tradeoffers", "{}"),
    (
        "list_completed_trades",
        "/crosschain/trades",
        r#"{"foreign_blockchain":"LITECOIN"}"#,
    ),
    (
        "get_account_report",
        "/addresses/balance/*",
        r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#,
    ),
    ("get_last_block", "/blocks/last", "{}"),
    ("get_fee", "/transactions/unitfee", "{}"),
    ("list_online_minters", "/addresses/online/levels", "{}"),
    ("list_groups", "/groups", "{}"),
    (
        "get_chat_messages",
        "/chat/messages",
        r#"{"tx_group_id":3}"#,
    ),
    ("search_qdn_resources", "/arbitrary/resources/search", "{}"),
    ("list_polls", "/polls", "{}"),
    ("list_assets", "/assets", "{}"),
    ("fetch", "/names/*", r#"{"id":"name:victor"}"#),
];

/// What every tool says to a fault; all of them say the same but for the endpoint.
async fn check(fault: impl Fn() -> Fault) -> String {
    let chain = Chain::recorded().await;
    let mut said = Vec::new();
    for (tool, path, arguments) in TOOLS {
        chain.node.fault(path, fault());
        let answer = chain.call(tool, serde_json::from_str(arguments).unwrap());
        said.push(answer.await.unwrap_err());
    }
    chain.stop().await;
    let first = said[0].clone();
    let plain = first.split_once(". ").unwrap().0;
    assert!(said.iter().all(|it| it.starts_with(plain)), "{said:#?}");
    first
}

#[tokio::test]
async fn a_node_that_is_not_there() {
    for fault in [|| Fault::ResetBeforeResponse, || Fault::TruncateBody] {
        let said = check(fault).await;
        assert!(said.starts_with("Node unreachable. "), "{said}");
    }
    assert_snapshot!(check(|| Fault::ResetBeforeResponse).await, @"Node unreachable. Only the configured Qortal node can answer this, and it does not: the connection was reset. Ask the user to check that Qortal Core is running and its API enabled (`qortal-mcp doctor` diagnoses it), then try again.");
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_silent() {
    assert_snapshot!(check(|| Fault::StallBeforeHeaders).await, @"Node timed out. The Qortal node did not answer within 30 seconds; it may be synchronizing. Try again later or ask for less; get_node_status shows whether it is synchronizing.");
    assert!(
        check(|| Fault::StallAfterHeaders)
            .await
            .starts_with("Node timed out. ")
    );
}

/// What is about the node itself is its very question, and waits for nothing that is known.
#[tokio::test(start_paused = true)]
async fn own_node_tools_fail_at_once_while_their_node_is_known_to_be_silent() {
    let chain = Chain::recorded().await;
    chain.node.fault("/*", Fault::StallBeforeHeaders);
    let call = async |tool| {
        let begun = Instant::now();
        let said = chain.call(tool, json!({})).await.unwrap_err();
        (begun.elapsed(), said)
    };
    let (took, said) = call("get_node_status").await;
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert!(said.starts_with("Node timed out. "), "{said}");
    for tool in ["get_node_health", "get_node_status", "get_node_settings"] {
        let (took, said) = call(tool).await;
        assert_eq!(took, Duration::ZERO, "{tool}");
        assert!(said.starts_with("Node silent. "), "{said}");
        assert!(!said.contains("get_node"), "{said}");
    }
    assert_snapshot!(call("get_node_health").await.1, @"Node silent. The Qortal node has not answered for 2 seconds, so nothing was sent. It is probed every second: try again in a few seconds. If that lasts, ask the user to check that Qortal Core is running.");
    chain.stop().await;
}

#[tokio::test]
async fn a_node_that_says_too_much() {
    assert_snapshot!(check(|| Fault::EndlessBody).await, @"Answer too large. The node's answer has more than 1048576 bytes. Ask for less, with a smaller limit.");
}

#[tokio::test]
async fn something_that_is_no_node() {
    assert_snapshot!(check(|| Fault::NotJson).await, @"Unreadable answer. The configured address did not send the expected JSON for GET /admin/status. It is probably not a Qortal node, or an incompatible version; the user can check with `qortal-mcp doctor`.");
    let elsewhere = || Fault::Redirect("http://127.0.0.1:9/".to_owned());
    assert_snapshot!(check(elsewhere).await, @"Node failed. It answered HTTP 302 without a reason. Try again, or with other arguments.");
}

/// Where the Core may leave out every member, what has none of them is no answer.
#[tokio::test]
async fn a_node_that_says_nothing() {
    let error = r#"{"error":5,"message":"repository issue"}"#;
    let odd = r#"[{"address":1,"version":{}}]"#;
    let metadata = json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"});
    let cases = [
        (
            "get_qdn_metadata",
            metadata,
            "/arbitrary/metadata/*",
            ["{}", error],
        ),
        (
            "get_active_chats",
            json!({"address": "Alice Test"}),
            "/chat/active/*",
            ["{}", error],
        ),
        (
            "get_app_ratings",
            json!({}),
            "/polls/apps/ratings",
            [r#"{"ratings":{}}"#, error],
        ),
        (
            "get_engine_stats",
            json!({}),
            "/admin/enginestats",
            ["{}", error],
        ),
        ("list_peers", json!({}), "/peers", [odd, "[{}]"]),
    ];
    for (tool, arguments, path, bodies) in cases {
        let chain = Chain::keyed(Scenario::recorded(), Some(API_KEY)).await;
        for body in bodies {
            chain.node.fault(path, Fault::Status(200, body.to_owned()));
            let said = chain.call(tool, arguments.clone()).await.unwrap_err();
            assert!(
                said.starts_with("Unreadable answer. "),
                "{tool}, {body}: {said}"
            );
        }
        chain.stop().await;
    }
}

#[tokio::test]
async fn a_node_that_refuses() {
    let status = |status: u16, body: &'static str| move || Fault::Status(status, body.to_owned());
    assert_snapshot!(check(status(403, "")).await, @"Node refuses access. Its apiWhitelist does not include the address of this server. Ask the user to add it in the node's settings.json.");
    assert_snapshot!(check(status(500, "")).await, @"Node failed. It answered HTTP 500 without a reason. Try again, or with other arguments.");
    assert_snapshot!(check(status(503, r#"{"error":7,"message":"blockchain needs to synchronize first"}"#)).await, @"Node not ready. It has to synchronize its blockchain or its clock first. Try again later, get_node_status shows how far it is.");
    assert_snapshot!(check(status(500, r#"{"error":5,"message":"Datenbankfehler"}"#)).await, @"Node refused. It answered code 5 REPOSITORY_ISSUE: Datenbankfehler.");
}

#[tokio::test]
async fn a_node_that_wants_its_key() {
    let unauthorized = || {
        Fault::Status(
            403,
            r#"{"error":4,"message":"API key not generated"}"#.to_owned(),
        )
    };
    // These endpoints need no key, so that passing one would not help.
    let chain = Chain::keyed(Scenario::recorded(), None).await;
    chain.node.fault("/blocks/last", unauthorized());
    let without = chain.call("get_last_block", json!({})).await.unwrap_err();
    assert_snapshot!(without, @"Node refuses access. It requires an API key for GET /blocks/last, where Qortal Core does not. A key would not be sent there, so passing one does not help. Ask the user to check the node's settings and any proxy in front of it.");
    chain.stop().await;

    let chain = Chain::keyed(Scenario::recorded(), Some("wrong")).await;
    chain.node.fault("/blocks/last", unauthorized());
    let withheld = chain.call("get_last_block", json!({})).await.unwrap_err();
    assert_snapshot!(withheld, @"Node refuses access. It requires an API key for GET /blocks/last, where Qortal Core does not, so the configured key was not sent. Ask the user to check the node's settings and any proxy in front of it.");
    chain.stop().await;
    let said = async |key: Option<&str>| {
        let chain = Chain::keyed(Scenario::recorded(), key).await;
        let said = chain.call("get_engine_stats", json!({})).await.unwrap_err();
        chain.stop().await;
        said
    };
    assert_snapshot!(said(None).await, @"API key needed. The node requires its API key for this, and none is configured. Ask the user to pass --api-key-file with the path of the node's apikey.txt.");
    assert_snapshot!(said(Some("wrong")).await, @"API key refused. The node does not accept the API key that is configured. Ask the user to check that the file given as --api-key-file is the apikey.txt of this node.");
}

/// Faults that every question can meet, and what each is told as.
fn faults() -> [(Fault, &'static str); 9] {
    let not_ready = r#"{"error":8,"message":"no clock synchronization yet"}"#;
    [
        (Fault::ResetBeforeResponse, "Node unreachable. "),
        (Fault::TruncateBody, "Node unreachable. "),
        (Fault::StallBeforeHeaders, "Node timed out. "),
        (Fault::StallAfterHeaders, "Node timed out. "),
        (Fault::EndlessBody, "Answer too large. "),
        (Fault::NotJson, "Unreadable answer. "),
        (Fault::Redirect("/names".to_owned()), "Node failed. "),
        (Fault::Status(403, String::new()), "Node refuses access. "),
        (Fault::Status(503, not_ready.to_owned()), "Node not ready. "),
    ]
}

/// The clock stands still while anything moves, so that no test waits for a silent node.
#[tokio::test(start_paused = true)]
async fn every_tool_tells_of_every_fault() {
    let mut problems = Vec::new();
    for entry in walk::entries().filter(|it| it.uses_node) {
        for (fault, plain) in faults() {
            let mut chain = Chain::recorded().await;
            // An endless answer soon has more.
            let client = Node::new(config(&chain.node, Some(API_KEY), 1 << 16)).unwrap();
            chain.catalog = Catalog::new(client, &Selection::default()).unwrap();
            chain.node.fault("/*", fault.clone());
            let arguments = serde_json::from_str(entry.example).unwrap();
            let said = chain.call(entry.name, arguments).await;
            chain.stop().await;
            if !said.as_ref().is_err_and(|it| it.starts_with(plain)) {
                problems.push(format!("{} {fault:?}: {said:?}", entry.name));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// The faults that are left: each with what a model is told first.
#[tokio::test(start_paused = true)]
async fn every_other_fault_has_its_plain_message() {
    let slow = || Fault::Slow {
        bytes_per_tick: 1,
        tick: Duration::from_millis(500),
    };
    assert!(
        check(|| Fault::HugeBody)
            .await
            .starts_with("Answer too large. ")
    );
    assert!(
        check(|| Fault::WrongShape)
            .await
            .starts_with("Unreadable answer. ")
    );
    assert!(check(slow).await.starts_with("Node timed out. "));
    assert!(
        check(|| Fault::Refuse)
            .await
            .starts_with("Node unreachable. ")
    );
}

/// What is announced shorter than it is arrives cut: half a JSON text, half a decimal. Only a whole number
/// cannot be told from half of one, so `get_fee` is not asked.
#[tokio::test]
async fn a_cut_answer_is_not_taken_for_a_whole_one() {
    let chain = Chain::recorded().await;
    for (tool, path, arguments) in TOOLS.into_iter().filter(|(tool, ..)| *tool != "get_fee") {
        chain.node.fault(path, Fault::WrongLength);
        let said = chain.call(tool, serde_json::from_str(arguments).unwrap());
        let said = said.await.unwrap_err();
        assert!(said.starts_with("Unreadable answer. "), "{tool}: {said}");
    }
    chain.stop().await;
}

//! Nodes with an older Core: what it lacks costs that part of an answer, or the tool says which version it needs.

use qortal_testnode::{Fault, Scenario};
use qortal_tools::Catalog;
use serde_json::{Value, json};

use crate::Chain;

/// A tool answers, or names the version.
async fn check(core: [u16; 3]) {
    let chain = Chain::of(Scenario::recorded().with_core(core)).await;
    let mut problems = Vec::new();
    for entry in Catalog::entries() {
        let example = serde_json::from_str(entry.example).unwrap();
        if let Err(said) = chain.call(entry.name, example).await
            && !said.starts_with("Core too old. This needs Qortal Core ")
        {
            problems.push(format!("{}: {said}", entry.name));
        }
    }
    chain.stop().await;
    assert!(problems.is_empty(), "{core:?}:\n{}", problems.join("\n"));
}

#[tokio::test]
async fn every_tool_answers_on_an_older_core_or_says_which_one_it_needs() {
    for core in [[6, 1, 4], [5, 0, 0], [4, 0, 0]] {
        check(core).await;
    }
}

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const TRANSACTION: &str =
    "2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko";

#[tokio::test]
async fn names_are_a_part() {
    let tools = [
        ("explain_transaction", json!({"signature": TRANSACTION})),
        (
            "explain_trade",
            json!({"at_address": "Aes2JuboJupax6uybgMa2was61y7MRiDJS"}),
        ),
        ("get_account_activity", json!({"address": "victor"})),
        ("get_account_report", json!({"address": "rita-trades"})),
        ("get_group_bans", json!({"group_id": 3})),
        ("list_completed_trades", json!({})),
        ("search_transactions", json!({"address": "victor"})),
    ];
    let note = "The names of accounts are left out, because that needs Qortal Core 6.1.5 and the node has 6.1.4.";
    check_note([6, 1, 4], &tools, note).await;
    let tools = [
        ("get_account_overview", json!({"address": ALICE})),
        ("resolve_identity", json!({"identity": ALICE})),
        ("get_account_report", json!({"address": "rita-trades"})),
    ];
    let note = "The primary name is left out, because that needs Qortal Core 5.0.0 and the node has 4.7.1.";
    check_note([4, 7, 1], &tools, note).await;
}

#[tokio::test]
async fn a_part_is_left_out_where_the_node_hides_its_version() {
    let chain = Chain::of(Scenario::recorded().with_core([6, 1, 4])).await;
    chain
        .node
        .fault("/admin/info", Fault::Status(403, String::new()));
    let activity = ("get_account_activity", json!({"address": "victor"}));
    let note = "The names of accounts are left out, because that needs Qortal Core 6.1.5 and the node is older.";
    check_notes(chain, &[activity], note).await;
}

#[tokio::test]
async fn other_parts_that_came_later() {
    let tools = [(
        "get_group_members",
        json!({"group_id": 2, "limit": 1, "offset": 1}),
    )];
    let note = "Who of them is an admin is left out, because that needs Qortal Core 6.1.7 and the node has 6.1.6.";
    check_note([6, 1, 6], &tools, note).await;
    let tools = [("get_market_overview", json!({}))];
    let note = "The state of LTC is left out, because that needs Qortal Core 6.0.0 and the node has 5.0.7.";
    check_note([5, 0, 7], &tools, note).await;
    let tools = [("list_peers", json!({}))];
    let note =
        "The data peers are left out, because that needs Qortal Core 6.0.0 and the node has 5.0.7.";
    check_note([5, 0, 7], &tools, note).await;
    let tools = [("get_network_stats", json!({}))];
    let note =
        "The supply is left out, because that needs Qortal Core 4.1.0 and the node has 4.0.2.";
    check_note([4, 0, 2], &tools, note).await;
    let tools = [("get_poll", json!({"poll_name": "Favourite colour"}))];
    let note =
        "The votes are left out, because that needs Qortal Core 4.1.0 and the node has 4.0.2.";
    check_note([4, 0, 2], &tools, note).await;
}

async fn check_note(core: [u16; 3], tools: &[(&str, Value)], note: &str) {
    check_notes(
        Chain::of(Scenario::recorded().with_core(core)).await,
        tools,
        note,
    )
    .await;
}

async fn check_notes(chain: Chain, tools: &[(&str, Value)], note: &str) {
    for (tool, arguments) in tools {
        let answer = chain.call(tool, arguments.clone()).await.unwrap();
        let notes = answer["notes"].as_array().unwrap();
        assert!(notes.iter().any(|it| it == note), "{tool}: {notes:?}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn what_is_the_answer_itself_names_the_version() {
    let chain = Chain::of(Scenario::recorded().with_core([6, 1, 3])).await;
    let said = chain.call("get_app_ratings", json!({})).await.unwrap_err();
    insta::assert_snapshot!(said, @"Core too old. This needs Qortal Core 6.1.4 or newer, and the node has 6.1.3. Ask the user to update Qortal Core on the node.");
    // All of its parts came at once.
    let said = chain.call("get_chat_stats", json!({})).await.unwrap_err();
    insta::assert_snapshot!(said, @"Core too old. This needs Qortal Core 6.1.6 or newer, and the node has 6.1.3. Ask the user to update Qortal Core on the node.");
    let fault = Fault::Status(403, String::new());
    chain.node.fault("/admin/info", fault);
    let said = chain.call("get_app_ratings", json!({})).await.unwrap_err();
    insta::assert_snapshot!(said, @"Core too old. This needs Qortal Core 6.1.4 or newer, and the node, which does not report its version, has no GET /polls/apps/ratings. Ask the user to update Qortal Core on the node.");
    chain.stop().await;
}

//! What every answer says about the node it came from, and about what of its answers could not be read.

use insta::assert_snapshot;
use qortal_testnode::{Fault, Scenario};
use serde_json::{Value, json};

use crate::{Chain, fallback::fallen_back};

/// The note that something is left out.
fn left_out(answer: &Value) -> &str {
    let mut notes = notes(answer).into_iter();
    notes.find(|it| it.contains("left out")).unwrap()
}

fn notes(answer: &Value) -> Vec<&str> {
    let notes = answer["notes"].as_array().into_iter().flatten();
    notes.map(|it| it.as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_answer_names_the_node_unless_it_is_the_configured_one() {
    let (chain, public) = fallen_back().await;
    let url = public.url().trim_end_matches('/');
    let said = chain.call("get_block_height", json!({})).await.unwrap();
    assert_eq!(said["node"], url);
    assert_eq!(
        notes(&said),
        [format!(
            "From {url}, a public node, because the configured node does not answer."
        )]
    );
    let arguments = json!({"name": "get_block_height"});
    let passed = chain.call("call_tool", arguments).await.unwrap();
    assert_eq!(passed, said);
    let arguments = json!({"name": "no such name"});
    let said = chain.call("get_name_info", arguments).await.unwrap_err();
    let expected = format!(
        "The public node {url} reported this, because the configured node does not answer."
    );
    assert!(said.ends_with(&expected), "{said}");
    chain.stop().await;
    public.stop().await;

    let chain = Chain::recorded().await;
    let said = chain.call("get_block_height", json!({})).await.unwrap();
    assert!(said.get("node").is_none() && said.get("notes").is_none());
    chain.stop().await;
}

#[tokio::test]
async fn an_odd_row_costs_itself_and_a_note() {
    let chain = Chain::recorded().await;
    let row = |service| format!(r#"{{{service}"name":"Alice Test","identifier":"post-1"}}"#);
    let list = format!("[{},{}]", row(r#""service":"BLOG_POST","#), row(""));
    chain
        .node
        .fault("/arbitrary/resources/search", Fault::Status(200, list));
    let arguments = json!({"query": "title"});
    let said = chain.call("search_qdn_resources", arguments).await.unwrap();
    assert_eq!(said["resources"].as_array().unwrap().len(), 1);
    assert_snapshot!(left_out(&said), @"1 row of GET /arbitrary/resources/search could not be read and is left out.");
    chain.stop().await;
}

/// A list whose only row is odd does not show that there is nothing.
#[tokio::test]
async fn odd_row_alone_is_named_where_nothing_is_found() {
    let chain = Chain::recorded().await;
    let row = r#"[{"tradeTimestamp":1795700000000,"qortAmount":"1","sellerAddress":7}]"#;
    chain
        .node
        .fault("/crosschain/trades", Fault::Status(200, row.to_owned()));
    let arguments = json!({"blockchain": "LITECOIN", "after": "2026-11-01"});
    let refused = chain.call("get_price_chart", arguments.clone()).await;
    assert_snapshot!(refused.unwrap_err(), @"Nothing to draw. No trade that could be read was made for LTC since 2026-11-01T00:00:00.000Z. An earlier `after` may show more, get_market_overview shows all coins. 1 row of GET /crosschain/trades could not be read and is left out.");
    let history = chain.call("get_price_history", arguments).await.unwrap();
    assert_snapshot!(history["notes"], @r#"["1 row of GET /crosschain/trades could not be read and is left out.","No trade that could be read was made for LTC since then. An earlier `after` may show more, get_market_overview shows all coins."]"#);
    chain.stop().await;
}

/// One row more than wanted is asked for: if one of them is odd, the page is full, and yet not the last.
#[tokio::test]
async fn an_odd_row_does_not_make_a_page_the_last_one() {
    let name = |name: &str| json!({"name": name, "owner": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v", "data": "", "registered": 1, "isForSale": false, "creationGroupId": 0});
    for (rows, truncated) in [
        (json!([name("a"), 7, name("c")]), true),
        (json!([name("a"), 7]), false),
    ] {
        let chain = Chain::recorded().await;
        chain
            .node
            .fault("/names", Fault::Status(200, rows.to_string()));
        let said = chain.call("list_names", json!({"limit": 2})).await.unwrap();
        assert_eq!(said["truncated"], truncated, "{said}");
        let offset = said.pointer("/next/arguments/offset");
        assert_eq!(offset, truncated.then_some(&json!(2)), "{said}");
        chain.stop().await;
    }
}

/// Lists in records: a row that is a number costs itself and a note, whatever the list.
#[tokio::test]
async fn an_odd_row_in_a_record_costs_itself_and_a_note() {
    let member = r#"{"member":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v","isAdmin":true}"#;
    let direct = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v","timestamp":1795240139424,"sender":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    // The mean is made of all counts, so that a rating with an odd one is left out.
    let rating = |count: &str| {
        format!(
            r#"{{"key":"x","value":{{"pollName":"app-library-APP-rating-x","totalVotes":1,"totalWeight":1,"voteCounts":[{count}]}}}}"#
        )
    };
    let (good, odd) = (rating(r#"{"optionName":"5","voteCount":1}"#), rating("7"));
    let cases = [
        (
            "get_group_members",
            json!({"group_id": 3}),
            "/groups/members/*",
            format!(r#"{{"memberCount":2,"adminCount":1,"members":[{member},7]}}"#),
            (
                "members",
                "1 row of GET /groups/members/{groupid} could not be read and is left out.",
            ),
        ),
        (
            "get_active_chats",
            json!({"address": "Alice Test"}),
            "/chat/active/*",
            format!(r#"{{"groups":[7],"direct":[{direct},{{"address":1}}]}}"#),
            (
                "direct",
                "2 rows of GET /chat/active/{address} could not be read and are left out.",
            ),
        ),
        (
            "get_app_ratings",
            json!({}),
            "/polls/apps/ratings",
            format!(
                r#"{{"count":3,"offset":0,"ratings":{{"entry":[{good},{odd},{{"key":"y"}}]}}}}"#
            ),
            (
                "ratings",
                "2 rows of GET /polls/apps/ratings could not be read and are left out.",
            ),
        ),
    ];
    for (tool, arguments, path, body, (list, expected)) in cases {
        let chain = Chain::recorded().await;
        chain.node.fault(path, Fault::Status(200, body));
        let said = chain.call(tool, arguments).await.unwrap();
        assert_eq!(
            said[list].as_array().map(Vec::len),
            Some(1),
            "{tool}: {said}"
        );
        assert_eq!(left_out(&said), expected, "{tool}");
        chain.stop().await;
    }
}

#[tokio::test]
async fn what_only_the_own_node_knows_is_left_out_with_a_note() {
    let (chain, public) = fallen_back().await;
    let arguments = json!({"address": "Alice Test"});
    let said = chain.call("get_minting_status", arguments).await.unwrap();
    assert!(said.get("mintsOnThisNode").is_none());
    assert_snapshot!(left_out(&said), @"The keys that the node mints with are left out, because only the configured node knows, and it does not answer.");
    chain.stop().await;
    public.stop().await;
}

/// Every answer that depends on what time it is.
#[tokio::test]
async fn now_is_the_networks_time_or_else_that_of_the_latest_block() {
    let calls = [
        ("get_trade_order_book", json!({"blockchain": "LITECOIN"})),
        ("get_group_bans", json!({"group_id": 3})),
        ("get_price_history", json!({"blockchain": "LITECOIN"})),
    ];
    for (tool, arguments) in calls {
        let chain = Chain::of(Scenario::recorded().without_network_time()).await;
        let said = chain.call(tool, arguments.clone()).await.unwrap();
        let time = "The configured node does not report the network's time, so now is the time of the latest block, 2026-11-21T";
        assert!(
            notes(&said).iter().any(|it| it.starts_with(time)),
            "{tool}: {said}"
        );
        let asked = chain.node.journal();
        assert!(
            asked.iter().all(|it| it.target != "/utils/timestamp"),
            "{tool} asks for the clock of a machine"
        );
        chain.stop().await;

        let chain = Chain::recorded().await;
        let said = chain.call(tool, arguments).await.unwrap();
        assert!(
            !notes(&said).iter().any(|it| it.starts_with(time)),
            "{said}"
        );
        chain.stop().await;
    }
}

#[tokio::test]
async fn a_wrong_clock_of_the_machine_changes_nothing() {
    let hours = |hours: i64| hours * 60 * 60 * 1_000;
    let mut answers = Vec::new();
    for ahead in [0, hours(23), -hours(23)] {
        let chain = Chain::of(Scenario::recorded().with_machine_clock(ahead)).await;
        let arguments = json!({"blockchain": "LITECOIN"});
        let said = chain.call("get_trade_order_book", arguments).await;
        answers.push(said.unwrap());
        chain.stop().await;
    }
    assert!(answers.iter().all(|it| *it == answers[0]), "{answers:#?}");
}

#[tokio::test]
async fn the_states_of_resources_are_those_on_the_own_node() {
    let (chain, public) = fallen_back().await;
    let arguments = json!({"query": "post", "include_status": true});
    let said = chain.call("search_qdn_resources", arguments).await.unwrap();
    let resources = said["resources"].as_array().unwrap();
    assert!(!resources.is_empty());
    assert!(resources.iter().all(|it| it.get("status").is_none()));
    assert_snapshot!(left_out(&said), @"The states of the resources are left out, because the node does not answer.");
    chain.stop().await;
    public.stop().await;
}

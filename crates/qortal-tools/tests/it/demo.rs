//! The invented chain of the simulated node: every example and every question has an answer there too.

use qortal_client::{ApiKey, Node, NodeConfig};
use qortal_testnode::{API_KEY, Scenario, TestNode};
use qortal_tools::{Catalog, Selection};
use serde_json::{Value, json};

use crate::Chain;

/// Noon (UTC) of November 23, 2026, which is also the time of the answers in docs/questions.
const NOW: i64 = 1_795_435_200_000;

/// With the usual timeouts: the tables are made when they are first asked for.
async fn demo() -> Chain {
    let node = TestNode::start(Scenario::demo(NOW).frozen()).await.unwrap();
    let key = ApiKey::new(API_KEY).unwrap();
    let client = Node::new(NodeConfig::new(node.url()).with_api_key(key)).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    Chain { node, catalog }
}

#[tokio::test]
async fn every_example_is_answered() {
    let chain = demo().await;
    let mut problems = Vec::new();
    for entry in Catalog::entries() {
        let example: Value = serde_json::from_str(entry.example).unwrap();
        match chain.call(entry.name, example).await {
            Ok(answer) if is_empty(&answer) => {
                problems.push(format!("{} has nothing: {answer}", entry.name));
            }
            Ok(_) => {}
            Err(problem) => problems.push(format!("{}: {problem}", entry.name)),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whether an answer shows a reader nothing: it is a list without rows, or about a resource that no one has published.
fn is_empty(answer: &Value) -> bool {
    let fields = answer.as_object().unwrap();
    let lists = fields.iter().filter(|(name, _)| *name != "notes");
    let mut lists = lists.filter_map(|(_, value)| value.as_array()).peekable();
    let is_list = fields.contains_key("total") || fields.contains_key("truncated");
    let has_list = lists.peek().is_some();
    let is_short = (is_list || fields.len() == 1) && has_list && lists.all(Vec::is_empty);
    is_short || answer["status"] == "NOT_PUBLISHED"
}

#[test]
fn empty_example_is_told_from_one_with_rows() {
    for (answer, expected) in [
        (json!({"rows": [], "total": 0}), true),
        (
            json!({"rows": [], "truncated": false, "notes": ["None."]}),
            true,
        ),
        (json!({"groups": []}), true),
        (json!({"status": "NOT_PUBLISHED", "exists": false}), true),
        (json!({"rows": [{"a": 1}], "total": 1}), false),
        (json!({"verdict": "healthy", "reasons": []}), false),
        (json!({"status": "READY"}), false),
    ] {
        assert_eq!(is_empty(&answer), expected, "{answer}");
    }
}

#[tokio::test]
async fn every_question_has_an_answer_that_is_not_empty() {
    let chain = demo().await;
    let mut problems = Vec::new();
    for question in Catalog::questions() {
        for call in &question.calls {
            let arguments: Value = serde_json::from_str(call.arguments.get()).unwrap();
            match chain.call(call.tool, arguments).await {
                Ok(answer) if is_empty(&answer) => {
                    problems.push(format!("{} {} has nothing", question.text, call.tool));
                }
                Err(problem) => {
                    problems.push(format!("{} {}: {problem}", question.text, call.tool));
                }
                Ok(_) => {}
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[tokio::test]
async fn the_node_is_healthy_and_the_main_network_s_rules_hold() {
    let chain = demo().await;
    let health = chain.call("get_node_health", json!({})).await.unwrap();
    assert_eq!(health["verdict"], "healthy", "{health}");
    assert_eq!(health["inboundPeers"], 9);
    assert_eq!(health["outboundPeers"], 21);
    let status = json!({"address": "Alice Test", "include_online": true});
    let status = chain.call("get_minting_status", status).await.unwrap();
    assert_eq!(status["obstacles"], json!([]), "{status}");
    assert_eq!(status["nextLevel"]["level"], 6);
    assert!(status["nextLevel"]["blocksMissing"].as_u64().unwrap() > 0);
    assert!(status["reward"]["estimatedPerDay"].is_string(), "{status}");
}

#[tokio::test]
async fn who_cannot_mint_has_no_date_and_a_key_elsewhere_is_no_obstacle() {
    let chain = demo().await;
    let of = async |name: &str| {
        let arguments = json!({"address": name});
        chain.call("get_minting_status", arguments).await.unwrap()
    };
    let rita = of("rita-trades").await;
    assert_eq!(
        rita["obstacles"],
        json!([
            "It is not in group 694, whose members alone may mint on the main network.",
            "It has no minting key: no reward share with itself is on the chain."
        ])
    );
    for date in ["estimatedTime", "estimatedDate", "estimatedDateIso"] {
        assert!(rita["nextLevel"].get(date).is_none(), "{rita}");
    }
    let chloe = of("chloe").await;
    assert_eq!(chloe["mintsOnThisNode"], false);
    assert_eq!(chloe["obstacles"], json!([]));
    assert!(chloe["nextLevel"]["estimatedDateIso"].is_string());
    let chart = json!({"kind": "minting", "address": "rita-trades"});
    let chart = chain.call("get_chart", chart).await.unwrap();
    let summary = chart["summary"].as_str().unwrap();
    assert!(!summary.contains("Time to go") && !summary.contains("Expected"));
    assert!(!summary.contains("QORT a day"), "{summary}");
    assert!(summary.contains("It is not in group 694"), "{summary}");
}

#[tokio::test]
async fn sponsees_with_several_names_are_counted_once() {
    let chain = demo().await;
    let arguments = json!({"address": "Alice Test"});
    let answer = chain.call("get_sponsorship", arguments).await.unwrap();
    assert_eq!(answer["sponseeCount"], 2);
    assert_eq!(answer["sponseeNames"].as_array().unwrap().len(), 4);
    let notes = answer["notes"].to_string();
    let expected = "It sponsors 2 accounts: sponseeNames has all 4 names of those";
    assert!(notes.contains(expected), "{notes}");
}

#[tokio::test]
async fn apps_are_rated_best_first() {
    let chain = demo().await;
    let first = chain.call("get_app_ratings", json!({"limit": 1})).await;
    let first = &first.unwrap()["ratings"][0];
    assert_eq!(
        (&first["appName"], &first["average"]),
        (&json!("tin-robot"), &json!("4.00"))
    );
}

#[tokio::test]
async fn candles_and_order_books_are_those_of_the_trades() {
    let chain = demo().await;
    let market = chain.call("get_market_overview", json!({})).await.unwrap();
    let coins = market["coins"].as_array().unwrap();
    assert_eq!(coins.len(), 6);
    for coin in coins {
        assert!(coin["openOffers"].as_u64().unwrap() >= 5, "{coin}");
        assert!(
            coin["bestAsk"].is_string() && coin["lastPrice"].is_string(),
            "{coin}"
        );
        assert!(coin["connectedServers"].as_u64().unwrap() > 0, "{coin}");
    }
    let history = json!({"blockchain": "LITECOIN", "interval": "day", "limit": 100});
    let history = chain.call("get_price_history", history).await.unwrap();
    assert!(
        history["candles"].as_array().unwrap().len() >= 80,
        "{history}"
    );
    let book = json!({"blockchain": "LITECOIN"});
    let book = chain.call("get_trade_order_book", book).await.unwrap();
    let levels = book["levels"].as_array().unwrap();
    assert!(levels.len() >= 4, "{book}");
    assert!(levels.iter().any(|it| it["offersOnline"] == 0));
    assert!(levels.iter().any(|it| it["offersOnline"] == 2));
}

//! What clients plainly mean is read, and noted; what could mean two things is refused.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::Chain;

async fn check(tool: &str, arguments: Value) -> String {
    let chain = Chain::recorded().await;
    let said = match chain.call(tool, arguments).await {
        Ok(answer) => answer["notes"].to_string(),
        Err(message) => message,
    };
    chain.stop().await;
    said
}

#[tokio::test]
async fn plain_meanings_are_read_and_noted() {
    assert_snapshot!(check("get_block_by_height", json!({"height": "200"})).await, @r#"["height was sent as \"200\" and read as 200."]"#);
    assert_snapshot!(check("get_block_by_height", json!({"height": 200.0})).await, @r#"["height was sent as 200.0 and read as 200."]"#);
    assert_snapshot!(check("list_trade_offers", json!({"reverse": "TRUE", "foreign_blockchain": "ltc"})).await, @r#"["reverse was sent as \"TRUE\" and read as true.","foreign_blockchain was sent as \"ltc\" and read as \"LITECOIN\"."]"#);
    assert_snapshot!(check("list_trade_offers", json!({"foreign_blockchain": null, "limit": null})).await, @"null");
}

#[tokio::test]
async fn r052_unknown_arguments_are_answered_with_the_nearest() {
    assert_snapshot!(check("search_names", json!({"query": "a", "limits": 3})).await, @"Unknown argument. `limits` is not a parameter of this tool. Expected limit, if that is what you mean.");
    assert_snapshot!(check("search_names", json!({"query": "a", "colour": 3})).await, @"Unknown argument. `colour` is not a parameter of this tool. Expected one of query, prefix, limit, offset, reverse.");
    assert_snapshot!(check("get_node_status", json!({"verbose": true})).await, @"Unknown argument. `verbose` is not a parameter of this tool. Expected no arguments at all.");
}

#[tokio::test]
async fn everything_that_is_wrong_is_told_at_once() {
    assert_snapshot!(check("search_names", json!({"query": 1, "limit": 0, "offset": -1, "reverse": "perhaps"})).await, @r#"Invalid argument. `query` is 1. Expected a text. `limit` is 0. Expected an integer from 1 to 100. `offset` is -1. Expected an integer from 0 to 1000000. `reverse` is "perhaps". Expected true or false."#);
}

//! No tool, whatever its arguments, asks a node for anything that acts, reveals secrets or leads out of the API.

use qortal_testnode::{API_KEY, Scenario};
use qortal_tools::Entry;
use serde_json::{Value, json};
use test_chain::forbidden::{TRAPS, end, texts, violation};

use crate::{Chain, walk};

/// Values that a parameter's schema might let through, one after the other.
fn values(schema: &Value) -> Vec<Value> {
    if let Some(words) = schema["enum"].as_array() {
        return words
            .iter()
            .cloned()
            .chain(texts().into_iter().map(Value::from))
            .collect();
    }
    match schema["type"].as_str() {
        Some("boolean") => vec![json!(true), json!(false)],
        Some("integer") => [
            &schema["minimum"],
            &schema["maximum"],
            &json!(1),
            &json!("../1"),
        ]
        .into_iter()
        .cloned()
        .collect(),
        Some("array") => {
            let items = values(&schema["items"]);
            items
                .iter()
                .map(|it| json!([it]))
                .chain([json!(items)])
                .collect()
        }
        _ => texts().into_iter().map(Value::from).collect(),
    }
}

/// The example with each parameter changed by itself, and all texts changed together.
fn generated(entry: &Entry) -> Vec<Value> {
    let example: Value = serde_json::from_str(entry.example).unwrap();
    let schema = entry.input_schema();
    let properties = schema["properties"].as_object().unwrap();
    let mut all = vec![example.clone()];
    for (name, schema) in properties {
        for value in values(schema) {
            let mut arguments = example.clone();
            arguments[name.as_str()] = value;
            all.push(arguments);
        }
    }
    for trap in texts() {
        let mut arguments = example.clone();
        for (name, schema) in properties {
            if schema["type"] == "string" && schema.get("enum").is_none() {
                arguments[name.as_str()] = json!(trap);
            }
        }
        all.push(arguments);
    }
    all
}

async fn guarded() -> Chain {
    Chain::keyed(Scenario::recorded(), Some(API_KEY)).await
}

#[tokio::test]
async fn r055_no_tool_reaches_a_forbidden_endpoint() {
    for entry in walk::entries() {
        let chain = guarded().await;
        for arguments in generated(entry) {
            drop(chain.call(entry.name, arguments).await);
        }
        let asked = end(chain, entry.name).await;
        // Of the tools for dynamic listings, the one that calls others is called with a tool that asks.
        let asks = entry.uses_node;
        assert_eq!(asked > 0, asks, "{} asked {asked} times", entry.name);
    }
}

/// Texts that a segment of a path cannot carry are refused; none is sent in another form.
#[tokio::test]
async fn what_leads_elsewhere_is_refused_before_anything_is_asked() {
    let leads_elsewhere =
        |it: &&str| it.contains(['/', '\\', '\0', '\r', '\n']) || matches!(*it, "." | "..");
    for (tool, parameter, others) in [
        ("get_poll", "poll_name", json!({})),
        ("get_name_info", "name", json!({})),
        (
            "get_qdn_resource_status",
            "name",
            json!({"service": "DOCUMENT"}),
        ),
        (
            "get_qdn_resource_status",
            "identifier",
            json!({"service": "DOCUMENT", "name": "victor"}),
        ),
        ("get_qdn_metadata", "name", json!({"service": "DOCUMENT"})),
        (
            "get_qdn_metadata",
            "identifier",
            json!({"service": "DOCUMENT", "name": "victor"}),
        ),
        ("get_qdn_resource", "name", json!({"service": "DOCUMENT"})),
        (
            "get_qdn_resource",
            "identifier",
            json!({"service": "DOCUMENT", "name": "victor"}),
        ),
        ("get_balance", "address", json!({})),
        ("get_trade_detail", "at_address", json!({})),
        ("get_block_by_signature", "signature", json!({})),
        ("get_transaction_by_signature", "signature", json!({})),
        ("get_transaction_by_reference", "reference", json!({})),
        ("get_chat_message_by_signature", "signature", json!({})),
        ("get_trade_ledger", "public_key", json!({})),
        ("get_trade_price", "blockchain", json!({})),
        ("get_foreign_chain_status", "blockchain", json!({})),
    ] {
        let chain = guarded().await;
        for trap in TRAPS.into_iter().filter(leads_elsewhere) {
            let mut arguments = others.clone();
            arguments[parameter] = json!(trap);
            let said = chain.call(tool, arguments).await;
            assert!(said.is_err(), "{tool} {parameter} {trap:?}: {said:?}");
        }
        let journal = chain.node.journal();
        assert!(journal.is_empty(), "{tool} {parameter}: {journal:#?}");
        chain.stop().await;
    }
}

#[test]
fn the_rules_would_notice() {
    for (method, target) in [
        ("GET", "/websockets/crosschain/tradebot"),
        (
            "GET",
            "/websockets/crosschain/tradebot?foreignBlockchain=LITECOIN",
        ),
        ("GET", "/websockets/crosschain/tradepresence/../tradebot"),
        ("GET", "/websockets/datamonitor"),
        ("GET", "/websockets/admin/status?x=1"),
        ("GET", "/admin/stop"),
        ("GET", "/admin%2Fstop"),
        ("GET", "/crosschain/tradebot?foreignBlockchain=LITECOIN"),
        ("GET", "/names/..%2F..%2Fadmin"),
        ("GET", "/names/%252e%252e%252fadmin"),
        ("GET", "/names/../admin/stop"),
        ("GET", "/arbitrary/WEBSITE/victor?rebuild=true"),
        ("GET", "/arbitrary/WEBSITE/victor?filepath=..%2Fapikey.txt"),
        ("GET", "/arbitrary/resource/status/APP/x?build=true"),
        ("GET", "/render/APP/q-demo"),
        ("POST", "/transactions/process"),
        ("DELETE", "/peers"),
        ("GET", "/crosschain/ltc/walletprivatekey"),
        ("GET", "/crosschain%2Fltc%2Fsend"),
        ("GET", "/lists/anotherList"),
        ("GET", "/admin/settings/sslKeystorePassword"),
        ("POST", "/transactions/sign"),
    ] {
        assert!(violation(method, target).is_some(), "{method} {target}");
    }
    for (method, target) in [
        ("GET", "/admin/status"),
        ("GET", "/websockets/admin/status"),
        ("GET", "/websockets/chat/messages?txGroupId=3"),
        ("GET", "/names/x%3Fbuild%3Dtrue"),
        ("GET", "/lists/blockedNames"),
        ("POST", "/names/list"),
        (
            "GET",
            "/arbitrary/WEBSITE/victor?filepath=css%2Fstyle.css&attempts=1",
        ),
    ] {
        assert_eq!(violation(method, target), None);
    }
}

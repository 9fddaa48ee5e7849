//! No tool, whatever its arguments, asks a node for anything that acts, reveals secrets or leads out of the API.

use std::sync::Arc;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use qortal_testnode::{API_KEY, Scenario};
use qortal_tools::{Catalogue, Entry, Source, Watcher};
use serde_json::{Value, json};
use tokio::task::yield_now;

use crate::Chain;

/// Paths that must never be asked for by GET; `*` stands for the rest. The Core's resources AdminResource,
/// CrossChainTradeBotResource, BootstrapResource, RenderResource and PeersResource.
const FORBIDDEN: [&str; 14] = [
    "/admin/stop",
    "/admin/restart",
    "/admin/bootstrap",
    "/admin/repository*",
    "/admin/settings*",
    "/admin/logs*",
    "/admin/apikey/generate",
    "/crosschain/tradebot*",
    "/crosschain/htlc/status*",
    "/peers/enginestats",
    "/bootstrap*",
    "/render*",
    "/arbitrary/check*",
    "/websockets*",
];

/// The websockets that tell nothing but what anybody may know; `*` stands for the query. `TradeBotWebSocket` tells
/// private keys.
const TELLING_SOCKETS: [&str; 4] = [
    "/websockets/admin/status",
    "/websockets/blocks",
    "/websockets/chat/messages?*",
    "/websockets/crosschain/tradeoffers?*",
];

/// Query parameters that make a reading endpoint act.
const ACTING_PARAMETERS: [&str; 4] = ["build", "rebuild", "newLoggingLevel", "secret"];

/// The POST endpoints that only take long arguments and change nothing.
const READING_POSTS: [&str; 5] = [
    "/names/list",
    "/groups/members/*",
    "/transactions/decode",
    "/transactions/fee",
    "/arbitrary/resources/onchain/data",
];

/// Texts that lead elsewhere if anything in between takes them at their word.
const TRAPS: [&str; 22] = [
    "../admin/stop",
    "../../admin/stop",
    "..%2F..%2Fadmin%2Fstop",
    "%2e%2e%2fadmin%2fstop",
    "..%252f..%252fadmin",
    "..\\..\\apikey.txt",
    "....//admin",
    "/admin/stop",
    "//admin/stop",
    "admin/stop",
    "stop",
    "tradebot",
    "check",
    "x?build=true",
    "x&rebuild=true",
    "x#fragment",
    "x;jsessionid=1",
    "a\u{0}b",
    "a\r\nGET /admin/stop HTTP/1.1",
    "..",
    ".",
    "\u{FF0E}\u{FF0E}\u{2215}admin",
];

/// Why an exchange must not have happened.
fn violation(method: &str, target: &str) -> Option<String> {
    let once = percent_decode_str(target).decode_utf8_lossy();
    let twice = percent_decode_str(&once).decode_utf8_lossy();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let decoded_path = percent_decode_str(path).decode_utf8_lossy();
    let says = |rule: &str| Some(format!("{rule}: {method} {target}"));
    let fits = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(start) => path.starts_with(start) || decoded_path.starts_with(start),
        None => path == *pattern || decoded_path == *pattern,
    };
    match method {
        "GET"
            if TELLING_SOCKETS.iter().any(|it| match it.strip_suffix('*') {
                Some(start) => target.starts_with(start),
                None => target == *it,
            }) => {}
        "GET" if FORBIDDEN.iter().any(&fits) => return says("a forbidden path"),
        // No request: the end of a websocket.
        "CLOSE" => return None,
        "POST" if !READING_POSTS.iter().any(fits) => return says("a forbidden POST"),
        "GET" | "POST" => {}
        _ => return says("a forbidden method"),
    }
    let acts = |pair: &str| ACTING_PARAMETERS.contains(&pair.split('=').next().unwrap_or_default());
    if query.split('&').any(acts) {
        return says("an acting parameter");
    }
    let climbs = |text: &str| text.split(['/', '\\']).any(|it| matches!(it, ".." | "."));
    let twice_decoded_path = twice.split('?').next().unwrap_or_default();
    if climbs(&decoded_path) || climbs(twice_decoded_path) || path.contains("//") {
        return says("a climbing path");
    }
    let file = query.split('&').find_map(|it| it.strip_prefix("filepath="));
    let file = file.map(|it| percent_decode_str(it).decode_utf8_lossy().into_owned());
    let leads_out = |it: &str| climbs(it) || it.starts_with('/') || it.contains('\0');
    if file.is_some_and(|it| leads_out(&it)) {
        return says("a climbing file path");
    }
    // An encoded slash or NUL in a path is decoded by servers before they look at it.
    let lower = path.to_ascii_lowercase();
    if ["%2f", "%5c", "%00", "%0d", "%0a"]
        .iter()
        .any(|it| lower.contains(it))
    {
        return says("an encoded separator in the path");
    }
    None
}

/// Values that a parameter's schema might let through, one after the other.
fn values(schema: &Value) -> Vec<Value> {
    if let Some(words) = schema["enum"].as_array() {
        let traps = TRAPS.iter().map(|it| json!(it));
        return words.iter().cloned().chain(traps).collect();
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
        _ => TRAPS.iter().map(|it| json!(it)).collect(),
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
    for trap in TRAPS {
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

#[tokio::test]
async fn no_tool_reaches_a_forbidden_endpoint() {
    let mut asked = 0;
    for entry in Catalogue::entries() {
        let chain = Chain::keyed(Scenario::recorded(), Some(API_KEY)).await;
        for arguments in generated(entry) {
            // An answer or a refusal: what matters is what was asked meanwhile.
            drop(chain.call(entry.name, arguments).await);
        }
        let journal = chain.node.journal();
        let found: Vec<_> = journal
            .iter()
            .filter_map(|it| violation(&it.method, &it.target))
            .collect();
        assert!(found.is_empty(), "{}: {found:#?}", entry.name);
        asked += journal.len();
        // A strict node complains here about any request that it does not know or that acts.
        chain.stop().await;
    }
    assert!(asked > 500, "only {asked} requests");
}

/// Addresses of everything that can be watched, and of much that cannot, with each trap in each place.
fn watched_addresses() -> Vec<String> {
    let mut all = Vec::new();
    for source in Source::all() {
        let words = ["3", "victor", "LITECOIN", "WEBSITE"]
            .into_iter()
            .chain(TRAPS);
        for word in words {
            let encoded = utf8_percent_encode(word, NON_ALPHANUMERIC).to_string();
            for value in [word, &encoded] {
                let mut uri = source.template.replace("{+", "{");
                for variable in source.variables() {
                    uri = uri.replace(&format!("{{{variable}}}"), value);
                }
                all.push(uri);
            }
        }
    }
    all
}

#[tokio::test]
async fn nothing_that_is_watched_reaches_a_forbidden_endpoint() {
    let chain = Chain::keyed(Scenario::recorded(), Some(API_KEY)).await;
    let (node, catalogue) = (chain.node, Arc::new(chain.catalogue));
    let watcher = Watcher::new(catalogue, |_| ());
    let mut watching = 0;
    for uri in watched_addresses() {
        // A refusal, most of the time: what matters is what was asked meanwhile.
        let watched = watcher.watch(&uri).await;
        watching += usize::from(watched.is_ok());
        // Until what tells of it has been asked for.
        for _ in 0..20 {
            yield_now().await;
        }
    }
    assert!(watching >= 8, "only {watching} could be watched");
    watcher.stop().await;
    let journal = node.journal();
    let found = journal
        .iter()
        .filter_map(|it| violation(&it.method, &it.target));
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{found:#?}");
    let sockets = journal
        .iter()
        .filter(|it| it.target.starts_with("/websockets/"));
    assert!(sockets.clone().count() >= 5);
    assert!(sockets.clone().all(|it| !it.has_api_key));
    node.stop().await;
}

#[test]
fn the_rules_would_notice() {
    for (method, target) in [
        ("GET", "/websockets/crosschain/tradebot"),
        (
            "GET",
            "/websockets/crosschain/tradebot?foreignBlockchain=LITECOIN",
        ),
        ("GET", "/websockets/crosschain/tradeoffers/../tradebot"),
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
    ] {
        assert!(violation(method, target).is_some(), "{method} {target}");
    }
    for (method, target) in [
        ("GET", "/admin/status"),
        ("GET", "/websockets/admin/status"),
        ("GET", "/websockets/chat/messages?txGroupId=3"),
        ("GET", "/names/x%3Fbuild%3Dtrue"),
        ("POST", "/names/list"),
        (
            "GET",
            "/arbitrary/WEBSITE/victor?filepath=css%2Fstyle.css&attempts=1",
        ),
    ] {
        assert_eq!(violation(method, target), None);
    }
}

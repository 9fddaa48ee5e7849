//! No tool, whatever its arguments, asks a node for anything that acts, reveals secrets or leads out of the API.

use percent_encoding::percent_decode_str;
use qortal_testnode::{API_KEY, Scenario};
use qortal_tools::{Catalogue, Entry};
use serde_json::{Value, json};

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
        "GET" if FORBIDDEN.iter().any(&fits) => return says("a forbidden path"),
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

#[test]
fn the_rules_would_notice() {
    for (method, target) in [
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

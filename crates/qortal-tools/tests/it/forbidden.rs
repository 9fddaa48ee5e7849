//! No tool, whatever its arguments, asks a node for anything that acts, reveals secrets or leads out of the API.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use qortal_client::api::admin::NodeSetting;
use qortal_testnode::{API_KEY, Scenario};
use qortal_tools::{Completions, Entry, Source, Subscriptions};
use serde_json::{Value, json};
use tokio::{task::yield_now, time::timeout};

use crate::{Chain, walk};

/// Paths that must never be asked for, whatever the method; `*` stands for the rest.
///
/// What acts or reveals secrets (the Core's resources AdminResource, CrossChainTradeBotResource, BootstrapResource,
/// RenderResource, PeersResource, ArbitraryResource, DeveloperResource and the websocket of the trade bot), what its
/// key protects unless a tool is for it, and what tells of machines that are not asked about.
const FORBIDDEN: [&str; 20] = [
    "/admin/stop",
    "/admin/restart",
    "/admin/bootstrap",
    "/admin/repository*",
    "/admin/settings",
    "/admin/logs*",
    "/admin/apikey*",
    "/admin/systeminfo",
    "/admin/http*",
    "/bootstrap*",
    "/render*",
    "/developer*",
    "/payments*",
    "/data*",
    "/websockets*",
    "/crosschain/tradebot*",
    "/crosschain/htlc*",
    "/peers/enginestats",
    "/peers/known",
    "/arbitrary/check*",
];

/// The node's lists that a tool is for (class `ListUtils`).
const LISTS: [&str; 3] = ["followedNames", "blockedNames", "blockedAddresses"];

/// The websockets that tell nothing but what anybody may know; `*` stands for the query. `TradeBotWebSocket` tells
/// private keys.
const TELLING_SOCKETS: [&str; 4] = [
    "/websockets/admin/status",
    "/websockets/blocks",
    "/websockets/chat/messages?*",
    "/websockets/crosschain/tradepresence",
];

/// Below `/crosschain/{coin}/`: what sends coins, takes keys or changes servers and fees (CrossChainBitcoinResource
/// and its five sisters).
const ACTIONS_OF_COINS: [&str; 15] = [
    "start",
    "send",
    "addserver",
    "removeserver",
    "setcurrentserver",
    "updatefeekb",
    "updatefeerequired",
    "walletbalance",
    "wallettransactions",
    "addressinfos",
    "repair",
    "walletaddress",
    "walletprivatekey",
    "walletseedphrase",
    "syncstatus",
];

/// A request line of the Core's server has less than 8 KiB, headers included.
const LONGEST_TARGET: usize = 7_000;

/// Query parameters that make a reading endpoint act.
const ACTING_PARAMETERS: [&str; 4] = ["build", "rebuild", "newLoggingLevel", "secret"];

/// The POST endpoints that only take long arguments and change nothing.
const READING_POSTS: [&str; 3] = [
    "/names/list",
    "/groups/members/*",
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
    if method == "CLOSE" {
        return None; // no request: the end of a websocket
    }
    let once = percent_decode_str(target).decode_utf8_lossy();
    let twice = percent_decode_str(&once).decode_utf8_lossy();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let decoded_path = percent_decode_str(path).decode_utf8_lossy();
    let says = |rule: &str| Some(format!("{rule}: {method} {target}"));
    let fits = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(start) => path.starts_with(start) || decoded_path.starts_with(start),
        None => path == *pattern || decoded_path == *pattern,
    };
    // The journal notes as well when a socket is closed.
    let is_telling_socket = matches!(method, "GET" | "CLOSE")
        && TELLING_SOCKETS.iter().any(|it| match it.strip_suffix('*') {
            Some(start) => target.starts_with(start),
            None => target == *it,
        });
    if FORBIDDEN.iter().any(&fits) && !is_telling_socket {
        return says("a forbidden path");
    }
    let setting = decoded_path.strip_prefix("/admin/settings/");
    let is_allowed = |name| NodeSetting::ALL.iter().any(|it| it.as_str() == name);
    let list = decoded_path.strip_prefix("/lists/");
    if setting.is_some_and(|it| !is_allowed(it)) || list.is_some_and(|it| !LISTS.contains(&it)) {
        return says("a setting or list that no tool is for");
    }
    let of_coin = decoded_path
        .strip_prefix("/crosschain/")
        .and_then(|it| it.split('/').nth(1));
    if of_coin.is_some_and(|it| ACTIONS_OF_COINS.contains(&it)) {
        return says("an action of a coin");
    }
    if target.len() > LONGEST_TARGET {
        return says("too long");
    }
    match method {
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

/// The traps, and texts that are longer than anything of the chain.
fn texts() -> Vec<String> {
    let long = [100, 1_000, 20_000].map(|it| "x".repeat(it));
    TRAPS.map(str::to_owned).into_iter().chain(long).collect()
}

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

/// What must not have been asked, and how much was. A strict node complains too, about any request that it does
/// not know or that acts.
async fn end(chain: Chain, what: &str) -> usize {
    let journal = chain.node.journal();
    let found: Vec<_> = journal
        .iter()
        .filter_map(|it| violation(&it.method, &it.target))
        .collect();
    assert!(found.is_empty(), "{what}: {found:#?}");
    chain.stop().await;
    journal.len()
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

/// A template with one text for all its variables.
fn filled(template: &str, text: &str) -> String {
    let mut pieces = template.split('{');
    let mut uri = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (_, rest) = piece.split_once('}').unwrap();
        uri.push_str(text);
        uri.push_str(rest);
    }
    uri
}

#[tokio::test]
async fn no_resource_reaches_a_forbidden_endpoint() {
    let chain = guarded().await;
    let all = chain.catalog.sources().map(|(it, _)| it.template);
    let templates: Vec<_> = all.filter(|it| walk::tries(it)).collect();
    let links = [
        "qortal://WEBSITE/victor/{path}",
        "qortal://DOCUMENT/victor/doc1/{path}",
        "qortal://{service}/victor",
        "qortal://{anything}",
    ];
    for template in templates.into_iter().chain(links) {
        for text in texts() {
            let encoded = utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string();
            let twice = utf8_percent_encode(&encoded, NON_ALPHANUMERIC).to_string();
            for text in [text, encoded, twice] {
                drop(chain.catalog.read(&filled(template, &text)).await);
            }
        }
    }
    assert!(end(chain, "resources").await > 0);
}

#[tokio::test]
async fn no_prompt_and_no_completion_reaches_a_forbidden_endpoint() {
    let chain = guarded().await;
    let prompts: Vec<_> = chain.catalog.prompts().collect();
    let mut names: Vec<&str> = Vec::new();
    for prompt in prompts {
        for text in texts() {
            let arguments = prompt.arguments.iter();
            let arguments = arguments.map(|it| (it.name.to_owned(), json!(text)));
            drop(chain.catalog.render(prompt, &arguments.collect()).await);
        }
        names.extend(prompt.arguments.iter().map(|it| it.name));
    }
    assert!(end(chain, "prompts").await > 0);
    let Chain { node, catalog } = guarded().await;
    let completions = Completions::new(Arc::new(catalog));
    for argument in names {
        for text in texts() {
            let resolved = json!({"service": "DOCUMENT", "name": text});
            let resolved = resolved.as_object().unwrap();
            drop(completions.complete(argument, &text, resolved).await);
        }
    }
    let found: Vec<_> = node
        .journal()
        .iter()
        .filter_map(|it| violation(&it.method, &it.target))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    node.stop().await;
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

/// URIs of every resource, subscribable or not, with each trap in each place.
fn trapped_uris() -> Vec<String> {
    let mut all = vec!["qortal://chat/direct/victor/chloe".to_owned()];
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
async fn no_subscription_reaches_a_forbidden_endpoint() {
    let chain = Chain::keyed(Scenario::recorded(), Some(API_KEY)).await;
    let (node, catalog) = (chain.node, Arc::new(chain.catalog));
    let subscriptions = Subscriptions::new(catalog, |_| ());
    let mut kept = Vec::new();
    for uri in trapped_uris() {
        // A refusal, most of the time: what matters is what was asked meanwhile.
        kept.extend(subscriptions.subscribe(&uri).await.ok());
    }
    let sockets = || {
        let journal = node.journal().into_iter();
        let targets = journal.map(|it| it.target);
        let sockets = targets.filter(|it| it.starts_with("/websockets/"));
        sockets.collect::<BTreeSet<_>>()
    };
    // The status, the tip, the offers of a coin, and the messages of a group and of two accounts.
    let opened = async {
        while sockets().len() < 5 {
            yield_now().await;
        }
    };
    let opened = timeout(Duration::from_secs(20), opened).await;
    assert!(opened.is_ok(), "{:#?}", sockets());
    subscriptions.stop().await;
    let journal = node.journal();
    let found = journal
        .iter()
        .filter_map(|it| violation(&it.method, &it.target));
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{found:#?}");
    let mut sockets = journal
        .iter()
        .filter(|it| it.target.starts_with("/websockets"));
    assert!(sockets.all(|it| !it.has_api_key));
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

//! Resources: the list, their contents, and their errors.

use std::{
    collections::{BTreeSet, HashSet},
    error::Error,
    iter::successors,
};

use percent_encoding::percent_decode_str;
use qortal_client::NodeError;
use qortal_resources::{Prompt, ReadResourceError, Source, UriError, read, sources};
use qortal_testnode::Fault;
use qortal_tools::{Body, Catalog, uri};
use serde_json::{Map, Value, json};
use test_chain::Chain;

use crate::pin;

/// Rows of the table whose tool is not in the catalog. The list only shrinks.
const WITHOUT_TOOL: &[&str] = &[];

/// One URI of each row, in the order of the table.
const ADDRESSES: &[(&str, &str)] = &[
    ("trades_csv", "qortal://trades/LITECOIN.csv"),
    (
        "ledger_csv",
        "qortal://ledger/CddYUrFeW4SV4GCpK7i1Vh34AmaqkHJGk9vqj6yeyVp7.csv",
    ),
    (
        "account_ledger_csv",
        "qortal://account/QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC/ledger.csv",
    ),
    ("price_chart", "qortal://chart/price/LITECOIN.png"),
    ("price_drawing", "qortal://chart/price/LITECOIN.svg"),
    (
        "order_book_drawing",
        "qortal://chart/order-book/LITECOIN.svg",
    ),
    (
        "minting_drawing",
        "qortal://chart/minting/QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v.svg",
    ),
    ("balance_drawing", "qortal://chart/balance/victor.svg"),
    ("minters_drawing", "qortal://chart/minters.svg"),
    ("node_status", "qortal://node/status"),
    ("node_info", "qortal://node/info"),
    ("node_summary", "qortal://node/summary"),
    ("node_health", "qortal://node/health"),
    ("node_peers", "qortal://node/peers"),
    ("node_comparison", "qortal://node/comparison"),
    ("network", "qortal://network"),
    ("chain_tip", "qortal://chain/tip"),
    ("chain_params", "qortal://chain/params"),
    ("chain_fees", "qortal://chain/fees"),
    ("fee", "qortal://fee/REGISTER_NAME"),
    ("block", "qortal://block/200"),
    ("block_minting", "qortal://block/200/minting"),
    (
        "block_by_signature",
        "qortal://block/sig/MSaUg4zA1MRLRqiy6Dwv6aSfdF7xH2avy57KXby8u7fvkUieF4f1Ap3FjezV39cDt9ofcywxBFqEurADof97vfuHgnapNs9pCXKoa3vAJzLpBv6uUPW5Msc7kbctqjE61ycHV19BfkYaQ3f4E1Pxx7HVuqc2S5bqdmx7kvcMCdLm8wr",
    ),
    (
        "transaction",
        "qortal://tx/2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko",
    ),
    (
        "transaction_explained",
        "qortal://tx/2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko/explained",
    ),
    ("mempool", "qortal://mempool"),
    (
        "account",
        "qortal://account/QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
    ),
    ("account_report", "qortal://account/rita-trades/report"),
    (
        "account_transactions",
        "qortal://account/victor/transactions",
    ),
    (
        "account_names",
        "qortal://account/QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq/names",
    ),
    ("account_groups", "qortal://account/victor/groups"),
    ("account_minting", "qortal://account/Alice%20Test/minting"),
    (
        "account_approvals",
        "qortal://account/Alice%20Test/approvals",
    ),
    ("identity", "qortal://identity/victor"),
    ("name", "qortal://name/Alice%20Test"),
    ("name_check", "qortal://name/A1ice%20Test/check"),
    ("names_for_sale", "qortal://names/forsale"),
    ("market", "qortal://market"),
    ("trade_offers", "qortal://trade/offers/LITECOIN"),
    ("trade", "qortal://trade/Aes2JuboJupax6uybgMa2was61y7MRiDJS"),
    (
        "trade_explained",
        "qortal://trade/Aes2JuboJupax6uybgMa2was61y7MRiDJS/explained",
    ),
    ("trades", "qortal://trades/LITECOIN"),
    ("order_book", "qortal://orderbook/LTC"),
    ("price", "qortal://price/LITECOIN"),
    ("price_history", "qortal://price/LITECOIN/history"),
    ("coin", "qortal://coin/litecoin"),
    (
        "ledger",
        "qortal://ledger/CddYUrFeW4SV4GCpK7i1Vh34AmaqkHJGk9vqj6yeyVp7",
    ),
    ("group", "qortal://group/3"),
    ("group_requests", "qortal://group/4/requests"),
    ("group_members", "qortal://group/2/members"),
    ("group_chat", "qortal://chat/group/3"),
    ("direct_chat", "qortal://chat/direct/victor/chloe"),
    ("asset", "qortal://asset/3"),
    ("poll", "qortal://poll/Favourite%20colour"),
    (
        "automated_transaction",
        "qortal://at/AJ9ZYkb9yDmNtbU6zA2nuTzEaTNyQ6BBpE",
    ),
    ("qdn_status", "qortal://qdn-status/WEBSITE/victor"),
    (
        "qdn_status_of_identifier",
        "qortal://qdn-status/VIDEO/rita-trades/clip",
    ),
    ("docs", "qortal://docs/units"),
    ("config", "qortal://config"),
    ("tools", "qortal://tools"),
    ("qdn_resource", "qortal://WEBSITE/victor"),
    (
        "qdn_resource_of_identifier",
        "qortal://DOCUMENT/victor?identifier=report-2026",
    ),
    ("qdn_file", "qortal://WEBSITE/victor/index.html"),
];

/// Prefixes of fields that depend on the node's clock.
const CLOCKS: [&str; 4] = ["clockSkew", "currentTimestamp", "lastBlockAge", "uptime"];

fn pinned(name: &str, text: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else {
        return text.replace('\r', "\\r");
    };
    match name {
        "node_info" | "node_health" => {
            let members = value.as_object_mut().unwrap();
            members.retain(|key, _| !CLOCKS.iter().any(|clock| key.starts_with(clock)));
        }
        "config" => value["version"] = "as the package has it".into(),
        "tools" => {
            value["tools"].as_array_mut().unwrap().truncate(1);
            value["total"] = "as many as there are".into();
        }
        _ => (),
    }
    format!("{value:#}")
}

/// Returns the contents of one URI, and the node requests in any order.
async fn section(name: &str, uri: &str) -> String {
    let chain = Chain::recorded().await;
    let contents = read(&chain.catalog, uri).await;
    let contents = contents.unwrap_or_else(|err| panic!("{uri}: {err}"));
    assert_eq!(contents.uri, uri);
    let body = match &contents.body {
        // The simulated node has a different port each time.
        Body::Text(text) => pinned(name, text).replace(chain.node.url(), "NODE"),
        Body::Base64(data) => format!("{} ...", &data[..11]),
    };
    let mut asked: Vec<_> = chain.node.journal();
    asked.sort_by(|left, right| left.target.cmp(&right.target));
    let asked: Vec<_> = asked
        .iter()
        .map(|it| format!("{} {}", it.method, it.target))
        .collect();
    chain.stop().await;
    let lifetime = contents.freshness.lifetime().as_secs();
    let whose = if contents.freshness.is_shared() {
        "everyone"
    } else {
        "one"
    };
    let asked = asked.join("\n");
    format!(
        "=== {name}\nuri: {uri}\n---\n{}, {lifetime} s, for {whose}\n{body}\n---\n{asked}",
        contents.mime_type
    )
}

#[tokio::test]
async fn each_resource_is_what_its_tool_answers() {
    let mut sections = Vec::new();
    for (name, uri) in ADDRESSES {
        if !WITHOUT_TOOL.contains(name) {
            sections.push(section(name, uri).await);
        }
    }
    pin("resources", &sections.join("\n\n"));
}

#[tokio::test]
async fn every_row_has_a_tool_and_an_address_here() {
    let chain = Chain::recorded().await;
    let offered: Vec<_> = sources(&chain.catalog).map(|(it, _)| it.name).collect();
    let with_address: Vec<_> = ADDRESSES.iter().map(|(name, _)| *name).collect();
    let all: Vec<_> = Source::all().map(|it| it.name).collect();
    assert_eq!(with_address, all);
    let missing = all.into_iter();
    let missing: Vec<_> = missing.filter(|it| !offered.contains(it)).collect();
    assert_eq!(missing, WITHOUT_TOOL);
    chain.stop().await;
}

/// The files are declared on their tools. `inspect_identifier` recognizes them by the list of all URIs.
#[tokio::test]
async fn tools_know_the_uris_of_the_table() {
    let chain = Chain::recorded().await;
    let is_file = |it: &&Source| it.mime_type() != "application/json";
    let files = Source::all().filter(is_file);
    let files: BTreeSet<_> = files
        .map(|it| (it.tool, it.template, it.mime_type()))
        .collect();
    let declared = Catalog::entries().flat_map(|entry| {
        let files = entry.files.iter();
        files.map(|it| (entry.name, it.template, it.mime_type))
    });
    assert_eq!(declared.collect::<BTreeSet<_>>(), files);
    let is_native = |it: &Source| it.template.starts_with("qortal://{");
    let own = Source::all().filter(|it| !is_native(it));
    let own: Vec<_> = own.map(|it| it.template).collect();
    let listed = uri::TEMPLATES.split_ascii_whitespace();
    let listed: Vec<_> = listed.map(|it| format!("{}{it}", uri::SCHEME)).collect();
    assert_eq!(listed, own);
    for (name, uri) in ADDRESSES {
        let found = chain
            .call("inspect_identifier", json!({ "text": uri }))
            .await;
        let is_link = found.unwrap()["kind"] == "QDN link";
        assert_eq!(
            is_link,
            name.starts_with("qdn_") && !uri.contains("qdn-status"),
            "{uri}"
        );
    }
    chain.stop().await;
}

#[test]
fn rows_are_unique() {
    let (mut names, mut templates) = (HashSet::new(), HashSet::new());
    for source in Source::all() {
        assert!(names.insert(source.name), "{}", source.name);
        assert!(templates.insert(source.template), "{}", source.template);
        assert!(
            source.template.starts_with("qortal://"),
            "{}",
            source.template
        );
        assert!(source.description.ends_with('.'), "{}", source.name);
        assert!(!source.title.is_empty(), "{}", source.name);
    }
}

#[tokio::test]
async fn a_ledger_file_has_all_rows_or_is_refused() {
    const KEY: &str = "CddYUrFeW4SV4GCpK7i1Vh34AmaqkHJGk9vqj6yeyVp7";
    // The node returns the same trades for each of six coins and two roles.
    const REQUESTS: usize = 12;
    let row = json!({
        "tradeTimestamp": 1_795_237_570_295_i64, "qortAmount": "150.00000000", "foreignAmount": "0.01640000",
        "atAddress": "AaaE8ew9nh1rr2NSJg6t5dv3R6nY4MAawm", "sellerAddress": "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ",
        "buyerReceivingAddress": "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6", "btcAmount": "0.01640000",
    });
    let read_rows = async |rows: Vec<Value>| {
        let chain = Chain::recorded().await;
        let body = Value::from(rows).to_string();
        chain
            .node
            .fault("/crosschain/trades", Fault::Status(200, body));
        let uri = format!("qortal://ledger/{KEY}.csv");
        let read = read(&chain.catalog, &uri).await;
        chain.stop().await;
        read
    };
    let whole = read_rows(vec![row.clone(); 10_000 / REQUESTS])
        .await
        .unwrap();
    let Body::Text(csv) = whole.body else {
        panic!("{:?}", whole.mime_type);
    };
    assert_eq!(csv.lines().count(), 10_000 / REQUESTS * REQUESTS + 1);
    let too_many = vec![row.clone(); 10_000 / REQUESTS + 1];
    for rows in [too_many, vec![row, json!("another form")]] {
        let refused = read_rows(rows).await.unwrap_err();
        let ReadResourceError::Incomplete { tool } = refused else {
            panic!("{refused}");
        };
        assert_eq!(tool, "get_trade_ledger");
    }
}

#[tokio::test]
async fn refusals() {
    let chain = Chain::recorded().await;
    let mut said = Vec::new();
    for uri in [
        "qortal://block/469",
        "qortal://block/two",
        "qortal://block/0",
        "qortal://block/99999999999999999999",
        "qortal://block/200/",
        "qortal://block",
        "qortal://BLOCK/200",
        "qortal://Block/200",
        "qortal://account/QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e",
        "qortal://name/no%20such%20name",
        "qortal://name/a%2Fb",
        "qortal://name/..",
        "qortal://name/%zz",
        "qortal://name/%FF",
        "qortal://name/%00",
        "qortal://trade/offers/gold",
        "qortal://chart/price/.png",
        "qortal://chart/price/PIRATECHAIN.png",
        "qortal://docs/weather",
        "qortal://configuration",
        "qortal://node/status?x=1",
        "http://node/status",
        "",
    ] {
        let refused = read(&chain.catalog, uri).await.unwrap_err();
        said.push(format!("{uri}\n  {refused}"));
    }
    chain.stop().await;
    pin("resource_refusals", &said.join("\n"));
}

/// Over MCP, errors of the caller are -32602 and errors of the node -32603.
#[tokio::test]
async fn a_refusal_is_the_callers_unless_the_node_failed() {
    let chain = Chain::recorded().await;
    chain.node.fault("/names/down", Fault::ResetBeforeResponse);
    for (uri, is_of_caller) in [
        ("qortal://name/a%2fb", true),
        ("qortal://name/x%2f..", true),
        ("qortal://account/%2e%2e%2fadmin%2fstop", true),
        ("qortal://name/..", true),
        ("qortal://name/%zz", true),
        ("qortal://block/two", true),
        ("qortal://block/469", true),
        ("qortal://name/no%20such%20name", true),
        ("qortal://name/down", false),
    ] {
        let refused = read(&chain.catalog, uri).await.unwrap_err();
        assert_eq!(refused.is_of_caller(), is_of_caller, "{uri}: {refused}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn a_failure_of_the_node_is_the_source_of_every_error() {
    let chain = Chain::recorded().await;
    chain.node.fault("*", Fault::ResetBeforeResponse);
    let prompt = Prompt::all().first().unwrap();
    let render = prompt.render(&chain.catalog, &Map::new()).await;
    let contents = read(&chain.catalog, "qortal://chain/tip").await;
    let entry = chain.catalog.entry("get_last_block").unwrap();
    let call = chain.catalog.call(entry, Map::new()).await;
    let errors: [Box<dyn Error>; 3] = [
        render.unwrap_err().into(),
        contents.unwrap_err().into(),
        call.unwrap_err().into(),
    ];
    for err in &errors {
        let mut causes = successors(err.source(), |it| (*it).source());
        assert!(causes.any(<dyn Error>::is::<NodeError>), "{err:?}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn uris_are_decoded_strictly() {
    let chain = Chain::recorded().await;
    for uri in [
        "qortal://name/Alice%20Test",
        "qortal://name/B%C3%B3b-Name",
        "qortal://name/Bób-Name",
    ] {
        read(&chain.catalog, uri).await.unwrap();
    }
    for (segment, name) in [
        ("a+b", "a+b"),
        ("...", "..."),
        ("100%25", "100%"),
        ("%7Bx%7D", "{x}"),
        ("a%3Fb%23c", "a?b#c"),
        ("B%C3%B3b%20Other", "Bób Other"),
    ] {
        let uri = format!("qortal://name/{segment}");
        let refused = read(&chain.catalog, &uri).await.unwrap_err();
        assert!(
            matches!(refused, ReadResourceError::NotFound),
            "{uri}: {refused}"
        );
        let journal = chain.node.journal();
        let mut asked = journal.iter().map(|it| {
            let target = percent_decode_str(&it.target);
            target.decode_utf8().unwrap()
        });
        assert!(asked.any(|it| it == format!("/names/{name}")), "{uri}");
    }
    let slash = read(&chain.catalog, "qortal://name/a%2Fb").await;
    let slash = slash.unwrap_err().to_string();
    assert!(slash.contains("it contains a slash"), "{slash}");
    let too_long = format!("qortal://{}", "a".repeat(2_000));
    for (uri, expected) in [
        ("qortal://name/100%", UriError::Percent),
        ("qortal://name/%4", UriError::Percent),
        ("qortal://name/%4g", UriError::Percent),
        ("qortal://name/%é", UriError::Percent),
        ("qortal://name/%FF", UriError::NotUtf8),
        ("qortal://name/a%00", UriError::Control),
        ("qortal://name/a\nb", UriError::Control),
        (&too_long, UriError::TooLong),
    ] {
        let refused = read(&chain.catalog, uri).await.unwrap_err();
        assert!(
            matches!(refused, ReadResourceError::InvalidUri(it) if it == expected),
            "{uri}: {refused}"
        );
    }
    let asked = chain.node.journal().len();
    for uri in [
        "qortal://",
        "qortal://name/",
        "qortal://name/a?b",
        "qortal://name/a#b",
        "qortal://chart/price/.png",
        "QORTAL://block/200",
    ] {
        let refused = read(&chain.catalog, uri).await.unwrap_err();
        assert!(
            matches!(refused, ReadResourceError::NotFound),
            "{uri}: {refused}"
        );
    }
    assert_eq!(chain.node.journal().len(), asked);
    chain.stop().await;
}

#[tokio::test]
async fn a_transaction_of_a_block_needs_no_encoded_slash() {
    const SIGNATURE: &str =
        "2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko";
    let chain = Chain::recorded().await;
    let arguments = json!({ "signature": SIGNATURE });
    let found = chain.call("get_transaction_by_signature", arguments).await;
    let handle = found.unwrap()["transaction"].as_str().unwrap().to_owned();
    let (height, beginning) = handle.split_once('/').unwrap();
    for uri in [
        format!("qortal://tx/{handle}"),
        format!("qortal://tx/{height}%2F{beginning}"),
        format!("qortal://tx/{handle}/explained"),
    ] {
        let signature = uri.replace(&handle, SIGNATURE);
        let signature = signature.replace(&format!("{height}%2F{beginning}"), SIGNATURE);
        let body = async |uri: &str| read(&chain.catalog, uri).await.unwrap().body;
        assert_eq!(body(&uri).await, body(&signature).await, "{uri}");
    }
    chain.stop().await;
}

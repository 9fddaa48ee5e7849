//! The pages as strings: what is escaped, what is left out, and that every hole is filled.

use std::{path::PathBuf, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_client::{Node, NodeConfig};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_tools::{Catalog, Object, Selection};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::{
    Facts, files,
    node::{NodeFacts, Seen},
    pages, sections,
};
use crate::access::ServerAccess;
use crate::config::{
    Values,
    setting::{PublicUrl, Setting as _},
    settings::Settings,
};

/// Returns the state that pages show of a node with this URL.
fn facts_of(url: &str) -> NodeFacts {
    let node = Node::new(NodeConfig::new(url)).unwrap();
    NodeFacts::new(&catalog(url), &node)
}

fn catalog(url: &str) -> std::sync::Arc<Catalog> {
    let node = Node::new(NodeConfig::new(url)).unwrap();
    std::sync::Arc::new(Catalog::new(node, &Selection::default()).unwrap())
}

/// What `qortal-mcp http` is configured with.
fn http(change: impl FnOnce(&mut Values)) -> Values {
    let mut values = Settings::default().into();
    change(&mut values);
    values
}

/// The page at a path for a visitor who wrote this host.
async fn page(node: &str, path: &str, host: &str, http: &Values) -> (String, String) {
    let endpoints = vec!["/mcp".to_owned(), "/mcp/x/core".to_owned()];
    let catalog = catalog(node);
    let facts = std::sync::Arc::new(facts_of(node));
    let rows = pages(&catalog, &facts, endpoints, http);
    let (_, _, page) = rows.iter().find(|(it, ..)| it == path).unwrap();
    let response = page
        .respond(&mcp_http::PageRequest::new(path, Some(host)))
        .await;
    let policy = response.headers().get("content-security-policy").unwrap();
    (
        String::from_utf8(response.body().to_vec()).unwrap(),
        policy.to_str().unwrap().to_owned(),
    )
}

/// What looks like a placeholder that was not filled.
fn placeholders(text: &str) -> Vec<&str> {
    let braces = text.split('{').filter_map(|it| Some(it.split_once('}')?.0));
    let is_name = |it: &&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_lowercase());
    braces.filter(is_name).collect()
}

fn health() -> Object {
    let health = json!({
        "verdict": "degraded",
        "reasons": ["It has 2 peers & <few>."],
        "height": 2_400_000,
        "lastBlockAge": "40 s",
        "buildVersion": "qortal-6.1.8-<script>alert(1)</script>\u{202e}",
    });
    health.as_object().unwrap().clone()
}

fn node_section(is_public: bool) -> String {
    let seen = Seen {
        health: Ok(health()),
        age: Duration::from_secs(7),
    };
    sections::node(&seen, is_public, false)
}

#[test]
fn what_a_node_says_is_text() {
    let html = node_section(false);
    assert!(
        html.contains("qortal-6.1.8-&lt;script&gt;alert(1)&lt;/script&gt;<"),
        "{html}"
    );
    assert!(html.contains("It has 2 peers &amp; &lt;few&gt;."), "{html}");
    assert!(!html.contains("<script"), "{html}");
}

#[test]
fn the_node_is_described_in_words_and_to_the_public_in_few() {
    let html = node_section(false);
    for expected in [
        "<span class=\"verdict degraded\">degraded</span>",
        "checked 7 seconds ago",
        "<dd>2400000</dd>",
        "<dd>40 s old</dd>",
    ] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    let html = node_section(true);
    assert!(
        html.contains("degraded</span>") && html.contains("2400000"),
        "{html}"
    );
    for private in ["qortal-6.1.8", "40 s", "peers"] {
        assert!(!html.contains(private), "{private}: {html}");
    }
}

#[test]
fn a_simulated_node_is_not_judged() {
    let seen = Seen {
        health: Ok(health()),
        age: Duration::ZERO,
    };
    let html = sections::node(&seen, false, true);
    assert!(
        html.contains("simulated</span>") && html.contains("2400000"),
        "{html}"
    );
    assert!(
        !html.contains("degraded") && !html.contains("peers"),
        "{html}"
    );
}

#[tokio::test]
async fn the_page_shows_the_node_and_the_address_the_visitor_used() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let (html, _) = page(node.url(), "/", "localhost:8000", &http(|_| ())).await;
    for expected in [
        "<h1>Qortal for your assistant</h1>",
        "Height</dt><dd>468</dd>",
        "<p class=\"address\"><code>http://localhost:8000/mcp</code></p>",
        "href=\"vscode:mcp/install?",
        "claude mcp add --transport http --scope user qortal http://localhost:8000/mcp",
        "<li>Why am I not minting?</li>",
        "<code>get_price_chart</code>",
        "<code>http://localhost:8000/mcp/x/core</code>",
        "curl -s http://localhost:8000/mcp ",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
    assert_eq!(placeholders(&html), Vec::<&str>::new());
    node.stop().await;
}

/// Strangers learn no version of the node's program, which may have a weakness.
#[tokio::test]
async fn a_page_that_strangers_reach_tells_less_of_the_node() {
    type Change = fn(&mut Values);
    let rows: [(&str, Change, bool); 5] = [
        ("as it is", |_| (), false),
        (
            "a Unix socket",
            |it| it.listen = "unix:/tmp/x".parse().unwrap(),
            false,
        ),
        (
            "all addresses",
            |it| it.listen = "0.0.0.0:8000".parse().unwrap(),
            true,
        ),
        (
            "a name of its own",
            |it| it.allowed_hosts = vec!["mcp.example.org".parse().unwrap()],
            true,
        ),
        (
            "a public name",
            |it| it.public_url = PublicUrl::from_text("https://mcp.example.org"),
            true,
        ),
    ];
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    for (what, change, is_public) in rows {
        let (html, _) = page(node.url(), "/", "localhost:8000", &http(change)).await;
        assert!(html.contains("Height</dt>"), "{what}");
        assert_eq!(html.contains("Version</dt>"), !is_public, "{what}");
    }
    node.stop().await;
}

#[tokio::test]
async fn the_policy_allows_the_style_of_the_page_and_no_script() {
    for path in ["/", "/mcp"] {
        let (html, policy) = page("http://127.0.0.1:9", path, "localhost", &http(|_| ())).await;
        let (_, rest) = html.split_once("<style>").unwrap();
        let (style, _) = rest.split_once("</style>").unwrap();
        let hash = STANDARD.encode(Sha256::digest(style));
        assert!(
            policy.contains(&format!("style-src 'sha256-{hash}'")),
            "{policy}"
        );
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        for forbidden in [
            "<script",
            "<form",
            " style=",
            " onclick",
            "<iframe",
            "http-equiv",
        ] {
            assert!(!html.contains(forbidden), "{forbidden} at {path}");
        }
    }
}

#[tokio::test]
async fn with_tokens_a_visitor_learns_how_to_get_one_and_nothing_of_the_node() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let http = http(|it| it.token_file = Some(PathBuf::from("/secret/tokens")));
    let (html, _) = page(node.url(), "/", "localhost", &http).await;
    assert!(
        html.contains("This server requires an access token."),
        "{html}"
    );
    assert!(
        html.contains("&quot;Authorization&quot;: &quot;Bearer TOKEN&quot;"),
        "{html}"
    );
    for absent in [
        "id=\"node\"",
        "Height</dt>",
        "vscode:",
        "/secret/tokens",
        "claude mcp add",
    ] {
        assert!(!html.contains(absent), "{absent}");
    }
    assert!(node.journal().is_empty(), "the node was asked");
    node.stop().await;
}

#[tokio::test]
async fn the_public_url_is_shown_instead_of_the_host() {
    let http = http(|it| it.public_url = PublicUrl::from_text("https://mcp.example.org/q"));
    let (html, _) = page("http://127.0.0.1:9", "/", "10.0.0.1:8000", &http).await;
    assert!(
        html.contains("<code>https://mcp.example.org/q/mcp</code>"),
        "{html}"
    );
    assert!(!html.contains("10.0.0.1"), "{html}");
    let (html, _) = page("http://127.0.0.1:9", "/mcp/x/core", "10.0.0.1", &http).await;
    assert!(
        html.contains("<code>https://mcp.example.org/q/mcp/x/core</code>"),
        "{html}"
    );
}

#[tokio::test]
async fn the_node_is_asked_once_for_all_visitors_of_ten_seconds() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let facts = facts_of(node.url());
    let first = facts.seen().await;
    assert_eq!(first.health.unwrap()["height"], 468);
    let asked = node.journal().len();
    let visits = futures_util::future::join_all((0..50).map(|_| facts.seen())).await;
    assert!(visits.iter().all(|it| it.health.is_ok()));
    assert_eq!(node.journal().len(), asked);
    node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_node_costs_a_second_and_is_no_error() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.fault("/*", Fault::StallBeforeHeaders);
    let facts = facts_of(node.url());
    let began = Instant::now();
    let visits = futures_util::future::join_all((0..10).map(|_| facts.seen())).await;
    assert!(
        began.elapsed() <= Duration::from_millis(1_010),
        "{:?}",
        began.elapsed()
    );
    assert!(visits.iter().all(|it| it.health.is_err()));
    let html = sections::node(&visits[0], false, false);
    assert!(
        html.contains(": no response within 1s. Is Qortal Core running"),
        "{html}"
    );
    node.clear_faults();
    // The next look is after ten seconds.
    assert!(facts.seen().await.health.is_err());
    tokio::time::advance(Duration::from_secs(10)).await;
    tokio::time::resume();
    assert!(facts.seen().await.health.is_ok());
    node.stop().await;
}

#[tokio::test]
async fn a_node_without_a_usable_answer_is_explained_to_its_operator() {
    let rows = [
        (
            Fault::Refuse,
            "node unreachable for GET /admin/status: the connection was refused. Is Qortal Core running at this address?",
            "<li>Start Qortal Core on this machine",
        ),
        (
            Fault::Status(403, String::new()),
            "rejects requests from this machine, whose address must be in apiWhitelist",
            "let the node accept requests from this machine.",
        ),
        (
            Fault::NotJson,
            "is not the API of a Qortal node",
            "<li>Correct the address with <code>--node</code> URL",
        ),
    ];
    for (fault, cause, step) in rows {
        let node = TestNode::start(Scenario::recorded()).await.unwrap();
        node.fault("/*", fault);
        let url = node.url();
        let seen = facts_of(url).seen().await;
        let html = sections::node(&seen, false, false);
        for expected in [
            cause,
            step,
            url,
            "no answer</span>",
            "<code>qortal-mcp doctor</code>",
        ] {
            assert!(html.contains(expected), "{expected}: {html}");
        }
        let public = sections::node(&seen, true, false);
        assert!(public.contains("no answer</span>"), "{public}");
        assert!(
            !public.contains(url) && !public.contains("<li>"),
            "{public}"
        );
        node.stop().await;
    }
}

#[test]
fn the_questions_are_those_that_the_tools_are_chosen_by() {
    for question in sections::QUESTIONS {
        assert!(
            Catalog::questions().any(|it| it.text == question),
            "{question}"
        );
    }
}

#[test]
fn the_first_sentence_is_for_people() {
    for (description, expected) in [
        ("One. Two: three.", "One."),
        ("Only one.", "Only one."),
        ("With a 6.1.8 inside. And more.", "With a 6.1.8 inside."),
    ] {
        assert_eq!(sections::first_sentence(description), expected);
    }
}

#[tokio::test]
async fn files_are_what_their_names_say() {
    let facts = std::sync::Arc::new(Facts {
        catalog: catalog("http://127.0.0.1:9"),
        endpoints: vec!["/mcp".to_owned()],
        public_url: None,
        is_demo: false,
        access: ServerAccess::of(&http(|_| ())),
        is_public: false,
    });
    for (path, file) in files::files(&facts) {
        let visit = mcp_http::PageRequest::new(path, Some("localhost:1"));
        let response = file.respond(&visit).await;
        let kind = response.headers().get("content-type").unwrap();
        let text = std::str::from_utf8(response.body()).unwrap();
        let (expected, beginning) = match path {
            "/robots.txt" => ("text/plain; charset=utf-8", "User-agent: *\n"),
            "/llms.txt" => ("text/plain; charset=utf-8", "# Qortal over MCP\n"),
            _ => ("image/svg+xml", "<svg "),
        };
        assert_eq!(kind, expected, "{path}");
        assert!(text.starts_with(beginning), "{path}: {text}");
        if path == "/llms.txt" {
            assert!(
                text.contains("Endpoint: http://localhost:1/mcp ("),
                "{text}"
            );
            assert_eq!(placeholders(text), Vec::<&str>::new());
            let listed = text.matches("\n- `").count();
            assert_eq!(listed, Catalog::entries().count());
        }
    }
}

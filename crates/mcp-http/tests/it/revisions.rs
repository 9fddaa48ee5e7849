//! The revision of a request, and the headers that must match it.

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::{
    client::Answer,
    post::{PER_REQUEST, Post, handshake, meta},
    site::Site,
};

/// Each request is answered with the status and the code.
async fn check(rows: Vec<(&str, Post, u16, Option<i64>)>) {
    let site = Site::start().await;
    let mut client = site.client().await;
    for (row, post, status, code) in rows {
        let answer = client.ask(post.to_bytes()).await;
        assert_eq!(answer.outcome(), (status, code), "{row}: {post:?}");
        if code.is_some() {
            assert_eq!(answer.json()["id"], 1, "{row}");
        }
    }
    site.end().await;
}

fn call() -> Post {
    Post::call(PER_REQUEST, "echo", json!({}))
}

fn list() -> Post {
    Post::request(PER_REQUEST, json!(1), "tools/list", json!({}))
}

/// A list request with this `_meta`, and the header of the revision.
fn list_with_meta(meta: &Value) -> Post {
    let params = json!({"_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
    Post::message(PER_REQUEST, &message).with("Mcp-Method", "tools/list")
}

#[tokio::test]
async fn r008_required_meta_must_be_present() {
    let name = PER_REQUEST.name();
    let bare = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let capabilities = json!({"io.modelcontextprotocol/clientCapabilities": {}});
    let version = json!({"io.modelcontextprotocol/protocolVersion": name});
    let mut mistyped = meta(name);
    mistyped["io.modelcontextprotocol/protocolVersion"] = json!(7);
    check(vec![
        (
            "R-008 nothing",
            Post::message(PER_REQUEST, &bare),
            400,
            Some(-32602),
        ),
        (
            "R-008 no version",
            list_with_meta(&capabilities),
            400,
            Some(-32602),
        ),
        (
            "R-008 no capabilities",
            list_with_meta(&version),
            400,
            Some(-32602),
        ),
        (
            "R-008 a number",
            list_with_meta(&mistyped),
            400,
            Some(-32602),
        ),
        (
            "R-008 a string",
            list_with_meta(&json!("no")),
            400,
            Some(-32602),
        ),
        (
            "R-009 no clientInfo",
            list_with_meta(&meta(name)),
            200,
            None,
        ),
    ])
    .await;
}

#[tokio::test]
async fn r012_r018_only_revisions_without_a_handshake_can_be_named_in_meta() {
    let named = |name: &str| list_with_meta(&meta(name)).set("MCP-Protocol-Version", name);
    let mut rows = vec![
        ("R-012", named("v999.0.0"), 400, Some(-32022)),
        ("R-012", named("2026-07-2"), 400, Some(-32022)),
        ("R-012", named(""), 400, Some(-32022)),
    ];
    rows.extend(handshake().map(|it| ("R-018", named(it.name()), 400, Some(-32022))));
    check(rows).await;
}

#[tokio::test]
async fn r012_an_unsupported_revision_is_answered_with_the_supported_ones() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let post = list_with_meta(&meta("1999-01-01")).set("MCP-Protocol-Version", "1999-01-01");
    let refused = client.ask(post.to_bytes()).await.json();
    let discover = Post::request(PER_REQUEST, json!(1), "server/discover", json!({}));
    let discovered = client.ask(discover.to_bytes()).await.json();
    let data = &refused["error"]["data"];
    assert_eq!(data["requested"], "1999-01-01");
    assert_eq!(data["supported"], discovered["result"]["supportedVersions"]);
    assert_eq!(data["supported"], json!(Revision::names()));
    // One that a client may open with a handshake, but not name in `_meta`, is not offered to be named again.
    let post = list_with_meta(&meta("2025-11-25")).set("MCP-Protocol-Version", "2025-11-25");
    let refused = client.ask(post.to_bytes()).await.json();
    assert_eq!(refused["error"]["data"]["supported"], json!(["2026-07-28"]));
    site.end().await;
}

#[tokio::test]
async fn r014_r015_unknown_methods_are_404_without_a_handshake_and_200_with_one() {
    let mut rows = Vec::new();
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "no/such",
    ] {
        let post = Post::request(PER_REQUEST, json!(1), method, json!({}));
        rows.push(("R-014", post, 404, Some(-32601)));
    }
    for revision in handshake() {
        for method in [
            "server/discover",
            "prompts/list",
            "logging/setLevel",
            "no/such",
        ] {
            let post = Post::request(revision, json!(1), method, json!({}));
            rows.push(("R-090", post, 200, Some(-32601)));
        }
    }
    check(rows).await;
}

#[tokio::test]
async fn r001_r002_r003_the_handshake_negotiates_regardless_of_the_header() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let mut asked = vec![
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ];
    asked.extend(handshake().map(|it| (it.name(), it.name())));
    for (asked, expect) in asked {
        let initialize = Post::body(
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"},
            }})
            .to_string(),
        );
        for header in [
            None,
            Some("2024-11-05"),
            Some("2026-07-28"),
            Some("1999-01-01"),
        ] {
            let post = match header {
                Some(header) => initialize.clone().with("MCP-Protocol-Version", header),
                None => initialize.clone(),
            };
            let answer = client.ask(post.to_bytes()).await;
            assert_eq!(answer.outcome(), (200, None), "{asked:?}, {header:?}");
            assert_eq!(
                answer.json()["result"]["protocolVersion"],
                expect,
                "{asked:?}, {header:?}"
            );
            // no session is opened.
            assert_eq!(answer.header("mcp-session-id"), None);
        }
    }
    let nameless = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}});
    let answer = client
        .ask(Post::body(nameless.to_string()).to_bytes())
        .await;
    assert_eq!(answer.outcome(), (200, Some(-32602)));
    site.end().await;
}

#[tokio::test]
async fn r062_r063_the_header_names_the_revision_after_a_handshake() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"a": 1}}});
    let plain = Post::body(message.to_string());
    let has_structure =
        |answer: &Answer| answer.json()["result"].get("structuredContent").is_some();

    // read as 2025-03-26, which has no structured content.
    let answer = client.ask(plain.to_bytes()).await;
    assert_eq!((answer.status, has_structure(&answer)), (200, false));
    for revision in handshake() {
        let post = plain.clone().with("MCP-Protocol-Version", revision.name());
        let answer = client.ask(post.to_bytes()).await;
        let expect = revision.index() >= Revision::V2025_06_18.index();
        assert_eq!(
            (answer.status, has_structure(&answer)),
            (200, expect),
            "{}",
            revision.name()
        );
    }
    //
    for value in [
        "1999-01-01",
        "2025-06-18 x",
        "2025-6-18",
        "latest",
        "\u{e4}",
        "",
    ] {
        let post = plain.clone().with("MCP-Protocol-Version", value);
        let answer = client.ask(post.to_bytes()).await;
        assert_eq!(answer.outcome(), (400, Some(-32022)), "{value:?}");
    }
    let post = plain.clone().with("MCP-Protocol-Version", "2025-06-18");
    let twice = post.with("mcp-protocol-version", "2025-06-18");
    assert_eq!(
        client.ask(twice.to_bytes()).await.outcome(),
        (400, Some(-32600))
    );
    site.end().await;
}

#[tokio::test]
async fn r064_r067_the_version_header_repeats_the_body() {
    let name = PER_REQUEST.name();
    let version = "MCP-Protocol-Version";
    check(vec![
        ("R-064", call(), 200, None),
        (
            "R-064 other",
            call().set(version, "2025-11-25"),
            400,
            Some(-32020),
        ),
        (
            "R-064 before R-012",
            list_with_meta(&meta("v999.0.0")),
            400,
            Some(-32020),
        ),
        ("R-064 twice", call().with(version, name), 400, Some(-32020)),
        (
            "R-064 white space",
            call().set(version, &format!("  {name}\t")),
            200,
            None,
        ),
        (
            "R-064 bytes",
            call().set(version, "\u{fc}"),
            400,
            Some(-32020),
        ),
        ("R-067", call().without(version), 400, Some(-32020)),
        (
            "name in lower case",
            call().without(version).with(&version.to_lowercase(), name),
            200,
            None,
        ),
    ])
    .await;
}

#[tokio::test]
async fn r065_the_method_header_repeats_the_method() {
    check(vec![
        ("R-065", list(), 200, None),
        (
            "R-065 missing",
            list().without("Mcp-Method"),
            400,
            Some(-32020),
        ),
        (
            "R-065 other",
            list().set("Mcp-Method", "tools/call"),
            400,
            Some(-32020),
        ),
        (
            "R-065 value case",
            list().set("Mcp-Method", "Tools/List"),
            400,
            Some(-32020),
        ),
        (
            "R-065 empty",
            list().set("Mcp-Method", ""),
            400,
            Some(-32020),
        ),
        (
            "R-065 twice",
            list().with("mcp-method", "tools/list"),
            400,
            Some(-32020),
        ),
        (
            "R-065 white space",
            list().set("Mcp-Method", " \t tools/list \t"),
            200,
            None,
        ),
        (
            "R-065 name case",
            list()
                .without("Mcp-Method")
                .with("MCP-METHOD", "tools/list"),
            200,
            None,
        ),
        (
            "R-065 before R-014",
            Post::request(PER_REQUEST, json!(1), "no/such", json!({})).without("Mcp-Method"),
            400,
            Some(-32020),
        ),
    ])
    .await;
}

#[tokio::test]
async fn r066_the_name_header_repeats_the_name() {
    let named = |value: &str| call().set("Mcp-Name", value);
    let read = |value: Option<&str>| {
        let post = Post::request(
            PER_REQUEST,
            json!(1),
            "resources/read",
            json!({"uri": "a:ä"}),
        );
        match value {
            Some(value) => post.with("Mcp-Name", value),
            None => post,
        }
    };
    let prompt = Post::request(PER_REQUEST, json!(1), "prompts/get", json!({"name": "p"}));
    let nameless = Post::request(PER_REQUEST, json!(1), "tools/call", json!({}));
    let numbered = Post::request(PER_REQUEST, json!(1), "tools/call", json!({"name": 7}));
    check(vec![
        ("R-066", call(), 200, None),
        (
            "R-066 missing",
            call().without("Mcp-Name"),
            400,
            Some(-32020),
        ),
        ("R-066 other", named("sum"), 400, Some(-32020)),
        ("R-066 value case", named("Echo"), 400, Some(-32020)),
        (
            "R-066 twice",
            call().with("Mcp-Name", "echo"),
            400,
            Some(-32020),
        ),
        ("R-066 white space", named("\t echo  "), 200, None),
        ("R-066 encoded", named("=?base64?ZWNobw==?="), 200, None),
        (
            "R-066 encoded other",
            named("=?base64?c3Vt?="),
            400,
            Some(-32020),
        ),
        (
            "R-066 bad padding",
            named("=?base64?ZWNobw?="),
            400,
            Some(-32020),
        ),
        (
            "R-066 bad alphabet",
            named("=?base64?ZW Nobw==?="),
            400,
            Some(-32020),
        ),
        (
            "R-066 no UTF-8",
            named("=?base64?/////w==?="),
            400,
            Some(-32020),
        ),
        ("R-066 empty", named("=?base64??="), 400, Some(-32020)),
        (
            "R-066 marker case",
            named("=?BASE64?ZWNobw==?="),
            400,
            Some(-32020),
        ),
        (
            "R-066 open end",
            named("=?base64?ZWNobw=="),
            400,
            Some(-32020),
        ),
        // Right or wrong is decided before whether there are resources and prompts at all.
        (
            "R-066 uri",
            read(Some("=?base64?YTrDpA==?=")),
            404,
            Some(-32601),
        ),
        ("R-066 uri missing", read(None), 400, Some(-32020)),
        ("R-066 uri other", read(Some("a:b")), 400, Some(-32020)),
        ("R-066 prompt", prompt.clone(), 404, Some(-32601)),
        (
            "R-066 prompt missing",
            prompt.without("Mcp-Name"),
            400,
            Some(-32020),
        ),
        (
            "R-066 not for lists",
            list().with("Mcp-Name", "anything"),
            200,
            None,
        ),
        (
            "R-049 no name anywhere",
            nameless.clone(),
            200,
            Some(-32602),
        ),
        (
            "R-066 a name in the header alone",
            nameless.with("Mcp-Name", "echo"),
            400,
            Some(-32020),
        ),
        ("R-066 no string", numbered.clone(), 400, Some(-32020)),
        (
            "R-066 no string",
            numbered.with("Mcp-Name", "7"),
            400,
            Some(-32020),
        ),
    ])
    .await;
}

#[tokio::test]
async fn r068_sessions_and_resumption_are_ignored() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        let plain = Post::call(revision, "sum", json!({"a": 1, "b": 2}));
        let post = plain
            .clone()
            .with("Mcp-Session-Id", "abc")
            .with("Last-Event-ID", "7");
        let (with, without) = (
            client.ask(post.to_bytes()).await,
            client.ask(plain.to_bytes()).await,
        );
        assert_eq!(
            (with.status, with.json()),
            (200, without.json()),
            "{}",
            revision.name()
        );
        assert_eq!(with.header("mcp-session-id"), None);
    }
    site.end().await;
}

#[tokio::test]
async fn r013_r017_both_lifecycles_mix_on_one_connection() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for round in 0..3 {
        for &revision in Revision::ALL {
            let answer = client
                .ask(Post::call(revision, "echo", json!({"round": round})).to_bytes())
                .await;
            assert_eq!(answer.status, 200);
            let is_modern = answer.json()["result"].get("resultType").is_some();
            assert_eq!(is_modern, revision == PER_REQUEST, "{}", revision.name());
        }
    }
    site.end().await;
}

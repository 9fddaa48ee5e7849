//! Paths, methods, media types and the headers of answers.

use std::future::pending;

use mcp_protocol::Revision;
use mcp_server::Server;
use serde_json::json;

use crate::{
    client::Client,
    post::{PER_REQUEST, Post},
    site::Site,
};

fn call(revision: Revision) -> Post {
    Post::call(revision, "echo", json!({}))
}

#[tokio::test]
async fn r060_r061_the_endpoint_accepts_only_post() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for method in ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        for &revision in Revision::ALL {
            let request = format!(
                "{method} /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMCP-Protocol-Version: {}\r\n\r\n",
                revision.name()
            );
            let answer = client.ask(request).await;
            assert_eq!(answer.outcome(), (405, Some(-32600)), "{method}");
            assert_eq!(answer.header("allow"), Some("POST"), "{method}");
            assert_eq!(answer.header("content-type"), Some("application/json"));
        }
    }
    client
        .send("HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await;
    assert_eq!(client.answer_without_body().await.status, 405);
    site.end().await;
}

#[tokio::test]
async fn r060_r077_a_request_is_answered_with_json_and_its_length() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        for accept in [
            "application/json, text/event-stream",
            "application/json",
            "text/event-stream",
            "*/*",
        ] {
            let answer = client
                .ask(call(revision).set("Accept", accept).to_bytes())
                .await;
            assert_eq!(answer.status, 200, "{accept}");
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert_eq!(answer.header("transfer-encoding"), None);
            // R-077 binds event streams alone, and there are none.
            assert_eq!(answer.header("x-accel-buffering"), None);
        }
        let answer = client
            .ask(call(revision).without("Accept").to_bytes())
            .await;
        assert_eq!(answer.status, 200);
        let answer = client
            .ask(call(revision).set("Accept", "text/html").to_bytes())
            .await;
        assert_eq!(answer.outcome(), (406, Some(-32600)));
    }
    site.end().await;
}

#[tokio::test]
async fn r073_only_plain_json_is_read() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for (name, value, status) in [
        ("Content-Type", "application/json", 200),
        ("Content-Type", "APPLICATION/JSON; Charset=\"utf-8\"", 200),
        ("Content-Type", "text/plain", 415),
        ("Content-Type", "application/x-www-form-urlencoded", 415),
        (
            "Content-Type",
            "multipart/form-data; boundary=application/json",
            415,
        ),
        ("Content-Type", "application/jsonp", 415),
        ("Content-Type", "", 415),
        ("Content-Encoding", "identity", 200),
        ("Content-Encoding", "gzip", 415),
        ("Content-Encoding", "identity, br", 415),
    ] {
        for &revision in Revision::ALL {
            let post = call(revision);
            let post = match name {
                "Content-Type" => post.set(name, value),
                _ => post.with(name, value),
            };
            let answer = client.ask(post.to_bytes()).await;
            assert_eq!(answer.status, status, "{name}: {value}");
        }
    }
    let none = call(PER_REQUEST).without("Content-Type");
    assert_eq!(client.ask(none.to_bytes()).await.status, 415);
    let twice = call(PER_REQUEST).with("Content-Type", "application/json");
    assert_eq!(client.ask(twice.to_bytes()).await.status, 415);
    site.end().await;
}

#[tokio::test]
async fn r075_well_known_paths_are_always_404() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for method in ["GET", "HEAD", "POST", "OPTIONS"] {
        for path in [
            "/.well-known/oauth-authorization-server/mcp",
            "/mcp/.well-known/oauth-authorization-server",
            "/.well-known/oauth-protected-resource",
            "/.well-known/openid-configuration?x=y",
            "/.well-known/",
            "/register",
            "/MCP",
            "/%6dcp",
            "/sse",
            "/",
            "//mcp",
        ] {
            for header in [
                "MCP-Protocol-Version: 2024-11-05",
                "MCP-Protocol-Version: 1999-01-01",
                "Accept: x/y",
            ] {
                let request =
                    format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n");
                client.send(request).await;
                let answer = match method {
                    "HEAD" => client.answer_without_body().await,
                    _ => client.answer().await,
                };
                assert_eq!(answer.status, 404, "{method} {path}");
                assert_eq!(answer.header("content-type"), Some("application/json"));
                if method != "HEAD" {
                    assert_eq!(answer.json(), json!({"error": "not found"}), "{path}");
                }
            }
        }
    }
    site.end().await;
}

#[tokio::test]
async fn health_says_who_is_well() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let answer = client
        .ask("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.json(),
        json!({"status": "ok", "name": "example", "version": "1.0.0"})
    );
    client
        .send("HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await;
    assert_eq!(client.answer_without_body().await.status, 200);
    let answer = client
        .ask("POST /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await;
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("GET, HEAD"))
    );
    site.end().await;
}

#[tokio::test]
async fn every_answer_has_a_request_id_in_a_header_and_nowhere_else() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let long = "x".repeat(128);
    let too_long = "x".repeat(129);
    for (sent, is_kept) in [
        ("abc-1", true),
        ("!~", true),
        (long.as_str(), true),
        (too_long.as_str(), false),
        ("a b", false),
        ("\u{e4}", false),
        ("", false),
    ] {
        for post in [
            call(PER_REQUEST),
            Post::body("{"),
            call(PER_REQUEST).set("Host", "example.org"),
        ] {
            let answer = client.ask(post.set("X-Request-ID", sent).to_bytes()).await;
            let id = answer.header("x-request-id").unwrap();
            assert_eq!(id == sent, is_kept, "{sent:?}, {id:?}");
            assert!((1..=128).contains(&id.len()));
            assert_eq!(answer.json().get("requestId"), None);
        }
    }
    let twice = call(PER_REQUEST).with("X-Request-ID", "test");
    let first = client.ask(twice.to_bytes()).await;
    let second = client
        .ask(call(PER_REQUEST).without("X-Request-ID").to_bytes())
        .await;
    assert_ne!(first.header("x-request-id"), Some("test"));
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
    site.end().await;
}

#[tokio::test]
async fn each_endpoint_has_its_own_server() {
    let site = Site::start_with(|config| {
        let empty = Server::builder(mcp_protocol::ServerInfo::new("empty", "1.0.0"))
            .tools(mcp_server::ToolRouter::new())
            .build()
            .unwrap();
        config
            .endpoints
            .push(("/mcp/x/none".to_owned(), std::sync::Arc::new(empty)));
    })
    .await;
    let mut client = site.client().await;
    for (target, expect) in [("/mcp", 5), ("/mcp/x/none", 0), ("/mcp?a=b", 5)] {
        let mut post = Post::request(PER_REQUEST, json!(1), "tools/list", json!({}));
        post.target = target.to_owned();
        let answer = client.ask(post.to_bytes()).await;
        let tools = answer.json()["result"]["tools"].as_array().map(Vec::len);
        assert_eq!(tools, Some(expect), "{target}");
    }
    site.end().await;
}

#[tokio::test]
async fn bodies_may_come_in_any_framing() {
    let site = Site::start().await;
    for &revision in Revision::ALL {
        check_framing(&site, &call(revision)).await;
    }
    site.end().await;
}

async fn check_framing(site: &Site, post: &Post) {
    let (first, second) = post.body.split_at(10);
    let mut chunked = post.head("Transfer-Encoding: chunked");
    for chunk in [first, second] {
        chunked.extend_from_slice(format!("{:x};ext=1\r\n", chunk.len()).as_bytes());
        chunked.extend_from_slice(chunk);
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\nTrailer: x\r\n\r\n");
    let mut client = site.client().await;
    assert_eq!(client.ask(&chunked).await.status, 200);

    // Byte by byte, and then two in one go on the same connection.
    for byte in post.to_bytes() {
        client.send([byte]).await;
    }
    assert_eq!(client.answer().await.status, 200);
    client.send([post.to_bytes(), chunked].concat()).await;
    assert_eq!(client.answer().await.status, 200);
    assert_eq!(client.answer().await.status, 200);

    let mut polite = site.client().await;
    let framing = format!(
        "Content-Length: {}\r\nExpect: 100-continue",
        post.body.len()
    );
    assert_eq!(polite.ask(post.head(&framing)).await.status, 100);
    assert_eq!(polite.ask(&post.body).await.status, 200);
}

#[tokio::test]
async fn an_http_1_0_client_is_served_once() {
    let site = Site::start().await;
    for &revision in Revision::ALL {
        let head = String::from_utf8(call(revision).to_bytes()).unwrap();
        let head = head.replace("HTTP/1.1", "HTTP/1.0");
        let mut client = Client::connect(site.addr).await;
        assert_eq!(client.ask(head).await.status, 200);
        assert_eq!(client.rest().await, b"");
    }
    site.end().await;
}

#[tokio::test]
async fn r073_deep_nesting_is_a_parse_error() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let arguments = r#"{"a":"#.repeat(200) + "1" + &"}".repeat(200);
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{arguments}}}}}"#
    );
    for body in [deep, call] {
        let answer = client.ask(Post::body(body).to_bytes()).await;
        assert_eq!(answer.outcome(), (400, Some(-32700)));
    }
    site.end().await;
}

#[tokio::test]
async fn r047_r048_r049_failures_of_calls_are_results() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        let tools_call = |params| Post::request(revision, json!("c"), "tools/call", params);
        for (row, post, code, is_error) in [
            (
                "R-047",
                tools_call(json!({"name": "no_such_tool"})),
                Some(-32602),
                false,
            ),
            (
                "R-048",
                tools_call(json!({"name": "sum", "arguments": {"a": "x"}})),
                None,
                true,
            ),
            (
                "R-049 no name",
                tools_call(json!({"arguments": {}})),
                Some(-32602),
                false,
            ),
            (
                "R-049 an array",
                tools_call(json!({"name": "echo", "arguments": []})),
                Some(-32602),
                false,
            ),
            (
                "R-049 a string",
                tools_call(json!({"name": "echo", "arguments": "a"})),
                Some(-32602),
                false,
            ),
            ("R-051", tools_call(json!({"name": "echo"})), None, false),
            (
                "a panic",
                tools_call(json!({"name": "panic"})),
                Some(-32603),
                false,
            ),
        ] {
            let answer = client.ask(post.to_bytes()).await;
            assert_eq!(
                answer.outcome(),
                (200, code),
                "{row} at {}",
                revision.name()
            );
            assert_eq!(answer.json()["id"], "c", "{row}");
            if code.is_none() {
                assert_eq!(answer.json()["result"]["isError"], is_error, "{row}");
            }
        }
    }
    site.end().await;
}

#[tokio::test]
async fn r053_too_many_calls_are_refused_as_failures_of_the_call() {
    let site = Site::start_with(|config| {
        let limits = mcp_server::ServerLimits::default().with_calls_in_flight(0);
        let busy = Server::builder(mcp_protocol::ServerInfo::new("busy", "1.0.0"))
            .tools(crate::site::echo().raw_tool(crate::site::tool("stuck"), |_| pending()))
            .limits(limits);
        config.endpoints = vec![(
            "/mcp".to_owned(),
            std::sync::Arc::new(busy.build().unwrap()),
        )];
    })
    .await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        let stuck = Post::call(revision, "stuck", json!({}));
        let answer = client.ask(stuck.to_bytes()).await;
        assert_eq!(answer.status, 200, "{}", revision.name());
        assert_eq!(answer.json()["result"]["isError"], true);
        // What waits for nothing needs no room.
        let echo = client.ask(call(revision).to_bytes()).await;
        assert_eq!(echo.json()["result"]["isError"], false);
        let text = &answer.json()["result"]["content"][0]["text"];
        assert!(text.as_str().unwrap().contains("busy"), "{text}");
    }
    site.end().await;
}

#[tokio::test]
async fn a_large_result_arrives_whole() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        for bytes in [0, 3_000, 5_000, 100_000, 3_000_000] {
            let post = Post::call(revision, "fill", json!({"bytes": bytes}));
            let answer = client.ask(post.to_bytes()).await;
            let json = answer.json();
            let text = json["result"]["content"][0]["text"].as_str().unwrap();
            assert_eq!(text.len(), bytes);
        }
    }
    site.end().await;
}

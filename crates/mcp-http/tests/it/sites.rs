//! the allowed hosts and origins, each checked alone.

use mcp_protocol::Revision;
use serde_json::json;

use crate::{
    client::{Answer, Client},
    post::{PER_REQUEST, Post},
    site::Site,
};

async fn site() -> Site {
    Site::start_with(|config| {
        config.allowed_hosts = vec!["mcp.example.org".to_owned(), "proxy:8443".to_owned()];
        config.allowed_origins = vec!["https://app.example.org".to_owned()];
    })
    .await
}

fn call(revision: Revision) -> Post {
    Post::call(revision, "echo", json!({}))
}

#[tokio::test]
async fn r069_a_wrong_host_alone_is_refused() {
    let site = site().await;
    let mut client = site.client().await;
    for (host, status) in [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8000", 200),
        ("mcp.example.org", 200),
        ("MCP.Example.Org:99", 200),
        ("proxy:8443", 200),
        ("proxy:8444", 403),
        ("example.org", 403),
        ("127.0.0.1.example.org", 403),
        ("0.0.0.0", 403),
        ("localhost@example.org", 403),
        ("", 403),
    ] {
        for &revision in Revision::ALL {
            for origin in [None, Some("http://localhost:3000")] {
                let mut post = call(revision).set("Host", host);
                if let Some(origin) = origin {
                    post = post.with("Origin", origin);
                }
                let answer = client.ask(post.to_bytes()).await;
                assert_eq!(answer.status, status, "{host}");
            }
        }
        let answer = ask(
            &mut client,
            &format!("GET /.well-known/x HTTP/1.1\r\nHost: {host}"),
        )
        .await;
        assert_eq!(answer.status == 403, status == 403, "{host}");
        // Load balancers probe each replica by its address.
        let answer = ask(
            &mut client,
            &format!("GET /health HTTP/1.1\r\nHost: {host}"),
        )
        .await;
        assert_eq!(answer.status, 200, "{host}");
    }
    site.end().await;
}

#[tokio::test]
async fn r069_a_wrong_origin_alone_is_refused() {
    let site = site().await;
    let mut client = site.client().await;
    for (origin, status) in [
        ("http://localhost:6274", 200),
        ("https://127.0.0.1", 200),
        ("HTTP://[::1]:1", 200),
        ("https://app.example.org", 200),
        ("https://APP.example.org:443", 200),
        ("http://app.example.org", 403),
        ("https://mcp.example.org", 403),
        ("https://example.org", 403),
        ("http://localhost.example.org", 403),
        ("null", 403),
        ("", 403),
        ("http://localhost, http://localhost", 403),
    ] {
        for &revision in Revision::ALL {
            let answer = client
                .ask(call(revision).with("Origin", origin).to_bytes())
                .await;
            assert_eq!(answer.status, status, "{origin}");
            let echoed = answer.header("access-control-allow-origin");
            assert_eq!(echoed, (status == 200).then_some(origin));
        }
        for path in ["/health", "/.well-known/x"] {
            let request =
                format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\n\r\n");
            assert_eq!(
                client.ask(request).await.status == 403,
                status == 403,
                "{origin} {path}"
            );
        }
    }
    let twice = call(PER_REQUEST)
        .with("Origin", "http://localhost")
        .with("Origin", "http://localhost");
    assert_eq!(client.ask(twice.to_bytes()).await.status, 403);
    site.end().await;
}

async fn ask(client: &mut Client, head: &str) -> Answer {
    client.ask(format!("{head}\r\n\r\n")).await
}

#[tokio::test]
async fn a_host_is_named_exactly_once() {
    let site = site().await;
    for (head, status) in [
        ("GET /.well-known/x HTTP/1.1\r\nX: y", 400),
        (
            "GET /.well-known/x HTTP/1.1\r\nHost: localhost\r\nhost: localhost",
            400,
        ),
        (
            "GET /.well-known/x HTTP/1.1\r\nHost: localhost\r\nHost: example.org",
            400,
        ),
        ("GET /.well-known/x HTTP/1.0", 404),
        ("GET /.well-known/x HTTP/1.0\r\nHost: localhost", 404),
        ("GET /.well-known/x HTTP/1.0\r\nHost: example.org", 403),
        (
            "GET /.well-known/x HTTP/1.0\r\nHost: localhost\r\nHost: localhost",
            400,
        ),
        (
            "GET http://localhost:1/.well-known/x HTTP/1.1\r\nHost: localhost:1",
            404,
        ),
        ("GET http://localhost/.well-known/x HTTP/1.1", 404),
        (
            "GET http://example.org/.well-known/x HTTP/1.1\r\nHost: localhost",
            403,
        ),
        (
            "GET http://localhost/.well-known/x HTTP/1.1\r\nHost: example.org",
            403,
        ),
        (
            "GET http://user@localhost/.well-known/x HTTP/1.1\r\nHost: localhost",
            403,
        ),
        ("GET /health HTTP/1.1\r\nX: y", 400),
        ("GET /health HTTP/1.1\r\nHost: 10.1.2.3:8000", 200),
        ("GET http://10.1.2.3/health HTTP/1.1\r\nHost: 10.1.2.3", 200),
        ("OPTIONS * HTTP/1.1\r\nHost: localhost", 404),
        ("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost", 404),
    ] {
        let mut client = site.client().await;
        assert_eq!(ask(&mut client, head).await.status, status, "{head}");
    }
    site.end().await;
}

#[tokio::test]
async fn pages_of_allowed_origins_get_cors_headers() {
    let site = site().await;
    let mut client = site.client().await;
    let preflight = |path: &str, origin: &str| {
        format!(
            "OPTIONS {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\n\
             Access-Control-Request-Method: POST\r\n\
             Access-Control-Request-Headers: content-type,mcp-protocol-version"
        )
    };
    for path in ["/mcp", "/health", "/.well-known/x", "/nowhere"] {
        let answer = ask(&mut client, &preflight(path, "http://localhost:6274")).await;
        assert_eq!(answer.status, 204, "{path}");
        for (name, expect) in [
            ("access-control-allow-origin", "http://localhost:6274"),
            ("access-control-allow-methods", "GET, POST, DELETE"),
            (
                "access-control-allow-headers",
                "content-type,mcp-protocol-version",
            ),
            ("access-control-max-age", "7200"),
            ("vary", "origin"),
        ] {
            assert_eq!(answer.header(name), Some(expect), "{path}");
        }
    }
    let refused = ask(&mut client, &preflight("/mcp", "https://example.org")).await;
    assert_eq!(refused.status, 403);
    assert_eq!(refused.header("access-control-allow-origin"), None);
    let elsewhere =
        preflight("/mcp", "http://localhost").replace("Host: localhost", "Host: example.org");
    assert_eq!(ask(&mut client, &elsewhere).await.status, 403);

    // A page can read refusals as well, and other clients get no CORS headers.
    let answer = client
        .ask(
            Post::body("{")
                .with("Origin", "http://localhost")
                .to_bytes(),
        )
        .await;
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("http://localhost")
    );
    assert_eq!(
        answer.header("access-control-expose-headers"),
        Some("x-request-id, mcp-session-id, www-authenticate")
    );
    let answer = client.ask(call(PER_REQUEST).to_bytes()).await;
    assert!(
        answer
            .headers
            .iter()
            .all(|(name, _)| !name.starts_with("access-control"))
    );
    site.end().await;
}

//! The pages for people with a browser, as the process serves them.

use crate::{
    access::{Secrets, TOKEN},
    http::{exchange, start},
};

const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

/// The head and the body of the answer.
async fn ask(address: &str, line: &str, headers: &[(&str, &str)]) -> (String, String) {
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let request =
        format!("{line} HTTP/1.1\r\nHost: {address}\r\n{headers}Connection: close\r\n\r\n");
    let answer = exchange(address, &request).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

#[tokio::test]
async fn a_browser_is_shown_a_page_and_no_other_client_is() {
    let (child, address, _) = start("http --demo --listen 127.0.0.1:0").await;
    let mut shown = Vec::new();
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] {
        for path in ["/", "/mcp", "/mcp/x/core", "/health", "/nowhere"] {
            for (client, accept) in [
                ("browser", Some(BROWSER)),
                ("curl", Some("*/*")),
                ("events", Some("text/event-stream")),
                ("json", Some("application/json")),
                ("mcp", Some("application/json, text/event-stream")),
                ("both", Some("text/html, application/json")),
                ("bare", None),
            ] {
                let accept: Vec<_> = accept.map(|it| ("Accept", it)).into_iter().collect();
                let (head, body) = ask(&address, &format!("{method} {path}"), &accept).await;
                let is_html = head.contains("content-type: text/html");
                if is_html {
                    let status = head.split(' ').nth(1).unwrap_or_default();
                    shown.push(format!("{client} {method} {path} {status}"));
                    assert_eq!(body.is_empty(), method == "HEAD", "{head}");
                } else {
                    assert!(!body.contains("<html"), "{client} {method} {path}: {body}");
                }
            }
        }
    }
    assert_eq!(
        shown,
        [
            "browser GET / 200",
            "browser GET /mcp 405",
            "browser GET /mcp/x/core 405",
            "browser HEAD / 200",
            "browser HEAD /mcp 405",
            "browser HEAD /mcp/x/core 405",
        ]
    );
    drop(child);
}

#[tokio::test]
async fn pages_are_sent_with_headers_that_allow_nothing_they_do_not_need() {
    let (child, address, _) = start("http --demo --listen 127.0.0.1:0").await;
    for (path, status) in [("/", "200"), ("/mcp", "405")] {
        let (head, body) = ask(&address, &format!("GET {path}"), &[("Accept", BROWSER)]).await;
        assert!(head.starts_with(&format!("http/1.1 {status} ")), "{head}");
        for expected in [
            "content-security-policy: default-src 'none'; style-src 'sha256-",
            "; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cache-control: no-store",
            "vary: accept",
            "x-request-id: ",
        ] {
            assert!(head.contains(expected), "{path}: {expected} in {head}");
        }
        assert!(!head.contains("access-control"), "{head}");
        assert_eq!(head.contains("allow: post"), path == "/mcp", "{head}");
        assert!(
            body.contains(&format!("<code>http://{address}/mcp</code>")),
            "{body}"
        );
    }
    drop(child);
}

#[tokio::test]
async fn another_host_and_another_origin_are_shown_nothing() {
    let (child, address, _) = start("http --demo --listen 127.0.0.1:0").await;
    let request = format!(
        "GET / HTTP/1.1\r\nHost: example.org\r\nAccept: {BROWSER}\r\nConnection: close\r\n\r\n"
    );
    let answer = exchange(&address, &request).await;
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    assert!(
        answer.contains("content-type: application/json"),
        "{answer}"
    );
    assert!(!answer.contains("<html"), "{answer}");
    let origin = [("Accept", BROWSER), ("Origin", "https://example.org")];
    let (head, body) = ask(&address, "GET /", &origin).await;
    assert!(head.starts_with("http/1.1 404 "), "{head}");
    assert!(!body.contains("<html"), "{body}");
    drop(child);
}

#[tokio::test]
async fn files_for_browsers_and_agents_are_served() {
    let line = "http --demo --listen 127.0.0.1:0";
    let files = ["/favicon.ico", "/favicon.svg", "/robots.txt", "/llms.txt"];
    let (child, address, _) = start(line).await;
    for path in files {
        let (head, body) = ask(&address, &format!("GET {path}"), &[]).await;
        assert!(head.starts_with("http/1.1 200 "), "{path}: {head}");
        assert!(!body.is_empty(), "{path}");
    }
    drop(child);
}

#[tokio::test]
async fn a_server_with_tokens_tells_a_visitor_to_get_one() {
    let tokens = Secrets::new("landing-tokens", &format!("alice {TOKEN}\n"));
    let line = format!(
        "http --demo --listen 127.0.0.1:0 --public-url https://mcp.example.org/ --token-file {}",
        tokens.0.display()
    );
    let (child, address, _) = start(&line).await;
    let (head, body) = ask(&address, "GET /", &[("Accept", BROWSER)]).await;
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    assert!(
        body.contains("This server requires an access token."),
        "{body}"
    );
    assert!(
        body.contains("<code>https://mcp.example.org/mcp</code>"),
        "{body}"
    );
    assert!(!body.contains("id=\"node\""), "{body}");
    for secret in [TOKEN, "alice", tokens.0.to_str().unwrap()] {
        assert!(!body.contains(secret), "{secret}");
    }
    // The endpoint asks for the token as before, and says so to a person.
    let (head, body) = ask(&address, "GET /mcp", &[("Accept", BROWSER)]).await;
    assert!(head.starts_with("http/1.1 401 "), "{head}");
    assert!(head.contains("www-authenticate: bearer realm="), "{head}");
    assert!(body.contains("This address is for an MCP client"), "{body}");
    drop(child);
}

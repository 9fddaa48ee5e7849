//! Pages of the host: who is shown them, and that nothing else changes.

use std::sync::Arc;

use bytes::Bytes;
use hyper::Response;
use mcp_http::{
    ConfigError, HttpConfig, HttpPage, PageAudience, PageRequest, Service, TransportStats,
};
use mcp_server::BoxFuture;

use crate::{
    client::{Answer, Client},
    post::{PER_REQUEST, Post},
    site::{Site, config},
};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[derive(Debug)]
struct Said(&'static str);

impl HttpPage for Said {
    fn respond<'a>(&'a self, request: &'a PageRequest) -> BoxFuture<'a, Response<Bytes>> {
        let Self(said) = self;
        let host = request.host.as_deref().unwrap_or("no host");
        let body = Bytes::from(format!("{said} at {} of {host}", request.path));
        let page = Response::builder()
            .header("Content-Type", "text/html; charset=utf-8")
            .body(body)
            .unwrap();
        Box::pin(async { page })
    }
}

fn with_pages(config: &mut HttpConfig) {
    for (path, audience, said) in [
        ("/", PageAudience::Browsers, "welcome"),
        ("/mcp", PageAudience::Browsers, "not for browsers"),
        ("/robots.txt", PageAudience::Everyone, "robots"),
    ] {
        let page: Arc<dyn HttpPage> = Arc::new(Said(said));
        config.routes.push((path.to_owned(), audience, page));
    }
}

async fn ask(client: &mut Client, line: &str, accept: Option<&str>) -> Answer {
    let accept = accept.map_or_else(String::new, |it| format!("Accept: {it}\r\n"));
    client
        .ask(format!(
            "{line} HTTP/1.1\r\nHost: localhost:8000\r\n{accept}\r\n"
        ))
        .await
}

fn body(answer: &Answer) -> &str {
    std::str::from_utf8(&answer.body).unwrap()
}

#[tokio::test]
async fn browsers_are_shown_pages_and_no_client_of_the_protocol_is() {
    let site = Site::start_with(with_pages).await;
    let bare = Site::start().await;
    let (mut client, mut other) = (site.client().await, bare.client().await);
    let accepts = [
        Some(BROWSER),
        Some("text/html"),
        None,
        Some("*/*"),
        Some("text/event-stream"),
        Some("application/json"),
        Some("application/json, text/event-stream"),
        Some("text/html, application/json"),
        Some("text/html, text/event-stream"),
    ];
    let mut pages = 0;
    for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS"] {
        for path in ["/", "/mcp", "/mcp/", "/nowhere", "/health"] {
            for (n, accept) in accepts.into_iter().enumerate() {
                let line = format!("{method} {path}");
                let shown = ask(&mut client, &line, accept).await;
                let before = ask(&mut other, &line, accept).await;
                let is_page = method == "GET" && n < 2 && ["/", "/mcp", "/mcp/"].contains(&path);
                let at = format!("{line} {accept:?}: {shown:?}");
                if !is_page {
                    assert_eq!(shown.status, before.status, "{at}");
                    assert_eq!(shown.body, before.body, "{at}");
                    continue;
                }
                pages += 1;
                let (status, expected) = match path {
                    "/" => (200, "welcome at / of localhost:8000".to_owned()),
                    _ => (405, format!("not for browsers at {path} of localhost:8000")),
                };
                assert_eq!((shown.status, body(&shown)), (status, &*expected), "{at}");
                assert_eq!(
                    shown.header("content-type"),
                    Some("text/html; charset=utf-8")
                );
                assert_eq!(shown.header("allow"), before.header("allow"), "{at}");
                assert_eq!(shown.header("vary"), Some("accept"), "{at}");
                assert!(shown.header("x-request-id").is_some(), "{at}");
            }
        }
    }
    assert_eq!(pages, 6);
    // Caches keep what others get apart from the page.
    let other = ask(&mut client, "GET /", Some("*/*")).await;
    assert_eq!((other.status, other.header("vary")), (404, Some("accept")));
    let other = ask(&mut client, "GET /mcp", None).await;
    assert_eq!((other.status, other.header("vary")), (405, Some("accept")));
    let other = ask(&mut client, "POST /mcp", None).await;
    assert_eq!((other.status, other.header("vary")), (415, None));
    site.end().await;
    bare.end().await;
}

#[tokio::test]
async fn a_page_for_everyone_does_not_depend_on_what_is_accepted() {
    let site = Site::start_with(with_pages).await;
    let mut client = site.client().await;
    for accept in [
        None,
        Some("*/*"),
        Some("image/png"),
        Some("application/json"),
    ] {
        let answer = ask(&mut client, "GET /robots.txt", accept).await;
        assert_eq!(body(&answer), "robots at /robots.txt of localhost:8000");
        assert_eq!((answer.status, answer.header("vary")), (200, None));
    }
    assert_eq!(ask(&mut client, "POST /robots.txt", None).await.status, 404);
    site.end().await;
}

#[tokio::test]
async fn a_head_request_gets_the_head_of_the_page() {
    let site = Site::start_with(with_pages).await;
    for (path, status, length) in [("/", 200, "30"), ("/mcp", 405, "42")] {
        let mut client = site.client().await;
        let request = format!(
            "HEAD {path} HTTP/1.1\r\nHost: localhost:8000\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
        );
        client.send(request).await;
        let answer = String::from_utf8(client.rest().await).unwrap();
        let (head, rest) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
        assert!(
            head.contains(&format!("content-length: {length}")),
            "{head}"
        );
        assert_eq!(rest, "", "{answer}");
    }
    site.end().await;
}

#[tokio::test]
async fn pages_are_for_allowed_hosts_and_for_no_web_page() {
    let site = Site::start_with(with_pages).await;
    let mut client = site.client().await;
    for (headers, status) in [
        ("Host: example.org", 403),
        ("Host: example.org:8000", 403),
        ("Host: localhost\r\nOrigin: https://example.org", 404),
        ("Host: localhost\r\nOrigin: http://localhost:3000", 404),
    ] {
        let request = format!("GET / HTTP/1.1\r\n{headers}\r\nAccept: {BROWSER}\r\n\r\n");
        let answer = client.ask(request).await;
        assert_eq!(answer.status, status, "{headers}");
        assert!(!body(&answer).contains("welcome"), "{answer:?}");
    }
    // A client of the protocol that is a web page goes on as before.
    let call = Post::call(PER_REQUEST, "echo", serde_json::json!({}));
    let answer = client
        .ask(call.with("Origin", "http://localhost").to_bytes())
        .await;
    assert_eq!(answer.status, 200);
    site.end().await;
}

#[tokio::test]
async fn a_page_for_probes_is_shown_by_any_name_of_the_server() {
    let site = Site::start_with(|config| {
        with_pages(config);
        let page: Arc<dyn HttpPage> = Arc::new(Said("ready"));
        config
            .routes
            .push(("/ready".to_owned(), PageAudience::Probes, page));
    })
    .await;
    for (request, status) in [
        ("GET /ready HTTP/1.1\r\nHost: 10.244.0.5:8000", 200),
        (
            "GET /ready HTTP/1.1\r\nHost: example.org\r\nAccept: application/json",
            200,
        ),
        ("GET /ready HTTP/1.0", 200),
        (
            "POST /ready HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0",
            404,
        ),
        (
            "GET /ready HTTP/1.1\r\nHost: a\r\nOrigin: https://example.org",
            404,
        ),
        ("GET /ready HTTP/1.1\r\nX: y", 400),
        ("GET /robots.txt HTTP/1.1\r\nHost: 10.244.0.5", 403),
    ] {
        let mut client = site.client().await;
        let answer = client.ask(format!("{request}\r\n\r\n")).await;
        assert_eq!(answer.status, status, "{request}");
        assert_eq!(
            body(&answer).starts_with("ready"),
            status == 200,
            "{request}"
        );
    }
    site.end().await;
}

#[tokio::test]
async fn pages_alone_are_served_without_an_endpoint() {
    let site = Site::start_with(|config| {
        *config = HttpConfig::pages_only();
        with_pages(config);
    })
    .await;
    let mut client = site.client().await;
    let robots = ask(&mut client, "GET /robots.txt", None).await;
    assert_eq!(robots.status, 200);
    let health = ask(&mut client, "GET /health", None).await;
    assert_eq!((health.status, body(&health)), (200, r#"{"status":"ok"}"#));
    assert_eq!(ask(&mut client, "POST /mcp", None).await.status, 404);
    site.end().await;
    let nothing = Service::new(HttpConfig::pages_only());
    assert_eq!(nothing.err(), Some(ConfigError::NoEndpoint));
}

#[tokio::test]
async fn what_is_open_is_counted() {
    let usage = TransportStats::default();
    let counted = usage.clone();
    let site = Site::start_with(|config| config.stats = counted).await;
    assert_eq!(usage.connections(), 0);
    let mut first = site.client().await;
    let mut second = site.client().await;
    ask(&mut first, "GET /health", None).await;
    ask(&mut second, "GET /health", None).await;
    assert_eq!(
        (
            usage.connections(),
            usage.listening_streams(),
            usage.sessions()
        ),
        (2, 0, 0)
    );
    site.end().await;
    assert_eq!(usage.connections(), 0);
}

#[test]
fn a_page_has_a_path_of_its_own() {
    let path = |text: &str| ConfigError::Path(text.to_owned());
    for (pages, expected) in [
        (&[("/", PageAudience::Browsers)] as &[_], None),
        (&[("/mcp", PageAudience::Browsers)], None),
        (&[("/mcp", PageAudience::Everyone)], Some(path("/mcp"))),
        (&[("/mcp", PageAudience::Probes)], Some(path("/mcp"))),
        (
            &[("/health", PageAudience::Browsers)],
            Some(path("/health")),
        ),
        (
            &[("robots.txt", PageAudience::Everyone)],
            Some(path("robots.txt")),
        ),
        (
            &[("/.well-known/x", PageAudience::Everyone)],
            Some(path("/.well-known/x")),
        ),
        (
            &[("/", PageAudience::Browsers), ("/", PageAudience::Everyone)],
            Some(ConfigError::DuplicatePath("/".to_owned())),
        ),
    ] {
        let (mut config, _) = config();
        for (path, audience) in pages {
            config = config.with_page(*path, *audience, Arc::new(Said("")));
        }
        assert_eq!(Service::new(config).err(), expected, "{pages:?}");
    }
}

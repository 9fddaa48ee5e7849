//! Servers over HTTP that do what none should.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use mcp_client::{
    Client, ClientConfig, ClientError, ClientLimits, Endpoint,
    mcp_protocol::{Object, Revision, Tool},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::server::Ada;

/// A server that answers each request with the bytes that a function gives, and closes the connection.
pub(crate) struct Server {
    pub(crate) url: String,
    /// The requests: head, and body.
    pub(crate) heard: Arc<Mutex<Vec<(String, Value)>>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read(stream: &mut TcpStream) -> Option<(String, Value)> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head.split("content-length: ").nth(1);
            let length = length.and_then(|it| it.lines().next()?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some((head, serde_json::from_str(body).unwrap_or_default()));
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return None;
        }
    }
}

pub(crate) async fn serve(answer: impl Fn(&str, &Value) -> Vec<u8> + Send + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let heard: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
    let hears = Arc::clone(&heard);
    let task = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let Some((head, body)) = read(&mut stream).await else {
                continue;
            };
            let bytes = answer(&head, &body);
            hears.lock().unwrap().push((head, body));
            // The client may have enough of it.
            let _written = stream.write_all(&bytes).await;
        }
    });
    Server { url, heard, task }
}

pub(crate) fn response(status: &str, kind: &str, body: &str) -> Vec<u8> {
    let length = match kind {
        "text/event-stream" => String::new(),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{length}Connection: close\r\n\r\n{body}")
        .into_bytes()
}

pub(crate) fn result(request: &Value, result: Value) -> Vec<u8> {
    let body = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
    response("200 OK", "application/json", &body.to_string())
}

/// Answers `server/discover` and `initialize`; `None` for anything else.
pub(crate) fn opening(request: &Value) -> Option<Vec<u8>> {
    let method = request["method"].as_str().unwrap_or_default();
    Some(match method {
        "server/discover" => result(
            request,
            json!({"supportedVersions": ["2026-07-28"], "capabilities": {}}),
        ),
        "initialize" => result(
            request,
            json!({"protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {}, "serverInfo": {"name": "odd", "version": "0"}}),
        ),
        _ if method.starts_with("notifications/") => response("202 Accepted", "text/plain", ""),
        _ => return None,
    })
}

pub(crate) fn config(revision: Revision) -> ClientConfig {
    let limits = ClientLimits::default()
        .with_message_bytes(64 << 10)
        .with_request_timeout(Duration::from_secs(5));
    let config = ClientConfig::new("test", "0").with_handler(Ada::default());
    config.with_revision(revision).with_limits(limits)
}

async fn call(server: &Server, revision: Revision) -> Result<String, ClientError> {
    let client = Client::connect(Endpoint::new(&server.url)?, config(revision)).await?;
    let called = client.call_tool("any", Object::new()).await;
    client.close().await;
    Ok(format!("{:?}", called?.content))
}

const BOTH: [Revision; 2] = [Revision::V2025_11_25, Revision::V2026_07_28];

#[tokio::test]
async fn streams_of_events_are_read_whatever_is_in_them() {
    for (stream, expect) in [
        ("data: ANSWER\n\n", "done"),
        (
            ": hello\r\n\r\nevent: message\r\ndata: ANSWER\r\n\r\n",
            "done",
        ),
        (
            "data: \n\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\ndata: ANSWER\n\n",
            "done",
        ),
        (
            "data: {\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{\"content\":[]}}\n\ndata: ANSWER\n\n",
            "done",
        ),
        ("data: ANSWER\n\ndata: nonsense\n\n", "done"),
        ("data: nonsense\n\ndata: ANSWER\n\n", "Decode"),
        ("data: [1]\n\n", "Closed"),
        ("data: ANSWER", "Closed"),
        ("ANSWER", "Closed"),
        ("", "Closed"),
    ] {
        for revision in BOTH {
            let server = serve(move |_, request| {
                opening(request).unwrap_or_else(|| {
                    let answer = json!({"jsonrpc": "2.0", "id": request["id"],
                        "result": {"content": [{"type": "text", "text": "done"}]}});
                    let stream = stream.replace("ANSWER", &answer.to_string());
                    response("200 OK", "text/event-stream", &stream)
                })
            })
            .await;
            let shown = format!("{:?}", call(&server, revision).await);
            assert!(
                shown.contains(expect),
                "{stream:?} at {}: {shown}",
                revision.name()
            );
        }
    }
}

#[tokio::test]
async fn other_answers_are_errors_that_say_what_they_are() {
    let message =
        |code: i64| json!({"jsonrpc": "2.0", "error": {"code": code, "message": "no"}}).to_string();
    for (status, kind, body, expect) in [
        (
            "200 OK",
            "application/json",
            "nonsense".to_owned(),
            "Decode",
        ),
        ("200 OK", "application/json", String::new(), "Decode"),
        ("202 Accepted", "application/json", String::new(), "Decode"),
        (
            "200 OK",
            "application/json",
            "x".repeat(100_000),
            "TooLarge",
        ),
        (
            "200 OK",
            "application/json",
            r#"{"jsonrpc":"2.0","id":999,"result":{}}"#.to_owned(),
            "Decode",
        ),
        ("200 OK", "text/html", "<html>".to_owned(), "Decode"),
        (
            "400 Bad Request",
            "application/json",
            message(-32600),
            "Rpc",
        ),
        ("404 Not Found", "application/json", message(-32601), "Rpc"),
        (
            "401 Unauthorized",
            "text/plain",
            "who?".to_owned(),
            "Status { status: 401",
        ),
        (
            "403 Forbidden",
            "application/json",
            "{}".to_owned(),
            "Status { status: 403",
        ),
        (
            "503 Busy",
            "text/html",
            "<html>".to_owned(),
            "Status { status: 503",
        ),
        (
            "307 Elsewhere",
            "text/html",
            String::new(),
            "Status { status: 307",
        ),
    ] {
        for revision in BOTH {
            let (kind, body) = (kind.to_owned(), body.clone());
            let server = serve(move |_, request| {
                opening(request).unwrap_or_else(|| response(status, &kind, &body))
            })
            .await;
            let shown = format!("{:?}", call(&server, revision).await);
            assert!(
                shown.contains(expect),
                "{status} at {}: {shown}",
                revision.name()
            );
        }
    }
}

#[tokio::test]
async fn an_event_without_an_end_is_too_large() {
    let server = serve(|_, request| {
        opening(request).unwrap_or_else(|| {
            let stream = format!("data: {}", "x".repeat(10 << 20));
            response("200 OK", "text/event-stream", &stream)
        })
    })
    .await;
    let outcome = call(&server, Revision::V2026_07_28).await;
    assert!(
        matches!(outcome, Err(ClientError::TooLarge { limit: 65_536 })),
        "{outcome:?}"
    );
}

/// An endpoint that asks for access, with this body.
async fn check_access(
    expected: u16,
    kind: &'static str,
    body: &'static str,
    said: Option<&'static str>,
) {
    let server = serve(move |_, _| {
        let status = format!("{expected} No\r\nWWW-Authenticate: Bearer scope=\"a\"");
        response(&status, kind, body)
    })
    .await;
    let endpoint = Endpoint::new(&server.url).unwrap();
    let endpoint = endpoint.with_bearer("secret-token").unwrap();
    assert!(!format!("{endpoint:?}").contains("secret"), "{endpoint:?}");
    let outcome = Client::connect(endpoint, ClientConfig::new("test", "0")).await;
    let Err(ClientError::Status {
        status,
        challenge,
        error,
    }) = outcome
    else {
        panic!("{outcome:?}");
    };
    assert_eq!(status, expected);
    assert_eq!(error.map(|it| it.message).as_deref(), said);
    let challenge = challenge.unwrap();
    assert_eq!(
        (challenge.status, challenge.scopes),
        (expected, vec!["a".to_owned()])
    );
    let heard = server.heard.lock().unwrap();
    assert_eq!(heard.len(), 1);
    let head = &heard[0].0;
    assert!(
        head.contains("authorization: bearer secret-token"),
        "{head}"
    );
}

#[tokio::test]
async fn an_endpoint_that_asks_for_access_is_not_asked_anything_else() {
    const MESSAGE: &str =
        r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"a token is required"}}"#;
    for status in [401, 403] {
        check_access(status, "text/plain", "", None).await;
        let said = Some("a token is required");
        check_access(status, "application/json", MESSAGE, said).await;
    }
}

#[tokio::test]
async fn an_older_endpoint_is_shaken_hands_with() {
    for status in [
        "400 Bad Request",
        "404 Not Found",
        "405 Method Not Allowed",
        "406 No",
    ] {
        let server = serve(move |_, request| match request["method"].as_str() {
            Some("server/discover") => response(status, "text/plain", "no"),
            _ => opening(request).unwrap(),
        })
        .await;
        let config = ClientConfig::new("test", "0");
        let client = Client::connect(Endpoint::new(&server.url).unwrap(), config)
            .await
            .unwrap();
        assert_eq!(client.revision(), Revision::V2025_11_25, "{status}");
        client.close().await;
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_continued() {
    let server = serve(|head, request| {
        if head.starts_with("get ") {
            let answer = json!({"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "done"}]}});
            return response("200 OK", "text/event-stream", &format!("id: 8\ndata: {answer}\n\n"));
        }
        opening(request).unwrap_or_else(|| response("200 OK", "text/event-stream", "id: 7\nretry: 60\ndata: \n\n"))
    })
    .await;
    let outcome = call(&server, Revision::V2025_11_25).await.unwrap();
    assert!(outcome.contains("done"), "{outcome}");
    let heard = server.heard.lock().unwrap();
    let continued = heard
        .iter()
        .find(|(head, _)| head.starts_with("get "))
        .unwrap();
    assert!(continued.0.contains("last-event-id: 7"), "{}", continued.0);
}

#[tokio::test]
async fn tools_whose_headers_are_against_the_rules_are_left_out() {
    let server = serve(|_, request| {
        opening(request).unwrap_or_else(|| {
            let tool = |name: &str, header: &str| {
                let property = json!({"type": "string", "x-mcp-header": header});
                json!({"name": name, "inputSchema": {"type": "object", "properties": {"a": property}}})
            };
            result(request, json!({"tools": [tool("good", "A"), tool("bad", "A b")]}))
        })
    })
    .await;
    // Before 2026-07-28 there are no such headers.
    for (revision, expect) in [(BOTH[0], &["good", "bad"][..]), (BOTH[1], &["good"])] {
        let endpoint = Endpoint::new(&server.url).unwrap();
        let client = Client::connect(endpoint, config(revision)).await.unwrap();
        let tools = client.list_all::<Tool>().await.unwrap();
        let names: Vec<_> = tools.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, expect);
        client.close().await;
    }
}

#[tokio::test]
async fn nobody_at_the_address_is_not_connected() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let outcome =
        Client::connect(Endpoint::new(&url).unwrap(), ClientConfig::new("test", "0")).await;
    assert!(
        matches!(outcome, Err(ClientError::NotConnected(_))),
        "{outcome:?}"
    );
}

#[test]
fn what_is_no_url_of_a_server_is_said() {
    for (url, expect) in [
        ("", "invalid URL"),
        ("127.0.0.1:8000", "expected a URL"),
        ("/mcp", "expected a URL"),
        ("ftp://a/b", "expected a URL"),
        ("http://me:secret@a/b", "with_bearer"),
        ("https://a/mcp", "tls"),
    ] {
        match Endpoint::new(url) {
            Err(ClientError::Url(why)) => assert!(why.contains(expect), "{url}: {why}"),
            other => assert!(
                cfg!(feature = "tls") && url.starts_with("https"),
                "{url}: {other:?}"
            ),
        }
    }
    assert!(
        Endpoint::new("http://a")
            .unwrap()
            .with_bearer("a\nb")
            .is_err()
    );
}

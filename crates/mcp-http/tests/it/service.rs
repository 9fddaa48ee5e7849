//! The service inside a host's own server.

use std::{
    convert::Infallible,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use hyper::{
    Request, Response,
    body::{Body as HttpBody, Frame},
};
use mcp_http::{Body, ConfigError, HttpConfig, Service};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_util::sync::CancellationToken;

use crate::{
    client::soon,
    site::{self, Event},
};

/// A body of these pieces.
struct Pieces(Vec<Piece>);

enum Piece {
    Bytes(&'static str),
    Error,
    Panic,
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.0.is_empty() {
            return Poll::Ready(None);
        }
        match self.0.remove(0) {
            Piece::Bytes(text) => Poll::Ready(Some(Ok(Frame::data(Bytes::from(text))))),
            Piece::Error => Poll::Ready(Some(Err(io::ErrorKind::BrokenPipe.into()))),
            Piece::Panic => panic!("as asked"),
        }
    }
}

fn post<B>(body: B) -> Request<B> {
    Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(body)
        .unwrap()
}

async fn read(response: Response<Body>) -> (u16, Value) {
    let status = response.status().as_u16();
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let frame: Result<_, Infallible> = frame;
        bytes.extend_from_slice(&frame.unwrap().into_data().unwrap());
    }
    (status, serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn every_type_of_body_is_accepted() {
    let (service, _waits) = site::service(|_| ());
    let ping = ["{\"jsonrpc\":\"2.0\",\"id\":1,", "", "\"method\":\"ping\"}"].map(Piece::Bytes);
    let answer = service.answer(post(Pieces(ping.into()))).await;
    assert_eq!(
        read(answer).await,
        (200, json!({"jsonrpc": "2.0", "id": 1, "result": {}}))
    );
}

#[tokio::test]
async fn it_is_a_hyper_service() {
    let (service, _) = site::service(|_| ());
    let (ours, theirs) = tokio::io::duplex(4096);
    let http = hyper::server::conn::http1::Builder::new()
        .serve_connection(hyper_util::rt::TokioIo::new(theirs), service);
    let ask = async move {
        let mut stream = ours;
        let head = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        soon(stream.write_all(head.as_bytes())).await.unwrap();
        let mut answer = String::new();
        soon(stream.read_to_string(&mut answer)).await.unwrap();
        answer
    };
    let (served, answer) = tokio::join!(http, ask);
    served.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
}

#[tokio::test]
async fn a_body_that_fails_is_refused() {
    let (service, _waits) = site::service(|_| ());
    let pieces = vec![Piece::Bytes("{"), Piece::Error];
    let (status, body) = read(service.answer(post(Pieces(pieces))).await).await;
    assert_eq!((status, &body["error"]["code"]), (400, &json!(-32600)));
}

#[tokio::test]
async fn a_panic_is_an_internal_error() {
    let (service, _waits) = site::service(|_| ());
    let pieces = vec![Piece::Bytes("{"), Piece::Panic];
    let answer = service.answer(post(Pieces(pieces))).await;
    assert!(answer.headers().contains_key("x-request-id"));
    let (status, body) = read(answer).await;
    assert_eq!((status, &body["error"]["code"]), (500, &json!(-32603)));
}

#[tokio::test]
async fn health_is_503_while_draining_and_requests_are_still_answered() {
    let (service, _waits) = site::service(|_| ());
    let health = || {
        let request = Request::get("/health").header("host", "localhost");
        request.body(Body::default()).unwrap()
    };
    assert_eq!(service.answer(health()).await.status(), 200);
    service.announce_shutdown();
    let (status, body) = read(service.answer(health()).await).await;
    assert_eq!(status, 503);
    assert_eq!(
        body,
        json!({"status": "draining", "name": "example", "version": "1.0.0"})
    );
    let ping = Piece::Bytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert_eq!(service.answer(post(Pieces(vec![ping]))).await.status(), 200);
}

#[tokio::test]
async fn a_head_may_be_as_long_as_its_limit() {
    let (service, _waits) = site::service(|it| it.limits = it.limits.with_header_bytes(100));
    for (length, status) in [(86, 200), (87, 431)] {
        // With `host` and `localhost`, and the name of this one.
        let request = Request::get("/health")
            .header("host", "localhost")
            .header("x", "y".repeat(length));
        let answer = service.answer(request.body(Body::default()).unwrap());
        assert_eq!(answer.await.status(), status, "{length}");
    }
}

#[tokio::test]
async fn a_slash_after_the_path_of_an_endpoint_makes_no_difference() {
    let site = site::Site::start().await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for (path, status) in [("/mcp", 200), ("/mcp/", 200), ("/mcp//", 404), ("/", 404)] {
        let mut post = crate::post::Post::body(ping.to_string());
        path.clone_into(&mut post.target);
        let mut client = site.client().await;
        assert_eq!(client.ask(post.to_bytes()).await.status, status, "{path}");
    }
    site.end().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_unix_socket_can_be_listened_on() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let (config, _waits) = site::config();
    let name = format!("mcp-http-{}.sock", std::process::id());
    let path = std::env::temp_dir().join(name);
    let listener = tokio::net::UnixListener::bind(&path).unwrap();
    let stop = mcp_http::ShutdownToken::new();
    let served = tokio::spawn(mcp_http::serve(listener, config, stop.clone()));
    let mut client = soon(tokio::net::UnixStream::connect(&path)).await.unwrap();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let ping = crate::post::Post::body(ping.to_string()).with("Connection", "close");
    soon(client.write_all(&ping.to_bytes())).await.unwrap();
    let mut answer = String::new();
    soon(client.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    stop.start_draining();
    soon(served).await.unwrap().unwrap();
    std::fs::remove_file(path).unwrap();
}

#[tokio::test]
async fn closing_answers_the_remaining_requests() {
    let (service, waits) = site::service(|_| ());
    let message =
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\"}}";
    let asked = service.clone();
    let answer = tokio::spawn(async move {
        let message = vec![Piece::Bytes(message)];
        asked.answer(post(Pieces(message))).await
    });
    waits.expect(Event::Started).await;
    soon(service.shutdown(Duration::from_millis(10))).await;
    waits.expect(Event::Dropped).await;
    let (status, body) = read(soon(answer).await.unwrap()).await;
    assert_eq!(
        (status, &body["id"], &body["error"]["code"]),
        (503, &json!(7), &json!(-32603))
    );
}

#[tokio::test]
async fn an_invalid_configuration_is_refused_at_once() {
    let refused = |adapt: fn(&mut HttpConfig)| {
        let (mut config, _waits) = site::config();
        adapt(&mut config);
        Service::new(config).err()
    };
    let path = |path: &str| Some(ConfigError::Path(path.to_owned()));
    assert_eq!(refused(|_| ()), None);
    assert_eq!(
        refused(|it| it.endpoints.clear()),
        Some(ConfigError::NoEndpoint)
    );
    assert_eq!(
        refused(|it| it.endpoints[0].0 = "mcp".to_owned()),
        path("mcp")
    );
    assert_eq!(refused(|it| it.endpoints[0].0 = String::new()), path(""));
    assert_eq!(
        refused(|it| it.endpoints[0].0 = "/health".to_owned()),
        path("/health")
    );
    assert_eq!(
        refused(|it| it.endpoints[0].0 = "/m?x".to_owned()),
        path("/m?x")
    );
    assert_eq!(
        refused(|it| it.endpoints[0].0 = "/m p".to_owned()),
        path("/m p")
    );
    assert_eq!(
        refused(|it| it.endpoints.push(it.endpoints[0].clone())),
        Some(ConfigError::DuplicatePath("/mcp".to_owned()))
    );
    assert_eq!(
        refused(|it| it.allowed_hosts.push("http://a".to_owned())),
        Some(ConfigError::Host("http://a".to_owned()))
    );
    assert_eq!(
        refused(|it| it.allowed_origins.push("a.example.org".to_owned())),
        Some(ConfigError::Origin("a.example.org".to_owned()))
    );

    let (mut config, _waits) = site::config();
    config.endpoints.clear();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let err = soon(mcp_http::serve(listener, config, CancellationToken::new()))
        .await
        .unwrap_err();
    assert_eq!(
        (err.kind(), err.to_string().as_str()),
        (io::ErrorKind::InvalidInput, "no endpoint is configured")
    );
}

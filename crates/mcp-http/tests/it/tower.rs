//! The service inside a host built on tower, here with axum.

use std::{fmt, future::poll_fn, pin::Pin, sync::Arc};

use axum::{Router, body::Body, routing::get};
use hyper::{Request, Response, body::Body as _};
use mcp_http::Service;
use mcp_protocol::Revision;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tower_service::Service as _;

use crate::{
    client::soon,
    post::{PER_REQUEST, Post},
    site,
    streams::{self, with_progress},
};

/// A host with a page of its own beside the endpoint.
fn host(service: Service) -> Router {
    Router::new()
        .route("/", get(|| async { "home" }))
        .route_service("/mcp", service)
}

async fn ask(host: &mut Router, request: Request<Body>) -> Response<Body> {
    soon(poll_fn(|cx| {
        tower_service::Service::<Request<Body>>::poll_ready(host, cx)
    }))
    .await
    .unwrap();
    soon(host.call(request)).await.unwrap()
}

fn request(post: &Post) -> Request<Body> {
    let mut request = Request::builder().method(post.method).uri(&post.target);
    for (name, value) in &post.headers {
        request = request.header(name, value);
    }
    request.body(Body::from(post.body.clone())).unwrap()
}

async fn text(response: Response<Body>) -> String {
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while let Some(frame) = soon(poll_fn(|cx| Pin::new(&mut body).poll_frame(cx))).await {
        bytes.extend_from_slice(&frame.unwrap().into_data().unwrap());
    }
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn the_service_answers_at_its_path_and_the_host_elsewhere() {
    let (service, _waits) = site::service(|_| ());
    let mut host = host(service);
    for &revision in Revision::ALL {
        let call = Post::call(revision, "sum", json!({"a": 2, "b": 3}));
        let answer = ask(&mut host, request(&call)).await;
        assert_eq!(answer.status(), 200);
        let answer: Value = serde_json::from_str(&text(answer).await).unwrap();
        assert_eq!(answer["result"]["content"][0]["text"], "{\"sum\":5}");
    }
    let home = Request::get("/").body(Body::empty()).unwrap();
    assert_eq!(text(ask(&mut host, home).await).await, "home");
    let stranger = Post::call(PER_REQUEST, "sum", json!({})).with("Origin", "https://example.org");
    assert_eq!(ask(&mut host, request(&stranger)).await.status(), 403);
}

#[tokio::test]
async fn event_streams_and_sessions_go_through() {
    let (server, releases) = streams::service();
    let mut host = host(server);
    let initialize = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
    let initialize = Post::request(Revision::V2025_11_25, json!(0), "initialize", initialize);
    // axum answers every request by another clone; they share their sessions.
    let initialized = ask(&mut host.clone(), request(&initialize)).await;
    let session = initialized.headers()["mcp-session-id"].to_str().unwrap();
    let step = with_progress(Revision::V2025_11_25, "step").with("Mcp-Session-Id", session);
    releases.add_permits(1);
    let answer = ask(&mut host, request(&step)).await;
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let events = text(answer).await;
    let events: Vec<&str> = events.split_terminator("\n\n").collect();
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events[0].contains("notifications/progress"), "{events:?}");
    assert!(events[1].contains("stepped"), "{events:?}");
    let end = Post::body("").method("DELETE").without("Content-Type");
    let end = end.with("Mcp-Session-Id", session);
    assert_eq!(ask(&mut host, request(&end)).await.status(), 204);
    assert_eq!(ask(&mut host, request(&step)).await.status(), 404);
}

/// Collects the texts of warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Warnings {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() == tracing::Level::WARN
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        struct Text(String);
        impl tracing::field::Visit for Text {
            fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn fmt::Debug) {
                self.0.push_str(&format!("{}: {value:?} ", field.name()));
            }
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        self.0.lock().push(text.0);
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test]
async fn a_router_that_strips_the_path_is_named_in_the_log() {
    let warnings = Warnings::default();
    let _collecting = tracing::subscriber::set_default(warnings.clone());
    let (service, _waits) = site::service(|_| ());
    let mut host = Router::new().nest_service("/mcp", service);
    let call = Post::call(PER_REQUEST, "sum", json!({"a": 2, "b": 3}));
    assert_eq!(ask(&mut host, request(&call)).await.status(), 404);
    let warnings = warnings.0.lock().concat();
    assert!(warnings.contains("route_service"), "{warnings}");
    assert!(warnings.contains("path: \"/\""), "{warnings}");
}

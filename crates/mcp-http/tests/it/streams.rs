//! Answers that are event streams: when there is one, and how each ends.

use std::{sync::Arc, time::Duration};

use mcp_http::{HttpConfig, Service, TransportStats};
use mcp_protocol::{CallToolResult, Revision, ServerInfo, Tool, ToolAnnotations};
use mcp_server::{ChangeNotifier, ListKinds, Server, ToolRouter};
use serde_json::{Value, json};
use tokio::sync::{
    Mutex, Semaphore,
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

use crate::{
    client::{Client, soon},
    post::{PER_REQUEST, Post, handshake},
    sessions::{open, ping},
    site::Site,
};

/// A site whose tool `step` says that it has begun, and ends when it is let.
pub(crate) struct Steps {
    pub(crate) site: Site,
    pub(crate) changes: ChangeNotifier,
    ended: Mutex<UnboundedReceiver<bool>>,
    begun: Arc<Semaphore>,
    releases: Arc<Semaphore>,
}

impl Steps {
    pub(crate) async fn start(adapt: impl FnOnce(&mut HttpConfig)) -> Self {
        let (send, ended) = unbounded_channel();
        let releases = Arc::new(Semaphore::new(0));
        let changes = ChangeNotifier::new();
        let begun = Arc::new(Semaphore::new(0));
        let server = server(send, Arc::clone(&begun), Arc::clone(&releases), &changes);
        let site = Site::start_with(|config| {
            config.endpoints = vec![("/mcp".to_owned(), Arc::new(server))];
            adapt(config);
        });
        Self {
            site: site.await,
            changes,
            ended: Mutex::new(ended),
            begun,
            releases,
        }
    }

    /// Whether the next call that ends has run to its end.
    pub(crate) async fn has_finished(&self) -> bool {
        soon(async { self.ended.lock().await.recv().await })
            .await
            .unwrap()
    }

    /// Waits until a call has begun.
    pub(crate) async fn has_begun(&self) {
        soon(self.begun.acquire()).await.unwrap().forget();
    }

    pub(crate) fn release(&self) {
        self.releases.add_permits(1);
    }
}

/// The same without a port; `step` ends when it gets a permit.
pub(crate) fn service() -> (Service, Arc<Semaphore>) {
    let (ended, _) = unbounded_channel();
    let releases = Arc::new(Semaphore::new(0));
    let begun = Arc::new(Semaphore::new(0));
    let server = server(ended, begun, Arc::clone(&releases), &ChangeNotifier::new());
    let service = Service::new(HttpConfig::new(Arc::new(server))).unwrap();
    (service, releases)
}

fn server(
    ended: UnboundedSender<bool>,
    begun: Arc<Semaphore>,
    releases: Arc<Semaphore>,
    changes: &ChangeNotifier,
) -> Server {
    let tool = |name: &str| {
        Tool::new(
            name,
            "For tests.",
            json!({"type": "object"}),
            ToolAnnotations::PURE,
        )
    };
    let tools = ToolRouter::new()
        .raw_tool_with_context(tool("step"), move |_, cx| {
            let call = Call(ended.clone(), false);
            let releases = Arc::clone(&releases);
            begun.add_permits(1);
            Box::pin(async move {
                cx.progress(1.0, None, None);
                releases.acquire().await.unwrap().forget();
                call.finish();
                Ok(CallToolResult::text("stepped"))
            })
        })
        .raw_tool_with_context(tool("flood"), |_, cx| {
            Box::pin(async move {
                for n in 0..FLOOD {
                    cx.progress(
                        f64::from(u16::try_from(n).unwrap()),
                        None,
                        Some("a message that takes some room"),
                    );
                }
                Ok(CallToolResult::text("flooded"))
            })
        });
    Server::builder(ServerInfo::new("example", "1.0.0"))
        .tools(tools)
        .list_changed(changes, ListKinds::ALL)
        .build()
        .unwrap()
}

/// NotificationStream of progress that are sent at once: more than wait for a client.
const FLOOD: usize = 1_000;

/// Says how a call ended.
struct Call(UnboundedSender<bool>, bool);

impl Call {
    fn finish(mut self) {
        self.1 = true;
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // A test that does not look has dropped its end.
        let _ = self.0.send(self.1);
    }
}

pub(crate) fn with_progress(revision: Revision, tool: &str) -> Post {
    let params = json!({"name": tool, "arguments": {}, "_meta": {"progressToken": "t"}});
    let mut post = Post::request(revision, json!(1), "tools/call", params);
    if !revision.has_handshake() {
        // The helper writes a `_meta` of its own.
        let mut body: Value = serde_json::from_slice(&post.body).unwrap();
        body["params"]["_meta"]["progressToken"] = "t".into();
        post.body = body.to_string().into_bytes();
    }
    post
}

pub(crate) fn listen() -> Post {
    let params = json!({"notifications": {"toolsListChanged": true}});
    Post::request(PER_REQUEST, json!(9), "subscriptions/listen", params)
}

#[tokio::test]
async fn r060_r077_a_stream_has_the_right_head_and_ends_after_the_response() {
    let steps = Steps::start(|_| ()).await;
    for &revision in Revision::ALL {
        let mut client = steps.site.client().await;
        client
            .send(with_progress(revision, "step").to_bytes())
            .await;
        let head = client.answer_without_body().await;
        assert_eq!(head.status, 200);
        assert_eq!(head.header("content-type"), Some("text/event-stream"));
        assert_eq!(head.header("x-accel-buffering"), Some("no"));
        assert_eq!(head.header("cache-control"), Some("no-cache"));
        assert_eq!(head.header("x-request-id"), Some("test"));
        let first = client.until("\n\n").await;
        assert!(first.contains("notifications/progress"), "{first}");
        steps.release();
        // The last chunk is the end of the body.
        let rest = client.until("\r\n0\r\n\r\n").await;
        assert!(rest.contains("\"stepped\""), "{rest}");
        // No priming event, and no event has an id: 2025-11-25 permits both and requires neither.
        assert!(!first.contains("id:") && !rest.contains("\nid:"), "{rest}");
        assert!(steps.has_finished().await);
        // The connection goes on.
        let ping = Post::message(
            Revision::V2025_11_25,
            &json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}),
        );
        assert_eq!(client.ask(ping.to_bytes()).await.status, 200);
    }
    steps.site.end().await;
}

#[tokio::test]
async fn a_client_that_accepts_only_json_gets_json() {
    let steps = Steps::start(|_| ()).await;
    let mut client = steps.site.client().await;
    for &revision in Revision::ALL {
        let post = with_progress(revision, "step").set("Accept", "application/json");
        client.send(post.to_bytes()).await;
        steps.release();
        let answer = client.answer().await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.json()["id"], 1);
    }
    let refused = client
        .ask(listen().set("Accept", "application/json").to_bytes())
        .await;
    assert_eq!(refused.outcome(), (200, Some(-32600)));
    steps.site.end().await;
}

#[tokio::test]
async fn r071_leaving_a_stream_cancels_where_there_is_no_handshake() {
    let steps = Steps::start(|_| ()).await;
    let mut client = steps.site.client().await;
    client
        .send(with_progress(PER_REQUEST, "step").to_bytes())
        .await;
    client.until("\n\n").await;
    drop(client);
    assert!(!steps.has_finished().await);
    steps.site.end().await;
}

/// Begins a call in a session and leaves, with its stream open or before there is one.
async fn leave_in_session(steps: &Steps, revision: Revision, with_stream: bool) {
    let mut client = steps.site.client().await;
    let session = open(&mut client, revision).await;
    let post = match with_stream {
        true => with_progress(revision, "step"),
        false => Post::call(revision, "step", json!({})),
    };
    let post = post.with("Mcp-Session-Id", &session);
    client.send(post.to_bytes()).await;
    steps.has_begun().await;
    if with_stream {
        client.until("\n\n").await;
    }
    drop(client);
    // There is room for one connection, so that the server has noticed once it answers this one.
    let mut next = steps.site.client().await;
    let ping = ping(revision, &session);
    assert_eq!(next.ask(ping.to_bytes()).await.status, 200);
}

#[tokio::test]
async fn r072_leaving_a_session_does_not_cancel_for_a_while() {
    for (abandoned, finishes) in [(Duration::from_secs(3600), true), (Duration::ZERO, false)] {
        let steps = Steps::start(|config| {
            config.limits.connections = 1;
            config.limits.abandoned_timeout = abandoned;
        })
        .await;
        for revision in handshake() {
            for with_stream in [true, false] {
                leave_in_session(&steps, revision, with_stream).await;
                if finishes {
                    steps.release();
                }
                assert_eq!(steps.has_finished().await, finishes);
            }
        }
        steps.site.end().await;
    }
}

/// A stream of a client that can be told apart by its address.
#[cfg(target_os = "linux")]
async fn listening(steps: &Steps, address: &str) -> Client {
    let mut client = Client::connect_from(address, steps.site.addr).await;
    client.send(listen().to_bytes()).await;
    client.until("\n\n").await;
    client
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_with_too_many_streams_ends_its_own_and_requests_still_get_through() {
    const STREAMS: usize = 4;
    let steps = Steps::start(|config| {
        config.limits.connections = STREAMS + 2;
        config.limits.streams = STREAMS;
        config.limits.streams_per_client = STREAMS;
    })
    .await;
    let mut good = listening(&steps, "127.0.0.1").await;
    let mut greedy = Vec::new();
    for _ in 0..4 * STREAMS {
        greedy.push(listening(&steps, "127.0.0.2").await);
    }
    // The greedy client's first stream has ended, with a result.
    let rest = greedy[0].until("\r\n0\r\n\r\n").await;
    assert!(rest.contains("\"resultType\":\"complete\""), "{rest}");
    for post in [
        Post::call(PER_REQUEST, "echo", json!({})),
        Post::request(
            Revision::V2025_11_25,
            json!(1),
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {}}),
        ),
    ] {
        let mut client = steps.site.client().await;
        assert_eq!(client.ask(post.to_bytes()).await.status, 200);
    }
    let mut client = steps.site.client().await;
    let health = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert_eq!(client.ask(health).await.status, 200);
    steps.changes.tools_changed();
    let event = good.until("\n\n").await;
    assert!(event.contains("list_changed"), "{event}");
    steps.site.end().await;
}

#[tokio::test]
async fn open_streams_and_sessions_are_counted() {
    let usage = TransportStats::default();
    let counted = usage.clone();
    let steps = Steps::start(|config| config.stats = counted).await;
    let mut client = steps.site.client().await;
    open(&mut client, Revision::V2025_11_25).await;
    assert_eq!((usage.listening_streams(), usage.sessions()), (0, 1));
    client.send(listen().to_bytes()).await;
    client.until("\n\n").await;
    assert_eq!((usage.listening_streams(), usage.sessions()), (1, 1));
    steps.site.end().await;
    assert_eq!(usage.listening_streams(), 0);
}

#[tokio::test]
async fn a_stream_outlives_the_time_a_connection_may_be_idle() {
    let steps = Steps::start(|config| {
        config.limits.idle_timeout = Duration::from_millis(50);
        config.limits.header_timeout = Duration::from_millis(50);
    })
    .await;
    let mut client = steps.site.client().await;
    client.send(listen().to_bytes()).await;
    let first = client.until("\n\n").await;
    assert!(
        first.contains("notifications/subscriptions/acknowledged"),
        "{first}"
    );
    // A connection without a stream is closed meanwhile, which is how the time is known to have passed.
    let mut idle = steps.site.client().await;
    assert_eq!(idle.rest().await, b"");
    let mut idle = steps.site.client().await;
    assert_eq!(idle.rest().await, b"");
    steps.changes.tools_changed();
    let event = client.until("\n\n").await;
    assert!(
        event.contains("notifications/tools/list_changed"),
        "{event}"
    );
    steps.site.end().await;
}

#[tokio::test]
async fn a_subscription_ends_with_a_result_when_the_server_stops() {
    let steps = Steps::start(|_| ()).await;
    let mut client = steps.site.client().await;
    client.send(listen().to_bytes()).await;
    client.until("\n\n").await;
    steps.site.stop.start_draining();
    let rest = client.until("\r\n0\r\n\r\n").await;
    assert!(rest.contains("\"resultType\":\"complete\""), "{rest}");
    assert!(
        rest.contains("\"io.modelcontextprotocol/subscriptionId\":9"),
        "{rest}"
    );
    steps.site.end().await;
}

#[tokio::test]
async fn unread_progress_is_dropped_but_the_response_is_sent() {
    let steps = Steps::start(|_| ()).await;
    for &revision in Revision::ALL {
        let mut client = steps.site.client().await;
        client
            .send(with_progress(revision, "flood").to_bytes())
            .await;
        let whole = client.until("\r\n0\r\n\r\n").await;
        let told = whole.matches("notifications/progress").count();
        assert!((1..FLOOD).contains(&told), "{told}");
        assert!(whole.contains("\"flooded\""));
    }
    steps.site.end().await;
}

#[tokio::test]
async fn a_call_without_a_progress_token_is_answered_with_json() {
    let steps = Steps::start(|_| ()).await;
    let mut client: Client = steps.site.client().await;
    for &revision in Revision::ALL {
        client
            .send(Post::call(revision, "step", json!({})).to_bytes())
            .await;
        steps.release();
        let answer = client.answer().await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.header("x-accel-buffering"), None);
    }
    steps.site.end().await;
}

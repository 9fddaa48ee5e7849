//! Subscriptions to resources: what a set learns of them, and what is refused.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use mcp_protocol::{ReadResourceResult, Resource, Revision, ServerInfo};
use mcp_server::{
    BoxFuture, CallContext, ChangeNotifier, ListKinds, ListVariant, ReadResourceError,
    RequestContext, ResourceSet, Server, ServerLimits, SubscribeError, SubscriptionGuard,
    transport::ClientChannel,
};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{ask, ask_over, handshake, request, said, session};

/// How many clients are subscribed to each resource.
type Counts = Arc<Mutex<BTreeMap<String, usize>>>;

struct Counting(Counts);

/// One subscription; over when dropped.
struct CountGuard(Counts, String);

impl Drop for CountGuard {
    fn drop(&mut self) {
        let mut counts = self.0.lock().unwrap();
        *counts.get_mut(&self.1).unwrap() -= 1;
        counts.retain(|_, count| *count > 0);
    }
}

impl ResourceSet for Counting {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        vec![Resource::new("test://a", "a", "For tests.")]
    }

    fn read<'a>(
        &'a self,
        _: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async { Err(ReadResourceError::NotFound) })
    }

    fn supports_subscriptions(&self) -> bool {
        true
    }

    fn subscribe<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        Box::pin(async move {
            match uri {
                "test://busy" => return Err(SubscribeError::Failed("ask later".to_owned())),
                "test://panic" => panic!("for tests"),
                "test://silent" => std::future::pending().await,
                _ if uri.starts_with("test://") => (),
                _ => {
                    return Err(SubscribeError::Refused(
                        "there are subscriptions to test://…".to_owned(),
                    ));
                }
            }
            *self.0.lock().unwrap().entry(uri.to_owned()).or_default() += 1;
            Ok(SubscriptionGuard::holding(CountGuard(
                Arc::clone(&self.0),
                uri.to_owned(),
            )))
        })
    }
}

struct Bench {
    server: Server,
    counts: Counts,
    changes: ChangeNotifier,
}

impl Bench {
    fn new(limits: ServerLimits) -> Self {
        let (counts, changes) = (Counts::default(), ChangeNotifier::new());
        let server = Server::builder(ServerInfo::new("test", "0"))
            .resources(Counting(Arc::clone(&counts)))
            .resource_updates(&changes)
            .limits(limits);
        Self {
            server: server.build().unwrap(),
            counts,
            changes,
        }
    }

    fn subscribed(&self) -> String {
        let counts = self.counts.lock().unwrap();
        let shown: Vec<_> = counts.iter().map(|(uri, n)| format!("{uri} {n}")).collect();
        shown.join(", ")
    }

    async fn session_asks(&self, cx: &RequestContext, revision: Revision, what: &str) -> Value {
        let (method, uri) = what.split_once(' ').unwrap();
        let method = format!("resources/{method}");
        ask_over(&self.server, revision, &method, json!({"uri": uri}), cx).await
    }
}

#[tokio::test]
async fn a_session_is_subscribed_until_it_unsubscribes_or_ends() {
    for revision in handshake() {
        let bench = Bench::new(ServerLimits::default());
        let (cx, _outgoing, session) = session(revision);
        for (what, subscribed) in [
            ("subscribe test://a", "test://a 1"),
            ("subscribe test://b", "test://a 1, test://b 1"),
            // Once more renews it.
            ("subscribe test://a", "test://a 1, test://b 1"),
            ("unsubscribe test://a", "test://b 1"),
            ("unsubscribe test://a", "test://b 1"),
            ("unsubscribe nothing", "test://b 1"),
        ] {
            let answer = bench.session_asks(&cx, revision, what).await;
            assert_eq!(answer["result"], json!({}), "{what}");
            assert_eq!(bench.subscribed(), subscribed, "{what}");
        }
        let mut notifications = bench.server.notification_stream(&session).unwrap();
        bench.changes.resource_updated("test://a");
        bench.changes.resource_updated("test://b");
        let notification: Value =
            serde_json::from_slice(&notifications.next().await.unwrap()).unwrap();
        assert_eq!(notification["method"], "notifications/resources/updated");
        assert_eq!(notification["params"], json!({"uri": "test://b"}));
        drop((cx, notifications, session));
        assert_eq!(bench.subscribed(), "");
    }
}

#[tokio::test]
async fn a_refused_subscription_does_not_count() {
    for revision in handshake() {
        let bench = Bench::new(
            ServerLimits::default()
                .with_subscriptions_per_client(1)
                .with_subscriptions(1),
        );
        let (cx, _outgoing, _session) = session(revision);
        for (uri, code, message) in [
            ("other://a", -32602, "there are subscriptions to test://…"),
            ("test://busy", -32603, "ask later"),
            ("test://panic", -32603, ""),
        ] {
            let what = format!("subscribe {uri}");
            let refused = bench.session_asks(&cx, revision, &what).await;
            assert_eq!(refused["error"]["code"], code, "{uri}");
            let said = refused["error"]["message"].as_str().unwrap();
            assert!(said.contains(message), "{said}");
        }
        let subscribed = bench
            .session_asks(&cx, revision, "subscribe test://a")
            .await;
        assert_eq!(subscribed["result"], json!({}));
    }
}

#[tokio::test]
async fn subscriptions_are_limited_for_each_client_and_for_all() {
    let revision = Revision::V2025_11_25;
    let bench = Bench::new(
        ServerLimits::default()
            .with_subscriptions_per_client(2)
            .with_subscriptions(3),
    );
    let (one, _outgoing, _session) = session(revision);
    let (other, _outgoing, _other_session) = session(revision);
    for (cx, what, refusal) in [
        (&one, "subscribe test://a", None),
        (&one, "subscribe test://b", None),
        (&one, "subscribe test://b", None),
        (&one, "subscribe test://c", Some("the session has 2")),
        (&other, "subscribe test://a", None),
        (&other, "subscribe test://c", Some("this server has 3")),
        (&one, "unsubscribe test://a", None),
        (&other, "subscribe test://c", None),
    ] {
        let answer = bench.session_asks(cx, revision, what).await;
        let said = answer["error"]["message"].as_str();
        match refusal {
            None => assert_eq!(said, None, "{what}"),
            Some(start) => assert!(said.is_some_and(|it| it.contains(start)), "{answer}"),
        }
    }
    assert_eq!(bench.subscribed(), "test://a 1, test://b 1, test://c 1");
}

/// Listens, and looks once that is acknowledged.
async fn listen(bench: &Bench, uris: Value, look: impl FnOnce(&Value)) -> Value {
    let stopping = CancellationToken::new();
    let (channel, mut outgoing) = ClientChannel::new(stopping.clone());
    let cx = RequestContext::default().with_channel(Arc::new(channel));
    let params = json!({"notifications": {"resourceSubscriptions": uris}});
    let revision = Revision::V2026_07_28;
    let request = request(revision, "subscriptions/listen", params);
    let listening = bench.server.handle(revision, request, &cx);
    let heard = async {
        let first = said(outgoing.recv().await.unwrap());
        look(&first["params"]["notifications"]);
        bench.changes.resource_updated("test://c");
        bench.changes.resource_updated("test://a");
        let notification = said(outgoing.recv().await.unwrap());
        assert_eq!(notification["params"]["uri"], "test://a");
        stopping.cancel();
    };
    let (response, ()) = tokio::join!(listening, heard);
    serde_json::from_slice(&response.to_vec()).unwrap()
}

#[tokio::test]
async fn r089_a_client_is_subscribed_as_long_as_it_listens() {
    let bench = Bench::new(ServerLimits::default());
    let uris = json!(["test://a", "test://b", "test://a"]);
    let ended = listen(&bench, uris, |honored| {
        assert_eq!(
            honored,
            &json!({"resourceSubscriptions": ["test://a", "test://b"]})
        );
        assert_eq!(bench.subscribed(), "test://a 1, test://b 1");
    })
    .await;
    assert_eq!(ended["result"]["resultType"], "complete");
    assert_eq!(bench.subscribed(), "");
}

#[tokio::test]
async fn r089_refused_resources_are_left_out_of_the_acknowledgement() {
    let bench = Bench::new(ServerLimits::default());
    let uris = json!(["other://a", "test://a"]);
    listen(&bench, uris, |honored| {
        assert_eq!(honored, &json!({"resourceSubscriptions": ["test://a"]}));
        assert_eq!(bench.subscribed(), "test://a 1");
    })
    .await;
}

/// What it would listen to may take long to answer, and its client lose the right to it meanwhile.
#[tokio::test]
async fn a_listen_request_that_has_to_end_before_it_begins_is_not_acknowledged() {
    let bench = Bench::new(ServerLimits::default());
    let stopping = CancellationToken::new();
    let (channel, mut outgoing) = ClientChannel::new(stopping.clone());
    let cx = RequestContext::default().with_channel(Arc::new(channel));
    let params = json!({"notifications": {"resourceSubscriptions": ["test://silent"]}});
    let revision = Revision::V2026_07_28;
    let listening = ask_over(&bench.server, revision, "subscriptions/listen", params, &cx);
    let listening = timeout(Duration::from_secs(10), listening);
    let (ended, ()) = tokio::join!(listening, async { stopping.cancel() });
    assert_eq!(ended.unwrap()["result"]["resultType"], "complete");
    assert!(outgoing.try_recv().is_err());
}

#[tokio::test]
async fn a_listen_request_with_nothing_left_is_refused() {
    let bench = Bench::new(ServerLimits::default().with_subscriptions_per_client(2));
    let revision = Revision::V2026_07_28;
    for (uris, says) in [
        (
            json!(["other://b", "other://a"]),
            "Invalid params: there are subscriptions to test://…",
        ),
        (
            json!(["test://a", "test://b", "test://c"]),
            "Invalid params: at most 2 resourceSubscriptions in a request",
        ),
    ] {
        let (channel, _outgoing) = ClientChannel::new(CancellationToken::new());
        let cx = RequestContext::default().with_channel(Arc::new(channel));
        let params = json!({"notifications": {"resourceSubscriptions": uris}});
        let refused = ask_over(&bench.server, revision, "subscriptions/listen", params, &cx).await;
        assert_eq!(refused["error"]["code"], -32602);
        assert_eq!(refused["error"]["message"], says);
        assert_eq!(bench.subscribed(), "");
    }
}

fn capabilities(initialized: &Value) -> &Value {
    &initialized["result"]["capabilities"]["resources"]
}

#[tokio::test]
async fn resources_can_be_updated_while_lists_are_fixed() {
    let bench = Bench::new(ServerLimits::default());
    for &revision in Revision::ALL {
        let initialize = match revision.has_handshake() {
            true => "initialize",
            false => "server/discover",
        };
        let initialized = ask(&bench.server, revision, initialize, json!({})).await;
        let expect = json!({"subscribe": true, "listChanged": false});
        assert_eq!(capabilities(&initialized), &expect);
    }
    assert!(bench.server.needs_sessions());
    let listed = ask(
        &bench.server,
        Revision::V2026_07_28,
        "resources/list",
        json!({}),
    )
    .await;
    assert_eq!(listed["result"]["ttlMs"], 3_600_000);
}

#[tokio::test]
async fn without_sessions_only_listening_clients_are_notified() {
    let changes = ChangeNotifier::new();
    let server = Server::builder(ServerInfo::new("test", "0"))
        .resources(Counting(Counts::default()))
        .list_changed(&changes, ListKinds::ALL)
        .logging()
        .sends_requests()
        .without_sessions()
        .build()
        .unwrap();
    assert!(!server.needs_sessions());
    for revision in handshake() {
        let initialized = ask(&server, revision, "initialize", json!({})).await;
        let expect = json!({"resources": {"subscribe": false, "listChanged": false}});
        assert_eq!(initialized["result"]["capabilities"], expect);
        let (cx, _outgoing, session) = session(revision);
        assert!(server.notification_stream(&session).is_none());
        for method in [
            "resources/subscribe",
            "resources/unsubscribe",
            "logging/setLevel",
        ] {
            let refused = ask_over(&server, revision, method, json!({"uri": "x"}), &cx).await;
            assert_eq!(refused["error"]["code"], -32601, "{method}");
        }
    }
    let revision = Revision::V2026_07_28;
    let initialized = ask(&server, revision, "server/discover", json!({})).await;
    let expect = json!({"subscribe": true, "listChanged": true});
    assert_eq!(capabilities(&initialized), &expect);
}

//! Resources that clients watch: what a set learns of it, and what is refused.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use mcp_protocol::{ReadResourceResult, Resource, Revision, ServerInfo};
use mcp_server::{
    BoxFuture, CallContext, Changes, Limits, Link, OUTGOING, ReadError, ResourceSet, Server, Watch,
    WatchError,
};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{ask, ask_over, handshake, request, said, session};

/// How many watch each resource.
type Counts = Arc<Mutex<BTreeMap<String, usize>>>;

struct Watchable(Counts);

/// One watch; no longer when dropped.
struct Guard(Counts, String);

impl Drop for Guard {
    fn drop(&mut self) {
        let mut counts = self.0.lock().unwrap();
        *counts.get_mut(&self.1).unwrap() -= 1;
        counts.retain(|_, count| *count > 0);
    }
}

impl ResourceSet for Watchable {
    fn resources(&self) -> Vec<Resource> {
        vec![Resource::new("test://a", "a", "For tests.")]
    }

    fn read<'a>(
        &'a self,
        _: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadError>> {
        Box::pin(async { Err(ReadError::NotFound) })
    }

    fn can_be_watched(&self) -> bool {
        true
    }

    fn watch<'a>(&'a self, uri: &'a str) -> BoxFuture<'a, Result<Watch, WatchError>> {
        Box::pin(async move {
            match uri {
                "test://busy" => return Err(WatchError::Failed("ask later".to_owned())),
                "test://panic" => panic!("for tests"),
                _ if uri.starts_with("test://") => (),
                _ => return Err(WatchError::Refused("test://… can be watched".to_owned())),
            }
            *self.0.lock().unwrap().entry(uri.to_owned()).or_default() += 1;
            Ok(Watch::new(Guard(Arc::clone(&self.0), uri.to_owned())))
        })
    }
}

struct Bench {
    server: Server,
    counts: Counts,
    changes: Changes,
}

impl Bench {
    fn new(limits: Limits) -> Self {
        let (counts, changes) = (Counts::default(), Changes::new());
        let server = Server::builder(ServerInfo::new("test", "0"))
            .resources(Watchable(Arc::clone(&counts)))
            .updates(&changes)
            .limits(limits);
        Self {
            server: server.build(),
            counts,
            changes,
        }
    }

    fn watched(&self) -> String {
        let counts = self.counts.lock().unwrap();
        let shown: Vec<_> = counts.iter().map(|(uri, n)| format!("{uri} {n}")).collect();
        shown.join(", ")
    }

    async fn session_asks(&self, cx: &CallContext, revision: Revision, what: &str) -> Value {
        let (method, uri) = what.split_once(' ').unwrap();
        let method = format!("resources/{method}");
        ask_over(&self.server, revision, &method, json!({"uri": uri}), cx).await
    }
}

#[tokio::test]
async fn a_session_watches_until_it_unsubscribes_or_ends() {
    for revision in handshake() {
        let bench = Bench::new(Limits::default());
        let (cx, _outgoing, session) = session(revision);
        for (what, watched) in [
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
            assert_eq!(bench.watched(), watched, "{what}");
        }
        let mut feed = bench.server.feed(&session).unwrap();
        bench.changes.resource_updated("test://a");
        bench.changes.resource_updated("test://b");
        let news: Value = serde_json::from_slice(&feed.next().await.unwrap()).unwrap();
        assert_eq!(news["method"], "notifications/resources/updated");
        assert_eq!(news["params"], json!({"uri": "test://b"}));
        drop((cx, feed, session));
        assert_eq!(bench.watched(), "");
    }
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused_and_takes_no_room() {
    for revision in handshake() {
        let bench = Bench::new(Limits {
            watches_per_client: 1,
            watches: 1,
            ..Limits::default()
        });
        let (cx, _outgoing, _session) = session(revision);
        for (uri, code, message) in [
            ("other://a", -32602, "test://… can be watched"),
            ("test://busy", -32603, "ask later"),
            ("test://panic", -32603, ""),
        ] {
            let what = format!("subscribe {uri}");
            let refused = bench.session_asks(&cx, revision, &what).await;
            assert_eq!(refused["error"]["code"], code, "{uri}");
            let said = refused["error"]["message"].as_str().unwrap();
            assert!(said.contains(message), "{said}");
        }
        let watched = bench
            .session_asks(&cx, revision, "subscribe test://a")
            .await;
        assert_eq!(watched["result"], json!({}));
    }
}

#[tokio::test]
async fn there_are_only_so_many_watches() {
    let revision = Revision::V2025_11_25;
    let bench = Bench::new(Limits {
        watches_per_client: 2,
        watches: 3,
        ..Limits::default()
    });
    let (one, _outgoing, _session) = session(revision);
    let (other, _outgoing, _other_session) = session(revision);
    for (cx, what, refusal) in [
        (&one, "subscribe test://a", None),
        (&one, "subscribe test://b", None),
        (&one, "subscribe test://b", None),
        (&one, "subscribe test://c", Some("the session watches 2")),
        (&other, "subscribe test://a", None),
        (&other, "subscribe test://c", Some("this server watches 3")),
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
    assert_eq!(bench.watched(), "test://a 1, test://b 1, test://c 1");
}

/// Listens, and looks once the subscription is acknowledged.
async fn listen(bench: &Bench, uris: Value, look: impl FnOnce(&Value)) -> Value {
    let (sender, mut outgoing) = mpsc::channel(OUTGOING);
    let stopping = CancellationToken::new();
    let cx = CallContext::over(Arc::new(Link::new(sender, stopping.clone())));
    let params = json!({"notifications": {"resourceSubscriptions": uris}});
    let revision = Revision::V2026_07_28;
    let request = request(revision, "subscriptions/listen", params);
    let listening = bench.server.handle(revision, request, &cx);
    let heard = async {
        let first = said(outgoing.recv().await.unwrap());
        look(&first["params"]["notifications"]);
        bench.changes.resource_updated("test://c");
        bench.changes.resource_updated("test://a");
        let news = said(outgoing.recv().await.unwrap());
        assert_eq!(news["params"]["uri"], "test://a");
        stopping.cancel();
    };
    let (response, ()) = tokio::join!(listening, heard);
    serde_json::from_slice(&response.to_vec()).unwrap()
}

#[tokio::test]
async fn r089_a_subscription_watches_until_it_ends() {
    let bench = Bench::new(Limits::default());
    let uris = json!(["test://a", "test://b", "test://a"]);
    let ended = listen(&bench, uris, |honored| {
        assert_eq!(
            honored,
            &json!({"resourceSubscriptions": ["test://a", "test://b"]})
        );
        assert_eq!(bench.watched(), "test://a 1, test://b 1");
    })
    .await;
    assert_eq!(ended["result"]["resultType"], "complete");
    assert_eq!(bench.watched(), "");
}

#[tokio::test]
async fn r089_what_cannot_be_watched_is_left_out_of_a_subscription() {
    let bench = Bench::new(Limits::default());
    let uris = json!(["other://a", "test://a"]);
    listen(&bench, uris, |honored| {
        assert_eq!(honored, &json!({"resourceSubscriptions": ["test://a"]}));
        assert_eq!(bench.watched(), "test://a 1");
    })
    .await;
}

#[tokio::test]
async fn a_subscription_of_which_nothing_is_left_is_refused() {
    let bench = Bench::new(Limits {
        watches_per_client: 2,
        ..Limits::default()
    });
    let revision = Revision::V2026_07_28;
    for (uris, says) in [
        (
            json!(["other://b", "other://a"]),
            "Invalid params: test://… can be watched",
        ),
        (
            json!(["test://a", "test://b", "test://c"]),
            "Invalid params: a subscription may watch 2 resources",
        ),
    ] {
        let (sender, _outgoing) = mpsc::channel(OUTGOING);
        let cx = CallContext::over(Arc::new(Link::new(sender, CancellationToken::new())));
        let params = json!({"notifications": {"resourceSubscriptions": uris}});
        let refused = ask_over(&bench.server, revision, "subscriptions/listen", params, &cx).await;
        assert_eq!(refused["error"]["code"], -32602);
        assert_eq!(refused["error"]["message"], says);
        assert_eq!(bench.watched(), "");
    }
}

fn capabilities(opened: &Value) -> &Value {
    &opened["result"]["capabilities"]["resources"]
}

#[tokio::test]
async fn resources_can_be_updated_while_lists_stay() {
    let bench = Bench::new(Limits::default());
    for &revision in Revision::ALL {
        let opening = match revision.has_handshake() {
            true => "initialize",
            false => "server/discover",
        };
        let opened = ask(&bench.server, revision, opening, json!({})).await;
        let expect = json!({"subscribe": true, "listChanged": false});
        assert_eq!(capabilities(&opened), &expect);
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
async fn without_sessions_only_those_who_listen_are_told() {
    let changes = Changes::new();
    let server = Server::builder(ServerInfo::new("test", "0"))
        .resources(Watchable(Counts::default()))
        .changes(&changes)
        .logging()
        .asks_clients()
        .without_sessions()
        .build();
    assert!(!server.needs_sessions());
    for revision in handshake() {
        let opened = ask(&server, revision, "initialize", json!({})).await;
        let expect = json!({"resources": {"subscribe": false, "listChanged": false}});
        assert_eq!(opened["result"]["capabilities"], expect);
        let (cx, _outgoing, session) = session(revision);
        assert!(server.feed(&session).is_none());
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
    let opened = ask(&server, revision, "server/discover", json!({})).await;
    let expect = json!({"subscribe": true, "listChanged": true});
    assert_eq!(capabilities(&opened), &expect);
}

//! Subscribed clients are notified of changes: in every revision, on both transports.

use mcp_protocol::Revision;
use qortal_testnode::Event;
use qortal_tests::{Answer, Events, Host, Stream, request, soon};
use serde_json::{Value, json};

const STATUS: &str = "qortal://node/status";
const TIP: &str = "qortal://chain/tip";
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

fn handshake() -> impl Iterator<Item = Revision> {
    Revision::ALL
        .iter()
        .copied()
        .filter(|it| it.has_handshake())
}

/// The status changes twice, and the client is notified twice.
async fn check(host: &Host, mut heard: impl AsyncFnMut() -> Value, shown: &str) {
    for connections in [3, 5] {
        host.node.apply(&Event::Connections(connections));
        let notification = heard().await;
        assert_eq!(
            notification["method"], "notifications/resources/updated",
            "{shown}"
        );
        assert_eq!(notification["params"]["uri"], STATUS, "{shown}");
    }
}

#[tokio::test]
async fn r089_r117_a_stream_is_notified_of_its_subscriptions() {
    for &revision in Revision::ALL {
        let host = Host::start().await;
        let mut stream: Stream = host.stdio(revision).await;
        let wanted = json!({"notifications": {"resourceSubscriptions": [STATUS]}});
        let begun = match revision.has_handshake() {
            true => {
                stream
                    .ask("resources/subscribe", json!({"uri": STATUS}))
                    .await
            }
            false => stream.ask("subscriptions/listen", wanted.clone()).await,
        };
        if revision.has_handshake() {
            assert_eq!(begun["result"], json!({}));
        } else {
            assert_eq!(begun["params"]["notifications"], wanted["notifications"]);
        }
        let heard = async || stream.hear().await.unwrap();
        check(&host, heard, revision.name()).await;
        if revision.has_handshake() {
            for uri in [TIP, STATUS] {
                let params = json!({"uri": uri});
                stream.ask("resources/subscribe", params.clone()).await;
                stream.ask("resources/unsubscribe", params).await;
            }
            host.node.apply(&Event::Connections(8));
            host.node.apply(&Event::Block);
            let pong = stream
                .ask("tools/call", json!({"name": "get_last_block"}))
                .await;
            assert_eq!(
                pong["id"], 1,
                "a notification without a subscription: {pong}"
            );
        }
        let said = stream.finish().await;
        match revision.has_handshake() {
            true => assert!(said.is_empty(), "{said:?}"),
            false => assert_eq!(said[0]["result"]["resultType"], "complete"),
        }
        host.stop().await;
    }
}

fn headers(revision: Revision, method: &str) -> String {
    let name = revision.name();
    format!("MCP-Protocol-Version: {name}\r\nMcp-Method: {method}\r\n")
}

#[tokio::test]
async fn r089_r117_a_listener_over_http_is_notified_of_its_subscriptions() {
    let host = Host::start().await;
    let revision = Revision::V2026_07_28;
    let wanted = json!({"resourceSubscriptions": [STATUS]});
    let body = request(
        revision,
        "subscriptions/listen",
        json!({"notifications": wanted}),
    );
    let headers = headers(revision, "subscriptions/listen");
    let mut events: Events = host
        .events(revision, "POST", &headers, &body.to_string())
        .await;
    let first = events.next().await.unwrap();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(first["params"]["notifications"], wanted);
    let heard = async || {
        let notification = events.next().await.unwrap();
        assert_eq!(notification["params"]["_meta"][SUBSCRIPTION_ID], 1);
        notification
    };
    check(&host, heard, "listen").await;
    host.stop().await;
    let ended = events.next().await.unwrap();
    assert_eq!(ended["result"]["resultType"], "complete");
}

/// Shakes hands over HTTP; the answer, and the session if there is one.
async fn open(host: &Host, revision: Revision) -> (Answer, Option<String>) {
    let params = json!({"protocolVersion": revision.name(), "capabilities": {}});
    let answer = host.http(revision, "initialize", params).await;
    let mut lines = answer.head.lines();
    let session = lines.find_map(|it| it.strip_prefix("mcp-session-id: "));
    let session = session.map(str::to_owned);
    (answer, session)
}

fn subscribes(answer: &Answer) -> Value {
    answer.json()["result"]["capabilities"]["resources"]["subscribe"].clone()
}

#[tokio::test]
async fn sessions_over_http_are_disabled_by_default() {
    let host = Host::start().await;
    for revision in handshake() {
        let (answer, session) = open(&host, revision).await;
        assert_eq!((subscribes(&answer), session), (json!(false), None));
        let params = json!({"uri": STATUS});
        let refused = host.http(revision, "resources/subscribe", params).await;
        assert_eq!(refused.json()["error"]["code"], -32601);
    }
    host.stop().await;
}

#[tokio::test]
async fn a_session_over_http_is_notified_of_its_subscriptions() {
    let host = Host::with_sessions().await;
    for revision in handshake() {
        let (answer, session) = open(&host, revision).await;
        assert_eq!(subscribes(&answer), true);
        let session = format!(
            "MCP-Protocol-Version: {}\r\nMcp-Session-Id: {}\r\n",
            revision.name(),
            session.unwrap()
        );
        let mut events = host.events(revision, "GET", &session, "").await;
        let subscribe = request(revision, "resources/subscribe", json!({"uri": STATUS}));
        let answer = host.http_with(revision, &session, &subscribe).await;
        assert_eq!(answer.json()["result"], json!({}), "{}", answer.text);
        check(
            &host,
            async || events.next().await.unwrap(),
            revision.name(),
        )
        .await;
        host.node.apply(&Event::Connections(0));
    }
    host.stop().await;
}

#[tokio::test]
async fn resources_without_subscriptions_are_refused_with_a_reason() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let mut stream = host.stdio(revision).await;
        for (uri, says) in [
            ("qortal://block/200", "these do: qortal://node/status, "),
            ("qortal://trade/offers/gold", "Expected one of BITCOIN"),
            ("test://x", "this resource does not support subscriptions"),
        ] {
            let refused = match revision.has_handshake() {
                true => stream.ask("resources/subscribe", json!({"uri": uri})).await,
                false => {
                    let wanted = json!({"resourceSubscriptions": [uri]});
                    let params = json!({"notifications": wanted});
                    stream.ask("subscriptions/listen", params).await
                }
            };
            assert_eq!(refused["error"]["code"], -32602, "{refused}");
            let message = refused["error"]["message"].as_str().unwrap();
            assert!(message.contains(says), "{message}");
        }
        stream.finish().await;
    }
    host.stop().await;
}

#[tokio::test]
async fn a_client_can_subscribe_to_ten_resources_at_once() {
    let host = Host::start().await;
    for revision in handshake() {
        let mut stream = host.stdio(revision).await;
        for n in 0..11 {
            let uri = format!("qortal://qdn-status/WEBSITE/victor/{n}");
            let answer = stream.ask("resources/subscribe", json!({"uri": uri})).await;
            assert_eq!(answer.get("error").is_some(), n == 10, "{answer}");
        }
        stream.finish().await;
    }
    host.stop().await;
}

/// Waits until the node's status socket was closed as often as that.
async fn until_closed(host: &Host, times: usize) {
    let is_closed = || {
        let journal = host.node.journal();
        let closed = journal.iter().filter(|it| it.method == "CLOSE");
        closed
            .filter(|it| it.target == "/websockets/admin/status")
            .count()
            >= times
    };
    soon(async {
        while !is_closed() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn polling_ends_with_the_last_subscription() {
    let host = Host::with_sessions().await;
    let revision = Revision::V2026_07_28;
    let wanted = json!({"notifications": {"resourceSubscriptions": [STATUS]}});
    // Over stdio, at the end of the input.
    let mut stream = host.stdio(revision).await;
    stream.ask("subscriptions/listen", wanted.clone()).await;
    host.until_asked("/websockets/admin/status").await;
    stream.finish().await;
    until_closed(&host, 1).await;
    // Over HTTP, when the connection ends.
    let body = request(revision, "subscriptions/listen", wanted);
    let headers = headers(revision, "subscriptions/listen");
    let mut events = host
        .events(revision, "POST", &headers, &body.to_string())
        .await;
    events.next().await.unwrap();
    host.node.apply(&Event::Connections(1));
    assert_eq!(events.next().await.unwrap()["params"]["uri"], STATUS);
    drop(events);
    until_closed(&host, 2).await;
    // In a session, when it ends.
    let revision = Revision::V2025_11_25;
    let (_, session) = open(&host, revision).await;
    let session = format!("Mcp-Session-Id: {}\r\n", session.unwrap());
    let subscribe = request(revision, "resources/subscribe", json!({"uri": STATUS}));
    host.http_with(revision, &session, &subscribe).await;
    let mut events = host.events(revision, "GET", &session, "").await;
    host.node.apply(&Event::Connections(2));
    assert_eq!(events.next().await.unwrap()["params"]["uri"], STATUS);
    host.delete(&session).await;
    assert_eq!(events.next().await, None);
    until_closed(&host, 3).await;
    host.stop().await;
}

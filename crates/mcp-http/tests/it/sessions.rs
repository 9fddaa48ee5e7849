//! Sessions, which only a server that sends more than responses has.

use std::time::Duration;

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::{
    client::Client,
    post::{Post, handshake},
    site::Site,
    streams::{Steps, with_progress},
};

fn initialize(revision: Revision) -> Post {
    let params = json!({"protocolVersion": revision.name(), "capabilities": {}});
    Post::request(revision, json!(0), "initialize", params)
}

pub(crate) async fn open(client: &mut Client, revision: Revision) -> String {
    let answer = client.ask(initialize(revision).to_bytes()).await;
    answer.header("mcp-session-id").unwrap().to_owned()
}

pub(crate) fn ping(revision: Revision, session: &str) -> Post {
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    Post::message(revision, &ping).with("Mcp-Session-Id", session)
}

pub(crate) fn get(session: &str) -> Post {
    let post = Post::body("").method("GET").without("Content-Type");
    post.with("Mcp-Session-Id", session)
}

#[tokio::test]
async fn a_server_that_only_answers_has_no_sessions() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for revision in handshake() {
        let answer = client.ask(initialize(revision).to_bytes()).await;
        assert_eq!(answer.header("mcp-session-id"), None);
        // It ignores session ids.
        assert_eq!(client.ask(ping(revision, "x").to_bytes()).await.status, 200);
    }
    for method in ["GET", "DELETE"] {
        let refused = client.ask(get("x").method(method).to_bytes()).await;
        assert_eq!(
            (refused.status, refused.header("allow")),
            (405, Some("POST"))
        );
    }
    site.end().await;
}

#[tokio::test]
async fn r074_ids_are_visible_ascii_and_never_the_same() {
    let steps = Steps::start(|_| ()).await;
    let mut client = steps.site.client().await;
    let mut ids = Vec::new();
    for revision in handshake() {
        let id = open(&mut client, revision).await;
        assert!(
            id.len() >= 32 && id.bytes().all(|it| it.is_ascii_graphic()),
            "{id}"
        );
        assert!(!ids.contains(&id));
        ids.push(id);
    }
    steps.site.end().await;
}

#[tokio::test]
async fn r074_an_unknown_session_is_404_with_the_id_of_the_request() {
    let steps = Steps::start(|_| ()).await;
    let mut client = steps.site.client().await;
    for revision in handshake() {
        for session in ["none", "", "\u{e4}"] {
            let answer = client.ask(ping(revision, session).to_bytes()).await;
            assert_eq!(answer.outcome(), (404, Some(-32600)), "{session}");
            assert_eq!(answer.json()["id"], 2);
        }
        let session = open(&mut client, revision).await;
        let twice = ping(revision, &session).with("Mcp-Session-Id", &session);
        assert_eq!(client.ask(twice.to_bytes()).await.status, 404);
    }
    steps.site.end().await;
}

#[tokio::test]
async fn a_session_over_the_limit_ends_the_oldest() {
    let steps = Steps::start(|config| config.limits.sessions = 2).await;
    let mut client = steps.site.client().await;
    let revision = Revision::V2025_11_25;
    let mut sessions = Vec::new();
    for _ in 0..3 {
        sessions.push(open(&mut client, revision).await);
    }
    let mut found = Vec::new();
    for session in &sessions {
        found.push(client.ask(ping(revision, session).to_bytes()).await.status);
    }
    assert_eq!(found, [404, 200, 200]);
    steps.site.end().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_with_too_many_sessions_ends_its_own() {
    let steps = Steps::start(|config| config.limits.sessions = 4).await;
    let revision = Revision::V2025_11_25;
    let mut good = steps.site.client().await;
    let session = open(&mut good, revision).await;
    let mut greedy = Client::connect_from("127.0.0.2", steps.site.addr).await;
    for _ in 0..20 {
        open(&mut greedy, revision).await;
    }
    let answer = good.ask(ping(revision, &session).to_bytes()).await;
    assert_eq!(answer.status, 200);
    steps.site.end().await;
}

#[tokio::test]
async fn an_idle_session_ends() {
    let steps = Steps::start(|config| config.limits.session_timeout = Duration::ZERO).await;
    let mut client = steps.site.client().await;
    let revision = Revision::V2025_11_25;
    let first = open(&mut client, revision).await;
    open(&mut client, revision).await;
    assert_eq!(
        client.ask(ping(revision, &first).to_bytes()).await.status,
        404
    );
    steps.site.end().await;
}

#[tokio::test]
async fn a_session_with_a_stream_is_not_idle() {
    let steps = Steps::start(|config| config.limits.session_timeout = Duration::ZERO).await;
    let mut client = steps.site.client().await;
    let revision = Revision::V2025_11_25;
    let session = open(&mut client, revision).await;
    let mut listener = steps.site.client().await;
    listener.send(get(&session).to_bytes()).await;
    assert_eq!(listener.answer_without_body().await.status, 200);
    open(&mut client, revision).await;
    let answer = client.ask(ping(revision, &session).to_bytes()).await;
    assert_eq!(answer.status, 200);
    steps.site.end().await;
}

#[tokio::test]
async fn a_new_notification_stream_replaces_the_previous_one() {
    let steps = Steps::start(|_| ()).await;
    let mut client = steps.site.client().await;
    let session = open(&mut client, Revision::V2025_11_25).await;
    let mut first = steps.site.client().await;
    first.send(get(&session).to_bytes()).await;
    assert_eq!(first.answer_without_body().await.status, 200);
    let mut second = steps.site.client().await;
    second.send(get(&session).to_bytes()).await;
    assert_eq!(second.answer_without_body().await.status, 200);
    first.until("0\r\n\r\n").await;
    steps.changes.tools_changed();
    let event = second.until("\n\n").await;
    assert!(
        event.contains("notifications/tools/list_changed"),
        "{event}"
    );
    // The end of the session is the end of its stream.
    let delete = get(&session).method("DELETE");
    assert_eq!(client.ask(delete.to_bytes()).await.status, 204);
    second.until("0\r\n\r\n").await;
    steps.site.end().await;
}

#[tokio::test]
async fn a_notification_stream_has_to_be_acceptable() {
    let steps = Steps::start(|_| ()).await;
    let mut client = steps.site.client().await;
    let session = open(&mut client, Revision::V2025_11_25).await;
    let post = get(&session).set("Accept", "application/json");
    assert_eq!(client.ask(post.to_bytes()).await.status, 406);
    steps.site.end().await;
}

#[tokio::test]
async fn r084_a_cancelled_request_is_ended_and_not_answered() {
    let steps = Steps::start(|_| ()).await;
    for revision in handshake() {
        let mut client = steps.site.client().await;
        let session = open(&mut client, revision).await;
        let post = with_progress(revision, "step").with("Mcp-Session-Id", &session);
        client.send(post.to_bytes()).await;
        client.until("\n\n").await;
        let mut other = steps.site.client().await;
        for id in [json!(77), json!("1"), json!(1)] {
            let cancelled = json!({
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {"requestId": id},
            });
            let note = Post::message(revision, &cancelled).with("Mcp-Session-Id", &session);
            assert_eq!(other.ask(note.to_bytes()).await.status, 202);
        }
        assert!(!steps.has_finished().await);
        let rest = client.until("0\r\n\r\n").await;
        assert!(!rest.contains("data:"), "{rest}");
    }
    steps.site.end().await;
}

#[tokio::test]
async fn without_the_version_header_the_negotiated_version_applies() {
    let steps = Steps::start(|_| ()).await;
    let mut client = steps.site.client().await;
    for revision in handshake() {
        let session = open(&mut client, revision).await;
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        let post = Post::body(list.to_string()).with("Mcp-Session-Id", &session);
        let answer: Value = client.ask(post.to_bytes()).await.json();
        let annotations = answer["result"]["tools"][0].get("annotations");
        assert_eq!(annotations.is_some(), revision.features().tool_annotations);
    }
    steps.site.end().await;
}

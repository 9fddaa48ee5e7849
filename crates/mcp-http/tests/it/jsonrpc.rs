//! Envelopes: ids, notifications, batches, and invalid messages.

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::{
    post::{PER_REQUEST, Post, handshake},
    site::Site,
};

/// Each body, under the header of each revision, is answered with the status, the code and the id.
async fn check(rows: &[(&str, &str, u16, i64, Option<Value>)]) {
    let site = Site::start().await;
    let mut client = site.client().await;
    for (row, body, status, code, id) in rows {
        for &revision in Revision::ALL {
            let post = Post::body(*body).with("MCP-Protocol-Version", revision.name());
            let answer = client.ask(post.to_bytes()).await;
            let what = format!("{row} at {}: {body}", revision.name());
            assert_eq!(answer.outcome(), (*status, Some(*code)), "{what}");
            // Never null.
            assert_eq!(answer.json().get("id"), id.as_ref(), "{what}");
            assert!(answer.json()["error"]["message"].is_string(), "{what}");
        }
    }
    site.end().await;
}

#[tokio::test]
async fn r020_r025_r027_ids_that_are_neither_string_nor_integer_are_invalid() {
    check(&[
        (
            "R-020",
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            400,
            -32600,
            None,
        ),
        (
            "R-020",
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            400,
            -32600,
            None,
        ),
        (
            "R-020",
            r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
            400,
            -32600,
            None,
        ),
        (
            "R-020",
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            400,
            -32600,
            None,
        ),
        (
            "R-020",
            r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#,
            400,
            -32600,
            None,
        ),
    ])
    .await;
}

#[tokio::test]
async fn r025_r027_r028_invalid_messages_are_refused_with_the_id_where_it_can_be_read() {
    check(&[
        ("R-025", "", 400, -32700, None),
        ("R-025", "{", 400, -32700, None),
        ("R-025", "{} {}", 400, -32700, None),
        ("R-025", "\"\u{0}\"", 400, -32700, None),
        ("R-028", "{}", 400, -32600, None),
        ("R-028", "17", 400, -32600, None),
        (
            "R-028",
            r#"{"id":1,"method":"ping"}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        (
            "R-028",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        (
            "R-028",
            r#"{"jsonrpc":2,"id":"a","method":"ping"}"#,
            400,
            -32600,
            Some(json!("a")),
        ),
        (
            "R-028",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        (
            "R-028",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":7}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        (
            "R-028",
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        (
            "R-028",
            r#"{"jsonrpc":"2.0","id":1}"#,
            400,
            -32600,
            Some(json!(1)),
        ),
        ("R-024", "[]", 400, -32600, None),
    ])
    .await;
}

#[tokio::test]
async fn r021_the_id_is_returned_with_its_type() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        for id in [
            json!(1),
            json!("1"),
            json!(0),
            json!(-7),
            json!(u64::MAX),
            json!("ä\"\\\n"),
            json!(""),
        ] {
            let post = Post::request(revision, id.clone(), "tools/list", json!({}));
            let answer = client.ask(post.to_bytes()).await;
            assert_eq!(answer.outcome(), (200, None), "{}", revision.name());
            assert_eq!(answer.json()["id"], id, "{}", revision.name());
        }
    }
    site.end().await;
}

#[tokio::test]
async fn r022_notifications_and_responses_are_accepted_without_a_response() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "method": "no/such/notification"}),
        json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "panic"}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}),
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "no"}}),
    ] {
        for &revision in Revision::ALL {
            let answer = client
                .ask(Post::message(revision, &message).to_bytes())
                .await;
            assert_eq!(answer.status, 202, "{message} at {}", revision.name());
            assert_eq!(answer.body, b"", "{message} at {}", revision.name());
        }
        let without_header = Post::body(message.to_string());
        assert_eq!(
            client.ask(without_header.to_bytes()).await.status,
            202,
            "{message}"
        );
    }
    // One that names its revision needs no headers: none are defined for it.
    let mut message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled"});
    message["params"]["_meta"] = crate::post::meta(PER_REQUEST.name());
    let answer = client.ask(Post::body(message.to_string()).to_bytes()).await;
    assert_eq!((answer.status, answer.body.len()), (202, 0));
    site.end().await;
}

#[tokio::test]
async fn r005_r023_a_batch_is_answered_as_one_array_where_batches_exist() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let ping = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let pong = |id: i64| json!({"jsonrpc": "2.0", "id": id, "result": {}});
    for header in [None, Some(Revision::V2025_03_26)] {
        for (batch, status, expect) in [
            (
                json!([ping(1), ping(2)]),
                200,
                Some(json!([pong(1), pong(2)])),
            ),
            (json!([note, ping(3), note]), 200, Some(json!([pong(3)]))),
            (json!([note, note]), 202, None),
        ] {
            let mut post = Post::body(batch.to_string());
            if let Some(revision) = header {
                post = post.with("MCP-Protocol-Version", revision.name());
            }
            let answer = client.ask(post.to_bytes()).await;
            assert_eq!(answer.status, status, "{batch}");
            match expect {
                Some(expect) => assert_eq!(answer.json(), expect),
                None => assert_eq!(answer.body, b""),
            }
        }
    }
    // An invalid message is answered in its place.
    let answer = client
        .ask(Post::body(json!([7, ping(1)]).to_string()).to_bytes())
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()[0]["error"]["code"], -32600);
    assert_eq!(answer.json()[0].get("id"), None);
    assert_eq!(answer.json()[1], pong(1));
    // `initialize` must not be part of a batch.
    let initialize = json!([{"jsonrpc": "2.0", "id": 1, "method": "initialize"}]);
    let answer = client
        .ask(Post::body(initialize.to_string()).to_bytes())
        .await;
    assert_eq!(answer.json()[0]["error"]["code"], -32600);
    site.end().await;
}

#[tokio::test]
async fn r024_a_batch_is_refused_where_batches_do_not_exist() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let batch = json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]);
    for revision in handshake()
        .chain([PER_REQUEST])
        .filter(|it| !it.features().batches)
    {
        let answer = client.ask(Post::message(revision, &batch).to_bytes()).await;
        assert_eq!(answer.outcome(), (400, Some(-32600)), "{}", revision.name());
        assert_eq!(answer.json().get("id"), None);
    }
    let params = json!({"_meta": crate::post::meta(PER_REQUEST.name())});
    let modern = json!([{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}]);
    let answer = client.ask(Post::body(modern.to_string()).to_bytes()).await;
    assert_eq!(answer.outcome(), (400, Some(-32600)));
    let unknown = Post::body(batch.to_string()).with("MCP-Protocol-Version", "1999-01-01");
    assert_eq!(
        client.ask(unknown.to_bytes()).await.outcome(),
        (400, Some(-32022))
    );
    site.end().await;
}

#[tokio::test]
async fn r026_no_code_is_used_that_the_specification_reserves_or_retired() {
    let site = Site::start().await;
    let mut client = site.client().await;
    let revision = PER_REQUEST;
    let posts = [
        Post::request(revision, json!(1), "ping", json!({})),
        Post::request(revision, json!(1), "resources/read", json!({"uri": "a:b"})),
        Post::request(revision, json!(1), "resources/read", json!({"uri": "a:b"}))
            .with("Mcp-Name", "a:b"),
        Post::call(revision, "no_such_tool", json!({})),
        Post::call(revision, "panic", json!({})),
        Post::call(revision, "echo", json!([])),
        Post::call(revision, "echo", json!({})).without("Mcp-Method"),
        Post::call(revision, "echo", json!({})).set("Host", "example.org"),
        Post::call(revision, "echo", json!({})).set("Content-Type", "text/plain"),
        Post::body("{"),
        Post::body("[]"),
    ];
    let allowed = [-32700, -32600, -32601, -32602, -32603, -32020, -32022];
    for post in posts {
        let answer = client.ask(post.to_bytes()).await;
        let (_, code) = answer.outcome();
        assert!(
            code.is_some_and(|it| allowed.contains(&it)),
            "{code:?} for {post:?}"
        );
    }
    site.end().await;
}

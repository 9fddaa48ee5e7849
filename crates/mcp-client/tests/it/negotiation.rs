//! How a client agrees on a revision with servers of all kinds.

use mcp_client::{ClientError, mcp_protocol::Revision};
use serde_json::{Value, json};

use crate::{
    odd_server::{config, connect},
    server::object,
};

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_not_waited_for() {
    let (client, mut server) = connect(config());
    let heard = tokio::spawn(async move {
        let mut heard = Vec::new();
        while let Some(message) = server.hear().await {
            heard.push(message["method"].as_str().unwrap_or_default().to_owned());
        }
        heard
    });
    let outcome = client.await;
    assert!(
        matches!(&outcome, Err(ClientError::TimedOut { method, .. }) if method == "initialize"),
        "{outcome:?}"
    );
    // That one is never cancelled.
    let expect = ["server/discover", "notifications/cancelled", "initialize"];
    assert_eq!(heard.await.unwrap(), expect);
}

#[tokio::test(start_paused = true)]
async fn an_older_server_is_shaken_hands_with_however_it_refuses() {
    for refusal in [
        json!({"error": {"code": -32601, "message": "no"}}),
        json!({"error": {"code": -32602, "message": "no"}}),
        json!({"error": {"code": 7, "message": "no"}}),
        json!({"error": {"code": -32022, "message": "no", "data": {"supported": ["2025-11-25"]}}}),
        json!({"result": {}}),
        json!({"result": {"supportedVersions": ["2025-06-18"], "capabilities": {}}}),
        Value::Null,
    ] {
        let (client, mut server) = connect(config());
        let serve = async {
            let probe = server.hear().await.unwrap();
            assert_eq!(probe["method"], "server/discover");
            if refusal.is_null() {
                assert_eq!(
                    server.hear().await.unwrap()["method"],
                    "notifications/cancelled"
                );
            } else {
                let mut response = json!({"jsonrpc": "2.0", "id": probe["id"]});
                for (name, value) in object(refusal.clone()) {
                    response[name] = value;
                }
                server.say(&response.to_string()).await;
            }
            server.shake().await;
            server
        };
        let (client, _server) = tokio::join!(client, serve);
        assert_eq!(
            client.unwrap().revision(),
            Revision::V2025_11_25,
            "{refusal}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_newer_server_is_asked_again_or_not_at_all() {
    for (supported, is_asked_again) in [
        (json!(["2026-07-28"]), true),
        (json!(["2027-01-01", "2026-07-28"]), true),
        (json!(["2027-01-01"]), false),
        (json!([]), false),
    ] {
        let (client, mut server) = connect(config());
        let serve = async {
            let probe = server.hear().await.unwrap();
            let error = json!({"code": -32022, "message": "no", "data": {"supported": supported}});
            let response = json!({"jsonrpc": "2.0", "id": probe["id"], "error": error});
            server.say(&response.to_string()).await;
            let again = server.hear().await;
            assert_eq!(again.is_some(), is_asked_again);
            if let Some(again) = again {
                assert_eq!(again["method"], "server/discover");
                let result = json!({"supportedVersions": supported, "capabilities": {}});
                server.answer(&again, result).await;
            }
            server
        };
        let (client, _server) = tokio::join!(client, serve);
        match client {
            Ok(client) => assert!(is_asked_again && !client.revision().has_handshake()),
            Err(why) => {
                assert!(
                    !is_asked_again && matches!(why, ClientError::Unsupported { .. }),
                    "{why:?}"
                );
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_agrees_to_something_unknown_is_left() {
    for version in ["2026-07-28", "2099-01-01", "2025-06-18"] {
        let (client, mut server) = connect(config().with_revision(Revision::V2025_11_25));
        let serve = async {
            let request = server.hear().await.unwrap();
            let result = json!({"protocolVersion": version, "capabilities": {},
                "serverInfo": {"name": "odd", "version": "0"}});
            server.answer(&request, result).await;
            assert!(server.hear().await.is_none());
        };
        let (client, ()) = tokio::join!(client, serve);
        assert!(
            matches!(&client, Err(ClientError::Unsupported { offered }) if *offered == [version]),
            "{client:?}"
        );
    }
}

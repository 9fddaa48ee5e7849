//! The envelope of messages: ids, invalid requests, and batches.

use mcp_protocol::{Revision, lifecycle};
use serde_json::{Value, json};

use crate::client::{Client, Transport, message};

#[tokio::test]
async fn r020_r021_an_id_is_returned_unchanged_and_an_invalid_one_is_refused() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            let mut client = Client::open(transport, revision).await;
            for id in [
                json!("1"),
                json!(1),
                json!(0),
                json!(-7),
                json!(i64::MAX),
                json!(u64::MAX),
                json!(""),
                json!("ä\u{2028}\""),
            ] {
                let request = message(revision, id.clone(), "tools/list", json!({}));
                let response = client.exchange(&request).await.response;
                assert_eq!(response["id"], id, "{} {transport:?}", revision.name());
                assert!(response.get("result").is_some());
            }
            client.finish().await;
        }
    }
}

#[tokio::test]
async fn r020_r025_r028_invalid_requests_are_refused() {
    for transport in Transport::BOTH {
        // On stdio an error goes without an id only where the schema allows it.
        let answers =
            |it: &Revision| transport == Transport::Http || it.features().errors_without_id;
        for revision in Revision::ALL.iter().copied().filter(answers) {
            let mut client = Client::open(transport, revision).await;
            for id in [json!(null), json!(1.5), json!(true), json!({}), json!([1])] {
                let request = message(revision, id.clone(), "tools/list", json!({}));
                let response = client.exchange(&request).await.response;
                assert_eq!(response["error"]["code"], -32600, "{id}");
                assert_eq!(response.get("id"), None, "{id}");
            }
            for (member, value) in [
                ("jsonrpc", json!("1.0")),
                ("jsonrpc", Value::Null),
                ("method", json!(7)),
                ("params", json!([1])),
            ] {
                let mut request = message(revision, json!(1), "tools/list", json!({}));
                request[member] = value;
                let response = client.exchange(&request).await.response;
                assert_eq!(response["error"]["code"], -32600, "{request}");
                assert_eq!(response["id"], 1, "{request}");
            }
            client.finish().await;
        }
    }
}

#[tokio::test]
async fn r005_r023_r024_a_batch_is_answered_by_the_one_revision_that_has_them() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            let mut client = Client::open(transport, revision).await;
            let request = |id, method| message(revision, json!(id), method, json!({}));
            let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            let batch = json!([
                request(1, "tools/list"),
                note,
                request(2, "no/such"),
                request(3, "initialize"),
            ]);
            let response = client.exchange(&batch).await.response;
            let shown = format!("{} on {transport:?}: {response}", revision.name());
            match revision.features().batches {
                true => {
                    let answers = response.as_array().unwrap();
                    let told: Vec<_> = answers
                        .iter()
                        .map(|it| (&it["id"], it["error"]["code"].as_i64()))
                        .collect();
                    let expect = [
                        (&json!(1), None),
                        (&json!(2), Some(-32601)),
                        (&json!(3), Some(-32600)),
                    ];
                    assert_eq!(told, expect, "{shown}");
                }
                false => assert_eq!(response["error"]["code"], -32600, "{shown}"),
            }
            client.finish().await;
        }
    }
}

#[tokio::test]
async fn r013_r017_both_lifecycles_alternate_on_one_connection() {
    let squares = json!({"name": "squares", "arguments": {"count": 2}});
    for transport in Transport::BOTH {
        for older in Revision::ALL
            .iter()
            .copied()
            .filter(|it| it.has_handshake())
        {
            let mut client = Client::open(transport, older).await;
            for round in 0..2 {
                let shown = format!("{} on {transport:?}, round {round}", older.name());
                client.speak(Revision::V2026_07_28);
                let found = client.request("server/discover", json!({})).await;
                assert_eq!(found["result"]["resultType"], "complete", "{shown}");
                let called = client.request("tools/call", squares.clone()).await;
                assert_eq!(called["result"]["structuredContent"], json!([0, 1]));
                let refused = client.request("initialize", json!({})).await;
                assert_eq!(refused["error"]["code"], -32601, "{shown}");
                // The capabilities of the handshake do not apply here.
                let nothing = json!({lifecycle::CLIENT_CAPABILITIES: {}});
                let params = json!({"name": "test_missing_capability", "_meta": nothing});
                let refused = client.request("tools/call", params).await;
                assert_eq!(refused["error"]["code"], -32021, "{shown}");

                client.speak(older);
                let called = client.request("tools/call", squares.clone()).await;
                assert_eq!(called["result"].get("resultType"), None, "{shown}");
                let structured = match older.features().titles {
                    true => json!({"result": [0, 1]}),
                    false => Value::Null,
                };
                assert_eq!(called["result"]["structuredContent"], structured, "{shown}");
                let params = json!({"name": "test_missing_capability"});
                let called = client.request("tools/call", params).await;
                let error = &called["result"]["isError"];
                assert_eq!(*error, false, "{shown}");
            }
            client.finish().await;
        }
    }
}

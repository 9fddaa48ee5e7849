//! The envelope of messages: ids, what is no request, and batches.

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::client::{Client, Transport, message};

#[tokio::test]
async fn r020_r021_an_id_comes_back_as_it_was_and_what_is_none_is_refused() {
    for transport in Transport::BOTH {
        for revision in Revision::ALL {
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
async fn r020_r025_r028_what_is_no_request_is_refused() {
    for transport in Transport::BOTH {
        // The revisions whose errors may go without an id on stdio.
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
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
async fn r023_r024_a_batch_is_answered_by_the_one_revision_that_has_them() {
    for transport in Transport::BOTH {
        for revision in [Revision::V2025_03_26, Revision::V2025_11_25] {
            let mut client = Client::open(transport, revision).await;
            let request = |id| message(revision, json!(id), "ping", json!({}));
            let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            let batch = json!([request(1), note, request(2)]);
            let response = client.exchange(&batch).await.response;
            match revision.rules().batches {
                true => {
                    let ids: Vec<_> = response
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|it| &it["id"])
                        .collect();
                    assert_eq!(ids, [&json!(1), &json!(2)]);
                }
                false => assert_eq!(response["error"]["code"], -32600),
            }
            client.finish().await;
        }
    }
}

#[tokio::test]
async fn r017_both_lifecycles_alternate_on_one_connection() {
    for transport in Transport::BOTH {
        let mut client = Client::open(transport, Revision::V2025_06_18).await;
        if transport == Transport::Stdio {
            let discover = message(
                Revision::V2026_07_28,
                json!(5),
                "server/discover",
                json!({}),
            );
            let found = client.exchange(&discover).await.response;
            assert_eq!(found["result"]["resultType"], "complete");
        }
        let listed = client.request("tools/list", json!({})).await;
        assert_eq!(listed["result"].get("resultType"), None);
        client.finish().await;
    }
}

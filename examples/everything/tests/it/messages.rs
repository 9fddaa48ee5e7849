//! The messages before a response: progress and log messages.

use mcp_protocol::Revision;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::client::{Client, Transport};

fn methods(before: &[Value]) -> Vec<&str> {
    before
        .iter()
        .filter_map(|it| it["method"].as_str())
        .collect()
}

/// Over both transports in all revisions at once: the tools wait between their messages.
async fn everywhere<F: Future<Output = ()> + Send + 'static>(check: fn(Transport, Revision) -> F) {
    let mut all = JoinSet::new();
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            all.spawn(check(transport, revision));
        }
    }
    all.join_all().await;
}

#[tokio::test]
async fn r085_progress_goes_to_clients_that_sent_a_token_and_increases() {
    everywhere(progress).await;
}

async fn progress(transport: Transport, revision: Revision) {
    let mut client = Client::open(transport, revision).await;
    for (token, told) in [
        (json!("a"), json!("a")),
        (json!(7), json!(7)),
        // An integer, however it is written.
        (json!(7.0), json!(7)),
    ] {
        let meta = json!({"progressToken": token});
        let params = json!({"name": "test_tool_with_progress", "_meta": meta});
        let heard = client.converse("tools/call", params).await;
        let params: Vec<_> = heard.before.iter().map(|it| it["params"].clone()).collect();
        let shown = format!("{} on {transport:?}", revision.name());
        assert_eq!(
            methods(&heard.before),
            ["notifications/progress"; 3],
            "{shown}"
        );
        let message = revision.features().progress_message.then_some("halfway");
        assert_eq!(params[1]["message"], json!(message), "{shown}");
        for (params, progress) in params.iter().zip([0, 50, 100]) {
            assert_eq!(params["progressToken"], told, "{shown}");
            assert_eq!(params["progress"], progress, "{shown}");
            assert_eq!(params["total"], 100, "{shown}");
        }
        assert_eq!(heard.response["result"]["isError"], false, "{shown}");
    }
    let params = json!({"name": "test_tool_with_progress"});
    let heard = client.converse("tools/call", params).await;
    assert_eq!(heard.before, Vec::<Value>::new());
    client.finish().await;
}

#[tokio::test]
async fn r086_log_messages_go_to_sessions_that_set_a_level() {
    everywhere(logging).await;
}

async fn logging(transport: Transport, revision: Revision) {
    let mut client = Client::open(transport, revision).await;
    let params = json!({"name": "test_tool_with_logging"});
    let heard = client.converse("tools/call", params.clone()).await;
    assert_eq!(heard.before, Vec::<Value>::new());
    for (level, count) in [("debug", 3), ("info", 3), ("warning", 0)] {
        client
            .request("logging/setLevel", json!({"level": level}))
            .await;
        let heard = client.converse("tools/call", params.clone()).await;
        let count = if revision.has_handshake() { count } else { 0 };
        let shown = format!("{level} at {} on {transport:?}", revision.name());
        let expect = vec!["notifications/message"; count];
        assert_eq!(methods(&heard.before), expect, "{shown}");
    }
    client.finish().await;
}

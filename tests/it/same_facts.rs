//! the same call says the same in all five revisions on both transports.

use mcp_protocol::Revision;
use qortal_tests::Host;
use qortal_tools::Catalogue;
use serde_json::{Value, json};

/// What changes between two calls of any kind.
const CLOCKS: [&str; 6] = [
    "clockSkew",
    "currentTimestamp",
    "currentTimestampIso",
    "lastBlockAge",
    "uptime",
    "uptimeText",
];

fn facts(answer: &Value) -> Value {
    let result = &answer["result"];
    assert_eq!(result["isError"], false, "{answer}");
    let text = result["content"][0]["text"].as_str().unwrap();
    let mut facts: Value = serde_json::from_str(text).unwrap();
    if let Some(structured) = result.get("structuredContent") {
        assert_eq!(structured, &facts, "text and structure differ");
    }
    let object = facts.as_object_mut().unwrap();
    object.retain(|key, _| !CLOCKS.contains(&key.as_str()));
    facts
}

#[tokio::test]
async fn r043_r091_every_tool_says_the_same_everywhere() {
    let host = Host::start().await;
    let mut streams = Vec::new();
    for revision in Revision::ALL {
        streams.push(host.stdio(revision).await);
    }
    for entry in Catalogue::entries() {
        let arguments: Value = serde_json::from_str(entry.example).unwrap();
        let params = json!({"name": entry.name, "arguments": arguments});
        let mut said = Vec::new();
        for (revision, stream) in Revision::ALL.into_iter().zip(&mut streams) {
            let over_http = host.http(revision, "tools/call", params.clone()).await;
            assert_eq!(over_http.status, 200);
            said.push(facts(&over_http.json()));
            said.push(facts(&stream.ask("tools/call", params.clone()).await));
        }
        assert!(
            said.iter().all(|it| *it == said[0]),
            "{}: {said:#?}",
            entry.name
        );
    }
    for stream in streams {
        assert!(stream.finish().await.is_empty());
    }
    host.stop().await;
}

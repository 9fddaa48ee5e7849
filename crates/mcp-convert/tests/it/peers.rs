//! What is sent to other peers of MCP, so that no SDK refuses a message for one block of it.

use mcp_convert::for_peers;
use mcp_protocol::{CallToolResult, Loss, Revision, read::Reading, render};
use serde_json::{Value, json};

/// The block as it is sent, and the codes of what was lost.
fn sent(block: &Value) -> (Value, Vec<&'static str>) {
    let result = json!({"content": [block]});
    let parsed = CallToolResult::read(result.clone(), Reading::default()).unwrap();
    let (result, losses) = for_peers(parsed.result);
    let rules = Revision::V2025_11_25.rules();
    let (projected, _) = render::project(result, rules, &render::Projection::default()).unwrap();
    let codes = losses.iter().map(Loss::code).collect();
    (projected["content"].clone(), codes)
}

#[test]
fn a_block_that_an_sdk_would_refuse_is_sent_in_another_form() {
    let image = |data: &str| json!({"type": "image", "data": data, "mimeType": "image/png"});
    let resource = |contents: Value| json!({"type": "resource", "resource": contents});
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let rows = [
        (image("aGVsbG8="), json!([image("aGVsbG8=")]), vec![]),
        (image("aGVs\nbG8"), json!([image("aGVsbG8=")]), vec![]),
        (
            image("data:image/png;base64,aGVsbG8="),
            json!([image("aGVsbG8=")]),
            vec![],
        ),
        (
            image("<broken>"),
            text("[image/png image, not shown: the data is not Base64]"),
            vec!["invalid_base64", "block_noted"],
        ),
        (
            json!({"type": "image", "data": "R0lGODlhAQABAAAAACw="}),
            text("[image/gif image, 14 bytes, not shown]"),
            vec!["block_noted"],
        ),
        (
            json!({"type": "video", "data": "aGk="}),
            text("[video block, not shown]"),
            vec!["block_noted"],
        ),
        (
            resource(json!({"text": "said"})),
            text("said"),
            vec!["block_as_text"],
        ),
        (
            resource(json!({"uri": "no address", "text": "said"})),
            text("said"),
            vec!["block_as_text"],
        ),
        (
            resource(json!({"uri": "file:///a", "blob": "-_-_"})),
            json!([resource(json!({"uri": "file:///a", "blob": "+/+/"}))]),
            vec![],
        ),
        (
            resource(json!({"uri": "file:///a"})),
            json!([]),
            vec!["block_dropped"],
        ),
        (
            json!({"type": "resource_link", "uri": "file:///a", "name": "a", "icons": [{}], "size": "x"}),
            json!([{"type": "resource_link", "uri": "file:///a", "name": "a"}]),
            vec!["member_dropped", "member_dropped"],
        ),
        (
            json!({"type": "text", "text": "a", "annotations": {"lastModified": "x"}}),
            text("a"),
            vec!["member_dropped"],
        ),
        (
            json!({"type": "text", "text": "a", "annotations": {"priority": 7}, "_meta": 1}),
            text("a"),
            vec!["member_dropped", "member_dropped"],
        ),
    ];
    for (block, expected, codes) in rows {
        assert_eq!(sent(&block), (expected, codes), "{block}");
    }
}

#[test]
fn what_every_sdk_reads_is_sent_as_it_came() {
    for time in ["2025-01-31T12:00:00Z", "2025-01-31T12:00:00.5+02:00"] {
        let annotations = json!({"audience": ["user"], "priority": 0.5, "lastModified": time});
        let block = json!({"type": "text", "text": "a", "annotations": annotations, "_meta": {"b": 1}, "more": 2});
        assert_eq!(sent(&block), (json!([block]), vec![]));
    }
}

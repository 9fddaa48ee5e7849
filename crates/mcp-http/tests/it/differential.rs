//! the same call says the same under all five revisions.

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::{post::Post, site::Site};

/// What a result says, whatever its shape.
fn facts(result: &Value) -> Value {
    let text = result["content"][0]["text"].as_str().unwrap();
    let said: Value = serde_json::from_str(text).unwrap_or_else(|_| text.into());
    if let Some(structure) = result.get("structuredContent") {
        assert_eq!(structure, &said);
    }
    json!({"said": said, "is_error": result["isError"]})
}

#[tokio::test]
async fn r091_the_same_call_gives_the_same_facts() {
    let site = Site::start().await;
    let mut client = site.client().await;
    for (tool, arguments, expect) in [
        ("echo", json!({}), json!({"said": {}, "is_error": false})),
        (
            "echo",
            json!({"a": [1, "ä\u{2028}", null]}),
            json!({"said": {"a": [1, "ä\u{2028}", null]}, "is_error": false}),
        ),
        (
            "sum",
            json!({"a": 2, "b": 3}),
            json!({"said": {"sum": 5}, "is_error": false}),
        ),
        (
            "sum",
            json!({"a": 2}),
            json!({"said": "a and b must be integers. Pass both.", "is_error": true}),
        ),
        (
            "fill",
            json!({"bytes": 3}),
            json!({"said": "xxx", "is_error": false}),
        ),
    ] {
        for &revision in Revision::ALL {
            let answer = client
                .ask(Post::call(revision, tool, arguments.clone()).to_bytes())
                .await;
            assert_eq!(answer.status, 200);
            assert_eq!(
                facts(&answer.json()["result"]),
                expect,
                "{tool} at {}",
                revision.name()
            );
        }
    }
    // The same tools are listed, by name and in order.
    let mut lists = Vec::new();
    for &revision in Revision::ALL {
        let post = Post::request(revision, json!(1), "tools/list", json!({}));
        let answer = client.ask(post.to_bytes()).await.json();
        let tools = answer["result"]["tools"].as_array().unwrap().clone();
        lists.push(
            tools
                .iter()
                .map(|it| it["name"].clone())
                .collect::<Vec<_>>(),
        );
    }
    assert!(lists.windows(2).all(|pair| pair[0] == pair[1]), "{lists:?}");
    site.end().await;
}

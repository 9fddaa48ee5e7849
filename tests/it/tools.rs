//! What a client relies on in every listed tool and every answer.

use jsonschema::validator_for;
use mcp_protocol::Revision;
use qortal_tests::Host;
use qortal_tools::Catalogue;
use serde_json::{Value, json};

#[tokio::test]
async fn r030_r033_every_listed_tool_has_an_object_rooted_schema_that_compiles() {
    let host = Host::start().await;
    for revision in Revision::ALL {
        let list = host.http(revision, "tools/list", json!({})).await.json();
        for tool in list["result"]["tools"].as_array().unwrap() {
            assert!(
                tool["description"].as_str().unwrap().ends_with('.'),
                "{tool}"
            );
            for schema in [tool.get("inputSchema"), tool.get("outputSchema")]
                .into_iter()
                .flatten()
            {
                assert_eq!(schema["type"], "object", "{tool}");
                validator_for(schema).unwrap_or_else(|err| panic!("{err}: {tool}"));
            }
        }
    }
    host.stop().await;
}

#[tokio::test]
async fn r035_the_list_is_the_same_every_time() {
    let host = Host::start().await;
    for revision in Revision::ALL {
        let first = host.http(revision, "tools/list", json!({})).await.text;
        host.http(revision, "tools/call", json!({"name": "get_node_status"}))
            .await;
        assert_eq!(
            first,
            host.http(revision, "tools/list", json!({})).await.text
        );
    }
    host.stop().await;
}

#[tokio::test]
async fn r038_the_list_has_one_page_and_no_other_cursor() {
    let host = Host::start().await;
    for revision in Revision::ALL {
        let list = host.http(revision, "tools/list", json!({})).await.json();
        assert_eq!(list["result"].get("nextCursor"), None);
        let answer = host
            .http(revision, "tools/list", json!({"cursor": "x"}))
            .await;
        assert_eq!(
            (answer.status, &answer.json()["error"]["code"]),
            (200, &json!(-32602))
        );
    }
    host.stop().await;
}

#[tokio::test]
async fn r007_r039_r044_r046_no_revision_sees_what_came_after_it() {
    let host = Host::start().await;
    let params = json!({"name": "get_node_status"});
    for revision in Revision::ALL {
        let rules = revision.rules();
        let list = host.http(revision, "tools/list", json!({})).await.json();
        let tool = &list["result"]["tools"][0];
        let call = host
            .http(revision, "tools/call", params.clone())
            .await
            .json();
        let has = |value: &Value, key: &str| value.get(key).is_some();
        assert_eq!(has(tool, "annotations"), rules.tool_annotations);
        assert_eq!(has(tool, "title"), rules.titles);
        assert_eq!(has(tool, "outputSchema"), rules.titles);
        assert_eq!(has(&call["result"], "structuredContent"), rules.titles);
        for result in [&list["result"], &call["result"]] {
            assert_eq!(has(result, "resultType"), rules.result_type);
            assert_eq!(has(result, "_meta"), rules.result_type);
        }
        assert_eq!(has(&list["result"], "ttlMs"), rules.cache_hints);
        assert_eq!(has(&list["result"], "cacheScope"), rules.cache_hints);
        assert!(!has(&call["result"], "ttlMs"));
    }
    host.stop().await;
}

#[tokio::test]
async fn r042_r054_every_answer_keeps_its_published_schema_and_loses_no_digit() {
    let host = Host::start().await;
    let revision = Revision::LATEST_HANDSHAKE;
    let list = host.http(revision, "tools/list", json!({})).await.json();
    for tool in list["result"]["tools"].as_array().unwrap() {
        let entry = Catalogue::entries()
            .find(|it| tool["name"] == it.name)
            .unwrap();
        let arguments: Value = serde_json::from_str(entry.example).unwrap();
        let params = json!({"name": entry.name, "arguments": arguments});
        let answer = host.http(revision, "tools/call", params).await.json();
        let structured = &answer["result"]["structuredContent"];
        let schema = validator_for(&tool["outputSchema"]).unwrap();
        let errors: Vec<_> = schema
            .iter_errors(structured)
            .map(|it| it.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", entry.name);
        no_large_integer(structured);
    }
    host.stop().await;
}

fn no_large_integer(value: &Value) {
    match value {
        Value::Number(number) => {
            let exact = number
                .as_i64()
                .is_some_and(|it| it.unsigned_abs() <= 1 << 53);
            assert!(
                exact || number.is_f64(),
                "{number} is not exact in JavaScript"
            );
        }
        Value::Array(items) => items.iter().for_each(no_large_integer),
        Value::Object(members) => members.values().for_each(no_large_integer),
        Value::Null | Value::Bool(_) | Value::String(_) => (),
    }
}

#[tokio::test]
async fn r051_absent_arguments_are_no_arguments() {
    let host = Host::start().await;
    for params in [
        json!({"name": "get_block_height"}),
        json!({"name": "get_block_height", "arguments": null}),
        json!({"name": "get_block_height", "arguments": {}}),
        json!({"name": "get_block_height", "arguments": {}, "task": {"ttl": 1}}),
    ] {
        let answer = host
            .http(Revision::V2025_11_25, "tools/call", params)
            .await
            .json();
        assert_eq!(
            answer["result"]["structuredContent"],
            json!({"height": 468})
        );
    }
    host.stop().await;
}

#[tokio::test]
async fn r055_every_tool_says_that_it_only_reads() {
    let host = Host::start().await;
    let list = host
        .http(Revision::V2026_07_28, "tools/list", json!({}))
        .await
        .json();
    for tool in list["result"]["tools"].as_array().unwrap() {
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], true, "{tool}");
        assert_eq!(hints["destructiveHint"], false, "{tool}");
        assert_eq!(hints["title"], tool["title"], "{tool}");
    }
    host.stop().await;
}

/// Hosts cut instructions at 2 KB.
#[tokio::test]
async fn the_instructions_fit() {
    let host = Host::start().await;
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
    let opened = host
        .http(Revision::V2025_11_25, "initialize", params)
        .await
        .json();
    let bytes = opened["result"]["instructions"].as_str().unwrap().len();
    assert!(bytes <= 2048, "{bytes} bytes");
    host.stop().await;
}

//! What a client relies on in every listed tool and every answer.

use std::{collections::HashSet, sync::Arc, time::Duration};

use jsonschema::validator_for;
use mcp_protocol::{Request, RequestId, Revision, TaskSupport, Tool, lifecycle};
use mcp_server::{InMemoryTaskStore, ListVariant, RequestContext, ToolSet};
use qortal_client::{Node, NodeConfig};
use qortal_mcp::ResourceUpdates;
use qortal_resources::mcp::Tools;
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_tests::{Clients, Host};
use qortal_tools::{Catalog, Selection};
use serde_json::{Value, json};
use test_chain::walk;

/// The tools as a client of either transport gets them.
async fn listed(clients: &mut Clients<'_>) -> Vec<Value> {
    let [over_http, on_stdio] = clients.ask("tools/list", json!({})).await;
    assert_eq!(over_http, on_stdio);
    over_http["result"]["tools"].as_array().unwrap().clone()
}

/// Every schema within a schema that describes a value.
fn subschemas<'a>(schema: &'a Value, found: &mut Vec<&'a Value>) {
    found.push(schema);
    let members = schema.get("properties").and_then(Value::as_object);
    let members = members.into_iter().flat_map(|it| it.values());
    for inner in members.chain(schema.get("items")) {
        subschemas(inner, found);
    }
}

#[tokio::test]
async fn r030_r031_r033_every_listed_tool_has_an_object_rooted_schema_that_compiles() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let mut clients = host.clients(revision).await;
        for tool in listed(&mut clients).await {
            assert!(
                tool["description"].as_str().unwrap().ends_with('.'),
                "{tool}"
            );
            for schema in [tool.get("inputSchema"), tool.get("outputSchema")]
                .into_iter()
                .flatten()
            {
                assert_eq!(schema["type"], "object", "{tool}");
                jsonschema::draft202012::meta::validate(schema)
                    .unwrap_or_else(|err| panic!("{err}: {tool}"));
                validator_for(schema).unwrap_or_else(|err| panic!("{err}: {tool}"));
                assert!(!schema.to_string().contains("\"$ref\""), "{tool}");
                let mut found = Vec::new();
                subschemas(schema, &mut found);
                assert!(found.iter().all(|it| it.is_object()), "{tool}");
            }
        }
        clients.finish().await;
    }
    host.stop().await;
}

#[tokio::test]
async fn r035_r036_the_list_is_the_same_every_time_and_for_everyone() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let mut clients = host.clients(revision).await;
        let first = listed(&mut clients).await;
        for (method, params) in [
            ("tools/call", json!({"name": "get_node_status"})),
            ("tools/call", json!({"name": "find_tools"})),
            ("tools/call", json!({"name": "no_such_tool"})),
            ("tools/list", json!({"cursor": "x"})),
        ] {
            clients.ask(method, params).await;
            assert_eq!(listed(&mut clients).await, first, "{}", revision.name());
        }
        let mut others = host.clients(revision).await;
        assert_eq!(listed(&mut others).await, first, "{}", revision.name());
        others.finish().await;
        clients.finish().await;
    }
    host.stop().await;
}

#[tokio::test]
async fn r038_the_list_has_one_page_and_no_other_cursor() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let mut clients = host.clients(revision).await;
        for answer in clients.ask("tools/list", json!({})).await {
            assert_eq!(answer["result"].get("nextCursor"), None);
        }
        for cursor in [json!("x"), json!(""), json!(1)] {
            let params = json!({"cursor": cursor});
            for answer in clients.ask("tools/list", params.clone()).await {
                assert_eq!(answer["error"]["code"], -32602, "{cursor}");
            }
            let answer = host.http(revision, "tools/list", params).await;
            assert_eq!(answer.status, 200, "{cursor}");
        }
        clients.finish().await;
    }
    host.stop().await;
}

#[tokio::test]
async fn r007_r011_r037_r039_r044_r045_r046_no_revision_gets_members_of_a_later_one() {
    let host = Host::start().await;
    let has = |value: &Value, key: &str| value.get(key).is_some();
    for &revision in Revision::ALL {
        let rules = revision.features();
        let mut clients = host.clients(revision).await;
        let lists = clients.ask("tools/list", json!({})).await;
        let params = json!({"name": "get_node_status"});
        let calls = clients.ask("tools/call", params).await;
        for (list, call) in lists.iter().zip(&calls) {
            let (list, call) = (&list["result"], &call["result"]);
            let tool = &list["tools"][0];
            assert_eq!(has(tool, "annotations"), rules.tool_annotations);
            assert_eq!(has(tool, "title"), rules.titles);
            assert_eq!(has(tool, "outputSchema"), rules.titles);
            assert_eq!(has(call, "structuredContent"), rules.titles);
            for result in [list, call] {
                let complete = rules.result_type.then_some("complete");
                assert_eq!(result["resultType"], json!(complete));
                let identity = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
                let name = rules.result_type.then_some("qortal-mcp");
                assert_eq!(identity["name"], json!(name));
                assert_eq!(has(identity, "version"), rules.result_type);
            }
            assert_eq!(list["ttlMs"].is_u64(), rules.cache_hints);
            let scope = rules.cache_hints.then_some("public");
            assert_eq!(list["cacheScope"], json!(scope));
            assert!(!has(call, "ttlMs") && !has(call, "cacheScope"));
        }
        clients.finish().await;
    }
    host.stop().await;
}

#[tokio::test]
async fn r042_r054_every_result_conforms_to_its_published_schema_and_keeps_all_digits() {
    let host = Host::start().await;
    for revision in Revision::ALL
        .iter()
        .copied()
        .filter(|it| it.features().titles)
    {
        let mut clients = host.clients(revision).await;
        for tool in listed(&mut clients).await {
            let Some(entry) = walk::entries().find(|it| tool["name"] == it.name) else {
                continue;
            };
            // One that may send an image promises nothing.
            assert_eq!(tool.get("outputSchema").is_none(), entry.images);
            let schema = tool.get("outputSchema").unwrap_or(&Value::Bool(true));
            let schema = validator_for(schema).unwrap();
            let arguments: Value = serde_json::from_str(entry.example).unwrap();
            let params = json!({"name": entry.name, "arguments": arguments});
            for answer in clients.ask("tools/call", params.clone()).await {
                let structured = &answer["result"]["structuredContent"];
                let content = answer["result"]["content"].as_array().unwrap();
                let has_image = content.iter().any(|it| it["type"] == "image");
                assert_eq!(structured.is_null(), has_image, "{}", entry.name);
                let errors: Vec<_> = schema
                    .iter_errors(structured)
                    .map(|it| it.to_string())
                    .collect();
                assert!(errors.is_empty(), "{}: {errors:?}", entry.name);
                no_large_integer(structured);
            }
        }
        clients.finish().await;
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
async fn r051_r088_absent_arguments_are_empty_and_a_task_is_ignored() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let mut clients = host.clients(revision).await;
        for params in [
            json!({"name": "get_block_height"}),
            json!({"name": "get_block_height", "arguments": null}),
            json!({"name": "get_block_height", "arguments": {}}),
            json!({"name": "get_block_height", "arguments": {}, "task": {"ttl": 1}}),
        ] {
            for answer in clients.ask("tools/call", params.clone()).await {
                let text = &answer["result"]["content"][0]["text"];
                assert_eq!(text, r#"{"height":468}"#, "{params}");
            }
        }
        clients.finish().await;
    }
    host.stop().await;
}

#[tokio::test]
async fn r048_r052_invalid_arguments_never_reach_the_node() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let mut clients = host.clients(revision).await;
        for (arguments, says) in [
            (json!({}), "address"),
            (json!({"address": 7}), "address"),
            (json!({"address": "Q"}), "address"),
            (
                json!({"address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v", "more": 1}),
                "more",
            ),
        ] {
            let params = json!({"name": "get_balance", "arguments": arguments});
            for answer in clients.ask("tools/call", params.clone()).await {
                assert_eq!(answer["result"]["isError"], true, "{answer}");
                let text = answer["result"]["content"][0]["text"].as_str().unwrap();
                assert!(text.contains(says) && text.contains("Expected"), "{text}");
            }
        }
        clients.finish().await;
    }
    let asked = host.node.journal();
    assert!(asked.is_empty(), "{asked:?}");
    host.stop().await;
}

#[tokio::test]
async fn r050_a_node_that_fails_is_a_failure_of_the_tool() {
    let host = Host::start().await;
    host.node.fault("/addresses/*", Fault::ResetBeforeResponse);
    for &revision in Revision::ALL {
        let mut clients = host.clients(revision).await;
        let arguments = json!({"address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"});
        let params = json!({"name": "get_balance", "arguments": arguments});
        for answer in clients.ask("tools/call", params).await {
            assert_eq!(answer["result"]["isError"], true, "{answer}");
            assert_eq!(answer["result"].get("structuredContent"), None);
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.starts_with("Node unreachable."), "{text}");
        }
        clients.finish().await;
    }
    host.stop().await;
}

#[tokio::test]
async fn r055_every_tool_is_annotated_as_read_only() {
    let host = Host::start().await;
    for revision in Revision::ALL
        .iter()
        .copied()
        .filter(|it| it.features().tool_annotations)
    {
        let mut clients = host.clients(revision).await;
        for tool in listed(&mut clients).await {
            let hints = &tool["annotations"];
            assert_eq!(hints["readOnlyHint"], true, "{tool}");
            assert_eq!(hints["destructiveHint"], false, "{tool}");
            if revision.features().titles {
                assert_eq!(hints["title"], tool["title"], "{tool}");
            }
        }
        clients.finish().await;
    }
    host.stop().await;
}

/// Hosts cut instructions at 2 KB.
#[tokio::test]
async fn r004_initialize_returns_server_info_capabilities_and_instructions() {
    let host = Host::start().await;
    for revision in Revision::ALL
        .iter()
        .copied()
        .filter(|it| it.has_handshake())
    {
        let client = json!({"name": "test", "version": "0"});
        let params =
            json!({"protocolVersion": revision.name(), "capabilities": {}, "clientInfo": client});
        let mut clients = host.clients(revision).await;
        for opened in clients.ask("initialize", params).await {
            let result = &opened["result"];
            assert_eq!(result["protocolVersion"], revision.name());
            assert_eq!(result["serverInfo"]["name"], "qortal-mcp");
            assert!(result["serverInfo"]["version"].is_string());
            assert_eq!(result["capabilities"]["tools"]["listChanged"], false);
            let bytes = result["instructions"].as_str().unwrap().len();
            assert!(bytes <= 2048, "{bytes} bytes");
        }
        clients.finish().await;
    }
    host.stop().await;
}

/// A node that is slow makes a task of a call, for a client that knows tasks; no list says so, which would be read by all others.
#[tokio::test]
async fn what_asks_a_slow_node_may_become_a_task() {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    let client = Node::new(NodeConfig::new(node.url())).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    let catalog = Arc::new(catalog);
    let tools = Tools::new(Arc::clone(&catalog));
    let listed = tools.tools(&ListVariant::default());
    let is_plain = |it: &Tool| it.task_support == TaskSupport::Forbidden;
    assert!(listed.iter().all(is_plain));
    let may_be = tools.tools_with_special_calls();
    let may_be: HashSet<_> = may_be.iter().map(|it| it.name.as_str()).collect();
    let asking = Catalog::entries().filter(|it| it.uses_node);
    assert_eq!(may_be, asking.map(|it| it.name).collect());

    let live = ResourceUpdates::new(Arc::clone(&catalog));
    let limits = qortal_mcp::limits().with_task_after(Duration::from_millis(50));
    let server = qortal_mcp::server(catalog, &live).tasks(InMemoryTaskStore::default());
    let server = server.limits(limits).build().unwrap();
    let ask_with = async |capabilities: Value, method: &str, mut params: Value| {
        params["_meta"] = json!({
            lifecycle::PROTOCOL_VERSION: "2026-07-28",
            lifecycle::CLIENT_CAPABILITIES: capabilities,
        });
        let request = Request {
            id: RequestId::Integer(1),
            method: method.to_owned(),
            params: params.as_object().cloned(),
        };
        let cx = RequestContext::default();
        let response = server.handle(Revision::V2026_07_28, request, &cx).await;
        let response: Value = serde_json::from_slice(&response.to_vec()).unwrap();
        response["result"].clone()
    };
    let knowing = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let ask = async |method: &str, params| ask_with(knowing.clone(), method, params).await;
    let call = json!({"name": "get_block_height", "arguments": {}});
    let answer = ask_with(json!({}), "tools/call", call.clone()).await;
    assert_eq!(answer["resultType"], "complete");
    let tick = Duration::from_millis(200);
    let slow = Fault::Slow {
        bytes_per_tick: 1_000,
        tick,
    };
    node.fault("/blocks/height", slow);
    let created = ask("tools/call", call).await;
    assert_eq!(created["resultType"], "task", "{created}");
    let asked = json!({"taskId": created["taskId"]});
    let mut polls = tokio::time::interval(tick / 4);
    let got = loop {
        polls.tick().await;
        let got = ask("tasks/get", asked.clone()).await;
        if got["status"] != "working" {
            break got;
        }
    };
    assert_eq!(
        got["result"]["structuredContent"],
        answer["structuredContent"]
    );
    live.stop().await;
    node.stop().await;
}

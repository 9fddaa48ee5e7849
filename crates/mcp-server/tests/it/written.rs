//! Answers that are JSON text: they are sent as a result of their values would be.

use mcp_protocol::{
    CallToolResult, ContentBlock, Object, Revision, ServerInfo, Tool, render::PreserializedResult,
};
use mcp_server::{BoxFuture, CallContext, ListVariant, Server, ServerLimits, ToolReply, ToolSet};
use serde_json::json;

use crate::{ask, tool};

/// Answers `text` with the text of a record, `values` with its values, `long` with a long text, and `ticket` as an extension does.
struct Both;

const RECORD: &str = r#"{"name":"\"Åse\"","rows":[{"height":468},{"height":469}]}"#;

impl ToolSet for Both {
    fn tools(&self, _: &ListVariant) -> Vec<Tool> {
        vec![tool("text"), tool("values"), tool("long"), tool("ticket")]
    }

    fn call<'a>(
        &'a self,
        name: &str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let link = ContentBlock::text("more");
        let written = PreserializedResult::new(RECORD.to_owned())
            .unwrap()
            .with_block(link);
        let reply = match name {
            "text" => ToolReply::from(written),
            "long" => long().into(),
            "ticket" => ToolReply::Other {
                result_type: "org.example/ticket".into(),
                members: Object::from_iter([("ticket".to_owned(), 7.into())]),
            },
            _ => CallToolResult::from(written).into(),
        };
        Some(Box::pin(async { reply }))
    }
}

fn long() -> PreserializedResult {
    PreserializedResult::new(json!({"text": "a".repeat(2_000)}).to_string()).unwrap()
}

fn server(limits: ServerLimits) -> Server {
    let server = Server::builder(ServerInfo::new("test", "0")).tools(Both);
    server.limits(limits).build().unwrap()
}

#[tokio::test]
async fn text_is_sent_as_its_values_are() {
    let server = server(ServerLimits::default());
    for &revision in Revision::ALL {
        let text = ask(&server, revision, "tools/call", json!({"name": "text"})).await;
        let values = ask(&server, revision, "tools/call", json!({"name": "values"})).await;
        assert_eq!(text, values, "{revision:?}");
        assert_eq!(text["result"]["isError"], false);
        assert_eq!(text["result"]["content"][0]["text"], RECORD);
    }
}

#[tokio::test]
async fn an_extension_has_a_type_of_result_of_its_own() {
    let server = server(ServerLimits::default());
    for &revision in Revision::ALL {
        let answer = ask(&server, revision, "tools/call", json!({"name": "ticket"})).await;
        let mut result = answer["result"].clone();
        let meta = result.as_object_mut().unwrap().remove("_meta");
        assert_eq!(meta.is_some(), !revision.has_handshake());
        let expect = match revision.has_handshake() {
            true => json!({"ticket": 7}),
            false => json!({"resultType": "org.example/ticket", "ticket": 7}),
        };
        assert_eq!(result, expect, "{revision}");
    }
}

#[tokio::test]
async fn text_beyond_the_limit_is_an_error_too() {
    let server = server(ServerLimits::default().with_result_bytes(1_000));
    let answer = ask(
        &server,
        Revision::V2025_11_25,
        "tools/call",
        json!({"name": "long"}),
    )
    .await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(answer["result"].get("structuredContent").is_none());
}

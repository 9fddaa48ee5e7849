//! Two servers behind one endpoint, for clients of every revision.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so")]

use std::sync::Arc;

use gateway_server::Gateway;
use mcp_client::{Client, ClientConfig, ClientError};
use mcp_protocol::{
    CallToolResult, Object, Revision, ServerInfo, StructuredContentForm, Tool, ToolAnnotations,
};
use mcp_server::{Server, ToolRouter, ToolSet};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// A client of the tools, in memory.
async fn client_of(tools: impl ToolSet, revision: Revision) -> Client {
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .build()
        .unwrap();
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(theirs);
    let (stop, limits) = (CancellationToken::new(), mcp_stdio::StdioLimits::default());
    tokio::spawn(mcp_stdio::serve(
        Arc::new(server),
        read,
        write,
        stop,
        limits,
    ));
    let (read, write) = tokio::io::split(ours);
    let config = ClientConfig::new("test", "0").with_revision(revision);
    Client::from_stream(read, write, config).await.unwrap()
}

/// Has one tool, which says the name of its server, and whose structured content is a list.
fn says(name: &'static str) -> impl ToolSet {
    let schema = json!({"type": "object"});
    let tool = Tool::new("who", "Says who it is.", schema, ToolAnnotations::PURE);
    let tool = tool.with_output_schema(json!({"type": "array", "items": {"type": "string"}}));
    let answer = move |_| async move { CallToolResult::structured(json!([name])) };
    ToolRouter::new().raw_tool(tool, answer)
}

#[tokio::test]
async fn each_client_gets_the_tools_of_all_servers_in_its_revision() {
    for &revision in Revision::ALL {
        let mut gateway = Gateway::default();
        for (name, theirs) in [
            ("old", Revision::V2025_06_18),
            ("new", Revision::V2026_07_28),
        ] {
            gateway
                .add(format!("{name}_"), client_of(says(name), theirs).await)
                .await
                .unwrap();
        }
        let gateway = Arc::new(gateway);
        let client = client_of(Arc::clone(&gateway), revision).await;
        let tools = client.list_all::<Tool>().await.unwrap();
        let names: Vec<_> = tools.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["old_who", "new_who"]);
        for name in ["old", "new"] {
            let result = client
                .call_tool(&format!("{name}_who"), Object::new())
                .await
                .unwrap();
            let plain = json!([name]);
            let text = json!(
                result
                    .content
                    .iter()
                    .map(|it| format!("{it:?}"))
                    .collect::<String>()
            );
            assert!(text.to_string().contains(name), "{text}");
            let has_structure = result.structured_content.is_some();
            let rules = revision.features();
            let expects = rules.structured_content != StructuredContentForm::Absent;
            assert_eq!(has_structure, expects, "{}", rules.name);
            // Before 2026-07-28 only objects are structured content: the list stands in one.
            if let Some(found) = result.structured_content {
                let wrapped = json!({"result": plain});
                assert!(
                    found == plain || found == wrapped,
                    "{}: {found}",
                    rules.name
                );
                let is_any = rules.structured_content == StructuredContentForm::AnyValue;
                assert!(is_any || found == wrapped, "{}: {found}", rules.name);
            }
        }
        let unknown = client.call_tool("who", Object::new()).await;
        assert!(matches!(unknown, Err(ClientError::Rpc(why)) if why.code == -32602));
        client.close().await;
    }
}

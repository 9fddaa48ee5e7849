//! A server with every feature, whose tools answer at once.

use std::num::NonZeroUsize;

use mcp_protocol::{
    CallToolResult, Object, ReadResourceResult, Resource, ServerInfo, ServerRequest, Tool,
    ToolAnnotations,
};
use mcp_server::{
    BoxFuture, CallContext, ChangeNotifier, ListKinds, ListVariant, ReadResourceError, ResourceSet,
    Server, ToolHandlerResult, ToolReply, ToolRouter, ToolSet,
};
use serde_json::{Value, json};

/// Tools in pages of two.
struct Tools(ToolRouter);

impl ToolSet for Tools {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        self.0.tools(scope)
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        self.0.call(name, arguments, cx)
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(2)
    }
}

/// `test://0` to `test://9`, in pages of three.
struct Resources;

impl ResourceSet for Resources {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        let resource = |n| Resource::new(format!("test://{n}"), format!("{n}"), "For tests.");
        (0..10).map(resource).collect()
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async move {
            if !self
                .resources(cx.list_variant())
                .iter()
                .any(|it| it.uri == uri)
            {
                return Err(ReadResourceError::NotFound);
            }
            Ok(ReadResourceResult::text(uri, "text/plain", "text"))
        })
    }

    fn supports_subscriptions(&self) -> bool {
        true
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(3)
    }
}

pub(crate) fn server() -> Server {
    let tool = |name: &str, properties: Value| {
        let schema = json!({"type": "object", "properties": properties});
        Tool::new(name, "For tests.", schema, ToolAnnotations::PURE)
    };
    let text = json!({"text": {"type": "string", "x-mcp-header": "Text"}});
    let tools = ToolRouter::new()
        .raw_tool(tool("echo", json!({})), |arguments| async move {
            CallToolResult::structured(arguments.into())
        })
        .raw_tool(tool("route", text), |_| async {
            CallToolResult::text("routed")
        })
        .raw_tool_with_context(tool("say", json!({})), |arguments, cx| {
            Box::pin(async move {
                let text = arguments.get("text").and_then(Value::as_str);
                cx.progress(1.0, None, text);
                cx.progress(2.0, None, text);
                Ok(CallToolResult::text(text.unwrap_or_default()))
            })
        })
        .raw_tool_with_context(tool("ask", json!({})), |_, cx| Box::pin(ask(cx)));
    Server::builder(ServerInfo::new("fuzzed", "1.0.0"))
        .tools(Tools(tools))
        .resources(Resources)
        .list_changed(&ChangeNotifier::new(), ListKinds::ALL)
        .logging()
        .sends_requests()
        .build()
        .unwrap()
}

async fn ask(cx: &CallContext) -> ToolHandlerResult {
    if cx.request_state().is_none() {
        cx.set_request_state(json!({"step": 1}));
    }
    let form = json!({"type": "object", "properties": {}});
    let answer = cx.ask("name", ServerRequest::elicit("?", form)).await?;
    Ok(CallToolResult::structured(
        json!({"state": cx.request_state(), "answer": answer}),
    ))
}

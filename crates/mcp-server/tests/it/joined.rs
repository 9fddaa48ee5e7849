//! Several sets of one server: they are listed together, and none is lost.

use std::sync::Arc;

use mcp_protocol::{
    CallToolResult, CompleteRequest, Completion, Object, Resource, Revision, ServerInfo, Tool,
    ToolAnnotations,
};
use mcp_server::{
    BoxFuture, BuildError, CallContext, ChangeNotifier, Completer, ListKinds, ListVariant,
    PromptRouter, ResourceRouter, Server, ToolReply, ToolRouter, ToolSet,
};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::{ask, tool};

const REVISION: Revision = Revision::V2025_11_25;

/// Tools that come and go.
#[derive(Clone, Default)]
struct Dynamic(Arc<Mutex<Vec<&'static str>>>);

impl ToolSet for Dynamic {
    fn tools(&self, _: &ListVariant) -> Vec<Tool> {
        self.0.lock().iter().map(|it| tool(it)).collect()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let name = *self.0.lock().iter().find(|it| **it == name)?;
        Some(Box::pin(async move { CallToolResult::text(name).into() }))
    }
}

struct Cities(&'static str);

impl Completer for Cities {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        let found = self
            .0
            .starts_with(&request.value)
            .then(|| self.0.to_owned());
        Box::pin(async move { Completion::new(found.into_iter().collect()) })
    }
}

fn tools(name: &str) -> ToolRouter {
    ToolRouter::new().tool(name, "For tests.", ToolAnnotations::PURE, async || "router")
}

fn resources(uri: &str) -> ResourceRouter {
    ResourceRouter::new().resource(Resource::new(uri, uri, "For tests."), async || "text")
}

fn prompts(name: &str) -> PromptRouter {
    PromptRouter::new().prompt(name, "For tests.", async || "text")
}

fn names(list: &Value, member: &str, name: &str) -> Vec<String> {
    let entries = list["result"][member].as_array().unwrap();
    entries
        .iter()
        .map(|it| it[name].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn routers_and_a_dynamic_set_are_one_list() {
    let (dynamic, notifier) = (Dynamic::default(), ChangeNotifier::new());
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(tools("a"))
        .tools(dynamic.clone())
        .tools(tools("b"))
        .resources(resources("x://a"))
        .resources(resources("x://b"))
        .prompts(prompts("a"))
        .prompts(prompts("b"))
        .completer(Cities("oslo"))
        .completer(Cities("bergen"))
        .list_changed(&notifier, ListKinds::TOOLS)
        .build()
        .unwrap();
    let list = async |method| ask(&server, REVISION, method, json!({})).await;
    assert_eq!(
        names(&list("tools/list").await, "tools", "name"),
        ["a", "b"]
    );
    dynamic.0.lock().push("c");
    notifier.tools_changed();
    assert_eq!(
        names(&list("tools/list").await, "tools", "name"),
        ["a", "c", "b"]
    );
    assert_eq!(
        names(&list("resources/list").await, "resources", "uri"),
        ["x://a", "x://b"]
    );
    assert_eq!(
        names(&list("prompts/list").await, "prompts", "name"),
        ["a", "b"]
    );
    for (name, text) in [("a", "router"), ("b", "router"), ("c", "c")] {
        let params = json!({"name": name});
        let called = ask(&server, REVISION, "tools/call", params.clone()).await;
        assert_eq!(called["result"]["content"][0]["text"], text, "{called}");
        if name != "c" {
            let uri = json!({"uri": format!("x://{name}")});
            let read = ask(&server, REVISION, "resources/read", uri).await;
            assert_eq!(read["result"]["contents"][0]["text"], "text", "{read}");
            let rendered = ask(&server, REVISION, "prompts/get", params).await;
            assert_eq!(
                rendered["result"]["messages"][0]["content"]["text"], "text",
                "{rendered}"
            );
        }
    }
    let unknown = ask(&server, REVISION, "resources/read", json!({"uri": "x://c"})).await;
    assert_eq!(unknown["error"]["code"], -32002, "{unknown}");
    let params = json!({"ref": {"type": "ref/prompt", "name": "a"}, "argument": {"name": "x", "value": "b"}});
    let completed = ask(&server, REVISION, "completion/complete", params).await;
    assert_eq!(
        completed["result"]["completion"]["values"],
        json!(["bergen"])
    );
}

#[test]
fn two_sets_with_one_name_are_rejected() {
    let builder = || Server::builder(ServerInfo::new("test", "0"));
    let dynamic = Dynamic::default();
    dynamic.0.lock().push("a");
    let built = builder()
        .tools(tools("a"))
        .tools(tools("b"))
        .tools(dynamic)
        .build();
    assert!(matches!(built, Err(BuildError::DuplicateTool(it)) if it == "a"));
    let built = builder()
        .resources(resources("x://a"))
        .resources(resources("x://a"))
        .build();
    assert!(matches!(built, Err(BuildError::DuplicateResource(it)) if it == "x://a"));
    let built = builder()
        .prompts(prompts("a"))
        .prompts(prompts("a"))
        .build();
    assert!(matches!(built, Err(BuildError::DuplicatePrompt(it)) if it == "a"));
}

#[test]
fn two_notifiers_are_rejected_and_clones_are_not() {
    let (first, second) = (ChangeNotifier::new(), ChangeNotifier::new());
    let builder = || Server::builder(ServerInfo::new("test", "0")).tools(tools("a"));
    let built = builder()
        .list_changed(&first, ListKinds::TOOLS)
        .resource_updates(&second)
        .build();
    assert!(matches!(built, Err(BuildError::SeveralNotifiers)));
    let built = builder()
        .list_changed(&first, ListKinds::TOOLS)
        .resource_updates(&first.clone())
        .url_elicitation_notifier(&first)
        .build();
    assert!(built.is_ok());
}

//! Lists of scopes that clients select: composed from rendered tools, and counted as calls.

use std::{
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use mcp_protocol::{ErrorObject, Object, Prompt, Resource, Revision, ServerInfo, Tool, ui::View};
use mcp_server::{
    BoxFuture, CallContext, ChangeNotifier, Extensions, LazyTool, ListKinds, ListVariant,
    PromptError, PromptSet, ReadResourceError, RequestContext, ResourceSet, Server, ServerBuilder,
    ServerLimits, ToolReply, ToolSet,
};
use serde_json::{Value, json};

use crate::{ask_over, tool};

const TOOLS: usize = 5;

/// Counts of created tools of outlines, and of whole lists.
#[derive(Default)]
struct Created {
    tools: AtomicUsize,
    lists: AtomicUsize,
}

/// Tools of which a scope names some, by their numbers.
#[derive(Clone)]
struct Chosen {
    has_outlines: bool,
    created: Arc<Created>,
}

impl Chosen {
    fn new(has_outlines: bool) -> Self {
        Self {
            has_outlines,
            created: Arc::default(),
        }
    }

    fn counts(&self) -> (usize, usize) {
        let Created { tools, lists } = &*self.created;
        (tools.load(Ordering::Relaxed), lists.load(Ordering::Relaxed))
    }
}

fn chosen(scope: &ListVariant) -> Vec<usize> {
    let is_chosen = |it: &usize| scope.key().is_empty() || scope.key().contains(&it.to_string());
    (0..TOOLS).filter(is_chosen).collect()
}

fn view() -> View {
    View::versioned("ui://test/view.html", "view", "<p>")
}

fn description(scope: &ListVariant) -> String {
    format!("Of \"{}\".", scope.key())
}

impl ToolSet for Chosen {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        self.created.lists.fetch_add(1, Ordering::Relaxed);
        let tools = chosen(scope).into_iter().map(|it| {
            let mut tool = tool(&format!("tool_{it}")).with_view(&view());
            tool.description = description(scope);
            tool
        });
        tools.collect()
    }

    fn outlines<'a>(&'a self, scope: &'a ListVariant) -> Option<Vec<LazyTool<'a>>> {
        let outlines = chosen(scope).into_iter().map(|it| {
            let name = format!("tool_{it}");
            LazyTool::new(name.clone(), 0, description(scope), move || {
                self.created.tools.fetch_add(1, Ordering::Relaxed);
                tool(&name).with_view(&view())
            })
        });
        self.has_outlines.then(|| outlines.collect())
    }

    fn call<'a>(
        &'a self,
        _: &str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        None
    }

    fn check(&self) -> Result<(), mcp_server::BuildError> {
        Ok(())
    }

    fn tools_with_special_calls(&self) -> Vec<Tool> {
        Vec::new()
    }
}

impl PromptSet for Chosen {
    fn prompts(&self, _: &ListVariant) -> Vec<Prompt> {
        vec![Prompt::new("prompt", "For tests.")]
    }

    fn get<'a>(
        &'a self,
        _: &'a str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<mcp_protocol::GetPromptResult, PromptError>>> {
        None
    }
}

impl ResourceSet for Chosen {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        Vec::new()
    }

    fn read<'a>(
        &'a self,
        _: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<mcp_protocol::ReadResourceResult, ReadResourceError>> {
        Box::pin(async { Err(ReadResourceError::NotFound) })
    }
}

/// The scope that a request selects; one that begins with `@` is shared.
#[derive(Clone)]
struct Choice(String);

fn scope(extensions: &Extensions) -> Result<ListVariant, ErrorObject> {
    Ok(match extensions.get::<Choice>() {
        None => ListVariant::default(),
        Some(Choice(key)) if key.starts_with('@') => ListVariant::public(key),
        Some(Choice(key)) => ListVariant::private(key),
    })
}

fn choosing(key: impl Into<String>) -> RequestContext {
    let mut extensions = Extensions::new();
    extensions.insert(Choice(key.into()));
    RequestContext::from_extensions(extensions)
}

fn builder(set: &Chosen) -> ServerBuilder {
    Server::builder(ServerInfo::new("test", "0"))
        .tools(set.clone())
        .prompts(set.clone())
        .resources(set.clone())
        .instructions_by_variant(|scope| scope.key().to_owned())
        .list_variant(scope)
}

/// Each key selects other tools, or the same ones with another description.
fn keys() -> impl Iterator<Item = String> {
    (0..60).map(|it| format!("{it:06b}").replace('1', "1 3").replace('0', "0 4"))
}

#[tokio::test]
async fn a_selection_never_seen_before_is_composed_and_renders_no_tool() {
    let (composed, whole) = (Chosen::new(true), Chosen::new(false));
    let limits = ServerLimits::default().with_calls_per_client(None);
    let server = |set| builder(set).limits(limits).build().unwrap();
    let (of_outlines, of_tools) = (server(&composed), server(&whole));
    for (number, &revision) in Revision::ALL.iter().enumerate() {
        let first = choosing("0 1 2 3 4");
        ask_over(&of_outlines, revision, "tools/list", json!({}), &first).await;
        assert_eq!(composed.counts(), ((number + 1) * TOOLS, 0));
        for key in keys() {
            let cx = choosing(&key);
            let list = |server| ask_over(server, revision, "tools/list", json!({}), &cx);
            assert_eq!(list(&of_outlines).await, list(&of_tools).await, "{key}");
        }
        assert_eq!(composed.counts(), ((number + 1) * TOOLS, 0));
    }
    assert!(whole.counts().1 > Revision::ALL.len() * 50);
}

#[tokio::test]
async fn tools_that_changed_are_rendered_anew() {
    let set = Chosen::new(true);
    let changes = ChangeNotifier::new();
    let server = builder(&set).list_changed(&changes, ListKinds::TOOLS);
    let server = server.build().unwrap();
    for renderings in 1..=3 {
        for key in ["1", "2", "1 2"] {
            let cx = choosing(key);
            let revision = Revision::V2025_11_25;
            ask_over(&server, revision, "tools/list", json!({}), &cx).await;
        }
        assert_eq!(set.counts(), (renderings * 2, 0));
        changes.tools_changed();
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_made_for_a_selection_counts_as_a_call_of_its_client() {
    const RATE: u32 = 3;
    let prompt = json!({"name": "prompt"});
    for &revision in Revision::ALL {
        let open = match revision.has_handshake() {
            true => "initialize",
            false => "server/discover",
        };
        for (method, params) in [
            ("tools/list", json!({})),
            ("prompts/list", json!({})),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("prompts/get", prompt.clone()),
            (open, json!({})),
        ] {
            let limits = ServerLimits::default().with_calls_per_client(NonZeroU32::new(RATE));
            let server = builder(&Chosen::new(true)).limits(limits).build().unwrap();
            let refused = async |key: String| {
                let cx = choosing(key);
                let answer = ask_over(&server, revision, method, params.clone(), &cx).await;
                let said = answer["error"]["message"].as_str().unwrap_or_default();
                let is_refused = said.contains("allows 3 a second from one client");
                let code = &answer["error"]["code"];
                assert!(!is_refused || *code == -32600, "{method}: {answer}");
                is_refused
            };
            for (key, expect) in [
                // Shared scopes are few, and what is cached costs nothing.
                ("@a", false),
                ("@b", false),
                ("1", false),
                ("2", false),
                ("1", false),
                ("2", false),
                ("3", false),
                ("4", true),
                ("@c", false),
                ("1", false),
            ] {
                assert_eq!(refused(key.to_owned()).await, expect, "{method} of {key}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn calls_of_unknown_tools_count_as_calls() {
    let limits = ServerLimits::default().with_calls_per_client(NonZeroU32::new(2));
    let server = builder(&Chosen::new(true)).limits(limits).build().unwrap();
    let texts = async |key: &str| {
        let params = json!({"name": "tool_9"});
        let cx = choosing(key);
        ask_over(&server, Revision::V2025_11_25, "tools/call", params, &cx).await
    };
    for key in ["1", "2"] {
        let error = texts(key).await["error"].clone();
        assert_eq!(error["code"], -32602);
        let hint = format!("Invalid params: unknown tool tool_9, did you mean tool_{key}?");
        assert_eq!(error["message"], Value::from(hint));
    }
    let refused = texts("3").await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
}

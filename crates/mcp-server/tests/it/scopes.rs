//! Scopes: what a request sees depends on them, and nothing that one caller sees reaches another.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use mcp_protocol::{
    CallToolResult, ErrorObject, GetPromptResult, Object, Prompt, PromptArgument,
    ReadResourceResult, Resource, ResourceTemplate, Revision, ServerInfo, Tool,
};
use mcp_server::{
    BoxFuture, CallContext, Extensions, ListVariant, PromptError, PromptSet, ReadResourceError,
    RequestContext, ResourceSet, Server, ToolReply, ToolSet,
};
use serde_json::{Value, json};

use crate::{ask_over, tool};

/// Offers things named after the scope, and counts how often they are read.
#[derive(Clone, Default)]
struct Named(Arc<AtomicUsize>);

impl Named {
    fn name(&self, scope: &ListVariant) -> String {
        self.0.fetch_add(1, Ordering::Relaxed);
        match scope.data::<String>() {
            Some(name) => name.to_string(),
            None => "everyone".to_owned(),
        }
    }
}

impl ToolSet for Named {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        let name = self.name(scope);
        (0..3).map(|n| tool(&format!("{name}_{n}"))).collect()
    }

    fn call<'a>(
        &'a self,
        _: &str,
        _: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let caller: Option<&Caller> = cx.extensions().get();
        let text = format!("{:?} {:?}", cx.list_variant().key(), caller.map(|it| it.0));
        Some(Box::pin(async { CallToolResult::text(text).into() }))
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(2)
    }
}

impl PromptSet for Named {
    fn prompts(&self, scope: &ListVariant) -> Vec<Prompt> {
        let mut prompt = Prompt::new(self.name(scope), "For tests.");
        prompt.arguments = vec![PromptArgument::required("needed", "For tests.")];
        vec![prompt]
    }

    fn get<'a>(
        &'a self,
        _: &'a str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        None
    }
}

impl ResourceSet for Named {
    fn resources(&self, scope: &ListVariant) -> Vec<Resource> {
        let name = self.name(scope);
        vec![Resource::new(format!("test://{name}"), name, "For tests.")]
    }

    fn templates(&self, scope: &ListVariant) -> Vec<ResourceTemplate> {
        vec![ResourceTemplate::new(
            format!("{}://{{id}}", self.name(scope)),
            "test",
            "For tests.",
        )]
    }

    fn read<'a>(
        &'a self,
        _: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async { Err(ReadResourceError::NotFound) })
    }
}

/// Who sent a request: `@name` shares its scope, any other name is private, and `!` is refused.
#[derive(Clone, Copy)]
struct Caller(&'static str);

fn scope(extensions: &Extensions) -> Result<ListVariant, ErrorObject> {
    let Some(Caller(name)) = extensions.get().copied() else {
        return Ok(ListVariant::default());
    };
    let value = Arc::new(name.trim_start_matches('@').to_owned());
    match name {
        "!" => Err(ErrorObject::invalid_request("who is that?")),
        _ if name.starts_with('@') => Ok(ListVariant::public(name).with_data(value)),
        _ => Ok(ListVariant::private(name).with_data(value)),
    }
}

fn server(named: &Named) -> Server {
    Server::builder(ServerInfo::new("test", "0"))
        .tools(named.clone())
        .prompts(named.clone())
        .resources(named.clone())
        .instructions_by_variant(|scope| format!("For {:?}.", scope.key()))
        .list_variant(scope)
        .build()
        .unwrap()
}

fn caller(name: &'static str) -> RequestContext {
    let mut extensions = Extensions::new();
    if !name.is_empty() {
        extensions.insert(Caller(name));
    }
    RequestContext::from_extensions(extensions)
}

const CALLERS: [(&str, &str); 4] = [
    ("", "public"),
    ("@core", "public"),
    ("alice", "private"),
    ("bob", "private"),
];

#[tokio::test]
async fn r114_each_scope_has_its_own_lists_and_instructions() {
    let server = server(&Named::default());
    for &revision in Revision::ALL {
        // Twice: made, and kept.
        for (name, cache_scope) in CALLERS.into_iter().chain(CALLERS) {
            let cx = caller(name);
            let seen = match name {
                "" => "everyone",
                name => name.trim_start_matches('@'),
            };
            for (method, pointer, expect) in [
                ("tools/list", "/result/tools/0/name", format!("{seen}_0")),
                ("prompts/list", "/result/prompts/0/name", seen.to_owned()),
                (
                    "resources/list",
                    "/result/resources/0/uri",
                    format!("test://{seen}"),
                ),
                (
                    "resources/templates/list",
                    "/result/resourceTemplates/0/uriTemplate",
                    format!("{seen}://{{id}}"),
                ),
                (
                    match revision.has_handshake() {
                        true => "initialize",
                        false => "server/discover",
                    },
                    "/result/instructions",
                    format!("For {name:?}."),
                ),
            ] {
                let answer = ask_over(&server, revision, method, json!({}), &cx).await;
                assert_eq!(answer.pointer(pointer), Some(&Value::from(expect)));
                if revision.features().cache_hints {
                    assert_eq!(answer["result"]["cacheScope"], cache_scope, "{method}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_page_is_made_once_for_each_scope_and_revision() {
    let named = Named::default();
    let server = server(&named);
    let revision = Revision::V2025_11_25;
    let before = named.0.load(Ordering::Relaxed);
    for _ in 0..3 {
        for (name, _) in CALLERS {
            ask_over(&server, revision, "tools/list", json!({}), &caller(name)).await;
        }
    }
    assert_eq!(named.0.load(Ordering::Relaxed) - before, CALLERS.len());
}

#[tokio::test]
async fn a_call_in_a_new_scope_reads_no_list() {
    let named = Named::default();
    let server = server(&named);
    let revision = Revision::V2025_11_25;
    let params = json!({"name": "any"});
    ask_over(&server, revision, "tools/call", params.clone(), &caller("")).await;
    let before = named.0.load(Ordering::Relaxed);
    for (name, expect) in [
        ("alice", r#""alice" Some("alice")"#),
        ("@core", r#""@core" Some("@core")"#),
        ("", r#""" None"#),
    ] {
        let called = ask_over(
            &server,
            revision,
            "tools/call",
            params.clone(),
            &caller(name),
        )
        .await;
        assert_eq!(called["result"]["content"][0]["text"], expect);
    }
    assert_eq!(named.0.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn r114_a_cursor_of_another_scope_is_refused() {
    let server = server(&Named::default());
    for &revision in Revision::ALL {
        for (name, _) in CALLERS {
            let first = ask_over(&server, revision, "tools/list", json!({}), &caller(name)).await;
            let params = json!({"cursor": first["result"]["nextCursor"]});
            for (other, _) in CALLERS {
                let cx = caller(other);
                let second = ask_over(&server, revision, "tools/list", params.clone(), &cx).await;
                match other == name {
                    true => assert!(second["result"]["tools"].is_array()),
                    false => assert_eq!(second["error"]["code"], -32602, "{name} {other}"),
                }
            }
        }
    }
}

#[tokio::test]
async fn required_arguments_are_those_of_the_scope() {
    let server = server(&Named::default());
    let revision = Revision::V2025_11_25;
    let params = json!({"name": "alice"});
    for (name, message) in [
        ("alice", "the argument needed is missing"),
        ("bob", "unknown prompt alice"),
    ] {
        let cx = caller(name);
        let refused = ask_over(&server, revision, "prompts/get", params.clone(), &cx).await;
        let said = refused["error"]["message"].as_str().unwrap();
        assert!(said.contains(message), "{said}");
    }
}

#[tokio::test]
async fn a_request_without_a_scope_is_refused() {
    let server = server(&Named::default());
    for &revision in Revision::ALL {
        let refused = ask_over(&server, revision, "tools/list", json!({}), &caller("!")).await;
        assert_eq!(refused["error"]["code"], -32600);
        let said = refused["error"]["message"].as_str().unwrap();
        assert!(said.ends_with("who is that?"), "{said}");
    }
    let mut extensions = Extensions::new();
    extensions.insert(Caller("!"));
    assert!(server.request_context(extensions).is_err());
}

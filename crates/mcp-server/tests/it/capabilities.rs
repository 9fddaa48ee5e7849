//! What a server declares is what it does, at every revision.

use mcp_protocol::{
    CompleteRequest, Completion, GetPromptResult, Icon, Object, Prompt, ReadResourceResult,
    Resource, Revision, ServerInfo,
};
use mcp_server::{
    BoxFuture, CallContext, ChangeNotifier, Completer, ListKinds, ListVariant, PromptError,
    PromptSet, ReadResourceError, ResourceSet, Server, ServerBuilder, ToolRouter,
};
use serde_json::{Value, json};

use crate::ask;

struct Nothing;

impl ResourceSet for Nothing {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        Vec::new()
    }

    fn read<'a>(
        &'a self,
        _: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async { Err(ReadResourceError::NotFound) })
    }

    fn supports_subscriptions(&self) -> bool {
        true
    }
}

impl PromptSet for Nothing {
    fn prompts(&self, _: &ListVariant) -> Vec<Prompt> {
        Vec::new()
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

impl Completer for Nothing {
    fn complete<'a>(
        &'a self,
        _: &'a CompleteRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        let values = (0..250).map(|n| n.to_string()).collect();
        Box::pin(async { Completion::new(values) })
    }
}

fn builder() -> ServerBuilder {
    Server::builder(ServerInfo::new("test", "0"))
}

async fn capabilities(server: &Server, revision: Revision) -> Value {
    let initialize = match revision.has_handshake() {
        true => "initialize",
        false => "server/discover",
    };
    let params = json!({"protocolVersion": revision.name()});
    let initialized = ask(server, revision, initialize, params).await;
    initialized["result"]["capabilities"].clone()
}

#[tokio::test]
async fn r108_capabilities_match_the_sets() {
    let changes = ChangeNotifier::new();
    for (server, expect) in [
        (builder().build().unwrap(), json!({})),
        (
            builder().tools(ToolRouter::new()).build().unwrap(),
            json!({"tools": {"listChanged": false}}),
        ),
        (
            builder()
                .tools(ToolRouter::new())
                .list_changed(&changes, ListKinds::ALL)
                .build()
                .unwrap(),
            json!({"tools": {"listChanged": true}}),
        ),
        (
            builder()
                .resources(Nothing)
                .prompts(Nothing)
                .build()
                .unwrap(),
            json!({
                "resources": {"subscribe": false, "listChanged": false},
                "prompts": {"listChanged": false},
            }),
        ),
        (
            builder()
                .resources(Nothing)
                .list_changed(&changes, ListKinds::ALL)
                .build()
                .unwrap(),
            json!({"resources": {"subscribe": true, "listChanged": true}}),
        ),
        (builder().logging().build().unwrap(), json!({"logging": {}})),
        (
            builder().completer(Nothing).build().unwrap(),
            json!({"completions": {}}),
        ),
    ] {
        for &revision in Revision::ALL {
            let mut expect = expect.clone();
            let declared = expect.as_object_mut().unwrap();
            if !revision.has_handshake() {
                declared.remove("logging");
            }
            if !revision.features().completions_capability {
                declared.remove("completions");
            }
            assert_eq!(
                capabilities(&server, revision).await,
                expect,
                "{}",
                revision.name()
            );
        }
    }
}

#[tokio::test]
async fn r015_r090_methods_of_absent_features_are_unknown() {
    let bare = builder().build().unwrap();
    let full = builder()
        .tools(ToolRouter::new())
        .resources(Nothing)
        .prompts(Nothing)
        .completer(Nothing)
        .logging()
        .list_changed(&ChangeNotifier::new(), ListKinds::ALL)
        .build()
        .unwrap();
    for (method, handshake, other) in [
        ("tools/list", true, true),
        ("tools/call", true, true),
        ("resources/list", true, true),
        ("resources/templates/list", true, true),
        ("resources/read", true, true),
        ("resources/subscribe", true, false),
        ("resources/unsubscribe", true, false),
        ("prompts/list", true, true),
        ("prompts/get", true, true),
        ("completion/complete", true, true),
        ("logging/setLevel", true, false),
        ("subscriptions/listen", false, true),
        ("tasks/get", false, false),
        ("roots/list", false, false),
        ("sampling/createMessage", false, false),
        ("", false, false),
    ] {
        for &revision in Revision::ALL {
            let shown = format!("{method} at {}", revision.name());
            let refused = ask(&bare, revision, method, json!({})).await;
            assert_eq!(refused["error"]["code"], -32601, "{shown}");
            let answer = ask(&full, revision, method, json!({})).await;
            let is_known = answer["error"]["code"] != -32601;
            let expect = if revision.has_handshake() {
                handshake
            } else {
                other
            };
            assert_eq!(is_known, expect, "{shown}: {answer}");
        }
    }
}

#[tokio::test]
async fn r109_a_completion_has_at_most_a_hundred_values_and_reports_more() {
    let server = builder().completer(Nothing).build().unwrap();
    let params = json!({
        "ref": {"type": "ref/resource", "uri": "test://{id}"},
        "argument": {"name": "id", "value": ""},
    });
    for &revision in Revision::ALL {
        let answer = ask(&server, revision, "completion/complete", params.clone()).await;
        let completion = &answer["result"]["completion"];
        assert_eq!(completion["values"].as_array().unwrap().len(), 100);
        assert_eq!(completion["hasMore"], true);
        assert_eq!(completion["total"], 250);
    }
}

#[tokio::test]
async fn r110_the_input_of_a_completion_is_checked() {
    let server = builder()
        .prompts(Nothing)
        .completer(Nothing)
        .build()
        .unwrap();
    let prompt = json!({"type": "ref/prompt", "name": "unknown"});
    let resource = json!({"type": "ref/resource", "uri": "test://{id}"});
    let argument = json!({"name": "id", "value": ""});
    for &revision in Revision::ALL {
        for params in [
            json!({}),
            json!({"ref": resource}),
            json!({"argument": argument}),
            json!({"ref": {"type": "ref/tool", "name": "a"}, "argument": argument}),
            json!({"ref": {"type": "ref/resource"}, "argument": argument}),
            json!({"ref": resource, "argument": {"name": "id"}}),
            json!({"ref": resource, "argument": {"name": 7, "value": ""}}),
            json!({"ref": prompt, "argument": argument}),
        ] {
            let answer = ask(&server, revision, "completion/complete", params.clone()).await;
            assert_eq!(answer["error"]["code"], -32602, "{params}");
        }
    }
}

#[tokio::test]
async fn a_host_declares_capabilities_and_handles_methods_of_its_own() {
    let settings = json!({"depth": 3}).as_object().cloned().unwrap();
    let server = builder()
        .experimental("x/trace", settings.clone())
        .extension("org.example/trace", settings)
        .custom_method("x/trace", |params, _| {
            Box::pin(async move {
                match params.get("depth").is_some() {
                    true => Ok(params),
                    false => Err(mcp_protocol::ErrorObject::invalid_params("no depth")),
                }
            })
        })
        .build()
        .unwrap();
    for &revision in Revision::ALL {
        let expect = json!({
            "experimental": {"x/trace": {"depth": 3}},
            "extensions": {"org.example/trace": {"depth": 3}},
        });
        assert_eq!(capabilities(&server, revision).await, expect);
        let answer = ask(&server, revision, "x/trace", json!({"depth": 1})).await;
        assert_eq!(answer["result"]["depth"], 1, "{answer}");
        let answer = ask(&server, revision, "x/trace", json!({})).await;
        assert_eq!(answer["error"]["code"], -32602);
        let answer = ask(&server, revision, "x/other", json!({})).await;
        assert_eq!(answer["error"]["code"], -32601);
    }
}

#[test]
fn a_host_cannot_replace_a_method_of_the_protocol() {
    for name in ["tools/list", "initialize"] {
        let own = builder().custom_method(name, |params, _| Box::pin(async { Ok(params) }));
        assert!(own.build().is_err(), "{name}");
    }
}

/// Revisions that have icons get them once, although the newest has the server's identity in each result.
#[tokio::test]
async fn icons_of_the_server_are_in_its_declaration_only() {
    const IDENTITY: &str = "/result/_meta/io.modelcontextprotocol~1serverInfo";
    let info = ServerInfo::new("test", "0").with_icon(Icon::new("data:image/png;base64,aGk="));
    let server = Server::builder(info).tools(ToolRouter::new());
    let server = server.build().unwrap();
    for revision in Revision::ALL.iter().copied() {
        let has_icons = revision.name() >= "2025-11-25";
        let (declares, place) = match revision.has_handshake() {
            true => ("initialize", "/result/serverInfo"),
            false => ("server/discover", IDENTITY),
        };
        let params = json!({"protocolVersion": revision.name()});
        let declared = ask(&server, revision, declares, params).await;
        let icons = declared.pointer(&format!("{place}/icons"));
        assert_eq!(icons.is_some(), has_icons, "{declared}");
        let listed = ask(&server, revision, "tools/list", json!({})).await;
        assert!(!listed.to_string().contains("icons"), "{listed}");
        let has_identity = listed.pointer(IDENTITY).is_some();
        assert_eq!(has_identity, !revision.has_handshake(), "{listed}");
    }
}

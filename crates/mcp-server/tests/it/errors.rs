//! Errors of handlers: what the model gets of them.

use std::{fmt::Display, io};

use mcp_protocol::{Capability, Resource, Revision, ServerInfo, ToolAnnotations};
use mcp_server::{
    AskError, HandlerError, PromptError, PromptRouter, ReadResourceError, ResourceRouter, Server,
    ToolRouter,
};
use serde_json::json;

use crate::ask;

const REVISION: Revision = Revision::V2025_11_25;
const SECRET: &str = "dsn postgres://u:secret@db/x";

/// The texts that a client gets when a tool, a resource and a prompt fail with an error.
async fn texts<E: Display + Send + 'static>(error: fn() -> E) -> [String; 3] {
    let failed = move || async move { Err::<String, E>(error()) };
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(ToolRouter::new().tool("a", "A.", ToolAnnotations::PURE, failed))
        .resources(ResourceRouter::new().resource(Resource::new("x://a", "a", "A."), failed))
        .prompts(PromptRouter::new().prompt("a", "A.", failed))
        .build()
        .unwrap();
    let name = json!({"name": "a"});
    let called = ask(&server, REVISION, "tools/call", name.clone()).await;
    let read = ask(&server, REVISION, "resources/read", json!({"uri": "x://a"})).await;
    let rendered = ask(&server, REVISION, "prompts/get", name).await;
    assert_eq!(called["result"]["isError"], true, "{called}");
    [
        &called["result"]["content"][0]["text"],
        &read["error"]["message"],
        &rendered["error"]["message"],
    ]
    .map(|it| it.as_str().unwrap().to_owned())
}

#[tokio::test]
async fn texts_reach_the_model() {
    for shown in [
        texts(|| "No such note.").await,
        texts(|| "No such note.".to_owned()).await,
        texts(|| HandlerError::new("No such note.")).await,
        texts(|| HandlerError::new(io::Error::other("No such note."))).await,
    ] {
        assert_eq!(shown, ["No such note."; 3]);
    }
    let asking = texts(|| AskError::NotDeclared(Capability::Sampling)).await;
    assert_eq!(
        asking,
        texts(|| HandlerError::from(AskError::NotDeclared(Capability::Sampling))).await
    );
}

#[tokio::test]
async fn other_errors_stay_inside() {
    #[derive(Debug)]
    struct Other;
    impl Display for Other {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(SECRET)
        }
    }
    for hidden in [
        texts(|| io::Error::other(SECRET)).await,
        texts(|| HandlerError::from(io::Error::other(SECRET))).await,
        texts(|| Other).await,
    ] {
        assert_eq!(hidden, ["Internal error. The server log has the cause."; 3]);
    }
}

#[tokio::test]
async fn errors_of_a_resource_and_a_prompt_are_their_own() {
    let [_, read, _] = texts(|| ReadResourceError::Invalid("No such page.".to_owned())).await;
    assert_eq!(read, "No such page.");
    let [_, _, rendered] = texts(|| PromptError::Argument("No such city.".to_owned())).await;
    assert_eq!(rendered, "Invalid params: No such city.");
}

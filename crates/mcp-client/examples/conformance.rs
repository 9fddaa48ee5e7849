//! A client for the official conformance suite (`cargo xtask conformance`). The suite starts it with the URL of a
//! server, and names the scenario in the environment.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite says in the environment what it is about"
)]

use std::env::{args, var};

use mcp_client::{
    Client, ClientConfig, ClientError, ClientHandler, Endpoint,
    mcp_protocol::{Capability, ErrorObject, Object, Prompt, Resource, ServerRequest, Tool},
};
use serde_json::{Value, json};

/// A handler that fills in each form with values from its schema.
struct User;

impl ClientHandler for User {
    fn capabilities(&self) -> &[Capability] {
        &[
            Capability::Elicitation,
            Capability::Sampling,
            Capability::Roots,
        ]
    }

    async fn on_request(&self, request: ServerRequest) -> Result<Object, ErrorObject> {
        let answer = match &request {
            ServerRequest::Elicit { schema, .. } => {
                json!({"action": "accept", "content": values(schema)})
            }
            ServerRequest::Sample(_) => {
                let content = json!({"type": "text", "text": "Paris"});
                json!({"role": "assistant", "content": content, "model": "none"})
            }
            ServerRequest::ListRoots => json!({"roots": []}),
            other => return Err(ErrorObject::method_not_found(other.method())),
        };
        Ok(answer.as_object().cloned().unwrap_or_default())
    }
}

/// Returns a value for each property of a schema.
fn values(schema: &Value) -> Object {
    let properties = schema.get("properties").and_then(Value::as_object);
    let value = |property: &Value| match property.get("default") {
        Some(default) => default.clone(),
        None => match property.get("type").and_then(Value::as_str) {
            Some("number" | "integer") => 2.into(),
            Some("boolean") => true.into(),
            Some("object") => json!({}),
            Some("array") => json!([]),
            _ => "text".into(),
        },
    };
    let properties = properties.into_iter().flatten();
    properties
        .map(|(name, it)| (name.clone(), value(it)))
        .collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ClientError> {
    let url = args().nth(1).unwrap_or_default();
    let config = ClientConfig::new("conformance", env!("CARGO_PKG_VERSION")).with_handler(User);
    let client = Client::connect(Endpoint::new(&url)?, config).await?;
    let outcome = run(
        &client,
        &var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default(),
    )
    .await;
    client.close().await;
    outcome
}

async fn run(client: &Client, scenario: &str) -> Result<(), ClientError> {
    // If the list has no end, use the entries read so far.
    let tools = match client.list_all::<Tool>().await {
        Err(unfinished) if matches!(unfinished.error, ClientError::Cursor(_)) => unfinished.items,
        listed => listed?,
    };
    let schema = |name: &str| {
        let tool = tools.iter().find(|it| it.name == name);
        tool.map(|it| it.input_schema.clone()).unwrap_or_default()
    };
    match scenario {
        // This scenario only checks whether the client follows references in schemas.
        "json-schema-ref-no-deref" => return Ok(()),
        "json-schema-2020-12-preservation" => {
            let arguments =
                Object::from_iter([("schema".to_owned(), schema("json_schema_2020_12_tool"))]);
            client.call_tool("json_schema_echo", arguments).await?;
        }
        _ => {
            let context: Value = var("MCP_CONFORMANCE_CONTEXT")
                .map_or(Value::Null, |it| it.parse().unwrap_or_default());
            let given = context.get("toolCalls").and_then(Value::as_array);
            for tool in &tools {
                let call = given
                    .into_iter()
                    .flatten()
                    .find(|it| it["name"] == tool.name);
                let arguments = call.and_then(|it| it["arguments"].as_object().cloned());
                let arguments = arguments.unwrap_or_else(|| values(&tool.input_schema));
                client.call_tool(&tool.name, arguments).await?;
            }
        }
    }
    if client.capabilities().resources.is_some() {
        for resource in client.list_all::<Resource>().await? {
            client.read_resource(&resource.uri).await?;
        }
    }
    if client.capabilities().prompts.is_some() {
        for prompt in client.list_all::<Prompt>().await? {
            client.get_prompt(&prompt.name, Object::new()).await?;
        }
    }
    Ok(())
}

//! Tools of a router: what they publish is what is enforced, for the callers that can see them.

use mcp_protocol::{CallToolResult, Object, Revision, ServerInfo, Tool, ToolAnnotations};
use mcp_server::{
    BoxFuture, CallContext, Extensions, ListVariant, RequestContext, Server, ToolReply, ToolRouter,
    ToolSet,
};
use serde_json::{Value, json};

use crate::{ask, ask_over, tool};

const REVISION: Revision = Revision::V2025_11_25;

fn add() -> Tool {
    let number = json!({"type": "integer", "minimum": 0});
    let input = json!({
        "type": "object",
        "properties": {"a": number, "b": number},
        "required": ["a", "b"],
        "additionalProperties": false,
    });
    let mut tool = Tool::new("add", "Add two numbers.", input, ToolAnnotations::PURE);
    tool.output_schema = Some(json!({
        "type": "object",
        "properties": {"sum": {"type": "integer", "maximum": 10}},
        "required": ["sum"],
    }));
    tool
}

fn sum(arguments: &Object) -> CallToolResult {
    let sum = arguments["a"].as_i64().unwrap() + arguments["b"].as_i64().unwrap();
    match sum {
        0 => CallToolResult::text("nothing"),
        1 => CallToolResult::error("one"),
        sum => CallToolResult::structured(json!({"sum": sum})),
    }
}

fn adding() -> Server {
    let tools = ToolRouter::new().raw_tool(add(), |arguments| async move { sum(&arguments) });
    Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .build()
        .unwrap()
}

async fn called(server: &Server, arguments: Value) -> (bool, String) {
    let params = json!({"name": "add", "arguments": arguments});
    let answer = ask(server, REVISION, "tools/call", params).await;
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap();
    (result["isError"] == true, text.to_owned())
}

#[tokio::test]
async fn arguments_that_the_schema_refuses_fail_with_the_reasons() {
    let server = adding();
    for (arguments, problem) in [
        (json!({"a": 1}), r#"arguments: "b" is a required property."#),
        (
            json!({"a": "1", "b": 2}),
            r#"a: "1" is not of type "integer"."#,
        ),
        (
            json!({"a": 1, "b": -1}),
            "b: -1 is less than the minimum of 0.",
        ),
        (json!({"a": 1, "b": 1, "c": 1}), "'c' was unexpected"),
    ] {
        let (is_error, text) = called(&server, arguments).await;
        assert!(is_error, "{text}");
        assert!(text.starts_with("Invalid arguments. "), "{text}");
        assert!(text.contains(problem), "{text}");
        assert!(text.ends_with("Call add again with arguments that its input schema accepts."));
    }
    assert_eq!(
        called(&server, json!({"a": 1, "b": 2})).await,
        (false, r#"{"sum":3}"#.to_owned())
    );
}

#[tokio::test]
async fn a_result_that_does_not_fit_the_output_schema_is_an_internal_error() {
    let server = adding();
    for (a, b, expect) in [
        (5, 6, "Internal error. "),
        (0, 0, "Internal error. "),
        (0, 1, "one"),
    ] {
        let (is_error, text) = called(&server, json!({"a": a, "b": b})).await;
        assert!(is_error);
        assert!(text.starts_with(expect), "{text}");
    }
}

#[tokio::test]
async fn a_tool_for_some_scopes_does_not_exist_in_others() {
    let answer = |_| async { CallToolResult::text("done") };
    let admin = ToolRouter::new().raw_tool(tool("reset"), answer);
    let tools = ToolRouter::new()
        .raw_tool(tool("status"), answer)
        .merge_for_variants(|scope| scope.key() == "admin", admin);
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .list_variant(|extensions| {
            let caller: Option<&&str> = extensions.get();
            Ok(caller.map_or_else(ListVariant::default, |it| ListVariant::private(*it)))
        })
        .build()
        .unwrap();
    for (caller, names, outcome) in [
        (Some("admin"), json!(["status", "reset"]), "done"),
        (Some("guest"), json!(["status"]), "unknown tool reset, "),
        (None, json!(["status"]), "unknown tool reset, "),
    ] {
        let mut extensions = Extensions::new();
        if let Some(caller) = caller {
            extensions.insert(caller);
        }
        let cx = RequestContext::from_extensions(extensions);
        let listed = ask_over(&server, REVISION, "tools/list", json!({}), &cx).await;
        let listed = listed["result"]["tools"].as_array().unwrap();
        let listed: Vec<_> = listed.iter().map(|it| it["name"].clone()).collect();
        assert_eq!(Value::from(listed), names);
        let params = json!({"name": "reset"});
        let called = ask_over(&server, REVISION, "tools/call", params, &cx).await;
        assert!(called.to_string().contains(outcome), "{called}");
        assert!(!called.to_string().contains("did you mean reset"));
    }
}

#[test]
fn declarations_that_clients_would_refuse_are_refused_when_the_server_is_built() {
    let with = |change: fn(&mut Tool)| {
        let mut changed = add();
        change(&mut changed);
        let answer = |_: Object| async { CallToolResult::text("") };
        let tools = ToolRouter::new()
            .raw_tool(tool("other"), answer)
            .raw_tool(changed, answer);
        let built = Server::builder(ServerInfo::new("test", "0"))
            .tools(tools)
            .build();
        built.unwrap_err().to_string()
    };
    let found = [
        with(|it| it.name = "add two".to_owned()),
        with(|it| it.name = "other".to_owned()),
        with(|it| it.name = "x".repeat(129)),
        with(|it| it.input_schema = json!({"type": "array"})),
        with(|it| it.output_schema = Some(json!(true))),
        with(|it| it.input_schema["properties"] = json!({"a": {"type": "text"}})),
    ];
    insta::assert_snapshot!(found.join("\n"), @r#"
    the tool name "add two" is not 1 to 128 letters, digits, underscores, hyphens and dots
    the tool "other" is given more than once
    the tool name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not 1 to 128 letters, digits, underscores, hyphens and dots
    the input schema of the tool "add" does not have an object at its root
    the output schema of the tool "add" does not have an object at its root
    the input schema of the tool "add" is not valid
    "#);
}

/// A set whose tools would be refused if it did not skip the check.
struct Vouched;

impl ToolSet for Vouched {
    fn tools(&self, _: &ListVariant) -> Vec<Tool> {
        vec![tool("a b")]
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
}

#[test]
fn a_set_may_skip_the_check_of_its_declarations() {
    let built = Server::builder(ServerInfo::new("test", "0")).tools(Vouched);
    assert!(built.build().is_ok());
}

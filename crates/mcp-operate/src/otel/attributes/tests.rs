//! What attributes say of requests.

use super::*;

fn text(attributes: &[KeyValue]) -> String {
    let text = attributes
        .iter()
        .map(|it| format!("{}={}", it.key, it.value));
    text.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_failed_has_a_type() {
    for (outcome, expected) in [
        (RequestOutcome::Result, ""),
        (RequestOutcome::Cancelled, ""),
        (RequestOutcome::ToolError, "error.type=tool_error"),
        (RequestOutcome::Refused, "error.type=refused"),
        (
            RequestOutcome::Error(-32602),
            "rpc.response.status_code=-32602 error.type=-32602",
        ),
    ] {
        assert_eq!(text(&failure(outcome)), expected, "{outcome:?}");
    }
}

/// No client invents names, and a prompt has not the name of a tool.
#[test]
fn a_request_has_the_names_of_tables() {
    let program = OtelServiceInfo::new("example", "1", |it| (it == "known").then_some("known"));
    let tool = "gen_ai.operation.name=execute_tool";
    for (method, name, expected) in [
        (Some("tools/list"), None, String::new()),
        (
            Some("tools/call"),
            Some("known"),
            format!(" gen_ai.tool.name=known {tool}"),
        ),
        (
            Some("tools/call"),
            Some("invented"),
            format!(" gen_ai.tool.name=_OTHER {tool}"),
        ),
        (
            Some("prompts/get"),
            Some("known"),
            " gen_ai.prompt.name=_OTHER".to_owned(),
        ),
        (None, None, String::new()),
    ] {
        let revision = Revision::V2025_11_25;
        let of = attributes(&program, method, name, revision, &Extensions::default());
        let first = format!(
            "mcp.method.name={} mcp.protocol.version=2025-11-25 network.transport=tcp",
            method.unwrap_or("_OTHER")
        );
        assert_eq!(text(&of), first + &expected);
    }
}

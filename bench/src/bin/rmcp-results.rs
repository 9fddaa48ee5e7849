//! What rmcp's server makes of each type that a tool can return, as the results of one entry of the corpus of
//! `mcp-protocol`.

use std::error::Error;
use std::io::Write;

use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::handler::server::wrapper::Json;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let picture = ContentBlock::image("iVBORw0KGgo=", "image/png");
    let offers = json!([{"price": "1.0", "n": 1}, {"price": "2.0", "n": 2}]);
    let rows = [
        ("string", "hello".to_owned().into_call_tool_result()),
        ("unit", ().into_call_tool_result()),
        (
            "object",
            Json(json!({"height": 468})).into_call_tool_result(),
        ),
        ("list", Json(offers).into_call_tool_result()),
        ("number", Json(42).into_call_tool_result()),
        (
            "text_value",
            Json("hello".to_owned()).into_call_tool_result(),
        ),
        ("null", Json(Value::Null).into_call_tool_result()),
        (
            "failure",
            Err::<String, _>("boom".to_owned()).into_call_tool_result(),
        ),
        (
            "failure_value",
            CallToolResult::structured_error(json!({"code": 7})).into_call_tool_result(),
        ),
        (
            "picture",
            CallToolResult::success(vec![ContentBlock::text("a chart"), picture])
                .into_call_tool_result(),
        ),
    ];
    let mut results = Vec::new();
    for (name, result) in rows {
        let CallToolResponse::Complete(result) = result? else {
            return Err(format!("{name} is no result").into());
        };
        // As it is on the wire: a value in between would sort its members.
        results.push(format!("{name:?}: {}", serde_json::to_string(&result)?));
    }
    let results = results.join(", ");
    Ok(writeln!(std::io::stdout(), "{{{results}}}")?)
}

//! Typed tools: what the types declare is published, enforced and answered.

use mcp_protocol::{Revision, ServerInfo, Tool, ToolAnnotations};
use mcp_server::{
    BuildError, Server, ToolRouter,
    tool_schema::{Bounded, Text, params, record},
};
use serde_json::{Value, json};

use crate::ask;

const REVISION: Revision = Revision::V2025_11_25;

params! {
    struct ForecastParams {
        /// The city.
        city: Text<1, 80>,
        /// How many days.
        days: Bounded<1, 7> = Bounded::new(3)
    }
}

record! {
    struct Forecast {
        /// The city.
        city: String,
        /// The highest temperature of each day.
        highest: Vec<f64>
    }
}

fn router() -> ToolRouter {
    let description = "Return the forecast of a city.";
    let annotations = ToolAnnotations::LOOKUP;
    ToolRouter::new().tool("get_forecast", description, annotations, forecast)
}

async fn forecast(params: ForecastParams) -> Result<Forecast, &'static str> {
    let city = params.city.into_string();
    if city == "Atlantis" {
        return Err("Unknown city. Expected one above sea level.");
    }
    let highest = vec![21.5; params.days.value() as usize];
    Ok(Forecast { city, highest })
}

fn server(tools: ToolRouter) -> Result<Server, BuildError> {
    let info = ServerInfo::new("test", "0");
    Server::builder(info).tools(tools).build()
}

async fn called(arguments: Value) -> Value {
    let params = json!({"name": "get_forecast", "arguments": arguments});
    let server = server(router()).unwrap();
    let answer = ask(&server, REVISION, "tools/call", params).await;
    answer["result"].clone()
}

#[tokio::test]
async fn both_schemas_are_published() {
    let server = server(router()).unwrap();
    let answer = ask(&server, REVISION, "tools/list", json!({})).await;
    let tool = &answer["result"]["tools"][0];
    assert_eq!(
        tool["inputSchema"],
        json!({
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "The city.", "minLength": 1, "maxLength": 80},
                "days": {
                    "type": "integer",
                    "description": "How many days. Default 3, at most 7.",
                    "minimum": 1,
                    "maximum": 7,
                    "default": 3,
                },
            },
            "required": ["city"],
            "additionalProperties": false,
        })
    );
    assert_eq!(
        tool["outputSchema"],
        json!({
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "highest": {"type": "array", "items": {"type": "number"}},
                "notes": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["city", "highest"],
        })
    );
}

#[tokio::test]
async fn a_call_is_read_and_answered_by_the_types() {
    for (arguments, structure) in [
        (
            json!({"city": "Oslo", "days": 1}),
            json!({"city": "Oslo", "highest": [21.5]}),
        ),
        (
            json!({"city": "Oslo", "days": "2"}),
            json!({
                "city": "Oslo",
                "highest": [21.5, 21.5],
                "notes": ["days was sent as \"2\" and read as 2."],
            }),
        ),
        (
            json!({"city": "Oslo", "days": 9}),
            json!({
                "city": "Oslo",
                "highest": [21.5, 21.5, 21.5, 21.5, 21.5, 21.5, 21.5],
                "notes": ["days was sent as 9 and lowered to 7, the most it can be."],
            }),
        ),
    ] {
        let result = called(arguments).await;
        assert_eq!(result["structuredContent"], structure);
        assert_eq!(result["isError"], false);
    }
}

#[tokio::test]
async fn failures_are_results_with_their_text() {
    for (arguments, text) in [
        (
            json!({"town": "Oslo", "days": 0}),
            "Missing argument. `city` is required. Expected a text. `days` is 0. Expected an integer from 1 to 7. \
             `town` is not a parameter of this tool. Expected one of city, days.",
        ),
        (
            json!({"city": "Atlantis"}),
            "Unknown city. Expected one above sea level.",
        ),
    ] {
        let result = called(arguments).await;
        assert_eq!(result["isError"], true);
        assert_eq!(result["content"][0]["text"], text);
        assert_eq!(result.get("structuredContent"), None);
    }
}

#[tokio::test]
async fn a_handler_may_use_its_context() {
    let tool = Tool::new(
        "get_key",
        "Return the scope.",
        Value::Null,
        ToolAnnotations::PURE,
    );
    let tools =
        ToolRouter::new().tool_with_context(tool.with_title("Key"), |_: ForecastParams, cx| {
            Box::pin(async move {
                let city = cx.scope().key().to_owned();
                Ok::<_, String>(Forecast {
                    city,
                    highest: Vec::new(),
                })
            })
        });
    let server = server(tools).unwrap();
    let params = json!({"name": "get_key", "arguments": {"city": "Oslo"}});
    let answer = ask(&server, REVISION, "tools/call", params).await;
    assert_eq!(answer["result"]["structuredContent"]["city"], "");
}

#[test]
fn a_parameter_that_is_declared_twice_is_refused() {
    params! {
        struct Twice {
            #[flatten]
            forecast: ForecastParams,
            /// The city, once more.
            city: Text<1, 80>
        }
    }
    let twice = |params: Twice| async move {
        let city = params.forecast.city.into_string() + params.city.as_str();
        Ok::<_, String>(Forecast {
            city,
            highest: Vec::new(),
        })
    };
    let tools = ToolRouter::new().tool("twice", "For tests.", ToolAnnotations::PURE, twice);
    let error = server(tools).unwrap_err().to_string();
    assert_eq!(
        error,
        "the parameter \"city\" of the tool \"twice\" is declared more than once"
    );
}

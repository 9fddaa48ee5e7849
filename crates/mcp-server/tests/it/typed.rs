//! Typed tools: what the types declare is published, enforced and answered.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use mcp_protocol::{
    CallToolResult, Capability, ContentBlock, Revision, ServerInfo, ToolAnnotations,
};
use mcp_server::{
    AskError, BuildError, CallContext, Server, ToolRouter, ToolSet,
    tool_schema::{BoundedString, CappedInt, Json, NoParams, params, record, remove_descriptions},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::ask;

const REVISION: Revision = Revision::V2025_11_25;

params! {
    struct ForecastParams {
        /// The city.
        city: BoundedString<1, 80>,
        /// How many days.
        days: CappedInt<1, 7> = CappedInt::from_const(3)
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

fn server(tools: impl ToolSet) -> Result<Server, BuildError> {
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
    let described = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "The city."},
            "highest": {
                "type": "array",
                "description": "The highest temperature of each day.",
                "items": {"type": "number"},
            },
            "notes": {
                "type": "array",
                "description": "What to know when you read the answer.",
                "items": {"type": "string"},
            },
        },
        "required": ["city", "highest"],
    });
    assert_eq!(tool["outputSchema"], described);

    let builder = Server::builder(ServerInfo::new("weather", "1.0.0")).tools(router());
    let server = builder.brief_output_schemas().build().unwrap();
    let answer = ask(&server, REVISION, "tools/list", json!({})).await;
    let mut brief = described;
    remove_descriptions(&mut brief);
    assert_eq!(answer["result"]["tools"][0]["outputSchema"], brief);
    assert_eq!(
        answer["result"]["tools"][0]["inputSchema"],
        tool["inputSchema"]
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
            json!({"town": "Oslo", "days": -1}),
            "Missing argument. `city` is required. Expected a text. `days` is -1. Expected an integer from 1 to 7. \
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

async fn city_in_scope(params: ForecastParams, cx: &CallContext) -> Forecast {
    let city = format!("{}{}", params.city, cx.list_variant().key());
    let highest = Vec::new();
    Forecast { city, highest }
}

/// A state that handlers share.
#[derive(Default)]
struct Station(AtomicU32);

impl Station {
    async fn count(&self, _: NoParams) -> String {
        self.0.fetch_add(1, Ordering::Relaxed).to_string()
    }

    async fn count_here(&self, _: NoParams, cx: &CallContext) -> Result<String, AskError> {
        cx.require_capabilities(&[Capability::Sampling])?;
        Ok(String::new())
    }
}

#[derive(Deserialize, JsonSchema)]
struct Range {
    #[schemars(range(max = 9))]
    most: u8,
}

#[derive(Serialize, JsonSchema)]
struct Numbers {
    numbers: Vec<u8>,
    label: Option<String>,
}

/// Tools of every kind of handler and answer.
fn kinds() -> ToolRouter<Station> {
    let station = Arc::new(Station::default());
    let description = "For tests.";
    let pure = ToolAnnotations::PURE;
    let closures = ToolRouter::new()
        .tool("picture", description, pure, async |_: NoParams| {
            vec![ContentBlock::image_base64("AAAA", "image/png")]
        })
        .tool("text", description, pure, async |params: ForecastParams| {
            params.city.into_string()
        })
        .tool(
            "result",
            description,
            pure,
            async |_: NoParams, cx: &CallContext| CallToolResult::error(cx.list_variant().key()),
        )
        .tool(
            "beside",
            description,
            pure,
            async |params: ForecastParams| {
                let link = ContentBlock::resource_link("weather://oslo", "oslo");
                forecast(params).await.map(|it| (it, vec![link]))
            },
        )
        .tool(
            "numbers",
            description,
            pure,
            async |Json(range): Json<Range>| {
                Json(Numbers {
                    numbers: (0..=range.most).collect(),
                    label: None,
                })
            },
        );
    ToolRouter::with_state(station)
        .tool("function", description, pure, city_in_scope)
        .map_last_tool(|tool| tool.with_title("A function"))
        .tool("method", description, pure, Station::count)
        .tool("asking", description, pure, Station::count_here)
        .merge(closures)
}

#[tokio::test]
async fn handlers_are_functions_methods_and_closures_with_any_answer() {
    let oslo = || json!({"city": "Oslo", "days": "1"});
    let server = server(kinds()).unwrap();
    let mut results = Vec::new();
    for (name, arguments) in [
        ("function", oslo()),
        ("method", json!({})),
        ("method", json!({})),
        ("asking", json!({})),
        ("picture", json!({})),
        ("text", oslo()),
        ("result", json!({})),
        ("beside", oslo()),
        ("numbers", json!({"most": "2"})),
        ("numbers", json!({"most": 10, "least": 1})),
    ] {
        let params = json!({"name": name, "arguments": arguments});
        let answer = ask(&server, REVISION, "tools/call", params).await;
        results.push(format!("{name}: {}", answer["result"]));
    }
    insta::assert_snapshot!(results.join("\n"));
}

#[test]
fn the_answer_decides_whether_there_is_an_output_schema() {
    let tools = kinds().tools_in_any_variant();
    let with: Vec<_> = tools
        .iter()
        .filter(|it| it.output_schema.is_some())
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(with, ["function", "beside", "numbers"]);
    assert_eq!(tools[0].title.as_deref(), Some("A function"));
}

#[test]
fn a_parameter_that_is_declared_twice_is_refused() {
    params! {
        struct Twice {
            #[flatten]
            forecast: ForecastParams,
            /// The city, once more.
            city: BoundedString<1, 80>
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

//! The server: three typed tools, who sees them, and who can call them; a resource by template, and a prompt.

pub mod access;

use mcp_protocol::{ErrorObject, ResourceTemplate, ServerInfo, ToolAnnotations};
use mcp_server::tool_schema::{BoundedString, CappedInt, params, record};
use mcp_server::{
    AuthInfo, Extensions, ListVariant, PromptRouter, ResourceRouter, Server, ServerBuilder,
    ToolRouter,
};

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
        /// The highest temperature of each day, in degrees Celsius.
        highest: Vec<f64>
    }
}

async fn forecast(params: ForecastParams) -> Forecast {
    let city = params.city.into_string();
    let highest = (0..params.days.value())
        .map(|day| 18.5 + f64::from(day))
        .collect();
    Forecast { city, highest }
}

params! {
    struct ClimateParams {
        /// The city.
        city: String,
        /// The month, from 1.
        month: u8
    }
}

/// The variables of the address are parameters, and so are the arguments of the prompt.
async fn climate(ClimateParams { city, month }: ClimateParams) -> Option<String> {
    (1..=12)
        .contains(&month)
        .then(|| format!("{city} is mild in month {month}."))
}

async fn packing(params: ForecastParams) -> String {
    let (city, days) = (params.city, params.days.value());
    format!("Ask for the forecast of {city}, and say what to pack for {days} days.")
}

/// Staff sees every tool: who has been granted the scope `staff`, by a token over HTTP, or by the program on stdio.
fn scope(caller: &Extensions) -> Result<ListVariant, ErrorObject> {
    let grant = caller.get::<AuthInfo>();
    let is_staff = grant.is_some_and(|it| it.scopes.iter().any(|scope| scope == "staff"));
    Ok(ListVariant::private(if is_staff {
        "staff"
    } else {
        "guest"
    }))
}

/// The names of the tools.
const TOOLS: [&str; 3] = ["get_forecast", "get_raw_forecast", "get_measurements"];

/// The tool of a name, so that clients invent none in the figures.
#[must_use]
pub fn tool(name: &str) -> Option<&'static str> {
    TOOLS.into_iter().find(|it| *it == name)
}

/// The server, to be built.
#[must_use]
pub fn builder() -> ServerBuilder {
    let [forecasts, raw, measured] = TOOLS;
    let everyone = ToolRouter::new().tool(
        forecasts,
        "Return the forecast of a city.",
        ToolAnnotations::LOOKUP,
        forecast,
    );
    let staff = ToolRouter::new().tool(
        raw,
        "Return the forecast of a city before it is reviewed.",
        ToolAnnotations::LOOKUP,
        forecast,
    );
    let measurements = ToolRouter::new().tool(
        measured,
        "Return the measurements behind the forecast of a city.",
        ToolAnnotations::LOOKUP,
        forecast,
    );
    let tools = everyone
        // Others do not see them.
        .merge_for_variants(|scope| scope.key() == "staff", staff)
        // Everyone sees them, and learns what access a call needs.
        .merge_requiring_scope("measurements", measurements);
    let climates = "weather://climate/{city}/{month}";
    let climates = ResourceTemplate::new(climates, "climate", "What is usual in a city.");
    let resources = ResourceRouter::new().template(climates.with_mime_type("text/plain"), climate);
    let prompts = PromptRouter::new().prompt("packing", "Say what to pack.", packing);
    Server::builder(ServerInfo::new("weather", "1.0.0"))
        .tools(tools)
        .resources(resources)
        .prompts(prompts)
        .list_variant(scope)
}

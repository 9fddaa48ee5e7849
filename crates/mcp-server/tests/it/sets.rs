//! Resources and prompts made of handlers.

use mcp_protocol::{Resource, ResourceTemplate, Revision, ServerInfo};
use mcp_server::{
    BuildError, CallContext, PromptRouter, ReadResourceError, ResourceRouter, Server,
    tool_schema::{CappedInt, params},
};
use serde_json::json;

use crate::ask;

const REVISION: Revision = Revision::V2025_11_25;

params! {
    struct CityParams {
        /// The city.
        city: String,
        /// How many days.
        days: CappedInt<1, 7> = CappedInt::from_const(3),
    }
}

params! {
    struct PathParams {
        /// Where it is.
        #[name("filePath")]
        path: String,
    }
}

async fn climate(params: CityParams, _: &CallContext) -> Result<Option<String>, ReadResourceError> {
    match params.city.as_str() {
        "Atlantis" => Err(ReadResourceError::Invalid(
            "it is below sea level".to_owned(),
        )),
        "Nowhere" => Ok(None),
        city => Ok(Some(format!("{city} {}", params.days.value()))),
    }
}

fn resources() -> ResourceRouter {
    let stations = Resource::new("w://stations", "stations", "All.").with_mime_type("text/csv");
    let picture = Resource::new("w://picture", "picture", "A picture.").with_mime_type("image/png");
    let hidden = Resource::new("w://hidden", "hidden", "For staff.");
    let files = ResourceTemplate::new("w://files/{+filePath}", "files", "Files.");
    let climates = ResourceTemplate::new("w://climate/{city}", "climate", "Climates.");
    ResourceRouter::new()
        .resource(stations, async || "oslo,bergen")
        .resource(picture, async || vec![0_u8, 1])
        .template(climates.with_mime_type("text/plain"), climate)
        .template(files, async |params: PathParams| params.path)
        .merge_for_variants(
            |scope| scope.key() == "staff",
            ResourceRouter::new().resource(hidden, async || "hidden"),
        )
        .with_subscriptions()
}

fn prompts() -> PromptRouter {
    PromptRouter::new()
        .prompt("summary", "Summarize.", async |params: CityParams| {
            format!("{} for {} days", params.city, params.days.value())
        })
        .map_last_prompt(|prompt| prompt.with_title("Summary"))
        .prompt("failing", "Fails.", async || Err::<String, _>("as asked"))
}

fn server() -> Server {
    Server::builder(ServerInfo::new("test", "0"))
        .resources(resources())
        .prompts(prompts())
        .build()
        .unwrap()
}

async fn answers(asked: impl IntoIterator<Item = (&str, serde_json::Value)>) -> String {
    let server = server();
    let mut answers = Vec::new();
    for (method, params) in asked {
        let answer = ask(&server, REVISION, method, params.clone()).await;
        let answer = answer
            .get("result")
            .or_else(|| answer.get("error"))
            .unwrap()
            .to_string();
        answers.push(format!("{method} {params}\n    {answer}"));
    }
    answers.join("\n")
}

#[tokio::test]
async fn resources_are_read_by_their_address_and_by_templates() {
    let read = |uri: &str| ("resources/read", json!({"uri": uri}));
    let asked = [
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        read("w://stations"),
        read("w://picture"),
        read("w://climate/Troms%C3%B8"),
        read("w://climate/Atlantis"),
        read("w://climate/Nowhere"),
        read("w://climate/Oslo/today"),
        read("w://files/a/b.txt"),
        read("w://hidden"),
    ];
    insta::assert_snapshot!(answers(asked).await);
}

#[tokio::test]
async fn prompts_have_typed_arguments() {
    let get =
        |name: &str, arguments| ("prompts/get", json!({"name": name, "arguments": arguments}));
    let asked = [
        ("prompts/list", json!({})),
        get("summary", json!({"city": "Oslo", "days": "2"})),
        get("summary", json!({"city": "Oslo", "days": "0", "town": "x"})),
        get("summary", json!({})),
        get("failing", json!({})),
        get("other", json!({})),
    ];
    insta::assert_snapshot!(answers(asked).await);
}

#[test]
fn a_template_has_the_variables_of_its_handler() {
    for template in ["w://{town}", "w://all", "w://{city"] {
        let template = ResourceTemplate::new(template, "climate", "Climates.");
        let resources = ResourceRouter::new().template(template, climate);
        let built = Server::builder(ServerInfo::new("test", "0"))
            .resources(resources)
            .build();
        assert!(matches!(built, Err(BuildError::UriTemplate(_))));
    }
}

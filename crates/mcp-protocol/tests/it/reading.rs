//! What servers say is read as it was said, and what is odd about it costs nothing else.

use mcp_protocol::{
    CacheHint, CallToolResult, Capability, Completion, ContentBlock, ErrorObject, GetPromptResult,
    Icon, Method, Object, Prompt, PromptArgument, PromptMessage, ReadResourceResult, RequestId,
    Resource, ResourceTemplate, Revision, ServerInfo, ServerRequest, Theme, Tool, ToolAnnotations,
    content::{ResourceContents, Role},
    read::{ListItem, Page, ToolResultReadOptions},
    render,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::random::Random;

const ROUNDS: u64 = 500;

impl Random {
    fn icons(&mut self) -> Vec<Icon> {
        let icon = |it: &mut Self| {
            let mut icon = Icon::new(it.text());
            icon.mime_type = it.maybe(Self::mime_type);
            icon.sizes = (0..it.below(3)).map(|_| it.text()).collect();
            icon.theme = it.maybe(|it| it.of(&[Theme::Light, Theme::Dark]));
            icon
        };
        (0..self.below(3)).map(|_| icon(self)).collect()
    }

    fn tool(&mut self) -> Tool {
        let hints = ToolAnnotations::default()
            .with_read_only(self.coin())
            .with_destructive(self.coin())
            .with_idempotent(self.coin())
            .with_open_world(self.coin());
        let schema = json!({"type": "object", "x": self.json(1)});
        let mut tool = Tool::new(self.text(), self.text(), schema, hints);
        tool.title = self.maybe(Self::text);
        tool.output_schema = self.maybe(|it| json!({"type": "object", "y": it.json(1)}));
        tool.icons = self.icons();
        tool.meta = self.maybe(Self::object).unwrap_or_default();
        tool
    }

    fn resource(&mut self) -> Resource {
        let mut resource = Resource::new(self.text(), self.text(), self.text());
        resource.title = self.maybe(Self::text);
        resource.mime_type = self.maybe(Self::mime_type);
        resource.size = self.maybe(Self::next);
        resource.annotations = self.maybe(Self::annotations);
        resource.icons = self.icons();
        resource.meta = self.maybe(Self::object).unwrap_or_default();
        resource
    }

    fn template(&mut self) -> ResourceTemplate {
        let mut template = ResourceTemplate::new(self.text(), self.text(), self.text());
        template.title = self.maybe(Self::text);
        template.annotations = self.maybe(Self::annotations);
        template.icons = self.icons();
        template.meta = self.maybe(Self::object).unwrap_or_default();
        template
    }

    fn prompt(&mut self) -> Prompt {
        let mut prompt = Prompt::new(self.text(), self.text());
        prompt.title = self.maybe(Self::text);
        prompt.arguments = (0..self.below(3))
            .map(|_| match self.coin() {
                true => PromptArgument::required(self.text(), self.text()),
                false => PromptArgument::optional(self.text(), self.text()).with_title("t"),
            })
            .collect();
        prompt.icons = self.icons();
        prompt.meta = self.maybe(Self::object).unwrap_or_default();
        prompt
    }
}

/// What was rendered at a revision that has everything is read as it was.
fn round_trip<T: DeserializeOwned + PartialEq + std::fmt::Debug>(
    original: &T,
    wire: Value,
    seed: u64,
) {
    let text = wire.to_string();
    assert_eq!(
        &serde_json::from_value::<T>(wire).unwrap(),
        original,
        "seed {seed}: {text}"
    );
}

#[test]
fn what_was_rendered_is_read_as_it_was() {
    let rules = Revision::V2026_07_28.features();
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let tool = random.tool();
        round_trip(&tool, render::tool(&tool, rules), seed);
        let resource = random.resource();
        round_trip(&resource, render::resource(&resource, rules), seed);
        let template = random.template();
        round_trip(&template, render::resource_template(&template, rules), seed);
        let prompt = random.prompt();
        round_trip(&prompt, render::prompt(&prompt, rules), seed);
        let mut server = ServerInfo::new(random.text(), random.text());
        server.title = random.maybe(Random::text);
        server.description = random.maybe(Random::text);
        server.website_url = random.maybe(Random::text);
        server.icons = random.icons();
        round_trip(&server, render::server_info(&server, rules), seed);
        let mut result = random.result();
        // Of anything else it is rendered with a text, too.
        result.structured_content = random.maybe(Random::object).map(Value::from);
        let wire = render::call_tool_result(result.clone(), rules);
        round_trip(&result, wire.into(), seed);
        let messages = (0..random.below(3)).map(|_| {
            let role = random.of(&[Role::User, Role::Assistant]);
            PromptMessage::new(role, random.block())
        });
        let messages = messages.collect();
        let mut prompt = GetPromptResult::new(messages);
        prompt.description = random.maybe(Random::text);
        prompt.meta = random.maybe(Random::object).unwrap_or_default();
        let wire = render::get_prompt_result(prompt.clone(), rules);
        round_trip(&prompt, wire.into(), seed);
        let contents = ResourceContents::text(random.text(), random.text());
        let mut read = ReadResourceResult::new(vec![contents]);
        read.cache = CacheHint::public(random.next());
        let wire = render::read_resource_result(read.clone(), rules);
        round_trip(&read, wire.into(), seed);
        let values = (0..random.below(5)).map(|_| random.text()).collect();
        let completion = Completion::new(values).with_total(random.next() >> 1);
        round_trip(
            &completion,
            render::completion(completion.clone()).into(),
            seed,
        );
    }
}

/// Removes what is null where a member may be absent. Parsing keeps it, to report it; deserializing does not.
fn forget_null(result: &mut Value) {
    fn members(value: Option<&mut Value>) {
        if let Some(Value::Object(members)) = value {
            members.retain(|_, it| !it.is_null());
        }
    }
    members(Some(result));
    let content = result.get_mut("content").and_then(Value::as_array_mut);
    for block in content.into_iter().flatten() {
        members(Some(block));
        members(block.get_mut("resource"));
        members(block.get_mut("annotations"));
    }
}

#[test]
fn a_result_is_deserialized_as_it_is_parsed() {
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let value = match random.coin() {
            true => random.json(4),
            false => random.result_json(),
        };
        let mut expected = value.clone();
        forget_null(&mut expected);
        let parsed = CallToolResult::read(expected, ToolResultReadOptions::default());
        let read: Result<CallToolResult, _> = serde_json::from_str(&value.to_string());
        match (parsed, read) {
            (Ok(parsed), Ok(read)) => assert_eq!(read, parsed.result, "seed {seed}: {value}"),
            (Err(_), Err(_)) => (),
            (parsed, read) => panic!("seed {seed}: {value}: {parsed:?} {read:?}"),
        }
    }
}

#[test]
fn a_list_is_deserialized_as_it_is_read() {
    fn check<T: ListItem + DeserializeOwned + PartialEq + std::fmt::Debug>(
        entries: Vec<Value>,
        seed: u64,
    ) {
        for entry in &entries {
            let read: Result<T, _> = serde_json::from_str(&entry.to_string());
            let expect = serde_json::from_value::<T>(entry.clone()).map_err(|it| it.to_string());
            assert_eq!(
                read.map_err(|it| it.to_string()),
                expect,
                "seed {seed}: {entry}"
            );
        }
        let value = json!({member::<T>(): entries});
        let read: Page<T> = serde_json::from_str(&value.to_string()).unwrap();
        assert_eq!(read, serde_json::from_value(value).unwrap(), "seed {seed}");
    }
    let rules = Revision::V2026_07_28.features();
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        // Of one list, what another one has, and anything at all.
        let entries: Vec<Value> = (0..6)
            .map(|_| match random.below(5) {
                0 => render::tool(&random.tool(), rules),
                1 => render::resource(&random.resource(), rules),
                2 => render::resource_template(&random.template(), rules),
                3 => render::prompt(&random.prompt(), rules),
                _ => random.json(3),
            })
            .collect();
        check::<Tool>(entries.clone(), seed);
        check::<Resource>(entries.clone(), seed);
        check::<ResourceTemplate>(entries.clone(), seed);
        check::<Prompt>(entries, seed);
    }
}

#[test]
fn of_members_with_one_name_the_last_one_counts() {
    let tool = r#"{"name": "a", "name": "b", "inputSchema": 7, "inputSchema": {}}"#;
    let page = format!(r#"{{"tools": [], "tools": [{tool}], "nextCursor": 7, "nextCursor": "c"}}"#);
    let page: Page<Tool> = serde_json::from_str(&page).unwrap();
    let names: Vec<_> = page.items.iter().map(|it| it.name.as_str()).collect();
    assert_eq!((names, page.next_cursor.as_deref()), (vec!["b"], Some("c")));
}

#[test]
fn no_json_makes_a_reader_panic() {
    fn read<T: DeserializeOwned>(value: &Value) {
        let _ = serde_json::from_value::<T>(value.clone());
    }
    for seed in 0..ROUNDS {
        let value = Random(seed).json(4);
        read::<Page<Tool>>(&value);
        read::<Page<Resource>>(&value);
        read::<GetPromptResult>(&value);
        read::<ReadResourceResult>(&value);
        read::<ContentBlock>(&value);
        read::<Completion>(&value);
        if let Value::Object(params) = value {
            let _ = ServerRequest::read("elicitation/create", params);
        }
    }
}

#[test]
fn one_entry_that_cannot_be_read_does_not_cost_the_list() {
    fn check<T: ListItem + PartialEq + std::fmt::Debug>(good: &Value, bad: &[(Value, &str)]) {
        let mut list = vec![good.clone()];
        list.extend(bad.iter().map(|(it, _)| it.clone()));
        list.push(good.clone());
        let page = json!({
            member::<T>(): list,
            "nextCursor": "next",
            "ttlMs": 5.0,
            "cacheScope": "public",
            "unknown": [],
        });
        let read: Page<T> = serde_json::from_str(&page.to_string()).unwrap();
        let page = serde_json::from_value::<Page<T>>(page).unwrap();
        assert_eq!(read, page);
        assert_eq!(page.items.len(), 2, "{:?}", T::METHOD);
        let found = page
            .unreadable
            .iter()
            .map(|(index, why)| (*index, why.to_string()));
        let expect = bad
            .iter()
            .enumerate()
            .map(|(n, (_, why))| (n + 1, (*why).to_owned()));
        assert_eq!(found.collect::<Vec<_>>(), expect.collect::<Vec<_>>());
        assert_eq!(page.next_cursor.as_deref(), Some("next"));
        assert_eq!(page.cache, CacheHint::public(5));
    }
    check::<Tool>(
        &json!({"name": "a", "inputSchema": {}, "title": 7, "icons": [7, {"src": "x"}]}),
        &[
            (json!(null), "tools: expected an object, found null"),
            (
                json!({"inputSchema": {}}),
                "name: expected a string, found nothing",
            ),
            (
                json!({"name": "a", "inputSchema": true}),
                "inputSchema: expected an object, found a boolean",
            ),
        ],
    );
    check::<Resource>(
        &json!({"uri": "a:b", "size": "large", "annotations": []}),
        &[(
            json!({"name": "a"}),
            "uri: expected a string, found nothing",
        )],
    );
    check::<ResourceTemplate>(
        &json!({"uriTemplate": "a:{b}"}),
        &[(
            json!([]),
            "resourceTemplates: expected an object, found an array",
        )],
    );
    check::<Prompt>(
        &json!({"name": "a", "arguments": [{"name": "b"}, {}]}),
        &[(
            json!({"name": 7}),
            "name: expected a string, found a number",
        )],
    );
    for page in [json!({}), json!({"tools": {}}), json!([])] {
        assert!(serde_json::from_str::<Page<Tool>>(&page.to_string()).is_err());
        assert!(serde_json::from_value::<Page<Tool>>(page).is_err());
    }
}

#[test]
fn a_request_to_the_client_is_read_as_it_was_written() {
    let url = ServerRequest::elicit_url("Open.", "https://example.org/", "1").unwrap();
    assert_eq!(url.capability(), Capability::UrlElicitation);
    let params = url.params(Revision::V2025_11_25.features());
    assert_eq!(ServerRequest::read(url.method(), params), Some(url));
    let with = |params: Value| {
        let params = params.as_object().unwrap().clone();
        ServerRequest::read("elicitation/create", params)
    };
    assert!(with(json!({"message": "?", "mode": "form", "requestedSchema": {}})).is_some());
    for invalid in [
        json!({"message": "?"}),
        json!({"message": "?", "mode": "later", "requestedSchema": {}}),
        json!({"message": "?", "mode": "url", "url": "javascript:alert(1)"}),
        json!({"requestedSchema": {}}),
    ] {
        assert_eq!(with(invalid.clone()), None, "{invalid}");
    }
    assert_eq!(ServerRequest::read("later/ask", Object::new()), None);
}

#[test]
fn errors_and_ids_are_deserialized() {
    let error: ErrorObject = serde_json::from_str(r#"{"code":-32602,"message":"no"}"#).unwrap();
    assert_eq!(error, ErrorObject::new(-32602, "no"));
    assert!(serde_json::from_str::<ErrorObject>("7").is_err());
    assert_eq!(
        serde_json::from_str::<RequestId>("1.0").unwrap(),
        RequestId::Integer(1)
    );
    assert!(serde_json::from_str::<RequestId>("1.5").is_err());
}

/// The member of a result that holds the list.
fn member<T: ListItem>() -> &'static str {
    match T::METHOD {
        Method::ResourcesTemplatesList => "resourceTemplates",
        method => method.as_str().strip_suffix("/list").unwrap(),
    }
}

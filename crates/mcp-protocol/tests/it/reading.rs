//! What servers say is read as it was said, and what is odd about it costs nothing else.

use mcp_protocol::{
    CacheHint, CallToolResult, Capability, ClientRequest, Completion, ContentBlock, ErrorObject,
    GetPromptResult, Icon, LogLevel, Message, Object, Prompt, PromptArgument, PromptMessage,
    ReadResourceResult, Resource, ResourceTemplate, Revision, ServerInfo, Theme, Tool,
    ToolAnnotations,
    content::{ResourceContents, Role},
    jsonrpc::{self, Incoming, RequestId},
    read::{
        InputRequired, Listed, NotificationKind, Page, Reading, ServerNotification, ServerOffer,
    },
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
    let rules = Revision::V2026_07_28.rules();
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

#[test]
fn a_result_is_deserialized_as_it_is_parsed() {
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let value = match random.coin() {
            true => random.json(4),
            false => random.result_json(),
        };
        let parsed = CallToolResult::read(value.clone(), Reading::default());
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
    fn check<T: Listed + DeserializeOwned + PartialEq + std::fmt::Debug>(
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
        let value = json!({T::MEMBER: entries});
        let read: Page<T> = serde_json::from_str(&value.to_string()).unwrap();
        assert_eq!(read, serde_json::from_value(value).unwrap(), "seed {seed}");
    }
    let rules = Revision::V2026_07_28.rules();
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
        read::<ServerOffer>(&value);
        read::<Page<Tool>>(&value);
        read::<Page<Resource>>(&value);
        read::<GetPromptResult>(&value);
        read::<ReadResourceResult>(&value);
        read::<InputRequired>(&value);
        read::<ContentBlock>(&value);
        read::<Completion>(&value);
        if let Value::Object(params) = value {
            for method in ["progress", "message", "resources/updated", "cancelled", "x"] {
                let method = format!("notifications/{method}");
                let params = Some(params.clone());
                let notification = jsonrpc::Notification { method, params };
                let _ = ServerNotification::new(notification);
            }
            let _ = ClientRequest::read("elicitation/create", params);
        }
    }
}

#[test]
fn one_entry_that_cannot_be_read_does_not_cost_the_list() {
    fn check<T: Listed + PartialEq + std::fmt::Debug>(good: &Value, bad: &[(Value, &str)]) {
        let mut list = vec![good.clone()];
        list.extend(bad.iter().map(|(it, _)| it.clone()));
        list.push(good.clone());
        let page = json!({
            T::MEMBER: list,
            "nextCursor": "next",
            "ttlMs": 5.0,
            "cacheScope": "public",
            "unknown": [],
        });
        let read: Page<T> = serde_json::from_str(&page.to_string()).unwrap();
        let page = serde_json::from_value::<Page<T>>(page).unwrap();
        assert_eq!(read, page);
        assert_eq!(page.items.len(), 2, "{}", T::METHOD);
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
fn a_server_says_what_it_is_and_what_it_offers() {
    let capabilities = json!({
        "tools": {"listChanged": true},
        "resources": {"subscribe": true, "listChanged": "yes"},
        "prompts": null,
        "completions": {},
        "experimental": {"x": {}},
        "extensions": {"io.example/y": {}},
    });
    let server = json!({"name": "s", "version": "1", "icons": "none"});
    let result = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": capabilities,
        "serverInfo": server,
        "instructions": "Use it.",
    });
    let read: ServerOffer = serde_json::from_value(result.clone()).unwrap();
    assert_eq!(read.revision(), Some(Revision::V2025_06_18));
    assert_eq!(read.server_info, Some(ServerInfo::new("s", "1")));
    assert_eq!(read.instructions.as_deref(), Some("Use it."));
    let offered = &read.capabilities;
    assert!(offered.tools.unwrap().list_changed && !offered.tools.unwrap().subscribe);
    assert!(offered.resources.unwrap().subscribe && !offered.resources.unwrap().list_changed);
    assert!(offered.prompts.is_none() && offered.completions && !offered.logging);
    assert!(offered.experimental.contains_key("x"));
    assert!(offered.extensions.contains_key("io.example/y"));
    for (version, revision) in [("2026-07-28", None), ("2030-01-01", None)] {
        let mut result = result.clone();
        result["protocolVersion"] = version.into();
        let read = serde_json::from_value::<ServerOffer>(result).unwrap();
        assert_eq!(
            (read.versions.concat().as_str(), read.revision()),
            (version, revision)
        );
    }
    for member in ["protocolVersion", "serverInfo"] {
        let mut result = result.clone();
        result[member] = 7.into();
        assert!(
            serde_json::from_value::<ServerOffer>(result).is_err(),
            "{member}"
        );
    }

    let discovered = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28", "2030-01-01", 7],
        "capabilities": capabilities,
        "_meta": {"io.modelcontextprotocol/serverInfo": server, "x": 1},
        "ttlMs": -1,
        "cacheScope": "private",
    });
    let discovered: ServerOffer = serde_json::from_value(discovered).unwrap();
    assert_eq!(discovered.revision(), Some(Revision::V2026_07_28));
    assert_eq!(discovered.versions.len(), 2);
    assert_eq!(discovered.server_info, Some(ServerInfo::new("s", "1")));
    assert_eq!(discovered.capabilities, read.capabilities);
    assert_eq!(Value::from(discovered.meta), json!({"x": 1}));
}

#[test]
fn notifications_are_told_apart() {
    let check = |method: &str, params: Value, is_expected: fn(&NotificationKind) -> bool| {
        let method = format!("notifications/{method}");
        let line = json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string();
        let Ok(Incoming::Single(Message::Notification(read))) = jsonrpc::parse(line.as_bytes())
        else {
            panic!("{line}");
        };
        let read = ServerNotification::new(read);
        assert!(is_expected(&read.kind), "{line}: {read:?}");
        read.subscription
    };
    let progress = json!({"progressToken": 7.0, "progress": 1, "total": 2.5, "message": "m"});
    check("progress", progress, |it| match it {
        NotificationKind::Progress(it) => {
            it.token == RequestId::Integer(7)
                && it.progress.total_cmp(&1.0).is_eq()
                && it.total == Some(2.5)
                && it.message.as_deref() == Some("m")
        }
        _ => false,
    });
    check("message", json!({"level": "error", "data": 1}), |it| {
        matches!(
            it,
            NotificationKind::Log {
                level: LogLevel::Error,
                ..
            }
        )
    });
    check(
        "resources/updated",
        json!({"uri": "a:b"}),
        |it| matches!(it, NotificationKind::ResourceUpdated(uri) if uri == "a:b"),
    );
    check("cancelled", json!({"requestId": "a"}), |it| {
        matches!(it, NotificationKind::Cancelled(_))
    });
    check(
        "elicitation/complete",
        json!({"elicitationId": "a"}),
        |it| matches!(it, NotificationKind::ElicitationComplete(id) if id == "a"),
    );
    let meta = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": 9}});
    let subscription = check("tools/list_changed", meta.clone(), |it| {
        matches!(it, NotificationKind::ToolsChanged)
    });
    assert_eq!(subscription, Some(RequestId::Integer(9)));
    check("prompts/list_changed", json!({}), |it| {
        matches!(it, NotificationKind::PromptsChanged)
    });
    check("resources/list_changed", json!({}), |it| {
        matches!(it, NotificationKind::ResourcesChanged)
    });
    check(
        "subscriptions/acknowledged",
        json!({"notifications": {"a": true}}),
        |it| matches!(it, NotificationKind::SubscriptionAcknowledged(of) if of.contains_key("a")),
    );
    // What is unknown or unreadable is handed on.
    for (method, params) in [
        ("later", json!({"x": 1})),
        ("progress", json!({"progress": 1})),
        ("message", json!({"level": "loud", "data": 1})),
        ("resources/updated", json!({})),
    ] {
        check(
            method,
            params,
            |it| matches!(it, NotificationKind::Other(it) if it.method.starts_with("notifications/")),
        );
    }
}

#[test]
fn questions_are_read_as_they_were_asked() {
    let asked = vec![
        (
            "form".to_owned(),
            ClientRequest::elicit("?", json!({"type": "object"})),
        ),
        ("model".to_owned(), ClientRequest::sample("?", 5)),
        ("roots".to_owned(), ClientRequest::ListRoots),
    ];
    let rules = Revision::V2026_07_28.rules();
    let mut wire = render::input_required(&asked, Some("state".to_owned()), rules);
    let later = json!({"method": "later/ask", "params": {}});
    wire["inputRequests"]["later"] = later.clone();
    let read: InputRequired = serde_json::from_value(wire.into()).unwrap();
    assert_eq!(read.requests, asked);
    assert_eq!(read.state.as_deref(), Some("state"));
    assert_eq!(read.unknown.get("later"), Some(&later));
    assert!(serde_json::from_value::<InputRequired>(json!({"resultType": "complete"})).is_err());

    let url = ClientRequest::elicit_url("Open.", "https://example.org/", "1").unwrap();
    assert_eq!(url.capability(), Capability::UrlElicitation);
    let params = url.params(Revision::V2025_11_25.rules());
    assert_eq!(ClientRequest::read(url.method(), params), Some(url));
    let with = |params: Value| {
        let params = params.as_object().unwrap().clone();
        ClientRequest::read("elicitation/create", params)
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
    assert_eq!(ClientRequest::read("later/ask", Object::new()), None);
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

//! Prompts, resources and questions in the shape of each revision.

use serde_json::{Value, json};

use crate::{
    CacheHint, Completion, ContentBlock, GetPromptResult, Icon, Object, Prompt, PromptArgument,
    ReadResourceResult, Resource, ResourceTemplate, Revision, ServerInfo, ServerRequest, Theme,
    Tool, ToolAnnotations,
    content::{Annotations, Role},
    render,
};

/// The revisions at which the rendered value has a member at `place`, by their names.
fn have(place: &str, render: impl Fn(Revision) -> Value) -> Vec<&'static str> {
    let has = |it: &Revision| render(*it).pointer(place).is_some();
    let revisions = Revision::ALL.iter().copied().filter(has);
    revisions.map(Revision::name).collect()
}

const ALL: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

#[test]
fn members_appear_with_the_revision_that_has_them() {
    let annotations = Annotations::default()
        .with_audience(vec![Role::User])
        .with_last_modified("2026-01-01T00:00:00Z");
    let icon = || Icon::new("https://example.org/i.png").with_size("48x48");
    let meta = || Object::from_iter([("example.org/a".to_owned(), json!(1))]);
    let resource = Resource::new("test://a", "a", "A.")
        .with_title("A")
        .with_mime_type("text/plain")
        .with_size(7)
        .with_annotations(annotations.clone())
        .with_icon(icon())
        .with_meta(meta());
    let template = ResourceTemplate::new("test://{id}", "t", "T.")
        .with_title("T")
        .with_mime_type("text/plain")
        .with_annotations(annotations)
        .with_icon(icon())
        .with_meta(meta());
    let prompt = Prompt::new("p", "P.")
        .with_title("P")
        .with_argument(PromptArgument::required("a", "A.").with_title("A"))
        .with_icon(icon())
        .with_meta(meta());
    let tool = Tool::new("t", "T.", json!({"type": "object"}), ToolAnnotations::PURE)
        .with_title("T")
        .with_output_schema(json!({"type": "object"}))
        .with_icon(icon())
        .with_meta(meta());
    let server = ServerInfo::new("s", "1")
        .with_title("S")
        .with_description("S.")
        .with_website_url("https://example.org")
        .with_icon(icon());
    let result =
        || ReadResourceResult::text("test://a", "text/plain", "a").with_cache(CacheHint::public(5));
    for (place, since) in [
        ("/uri", 0),
        ("/mimeType", 0),
        ("/size", 0),
        ("/annotations/audience/0", 0),
        ("/annotations/lastModified", 2),
        ("/title", 2),
        ("/icons/0/src", 3),
        ("/_meta", 2),
    ] {
        let found = have(place, |it| render::resource(&resource, it.features()));
        assert_eq!(found, ALL[since..], "{place} of a resource");
    }
    for (place, since) in [
        ("/uriTemplate", 0),
        ("/description", 0),
        ("/annotations", 0),
        ("/title", 2),
        ("/icons", 3),
        ("/_meta", 2),
    ] {
        let found = have(place, |it| {
            render::resource_template(&template, it.features())
        });
        assert_eq!(found, ALL[since..], "{place} of a template");
    }
    for (place, since) in [
        ("/arguments/0/required", 0),
        ("/arguments/0/title", 2),
        ("/title", 2),
        ("/icons", 3),
        ("/_meta", 2),
    ] {
        let found = have(place, |it| render::prompt(&prompt, it.features()));
        assert_eq!(found, ALL[since..], "{place} of a prompt");
    }
    for (place, since) in [
        ("/description", 0),
        ("/annotations", 1),
        ("/title", 2),
        ("/outputSchema", 2),
        ("/icons/0/sizes/0", 3),
        ("/_meta", 2),
    ] {
        let found = have(place, |it| render::tool(&tool, it.features()));
        assert_eq!(found, ALL[since..], "{place} of a tool");
    }
    for (place, since) in [
        ("/name", 0),
        ("/title", 2),
        ("/description", 3),
        ("/websiteUrl", 3),
        ("/icons/0/src", 3),
    ] {
        let found = have(place, |it| render::server_info(&server, it.features()));
        assert_eq!(found, ALL[since..], "{place} of a server");
    }
    for (place, since) in [("/contents/0/text", 0), ("/ttlMs", 4), ("/cacheScope", 4)] {
        let found = have(place, |it| {
            render::read_resource_result(result(), it.features()).into()
        });
        assert_eq!(found, ALL[since..], "{place} of contents");
    }
}

#[test]
fn an_output_schema_of_an_object_stays_and_any_other_is_wrapped_for_revisions_that_require_one() {
    let list = json!({"type": "array", "items": {"$ref": "#/$defs/row"}, "$defs": {"row": {"type": "string"}}});
    let wrapped = json!({
        "type": "object",
        "properties": {"result": {
            "type": "array",
            "items": {"$ref": "#/properties/result/$defs/row"},
            "$defs": {"row": {"type": "string"}},
        }},
        "required": ["result"],
    });
    let object = json!({"type": "object", "properties": {"a": {"$ref": "#"}}});
    for (schema, revision, expected) in [
        (&list, Revision::V2025_03_26, None),
        (&list, Revision::V2025_06_18, Some(&wrapped)),
        (&list, Revision::V2025_11_25, Some(&wrapped)),
        (&list, Revision::V2026_07_28, Some(&list)),
        (&object, Revision::V2025_03_26, None),
        (&object, Revision::V2025_06_18, Some(&object)),
        (&object, Revision::V2026_07_28, Some(&object)),
    ] {
        let tool = Tool::new("t", "T.", json!({}), ToolAnnotations::default())
            .with_output_schema(schema.clone());
        let rendered = render::tool(&tool, revision.features());
        assert_eq!(
            rendered.get("outputSchema"),
            expected,
            "{schema} {revision:?}"
        );
    }
}

#[test]
fn unset_members_are_absent() {
    let (newest, tool) = (
        Revision::V2026_07_28.features(),
        Tool::new("t", "T.", json!({}), ToolAnnotations::default()),
    );
    for value in [
        render::tool(&tool, newest),
        render::resource(&Resource::new("test://a", "a", "A."), newest),
        render::resource_template(&ResourceTemplate::new("test://{a}", "a", "A."), newest),
        render::prompt(&Prompt::new("p", "P."), newest),
        render::server_info(&ServerInfo::new("s", "1"), newest),
    ] {
        for member in ["title", "icons", "_meta"] {
            assert_eq!(value.get(member), None, "{value}");
        }
    }
}

#[test]
fn an_icon_has_the_members_of_the_specification() {
    let icon = Icon::new("data:image/png;base64,aGk=")
        .with_mime_type("image/png")
        .with_size("48x48")
        .with_size("any")
        .with_theme(Theme::Dark);
    assert_eq!(
        icon.to_value(),
        json!({
            "src": "data:image/png;base64,aGk=",
            "mimeType": "image/png",
            "sizes": ["48x48", "any"],
            "theme": "dark",
        })
    );
}

#[test]
fn a_prompt_message_is_rendered_as_the_revision_defines_it() {
    let kinds = |revision: Revision| {
        let blocks = [
            ContentBlock::text("a"),
            ContentBlock::audio_base64("AAAA", "audio/wav"),
            ContentBlock::resource_link("test://a", "a"),
        ];
        let result =
            render::get_prompt_result(GetPromptResult::user_messages(blocks), revision.features());
        let messages = result["messages"].as_array().unwrap().iter();
        let kinds = messages.map(|it| it["content"]["type"].as_str().unwrap().to_owned());
        kinds.collect::<Vec<_>>().join(" ")
    };
    let found: Vec<_> = Revision::ALL.iter().copied().map(kinds).collect();
    assert_eq!(
        found,
        [
            "text text text",
            "text audio text",
            "text audio resource_link",
            "text audio resource_link",
            "text audio resource_link",
        ]
    );
}

#[test]
fn a_completion_reports_whether_there_are_more_values() {
    for (values, total, more, told) in [
        (0, None, false, None),
        (2, None, false, None),
        (2, Some(2), false, Some(2)),
        (2, Some(9), true, Some(9)),
        (100, None, false, None),
        (101, None, true, Some(101)),
    ] {
        let values = vec![String::new(); values];
        let mut completion = Completion::new(values);
        completion.total = total;
        let result = render::completion(completion);
        assert_eq!(result["completion"]["hasMore"], more);
        assert_eq!(
            result["completion"].get("total").and_then(Value::as_u64),
            told
        );
    }
}

#[test]
fn an_answer_needs_the_members_that_its_question_defines() {
    let elicit = ServerRequest::elicit("?", json!({}));
    let sample = ServerRequest::sample("?", 1);
    for (request, answer, expect) in [
        (&elicit, json!({"action": "accept", "content": {}}), true),
        (&elicit, json!({"action": "decline"}), true),
        (&elicit, json!({"action": "cancel"}), true),
        (&elicit, json!({"action": "ok"}), false),
        (&elicit, json!({}), false),
        (&sample, json!({"role": "assistant", "content": {}}), true),
        (&sample, json!({"action": "accept"}), false),
        (&ServerRequest::ListRoots, json!({"roots": []}), true),
        (&ServerRequest::ListRoots, json!({"roots": {}}), false),
    ] {
        let answer = answer.as_object().unwrap();
        assert_eq!(request.is_answered_by(answer), expect, "{answer:?}");
    }
}

//! Prompts, resources and questions in the shape of each revision.

use serde_json::{Value, json};

use crate::{
    ClientRequest, Completion, ContentBlock, GetPromptResult, Prompt, ReadResourceResult, Resource,
    ResourceTemplate, Revision,
    content::{Annotations, Role},
    render::{self, CacheHint},
};

/// The revisions at which the rendered value has a member at `place`, by their names.
fn have(place: &str, render: impl Fn(Revision) -> Value) -> Vec<&'static str> {
    let has = |it: &Revision| render(*it).pointer(place).is_some();
    let revisions = Revision::ALL.into_iter().filter(has);
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
    let annotations = Annotations {
        audience: Some(vec![Role::User]),
        last_modified: Some("2026-01-01T00:00:00Z".to_owned()),
        ..Annotations::default()
    };
    let icons = Some(vec![json!({"src": "https://example.org/i.png"})]);
    let resource = Resource {
        title: Some("A".to_owned()),
        size: Some(7),
        annotations: Some(annotations.clone()),
        icons: icons.clone(),
        ..Resource::new("test://a", "a", "A.").with_mime_type("text/plain")
    };
    let template = ResourceTemplate {
        uri_template: "test://{id}".to_owned(),
        name: "t".to_owned(),
        title: Some("T".to_owned()),
        annotations: Some(annotations),
        icons: icons.clone(),
        ..ResourceTemplate::default()
    };
    let mut prompt = Prompt::new("p", "P.").with_argument("a", "A.");
    prompt.title = Some("P".to_owned());
    prompt.icons = icons;
    let result = || ReadResourceResult {
        cache: CacheHint {
            ttl_ms: 5,
            public: true,
        },
        ..ReadResourceResult::text("test://a", "text/plain", "a")
    };
    for (place, since) in [
        ("/uri", 0),
        ("/mimeType", 0),
        ("/size", 0),
        ("/annotations/audience/0", 0),
        ("/annotations/lastModified", 2),
        ("/title", 2),
        ("/icons/0/src", 3),
    ] {
        let found = have(place, |it| render::resource(&resource, it.rules()));
        assert_eq!(found, ALL[since..], "{place} of a resource");
    }
    for (place, since) in [
        ("/uriTemplate", 0),
        ("/annotations", 0),
        ("/title", 2),
        ("/icons", 3),
    ] {
        let found = have(place, |it| render::resource_template(&template, it.rules()));
        assert_eq!(found, ALL[since..], "{place} of a template");
    }
    for (place, since) in [("/arguments/0/required", 0), ("/title", 2), ("/icons", 3)] {
        let found = have(place, |it| render::prompt(&prompt, it.rules()));
        assert_eq!(found, ALL[since..], "{place} of a prompt");
    }
    for (place, since) in [("/contents/0/text", 0), ("/ttlMs", 4), ("/cacheScope", 4)] {
        let found = have(place, |it| {
            render::read_resource_result(result(), it.rules()).into()
        });
        assert_eq!(found, ALL[since..], "{place} of contents");
    }
}

#[test]
fn a_message_of_a_prompt_is_said_as_the_revision_can() {
    let kinds = |revision: Revision| {
        let blocks = [
            ContentBlock::text("a"),
            ContentBlock::audio("AAAA", "audio/wav"),
            ContentBlock::resource_link("test://a", "a"),
        ];
        let result = render::get_prompt_result(GetPromptResult::user(blocks), revision.rules());
        let messages = result["messages"].as_array().unwrap().iter();
        let kinds = messages.map(|it| it["content"]["type"].as_str().unwrap().to_owned());
        kinds.collect::<Vec<_>>().join(" ")
    };
    let found = Revision::ALL.map(kinds);
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
fn a_completion_says_whether_there_is_more() {
    for (values, total, more, told) in [
        (0, None, false, None),
        (2, None, false, None),
        (2, Some(2), false, Some(2)),
        (2, Some(9), true, Some(9)),
        (100, None, false, None),
        (101, None, true, Some(101)),
    ] {
        let values = vec![String::new(); values];
        let result = render::completion(Completion { values, total });
        assert_eq!(result["completion"]["hasMore"], more);
        assert_eq!(
            result["completion"].get("total").and_then(Value::as_u64),
            told
        );
    }
}

#[test]
fn a_question_is_answered_by_what_has_the_members_of_an_answer() {
    let elicit = ClientRequest::elicit("?", json!({}));
    let sample = ClientRequest::sample("?", 1);
    for (request, answer, expect) in [
        (&elicit, json!({"action": "accept", "content": {}}), true),
        (&elicit, json!({"action": "decline"}), true),
        (&elicit, json!({"action": "cancel"}), true),
        (&elicit, json!({"action": "ok"}), false),
        (&elicit, json!({}), false),
        (&sample, json!({"role": "assistant", "content": {}}), true),
        (&sample, json!({"action": "accept"}), false),
        (&ClientRequest::ListRoots, json!({"roots": []}), true),
        (&ClientRequest::ListRoots, json!({"roots": {}}), false),
    ] {
        let answer = answer.as_object().unwrap();
        assert_eq!(request.is_answered_by(answer), expect, "{answer:?}");
    }
}

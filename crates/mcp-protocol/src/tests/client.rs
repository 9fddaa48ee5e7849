//! What clients can be asked, by what they declared, and what is an answer.

use serde_json::{Value, json};

use crate::{Capability, Revision, ServerRequest, revision::TaskForm};

#[test]
fn r095_r096_r101_a_capability_is_one_of_what_a_client_declared_at_a_revision_that_knows_it() {
    use Capability::{Elicitation, Roots, Sampling, SamplingTools, Tasks, UrlElicitation};
    let cases: [(Value, &[Capability]); 15] = [
        (json!({}), &[]),
        (json!({"tools": {}}), &[]),
        (json!({"elicitation": {}}), &[Elicitation]),
        (json!({"elicitation": true}), &[]),
        (json!({"elicitation": {"form": {}}}), &[Elicitation]),
        (json!({"elicitation": {"url": {}}}), &[UrlElicitation]),
        (json!({"elicitation": {"url": true}}), &[Elicitation]),
        (
            json!({"elicitation": {"form": {}, "url": {}}}),
            &[Elicitation, UrlElicitation],
        ),
        (json!({"sampling": {}}), &[Sampling]),
        (
            json!({"sampling": {"tools": {}}}),
            &[Sampling, SamplingTools],
        ),
        (json!({"sampling": {"tools": 1}}), &[Sampling]),
        (json!({"roots": {"listChanged": true}}), &[Roots]),
        (json!({"roots": null}), &[]),
        (
            json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}),
            &[Tasks],
        ),
        (json!({"tasks": {"requests": {}}}), &[]),
    ];
    for (declared, expect) in cases {
        let declared = declared.as_object().unwrap();
        for &revision in Revision::ALL {
            let rules = revision.features();
            let has = Capability::ALL.iter().copied();
            let has: Vec<_> = has
                .filter(|it| it.is_declared_in(declared, rules))
                .collect();
            let mut expect = expect.to_vec();
            expect.retain(|it| match it {
                Elicitation => rules.elicitation,
                UrlElicitation => rules.url_elicitation,
                SamplingTools => rules.sampling_tool_results,
                Tasks => rules.tasks == TaskForm::Extension,
                Sampling | Roots => true,
            });
            assert_eq!(has, expect, "{declared:?} at {}", revision.name());
        }
    }
}

#[test]
fn capabilities_are_named_as_they_are_declared() {
    let names: Vec<_> = Capability::ALL.iter().map(|it| it.name()).collect();
    let expect = [
        "elicitation.form",
        "elicitation.url",
        "sampling",
        "sampling.tools",
        "roots",
        "extensions.io.modelcontextprotocol/tasks",
    ];
    assert_eq!(names, expect);
}

fn form() -> ServerRequest {
    let schema = json!({"properties": {"name": {"type": "string"}}, "required": ["name"]});
    ServerRequest::elicit("Who?", schema)
}

fn sample(more: &Value) -> ServerRequest {
    let ServerRequest::Sample(mut params) = ServerRequest::sample("Well?", 9) else {
        panic!("it asks the model");
    };
    params.extend(more.as_object().unwrap().clone());
    ServerRequest::Sample(params)
}

#[test]
fn a_request_has_its_method_its_capability_and_its_params() {
    let rules = Revision::V2025_11_25.features();
    let message = json!([{"role": "user", "content": {"type": "text", "text": "Well?"}}]);
    for (request, method, capability, params) in [
        (
            ServerRequest::elicit("Who?", json!({})),
            "elicitation/create",
            Capability::Elicitation,
            json!({"message": "Who?", "requestedSchema": {}}),
        ),
        (
            ServerRequest::elicit_url("Go.", "https://a", "7").unwrap(),
            "elicitation/create",
            Capability::UrlElicitation,
            json!({"mode": "url", "message": "Go.", "url": "https://a", "elicitationId": "7"}),
        ),
        (
            sample(&json!({})),
            "sampling/createMessage",
            Capability::Sampling,
            json!({"messages": message, "maxTokens": 9}),
        ),
        (
            sample(&json!({"tools": []})),
            "sampling/createMessage",
            Capability::SamplingTools,
            json!({"messages": message, "maxTokens": 9, "tools": []}),
        ),
        (
            sample(&json!({"toolChoice": {}})),
            "sampling/createMessage",
            Capability::SamplingTools,
            json!({"messages": message, "maxTokens": 9, "toolChoice": {}}),
        ),
        (
            ServerRequest::ListRoots,
            "roots/list",
            Capability::Roots,
            json!({}),
        ),
    ] {
        assert_eq!(request.method(), method);
        assert_eq!(request.capability(), capability, "{request:?}");
        assert_eq!(Value::Object(request.params(rules)), params);
    }
}

#[test]
fn r105_a_url_is_absolute_and_has_a_host() {
    for (url, is_valid) in [
        ("https://example.org", true),
        ("http://127.0.0.1:8000/a?b=c#d", true),
        ("https://", false),
        ("https://?x", false),
        ("example.org", false),
        ("javascript:alert(1)", false),
        ("https://example.org/a b", false),
        ("https:// ", false),
    ] {
        let request = ServerRequest::elicit_url("?", url, "1");
        assert_eq!(request.is_some(), is_valid, "{url}");
    }
}

#[test]
fn r097_an_answer_has_what_its_request_asks_for() {
    let url = || ServerRequest::elicit_url("Go.", "https://a", "7").unwrap();
    for (request, answer, expect) in [
        (
            form(),
            json!({"action": "accept", "content": {"name": "Ada"}}),
            true,
        ),
        (form(), json!({"action": "accept", "content": {}}), false),
        (form(), json!({"action": "accept", "content": []}), false),
        (form(), json!({"action": "accept"}), false),
        (form(), json!({"action": "decline"}), true),
        (
            form(),
            json!({"action": "cancel", "content": {"name": 7}}),
            true,
        ),
        (
            form(),
            json!({"action": "shrug", "content": {"name": "Ada"}}),
            false,
        ),
        (form(), json!({"content": {"name": "Ada"}}), false),
        (
            ServerRequest::elicit("?", json!({})),
            json!({"action": "accept"}),
            true,
        ),
        (url(), json!({"action": "accept"}), true),
        (url(), json!({"action": "decline"}), true),
        (url(), json!({"action": "shrug"}), false),
        (
            sample(&json!({})),
            json!({"role": "assistant", "content": {}}),
            true,
        ),
        (sample(&json!({})), json!({"role": "assistant"}), false),
        (sample(&json!({})), json!({"content": {}}), false),
        (ServerRequest::ListRoots, json!({"roots": []}), true),
        (ServerRequest::ListRoots, json!({"roots": {}}), false),
        (ServerRequest::ListRoots, json!({}), false),
    ] {
        let is_answer = request.is_answered_by(answer.as_object().unwrap());
        assert_eq!(is_answer, expect, "{request:?} {answer}");
    }
}

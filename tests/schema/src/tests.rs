//! What the validation accepts, and what it does not.

use std::panic::catch_unwind;

use mcp_protocol::{
    Icon, Object, Prompt, PromptArgument, Resource, ResourceTemplate, Revision, ServerInfo, Theme,
    Tool, ToolAnnotations,
    content::{Annotations, Role},
    render,
};
use serde_json::{Value, json};

use crate::{Conversation, schemas::problems};

/// Whether the response is valid at the revision, and whether it needs an exception.
fn validate(revision: Revision, sent: &Value, heard: &Value) -> Result<bool, ()> {
    let valid = catch_unwind(|| {
        let mut conversation = Conversation::new(revision);
        conversation.sent(sent);
        conversation.heard(heard).is_some()
    });
    valid.map_err(drop)
}

fn request(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method})
}

#[test]
fn responses_are_validated_by_their_requests() {
    for &revision in Revision::ALL {
        let mut text = json!({"content": [{"type": "text", "text": ""}]});
        if revision.features().result_type {
            text["resultType"] = json!("complete");
        }
        for (method, result, expect) in [
            ("tools/call", &text, Ok(false)),
            ("tools/list", &text, Err(())),
            ("no/such", &text, Ok(false)),
            ("tools/call", &json!([]), Err(())),
            ("tools/call", &json!({"content": [], "new": 1}), Err(())),
        ] {
            let heard = json!({"jsonrpc": "2.0", "id": 1, "result": result});
            assert_eq!(
                validate(revision, &request(method), &heard),
                expect,
                "{method}"
            );
        }
        let other = json!({"jsonrpc": "2.0", "id": "1", "result": text});
        assert_eq!(validate(revision, &request("tools/call"), &other), Err(()));
    }
}

#[test]
fn an_error_without_an_id_is_the_one_exception() {
    for &revision in Revision::ALL {
        let excepted = !revision.features().errors_without_id;
        let error = json!({"code": -32700, "message": "no"});
        let heard = json!({"jsonrpc": "2.0", "error": error});
        assert_eq!(validate(revision, &json!(null), &heard), Ok(excepted));
        for wrong in [
            json!({"jsonrpc": "2.0", "id": null, "error": error}),
            json!({"jsonrpc": "2.0", "error": {"code": 1.5, "message": "no"}}),
            json!({"jsonrpc": "2.0", "error": {"code": 1}}),
            json!({"error": error}),
            json!({"jsonrpc": "2.0", "error": error, "requestId": "a"}),
        ] {
            assert_eq!(validate(revision, &json!(null), &wrong), Err(()), "{wrong}");
        }
    }
}

#[test]
fn batches_and_server_requests_exist_in_some_revisions_only() {
    let pong = json!({"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}});
    let roots = json!({"jsonrpc": "2.0", "id": 7, "method": "roots/list"});
    for &revision in Revision::ALL {
        let batch = validate(revision, &json!([request("ping")]), &json!([pong]));
        assert_eq!(
            batch.is_ok(),
            revision.features().batches,
            "{}",
            revision.name()
        );
        let asked = validate(revision, &json!(null), &roots);
        assert_eq!(
            asked.is_ok(),
            revision.has_handshake(),
            "{}",
            revision.name()
        );
    }
}

#[test]
fn a_message_is_validated_by_its_own_revision() {
    let mut conversation = Conversation::new(Revision::V2025_11_25);
    let meta =
        json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "progressToken": "t"});
    let mut newer = request("tools/list");
    newer["params"] = json!({"_meta": meta});
    conversation.sent(&newer);
    let progress = json!({"progressToken": "t", "progress": 1});
    let progress =
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress});
    assert!(conversation.heard(&progress).is_none());
    let result = json!({"tools": [], "resultType": "complete", "ttlMs": 0, "cacheScope": "public"});
    let listed = json!({"jsonrpc": "2.0", "id": 1, "result": result});
    assert!(conversation.heard(&listed).is_none());
    let older = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}});
    conversation.sent(&request("tools/list"));
    assert!(conversation.heard(&older).is_none());
    assert_eq!(validate(Revision::V2025_11_25, &newer, &older), Err(()));
}

#[test]
fn values_with_every_member_are_rendered_as_each_revision_defines_them() {
    let icon = || {
        let icon = Icon::new("https://example.org/i.png").with_mime_type("image/png");
        icon.with_size("48x48").with_theme(Theme::Light)
    };
    let meta = || Object::from_iter([("example.org/a".to_owned(), json!({"b": 1}))]);
    let annotations = || {
        Annotations::default()
            .with_audience(vec![Role::User, Role::Assistant])
            .with_priority(1.into())
            .with_last_modified("2026-01-01T00:00:00Z")
    };
    let object = json!({"type": "object"});
    let tool = Tool::new("t", "T.", object.clone(), ToolAnnotations::LOOKUP)
        .with_title("T")
        .with_output_schema(object)
        .with_icon(icon())
        .with_meta(meta());
    let resource = Resource::new("test://a", "a", "A.")
        .with_title("A")
        .with_mime_type("text/plain")
        .with_size(1)
        .with_annotations(annotations())
        .with_icon(icon())
        .with_meta(meta());
    let template = ResourceTemplate::new("test://{a}", "a", "A.")
        .with_title("A")
        .with_mime_type("text/plain")
        .with_annotations(annotations())
        .with_icon(icon())
        .with_meta(meta());
    let prompt = Prompt::new("p", "P.")
        .with_title("P")
        .with_argument(PromptArgument::required("a", "A.").with_title("A"))
        .with_icon(icon())
        .with_meta(meta());
    let server = ServerInfo::new("s", "1")
        .with_title("S")
        .with_description("S.")
        .with_website_url("https://example.org")
        .with_icon(icon());
    for &revision in Revision::ALL {
        let rules = revision.features();
        for (definition, value) in [
            ("Tool", render::tool(&tool, rules)),
            ("Resource", render::resource(&resource, rules)),
            (
                "ResourceTemplate",
                render::resource_template(&template, rules),
            ),
            ("Prompt", render::prompt(&prompt, rules)),
            ("Implementation", render::server_info(&server, rules)),
        ] {
            let found = problems(revision, definition, &value);
            assert_eq!(found, Vec::<String>::new(), "{value}");
        }
    }
}

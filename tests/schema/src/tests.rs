//! The judge itself: what it lets pass, and what it does not.

use std::panic::catch_unwind;

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::Conversation;

/// Whether the answer passes at the revision, and whether it needs an exception.
fn judge(revision: Revision, sent: &Value, heard: &Value) -> Result<bool, ()> {
    let judged = catch_unwind(|| {
        let mut conversation = Conversation::new(revision);
        conversation.sent(sent);
        conversation.heard(heard).is_some()
    });
    judged.map_err(drop)
}

fn request(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method})
}

#[test]
fn answers_are_judged_by_what_was_asked() {
    for revision in Revision::ALL {
        let mut text = json!({"content": [{"type": "text", "text": ""}]});
        if revision.rules().result_type {
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
                judge(revision, &request(method), &heard),
                expect,
                "{method}"
            );
        }
        let other = json!({"jsonrpc": "2.0", "id": "1", "result": text});
        assert_eq!(judge(revision, &request("tools/call"), &other), Err(()));
    }
}

#[test]
fn an_error_without_an_id_is_the_one_exception() {
    for revision in Revision::ALL {
        let excepted = !revision.rules().errors_without_id;
        let error = json!({"code": -32700, "message": "no"});
        let heard = json!({"jsonrpc": "2.0", "error": error});
        assert_eq!(judge(revision, &json!(null), &heard), Ok(excepted));
        for wrong in [
            json!({"jsonrpc": "2.0", "id": null, "error": error}),
            json!({"jsonrpc": "2.0", "error": {"code": 1.5, "message": "no"}}),
            json!({"jsonrpc": "2.0", "error": {"code": 1}}),
            json!({"error": error}),
            json!({"jsonrpc": "2.0", "error": error, "requestId": "a"}),
        ] {
            assert_eq!(judge(revision, &json!(null), &wrong), Err(()), "{wrong}");
        }
    }
}

#[test]
fn batches_and_questions_are_of_some_revisions_alone() {
    let pong = json!({"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}});
    let roots = json!({"jsonrpc": "2.0", "id": 7, "method": "roots/list"});
    for revision in Revision::ALL {
        let batch = judge(revision, &json!([request("ping")]), &json!([pong]));
        assert_eq!(
            batch.is_ok(),
            revision.rules().batches,
            "{}",
            revision.name()
        );
        let asked = judge(revision, &json!(null), &roots);
        assert_eq!(
            asked.is_ok(),
            revision.has_handshake(),
            "{}",
            revision.name()
        );
    }
}

#[test]
fn a_message_is_judged_by_its_own_revision() {
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
    assert_eq!(judge(Revision::V2025_11_25, &newer, &older), Err(()));
}

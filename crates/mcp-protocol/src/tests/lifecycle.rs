//! Which revision a message is read as.

use serde_json::{Value, json};

use crate::{
    Object, Request, RequestId, Revision,
    transport::{
        has_revision_in_meta, negotiate_revision, per_request_revision, revision_name_in_meta,
    },
};

fn params(meta: &Value) -> Object {
    json!({"_meta": meta}).as_object().unwrap().clone()
}

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

#[test]
fn r008_both_members_of_meta_are_required() {
    for (meta, named) in [
        (json!({}), false),
        (json!(null), false),
        (json!({CAPABILITIES: {}}), false),
        (json!({VERSION: "2026-07-28"}), true),
        (json!({VERSION: 1, CAPABILITIES: {}}), true),
        (json!({VERSION: "2026-07-28", CAPABILITIES: []}), true),
    ] {
        let params = params(&meta);
        assert_eq!(has_revision_in_meta(Some(&params)), named, "{meta}");
        assert_eq!(
            revision_name_in_meta(Some(&params)).unwrap_err().code,
            -32602,
            "{meta}"
        );
    }
    assert_eq!(revision_name_in_meta(None).unwrap_err().code, -32602);
}

#[test]
fn r116_a_log_level_that_there_is_not_is_refused() {
    const LEVEL: &str = "io.modelcontextprotocol/logLevel";
    let check = |version: &str, level: Value, is_refused: bool| {
        let meta = json!({VERSION: version, CAPABILITIES: {}, LEVEL: level});
        let params = params(&meta);
        let code = revision_name_in_meta(Some(&params)).err().map(|it| it.code);
        assert_eq!(code, is_refused.then_some(-32602), "{meta}");
    };
    check("2026-07-28", json!("warning"), false);
    for level in [json!("loud"), json!("Warning"), json!(3), json!(null)] {
        check("2026-07-28", level.clone(), true);
        // What a revision that is not served has is not known.
        check("2099-01-01", level, false);
    }
}

#[test]
fn r009_client_info_is_optional() {
    let params = params(&json!({VERSION: "2026-07-28", CAPABILITIES: {}}));
    assert_eq!(revision_name_in_meta(Some(&params)), Ok("2026-07-28"));
}

#[test]
fn r012_r018_only_revisions_without_handshake_can_be_named() {
    assert_eq!(
        per_request_revision("2026-07-28"),
        Ok(Revision::V2026_07_28)
    );
    for asked in ["2025-11-25", "2024-11-05", "draft", "", "v999.0.0"] {
        let error = per_request_revision(asked).unwrap_err();
        assert_eq!(error.code, -32022);
        // One that needs a handshake is not offered to be named again.
        let supported = match asked.parse::<Revision>() {
            Ok(_) => Revision::all_without_handshake()
                .map(Revision::name)
                .collect(),
            Err(_) => Revision::names(),
        };
        assert_eq!(
            error.to_value()["data"],
            json!({"supported": supported, "requested": asked})
        );
    }
}

#[test]
fn initialize_must_name_a_revision() {
    let negotiated = |params: Value| {
        let request = Request {
            id: RequestId::Integer(1),
            method: "initialize".to_owned(),
            params: params.as_object().cloned(),
        };
        negotiate_revision(&request).map_err(|err| err.code)
    };
    assert_eq!(
        negotiated(json!({"protocolVersion": "2024-11-05"})),
        Ok(Revision::V2024_11_05)
    );
    assert_eq!(
        negotiated(json!({"protocolVersion": 20241105})),
        Err(-32602)
    );
    assert_eq!(negotiated(json!({})), Err(-32602));
    assert_eq!(negotiated(Value::Null), Err(-32602));
}

//! Resources, prompts and completions through the whole server, in every revision.

use mcp_protocol::Revision;
use qortal_testnode::Fault;
use qortal_tests::{Host, request};
use serde_json::{Value, json};

use crate::shapes::{check, pin};

/// A list in every revision, of which one entry is shown: the others have the same shape.
async fn check_list(shape: &str, method: &str, member: &str, shown: (&str, &str), happened: &str) {
    let host = Host::start().await;
    let (key, value) = shown;
    let mut exchanges = Vec::new();
    for &revision in Revision::ALL {
        let mut answer = host.http(revision, method, json!({})).await;
        let mut body = answer.json();
        let entries = body["result"][member].as_array_mut().unwrap();
        assert!(entries.len() > 5, "{entries:?}");
        entries.retain(|it| it[key] == value);
        assert_eq!(entries.len(), 1, "{value}");
        answer.text = body.to_string();
        let sent = request(revision, method, json!({})).to_string();
        exchanges.push((revision, sent, answer));
    }
    pin(shape, happened, &exchanges);
    host.stop().await;
}

#[tokio::test]
async fn resources_list() {
    check_list(
        "resources_list",
        "resources/list",
        "resources",
        ("uri", "qortal://docs/units"),
        "The client asks for the resources; all but one are left out here.",
    )
    .await;
}

#[tokio::test]
async fn resources_templates_list() {
    check_list(
        "resources_templates_list",
        "resources/templates/list",
        "resourceTemplates",
        ("uriTemplate", "qortal://block/{height}"),
        "The client asks for the resource templates; all but one are left out here.",
    )
    .await;
}

#[tokio::test]
async fn prompts_list() {
    check_list(
        "prompts_list",
        "prompts/list",
        "prompts",
        ("name", "market_brief"),
        "The client asks for the prompts; all but one are left out here.",
    )
    .await;
}

#[tokio::test]
async fn resources_read() {
    let host = Host::start().await;
    for (shape, uri, happened) in [
        (
            "resources_read/found",
            "qortal://block/200",
            "A resource holds what its tool answers.",
        ),
        (
            "resources_read/not_found",
            "qortal://block/469",
            "The chain has no such thing.",
        ),
        (
            "resources_read/refused",
            "qortal://block/two",
            "The tool behind the address refuses its arguments.",
        ),
        (
            "resources_read/native_link_is_no_block",
            "qortal://BLOCK/200",
            "A first segment in upper case is a service of QDN.",
        ),
    ] {
        check(
            shape,
            happened,
            &host,
            "resources/read",
            json!({"uri": uri}),
        )
        .await;
    }
    host.node.fault("/blocks/*", Fault::ResetBeforeResponse);
    check(
        "resources_read/node_unreachable",
        "The node breaks the connection.",
        &host,
        "resources/read",
        json!({"uri": "qortal://block/201"}),
    )
    .await;
    host.stop().await;
}

#[tokio::test]
async fn prompts_get() {
    let host = Host::start().await;
    let get = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let at_address = "Aes2JuboJupax6uybgMa2was61y7MRiDJS";
    for (shape, params, happened) in [
        (
            "prompts_get/filled_in",
            get("explain_trade", json!({"at_address": at_address})),
            "A prompt comes with the data to answer it.",
        ),
        (
            "prompts_get/bad_argument",
            get("market_brief", json!({"blockchain": "gold"})),
            "An argument has a value it cannot have.",
        ),
        (
            "prompts_get/missing_argument",
            get("market_brief", json!({})),
            "An argument that is required is missing.",
        ),
        (
            "prompts_get/unknown",
            get("market_briefs", json!({})),
            "The prompt name is unknown.",
        ),
    ] {
        check(shape, happened, &host, "prompts/get", params).await;
    }
    host.stop().await;
}

#[tokio::test]
async fn completion_complete() {
    let host = Host::start().await;
    let complete = |reference: Value, name: &str, value: &str| json!({"ref": reference, "argument": {"name": name, "value": value}});
    for (shape, params, happened) in [
        (
            "completion_complete/prompt",
            complete(
                json!({"type": "ref/prompt", "name": "audit_account"}),
                "address",
                "al",
            ),
            "The node returns names with this prefix.",
        ),
        (
            "completion_complete/template",
            complete(
                json!({"type": "ref/resource", "uri": "qortal://price/{blockchain}"}),
                "blockchain",
                "ltc",
            ),
            "A coin is found by its symbol.",
        ),
        (
            "completion_complete/nothing",
            complete(
                json!({"type": "ref/resource", "uri": "qortal://nothing/{x}"}),
                "x",
                "",
            ),
            "The template is unknown.",
        ),
    ] {
        check(shape, happened, &host, "completion/complete", params).await;
    }
    host.stop().await;
}

//! Links and web addresses that people paste, in the forms of Qortal Hub (Qortal/Qortal-Hub c93f78a2), of gateways, of the API of
//! a node and of block explorers.

use serde_json::{Value, json};

use crate::Chain;

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

/// A key of a private file, which no answer repeats.
const KEY: &str = "c2VjcmV0a2V5c2VjcmV0";

fn resource(service: &str, name: &str, identifier: Option<&str>) -> Value {
    let mut arguments = json!({"service": service, "name": name});
    if let Some(identifier) = identifier {
        arguments["identifier"] = identifier.into();
    }
    json!({"tool": "get_qdn_resource_status", "arguments": arguments})
}

fn call(tool: &str, parameter: &str, value: impl Into<Value>) -> Value {
    json!({"tool": tool, "arguments": {parameter: value.into()}})
}

/// The link, its kind, the call that returns more, and the id that search finds and fetch reads.
fn links() -> Vec<(String, &'static str, Value, &'static str)> {
    let link = |link: &str, service, name, identifier, id| {
        (
            link.to_owned(),
            "QDN link",
            resource(service, name, identifier),
            id,
        )
    };
    let mut links = vec![
        link(
            "qortal://APP/q-demo",
            "APP",
            "q-demo",
            None,
            "qdn:APP/q-demo",
        ),
        link(
            "qortal://app/q-demo",
            "APP",
            "q-demo",
            None,
            "qdn:APP/q-demo",
        ),
        link(
            "QORTAL://APP/q-demo",
            "APP",
            "q-demo",
            None,
            "qdn:APP/q-demo",
        ),
        link(
            "qortal://APP/q-demo/video/Alice%20Test/qtube_vid_x",
            "APP",
            "q-demo",
            None,
            "qdn:APP/q-demo",
        ),
        link(
            "qortal://DOCUMENT/victor?identifier=report-2026",
            "DOCUMENT",
            "victor",
            Some("report-2026"),
            "qdn:DOCUMENT/victor/report-2026",
        ),
        link(
            "qortal://DOCUMENT/victor/report-2026",
            "DOCUMENT",
            "victor",
            Some("report-2026"),
            "qdn:DOCUMENT/victor/report-2026",
        ),
        link(
            "qortal://victor",
            "WEBSITE",
            "victor",
            None,
            "qdn:WEBSITE/victor",
        ),
        link(
            "http://127.0.0.1:12391/render/WEBSITE/victor/index.html?theme=dark",
            "WEBSITE",
            "victor",
            None,
            "qdn:WEBSITE/victor",
        ),
        link(
            "http://localhost:12391/arbitrary/DOCUMENT/victor/report-2026",
            "DOCUMENT",
            "victor",
            Some("report-2026"),
            "qdn:DOCUMENT/victor/report-2026",
        ),
        link(
            "https://qortal.link/APP/q-demo",
            "APP",
            "q-demo",
            None,
            "qdn:APP/q-demo",
        ),
        link(
            "qortal.link/APP/q-demo/a/b",
            "APP",
            "q-demo",
            None,
            "qdn:APP/q-demo",
        ),
        link(
            "https://gateway.example/victor",
            "WEBSITE",
            "victor",
            None,
            "qdn:WEBSITE/victor",
        ),
        link(
            "Have you seen qortal://APP/q-demo, it is new",
            "APP",
            "q-demo",
            None,
            "qdn:APP/q-demo",
        ),
    ];
    let file = format!(
        "qortal://use-embed/IMAGE?name=Alice%20Test&identifier=photo-1&service=IMAGE\
         &mimeType=image%2Fpng&timestamp=1&encryptionType=private&key={KEY}"
    );
    let photo = Some("photo-1");
    links.push(link(
        &file,
        "IMAGE",
        "Alice Test",
        photo,
        "qdn:IMAGE/Alice Test/photo-1",
    ));
    links.extend([
        (
            "qortal://use-group/action-join/groupid-3".to_owned(),
            "group link",
            call("get_group", "group_id", "3"),
            "group:3",
        ),
        (
            "qortal://use-embed/POLL?name=Favourite%20colour&ref=qortal%3A%2F%2FAPP%2FQ-Search"
                .to_owned(),
            "poll link",
            call("get_poll", "poll_name", "Favourite colour"),
            "poll:Favourite colour",
        ),
        (
            format!("https://explorer.example/address/{ALICE}"),
            "account address",
            call("get_account_report", "address", ALICE),
            "account:QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
        ),
        (
            "https://explorer.example/#/block/200".to_owned(),
            "height",
            call("get_block_by_height", "height", 200),
            "block:200",
        ),
        (
            "https://explorer.example/name/victor".to_owned(),
            "name",
            call("check_name", "name", "victor"),
            "name:victor",
        ),
    ]);
    links
}

#[tokio::test]
async fn pasted_link_is_inspected_searched_and_fetched() {
    let chain = Chain::recorded().await;
    for (link, kind, next, id) in links() {
        let found = chain.call("inspect_identifier", json!({"text": link}));
        let found = found.await.unwrap();
        assert_eq!(found["kind"], kind, "{found:#}");
        assert_eq!(found["meanings"][0]["next"], next, "{found:#}");
        assert_eq!(found["meanings"].as_array().unwrap().len(), 1, "{found:#}");
        assert!(!found.to_string().contains(KEY), "{found:#}");

        let found = chain.call("search", json!({"query": link})).await.unwrap();
        assert_eq!(found["results"][0]["id"], id, "{link}: {found:#}");
        assert!(!found.to_string().contains(KEY), "{found:#}");

        // Some are not on this node: then the error is about the resource, and not about the id.
        let read = |id: &str| chain.call("fetch", json!({"id": id}));
        let (by_link, by_id) = (read(&link).await, read(id).await);
        assert_eq!(by_link, by_id, "{link}");
        assert!(
            !by_link.is_err_and(|it| it.starts_with("Invalid id.")),
            "{link}"
        );
    }
    chain.stop().await;
}

#[tokio::test]
async fn pasted_link_stands_for_the_arguments_it_names() {
    let chain = Chain::recorded().await;
    let file =
        format!("qortal://use-embed/IMAGE?name=victor&identifier=x&service=DOCUMENT&key={KEY}");
    let rows: &[(&str, Value, Value)] = &[
        (
            "get_qdn_resource_status",
            json!({"name": "qortal://app/q-demo/some/place", "service": "APP"}),
            json!({"service": "APP", "name": "q-demo"}),
        ),
        (
            "get_qdn_resource_status",
            json!({"link": "qortal://DOCUMENT/victor?identifier=report-2026"}),
            json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"}),
        ),
        (
            "get_qdn_resource",
            json!({"service": "DOCUMENT", "name": "victor", "identifier": "qortal://DOCUMENT/victor/report-2026"}),
            json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"}),
        ),
        (
            "get_qdn_resource",
            json!({"url": "http://localhost:12391/render/WEBSITE/victor/index.html"}),
            json!({"service": "WEBSITE", "name": "victor", "filepath": "index.html"}),
        ),
        (
            "get_qdn_metadata",
            json!({"service": "DOCUMENT", "name": "qortal://victor", "identifier": "report-2026"}),
            json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"}),
        ),
        (
            "get_qdn_resource_status",
            json!({"service": file}),
            json!({"service": "DOCUMENT", "name": "victor", "identifier": "x"}),
        ),
        (
            "search_qdn_resources",
            json!({"query": "qortal://DOCUMENT/victor?identifier=report-2026"}),
            json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"}),
        ),
        (
            "check_publications",
            json!({"name": "https://qortal.link/WEBSITE/victor"}),
            json!({"name": "victor"}),
        ),
        (
            "get_group",
            json!({"group_id": "qortal://use-group/action-join/groupid-3"}),
            json!({"group_id": "3"}),
        ),
        (
            "get_poll",
            json!({"poll_name": "qortal://use-embed/POLL?name=Favourite%20colour"}),
            json!({"poll_name": "Favourite colour"}),
        ),
        (
            "get_group",
            json!({"url": "qortal://use-group/action-join/groupid-3"}),
            json!({"group_id": "3"}),
        ),
        (
            "get_balance",
            json!({"address": format!("https://explorer.example/address/{ALICE}")}),
            json!({"address": ALICE}),
        ),
    ];
    for (tool, pasted, meant) in rows {
        let mut by_link = chain.call(tool, pasted.clone()).await;
        let by_parts = chain.call(tool, meant.clone()).await;
        if let (Ok(by_link), Ok(by_parts)) = (&mut by_link, &by_parts) {
            let notes = by_link["notes"].as_array().unwrap();
            let is_read = |it: &Value| it.as_str().unwrap().contains("was read as ");
            assert!(notes.iter().any(is_read), "{by_link:#}");
            assert!(!by_link.to_string().contains(KEY), "{by_link:#}");
            by_link["notes"] = by_parts["notes"].clone();
            let members = by_link.as_object_mut().unwrap();
            members.retain(|_, member| !member.is_null());
        }
        assert_eq!(by_link, by_parts, "{tool} {pasted}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn key_of_a_link_is_in_no_answer_and_no_error() {
    let chain = Chain::recorded().await;
    for scheme in ["qortal", "QORTAL"] {
        let link = format!("{scheme}://use-embed/IMAGE?name=victor&identifier=x&key={KEY}");
        for (tool, parameter) in [
            ("inspect_identifier", "text"),
            ("search", "query"),
            ("fetch", "id"),
            ("get_poll", "poll_name"),
            ("get_balance", "address"),
            ("get_group", "group_id"),
            ("list_groups", "query"),
            ("get_qdn_resource", "identifier"),
            ("search_qdn_resources", "query"),
        ] {
            let said = chain.call(tool, json!({parameter: link})).await;
            let said = format!("{said:?}");
            assert!(!said.contains(KEY), "{tool}: {said}");
        }
    }
    chain.stop().await;
}

#[tokio::test]
async fn text_that_only_looks_like_a_link_is_reported() {
    let chain = Chain::recorded().await;
    for (text, kind, problem) in [
        ("qortal://FOO/victor", "unknown", "FOO is not a QDN service"),
        ("qortal://APP/x", "unknown", "is not a name"),
        (
            "https://explorer.example/address/QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9w",
            "unknown",
            "checksum",
        ),
    ] {
        let found = chain.call("inspect_identifier", json!({"text": text}));
        let found = found.await.unwrap();
        assert_eq!(found["kind"], kind, "{found:#}");
        let near = found["nearMisses"].to_string();
        assert!(near.contains(problem), "{found:#}");
    }
    let found = chain.call("inspect_identifier", json!({"text": "qortal://block/200"}));
    assert_eq!(found.await.unwrap()["kind"], "resource URI");
    chain.stop().await;
}

//! Views through the whole server: their links, their pages, the answers that they draw, and that they can be off.

use mcp_protocol::{Revision, lifecycle::CLIENT_CAPABILITIES, ui};
use qortal_tests::{Host, request};
use qortal_tools::{Catalog, Selection, Surface};
use serde_json::{Value, json};

use crate::shapes::pin;

/// What each view tells an answer by: one of these members.
const DRAWN: &[(&str, &[&str])] = &[
    (
        "market",
        &[
            "/candles/0/startIso",
            "/levels/0/pricePerQort",
            "/coins/0/symbol",
        ],
    ),
    ("trade", &["/nextStep"]),
    ("account", &["/balance", "/activities/0/timestampIso"]),
    ("node", &["/verdict"]),
];

/// The capabilities of a client that shows pages of this type.
fn showing(mime_type: &str) -> Value {
    json!({"extensions": {ui::EXTENSION: {"mimeTypes": [mime_type]}}})
}

/// The listed tools that are linked, with their links.
async fn linked(host: &Host, revision: Revision) -> Vec<(String, String)> {
    let listed = host.http(revision, "tools/list", json!({})).await.json();
    let tools = listed["result"]["tools"].as_array().unwrap().iter();
    let linked = tools.filter_map(|it| {
        let uri = it.pointer("/_meta/ui/resourceUri")?.as_str()?;
        assert_eq!(it["_meta"]["ui/resourceUri"], uri);
        Some((it["name"].as_str()?.to_owned(), uri.to_owned()))
    });
    linked.collect()
}

/// A tool with a view: linked in every revision, unless the client is known to show no views.
#[tokio::test]
async fn tools_with_views_and_their_pages() {
    let host = Host::start().await;
    for (shape, happened, params) in [
        (
            "tools_list_view",
            "The client asks for the tools; all but one with a view are left out here.",
            json!({}),
        ),
        (
            "tools_list_without_view",
            "The client declares that it shows other pages than views; without a session that is known only where requests declare it.",
            json!({"_meta": {CLIENT_CAPABILITIES: showing("text/html")}}),
        ),
    ] {
        let mut exchanges = Vec::new();
        for &revision in Revision::ALL {
            let mut answer = host.http(revision, "tools/list", params.clone()).await;
            let mut body = answer.json();
            let tools = body["result"]["tools"].as_array_mut().unwrap();
            tools.retain(|it| it["name"] == "get_node_health");
            for tool in tools {
                // What changes with the pages, and what other tools show as well.
                tool.as_object_mut().unwrap().remove("outputSchema");
            }
            answer.text = without_digests(&body.to_string());
            let sent = request(revision, "tools/list", params.clone()).to_string();
            exchanges.push((revision, sent, answer));
        }
        pin(shape, happened, &exchanges);
    }
    let mut exchanges = Vec::new();
    for &revision in Revision::ALL {
        let params = json!({"uri": "ui://qortal/node.html"});
        let mut answer = host.http(revision, "resources/read", params.clone()).await;
        let mut body = answer.json();
        let page = &mut body["result"]["contents"][0]["text"];
        assert!(page.as_str().unwrap().starts_with("<!DOCTYPE html>"));
        *page = "…".into();
        answer.text = body.to_string();
        let sent = request(revision, "resources/read", params).to_string();
        exchanges.push((revision, sent, answer));
    }
    let happened = "The client reads a view; its text is left out here.";
    pin("resources_read_view", happened, &exchanges);
    host.stop().await;
}

/// The addresses of views without the digests, which change with the pages.
fn without_digests(text: &str) -> String {
    let mut parts = text.split("ui://qortal/");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('-').unwrap();
        shown.push_str(&format!("ui://qortal/{name}-00000000{}", &rest[8..]));
    }
    shown
}

#[tokio::test]
async fn every_link_leads_to_a_page_in_every_revision() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let linked = linked(&host, revision).await;
        assert_eq!(linked.len(), 8, "{linked:?}");
        for (tool, uri) in linked {
            let read = host.http(revision, "resources/read", json!({"uri": uri}));
            let read = read.await.json();
            let contents = read["result"]["contents"].as_array().unwrap();
            assert_eq!(contents.len(), 1, "{tool}");
            assert_eq!(contents[0]["mimeType"], ui::MIME_TYPE);
            assert!(
                contents[0]["text"]
                    .as_str()
                    .unwrap()
                    .starts_with("<!DOCTYPE html>")
            );
        }
    }
    host.stop().await;
}

#[tokio::test]
async fn every_linked_tool_answers_what_its_view_draws() {
    let host = Host::start().await;
    let revision = Revision::V2026_07_28;
    for (tool, uri) in linked(&host, revision).await {
        let entry = Catalog::find(&tool).unwrap();
        let arguments: Value = serde_json::from_str(entry.example).unwrap();
        let call = json!({"name": tool, "arguments": arguments});
        let answer = host.http(revision, "tools/call", call).await.json();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        let answer: Value = serde_json::from_str(text).unwrap();
        let (_, members) = DRAWN
            .iter()
            .find(|(view, _)| uri.starts_with(&format!("ui://qortal/{view}-")))
            .unwrap();
        let is_drawn = members.iter().any(|it| answer.pointer(it).is_some());
        assert!(is_drawn, "{tool}: {answer}");
    }
    host.stop().await;
}

#[tokio::test]
async fn an_image_is_left_out_where_the_view_is_known_to_be_shown() {
    let host = Host::start().await;
    let revision = Revision::V2026_07_28;
    for (capabilities, has_image) in [
        (json!({}), true),
        (showing("text/html"), true),
        (showing(ui::MIME_TYPE), false),
    ] {
        let call = json!({
            "name": "get_price_chart",
            "arguments": {"blockchain": "LITECOIN"},
            "_meta": {CLIENT_CAPABILITIES: capabilities},
        });
        let answer = host.http(revision, "tools/call", call).await.json();
        let content = answer["result"]["content"].as_array().unwrap();
        let found = content.iter().any(|it| it["type"] == "image");
        assert_eq!(found, has_image, "{capabilities}");
        // The numbers are in the text either way.
        assert!(content[0]["text"].as_str().unwrap().contains("candles"));
    }
    host.stop().await;
}

#[tokio::test]
async fn without_output_schemas_only_clients_with_views_get_structured_content() {
    let host = Host::listing(Selection::of(Surface::Core)).await;
    let revision = Revision::V2026_07_28;
    for (capabilities, has_structured) in [
        (json!({}), false),
        (showing("text/html"), false),
        (showing(ui::MIME_TYPE), true),
    ] {
        let call = json!({
            "name": "get_node_health",
            "arguments": {},
            "_meta": {CLIENT_CAPABILITIES: capabilities},
        });
        let answer = host.http(revision, "tools/call", call).await.json();
        let result = &answer["result"];
        assert_eq!(
            result.get("structuredContent").is_some(),
            has_structured,
            "{capabilities}"
        );
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("verdict"), "{text}");
    }
    host.stop().await;
}

#[tokio::test]
async fn without_views_there_are_no_links_no_pages_no_capability_and_the_image_stays() {
    let host = Host::listing(Selection::of(Surface::Extended)).await;
    for &revision in Revision::ALL {
        assert_eq!(linked(&host, revision).await, []);
        let listed = host.http(revision, "resources/list", json!({})).await;
        assert!(!listed.text.contains("ui://"));
        let read = json!({"uri": "ui://qortal/node.html"});
        let read = host.http(revision, "resources/read", read).await.json();
        assert_eq!(
            read["error"]["code"],
            revision.features().resource_not_found
        );
    }
    let revision = Revision::V2026_07_28;
    let discovered = host.http(revision, "server/discover", json!({})).await;
    assert!(!discovered.text.contains(ui::EXTENSION));
    let call = json!({
        "name": "get_price_chart",
        "arguments": {"blockchain": "LITECOIN"},
        "_meta": {CLIENT_CAPABILITIES: showing(ui::MIME_TYPE)},
    });
    let answer = host.http(revision, "tools/call", call).await;
    assert!(answer.text.contains("image/png"));
    host.stop().await;
}

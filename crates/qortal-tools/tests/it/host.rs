//! The tools that hosts look for by convention.

use qortal_testnode::Fault;
use serde_json::{Value, json};

use crate::{Chain, check};

#[tokio::test]
async fn search() {
    let cases = [
        ("text", "victor"),
        ("address", "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"),
        ("number", "2026"),
        ("group", "lounge"),
        ("poll", "colour favourite"),
        ("asset", "münze"),
        ("topic", "sponsorship"),
        ("topic_by_a_question", "how do I become a minter?"),
        (
            "signature",
            "3tauUrpd1E2hTEHZT6DqbzbivQCHLZye8daNjwvHsSPRh9g8XUzS2GsMFCEN7xZBx32WRcwEWHZZZVL3ia3RfvrH",
        ),
        ("none", "zzzzzz"),
        ("blank", " "),
        ("empty", ""),
    ];
    let cases = cases.map(|(case, query)| (case, json!({"query": query})));
    check("search", cases).await;
}

#[tokio::test]
async fn fetch() {
    let cases = [
        ("resource", "qdn:DOCUMENT/victor/report-2026"),
        ("front_page", "qdn:WEBSITE/victor"),
        ("resource_on_the_chain", "qdn:JSON/victor/settings-v1"),
        ("picture", "qdn:THUMBNAIL/victor/qortal_avatar"),
        ("resource_not_ready", "qdn:IMAGE/Alice Test/photo-1"),
        ("resource_not_published", "qdn:APP/unpublished"),
        ("climbing_resource", "qdn:APP/victor/../../admin/stop"),
        ("name", "name:victor"),
        ("account", "account:QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"),
        ("block", "block:200"),
        ("group", "group:3"),
        ("poll", "poll:Favourite colour"),
        ("poll_with_a_slash", "poll:Budget 2026/27"),
        ("asset", "asset:6"),
        ("topic", "topic:fees"),
        (
            "transaction",
            "transaction:3tauUrpd1E2hTEHZT6DqbzbivQCHLZye8daNjwvHsSPRh9g8XUzS2GsMFCEN7xZBx32WRcwEWHZZZVL3ia3RfvrH",
        ),
        ("unknown_block", "block:999999"),
        ("no_id", "victor"),
    ];
    check("fetch", cases.map(|(case, id)| (case, json!({"id": id})))).await;
}

#[tokio::test]
async fn a_long_document_leads_to_the_rest_of_its_text() {
    let chain = Chain::recorded().await;
    let text: String = (0..2_000).map(|it| format!("line {it:05}\n")).collect();
    let path = "/arbitrary/DOCUMENT/victor/report-2026";
    let answer = Fault::Status(200, text.clone());
    chain.node.fault(path, answer);
    let id = json!({"id": "qdn:DOCUMENT/victor/report-2026"});
    let mut page = chain.call("fetch", id).await.unwrap();
    assert_eq!(page["characters"], 22_000);
    assert_eq!(page["truncated"], true);
    assert!(
        page["notes"].to_string().contains("5000 of 22000"),
        "{page}"
    );
    let mut read = page["text"].as_str().unwrap().to_owned();
    assert_eq!(read.chars().count(), 5_000);
    while let Some(next) = page.get("next") {
        let (tool, arguments) = (next["tool"].as_str().unwrap(), next["arguments"].clone());
        page = chain.call(tool, arguments).await.unwrap();
        read.push_str(page["text"].as_str().unwrap());
    }
    assert_eq!(read, text);
    chain.stop().await;
}

#[tokio::test]
async fn everything_found_can_be_fetched() {
    let chain = Chain::recorded().await;
    for query in [
        "a", "victor", "post", "7", "日本", "council", "gold", "fees",
    ] {
        let found = chain.call("search", json!({"query": query})).await.unwrap();
        let results = found["results"].as_array().unwrap();
        assert!(!results.is_empty(), "{query}");
        for result in results {
            let document = chain
                .call("fetch", json!({"id": result["id"]}))
                .await
                .unwrap_or_else(|err| panic!("{result}: {err}"));
            assert_eq!(document["url"], result["url"]);
            assert!(document["text"].as_str().is_some_and(|it| !it.is_empty()));
            let tool = document["metadata"]["tool"].as_str();
            let is_reader =
                |it: &str| it.starts_with("get_") || ["list_polls", "explain_topic"].contains(&it);
            assert!(tool.is_some_and(is_reader), "{document}");
            assert_ne!(document["metadata"]["arguments"], Value::Null);
        }
    }
    chain.stop().await;
}

/// What strangers wrote in the facts is named once, and the title is a name rather than a number.
#[tokio::test]
async fn documents_have_names_and_their_notes_once() {
    let chain = Chain::recorded().await;
    for (id, title) in [
        ("group:3", "open-lounge"),
        ("asset:6", "Gizmo"),
        ("name:victor", "victor"),
        ("block:200", "block:200"),
    ] {
        let fetched = chain.call("fetch", json!({ "id": id })).await.unwrap();
        assert_eq!(fetched["title"], title);
        let facts: Value = serde_json::from_str(fetched["text"].as_str().unwrap()).unwrap();
        assert_eq!(facts.get("notes"), None, "{id}");
        let notes = fetched["notes"].as_array().unwrap();
        let warnings = notes
            .iter()
            .filter(|it| it.as_str().unwrap().starts_with("Written by"));
        assert_eq!(warnings.count(), 1, "{id}");
    }
    chain.stop().await;
}

/// Also what the caller wrote into them.
#[tokio::test]
async fn arguments_of_documents_have_no_hidden_characters() {
    let chain = Chain::recorded().await;
    for (path, said) in [
        ("/arbitrary/JSON/victor/*", "hello".to_owned()),
        (
            "/arbitrary/resource/status/JSON/victor/*",
            json!({"status": "READY"}).to_string(),
        ),
    ] {
        chain.node.fault(path, Fault::Status(200, said));
    }
    let id = json!({"id": "qdn:JSON/victor/a\u{200B}b"});
    let fetched = chain.call("fetch", id).await.unwrap();
    let arguments = json!({"service": "JSON", "name": "victor", "identifier": "ab"});
    assert_eq!(fetched["metadata"]["arguments"], arguments);
    chain.stop().await;
}

/// Nothing is asked of the node for an id that names nothing.
#[tokio::test]
async fn ids_of_nothing_are_refused() {
    let chain = Chain::recorded().await;
    for id in [
        "200",
        "block:0",
        "block:-1",
        "group:x",
        "poll:",
        "asset:-1",
        "topic:weather",
        "qdn:WEBSITE",
        "qdn:NOPE/victor",
        "web:x",
    ] {
        let refused = chain.call("fetch", json!({"id": id})).await.unwrap_err();
        assert!(refused.starts_with("Invalid id."), "{id}: {refused}");
    }
    chain.call("fetch", json!({"id": ""})).await.unwrap_err();
    // Only the first two slashes part it.
    let id = json!({"id": "qdn:JSON/victor/a/b"});
    let refused = chain.call("fetch", id).await.unwrap_err();
    assert!(refused.contains("identifier cannot be sent"), "{refused}");
    assert_eq!(chain.node.journal().len(), 0);
    chain.stop().await;
}

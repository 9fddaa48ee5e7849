//! Tools about QDN.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use insta::assert_snapshot;
use qortal_testnode::{Fault, Scenario};
use qortal_tools::{Attachment, Body};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{Chain, check, check_on};

#[tokio::test]
async fn search_qdn_resources() {
    let cases = [
        ("of_a_name", json!({"name": "victor", "exact_name": true})),
        ("text", json!({"query": "post"})),
        (
            "service_with_status",
            json!({"service": "VIDEO", "include_status": true}),
        ),
        ("title", json!({"query": "annual"})),
        ("identifier", json!({"identifier": "comment"})),
        ("without_identifier", json!({"default_only": true})),
        ("page", json!({"name": "victor", "limit": 2, "offset": 1})),
        ("oldest_first", json!({"limit": 2, "reverse": false})),
        ("not_ascii", json!({"name": "日本"})),
        ("none", json!({"query": "zzzzzz"})),
        (
            "two_rules",
            json!({"identifier": "a", "default_only": true}),
        ),
        ("unknown_service", json!({"service": "WEBSITES"})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("search_qdn_resources", cases, elsewhere).await;
}

/// With a service and without one two programs of the Core answer, which take `%` and `_` for other things.
#[tokio::test]
async fn qdn_searches_take_wildcards_for_letters() {
    let chain = Chain::of(Scenario::odd_rows()).await;
    for (mut arguments, expected) in [
        (json!({"query": "rate_100"}), json!(["rate_100%"])),
        (json!({"query": "100%"}), json!(["rate_100%"])),
        (json!({"query": "rate", "limit": 1}), json!(["rateX100x"])),
        (json!({"identifier": "back\\"}), json!(["back\\slash"])),
        (json!({"identifier": "default"}), json!([])),
        (json!({"name": "z%a"}), json!([])),
        (
            json!({"query": "rate_", "prefix": true, "limit": 1}),
            json!(["rate_100%"]),
        ),
    ] {
        for service in [None, Some("DOCUMENT")] {
            arguments["service"] = json!(service);
            let found = chain.call("search_qdn_resources", arguments.clone()).await;
            let found = found.unwrap();
            let rows = found["resources"].as_array().unwrap().iter();
            let identifiers: Vec<_> = rows.map(|it| it["identifier"].clone()).collect();
            assert_eq!(json!(identifiers), expected, "{arguments}");
        }
    }
    chain.stop().await;
}

#[tokio::test]
async fn get_qdn_resource_status() {
    let cases = [
        ("ready", "DOCUMENT", "victor", Some("report-2026")),
        ("without_identifier", "WEBSITE", "victor", None),
        ("identifier_default", "WEBSITE", "victor", Some("default")),
        ("missing_data", "VIDEO", "rita-trades", Some("clip")),
        ("published", "VIDEO", "rita-trades", Some("clip2")),
        ("downloading", "VIDEO", "rita-trades", Some("clip3")),
        ("building", "DOCUMENT", "trent", Some("rules")),
        ("build_failed", "FILE", "victor", Some("broken")),
        ("blocked", "FILE", "spam-name", Some("ad")),
        ("on_the_chain", "DOCUMENT", "victor", Some("doc1")),
        (
            "on_the_chain_never_fetched",
            "JSON",
            "victor",
            Some("settings-v1"),
        ),
        (
            "encrypted",
            "DOCUMENT_PRIVATE",
            "Bób-Name",
            Some("secret-doc"),
        ),
        ("service_as_number", "500", "rita-trades", Some("clip")),
        ("not_published", "APP", "unpublished", None),
        ("slash_in_the_name", "APP", "a/../admin", None),
        ("climbing_name", "APP", "...", None),
        ("climbing_identifier", "APP", "victor", Some("..")),
        ("encoded_slash", "APP", "victor", Some("..%2F..%2Fadmin")),
        (
            "long_identifier",
            "APP",
            "victor",
            Some("a-very-long-identifier-that-has-more-bytes-than-any-can-have-65-b"),
        ),
        (
            "service_in_small_letters_and_more",
            "website/../../admin",
            "victor",
            None,
        ),
    ];
    let cases = cases.map(|(case, service, name, identifier)| {
        let mut arguments = json!({"service": service, "name": name});
        if let Some(identifier) = identifier {
            arguments["identifier"] = identifier.into();
        }
        (case, arguments)
    });
    check("get_qdn_resource_status", cases).await;
}

#[tokio::test]
async fn get_qdn_resource() {
    let report = json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"});
    let with = |name: &str, value: Value| {
        let mut arguments = report.clone();
        arguments[name] = value;
        arguments
    };
    let cases = [
        ("text", report.clone()),
        ("part_of_the_text", with("limit", json!(20))),
        ("last_part_of_the_text", with("offset", json!(200))),
        ("beginning_of_the_file", with("max_bytes", json!(30))),
        (
            "binary",
            json!({"service": "THUMBNAIL", "name": "victor", "identifier": "qortal_avatar"}),
        ),
        (
            "beginning_of_a_binary",
            json!({"service": "THUMBNAIL", "name": "victor", "identifier": "qortal_avatar", "max_bytes": 100}),
        ),
        (
            "file_of_several",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "index.html"}),
        ),
        (
            "no_file_of_several",
            json!({"service": "WEBSITE", "name": "victor"}),
        ),
        (
            "folder",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "css"}),
        ),
        (
            "unknown_file",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "no/such.html"}),
        ),
        ("unknown_file_of_one", with("filepath", json!("x.txt"))),
        (
            "on_the_chain",
            json!({"service": "DOCUMENT", "name": "victor", "identifier": "doc1"}),
        ),
        (
            "on_the_chain_never_fetched",
            json!({"service": "JSON", "name": "victor", "identifier": "settings-v1"}),
        ),
        (
            "not_ascii_on_the_chain",
            json!({"service": "CHAIN_COMMENT", "name": "Bób-Name", "identifier": "comment-2"}),
        ),
        (
            "encrypted",
            json!({"service": "DOCUMENT_PRIVATE", "name": "Bób-Name", "identifier": "secret-doc"}),
        ),
        (
            "encrypted_not_published",
            json!({"service": "MAIL_PRIVATE", "name": "victor", "identifier": "x"}),
        ),
        (
            "downloaded",
            json!({"service": "IMAGE", "name": "Alice Test", "identifier": "photo-1"}),
        ),
        (
            "downloaded_text",
            json!({"service": "BLOG_POST", "name": "rita-trades", "identifier": "post-2", "limit": 60}),
        ),
        (
            "downloaded_file_of_several",
            json!({"service": "APP", "name": "q-demo", "filepath": "index.html"}),
        ),
        (
            "building",
            json!({"service": "DOCUMENT", "name": "trent", "identifier": "rules"}),
        ),
        (
            "build_failed",
            json!({"service": "FILE", "name": "victor", "identifier": "broken"}),
        ),
        (
            "missing_data",
            json!({"service": "VIDEO", "name": "rita-trades", "identifier": "clip"}),
        ),
        (
            "blocked",
            json!({"service": "FILE", "name": "spam-name", "identifier": "ad"}),
        ),
        (
            "not_published",
            json!({"service": "APP", "name": "unpublished"}),
        ),
        (
            "identifier_forgotten",
            json!({"service": "BLOG_POST", "name": "rita-trades"}),
        ),
        (
            "climbing_path",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "../../../../etc/hostname"}),
        ),
        (
            "climbing_path_within",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "css/../index.html"}),
        ),
        (
            "encoded_climbing_path",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "%2e%2e%2fapikey.txt"}),
        ),
        (
            "absolute_path",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "/etc/hostname"}),
        ),
        (
            "backslash",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "..\\apikey.txt"}),
        ),
        (
            "path_with_nul",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "index.html\u{0}.png"}),
        ),
        (
            "long_path",
            json!({"service": "WEBSITE", "name": "victor", "filepath": "é".repeat(600)}),
        ),
        (
            "long_name",
            json!({"service": "WEBSITE", "name": "n".repeat(41)}),
        ),
    ];
    check("get_qdn_resource", cases).await;
}

/// The attachments of one call, and the answer.
async fn read(arguments: Value) -> (Vec<Attachment>, Value) {
    let chain = Chain::recorded().await;
    let entry = chain.catalog.entry("get_qdn_resource").unwrap();
    let arguments = arguments.as_object().unwrap().clone();
    let outcome = chain.catalog.call(entry, arguments).await.unwrap();
    chain.stop().await;
    (outcome.attachments.clone(), outcome.structure().into())
}

#[tokio::test]
async fn a_whole_picture_comes_as_an_image_of_the_same_bytes() {
    let avatar = json!({"service": "THUMBNAIL", "name": "victor", "identifier": "qortal_avatar"});
    let (attachments, answer) = read(avatar.clone()).await;
    let [picture] = attachments.as_slice() else {
        panic!("{} attachments", attachments.len());
    };
    assert_eq!(picture.mime_type, "image/png");
    let Body::Base64(data) = &picture.body else {
        panic!("{:?}", picture.body);
    };
    let bytes = STANDARD.decode(data).unwrap();
    assert_eq!(bytes.len(), answer["size"]);
    let hash = Sha256::digest(&bytes);
    let hex: String = hash.iter().map(|it| format!("{it:02x}")).collect();
    assert_eq!(hex, answer["sha256"]);

    let mut part = avatar;
    part["max_bytes"] = 100.into();
    assert_eq!(read(part).await.0, []);
    let text = json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"});
    assert_eq!(read(text).await.0, []);
}

/// Resources whose data is in their transactions.
const ON_CHAIN: [&str; 4] = ["comment-1", "comment-2", "settings-v1", "doc1"];

#[tokio::test]
async fn nothing_makes_the_node_fetch_or_wait() {
    let chain = Chain::recorded().await;
    let found = chain
        .call(
            "search_qdn_resources",
            json!({"limit": 100, "include_status": true}),
        )
        .await
        .unwrap();
    let resources = found["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 21);
    for resource in resources {
        let mut arguments = json!({"service": resource["service"], "name": resource["name"]});
        if let Some(identifier) = resource.get("identifier") {
            arguments["identifier"] = identifier.clone();
        }
        let before = chain.node.journal().len();
        // An answer or a reason; what matters is what was asked.
        drop(chain.call("get_qdn_resource", arguments.clone()).await);
        let asked = chain.node.journal().split_off(before);
        let reads = |path: &str| asked.iter().find(|it| it.target.starts_with(path));
        let service = resource["service"].as_str().unwrap();
        let is_elsewhere = service.ends_with("_PRIVATE")
            || ON_CHAIN.contains(&resource["identifier"].as_str().unwrap_or_default());
        let raw = reads(&format!("/arbitrary/{service}/"));
        // What is ready is asked for so that the node never waits for a queue.
        let is_async = raw.map(|it| it.target.contains("async=true"));
        let expected = match resource["status"].as_str().unwrap() {
            "READY" => Some(true),
            "DOWNLOADED" if !is_elsewhere => Some(false),
            // The node tries once more to put it together.
            "BUILD_FAILED" => Some(false),
            _ => None,
        };
        assert_eq!(is_async, expected, "{resource}: {asked:?}");
        assert!(
            reads("/arbitrary/resource/properties").is_none(),
            "{asked:?}"
        );
    }
    chain.stop().await;
}

/// Another request may put it into the queue after its status was asked for; then the node answers when its turn comes.
#[tokio::test(start_paused = true)]
async fn what_is_queued_in_the_meantime_is_not_waited_for() {
    let chain = Chain::recorded().await;
    chain
        .node
        .fault("/arbitrary/IMAGE/*", Fault::StallBeforeHeaders);
    let photo = json!({"service": "IMAGE", "name": "Alice Test", "identifier": "photo-1"});
    let said = chain.call("get_qdn_resource", photo).await.unwrap_err();
    chain.stop().await;
    assert_snapshot!(said, @"Resource not ready. Its status is BUILDING. The node is putting its files together. Ask again in a minute.");
}

#[tokio::test]
async fn get_qdn_metadata() {
    let cases = [
        (
            "document",
            json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"}),
        ),
        (
            "without_identifier",
            json!({"service": "APP", "name": "q-demo"}),
        ),
        (
            "not_ascii",
            json!({"service": "DOCUMENT", "name": "日本語の名前", "identifier": "memo"}),
        ),
        (
            "none",
            json!({"service": "CHAIN_COMMENT", "name": "Alice Test", "identifier": "comment-1"}),
        ),
        (
            "climbing_identifier",
            json!({"service": "APP", "name": "q-demo", "identifier": "../x"}),
        ),
    ];
    check("get_qdn_metadata", cases).await;
}

#[tokio::test]
async fn search_qdn() {
    let cases = [
        ("service", json!({"service": "DOCUMENT"})),
        ("service_as_number", json!({"service": "800", "limit": 1})),
        ("address", json!({"address": "Alice Test", "limit": 2})),
        (
            "name",
            json!({"name": "RITA-TRADES", "limit": 3, "reverse": false}),
        ),
        (
            "as_many_as_the_node_gives",
            json!({"start_block": 1, "limit": 20}),
        ),
        ("blocks", json!({"start_block": 1, "block_limit": 100})),
        (
            "unconfirmed",
            json!({"service": "APP", "confirmation_status": "UNCONFIRMED"}),
        ),
        ("none", json!({"name": "unpublished"})),
        ("no_filter", json!({"limit": 5})),
        ("too_many", json!({"name": "victor", "limit": 21})),
        (
            "unconfirmed_in_blocks",
            json!({"service": "APP", "start_block": 1, "confirmation_status": "BOTH"}),
        ),
        ("unknown_service", json!({"service": "123456"})),
    ];
    check("search_qdn", cases).await;
}

#[tokio::test]
async fn a_full_page_of_all_publications_is_told_from_the_last_one() {
    let chain = Chain::recorded().await;
    let row = json!({"type": "ARBITRARY", "timestamp": 1_795_238_683_559_i64, "service": 800});
    let page = Value::from(vec![row; 20]).to_string();
    chain
        .node
        .fault_times("/arbitrary/search", Fault::Status(200, page), 1);
    let arguments = json!({"name": "victor", "limit": 20});
    let found = chain.call("search_qdn", arguments).await.unwrap();
    // The recorded node has less than 21 of this name.
    assert_eq!(found["publications"].as_array().unwrap().len(), 20);
    assert_eq!(found["truncated"], false);
    let journal = chain.node.journal();
    let asked: Vec<_> = journal.iter().map(|it| it.target.as_str()).collect();
    assert_eq!(
        asked,
        [
            "/blocks/height",
            "/arbitrary/search?startBlock=1&blockLimit=468&name=victor&confirmationStatus=CONFIRMED&limit=20&reverse=true",
            "/arbitrary/search?startBlock=1&blockLimit=468&name=victor&confirmationStatus=CONFIRMED&limit=1&offset=20&reverse=true",
        ]
    );
    chain.stop().await;
}

#[tokio::test]
async fn list_hosted_qdn() {
    let cases = [
        ("largest", json!({"limit": 3})),
        ("of_names", json!({"name": "rita"})),
        ("none", json!({"name": "zzz"})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_hosted_qdn", cases, elsewhere).await;
}

/// Bytes that are no text come as a link, where a picture is to be had as it is.
#[tokio::test]
async fn what_is_no_text_is_linked_to() {
    let chain = Chain::recorded().await;
    let catalog = &chain.catalog;
    let entry = catalog.entry("get_qdn_resource").unwrap();
    let avatar = json!({"service": "THUMBNAIL", "name": "victor", "identifier": "qortal_avatar"});
    let cut = json!({"service": "THUMBNAIL", "name": "victor", "identifier": "qortal_avatar", "max_bytes": 100});
    let report = json!({"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"});
    let uri = "qortal://THUMBNAIL/victor?identifier=qortal_avatar";
    for (arguments, expected) in [
        (avatar, Some("image/png")),
        (cut, Some("application/json")),
        (report, None),
    ] {
        let arguments = arguments.as_object().unwrap().clone();
        let outcome = catalog.call(entry, arguments).await.unwrap();
        let links = outcome.links.iter();
        let links: Vec<_> = links
            .map(|it| (it.uri.as_str(), it.mime_type.as_str()))
            .collect();
        assert_eq!(links, expected.map(|it| (uri, it)).as_slice());
    }
    chain.stop().await;
}

#[tokio::test]
async fn search_hosted_qdn() {
    let cases = [
        ("by_name", json!({"query": "q-demo"})),
        ("by_identifier", json!({"query": "DOC1"})),
        ("page", json!({"limit": 2, "offset": 1})),
        ("none", json!({"query": "no such thing"})),
    ];
    check("search_hosted_qdn", cases).await;
}

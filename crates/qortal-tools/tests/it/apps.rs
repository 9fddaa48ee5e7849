//! Resources in the forms that official apps publish, shown as their programs show them. The documents and their sources are in
//! crates/qortal-apps/tests/data/qdn, the rows in tests/data/app_resources.json.

/// A document of tests/data/qdn.
macro_rules! document {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../qortal-apps/tests/data/qdn/",
            $name,
            ".json"
        ))
    };
}

mod documents;
mod rows;

use qortal_testnode::Fault;
use qortal_types::PublicKey;
use serde_json::{Value, json};

use self::{
    documents::DOCUMENTS,
    rows::{OTHERS, ROWS},
};
use crate::{Chain, contents::answer};

/// An account, and its public key.
const SENDER: (&str, &str) = (
    "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD",
    "49zX6u55gUqTNPopBkfiATpZ4r4KwXhi27KChcbUCudg",
);

async fn read(service: &str, identifier: &str, more: Value, bytes: &[u8]) -> Value {
    let mut arguments = json!({"service": service, "name": "Alice Test", "identifier": identifier});
    let members = arguments.as_object_mut().unwrap();
    members.extend(more.as_object().unwrap().clone());
    answer(
        "get_qdn_resource",
        arguments,
        Some("application/json"),
        bytes,
    )
    .await
    .1
}

#[tokio::test]
async fn document_of_each_app_is_shown_as_its_readers_see_it() {
    for (service, identifier, content, kind, title, text) in DOCUMENTS {
        let shown = read(service, identifier, json!({}), content.as_bytes()).await;
        assert_eq!(shown["kind"], *kind, "{shown:#}");
        assert_eq!(
            shown.get("title").and_then(Value::as_str),
            *title,
            "{shown:#}"
        );
        let found = shown["text"].as_str().unwrap();
        assert!(found.starts_with(text), "{shown:#}");
        assert!(
            !found.contains("base64") && !found.contains('{'),
            "{shown:#}"
        );
        assert_eq!(shown["isEncrypted"], false, "{shown:#}");
        assert!(
            shown["notes"].to_string().contains("Written by strangers"),
            "{shown:#}"
        );
        assert!(!shown.to_string().contains("raw"), "{shown:#}");
    }
}

#[tokio::test]
async fn document_of_unknown_form_yields_its_texts_and_in_full_its_json_without_keys() {
    let content = document!("unknown").as_bytes();
    // Of an official app, and of none but too long to be shown whole.
    for (identifier, more) in [
        ("q-store-review-alices-x", json!({})),
        ("my-notes", json!({"limit": 100})),
    ] {
        let shown = read("DOCUMENT", identifier, more, content).await;
        let text = shown["text"].as_str().unwrap();
        assert!(
            text.contains("label: A new form") || text.contains("say: First line"),
            "{text}"
        );
        assert!(!text.contains('{'), "{text}");
        let notes = shown["notes"].to_string();
        assert!(notes.contains("a form that is not known"), "{notes}");
    }
    let id = json!({"id": "qdn:DOCUMENT/Alice Test/q-store-review-alices-x"});
    let (_, fetched) = answer("fetch", id, Some("application/json"), content).await;
    let notes = fetched["notes"].to_string();
    assert!(notes.contains("a form that is not known"), "{notes}");
    // JSON of no official app that fits is JSON.
    let short = br#"{"answer": 42}"#;
    let shown = read("JSON", "settings", json!({}), short).await;
    assert_eq!(shown["text"], r#"{"answer": 42}"#);

    for more in [
        json!({"detail": "full"}),
        json!({"detail": "full", "limit": 20_000}),
    ] {
        let shown = read("DOCUMENT", "my-notes", more, content).await;
        let raw = shown["raw"].as_str().unwrap();
        assert!(
            raw.contains(r#""key":"…""#) && raw.contains("[picture, 768 bytes]"),
            "{raw}"
        );
        let shown = shown.to_string();
        assert!(
            !shown.contains("c2VjcmV0") && !shown.contains("MTIzNDU2"),
            "{shown}"
        );
    }
}

#[tokio::test]
async fn document_that_is_cut_off_is_shown_up_to_there() {
    let identifier = "q-blog-Alice-post-A-day-with-my-node-Ab12Cd";
    let content = document!("post").as_bytes();
    let shown = read("BLOG_POST", identifier, json!({"max_bytes": 900}), content).await;
    assert_eq!(shown["text"], "Morning\nThe node minted all night.");
    assert_eq!(
        (&shown["isComplete"], &shown["truncated"]),
        (&json!(false), &json!(true))
    );
    let rest = &shown["next"]["arguments"]["max_bytes"];
    assert!(rest.as_u64().unwrap() > 900, "{shown:#}");
}

#[tokio::test]
async fn deleted_resource_is_reported_as_deleted() {
    let arguments =
        json!({"service": "DOCUMENT", "name": "Alice Test", "identifier": "grp-3-anc-gone0000"});
    let shown = read("DOCUMENT", "grp-3-anc-gone0000", json!({}), b"D").await;
    assert_eq!(
        (&shown["isDeleted"], shown.get("text")),
        (&json!(true), None),
        "{shown:#}"
    );
    let (_, state) = answer("get_qdn_resource_status", arguments, None, b"D").await;
    assert_eq!(state["status"], "DELETED", "{state:#}");
    assert_eq!(state["isReadable"], false, "{state:#}");
    assert_eq!(state["kind"], "announcement in group 3", "{state:#}");
}

#[tokio::test]
async fn encrypted_resource_yields_sender_readers_and_recipient() {
    let mut for_readers = b"qortalGroupEncryptedData".to_vec();
    for_readers.extend([1; 48]);
    let key: PublicKey = SENDER.1.parse().unwrap();
    for_readers.extend(key.as_bytes());
    for_readers.extend([9; 80]);
    for_readers.extend([2; 96]);
    for_readers.extend(2_u32.to_le_bytes());
    let mut for_group = b"0000000002002".to_vec();
    for_group.extend([0xE9; 64]);
    let sender = json!(SENDER.0);
    for (service, identifier, bytes, sender, readers, recipient, note) in [
        (
            "MAIL_PRIVATE",
            "_mail_qortal_qmail_Bob Test_Yhr6aY_mail_aB3dE5",
            &for_readers,
            Some(&sender),
            Some(2),
            Some("Bob Test (address ends in Yhr6aY)"),
            "encrypted for 2 accounts, the sender among them",
        ),
        (
            "DOCUMENT_PRIVATE",
            "symmetric-qchat-group-3",
            &for_readers,
            Some(&sender),
            Some(2),
            None,
            "encrypted for 2 accounts",
        ),
        (
            "DOCUMENT",
            "grp-3-anc-priv0000",
            &for_group,
            None,
            None,
            None,
            "encrypted for the members of group 3",
        ),
    ] {
        let shown = read(service, identifier, json!({}), bytes).await;
        assert_eq!(shown["isEncrypted"], true, "{shown:#}");
        assert_eq!(shown.get("text"), None, "{shown:#}");
        assert_eq!(shown.get("sender"), sender, "{shown:#}");
        assert_eq!(
            shown.get("readerCount").and_then(Value::as_u64),
            readers,
            "{shown:#}"
        );
        assert_eq!(
            shown.get("recipient").and_then(Value::as_str),
            recipient,
            "{shown:#}"
        );
        assert!(shown["notes"].to_string().contains(note), "{shown:#}");
        let arguments = json!({"service": service, "name": "Alice Test", "identifier": identifier});
        let (_, state) = answer("get_qdn_resource_status", arguments, None, bytes).await;
        assert_eq!(state["isEncrypted"], true, "{state:#}");
        assert_eq!(state["isReadable"], false, "{state:#}");
    }
}

#[tokio::test]
async fn rows_of_a_search_show_kinds_and_descriptions_without_markers_and_twins_once() {
    let chain = Chain::recorded().await;
    let rows = include_str!("../data/app_resources.json");
    let path = "/arbitrary/resources/search";
    chain.node.fault(path, Fault::Status(200, rows.to_owned()));
    let arguments = json!({"query": "minting", "limit": 50, "include_status": true});
    let found = chain.call("search_qdn_resources", arguments).await.unwrap();
    let found = found["resources"].as_array().unwrap();
    let listed: Vec<_> = found
        .iter()
        .map(|it| it["identifier"].as_str().unwrap())
        .collect();
    let expected: Vec<_> = ROWS.iter().map(|(identifier, _)| *identifier).collect();
    assert_eq!(listed, expected);
    for (row, (identifier, expected)) in found.iter().zip(ROWS) {
        let mut expected: Value = serde_json::from_str(expected).unwrap();
        let status = json!("READY");
        let status = expected.get("status").cloned().unwrap_or(status);
        expected["status"] = status;
        let mut shown = row.clone();
        shown
            .as_object_mut()
            .unwrap()
            .retain(|name, _| !OTHERS.contains(&name.as_str()));
        assert_eq!(shown, expected, "{identifier}");
        let link = row["link"].as_str().unwrap();
        assert!(link.contains("?identifier="), "{link}");
    }
    // The same for a host's search, without what is deleted.
    let found = chain
        .call("search", json!({"query": "minting explained"}))
        .await
        .unwrap();
    let found = found["results"].to_string();
    assert!(
        found.contains("Minting explained (Q-Tube video, qdn:DOCUMENT/"),
        "{found}"
    );
    assert!(
        !found.contains("qdn:VIDEO/") && !found.contains("gone0000"),
        "{found}"
    );
    chain.stop().await;
}

#[tokio::test]
async fn metadata_has_neither_markers_nor_tags_for_apps() {
    let chain = Chain::recorded().await;
    let metadata = json!({
        "title": "Minting explained", "description": "**category:4;code:aB3dE**How to begin.",
        "tags": ["qtube_vid_", "node", "v1.500x375", "t, v, i"],
    });
    let path = "/arbitrary/metadata/*";
    chain
        .node
        .fault(path, Fault::Status(200, metadata.to_string()));
    let arguments = json!({"service": "VIDEO", "name": "victor", "identifier": "qtube_vid_a_b"});
    let found = chain.call("get_qdn_metadata", arguments).await.unwrap();
    assert_eq!(found["kind"], "Q-Tube video");
    assert_eq!(found["description"], "How to begin.");
    assert_eq!(
        found["fields"],
        json!({"category": "Education", "code": "aB3dE"})
    );
    assert_eq!(found["tags"], json!(["node"]));
    chain.stop().await;
}

/// The figures of Qortal Hub for the same poll: 3.89 of 27.
#[tokio::test]
async fn rating_counts_the_one_who_opened_the_poll() {
    let chain = Chain::recorded().await;
    let options = ["1", "2", "3", "4", "5", "initialValue-1"];
    let votes = [2, 3, 3, 3, 15, 0];
    let counts = options.iter().zip(votes);
    let counts = counts.map(|(option, votes)| json!({"optionName": option, "voteCount": votes}));
    let counts: Vec<_> = counts.collect();
    let name = "app-library-APP-rating-Q-Test";
    let only = "app-library-APP-rating-Once";
    let once = json!([{"optionName": "initialValue-4", "voteCount": 0}]);
    let rating = |poll: &str, app: &str, counts: &Value| {
        json!({"key": poll, "value": {
            "pollName": poll, "service": "APP", "appName": app, "totalVotes": 26, "totalWeight": 0,
            "voteCounts": counts, "voteWeights": [],
        }})
    };
    let counts = json!(counts);
    let ratings = [rating(name, "Q-Test", &counts), rating(only, "Once", &once)];
    let ratings = json!({"ratings": {"entry": ratings}});
    let poll = json!({
        "creatorPublicKey": "5vpvNek7axzMmdQ7HYRqbGFXE4Tupk4x7MMMRz82dkhg", "owner": "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq",
        "pollName": name, "description": "Rate it", "published": 1_787_659_200_000_i64,
        "pollOptions": options.map(|option| json!({"optionName": option})),
    });
    let votes = json!({"votes": [], "totalVotes": 26, "totalWeight": 0, "voteCounts": counts, "voteWeights": []});
    for (path, body) in [
        ("/polls/app-library-APP-rating-Q-Test", poll),
        ("/polls/votes/app-library-APP-rating-Q-Test", votes),
        ("/polls/apps/ratings", ratings),
    ] {
        chain.node.fault(path, Fault::Status(200, body.to_string()));
    }
    let found = chain.call("get_app_ratings", json!({})).await.unwrap();
    let rows = found["ratings"].as_array().unwrap().iter();
    let rows: Vec<_> = rows
        .map(|it| {
            json!([
                it["appName"],
                it["totalVotes"],
                it["average"],
                it["stars"]["4"]
            ])
        })
        .collect();
    assert_eq!(
        rows,
        [
            json!(["Once", 1, "4.00", 1]),
            json!(["Q-Test", 27, "3.89", 3])
        ]
    );

    let found = chain
        .call("get_poll", json!({"poll_name": name}))
        .await
        .unwrap();
    assert_eq!(found["totalVotes"], 26);
    assert_eq!(
        (&found["ratingCount"], &found["averageRating"]),
        (&json!(27), &json!("3.89"))
    );
    assert!(
        found["notes"].to_string().contains("initialValue-1"),
        "{found:#}"
    );
    chain.stop().await;
}

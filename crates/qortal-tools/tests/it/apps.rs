//! Resources in the forms that official apps publish, shown as their programs show them. The documents and their sources are in
//! crates/qortal-apps/tests/data/qdn, the rows in tests/data/app_resources.json.

use qortal_testnode::Fault;
use qortal_types::PublicKey;
use serde_json::{Value, json};

use crate::{Chain, contents::answer};

/// An account, and its public key.
const SENDER: (&str, &str) = (
    "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD",
    "49zX6u55gUqTNPopBkfiATpZ4r4KwXhi27KChcbUCudg",
);

/// A document of tests/data/qdn.
macro_rules! document {
    ($name:literal) => {
        include_str!(concat!(
            "../../../qortal-apps/tests/data/qdn/",
            $name,
            ".json"
        ))
    };
}

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

/// The service and identifier, the content, the kind, the title, and the beginning of the text.
const DOCUMENTS: &[(&str, &str, &str, &str, Option<&str>, &str)] = &[
    (
        "DOCUMENT",
        "qtube_vid_Minting-explained_aB3dE5_metadata",
        document!("video"),
        "Q-Tube video",
        Some("Minting explained"),
        "How to begin.\nStep by step.\nCategory: Education\nDuration: 10:13\nVideo: qortal://VIDEO/Alice%20Test?identifier=",
    ),
    (
        "PLAYLIST",
        "qtube_playlist_Basics_zZ9yY8",
        document!("playlist"),
        "Q-Tube playlist",
        Some("Basics"),
        "All first steps\nCategory: Education\n[picture, 768 bytes] (cover)\nVideo: qortal://DOCUMENT/",
    ),
    (
        "BLOG_COMMENT",
        "qtube_superlike_q.W~aB3dE5fG6hI7jK8_mN9oP1",
        document!("superlike"),
        "Q-Tube super like",
        None,
        "Thanks, very useful\nPayment: 2w91",
    ),
    (
        "CHAIN_COMMENT",
        "q.W~aB3dE5fG6hI7jK8m",
        document!("like"),
        "Q-Tube like",
        None,
        "dislikes it",
    ),
    (
        "BLOG_POST",
        "q-blog-Alice-post-A-day-with-my-node-Ab12Cd",
        document!("post"),
        "Q-Blog post",
        Some("A day with my node"),
        "Morning\nThe node minted all night.\n[picture, 720 bytes] my board\nVideo: tour qortal://VIDEO/",
    ),
    (
        "DOCUMENT",
        "grp-3-anc-aB3dE5fG",
        document!("announcement"),
        "announcement in group 3",
        None,
        "Meeting on Friday",
    ),
    (
        "DOCUMENT",
        "grp-3-thread-aB3dE5fG",
        document!("thread"),
        "thread in group 3",
        Some("Which router?"),
        "Started by: Alice Test",
    ),
    (
        "DOCUMENT",
        "thmsg-grp-3-thread-aB3dE5fG-hI7jK8lM",
        document!("threadpost"),
        "thread post in group 3",
        None,
        "I need UPnP.",
    ),
    (
        "STORE",
        "q-store-general-alices",
        document!("store"),
        "Q-Shop store",
        Some("Alice's shop"),
        "Honey and wax\nLocation: Berlin\nShips to: Europe\nCoins: QORT, ARRR",
    ),
    (
        "PRODUCT",
        "q-store-product-alices-Ab12",
        document!("product"),
        "Q-Shop product",
        Some("Honey"),
        "500 g\nPrice: 25 QORT",
    ),
    (
        "DOCUMENT",
        "q-fund_crowdfund_A-faster-node_Ab12",
        document!("crowdfund"),
        "Q-Fund crowdfund",
        Some("A faster node"),
        "For the group\nWhy\nThe old one is slow.\nGoal: 500 QORT",
    ),
    (
        "DOCUMENT",
        "qshare_file_Router-setup_aB3dE5_metadata",
        document!("share"),
        "Q-Share file",
        Some("Router setup"),
        "How I set it up\nFile (200 KB): router.pdf qortal://FILE/",
    ),
    (
        "DOCUMENT",
        "q_support_issue_No-sound_aB3dE5_metadata",
        document!("issue"),
        "Q-Support issue",
        Some("No sound"),
        "Videos are silent\nApp: Q-Tube\nBounty: 50 QORT",
    ),
    (
        "BLOG_POST",
        "Minter-board-card-Ab12Cd",
        document!("card"),
        "Q-Mintership card",
        Some("I want to mint"),
        "My node runs all day.\nLink: qortal://APP/Q-Tube",
    ),
    (
        "DOCUMENT",
        "MhNiRYdzkaP9dz-kX47dT-XrFXaYetyErMdF-aB3dE5fG6hI7jK8",
        document!("quitter"),
        "Quitter post",
        None,
        "My node mints again\n[picture, 768 bytes]",
    ),
    (
        "BLOG_COMMENT",
        "qc_v1_qtube_q.W~aB3dE5fG6hI7jK8_base_mN9oP0",
        "Good video!",
        "Q-Tube comment",
        None,
        "Good video!",
    ),
    // The identifier is of no app, the content is.
    (
        "DOCUMENT",
        "my-post",
        document!("post"),
        "blog post",
        Some("A day with my node"),
        "Morning\nThe node minted all night.",
    ),
];

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

/// The identifier, and what its row shows besides.
const ROWS: &[(&str, &str)] = &[
    (
        "qtube_vid_Minting-explained_aB3dE5_metadata",
        r#"{"kind":"Q-Tube video","title":"Minting explained","description":"How to begin. Step by step.","fields":{"category":"Education","code":"aB3dE","subcategory":"401"},"fileLink":"qortal://VIDEO/Alice%20Test?identifier=qtube_vid_Minting-explained_aB3dE5","fileSize":73400320}"#,
    ),
    (
        "qtube_playlist_Basics_zZ9yY8",
        r#"{"kind":"Q-Tube playlist","title":"Basics","description":"All first steps","fields":{"c":"aB3dE, fG6hI","category":"Education","subcategory":"401"}}"#,
    ),
    (
        "q-blog-Alice-post-A-day-with-my-node-Ab12Cd",
        r#"{"kind":"Q-Blog post","title":"A day with my node","description":"Morning The node minted all night."}"#,
    ),
    (
        "qc_v1_qtube_q.W~aB3dE5fG6hI7jK8_base_mN9oP0",
        r#"{"kind":"Q-Tube comment"}"#,
    ),
    (
        "qtube_superlike_q.W~aB3dE5fG6hI7jK8_mN9oP1",
        r#"{"kind":"Q-Tube super like","fields":{"FOR096":"Alice Test_qtube_sl","nm":"Alice Test","sig":"2w91WGQVJxj441CwpGjdCAYUcjbGkjEZnPw7XzR5k7tsKqkLPqd9ZTqtewm2h8htz5gLGYwFFn7ZP7Qer44SU2ut"}}"#,
    ),
    (
        "q-store-general-alices",
        r#"{"kind":"Q-Shop store","title":"Alice's shop","description":"Honey and wax","fields":{"coins":"QORTtrue,ARRRfalse"}}"#,
    ),
    (
        "qshare_file_Router-setup_aB3dE5_metadata",
        r#"{"kind":"Q-Share file","title":"Router setup","description":"How I set it up","fields":{"category":"2","subcategory":"21"}}"#,
    ),
    (
        "symmetric-qchat-group-3",
        r#"{"kind":"chat keys of group 3","isEncrypted":true}"#,
    ),
    (
        "_mail_qortal_qmail_Bob Test_Yhr6aY_mail_aB3dE5",
        r#"{"kind":"Q-Mail message","isEncrypted":true,"recipient":"Bob Test (address ends in Yhr6aY)"}"#,
    ),
    (
        "grp-3-anc-aB3dE5fG",
        r#"{"kind":"announcement in group 3"}"#,
    ),
    ("grp-3-thread-aB3dE5fG", r#"{"kind":"thread in group 3"}"#),
    (
        "thmsg-grp-3-thread-aB3dE5fG-hI7jK8lM",
        r#"{"kind":"thread post in group 3"}"#,
    ),
    (
        "MhNiRYdzkaP9dz-kX47dT-XrFXaYetyErMdF-aB3dE5fG6hI7jK8",
        r#"{"kind":"Quitter post"}"#,
    ),
    (
        "Minter-board-card-Ab12Cd",
        r#"{"kind":"Q-Mintership card"}"#,
    ),
    ("qortal_group_avatar_3", r#"{"kind":"avatar of group 3"}"#),
    ("qortal_avatar", r#"{"kind":"avatar"}"#),
    (
        "grp-3-anc-gone0000",
        r#"{"kind":"announcement in group 3","isDeleted":true,"status":"DELETED"}"#,
    ),
    (
        "grp-3-anc-priv0000",
        r#"{"kind":"announcement in group 3"}"#,
    ),
];

/// Members that are not about the form.
const OTHERS: [&str; 10] = [
    "service",
    "name",
    "identifier",
    "category",
    "size",
    "createdIso",
    "updatedIso",
    "link",
    "created",
    "updated",
];

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

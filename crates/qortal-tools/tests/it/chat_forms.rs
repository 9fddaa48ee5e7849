//! Chat in the forms of the official apps, as their clients show it.

use qortal_testnode::{Event, Scenario, TestNode};
use qortal_tools::Surface;
use serde_json::{Value, json};
use test_chain::chat::{GROUP, START, address, data, events, signature};

use crate::Chain;

fn fill(node: &TestNode) {
    for event in events() {
        node.apply(&event);
    }
}

async fn chain() -> Chain {
    let chain = Chain::recorded().await;
    fill(&chain.node);
    chain
}

/// A row without the members that all rows have.
fn own(mut row: Value) -> Value {
    let members = row.as_object_mut().unwrap();
    for name in ["timestampIso", "sender", "senderName"] {
        members.remove(name);
    }
    members.retain(|name, value| name != "isEncrypted" || *value == Value::Bool(true));
    row
}

/// Compares the rows of a call with the expected ones.
async fn check(arguments: Value, expected: &[(&str, Value)]) {
    let chain = chain().await;
    let mut arguments = arguments;
    arguments["group_id"] = GROUP.into();
    arguments["order"] = "oldest".into();
    arguments["limit"] = 100.into();
    let rows = chain.rows("get_chat_messages", "messages", arguments).await;
    for ((form, expected), row) in expected.iter().zip(&rows) {
        assert_eq!(own(row.clone()), *expected, "{form}");
    }
    assert_eq!(rows.len(), expected.len());
    chain.stop().await;
}

fn referred(sender: &str, text: &str) -> Value {
    json!({"sender": address(sender), "senderName": sender, "text": text})
}

#[tokio::test]
async fn get_chat_messages_shows_each_form_as_the_official_clients_do() {
    let a = referred("Alice Test", "now at 0.0029 LTC");
    check(
        json!({}),
        &[
            (
                "Hub, edited, with reactions of which one was taken back",
                json!({"text": "now at 0.0029 LTC", "editedIso": "2026-11-21T05:28:29.424Z", "reactions": {"🔥": 2}}),
            ),
            (
                "Hub, reply with mention",
                json!({"text": "I take it, @Alice Test", "replyTo": a}),
            ),
            (
                "Hub, picture taken out",
                json!({"text": "picture removed", "editedIso": "2026-11-21T05:56:29.424Z"}),
            ),
            (
                "qortal-ui, version 3, with a reaction by copy",
                json!({"text": "from the old program", "reactions": {"❤": 1}}),
            ),
            ("qortal-ui, version 1", json!({"text": "version one: plain"})),
            (
                "qortal-ui, file, edited",
                json!({
                    "text": "the file, corrected", "editedIso": "2026-11-21T05:47:29.424Z",
                    "attachments": [{"kind": "file", "name": "notes.pdf", "size": 20480, "link": "qortal://ATTACHMENT/Alice%20Test?identifier=qchat_x1"}],
                }),
            ),
            ("Hub, list and code", json!({"text": "- one\n- two\nlet x = 1;"})),
            (
                "Hub, poll",
                json!({"text": "vote", "attachments": [{"kind": "poll", "name": "Best coin"}]}),
            ),
            (
                "script, plain text",
                json!({"text": "plain text of a script, no envelope"}),
            ),
            (
                "Hub, ciphertext of a message, with one of a reaction",
                json!({"editedIso": "2026-11-21T06:02:29.424Z", "reactions": {"encrypted": 1}, "isEncrypted": true}),
            ),
            ("Hub, key notice", json!({"kind": "group_key_created"})),
            (
                "qortal-ui, version 2, reply by reference",
                json!({"text": "still there?", "replyTo": a}),
            ),
            (
                "qortal-ui, forwarded picture, deleted",
                json!({
                    "kind": "forwarded", "text": "look",
                    "attachments": [{"kind": "picture", "link": "qortal://QCHAT_IMAGE/Carol%20Test?identifier=qchat_c1", "isDeleted": true}],
                }),
            ),
            (
                "qortal-ui, GIF",
                json!({"text": "ha", "attachments": [{"kind": "gif", "link": "qortal://IMAGE/Carol%20Test?identifier=qchat_gif_1"}]}),
            ),
            (
                "qortal-ui, file of a Q-App",
                json!({
                    "text": "for the board",
                    "attachments": [{"kind": "file", "name": "board.zip", "size": 1_048_576, "link": "qortal://FILE/Carol%20Test?identifier=qchat_file_1"}],
                }),
            ),
            (
                "Hub, private picture with a shared key",
                json!({
                    "text": "see",
                    "attachments": [{"kind": "picture", "link": "qortal://IMAGE/Carol%20Test?identifier=pic_1", "isEncrypted": true}],
                }),
            ),
            ("Hub, HTML as text", json!({"text": "Meeting on Friday\nor Saturday"})),
            ("Hub, first form of ciphertext", json!({"isEncrypted": true})),
            (
                "unknown form",
                json!({"kind": "unknown_form", "text": "offer\nLTC\nsell 5 at market"}),
            ),
            ("bytes", json!({"data": "/wA=", "encoding": "BASE64"})),
            (
                "Hub, reply to an expired message",
                json!({"text": "as you said yesterday", "replyTo": {}}),
            ),
            (
                "Hub, reply that is edited",
                json!({"text": "I take it now, @Alice Test", "editedIso": "2026-11-21T05:59:29.424Z", "replyTo": a}),
            ),
            (
                "Hub, reply to an expired message with a known edit",
                json!({"text": "and today", "replyTo": referred("Carol Test", "as I said yesterday")}),
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn get_chat_messages_lists_edits_and_reactions_on_request() {
    let first = referred("Alice Test", "I sell 500 QORT at 0.003 LTC");
    let a = referred("Alice Test", "now at 0.0029 LTC");
    let file = json!([{"kind": "file", "name": "notes.pdf", "size": 20480, "link": "qortal://ATTACHMENT/Alice%20Test?identifier=qchat_x1"}]);
    let encrypted = json!({"sender": address("Alice Test"), "senderName": "Alice Test"});
    check(
        json!({"has_chat_reference": true}),
        &[
            (
                "Hub, edit",
                json!({"kind": "edit", "text": "now at 0.0029 LTC", "changeOf": first}),
            ),
            (
                "Hub, reaction",
                json!({"kind": "reaction", "text": "👍", "changeOf": a}),
            ),
            (
                "Hub, reaction taken back",
                json!({"kind": "reaction_removed", "text": "👍", "changeOf": a}),
            ),
            (
                "qortal-ui, reaction by copy",
                json!({"kind": "reaction", "text": "❤", "changeOf": referred("Alice Test", "from the old program")}),
            ),
            (
                "Hub, ciphertext of a reaction",
                json!({"kind": "reaction", "changeOf": encrypted, "isEncrypted": true}),
            ),
            (
                "Hub, edit by another account",
                json!({"kind": "other_change", "text": "sold to me", "changeOf": a}),
            ),
            (
                "Hub, reaction of Carol",
                json!({"kind": "reaction", "text": "🔥", "changeOf": a}),
            ),
            (
                "Hub, reaction of Bob",
                json!({"kind": "reaction", "text": "🔥", "changeOf": a}),
            ),
            (
                "qortal-ui, edit",
                json!({
                    "kind": "edit", "text": "the file, corrected", "attachments": file,
                    "changeOf": referred("Bob Test", "the file"),
                }),
            ),
            (
                "Hub, edit of a picture",
                json!({"kind": "edit", "text": "picture removed", "changeOf": encrypted}),
            ),
            (
                "Hub, edit of a reply",
                json!({"kind": "edit", "text": "I take it now, @Alice Test", "changeOf": referred("Bob Test", "I take it")}),
            ),
            (
                "Hub, edit of an expired message",
                json!({"kind": "edit", "text": "as I said yesterday", "changeOf": {}}),
            ),
            (
                "Hub, ciphertext of an edit",
                json!({"kind": "edit", "changeOf": encrypted, "isEncrypted": true}),
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn get_chat_messages_asks_the_node_once_for_a_room() {
    let chain = chain().await;
    let arguments = json!({"group_id": GROUP, "sender": address("Bob Test"), "limit": 2, "offset": 1, "after": START});
    let answer = chain.call("get_chat_messages", arguments).await.unwrap();
    // The message that Bob replies to is Alice's, and would not be among his.
    let replies: Vec<_> = { answer["messages"].as_array().unwrap().iter() }
        .map(|it| &it["replyTo"]["senderName"])
        .collect();
    assert_eq!(replies, ["Alice Test", "Alice Test"]);
    assert_eq!(chain.node.journal().len(), 1);
    chain.stop().await;
}

#[tokio::test]
async fn get_chat_messages_pages_through_rooms_of_any_size() {
    let chain = chain().await;
    // Later than the forms, which are then beyond the newest 500.
    for number in 0..520 {
        chain.node.apply(&Event::GroupMessage {
            from: address("Alice Test").to_owned(),
            group: GROUP,
            text: format!("number {number}"),
        });
    }
    let tool = "get_chat_messages";
    let rows = async |order: &str| {
        let arguments = json!({"group_id": GROUP, "order": order, "limit": 100});
        let mut rows = chain.rows(tool, "messages", arguments).await;
        // The message that one replies to can be on another page.
        for row in &mut rows {
            row.as_object_mut().unwrap().remove("replyTo");
        }
        rows
    };
    let (newest, mut oldest) = (rows("newest").await, rows("oldest").await);
    assert_eq!(oldest.len(), 520 + 23);
    assert_eq!(oldest[0]["text"], "now at 0.0029 LTC");
    oldest.reverse();
    let differs = newest.iter().zip(&oldest).find(|(one, other)| one != other);
    assert_eq!(differs, None);
    let before = chain.node.journal().len();
    let deep = json!({"group_id": GROUP, "limit": 50, "offset": 440});
    chain.call(tool, deep).await.unwrap();
    assert_eq!(chain.node.journal().len(), before + 1);
    chain.stop().await;
}

#[tokio::test]
async fn get_chat_messages_notes_changes_that_were_not_read() {
    let chain = chain().await;
    for _ in 0..500 {
        chain.node.apply(&Event::GroupReaction {
            from: address("Alice Test").to_owned(),
            group: GROUP,
            text: r#"{"type":"reaction","content":"👍"}"#.to_owned(),
        });
    }
    let arguments = json!({"group_id": GROUP, "order": "oldest", "limit": 1});
    let answer = chain.call("get_chat_messages", arguments).await.unwrap();
    // Its edit is among the older changes.
    assert_eq!(
        answer["messages"][0]["text"],
        "I sell 500 QORT at 0.003 LTC"
    );
    let notes = answer["notes"].to_string();
    let note = "Edits and reactions from before 2026-11-21T06:23:29";
    assert!(notes.contains(note), "{notes}");
    chain.stop().await;
}

#[tokio::test]
async fn get_chat_messages_in_full_has_the_raw_form_without_keys() {
    let chain = chain().await;
    let arguments =
        json!({"group_id": GROUP, "sender": address("Carol Test"), "detail": "full", "limit": 100});
    let rows = chain.rows("get_chat_messages", "messages", arguments).await;
    let raw = |id: &str| {
        let row = rows.iter().find(|it| it["signature"] == signature(id));
        row.unwrap()["raw"].as_str().unwrap_or_default()
    };
    assert!(
        raw("A").contains("encryptionType=private&key=…"),
        "{}",
        raw("A")
    );
    assert!(raw("D").contains(r#""key":"…""#), "{}", raw("D"));
    assert!(raw("B").contains("<strong>Friday</strong>"), "{}", raw("B"));
    let said = Value::from(rows.clone()).to_string();
    assert!(
        !said.contains("c2VjcmV0") && !said.contains("secret"),
        "{said}"
    );
    chain.stop().await;
}

#[tokio::test]
async fn chat_counts_have_edits_and_reactions_apart() {
    let chain = chain().await;
    let room = || json!({"group_id": GROUP});
    let activity = chain.call("get_chat_activity", room()).await.unwrap();
    for (name, expected) in [
        ("messageCount", 22),
        ("encryptedCount", 2),
        ("editCount", 6),
        ("reactionCount", 6),
        ("otherCount", 2),
    ] {
        assert_eq!(activity[name], expected, "{name}");
    }
    let senders = activity["senders"].as_array().unwrap().iter();
    let senders: Vec<_> = senders
        .map(|it| {
            (
                it["senderName"].as_str().unwrap(),
                &it["messageCount"],
                &it["changeCount"],
            )
        })
        .collect();
    assert_eq!(
        format!("{senders:?}"),
        r#"[("Carol Test", Number(9), Number(2)), ("Alice Test", Number(8), Number(3)), ("Bob Test", Number(5), Number(7))]"#
    );
    let count = chain.call("count_chat_messages", room()).await.unwrap();
    // A key notice counts: only reading tells it from a message.
    assert_eq!(
        (&count["count"], &count["changeCount"]),
        (&json!(23), &json!(13))
    );
    chain.stop().await;
}

#[tokio::test]
async fn get_chat_message_by_signature_shows_edits_reactions_and_replies() {
    let chain = chain().await;
    for (id, expected) in [
        (
            "a",
            json!({"text": "now at 0.0029 LTC", "editedIso": "2026-11-21T05:28:29.424Z", "reactions": {"🔥": 2}}),
        ),
        (
            "e",
            json!({"text": "I take it, @Alice Test", "replyTo": referred("Alice Test", "now at 0.0029 LTC")}),
        ),
        (
            "c",
            json!({
                "kind": "reaction", "text": "👍", "chatReference": signature("a"),
                "changeOf": referred("Alice Test", "now at 0.0029 LTC"),
            }),
        ),
        (
            "p",
            json!({"editedIso": "2026-11-21T06:02:29.424Z", "reactions": {"encrypted": 1}, "isEncrypted": true}),
        ),
        ("r", json!({"kind": "group_key_created"})),
    ] {
        let arguments = json!({"signature": signature(id)});
        let answer = chain.call("get_chat_message_by_signature", arguments);
        let mut answer = own(answer.await.unwrap());
        let members = answer.as_object_mut().unwrap();
        for name in ["groupId", "groupName", "isText", "notes"] {
            members.remove(name);
        }
        assert_eq!(answer, expected, "{id}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn get_active_chats_shows_the_last_message_of_a_group() {
    let chain = chain().await;
    let arguments = json!({"address": address("Alice Test"), "limit": 100});
    let groups = async |arguments: &Value| {
        let answer = chain
            .call("get_active_chats", arguments.clone())
            .await
            .unwrap();
        let groups = answer["groups"].as_array().unwrap().clone();
        let group = groups.into_iter().find(|it| it["groupId"] == GROUP);
        own(group.unwrap())
    };
    let mut last = groups(&arguments).await;
    assert_eq!(last["text"], "and today");
    // The last one is ciphertext.
    let like = json!({"signature": signature("M")});
    chain.node.apply(&Event::RowsRemoved {
        table: "chat",
        like,
    });
    let mut changes = arguments.clone();
    changes["has_chat_reference"] = true.into();
    let change = groups(&changes).await;
    assert_eq!(
        (&change["kind"], &change["text"]),
        (&json!("edit"), &json!("as I said yesterday"))
    );
    for (id, expected) in [
        ("K", json!({"text": "as you said yesterday"})),
        ("H", json!({"text": "as you said yesterday"})),
        ("G", json!({"data": "/wA=", "encoding": "BASE64"})),
        (
            "E",
            json!({"kind": "unknown_form", "text": "offer\nLTC\nsell 5 at market"}),
        ),
        ("D", json!({"isEncrypted": true})),
        ("C", json!({"text": "Meeting on Friday\nor Saturday"})),
    ] {
        let like = json!({"signature": signature(id)});
        chain.node.apply(&Event::RowsRemoved {
            table: "chat",
            like,
        });
        last = groups(&arguments).await;
        let members = last.as_object_mut().unwrap();
        members.retain(|name, _| !name.starts_with("group"));
        if id != "K" {
            assert_eq!(last, expected, "after {id}");
        }
    }
    chain.stop().await;
}

#[tokio::test]
async fn the_surface_python_has_one_row_for_each_transaction() {
    let chain = Chain::listing(Surface::Python, Scenario::recorded(), None).await;
    fill(&chain.node);
    let arguments = json!({"tx_group_id": GROUP, "limit": 100});
    let rows = chain.rows("get_chat_messages", "messages", arguments).await;
    let file: Value = serde_json::from_str(test_chain::chat::DATA).unwrap();
    let sent = file["messages"].as_array().unwrap();
    assert_eq!(rows.len(), sent.len());
    for (row, sent) in rows.iter().zip(sent) {
        let text = String::from_utf8(data(sent))
            .ok()
            .filter(|it| !it.contains('\0'));
        let clean = text.map(|it| it.replace('\u{fe0f}', ""));
        assert_eq!(row["text"].as_str(), clean.as_deref(), "{}", sent["form"]);
        assert_eq!(row["isEncrypted"], false);
        let of_apps = [
            "kind",
            "replyTo",
            "changeOf",
            "editedIso",
            "reactions",
            "attachments",
            "raw",
        ];
        assert!(of_apps.iter().all(|it| row.get(it).is_none()), "{row}");
    }
    let count = chain.call("count_chat_messages", json!({"tx_group_id": GROUP}));
    let count = count.await.unwrap();
    assert_eq!(count["count"], sent.len());
    assert_eq!(count.get("changeCount"), None);
    chain.stop().await;
}

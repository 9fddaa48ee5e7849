//! Chat transactions in the forms of the official apps, as their clients show them.

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_apps::{
    chat::{AttachmentKind, Change, Content, Conversation, Message, Sent, without_keys},
    ciphertext::Ciphertext,
};
use serde_json::Value;

/// The transactions, with the form that each of them shows.
pub(crate) const DATA: &str = include_str!("../data/chat.json");

fn signature(id: &str) -> String {
    format!("<{id}>")
}

fn sent(row: &Value) -> Sent {
    let text = |field: &str| row[field].as_str().map(str::to_owned);
    let id = text("id").unwrap();
    let data = match (text("text"), text("base64")) {
        (Some(text), _) => text.into_bytes(),
        (_, Some(base64)) => STANDARD.decode(base64).unwrap(),
        (None, None) => row["envelope"].to_string().into_bytes(),
    };
    Sent {
        signature: signature(&id),
        reference: Some(format!("<reference of {id}>")),
        chat_reference: text("changes").map(|it| signature(&it)),
        sender: signature(&text("by").unwrap()),
        timestamp: row["minute"].as_i64().unwrap(),
        content: Content::read(&data),
    }
}

pub(crate) fn conversation() -> Conversation {
    let data: Value = serde_json::from_str(DATA).unwrap();
    let rows = data["messages"].as_array().unwrap();
    Conversation::new(rows.iter().map(sent).collect())
}

/// Describes a content in one line.
fn described(content: &Content) -> String {
    match content {
        Content::Message(message) => of_message(message),
        Content::Reaction(reaction) if reaction.is_given => format!("reaction {}", reaction.emoji),
        Content::Reaction(reaction) => format!("reaction {} taken back", reaction.emoji),
        Content::KeyNotice => "key notice".to_owned(),
        Content::Encrypted(Some(Ciphertext { key, kind, .. })) => {
            format!("encrypted with key {key}, kind {kind:?}")
        }
        Content::Unknown(text) => format!("unknown form: {text:?}"),
        Content::Binary => "bytes".to_owned(),
        _ => panic!("{content:?}"),
    }
}

fn of_message(message: &Message) -> String {
    let mut line = format!("{:?}", message.text.text);
    for it in &message.attachments {
        let kind = match it.kind {
            AttachmentKind::Picture => "picture",
            AttachmentKind::Gif => "gif",
            AttachmentKind::File => "file",
            AttachmentKind::Poll => "poll",
            _ => panic!("{it:?}"),
        };
        let _ = write!(line, " + {kind}");
        if let Some(name) = &it.name {
            let _ = write!(line, " {name:?}");
        }
        if let Some(size) = it.size {
            let _ = write!(line, " of {size} bytes");
        }
        if let Some(resource) = &it.resource {
            let _ = write!(line, " at {}/{}", resource.service, resource.identifier);
        }
        line.push_str(if it.is_deleted { ", deleted" } else { "" });
        line.push_str(if it.is_encrypted { ", encrypted" } else { "" });
    }
    if message.is_forwarded {
        line.push_str(", forwarded");
    }
    line
}

/// Describes a message as it is shown, and a change by what it is.
fn shown(conversation: &Conversation, place: usize) -> String {
    let it = conversation.get(place).unwrap();
    let mut line = match conversation.change(place) {
        Some(change) => {
            let original = conversation.original(place);
            let original = original.and_then(|it| conversation.get(it));
            let original = original.map_or("an unknown message", |it| &it.signature);
            let kind = match change {
                Change::Edit => "edit",
                Change::Reaction => "reaction",
                _ => "no change",
            };
            return format!("{} {kind} of {original}", it.signature);
        }
        None => format!("{} ", it.signature),
    };
    let current = conversation.current(place).unwrap();
    line.push_str(&described(current.content));
    if let Some(minute) = current.edited {
        let _ = write!(line, ", edited in minute {minute}");
    }
    for it in &current.reactions {
        let _ = write!(line, ", {} {}", it.count, it.emoji);
    }
    if current.encrypted_reactions > 0 {
        let _ = write!(
            line,
            ", {} encrypted reactions",
            current.encrypted_reactions
        );
    }
    if let Some(reply) = conversation.reply_to(place) {
        match reply.place.and_then(|it| conversation.get(it)) {
            Some(message) => {
                let _ = write!(line, ", reply to {}", message.signature);
            }
            None => line.push_str(", reply to an unknown message"),
        }
    }
    line
}

#[test]
fn every_form_is_shown_as_the_official_clients_show_it() {
    let expected = r#"
<a> "now at 0.0029 LTC", edited in minute 5, 2 🔥
<b> edit of <a>
<c> reaction of <a>
<d> reaction of <a>
<e> "I take it, @Alice Test", reply to <a>
<f> "picture removed", edited in minute 33
<g> "from the old program", 1 ❤️
<h> "version one: plain"
<i> reaction of <g>
<j> "the file, corrected" + file "notes.pdf" of 20480 bytes at ATTACHMENT/qchat_x1, edited in minute 24
<k> "- one\n- two\nlet x = 1;"
<m> "vote" + poll "Best coin"
<n> "plain text of a script, no envelope"
<p> encrypted with key 2, kind Some(2), edited in minute 39, 1 encrypted reactions
<q> reaction of <p>
<r> key notice
<s> no change of <a>
<t> reaction of <a>
<u> reaction of <a>
<v> "still there?", reply to <a>
<w> edit of <j>
<x> "look" + picture at QCHAT_IMAGE/qchat_c1, deleted, forwarded
<y> "ha" + gif at IMAGE/qchat_gif_1
<z> "for the board" + file "board.zip" of 1048576 bytes at FILE/qchat_file_1
<A> "see" + picture at IMAGE/pic_1, encrypted
<B> "Meeting on Friday\nor Saturday"
<C> encrypted with key 1, kind None
<D> unknown form: "offer\nLTC\nsell 5 at market"
<E> bytes
<F> edit of <f>
<G> "as you said yesterday", reply to an unknown message
<H> "I take it now, @Alice Test", edited in minute 36, reply to <a>
<L> edit of <H>
<J> edit of an unknown message
<K> "and today", reply to <J>
<M> edit of <p>
"#;
    let conversation = conversation();
    let places = (0..).take_while(|it| conversation.get(*it).is_some());
    let lines: Vec<_> = places.map(|it| shown(&conversation, it)).collect();
    assert_eq!(lines.join("\n"), expected.trim());
}

#[test]
fn first_versions_keep_their_content() {
    let conversation = conversation();
    let lines: Vec<_> = { 0..6 }
        .map(|it| described(&conversation.get(it).unwrap().content))
        .collect();
    let expected = [
        r#""I sell 500 QORT at 0.003 LTC""#,
        r#""now at 0.0029 LTC""#,
        "reaction 👍",
        "reaction 👍 taken back",
        r#""I take it, @Alice Test""#,
        r#""" + picture at IMAGE/grp-q-manager_1_group_3_Ab12Cd"#,
    ];
    assert_eq!(lines, expected);
}

#[test]
fn text_that_resembles_a_form_stays_text() {
    for text in [
        "",
        "4001 ",
        "{not JSON}",
        "[1, 2]",
        "\"quoted\"",
        "1 < 2 and 3 > 2",
        "MDAwMDAwMDAwMg==",
        "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=",
        "Most of us",
    ] {
        let found = described(&Content::read(text.as_bytes()));
        assert_eq!(found, format!("{text:?}"));
    }
}

#[test]
fn ciphertext_begins_with_the_number_of_a_key() {
    let with = |digits: &str| [digits.as_bytes(), &[0xF0; 40]].concat();
    for (digits, expected) in [
        ("0000000007002", Some((7, Some(2), false))),
        ("0000000007102", Some((7, Some(102), true))),
        ("1795238609002", None),
        ("000000000x002", None),
        ("0000000007", None),
    ] {
        let found = Ciphertext::read(&with(digits));
        let found = found.map(|it| (it.key, it.kind, it.is_reaction()));
        assert_eq!(found, expected, "{digits}");
    }
    assert_eq!(Ciphertext::read(b"0000000007002"), None);
}

#[test]
fn envelopes_of_unknown_form_yield_their_text() {
    for (data, expected) in [
        (r#"{"a":1}"#, ""),
        (
            r#"{"messageText":{"text":"kept","type":"page"}}"#,
            "kept\npage",
        ),
        (r#"{"type":"reaction","content":""}"#, "reaction"),
        (
            r#"{"b":["one",{"c":"two"}],"messageKey":"c2VjcmV0LWtleQ=="}"#,
            "one\ntwo",
        ),
        (
            r#"{"link":"qortal://use-embed/IMAGE?name=a&key=secret"}"#,
            "qortal://use-embed/IMAGE?name=a&key=…",
        ),
    ] {
        let content = Content::read(data.as_bytes());
        assert_eq!(content, Content::Unknown(expected.to_owned()), "{data}");
    }
}

#[test]
fn edits_that_change_nothing_are_not_reported() {
    let row = |id: &str, changes: Option<&str>, text: &str| Sent {
        signature: id.to_owned(),
        reference: None,
        chat_reference: changes.map(str::to_owned),
        sender: "alice".to_owned(),
        timestamp: id.len().try_into().unwrap(),
        content: Content::read(text.as_bytes()),
    };
    let copy = r#"{"messageText":"a","version":1,"reactions":[{"type":"👍","users":[{"address":"alice"}]}]}"#;
    // The edit refers to an edit, as no official app writes it, and the rows come in any order.
    let conversation = Conversation::new(vec![
        row("3333", Some("22"), r#"{"messageText":"b","isEdited":true}"#),
        row("22", Some("1"), copy),
        row("1", None, r#"{"messageText":"a","version":1}"#),
        row("55555", Some("666666"), "orphan"),
        row("666666", Some("55555"), "circle"),
    ]);
    assert_eq!(shown(&conversation, 2), "1 \"b\", edited in minute 4, 1 👍");
    assert_eq!(conversation.original(3), None);
    let without_edit = Conversation::new(vec![
        row("1", None, r#"{"messageText":"a","version":1}"#),
        row("22", Some("1"), copy),
    ]);
    assert_eq!(shown(&without_edit, 0), "1 \"a\", 1 👍");
}

#[test]
fn raw_forms_show_no_keys() {
    for (data, expected) in [
        ("plain", Some("plain")),
        (
            r#"{"key":"c2VjcmV0LWtleQ==","list":[{"messageKey":"c2VjcmV0LWtleQ=="},"qortal://use-embed/IMAGE?name=c&key=d"],"monkey":"e"}"#,
            Some(
                r#"{"key":"…","list":[{"messageKey":"…"},"qortal://use-embed/IMAGE?name=c&key=…"],"monkey":"e"}"#,
            ),
        ),
    ] {
        assert_eq!(without_keys(data.as_bytes()).as_deref(), expected);
    }
    assert_eq!(without_keys(&[0xFF]), None);
}

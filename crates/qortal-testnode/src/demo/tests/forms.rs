//! Tests that the demo has every format of the apps, in chat and in QDN.

use std::collections::{BTreeMap, BTreeSet};

use data_encoding::BASE64;
use serde_json::Value;

use super::{chain, confirmed, wide};
use crate::{chain::Row, codec::base58_decode};

/// Returns the bytes of a file, regardless of their form in the table.
fn file_bytes(file: &Value) -> Vec<u8> {
    BASE64.decode(file.text("data").as_bytes()).unwrap()
}

#[test]
fn published_file_without_compression_has_the_size_of_its_ciphertext() {
    let chain = chain();
    let mut files = 0;
    let uncompressed = confirmed(&chain).filter(|row| row.text("compression") == "NONE");
    for row in uncompressed {
        let same = |other: &&Value| {
            ["service", "name", "identifier"]
                .iter()
                .all(|part| *part == "service" || other.at(part) == row.at(part))
        };
        let listed = chain.qdn_resources.iter().filter(same);
        let mut listed =
            { listed }.filter(|it| it.text("latestSignature") == row.text("signature"));
        let listed = listed.next().unwrap();
        assert_eq!(listed.number("size"), row.number("size"), "{row}");
        let content = chain.qdn_content.iter().filter(same);
        let mut content = { content }.filter(|it| it.text("service") == listed.text("service"));
        let content = content.next().unwrap();
        if let [file] = content.rows("files") {
            // AES in CBC mode: a block of 16 bytes in front, and padding of 1 to 16 bytes.
            let length = wide(file_bytes(file).len());
            assert_eq!(row.number("size"), 16 + 16 * (length / 16 + 1), "{row}");
            files += 1;
        }
    }
    assert!(files >= 40, "{files}");
}

/// Returns the kind of a chat message, by the rules of the apps.
fn kind_of(message: &Value) -> &'static str {
    let data = base58_decode(message.text("data")).unwrap();
    if message.flag("isEncrypted") {
        return "direct";
    }
    let text = String::from_utf8(data).unwrap();
    let inner = BASE64.decode(text.as_bytes()).unwrap_or_default();
    if inner.len() > 13 && inner.iter().take(13).all(u8::is_ascii_digit) {
        return "ciphertext";
    }
    let envelope = serde_json::from_str::<Value>(&text).ok();
    let Some(envelope) = envelope.filter(Value::is_object) else {
        return if text == "4001" {
            "key notice"
        } else {
            "plain"
        };
    };
    let refers = message.get("chatReference").is_some();
    let replies = !envelope.text("repliedTo").is_empty();
    match envelope.text("type") {
        "reaction" if envelope.flag("contentState") => "reaction",
        "reaction" => "reaction taken back",
        "edit" if refers && envelope.flag("isEdited") => "edit",
        _ if envelope.get("reactions").is_some() && refers => "reaction of the old program",
        _ if refers => "unknown",
        _ if envelope.get("attachments").is_some() => "file",
        _ if text.contains("use-embed/POLL") => "poll",
        _ if text.contains(r#""mention""#) => "mention",
        _ if envelope.at("images").get(0).is_some_and(Value::is_object) => "picture",
        _ if envelope.get("specialId").is_none() => "old program",
        _ if replies => "reply",
        _ => "message",
    }
}

#[test]
fn chat_of_the_demo_holds_each_form_that_apps_write() {
    let chain = chain();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for message in chain.chat.iter() {
        let kind = kind_of(message);
        *kinds.entry(kind).or_default() += 1;
        let is_closed = message.number("txGroupId") == 4;
        assert_eq!(
            is_closed,
            ["ciphertext", "key notice"].contains(&kind),
            "{message}"
        );
        if let Some(reference) = message.get("chatReference") {
            let first = chain.chat.iter().find(|it| it.at("signature") == reference);
            assert!(first.unwrap().number("timestamp") < message.number("timestamp"));
        }
    }
    let count = |kind: &str| kinds.get(kind).copied().unwrap_or_default();
    for kind in [
        "edit",
        "reaction taken back",
        "reaction of the old program",
        "picture",
        "poll",
        "mention",
        "file",
        "key notice",
    ] {
        assert_eq!(count(kind), 1, "{kind}: {kinds:?}");
    }
    assert_eq!(count("reaction"), 2, "{kinds:?}");
    assert!(count("message") + count("reply") >= 35, "{kinds:?}");
    assert!(
        count("old program") >= 4 && count("plain") >= 2,
        "{kinds:?}"
    );
    assert!(
        count("ciphertext") >= 3 && count("direct") >= 8,
        "{kinds:?}"
    );
    assert_eq!(count("unknown"), 0, "{kinds:?}");
}

#[test]
fn qdn_of_the_demo_holds_each_form_that_apps_write() {
    let chain = chain();
    let of = |service: &str, start: &str| {
        let rows = chain.qdn_resources.iter();
        let row = { rows }.find(|row| {
            row.text("service") == service && row.text("identifier").starts_with(start)
        });
        row.unwrap_or_else(|| panic!("no {service} {start}"))
    };
    for (service, start, marker) in [
        ("VIDEO", "qtube_vid_", "**category:"),
        ("DOCUMENT", "qtube_vid_", "**category:"),
        ("PLAYLIST", "qtube_playlist_", "**category:"),
        ("BLOG_COMMENT", "qtube_superlike_", "**sig:"),
        ("FILE", "qshare_file_", "**cat:"),
        ("STORE", "q-store-general-", "**coins:"),
        ("PRODUCT", "q-store-product-", "It unrolls"),
        ("DOCUMENT", "q-fund_crowdfund_", "Glass"),
        ("BLOG_COMMENT", "qc_v1_qtube_", ""),
        ("DOCUMENT", "grp-3-anc-", ""),
        ("DOCUMENT", "grp-4-anc-", ""),
        ("DOCUMENT", "grp-3-thread-", "Which router"),
        ("DOCUMENT", "grp-4-thread-", ""),
        ("DOCUMENT", "thmsg-grp-3-thread-", ""),
        ("THUMBNAIL", "qortal_group_avatar_3", ""),
        ("DOCUMENT_PRIVATE", "symmetric-qchat-group-4", ""),
        ("MAIL_PRIVATE", "_mail_qortal_qmail_Alice Test_", ""),
        ("DOCUMENT", "MhNiRYdzkaP9dz-", ""),
    ] {
        let row = of(service, start);
        let description = row.at("metadata").text("description");
        assert!(description.starts_with(marker), "{row}");
    }
    let video = of("VIDEO", "qtube_vid_minting")
        .text("identifier")
        .to_owned();
    assert!(of("DOCUMENT", &format!("{video}_metadata")).number("size") > 30_000);
    let removed = { chain.qdn_resources.iter() }.filter(|row| row.number("size") == 32);
    let removed: BTreeSet<&str> = removed.map(|row| row.text("identifier")).collect();
    assert_eq!(removed.len(), 2);
    for content in
        { chain.qdn_content.iter() }.filter(|row| removed.contains(row.text("identifier")))
    {
        assert_eq!(file_bytes(content.at("files").get(0).unwrap()), b"D");
    }
}

//! Documents as the apps' sources write them, and as their programs show them.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{Content, Document, Encrypted, Form, is_deleted, raw};
use crate::identifier::Item;

/// A document in tests/data/qdn.
macro_rules! data {
    ($name:literal) => {
        include_str!(concat!("../../tests/data/qdn/", $name, ".json"))
    };
}

fn read(content: &str) -> Document {
    match Content::read(None, content.as_bytes(), true) {
        Content::Document(document) => document,
        other => panic!("{other:?}"),
    }
}

#[test]
fn document_of_each_app_yields_what_its_readers_see() {
    let rows: &[(&str, Form, Option<&str>, &[&str])] = &[
        (
            data!("video"),
            Form::Video,
            Some("Minting explained"),
            &[
                "How to begin.",
                "Step by step.",
                "Category: Education",
                "Duration: 10:13",
                "Video: qortal://VIDEO/Alice%20Test?identifier=qtube_vid_Minting-explained_aB3dE5",
                "File: Minting_explained.mp4, 70 MB",
                "[picture, 12 bytes] (cover)",
                "[1 still, 1 KB]",
            ],
        ),
        (
            data!("playlist"),
            Form::Playlist,
            Some("Basics"),
            &[
                "All first steps",
                "Category: Education",
                "[picture, 768 bytes] (cover)",
                "Video: qortal://DOCUMENT/Alice%20Test?identifier=qtube_vid_minting-explained_aB3dE5_metadata",
            ],
        ),
        (
            data!("superlike"),
            Form::SuperLike,
            None,
            &[
                "Thanks, very useful",
                "Payment: 2w91WGQVJxj441CwpGjdCAYUcjbGkjEZnPw7XzR5k7tsKqkLPqd9ZTqtewm2h8htz5gLGYwFFn7ZP7Qer44SU2ut",
                "For: qtube_vid_Minting-explained_aB3dE5_metadata of Alice Test",
            ],
        ),
        (data!("like"), Form::Like, None, &["dislikes it"]),
        (
            data!("post"),
            Form::BlogPost,
            Some("A day with my node"),
            &[
                "Morning",
                "The node minted all night.",
                "[picture, 720 bytes] my board",
                "Video: tour qortal://VIDEO/Alice%20Test?identifier=qvideo_qblog_x1",
            ],
        ),
        (
            data!("blog"),
            Form::Blog,
            Some("Alice's blog"),
            &["Notes about nodes", "[picture, 768 bytes]"],
        ),
        (
            data!("announcement"),
            Form::Announcement,
            None,
            &["Meeting on Friday"],
        ),
        (
            data!("thread"),
            Form::Thread,
            Some("Which router?"),
            &["Started by: Alice Test"],
        ),
        (data!("threadpost"), Form::Message, None, &["I need UPnP."]),
        (
            data!("mail"),
            Form::Message,
            Some("Hello"),
            &[
                "Dear Bob,",
                "see the file.",
                "Attachment: notes.pdf qortal://ATTACHMENT_PRIVATE/Alice%20Test?identifier=attachments_qmail_a_b",
            ],
        ),
        (
            data!("store"),
            Form::Store,
            Some("Alice's shop"),
            &[
                "Honey and wax",
                "Location: Berlin",
                "Ships to: Europe",
                "Coins: QORT, ARRR",
                "[picture, 768 bytes] (logo)",
            ],
        ),
        (
            data!("product"),
            Form::Product,
            Some("Honey"),
            &[
                "500 g",
                "Price: 25 QORT",
                "Category: Food",
                "Type: physical",
                "Status: AVAILABLE",
                "[picture, 768 bytes]",
            ],
        ),
        (
            data!("datacontainer"),
            Form::Products,
            None,
            &[
                "Products: 1",
                "- q-store-product-alices-Ab12, 25 QORT, Food",
            ],
        ),
        (
            data!("crowdfund"),
            Form::Crowdfund,
            Some("A faster node"),
            &[
                "For the group",
                "Why",
                "The old one is slow.",
                "Goal: 500 QORT",
                "Blocks it runs for: 10080",
                "Beneficiary: QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
                "Automated transaction: AQ7EDpFv3vsPmkX5XVPvyXoyrnZrm4qLxx",
                "[picture, 768 bytes] (cover)",
            ],
        ),
        (
            data!("share"),
            Form::Files,
            Some("Router setup"),
            &[
                "How I set it up",
                "File (200 KB): router.pdf qortal://FILE/Alice%20Test?identifier=qshare_file_router-setup_xY3dE5",
            ],
        ),
        (
            data!("issue"),
            Form::Files,
            Some("No sound"),
            &[
                "Videos are silent",
                "App: Q-Tube",
                "Bounty: 50 QORT",
                "Source code: qortal://APP/Q-Code",
                "[picture, 768 bytes]",
            ],
        ),
        (
            data!("card"),
            Form::Card,
            Some("I want to mint"),
            &[
                "My node runs all day.",
                "Link: qortal://APP/Q-Tube",
                "By: Alice Test",
                "Poll: Minter-board-card-Ab12Cd-poll",
            ],
        ),
        (
            data!("quitter"),
            Form::Post,
            None,
            &["My node mints again", "[picture, 768 bytes]"],
        ),
        (
            data!("unknown"),
            Form::Unknown,
            None,
            &[
                "say: First line",
                "say: second",
                "card: qortal://use-embed/IMAGE?name=a&key=…",
                "label: A new form",
                "icon: [picture, 768 bytes]",
                "version: 3",
            ],
        ),
    ];
    for (content, form, title, lines) in rows {
        let document = read(content);
        assert_eq!(document.form, *form, "{content}");
        assert_eq!(document.title.as_deref(), *title, "{form:?}");
        let mut found: Vec<&str> = document.text.lines().collect();
        let mut lines = lines.to_vec();
        // The members of an unknown form have no order of their own.
        if *form == Form::Unknown {
            found.sort_unstable();
            lines.sort_unstable();
        }
        assert_eq!(found, lines, "{form:?}");
        assert!(!document.is_cut);
    }
}

#[test]
fn raw_document_has_neither_keys_nor_pictures() {
    let shown = raw(data!("unknown").as_bytes(), true).unwrap().json;
    for secret in ["c2VjcmV0", "MTIzNDU2", "base64"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    for part in [
        r#""key":"…""#,
        r#""iv":"…""#,
        r#""icon":"[picture, 768 bytes]""#,
        "name=a&key=…",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    // A word under the same name is not a key.
    assert_eq!(
        raw(br#"{"key":"theme"}"#, true).unwrap().json,
        r#"{"key":"theme"}"#
    );
    assert_eq!(raw(b"text", true), None);
}

#[test]
fn document_that_is_cut_off_is_read_up_to_there() {
    let whole = data!("post");
    for end in [0, 1, 40, 200, 500, 1_000, whole.len() - 3] {
        let part = whole.as_bytes().get(..end).unwrap();
        match Content::read(None, part, false) {
            Content::Document(document) => assert!(document.is_cut, "{end}"),
            other => assert!(end <= 40, "{end}: {other:?}"),
        }
    }
    let part = whole.as_bytes().get(..900).unwrap();
    let Content::Document(document) = Content::read(None, part, false) else {
        panic!("not a document");
    };
    assert_eq!(document.title.as_deref(), Some("A day with my node"));
    assert_eq!(document.text, "Morning\nThe node minted all night.");
}

#[test]
fn encrypted_content_yields_sender_and_number_of_readers() {
    let mut for_readers = b"qortalGroupEncryptedData".to_vec();
    for_readers.extend([1; 48]);
    for_readers.extend([7; 32]);
    for_readers.extend([9; 80]);
    for_readers.extend([2; 96]);
    for_readers.extend(2_u32.to_le_bytes());
    let sender = Some([7; 32]);
    let mut impossible = for_readers.clone();
    impossible.truncate(for_readers.len() - 4);
    impossible.extend(100_u32.to_le_bytes());

    let mut for_group = b"0000000002002".to_vec();
    for_group.extend([0xE9; 24 + 40]);
    let old = "0000000007c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0";

    let in_base64 = STANDARD.encode(&for_readers);

    let readers = |readers| Content::Encrypted(Encrypted::ForReaders { sender, readers });
    for (bytes, is_complete, expected) in [
        (for_readers.as_slice(), true, readers(Some(2))),
        (in_base64.as_bytes(), true, readers(Some(2))),
        (&for_readers, false, readers(None)),
        (&impossible, true, readers(None)),
        (
            b"qortalEncryptedData\x01\x02",
            true,
            Content::Encrypted(Encrypted::ForOne),
        ),
        (
            &for_group,
            true,
            Content::Encrypted(Encrypted::ForGroup { key: 2 }),
        ),
        (
            old.as_bytes(),
            true,
            Content::Encrypted(Encrypted::ForGroup { key: 7 }),
        ),
        (
            b"0000000002002 bottles of honey, and a long text behind it, in words",
            true,
            Content::Other,
        ),
        (b"0000000002", true, Content::Other),
        (b"D", true, Content::Deleted),
        (b"D", false, Content::Other),
        (b"Good video!", true, Content::Other),
        (b"", true, Content::Other),
    ] {
        assert_eq!(
            Content::read(None, bytes, is_complete),
            expected,
            "{bytes:?}"
        );
    }
}

#[test]
fn size_of_tombstone_deletes_json_of_apps_alone() {
    for (service, identifier, size, expected) in [
        ("DOCUMENT", "grp-3-anc-gone0000", 32, true),
        ("DOCUMENT", "grp-3-anc-gone0000", 64, false),
        (
            "DOCUMENT",
            "MhNiRYdzkaP9dz-kX47dT-XrFXaYetyErMdF-aB3dE5fG6hI7jK8",
            32,
            true,
        ),
        ("DOCUMENT", "qtube_vid_a_b_metadata", 32, true),
        // A comment of up to 15 characters has the same size.
        (
            "BLOG_COMMENT",
            "qc_v1_qtube_q.W~aB3dE5fG6hI7jK8_base_mN9oP0",
            32,
            false,
        ),
        ("DOCUMENT", "my-note", 32, false),
    ] {
        let item = Item::read(service, Some(identifier));
        assert_eq!(
            is_deleted(item.as_ref(), Some(size)),
            expected,
            "{identifier}"
        );
    }
}

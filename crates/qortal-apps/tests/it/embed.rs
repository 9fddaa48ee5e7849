//! Embed links as the apps make them.

use qortal_apps::embed::{Embed, EmbedKind, embeds, without_keys};

#[test]
fn embed_links_name_polls_and_resources() {
    let poll = "qortal://use-embed/POLL?name=Best%20coin&ref=qortal%3A%2F%2FAPP%2FQ-Search";
    let file = "qortal://use-embed/ATTACHMENT?name=Alice%20Test&identifier=grp-q-manager_0_group_3_x&service=FILE_PRIVATE&fileName=my%20notes.pdf&mimeType=application%2Fpdf&encryptionType=private&key=c2VjcmV0";
    let text = format!("vote {poll} or read {file}, both");
    let found: Vec<Embed> = embeds(&text).map(|(_, embed)| embed).collect();
    let [poll, file] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(
        (poll.kind, poll.name.as_str()),
        (EmbedKind::Poll, "Best coin")
    );
    assert_eq!(poll.reference.as_deref(), Some("qortal://APP/Q-Search"));
    assert_eq!(
        (file.kind, file.name.as_str()),
        (EmbedKind::Attachment, "Alice Test")
    );
    assert_eq!(file.service.as_deref(), Some("FILE_PRIVATE"));
    assert_eq!(
        file.identifier.as_deref(),
        Some("grp-q-manager_0_group_3_x")
    );
    assert_eq!(file.file_name.as_deref(), Some("my notes.pdf"));
    assert_eq!(file.mime_type.as_deref(), Some("application/pdf"));
    assert_eq!(file.encryption.as_deref(), Some("private"));
}

#[test]
fn other_links_are_no_embeds() {
    for link in [
        "qortal://APP/Q-Tube",
        "qortal://use-group/action-join/groupid-694",
        "qortal://use-embed/POLL",
        "qortal://use-embed/POLL?name=",
    ] {
        assert_eq!(Embed::read(link), None, "{link}");
    }
}

#[test]
fn shared_keys_are_replaced_in_every_spelling_the_apps_read() {
    for (text, expected) in [
        ("no link", "no link"),
        ("key=a", "key=a"),
        (
            "a qortal://use-embed/IMAGE?key=c2U%3D&name=b qortal://use-embed/IMAGE?name=b&key=c2U= c",
            "a qortal://use-embed/IMAGE?key=…&name=b qortal://use-embed/IMAGE?name=b&key=… c",
        ),
        (
            "qortal://use-embed/IMAGE?name=b&amp;key=c&amp;k%65y=d",
            "qortal://use-embed/IMAGE?name=b&amp;key=…&amp;k%65y=…",
        ),
        (
            "qortal://use-embed/POLL?ref=qortal%3A%2F%2Fuse-embed%2FIMAGE%3Fname%3Db%26key%3Dc2U&name=a",
            "qortal://use-embed/POLL?ref=…&name=a",
        ),
        (
            "qortal://use-embed/IMAGE?monkey=a",
            "qortal://use-embed/IMAGE?monkey=a",
        ),
    ] {
        assert_eq!(without_keys(text), expected);
    }
}

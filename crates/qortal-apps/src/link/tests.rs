//! Links as programs write them and people paste them.

use super::{Form, Link, Page, Subject};
use crate::embed::EmbedKind;

const ADDRESS: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const SIGNATURE: &str =
    "2w91WGQVJxj441CwpGjdCAYUcjbGkjEZnPw7XzR5k7tsKqkLPqd9ZTqtewm2h8htz5gLGYwFFn7ZP7Qer44SU2ut";

/// The parts of a resource's link: service, name, identifier, path.
type Parts = (
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static str,
);

#[test]
fn link_to_resource_yields_its_parts_and_opens_in_the_hub() {
    let rows: &[(&str, Form, Parts, &str)] = &[
        // The first six are the cases of extractComponents (Qortal/Qortal-Hub c93f78a2, MessageDisplay.test.tsx).
        (
            "qortal://blog/alice/my-post",
            Form::Native,
            ("BLOG", "alice", None, "my-post"),
            "qortal://BLOG/alice/my-post",
        ),
        (
            "qortal://alice",
            Form::Name,
            ("WEBSITE", "alice", None, ""),
            "qortal://WEBSITE/alice",
        ),
        (
            "qortal://WEBSITE/bob",
            Form::Native,
            ("WEBSITE", "bob", None, ""),
            "qortal://WEBSITE/bob",
        ),
        (
            "qortal://weBsiTe/CaseUser",
            Form::Native,
            ("WEBSITE", "CaseUser", None, ""),
            "qortal://WEBSITE/CaseUser",
        ),
        (
            "qortal://  alice  ",
            Form::Name,
            ("WEBSITE", "alice", None, ""),
            "qortal://WEBSITE/alice",
        ),
        (
            "qortal://app/Q-Mail",
            Form::Native,
            ("APP", "Q-Mail", None, ""),
            "qortal://APP/Q-Mail",
        ),
        (
            "QORTAL://APP/Q-Tube",
            Form::Native,
            ("APP", "Q-Tube", None, ""),
            "qortal://APP/Q-Tube",
        ),
        (
            "qortal://APP/Q-Tube/video/Alice%20Test/qtube_vid_x",
            Form::Native,
            ("APP", "Q-Tube", None, "video/Alice Test/qtube_vid_x"),
            "qortal://APP/Q-Tube/video/Alice%20Test/qtube_vid_x",
        ),
        (
            "qortal://DOCUMENT/Alice Test?identifier=grp-3-thread-a",
            Form::Native,
            ("DOCUMENT", "Alice Test", Some("grp-3-thread-a"), ""),
            "qortal://DOCUMENT/Alice%20Test?identifier=grp-3-thread-a",
        ),
        (
            "qortal://WEBSITE/alice/blog/a.html?x=1&amp;identifier=old%2Fone",
            Form::Native,
            ("WEBSITE", "alice", Some("old/one"), "blog/a.html"),
            "qortal://WEBSITE/alice/blog/a.html?identifier=old%2Fone",
        ),
        (
            "http://127.0.0.1:12391/render/WEBSITE/alice/index.html?theme=dark&identifier=",
            Form::Node,
            ("WEBSITE", "alice", None, "index.html"),
            "qortal://WEBSITE/alice/index.html",
        ),
        (
            "http://localhost:12391/arbitrary/THUMBNAIL/alice/qortal_avatar?async=true",
            Form::Node,
            ("THUMBNAIL", "alice", Some("qortal_avatar"), ""),
            "qortal://THUMBNAIL/alice?identifier=qortal_avatar",
        ),
        (
            "localhost:12391/arbitrary/resource/status/IMAGE/alice/pic",
            Form::Node,
            ("IMAGE", "alice", Some("pic"), ""),
            "qortal://IMAGE/alice?identifier=pic",
        ),
        (
            "http://node:12391/arbitrary/WEBSITE/alice?filepath=css/a.css",
            Form::Node,
            ("WEBSITE", "alice", None, "css/a.css"),
            "qortal://WEBSITE/alice/css/a.css",
        ),
        (
            "https://qortal.link/APP/Q-Tube/video/x",
            Form::Gateway,
            ("APP", "Q-Tube", None, "video/x"),
            "qortal://APP/Q-Tube/video/x",
        ),
        (
            "qortal.link/APP/Q-Tube",
            Form::Gateway,
            ("APP", "Q-Tube", None, ""),
            "qortal://APP/Q-Tube",
        ),
        (
            "https://qortal.link/alice",
            Form::GatewayName,
            ("WEBSITE", "alice", None, ""),
            "qortal://WEBSITE/alice",
        ),
        (
            "https://my.qdn.example/alice/about.html#top",
            Form::GatewayName,
            ("WEBSITE", "alice", None, "about.html"),
            "qortal://WEBSITE/alice/about.html",
        ),
    ];
    for (text, form, (service, name, identifier, path), link) in rows {
        let Some(Link::Resource(found)) = Link::read(text) else {
            panic!("{text} is not a link to a resource");
        };
        assert_eq!(found.form, *form, "{text}");
        assert_eq!(found.service, *service, "{text}");
        assert_eq!(found.name, *name, "{text}");
        assert_eq!(found.identifier.as_deref(), *identifier, "{text}");
        assert_eq!(found.path.join("/"), *path, "{text}");
        assert_eq!(found.to_string(), *link, "{text}");
        // The form that is written is read back as the same.
        let Some(Link::Resource(again)) = Link::read(link) else {
            panic!("{link} is not a link to a resource");
        };
        assert_eq!(
            (again.path, again.identifier),
            (found.path, found.identifier)
        );
    }
}

#[test]
fn link_to_page_yields_its_subject() {
    let page = |subject, value: &str| {
        let value = value.to_owned();
        Some(Link::Page(Page { subject, value }))
    };
    let rows = [
        (
            format!("https://explorer.example/address/{ADDRESS}"),
            page(Subject::Address, ADDRESS),
        ),
        (
            format!("https://explorer.example/#/address/{ADDRESS}"),
            page(Subject::Address, ADDRESS),
        ),
        (
            format!("explorer.example/index.html?address={ADDRESS}"),
            page(Subject::Address, ADDRESS),
        ),
        (
            format!("http://node:12391/addresses/balance/{ADDRESS}?assetId=0"),
            page(Subject::Address, ADDRESS),
        ),
        (
            format!("https://explorer.example/wallets/view/{ADDRESS}"),
            page(Subject::Address, ADDRESS),
        ),
        (
            "https://explorer.example/block/2611200".to_owned(),
            page(Subject::Block, "2611200"),
        ),
        (
            format!("https://explorer.example/tx/{SIGNATURE}"),
            page(Subject::Transaction, SIGNATURE),
        ),
        (
            "http://node:12391/names/Alice%20Test".to_owned(),
            page(Subject::Name, "Alice Test"),
        ),
        (
            "https://explorer.example/group/694".to_owned(),
            page(Subject::Group, "694"),
        ),
        (
            "qortal://use-group/action-join/groupid-694".to_owned(),
            Some(Link::JoinGroup(694)),
        ),
    ];
    for (text, link) in rows {
        assert_eq!(Link::read(&text), link, "{text}");
    }
}

#[test]
fn link_to_card_is_read_in_any_case_of_its_scheme() {
    for (text, kind, name) in [
        (
            "qortal://use-embed/POLL?name=Best%20coin",
            EmbedKind::Poll,
            "Best coin",
        ),
        (
            "QORTAL://use-embed/image?name=a&amp;key=b",
            EmbedKind::Image,
            "a",
        ),
    ] {
        let Some(Link::Embed(embed)) = Link::read(text) else {
            panic!("{text} is not a card");
        };
        assert_eq!((embed.kind, embed.name.as_str()), (kind, name));
    }
}

#[test]
fn text_that_is_no_link_is_none() {
    for text in [
        "",
        "qortal://",
        "qortal:////",
        "qortal://use-tool",
        "qortal://use-group/action-join/groupid-x",
        "qortal://use-embed/IMAGE",
        "https://",
        "https://example.com",
        "https://example.com/a/b",
        "alice",
        "Alice Test",
        "468/2sNaWjar",
        "1.5/2",
        "0.00300000",
    ] {
        assert_eq!(Link::read(text), None, "{text}");
    }
}

#[test]
fn link_in_sentence_ends_where_programs_end_it() {
    for (text, link) in [
        ("look at qortal://APP/Q-Tube, please", "qortal://APP/Q-Tube"),
        ("(qortal://APP/Q-Tube).", "qortal://APP/Q-Tube"),
        (
            "<p>https://qortal.link/APP/Q-Tube</p>",
            "qortal://APP/Q-Tube",
        ),
    ] {
        let found = Link::find(text).map(|link| match link {
            Link::Resource(link) => link.to_string(),
            other => format!("{other:?}"),
        });
        assert_eq!(found.as_deref(), Some(link), "{text}");
    }
}

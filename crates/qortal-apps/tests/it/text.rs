//! Documents of the apps' editors as plain text.

use qortal_apps::text::{RichText, has_tags, html, links, slate, tiptap};
use serde_json::{Value, json};

fn check_html(rows: &[(&str, &str)]) {
    for (source, expected) in rows {
        assert_eq!(html(source).text, *expected, "{source}");
    }
}

fn check_json(read: fn(&Value) -> Option<RichText>, rows: &[(Value, &str)]) {
    for (document, expected) in rows {
        let text = read(document).map(|it| it.text);
        assert_eq!(text.as_deref(), Some(*expected), "{document}");
    }
}

#[test]
fn html_of_the_editors_becomes_lines_of_text() {
    check_html(&[
        ("<p></p>", ""),
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("<p>one</p><p></p><p>two</p>", "one\n\ntwo"),
        (
            "<p>one</p>\n  <p></p><p></p><p></p>\n<p>two</p>",
            "one\n\ntwo",
        ),
        (
            "<p>Meeting on <strong>Friday</strong></p>",
            "Meeting on Friday",
        ),
        ("<p>a<br>b<br/>c</p>", "a\nb\nc"),
        ("<h2>Title</h2><p>text</p>", "Title\ntext"),
        (
            "<ul><li><p>one</p></li><li><p>two</p></li></ul>",
            "- one\n- two",
        ),
        ("<ol start=\"3\"><li>c<li>d</ol>after", "3. c\n4. d\nafter"),
        (
            "<ul><li><p>a</p><ul><li><p>b</p></li></ul></li><li><p>c</p></li></ul>",
            "- a\n  - b\n- c",
        ),
        ("<ul><li></li><li>x</li></ul>", "-\n- x"),
        (
            "<blockquote><p>one</p><p>two</p></blockquote>",
            "> one\n> two",
        ),
        ("<p>a</p><hr><p>b</p>", "a\n---\nb"),
        (
            "<pre><code>let x = 1;\n  let y;</code></pre><p>z</p>",
            "let x = 1;\n  let y;\nz",
        ),
        ("<p>  a \n b&nbsp; c </p>", "a b\u{a0} c"),
        (
            "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>",
            "a b\nc",
        ),
        (
            "a &lt; b &amp;&amp; c &#128077; &notanentity;",
            "a < b && c 👍 ¬anentity;",
        ),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("no tags", "no tags"),
    ]);
}

#[test]
fn html_links_show_their_address_where_it_differs() {
    check_html(&[
        (
            r#"<a href="https://a.example">here</a>"#,
            "here (https://a.example)",
        ),
        (r#"<a href="https://a.example/">a.example</a>"#, "a.example"),
        (r#"<a href="https://a.example"></a>"#, "https://a.example"),
        (r##"<a href="#top">up</a>"##, "up"),
        ("<a>nothing</a>", "nothing"),
    ]);
    let found = html(r#"<p><a href="qortal://APP/Q-Tube">Q-Tube</a></p>"#);
    assert_eq!(found.links, ["qortal://APP/Q-Tube"]);
}

#[test]
fn html_mentions_name_the_account() {
    let source = r#"<p>hi <span data-type="mention" class="mention" data-id="Alice Test" data-label="Alice Test">@Alice Test</span></p>"#;
    let found = html(source);
    assert_eq!(found.text, "hi @Alice Test");
    assert_eq!(found.mentions, ["Alice Test"]);
}

#[test]
fn html_pictures_are_named_by_description_and_size() {
    let data = "UklG".repeat(512);
    let source = format!(r#"<p>a <img src="data:image/webp;base64,{data}" alt="my board"> b</p>"#);
    let found = html(&source);
    assert_eq!(found.text, "a [picture: my board, 2 KB] b");
    assert_eq!(found.pictures, 1);
    assert_eq!(html(r#"<img src="x.png">"#).text, "[picture]");
}

#[test]
fn html_hides_what_a_browser_hides() {
    check_html(&[
        ("<script>alert('<p>x</p>')</script>a", "a"),
        ("<style>p { color: red }</style>a<!-- b -->c", "ac"),
        ("<svg><text>x</text></svg>a", "a"),
        ("a<script>never closed", "a"),
        ("<p>a</b></li></ul></blockquote>b</p>", "ab"),
    ]);
}

#[test]
fn has_tags_follows_the_test_of_the_hub() {
    for (text, expected) in [
        ("<p></p>", true),
        ("a <b> c", true),
        ("1 < 2, 3 > 2", true),
        ("<>", false),
        ("a > b < c", false),
        ("plain", false),
    ] {
        assert_eq!(has_tags(text), expected, "{text}");
    }
}

#[test]
fn tiptap_documents_become_lines_of_text() {
    let paragraph = |content: Value| json!({"type": "paragraph", "content": content});
    let document = |content: Value| json!({"type": "doc", "content": content});
    let text = |text: &str| json!({"type": "text", "text": text});
    let item = |content: Value| json!({"type": "listItem", "content": content});
    check_json(
        tiptap,
        &[
            (json!({"type": "doc"}), ""),
            (
                document(json!([paragraph(json!([text("I sell at 0.003")]))])),
                "I sell at 0.003",
            ),
            (
                document(json!([
                    paragraph(json!([text("a")])),
                    {"type": "paragraph"},
                    paragraph(json!([text("b"), {"type": "hardBreak"}, text("c")])),
                ])),
                "a\n\nb\nc",
            ),
            (
                document(json!([
                    {"type": "bulletList", "content": [
                        item(json!([paragraph(json!([text("one")]))])),
                        item(json!([
                            paragraph(json!([text("two")])),
                            {"type": "orderedList", "attrs": {"start": 9}, "content": [
                                item(json!([paragraph(json!([text("nine")]))])),
                                item(json!([
                                    paragraph(json!([text("ten")])),
                                    paragraph(json!([text("more")])),
                                ])),
                            ]},
                        ])),
                    ]},
                    {"type": "codeBlock", "attrs": {"language": null}, "content": [text("let x = 1;\n  y")]},
                ])),
                "- one\n- two\n  9. nine\n  10. ten\n      more\nlet x = 1;\n  y",
            ),
            (
                document(json!([
                    {"type": "blockquote", "content": [paragraph(json!([text("said")]))]},
                    {"type": "horizontalRule"},
                    {"type": "heading", "attrs": {"level": 1}, "content": [text("Title")]},
                ])),
                "> said\n---\nTitle",
            ),
            (
                document(json!([paragraph(json!([
                    {"type": "text", "marks": [{"type": "bold"}], "text": "a "},
                    {"type": "text", "marks": [{"type": "link", "attrs": {"href": "https://a.example"}}], "text": "link"},
                ]))])),
                "a link (https://a.example)",
            ),
            (
                document(
                    json!([{"type": "ofLater", "content": [paragraph(json!([text("kept")]))]}]),
                ),
                "kept",
            ),
        ],
    );
    assert_eq!(tiptap(&json!({"type": "paragraph"})), None);
    assert_eq!(tiptap(&json!("<p>a</p>")), None);
}

#[test]
fn tiptap_mentions_show_the_label_or_the_id() {
    let mention = |attrs: Value| json!({"type": "mention", "attrs": attrs});
    let document = json!({"type": "doc", "content": [{"type": "paragraph", "content": [
        {"type": "text", "text": "I take it, "},
        mention(json!({"id": "a", "label": "Alice Test"})),
        mention(json!({"id": "Bob Test", "label": null})),
        mention(json!({"id": "a", "label": "Alice Test"})),
    ]}]});
    let found = tiptap(&document).unwrap();
    assert_eq!(found.text, "I take it, @Alice Test@Bob Test@Alice Test");
    assert_eq!(found.mentions, ["Alice Test", "Bob Test"]);
}

#[test]
fn slate_documents_become_lines_of_text() {
    check_json(
        slate,
        &[
            (
                json!([
                    {"type": "heading-2", "children": [{"text": "Morning"}]},
                    {"type": "paragraph", "children": [
                        {"text": "The node "}, {"text": "minted", "bold": true}, {"text": " all night."},
                    ]},
                ]),
                "Morning\nThe node minted all night.",
            ),
            (
                json!([
                    {"type": "block-quote", "children": [{"text": "said"}]},
                    {"type": "code-block", "children": [
                        {"type": "code-line", "children": [{"text": "let x;"}]},
                        {"type": "code-line", "children": [{"text": "  y"}]},
                    ]},
                    {"type": "paragraph", "children": [
                        {"text": "see "},
                        {"type": "link", "url": "https://a.example", "children": [{"text": "this"}]},
                    ]},
                    {"type": "numbered-list", "children": [
                        {"type": "list-item", "children": [{"text": "a"}]},
                        {"type": "list-item", "children": [{"text": "b"}]},
                    ]},
                ]),
                "> said\nlet x;\n  y\nsee this (https://a.example)\n1. a\n2. b",
            ),
        ],
    );
    for other in [json!([]), json!(["a"]), json!([{"a": 1}]), json!({})] {
        assert_eq!(slate(&other), None, "{other}");
    }
}

#[test]
fn documents_nested_too_deeply_are_cut() {
    let mut tiptap_document = json!({"type": "text", "text": "deep"});
    let mut slate_document = json!({"text": "deep"});
    for _ in 0..200 {
        tiptap_document = json!({"type": "blockquote", "content": [tiptap_document]});
        slate_document = json!({"type": "block-quote", "children": [slate_document]});
    }
    let found = tiptap(&json!({"type": "doc", "content": [tiptap_document]})).unwrap();
    assert_eq!((found.text.as_str(), found.is_cut), ("", true));
    let found = slate(&json!([slate_document])).unwrap();
    assert_eq!((found.text.as_str(), found.is_cut), ("", true));
    let found = html(&"<blockquote>deep".repeat(2_000));
    assert!(found.text.starts_with("> deep\n> > deep\n"));
    assert!(found.text.len() < 60_000, "{}", found.text.len());
    let list = format!(
        "{}<pre>{}",
        "<ol start=99999><li>".repeat(8),
        "a\n".repeat(100_000)
    );
    let found = html(&list);
    assert!(found.is_cut);
    assert!(found.text.len() < 1_100_000, "{}", found.text.len());
}

#[test]
fn links_are_found_where_the_hub_makes_them_clickable() {
    let text =
        "see https://a.example/x, qortal://APP/Q-Tube and www.b.example<br> nothttps://c xwww.d";
    let found: Vec<_> = links(text).filter_map(|it| text.get(it)).collect();
    let expected = [
        "https://a.example/x,",
        "qortal://APP/Q-Tube",
        "www.b.example",
    ];
    assert_eq!(found, expected);
}

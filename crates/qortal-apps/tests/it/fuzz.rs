//! Readers on arbitrary input: any input gives a value or an unknown form, without a panic and in bounded work.
//!
//! Inputs are real forms that are mutated at random, from a seed. A failure names the seed of its input.

use std::panic::{self, AssertUnwindSafe};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_apps::{
    chat::{self, Content, Conversation, Sent},
    ciphertext::Ciphertext,
    embed,
    identifier::Item,
    link::Link,
    marker::{self, Description},
    qdn,
    rating::{Rated, Ratings, initial_value},
    text,
};
use serde_json::Value;

use crate::chat::DATA;

/// Inputs that each reader gets.
const ROUNDS: u64 = 4_000;
/// The most bytes of output for each byte of input: the indentation of a line with one character.
const GROWTH: usize = 256;

/// A reader, which returns the size of its output in bytes.
type Reader = (&'static str, fn(&[u8]) -> usize);

/// All readers of the crate.
const READERS: &[Reader] = &[
    ("chat::Content::read", |data| size(&Content::read(data))),
    ("chat::without_keys", |data| {
        chat::without_keys(data).map_or(0, |it| it.len())
    }),
    ("chat::Conversation", conversation),
    ("ciphertext::Ciphertext", |data| {
        let found = [Ciphertext::read(data), Ciphertext::in_message(data)];
        found.iter().flatten().count()
    }),
    ("embed", |data| {
        let text = String::from_utf8_lossy(data);
        let found = embed::embeds(&text).map(|(place, _)| place.len());
        embed::without_keys(&text).len().max(found.sum())
    }),
    ("identifier::Item", |data| {
        let text = String::from_utf8_lossy(data);
        let services = ["DOCUMENT", "BLOG_COMMENT", "MAIL_PRIVATE", "STORE", "IMAGE"];
        let items = services.iter().filter_map(|it| Item::read(it, Some(&text)));
        items.map(|it| it.to_string().len()).max().unwrap_or(0)
    }),
    ("link::Link", |data| {
        let text = String::from_utf8_lossy(data);
        let links = [Link::read(&text), Link::find(&text)].into_iter().flatten();
        let shown = links.map(|it| match it {
            Link::Resource(link) => link.with_identifier_in_path().to_string().len(),
            _ => 0,
        });
        shown.max().unwrap_or(0)
    }),
    ("marker", |data| {
        let text = String::from_utf8_lossy(data);
        let description = Description::read(&text);
        let _ = (
            description.field("category"),
            marker::is_technical_tag(&text),
        );
        description.text.len()
    }),
    ("qdn::Content::read", |data| {
        let items = [None, Item::read("BLOG_POST", Some("q-blog-a-post-b-c"))];
        let read = |item: &Option<Item>| {
            let found = [true, false].map(|it| qdn::Content::read(item.as_ref(), data, it));
            let sizes = found.map(|it| match it {
                qdn::Content::Document(document) => document.text.len(),
                _ => 0,
            });
            sizes.into_iter().max().unwrap_or(0)
        };
        items.iter().map(read).max().unwrap_or(0)
    }),
    ("qdn::raw", |data| {
        let found = [true, false].map(|it| qdn::raw(data, it).map_or(0, |it| it.json.len()));
        found.into_iter().max().unwrap_or(0)
    }),
    ("rating", |data| {
        let text = String::from_utf8_lossy(data);
        let options = text.split(',').map(|it| (it, u64::MAX / 2));
        let ratings = Ratings::of_votes(options);
        let _ = (
            ratings.average_hundredths(),
            ratings.total(),
            initial_value(&text),
        );
        Rated::of_poll(&text).map_or(0, |it| it.name.len())
    }),
    ("text::html", |data| {
        text::html(&String::from_utf8_lossy(data)).text.len()
    }),
    ("text::links", |data| {
        let text = String::from_utf8_lossy(data);
        text::links(&text).map(|it| it.len()).sum()
    }),
    ("text::tiptap", |data| of_json(data, text::tiptap)),
    ("text::slate", |data| of_json(data, text::slate)),
];

fn of_json(data: &[u8], read: fn(&Value) -> Option<text::RichText>) -> usize {
    let document = serde_json::from_slice(data).ok();
    document
        .and_then(|it| read(&it))
        .map_or(0, |it| it.text.len())
}

fn size(content: &Content) -> usize {
    match content {
        Content::Message(message) => message.text.text.len(),
        Content::Unknown(text) => text.len(),
        _ => 0,
    }
}

/// Reads each line as a transaction that refers to the one before, the first to the last one.
fn conversation(data: &[u8]) -> usize {
    let lines: Vec<&[u8]> = data.split(|it| *it == b'\n').take(50).collect();
    let sent = |(place, line): (usize, &&[u8])| Sent {
        signature: place.to_string(),
        reference: None,
        chat_reference: (place % 3 != 0).then(|| (place.wrapping_sub(1) % lines.len()).to_string()),
        sender: (place % 2).to_string(),
        timestamp: 0,
        content: Content::read(line),
    };
    let conversation = Conversation::new(lines.iter().enumerate().map(sent).collect());
    let places = 0..lines.len();
    let current = places.filter_map(|it| {
        let _ = conversation.change(it);
        conversation.current(it).map(|it| size(it.content))
    });
    current.max().unwrap_or_default()
}

/// Numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end.max(1)).unwrap();
        usize::try_from(self.next() % end).unwrap()
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Parts of the forms, which mutation inserts.
const PARTS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "null",
    "true",
    "1e999",
    "-0",
    "\\u0000",
    "\\ud800",
    "\0",
    "\u{202E}",
    "👨‍👩‍👧‍👦",
    "<p>",
    "</p>",
    "<ol start=18446744073709551615><li>",
    "<blockquote>",
    "<pre>",
    "\n",
    "<script>",
    "<a href=\"",
    "&amp;",
    "&#x110000;",
    "<img src=\"data:image/png;base64,",
    "<!--",
    "qortal://use-embed/IMAGE?name=a&key=b",
    "qortal://use-embed/",
    "%FF%",
    "&key=",
    "\"type\":\"reaction\"",
    "\"messageText\":",
    "\"reactions\":[",
    "\"content\":[",
    "\"children\":[",
    "0000000001",
    "NDAwMQ==",
    "**category:1;sub:2**",
    "qortalGroupEncryptedData",
];

/// Documents of the apps, which name their sources.
const DOCUMENTS: &[&str] = &[
    include_str!("../data/qdn/announcement.json"),
    include_str!("../data/qdn/blog.json"),
    include_str!("../data/qdn/card.json"),
    include_str!("../data/qdn/crowdfund.json"),
    include_str!("../data/qdn/datacontainer.json"),
    include_str!("../data/qdn/issue.json"),
    include_str!("../data/qdn/like.json"),
    include_str!("../data/qdn/mail.json"),
    include_str!("../data/qdn/playlist.json"),
    include_str!("../data/qdn/post.json"),
    include_str!("../data/qdn/product.json"),
    include_str!("../data/qdn/quitter.json"),
    include_str!("../data/qdn/share.json"),
    include_str!("../data/qdn/store.json"),
    include_str!("../data/qdn/superlike.json"),
    include_str!("../data/qdn/thread.json"),
    include_str!("../data/qdn/threadpost.json"),
    include_str!("../data/qdn/unknown.json"),
    include_str!("../data/qdn/video.json"),
];

/// Identifiers, links, descriptions, polls and options as the apps write them.
const WORDS: &[&str] = &[
    "qtube_vid_minting-explained_aB3dE5_metadata",
    "thmsg-grp-3-thread-aB3dE5fG-hI7jK8lM",
    "_mail_qortal_qmail_Bob Test_Yhr6aY_mail_aB3dE5",
    "MhNiRYdzkaP9dz-kX47dT-XrFXaYetyErMdF-aB3dE5fG6hI7jK8",
    "qortal://APP/Q-Tube/video/Alice%20Test/qtube_vid_x?identifier=a",
    "https://node.example:12391/render/APP/Q-Tube/video?theme=dark",
    "qortal://use-group/action-join/groupid-694",
    "**category:4;subcategory:401;code:aB3dE**How to begin. Step by step.",
    "app-library-APP-rating-Q-Tube",
    "1,2,3,4,5,initialValue-4",
];

fn samples() -> Vec<Vec<u8>> {
    let data: Value = serde_json::from_str(DATA).unwrap();
    let rows = data["messages"].as_array().unwrap().iter();
    let mut samples: Vec<Vec<u8>> = rows
        .clone()
        .map(|row| match (&row["envelope"], &row["text"]) {
            (Value::Null, Value::String(text)) => text.as_bytes().to_vec(),
            (Value::Null, _) => vec![0xFF, 0],
            (envelope, _) => envelope.to_string().into_bytes(),
        })
        .collect();
    samples.extend(rows.map(|row| row["envelope"]["messageText"].to_string().into_bytes()));
    let other = [
        "<h2>T</h2><ul><li><p>a <strong>b</strong></p></li></ul><p>c<br><a href=\"https://a.example\">d</a></p>",
        r#"[{"type":"heading-2","children":[{"text":"a"}]},{"type":"numbered-list","children":[{"type":"list-item","children":[{"text":"b"}]}]}]"#,
        DATA,
    ];
    let texts = other.iter().chain(DOCUMENTS).chain(WORDS);
    samples.extend(texts.map(|it| it.as_bytes().to_vec()));
    samples
}

/// Makes an input from a sample.
fn mutated(random: &mut Random, samples: &[Vec<u8>]) -> Vec<u8> {
    let mut input = random.of(samples).clone();
    for _ in 0..random.below(8) {
        let place = random.below(input.len() + 1);
        match random.below(7) {
            0 => input.truncate(place),
            1 => {
                let end = (place + random.below(40)).min(input.len());
                input.drain(place..end);
            }
            2 => {
                let part = random.of(PARTS).repeat(1 + random.below(4));
                input.splice(place..place, part.bytes());
            }
            3 => {
                let part = random.of(PARTS).repeat(random.below(300));
                input.splice(place..place, part.bytes());
            }
            4 if !input.is_empty() => {
                let place = place.min(input.len() - 1);
                input[place] ^= 1 << random.below(8);
            }
            5 => {
                let end = (place + random.below(200)).min(input.len());
                let part = input[place..end].to_vec();
                let target = random.below(input.len() + 1);
                input.splice(target..target, part);
            }
            _ => input = STANDARD.encode(&input).into_bytes(),
        }
    }
    input.truncate(100_000);
    input
}

fn check(name: &str, read: fn(&[u8]) -> usize, input: &[u8], source: &str) {
    let read = panic::catch_unwind(AssertUnwindSafe(|| read(input)));
    let Ok(size) = read else {
        panic!("{name} panics on {source}");
    };
    let most = input.len().saturating_mul(GROWTH) + GROWTH;
    assert!(
        size <= most,
        "{name} makes {size} bytes of {} on {source}",
        input.len()
    );
}

#[test]
fn readers_accept_any_input() {
    let samples = samples();
    for (name, read) in READERS {
        for seed in 0..ROUNDS {
            let input = mutated(&mut Random(seed), &samples);
            check(name, *read, &input, &format!("seed {seed}"));
        }
    }
}

#[test]
fn readers_accept_what_is_nested_or_repeated_without_end() {
    for part in PARTS
        .iter()
        .chain(&["<a href=b>", "{\"content\":[", "[{\"children\":", "{\"a\":"])
    {
        let input = part.repeat(50_000 / part.len());
        for (name, read) in READERS {
            check(name, *read, input.as_bytes(), part);
        }
    }
}

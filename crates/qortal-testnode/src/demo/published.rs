//! The list of what is published in the demo, with its content.

use super::picture::{Paint, SQUARE, Size, WIDE, garden, harbor, hills, otter, png, rings, robot};

/// What the node has of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Ready,
    Downloaded,
    Published,
    Downloading,
    Missing,
    Blocked,
}

/// What is in a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    Text(&'static str),
    Picture(Size, Paint),
}

#[derive(Debug)]
pub(super) struct Resource {
    pub(super) service: &'static str,
    pub(super) name: &'static str,
    /// Empty for the default resource of a name.
    pub(super) identifier: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) tags: &'static [&'static str],
    /// Its key and name.
    pub(super) category: (&'static str, &'static str),
    pub(super) days: i64,
    pub(super) state: State,
    pub(super) files: &'static [(&'static str, Content)],
}

impl Content {
    pub(super) fn bytes(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.as_bytes().to_vec(),
            Self::Picture(size, paint) => png(size, paint),
        }
    }
}

impl Resource {
    /// Whether its data is in the transaction itself.
    pub(super) fn is_on_chain(&self) -> bool {
        self.service == "CHAIN_COMMENT" || ["settings-v1", "doc1"].contains(&self.identifier)
    }

    const fn of(service: &'static str, name: &'static str, identifier: &'static str) -> Self {
        Self {
            service,
            name,
            identifier,
            title: "",
            description: "",
            tags: &[],
            category: NONE,
            days: 100,
            state: State::Ready,
            files: &[],
        }
    }

    const fn titled(mut self, title: &'static str, description: &'static str) -> Self {
        self.title = title;
        self.description = description;
        self
    }

    const fn in_category(
        mut self,
        category: (&'static str, &'static str),
        tags: &'static [&'static str],
    ) -> Self {
        self.category = category;
        self.tags = tags;
        self
    }

    const fn days(mut self, days: i64) -> Self {
        self.days = days;
        self
    }

    const fn state(mut self, state: State) -> Self {
        self.state = state;
        self
    }

    const fn files(mut self, files: &'static [(&'static str, Content)]) -> Self {
        self.files = files;
        self
    }
}

const NONE: (&str, &str) = ("UNCATEGORIZED", "Uncategorized");
const SOFTWARE: (&str, &str) = ("SOFTWARE", "Software");
const MUSIC: (&str, &str) = ("MUSIC", "Music");
const FINANCE: (&str, &str) = ("FINANCE", "Finance");
const NEWS: (&str, &str) = ("NEWS", "News");
const ART: (&str, &str) = ("ART", "Art and Design");
const PHOTOGRAPHY: (&str, &str) = ("PHOTOGRAPHY", "Photography");
const VIDEO: (&str, &str) = ("VIDEO", "Video");
const GAMING: (&str, &str) = ("GAMING", "Gaming");
const CRYPTO: (&str, &str) = ("CRYPTOCURRENCY", "Cryptocurrency and Blockchain");
const CHAT: (&str, &str) = ("COMMUNICATIONS", "Communications");

/// A page that says what it is.
const PAGE: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>An invented page</title>\
     <link rel=\"stylesheet\" href=\"style.css\"></head>\n<body><h1>Welcome</h1><p>This page belongs to the demo of a simulated node. \
     Nothing on it is real.</p></body>\n</html>\n";
const STYLE: &str = "body { font-family: sans-serif; max-width: 40em; margin: 2em auto; }\n";
const SCRIPT: &str = "document.title = \"An invented app\";\n";
const APP: &[(&str, Content)] = &[
    ("index.html", Content::Text(PAGE)),
    ("app.js", Content::Text(SCRIPT)),
    ("icon.png", Content::Picture(SQUARE, rings)),
];
const SITE: &[(&str, Content)] = &[
    ("index.html", Content::Text(PAGE)),
    ("style.css", Content::Text(STYLE)),
    ("img/logo.png", Content::Picture(SQUARE, otter)),
];
const REPORT: &str = "Annual report of an invented club\n\nMembers: 31 (last year 27)\nMeetings: 52, one of them on a boat\nTea: 118 pots\n\n\
     Income\n  Fees            310 QORT\n  Cake sale        95 QORT\n\nSpending\n  Teapot           60 QORT\n  Tea             140 QORT\n\n\
     What is left, 205 QORT, goes into a second teapot.\n";
const GUIDE: &str = "# Buying QORT for Litecoin\n\n1. Look at the order book. Take an offer whose seller is online.\n2. Keep your node running until \
     the trade is complete.\n3. If nothing happens, the coins come back to both sides by themselves.\n";
const LETTER: &str = "# News from the harbor\n\nThe lighthouse keeper does not exist, and neither does the harbor. Still, the lamp was on all night.\n";
const RULES: &str = "Rules of open-lounge\n\n1. Be kind.\n2. Never ask anyone for keys.\n3. Advertise nothing.\n4. Otters are welcome.\n";

pub(super) static PUBLISHED: [Resource; 36] = [
    Resource::of("APP", "q-demo", "")
        .titled("Q-Demo", "A demonstration app")
        .in_category(SOFTWARE, &["demo"])
        .days(95)
        .files(APP),
    Resource::of("APP", "harbor-radio", "")
        .titled("Harbor Radio", "Rain and foghorns around the clock")
        .in_category(MUSIC, &["radio", "rain"])
        .days(72)
        .files(APP),
    Resource::of("APP", "paper-boats", "")
        .titled("Paper Boats", "Folds boats, one step at a time")
        .in_category(ART, &["paper"])
        .days(68)
        .files(APP),
    Resource::of("APP", "moss-garden", "")
        .titled("Moss Garden", "A garden that grows while you wait")
        .in_category(GAMING, &["garden", "slow"])
        .days(60)
        .files(APP),
    Resource::of("APP", "tin-robot", "")
        .titled("Tin Robot", "It dances now")
        .in_category(GAMING, &["robot"])
        .days(1)
        .files(&[
            ("index.html", Content::Text(PAGE)),
            ("robot.png", Content::Picture(SQUARE, robot)),
        ]),
    Resource::of("APP", "cloud-map", "")
        .titled("Cloud Map", "Where the clouds are, roughly")
        .in_category(SOFTWARE, &["map"])
        .days(34)
        .state(State::Downloaded)
        .files(APP),
    Resource::of("APP", "night-train", "")
        .titled("Night Train", "A timetable of trains that never leave")
        .in_category(SOFTWARE, &[])
        .days(3)
        .state(State::Downloading),
    Resource::of("WEBSITE", "victor", "")
        .titled("Victor's pages", "Apps, a report and some stories")
        .in_category(SOFTWARE, &["apps"])
        .days(88)
        .files(SITE),
    Resource::of("WEBSITE", "rita-trades", "")
        .titled("Rita trades", "How the trade portal works, in plain words")
        .in_category(CRYPTO, &["trade", "guide"])
        .days(52)
        .files(SITE),
    Resource::of("WEBSITE", "trent", "")
        .titled("The open lounge", "When we meet and what the rules are")
        .in_category(CHAT, &["lounge"])
        .days(47)
        .files(SITE),
    Resource::of("WEBSITE", "paper-boats", "")
        .titled("Paper Boats", "Patterns to print")
        .in_category(ART, &["paper"])
        .days(20)
        .state(State::Downloaded)
        .files(SITE),
    Resource::of("WEBSITE", "long-story", "")
        .titled("A long story", "In installments")
        .in_category(ART, &["story"])
        .days(2)
        .state(State::Published),
    Resource::of("DOCUMENT", "victor", "report-2026")
        .titled("Annual report", "Figures of the year")
        .in_category(FINANCE, &["finance", "report"])
        .days(41)
        .files(&[("report.txt", Content::Text(REPORT))]),
    Resource::of("DOCUMENT", "victor", "doc1")
        .titled("Weather station", "How to build one from cups")
        .in_category(SOFTWARE, &["weather"])
        .days(39)
        .state(State::Downloaded)
        .files(&[(
            "data",
            Content::Text("Take four cups and a stick. Put the stick into the wind.\n"),
        )]),
    Resource::of("DOCUMENT", "rita-trades", "guide")
        .titled("Buying QORT for Litecoin", "A guide in three steps")
        .in_category(CRYPTO, &["ltc", "guide"])
        .days(30)
        .files(&[("guide.md", Content::Text(GUIDE))]),
    Resource::of("DOCUMENT", "trent", "rules")
        .titled("Rules of open-lounge", "Four of them")
        .in_category(CHAT, &[])
        .days(28)
        .files(&[("rules.txt", Content::Text(RULES))]),
    Resource::of("DOCUMENT", "日本語の名前", "memo")
        .titled("メモ", "A note with another script")
        .days(26)
        .state(State::Downloaded)
        .files(&[("memo.txt", Content::Text("メモ\n"))]),
    Resource::of("BLOG_POST", "rita-trades", "post-1")
        .titled("A quiet week", "Prices hardly moved, and that is fine")
        .in_category(NEWS, &["prices"])
        .days(16)
        .files(&[("post.md", Content::Text(LETTER))]),
    Resource::of("BLOG_POST", "rita-trades", "post-2")
        .titled(
            "Who is online",
            "Why the cheapest offer may not be for sale",
        )
        .in_category(CRYPTO, &["ltc", "trade"])
        .days(9)
        .state(State::Downloaded)
        .files(&[("post.md", Content::Text(GUIDE))]),
    Resource::of("BLOG_POST", "harbor-radio", "letter-7")
        .titled("News from the harbor", "Letter seven")
        .in_category(NEWS, &["letter"])
        .days(4)
        .files(&[("letter.md", Content::Text(LETTER))]),
    Resource::of("BLOG_POST", "moss-garden", "spring")
        .titled("Spring", "It is green")
        .in_category(NEWS, &[])
        .days(1)
        .files(&[("post.md", Content::Text("# Spring\n\nIt is green.\n"))]),
    Resource::of("IMAGE", "Alice Test", "photo-1")
        .titled("Harbor", "A harbor in the evening")
        .in_category(PHOTOGRAPHY, &["sea"])
        .days(14)
        .files(&[("harbor.png", Content::Picture(WIDE, harbor))]),
    Resource::of("IMAGE", "Alice Test", "photo-2")
        .titled("Hills", "Hills by moonlight")
        .in_category(PHOTOGRAPHY, &["night"])
        .days(11)
        .files(&[("hills.png", Content::Picture(WIDE, hills))]),
    Resource::of("IMAGE", "moss-garden", "from-above")
        .titled("The garden from above", "With the path")
        .in_category(PHOTOGRAPHY, &["garden"])
        .days(6)
        .files(&[("garden.png", Content::Picture(WIDE, garden))]),
    Resource::of("THUMBNAIL", "Alice Test", "qortal_avatar")
        .days(200)
        .files(&[("avatar.png", Content::Picture(SQUARE, otter))]),
    Resource::of("THUMBNAIL", "victor", "qortal_avatar")
        .days(190)
        .files(&[("avatar.png", Content::Picture(SQUARE, robot))]),
    Resource::of("THUMBNAIL", "rita-trades", "qortal_avatar")
        .days(180)
        .files(&[("avatar.png", Content::Picture(SQUARE, rings))]),
    Resource::of("VIDEO", "rita-trades", "clip")
        .titled("A trade in one minute", "A video whose pieces are lost")
        .in_category(VIDEO, &["trade"])
        .days(44)
        .state(State::Missing),
    Resource::of("VIDEO", "harbor-radio", "foghorn")
        .titled("Foghorn", "Ten hours")
        .in_category(VIDEO, &[])
        .days(8)
        .state(State::Downloading),
    Resource::of("JSON", "victor", "idx-demo")
        .titled("Index", "")
        .days(24)
        .files(&[(
            "index.json",
            Content::Text("{\"weather station\":\"doc1\",\"annual report\":\"report-2026\"}\n"),
        )]),
    Resource::of("JSON", "victor", "settings-v1")
        .days(22)
        .state(State::Downloaded)
        .files(&[("data", Content::Text("{\"theme\":\"dark\"}"))]),
    Resource::of("CHAIN_COMMENT", "Alice Test", "comment-1")
        .days(18)
        .state(State::Downloaded)
        .files(&[("data", Content::Text("hello from the chain"))]),
    Resource::of("CHAIN_COMMENT", "Bób-Name", "comment-2")
        .days(17)
        .state(State::Downloaded)
        .files(&[("data", Content::Text("Grüße aus der Kette"))]),
    Resource::of("MAIL_PRIVATE", "Bób-Name", "mail-1")
        .days(7)
        .state(State::Downloaded)
        .files(&[(
            "data",
            Content::Text("qortalGroupEncryptedDataTJMmu5gF+k+FiCwS6uckzvDGLhHEexample"),
        )]),
    Resource::of("PLAYLIST", "harbor-radio", "rain")
        .titled("Rain", "Six kinds of it")
        .in_category(MUSIC, &["rain"])
        .days(5)
        .files(&[(
            "rain.json",
            Content::Text("[\"drizzle\",\"shower\",\"downpour\"]\n"),
        )]),
    Resource::of("FILE", "spam-name", "ad")
        .titled("Ad", "spam")
        .days(84)
        .state(State::Blocked)
        .files(&[("ad.txt", Content::Text("buy now buy now\n"))]),
];

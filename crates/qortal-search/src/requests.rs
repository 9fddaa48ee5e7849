//! Requests beyond read-only tools: to change something, and to be notified later.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crate::{terms::folded, vocabulary::SILENT};

/// A kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request {
    /// A request for information.
    Read,
    /// A request to send, buy, register or otherwise change something.
    Change,
    /// A request to be notified when something happens.
    Notice,
    /// A request for a file: all rows of a list, or a chart.
    File,
}

/// The words of a section, each with the following words that make it a request to read.
type Words = HashMap<&'static str, HashSet<&'static str>>;

/// The sections of the table, by name.
static TABLE: LazyLock<HashMap<&str, Words>> = LazyLock::new(|| {
    let mut table: HashMap<&str, Words> = HashMap::new();
    let mut section = "";
    let lines = include_str!("requests.txt").lines();
    for line in lines.filter(|it| !it.is_empty() && !it.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            section = name;
            continue;
        }
        let (words, exceptions) = line.split_once(": ").unwrap_or((line, ""));
        let words_of_section = table.entry(section).or_default();
        for word in words.split(' ') {
            let known = words_of_section.entry(word).or_default();
            known.extend(exceptions.split(' ').filter(|it| !it.is_empty()));
        }
    }
    table
});

/// Phrases that request a notification, made of words without meaning elsewhere.
const TOLD: [&str; 8] = [
    "tell me when ",
    "tell me if ",
    "tell me as soon as ",
    "let me know when ",
    "let me know if ",
    "sag mir bescheid",
    "dime cuando ",
    "скажи когда ",
];
/// Words anywhere in a request for a file.
const FILES: &str = "csv excel spreadsheet tax taxes png svg jsonl tabelle steuer steuern impuestos impots налог налоги";
/// Words of questions about the past, a request to read.
const PAST: [&str; 3] = ["was", "were", "did"];
/// Words that make a request a question: "how do I sell".
const HOW: [&str; 6] = ["how", "wie", "como", "comment", "как", "why"];
/// Pronouns of the user.
const SELF: [&str; 6] = ["i", "we", "ich", "wir", "yo", "я"];
/// The placeholder of a number in the table.
const NUMBER: &str = "#";

/// Returns the kind of a request.
#[must_use]
pub fn request(text: &str) -> Request {
    let text = folded(text);
    let words: Vec<_> = text
        .split(|it: char| !it.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .collect();
    let line = format!("{} ", words.join(" "));
    let is_past = words.iter().any(|it| PAST.contains(it));
    let is_told = TOLD
        .iter()
        .any(|it| line.starts_with(it) || line.contains(&format!(" {it}")));
    if is_in("notice", &words, &text) || is_told && !is_past {
        Request::Notice
    } else if is_in("change", &words, &text) {
        Request::Change
    } else if is_in("file", &words, &text) || words.iter().any(|it| is_of_files(it)) {
        Request::File
    } else {
        Request::Read
    }
}

fn is_of_files(word: &str) -> bool {
    FILES.split(' ').any(|it| it == word)
}

/// Returns whether a request begins with a word of this section.
fn is_in(section: &str, words: &[&str], text: &str) -> bool {
    let Some(table) = TABLE.get(section) else {
        return false;
    };
    let is_without_blanks = |word: &&str| {
        word.chars()
            .any(|it| ('\u{3400}'..='\u{9fff}').contains(&it))
    };
    if table
        .keys()
        .filter(|it| is_without_blanks(it))
        .any(|it| text.contains(it))
    {
        return true;
    }
    let is_silent = |word: &str| SILENT.split_whitespace().any(|it| it == word);
    let is_of =
        |section: &str, word: &str| TABLE.get(section).is_some_and(|it| it.contains_key(word));
    let begins = words
        .iter()
        .position(|it| !is_silent(it) && !is_of("polite", it));
    let Some((before, [first, rest @ ..])) = begins.and_then(|it| words.split_at_checked(it))
    else {
        return false;
    };
    let asks_what_is_possible = before
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if is_of("possible", a) && SELF.contains(b)));
    if asks_what_is_possible || before.iter().any(|it| HOW.contains(it)) {
        return false;
    }
    // In German the verb may come last: "Kannst du Bob 5 QORT schicken?"
    if before.iter().any(|it| is_of("polite", it))
        && rest
            .last()
            .is_some_and(|last| last.ends_with("en") && table.contains_key(last))
    {
        return true;
    }
    let Some(exceptions) = table.get(first) else {
        return false;
    };
    let is_exception = |word: &str| {
        let is_number = word.bytes().all(|it| it.is_ascii_digit());
        let common = table.get("*").is_some_and(|it| it.contains(word));
        common || exceptions.contains(word) || is_number && exceptions.contains(NUMBER)
    };
    let meant = rest.iter().find(|it| !matches!(**it, "a" | "an" | "the"));
    rest.first()
        .is_some_and(|next| !is_exception(next) && !meant.is_some_and(|it| exceptions.contains(it)))
}

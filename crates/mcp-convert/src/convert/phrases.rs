//! Tables of keywords, each a string separated by blanks. A colon precedes the target's name for a keyword.

/// Whether the word is one of these.
pub(super) fn have(words: &str, word: &str) -> bool {
    named(words).any(|(it, _)| it == word)
}

/// The words, each with what it is called.
pub(super) fn named(words: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = words.split(' ');
    words.map(|it| it.split_once(':').unwrap_or((it, it)))
}

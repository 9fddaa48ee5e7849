//! Tables of words, each a text with blanks between them.

/// Whether the word is one of these.
pub(super) fn have(words: &str, word: &str) -> bool {
    words.split(' ').any(|it| it == word)
}

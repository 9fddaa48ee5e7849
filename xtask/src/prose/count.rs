//! Counts of habits, and their comparison with ceilings.

use std::fmt;

use super::areas::Ceilings;

const RELATIVE: &[&str] = &["that", "which", "whose", "who", "whom"];
const SAY: &[&str] = &[
    "say", "says", "said", "tell", "tells", "told", "ask", "asks", "asked",
];
const QUESTION: &[&str] = &[
    "What", "Why", "How", "Where", "Who", "Whose", "Which", "When",
];
const NOUN: &[&str] = &["The", "A", "An", "All", "Each", "Every"];
/// Shorter pieces are headings and labels, not sentences.
const SHORTEST_SENTENCE: usize = 3;

/// The doc comment of a public item.
#[derive(Debug)]
pub(super) struct Doc {
    pub(super) text: String,
    /// `None` for a module, whose docs may open in any way.
    pub(super) is_function: Option<bool>,
}

/// The habits of an area.
#[derive(Debug, Default)]
pub(super) struct Counts {
    words: usize,
    relative: usize,
    what: usize,
    say: usize,
    semicolons: usize,
    you: usize,
    docs: usize,
    question: usize,
    functions: usize,
    noun: usize,
}

impl Counts {
    /// Counts the sentences of a text without code.
    pub(super) fn add_text(&mut self, text: &str) {
        for sentence in sentences(text) {
            self.words += sentence.split_whitespace().count();
            self.semicolons += sentence.matches(';').count();
            for word in sentence.split(|c: char| !c.is_alphanumeric()) {
                let word = word.to_lowercase();
                self.relative += usize::from(RELATIVE.contains(&word.as_str()));
                self.what += usize::from(word == "what");
                self.say += usize::from(SAY.contains(&word.as_str()));
                self.you += usize::from(word == "you" || word == "your");
            }
        }
    }

    /// Counts doc comments: their text and how each opens.
    pub(super) fn add_rustdoc(&mut self, docs: &[Doc]) {
        for doc in docs {
            self.add_text(&doc.text);
            let Some(is_function) = doc.is_function else {
                continue;
            };
            let first = doc.text.split_whitespace().next().unwrap_or_default();
            self.docs += 1;
            self.question += usize::from(QUESTION.contains(&first));
            self.functions += usize::from(is_function);
            self.noun += usize::from(is_function && NOUN.contains(&first));
        }
    }

    fn per_thousand(&self, count: usize) -> f64 {
        ratio(count, self.words) * 1000.0
    }

    fn question(&self) -> f64 {
        ratio(self.question, self.docs) * 100.0
    }

    fn noun(&self) -> f64 {
        ratio(self.noun, self.functions) * 100.0
    }

    /// Returns one line for each ceiling that is exceeded.
    pub(super) fn above(&self, ceilings: &Ceilings) -> Vec<String> {
        let most = [
            (
                "relative",
                self.per_thousand(self.relative),
                ceilings.relative,
            ),
            ("what", self.per_thousand(self.what), ceilings.what),
            ("say", self.per_thousand(self.say), ceilings.say),
            (
                "semicolons",
                self.per_thousand(self.semicolons),
                ceilings.semicolons,
            ),
            ("question", self.question(), ceilings.question),
            ("noun", self.noun(), ceilings.noun),
        ];
        let mut found: Vec<_> = most
            .iter()
            .filter(|(_, found, most)| found > most)
            .map(|(name, found, most)| format!("{name} {found:.1}, at most {most}"))
            .collect();
        let you = self.per_thousand(self.you);
        if you < ceilings.you {
            found.push(format!("you {you:.1}, at least {}", ceilings.you));
        }
        found
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:6} {:9.1} {:6.1} {:6.1} {:7.1} {:6.1} {:8.1}% {:4.1}%",
            self.words,
            self.per_thousand(self.relative),
            self.per_thousand(self.what),
            self.per_thousand(self.say),
            self.per_thousand(self.semicolons),
            self.per_thousand(self.you),
            self.question(),
            self.noun(),
        )
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of words are far below 2^52"
)]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// Splits a text at blank lines and after sentence ends.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        let mut sentence = Vec::new();
        for word in paragraph.split_whitespace() {
            sentence.push(word);
            if word.ends_with(['.', '!', '?', ':']) {
                found.push(std::mem::take(&mut sentence));
            }
        }
        found.push(sentence);
    }
    found
        .iter()
        .filter(|words| words.len() >= SHORTEST_SENTENCE)
        .map(|words| words.join(" "))
        .collect()
}

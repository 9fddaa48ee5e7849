//! What has to be said about an answer as a whole.

/// Notes on an answer, collected while it is written.
///
/// ```
/// let mut notes = tool_schema::Notes::default();
/// notes.add("The node is synchronizing.");
/// for member in ["title", "text", "title"] {
///     notes.mark("Written by users: {}.", member);
/// }
/// assert_eq!(
///     notes.into_sentences(),
///     ["The node is synchronizing.", "Written by users: title, text."]
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    sentences: Vec<String>,
    /// Sentences with the members that each of them is about.
    marks: Vec<(&'static str, Vec<String>)>,
}

impl Notes {
    /// Adds a sentence.
    pub fn add(&mut self, sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
    }

    /// Names `member` in a sentence. `{}` in it stands for all members that it is about.
    pub fn mark(&mut self, sentence: &'static str, member: &str) {
        match self.marks.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, members)) if members.iter().any(|it| it == member) => (),
            Some((_, members)) => members.push(member.to_owned()),
            None => self.marks.push((sentence, vec![member.to_owned()])),
        }
    }

    /// All sentences: those that were added, then those about members.
    #[must_use]
    pub fn into_sentences(self) -> Vec<String> {
        let mut sentences = self.sentences;
        let marks = self.marks.into_iter();
        sentences
            .extend(marks.map(|(sentence, members)| sentence.replace("{}", &members.join(", "))));
        sentences
    }
}

impl Extend<String> for Notes {
    fn extend<I: IntoIterator<Item = String>>(&mut self, sentences: I) {
        self.sentences.extend(sentences);
    }
}

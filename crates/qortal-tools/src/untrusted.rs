//! Text written by strangers: data for a model, never instructions.

use serde_json::Value as Json;

use crate::{
    Object,
    declare::{Output, Remarks, typed},
};

/// Characters of one text that are shown; what is left out is said.
const SHOWN: usize = 1_000;

/// A text from the chain that anyone may have written: a name, a description, a message.
///
/// When it is answered, control and bidirectional characters are gone, it is no longer than
/// [`SHOWN`] characters, and the answer says which members hold such text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Untrusted(pub(crate) String);

impl From<String> for Untrusted {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Untrusted {
    /// Bytes that it has in an answer, at most.
    pub(crate) fn bytes(&self) -> usize {
        json_bytes(&self.0.chars().take(SHOWN).collect::<String>())
    }
}

/// Bytes of a text as a JSON string.
pub(crate) fn json_bytes(text: &str) -> usize {
    Json::from(text).to_string().len()
}

impl Output for Untrusted {
    fn schema() -> Object {
        typed("string")
    }

    fn json(self, member: &str, remarks: &mut Remarks) -> Json {
        let clean = clean(&self.0);
        let characters = clean.chars().count();
        remarks.untrusted(member);
        if characters <= SHOWN {
            return clean.into();
        }
        remarks.notes.push(format!(
            "{member} was cut at {SHOWN} of {characters} characters."
        ));
        clean.chars().take(SHOWN).collect::<String>().into()
    }
}

/// The same, for tools that let the client choose how much of the text is shown: nothing is cut here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WholeUntrusted(pub(crate) String);

impl Output for WholeUntrusted {
    fn schema() -> Object {
        typed("string")
    }

    fn json(self, member: &str, remarks: &mut Remarks) -> Json {
        remarks.untrusted(member);
        clean(&self.0).into()
    }
}

fn clean(text: &str) -> String {
    text.chars().filter(|c| !is_hidden(*c)).collect()
}

/// Control characters but line feed and tab, and what reorders or hides text on a screen
/// (Unicode 16, `Bidi_Control` and the zero-width and tag characters).
pub(crate) fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2069}'
        | '\u{061C}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}' => true,
        c => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, shown: &str) {
        let mut remarks = Remarks::default();
        assert_eq!(Untrusted(text.to_owned()).json("data", &mut remarks), shown);
        assert_eq!(remarks.untrusted, ["data"]);
    }

    #[test]
    fn hidden_characters_are_removed() {
        check("a\u{202E}b\u{200B}c\u{7}d", "abcd");
        check("two\nlines\tand 日本語 😀", "two\nlines\tand 日本語 😀");
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        check(&"é".repeat(1_001), &"é".repeat(1_000));
    }
}

//! The outcome of a call: the facts as JSON, what has to be said about them, images and links.

use std::{borrow::Cow, mem::take, ops::Range};

use tool_schema::{JsonWriter, Object, OutputNotes, OutputRecord, Property};

use crate::{
    declare::file::{File, ResourceLink},
    support::untrusted::{self, sentences},
};

/// The optional member of every answer.
pub(crate) const NOTES: &str = "notes";

/// The optional member of every answer from a node.
pub(super) const NODE: &str = "node";

/// An attachment to the structured answer: an image, or text that hosts read at its own URI.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attachment {
    /// The bytes of an image, or text.
    pub body: Body,
    /// For example `image/png`.
    pub mime_type: String,
}

/// Text, or bytes in the encoding that MCP uses for them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "contents are text or bytes in every revision of MCP"
)]
pub enum Body {
    /// Text.
    Text(String),
    /// Bytes in Base64.
    Base64(String),
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The facts, as they were written: the members of a JSON object.
    members: String,
    /// The node that answered instead of the configured one.
    node: Option<String>,
    notes: Vec<String>,
    /// Images, and text at its own URI.
    pub attachments: Vec<Attachment>,
    /// Resources with the same facts in other forms.
    pub links: Vec<ResourceLink>,
}

impl Outcome {
    /// The facts in the members of a JSON object, with notes on them that take the place of `noted`.
    pub(crate) fn state(&mut self, members: String, notes: OutputNotes, noted: &mut Range<usize>) {
        if !members.is_empty() {
            self.members = members;
        }
        let notes = notes.into_sentences();
        let end = noted.start + notes.len();
        let notes = notes.iter().map(|it| sentences(it));
        self.notes.splice(noted.clone(), notes);
        noted.end = end;
    }

    /// The place after the notes so far.
    pub(super) const fn after_notes(&self) -> Range<usize> {
        let end = self.notes.len();
        end..end
    }

    /// The facts with their notes: a JSON object that satisfies [`Entry::output_schema`](crate::Entry::output_schema).
    ///
    /// Notes come before the facts if they warn of text by strangers: a host that shows a part of a long answer shows its
    /// beginning.
    #[must_use]
    pub fn json(&self) -> String {
        let is_warning = |it: &&String| untrusted::is_warning(it);
        let warns = self.notes.iter().any(|it| is_warning(&it));
        let mut first = JsonWriter::default();
        if warns {
            let (warnings, others) = (self.notes.iter(), self.notes.iter());
            let others = others.filter(|it| !is_warning(it));
            write_notes(warnings.filter(is_warning).chain(others), &mut first);
        }
        let mut last = JsonWriter::default();
        if let Some(node) = &self.node {
            last.begin_field(NODE);
            last.string(node);
        }
        if !warns && !self.notes.is_empty() {
            write_notes(self.notes.iter(), &mut last);
        }
        let ((first, _), (last, _)) = (first.finish(), last.finish());
        let mut json = String::with_capacity(first.len() + self.members.len() + last.len() + 4);
        json.push('{');
        for part in [&first, &self.members, &last] {
            if json.len() > 1 && !part.is_empty() {
                json.push(',');
            }
            json.push_str(part);
        }
        json.push('}');
        json
    }

    /// [`json`](Self::json) as a tree, for those who look at its members.
    #[must_use]
    pub fn structure(&self) -> Object {
        Self::structure_of(&self.json())
    }

    /// The tree of [`json`](Self::json).
    fn structure_of(json: &str) -> Object {
        serde_json::from_str(json).expect("a writer writes JSON that is not too deep")
    }

    /// How many bytes of JSON it has, if they are more than `most`.
    pub(super) fn bytes_beyond(&self, most: usize) -> Option<usize> {
        /// A character that is escaped takes six bytes.
        const ESCAPED: usize = 6;
        /// Names, brackets and commas of the members that are added.
        const AROUND: usize = 64;
        let added = self.notes.iter().chain(&self.node);
        let added: usize = added.map(|it| ESCAPED * it.len() + AROUND).sum();
        if self.members.len() + added + AROUND <= most {
            return None;
        }
        let bytes = self.json().len();
        (bytes > most).then_some(bytes)
    }

    /// Replaces the facts.
    pub(crate) fn replace_members(&mut self, replace: impl FnOnce(Object) -> Object) {
        let members = Self::structure_of(&format!("{{{}}}", self.members));
        let mut json = JsonWriter::default();
        for (name, value) in replace(members) {
            json.begin_field(&name);
            json.value(&value);
        }
        (self.members, _) = json.finish();
    }

    /// Replaces each note.
    pub(crate) fn map_notes(&mut self, replace: impl Fn(&str) -> Cow<'_, str>) {
        for note in &mut self.notes {
            if let Cow::Owned(replaced) = replace(note) {
                *note = replaced;
            }
        }
    }

    /// The tools of the calls that return more. In a text the quotes would be escaped.
    pub(crate) fn next_tools(&self) -> impl Iterator<Item = &str> {
        let calls = self.members.split(r#""next":{"tool":""#).skip(1);
        calls.filter_map(|it| it.split('"').next())
    }

    /// Names the node that answered instead of the configured one.
    pub(crate) fn answered_by(&mut self, url: &str) {
        self.node = Some(url.to_owned());
    }

    /// Adds sentences, which may quote what the node sent.
    pub(crate) fn note(&mut self, notes: Vec<String>) {
        self.notes.extend(notes.iter().map(|it| sentences(it)));
    }

    /// Adds links to those of the `files` of its tool that have the facts of this call, as a note too, because some hosts
    /// show a model only the structure.
    pub(super) fn link(&mut self, files: &[File], call: &Object) {
        let first = self.links.len();
        self.links
            .extend(files.iter().filter_map(|it| it.link(call)));
        let uris = self.links.iter().skip(first).map(|it| it.uri.as_str());
        let uris: Vec<_> = uris.collect();
        if !uris.is_empty() {
            self.note(vec![format!("As a file: {}.", uris.join(", "))]);
        }
    }
}

fn write_notes<'a>(notes: impl Iterator<Item = &'a String>, json: &mut JsonWriter) {
    json.begin_field(NOTES);
    json.array(|json| {
        for note in notes {
            json.begin_item();
            json.string(note);
        }
    });
}

/// The answer of a tool: a record, or a record with attachments.
pub(crate) trait Answer: Send {
    /// The members of the structured part.
    fn properties() -> Vec<Property>
    where
        Self: Sized;

    /// Writes that, with the notes on it.
    fn write(&self, json: &mut JsonWriter);

    /// Takes what comes beside it.
    fn outcome(&mut self) -> Outcome;
}

impl<T: OutputRecord + Send> Answer for T {
    fn properties() -> Vec<Property> {
        <T as OutputRecord>::properties()
    }

    fn write(&self, json: &mut JsonWriter) {
        OutputRecord::write(self, json);
    }

    fn outcome(&mut self) -> Outcome {
        Outcome::default()
    }
}

/// A record with notes, attachments and links.
#[derive(Debug)]
pub(crate) struct Reply<T> {
    pub(crate) record: T,
    /// Sentences for the member `notes`.
    pub(crate) notes: Vec<String>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) links: Vec<ResourceLink>,
}

impl<T> Reply<T> {
    /// A record without notes, attachments and links.
    pub(crate) const fn new(record: T) -> Self {
        Self {
            record,
            notes: Vec::new(),
            attachments: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Adds a note.
    pub(crate) fn note(mut self, sentence: impl Into<String>) -> Self {
        self.notes.push(sentence.into());
        self
    }

    /// Adds a note under a condition.
    pub(crate) fn note_if(self, condition: bool, sentence: impl Into<String>) -> Self {
        if condition { self.note(sentence) } else { self }
    }
}

impl<T: OutputRecord + Send> Answer for Reply<T> {
    fn properties() -> Vec<Property> {
        <T as OutputRecord>::properties()
    }

    fn write(&self, json: &mut JsonWriter) {
        OutputRecord::write(&self.record, json);
        json.notes.extend(self.notes.iter().cloned());
    }

    fn outcome(&mut self) -> Outcome {
        Outcome {
            attachments: take(&mut self.attachments),
            links: take(&mut self.links),
            ..Outcome::default()
        }
    }
}

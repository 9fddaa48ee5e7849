//! The outcome of a call: the facts as JSON, with notes, images and links.

use std::{borrow::Cow, mem::take, ops::Range};

use tool_schema::{JsonWriter, Object, OutputRecord, Property, ResultNotes};

use crate::{
    declare::file::{File, ResourceLink},
    support::untrusted::{self, sentences},
};

/// The optional field of every answer.
pub(crate) const NOTES: &str = "notes";

/// The optional field of every answer from a node.
pub(super) const NODE: &str = "node";

/// An attachment to the structured answer: an image, or text that hosts read at its own URI.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attachment {
    /// The bytes of an image, or text.
    pub body: Body,
    /// The media type, such as `image/png`.
    pub mime_type: String,
}

/// Text, or base64-encoded bytes as MCP requires.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "contents are text or bytes in every revision of MCP"
)]
pub enum Body {
    /// Text.
    Text(String),
    /// Base64-encoded bytes.
    Base64(String),
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The facts: the serialized fields of a JSON object.
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
    /// Sets the facts, given as the fields of a JSON object, with notes that replace those in `noted`.
    pub(crate) fn state(&mut self, members: String, notes: ResultNotes, noted: &mut Range<usize>) {
        if !members.is_empty() {
            self.members = members;
        }
        let notes = notes.into_sentences();
        let end = noted.start + notes.len();
        let notes = notes.iter().map(|it| sentences(it));
        self.notes.splice(noted.clone(), notes);
        noted.end = end;
    }

    /// Returns the position after the current notes.
    pub(super) const fn after_notes(&self) -> Range<usize> {
        let end = self.notes.len();
        end..end
    }

    /// Returns the facts with their notes: a JSON object that satisfies
    /// [`Entry::output_schema`](crate::Entry::output_schema).
    ///
    /// Notes come before the facts if they warn of text by strangers, because a host that shows part of a long answer
    /// shows its beginning.
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

    /// Returns [`json`](Self::json) as a tree, for access to its fields.
    #[must_use]
    pub fn structure(&self) -> Object {
        Self::structure_of(&self.json())
    }

    /// The tree of [`json`](Self::json).
    fn structure_of(json: &str) -> Object {
        serde_json::from_str(json).expect("a writer writes JSON that is not too deep")
    }

    /// Returns the size of the JSON in bytes if it exceeds `most`.
    pub(super) fn bytes_beyond(&self, most: usize) -> Option<usize> {
        /// An escaped character takes six bytes.
        const ESCAPED: usize = 6;
        /// Names, brackets and commas of the added fields.
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

    /// Returns the tools of the calls for more. Quotes are escaped inside a text, so text cannot match.
    pub(crate) fn next_tools(&self) -> impl Iterator<Item = &str> {
        let calls = self.members.split(r#""next":{"tool":""#).skip(1);
        calls.filter_map(|it| it.split('"').next())
    }

    /// Sets the node that answered instead of the configured one.
    pub(crate) fn answered_by(&mut self, url: &str) {
        self.node = Some(url.to_owned());
    }

    /// Adds notes, which may quote text from the node.
    pub(crate) fn note(&mut self, notes: Vec<String>) {
        self.notes.extend(notes.iter().map(|it| sentences(it)));
    }

    /// Adds links to those `files` of the tool that have the facts of this call. A note repeats them, because some
    /// hosts show a model only the structured content.
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
    /// Returns the fields of the structured part.
    fn properties() -> Vec<Property>
    where
        Self: Sized;

    /// Writes the structured part, with the notes on it.
    fn write(&self, json: &mut JsonWriter);

    /// Takes the unstructured parts.
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
    /// Sentences for the field `notes`.
    pub(crate) notes: Vec<String>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) links: Vec<ResourceLink>,
}

impl<T> Reply<T> {
    /// Creates a reply without notes, attachments and links.
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

    /// Adds a note if a condition holds.
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

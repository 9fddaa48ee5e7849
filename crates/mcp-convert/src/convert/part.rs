//! One part of the content for a model, independent of the target.

use std::borrow::Cow;

use mcp_protocol::{LossKind, Losses, Object};
use serde_json::Value;

use super::{
    block::LinkRef,
    json_ref::Json,
    media::{Media, What, file_name},
};
/// Names of types and addresses in a note are cut after so many characters, because they reach the model.
const MAX_SHOWN: usize = 100;

/// Something for the model to read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part<'a> {
    Text(Cow<'a, str>),
    Structured(Cow<'a, Value>),
    /// A picture, a sound or a file, be it a block or a resource.
    Media(What, Media<'a>),
    /// A resource of text, and its address.
    Document(Cow<'a, str>),
    Link(LinkRef<'a>),
    /// A block that no revision defines.
    Other(Cow<'a, Value>),
}

/// A part, and the block it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct PartOf<'a> {
    /// Which block; `None` for the structured value and for notes.
    pub(crate) index: Option<usize>,
    /// The block's `type`.
    pub(crate) kind: Cow<'a, str>,
    pub(crate) part: Part<'a>,
    /// `_meta` of the block, for the host.
    pub(crate) meta: Option<&'a Object>,
}

impl<'a> PartOf<'a> {
    pub(super) fn new(index: Option<usize>, kind: &'a str, part: Part<'a>) -> Self {
        Self {
            index,
            kind: Cow::Borrowed(kind),
            part,
            meta: None,
        }
    }

    pub(super) fn text(index: Option<usize>, text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(index, "text", Part::Text(text.into()))
    }

    /// The picture, sound or file.
    pub(super) fn media(&self) -> Option<&Media<'a>> {
        match &self.part {
            Part::Media(_, media) => Some(media),
            _ => None,
        }
    }

    /// In the words of a note, for example `audio/wav audio`.
    pub(super) fn named(&self) -> String {
        match &self.part {
            Part::Media(what, media) => named(*what, media.mime_type.as_deref(), media.uri),
            _ => format!("{} block", shown(&self.kind)),
        }
    }

    /// The same with its size.
    pub(super) fn described(&self) -> String {
        let size = self.media().map(|it| in_bytes(it.bytes()));
        let size = size.map(|it| format!(", {it}")).unwrap_or_default();
        self.named() + &size
    }

    /// As text, if it can be: resources without their address, links as [`link_text`] has them. A file that turned out
    /// to be text is a document where there are such.
    pub(super) fn as_text(&self, documents: bool, losses: &mut Losses) -> Option<Part<'a>> {
        Some(Part::Text(match &self.part {
            Part::Document(text) => {
                self.said_as_text(losses);
                text.clone()
            }
            Part::Link(link) => {
                if link.has_more || link.mime_type.is_some() {
                    self.said_as_text(losses);
                }
                link_text(link)
            }
            Part::Media(What::File, media) => {
                let text = Cow::Owned(media.text()?);
                self.said_as_text(losses);
                if documents {
                    return Some(Part::Document(text));
                }
                text
            }
            _ => return None,
        }))
    }

    /// The text that a target sends: that of texts, and the JSON of the structured value.
    pub(super) fn into_text(self) -> Option<Json<'a>> {
        match self.part {
            Part::Text(text) => Some(Json::Text(text)),
            Part::Structured(value) => Some(Json::Encoded(value)),
            _ => None,
        }
    }

    /// Whether it is a text that says nothing, which some providers refuse.
    pub(super) fn is_blank(&self) -> bool {
        matches!(&self.part, Part::Text(text) if text.trim().is_empty())
    }

    pub(super) fn said_as_text(&self, losses: &mut Losses) {
        let (index, kind) = self.of();
        losses.push(LossKind::BLOCK_AS_TEXT, index, kind);
    }

    /// The block that a loss is about.
    pub(super) fn of(&self) -> (usize, String) {
        (self.index.unwrap_or(0), self.kind.clone().into_owned())
    }
}

/// The structured value, if it is all there is.
pub(super) fn only_value<'a>(parts: &mut [PartOf<'a>]) -> Option<Cow<'a, Value>> {
    let [only] = parts else { return None };
    match &mut only.part {
        Part::Structured(value) => Some(std::mem::take(value)),
        _ => None,
    }
}

/// The texts of these parts, joined with line feeds.
pub(super) fn joined<'a>(parts: Vec<PartOf<'a>>) -> Json<'a> {
    join(parts.into_iter().filter_map(PartOf::into_text).collect())
}

/// Returns the note that takes the place of what the target cannot carry.
pub(super) fn noted<'a>(
    (index, kind): (usize, String),
    what: &str,
    reason: &str,
    losses: &mut Losses,
) -> Part<'a> {
    losses.push(LossKind::BLOCK_NOTED, index, kind);
    Part::Text(format!("[{what}, {reason}]").into())
}

/// In the words of a note, for example `audio/wav audio`.
pub(super) fn named(what: What, mime_type: Option<&str>, uri: Option<&str>) -> String {
    let name = uri.filter(|_| what == What::File).and_then(file_name);
    let name = name.map(|it| format!(" {it}")).unwrap_or_default();
    match mime_type {
        Some(mime_type) => format!("{} {}{name}", clip(mime_type), what.name()),
        None => format!("{}{name} of unknown type", what.name()),
    }
}

/// All that a model can use of a link: `TITLE (NAME): URI`, and its description below.
pub(super) fn link_text<'a>(link: &LinkRef<'a>) -> Cow<'a, str> {
    let title = link.title.filter(|it| Some(*it) != link.name);
    let mut text = match (title, link.name) {
        (None, None) if link.description.is_none() => return Cow::Borrowed(link.uri),
        (None, None) => link.uri.to_owned(),
        (Some(title), Some(name)) => format!("{title} ({name}): {}", link.uri),
        (Some(label), None) | (None, Some(label)) => format!("{label}: {}", link.uri),
    };
    if let Some(description) = link.description.filter(|it| !it.trim().is_empty()) {
        text = format!("{text}\n{description}");
    }
    Cow::Owned(text)
}

/// The beginning of a word from the server, short enough for a note.
pub(super) fn clip(word: &str) -> &str {
    let end = word.char_indices().nth(MAX_SHOWN);
    end.and_then(|(at, _)| word.get(..at)).unwrap_or(word)
}

/// Texts joined with line feeds, without a copy if there is only one.
pub(super) fn join(mut texts: Vec<Json<'_>>) -> Json<'_> {
    if texts.len() <= 1 {
        return texts.pop().unwrap_or(Json::text(""));
    }
    let texts = texts.iter().map(|it| match it {
        Json::Text(text) => Cow::Borrowed(text.as_ref()),
        other => other.to_value().as_str().unwrap_or("").to_owned().into(),
    });
    Json::text(texts.collect::<Vec<_>>().join("\n"))
}

/// A size in a sentence.
pub(super) fn in_bytes(bytes: usize) -> String {
    let plural = if bytes == 1 { "" } else { "s" };
    format!("{bytes} byte{plural}")
}

/// The name of a block type in a sentence.
pub(super) fn shown(kind: &str) -> &str {
    if kind.is_empty() { "untyped" } else { kind }
}

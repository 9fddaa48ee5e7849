//! One thing for a model to read, whatever the target.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    block::LinkRef,
    converted::{ConvertError, dropped},
    json_ref::Json,
    media::{Media, canonical, file_name},
    policy::{Policy, Unsupported},
};
use crate::{
    Object,
    loss::{Losses, Lost, in_bytes, shown},
};

/// Names of types and addresses in a note are cut after so many characters, because they reach the model.
const MAX_SHOWN: usize = 100;

/// Something for the model to read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// The structured value.
    Structured(&'a Value),
    /// A picture, be it a block or a resource.
    Image(Media<'a>),
    /// A sound, be it a block or a resource.
    Audio(Media<'a>),
    /// A resource of text.
    Document(Document<'a>),
    /// A resource of other bytes.
    File(Media<'a>),
    /// A link.
    Link(LinkRef<'a>),
    /// A block that no revision defines.
    Other(Cow<'a, Value>),
}

/// A resource of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Document<'a> {
    /// The contents.
    pub(crate) text: Cow<'a, str>,
    /// For example `text/html`, as the server wrote it.
    pub(crate) mime_type: Option<&'a str>,
    /// Its address.
    pub(crate) uri: Option<&'a str>,
}

/// A piece, and the block it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceOf<'a> {
    /// Which block; `None` for the structured value and for notes.
    pub(crate) index: Option<usize>,
    /// The block's `type`.
    pub(crate) kind: Cow<'a, str>,
    /// What it contains.
    pub(crate) piece: Piece<'a>,
    /// `_meta` of the block, for the host.
    pub(crate) meta: Option<&'a Object>,
}

impl<'a> PieceOf<'a> {
    pub(super) fn text(index: Option<usize>, text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            index,
            kind: Cow::Borrowed("text"),
            piece: Piece::Text(text.into()),
            meta: None,
        }
    }

    /// The picture, sound or file.
    pub(super) fn media(&self) -> Option<&Media<'a>> {
        let (Piece::Image(media) | Piece::Audio(media) | Piece::File(media)) = &self.piece else {
            return None;
        };
        Some(media)
    }

    /// In the words of a note, for example `audio/wav audio, 5 bytes`.
    pub(super) fn describe(&self) -> String {
        if let Some(media) = self.media() {
            let (what, size) = (self.what(), in_bytes(media.bytes()));
            return match media.mime_type.as_deref() {
                Some(mime_type) => format!("{} {what}, {size}", clip(mime_type)),
                None => format!("{what} of unknown type, {size}"),
            };
        }
        match &self.piece {
            Piece::Other(_) => format!("{} block", shown(&self.kind)),
            Piece::Document(Document { uri: Some(uri), .. }) => format!("resource {}", clip(uri)),
            Piece::Document(_) => "resource".to_owned(),
            _ => shown(&self.kind).to_owned(),
        }
    }

    /// What has bytes, in a word, and the name of a file.
    fn what(&self) -> String {
        match &self.piece {
            Piece::Image(_) => "image".to_owned(),
            Piece::Audio(_) => "audio".to_owned(),
            _ => match self.media().and_then(Media::name) {
                Some(name) => format!("file {name}"),
                None => "file".to_owned(),
            },
        }
    }

    /// A picture, sound or file that is sent after the result: what the result says of it.
    pub(super) fn attached(&self) -> String {
        let mime_type = self.media().map(Media::type_or_bytes).unwrap_or_default();
        format!("[{mime_type} {} attached]", self.what())
    }

    /// As text, if it can be: resources without their address unless `uri`, links as [`link_text`] has them.
    pub(super) fn as_text(&self, uri: bool, losses: &mut Losses) -> Option<Cow<'a, str>> {
        match &self.piece {
            Piece::Document(document) => {
                let uri = document.uri.filter(|_| uri);
                if uri.is_none() {
                    self.said_as_text(losses);
                }
                Some(document_text(&document.text, uri))
            }
            Piece::Link(link) => {
                if link.has_more || link.mime_type.is_some() {
                    self.said_as_text(losses);
                }
                Some(link_text(link))
            }
            Piece::File(media) => {
                let text = media.text()?;
                self.said_as_text(losses);
                Some(Cow::Owned(text))
            }
            _ => None,
        }
    }

    /// The text that a target sends: that of texts, and the JSON of the structured value.
    pub(super) fn into_text(self) -> Option<Json<'a>> {
        match self.piece {
            Piece::Text(text) => Some(Json::Text(text)),
            Piece::Structured(value) => Some(Json::Encoded(Cow::Borrowed(value))),
            _ => None,
        }
    }

    /// Whether it is sent as text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.piece, Piece::Text(_) | Piece::Structured(_))
    }

    /// Whether it is a text that says nothing, which some providers refuse.
    pub(super) fn is_blank(&self) -> bool {
        matches!(&self.piece, Piece::Text(text) if text.trim().is_empty())
    }

    pub(super) fn said_as_text(&self, losses: &mut Losses) {
        let (index, kind) = self.of();
        losses.push(Lost::BlockAsText { index, kind });
    }

    /// The block that a loss is about.
    pub(super) fn of(&self) -> (usize, String) {
        (self.index.unwrap_or(0), self.kind.clone().into_owned())
    }

    /// What takes the place of a piece that the target cannot carry.
    pub(super) fn unsupported(
        &self,
        policy: &Policy,
        reason: &str,
        losses: &mut Losses,
    ) -> Result<Option<String>, ConvertError> {
        let index = self.index.unwrap_or(0);
        unsupported(policy, index, &self.kind, self.describe(), reason, losses)
    }
}

/// The structured value, if it is all there is.
pub(super) fn only_value<'a>(pieces: &[PieceOf<'a>]) -> Option<&'a Value> {
    match pieces {
        [
            PieceOf {
                piece: Piece::Structured(value),
                ..
            },
        ] => Some(value),
        _ => None,
    }
}

/// The note for `what`, or what else the policy makes of it.
pub(super) fn unsupported(
    policy: &Policy,
    index: usize,
    kind: &str,
    what: String,
    reason: &str,
    losses: &mut Losses,
) -> Result<Option<String>, ConvertError> {
    match policy.unsupported {
        Unsupported::Note => {
            let kind = kind.to_owned();
            losses.push(Lost::BlockNoted { index, kind });
            Ok(Some(format!("[{what}, {reason}]")))
        }
        Unsupported::Error => Err(ConvertError::Unsupported { index, what }),
        Unsupported::Skip => {
            dropped(losses, index, kind);
            Ok(None)
        }
    }
}

/// In the words of a note, for data that is not Base64.
pub(super) fn describe_invalid(what: &str, mime_type: Option<&str>, uri: Option<&str>) -> String {
    let name = uri.and_then(file_name).map(|it| format!(" {it}"));
    let name = name.unwrap_or_default();
    match mime_type.and_then(canonical) {
        Some(mime_type) => format!("{} {what}{name}", clip(&mime_type)),
        None => format!("{what}{name} of unknown type"),
    }
}

/// A resource of text, below its address if that is said.
pub(super) fn document_text<'t>(text: &Cow<'t, str>, uri: Option<&str>) -> Cow<'t, str> {
    match uri {
        Some(uri) => Cow::Owned(format!("{uri}\n{text}")),
        None => text.clone(),
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

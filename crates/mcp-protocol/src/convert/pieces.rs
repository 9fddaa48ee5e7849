//! What a model should get of a result, whatever the target: the common half of the rich presets.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, Audience, BlockRef, Body, ConvertError, Converted, ErrorMark, JsonRef, LinkRef,
    MediaRef, Policy, Prefer, ResourceRef, ResultView, Unsupported, converted, dropped,
};
use crate::{
    encoding,
    json::{self, Object},
    loss::{Loss, Losses, in_bytes, shown},
};

/// Replaces the blocks of a result if all are for the user alone.
const FOR_USER: &str = "(output shown to the user only)";

/// Something for the model to read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Piece<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// The structured value.
    Structured(&'a Value),
    /// A picture, be it a block or a resource.
    Image(MediaRef<'a>),
    /// A sound, be it a block or a resource.
    Audio(MediaRef<'a>),
    /// A resource of text.
    Document(ResourceRef<'a>),
    /// A resource of other bytes.
    File(ResourceRef<'a>),
    /// A link.
    Link(LinkRef<'a>),
    /// A block that no revision defines.
    Other(Cow<'a, Value>),
}

/// A piece, and the block it comes from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PieceOf<'a> {
    /// Which block; `None` for the structured value and for notes.
    pub index: Option<usize>,
    /// The block's `type`.
    pub kind: Cow<'a, str>,
    /// What it contains.
    pub piece: Piece<'a>,
    /// `_meta` of the block, for the host.
    pub meta: Option<&'a Object>,
}

/// What a model should get of a result: blocks for the user held back, equal text and structure merged, limits
/// applied. Begin here to write a converter for a target that this crate does not have.
///
/// ```
/// use mcp_protocol::convert::{Piece, Policy, pieces};
///
/// let result = serde_json::json!({
///     "content": [{"type": "text", "text": "{ \"height\": 468 }"}],
///     "structuredContent": {"height": 468},
/// });
/// let converted = pieces(&result, &Policy::default())?;
/// assert_eq!(converted.output.len(), 1);
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if [`super::OversizedStructure::Error`] applies.
pub fn pieces<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    policy: &Policy,
) -> Result<Converted<'a, Vec<PieceOf<'a>>>, ConvertError> {
    collect(&result.view()?, policy, Structure::AsText)
}

/// How a target carries the structured value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    /// As text: a text block that equals it is enough.
    AsText,
    /// As JSON: it replaces the text block that equals it.
    AsJson,
}

pub(super) fn collect<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
    structure: Structure,
) -> Result<Converted<'a, Vec<PieceOf<'a>>>, ConvertError> {
    let mut out = converted(Vec::with_capacity(view.len() + 1), view);
    for (index, block) in view.blocks().enumerate() {
        if policy.audience == Audience::Respect && block.for_user_only {
            out.for_user.push(index);
        } else {
            push_block(&mut out, index, block);
        }
    }
    if let Some(value) = view.non_null_structured() {
        push_structure(&mut out, value, policy.prefer, structure);
    }
    if out.output.is_empty() && !out.for_user.is_empty() {
        out.output.push(PieceOf::text(None, FOR_USER));
    }
    let pieces = std::mem::take(&mut out.output);
    out.output = policy
        .limits
        .apply(pieces, view.is_error(), &mut out.losses)?;
    Ok(out)
}

fn push_block<'a>(out: &mut Converted<'a, Vec<PieceOf<'a>>>, index: usize, block: BlockRef<'a>) {
    let kind: Cow<'a, str> = match &block.body {
        Body::Other(_) => Cow::Owned(block.kind().to_owned()),
        Body::Text(_) => Cow::Borrowed("text"),
        Body::Image(_) => Cow::Borrowed("image"),
        Body::Audio(_) => Cow::Borrowed("audio"),
        Body::ResourceLink(_) => Cow::Borrowed("resource_link"),
        Body::Resource(_) => Cow::Borrowed("resource"),
    };
    annotations_lost(&mut out.losses, index, &block);
    let meta = block.meta;
    let before = out.output.len();
    let mut push = |piece: Piece<'a>| {
        out.output.push(PieceOf {
            index: Some(index),
            kind: kind.clone(),
            piece,
            meta,
        });
    };
    match block.body {
        Body::Text(text) => push(Piece::Text(text)),
        Body::Image(media) if !media.data.is_empty() => push(Piece::Image(media)),
        Body::Audio(media) if !media.data.is_empty() => push(Piece::Audio(media)),
        Body::Image(_) | Body::Audio(_) => (),
        Body::ResourceLink(link) => push(Piece::Link(link)),
        Body::Resource(resource) => {
            if resource.text.is_some() {
                push(Piece::Document(resource));
            }
            if let Some(data) = resource.blob.filter(|it| !it.is_empty()) {
                let mime_type = resource.mime_type;
                let media = MediaRef { data, mime_type };
                let starts = |prefix: &str| mime_type.is_some_and(|it| it.starts_with(prefix));
                if starts("image/") || starts("audio/") {
                    push(if starts("image/") {
                        Piece::Image(media)
                    } else {
                        Piece::Audio(media)
                    });
                    if resource.uri.is_some() {
                        let path = format!("content[{index}].resource.uri");
                        out.losses.push(Loss::MemberDropped { path });
                    }
                } else {
                    push(Piece::File(resource));
                }
            }
        }
        Body::Other(value) => push(Piece::Other(value)),
    }
    let is_odd = |it: &PieceOf<'_>| it.data().is_some_and(|it| !encoding::is_valid(it));
    if out.output.iter().skip(before).any(is_odd) {
        out.losses.push(Loss::OddBase64 { index });
    }
    if out.output.len() == before {
        dropped(&mut out.losses, index, &kind);
    }
}

fn push_structure<'a>(
    out: &mut Converted<'a, Vec<PieceOf<'a>>>,
    value: &'a Value,
    prefer: Prefer,
    structure: Structure,
) {
    let equal = out.output.iter().position(|it| match &it.piece {
        Piece::Text(text) => json::text_equals_unwrapped(text, value),
        _ => false,
    });
    let structured = PieceOf {
        index: None,
        kind: Cow::Borrowed("structuredContent"),
        piece: Piece::Structured(value),
        meta: None,
    };
    match prefer {
        Prefer::StructuredOnly => {
            for (position, piece) in std::mem::take(&mut out.output).into_iter().enumerate() {
                if equal != Some(position) {
                    dropped(&mut out.losses, piece.index.unwrap_or(0), &piece.kind);
                }
            }
            out.output.push(structured);
        }
        Prefer::Both => match equal.and_then(|it| out.output.get_mut(it)) {
            Some(piece) if structure == Structure::AsJson => *piece = structured,
            Some(_) => (),
            None => out.output.push(structured),
        },
        Prefer::ContentUnlessEmpty if out.output.is_empty() => out.output.push(structured),
        Prefer::ContentOnly | Prefer::ContentUnlessEmpty => {
            if equal.is_none() {
                out.losses.push(Loss::StructuredDropped);
            }
        }
    }
}

/// Annotations are for hosts; no target carries them.
pub(super) fn annotations_lost(losses: &mut Losses, index: usize, block: &BlockRef<'_>) {
    if block.has_annotations {
        let path = format!("content[{index}].annotations");
        losses.push(Loss::MemberDropped { path });
    }
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

    /// How many bytes of a picture, sound or file there are.
    pub(super) fn media_len(&self) -> Option<usize> {
        self.data().map(encoding::decoded_len)
    }

    /// The Base64 of a picture, sound or file.
    fn data(&self) -> Option<&'a str> {
        match &self.piece {
            // Some servers send a data URL.
            Piece::Image(media) | Piece::Audio(media) => {
                let url = media.data.strip_prefix("data:");
                Some(
                    url.and_then(|it| it.split_once(','))
                        .map_or(media.data, |(_, data)| data),
                )
            }
            Piece::File(file) => file.blob,
            Piece::Text(_)
            | Piece::Structured(_)
            | Piece::Document(_)
            | Piece::Link(_)
            | Piece::Other(_) => None,
        }
    }

    /// In the words of a note, for example `audio/wav audio, 5 bytes`.
    pub(super) fn describe(&self) -> String {
        let size = in_bytes(self.media_len().unwrap_or(0));
        let sized =
            |what: &str, mime_type: Option<&str>| match mime_type.filter(|it| !it.is_empty()) {
                Some(mime_type) => format!("{mime_type} {what}, {size}"),
                None => format!("{what} of unknown type, {size}"),
            };
        match &self.piece {
            Piece::Image(media) => sized("image", media.mime_type),
            Piece::Audio(media) => sized("audio", media.mime_type),
            Piece::File(file) => match file.uri.and_then(file_name) {
                Some(name) => sized(&format!("file {name}"), file.mime_type),
                None => sized("file", file.mime_type),
            },
            Piece::Other(_) => format!("{} block", shown(&self.kind)),
            Piece::Document(document) => match document.uri {
                Some(uri) => format!("resource {uri}"),
                None => "resource".to_owned(),
            },
            Piece::Text(_) | Piece::Structured(_) | Piece::Link(_) => shown(&self.kind).to_owned(),
        }
    }

    /// As text, if it can be: resources without their address unless `with_uri`, links as `NAME: URI`.
    pub(super) fn to_text(&self, with_uri: bool, losses: &mut Losses) -> Option<JsonRef<'a>> {
        match &self.piece {
            Piece::Text(text) => Some(JsonRef::Text(text.clone())),
            Piece::Structured(value) => Some(JsonRef::JsonText(Cow::Borrowed(*value))),
            Piece::Document(document) => {
                let text = document.text.unwrap_or("");
                let uri = document.uri.filter(|_| with_uri);
                if uri.is_none() {
                    self.said_as_text(losses);
                }
                Some(match uri {
                    Some(uri) => JsonRef::text(format!("{uri}\n{text}")),
                    None => JsonRef::text(text),
                })
            }
            Piece::Link(link) => {
                if link.has_details || link.mime_type.is_some() {
                    self.said_as_text(losses);
                }
                Some(JsonRef::text(match link.name {
                    Some(name) => format!("{name}: {}", link.uri),
                    None => link.uri.to_owned(),
                }))
            }
            Piece::Image(_) | Piece::Audio(_) | Piece::File(_) | Piece::Other(_) => None,
        }
    }

    /// Reports that the target has a file, but not its address.
    pub(super) fn address_lost(&self, losses: &mut Losses) {
        if let (Piece::File(ResourceRef { uri: Some(_), .. }), Some(index)) =
            (&self.piece, self.index)
        {
            let path = format!("content[{index}].resource.uri");
            losses.push(Loss::MemberDropped { path });
        }
    }

    fn said_as_text(&self, losses: &mut Losses) {
        losses.push(Loss::BlockAsText {
            index: self.index.unwrap_or(0),
            kind: self.kind.clone().into_owned(),
        });
    }

    /// What takes the place of a piece that the target cannot carry.
    pub(super) fn unsupported(
        &self,
        policy: &Policy,
        reason: &str,
        losses: &mut Losses,
    ) -> Result<Option<JsonRef<'a>>, ConvertError> {
        let index = self.index.unwrap_or(0);
        match policy.unsupported {
            Unsupported::Note => {
                losses.push(Loss::BlockNoted {
                    index,
                    kind: self.kind.clone().into_owned(),
                });
                Ok(Some(JsonRef::text(format!(
                    "[{}, {reason}]",
                    self.describe()
                ))))
            }
            Unsupported::Error => Err(ConvertError::Unsupported {
                index,
                what: self.describe(),
            }),
            Unsupported::Skip => {
                dropped(losses, index, &self.kind);
                Ok(None)
            }
        }
    }
}

/// The last segment of an address, if it has one.
pub(super) fn file_name(uri: &str) -> Option<&str> {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    path.rsplit(['/', '\\'])
        .next()
        .filter(|it| !it.is_empty() && *it != path)
}

/// Marks a failure in the text of a target that has no flag for it.
pub(super) fn mark_error<'a>(
    mut pieces: Vec<PieceOf<'a>>,
    mark: &ErrorMark,
    losses: &mut Losses,
) -> Vec<PieceOf<'a>> {
    const NO_MESSAGE: &str = "the tool reported an error without a message";
    let is_blank =
        |it: &PieceOf<'_>| matches!(&it.piece, Piece::Text(text) if text.trim().is_empty());
    pieces.retain(|it| !is_blank(it));
    let words = |piece: &PieceOf<'a>| match &piece.piece {
        Piece::Text(text) => Some(text.clone()),
        Piece::Document(document) => document.text.map(Cow::Borrowed),
        Piece::Structured(value) => Some(Cow::Owned(value.to_string())),
        _ => None,
    };
    let first = pieces.iter().position(|it| words(it).is_some());
    match mark {
        ErrorMark::Prefix(prefix) => {
            losses.push(Loss::ErrorFlagAsText);
            match first.and_then(|it| pieces.get_mut(it)) {
                Some(piece) => {
                    let text = words(piece).unwrap_or_default();
                    piece.piece = Piece::Text(format!("{prefix}{text}").into());
                }
                None => pieces.insert(0, PieceOf::text(None, format!("{prefix}{NO_MESSAGE}"))),
            }
        }
        ErrorMark::Json => {
            losses.push(Loss::ErrorFlagAsText);
            let all: Vec<Cow<'_, str>> = pieces.iter().filter_map(words).collect();
            let message = if all.is_empty() {
                NO_MESSAGE.to_owned()
            } else {
                all.join("\n")
            };
            pieces.retain(|it| words(it).is_none());
            let json = serde_json::json!({"error": message}).to_string();
            pieces.insert(0, PieceOf::text(None, json));
        }
        ErrorMark::None => {
            losses.push(Loss::ErrorFlagDropped);
            if pieces.is_empty() {
                pieces.push(PieceOf::text(None, NO_MESSAGE));
            }
        }
    }
    pieces
}

/// Texts joined with line feeds, without a copy if there is only one.
pub(super) fn join(mut texts: Vec<JsonRef<'_>>) -> JsonRef<'_> {
    if texts.len() <= 1 {
        return texts.pop().unwrap_or(JsonRef::text(""));
    }
    let mut joined = String::new();
    for (position, text) in texts.iter().enumerate() {
        if position > 0 {
            joined.push('\n');
        }
        match text {
            JsonRef::Text(text) => joined.push_str(text),
            JsonRef::JsonText(value) => joined.push_str(&value.to_string()),
            other => joined.push_str(other.to_value().as_str().unwrap_or("")),
        }
    }
    JsonRef::text(joined)
}

//! LangChain: a `ToolMessage`.
//!
//! Source: langchain-mcp-adapters 0.3.2 and the content blocks of langchain-core. `artifact` is for programs,
//! not for the model.

use std::borrow::Cow;

use super::{
    AsToolResult, Body, Call, ConvertError, Converted, HasVendor, JsonRef, Language, LinkRef,
    Piece, PieceOf, Policy, Preset, ResourceRef, ResultView,
    carrier::{Carrier, Linked, Types},
    converted,
    pieces::{annotations_lost, collect},
    said::is_in_texts,
};
use crate::loss::{Loss, Losses, shown};

mod javascript;

const EMPTY_ERROR: &str = "MCP tool returned an error with empty content.";

/// Its blocks are for any provider, so that what one of them refuses is for its package to decide.
pub(super) const CARRIER: Carrier = Carrier {
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    links: Linked::Https,
    ..Carrier::TEXT
};

/// Options of [`convert`]; the compat preset equals the vendor's adapters, errors included.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// The language of the vendor's package, for [`Preset::Compat`].
    pub language: Language,
}

impl HasVendor for Choices {}

impl Options {
    /// As the vendor's package in this language, for [`Preset::Compat`].
    #[must_use]
    pub fn with_language(mut self, language: Language) -> Self {
        self.choices.language = language;
        self
    }
}

/// A result for LangChain.
///
/// ```
/// use mcp_protocol::convert::{Call, langchain};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let call = Call::new("c1", "lookup");
/// let converted = langchain::convert(&result, call, &langchain::Options::rich())?;
/// assert_eq!(converted.output.to_value()["status"], "error");
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error;
/// with the compat preset also where the vendor's converter fails.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    call: Call<'a>,
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    if (options.preset, options.choices.language) == (Preset::Compat, Language::JavaScript) {
        return javascript::message(&view, call);
    }
    let (mut out, keeps_artifact) = match options.preset {
        Preset::Compat => (compat(&view)?, !view.is_error()),
        Preset::Rich => (rich(&view, &options.policy)?, true),
    };
    if view.is_error() && out.output.is_empty() {
        out.output.push(text_block(EMPTY_ERROR.into()));
    }
    let artifact = match view.non_null_structured().filter(|_| keeps_artifact) {
        Some(value) => {
            let value = JsonRef::Value(Cow::Borrowed(value));
            JsonRef::object([("structured_content", value)])
        }
        None => JsonRef::Null,
    };
    let status = if view.is_error() { "error" } else { "success" };
    Ok(out.map(|content| {
        JsonRef::object([
            ("tool_call_id", call.id.into()),
            ("name", call.name.into()),
            ("content", JsonRef::Array(content)),
            ("artifact", artifact),
            ("status", status.into()),
        ])
    }))
}

fn compat<'a>(view: &ResultView<'a>) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let mut losses = Losses::default();
    let mut blocks = Vec::with_capacity(view.len());
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        let kind = block.kind().to_owned();
        let made = match block.body {
            Body::Text(text) => Some(text_block(text.into())),
            // An empty type passes here; for resources it does not.
            Body::Image(media) if !media.data.is_empty() => media
                .mime_type
                .map(|it| bytes("image", media.data.into(), it.into())),
            Body::ResourceLink(link) => Some(by_url(&link)),
            Body::Resource(resource) => match resource.text {
                Some(text) => Some(text_block(text.into())),
                None => blob(&resource),
            },
            Body::Image(_) | Body::Audio(_) | Body::Other(_) => None,
        };
        match made {
            Some(block) => blocks.push(block),
            None => {
                return Err(ConvertError::Unsupported {
                    index,
                    what: format!("{} block", shown(&kind)),
                });
            }
        }
    }
    // The artifact has it, but no model reads that; failures lose both.
    if !is_in_texts(view) {
        losses.push(Loss::StructuredDropped);
    }
    Ok(Converted {
        losses,
        ..converted(blocks, view)
    })
}

fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let (mut out, _) = collect(view, policy, &CARRIER)?;
    let mut pieces = std::mem::take(&mut out.output);
    if view.is_error() && pieces.iter().all(PieceOf::is_blank) {
        pieces.clear();
    }
    let blocks = pieces.into_iter().filter_map(block).collect();
    Ok(out.map(|_| blocks))
}

pub(super) fn block(piece: PieceOf<'_>) -> Option<JsonRef<'_>> {
    match &piece.piece {
        Piece::Image(media) => Some(bytes("image", media.data.clone(), media.type_or_bytes())),
        Piece::Audio(media) => Some(bytes("audio", media.data.clone(), media.type_or_bytes())),
        Piece::File(media) => Some(bytes("file", media.data.clone(), media.type_or_bytes())),
        Piece::Link(link) => Some(by_url(link)),
        _ => piece.into_text().map(text_block),
    }
}

fn blob<'a>(resource: &ResourceRef<'a>) -> Option<JsonRef<'a>> {
    let data = resource.blob.filter(|it| !it.is_empty())?;
    let mime_type = resource.mime_type.filter(|it| !it.is_empty())?;
    let kind = if mime_type.starts_with("image/") {
        "image"
    } else {
        "file"
    };
    Some(bytes(kind, data.into(), mime_type.into()))
}

fn by_url<'a>(link: &LinkRef<'a>) -> JsonRef<'a> {
    let is_image = link.mime_type.is_some_and(|it| it.starts_with("image/"));
    let kind = if is_image { "image" } else { "file" };
    let mut members = vec![("type", JsonRef::text(kind)), ("url", link.uri.into())];
    members.extend(link.mime_type.map(|it| ("mime_type", it.into())));
    JsonRef::Object(members)
}

fn bytes<'a>(kind: &'static str, data: Cow<'a, str>, mime_type: Cow<'a, str>) -> JsonRef<'a> {
    JsonRef::object([
        ("type", kind.into()),
        ("base64", data.into()),
        ("mime_type", mime_type.into()),
    ])
}

pub(super) fn text_block(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "text".into()), ("text", text)])
}

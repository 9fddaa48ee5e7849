//! GitHub Copilot SDK: `ToolResultObject`.
//!
//! Source: `convert_mcp_call_tool_result` and its siblings in github/copilot-sdk (Rust crate
//! 1.0.29-preview.4; Node, Python and Go at cc0438d6), and the RPC schema's `contents`.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    AsToolResult, Body, ConvertError, Converted, HasVendor, JsonRef, LinkRef, MediaRef, Piece,
    PieceOf, Policy, Preset, ResourceRef, ResultView,
    carrier::{Carrier, Linked, Types},
    converted, dropped,
    media::canonical,
    piece::{join, link_text},
    pieces::{annotations_lost, collect},
    said::is_in_texts,
};
use crate::{
    loss::{Loss, Losses},
    parse::NotAToolResult,
};

/// It asks models of several providers, so that what one of them refuses is for the SDK to decide.
const CARRIER: Carrier = Carrier {
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    links: Linked::All,
    addresses: true,
    announces_sounds: true,
    ..Carrier::TEXT
};

const NO_CONTENT: &str = "tool reported an error without content";

/// Options of [`convert`]; the compat preset equals the vendor's helper, by default that of the Rust SDK.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// Whose converter [`Preset::Compat`] equals.
    pub flavor: Flavor,
}

/// The vendor's converters differ in pictures whose type is missing or empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Flavor {
    /// Both are skipped.
    #[default]
    Rust,
    /// Skipped if missing, kept if empty.
    Node,
    /// Both are kept, with an empty type.
    Python,
    /// As Python.
    Go,
}

impl HasVendor for Choices {}

impl Options {
    /// With the converter of another language for [`Preset::Compat`].
    #[must_use]
    pub fn with_flavor(mut self, flavor: Flavor) -> Self {
        self.choices.flavor = flavor;
        self
    }
}

/// A `ToolResultObject`; it serializes as such.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolResult<'a> {
    /// `textResultForLlm`.
    pub text: JsonRef<'a>,
    /// `resultType` is `failure`, not `success`.
    pub failed: bool,
    /// `binaryResultsForLlm`; absent if empty.
    pub binaries: Vec<Binary<'a>>,
    /// `contents`, for what the two above cannot carry; absent if empty.
    pub contents: Vec<JsonRef<'a>>,
    /// `error`.
    pub error: Option<&'static str>,
}

/// An entry of `binaryResultsForLlm`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Binary<'a> {
    /// Base64.
    pub data: Cow<'a, str>,
    /// `mimeType`.
    pub mime_type: Cow<'a, str>,
    /// `type` is `image`, not `resource`.
    pub is_image: bool,
    /// `description`: the resource's address.
    pub description: Option<&'a str>,
}

/// A result for the Copilot SDK.
///
/// ```
/// use mcp_protocol::convert::copilot;
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let converted = copilot::convert(&result, &copilot::Options::compat())?;
/// assert_eq!(
///     serde_json::to_string(&converted.output)?,
///     r#"{"textResultForLlm":"boom","resultType":"failure"}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result; with the compat preset also if `content` is absent.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    options: &Options,
) -> Result<Converted<'a, ToolResult<'a>>, ConvertError> {
    let view = result.view()?;
    match options.preset {
        Preset::Compat if !view.has_content() => Err(NotAToolResult::NoContent.into()),
        Preset::Compat => Ok(compat(&view, options.choices.flavor)),
        Preset::Rich => rich(&view, &options.policy),
    }
}

fn compat<'a>(view: &ResultView<'a>, flavor: Flavor) -> Converted<'a, ToolResult<'a>> {
    let mut losses = Losses::default();
    let mut texts = Vec::new();
    let mut binaries = Vec::new();
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        let kept = match &block.body {
            Body::Text(text) => {
                texts.push(JsonRef::Text(text.clone()));
                true
            }
            Body::Image(media) => {
                let image = image(media, flavor);
                let kept = image.is_some();
                binaries.extend(image);
                kept
            }
            Body::Resource(resource) => {
                let text = resource.text.filter(|it| !it.is_empty());
                if text.is_some() && resource.uri.is_some() {
                    losses.push(Loss::BlockAsText {
                        index,
                        kind: "resource".to_owned(),
                    });
                }
                texts.extend(text.map(JsonRef::text));
                let blob = resource.blob.filter(|it| !it.is_empty());
                binaries.extend(blob.map(|data| binary(data, resource)));
                text.is_some() || blob.is_some()
            }
            Body::Audio(_) | Body::ResourceLink(_) | Body::Other(_) => false,
        };
        if !kept {
            dropped(&mut losses, index, block.kind());
        }
    }
    if !is_in_texts(view) {
        losses.push(Loss::StructuredDropped);
    }
    let output = ToolResult {
        text: join(texts),
        failed: view.is_error(),
        binaries,
        contents: Vec::new(),
        error: None,
    };
    Converted {
        losses,
        ..converted(output, view)
    }
}

fn image<'a>(media: &MediaRef<'a>, flavor: Flavor) -> Option<Binary<'a>> {
    let mime_type = match (media.mime_type, flavor) {
        (None, Flavor::Python | Flavor::Go) => "",
        (None, Flavor::Rust | Flavor::Node) | (Some(""), Flavor::Rust) => return None,
        (Some(mime_type), _) => mime_type,
    };
    (!media.data.is_empty()).then_some(Binary {
        data: media.data.into(),
        mime_type: mime_type.into(),
        is_image: true,
        description: None,
    })
}

fn binary<'a>(data: &'a str, resource: &ResourceRef<'a>) -> Binary<'a> {
    let mime_type = resource.mime_type.filter(|it| !it.is_empty());
    Binary {
        data: data.into(),
        mime_type: mime_type.unwrap_or("application/octet-stream").into(),
        is_image: false,
        description: resource.uri.filter(|it| !it.is_empty()),
    }
}

fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
) -> Result<Converted<'a, ToolResult<'a>>, ConvertError> {
    let (mut out, _) = collect(view, policy, &CARRIER)?;
    let mut texts = Vec::new();
    let mut result = ToolResult {
        text: JsonRef::Null,
        failed: view.is_error(),
        binaries: Vec::new(),
        contents: Vec::new(),
        error: None,
    };
    let mut pieces = std::mem::take(&mut out.output);
    if result.failed && pieces.iter().all(PieceOf::is_blank) {
        pieces.clear();
        result.error = Some(NO_CONTENT);
        texts.push(JsonRef::text(NO_CONTENT));
    }
    for piece in pieces {
        match &piece.piece {
            Piece::Image(media) | Piece::File(media) => result.binaries.push(Binary {
                data: media.data.clone(),
                mime_type: media.type_or_bytes(),
                is_image: matches!(piece.piece, Piece::Image(_)),
                description: media
                    .uri
                    .filter(|it| !it.is_empty() && matches!(piece.piece, Piece::File(_))),
            }),
            Piece::Audio(media) => {
                result.contents.push(JsonRef::object([
                    ("type", "audio".into()),
                    ("data", media.data.clone().into()),
                    ("mimeType", media.type_or_bytes().into()),
                ]));
            }
            Piece::Link(link) => {
                // The text is a convenience; `contents` has the whole link.
                texts.push(link_text(link).into());
                // With a limit the text has to be enough: what is in `contents` would be said twice.
                if policy.limits.text.is_some() {
                    if link.has_details || link.mime_type.is_some() {
                        piece.said_as_text(&mut out.losses);
                    }
                    continue;
                }
                let details = piece.index.and_then(|it| view.block(it));
                let details = details.map(|it| it.to_json().into_owned());
                result.contents.push(link_content(link, details));
            }
            _ => texts.extend(piece.into_text()),
        }
    }
    result.text = join(texts);
    Ok(out.map(|_| result))
}

/// A link with its details, but without `_meta` and annotations.
fn link_content<'a>(link: &LinkRef<'a>, details: Option<Value>) -> JsonRef<'a> {
    let mut members = vec![
        ("type", JsonRef::text("resource_link")),
        ("uri", link.uri.into()),
    ];
    members.extend(link.name.map(|it| ("name", it.into())));
    let mime_type = link.mime_type.and_then(canonical);
    members.extend(mime_type.map(|it| ("mimeType", it.into())));
    if let Some(Value::Object(mut details)) = details {
        for name in ["title", "description", "size", "icons"] {
            let value = details.remove(name);
            members.extend(value.map(|it| (name, JsonRef::Value(Cow::Owned(it)))));
        }
    }
    JsonRef::Object(members)
}

impl<'a> ToolResult<'a> {
    /// The wire form.
    #[must_use]
    pub fn into_json(self) -> JsonRef<'a> {
        let kind = if self.failed { "failure" } else { "success" };
        let mut members = vec![
            ("textResultForLlm", self.text),
            ("resultType", JsonRef::text(kind)),
        ];
        if !self.binaries.is_empty() {
            let binaries = self.binaries.into_iter().map(Binary::into_json);
            members.push(("binaryResultsForLlm", JsonRef::Array(binaries.collect())));
        }
        if !self.contents.is_empty() {
            members.push(("contents", JsonRef::Array(self.contents)));
        }
        if let Some(error) = self.error {
            members.push(("error", error.into()));
        }
        JsonRef::Object(members)
    }
}

impl<'a> Binary<'a> {
    fn into_json(self) -> JsonRef<'a> {
        let kind = if self.is_image { "image" } else { "resource" };
        let mut members = vec![
            ("data", self.data.into()),
            ("mimeType", self.mime_type.into()),
            ("type", Cow::Borrowed(kind).into()),
        ];
        if let Some(description) = self.description {
            members.push(("description", description.into()));
        }
        JsonRef::Object(members)
    }
}

impl Serialize for ToolResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.clone().into_json().serialize(serializer)
    }
}

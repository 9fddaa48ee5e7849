//! Anthropic Messages API: a `tool_result` block.
//!
//! Source: `ToolResultBlockParam` and the `mcp` module of the anthropic package 2.12. The API refuses empty
//! texts, failures without content, and failures with anything but text
//! (vellum-ai/vellum-assistant#18387), pictures of more than 5 MiB of Base64 or 8,000 pixels
//! (anthropics/claude-code#19631, #4778), and pictures whose bytes are of another type than is said
//! (BerriAI/litellm#24900).

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, Call, ConvertError, Converted, HasVendor, JsonRef, Piece, PieceOf, Preset,
    ResultView,
    carrier::{Carrier, Linked, PICTURES, Place, Types},
    pieces::collect,
};

mod compat;

const NO_DETAILS: &str = "The tool reported an error without details.";
const PDF: &str = "application/pdf";

pub(super) const CARRIER: Carrier = Carrier {
    images: Types::Of(PICTURES),
    files: Types::Of(&[PDF]),
    // 5 MiB of Base64.
    image_bytes: 5 * 1024 * 1024 / 4 * 3,
    // A request has at most 32 MB, and the rest of it needs room as well.
    file_bytes: 20_000_000,
    text_chars: 20_000_000,
    pixels: 8_000,
    place: Place::BesideFailures,
    documents: true,
    links: Linked::Pictures,
    reason: "not supported",
    ..Carrier::TEXT
};

/// Options of [`convert`]; the compat preset equals the vendor's Python package, errors included.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// `cache_control` of the last block, for example `{"type": "ephemeral"}`.
    pub cache_control: Option<Value>,
    /// Whether documents have their address as `title`.
    pub titles: bool,
}

impl HasVendor for Choices {}

impl Options {
    setters! {
        /// With `cache_control` on the last block.
        with_cache_control(cache_control: Value) { choices.cache_control = Some(cache_control) }
        /// Whether documents have their address as `title`.
        with_titles(titles: bool) { choices.titles = titles }
    }
}

/// A result for the Messages API. [`Converted::follow_up`] has the pictures and files of a failure, which the API
/// refuses in it: send them in the same user message, after all results. If it is empty, there are none.
///
/// ```
/// use mcp_protocol::convert::{Call, anthropic};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let call = Call::new("t1", "lookup");
/// let converted = anthropic::convert(&result, call, &anthropic::Options::rich())?;
/// assert_eq!(converted.output.to_value()["is_error"], true);
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
    let (out, is_error) = match options.preset {
        Preset::Compat => (compat::content(&view)?, Some(view.is_error())),
        Preset::Rich => (
            rich(&view, options)?,
            Some(true).filter(|_| view.is_error()),
        ),
    };
    Ok(out.map(|content| {
        let mut members = vec![
            ("type", JsonRef::text("tool_result")),
            ("tool_use_id", call.id.into()),
        ];
        members.extend(content.map(|it| ("content", it)));
        members.extend(is_error.map(|it| ("is_error", JsonRef::Bool(it))));
        JsonRef::Object(members)
    }))
}

fn rich<'a>(
    view: &ResultView<'a>,
    options: &Options,
) -> Result<Converted<'a, Option<JsonRef<'a>>>, ConvertError> {
    let carrier = Carrier {
        uri: options.choices.titles,
        addresses: options.choices.titles,
        // Beside a failure a document is refused like a picture; its text is not.
        documents: !view.is_error(),
        links: if view.is_error() {
            Linked::No
        } else {
            CARRIER.links
        },
        ..CARRIER
    };
    let (mut out, beside) = collect(view, &options.policy, &carrier)?;
    out.follow_up
        .extend(beside.into_iter().filter_map(|it| block(it, options)));
    let mut pieces = std::mem::take(&mut out.output);
    pieces.retain(|it| !it.is_blank());
    let cache_control = &options.choices.cache_control;
    if let (
        [
            PieceOf {
                piece: Piece::Structured(value),
                ..
            },
        ],
        None,
    ) = (pieces.as_slice(), cache_control)
    {
        let content = Some(JsonRef::JsonText(Cow::Borrowed(*value)));
        return Ok(out.map(|_| content));
    }
    let mut blocks: Vec<_> = pieces
        .into_iter()
        .filter_map(|it| block(it, options))
        .collect();
    if blocks.is_empty() && view.is_error() {
        blocks.push(text_block(NO_DETAILS.into()));
    }
    if let (Some(JsonRef::Object(members)), Some(cache_control)) =
        (blocks.last_mut(), cache_control)
    {
        members.push((
            "cache_control",
            JsonRef::Value(Cow::Owned(cache_control.clone())),
        ));
    }
    let content = (!blocks.is_empty()).then_some(JsonRef::Array(blocks));
    Ok(out.map(|_| content))
}

pub(super) fn block<'a>(piece: PieceOf<'a>, options: &Options) -> Option<JsonRef<'a>> {
    match piece.piece {
        Piece::Image(media) => Some(image(media.type_or_bytes(), media.data)),
        Piece::Link(link) => {
            let source = JsonRef::object([("type", "url".into()), ("url", link.uri.into())]);
            Some(JsonRef::object([
                ("type", "image".into()),
                ("source", source),
            ]))
        }
        Piece::Document(document) if document.text.trim().is_empty() => None,
        Piece::Document(document) => Some(text_document(document.text, document.uri)),
        Piece::File(media) => {
            let title = media.uri.filter(|_| options.choices.titles);
            Some(pdf(media.data, title))
        }
        _ => piece.into_text().map(text_block),
    }
}

fn text_block(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "text".into()), ("text", text)])
}

fn image<'a>(media_type: Cow<'a, str>, data: Cow<'a, str>) -> JsonRef<'a> {
    let source = JsonRef::object([
        ("type", "base64".into()),
        ("media_type", media_type.into()),
        ("data", data.into()),
    ]);
    JsonRef::object([("type", "image".into()), ("source", source)])
}

fn pdf<'a>(data: Cow<'a, str>, title: Option<&'a str>) -> JsonRef<'a> {
    document("base64", PDF, data, title)
}

fn text_document<'a>(text: Cow<'a, str>, title: Option<&'a str>) -> JsonRef<'a> {
    document("text", "text/plain", text, title)
}

fn document<'a>(
    kind: &'static str,
    media_type: &'static str,
    data: Cow<'a, str>,
    title: Option<&'a str>,
) -> JsonRef<'a> {
    let source = JsonRef::object([
        ("type", kind.into()),
        ("media_type", media_type.into()),
        ("data", data.into()),
    ]);
    let mut members = vec![("type", JsonRef::text("document")), ("source", source)];
    members.extend(title.map(|it| ("title", it.into())));
    JsonRef::Object(members)
}

//! OpenAI Responses API: `function_call_output`.
//!
//! Source: `FunctionCallOutput` of the openai package 3.54. It has no flag for failure, takes pictures of
//! four types, and files as data URLs.

use std::borrow::Cow;

use super::{
    AsToolResult, Call, ConvertError, Converted, JsonRef, LinkRef, Links, MediaRef, Piece,
    ResourceRef,
    pieces::{Structure, collect, file_name, join, mark_error},
};

/// Options of [`convert`]; the vendor has no converter to match.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// Whether output of nothing but texts is one string, with line feeds between them.
    pub join: bool,
    /// Whether resources of text begin with a line that has their address.
    pub uri: bool,
}

impl Options {
    setters! {
        /// Whether output of nothing but texts is one string.
        with_join(join: bool) { choices.join = join }
        /// Whether resources of text begin with a line that has their address.
        with_uri(uri: bool) { choices.uri = uri }
    }
}

/// A result for the Responses API.
///
/// ```
/// use mcp_protocol::convert::{Call, openai_responses};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let call = Call::new("c1", "lookup");
/// let converted = openai_responses::convert(&result, call, &openai_responses::Options::rich())?;
/// assert_eq!(
///     serde_json::to_string(&converted.output)?,
///     r#"{"type":"function_call_output","call_id":"c1","output":"Error: boom"}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    call: Call<'a>,
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    let policy = &options.policy;
    let mut out = collect(&view, policy, Structure::AsText)?;
    let mut pieces = std::mem::take(&mut out.output);
    if view.is_error() {
        pieces = mark_error(pieces, &policy.error_mark, &mut out.losses);
    }
    let (mut texts, mut items) = (Vec::new(), Vec::new());
    for piece in pieces {
        let item = match &piece.piece {
            Piece::Image(media) if is_accepted(media) => Some(image(image_url(media))),
            Piece::File(file) => {
                piece.address_lost(&mut out.losses);
                Some(input_file(file))
            }
            Piece::Link(link) if policy.links == Links::Images && is_picture(link) => {
                Some(image(link.uri.into()))
            }
            _ => None,
        };
        let text = match item {
            Some(item) => {
                items.push(item);
                continue;
            }
            None => match piece.to_text(options.choices.uri, &mut out.losses) {
                Some(text) => Some(text),
                None => piece.unsupported(policy, "not shown", &mut out.losses)?,
            },
        };
        if let Some(text) = text {
            // An empty place for each text keeps the order if there turn out to be pictures too.
            items.push(JsonRef::Null);
            texts.push(text);
        }
    }
    let only_texts = texts.len() == items.len();
    let output = if only_texts && (options.choices.join || texts.len() <= 1) {
        join(texts)
    } else {
        let mut texts = texts.into_iter();
        let items = items.into_iter().filter_map(|item| match item {
            JsonRef::Null => texts.next().map(input_text),
            item => Some(item),
        });
        JsonRef::Array(items.collect())
    };
    Ok(out.map(|_| {
        JsonRef::object([
            ("type", "function_call_output".into()),
            ("call_id", call.id.into()),
            ("output", output),
        ])
    }))
}

fn input_text(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "input_text".into()), ("text", text)])
}

fn image<'a>(url: JsonRef<'a>) -> JsonRef<'a> {
    JsonRef::object([("type", "input_image".into()), ("image_url", url)])
}

fn input_file<'a>(file: &ResourceRef<'a>) -> JsonRef<'a> {
    let name = file.uri.and_then(file_name).unwrap_or("file");
    let data = JsonRef::DataUrl {
        mime_type: file
            .mime_type
            .filter(|it| !it.is_empty())
            .unwrap_or("application/octet-stream"),
        data: file.blob.unwrap_or(""),
    };
    JsonRef::object([
        ("type", Cow::Borrowed("input_file").into()),
        ("filename", name.into()),
        ("file_data", data),
    ])
}

/// The types that the API reads (its guide on images).
pub(super) fn is_accepted(media: &MediaRef<'_>) -> bool {
    media.data.starts_with("data:")
        || matches!(
            media.mime_type,
            Some("image/png" | "image/jpeg" | "image/gif" | "image/webp")
        )
}

/// A data URL; some servers send one already.
pub(super) fn image_url<'a>(media: &MediaRef<'a>) -> JsonRef<'a> {
    if media.data.starts_with("data:") {
        return media.data.into();
    }
    JsonRef::DataUrl {
        mime_type: media.mime_type.unwrap_or("application/octet-stream"),
        data: media.data,
    }
}

/// A picture that can be fetched.
pub(super) fn is_picture(link: &LinkRef<'_>) -> bool {
    link.uri.starts_with("https://") && link.mime_type.is_some_and(|it| it.starts_with("image/"))
}

//! OpenAI Chat Completions API: a `tool` message, which is text alone.
//!
//! Source: `ChatCompletionToolMessageParam` of the openai package 3.54. Pictures and PDF files go into a
//! user message that follows.

use super::{
    AsToolResult, Call, ConvertError, Converted, JsonRef, Piece,
    openai_responses::{image_url, is_accepted},
    pieces::{Structure, collect, file_name, join, mark_error},
};

/// Options of [`convert`]; the vendor has no converter to match.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// Whether resources of text begin with a line that has their address.
    pub uri: bool,
}

impl Options {
    /// Whether resources of text begin with a line that has their address.
    #[must_use]
    pub fn with_uri(mut self, uri: bool) -> Self {
        self.choices.uri = uri;
        self
    }
}

/// A result for Chat Completions. [`Converted::follow_up`] has the parts of a user message to be sent after
/// the tool's; if it is empty, none is needed.
///
/// ```
/// use mcp_protocol::convert::{Call, openai_chat};
///
/// let result = serde_json::json!({"content": [
///     {"type": "text", "text": "a"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"},
/// ]});
/// let call = Call::new("c1", "lookup");
/// let converted = openai_chat::convert(&result, call, &openai_chat::Options::rich())?;
/// assert_eq!(converted.output.to_value()["content"], "a\n[image/png image attached]");
/// assert_eq!(converted.follow_up.len(), 1);
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
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
    let mut texts = Vec::new();
    for piece in pieces {
        match &piece.piece {
            Piece::Image(media) if is_accepted(media) => {
                let mime_type = media.mime_type.unwrap_or("an");
                texts.push(JsonRef::text(format!("[{mime_type} image attached]")));
                let url = JsonRef::object([("url", image_url(media))]);
                out.follow_up.push(JsonRef::object([
                    ("type", "image_url".into()),
                    ("image_url", url),
                ]));
            }
            Piece::File(file) if file.mime_type == Some("application/pdf") => {
                piece.address_lost(&mut out.losses);
                let name = file.uri.and_then(file_name).unwrap_or("file.pdf");
                texts.push(JsonRef::text(format!(
                    "[application/pdf file {name} attached]"
                )));
                let data = JsonRef::DataUrl {
                    mime_type: "application/pdf",
                    data: file.blob.unwrap_or(""),
                };
                let file = JsonRef::object([("filename", name.into()), ("file_data", data)]);
                let part = JsonRef::object([("type", "file".into()), ("file", file)]);
                out.follow_up.push(part);
            }
            _ => match piece.to_text(options.choices.uri, &mut out.losses) {
                Some(text) => texts.push(text),
                None => texts.extend(piece.unsupported(policy, "not shown", &mut out.losses)?),
            },
        }
    }
    Ok(out.map(|_| {
        JsonRef::object([
            ("role", "tool".into()),
            ("tool_call_id", call.id.into()),
            ("content", join(texts)),
        ])
    }))
}

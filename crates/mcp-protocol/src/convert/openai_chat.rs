//! OpenAI Chat Completions API: a `tool` message, which is text alone.
//!
//! Source: `ChatCompletionToolMessageParam` of the openai package 3.54. Pictures and PDF files go into a
//! user message that follows.

use super::{
    AsToolResult, Call, ConvertError, Converted, JsonRef, Piece, PieceOf,
    carrier::{Carrier, Linked, Place, Types},
    openai_responses::{CARRIER as RESPONSES, data_url, name_of},
    piece::join,
    pieces::collect,
};

pub(super) const CARRIER: Carrier = Carrier {
    files: Types::Of(&["application/pdf"]),
    links: Linked::No,
    place: Place::Beside,
    ..RESPONSES
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

/// A result for Chat Completions. [`Converted::follow_up`] has the parts of a user message; if it is empty, none is
/// needed. It comes after the tool messages of all calls of the turn: the API refuses it between them.
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
    let carrier = Carrier {
        uri: options.choices.uri,
        ..CARRIER
    };
    let (mut out, beside) = collect(&view, &options.policy, &carrier)?;
    out.follow_up.extend(beside.iter().filter_map(part));
    let texts = std::mem::take(&mut out.output).into_iter();
    let texts: Vec<_> = texts.filter_map(PieceOf::into_text).collect();
    Ok(out.map(|_| {
        JsonRef::object([
            ("role", "tool".into()),
            ("tool_call_id", call.id.into()),
            ("content", join(texts)),
        ])
    }))
}

/// The part of a user message for a picture or a file.
pub(super) fn part<'a>(piece: &PieceOf<'a>) -> Option<JsonRef<'a>> {
    match &piece.piece {
        Piece::Image(media) => {
            let url = JsonRef::object([("url", data_url(media))]);
            Some(JsonRef::object([
                ("type", "image_url".into()),
                ("image_url", url),
            ]))
        }
        Piece::File(media) => {
            let file = JsonRef::object([
                ("filename", name_of(media).into()),
                ("file_data", data_url(media)),
            ]);
            Some(JsonRef::object([("type", "file".into()), ("file", file)]))
        }
        _ => None,
    }
}

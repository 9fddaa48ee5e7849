//! OpenAI Responses API: `function_call_output`.
//!
//! Source: `FunctionCallOutput` of the openai package 3.54. It has no flag for failure, takes pictures of
//! four types, and files of the types that its guide on file inputs lists, as data URLs. A string has at most
//! 10,485,760 characters (Shopify/roast#52).

use super::{
    AsToolResult, Call, ConvertError, Converted, JsonRef, LinkRef, Media, Piece, PieceOf,
    carrier::{Carrier, Linked, PICTURES, Types},
    piece::join,
    pieces::collect,
};

/// The types of the guide on file inputs that servers use.
pub(super) const FILES: &[&str] = &[
    "application/pdf",
    "application/msword",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.ms-powerpoint",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/rtf",
    "application/vnd.oasis.opendocument.text",
    "text/csv",
    "text/tab-separated-values",
    "text/plain",
    "text/markdown",
    "text/html",
    "application/json",
    "application/xml",
    "application/yaml",
];

pub(super) const CARRIER: Carrier = Carrier {
    images: Types::Of(PICTURES),
    files: Types::Of(FILES),
    image_bytes: 50_000_000 / 4 * 3,
    file_bytes: 50_000_000 / 4 * 3,
    text_chars: 10_000_000,
    links: Linked::Pictures,
    marks_failures: true,
    ..Carrier::TEXT
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
    let carrier = Carrier {
        uri: options.choices.uri,
        ..CARRIER
    };
    let (mut out, _) = collect(&view, &options.policy, &carrier)?;
    let (mut texts, mut items) = (Vec::new(), Vec::new());
    for piece in std::mem::take(&mut out.output) {
        match item(&piece) {
            Some(item) => items.push(item),
            None => {
                // An empty place for each text keeps the order if there turn out to be pictures too.
                items.push(JsonRef::Null);
                texts.extend(piece.into_text());
            }
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

pub(super) fn input_text(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "input_text".into()), ("text", text)])
}

/// The item of a piece that is not text.
pub(super) fn item<'a>(piece: &PieceOf<'a>) -> Option<JsonRef<'a>> {
    let image = |url| JsonRef::object([("type", "input_image".into()), ("image_url", url)]);
    match &piece.piece {
        Piece::Image(media) => Some(image(data_url(media))),
        Piece::Link(link) => Some(image(link.uri.into())),
        Piece::File(media) => Some(JsonRef::object([
            ("type", "input_file".into()),
            ("filename", name_of(media).into()),
            ("file_data", data_url(media)),
        ])),
        _ => None,
    }
}

/// Some name, because the API asks for one.
pub(super) fn name_of(media: &Media<'_>) -> String {
    media.name().unwrap_or_else(|| {
        let is_pdf = media.is("application/pdf");
        if is_pdf { "file.pdf" } else { "file" }.to_owned()
    })
}

pub(super) fn data_url<'a>(media: &Media<'a>) -> JsonRef<'a> {
    JsonRef::data_url(media.type_or_bytes(), media.data.clone())
}

/// A picture that can be fetched.
pub(super) fn is_picture(link: &LinkRef<'_>) -> bool {
    link.uri.starts_with("https://") && link.mime_type.is_some_and(|it| it.starts_with("image/"))
}

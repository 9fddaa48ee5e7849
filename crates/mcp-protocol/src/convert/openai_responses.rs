//! OpenAI Responses API: `function_call_output`.
//!
//! Source: `FunctionCallOutput` of the openai package 3.54. It has no flag for failure, takes pictures of
//! four types, and files of the types that its guide on file inputs lists (pydantic/pydantic-ai#4445), as data URLs. A
//! string has at most 10,485,760 characters (Shopify/roast#52).

use serde_json::Value;

use super::target::{
    Api, Carrier, Context, Found, Json, Linked, PICTURES, PieceOf, Row, Types, forms, join,
};

/// The types of the guide on file inputs that servers use.
const FILES: &str = "application/pdf application/msword \
    application/vnd.openxmlformats-officedocument.wordprocessingml.document \
    application/vnd.ms-powerpoint \
    application/vnd.openxmlformats-officedocument.presentationml.presentation application/vnd.ms-excel \
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/rtf \
    application/vnd.oasis.opendocument.text text/csv text/tab-separated-values text/plain text/markdown \
    text/html application/json application/xml application/yaml";

pub(super) const CARRIER: Carrier = Carrier {
    api: Api::Responses,
    forms: forms! {
        Text {"type": "input_text", "text": Text}
        Image {"type": "input_image", "image_url": DataUrl}
        Link {"type": "input_image", "image_url": Url}
        File {"type": "input_file", "filename": FileName, "file_data": DataUrl}
    },
    wants: "input_text, input_image or input_file is required",
    images: Types::Of(&[PICTURES]),
    files: Types::Of(&[FILES]),
    image_bytes: 50_000_000 / 4 * 3,
    file_bytes: 50_000_000 / 4 * 3,
    // What separates texts needs room as well.
    text_chars: 10_000_000,
    string_chars: 10_485_760,
    links: Linked::Pictures,
    marks_failures: true,
    ..Carrier::TEXT
};

/// The Responses API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OpenAiResponses {
    /// Whether output of nothing but texts is one string, with line feeds between them.
    pub(crate) join: bool,
    /// Whether resources of text begin with a line that has their address.
    pub(crate) uri: bool,
}

impl OpenAiResponses {
    setters! {
        /// Whether output of nothing but texts is one string.
        with_join(join: bool) { join = join }
        /// Whether resources of text begin with a line that has their address.
        with_uri(uri: bool) { uri = uri }
    }
}

impl Row for OpenAiResponses {
    fn carrier(&self, _: bool) -> Carrier {
        Carrier {
            uri: self.uri,
            ..CARRIER
        }
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let is_text = pieces.iter().all(PieceOf::is_text);
        let output = if is_text && (self.join || pieces.len() <= 1) {
            join(pieces.into_iter().filter_map(PieceOf::into_text).collect())
        } else {
            Json::Array(of.carrier.parts(pieces))
        };
        Json::object([
            ("type", "function_call_output".into()),
            ("call_id", of.call.id.into()),
            ("output", output),
        ])
    }

    fn check(&self, item: &Value, carrier: &Carrier, found: &mut Found) {
        found.is(item, "type", "function_call_output");
        found.words(item, "", "call_id");
        let items = item.get("output").and_then(Value::as_array);
        let is_filled = items.is_none_or(|it| !it.is_empty());
        found.check(is_filled, "output", "the array must not be empty");
        found.text_or_parts(item, "output", carrier);
    }
}

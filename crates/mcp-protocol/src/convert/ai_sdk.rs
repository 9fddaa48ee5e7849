//! Vercel AI SDK: the output of a tool (`LanguageModelV3ToolResultOutput`).
//!
//! Source: `mcpToModelOutput` of vercel/ai at ed857f50.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    failure::mark_error,
    policy::ErrorMark,
    target::{
        Api, Carrier, Context, Found, Json, NO_MESSAGE, PieceOf, Row, Types, forms, join,
        only_value,
    },
};

/// Its parts are for any provider, so that what one of them refuses is for its package to decide.
pub(super) const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"type": "text", "text": Text}
        Media {"type": "file", "mediaType": Type, "data": {"type": "data", "data": Data}}
    },
    // In a message a file is another part than in the output of a tool.
    of_messages: Some(forms! {
        Text {"type": "text", "text": Text}
        Media {"type": "file", "data": Data, "mediaType": Type}
    }),
    wants: "a text or a file is required",
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    no_message: Some(NO_MESSAGE),
    ..Carrier::TEXT
};

/// The AI SDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AiSdk {}

impl Row for AiSdk {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        model_output(pieces, of)
    }

    /// Its package for Bedrock says nothing of a failure.
    fn package(&self, api: &mut Carrier) {
        api.marks_failures |= api.api == Api::Bedrock;
    }

    fn check(&self, output: &Value, carrier: &Carrier, found: &mut Found) {
        check_output(carrier, output, found);
    }
}

/// The output around its parts, which are those of this target or of Mastra.
pub(super) fn model_output<'a>(mut pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
    let is_error = of.view.is_error();
    if let Some(value) = only_value(&pieces) {
        let kind = if is_error { "error-json" } else { "json" };
        return output(kind, Json::Value(Cow::Borrowed(value)));
    }
    if is_error && pieces.iter().all(|it| it.media().is_none()) {
        pieces.retain(|it| !it.is_blank());
        let texts = pieces.into_iter().filter_map(PieceOf::into_text);
        return output("error-text", join(texts.collect()));
    }
    if is_error && !of.carrier.marks_failures {
        // `error-text` has no place for media, so that text reports it.
        pieces = mark_error(pieces, &ErrorMark::default(), of.losses);
    }
    output("content", Json::Array(of.carrier.parts(pieces)))
}

pub(super) fn output<'a>(kind: &'static str, value: Json<'a>) -> Json<'a> {
    Json::object([("type", kind.into()), ("value", value)])
}

pub(super) fn check_output(carrier: &Carrier, output: &Value, found: &mut Found) {
    match found.text(output, "", "type") {
        "json" | "error-json" => {
            let has_value = output.get("value").is_some();
            found.check(has_value, "value", "a value is required");
        }
        "text" | "error-text" => {
            found.text(output, "", "value");
        }
        "content" => found.list_of_parts(output, "value", carrier),
        _ => found.add("type", "json, text, content or an error is required"),
    }
}

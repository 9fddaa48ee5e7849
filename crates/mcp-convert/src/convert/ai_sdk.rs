//! Vercel AI SDK 6 and 7, and Mastra: the output of a tool (`LanguageModelV3ToolResultOutput`).

use std::borrow::Cow;

use mcp_protocol::Losses;
use serde_json::Value;

use super::{
    bedrock::DOCUMENTS,
    block::Body,
    loss,
    media::What,
    parts::{annotations_lost, mark_error},
    target::{
        Carrier, Compat, Context, Conversion, ConvertError, Found, Json, PartOf, Provider, Row,
        Source, Types, converted, forms, joined, only_value, target,
    },
    view::ResultView,
};
/// Source: `LanguageModelV2ToolResultOutput` and its successors of ai 6 and 7: both read these parts, which 7 deprecates. Its
/// `file` makes 6 throw, and `media` of 6 is dropped by the packages for providers that go with 7.
pub(super) const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"type": "text", "text": Text}
        Image {"type": "image-data", "data": Data, "mediaType": Type}
        Media {"type": "file-data", "data": Data, "mediaType": Type}
    },
    // In a message a file is another part than in the output of a tool.
    of_messages: Some(forms! {
        Text {"type": "text", "text": Text}
        Media {"type": "file", "data": Data, "mediaType": Type}
    }),
    wants: "text, image-data or file-data is required",
    ..Carrier::ANY
};

target! {
    /// The AI SDK, and Mastra.
    pub(crate) AiSdk: CARRIER;

    fn whole<'a>(&self, mut parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let is_error = of.view.is_error;
        if let Some(value) = only_value(&mut parts) {
            let kind = if is_error { "error-json" } else { "json" };
            return output(kind, Json::Value(value));
        }
        if is_error && parts.iter().all(|it| it.media().is_none()) {
            parts.retain(|it| !it.is_blank());
            return output("error-text", joined(parts));
        }
        if is_error && !of.carrier.marks_failures {
            // `error-text` has no place for media, so that text reports it.
            parts = mark_error(parts, of.losses);
        }
        output("content", Json::Array(of.carrier.parts(parts)))
    }

    /// The packages for Bedrock and, with ai 6, for Gemini do not report failures. The package for Bedrock treats videos as
    /// documents.
    fn package(&self, api: &mut Carrier) {
        api.marks_failures |= matches!(api.api, Some(Provider::Bedrock | Provider::Gemini));
        if api.api == Some(Provider::Bedrock) {
            api.files = Types::Of(&[DOCUMENTS]);
        }
    }

    fn check(&self, output: &Value, carrier: &Carrier, found: &mut Found) {
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
}

fn output<'a>(kind: &'static str, value: Json<'a>) -> Json<'a> {
    Json::object([("type", kind.into()), ("value", value)])
}

/// `mcpToModelOutput` of @ai-sdk/mcp 2, which belongs to ai 7. It does not mark failures, sends blocks without a form as JSON text
/// including Base64, and accepts any JSON that is not a result as a value.
impl Compat for AiSdk {
    fn compat<'a>(&self, of: Source<'a>) -> Result<Conversion<'a, Json<'a>>, ConvertError> {
        match (of.view, of.json) {
            (Ok(view), _) if view.has_content => Ok(content(&view)),
            (Ok(_) | Err(_), Some(value)) => {
                let value = Json::Value(Cow::Borrowed(value));
                let nothing = ResultView::new(Vec::new());
                Ok(Conversion::new(output("json", value), &nothing))
            }
            (Ok(view), None) => Ok(content(&view)),
            (Err(error), None) => Err(error.into()),
        }
    }
}

fn content<'a>(view: &ResultView<'a>) -> Conversion<'a, Json<'a>> {
    let mut losses = Losses::default();
    if view.is_error {
        losses.push(loss::ERROR_FLAG_DROPPED, None, "");
    }
    let parts = view.blocks.iter().enumerate().map(|(index, block)| {
        annotations_lost(&mut losses, index, block);
        let part = match &block.body {
            Body::Text(text) => Some(Json::text_block(text.clone().into())),
            Body::Media(What::Image, it) => it.blob.zip(it.mime_type).map(|(data, mime_type)| {
                let data = Json::object([("type", "data".into()), ("data", data.into())]);
                let kind = ("type", "file".into());
                Json::object([kind, ("mediaType", mime_type.into()), ("data", data)])
            }),
            // Whatever a text block has in the place of its text is passed on.
            Body::Other(value) if block.kind() == "text" => {
                let text = value.get("text").cloned();
                text.map(|it| Json::text_block(Json::Value(Cow::Owned(it))))
            }
            _ => None,
        };
        part.unwrap_or_else(|| Json::text_block(Json::Encoded(block.to_json())))
    });
    let parts = Json::Array(parts.collect());
    converted(output("content", parts), losses, view)
}

//! Gemini API: a `functionResponse` part.
//!
//! Source: `FunctionResponse` of google-genai 3.4. It documents the keys `output` and `error` of `response`. Bytes travel in
//! `parts`, which models before Gemini 3 reject on Vertex AI (google-gemini/gemini-cli#19436).

use serde_json::Value;

use super::target::{
    Carrier, Context, Found, Json, NO_MESSAGE, Part, PartOf, Place, Provider, Row, Types, at,
    forms, join,
};

/// The pictures of a function response.
const PICTURES: &str = "image/png image/jpeg image/webp";
/// Those that only a message may have.
const OTHER_PICTURES: &str = "image/heic image/heif";
/// The sounds that the models hear, in messages alone (the API's page on understanding audio).
const SOUNDS: &str = "audio/wav audio/mpeg audio/aiff audio/aac audio/ogg audio/flac";
pub(super) const CARRIER: Carrier = Carrier {
    api: Some(Provider::Gemini),
    forms: forms! {
        Text {"text": Text}
        Media {"inlineData": {"mimeType": Type, "data": Data}}
    },
    wants: "text or inlineData is required",
    as_json: true,
    images: Types::Of(&[PICTURES, OTHER_PICTURES]),
    sounds: Types::Of(&[SOUNDS]),
    only_beside: Types::Of(&[SOUNDS, OTHER_PICTURES]),
    files: Types::Of(&["application/pdf"]),
    also_read: &["text/plain"],
    // A request has at most 20 MB of inline data.
    image_bytes: 14_000_000,
    file_bytes: 14_000_000,
    text_chars: 14_000_000,
    ..Carrier::TEXT
};

/// The Gemini API. Content that Gemini 2 rejects in a result follows it in the same message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Gemini {
    pub(crate) is_gemini_2: bool,
}

impl Gemini {
    mcp_protocol::setters! {
        /// Sets whether the model is Gemini 2. It accepts no images or files in `parts`, so they follow in the message after the
        /// result.
        with_gemini_2(is_gemini_2: bool) { is_gemini_2 = is_gemini_2 }
    }

    fn response<'a>(parts: Vec<PartOf<'a>>, is_error: bool) -> Json<'a> {
        let outputs = parts.into_iter().filter_map(|it| match it.part {
            Part::Structured(value) if !is_error => Some(Json::Value(value)),
            _ => it.into_text(),
        });
        let mut outputs: Vec<_> = outputs.collect();
        if is_error {
            outputs.retain(|it| !matches!(it, Json::Text(text) if text.trim().is_empty()));
            if outputs.is_empty() {
                outputs.push(NO_MESSAGE.into());
            }
            return Json::object([("error", join(outputs))]);
        }
        let output = match outputs.len() {
            0 | 1 => outputs.pop().unwrap_or(Json::text("")),
            _ => Json::Array(outputs),
        };
        Json::object([("output", output)])
    }
}

impl Row for Gemini {
    fn carrier(&self, _: bool) -> Carrier {
        let of_gemini_2 = self.is_gemini_2.then_some(Place::Beside);
        Carrier {
            place: of_gemini_2.unwrap_or(CARRIER.place),
            ..CARRIER
        }
    }

    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let (media, texts) = parts.into_iter().partition(|it| it.media().is_some());
        let mut members = vec![
            ("id", of.call.id.into()),
            ("name", of.call.name.into()),
            ("response", Self::response(texts, of.view.is_error)),
        ];
        let parts = of.carrier.parts(media);
        if !parts.is_empty() {
            members.push(("parts", Json::Array(parts)));
        }
        Json::object([("functionResponse", Json::Object(members))])
    }

    fn check(&self, part: &Value, carrier: &Carrier, found: &mut Found) {
        let path = "functionResponse";
        let Some(response) = part.get(path) else {
            found.add(path, "an object is required");
            return;
        };
        found.words(response, path, "name");
        let is_object = response.get("response").is_some_and(Value::is_object);
        found.check(is_object, &at(path, "response"), "an object is required");
        if response.get("parts").is_some() {
            let parts = found.list(response, path, "parts");
            let path = at(path, "parts");
            let rule = "function_response.parts is not supported for this model";
            found.check(!self.is_gemini_2, &path, rule);
            let inside = Carrier {
                images: Types::Of(&[PICTURES]),
                sounds: Types::Of(&[]),
                ..*carrier
            };
            found.parts(parts, &path, &inside);
        }
    }
}

//! OpenAI Chat Completions API: a `tool` message, which is text alone.
//!
//! Source: `ChatCompletionToolMessageParam` of the openai package 3.54. Pictures and PDF files
//! (trpc-group/trpc-agent-go#1816) go into a user message that follows, and so do sounds (`ChatCompletionContentPartInputAudioParam`)
//! for the models that hear.

use serde_json::Value;

use super::{
    openai_responses::CARRIER as RESPONSES,
    target::{
        Api, Carrier, Context, Found, Json, Linked, Names, PieceOf, Place, Row, Types, forms, join,
    },
};

/// The parts of a tool message.
const TEXTS: Carrier = Carrier {
    forms: forms! { Text {"type": "text", "text": Text} },
    ..Carrier::TEXT
};

const SOUNDS: Names = &[("audio/wav", "wav"), ("audio/mpeg", "mp3")];

pub(super) const CARRIER: Carrier = Carrier {
    api: Api::Chat,
    forms: forms! {
        Text {"type": "text", "text": Text}
        Image {"type": "image_url", "image_url": {"url": DataUrl}}
        Audio {"type": "input_audio", "input_audio": {"data": Data, "format": [SOUNDS]}}
        File {"type": "file", "file": {"filename": FileName, "file_data": DataUrl}}
    },
    wants: "text, image_url, input_audio or file is required",
    files: Types::Of(&["application/pdf"]),
    links: Linked::No,
    place: Place::Beside,
    ..RESPONSES
};

/// The Chat Completions API. Pictures and PDF files follow the result: the API refuses a user message between the tool
/// messages of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OpenAiChat {
    /// Whether resources of text begin with a line that has their address.
    pub(crate) uri: bool,
    /// Whether the model hears: sounds then follow the result.
    pub(crate) hears: bool,
}

impl OpenAiChat {
    setters! {
        /// Whether resources of text begin with a line that has their address.
        with_uri(uri: bool) { uri = uri }
        /// Whether the model hears.
        with_hears(hears: bool) { hears = hears }
    }
}

impl Row for OpenAiChat {
    fn carrier(&self, _: bool) -> Carrier {
        let sounds: &[Names] = if self.hears { &[SOUNDS] } else { &[] };
        Carrier {
            uri: self.uri,
            sounds: Types::Keys(sounds),
            ..CARRIER
        }
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let texts = pieces.into_iter().filter_map(PieceOf::into_text);
        Json::object([
            ("role", "tool".into()),
            ("tool_call_id", of.call.id.into()),
            ("content", join(texts.collect())),
        ])
    }

    fn check(&self, message: &Value, carrier: &Carrier, found: &mut Found) {
        found.is(message, "role", "tool");
        found.words(message, "", "tool_call_id");
        match message.get("content") {
            Some(Value::String(text)) => found.length("content", text, carrier),
            // Parts are allowed that are texts.
            Some(Value::Array(parts)) => found.parts(parts, "content", &TEXTS),
            Some(_) | None => found.add("content", "a string or an array is required"),
        }
    }
}

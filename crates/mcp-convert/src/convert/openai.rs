//! OpenAI's APIs, the Agents SDK and Codex.

use serde_json::Value;

use super::target::{
    Carrier, Context, Envelope, Found, Json, Linked, PICTURES, Part, PartOf, Place, Provider, Row,
    Types, forms, joined, target,
};

/// The types of the guide on file inputs that servers use.
const FILES: &str = "application/pdf application/msword \
    application/vnd.openxmlformats-officedocument.wordprocessingml.document \
    application/vnd.ms-powerpoint \
    application/vnd.openxmlformats-officedocument.presentationml.presentation application/vnd.ms-excel \
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/rtf \
    application/vnd.oasis.opendocument.text text/csv text/tab-separated-values text/plain text/markdown \
    text/html application/json application/xml application/yaml";

/// Source: `FunctionCallOutput` of the openai package 3.54. It has no flag for failure, takes pictures of
/// four types, and files of the types that its guide on file inputs lists (pydantic/pydantic-ai#4445), as data URLs. A
/// string has at most 10,485,760 characters (Shopify/roast#52).
pub(super) const RESPONSES: Carrier = Carrier {
    api: Some(Provider::OpenAiResponses),
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

const SOUNDS: &str = "audio/wav:wav audio/mpeg:mp3";

/// Source: `ChatCompletionToolMessageParam` of the openai package 3.54, which is text alone. Pictures and PDF files
/// (trpc-group/trpc-agent-go#1816) go into a user message that follows, and so do sounds (`ChatCompletionContentPartInputAudioParam`)
/// for the models that hear.
pub(super) const CHAT: Carrier = Carrier {
    api: Some(Provider::OpenAiChat),
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

/// The parts of a tool message.
const CHAT_TEXTS: Carrier = Carrier {
    forms: forms! { Text {"type": "text", "text": Text} },
    ..Carrier::TEXT
};

/// Source: openai-agents 0.24 (`MCPUtil.invoke_mcp_tool`) and its `ToolOutputText`, `ToolOutputImage`,
/// `ToolOutputFileContent`. The runner passes items on to the Responses API.
const AGENTS: Carrier = Carrier {
    forms: forms! {
        Text {"type": "text", "text": Text}
        Image {"type": "image", "image_url": DataUrl}
        File {"type": "file", "file_data": DataUrl, "filename": FileName}
    },
    of_prompts: Some(&RESPONSES),
    wants: "text, an image or a file is required",
    links: Linked::No,
    ..RESPONSES
};

/// Source: `FunctionCallOutputPayload` in openai/codex `protocol/src/mcp.rs` and `models.rs`. Only `body` goes to the model;
/// `success` is for the host. Its items go to the Responses API; it has none for files.
const CODEX: Carrier = Carrier {
    forms: forms! {
        Text {"type": "encrypted_content", "encrypted_content": Encrypted}
        Text {"type": "input_text", "text": Text}
        Image {"type": "input_image", "image_url": DataUrl, "detail": Detail}
        Audio {"type": "input_audio", "audio_url": DataUrl}
    },
    of_prompts: Some(&RESPONSES),
    around: Envelope::Object("body", ("success", false)),
    wants: "input_text, input_image, input_audio or encrypted_content is required",
    sounds: Types::Of(&["audio/wav audio/mpeg"]),
    files: Types::Of(&[]),
    ..RESPONSES
};

target! {
    /// The OpenAI Responses API.
    pub OpenAiResponses: RESPONSES;

    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let is_text = |it: &PartOf<'_>| matches!(it.part, Part::Text(_) | Part::Structured(_));
        let is_text = parts.iter().all(is_text);
        let output = if is_text && parts.len() <= 1 {
            joined(parts)
        } else {
            Json::Array(of.carrier.parts(parts))
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

/// The OpenAI Chat Completions API. Images and PDF files follow the result because the API rejects a user message between the tool
/// messages of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OpenAiChat {
    pub(crate) hears: bool,
}

impl OpenAiChat {
    mcp_protocol::setters! {
        /// Sets whether the model supports audio input.
        with_audio_input(hears: bool) { hears = hears }
    }
}

impl Row for OpenAiChat {
    fn carrier(&self, _: bool) -> Carrier {
        let sounds: &[&str] = if self.hears { &[SOUNDS] } else { &[] };
        Carrier {
            sounds: Types::Of(sounds),
            ..CHAT
        }
    }

    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        Json::object([
            ("role", "tool".into()),
            ("tool_call_id", of.call.id.into()),
            ("content", joined(parts)),
        ])
    }

    fn check(&self, message: &Value, carrier: &Carrier, found: &mut Found) {
        found.is(message, "role", "tool");
        found.words(message, "", "tool_call_id");
        match message.get("content") {
            Some(Value::String(text)) => found.length("content", text, carrier),
            // Parts are allowed that are texts.
            Some(Value::Array(parts)) => found.parts(parts, "content", &CHAT_TEXTS),
            Some(_) | None => found.add("content", "a string or an array is required"),
        }
    }
}

target! {
    /// The Agents SDK: one item, a list of items, or a string of JSON.
    pub(crate) OpenAiAgents: AGENTS;

    fn check(&self, output: &Value, carrier: &Carrier, found: &mut Found) {
        // A string is for the runner to send.
        if !output.is_string() {
            found.whole(output, carrier);
        }
    }
}

target! {
    /// Codex: `{"body": …, "success": …}`.
    pub Codex: CODEX;

    fn check(&self, payload: &Value, carrier: &Carrier, found: &mut Found) {
        found.text_or_parts(payload, "body", carrier);
    }
}

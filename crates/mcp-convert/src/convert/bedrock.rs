//! Amazon Bedrock Converse API: a `toolResult` block.
//!
//! Source: `ToolResultBlock` of the Converse API, as rig-bedrock and Strands fill it. The API rejects blank texts, `json` that is
//! not an object, two documents with the same name (maximhq/bifrost#7003), more than 20 images or 5 documents, images over 3.75 MB
//! or 8,000 pixels, and documents over 4.5 MB. Anthropic models reject everything but text in a failure, and OpenAI models reject
//! images in any result (can1357/oh-my-pi#11681).

use std::{borrow::Cow, collections::BTreeSet};

use mcp_protocol::LossKind;
use serde_json::{Value, json};

use super::target::{
    Carrier, Context, Found, Json, NO_MESSAGE, NO_OUTPUT, Part, PartOf, Place, Provider, Row,
    Types, at, forms,
};
pub(super) const IMAGES: &str = "image/png:png image/jpeg:jpeg image/gif:gif image/webp:webp";
pub(super) const DOCUMENTS: &str = "application/pdf:pdf text/csv:csv application/msword:doc \
    application/vnd.openxmlformats-officedocument.wordprocessingml.document:docx application/vnd.ms-excel:xls \
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet:xlsx text/html:html text/plain:txt \
    text/markdown:md";
const VIDEOS: &str = "video/mp4:mp4 video/quicktime:mov video/x-matroska:mkv video/webm:webm";

pub(super) const CARRIER: Carrier = Carrier {
    api: Some(Provider::Bedrock),
    forms: forms! {
        Json {"json": JsonObject}
        Text {"text": Words}
        Image {"image": {"format": [IMAGES], "source": {"bytes": Data}}}
        File {"document": {"format": [DOCUMENTS], "name": DocumentName, "source": {"bytes": Data}}}
        File {"video": {"format": [VIDEOS], "source": {"bytes": Data}}}
    },
    wants: "text, json, an image, a document or a video is required",
    as_json: true,
    images: Types::Of(&[IMAGES]),
    files: Types::Of(&[DOCUMENTS, VIDEOS]),
    image_bytes: 3_750_000,
    file_bytes: 4_500_000,
    pixels: 8_000,
    max_images: 20,
    max_files: 5,
    text_chars: 20_000_000,
    place: Place::BesideFailures,
    drops_blank: true,
    no_output: Some(NO_OUTPUT),
    no_message: Some(NO_MESSAGE),
    ..Carrier::TEXT
};

/// The Amazon Bedrock Converse API. Images and documents that the models reject in a result follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Bedrock {
    pub(crate) is_open_ai: bool,
}

impl Bedrock {
    mcp_protocol::setters! {
        /// Sets whether the model is an OpenAI model, which accepts only text. Anthropic and Amazon models accept images and
        /// documents, except in a failure.
        with_openai_model(is_open_ai: bool) { is_open_ai = is_open_ai }
    }

    /// The content of a result.
    pub(super) fn content<'a>(
        self,
        mut parts: Vec<PartOf<'a>>,
        of: &mut Context<'a, '_>,
    ) -> Json<'a> {
        let is_error = of.view.is_error;
        for part in &mut parts {
            match &part.part {
                Part::Structured(value) if !is_error && !value.is_object() => {
                    of.losses.push(LossKind::WRAPPED, None, "\"result\"");
                    part.part = Part::Other(Cow::Owned(json!({"result": value})));
                }
                _ => (),
            }
        }
        Json::Array(of.carrier.parts(parts))
    }

    /// What is wrong with the content of a result.
    pub(super) fn check_content(
        self,
        result: &Value,
        path: &str,
        carrier: &Carrier,
        found: &mut Found,
    ) {
        let content = found.list(result, path, "content");
        let path_of_content = at(path, "content");
        let rule = "content must not be empty";
        found.check(!content.is_empty(), &path_of_content, rule);
        let of = |name| content.iter().filter_map(move |it: &Value| it.get(name));
        for (name, what, most) in [
            ("image", "pictures", carrier.max_images),
            ("document", "documents", carrier.max_files),
        ] {
            let rule = format!("at most {most} {what} are allowed");
            found.check(of(name).count() <= most, path, &rule);
        }
        let failed = result.get("status").and_then(Value::as_str) == Some("error");
        for (index, part) in content.iter().enumerate() {
            let path = format!("{path_of_content}[{index}]");
            let is_text = part.get("text").is_some();
            // The models of Anthropic behind this API have the rule of their own.
            found.check(is_text || !failed, &path, "a failure is text alone");
            let is_data = is_text || part.get("json").is_some();
            let may_have = is_data || !self.is_open_ai;
            found.check(may_have, &path, "this model reads no pictures in a result");
        }
        found.parts(content, &path_of_content, carrier);
        let mut names = BTreeSet::new();
        for name in of("document").filter_map(|it| it.get("name")?.as_str()) {
            let rule = "names of documents must be unique";
            found.check(names.insert(name), &path_of_content, rule);
        }
    }
}

impl Row for Bedrock {
    fn carrier(&self, is_error: bool) -> Carrier {
        let of_open_ai = self.is_open_ai.then_some(Place::Beside);
        Carrier {
            place: of_open_ai.unwrap_or(CARRIER.place),
            as_json: !is_error,
            ..CARRIER
        }
    }

    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let content = self.content(parts, of);
        let result = Json::object([
            ("toolUseId", of.call.id.into()),
            ("content", content),
            ("status", of.status().into()),
        ]);
        Json::object([("toolResult", result)])
    }

    fn check(&self, block: &Value, carrier: &Carrier, found: &mut Found) {
        let path = "toolResult";
        let Some(result) = block.get(path) else {
            found.add(path, "an object is required");
            return;
        };
        found.words(result, path, "toolUseId");
        let status = result.get("status").and_then(Value::as_str);
        let is_status = matches!(status, None | Some("success" | "error"));
        let rule = "success or error is required";
        found.check(is_status, &at(path, "status"), rule);
        self.check_content(result, path, carrier, found);
    }
}

/// The pictures that Python's module mimetypes knows by their names for Bedrock, in each of its versions.
const PICTURES_OF_PYTHON: &str = "image/png image/jpeg image/gif";

/// Strands Agents SDK for Python: a `ToolResult`, which its models turn into their provider's. Bytes are in Base64 here, and the SDK
/// holds them decoded.
///
/// Source: `MCPClient` of strands-agents 1.62.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Strands {}

impl Row for Strands {
    fn carrier(&self, is_error: bool) -> Carrier {
        Bedrock::default().carrier(is_error)
    }

    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let content = Bedrock::default().content(parts, of);
        let mut members = vec![
            ("status", Json::text(of.status())),
            ("toolUseId", of.call.id.into()),
            ("content", content),
        ];
        let structured = of.structured.take();
        members.extend(structured.map(|it| ("structuredContent", Json::Value(it))));
        members.push(("isError", Json::small(of.view.is_error)));
        Json::Object(members)
    }

    /// The model classes map types by Python's module mimetypes, which does not include all. The class for Gemini does not report
    /// failures, and prints bytes as JSON.
    fn package(&self, api: &mut Carrier) {
        if matches!(
            api.api,
            Some(Provider::OpenAiResponses | Provider::OpenAiChat | Provider::Gemini)
        ) {
            api.images = Types::Of(&[PICTURES_OF_PYTHON]);
        }
        if api.api == Some(Provider::OpenAiResponses) {
            api.files = Types::Of(&["application/pdf text/csv text/html text/plain"]);
        } else if api.api == Some(Provider::Gemini) {
            (api.place, api.marks_failures) = (Place::Beside, true);
        }
    }

    fn check(&self, result: &Value, carrier: &Carrier, found: &mut Found) {
        found.words(result, "", "toolUseId");
        Bedrock::default().check_content(result, "", carrier, found);
    }
}

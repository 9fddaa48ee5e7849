//! SDKs with parts for any provider, and SDKs with plain text or their own parts.

use serde_json::Value;

use super::{
    bedrock::IMAGES,
    target::{
        Carrier, Context, Envelope, Found, Json, PartOf, Place, Provider, Row, Target, Types,
        forms, joined, target,
    },
};

/// Source: `ContentBlock` of llama-index-core 0.14. The vendor's tools have no converter: a model gets what Python
/// prints of the whole result. A tool that returns these blocks gives them to the model.
const LLAMA_INDEX: Carrier = Carrier {
    forms: forms! {
        Text {"block_type": "text", "text": Text}
        Image {"block_type": "image", "image": Data, "image_mimetype": Type}
        Audio {"block_type": "audio", "audio": Data, "format": SoundFormat}
        File {"block_type": "document", "data": Data, "document_mimetype": Type, "title": Name}
    },
    of_prompts: Some(&Carrier::TEXT),
    around: Envelope::Object("blocks", ("is_error", true)),
    wants: "text, an image, audio or a document is required",
    ..Carrier::ANY
};

/// Source: `_map_mcp_call_tool_result` of pydantic-ai-slim 2.68. Bytes are `{"data": BASE64, "media_type": …}` here;
/// the package holds a `BinaryContent`.
const PYDANTIC_AI: Carrier = Carrier {
    forms: forms! {
        Media {"data": Data, "media_type": Type}
        Json Json
        Text Text
    },
    of_prompts: Some(&Carrier::TEXT),
    as_json: true,
    ..Carrier::ANY
};

/// The types that rig has a name for.
const PICTURES: &str = "image/jpeg:jpeg image/png:png image/gif:gif image/webp:webp image/heic:heic \
    image/heif:heif image/svg+xml:svg";

/// Source: rig-rmcp 0.44, `ToolResultContent` of rig-core.
const RIG: Carrier = Carrier {
    forms: forms! {
        Json {"type": "json", "value": Json}
        Text {"type": "text", "text": Text}
        Image {
            "type": "image",
            "data": {"type": "base64", "value": Data},
            "media_type": [PICTURES]
        }
    },
    of_prompts: Some(&Carrier::TEXT),
    around: Envelope::List,
    no_output: Some(""),
    wants: "text, an image or json is required",
    as_json: true,
    images: Types::Of(&[PICTURES]),
    no_message: Some("the MCP tool reported an error"),
    ..Carrier::TEXT
};

const PLAIN_TEXT: Carrier = Carrier {
    no_message: Carrier::ANY.no_message,
    ..Carrier::TEXT
};

target! {
    /// LlamaIndex: `blocks` and `is_error` of a `ToolOutput`. Bytes are in Base64, which its blocks read.
    pub(crate) LlamaIndex: LLAMA_INDEX;

    /// The packages do not report failures. The package for Gemini supports no audio and only images in a result. The package for
    /// Bedrock supports texts, and forwards document names that the API rejects.
    fn package(&self, api: &mut Carrier) {
        api.marks_failures = true;
        if api.api == Some(Provider::Gemini) {
            api.sounds = Types::Of(&[]);
            api.only_beside = Types::Of(&["application/pdf image/heic image/heif"]);
        } else if api.api == Some(Provider::Bedrock) {
            api.files = Types::Of(&[]);
            api.only_beside = Types::Of(&[IMAGES]);
        }
    }
}

target! {
    /// Pydantic AI: one value, or a list of them. Of what [`failed`](crate::Conversion::failed) raise `ModelRetry` or
    /// `ToolFailed`.
    pub(crate) PydanticAi: PYDANTIC_AI;

    /// The model class for Gemini does not report failures that consist only of bytes.
    fn package(&self, api: &mut Carrier) {
        if api.api == Some(Provider::Gemini) {
            api.place = api.place.max(Place::BesideFailures);
        }
    }
}

target! {
    /// rig: the content list of a `ToolOutput`. If the tool [failed](crate::Conversion::failed), return a `ToolExecutionError` with
    /// this list as its model output.
    pub Rig: RIG;
}

target! {
    /// Plain text, for hosts that accept nothing else. [`failed`](crate::Conversion::failed) marks failures separately.
    pub PlainText: PLAIN_TEXT;

    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, _: &mut Context<'a, '_>) -> Json<'a> {
        joined(parts)
    }

    fn check(&self, text: &Value, carrier: &Carrier, found: &mut Found) {
        found.part(text, "", carrier);
    }
}

/// A framework and the provider behind it, which its packages hand results on to: what either of them does not carry is
/// not sent.
///
/// Results are in the shape of the SDK, without what its package for the provider raises on, drops or has the provider reject.
#[derive(Debug)]
pub(crate) struct Framework {
    pub(crate) sdk: Box<dyn Target>,
    pub(crate) provider: Box<dyn Target>,
}

impl Row for Framework {
    fn carrier(&self, is_error: bool) -> Carrier {
        let mut provider = self.provider.carrier(is_error);
        self.sdk.package(&mut provider);
        self.sdk.carrier(is_error).behind_which(&provider)
    }

    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        self.sdk.whole(parts, of)
    }

    fn check(&self, result: &Value, carrier: &Carrier, found: &mut Found) {
        self.sdk.check(result, carrier, found);
    }
}

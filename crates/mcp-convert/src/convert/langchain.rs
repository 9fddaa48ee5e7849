//! LangChain: a `ToolMessage`.
//!
//! Source: langchain-mcp-adapters 0.3.2 and the content blocks of langchain-core. `artifact` is meant for programs, not for the
//! model.

use std::borrow::Cow;

use mcp_protocol::Losses;
use serde_json::Value;

use super::{
    bedrock::DOCUMENTS,
    block::Body,
    media::What,
    part::{Part, PartOf},
    parts::annotations_lost,
    target::{
        CallRef, Carrier, Compat, Context, Conversion, ConvertError, Found, Json, Linked, Place,
        Provider, Row, Source, Types, converted, forms, no_form, target,
    },
    view::ResultView,
};
const EMPTY_ERROR: &str = "MCP tool returned an error with empty content.";

/// Its blocks are for any provider, so that what one of them refuses is for its package to decide.
pub(super) const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"type": "text", "text": Text}
        Image {"type": "image", "base64": Data, "mime_type": Type}
        Audio {"type": "audio", "base64": Data, "mime_type": Type}
        File {"type": "file", "base64": Data, "mime_type": Type}
        Link {"type": "image", "url": PictureUrl, "mime_type": LinkType}
        Link {"type": "file", "url": Url, "mime_type": LinkType}
    },
    wants: "text, an image, audio or a file is required",
    links: Linked::Https,
    no_message: Some(EMPTY_ERROR),
    ..Carrier::ANY
};

target! {
    /// LangChain.
    pub(crate) LangChain: CARRIER;

    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let structured = of.structured.take();
        message(of.carrier.parts(parts), structured, of.view, of.call)
    }

    /// langchain-google-genai does not report the status and drops bytes. langchain-aws treats videos as documents.
    fn package(&self, api: &mut Carrier) {
        if api.api == Some(Provider::Gemini) {
            (api.place, api.marks_failures) = (Place::Beside, true);
        } else if api.api == Some(Provider::Bedrock) {
            api.files = Types::Of(&[DOCUMENTS]);
        }
    }

    fn check(&self, message: &Value, carrier: &Carrier, found: &mut Found) {
        found.words(message, "", "tool_call_id");
        found.list_of_parts(message, "content", carrier);
    }
}

/// The adapters for Python, errors included.
impl Compat for LangChain {
    fn compat<'a>(&self, of: Source<'a>) -> Result<Conversion<'a, Json<'a>>, ConvertError> {
        let view = of.view?;
        let mut blocks = Vec::with_capacity(view.blocks.len());
        let mut losses = Losses::default();
        for (index, block) in view.blocks.iter().enumerate() {
            annotations_lost(&mut losses, index, block);
            let made = match &block.body {
                Body::Text(text) => Some(Json::text_block(text.clone().into())),
                // An empty type passes here; for resources it does not.
                Body::Media(What::Image, it) => {
                    let data = it.blob.filter(|it| !it.is_empty());
                    CARRIER.as_came(What::Image, data, it.mime_type, None)
                }
                Body::ResourceLink(link) => CARRIER.part(PartOf::new(None, "", Part::Link(*link))),
                Body::Media(What::File, it) => match it.text {
                    Some(text) => Some(Json::text_block(text.into())),
                    None => {
                        let data = it.blob.filter(|it| !it.is_empty());
                        let mime_type = it.mime_type.filter(|it| !it.is_empty());
                        let is_image = mime_type.map(What::of) == Some(What::Image);
                        let what = if is_image { What::Image } else { What::File };
                        CARRIER.as_came(what, data, mime_type, None)
                    }
                },
                Body::Media(What::Audio, _) | Body::Other(_) => None,
            };
            blocks.push(made.ok_or_else(|| no_form(index, block.kind()))?);
        }
        if view.is_error && blocks.is_empty() {
            blocks.push(Json::text_block(EMPTY_ERROR.into()));
        }
        // The artifact has the structured value, but no model reads that; failures lose both.
        let artifact = view.non_null_structured().filter(|_| !view.is_error);
        let artifact = artifact.map(Cow::Borrowed);
        let message = message(blocks, artifact, &view, of.call);
        Ok(converted(message, losses, &view))
    }
}

/// The message around its blocks, with this value as its artifact.
fn message<'a>(
    blocks: Vec<Json<'a>>,
    artifact: Option<Cow<'a, Value>>,
    view: &ResultView<'a>,
    call: CallRef<'a>,
) -> Json<'a> {
    let artifact = artifact.map_or(Json::small(()), |it| {
        Json::object([("structured_content", Json::Value(it))])
    });
    let status = if view.is_error { "error" } else { "success" };
    Json::object([
        ("tool_call_id", call.id.into()),
        ("name", call.name.into()),
        ("content", Json::Array(blocks)),
        ("artifact", artifact),
        ("status", status.into()),
    ])
}

//! LangChain: a `ToolMessage`.
//!
//! Source: langchain-mcp-adapters 0.3.2 and the content blocks of langchain-core. `artifact` is for programs,
//! not for the model.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    bedrock::DOCUMENTS,
    target::{Api, Call, Carrier, Context, Found, Json, Linked, PieceOf, Place, Row, Types, forms},
    view::ResultView,
};

pub(super) const EMPTY_ERROR: &str = "MCP tool returned an error with empty content.";

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
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    links: Linked::Https,
    no_message: Some(EMPTY_ERROR),
    ..Carrier::TEXT
};

/// LangChain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LangChain {}

impl Row for LangChain {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let structured = of.view.non_null_structured();
        message(of.carrier.parts(pieces), structured, of.view, of.call)
    }

    /// langchain-google-genai says nothing of the status and drops what has bytes; langchain-aws takes videos for documents.
    fn package(&self, api: &mut Carrier) {
        if api.api == Api::Gemini {
            (api.place, api.marks_failures) = (Place::Beside, true);
        } else if api.api == Api::Bedrock {
            api.files = Types::Keys(&[DOCUMENTS]);
        }
    }

    fn check(&self, message: &Value, carrier: &Carrier, found: &mut Found) {
        found.words(message, "", "tool_call_id");
        found.list_of_parts(message, "content", carrier);
    }
}

/// The message around its blocks, with this value as its artifact.
pub(super) fn message<'a>(
    blocks: Vec<Json<'a>>,
    artifact: Option<&'a Value>,
    view: &ResultView<'a>,
    call: Call<'a>,
) -> Json<'a> {
    let artifact = artifact.map_or(Json::Null, |it| {
        Json::object([("structured_content", Json::Value(Cow::Borrowed(it)))])
    });
    let status = if view.is_error() { "error" } else { "success" };
    Json::object([
        ("tool_call_id", call.id.into()),
        ("name", call.name.into()),
        ("content", Json::Array(blocks)),
        ("artifact", artifact),
        ("status", status.into()),
    ])
}

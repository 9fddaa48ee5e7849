//! Strands Agents SDK for Python: a `ToolResult`, which its models turn into their provider's.
//!
//! Source: `MCPClient` of strands-agents 1.62. Its blocks are those of [`super::bedrock`]; bytes are in Base64 here, and
//! the SDK holds them decoded.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    bedrock::Bedrock,
    target::{Api, Carrier, Context, Found, Json, PieceOf, Place, Row, Types},
};

/// The pictures that Python's module mimetypes knows by their names for Bedrock, in each of its versions.
const IMAGES: &str = "image/png image/jpeg image/gif";

/// Strands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Strands {}

impl Row for Strands {
    fn carrier(&self, is_error: bool) -> Carrier {
        Bedrock::default().carrier(is_error)
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let content = Bedrock::default().content(pieces, of);
        let mut members = vec![
            ("status", Json::text(of.status())),
            ("toolUseId", of.call.id.into()),
            ("content", content),
        ];
        let structured = of.view.non_null_structured();
        members.extend(structured.map(|it| ("structuredContent", Json::Value(Cow::Borrowed(it)))));
        members.push(("isError", Json::Bool(of.view.is_error())));
        Json::Object(members)
    }

    fn beside<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &Context<'a, '_>) -> Vec<Json<'a>> {
        Bedrock::default().beside(pieces, of)
    }

    /// Its models name types by Python's module mimetypes, which does not know all; that for Gemini says nothing of a failure, and
    /// prints what has bytes as JSON.
    fn package(&self, api: &mut Carrier) {
        if matches!(api.api, Api::Responses | Api::Chat | Api::Gemini) {
            api.images = Types::Of(&[IMAGES]);
        }
        if api.api == Api::Responses {
            api.files = Types::Of(&["application/pdf text/csv text/html text/plain"]);
        } else if api.api == Api::Gemini {
            (api.place, api.marks_failures) = (Place::Beside, true);
        }
    }

    fn check(&self, result: &Value, carrier: &Carrier, found: &mut Found) {
        found.words(result, "", "toolUseId");
        Bedrock::default().check_content(result, "", carrier, found);
    }
}

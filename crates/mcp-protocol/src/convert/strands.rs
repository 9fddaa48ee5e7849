//! Strands Agents SDK for Python: a `ToolResult`, which its models turn into their provider's.
//!
//! Source: `MCPClient` of strands-agents 1.62. Its blocks are those of [`super::bedrock`]; bytes are in Base64 here, and
//! the SDK holds them decoded.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    bedrock::Bedrock,
    carrier::Carrier,
    json_ref::JsonRef,
    piece::PieceOf,
    target::{Context, Row},
    validate::found::Found,
};

/// Strands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Strands {}

impl Row for Strands {
    fn carrier(&self, is_error: bool) -> Carrier {
        Bedrock::default().carrier(is_error)
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, mut of: Context<'a, '_>) -> JsonRef<'a> {
        let content = Bedrock::default().content(pieces, &mut of);
        let status = if of.view.is_error() {
            "error"
        } else {
            "success"
        };
        let mut members = vec![
            ("status", JsonRef::text(status)),
            ("toolUseId", of.call.id.into()),
            ("content", content),
        ];
        let structured = of.view.non_null_structured();
        members
            .extend(structured.map(|it| ("structuredContent", JsonRef::Value(Cow::Borrowed(it)))));
        members.push(("isError", JsonRef::Bool(of.view.is_error())));
        JsonRef::Object(members)
    }

    fn beside<'a>(&self, pieces: Vec<PieceOf<'a>>, of: Context<'a, '_>) -> Vec<JsonRef<'a>> {
        Bedrock::default().beside(pieces, of)
    }

    fn check(&self, result: &Value, found: &mut Found) {
        found.words(result, "", "toolUseId");
        Bedrock::default().check_content(result, "", found);
    }
}

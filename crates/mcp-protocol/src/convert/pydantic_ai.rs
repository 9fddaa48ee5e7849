//! Pydantic AI: the value that a tool returns.
//!
//! Source: `_map_mcp_call_tool_result` of pydantic-ai-slim 2.68. Bytes are `{"data": BASE64, "media_type": …}` here;
//! the package holds a `BinaryContent`.

use super::target::{Api, Carrier, NO_MESSAGE, Place, Row, Types, forms};

/// Its parts are for any provider, so that what one of them refuses is for the package to decide.
const CARRIER: Carrier = Carrier {
    forms: forms! {
        Media {"data": Data, "media_type": Type}
        Json Json
        Text Text
    },
    as_json: true,
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    no_message: Some(NO_MESSAGE),
    ..Carrier::TEXT
};

/// Pydantic AI: one value, or a list of them. Of what [`failed`](super::Converted::failed) raise `ModelRetry` or
/// `ToolFailed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PydanticAi {}

impl Row for PydanticAi {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    /// Its model for Gemini says nothing of a failure that has bytes alone.
    fn package(&self, api: &mut Carrier) {
        if api.api == Api::Gemini {
            api.place = api.place.max(Place::BesideFailures);
        }
    }
}

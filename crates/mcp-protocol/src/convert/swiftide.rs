//! swiftide, or any host that wants one text: `ToolOutput::Text`, or `ToolOutput::Fail` of what
//! [`failed`](super::Converted::failed).
//!
//! Source: `ToolOutput` and the MCP toolbox of swiftide at a76ff4e5.

use serde_json::Value;

use super::target::{Carrier, Context, Found, Json, NO_MESSAGE, PieceOf, Row, join};

const CARRIER: Carrier = Carrier {
    no_message: Some(NO_MESSAGE),
    ..Carrier::TEXT
};

/// swiftide: one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Swiftide {}

impl Row for Swiftide {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, _: &mut Context<'a, '_>) -> Json<'a> {
        join(pieces.into_iter().filter_map(PieceOf::into_text).collect())
    }

    fn check(&self, text: &Value, carrier: &Carrier, found: &mut Found) {
        found.part(text, "", carrier);
    }
}

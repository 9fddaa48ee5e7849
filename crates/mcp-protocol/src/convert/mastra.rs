//! Mastra: what the `toModelOutput` of a tool returns.
//!
//! Source: `MCPClient` of @mastra/mcp 2.0 with @mastra/core 1.68.

use serde_json::Value;

use super::{
    ai_sdk::{self, AiSdk, check_output, model_output},
    target::{Carrier, Context, Found, Json, PieceOf, Row, forms},
};

const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"type": "text", "text": Text}
        Media {"type": "media", "data": Data, "mediaType": Type}
    },
    wants: "text or media are required",
    ..ai_sdk::CARRIER
};

/// Mastra.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Mastra {}

impl Row for Mastra {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        model_output(pieces, of)
    }

    fn package(&self, api: &mut Carrier) {
        AiSdk::default().package(api);
    }

    fn check(&self, output: &Value, carrier: &Carrier, found: &mut Found) {
        check_output(carrier, output, found);
    }
}

//! A framework and the provider behind it, which its packages hand results on to: what either of them does not carry is
//! not sent.

use serde_json::Value;

use super::target::{Carrier, Context, Found, Json, PieceOf, Row, Target};

/// Results in the shape of an SDK, without what its package for a provider raises on, drops or has the provider refuse.
///
/// ```
/// use mcp_protocol::convert::{Call, Framework, Policy, Anthropic, convert, LangChain};
///
/// let audio = serde_json::json!({"type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav"});
/// let result = serde_json::json!({"content": [audio]});
/// let target = Framework::new(Box::new(LangChain::default()), Box::new(Anthropic::default()));
/// let converted = convert(&result, Call::new("t1", "listen"), &target, &Policy::default())?;
/// let message = converted.output.to_value();
/// assert_eq!(message["content"][0]["text"], "[audio/wav audio, 5 bytes, not supported]");
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
#[derive(Debug)]
pub struct Framework {
    sdk: Box<dyn Target>,
    provider: Box<dyn Target>,
}

impl Framework {
    /// The SDK, and the API that it asks.
    #[must_use]
    pub fn new(sdk: Box<dyn Target>, provider: Box<dyn Target>) -> Self {
        Self { sdk, provider }
    }
}

impl Row for Framework {
    fn carrier(&self, is_error: bool) -> Carrier {
        let mut provider = self.provider.carrier(is_error);
        self.sdk.package(&mut provider);
        self.sdk.carrier(is_error).behind_which(&provider)
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        self.sdk.whole(pieces, of)
    }

    fn beside<'a>(&self, pieces: Vec<PieceOf<'a>>, of: &Context<'a, '_>) -> Vec<Json<'a>> {
        self.sdk.beside(pieces, of)
    }

    fn check(&self, result: &Value, carrier: &Carrier, found: &mut Found) {
        self.sdk.check(result, carrier, found);
    }
}

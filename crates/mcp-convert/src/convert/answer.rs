//! Conversion with the default options: messages for APIs and results for SDKs.

use super::{
    anthropic::Anthropic,
    bedrock::Bedrock,
    converted::{CallRef, Conversion, ConvertError},
    copilot::Copilot,
    framework::{PlainText, Rig},
    gemini::Gemini,
    openai::{Codex, OpenAiChat, OpenAiResponses},
    policy::ConvertOptions,
    target::{Target, convert},
    tools::Provider,
    view::AsResultView,
};

/// A model API, selected at run time.
///
/// ```
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let answer = mcp_convert::ModelApi::named("anthropic")?.answer(&result, "toolu_1")?;
/// assert_eq!(answer.output.to_value()["is_error"], true);
/// assert!(answer.losses.is_empty() && answer.follow_up.is_empty());
/// # Ok::<(), mcp_convert::ConvertError>(())
/// ```
#[derive(Debug)]
pub struct ModelApi(Box<dyn Target>);

impl ModelApi {
    /// Returns the API with this name: `anthropic`, `openai-responses`, `openai-chat`, `gemini` or `bedrock`.
    ///
    /// # Errors
    /// Returns an error for any other name.
    pub fn named(name: &str) -> Result<Self, ConvertError> {
        Ok(Self(match name {
            "anthropic" => Box::new(Anthropic::default()),
            "openai-responses" => Box::new(OpenAiResponses::default()),
            "openai-chat" => Box::new(OpenAiChat::default()),
            "gemini" => Box::new(Gemini::default()),
            "bedrock" => Box::new(Bedrock::default()),
            _ => return Err(ConvertError::NoApi(name.to_owned())),
        }))
    }

    /// Converts a result to the message for a call. Pass the ID of the call, or for Gemini a [`CallRef`] with the tool's name.
    ///
    /// # Errors
    /// Returns an error if the value is not a tool result, or if the tool's name is missing for Gemini.
    pub fn answer<'a>(
        &self,
        result: &'a (impl AsResultView + ?Sized),
        call: impl Into<CallRef<'a>>,
    ) -> Result<Conversion<'a>, ConvertError> {
        let call = call.into();
        if self.0.carrier(false).api == Some(Provider::Gemini) && call.name.is_empty() {
            return Err(ConvertError::NoName);
        }
        convert(result, call, &*self.0, &ConvertOptions::default())
    }
}

impl<'a> From<&'a str> for CallRef<'a> {
    fn from(id: &'a str) -> Self {
        Self::new(id, "")
    }
}

/// Converts with the default options: an API for the call with these facts, an SDK for none.
macro_rules! shortest {
    ($($target:ident.$method:ident($($fact:ident),*))+) => {$(
        impl $target {
            /// Converts a result. The message of an API answers the call, and the output of an SDK does not refer to it.
            ///
            /// # Errors
            /// Returns an error if the value is not a tool result.
            pub fn $method<'a>(
                &self,
                result: &'a (impl AsResultView + ?Sized),
                $($fact: &'a str,)*
            ) -> Result<Conversion<'a>, ConvertError> {
                let call = CallRef { $($fact,)* ..CallRef::new("", "") };
                convert(result, call, self, &ConvertOptions::default())
            }
        }
    )+};
}

shortest! {
    Anthropic.answer(id) Bedrock.answer(id) OpenAiChat.answer(id) OpenAiResponses.answer(id)
    Gemini.answer(id, name)
    Codex.convert() Copilot.convert() PlainText.convert() Rig.convert()
}

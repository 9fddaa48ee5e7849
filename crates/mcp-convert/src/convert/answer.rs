//! Conversion with the default options: messages for APIs and results for SDKs.

use mcp_protocol::Losses;

use super::{
    anthropic::Anthropic,
    bedrock::Bedrock,
    converted::{CallRef, Conversion, ConvertError},
    copilot::Copilot,
    framework::{PlainText, Rig},
    gemini::Gemini,
    json_ref::JsonRef,
    openai::{Codex, OpenAiChat, OpenAiResponses},
    policy::ConvertOptions,
    target::{Target, convert},
    tools::Provider,
    view::AsResultView,
};

/// The message with the result of a call, and its follow-up parts and losses.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the losses are what the model does not get"]
#[non_exhaustive]
pub struct MessageConversion<'a> {
    /// The message, or the content block of one.
    pub message: JsonRef<'a>,
    /// Parts for a user message after the messages of all calls.
    pub follow_up: Vec<JsonRef<'a>>,
    /// The content missing from the message or changed in it.
    pub losses: Losses,
}

impl<'a> From<Conversion<'a>> for MessageConversion<'a> {
    fn from(it: Conversion<'a>) -> Self {
        Self {
            message: it.output,
            follow_up: it.follow_up,
            losses: it.losses,
        }
    }
}

/// A model API, selected at run time.
///
/// ```
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let answer = mcp_convert::ModelApi::named("anthropic")?.answer(&result, "toolu_1")?;
/// assert_eq!(answer.message.to_value()["is_error"], true);
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
    ) -> Result<MessageConversion<'a>, ConvertError> {
        let call = call.into();
        let is_named = self.0.carrier(false).api == Some(Provider::Gemini);
        if is_named && call.name.is_empty() {
            return Err(ConvertError::NoName);
        }
        Ok(convert(result, call, &*self.0, &ConvertOptions::default())?.into())
    }
}

impl<'a> From<&'a str> for CallRef<'a> {
    fn from(id: &'a str) -> Self {
        Self::new(id, "")
    }
}

/// Converts with the default options: APIs for a call, of which they have these facts, and SDKs for none.
macro_rules! shortest {
    ($($api:ident($($fact:ident),+))+; $($sdk:ident)+) => {
        $(impl $api {
            /// Converts a result to the message for a call.
            ///
            /// # Errors
            /// Returns an error if the value is not a tool result.
            pub fn answer<'a>(
                &self,
                result: &'a (impl AsResultView + ?Sized),
                $($fact: &'a str,)+
            ) -> Result<MessageConversion<'a>, ConvertError> {
                let call = CallRef { $($fact,)+ ..CallRef::new("", "") };
                Ok(convert(result, call, self, &ConvertOptions::default())?.into())
            }
        })+
        $(impl $sdk {
            /// Converts a result. The output does not refer to a call.
            ///
            /// # Errors
            /// Returns an error if the value is not a tool result.
            pub fn convert<'a>(
                &self,
                result: &'a (impl AsResultView + ?Sized),
            ) -> Result<Conversion<'a>, ConvertError> {
                convert(result, CallRef::new("", ""), self, &ConvertOptions::default())
            }
        })+
    };
}

shortest! {
    Anthropic(id) Bedrock(id) OpenAiChat(id) OpenAiResponses(id) Gemini(id, name);
    Codex Copilot PlainText Rig
}

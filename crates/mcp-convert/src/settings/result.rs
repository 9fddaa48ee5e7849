//! Results of tools, for each target.

use serde_json::{Value, json};

use super::{ConversionMode, ProviderApi, Settings, SettingsError, Target};
use crate::{
    Anthropic, CallRef, Conversion, Copilot, VendorConverter, convert,
    convert::{ai_sdk::AiSdk, framework::Framework, langchain::LangChain},
    convert_like_vendor,
};

impl Settings {
    pub(super) fn result<'v>(
        &'v self,
        value: &'v Value,
    ) -> Result<Conversion<'v, Value>, SettingsError> {
        let id = self.call_id.as_deref().unwrap_or("call_1");
        let call = CallRef::new(id, self.tool.as_deref().unwrap_or("tool"));
        let converted = match (self.preset, self.compat_target()) {
            (ConversionMode::Compat, Some(vendor)) => convert_like_vendor(value, call, &*vendor)?,
            _ if self.is_framework() && self.provider.is_none() => {
                return Err(SettingsError::NeedsProvider(self.target));
            }
            _ => convert(value, call, &*self.target(), &self.policy())?,
        };
        let failed = converted.failed;
        Ok(converted.map(|it| match self.beside_failure() {
            // The target gets a failure beside it.
            Some(name) => json!({name: it.to_value(), "failed": failed}),
            None => it.to_value(),
        }))
    }

    /// The name of the output beside the flag, for targets without one of their own.
    fn beside_failure(&self) -> Option<&'static str> {
        match self.target {
            Target::PydanticAi => Some("value"),
            Target::Rig => Some("content"),
            Target::Text => Some("text"),
            _ => None,
        }
    }

    /// The output without the flag, or what another converter made.
    pub(crate) fn without_failure<'v>(&self, output: &'v Value) -> &'v Value {
        let has_failure = output.get("failed").is_some_and(Value::is_boolean);
        let name = self.beside_failure().filter(|_| has_failure);
        name.and_then(|it| output.get(it)).unwrap_or(output)
    }

    /// Returns the target, with the provider behind it.
    #[must_use]
    pub fn target(&self) -> Box<dyn crate::Target> {
        let sdk = self.row(self.target);
        let provider = match self.provider {
            None | Some(ProviderApi::Any) => return sdk,
            Some(ProviderApi::Anthropic) => Target::Anthropic,
            Some(ProviderApi::Openai) => Target::OpenaiResponses,
            Some(ProviderApi::OpenaiChat) => Target::OpenaiChat,
            Some(ProviderApi::Google) => Target::Gemini,
            Some(ProviderApi::Bedrock) => Target::Bedrock,
        };
        let provider = self.row(provider);
        Box::new(Framework { sdk, provider })
    }

    /// Returns the target whose vendor's converter the preset `compat` reproduces; `None` for other targets.
    #[must_use]
    pub fn compat_target(&self) -> Option<Box<dyn VendorConverter>> {
        Some(match self.target {
            Target::AiSdk => Box::new(AiSdk::default()),
            Target::Anthropic => Box::new(Anthropic::default()),
            Target::Copilot => Box::new(Copilot::default().with_sdk_language(self.flavor)),
            Target::Langchain => Box::new(LangChain::default()),
            _ => return None,
        })
    }
}

//! Results of tools, for each target.

use serde_json::{Value, json};

use super::{Behind, ConversionOutcome, Preset, Settings, SettingsError, Target, report::report};
use crate::{
    Anthropic, CallRef, CompatTarget, Copilot, compat, convert,
    convert::{ai_sdk::AiSdk, framework::Framework, langchain::LangChain},
};

impl Settings {
    pub(crate) fn result(&self, value: &Value) -> Result<ConversionOutcome, SettingsError> {
        let id = self.call_id.as_deref().unwrap_or("call_1");
        let call = CallRef::new(id, self.tool.as_deref().unwrap_or("tool"));
        let converted = match (self.preset, self.vendor()) {
            (Preset::Compat, Some(vendor)) => compat(value, call, &*vendor)?,
            (Preset::Compat | Preset::Rich, _) => {
                convert(value, call, &*self.target(), &self.policy())?
            }
        };
        let output = self.with_failure(converted.output.to_value(), converted.failed);
        Ok(report(&converted, output))
    }

    /// The output of targets that are told of a failure beside it.
    fn with_failure(&self, output: Value, failed: bool) -> Value {
        match self.beside_failure() {
            Some(name) => json!({name: output, "failed": failed}),
            None => output,
        }
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

    /// What [`Self::with_failure`] was given, or what another converter made.
    pub(crate) fn without_failure<'v>(&self, output: &'v Value) -> &'v Value {
        let has_failure = output.get("failed").is_some_and(Value::is_boolean);
        let name = self.beside_failure().filter(|_| has_failure);
        name.and_then(|it| output.get(it)).unwrap_or(output)
    }

    /// The target, with the provider behind it.
    #[must_use]
    pub fn target(&self) -> Box<dyn crate::Target> {
        let target = self.row(self.target).0;
        let provider = match self.provider {
            None | Some(Behind::Any) => return target,
            Some(Behind::Anthropic) => Target::Anthropic,
            Some(Behind::Openai) => Target::OpenaiResponses,
            Some(Behind::OpenaiChat) => Target::OpenaiChat,
            Some(Behind::Google) => Target::Gemini,
            Some(Behind::Bedrock) => Target::Bedrock,
        };
        Box::new(Framework::new(target, self.row(provider).0))
    }

    /// The target, if its vendor has a converter that is equaled.
    #[must_use]
    pub fn vendor(&self) -> Option<Box<dyn CompatTarget>> {
        Some(match self.target {
            Target::AiSdk => Box::new(AiSdk::default()),
            Target::Anthropic => Box::new(Anthropic::default()),
            Target::Copilot => Box::new(Copilot::default().with_flavor(self.flavor)),
            Target::Langchain => Box::new(LangChain::default()),
            _ => return None,
        })
    }
}

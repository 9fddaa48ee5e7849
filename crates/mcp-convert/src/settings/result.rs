//! Results of tools, for each target.

use serde_json::{Value, json};

use super::{ConversionOutcome, Preset, Settings, SettingsError, Target, report::report};
use crate::{
    AiSdk, Anthropic, CallRef, CompatTarget, Copilot, Framework, LangChain, compat, convert,
    tools::Provider,
};

impl Settings {
    pub(crate) fn result(&self, value: &Value) -> Result<ConversionOutcome, SettingsError> {
        let id = self.call_id.as_deref().unwrap_or("call_1");
        let call = CallRef::new(id, self.tool.as_deref().unwrap_or("tool"));
        let converted = match (self.preset, self.vendor()) {
            (Preset::Compat, Some(vendor)) => compat(value, call, &*vendor)?,
            (Preset::Compat, None) => return Err(SettingsError::NoVendor(self.target)),
            (Preset::Rich, _) => convert(value, call, &*self.target()?, &self.policy())?,
        };
        let output = self.with_failure(converted.output.to_value(), converted.failed);
        Ok(report(&converted, output))
    }

    /// The output of targets that are told of a failure beside it.
    fn with_failure(&self, output: Value, failed: bool) -> Value {
        match (self.target, failed) {
            (Target::PydanticAi, _) => json!({"value": output, "failed": failed}),
            (Target::Rig, _) => json!({"content": output, "failed": failed}),
            (Target::Swiftide, false) => json!({"Text": output}),
            (Target::Swiftide, true) => json!({"Fail": output}),
            _ => output,
        }
    }

    /// What [`Self::with_failure`] was given, or what another converter made.
    pub(crate) fn without_failure<'v>(&self, output: &'v Value) -> &'v Value {
        let has_failure = output.get("failed").is_some_and(Value::is_boolean);
        let inner = match self.target {
            Target::PydanticAi => output.get("value").filter(|_| has_failure),
            Target::Rig => output.get("content"),
            Target::Swiftide => output.get("Text").or(output.get("Fail")),
            _ => None,
        };
        inner.unwrap_or(output)
    }

    /// The target, with the provider behind it.
    pub(crate) fn target(&self) -> Result<Box<dyn crate::Target>, SettingsError> {
        let target = self.row(self.target).0;
        let Some(provider) = self.provider else {
            return Ok(target);
        };
        let provider = match provider {
            Provider::Anthropic => Target::Anthropic,
            Provider::OpenAiResponses => Target::OpenaiResponses,
            Provider::OpenAiChat => Target::OpenaiChat,
            Provider::Gemini => Target::Gemini,
            Provider::Bedrock => Target::Bedrock,
        };
        match self.target {
            Target::Langchain
            | Target::AiSdk
            | Target::PydanticAi
            | Target::LlamaIndex
            | Target::Mastra
            | Target::Strands => Ok(Box::new(Framework::new(target, self.row(provider).0))),
            _ => Err(SettingsError::NoFramework(self.target)),
        }
    }

    /// The target, if its vendor has a converter that is equaled.
    fn vendor(&self) -> Option<Box<dyn CompatTarget>> {
        Some(match self.target {
            Target::AiSdk => Box::new(AiSdk::default()),
            Target::Anthropic => Box::new(Anthropic::default()),
            Target::Copilot => Box::new(Copilot::default().with_flavor(self.flavor)),
            Target::Langchain => Box::new(LangChain::default()),
            _ => return None,
        })
    }
}

//! The conversions that each setting is for: one without an effect is an error, because someone believes in it.

use super::{
    AudiencePolicy, ConversionMode, InputKind, LinkPolicy, ModelVariant, ProviderApi, Settings,
    SettingsError, Target,
};
use crate::{ContentPreference, CopilotSdkLanguage, Truncation};

impl Settings {
    /// Whether the target passes results on to an API.
    pub(super) fn is_framework(&self) -> bool {
        matches!(
            self.target,
            Target::Langchain
                | Target::AiSdk
                | Target::PydanticAi
                | Target::LlamaIndex
                | Target::Strands
        )
    }

    /// Fails if a setting has no effect.
    pub(super) fn check_settings(&self) -> Result<(), SettingsError> {
        let is_result = self.kind == InputKind::Result;
        let is_rich = self.preset == ConversionMode::Rich;
        let (is_rich_result, is_tools) = (is_result && is_rich, self.kind == InputKind::Tools);
        let is_message = is_rich && !is_tools;
        let applies = |target, behind| self.target == target || self.provider == Some(behind);
        let has_links = self.target().carrier(false).has_links();
        let family = match self.family {
            ModelVariant::Newest => true,
            ModelVariant::Gemini2 => applies(Target::Gemini, ProviderApi::Google),
            ModelVariant::Openai => applies(Target::Bedrock, ProviderApi::Bedrock),
        };
        let limited = "results with the preset rich, prompts and resources";
        #[rustfmt::skip]
        let settings = [
            ("preset", !is_rich, is_result && self.compat_target().is_some(), "results for ai-sdk, anthropic, copilot and langchain"),
            ("for", self.provider.is_some(), is_rich_result && self.is_framework(),
                "results with the preset rich, for langchain, ai-sdk, pydantic-ai, llama-index and strands"),
            ("prefer", self.prefer != ContentPreference::Both, is_rich_result, "results with the preset rich"),
            ("audience", self.audience != AudiencePolicy::Ignore, is_message, limited),
            ("links", self.links != LinkPolicy::Text, is_message && has_links, "targets with images by address"),
            ("maxBytes", self.max_bytes.is_some(), is_message, limited),
            ("maxChars", self.max_chars.is_some(), is_message, limited),
            ("maxMediaBytes", self.max_media_bytes.is_some(), is_message, limited),
            ("cut", self.cut != Truncation::Middle, self.max_bytes.or(self.max_chars).is_some(), "maxBytes and maxChars"),
            ("flavor", self.flavor != CopilotSdkLanguage::default(), self.target == Target::Copilot && !is_rich,
                "copilot with the preset compat"),
            ("family", self.family != ModelVariant::Newest, is_message && family, "gemini (gemini2) and bedrock (openai)"),
            ("hears", self.hears, is_message && applies(Target::OpenaiChat, ProviderApi::OpenaiChat), "openai-chat"),
        ];
        for (setting, is_set, applies, of) in settings {
            if is_set && !applies {
                return Err(SettingsError::NoEffect { setting, of });
            }
        }
        Ok(())
    }
}

//! The table of targets: the row of the converter for each.

use super::{ModelVariant, Settings, Target};
use crate::{
    Anthropic, Bedrock, Codex, Copilot, Gemini, OpenAiChat, OpenAiResponses, PlainText, Rig,
    convert::{
        ai_sdk::AiSdk,
        bedrock::Strands,
        framework::{LlamaIndex, PydanticAi},
        langchain::LangChain,
        openai::OpenAiAgents,
    },
};

impl Settings {
    /// Returns a target, without an API behind it.
    pub(super) fn row(&self, target: Target) -> Box<dyn crate::Target> {
        match target {
            Target::AiSdk => Box::new(AiSdk::default()),
            Target::Anthropic => Box::new(Anthropic::default()),
            Target::Bedrock => {
                Box::new(Bedrock::default().with_openai_model(self.family == ModelVariant::Openai))
            }
            Target::Codex => Box::new(Codex::default()),
            Target::Copilot => Box::new(Copilot::default()),
            Target::Gemini => {
                Box::new(Gemini::default().with_gemini_2(self.family == ModelVariant::Gemini2))
            }
            Target::Langchain => Box::new(LangChain::default()),
            Target::LlamaIndex => Box::new(LlamaIndex::default()),
            Target::OpenaiAgents => Box::new(OpenAiAgents::default()),
            Target::OpenaiChat => Box::new(OpenAiChat::default().with_audio_input(self.hears)),
            Target::OpenaiResponses => Box::new(OpenAiResponses::default()),
            Target::PydanticAi => Box::new(PydanticAi::default()),
            Target::Rig => Box::new(Rig::default()),
            Target::Strands => Box::new(Strands::default()),
            Target::Text => Box::new(PlainText::default()),
        }
    }
}

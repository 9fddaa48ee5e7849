//! The table of targets: the row of the converter and the shape of messages for each.

use super::{Family, Settings, Target};
use crate::{
    Anthropic, Bedrock, Codex, Copilot, Gemini, OpenAiChat, OpenAiResponses, PlainText, Rig,
    convert::{
        ai_sdk::AiSdk,
        bedrock::Strands,
        framework::{LlamaIndex, PydanticAi},
        langchain::LangChain,
        openai::OpenAiAgents,
    },
    messages::MessageFormat,
};

impl Settings {
    /// Returns a target and the shape of its messages.
    pub(super) fn row(&self, target: Target) -> (Box<dyn crate::Target>, MessageFormat) {
        match target {
            Target::AiSdk => (Box::new(AiSdk::default()), MessageFormat::AiSdk),
            Target::Anthropic => (Box::new(Anthropic::default()), MessageFormat::Anthropic),
            Target::Bedrock => {
                let target = Bedrock::default().with_open_ai(self.family == Family::Openai);
                (Box::new(target), MessageFormat::Bedrock)
            }
            Target::Codex => (Box::new(Codex::default()), MessageFormat::OpenAiResponses),
            Target::Copilot => (Box::new(Copilot::default()), MessageFormat::Text),
            Target::Gemini => {
                let target = Gemini::default().with_gemini_2(self.family == Family::Gemini2);
                (Box::new(target), MessageFormat::Gemini)
            }
            Target::Langchain => (Box::new(LangChain::default()), MessageFormat::LangChain),
            Target::LlamaIndex => (Box::new(LlamaIndex::default()), MessageFormat::Text),
            Target::OpenaiAgents => (
                Box::new(OpenAiAgents::default()),
                MessageFormat::OpenAiResponses,
            ),
            Target::OpenaiChat => {
                let target = OpenAiChat::default().with_hears(self.hears);
                (Box::new(target), MessageFormat::OpenAiChat)
            }
            Target::OpenaiResponses => (
                Box::new(OpenAiResponses::default()),
                MessageFormat::OpenAiResponses,
            ),
            Target::PydanticAi => (Box::new(PydanticAi::default()), MessageFormat::Text),
            Target::Rig => (Box::new(Rig::default()), MessageFormat::Text),
            Target::Strands => (Box::new(Strands::default()), MessageFormat::Bedrock),
            Target::Text => (Box::new(PlainText::default()), MessageFormat::Text),
        }
    }
}

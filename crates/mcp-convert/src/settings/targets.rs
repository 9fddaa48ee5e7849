//! The table of targets: the row of the converter and the shape of messages for each.

use super::{Family, Settings, Target};
use crate::{
    AiSdk, Anthropic, Bedrock, Codex, Copilot, Gemini, LangChain, LlamaIndex, Mastra, OpenAiAgents,
    OpenAiChat, OpenAiResponses, PydanticAi, Rig, Strands, Swiftide, messages::Form,
};

impl Settings {
    /// Returns a target and the shape of its messages.
    pub(super) fn row(&self, target: Target) -> (Box<dyn crate::Target>, Form) {
        match target {
            Target::AiSdk => (Box::new(AiSdk::default()), Form::AiSdk),
            Target::Anthropic => (Box::new(Anthropic::default()), Form::Anthropic),
            Target::Bedrock => {
                let target = Bedrock::default().with_open_ai(self.family == Family::Openai);
                (Box::new(target), Form::Bedrock)
            }
            Target::Codex => (Box::new(Codex::default()), Form::OpenAiResponses),
            Target::Copilot => (Box::new(Copilot::default()), Form::Text),
            Target::Gemini => {
                let target = Gemini::default().with_gemini_2(self.family == Family::Gemini2);
                (Box::new(target), Form::Gemini)
            }
            Target::Langchain => (Box::new(LangChain::default()), Form::LangChain),
            Target::LlamaIndex => (Box::new(LlamaIndex::default()), Form::Text),
            Target::Mastra => (Box::new(Mastra::default()), Form::AiSdk),
            Target::OpenaiAgents => (Box::new(OpenAiAgents::default()), Form::OpenAiResponses),
            Target::OpenaiChat => {
                let target = OpenAiChat::default().with_hears(self.hears);
                (Box::new(target), Form::OpenAiChat)
            }
            Target::OpenaiResponses => {
                (Box::new(OpenAiResponses::default()), Form::OpenAiResponses)
            }
            Target::PydanticAi => (Box::new(PydanticAi::default()), Form::Text),
            Target::Rig => (Box::new(Rig::default()), Form::Text),
            Target::Strands => (Box::new(Strands::default()), Form::Bedrock),
            Target::Swiftide => (Box::new(Swiftide::default()), Form::Text),
        }
    }
}

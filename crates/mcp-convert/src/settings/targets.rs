//! The table of targets: the row of the converter and the shape of messages for each.

use super::{Family, Key, Settings, Target};
use crate::{
    AiSdk, Bedrock, Codex, Copilot, Gemini, LangChain, LlamaIndex, Mastra, OpenAiAgents,
    OpenAiChat, OpenAiResponses, PydanticAi, Rig, Strands, Swiftide, messages::Form,
};

impl Settings {
    /// Returns a target and the shape of its messages.
    pub(super) fn row(&self, target: Target) -> (Box<dyn crate::Target>, Form) {
        match target {
            Target::AiSdk => (Box::new(AiSdk::default()), Form::AiSdk),
            Target::Anthropic => (Box::new(self.anthropic()), Form::Anthropic),
            Target::Bedrock => {
                let target = Bedrock::default().with_open_ai(self.family == Family::Openai);
                (
                    Box::new(target.with_names_by_call(self.names_by_call)),
                    Form::Bedrock,
                )
            }
            Target::Codex => (Box::new(Codex::default()), Form::OpenAiResponses),
            Target::Copilot => (Box::new(Copilot::default()), Form::Text),
            Target::Gemini => {
                let target = Gemini::default()
                    .with_result_key(self.key == Key::Result)
                    .with_gemini_2(self.family == Family::Gemini2);
                let target = target.with_join(self.join).with_spread(self.spread);
                (Box::new(target), Form::Gemini)
            }
            Target::Langchain => (Box::new(LangChain::default()), Form::LangChain),
            Target::LlamaIndex => (Box::new(LlamaIndex::default()), Form::Text),
            Target::Mastra => (Box::new(Mastra::default()), Form::AiSdk),
            Target::OpenaiAgents => (Box::new(OpenAiAgents::default()), Form::OpenAiResponses),
            Target::OpenaiChat => {
                let target = OpenAiChat::default().with_uri(self.with_uri);
                (Box::new(target.with_hears(self.hears)), Form::OpenAiChat)
            }
            Target::OpenaiResponses => {
                let target = OpenAiResponses::default().with_uri(self.with_uri);
                (Box::new(target.with_join(self.join)), Form::OpenAiResponses)
            }
            Target::PydanticAi => (Box::new(PydanticAi::default()), Form::Text),
            Target::Rig => (Box::new(Rig::default()), Form::Text),
            Target::Strands => (Box::new(Strands::default()), Form::Bedrock),
            Target::Swiftide => (Box::new(Swiftide::default()), Form::Text),
        }
    }
}

//! The table of targets: the converter, the shape of messages and the declarations of tools for each.

use super::{Family, Key, Settings, Target};
use crate::{
    AiSdk, Bedrock, Codex, Copilot, Gemini, LangChain, LlamaIndex, Mastra, OpenAiAgents,
    OpenAiChat, OpenAiResponses, PydanticAi, Rig, Strands, Swiftide, messages::Form,
    tools::Provider,
};

/// The forms of one target.
pub(super) struct Row {
    pub(super) target: Box<dyn crate::Target>,
    pub(super) form: Form,
    pub(super) provider: Option<Provider>,
}

impl Row {
    fn new(target: impl crate::Target + 'static, form: Form) -> Self {
        let provider = match form {
            Form::Anthropic => Some(Provider::Anthropic),
            Form::OpenAiResponses => Some(Provider::OpenAiResponses),
            Form::OpenAiChat => Some(Provider::OpenAiChat),
            Form::Gemini => Some(Provider::Gemini),
            Form::Bedrock => Some(Provider::Bedrock),
            Form::LangChain | Form::AiSdk | Form::Text => None,
        };
        Self {
            target: Box::new(target),
            form,
            provider,
        }
    }
}

impl Settings {
    /// Returns the row of a target, or `None` for MCP itself.
    pub(super) fn row(&self, target: Target) -> Option<Row> {
        Some(match target {
            Target::AiSdk => Row::new(AiSdk::default(), Form::AiSdk),
            Target::Anthropic => Row::new(self.anthropic(), Form::Anthropic),
            Target::Bedrock => {
                let target = Bedrock::default().with_open_ai(self.family == Family::Openai);
                Row::new(target.with_names_by_call(self.names_by_call), Form::Bedrock)
            }
            Target::Codex => Row::new(Codex::default(), Form::OpenAiResponses),
            Target::Copilot => Row::new(Copilot::default(), Form::Text),
            Target::Gemini => {
                let target = Gemini::default()
                    .with_result_key(self.key == Key::Result)
                    .with_gemini_2(self.family == Family::Gemini2);
                let target = target.with_join(self.join).with_spread(self.spread);
                Row::new(target, Form::Gemini)
            }
            Target::Langchain => Row::new(LangChain::default(), Form::LangChain),
            Target::LlamaIndex => Row::new(LlamaIndex::default(), Form::Text),
            Target::Mastra => Row::new(Mastra::default(), Form::AiSdk),
            Target::OpenaiAgents => Row::new(OpenAiAgents::default(), Form::OpenAiResponses),
            Target::OpenaiChat => {
                let target = OpenAiChat::default().with_uri(self.with_uri);
                Row::new(target.with_hears(self.hears), Form::OpenAiChat)
            }
            Target::OpenaiResponses => {
                let target = OpenAiResponses::default().with_uri(self.with_uri);
                Row::new(target.with_join(self.join), Form::OpenAiResponses)
            }
            Target::PydanticAi => Row::new(PydanticAi::default(), Form::Text),
            Target::Rig => Row::new(Rig::default(), Form::Text),
            Target::Strands => Row::new(Strands::default(), Form::Bedrock),
            Target::Swiftide => Row::new(Swiftide::default(), Form::Text),
            Target::Mcp | Target::Sampling => return None,
        })
    }
}

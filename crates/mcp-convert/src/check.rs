//! Judging what another converter made: would the provider refuse it?

use mcp_protocol::convert::{gemini, validate};
use serde_json::{Value, json};

use crate::{Error, Family, Kind, Settings, Target};

impl Settings {
    /// What the target's API refuses of a message, or of a list of tools: `path` and `rule` of each.
    ///
    /// # Errors
    /// Fails if there are no rules for the target and the kind.
    pub fn check(&self, value: &Value) -> Result<Vec<Value>, Error> {
        let refusals = match (self.kind, self.target) {
            (Kind::Tools, _) => {
                let provider = self.provider().ok_or(self.no_form())?;
                let one = std::slice::from_ref(value);
                let list = value.as_array().map_or(one, Vec::as_slice);
                validate::tools(list, provider)
            }
            (Kind::Result, Target::Anthropic) => validate::anthropic(value),
            (Kind::Result, Target::OpenaiResponses) => validate::openai_responses(value),
            (Kind::Result, Target::OpenaiChat) => validate::openai_chat(value),
            (Kind::Result, Target::Gemini) => {
                let family = match self.family {
                    Family::Gemini2 => gemini::Family::Gemini2,
                    Family::Newest | Family::Openai => gemini::Family::Gemini3,
                };
                validate::gemini(value, family)
            }
            (Kind::Result, Target::Bedrock) => validate::bedrock(value, self.bedrock_family()),
            (Kind::Result, Target::Copilot) => validate::copilot(value),
            (Kind::Result, Target::Codex) => validate::codex(value),
            (Kind::Result, Target::Langchain) => validate::langchain(value),
            (Kind::Result, Target::AiSdk) => validate::ai_sdk(value),
            (Kind::Result, Target::LlamaIndex) => validate::llama_index(value),
            (Kind::Result, Target::Mastra) => validate::mastra(value),
            (Kind::Result, Target::OpenaiAgents) => validate::openai_agents(value),
            (Kind::Result, Target::Rig) => validate::rig(value),
            (Kind::Result | Kind::Prompt | Kind::Resource, _) => return Err(self.no_form()),
        };
        let refusal = |it: validate::Refusal| json!({"path": it.path, "rule": it.rule});
        Ok(refusals.into_iter().map(refusal).collect())
    }
}

//! Results of tools, for each target.

use mcp_protocol::{
    CallToolResult, Revision,
    convert::{
        self, Call, Vendor,
        ai_sdk::AiSdk,
        anthropic::Anthropic,
        bedrock::{self, Bedrock},
        codex::Codex,
        copilot::{self, Copilot},
        gemini::{self, Gemini},
        langchain::LangChain,
        llama_index::LlamaIndex,
        mastra::Mastra,
        openai_agents::{McpPackage, OpenAiAgents},
        openai_chat::OpenAiChat,
        openai_responses::OpenAiResponses,
        pydantic_ai::PydanticAi,
        rig::Rig,
        strands::Strands,
        swiftide::Swiftide,
    },
    parse::Reading,
    render::{self, Projection},
};
use serde_json::{Value, json};

use crate::{Error, Family, Flavor, Key, Preset, Report, Settings, Target, report};

impl Settings {
    pub(crate) fn result(&self, value: &Value) -> Result<Report, Error> {
        let id = self.call_id.as_deref().unwrap_or("call_1");
        let call = Call::new(id, self.tool.as_deref().unwrap_or("tool"));
        let projection = Projection::default();
        let projected = match self.target {
            Target::Mcp => {
                render::project(self.parsed(value)?, self.revision()?.rules(), &projection)?
            }
            Target::Sampling => {
                let (result, rules) = (self.parsed(value)?, self.revision()?.rules());
                render::sampling_tool_result(result, id, rules, &projection)?
            }
            _ => {
                let converted = match (self.preset, self.vendor()) {
                    (Preset::Compat, Some(vendor)) => convert::compat(value, call, &*vendor)?,
                    (Preset::Compat, None) => return Err(Error::NoVendor(self.target)),
                    (Preset::Rich, _) => {
                        let target = self.target().ok_or(self.no_form())?;
                        convert::convert(value, call, &*target, &self.policy())?
                    }
                };
                let output = converted.output.to_value();
                return Ok(report(
                    &converted,
                    self.with_failure(output, converted.failed),
                ));
            }
        };
        Ok(Report {
            losses: json!(projected.losses),
            ..Report::of(projected.value.into())
        })
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

    /// The target, if it is no revision of MCP.
    pub(crate) fn target(&self) -> Option<Box<dyn convert::Target>> {
        Some(match self.target {
            Target::AiSdk => Box::new(AiSdk::default()),
            Target::Anthropic => Box::new(self.anthropic()),
            Target::Bedrock => {
                let family = match self.family {
                    Family::Openai => bedrock::Family::OpenAi,
                    Family::Newest | Family::Gemini2 => bedrock::Family::Anthropic,
                };
                let target = Bedrock::default().with_family(family);
                Box::new(target.with_names_by_call(self.names_by_call))
            }
            Target::Codex => Box::new(Codex::default()),
            Target::Copilot => Box::new(Copilot::default()),
            Target::Gemini => {
                let key = match self.key {
                    Key::Output => gemini::Key::Output,
                    Key::Result => gemini::Key::Result,
                };
                let family = match self.family {
                    Family::Gemini2 => gemini::Family::Gemini2,
                    Family::Newest | Family::Openai => gemini::Family::Gemini3,
                };
                let target = Gemini::default().with_key(key).with_family(family);
                Box::new(target.with_join(self.join).with_spread(self.spread))
            }
            Target::Langchain => Box::new(LangChain::default()),
            Target::LlamaIndex => Box::new(LlamaIndex::default()),
            Target::Mastra => Box::new(Mastra::default()),
            Target::OpenaiAgents => Box::new(OpenAiAgents::default()),
            Target::OpenaiChat => Box::new(OpenAiChat::default().with_uri(self.with_uri)),
            Target::OpenaiResponses => {
                let target = OpenAiResponses::default().with_uri(self.with_uri);
                Box::new(target.with_join(self.join))
            }
            Target::PydanticAi => Box::new(PydanticAi::default()),
            Target::Rig => Box::new(Rig::default()),
            Target::Strands => Box::new(Strands::default()),
            Target::Swiftide => Box::new(Swiftide::default()),
            Target::Mcp | Target::Sampling => return None,
        })
    }

    /// The target, if its vendor has a converter that is equaled.
    fn vendor(&self) -> Option<Box<dyn Vendor>> {
        Some(match self.target {
            Target::AiSdk => Box::new(AiSdk::default()),
            Target::Anthropic => Box::new(self.anthropic()),
            Target::Copilot => Box::new(Copilot::default().with_flavor(match self.flavor {
                Flavor::Rust => copilot::Flavor::Rust,
                Flavor::Node => copilot::Flavor::Node,
                Flavor::Python => copilot::Flavor::Python,
                Flavor::Go => copilot::Flavor::Go,
            })),
            Target::Langchain => Box::new(LangChain::default()),
            Target::OpenaiAgents => {
                let mcp = if self.mcp2 {
                    McpPackage::V2
                } else {
                    McpPackage::V1
                };
                let target = OpenAiAgents::default().with_mcp(mcp);
                Box::new(target.with_use_structured_content(self.use_structured_content))
            }
            _ => return None,
        })
    }

    fn anthropic(&self) -> Anthropic {
        Anthropic::default().with_titles(self.titles)
    }

    fn parsed(&self, value: &Value) -> Result<CallToolResult, Error> {
        Ok(CallToolResult::parse(value, Reading::default())?.result)
    }

    fn revision(&self) -> Result<Revision, Error> {
        match &self.revision {
            None => Ok(Revision::LATEST_HANDSHAKE),
            Some(name) => Revision::parse(name).ok_or_else(|| Error::Revision(name.clone())),
        }
    }
}

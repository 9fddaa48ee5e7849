//! Results of tools, for each target.

use mcp_protocol::{
    CallToolResult, Losses, Revision,
    read::Reading,
    render::{self, Projection},
};
use serde_json::{Value, json};

use super::{
    Error, Family, Flavor, Key, Preset, Provider, Report, Settings, Target, report::report,
};
use crate::{
    convert::{
        self, AiSdk, Anthropic, Bedrock, Call, Codex, Copilot, CopilotFlavor, Framework, Gemini,
        LangChain, LlamaIndex, Mastra, OpenAiAgents, OpenAiChat, OpenAiResponses, PydanticAi, Rig,
        Strands, Swiftide, Vendor,
    },
    for_peers,
};

impl Settings {
    pub(crate) fn result(&self, value: &Value) -> Result<Report, Error> {
        let id = self.call_id.as_deref().unwrap_or("call_1");
        let call = Call::new(id, self.tool.as_deref().unwrap_or("tool"));
        let projection = Projection::default();
        let ((projected, lost), mut losses) = match self.target {
            Target::Mcp => {
                let (result, losses) = self.parsed(value)?;
                let rules = self.revision()?.rules();
                (render::project(result, rules, &projection)?, losses)
            }
            Target::Sampling => {
                let (result, losses) = self.parsed(value)?;
                let rules = self.revision()?.rules();
                let block = render::sampling_tool_result(result, id, rules, &projection)?;
                (block, losses)
            }
            _ => {
                let converted = match (self.preset, self.vendor()) {
                    (Preset::Compat, Some(vendor)) => convert::compat(value, call, &*vendor)?,
                    (Preset::Compat, None) => return Err(Error::NoVendor(self.target)),
                    (Preset::Rich, _) => {
                        let target = self.target()?.ok_or(self.no_form())?;
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
        losses.extend(lost.iter().cloned());
        Ok(Report {
            losses: json!(losses),
            ..Report::of(projected.into())
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

    /// The target with the provider behind it, if it is no revision of MCP.
    pub(crate) fn target(&self) -> Result<Option<Box<dyn convert::Target>>, Error> {
        let (target, Some(provider)) = (self.alone(self.target), self.provider) else {
            return Ok(self.alone(self.target));
        };
        let provider = self.alone(match provider {
            Provider::Anthropic => Target::Anthropic,
            Provider::Openai => Target::OpenaiResponses,
            Provider::OpenaiChat => Target::OpenaiChat,
            Provider::Google => Target::Gemini,
            Provider::Bedrock => Target::Bedrock,
        });
        match (self.target, target, provider) {
            (
                Target::Langchain
                | Target::AiSdk
                | Target::PydanticAi
                | Target::LlamaIndex
                | Target::Mastra
                | Target::Strands,
                Some(target),
                Some(provider),
            ) => Ok(Some(Box::new(Framework::new(target, provider)))),
            _ => Err(Error::NoFramework(self.target)),
        }
    }

    fn alone(&self, target: Target) -> Option<Box<dyn convert::Target>> {
        Some(match target {
            Target::AiSdk => Box::new(AiSdk::default()),
            Target::Anthropic => Box::new(self.anthropic()),
            Target::Bedrock => {
                let target = Bedrock::default().with_open_ai(self.family == Family::Openai);
                Box::new(target.with_names_by_call(self.names_by_call))
            }
            Target::Codex => Box::new(Codex::default()),
            Target::Copilot => Box::new(Copilot::default()),
            Target::Gemini => {
                let target = Gemini::default()
                    .with_result_key(self.key == Key::Result)
                    .with_gemini_2(self.family == Family::Gemini2);
                Box::new(target.with_join(self.join).with_spread(self.spread))
            }
            Target::Langchain => Box::new(LangChain::default()),
            Target::LlamaIndex => Box::new(LlamaIndex::default()),
            Target::Mastra => Box::new(Mastra::default()),
            Target::OpenaiAgents => Box::new(OpenAiAgents::default()),
            Target::OpenaiChat => {
                let target = OpenAiChat::default().with_uri(self.with_uri);
                Box::new(target.with_hears(self.hears))
            }
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
                Flavor::Rust => CopilotFlavor::Rust,
                Flavor::Node => CopilotFlavor::Node,
                Flavor::Python => CopilotFlavor::Python,
                Flavor::Go => CopilotFlavor::Go,
                Flavor::DotNet => CopilotFlavor::DotNet,
            })),
            Target::Langchain => Box::new(LangChain::default()),
            _ => return None,
        })
    }

    fn anthropic(&self) -> Anthropic {
        Anthropic::default().with_titles(self.titles)
    }

    /// The result as the SDKs of peers read it.
    fn parsed(&self, value: &Value) -> Result<(CallToolResult, Losses), Error> {
        let parsed = CallToolResult::read(value.clone(), Reading::default())?;
        Ok(for_peers(parsed.result))
    }

    fn revision(&self) -> Result<Revision, Error> {
        match &self.revision {
            None => Ok(Revision::LATEST_HANDSHAKE),
            Some(name) => name.parse().map_err(|_| Error::Revision(name.clone())),
        }
    }
}

//! Results of tools, for each target.

use mcp_protocol::{
    CallToolResult, Losses, Revision,
    read::Reading,
    render::{self, Projection},
};
use serde_json::{Value, json};

use super::{Error, Preset, Report, Settings, Target, report::report};
use crate::{
    AiSdk, Anthropic, Call, Copilot, Framework, LangChain, Vendor, compat, convert, for_peers,
    tools::Provider,
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
                    (Preset::Compat, Some(vendor)) => compat(value, call, &*vendor)?,
                    (Preset::Compat, None) => return Err(Error::NoVendor(self.target)),
                    (Preset::Rich, _) => {
                        let target = self.target()?.ok_or(self.no_form())?;
                        convert(value, call, &*target, &self.policy())?
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
    pub(crate) fn target(&self) -> Result<Option<Box<dyn crate::Target>>, Error> {
        let alone = |target| Some(self.row(target)?.0);
        let (target, Some(provider)) = (alone(self.target), self.provider) else {
            return Ok(alone(self.target));
        };
        let provider = alone(match provider {
            Provider::Anthropic => Target::Anthropic,
            Provider::OpenAiResponses => Target::OpenaiResponses,
            Provider::OpenAiChat => Target::OpenaiChat,
            Provider::Gemini => Target::Gemini,
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

    /// The target, if its vendor has a converter that is equaled.
    fn vendor(&self) -> Option<Box<dyn Vendor>> {
        Some(match self.target {
            Target::AiSdk => Box::new(AiSdk::default()),
            Target::Anthropic => Box::new(self.anthropic()),
            Target::Copilot => Box::new(Copilot::default().with_flavor(self.flavor)),
            Target::Langchain => Box::new(LangChain::default()),
            _ => return None,
        })
    }

    pub(super) fn anthropic(&self) -> Anthropic {
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

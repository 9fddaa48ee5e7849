//! Results of tools, for each target.

use mcp_protocol::{
    CallToolResult, Revision,
    convert::{
        Call, HasVendor, Options, ai_sdk, anthropic, bedrock, codex, copilot, gemini, langchain,
        llama_index, mastra, openai_agents, openai_chat, openai_responses, pydantic_ai, rig,
        sampling, strands, swiftide,
    },
    parse::Reading,
    render::{self, Projection},
};
use serde_json::{Value, json};

use crate::{Error, Family, Flavor, Key, Report, Settings, Target, report};

impl Settings {
    pub(crate) fn result(&self, value: Value) -> Result<Report, Error> {
        let id = self.call_id.as_deref().unwrap_or("call_1");
        let call = Call::new(id, self.tool.as_deref().unwrap_or("tool"));
        let value = &value;
        Ok(match self.target {
            Target::Anthropic => {
                let options: anthropic::Options = self.options();
                let options = options.with_titles(self.titles);
                json_of(&anthropic::convert(value, call, &options)?)
            }
            Target::OpenaiResponses => {
                let options = openai_responses::Options::rich()
                    .with_policy(self.policy())
                    .with_join(self.join)
                    .with_uri(self.with_uri);
                json_of(&openai_responses::convert(value, call, &options)?)
            }
            Target::OpenaiChat => {
                let options = openai_chat::Options::rich()
                    .with_policy(self.policy())
                    .with_uri(self.with_uri);
                json_of(&openai_chat::convert(value, call, &options)?)
            }
            Target::Gemini => {
                let options: gemini::Options = self.options();
                let options = options
                    .with_key(match self.key {
                        Key::Output => gemini::Key::Output,
                        Key::Result => gemini::Key::Result,
                    })
                    .with_join(self.join)
                    .with_spread(self.spread)
                    .with_family(match self.family {
                        Family::Gemini2 => gemini::Family::Gemini2,
                        Family::Newest | Family::Openai => gemini::Family::Gemini3,
                    })
                    .with_language(self.language())
                    .with_mcp(self.mcp());
                json_of(&gemini::convert(value, call, &options)?)
            }
            Target::Bedrock => {
                let options = bedrock::Options::rich()
                    .with_policy(self.policy())
                    .with_names_by_call(self.names_by_call)
                    .with_family(self.bedrock_family());
                json_of(&bedrock::convert(value, call, &options)?)
            }
            Target::Copilot => {
                let options: copilot::Options = self.options();
                let options = options.with_flavor(match self.flavor {
                    Flavor::Rust => copilot::Flavor::Rust,
                    Flavor::Node => copilot::Flavor::Node,
                    Flavor::Python => copilot::Flavor::Python,
                    Flavor::Go => copilot::Flavor::Go,
                });
                json_of(&copilot::convert(value, &options)?)
            }
            Target::Codex => json_of(&codex::convert(value, &self.options())?),
            Target::Langchain => {
                let options: langchain::Options = self.options();
                let options = options.with_language(self.language());
                json_of(&langchain::convert(value, call, &options)?)
            }
            Target::AiSdk => json_of(&ai_sdk::convert(value, &self.options())?),
            Target::LlamaIndex => {
                let options = llama_index::Options::rich().with_policy(self.policy());
                json_of(&llama_index::convert(value, &options)?)
            }
            Target::Mastra => {
                let options: mastra::Options = self.options();
                let options = options.with_output_schema(self.output_schema);
                json_of(&mastra::convert(value, &options)?)
            }
            Target::OpenaiAgents => {
                let options: openai_agents::Options = self.options();
                let options = options
                    .with_use_structured_content(self.use_structured_content)
                    .with_language(self.language())
                    .with_mcp(self.mcp());
                json_of(&openai_agents::convert(value, &options)?)
            }
            Target::PydanticAi => {
                let converted = pydantic_ai::convert(value, &self.options())?;
                let output = &converted.output;
                let value = json!({"value": output.value.to_value(), "failed": output.failed});
                report(&converted, value)
            }
            Target::Rig => json_of(&rig::convert(value, &self.options())?),
            Target::Strands => json_of(&strands::convert(value, call, &self.options())?),
            Target::Swiftide => {
                let converted = swiftide::convert(value, &self.options())?;
                let value = match &converted.output {
                    swiftide::ToolOutput::Text(text) => json!({"Text": text}),
                    swiftide::ToolOutput::Fail(text) => json!({"Fail": text}),
                };
                report(&converted, value)
            }
            Target::Mcp => {
                let (result, rules) = (self.parsed(value)?, self.revision()?.rules());
                let projected = render::project(result, rules, &Projection::default())?;
                Report {
                    losses: json!(projected.losses),
                    ..Report::of(projected.value.into())
                }
            }
            Target::Sampling => {
                let (result, rules) = (self.parsed(value)?, self.revision()?.rules());
                let block = sampling::convert(result, id, rules, &Projection::default())?;
                Report {
                    losses: json!(block.losses),
                    ..Report::of(block.value.into())
                }
            }
        })
    }

    fn options<T: HasVendor>(&self) -> Options<T> {
        let mut options = Options::rich().with_policy(self.policy());
        options.preset = self.preset();
        options
    }

    pub(crate) fn bedrock_family(&self) -> bedrock::Family {
        match self.family {
            Family::Openai => bedrock::Family::OpenAi,
            Family::Newest | Family::Gemini2 => bedrock::Family::Anthropic,
        }
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

fn json_of<T: serde::Serialize>(converted: &mcp_protocol::convert::Converted<'_, T>) -> Report {
    report(converted, json!(converted.output))
}

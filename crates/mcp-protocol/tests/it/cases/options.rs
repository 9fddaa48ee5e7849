//! The options of a check, as the types of the crate.

use std::borrow::Cow;

use mcp_protocol::{
    CallToolResult, OutputOptions,
    content::ContentBlock,
    convert::{
        AiSdk, Anthropic, Audience, Bedrock, BedrockFamily, Codex, Copilot, CopilotFlavor, Cut,
        ErrorMark, Framework, Gemini, GeminiFamily, GeminiKey, LangChain, Limits, Links,
        LlamaIndex, Mastra, OpenAiAgents, OpenAiChat, OpenAiResponses, OversizedStructure, Policy,
        Prefer, PydanticAi, Rig, Strands, Swiftide, Target, Unsupported, Vendor,
    },
    read::Reading,
    render::{AudioFallback, EmitIsError, NonObject, Projection, Unknown},
};
use serde_json::{Value, json};

use super::model::Check;

/// The targets that hand results on to a provider.
pub(crate) const FRAMEWORKS: [&str; 6] = [
    "langchain",
    "ai_sdk",
    "pydantic_ai",
    "llama_index",
    "mastra",
    "strands",
];

/// The options of one check. What has no meaning here is a mistake in the file.
pub(crate) struct Options<'a>(pub(crate) &'a Check);

impl Options<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        self.0.value("options")?.get(name)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.value(name).map(|it| it.as_str().unwrap())
    }

    fn flag(&self, name: &str) -> bool {
        self.value(name).is_some_and(|it| it.as_bool().unwrap())
    }

    pub(super) fn policy(&self) -> Policy {
        Policy::default()
            .with_prefer(match self.text("prefer") {
                None => Prefer::Both,
                Some("content_only") => Prefer::ContentOnly,
                Some("structured_only") => Prefer::StructuredOnly,
                Some(other) => panic!("prefer: {other}"),
            })
            .with_audience(match self.text("audience") {
                None => Audience::Ignore,
                Some("respect") => Audience::Respect,
                Some(other) => panic!("audience: {other}"),
            })
            .with_unsupported(match self.text("unsupported") {
                None => Unsupported::Note,
                Some("error") => Unsupported::Error,
                Some(other) => panic!("unsupported: {other}"),
            })
            .with_error_mark(match self.text("error_mark") {
                None => ErrorMark::default(),
                Some("none") => ErrorMark::None,
                Some("json") => ErrorMark::Json,
                Some(other) => panic!("error_mark: {other}"),
            })
            .with_links(match self.text("links") {
                None => Links::Text,
                Some("images") => Links::Images,
                Some(other) => panic!("links: {other}"),
            })
            .with_limits(self.limits())
    }

    fn limits(&self) -> Limits {
        let Some(limits) = self.value("limits") else {
            return Limits::default();
        };
        let number = |name: &str| {
            limits
                .get(name)
                .map(|it| usize::try_from(it.as_u64().unwrap()).unwrap())
        };
        let of = number("bytes").map_or_else(Limits::default, Limits::bytes);
        of.with_lines(number("lines"))
            .with_media_bytes(number("media_bytes"))
            .with_cut(match limits.get("cut").and_then(Value::as_str) {
                None | Some("middle") => Cut::Middle,
                Some("head") => Cut::Head,
                Some("tail") => Cut::Tail,
                Some("json_aware") => Cut::JsonAware,
                Some(other) => panic!("cut: {other}"),
            })
            .with_structure(match limits.get("structure").and_then(Value::as_str) {
                None => OversizedStructure::Omit,
                Some("error") => OversizedStructure::Error,
                Some(other) => panic!("structure: {other}"),
            })
    }

    pub(super) fn projection(&self) -> Projection {
        let mut projection = Projection::default()
            .with_non_object(match self.value("non_object") {
                None => NonObject::default(),
                Some(Value::String(name)) if name == "omit" => NonObject::Omit,
                Some(Value::String(name)) if name == "reject" => NonObject::Reject,
                Some(wrap) => {
                    NonObject::Wrap(Cow::Owned(wrap["wrap"].as_str().unwrap().to_owned()))
                }
            })
            .with_is_error(match self.text("emit_is_error") {
                None => EmitIsError::WhenTrue,
                Some("always") => EmitIsError::Always,
                Some(other) => panic!("emit_is_error: {other}"),
            })
            .with_unknown(match self.text("unknown") {
                None => Unknown::Keep,
                Some("drop") => Unknown::Drop,
                Some(other) => panic!("unknown: {other}"),
            })
            .with_audio(match self.text("audio_uri") {
                None => AudioFallback::Note,
                Some(uri) => AudioFallback::Embed {
                    uri: uri.to_owned(),
                },
            })
            .with_strict_text(self.flag("strict_text"));
        if let Some(schema) = self.value("output_schema") {
            projection = projection.with_output_schema(schema.clone());
        }
        projection
    }

    /// The schema by which a received value is unwrapped.
    pub(super) fn unwrap(&self) -> Option<&Value> {
        self.value("unwrap")
    }

    pub(super) fn output(&self) -> OutputOptions {
        let mut options = OutputOptions::default();
        if let Some(words) = self.text("unit") {
            options = options.with_unit_text(words.to_owned());
        }
        options = match self.text("error_details") {
            None => options,
            Some("include") => options.with_error_details(),
            Some(other) => panic!("error_details: {other}"),
        };
        if self.flag("has_output_schema") {
            options = options.with_output_schema();
        }
        options
    }

    /// Whether the vendor's own converter is meant.
    pub(super) fn is_compat(&self, target: &str) -> bool {
        match self.text("preset") {
            None => target == "copilot",
            Some("rich") => false,
            Some("compat") => true,
            Some(other) => panic!("no such preset: {other}"),
        }
    }

    /// The target, with the provider behind it where the options name one.
    pub(crate) fn target(&self, name: &str) -> Box<dyn Target> {
        match self.text("for") {
            Some(provider) if FRAMEWORKS.contains(&name) => {
                Box::new(Framework::new(self.alone(name), self.alone(provider)))
            }
            _ => self.alone(name),
        }
    }

    fn alone(&self, name: &str) -> Box<dyn Target> {
        match name {
            "ai_sdk" => Box::new(AiSdk::default()),
            "anthropic" => Box::new(self.anthropic()),
            "bedrock" => Box::new(
                Bedrock::default()
                    .with_names_by_call(self.flag("names_by_call"))
                    .with_family(match self.text("family") {
                        None | Some("gemini2") => BedrockFamily::Anthropic,
                        Some("openai") => BedrockFamily::OpenAi,
                        Some(other) => panic!("family: {other}"),
                    }),
            ),
            "codex" => Box::new(Codex::default()),
            "copilot" => Box::new(Copilot::default()),
            "gemini" => Box::new(
                Gemini::default()
                    .with_key(match self.text("key") {
                        None => GeminiKey::Output,
                        Some("result") => GeminiKey::Result,
                        Some(other) => panic!("key: {other}"),
                    })
                    .with_join(self.flag("join"))
                    .with_spread(self.flag("spread"))
                    .with_family(match self.text("family") {
                        None | Some("openai") => GeminiFamily::Gemini3,
                        Some("gemini2") => GeminiFamily::Gemini2,
                        Some(other) => panic!("family: {other}"),
                    }),
            ),
            "langchain" => Box::new(LangChain::default()),
            "llama_index" => Box::new(LlamaIndex::default()),
            "mastra" => Box::new(Mastra::default()),
            "openai_agents" => Box::new(OpenAiAgents::default()),
            "openai_chat" => {
                let target = OpenAiChat::default().with_uri(self.flag("with_uri"));
                Box::new(target.with_hears(self.flag("hears")))
            }
            "openai_responses" => Box::new(
                OpenAiResponses::default()
                    .with_join(self.flag("join"))
                    .with_uri(self.flag("with_uri")),
            ),
            "pydantic_ai" => Box::new(PydanticAi::default()),
            "rig" => Box::new(Rig::default()),
            "strands" => Box::new(Strands::default()),
            "swiftide" => Box::new(Swiftide::default()),
            other => panic!("no such target: {other}"),
        }
    }

    /// The target as its vendor has it.
    pub(super) fn vendor(&self, name: &str) -> Box<dyn Vendor> {
        match name {
            "ai_sdk" => Box::new(AiSdk::default()),
            "anthropic" => Box::new(self.anthropic()),
            "copilot" => Box::new(Copilot::default().with_flavor(match self.text("flavor") {
                None | Some("rust") => CopilotFlavor::Rust,
                Some("node") => CopilotFlavor::Node,
                Some("python") => CopilotFlavor::Python,
                Some("go") => CopilotFlavor::Go,
                Some("dotnet") => CopilotFlavor::DotNet,
                Some(other) => panic!("flavor: {other}"),
            })),
            "langchain" => Box::new(LangChain::default()),
            other => panic!("no converter of the vendor: {other}"),
        }
    }

    fn anthropic(&self) -> Anthropic {
        let target = Anthropic::default().with_titles(self.flag("titles"));
        match self.value("cache_control") {
            Some(value) => target.with_cache_control(value.clone()),
            None => target,
        }
    }
}

/// The blocks that this JSON is.
pub(super) fn blocks(content: &Value) -> Vec<ContentBlock> {
    let result = json!({"content": content});
    let parsed = CallToolResult::read(result.clone(), Reading::default());
    parsed.unwrap().result.content
}

//! The options of a check, as the types of the crate.

use std::borrow::Cow;

use mcp_protocol::{
    CallToolResult,
    content::ContentBlock,
    convert::{
        self, Audience, Cut, ErrorMark, HasVendor, Language, Limits, Links, McpPackage,
        OversizedStructure, Policy, Prefer, Preset, Unsupported, anthropic, bedrock, copilot,
        gemini, langchain, mastra, openai_agents, openai_chat, openai_responses,
    },
    output::{ErrorDetails, OutputOptions, Unit},
    parse::Reading,
    render::{AudioFallback, EmitIsError, NonObject, Projection, Unknown},
};
use serde_json::{Value, json};

use super::model::Check;

/// The options of one check. What has no meaning here is a mistake in the file.
pub(super) struct Options<'a>(pub(super) &'a Check);

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

    /// The options of a target whose vendor has a converter.
    fn of<T: HasVendor>(&self, default: Preset) -> convert::Options<T> {
        let mut options = convert::Options::rich().with_policy(self.policy());
        options.preset = match self.text("preset") {
            None => default,
            Some("rich") => Preset::Rich,
            Some("compat") => Preset::Compat,
            Some(other) => panic!("no such preset: {other}"),
        };
        options
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
        let mut of = number("bytes").map_or_else(Limits::default, Limits::bytes);
        of.lines = number("lines");
        of.media_bytes = number("media_bytes");
        of.with_cut(match limits.get("cut").and_then(Value::as_str) {
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
        projection.output_schema = self.value("output_schema").cloned();
        projection
    }

    /// The schema by which a received value is unwrapped.
    pub(super) fn unwrap(&self) -> Option<&Value> {
        self.value("unwrap")
    }

    pub(super) fn output(&self) -> OutputOptions {
        OutputOptions::default()
            .with_unit(match self.text("unit") {
                None => Unit::Empty,
                Some(words) => Unit::Text(words.to_owned().into()),
            })
            .with_error_details(match self.text("error_details") {
                None => ErrorDetails::TextOnly,
                Some("include") => ErrorDetails::Include,
                Some(other) => panic!("error_details: {other}"),
            })
            .with_output_schema(self.flag("has_output_schema"))
    }

    pub(super) fn copilot(&self) -> copilot::Options {
        let options: copilot::Options = self.of(Preset::Compat);
        options.with_flavor(match self.text("flavor") {
            None | Some("rust") => copilot::Flavor::Rust,
            Some("node") => copilot::Flavor::Node,
            Some("python") => copilot::Flavor::Python,
            Some("go") => copilot::Flavor::Go,
            Some(other) => panic!("flavor: {other}"),
        })
    }

    pub(super) fn openai_responses(&self) -> openai_responses::Options {
        openai_responses::Options::rich()
            .with_policy(self.policy())
            .with_join(self.flag("join"))
            .with_uri(self.flag("with_uri"))
    }

    pub(super) fn openai_chat(&self) -> openai_chat::Options {
        openai_chat::Options::rich()
            .with_policy(self.policy())
            .with_uri(self.flag("with_uri"))
    }

    pub(super) fn anthropic(&self) -> anthropic::Options {
        let options: anthropic::Options = self.of(Preset::Rich);
        let options = options.with_titles(self.flag("titles"));
        match self.value("cache_control") {
            Some(value) => options.with_cache_control(value.clone()),
            None => options,
        }
    }

    pub(super) fn gemini(&self) -> gemini::Options {
        let options: gemini::Options = self.of(Preset::Rich);
        options
            .with_key(match self.text("key") {
                None => gemini::Key::Output,
                Some("result") => gemini::Key::Result,
                Some(other) => panic!("key: {other}"),
            })
            .with_join(self.flag("join"))
            .with_spread(self.flag("spread"))
            .with_family(match self.text("family") {
                None | Some("openai") => gemini::Family::Gemini3,
                Some("gemini2") => gemini::Family::Gemini2,
                Some(other) => panic!("family: {other}"),
            })
            .with_mcp(self.mcp())
            .with_language(self.language())
    }

    fn mcp(&self) -> McpPackage {
        match self.value("mcp").and_then(Value::as_u64) {
            None | Some(1) => McpPackage::V1,
            Some(2) => McpPackage::V2,
            Some(other) => panic!("mcp: {other}"),
        }
    }

    pub(super) fn bedrock(&self) -> bedrock::Options {
        bedrock::Options::rich()
            .with_policy(self.policy())
            .with_names_by_call(self.flag("names_by_call"))
            .with_family(match self.text("family") {
                None | Some("gemini2") => bedrock::Family::Anthropic,
                Some("openai") => bedrock::Family::OpenAi,
                Some(other) => panic!("family: {other}"),
            })
    }

    fn language(&self) -> Language {
        match self.text("language") {
            None | Some("python") => Language::Python,
            Some("javascript") => Language::JavaScript,
            Some(other) => panic!("language: {other}"),
        }
    }

    pub(super) fn langchain(&self) -> langchain::Options {
        let options: langchain::Options = self.of(Preset::Rich);
        options.with_language(self.language())
    }

    pub(super) fn mastra(&self) -> mastra::Options {
        let options: mastra::Options = self.of(Preset::Rich);
        options.with_output_schema(self.flag("output_schema"))
    }

    pub(super) fn openai_agents(&self) -> openai_agents::Options {
        let options: openai_agents::Options = self.of(Preset::Rich);
        options
            .with_use_structured_content(self.flag("use_structured_content"))
            .with_mcp(self.mcp())
            .with_language(self.language())
    }

    pub(super) fn codex(&self) -> convert::Options {
        self.of(Preset::Compat)
    }

    /// Those of the targets without choices of their own.
    pub(super) fn plain(&self) -> convert::Options {
        self.of(Preset::Rich)
    }
}

/// The blocks that this JSON is.
pub(super) fn blocks(content: &Value) -> Vec<ContentBlock> {
    let result = json!({"content": content});
    let parsed = CallToolResult::parse(&result, Reading::default());
    parsed.unwrap().result.content
}

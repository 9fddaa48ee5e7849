//! The options of a check, as the types of the crate.

use std::borrow::Cow;

use mcp_protocol::{
    CallToolResult,
    content::ContentBlock,
    convert::{
        Audience, Cut, ErrorMark, Limits, Links, OversizedStructure, Policy, Prefer, Unsupported,
        ai_sdk, anthropic, codex, copilot, gemini, langchain, openai_agents, openai_chat,
        openai_responses, rig, swiftide,
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

    fn is_rich(&self, default: bool) -> bool {
        match self.text("preset") {
            None => default,
            Some("rich") => true,
            Some("compat") => false,
            Some(other) => panic!("no such preset: {other}"),
        }
    }

    pub(super) fn policy(&self) -> Policy {
        Policy {
            prefer: match self.text("prefer") {
                None => Prefer::Both,
                Some("content_only") => Prefer::ContentOnly,
                Some("structured_only") => Prefer::StructuredOnly,
                Some(other) => panic!("prefer: {other}"),
            },
            audience: match self.text("audience") {
                None => Audience::Ignore,
                Some("respect") => Audience::Respect,
                Some(other) => panic!("audience: {other}"),
            },
            unsupported: match self.text("unsupported") {
                None => Unsupported::Note,
                Some("error") => Unsupported::Error,
                Some(other) => panic!("unsupported: {other}"),
            },
            error_mark: match self.text("error_mark") {
                None => ErrorMark::default(),
                Some("none") => ErrorMark::None,
                Some("json") => ErrorMark::Json,
                Some(other) => panic!("error_mark: {other}"),
            },
            links: match self.text("links") {
                None => Links::Text,
                Some("images") => Links::Images,
                Some(other) => panic!("links: {other}"),
            },
            limits: self.limits(),
        }
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
        Limits {
            lines: number("lines"),
            media_bytes: number("media_bytes"),
            cut: match limits.get("cut").and_then(Value::as_str) {
                None | Some("middle") => Cut::Middle,
                Some("head") => Cut::Head,
                Some("tail") => Cut::Tail,
                Some("json_aware") => Cut::JsonAware,
                Some(other) => panic!("cut: {other}"),
            },
            structure: match limits.get("structure").and_then(Value::as_str) {
                None => OversizedStructure::Omit,
                Some("error") => OversizedStructure::Error,
                Some(other) => panic!("structure: {other}"),
            },
            ..number("bytes").map_or_else(Limits::default, Limits::bytes)
        }
    }

    pub(super) fn projection(&self) -> Projection {
        Projection {
            non_object: match self.value("non_object") {
                None => NonObject::default(),
                Some(Value::String(name)) if name == "omit" => NonObject::Omit,
                Some(Value::String(name)) if name == "reject" => NonObject::Reject,
                Some(wrap) => {
                    NonObject::Wrap(Cow::Owned(wrap["wrap"].as_str().unwrap().to_owned()))
                }
            },
            is_error: match self.text("emit_is_error") {
                None => EmitIsError::WhenTrue,
                Some("always") => EmitIsError::Always,
                Some(other) => panic!("emit_is_error: {other}"),
            },
            unknown: match self.text("unknown") {
                None => Unknown::Keep,
                Some("drop") => Unknown::Drop,
                Some(other) => panic!("unknown: {other}"),
            },
            audio: match self.text("audio_uri") {
                None => AudioFallback::Note,
                Some(uri) => AudioFallback::Embed {
                    uri: uri.to_owned(),
                },
            },
            output_schema: self.value("output_schema").cloned(),
            strict_text: self.flag("strict_text"),
        }
    }

    /// The schema by which a received value is unwrapped.
    pub(super) fn unwrap(&self) -> Option<&Value> {
        self.value("unwrap")
    }

    pub(super) fn output(&self) -> OutputOptions {
        OutputOptions {
            unit: match self.text("unit") {
                None => Unit::Empty,
                Some(words) => Unit::Text(words.to_owned().into()),
            },
            error_details: match self.text("error_details") {
                None => ErrorDetails::TextOnly,
                Some("include") => ErrorDetails::Include,
                Some(other) => panic!("error_details: {other}"),
            },
            has_output_schema: self.flag("has_output_schema"),
            ..OutputOptions::default()
        }
    }

    pub(super) fn copilot(&self) -> copilot::Options {
        let flavor = match self.text("flavor") {
            None => copilot::Flavor::Rust,
            Some("node") => copilot::Flavor::Node,
            Some("python") => copilot::Flavor::Python,
            Some("go") => copilot::Flavor::Go,
            Some(other) => panic!("flavor: {other}"),
        };
        copilot::Options {
            preset: match self.is_rich(false) {
                true => copilot::Preset::Rich,
                false => copilot::Preset::Compat(flavor),
            },
            policy: self.policy(),
        }
    }

    pub(super) fn openai_responses(&self) -> openai_responses::Options {
        openai_responses::Options {
            policy: self.policy(),
            join: self.flag("join"),
            with_uri: self.flag("with_uri"),
        }
    }

    pub(super) fn openai_chat(&self) -> openai_chat::Options {
        openai_chat::Options {
            policy: self.policy(),
            with_uri: self.flag("with_uri"),
        }
    }

    pub(super) fn codex(&self) -> codex::Options {
        let preset = match self.is_rich(false) {
            true => codex::Preset::Rich,
            false => codex::Preset::Compat,
        };
        let policy = self.policy();
        codex::Options { preset, policy }
    }

    pub(super) fn anthropic(&self) -> anthropic::Options {
        anthropic::Options {
            preset: match self.is_rich(true) {
                true => anthropic::Preset::Rich,
                false => anthropic::Preset::Compat,
            },
            policy: self.policy(),
            cache_control: self.value("cache_control").cloned(),
            titles: self.flag("titles"),
        }
    }

    pub(super) fn gemini(&self) -> gemini::Options {
        gemini::Options {
            preset: match self.is_rich(true) {
                true => gemini::Preset::Rich,
                false => gemini::Preset::Compat,
            },
            policy: self.policy(),
            key: match self.text("key") {
                None => gemini::Key::Output,
                Some("result") => gemini::Key::Result,
                Some(other) => panic!("key: {other}"),
            },
            join: self.flag("join"),
            spread: self.flag("spread"),
        }
    }

    pub(super) fn langchain(&self) -> langchain::Options {
        let preset = match self.is_rich(true) {
            true => langchain::Preset::Rich,
            false => langchain::Preset::Compat,
        };
        let policy = self.policy();
        langchain::Options { preset, policy }
    }

    pub(super) fn ai_sdk(&self) -> ai_sdk::Options {
        let preset = match self.is_rich(true) {
            true => ai_sdk::Preset::Rich,
            false => ai_sdk::Preset::Compat,
        };
        let policy = self.policy();
        ai_sdk::Options { preset, policy }
    }

    pub(super) fn openai_agents(&self) -> openai_agents::Options {
        let use_structured_content = self.flag("use_structured_content");
        openai_agents::Options {
            preset: match self.is_rich(true) {
                true => openai_agents::Preset::Rich,
                false => openai_agents::Preset::Compat {
                    use_structured_content,
                },
            },
            policy: self.policy(),
        }
    }

    pub(super) fn rig(&self) -> rig::Options {
        let preset = match self.is_rich(true) {
            true => rig::Preset::Rich,
            false => rig::Preset::Compat,
        };
        let policy = self.policy();
        rig::Options { preset, policy }
    }

    pub(super) fn swiftide(&self) -> swiftide::Options {
        let preset = match self.is_rich(true) {
            true => swiftide::Preset::Rich,
            false => swiftide::Preset::Compat,
        };
        let policy = self.policy();
        swiftide::Options { preset, policy }
    }
}

/// The blocks that this JSON is.
pub(super) fn blocks(content: &Value) -> Vec<ContentBlock> {
    let result = json!({"content": content});
    let parsed = CallToolResult::parse(&result, Reading::default());
    parsed.unwrap().result.content
}

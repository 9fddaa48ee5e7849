//! The options of a check, as the types of the crate.

use mcp_convert::{
    ContentPreference, ConvertOptions, OutputLimits, Target, Truncation, VendorConverter,
    settings::Settings,
};
use mcp_protocol::{
    CallToolResult, content::ContentBlock, read::ToolResultReadOptions, render::ProjectionOptions,
};
use serde_json::{Value, json};

use super::model::Check;

/// The targets that hand results on to a provider.
pub(crate) const FRAMEWORKS: [&str; 5] = [
    "langchain",
    "ai_sdk",
    "pydantic_ai",
    "llama_index",
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

    pub(super) fn policy(&self) -> ConvertOptions {
        ConvertOptions::default()
            .with_content_preference(match self.text("prefer") {
                None => ContentPreference::Both,
                Some("content_only") => ContentPreference::ContentOnly,
                Some("content_unless_empty") => ContentPreference::ContentUnlessEmpty,
                Some("structured_only") => ContentPreference::StructuredOnly,
                Some(other) => panic!("prefer: {other}"),
            })
            .with_audience_respected(match self.text("audience") {
                None => false,
                Some("respect") => true,
                Some(other) => panic!("audience: {other}"),
            })
            .with_linked_images(match self.text("links") {
                None => false,
                Some("images") => true,
                Some(other) => panic!("links: {other}"),
            })
            .with_limits(self.limits())
    }

    fn limits(&self) -> OutputLimits {
        let Some(limits) = self.value("limits") else {
            return OutputLimits::default();
        };
        let number = |name: &str| {
            limits
                .get(name)
                .map(|it| usize::try_from(it.as_u64().unwrap()).unwrap())
        };
        let of = number("bytes").map_or_else(OutputLimits::default, OutputLimits::bytes);
        of.with_media_item_bytes(number("media_bytes"))
            .with_cut_position(match limits.get("cut").and_then(Value::as_str) {
                None | Some("middle") => Truncation::Middle,
                Some("head") => Truncation::Head,
                Some("json_aware") => Truncation::JsonAware,
                Some(other) => panic!("cut: {other}"),
            })
    }

    pub(super) fn projection(&self) -> ProjectionOptions {
        let mut projection =
            ProjectionOptions::default().with_structured_text_always(self.flag("strict_text"));
        projection = match self.value("non_object") {
            None => projection,
            Some(Value::String(name)) if name == "omit" => projection.with_non_objects_omitted(),
            Some(Value::String(name)) if name == "reject" => projection.with_non_objects_refused(),
            Some(wrap) => projection.with_wrapper_name(wrap["wrap"].as_str().unwrap().to_owned()),
        };
        projection = match self.text("emit_is_error") {
            None => projection,
            Some("always") => projection.with_is_error_always(),
            Some(other) => panic!("emit_is_error: {other}"),
        };
        projection = match self.text("unknown") {
            None => projection,
            Some("drop") => projection.with_unknown_dropped(),
            Some(other) => panic!("unknown: {other}"),
        };
        if let Some(uri) = self.text("audio_uri") {
            projection = projection.with_embedded_audio(uri);
        }
        if let Some(schema) = self.value("output_schema") {
            projection = projection.with_output_schema(schema.clone());
        }
        projection
    }

    /// The schema by which a received value is unwrapped.
    pub(super) fn unwrap(&self) -> Option<&Value> {
        self.value("unwrap")
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
        self.settings(name).target()
    }

    /// The target as its vendor has it.
    pub(super) fn vendor(&self, name: &str) -> Box<dyn VendorConverter> {
        self.settings(name).compat_target().unwrap()
    }

    fn settings(&self, name: &str) -> Settings {
        let mut settings = json!({"to": name.replace('_', "-")});
        if FRAMEWORKS.contains(&name) {
            settings["for"] = match self.text("for") {
                None => "any".into(),
                Some("openai_responses") => "openai".into(),
                Some("gemini") => "google".into(),
                Some(other) => other.replace('_', "-").into(),
            };
        }
        for name in ["flavor", "family", "hears"] {
            if let Some(value) = self.value(name) {
                settings[name] = value.clone();
            }
        }
        serde_json::from_value(settings).unwrap()
    }
}

/// The blocks that this JSON is.
pub(super) fn blocks(content: &Value) -> Vec<ContentBlock> {
    let result = json!({"content": content});
    let parsed = CallToolResult::read(result.clone(), ToolResultReadOptions::default());
    parsed.unwrap().result.content
}

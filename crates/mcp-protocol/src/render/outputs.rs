//! Results as variants of which a client chooses: what SEP-3279 proposes for the revision after 2026-07-28
//! (<https://github.com/modelcontextprotocol/modelcontextprotocol/pull/3279>). It changes as the proposal does.

use serde_json::{Value, json};

use crate::{ErrorObject, Object, Tool, json::put};

/// One variant of a result: whom it is for, and in which format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputSelector {
    /// Blocks for the model: what a client gets that chooses nothing.
    AssistantContent,
    /// A value for the model.
    AssistantStructured,
    /// A value for programs of the client.
    ProgrammaticStructured,
}

impl OutputSelector {
    /// The variants that a tool declares: a value only where it has a schema.
    #[must_use]
    pub const fn declared(has_output_schema: bool) -> &'static [Self] {
        match has_output_schema {
            true => &[
                Self::AssistantContent,
                Self::AssistantStructured,
                Self::ProgrammaticStructured,
            ],
            false => &[Self::AssistantContent],
        }
    }

    const fn names(self) -> [&'static str; 2] {
        match self {
            Self::AssistantContent => ["assistant", "content"],
            Self::AssistantStructured => ["assistant", "structured"],
            Self::ProgrammaticStructured => ["programmatic", "structured"],
        }
    }

    fn to_object(self) -> Object {
        let [audience, format] = self.names();
        let mut object = Object::new();
        put(&mut object, "audience", audience);
        put(&mut object, "format", format);
        object
    }

    /// The variants that `requestedOutputs` of a call names.
    ///
    /// # Errors
    /// Invalid params if it is no list of variants that the tool declares, or names one twice.
    pub fn requested(
        requested: Option<&Value>,
        declared: &[Self],
    ) -> Result<Vec<Self>, ErrorObject> {
        let Some(requested) = requested else {
            return Ok(vec![Self::AssistantContent]);
        };
        let shown: Vec<String> = declared.iter().map(|it| it.names().join("/")).collect();
        let invalid = || {
            let what = format!(
                "requestedOutputs must be a list of outputs that the tool declares, each once: {}",
                shown.join(", ")
            );
            ErrorObject::invalid_params(what)
        };
        let items = requested.as_array().filter(|it| !it.is_empty());
        let mut found = Vec::new();
        for item in items.ok_or_else(invalid)? {
            let is_meant = |it: &&Self| {
                let [audience, format] = it.names();
                item["audience"] == audience && item["format"] == format
            };
            let selector = declared.iter().find(is_meant).ok_or_else(invalid)?;
            if found.contains(selector) {
                return Err(invalid());
            }
            found.push(*selector);
        }
        Ok(found)
    }
}

/// `outputVariants` of a tool.
pub(super) fn output_variants(tool: &Tool) -> Value {
    let schema = tool.output_schema.as_ref();
    let declared = OutputSelector::declared(schema.is_some()).iter();
    let variants = declared.map(|it| {
        let mut object = it.to_object();
        if let Some(schema) = schema.filter(|_| *it != OutputSelector::AssistantContent) {
            put(&mut object, "schema", schema.clone());
        }
        Value::Object(object)
    });
    variants.collect()
}

/// A result of [`super::call_tool_result`] with the variants that were asked for instead of `content` and `structuredContent`. A
/// failure without a value has its text as the value.
#[must_use]
pub fn outputs(mut result: Object, requested: &[OutputSelector]) -> Object {
    let content = result.remove("content").unwrap_or_else(|| json!([]));
    let value = result.remove("structuredContent");
    let value = value.unwrap_or_else(|| {
        let blocks = content.as_array().into_iter().flatten();
        let texts: Vec<&str> = blocks.filter_map(|it| it["text"].as_str()).collect();
        json!({"error": texts.join("\n")})
    });
    let outputs = requested.iter().map(|it| {
        let mut object = it.to_object();
        match it {
            OutputSelector::AssistantContent => put(&mut object, "content", content.clone()),
            OutputSelector::AssistantStructured | OutputSelector::ProgrammaticStructured => {
                put(&mut object, "structuredContent", value.clone());
            }
        }
        Value::Object(object)
    });
    let outputs: Value = outputs.collect();
    put(&mut result, "outputs", outputs);
    result
}

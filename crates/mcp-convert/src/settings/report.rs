//! Conversion by settings: the value in, a report out.

use mcp_protocol::{GetPromptResult, ReadResourceResult, Tool, read::Page};
use serde_json::{Value, json};

use super::{Settings, SourceKind, Target};
use crate::{
    Conversion, ConvertError, JsonRef,
    messages::{self, MessageFormat},
    tools::{self, Provider},
};

/// An error converting a value by settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// It cannot be converted.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// It is not what the settings say it is.
    #[error(transparent)]
    Unreadable(#[from] serde_json::Error),
    /// The target declares no tools itself.
    #[error("{} passes tools on to an API: use anthropic, openai-responses, openai-chat, gemini or bedrock", name(*.0))]
    NoTools(Target),
    /// There are no rules for outputs of this kind.
    #[error("--check is for results and tools, not for a {}", name(*.0))]
    NoRules(SourceKind),
    /// The target is a framework, and the API behind it is not named.
    #[error("{} passes results on to an API: name it with `for`: anthropic, openai, openai-chat, google, bedrock, or any if you do not know it", name(*.0))]
    NeedsProvider(Target),
    /// A setting has no effect on this conversion.
    #[error("`{setting}` has no effect here: it is for {of}")]
    NoEffect {
        /// Its name in JSON.
        setting: &'static str,
        /// The conversions that it is for.
        of: &'static str,
    },
    /// Something is lost, and [`Settings::lossless`] makes that an error.
    #[error("lost: {0}")]
    Lost(String),
}

/// The outcome of a conversion by settings.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct ConversionOutcome {
    /// What is sent to the target.
    pub output: Value,
    /// What is not in it, or in another form, each with its code.
    pub losses: Value,
    /// Parts for a user message after the tool's message.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub follow_up: Vec<Value>,
    /// The blocks that are for the user alone, by index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub for_user: Vec<usize>,
    /// `_meta` of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// `_meta` of the blocks, each with its index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub block_meta: Vec<Value>,
    /// For tools: the name that is sent, and the index of the tool and the names of its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Value>,
}

impl Settings {
    /// Converts a value.
    ///
    /// # Errors
    /// Fails if it is not what the settings say, if the target has no form for it, or if a policy makes a loss an
    /// error.
    pub fn convert(&self, value: Value) -> Result<ConversionOutcome, SettingsError> {
        self.check_provider()?;
        self.check_settings()?;
        let report = match self.kind {
            SourceKind::Result => self.result(&value)?,
            SourceKind::Prompt => {
                let prompt = serde_json::from_value::<GetPromptResult>(value)?;
                self.messages(messages::prompt(
                    &prompt,
                    self.row(self.target).1,
                    &self.policy(),
                )?)
            }
            SourceKind::Resource => {
                let read = serde_json::from_value::<ReadResourceResult>(value)?;
                let contents =
                    messages::contents(&read.contents, self.row(self.target).1, &self.policy())?;
                self.messages(contents)
            }
            SourceKind::Tools => self.tools(value)?,
        };
        match report.losses.as_array() {
            Some(losses) if self.lossless && !losses.is_empty() => {
                let texts = losses.iter().filter_map(|it| it.get("text")?.as_str());
                Err(SettingsError::Lost(texts.collect::<Vec<_>>().join("; ")))
            }
            Some(_) | None => Ok(report),
        }
    }

    fn messages(&self, converted: Conversion<'_, Vec<JsonRef<'_>>>) -> ConversionOutcome {
        let output = converted.output.iter().map(JsonRef::to_value).collect();
        report(&converted, output)
    }

    fn tools(&self, value: Value) -> Result<ConversionOutcome, SettingsError> {
        let provider = self.provider()?;
        let page = serde_json::from_value::<Page<Tool>>(value)?;
        let mut options = tools::ToolOptions::new(provider);
        if let Some(max) = self.max_depth {
            options = options.with_max_depth(max);
        }
        if let Some(max) = self.max_description {
            options = options.with_max_description(max);
        }
        let converted = tools::convert(&page.items, &options);
        let names: Value = converted
            .tools
            .iter()
            .map(|it| {
                let renamed = json!(it.renamed());
                json!({"name": it.name, "tool": it.index, "arguments": renamed})
            })
            .collect();
        Ok(ConversionOutcome {
            losses: json!(converted.losses),
            names: Some(names),
            ..ConversionOutcome::of(converted.into_request(provider).into())
        })
    }

    /// The API whose declarations of tools the target sends.
    pub(super) fn provider(&self) -> Result<Provider, SettingsError> {
        match self.row(self.target).1 {
            MessageFormat::Anthropic => Ok(Provider::Anthropic),
            MessageFormat::OpenAiResponses => Ok(Provider::OpenAiResponses),
            MessageFormat::OpenAiChat => Ok(Provider::OpenAiChat),
            MessageFormat::Gemini => Ok(Provider::Gemini),
            MessageFormat::Bedrock => Ok(Provider::Bedrock),
            MessageFormat::LangChain | MessageFormat::AiSdk | MessageFormat::Text => {
                Err(SettingsError::NoTools(self.target))
            }
        }
    }
}

/// A choice as the flags have it.
fn name(choice: impl serde::Serialize) -> String {
    let name = serde_json::to_value(choice).unwrap_or_default();
    name.as_str().unwrap_or("").to_owned()
}

impl ConversionOutcome {
    pub(super) fn of(output: Value) -> Self {
        Self {
            output,
            losses: json!([]),
            ..Self::default()
        }
    }
}

pub(super) fn report<T>(converted: &Conversion<'_, T>, output: Value) -> ConversionOutcome {
    let block_meta = converted.block_meta.iter();
    ConversionOutcome {
        losses: json!(converted.losses),
        follow_up: converted.follow_up.iter().map(JsonRef::to_value).collect(),
        for_user: converted.for_user.clone(),
        meta: converted.meta.map(|it| it.clone().into()),
        block_meta: block_meta.map(|(at, it)| json!([at, it])).collect(),
        ..ConversionOutcome::of(output)
    }
}

//! Conversion by settings: the value in, a report out.

use mcp_protocol::{GetPromptResult, ReadResourceResult, Tool, read::Page};
use serde_json::{Value, json};

use super::{InputKind, Settings, Target};
use crate::{
    ConvertError, messages,
    tools::{self, Provider},
};

/// An error converting a value by settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The value cannot be converted.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// The value is not of the kind in the settings.
    #[error(transparent)]
    Unreadable(#[from] serde_json::Error),
    /// The target passes tool declarations to an API.
    #[error("{} forwards tools to an API: use anthropic, openai-responses, openai-chat, gemini or bedrock", name(*.0))]
    NoTools(Target),
    /// No rules exist for outputs of this kind.
    #[error("--check is for results and tools, not for a {}", name(*.0))]
    NoRules(InputKind),
    /// The target is a framework, and the settings do not name the API behind it.
    #[error("{} forwards results to an API, name it with `for`: anthropic, openai, openai-chat, google, bedrock, or any if it is unknown", name(*.0))]
    NeedsProvider(Target),
    /// A setting has no effect on this conversion.
    #[error("`{setting}` has no effect here: it is for {of}")]
    NoEffect {
        /// Its name in JSON.
        setting: &'static str,
        /// The conversions that it is for.
        of: &'static str,
    },
    /// Content is lost, and [`Settings::lossless`] makes this an error.
    #[error("lost: {0}")]
    Lost(String),
}

impl Settings {
    /// Converts a value to a [`Conversion`](crate::Conversion) as JSON. For tools it has the field `names`, with the sent name, the index and
    /// the renamed arguments of each tool.
    ///
    /// # Errors
    /// Returns an error if the value is of another kind, if the target has no form for it, or if content is lost and `lossless` is set.
    pub fn convert_json(&self, value: Value) -> Result<Value, SettingsError> {
        self.check_settings()?;
        let report = match self.kind {
            InputKind::Result => json!(self.result(&value)?),
            InputKind::Prompt => {
                let prompt = serde_json::from_value::<GetPromptResult>(value)?;
                json!(messages::prompt(&prompt, &*self.target(), &self.policy()))
            }
            InputKind::Resource => {
                let read = serde_json::from_value::<ReadResourceResult>(value)?;
                json!(messages::contents(
                    &read.contents,
                    &*self.target(),
                    &self.policy()
                ))
            }
            InputKind::Tools => self.tools(value)?,
        };
        match report.get("losses").and_then(Value::as_array) {
            Some(losses) if self.lossless && !losses.is_empty() => {
                let texts = losses.iter().filter_map(|it| it.get("text")?.as_str());
                Err(SettingsError::Lost(texts.collect::<Vec<_>>().join("; ")))
            }
            Some(_) | None => Ok(report),
        }
    }

    fn tools(&self, value: Value) -> Result<Value, SettingsError> {
        let provider = self.provider()?;
        let page = serde_json::from_value::<Page<Tool>>(value)?;
        let converted = tools::convert(&page.items, provider);
        let tools = converted.tools.iter();
        let names: Value = tools
            .map(|it| json!({"name": it.name, "tool": it.index, "arguments": it.renamed}))
            .collect();
        let losses = json!(converted.losses);
        let output = converted.into_request_tools(provider);
        Ok(json!({"output": output, "losses": losses, "names": names}))
    }

    /// The API whose declarations of tools the target sends.
    pub(super) fn provider(&self) -> Result<Provider, SettingsError> {
        let api = self.row(self.target).carrier(false).api;
        api.ok_or(SettingsError::NoTools(self.target))
    }
}

/// A choice as the flags have it.
fn name(choice: impl serde::Serialize) -> String {
    let name = serde_json::to_value(choice).unwrap_or_default();
    name.as_str().unwrap_or("").to_owned()
}

//! Judging what another converter made: would the provider refuse it?

use serde_json::Value;

use super::{InputKind, Settings, SettingsError};
use crate::validate::{self, Rejection};

impl Settings {
    /// Returns the faults for which the target's API rejects a message or a list of tools.
    ///
    /// # Errors
    /// Fails if there are no rules for the target and the kind.
    pub fn check_output(&self, value: &Value) -> Result<Vec<Rejection>, SettingsError> {
        self.check_settings()?;
        Ok(match self.kind {
            InputKind::Tools => {
                let provider = self.provider()?;
                let one = std::slice::from_ref(value);
                let list = value.as_array().map_or(one, Vec::as_slice);
                // A tool of Gemini has a list of functions.
                let functions = |it: &Value| it.get("functionDeclarations")?.as_array().cloned();
                let declared = |it: &Value| functions(it).unwrap_or(vec![it.clone()]);
                validate::tools(
                    &list.iter().flat_map(declared).collect::<Vec<_>>(),
                    provider,
                )
            }
            InputKind::Result => validate::result(self.without_failure(value), &*self.target()),
            _ => return Err(SettingsError::NoRules(self.kind)),
        })
    }
}

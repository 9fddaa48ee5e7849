//! Variables of the environment, and the names of the Python server that mean the same.

use super::error::ConfigError;

/// Reads a variable, or the Python server's name for it, and returns the name that is set with its value.
///
/// # Errors
/// If both names are set to different values. The error shows neither value: they may be secrets.
pub(super) fn read(
    environment: &dyn Fn(&str) -> Option<String>,
    variable: &'static str,
    alias: Option<&'static str>,
) -> Result<Option<(&'static str, String)>, ConfigError> {
    let named = |name: &'static str| environment(name).map(|value| (name, value));
    match (named(variable), alias.and_then(named)) {
        (Some((_, value)), Some((alias, other))) if value != other => {
            Err(ConfigError::Wrong(format!(
                "{variable} and {alias} are set to different values\nhint: both name the same setting, unset {alias}"
            )))
        }
        (own, other) => Ok(own.or(other)),
    }
}

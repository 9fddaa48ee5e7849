//! The environment of the process.

/// The node's API key itself. A file is safer: other processes can read a process's environment.
pub(crate) const QORTAL_MCP_API_KEY: &str = "QORTAL_MCP_API_KEY";
/// The Python server's name of the same.
pub(crate) const QORTAL_API_KEY: &str = "QORTAL_API_KEY";
/// The format of the log, which is asked for before the configuration has been read, too.
pub(crate) const QORTAL_MCP_LOG_FORMAT: &str = "QORTAL_MCP_LOG_FORMAT";
/// The configuration file, as `--config`.
pub(crate) const QORTAL_MCP_CONFIG: &str = "QORTAL_MCP_CONFIG";

/// Reads a variable. One that is empty or not Unicode counts as not set.
pub(crate) fn read(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    let value = std::env::var(name).ok()?;
    filled_in(value)
}

/// The value of a variable, unless it is a placeholder that a host has not filled in: `${user_config.node}` of an MCP bundle,
/// also as a part of it.
pub(crate) fn filled_in(value: String) -> Option<String> {
    let text = value.trim();
    let is_placeholder = text.starts_with("${") || text.contains("${user_config.");
    (!text.is_empty() && !is_placeholder).then_some(value)
}

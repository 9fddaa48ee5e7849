//! The environment of the process.

/// The node's API key itself. A file is safer: other processes can read a process's environment.
pub(crate) const QORTAL_API_KEY: &str = "QORTAL_API_KEY";
/// The format of the log, which is asked for before the configuration has been read, too.
pub(crate) const QORTAL_MCP_LOG_FORMAT: &str = "QORTAL_MCP_LOG_FORMAT";
/// The configuration file, as `--config`.
pub(crate) const QORTAL_MCP_CONFIG: &str = "QORTAL_MCP_CONFIG";

/// Reads a variable. One that is empty or not Unicode counts as not set, and so does a placeholder of an MCP bundle that
/// the host has not filled in: `${user_config.node}`.
pub(crate) fn read(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    let value = std::env::var(name).ok()?;
    Some(value).filter(|it| !it.trim().is_empty() && !it.trim().starts_with("${"))
}

//! Why a configuration cannot be used.

use mcp_operate::secret::OperatorFileError;
use qortal_client::ConfigError as NodeConfigError;

/// Why the configuration cannot be used. No error shows a value that could be a secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error(transparent)]
    File(#[from] OperatorFileError),
    #[error(transparent)]
    Node(#[from] NodeConfigError),
    /// What is wrong with a setting, and a hint.
    #[error("{0}")]
    Wrong(String),
}

//! Why a configuration cannot be used.

use std::path::PathBuf;

use mcp_operate::secret::{UnreadableFile, shown_path};
use qortal_client::ConfigError as NodeConfigError;

/// An API key file has 22 characters; a file this long is something else.
pub(super) const API_KEY_FILE_BYTES: u64 = 1024;

/// Why the configuration cannot be used. No error shows a value that could be a secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error(transparent)]
    Unreadable(#[from] UnreadableFile),
    #[error("invalid configuration file {}: {problem}", shown_path(path))]
    File { path: PathBuf, problem: String },
    #[error("{place} is {shown}, expected {expected}")]
    Value {
        place: &'static str,
        shown: String,
        expected: String,
    },
    #[error(
        "public nodes are allowed to answer, and none is named\nhint: name them with QORTAL_PUBLIC_NODES or `public_nodes` in the file, or use the built-in ones with --public"
    )]
    NoPublicNodes,
    #[error(
        "an API key is given without the node it belongs to, and several nodes are named\nhint: name its node with --node, or give each node its own api_key_file"
    )]
    KeyWithoutNode,
    #[error(
        "{} is no API key file: it has more than {} bytes\nhint: the Core writes its key to apikey.txt in its directory",
        path.display(), API_KEY_FILE_BYTES
    )]
    NotAnApiKeyFile { path: PathBuf },
    #[error("{0} is set, and {1} is not\nhint: set both, or neither")]
    Alone(&'static str, &'static str),
    #[error(
        "token_file and oauth_issuer are both set\nhint: tokens come from a file, or from an authorization server"
    )]
    TwoKindsOfTokens,
    #[error(transparent)]
    Node(#[from] NodeConfigError),
}

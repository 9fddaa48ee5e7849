//! Why a configuration cannot be used.

use std::{
    io,
    path::{Path, PathBuf},
};

use qortal_client::ConfigError as NodeConfigError;

use super::setting::shown;

/// An API key file has 22 characters; a file this long is something else.
pub(super) const API_KEY_FILE_BYTES: u64 = 1024;

/// Why the configuration cannot be used. No error shows a value that could be a secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("cannot read the {what} {}", path_shown(path))]
    Unreadable {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("invalid configuration file {}: {problem}", path_shown(path))]
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

impl ConfigError {
    pub(super) fn value(place: &'static str, value: &str, expected: impl Into<String>) -> Self {
        Self::Value {
            place,
            shown: shown(value),
            expected: expected.into(),
        }
    }

    pub(crate) fn unreadable(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Unreadable {
            what,
            path: path.to_owned(),
            source,
        }
    }
}

/// A path for an error, unless it could be a secret that was given in place of a path.
fn path_shown(path: &Path) -> String {
    let is_in_directory = path
        .parent()
        .is_some_and(|it| !it.as_os_str().is_empty() && it.is_dir());
    match is_in_directory || path.exists() {
        true => format!("{path:?}"),
        false => shown(&path.to_string_lossy()),
    }
}

//! Files with secrets: API keys and access tokens.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use super::error::ConfigError;

/// The content of such a file.
pub(crate) struct SecretFile {
    /// `None` if it is too long.
    pub(crate) text: Option<String>,
    /// Whether its mode lets every user of the machine read it. Never on systems without file modes.
    pub(crate) is_readable_by_others: bool,
}

/// Reads a file of at most `max_bytes`.
pub(crate) fn read(
    what: &'static str,
    path: &Path,
    max_bytes: u64,
) -> Result<SecretFile, ConfigError> {
    let unreadable = |source| ConfigError::unreadable(what, path, source);
    let file = File::open(path).map_err(unreadable)?;
    let is_readable_by_others = is_readable_by_others(&file.metadata().map_err(unreadable)?);
    let mut text = String::new();
    file.take(max_bytes + 1)
        .read_to_string(&mut text)
        .map_err(unreadable)?;
    Ok(SecretFile {
        text: Some(text).filter(|it| it.len() as u64 <= max_bytes),
        is_readable_by_others,
    })
}

#[cfg(unix)]
fn is_readable_by_others(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o007 != 0
}

#[cfg(not(unix))]
fn is_readable_by_others(_: &fs::Metadata) -> bool {
    false
}

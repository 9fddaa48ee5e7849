//! Files with secrets, and errors that show none: people do put a key where a path or a name belongs.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The content of a file with secrets, such as keys and access tokens.
#[non_exhaustive]
pub struct SecretFile {
    /// `None` if it is too long.
    pub text: Option<String>,
    /// Whether its mode lets every user of the machine read it. Never on systems without file modes.
    pub is_readable_by_others: bool,
}

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the {what} {}", shown_path(path))]
pub struct UnreadableFile {
    what: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl UnreadableFile {
    /// Creates the error; `what` is what the file is, such as `token file`.
    #[must_use]
    pub fn new(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self {
            what,
            path: path.to_owned(),
            source,
        }
    }

    /// Why it cannot be read.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

impl SecretFile {
    /// Reads a file of at most `max_bytes`; `what` says what it is.
    ///
    /// # Errors
    /// Fails if it cannot be read as text.
    pub fn read(what: &'static str, path: &Path, max_bytes: u64) -> Result<Self, UnreadableFile> {
        let unreadable = |source| UnreadableFile::new(what, path, source);
        let file = File::open(path).map_err(unreadable)?;
        let is_readable_by_others = is_readable_by_others(&file.metadata().map_err(unreadable)?);
        let mut text = String::new();
        file.take(max_bytes + 1)
            .read_to_string(&mut text)
            .map_err(unreadable)?;
        Ok(Self {
            text: Some(text).filter(|it| it.len() as u64 <= max_bytes),
            is_readable_by_others,
        })
    }
}

impl fmt::Debug for SecretFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretFile")
    }
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

/// What an error says instead of a wrong value that could be a key or a token; `None` if it can be shown.
#[must_use]
pub fn hidden(value: &str) -> Option<String> {
    /// Real keys are longer.
    const SHORTEST_SECRET: usize = 12;
    let is_of_keys = |it: char| it.is_ascii_digit() || it.is_ascii_uppercase();
    let is_secret = |it: &str| it.len() >= SHORTEST_SECRET && it.contains(is_of_keys);
    let mut words = value.split(|it: char| !it.is_ascii_alphanumeric() && !"+_-".contains(it));
    let length = value.chars().count();
    let instead = || format!("a value of {length} characters that is not shown");
    words.any(is_secret).then(instead)
}

/// A wrong value as an error may show it.
#[must_use]
pub fn shown(value: &str) -> String {
    hidden(value).unwrap_or_else(|| format!("{:?}", value.chars().take(100).collect::<String>()))
}

/// A path as an error may show it.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
    let is_in_directory = parent.is_some_and(Path::is_dir);
    if is_in_directory || path.exists() {
        format!("{path:?}")
    } else {
        shown(&path.to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the length and the alphabet of the Core's keys.
    const KEY: &str = "YTL3yD9Nk272iZ25QbXkEm";

    #[test]
    fn what_could_be_a_key_is_hidden_unless_it_is_a_path_in_a_directory_that_exists() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing").join(KEY);
        let hidden = |it: &Path| {
            let length = it.to_string_lossy().chars().count();
            format!("a value of {length} characters that is not shown")
        };
        for (path, expected) in [
            (Path::new("tokens.txt"), "\"tokens.txt\"".to_owned()),
            (Path::new(KEY), hidden(Path::new(KEY))),
            (&missing, hidden(&missing)),
            (
                &folder.path().join(KEY),
                format!("{:?}", folder.path().join(KEY)),
            ),
            (
                Path::new(&"x".repeat(101)),
                format!("{:?}", "x".repeat(100)),
            ),
        ] {
            assert_eq!(shown_path(path), expected);
        }
    }

    #[test]
    fn a_file_that_is_too_long_has_no_text() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "four").unwrap();
        for (most, expected) in [(4, Some("four")), (3, None)] {
            let read = SecretFile::read("token file", file.path(), most).unwrap();
            assert_eq!(read.text.as_deref(), expected, "{most}");
        }
    }
}

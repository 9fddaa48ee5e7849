//! Operator files, and errors that show no secrets. Users do paste keys where a path or a name belongs.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// A kind of operator file: one with secrets, or one that configures the server. Other users must not be able to write either, or
/// read a secret.
#[derive(Debug, Clone, Copy)]
pub struct OperatorFileKind {
    name: &'static str,
    max_bytes: u64,
    is_secret: bool,
}

/// The text of an operator file.
#[non_exhaustive]
pub struct OperatorFile {
    /// The complete text.
    pub text: String,
    /// A warning about an unsafe mode that is still accepted.
    pub warning: Option<String>,
}

/// An error reading an operator file. It never shows the file's text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableFile),
    /// The mode, kind or length is wrong. Names the command that fixes it, where there is one.
    #[error("{0}")]
    Refused(String),
}

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the {what} {}", path_for_error(path))]
pub struct UnreadableFile {
    what: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl UnreadableFile {
    /// Creates the error. `what` is the kind of file, such as `token file`.
    #[must_use]
    pub fn new(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self {
            what,
            path: path.to_owned(),
            source,
        }
    }

    /// Returns the kind of the I/O error.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

impl OperatorFileKind {
    /// Creates a kind of file that holds keys or tokens. `name` is for errors, such as `token file`.
    #[must_use]
    pub const fn secret(name: &'static str, max_bytes: u64) -> Self {
        Self {
            name,
            max_bytes,
            is_secret: true,
        }
    }

    /// Creates a kind of file that everyone may read. `name` is for errors, such as `configuration file`.
    #[must_use]
    pub const fn non_secret(name: &'static str, max_bytes: u64) -> Self {
        Self {
            name,
            max_bytes,
            is_secret: false,
        }
    }

    /// Reads a file of this kind. It never waits for a pipe.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read as text, is not a regular file, is too long, or has a mode that lets other users
    /// write it or read a secret. On a read-only file system, where modes cannot be changed, a secret readable by others is only a
    /// warning.
    pub fn read(&self, path: &Path) -> Result<OperatorFile, OperatorFileError> {
        let Self {
            name, max_bytes, ..
        } = *self;
        let unreadable = |source| UnreadableFile::new(name, path, source);
        let file = opened(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        let refused = |problem: String| OperatorFileError::Refused(problem);
        let shown = path_for_error(path);
        if !metadata.is_file() {
            return Err(refused(format!("the {name} {shown} is not a regular file")));
        }
        let warning = self.warning(&file, &metadata, &shown).map_err(refused)?;
        let mut text = String::new();
        let mut file = file.take(max_bytes + 1);
        file.read_to_string(&mut text).map_err(unreadable)?;
        if text.len() as u64 > max_bytes {
            return Err(refused(format!(
                "the {name} {shown} has more than {max_bytes} bytes"
            )));
        }
        Ok(OperatorFile { text, warning })
    }

    /// Returns the warning that a mode deserves, or the reason to refuse it.
    #[cfg(unix)]
    fn warning(
        &self,
        file: &File,
        metadata: &fs::Metadata,
        shown: &str,
    ) -> Result<Option<String>, String> {
        use rustix::fs::{StatVfsMountFlags, fstatvfs};
        use std::os::unix::fs::PermissionsExt;

        let (name, mode) = (self.name, metadata.permissions().mode());
        let is_read_only =
            || fstatvfs(file).is_ok_and(|it| it.f_flag.contains(StatVfsMountFlags::RDONLY));
        if mode & 0o002 != 0 {
            return Err(format!(
                "other users of this machine can write the {name} {shown}\nhint: chmod o-w {shown}"
            ));
        }
        if self.is_secret && mode & 0o005 != 0 {
            let problem = format!("other users of this machine can read the {name} {shown}");
            return match is_read_only() {
                true => Ok(Some(problem)),
                false => Err(format!("{problem}\nhint: chmod 600 {shown}")),
            };
        }
        Ok((mode & 0o020 != 0).then(|| {
            format!(
                "the group of the {name} {shown} can write it, remove the permission with chmod g-w"
            )
        }))
    }

    #[cfg(not(unix))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "there are no modes"
    )]
    fn warning(&self, _: &File, _: &fs::Metadata, _: &str) -> Result<Option<String>, String> {
        Ok(None)
    }
}

impl fmt::Debug for OperatorFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorFile")
    }
}

/// Opens a file without waiting for the other end of a pipe.
#[cfg(unix)]
fn opened(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;

    let flags = OFlags::NONBLOCK.bits().cast_signed();
    File::options().read(true).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn opened(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Returns a placeholder for an invalid value that could be a key or a token, or `None` if the value can be shown.
#[must_use]
pub fn secret_placeholder(value: &str) -> Option<String> {
    /// Real keys are longer.
    const SHORTEST_SECRET: usize = 12;
    let is_of_keys = |it: char| it.is_ascii_digit() || it.is_ascii_uppercase();
    let is_secret = |it: &str| it.len() >= SHORTEST_SECRET && it.contains(is_of_keys);
    let mut words = value.split(|it: char| !it.is_ascii_alphanumeric() && !"+_-".contains(it));
    let length = value.chars().count();
    let instead = || format!("a value of {length} characters that is not shown");
    words.any(is_secret).then(instead)
}

/// Returns an invalid value in a form that is safe for an error.
#[must_use]
pub fn value_for_error(value: &str) -> String {
    secret_placeholder(value)
        .unwrap_or_else(|| format!("{:?}", value.chars().take(100).collect::<String>()))
}

/// Returns a path in a form that is safe for an error.
#[must_use]
pub fn path_for_error(path: &Path) -> String {
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
    let is_in_directory = parent.is_some_and(Path::is_dir);
    if is_in_directory || path.exists() {
        format!("{path:?}")
    } else {
        value_for_error(&path.to_string_lossy())
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
            assert_eq!(path_for_error(path), expected);
        }
    }

    #[test]
    fn only_a_regular_file_of_its_length_is_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "four").unwrap();
        let read = |most, path: &Path| {
            let read = OperatorFileKind::secret("token file", most).read(path);
            read.map(|it| it.text).map_err(|err| err.to_string())
        };
        assert_eq!(read(4, file.path()).as_deref(), Ok("four"));
        let err = read(3, file.path()).unwrap_err();
        assert!(err.ends_with("has more than 3 bytes"), "{err}");
        let folder = tempfile::tempdir().unwrap();
        let err = read(4, folder.path()).unwrap_err();
        assert!(err.ends_with("is not a regular file"), "{err}");
    }

    #[cfg(unix)]
    #[test]
    fn a_mode_decides_whether_a_file_is_used() {
        use std::os::unix::fs::PermissionsExt;

        let file = tempfile::NamedTempFile::new().unwrap();
        let check = |kind: OperatorFileKind, mode, expected: &str| {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            let found = match kind.read(file.path()) {
                Ok(read) => read.warning.unwrap_or_default(),
                Err(err) => format!("refused: {err}"),
            };
            let path = format!("{:?}", file.path());
            assert_eq!(found, expected.replace("PATH", &path), "{mode:o}");
        };
        let secret = OperatorFileKind::secret("key", 9);
        let open = OperatorFileKind::non_secret("configuration file", 9);
        let written = "refused: other users of this machine can write the";
        let group = "the group of the key PATH can write it, remove the permission with chmod g-w";
        let read =
            "refused: other users of this machine can read the key PATH\nhint: chmod 600 PATH";
        check(secret, 0o600, "");
        check(secret, 0o640, "");
        check(secret, 0o660, group);
        check(secret, 0o644, read);
        check(secret, 0o601, read);
        check(
            secret,
            0o602,
            &format!("{written} key PATH\nhint: chmod o-w PATH"),
        );
        check(open, 0o644, "");
        check(open, 0o664, &group.replace("key", "configuration file"));
        let of_open = format!("{written} configuration file PATH\nhint: chmod o-w PATH");
        check(open, 0o666, &of_open);
    }
}

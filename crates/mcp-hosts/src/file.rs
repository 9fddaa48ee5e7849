//! A host's configuration file: its path, its format, and safe edits.

use std::{
    ffi::OsString,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use similar::TextDiff;

use crate::program::ServerNames;

/// A host's configuration file with its servers.
#[derive(Debug, Deserialize)]
pub struct ConfigFile {
    #[serde(default)]
    pub(super) format: Format,
    /// The member with the servers, an object.
    pub(super) servers: String,
    linux: String,
    /// The path on macOS, if it differs.
    macos: Option<String>,
    windows: Option<String>,
    /// The variable that names another directory for the file.
    directory_variable: Option<String>,
}

/// The format of a configuration file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// JSON, possibly with comments and trailing commas.
    #[default]
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl Format {
    /// Returns the name of the format for code blocks.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Toml => "toml",
            Self::Yaml => "yaml",
        }
    }
}

/// An error editing a configuration file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("the file cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// The file is not valid. Holds the name of the format and the reason.
    #[error("the file is not valid {0}: {1}")]
    Syntax(&'static str, String),
    /// A field that should be an object is something else.
    #[error("`{0}` in the file is not an object")]
    NotAnObject(String),
    /// The edited text would not read back as the added entry.
    #[error("the host would read the added entry differently")]
    NotReadBack,
}

impl ConfigFile {
    /// Returns the format of the file.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the path on Linux.
    #[must_use]
    pub fn linux_path(&self) -> &str {
        &self.linux
    }

    /// Returns the path on macOS.
    #[must_use]
    pub fn macos_path(&self) -> &str {
        self.macos.as_ref().unwrap_or(&self.linux)
    }

    /// Returns the path on Windows.
    #[must_use]
    pub fn windows_path(&self) -> &str {
        self.windows.as_ref().unwrap_or(&self.linux)
    }

    /// Returns the path for the current system, in the form used in documentation.
    #[must_use]
    pub fn display_path(&self) -> &str {
        if cfg!(windows) {
            self.windows_path()
        } else if cfg!(target_os = "macos") {
            self.macos_path()
        } else {
            &self.linux
        }
    }

    /// Returns `true` if the host has been used here: its file exists, or a folder that belongs only to the host.
    pub fn is_host_present(&self, environment: impl Fn(&str) -> Option<String>) -> bool {
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        let home = environment(home).map(PathBuf::from);
        self.user_path(environment).is_some_and(|path| {
            let folder = path.parent().filter(|it| Some(*it) != home.as_deref());
            path.exists() || folder.is_some_and(Path::exists)
        })
    }

    /// Returns the path for the user who runs the program, or `None` if the environment variables that it depends on are missing.
    pub fn user_path(&self, environment: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
        let place = self.display_path();
        let directory = self.directory_variable.as_deref();
        if let Some(directory) = directory.and_then(&environment) {
            return Some(Path::new(&directory).join(Path::new(place).file_name()?));
        }
        if let Some(rest) = place.strip_prefix("%APPDATA%/") {
            return Some(Path::new(&environment("APPDATA")?).join(rest));
        }
        if let Some(rest) = place.strip_prefix("~/.config/")
            && let Some(directory) = environment("XDG_CONFIG_HOME")
        {
            return Some(Path::new(&directory).join(rest));
        }
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        Some(Path::new(&environment(home)?).join(place.strip_prefix("~/")?))
    }
}

/// The result of editing a configuration file.
#[derive(Debug)]
#[non_exhaustive]
pub enum EditOutcome {
    /// Nothing had to change.
    None,
    /// The change as a unified diff. The file was not written.
    Preview(String),
    /// The file was replaced.
    #[non_exhaustive]
    Written {
        /// The path of the copy of the earlier text, or `None` if there was no file.
        backup: Option<PathBuf>,
        /// The change as a unified diff.
        difference: String,
    },
}

impl ConfigFile {
    /// Replaces the text of the file at `path` with the output of `edited`, or returns only the diff if `is_preview` is set.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or if `edited` fails. The file is then unchanged.
    pub fn edit_with(
        server: &ServerNames,
        path: &Path,
        is_preview: bool,
        edited: impl FnOnce(&str) -> Result<Option<String>, FileError>,
    ) -> Result<EditOutcome, FileError> {
        let before = match fs::read_to_string(path) {
            Ok(text) => Some(text),
            Err(err) if err.kind() == io::ErrorKind::NotFound => None,
            Err(err) => return Err(err.into()),
        };
        let text = before.as_deref().unwrap_or("");
        let Some(after) = edited(text)? else {
            return Ok(EditOutcome::None);
        };
        let name = path.display().to_string();
        let difference = TextDiff::from_lines(text, &after);
        let mut difference = difference.unified_diff();
        let difference = difference.header(&name, &name).to_string();
        if is_preview {
            return Ok(EditOutcome::Preview(difference));
        }
        let backup = Self::write(server, path, before.is_some(), &after)?;
        Ok(EditOutcome::Written { backup, difference })
    }

    /// Replaces the file at a path atomically, and returns the path of the backup.
    fn write(
        server: &ServerNames,
        path: &Path,
        exists: bool,
        text: &str,
    ) -> Result<Option<PathBuf>, FileError> {
        // A link, as managers of dotfiles make, stays one.
        let target = behind_links(path)?;
        let directory = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory)?;
        let backup = exists.then(|| with_suffix(&target, &format!(".{}.bak", server.program)));
        if let Some(backup) = &backup {
            fs::copy(&target, backup)?;
        }
        let draft = with_suffix(&target, &format!(".{}-new", server.program));
        let mut file = fs::File::create(&draft)?;
        let mut replace = || {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            if exists {
                fs::set_permissions(&draft, fs::metadata(&target)?.permissions())?;
            }
            fs::rename(&draft, &target)
        };
        if let Err(err) = replace() {
            fs::remove_file(&draft)?;
            return Err(err.into());
        }
        Ok(backup)
    }
}

/// Links that lead to a file, at most; Linux follows as many.
const MOST_LINKS: usize = 40;

/// Returns the file that a path leads to, which need not exist.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else {
            return Ok(target);
        };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "the symbolic links form a loop",
    ))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

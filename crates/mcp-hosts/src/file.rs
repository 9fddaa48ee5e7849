//! A host's configuration file: its place, and how it is read, compared and replaced.

use std::{
    ffi::OsString,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use similar::TextDiff;

use crate::program::ServerEntry;

/// Where a host keeps its servers.
#[derive(Debug, Deserialize)]
pub struct ConfigFile {
    #[serde(default)]
    pub(super) format: Format,
    /// The member with the servers, an object.
    pub(super) servers: String,
    linux: String,
    /// Where that is another place.
    macos: Option<String>,
    windows: Option<String>,
    /// The variable that names another directory for the file.
    directory_variable: Option<String>,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// JSON, with comments and trailing commas where a person wrote them.
    #[default]
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl Format {
    /// The name by which code blocks are marked.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Toml => "toml",
            Self::Yaml => "yaml",
        }
    }
}

/// Why a file cannot be changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system does not allow it.
    #[error("it cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// It is not in its format, which has this name, for a reason.
    #[error("it is not valid {0}: {1}")]
    Syntax(&'static str, String),
    /// A member that should be an object is something else.
    #[error("`{0}` in it is not an object")]
    NotAnObject(String),
    /// The edited text would be read as another entry than the one that is added.
    #[error("the host would read another entry in it than the one that is added")]
    NotReadBack,
}

impl ConfigFile {
    /// How it is written.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The place on Linux.
    #[must_use]
    pub fn linux_path(&self) -> &str {
        &self.linux
    }

    /// The place on macOS.
    #[must_use]
    pub fn macos_path(&self) -> &str {
        self.macos.as_ref().unwrap_or(&self.linux)
    }

    /// The place on Windows.
    #[must_use]
    pub fn windows_path(&self) -> &str {
        self.windows.as_ref().unwrap_or(&self.linux)
    }

    /// The place as documents name it on this system.
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

    /// Returns whether the host has been used here: its file exists, or a folder for it alone.
    pub fn is_host_present(&self, environment: impl Fn(&str) -> Option<String>) -> bool {
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        let home = environment(home).map(PathBuf::from);
        self.user_path(environment).is_some_and(|path| {
            let folder = path.parent().filter(|it| Some(*it) != home.as_deref());
            path.exists() || folder.is_some_and(Path::exists)
        })
    }

    /// The path for the user who runs the program, if their environment tells where their files are.
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

/// What a file came to.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileEdit {
    /// There was nothing to change.
    None,
    /// What would have been changed, as tools for versions show it, line by line.
    Preview(String),
    /// It was replaced.
    #[non_exhaustive]
    Written {
        /// The path at which the earlier text is kept; `None` if there was no file.
        backup: Option<PathBuf>,
        /// The change, line by line as in [`FileEdit::Preview`].
        difference: String,
    },
}

impl ConfigFile {
    /// Replaces the text of the file at a path with what `edited` makes of it, or only says what that would change.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or where `edited` does. The file is as it was then.
    pub fn edit(
        server: &ServerEntry,
        path: &Path,
        is_preview: bool,
        edited: impl FnOnce(&str) -> Result<Option<String>, FileError>,
    ) -> Result<FileEdit, FileError> {
        let before = match fs::read_to_string(path) {
            Ok(text) => Some(text),
            Err(err) if err.kind() == io::ErrorKind::NotFound => None,
            Err(err) => return Err(err.into()),
        };
        let text = before.as_deref().unwrap_or("");
        let Some(after) = edited(text)? else {
            return Ok(FileEdit::None);
        };
        let name = path.display().to_string();
        let difference = TextDiff::from_lines(text, &after);
        let mut difference = difference.unified_diff();
        let difference = difference.header(&name, &name).to_string();
        if is_preview {
            return Ok(FileEdit::Preview(difference));
        }
        let backup = Self::write(server, path, before.is_some(), &after)?;
        Ok(FileEdit::Written { backup, difference })
    }

    /// Replaces the file at a path in one step, so that no one reads half of it; returns the copy of what was there.
    fn write(
        server: &ServerEntry,
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
        "the links lead to each other",
    ))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

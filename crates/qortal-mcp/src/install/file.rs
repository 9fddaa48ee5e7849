//! A host's configuration file: its place, and how it is read, compared and replaced.

use std::{
    ffi::OsString,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use similar::TextDiff;

use crate::env;

/// The file as it was before the last change, beside it.
const BACKUP: &str = ".qortal-mcp.bak";

/// The name of the server in every configuration.
pub(super) const SERVER: &str = "qortal";

/// Where a host keeps its servers.
#[derive(Debug, Deserialize)]
pub(super) struct ConfigFile {
    #[serde(default)]
    pub(super) format: Format,
    /// The member with the servers, an object.
    pub(super) servers: String,
    pub(super) linux: String,
    /// Where that is another place.
    macos: Option<String>,
    windows: Option<String>,
    /// The variable that names another directory for the file.
    directory_variable: Option<String>,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// JSON, with comments and trailing commas where a person wrote them.
    #[default]
    Json,
    Toml,
    Yaml,
}

impl Format {
    /// The name by which code blocks are marked.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Toml => "toml",
            Self::Yaml => "yaml",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error("it cannot be read or written: {0}")]
    Io(#[from] io::Error),
    #[error("it is not valid {format}: {reason}")]
    Syntax {
        format: &'static str,
        reason: String,
    },
    #[error("`{0}` in it is not an object")]
    NotAnObject(String),
}

impl ConfigFile {
    /// The place on macOS.
    pub(super) fn macos(&self) -> &str {
        self.macos.as_ref().unwrap_or(&self.linux)
    }

    /// The place on Windows.
    pub(super) fn windows(&self) -> &str {
        self.windows.as_ref().unwrap_or(&self.linux)
    }

    /// The place as documents name it on this system.
    pub(super) fn place(&self) -> &str {
        if cfg!(windows) {
            self.windows()
        } else if cfg!(target_os = "macos") {
            self.macos()
        } else {
            &self.linux
        }
    }

    /// The path for the user who runs the program, if the system tells where their files are.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let place = self.place();
        if let Some(directory) = self.directory_variable.as_deref().and_then(env::read) {
            return Some(Path::new(&directory).join(Path::new(place).file_name()?));
        }
        if let Some(rest) = place.strip_prefix("%APPDATA%/") {
            return Some(Path::new(&env::read("APPDATA")?).join(rest));
        }
        if let (Some(rest), Some(directory)) = (
            place.strip_prefix("~/.config/"),
            env::read("XDG_CONFIG_HOME"),
        ) {
            return Some(Path::new(&directory).join(rest));
        }
        let home = env::read(if cfg!(windows) { "USERPROFILE" } else { "HOME" })?;
        Some(Path::new(&home).join(place.strip_prefix("~/")?))
    }
}

/// The text of the file, or `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, FileError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(err) => Err(err.into()),
    }
}

/// What a write would change.
pub(super) fn difference(path: &Path, before: &str, after: &str) -> String {
    let name = path.display().to_string();
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().header(&name, &name).to_string()
}

/// Replaces the file in one step, so that no one reads half of it; returns the copy of what was there.
pub(super) fn write(path: &Path, exists: bool, text: &str) -> Result<Option<PathBuf>, FileError> {
    // A link, as managers of dotfiles make, stays one.
    let target = if exists {
        fs::canonicalize(path)?
    } else {
        path.to_owned()
    };
    let directory = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let backup = exists.then(|| with_suffix(&target, BACKUP));
    if let Some(backup) = &backup {
        fs::copy(&target, backup)?;
    }
    let draft = with_suffix(&target, ".qortal-mcp-new");
    let mut file = fs::File::create(&draft)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all());
    let written = written.and_then(|()| match exists {
        true => fs::set_permissions(&draft, fs::metadata(&target)?.permissions()),
        false => Ok(()),
    });
    if let Err(err) = written.and_then(|()| fs::rename(&draft, &target)) {
        fs::remove_file(&draft)?;
        return Err(err.into());
    }
    Ok(backup)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

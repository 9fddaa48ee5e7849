//! The files of the repository, as the rules see them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// What is not ours to check: built, installed or kept by git.
const SKIPPED: &[&str] = &["target", "node_modules", ".git"];
/// The files whose text the rules read.
const READ: &[&str] = &["rs", "toml", "md"];

/// A file of the repository.
#[derive(Debug)]
pub struct File {
    /// From the root of the repository, with `/`.
    pub path: String,
    /// Empty for files the rules do not read.
    pub text: String,
    /// The size of the file.
    pub bytes: u64,
}

impl File {
    /// Creates a file in memory, for tests of rules.
    #[cfg(test)]
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            bytes: text.len() as u64,
        }
    }

    /// Whether its name ends so, after the point.
    pub fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|found| found == extension)
    }

    /// Whether the whole file is test code.
    pub fn is_test(&self) -> bool {
        self.path
            .split('/')
            .any(|part| part == "tests" || part == "tests.rs" || part == "benches")
    }

    /// The lines that are neither comments nor in a `#[cfg(test)]` item, with their numbers from 1.
    pub fn code(&self) -> Vec<(usize, &str)> {
        let mut code = Vec::new();
        let mut lines = self.text.lines().zip(1..).map(|(line, at)| (at, line));
        while let Some((at, line)) = lines.next() {
            if line.trim() == "#[cfg(test)]" {
                let indent = line.len() - line.trim_start().len();
                // The item ends with the first line that is as little indented and closes it.
                let ends = |line: &str| {
                    line.len() - line.trim_start().len() == indent
                        && (line.ends_with(';') || line.trim_start().starts_with('}'))
                };
                lines.by_ref().find(|(_, line)| ends(line));
            } else if !line.trim_start().starts_with("//") {
                code.push((at, line));
            }
        }
        code
    }
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => root().join("target"),
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// All files of the repository, in the order of their paths.
pub fn files() -> Result<Vec<File>, Failure> {
    let root = root();
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(Failure::io(folder.display()))? {
            let entry = entry.map_err(Failure::io(folder.display()))?;
            let kind = entry.file_type().map_err(Failure::io(folder.display()))?;
            let path = entry.path();
            let skipped = SKIPPED.iter().any(|skipped| entry.file_name() == *skipped);
            if kind.is_dir() && !skipped {
                folders.push(path);
            } else if kind.is_file() {
                files.push(read(&root, &path)?);
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn read(root: &Path, path: &Path) -> Result<File, Failure> {
    let wanted = path
        .extension()
        .is_some_and(|extension| READ.iter().any(|read| extension == *read));
    let text = if wanted {
        fs::read_to_string(path).map_err(Failure::io(path.display()))?
    } else {
        String::new()
    };
    let relative = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = relative
        .iter()
        .map(std::ffi::OsStr::to_string_lossy)
        .collect();
    Ok(File {
        path: parts.join("/"),
        text,
        bytes: fs::metadata(path)
            .map_err(Failure::io(path.display()))?
            .len(),
    })
}

#[cfg(test)]
mod tests {
    use super::File;

    #[test]
    fn code_is_what_is_neither_comment_nor_test() {
        let text = "//! About.\nmod a;\n#[cfg(test)]\nmod tests;\nfn b() {\n    // Why.\n    c();\n}\n\
                    #[cfg(test)]\nmod more {\n    fn d() {\n    }\n}\nfn e() {}\n";
        let file = File::new("src/lib.rs", text);
        let code: Vec<_> = file.code().into_iter().map(|(_, line)| line).collect();
        assert_eq!(code, ["mod a;", "fn b() {", "    c();", "}", "fn e() {}"]);
    }
}

//! The command with which a host starts this program.

use std::path::{Component, Path};

/// The packages have the program's own name.
const PACKAGE: &str = "qortal-mcp";

/// The command with which a host starts the program.
pub(super) struct Program {
    pub(super) path: String,
    pub(super) arguments: Vec<String>,
}

impl Program {
    /// How to start the program again that runs from this file. A copy in the cache of a package runner is not named: the cache
    /// is cleaned, and the runner would go on with that version.
    pub(super) fn new(file: &Path, arguments: Vec<String>) -> Self {
        let Some(runner) = runner(file) else {
            let path = file.to_string_lossy().into_owned();
            return Self { path, arguments };
        };
        let mut words = runner.iter().map(|it| (*it).to_owned());
        Self {
            path: words.next().unwrap_or_default(),
            arguments: words.chain(arguments).collect(),
        }
    }
}

/// The words that run the package, if this file is in the cache of npx or uvx.
fn runner(file: &Path) -> Option<&'static [&'static str]> {
    let mut directories = file.components().filter_map(|it| match it {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    directories.find_map(|it| match it {
        // npx is a script on Windows, which hosts cannot start themselves.
        "_npx" if cfg!(windows) => Some(&["cmd", "/c", "npx", "-y", PACKAGE][..]),
        "_npx" => Some(&["npx", "-y", PACKAGE][..]),
        _ if is_cache_of_uv(it) => Some(&["uvx", PACKAGE][..]),
        _ => None,
    })
}

/// uv keeps what it unpacks in a bucket with a version: `archive-v0`, `environments-v2`.
fn is_cache_of_uv(directory: &str) -> bool {
    ["archive-v", "environments-v"].iter().any(|bucket| {
        directory
            .strip_prefix(bucket)
            .is_some_and(|version| version.parse::<u32>().is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_in_a_cache_is_run_by_its_runner() {
        let npx = if cfg!(windows) {
            "cmd /c npx -y qortal-mcp --demo"
        } else {
            "npx -y qortal-mcp --demo"
        };
        let cases = [
            (
                "/usr/local/bin/qortal-mcp",
                "/usr/local/bin/qortal-mcp --demo",
            ),
            (
                "/home/a/.npm/_npx/4a70f1/node_modules/qortal-mcp-linux-x64/qortal-mcp",
                npx,
            ),
            (
                "/home/a/.cache/uv/archive-v0/zK3/bin/qortal-mcp",
                "uvx qortal-mcp --demo",
            ),
            (
                "/cache/environments-v2/x/bin/qortal-mcp",
                "uvx qortal-mcp --demo",
            ),
            // What was installed with npm and uv stays where it is.
            (
                "/usr/lib/node_modules/qortal-mcp-linux-x64/qortal-mcp",
                "/usr/lib/node_modules/qortal-mcp-linux-x64/qortal-mcp --demo",
            ),
            (
                "/home/a/.local/share/uv/tools/qortal-mcp/bin/qortal-mcp",
                "/home/a/.local/share/uv/tools/qortal-mcp/bin/qortal-mcp --demo",
            ),
            (
                "/srv/archive-vault/qortal-mcp",
                "/srv/archive-vault/qortal-mcp --demo",
            ),
        ];
        for (file, expected) in cases {
            let program = Program::new(Path::new(file), vec!["--demo".to_owned()]);
            let words = std::iter::once(program.path).chain(program.arguments);
            assert_eq!(words.collect::<Vec<_>>().join(" "), expected, "{file}");
        }
    }
}

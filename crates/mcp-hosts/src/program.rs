//! The server and its start command.

use std::path::{Component, Path};

/// The command for a host to start the server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerCommand {
    /// The program, or the runner of its package.
    pub path: String,
    /// The arguments of the command.
    pub arguments: Vec<String>,
}

impl ServerCommand {
    /// Creates the command that starts the program in this file again.
    ///
    /// A copy in the cache of npx or uvx is started through that runner instead, because the cache gets cleaned and the path would
    /// pin the cached version.
    #[must_use]
    pub fn for_program_file(server: &ServerNames, file: &Path, arguments: Vec<String>) -> Self {
        let Some(runner) = runner(server.program, file) else {
            let path = file.to_string_lossy().into_owned();
            return Self { path, arguments };
        };
        let mut words = runner.into_iter().map(str::to_owned);
        Self {
            path: words.next().unwrap_or_default(),
            arguments: words.chain(arguments).collect(),
        }
    }
}

/// The words that run the package, if this file is in the cache of npx or uvx.
fn runner(package: &'static str, file: &Path) -> Option<Vec<&'static str>> {
    let mut directories = file.components().filter_map(|it| match it {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    directories.find_map(|it| match it {
        // npx is a script on Windows, which hosts cannot start themselves.
        "_npx" if cfg!(windows) => Some(vec!["cmd", "/c", "npx", "-y", package]),
        "_npx" => Some(vec!["npx", "-y", package]),
        _ if is_cache_of_uv(it) => Some(vec!["uvx", package]),
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

/// The server's names in host configurations and package registries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerNames {
    /// The name of the server in host configurations.
    pub name: &'static str,
    /// The name of the program, and of its packages for npx and uvx.
    pub program: &'static str,
}

impl ServerNames {
    /// Creates an entry with the name of the server and the name of its program.
    #[must_use]
    pub const fn new(name: &'static str, program: &'static str) -> Self {
        Self { name, program }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_in_a_cache_is_run_by_its_runner() {
        let npx = if cfg!(windows) {
            "cmd /c npx -y weather-mcp --demo"
        } else {
            "npx -y weather-mcp --demo"
        };
        let cases = [
            (
                "/usr/local/bin/weather-mcp",
                "/usr/local/bin/weather-mcp --demo",
            ),
            (
                "/opt/a/.npm/_npx/4a70f1/node_modules/weather-mcp-linux-x64/weather-mcp",
                npx,
            ),
            (
                "/opt/a/.cache/uv/archive-v0/zK3/bin/weather-mcp",
                "uvx weather-mcp --demo",
            ),
            (
                "/cache/environments-v2/x/bin/weather-mcp",
                "uvx weather-mcp --demo",
            ),
            // What was installed with npm and uv stays where it is.
            (
                "/usr/lib/node_modules/weather-mcp-linux-x64/weather-mcp",
                "/usr/lib/node_modules/weather-mcp-linux-x64/weather-mcp --demo",
            ),
            (
                "/opt/a/.local/share/uv/tools/weather-mcp/bin/weather-mcp",
                "/opt/a/.local/share/uv/tools/weather-mcp/bin/weather-mcp --demo",
            ),
            (
                "/srv/archive-vault/weather-mcp",
                "/srv/archive-vault/weather-mcp --demo",
            ),
        ];
        let server = ServerNames::new("weather", "weather-mcp");
        for (file, expected) in cases {
            let program = ServerCommand::for_program_file(
                &server,
                Path::new(file),
                vec!["--demo".to_owned()],
            );
            let words = std::iter::once(program.path).chain(program.arguments);
            assert_eq!(words.collect::<Vec<_>>().join(" "), expected, "{file}");
        }
    }
}

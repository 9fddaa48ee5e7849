//! `qortal-mcp install`: prints the configuration each host needs to use this server. It changes no file.

use serde_json::json;

use crate::{args::Install, exit::Exit, text};

/// An MCP host and its configuration formats.
struct Client {
    /// Its name on the command line.
    name: &'static str,
    /// Its product name.
    title: &'static str,
    /// How it starts a program, from the program's path and arguments.
    stdio: fn(&str, &[String]) -> Setup,
    /// How it connects to a URL; `None` if it cannot.
    http: Option<fn(&str) -> Setup>,
}

/// A configuration and where it belongs.
struct Setup {
    place: &'static str,
    /// What it is written in, as Markdown names it.
    language: &'static str,
    text: String,
}

const CLIENTS: &[Client] = &[
    Client {
        name: "claude-code",
        title: "Claude Code",
        stdio: |program, arguments| {
            run(format!(
                "claude mcp add qortal -- {}",
                line(program, arguments)
            ))
        },
        http: Some(|url| run(format!("claude mcp add --transport http qortal {url}"))),
    },
    Client {
        name: "claude-desktop",
        title: "Claude Desktop",
        stdio: |program, arguments| Setup {
            place: "claude_desktop_config.json (Settings, Developer, Edit Config)",
            language: "json",
            text: servers(
                "mcpServers",
                &json!({"command": program, "args": arguments}),
            ),
        },
        http: None,
    },
    Client {
        name: "codex",
        title: "Codex",
        // Codex passes only HOME and PATH to a server: settings belong on the command line.
        stdio: |program, arguments| {
            run(format!(
                "codex mcp add qortal -- {}",
                line(program, arguments)
            ))
        },
        http: Some(|url| Setup {
            place: "~/.codex/config.toml",
            language: "toml",
            text: format!("[mcp_servers.qortal]\nurl = \"{url}\""),
        }),
    },
    Client {
        name: "cursor",
        title: "Cursor",
        stdio: |program, arguments| Setup {
            place: "~/.cursor/mcp.json, or .cursor/mcp.json in a project",
            language: "json",
            text: servers(
                "mcpServers",
                &json!({"command": program, "args": arguments}),
            ),
        },
        http: Some(|url| Setup {
            place: "~/.cursor/mcp.json, or .cursor/mcp.json in a project",
            language: "json",
            text: servers("mcpServers", &json!({"url": url})),
        }),
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        stdio: |program, arguments| {
            run(format!(
                "gemini mcp add qortal {}",
                line(program, arguments)
            ))
        },
        http: Some(|url| Setup {
            place: "~/.gemini/settings.json",
            language: "json",
            text: servers("mcpServers", &json!({"httpUrl": url})),
        }),
    },
    Client {
        name: "goose",
        title: "goose",
        stdio: |program, arguments| Setup {
            place: "~/.config/goose/config.yaml",
            language: "yaml",
            text: format!(
                "extensions:\n  qortal:\n    name: qortal\n    type: stdio\n    enabled: true\n    cmd: {}\n    args: {}\n    timeout: 60",
                json!(program),
                json!(arguments)
            ),
        },
        http: Some(|url| Setup {
            place: "~/.config/goose/config.yaml",
            language: "yaml",
            text: format!(
                "extensions:\n  qortal:\n    name: qortal\n    type: streamable_http\n    enabled: true\n    uri: {}\n    timeout: 60",
                json!(url)
            ),
        }),
    },
    Client {
        name: "vscode",
        title: "VS Code",
        stdio: |program, arguments| Setup {
            place: ".vscode/mcp.json in a project, or the user's mcp.json",
            language: "json",
            text: servers(
                "servers",
                &json!({"type": "stdio", "command": program, "args": arguments}),
            ),
        },
        http: Some(|url| Setup {
            place: ".vscode/mcp.json in a project, or the user's mcp.json",
            language: "json",
            text: servers("servers", &json!({"type": "http", "url": url})),
        }),
    },
];

#[derive(Debug, thiserror::Error)]
enum InstallError {
    #[error(
        "unknown client {name:?}, expected one of {all}\nhint: most other clients accept the configuration of cursor"
    )]
    Unknown { name: String, all: String },
    #[error("{0} cannot connect to a URL\nhint: omit --http")]
    NoHttp(&'static str),
    #[error("cannot determine the path of this program")]
    Path(#[from] std::io::Error),
}

/// Prints the configuration of the host.
pub(crate) fn install(install: &Install, arguments: &[String]) -> Exit {
    match setup(install, arguments) {
        Ok(setup) => text::print(&format!("# {}\n{}", setup.place, setup.text)),
        Err(err) => text::print_error(&err, Exit::Usage),
    }
}

fn setup(install: &Install, arguments: &[String]) -> Result<Setup, InstallError> {
    let client = CLIENTS.iter().find(|it| it.name == install.client);
    let client = client.ok_or_else(|| InstallError::Unknown {
        name: install.client.clone(),
        all: CLIENTS
            .iter()
            .map(|it| it.name)
            .collect::<Vec<_>>()
            .join(", "),
    })?;
    match (&install.http, client.http) {
        (Some(url), Some(http)) => Ok(http(url)),
        (Some(_), None) => Err(InstallError::NoHttp(client.title)),
        (None, _) => {
            let program = std::env::current_exe()?;
            Ok((client.stdio)(&program.to_string_lossy(), arguments))
        }
    }
}

/// `docs/clients.md`.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "# Clients\n\n\
         <!-- Generated by `cargo xtask codegen`. Change crates/qortal-mcp/src/install.rs instead. -->\n\n\
         `qortal-mcp install CLIENT` prints these configurations with the full path of the installed program and with the\n\
         options it is given; `--http URL` prints the one for a server that is already running. Add `--demo` to the\n\
         program's arguments to try a host without a node.\n",
    );
    for client in CLIENTS {
        page.push_str(&format!("\n## {}\n", client.title));
        let setups = [
            (
                "Start the program (stdio)",
                Some((client.stdio)("qortal-mcp", &[])),
            ),
            (
                "Connect to a running server (HTTP)",
                client.http.map(|http| http("http://127.0.0.1:8000/mcp")),
            ),
        ];
        for (heading, setup) in setups {
            if let Some(Setup {
                place,
                language,
                text,
            }) = setup
            {
                page.push_str(&format!(
                    "\n{heading}: {place}\n\n```{language}\n{text}\n```\n"
                ));
            }
        }
    }
    page
}

fn run(text: String) -> Setup {
    Setup {
        place: "run in a shell",
        language: "sh",
        text,
    }
}

fn servers(key: &str, server: &serde_json::Value) -> String {
    format!("{:#}", json!({key: {"qortal": server}}))
}

/// A command line as a POSIX shell reads it.
fn line(program: &str, arguments: &[String]) -> String {
    let words = std::iter::once(program).chain(arguments.iter().map(String::as_str));
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JSON is YAML, so a quoted word is one word to both.
    #[test]
    fn goose_gets_an_extension_with_a_name_and_quoted_words() {
        let goose = CLIENTS.iter().find(|it| it.name == "goose").unwrap();
        let stdio = (goose.stdio)("/a b/qortal-mcp", &["--demo".to_owned()]).text;
        let http = goose.http.unwrap()("http://127.0.0.1:8000/mcp").text;
        for text in [&stdio, &http] {
            assert!(
                text.starts_with("extensions:\n  qortal:\n    name: qortal\n"),
                "{text}"
            );
        }
        assert!(stdio.contains("    cmd: \"/a b/qortal-mcp\"\n    args: [\"--demo\"]\n"));
        assert!(http.contains("    uri: \"http://127.0.0.1:8000/mcp\"\n"));
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("--node"), "--node");
        assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}

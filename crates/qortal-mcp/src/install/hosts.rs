//! The hosts, where each keeps its servers, and what an entry looks like there.
//!
//! Sources: each host's documentation of its configuration, and for goose its `agents/extension.rs`, where `name` is
//! required.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::builder::PossibleValue;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::{ConfigFile, Format, Program, SERVER};

/// An MCP host.
pub(super) struct Host {
    /// Its name on the command line.
    pub(super) name: &'static str,
    /// Other names people type.
    aliases: &'static [&'static str],
    /// Its product name.
    pub(super) title: &'static str,
    /// Where it keeps its servers; `None` if a person adds them by hand.
    pub(super) file: Option<&'static ConfigFile>,
    /// What else a person may want to know about the place.
    pub(super) also: Option<&'static str>,
    /// How it starts a program; `None` if it connects to URLs only.
    pub(super) stdio: Option<fn(&Program) -> Value>,
    /// How it connects to a URL.
    pub(super) http: Http,
    /// Its own command that adds a program, from the program's command line.
    pub(super) command: Option<fn(&str) -> String>,
    /// Its own command that adds a URL.
    pub(super) http_command: Option<fn(&str) -> String>,
    /// A link that opens it and adds an entry.
    pub(super) link: Option<fn(&Value) -> String>,
}

/// How a host connects to a URL.
#[derive(Clone, Copy)]
pub(super) enum Http {
    Entry(fn(&str) -> Value),
    /// By hand.
    Steps {
        /// What to do before the URL is pasted.
        steps: &'static str,
        /// What the server needs for that.
        server: &'static str,
    },
    /// Not at all.
    Never,
}

/// The host of this name or alias.
pub(super) fn find(name: &str) -> Option<&'static Host> {
    HOSTS
        .iter()
        .find(|it| it.name == name || it.aliases.contains(&name))
}

/// The names for the command line, its help and its completions.
pub(crate) fn names() -> Vec<PossibleValue> {
    let value = |it: &Host| PossibleValue::new(it.name).aliases(it.aliases.iter().copied());
    HOSTS.iter().map(value).collect()
}

const fn json_file(
    servers: &'static [&'static str],
    linux: &'static str,
    macos: &'static str,
    windows: &'static str,
) -> ConfigFile {
    ConfigFile {
        format: Format::Json,
        servers,
        linux,
        macos,
        windows,
        directory_variable: None,
    }
}

fn command_and_args(it: &Program) -> Value {
    json!({"command": it.path, "args": it.arguments})
}

/// An entry as the value of a query.
fn base64_value(entry: &Value) -> String {
    let base64 = STANDARD.encode(entry.to_string());
    utf8_percent_encode(&base64, NON_ALPHANUMERIC).to_string()
}

/// cursor.com/docs/mcp/install-links
fn cursor_link(entry: &Value) -> String {
    let config = base64_value(entry);
    format!("cursor://anysphere.cursor-deeplink/mcp/install?name={SERVER}&config={config}")
}

/// lmstudio.ai/docs/app/mcp/deeplink
fn lmstudio_link(entry: &Value) -> String {
    let config = base64_value(entry);
    format!("lmstudio://add_mcp?name={SERVER}&config={config}")
}

/// code.visualstudio.com/api/extension-guides/ai/mcp, "Create an MCP installation URL"
fn vscode_link(entry: &Value) -> String {
    let mut named = json!({"name": SERVER});
    if let (Some(named), Some(entry)) = (named.as_object_mut(), entry.as_object()) {
        named.extend(entry.clone());
    }
    let config = named.to_string();
    let config = utf8_percent_encode(&config, NON_ALPHANUMERIC);
    format!("vscode:mcp/install?{config}")
}

fn url(url: &str) -> Value {
    json!({"url": url})
}

pub(super) const HOSTS: &[Host] = &[
    Host {
        name: "chatgpt",
        aliases: &["openai"],
        title: "ChatGPT",
        file: None,
        also: None,
        stdio: None,
        http: Http::Steps {
            steps: "ChatGPT: Settings, Apps & Connectors, Advanced: turn developer mode on. Then Create, and paste this URL.\n\
                    ChatGPT connects from the internet: the URL needs https and a public name.",
            server: "The server needs --token-file or --no-auth then.",
        },
        command: None,
        http_command: None,
        link: None,
    },
    Host {
        name: "claude-code",
        aliases: &["claude", "claudecode"],
        title: "Claude Code",
        file: Some(&ConfigFile {
            directory_variable: Some("CLAUDE_CONFIG_DIR"),
            ..json_file(
                &["mcpServers"],
                "~/.claude.json",
                "~/.claude.json",
                "~/.claude.json",
            )
        }),
        also: Some("or .mcp.json in a project"),
        stdio: Some(|it| json!({"type": "stdio", "command": it.path, "args": it.arguments})),
        http: Http::Entry(|url| json!({"type": "http", "url": url})),
        command: Some(|line| format!("claude mcp add --scope user qortal -- {line}")),
        http_command: Some(|url| {
            format!("claude mcp add --transport http --scope user qortal {url}")
        }),
        link: None,
    },
    Host {
        name: "claude-desktop",
        aliases: &["claudedesktop"],
        title: "Claude Desktop",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.config/Claude/claude_desktop_config.json",
            "~/Library/Application Support/Claude/claude_desktop_config.json",
            "%APPDATA%/Claude/claude_desktop_config.json",
        )),
        also: Some("in the application: Settings, Developer, Edit Config"),
        stdio: Some(command_and_args),
        http: Http::Steps {
            steps: "Claude Desktop: Settings, Connectors, Add custom connector, and paste this URL.\n\
                    It connects from the internet: the URL needs https and a public name.",
            server: "The server needs --token-file or --no-auth then.",
        },
        command: None,
        http_command: None,
        link: None,
    },
    Host {
        name: "cline",
        aliases: &[],
        title: "Cline",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            "~/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            "%APPDATA%/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        )),
        also: Some(
            "in the extension: MCP Servers, Configure MCP Servers; the CLI reads ~/.cline/data/settings/cline_mcp_settings.json",
        ),
        stdio: Some(|it| json!({"command": it.path, "args": it.arguments, "disabled": false})),
        http: Http::Entry(|url| json!({"type": "streamableHttp", "url": url, "disabled": false})),
        command: None,
        http_command: None,
        link: None,
    },
    Host {
        name: "codex",
        aliases: &["codex-cli"],
        title: "Codex",
        file: Some(&ConfigFile {
            format: Format::Toml,
            servers: &["mcp_servers"],
            linux: "~/.codex/config.toml",
            macos: "~/.codex/config.toml",
            windows: "~/.codex/config.toml",
            directory_variable: Some("CODEX_HOME"),
        }),
        also: None,
        // Codex passes only HOME and PATH to a server: settings belong on the command line.
        stdio: Some(command_and_args),
        http: Http::Entry(url),
        command: Some(|line| format!("codex mcp add qortal -- {line}")),
        http_command: Some(|url| format!("codex mcp add qortal --url {url}")),
        link: None,
    },
    Host {
        name: "cursor",
        aliases: &[],
        title: "Cursor",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.cursor/mcp.json",
            "~/.cursor/mcp.json",
            "~/.cursor/mcp.json",
        )),
        also: Some("or .cursor/mcp.json in a project"),
        stdio: Some(command_and_args),
        http: Http::Entry(url),
        command: None,
        http_command: None,
        link: Some(cursor_link),
    },
    Host {
        name: "devin",
        aliases: &["devin-desktop", "windsurf", "codeium"],
        title: "Devin Desktop",
        // vaadin.com/docs/latest/building-apps/agentic-development/mcp/supported-tools/devin-desktop, which both of its agents read.
        file: Some(&json_file(
            &["mcpServers"],
            "~/.config/devin/mcp_config.json",
            "~/.config/devin/mcp_config.json",
            "%APPDATA%/devin/mcp_config.json",
        )),
        also: Some(
            "or .devin/mcp_config.json in a project; Windsurf, as it was called, read ~/.codeium/windsurf/mcp_config.json",
        ),
        stdio: Some(command_and_args),
        http: Http::Entry(url),
        command: None,
        http_command: None,
        link: None,
    },
    Host {
        name: "gemini",
        aliases: &["gemini-cli"],
        title: "Gemini CLI",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.gemini/settings.json",
            "~/.gemini/settings.json",
            "~/.gemini/settings.json",
        )),
        also: Some("or .gemini/settings.json in a project"),
        stdio: Some(command_and_args),
        http: Http::Entry(|url| json!({"httpUrl": url})),
        command: Some(|line| format!("gemini mcp add --scope user qortal {line}")),
        http_command: Some(|url| {
            format!("gemini mcp add --transport http --scope user qortal {url}")
        }),
        link: None,
    },
    Host {
        name: "goose",
        aliases: &[],
        title: "goose",
        file: Some(&ConfigFile {
            format: Format::Yaml,
            servers: &["extensions"],
            linux: "~/.config/goose/config.yaml",
            macos: "~/.config/goose/config.yaml",
            windows: "%APPDATA%/Block/goose/config/config.yaml",
            directory_variable: None,
        }),
        also: None,
        stdio: Some(|it| {
            json!({
                "name": "qortal", "type": "stdio", "enabled": true,
                "cmd": it.path, "args": it.arguments, "timeout": 60,
            })
        }),
        http: Http::Entry(|url| {
            json!({
                "name": "qortal", "type": "streamable_http", "enabled": true, "uri": url, "timeout": 60,
            })
        }),
        command: None,
        http_command: None,
        link: None,
    },
    Host {
        name: "jetbrains",
        aliases: &["junie", "intellij"],
        title: "JetBrains Junie",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.junie/mcp/mcp.json",
            "~/.junie/mcp/mcp.json",
            "~/.junie/mcp/mcp.json",
        )),
        also: Some(
            "for AI Assistant: Settings, Tools, AI Assistant, Model Context Protocol, Add, As JSON",
        ),
        stdio: Some(command_and_args),
        // jetbrains.com/help/junie/model-context-protocol-mcp.html: standard input and output alone.
        http: Http::Never,
        command: None,
        http_command: None,
        link: None,
    },
    Host {
        name: "kiro",
        aliases: &[],
        title: "Kiro",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.kiro/settings/mcp.json",
            "~/.kiro/settings/mcp.json",
            "~/.kiro/settings/mcp.json",
        )),
        also: Some("or .kiro/settings/mcp.json in a project"),
        stdio: Some(|it| json!({"command": it.path, "args": it.arguments, "disabled": false})),
        http: Http::Entry(|url| json!({"url": url, "disabled": false})),
        command: None,
        http_command: None,
        link: None,
    },
    Host {
        name: "lmstudio",
        aliases: &["lm-studio"],
        title: "LM Studio",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.lmstudio/mcp.json",
            "~/.lmstudio/mcp.json",
            "~/.lmstudio/mcp.json",
        )),
        also: Some("in the application: Program, Install, Edit mcp.json"),
        stdio: Some(command_and_args),
        http: Http::Entry(url),
        command: None,
        http_command: None,
        link: Some(lmstudio_link),
    },
    Host {
        name: "opencode",
        aliases: &["open-code"],
        title: "opencode",
        file: Some(&json_file(
            &["mcp"],
            "~/.config/opencode/opencode.json",
            "~/.config/opencode/opencode.json",
            "~/.config/opencode/opencode.json",
        )),
        also: Some("or opencode.json in a project"),
        stdio: Some(|it| {
            let words = std::iter::once(&it.path).chain(&it.arguments);
            json!({"type": "local", "command": words.collect::<Vec<_>>(), "enabled": true})
        }),
        http: Http::Entry(|url| json!({"type": "remote", "url": url, "enabled": true})),
        command: None,
        http_command: None,
        link: None,
    },
    Host {
        name: "qwen",
        aliases: &["qwen-code"],
        title: "Qwen Code",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.qwen/settings.json",
            "~/.qwen/settings.json",
            "~/.qwen/settings.json",
        )),
        also: Some("or .qwen/settings.json in a project"),
        stdio: Some(command_and_args),
        http: Http::Entry(|url| json!({"httpUrl": url})),
        command: Some(|line| format!("qwen mcp add --scope user qortal {line}")),
        http_command: Some(|url| {
            format!("qwen mcp add --transport http --scope user qortal {url}")
        }),
        link: None,
    },
    Host {
        name: "vscode",
        aliases: &["vs-code", "code", "copilot"],
        title: "VS Code",
        file: Some(&json_file(
            &["servers"],
            "~/.config/Code/User/mcp.json",
            "~/Library/Application Support/Code/User/mcp.json",
            "%APPDATA%/Code/User/mcp.json",
        )),
        also: Some("or .vscode/mcp.json in a project"),
        stdio: Some(|it| json!({"type": "stdio", "command": it.path, "args": it.arguments})),
        http: Http::Entry(|url| json!({"type": "http", "url": url})),
        command: None,
        http_command: None,
        link: Some(vscode_link),
    },
    Host {
        name: "zed",
        aliases: &[],
        title: "Zed",
        file: Some(&json_file(
            &["context_servers"],
            "~/.config/zed/settings.json",
            "~/.config/zed/settings.json",
            "%APPDATA%/Zed/settings.json",
        )),
        also: Some("in the editor: zed: open settings file"),
        stdio: Some(|it| json!({"command": it.path, "args": it.arguments, "env": {}})),
        http: Http::Entry(url),
        command: None,
        http_command: None,
        link: None,
    },
];

//! The hosts, where each keeps its servers, and what an entry looks like there.
//!
//! Sources: each host's documentation of its configuration, and for goose its `agents/extension.rs`, where `name` is
//! required.

use clap::builder::PossibleValue;
use serde_json::{Value, json};

use super::{ConfigFile, Format};

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
}

/// How a host connects to a URL.
#[derive(Clone, Copy)]
pub(super) enum Http {
    Entry(fn(&str) -> Value),
    /// By hand: what to do before the URL is pasted.
    Steps(&'static str),
}

/// The program that a host starts.
pub(super) struct Program {
    pub(super) path: String,
    pub(super) arguments: Vec<String>,
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
        http: Http::Steps(
            "# ChatGPT: Settings, Apps & Connectors, Advanced: turn developer mode on. Then Create, and paste this URL.\n\
             # ChatGPT connects from the internet: the URL needs https and a public name, and the server --token-file or --no-auth.",
        ),
        command: None,
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
        http: Http::Steps(
            "# Claude Desktop: Settings, Connectors, Add custom connector, and paste this URL.\n\
             # It connects from the internet: the URL needs https and a public name, and the server --token-file or --no-auth.",
        ),
        command: None,
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
        also: Some("in the extension: MCP Servers, Configure MCP Servers"),
        stdio: Some(|it| json!({"command": it.path, "args": it.arguments, "disabled": false})),
        http: Http::Entry(|url| json!({"type": "streamableHttp", "url": url, "disabled": false})),
        command: None,
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
        http: Http::Entry(url),
        command: None,
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
    },
    Host {
        name: "windsurf",
        aliases: &["codeium"],
        title: "Windsurf",
        file: Some(&json_file(
            &["mcpServers"],
            "~/.codeium/windsurf/mcp_config.json",
            "~/.codeium/windsurf/mcp_config.json",
            "~/.codeium/windsurf/mcp_config.json",
        )),
        also: None,
        stdio: Some(command_and_args),
        http: Http::Entry(|url| json!({"serverUrl": url})),
        command: None,
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
    },
];

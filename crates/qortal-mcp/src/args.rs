//! The command line.

use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    error::{ContextKind, ContextValue},
};

use crate::{
    config::{
        AccessOptions,
        setting::{PublicUrl, hidden, of_flag},
    },
    run::http::Listen,
};

/// A read-only Model Context Protocol server in front of a Qortal Core node.
///
/// Without a command it speaks MCP on standard input and output, as desktop hosts expect.
/// It signs nothing, sends nothing and changes nothing.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) options: Options,
}

const EXAMPLES: &str = "\
Examples:
  qortal-mcp --demo                      MCP on stdio, with a simulated node
  qortal-mcp http --demo                 MCP on http://127.0.0.1:8000/mcp, with a simulated node
  qortal-mcp doctor                      Check the node, and which tools would work
  qortal-mcp call get_balance address='Alice Test' --demo

Environment variables, the configuration file and exit codes: docs/configuration.md";

/// The error without words that could be a key or a token: standard error is often kept in a journal.
pub(crate) fn without_secrets(mut err: clap::Error) -> clap::Error {
    let kinds = [
        ContextKind::InvalidValue,
        ContextKind::InvalidArg,
        ContextKind::InvalidSubcommand,
        ContextKind::TrailingArg,
    ];
    for kind in kinds {
        let Some(ContextValue::String(word)) = err.get(kind) else {
            continue;
        };
        if let Some(instead) = hidden(word) {
            err.insert(kind, ContextValue::String(instead));
            // Suggestions repeat the word.
            err.remove(ContextKind::Suggested);
        }
    }
    err
}

/// The options of every command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Options {
    /// Use an embedded simulated node instead of a Qortal node [default chain: invented]
    #[arg(
        long,
        global = true,
        value_name = "CHAIN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "invented"
    )]
    pub(crate) demo: Option<Demo>,
    /// URL of the node [default: http://127.0.0.1:12391]
    #[arg(long, global = true, value_name = "URL", conflicts_with = "demo")]
    pub(crate) node: Option<String>,
    /// Let public nodes answer questions about the chain while the node does not; volunteers run them
    #[arg(long, global = true, conflicts_with = "demo")]
    pub(crate) public: bool,
    /// File with the node's API key, such as the Core's apikey.txt
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) api_key_file: Option<PathBuf>,
    /// Which tools to list; unlisted tools can still be called by name [default: standard]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) surface: Option<SurfaceName>,
    /// List only these families of tools
    #[arg(long, global = true, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) toolsets: Option<Vec<String>>,
    /// List these tools too, whatever the surface
    #[arg(long, global = true, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) tools: Option<Vec<String>>,
    /// Never list these tools
    #[arg(long, global = true, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) exclude_tools: Option<Vec<String>>,
    /// Whether listed tools include an output schema [default: off for core, otherwise lean]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) output_schemas: Option<OutputSchemasName>,
    /// Whether hosts may show views beside answers; without them answers say the same [default: on]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) views: Option<Toggle>,
    /// Configuration file, in TOML
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) config: Option<PathBuf>,
    /// Seconds that requests in progress may take once the server is stopped; a second signal ends them at once
    /// [default: 60]
    #[arg(long, global = true, value_name = "SECONDS", value_parser = of_flag::<Duration>)]
    pub(crate) drain_timeout: Option<Duration>,
    /// MiB that messages, arguments and answers may take together; what does not fit is rejected [default: 256]
    #[arg(long, global = true, value_name = "MIB")]
    pub(crate) memory: Option<NonZeroU32>,
    /// The least severe messages to log on standard error [default: info, and error for call, tools and doctor]
    #[arg(long, global = true, value_name = "LEVEL")]
    pub(crate) log_level: Option<LogLevel>,
    /// Format of log messages [default: plain]
    #[arg(long, global = true, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
}

impl Options {
    /// The options as words of a command line, for the command that a host runs.
    pub(crate) fn words(&self) -> Vec<String> {
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        let named =
            |value: Option<String>, name: &str| value.map(|value| [format!("--{name}"), value]);
        let list = |list: &Option<Vec<String>>| list.as_ref().map(|it| it.join(","));
        let demo = self.demo.map(|demo| match demo {
            Demo::Off | Demo::Invented => "--demo".to_owned(),
            Demo::Recorded => format!("--demo={}", word(demo)),
        });
        let public = self.public.then(|| "--public".to_owned());
        let mut words: Vec<String> = demo.into_iter().chain(public).collect();
        let values = [
            named(self.node.clone(), "node"),
            named(self.api_key_file.as_ref().map(path), "api-key-file"),
            named(self.surface.map(word), "surface"),
            named(list(&self.toolsets), "toolsets"),
            named(list(&self.tools), "tools"),
            named(list(&self.exclude_tools), "exclude-tools"),
            named(self.output_schemas.map(word), "output-schemas"),
            named(self.views.map(word), "views"),
            named(self.config.as_ref().map(path), "config"),
            named(
                self.drain_timeout.map(|it| it.as_secs_f64().to_string()),
                "drain-timeout",
            ),
            named(self.memory.map(|it| it.to_string()), "memory"),
            named(self.log_level.map(word), "log-level"),
            named(self.log_format.map(word), "log-format"),
        ];
        words.extend(values.into_iter().flatten().flatten());
        words
    }
}

/// The value's name on the command line.
fn word<T: ValueEnum>(value: T) -> String {
    value
        .to_possible_value()
        .map(|it| it.get_name().to_owned())
        .unwrap_or_default()
}

/// The command to run.
#[derive(Debug, Subcommand)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one, which is read at the start"
)]
pub(crate) enum Command {
    /// Speak MCP over HTTP at /mcp, and at a path for each surface, such as /mcp/x/core
    ///
    /// A client can choose what is listed to it with the headers X-MCP-Toolsets, X-MCP-Tools and
    /// X-MCP-Exclude-Tools, which replace the options of these names.
    Http(Http),
    /// Call one tool and print its answer
    Call(Call),
    /// List the tools
    Tools(Tools),
    /// Check the node, and which tools would work
    Doctor(Doctor),
    /// Ask a server that runs over HTTP whether it is healthy, for the health check of a container
    Health(Health),
    /// Print the configuration of a host, such as claude-code, codex, cursor or vscode, or write it into its file
    Install(Install),
    /// Print a completion script for a shell
    Completions {
        /// bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
}

/// `qortal-mcp http`
#[derive(Debug, Args)]
pub(crate) struct Http {
    /// Address to listen on; port 0 picks a free port, and unix:PATH is a Unix socket, which only this user can
    /// connect to [default: 127.0.0.1:8000]
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<Listen>,
    /// Open connections; a further one replaces an idle one of the address with most of them [default: 1024, or as
    /// many as the limit of file descriptors allows]
    #[arg(long, value_name = "N")]
    pub(crate) max_connections: Option<NonZeroU32>,
    /// Open streams for notifications, of which one client gets half; a further one replaces the oldest
    /// [default: 256]
    #[arg(long, value_name = "N")]
    pub(crate) max_streams: Option<NonZeroU32>,
    /// File with the access tokens of clients: a line is NAME TOKEN, or NAME sha256:HEX, then optionally
    /// surface=NAME, rate=CALLS_PER_SECOND and expires=TIME. A change takes effect without a restart
    #[arg(long, value_name = "PATH")]
    pub(crate) token_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) access: AccessOptions,
    /// Let anyone call who reaches an address beyond the loopback interface
    #[arg(long, conflicts_with = "token_file")]
    pub(crate) no_auth: bool,
    /// Also accept this Host header (loopback is always accepted); may be repeated
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Option<Vec<String>>,
    /// Also accept requests from web pages of this origin, such as https://example.org; may be repeated
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Option<Vec<String>>,
    /// URL by which clients reach this server, where that is not the address they write in the Host header: behind a
    /// proxy with TLS, https://mcp.example.org. The page at / shows it
    #[arg(long, value_name = "URL", value_parser = of_flag::<PublicUrl>)]
    pub(crate) public_url: Option<PublicUrl>,
    /// Also serve /health, /ready and /metrics at this address, for monitors alone: how each node is, and figures for
    /// Prometheus
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) management_listen: Option<Listen>,
    /// Answer /ready with 503 while the node does not answer or synchronizes. All replicas of one node are then taken out
    /// at once
    #[arg(long)]
    pub(crate) ready_needs_node: bool,
    /// Show people with a browser nothing: no page at /, and no favicon.ico, robots.txt and llms.txt
    #[arg(long)]
    pub(crate) no_landing_page: bool,
    /// Tool calls per second over all clients; further calls are rejected [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) rate_limit: Option<NonZeroU32>,
    /// Tool calls per second of one client, by its address; further calls are rejected, and 0 is no limit
    /// [default: 1000]
    #[arg(long, value_name = "N")]
    pub(crate) client_rate_limit: Option<u32>,
    /// Give clients up to revision 2025-11-25 sessions, in which they can subscribe to resources. A load
    /// balancer must then send all requests with one Mcp-Session-Id header to the same process.
    /// Clients of 2026-07-28 subscribe without a session
    #[arg(long)]
    pub(crate) sessions: bool,
}

/// `qortal-mcp call`
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Call {
    /// The tool's name
    #[arg(required_unless_present = "help")]
    pub(crate) tool: Option<String>,
    /// Arguments as name=value; a value that is valid JSON is read as JSON, any other as a string
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) arguments: Vec<String>,
    /// How the answer is printed [default: table in a terminal, otherwise json]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<AnswerFormat>,
    /// File for the picture of the answer: .svg for SVG, otherwise PNG
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<String>,
    /// Print the parameters of the tool, and an example; without a tool, this
    #[arg(long, short)]
    pub(crate) help: bool,
}

/// `--format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// For people
    Table,
    /// The whole answer
    Json,
    /// The rows of a tool that has a table
    Csv,
}

/// `qortal-mcp tools`
#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// A tool, to print its parameters and an example
    #[arg(conflicts_with = "json")]
    pub(crate) tool: Option<String>,
    /// Print definitions and examples as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `qortal-mcp doctor`
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `qortal-mcp health`
#[derive(Debug, Args)]
pub(crate) struct Health {
    /// Where the server listens
    #[arg(value_name = "ADDR:PORT", default_value = "127.0.0.1:8000")]
    pub(crate) address: SocketAddr,
}

/// `qortal-mcp install`
#[derive(Debug, Args)]
pub(crate) struct Install {
    /// The host
    #[arg(value_name = "HOST", value_parser = crate::install::names())]
    pub(crate) client: String,
    /// Connect to this URL instead of starting the program
    #[arg(long, value_name = "URL")]
    pub(crate) http: Option<String>,
    /// Add the configuration to the host's file; what was there is kept beside it, and everything else in it stays
    #[arg(long)]
    pub(crate) write: bool,
    /// Print what --write would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `--demo`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Demo {
    /// A real node is asked.
    #[default]
    #[value(skip)]
    Off,
    /// Like the main network, with times relative to now; the same each time, and a block a minute
    Invented,
    /// A small private chain as it was recorded in November 2026, which does not change
    Recorded,
}

impl Demo {
    pub(crate) fn is_on(self) -> bool {
        self != Self::Off
    }
}

/// `--surface`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SurfaceName {
    /// The few tools that answer the commonest questions
    Core,
    /// The tools that answer what people ask
    Standard,
    /// The tools of the older Python server
    Python,
    /// Everything
    Full,
    /// Three tools that find, describe and call the others
    Dynamic,
}

/// `--output-schemas`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputSchemasName {
    /// No output schemas, for the shortest lists; answers are the same
    Off,
    /// Names and types, without descriptions
    Lean,
}

/// `--views`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Toggle {
    /// Tools are linked to views, which are resources
    On,
    /// No links, no such resources, and no such capability
    Off,
}

/// `--log-level`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Failures of the server
    Error,
    /// Also conditions an operator can act on
    Warn,
    /// Also start and stop
    Info,
    /// Also each request
    Debug,
    /// Everything
    Trace,
}

/// `--log-format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Plain,
    /// One JSON object a line
    Json,
}

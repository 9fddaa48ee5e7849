//! The settings of a run: a flag overrides the environment, the environment the file, the file the defaults.

mod access;
pub(crate) mod choice;
mod error;
pub(crate) mod own_nodes;
mod public_nodes;
mod reference;
pub(crate) mod secret;
pub(crate) mod setting;
pub(crate) mod settings;

use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};

use mcp_server::MemoryBudget;
use qortal_client::{AnswerMemory, Config as NodeConfig};
use qortal_tools::{OutputSchemas, Selection, Surface};

pub(crate) use access::AccessConfig;
pub(crate) use error::ConfigError;
pub use reference::reference;

use crate::{
    args::{Arguments, Command},
    env,
    run::http::Listen,
};
use choice::{AccessLogName, Demo, LogFormat, LogLevel, OutputSchemasName, SurfaceName, Toggle};
use public_nodes::PUBLIC_NODES;
use setting::PublicUrl;
use settings::Settings;

/// Where `qortal-mcp http` listens.
const DEFAULT_LISTEN: Listen = Listen::Tcp(SocketAddr::new(
    std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
    8000,
));
/// Longer than a call may take, so that each is answered.
const DEFAULT_DRAIN: Duration = Duration::from_secs(60);
/// What many clients ask for, the node is asked for once a second: twice as long for an answer that costs it much.
const CACHE_TIME: Duration = Duration::from_secs(1);
/// In MiB.
const DEFAULT_MEMORY: u32 = 256;
/// The part of the memory that answers are kept in.
const CACHE_PART: u32 = 8;
/// A tool call ends after 55 seconds: a node that is slower should be named as the reason.
const SLOW: Duration = Duration::from_secs(50);

/// The settings of a run.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) demo: Demo,
    pub(crate) node: NodeConfig,
    pub(crate) selection: Selection,
    pub(crate) http: HttpConfig,
    /// How long requests in progress may take once the server is stopped.
    pub(crate) drain_timeout: Duration,
    /// What messages, arguments and answers draw from.
    pub(crate) memory: MemoryBudget,
    /// Tool calls per second over all clients.
    pub(crate) rate_limit: Option<NonZeroU32>,
    /// Tool calls per second of one client.
    pub(crate) client_rate_limit: Option<NonZeroU32>,
    /// Whether each request is logged; if not set, the level decides.
    pub(crate) access_log: Option<AccessLogName>,
    pub(crate) log_level: LogLevel,
    pub(crate) log_format: LogFormat,
    /// What works but should be changed, in sentences.
    pub(crate) warnings: Vec<String>,
    /// All of the above as they were set.
    settings: Settings,
}

/// The settings of `qortal-mcp http`.
#[derive(Debug, Clone)]
pub(crate) struct HttpConfig {
    pub(crate) listen: Listen,
    pub(crate) max_connections: Option<NonZeroU32>,
    pub(crate) max_streams: Option<NonZeroU32>,
    pub(crate) token_file: Option<PathBuf>,
    /// Tokens of an authorization server, TLS, and proxies.
    pub(crate) access: AccessConfig,
    /// Whether anyone may call who reaches an address beyond loopback.
    pub(crate) no_auth: bool,
    pub(crate) allow_host: Vec<String>,
    pub(crate) allow_origin: Vec<String>,
    /// By which clients reach the server, without a slash at its end.
    pub(crate) public_url: Option<String>,
    /// Where monitors look, besides the address for clients.
    pub(crate) management_listen: Option<Listen>,
    /// How long everything is served once the server is asked to stop.
    pub(crate) drain_delay: Duration,
    /// Whether the server is not ready while its node is not.
    pub(crate) ready_needs_node: bool,
    /// Whether people with a browser are shown what this is.
    pub(crate) landing_page: bool,
    pub(crate) sessions: bool,
}

impl HttpConfig {
    /// The Host headers that are accepted: the name in the public URL is one that clients use.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let public = self.public_url.as_deref().and_then(|url| {
            let (_, rest) = url.split_once("://")?;
            rest.split('/').next()
        });
        let allowed = self.allow_host.iter().map(String::as_str);
        allowed.chain(public).map(str::to_owned).collect()
    }
}

impl Config {
    pub(crate) fn new(
        arguments: &Arguments,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let path = arguments.options.config.clone();
        let path = path.or_else(|| environment(env::QORTAL_MCP_CONFIG).map(PathBuf::from));
        let file = path.as_deref().map(Settings::of_file).transpose()?;
        let settings = arguments
            .settings()
            .or(Settings::of_environment(environment)?)
            .or(file.unwrap_or_default());
        let mut warnings = Vec::new();
        let memory = memory(&settings);
        let mut node = node(&settings, environment, &mut warnings)?;
        node.memory = Some(answer_memory(&memory));
        Ok(Self {
            settings: settings.clone(),
            node,
            selection: selection(&settings),
            demo: settings.demo.unwrap_or_default(),
            drain_timeout: settings.drain_timeout.unwrap_or(DEFAULT_DRAIN),
            memory,
            rate_limit: settings.rate_limit,
            client_rate_limit: settings.client_rate_limit.map_or(
                mcp_server::Limits::default().calls_per_client,
                NonZeroU32::new,
            ),
            access_log: settings.access_log,
            log_level: settings.log_level.unwrap_or(default_level(arguments)),
            log_format: settings.log_format.unwrap_or(LogFormat::Plain),
            http: HttpConfig {
                access: AccessConfig::new(&settings)?,
                listen: settings.listen.unwrap_or(DEFAULT_LISTEN),
                max_connections: settings.max_connections,
                max_streams: settings.max_streams,
                token_file: settings.token_file,
                no_auth: settings.no_auth.unwrap_or(false),
                allow_host: settings.allow_host.unwrap_or_default(),
                allow_origin: settings.allow_origin.unwrap_or_default(),
                public_url: settings.public_url.map(|PublicUrl(url)| url),
                management_listen: settings.management_listen,
                drain_delay: settings.drain_delay.unwrap_or_default(),
                ready_needs_node: settings.ready_needs_node.unwrap_or(false),
                landing_page: settings.no_landing_page != Some(true),
                sessions: settings.sessions.unwrap_or(false),
            },
            warnings,
        })
    }
}

impl Config {
    /// The keys of the settings that differ. A file that a setting names counts with its content where that is part of the
    /// configuration.
    pub(crate) fn changed(&self, other: &Self) -> Vec<&'static str> {
        let mut changed = self.settings.changed(&other.settings);
        let key = "api_key_file";
        if self.node.api_key != other.node.api_key && !changed.contains(&key) {
            changed.push(key);
        }
        let key = "nodes";
        if self.node.own_nodes != other.node.own_nodes && !changed.contains(&key) {
            changed.push(key);
        }
        changed
    }
}

/// What messages and answers may take.
fn memory(settings: &Settings) -> MemoryBudget {
    let mebibytes = settings.memory.map_or(DEFAULT_MEMORY, NonZeroU32::get);
    MemoryBudget::new(bytes(mebibytes))
}

/// What answers that are kept may take of it.
fn cache_bytes(settings: &Settings) -> usize {
    let mebibytes = settings.memory.map_or(DEFAULT_MEMORY, NonZeroU32::get);
    bytes(settings.cache.unwrap_or(mebibytes / CACHE_PART))
}

/// So many MiB.
fn bytes(mebibytes: u32) -> usize {
    let mebibytes = usize::try_from(mebibytes).unwrap_or(usize::MAX);
    mebibytes.saturating_mul(1 << 20)
}

/// Answers of the node draw from the same budget. Their values take about as much again.
fn answer_memory(budget: &MemoryBudget) -> AnswerMemory {
    let budget = budget.clone();
    AnswerMemory::new(move || {
        let mut reserved = budget.reserve();
        Box::new(move |bytes| reserved.grow_to(bytes.saturating_mul(2)))
    })
}

fn node(
    settings: &Settings,
    environment: &dyn Fn(&str) -> Option<String>,
    warnings: &mut Vec<String>,
) -> Result<NodeConfig, ConfigError> {
    let (first, others) = own_nodes::own_nodes(settings, environment, warnings)?;
    let mut node = NodeConfig::new(first.url);
    node.api_key = first.api_key;
    node.own_nodes = others;
    node.user_agent = concat!("qortal-mcp/", env!("CARGO_PKG_VERSION")).to_owned();
    node.cache_time = CACHE_TIME;
    node.cache_bytes = cache_bytes(settings);
    node.timeouts.slow = SLOW;
    if let Some(timeout) = settings.http_timeout {
        node.timeouts.quick = timeout;
        node.timeouts.slow = timeout;
        node.timeouts.connect = node.timeouts.connect.min(timeout);
    }
    if let Some(cool_down) = settings.fallback_cooldown_seconds {
        node.cool_down = cool_down;
    }
    node.public_urls = public_nodes(settings)?;
    Ok(node)
}

/// The nodes that may answer besides the user's own: those that the user names, or the built-in ones.
fn public_nodes(settings: &Settings) -> Result<Vec<String>, ConfigError> {
    let named = settings.public_nodes.clone().unwrap_or_default();
    let is_allowed = settings.allow_public_fallback == Some(true);
    match (settings.public == Some(true), is_allowed) {
        (true, _) if named.is_empty() => Ok(PUBLIC_NODES.map(str::to_owned).to_vec()),
        (false, true) if named.is_empty() => Err(ConfigError::NoPublicNodes),
        (false, false) => Ok(Vec::new()),
        _ => Ok(named),
    }
}

fn selection(settings: &Settings) -> Selection {
    let mut selection = Selection::of(match settings.surface {
        Some(SurfaceName::Core) => Surface::Core,
        Some(SurfaceName::Dynamic) => Surface::Dynamic,
        Some(SurfaceName::Full) => Surface::Full,
        Some(SurfaceName::Python) => Surface::Python,
        Some(SurfaceName::Standard) | None => Surface::Standard,
    });
    selection.families = settings.toolsets.clone().unwrap_or_default();
    selection.include = settings.tools.clone().unwrap_or_default();
    selection.exclude = settings.exclude_tools.clone().unwrap_or_default();
    selection.output_schemas = settings.output_schemas.map(|name| match name {
        OutputSchemasName::Off => OutputSchemas::Off,
        OutputSchemasName::Lean => OutputSchemas::Lean,
    });
    selection.views = settings.views != Some(Toggle::Off);
    selection
}

#[cfg(test)]
mod placeholders;
#[cfg(test)]
mod tests;

/// What is logged unless a level is set: a command for a person says itself what went wrong.
const fn default_level(arguments: &Arguments) -> LogLevel {
    match arguments.command {
        Some(Command::Call(_) | Command::Doctor(_) | Command::Tools(_)) => LogLevel::Error,
        _ => LogLevel::Info,
    }
}

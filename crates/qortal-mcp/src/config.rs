//! The settings of a run: a flag overrides the environment, the environment the file, the file the defaults.

mod access;
pub(crate) mod choice;
mod error;
pub(crate) mod own_nodes;
mod reference;
pub(crate) mod setting;
pub(crate) mod settings;
mod variable;

use std::{path::PathBuf, time::Duration};

use mcp_server::MemoryBudget;
use qortal_client::NodeConfig;
use qortal_resources::mcp;
use qortal_tools::Selection;
use tracing_subscriber::filter::LevelFilter;

pub(crate) use error::ConfigError;
pub use reference::{commands, reference};

use crate::{
    args::{Arguments, Command},
    env,
};
use choice::Views;
use settings::Settings;
pub(crate) use settings::Values;

/// What many clients ask for, the node is asked for once a second: twice as long for an answer that costs it much.
const CACHE_TIME: Duration = Duration::from_secs(1);
/// The part of the memory that answers are kept in.
const CACHE_PART: u32 = 8;
/// The most concurrent requests to a node that can be configured: far more than a Core handles.
const MAX_NODE_REQUESTS: usize = 1024;
/// A tool call ends after 55 seconds: a node that is slower should be named as the reason.
const SLOW: Duration = Duration::from_secs(50);

/// Nodes whose API anyone may read, run by volunteers of the community: those that Qortal Hub, the community's desktop application, knows.
/// Each can be gone tomorrow, and none is asked while the user's own node answers.
const PUBLIC_NODES: [&str; 5] = [
    "https://api.qortal.org",
    "https://api2.qortal.org",
    "https://ext-node.qortal.link",
    "https://apinode1.qortalnodes.live",
    "https://apinode2.qortalnodes.live",
];

/// The settings of a run.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) values: Values,
    pub(crate) node: NodeConfig,
    pub(crate) selection: Selection,
    /// What messages, arguments and answers draw from.
    pub(crate) memory: MemoryBudget,
    pub(crate) log_level: LevelFilter,
    /// What works but should be changed, in sentences.
    pub(crate) warnings: Vec<String>,
    /// The configuration file, if there is one.
    pub(crate) file: Option<PathBuf>,
    /// The settings as they were set.
    settings: Settings,
}

impl Config {
    pub(crate) fn new(
        arguments: &Arguments,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let mut warnings = Vec::new();
        let (settings, path) = merged(arguments, environment, &mut warnings)?;
        access::check(&settings)?;
        let values = Values::from(settings.clone());
        let memory = MemoryBudget::new(bytes(values.memory.get()));
        let mut node = node(&values, settings.node.is_some(), environment, &mut warnings)?;
        node.memory = Some(mcp::answer_memory(&memory));
        Ok(Self {
            node,
            selection: selection(&values),
            memory,
            log_level: values.log_level.unwrap_or(default_level(arguments)),
            warnings,
            values,
            file: path,
            settings,
        })
    }

    /// The keys of the settings that differ. A file that a setting names counts with its content where that is part of the
    /// configuration.
    pub(crate) fn changed(&self, other: &Self) -> Vec<&'static str> {
        let mut changed = self.settings.changed(&other.settings);
        let contents = [
            ("api_key_file", self.node.api_key != other.node.api_key),
            ("nodes", self.node.own_nodes != other.node.own_nodes),
        ];
        for (key, differs) in contents {
            if differs && !changed.contains(&key) {
                changed.push(key);
            }
        }
        changed
    }
}

impl Values {
    /// Reads the settings, without the files that they name.
    pub(crate) fn read(
        arguments: &Arguments,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let (settings, _) = merged(arguments, environment, &mut Vec::new())?;
        Ok(settings.into())
    }
}

/// Returns the settings of all sources, and the configuration file if there is one.
fn merged(
    arguments: &Arguments,
    environment: &dyn Fn(&str) -> Option<String>,
    warnings: &mut Vec<String>,
) -> Result<(Settings, Option<PathBuf>), ConfigError> {
    let path = arguments.options.config.clone();
    let path = path.or_else(|| environment(env::QORTAL_MCP_CONFIG).map(PathBuf::from));
    let of_file = path.as_deref().map(|it| Settings::of_file(it, warnings));
    let of_file = of_file.transpose()?;
    let settings = Settings::of_flags(&arguments.given())?
        .or(Settings::of_environment(environment)?)
        .or(of_file.unwrap_or_default());
    Ok((settings, path))
}

/// So many MiB.
fn bytes(mebibytes: u32) -> usize {
    let mebibytes = usize::try_from(mebibytes).unwrap_or(usize::MAX);
    mebibytes.saturating_mul(1 << 20)
}

fn node(
    values: &Values,
    is_named: bool,
    environment: &dyn Fn(&str) -> Option<String>,
    warnings: &mut Vec<String>,
) -> Result<NodeConfig, ConfigError> {
    let (first, others) = own_nodes::own_nodes(values, is_named, environment, warnings)?;
    let mut node = NodeConfig::new(first.url);
    node.api_key = first.api_key;
    node.own_nodes = others;
    node.user_agent = concat!("qortal-mcp/", env!("CARGO_PKG_VERSION")).to_owned();
    node.cache_time = CACHE_TIME;
    let cache = values.cache.unwrap_or(values.memory.get() / CACHE_PART);
    node.cache_bytes = bytes(cache);
    node.timeouts.slow = SLOW;
    if let Some(timeout) = values.http_timeout {
        node.timeouts.quick = timeout;
        node.timeouts.slow = timeout;
        node.timeouts.connect = node.timeouts.connect.min(timeout);
    }
    if let Some(cool_down) = values.fallback_cooldown_seconds {
        node.cool_down = cool_down;
    }
    if let Some(requests) = values.node_requests {
        let requests = usize::try_from(requests.get()).unwrap_or(MAX_NODE_REQUESTS);
        node.concurrency = requests.min(MAX_NODE_REQUESTS);
    }
    node.public_urls = public_nodes(values);
    Ok(node)
}

/// Returns the nodes that may answer besides the user's own: those that the user names, or the built-in ones.
fn public_nodes(values: &Values) -> Vec<String> {
    match (values.public, values.public_nodes.as_slice()) {
        (false, _) => Vec::new(),
        (true, []) => PUBLIC_NODES.map(str::to_owned).to_vec(),
        (true, named) => named.to_vec(),
    }
}

fn selection(values: &Values) -> Selection {
    let mut selection = Selection::of(values.surface);
    selection.families.clone_from(&values.toolsets);
    selection.include.clone_from(&values.tools);
    selection.exclude.clone_from(&values.exclude_tools);
    selection.output_schemas = values.output_schemas;
    selection.views = values.views == Views::On;
    selection
}

#[cfg(test)]
mod tests;

/// What is logged unless a level is set: a command for a person says itself what went wrong.
const fn default_level(arguments: &Arguments) -> LevelFilter {
    match arguments.command {
        Some(Command::Call(_) | Command::Doctor { .. } | Command::Tools(_) | Command::Watch(_)) => {
            LevelFilter::ERROR
        }
        _ => LevelFilter::INFO,
    }
}

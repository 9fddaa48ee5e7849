//! The settings of a run: a flag overrides the environment, the environment the file, the file the defaults.

mod file;
mod reference;

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::ValueEnum;
use qortal_client::{ApiKey, Config as NodeConfig, ConfigError as NodeConfigError};
use qortal_tools::{OutputSchemas, Selection, Surface};

pub use reference::reference;

use crate::{
    args::{Arguments, LogFormat, LogLevel, OutputSchemasName, SurfaceName},
    env,
};
use file::File;

/// Where a Qortal Core node answers on the machine it runs on.
const DEFAULT_NODE: &str = "http://127.0.0.1:12391";
/// Where `qortal-mcp http` listens.
pub(crate) const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8000);
/// An API key file has 22 characters; a file this long is something else.
const API_KEY_FILE_BYTES: u64 = 1024;

/// The settings of a run.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) demo: bool,
    pub(crate) node: NodeConfig,
    pub(crate) selection: Selection,
    pub(crate) listen: Option<SocketAddr>,
    pub(crate) sessions: bool,
    pub(crate) log_level: LogLevel,
    pub(crate) log_format: LogFormat,
}

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("cannot read the {what} {path:?}")]
    Unreadable {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("invalid configuration file {path:?}\n{message}")]
    File { path: PathBuf, message: String },
    #[error("{place} is {value:?}, expected {expected}")]
    Value {
        place: String,
        value: String,
        expected: String,
    },
    #[error(
        "{path:?} is not an API key file: it has more than {API_KEY_FILE_BYTES} bytes\nhint: the Core writes its key to apikey.txt in its directory"
    )]
    NotAnApiKeyFile { path: PathBuf },
    #[error(transparent)]
    Node(#[from] NodeConfigError),
}

impl Config {
    pub(crate) fn new(
        arguments: &Arguments,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let options = &arguments.options;
        let file = options
            .config
            .as_deref()
            .map(File::read)
            .transpose()?
            .unwrap_or_default();
        let url = options
            .node
            .clone()
            .or_else(|| environment(env::QORTAL_BASE_URL))
            .or(file.node)
            .unwrap_or_else(|| DEFAULT_NODE.to_owned());
        let mut node = NodeConfig::new(url);
        node.user_agent = concat!("qortal-mcp/", env!("CARGO_PKG_VERSION")).to_owned();
        let key_file = options
            .api_key_file
            .clone()
            .or_else(|| environment(env::QORTAL_API_KEY_FILE).map(PathBuf::from))
            .or(file.api_key_file);
        node.api_key = match (key_file, environment(env::QORTAL_API_KEY)) {
            (Some(path), _) => Some(api_key(&path)?),
            (None, Some(key)) => Some(ApiKey::new(&key)?),
            (None, None) => None,
        };
        let seconds = parsed(
            environment,
            env::QORTAL_HTTP_TIMEOUT,
            "a number of seconds above 0",
        )?
        .or(file.http_timeout);
        if let Some(seconds) = seconds {
            let timeout = duration(env::QORTAL_HTTP_TIMEOUT, seconds)?;
            node.timeouts.quick = timeout;
            node.timeouts.slow = node.timeouts.slow.max(timeout);
            node.timeouts.connect = node.timeouts.connect.min(timeout);
        }
        let cool_down = parsed(
            environment,
            env::QORTAL_FALLBACK_COOLDOWN_SECONDS,
            "a number of seconds above 0",
        )?
        .or(file.fallback_cooldown_seconds);
        if let Some(seconds) = cool_down {
            node.cool_down = duration(env::QORTAL_FALLBACK_COOLDOWN_SECONDS, seconds)?;
        }
        let fallback = environment(env::QORTAL_ALLOW_PUBLIC_FALLBACK)
            .map(|value| boolean(env::QORTAL_ALLOW_PUBLIC_FALLBACK, &value))
            .transpose()?
            .or(file.allow_public_fallback)
            .unwrap_or(false);
        let public = environment(env::QORTAL_PUBLIC_NODES)
            .map(|list| split(&list))
            .or(file.public_nodes)
            .unwrap_or_default();
        if fallback {
            if public.is_empty() {
                return Err(ConfigError::Value {
                    place: env::QORTAL_ALLOW_PUBLIC_FALLBACK.to_owned(),
                    value: "true".to_owned(),
                    expected: format!("{} to be set as well", env::QORTAL_PUBLIC_NODES),
                });
            }
            node.public_urls = public;
        }
        let log_level = options
            .log_level
            .map(Ok)
            .or_else(|| named(environment, env::QORTAL_MCP_LOG_LEVEL));
        let log_format = options
            .log_format
            .map(Ok)
            .or_else(|| named(environment, env::QORTAL_MCP_LOG_FORMAT));
        let surface = options
            .surface
            .map(Ok)
            .or_else(|| named(environment, env::QORTAL_MCP_SURFACE))
            .or_else(|| file.surface.map(|name| choice("surface", &name)));
        let output_schemas = options
            .output_schemas
            .map(Ok)
            .or_else(|| named(environment, env::QORTAL_MCP_OUTPUT_SCHEMAS))
            .or_else(|| {
                let name = file.output_schemas;
                name.map(|name| choice("output_schemas", &name))
            });
        let listed = |flag: &Option<Vec<String>>, name: &str| {
            flag.clone()
                .or_else(|| environment(name).map(|list| split(&list)))
        };
        let mut selection = Selection::of(match surface.transpose()? {
            Some(SurfaceName::Core) => Surface::Core,
            Some(SurfaceName::Dynamic) => Surface::Dynamic,
            Some(SurfaceName::Full) => Surface::Full,
            Some(SurfaceName::Standard) | None => Surface::Standard,
        });
        selection.families = listed(&options.toolsets, env::QORTAL_MCP_TOOLSETS)
            .or(file.toolsets)
            .unwrap_or_default();
        selection.include = listed(&options.tools, env::QORTAL_MCP_TOOLS)
            .or(file.tools)
            .unwrap_or_default();
        selection.exclude = listed(&options.exclude_tools, env::QORTAL_MCP_EXCLUDE_TOOLS)
            .or(file.exclude_tools)
            .unwrap_or_default();
        selection.output_schemas = output_schemas.transpose()?.map(|name| match name {
            OutputSchemasName::Off => OutputSchemas::Off,
            OutputSchemasName::Lean => OutputSchemas::Lean,
        });
        Ok(Self {
            demo: options.demo,
            node,
            selection,
            listen: file.listen,
            sessions: environment(env::QORTAL_MCP_SESSIONS)
                .map(|value| boolean(env::QORTAL_MCP_SESSIONS, &value))
                .transpose()?
                .or(file.sessions)
                .unwrap_or(false),
            log_level: log_level.transpose()?.unwrap_or(LogLevel::Info),
            log_format: log_format.transpose()?.unwrap_or(LogFormat::Plain),
        })
    }
}

fn api_key(path: &Path) -> Result<ApiKey, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable {
        what: "API key file",
        path: path.to_owned(),
        source,
    };
    if fs::metadata(path).map_err(unreadable)?.len() > API_KEY_FILE_BYTES {
        return Err(ConfigError::NotAnApiKeyFile {
            path: path.to_owned(),
        });
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    Ok(ApiKey::new(&text)?)
}

fn parsed(
    environment: &dyn Fn(&str) -> Option<String>,
    name: &str,
    expected: &str,
) -> Result<Option<f64>, ConfigError> {
    let Some(value) = environment(name) else {
        return Ok(None);
    };
    match value.trim().parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(invalid(name, &value, expected)),
    }
}

fn duration(name: &str, seconds: f64) -> Result<Duration, ConfigError> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|it| !it.is_zero() && *it <= Duration::from_secs(3600))
        .ok_or_else(|| {
            invalid(
                name,
                &seconds.to_string(),
                "a number of seconds above 0, at most 3600",
            )
        })
}

fn boolean(name: &str, value: &str) -> Result<bool, ConfigError> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err(invalid(name, value, "true or false")),
    }
}

fn named<T: ValueEnum>(
    environment: &dyn Fn(&str) -> Option<String>,
    name: &str,
) -> Option<Result<T, ConfigError>> {
    environment(name).map(|value| choice(name, &value))
}

/// One of the values that the command line accepts, or `warning` or `critical`, as the Python server calls them.
fn choice<T: ValueEnum>(place: &str, value: &str) -> Result<T, ConfigError> {
    let name = match value.trim().to_ascii_lowercase().as_str() {
        "warning" => "warn".to_owned(),
        "critical" => "error".to_owned(),
        other => other.to_owned(),
    };
    T::from_str(&name, true).map_err(|_| {
        let known: Vec<_> = T::value_variants()
            .iter()
            .filter_map(|it| it.to_possible_value().map(|it| it.get_name().to_owned()))
            .collect();
        invalid(place, value, &format!("one of {}", known.join(", ")))
    })
}

fn invalid(place: &str, value: &str, expected: &str) -> ConfigError {
    ConfigError::Value {
        place: place.to_owned(),
        value: value.chars().take(100).collect(),
        expected: expected.to_owned(),
    }
}

fn split(list: &str) -> Vec<String> {
    list.split(',')
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;

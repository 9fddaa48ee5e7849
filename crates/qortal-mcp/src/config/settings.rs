//! Every setting, declared once. Flags, the environment and the file are three sources of the same settings.

use std::{
    ffi::OsStr,
    num::NonZeroU32,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Arg, ArgMatches, Args, FromArgMatches, parser::ValueSource};
use mcp_operate::{
    ListenAddr, ScopeGrants,
    secret::{OperatorFileKind, path_for_error, value_for_error},
};
use qortal_tools::{OutputSchemas, Surface};
use tracing_subscriber::filter::LevelFilter;

use crate::config::{
    choice::{AccessLogName, Auth, Demo, LogFormat, Views},
    error::ConfigError,
    own_nodes::OwnNodes,
    setting::{PublicUrl, Setting},
    variable,
};

/// Far more than all settings take.
const FILE: OperatorFileKind = OperatorFileKind::non_secret("configuration file", 1 << 20);

/// The headings under which settings stand in the help.
pub(crate) const NODE: &str = "Node";
pub(crate) const TOOLS: &str = "Tools";
pub(crate) const SERVER: &str = "Server";
pub(crate) const ACCESS: &str = "Access";
pub(crate) const LIMITS: &str = "Limits";
pub(crate) const OUTPUT: &str = "Output";

/// Flags that exclude others.
const EXCLUSIVE: [(&str, &[&str]); 2] = [
    ("demo", &["node", "nodes", "public"]),
    ("oauth_issuer", &["token_file"]),
];

/// What is known of a setting besides its type.
#[derive(Debug)]
pub(crate) struct Row {
    /// Its key in the file. Its flag is the same word with hyphens, if there is one.
    pub(crate) key: &'static str,
    pub(crate) variable: &'static str,
    /// The Python server's name of the variable.
    pub(crate) alias: Option<&'static str>,
    doc: &'static str,
    pub(crate) heading: &'static str,
    /// Whether `http` alone has the flag.
    of_http: bool,
    /// What the help calls the value of the flag; `None` if there is no flag.
    value: Option<&'static str>,
    /// Its default as text; `None` if the program decides, or nothing is set.
    default: Option<&'static str>,
    /// Adds what the flag accepts.
    accepting: fn(Arg) -> Arg,
}

impl Row {
    /// The meaning, in Markdown.
    pub(crate) fn meaning(&self) -> String {
        let default = self.default.unwrap_or_default();
        self.doc.trim().replace("{default}", default)
    }

    /// The flag, with its hyphens.
    pub(crate) fn flag(&self) -> Option<String> {
        self.value
            .map(|_| format!("--{}", self.key.replace('_', "-")))
    }

    /// The flag for the command line.
    pub(crate) fn arg(&self) -> Option<Arg> {
        let others = EXCLUSIVE.iter().find(|(key, _)| *key == self.key);
        let help = self.meaning().replace('`', "");
        let arg = Arg::new(self.key)
            .long(self.key.replace('_', "-"))
            .value_name(self.value?)
            .help(help.trim_end_matches('.').to_owned())
            .help_heading(self.heading)
            .global(!self.of_http)
            .conflicts_with_all(others.map_or(&[][..], |(_, others)| *others));
        Some((self.accepting)(arg))
    }

    /// What the flag was given on the command line, parts of a list with commas between them.
    fn given(&self, matches: &ArgMatches) -> Option<String> {
        self.value
            .filter(|_| matches.value_source(self.key) == Some(ValueSource::CommandLine))?;
        let values = matches.get_raw(self.key).into_iter().flatten();
        let values: Vec<_> = values.map(OsStr::to_string_lossy).collect();
        Some(values.join(","))
    }

    /// The flag as it was written.
    pub(crate) fn words(&self, given: &str) -> Vec<String> {
        let flag = self.flag().unwrap_or_default();
        match (self.key, self.value) {
            (_, Some("")) => vec![flag],
            ("demo", _) if given == "invented" => vec![flag],
            // Its value is optional, and therefore follows an equals sign.
            ("demo", _) => vec![format!("{flag}={given}")],
            _ => vec![flag, given.to_owned()],
        }
    }
}

/// The flags of settings that are given: those of all commands, or those of `http`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags<const OF_HTTP: bool>(pub(crate) Vec<FlagValue>);

/// A setting, and the text of its flag.
pub(crate) type FlagValue = (&'static Row, String);

impl<const OF_HTTP: bool> Args for Flags<OF_HTTP> {
    fn augment_args(command: clap::Command) -> clap::Command {
        let rows = ROWS.iter().filter(|it| it.of_http == OF_HTTP);
        command.args(rows.filter_map(Row::arg))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl<const OF_HTTP: bool> FromArgMatches for Flags<OF_HTTP> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let rows = ROWS.iter().filter(|it| it.of_http == OF_HTTP);
        let given = rows.filter_map(|row| Some((row, row.given(matches)?)));
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

macro_rules! settings {
    ($(
        [$of:ident $heading:ident]
        $( $(#[doc = $doc:literal])+ $key:ident: $T:ty = $VARIABLE:ident $(| $ALIAS:ident)? $(, $value:literal)? $(=> $default:literal)?; )+
    )+) => {
        /// The settings of one source, and after [`or`](Self::or) of several.
        #[derive(Debug, Default, Clone, PartialEq)]
        pub(crate) struct Settings {
            $($( $(#[doc = $doc])+ pub(super) $key: Option<$T>, )+)+
        }

        /// The settings of all sources, with the defaults.
        #[derive(Debug, Clone)]
        pub(crate) struct Values {
            $($( $(#[doc = $doc])+ pub(crate) $key: settings!(@type $T $(, $default)?), )+)+
        }

        impl From<Settings> for Values {
            fn from(set: Settings) -> Self {
                Self { $($( $key: settings!(@or set.$key, $T $(, $default)?), )+)+ }
            }
        }

        /// All of them.
        pub(crate) const ROWS: &[Row] = &[
            $($( Row {
                key: stringify!($key),
                variable: stringify!($VARIABLE),
                alias: settings!(@alias $($ALIAS)?),
                doc: concat!($($doc),+),
                heading: $heading,
                of_http: matches!(stringify!($of).as_bytes(), b"http"),
                value: settings!(@value $($value)?),
                default: settings!(@value $($default)?),
                accepting: <$T as Setting>::flag,
            }, )+)+
        ];

        impl Settings {
            /// The settings of this source, and those of a second one that are missing here.
            pub(crate) fn or(self, second: Self) -> Self {
                Self { $($( $key: self.$key.or(second.$key), )+)+ }
            }

            /// The keys of the settings that differ.
            pub(crate) fn changed(&self, other: &Self) -> Vec<&'static str> {
                let same = [$($( (stringify!($key), self.$key == other.$key), )+)+];
                same.into_iter().filter(|(_, is_same)| !is_same).map(|(key, _)| key).collect()
            }

            /// Reads the value of each setting from `source`, which returns it with the name that it has there.
            fn read(source: &mut Source<'_>) -> Result<Self, ConfigError> {
                Ok(Self { $($( $key: {
                    let names = Names {
                        key: stringify!($key),
                        variable: stringify!($VARIABLE),
                        alias: settings!(@alias $($ALIAS)?),
                    };
                    read(source(names)?)?
                }, )+)+ })
            }
        }
    };
    (@type $T:ty) => { Option<$T> };
    (@type $T:ty, $default:literal) => { $T };
    (@or $set:expr, $T:ty) => { $set };
    (@or $set:expr, $T:ty, $default:literal) => {
        $set.unwrap_or_else(|| <$T>::from_text($default).expect("a test reads every default"))
    };
    (@alias) => { None };
    (@alias $ALIAS:ident) => { Some(stringify!($ALIAS)) };
    (@value) => { None };
    (@value $value:literal) => { Some($value) };
}

settings! {
    [all NODE]
    /// Use an embedded simulated node instead of a Qortal node, with the chain `invented` (also `true`), `frozen` or `recorded`. Default:
    /// `{default}`.
    demo: Demo = QORTAL_MCP_DEMO, "CHAIN" => "off";
    /// URL of the node. Default: `{default}`.
    node: String = QORTAL_MCP_NODE | QORTAL_BASE_URL, "URL" => "http://127.0.0.1:12391";
    /// Your other nodes in order of preference, as `URL`, or `URL=PATH` with the path of the node's API key file. In the configuration file
    /// they are tables with `url` and `api_key_file`. Each serves chain queries when the nodes before it are unreachable, behind or slow,
    /// and receives only its own key. Default: none.
    nodes: OwnNodes = QORTAL_MCP_NODES, "URLS";
    /// Let public nodes, which volunteers run, serve chain queries while your nodes cannot. They never receive the API key. Default:
    /// `{default}`.
    public: bool = QORTAL_MCP_PUBLIC | QORTAL_ALLOW_PUBLIC_FALLBACK, "" => "false";
    /// Path of the file with the node's API key, such as the Core's `apikey.txt`. Default: none.
    api_key_file: PathBuf = QORTAL_MCP_API_KEY_FILE | QORTAL_API_KEY_FILE, "PATH";
    /// Timeout of one request to the node, in seconds. Default: 10, or 50 for queries that the node has to compute.
    http_timeout: Duration = QORTAL_MCP_HTTP_TIMEOUT | QORTAL_HTTP_TIMEOUT;
    /// URLs of public nodes to use instead of the built-in ones. Default: none.
    public_nodes: Vec<String> = QORTAL_MCP_PUBLIC_NODES | QORTAL_PUBLIC_NODES => "";
    /// Time before a failed public node is queried again, in seconds. Your own nodes are probed every second. Default: 60.
    fallback_cooldown_seconds: Duration = QORTAL_MCP_FALLBACK_COOLDOWN_SECONDS | QORTAL_FALLBACK_COOLDOWN_SECONDS;

    [all TOOLS]
    /// Preset list of tools to advertise. Unlisted tools can still be called by name. Default: `{default}`.
    surface: Surface = QORTAL_MCP_SURFACE, "NAME" => "standard";
    /// List only the tools of these toolsets. Default: all tools of the surface.
    toolsets: Vec<String> = QORTAL_MCP_TOOLSETS, "NAMES" => "";
    /// List these tools in addition to those of the surface. Default: none.
    tools: Vec<String> = QORTAL_MCP_TOOLS, "NAMES" => "";
    /// Never list these tools. Default: none.
    exclude_tools: Vec<String> = QORTAL_MCP_EXCLUDE_TOOLS, "NAMES" => "";
    /// Whether listed tools include an output schema. Default: `off` for `core`, otherwise `lean`.
    output_schemas: OutputSchemas = QORTAL_MCP_OUTPUT_SCHEMAS, "NAME";
    /// Whether tools are linked to views, the pages that hosts can show next to results. Default: `{default}`.
    views: Views = QORTAL_MCP_VIEWS, "NAME" => "on";

    [http SERVER]
    /// Address to listen on: `ADDR:PORT`, where port 0 picks a free port, or `unix:PATH`, a Unix socket that only this user can connect
    /// to. Default: `{default}`.
    listen: ListenAddr = QORTAL_MCP_LISTEN, "ADDR:PORT" => "127.0.0.1:8000";
    /// URL by which clients reach the server, such as `https://mcp.example.org` behind a TLS proxy. Default: the address in the request.
    public_url: PublicUrl = QORTAL_MCP_PUBLIC_URL, "URL";
    /// Address, or `unix:PATH`, that serves `/health`, `/ready` and `/metrics` to monitors only. Default: none, and no metrics.
    management_listen: ListenAddr = QORTAL_MCP_MANAGEMENT_LISTEN, "ADDR:PORT";
    /// Return 503 from `/ready` while the node is unreachable or synchronizing, which takes all replicas of one node out of rotation at
    /// once. Default: `{default}`.
    ready_needs_node: bool = QORTAL_MCP_READY_NEEDS_NODE, "" => "false";
    /// Give sessions to clients of protocol versions up to 2025-11-25, in which they can subscribe to resources. A load balancer must then
    /// send all requests with the same `Mcp-Session-Id` header to one process. Clients of 2026-07-28 subscribe without a session. This
    /// setting also turns calls over 5 seconds into tasks for clients that support them, and requests about a task carry the header
    /// `Mcp-Name`. Default: `{default}`.
    sessions: bool = QORTAL_MCP_SESSIONS, "" => "false";
    /// Time to keep serving after a stop signal, in seconds, while `/ready` returns 503 and load balancers stop sending requests. Default:
    /// 0.
    drain_delay: Duration = QORTAL_MCP_DRAIN_DELAY, "SECONDS";

    [all SERVER]
    /// Time that requests in progress may take after a stop signal, in seconds. A second signal ends them at once. Default: {default},
    /// longer than a call may take.
    drain_timeout: Duration = QORTAL_MCP_DRAIN_TIMEOUT, "SECONDS" => "60";
    /// Whether each answered request is logged in one line at every log level: request ID, tool, outcome, time and client, without
    /// arguments. Default: `on` at the levels `debug` and `trace`.
    access_log: AccessLogName = QORTAL_MCP_ACCESS_LOG, "NAME";

    [http ACCESS]
    /// Path of the file with the access tokens of clients. Each line is `NAME TOKEN` or `NAME sha256:HEX`, then optionally `surface=NAME`,
    /// `rate=CALLS_PER_SECOND` and `expires=TIME`. A change takes effect without a restart. Default: none, and every client that reaches
    /// the address can call tools.
    token_file: PathBuf = QORTAL_MCP_TOKEN_FILE, "PATH";
    /// Whether clients on other machines need an access token. `none` admits every client that reaches the address. Default: `{default}`.
    auth: Auth = QORTAL_MCP_AUTH, "NAME" => "required";
    /// OAuth 2.1 authorization server whose access tokens (JWT) admit clients, as written in its tokens: `https://auth.example.org`, or
    /// `http://` on this machine. Default: none.
    oauth_issuer: String = QORTAL_MCP_OAUTH_ISSUER, "URL";
    /// Accepted audiences of tokens, in addition to the URL of `/mcp`. Default: none.
    oauth_audiences: Vec<String> = QORTAL_MCP_OAUTH_AUDIENCES, "NAMES" => "";
    /// Accepted scopes, of which a token needs at least one. `qortal:read` grants everything, `qortal:trade=trade+get_balance` the named
    /// toolsets and tools. The first scope is advertised to clients. Default: none, and every token of the issuer for this server grants
    /// everything.
    oauth_scopes: ScopeGrants = QORTAL_MCP_OAUTH_SCOPES, "SCOPES" => "";
    /// Path of the PEM file with the certificate chain to serve HTTPS with. A change takes effect without a restart. Default: none, and
    /// plain HTTP.
    tls_cert: PathBuf = QORTAL_MCP_TLS_CERT, "PATH";
    /// Path of the PEM file with the private key of the certificate. Default: none.
    tls_key: PathBuf = QORTAL_MCP_TLS_KEY, "PATH";
    /// Networks of proxies whose `Forwarded` and `X-Forwarded-For` headers name the client, such as `10.0.0.0/8`, or `unix` for every peer
    /// of a Unix socket. Default: none.
    trusted_proxies: Vec<String> = QORTAL_MCP_TRUSTED_PROXIES, "NETWORKS" => "";
    /// Accepted `Host` headers, in addition to loopback and the host of `public_url`. Default: none.
    allowed_hosts: Vec<String> = QORTAL_MCP_ALLOWED_HOSTS, "HOSTS" => "";
    /// Accepted origins of web pages, such as `https://example.org`, in addition to loopback and the origin of `public_url`. Default:
    /// none.
    allowed_origins: Vec<String> = QORTAL_MCP_ALLOWED_ORIGINS, "ORIGINS" => "";

    [http LIMITS]
    /// Maximum number of open connections. Beyond it, a new connection replaces an idle one from the address that holds the most. At most a
    /// quarter of them may be notification streams, half of those for one client. Beyond that, a new stream closes the oldest. Default:
    /// 1024, or as many as the limit of file descriptors allows.
    max_connections: NonZeroU32 = QORTAL_MCP_MAX_CONNECTIONS, "N";
    /// Maximum number of tool calls per second over all clients. Further calls are rejected. Default: no limit.
    rate_limit: NonZeroU32 = QORTAL_MCP_RATE_LIMIT, "N";
    /// Maximum number of tool calls per second of one client. Further calls are rejected. 0 means no limit. Default: {default}.
    client_rate_limit: u32 = QORTAL_MCP_CLIENT_RATE_LIMIT, "N" => "1000";

    [all LIMITS]
    /// Maximum size of messages, arguments and results together, in MiB. Larger ones are rejected. Default: {default}.
    memory: NonZeroU32 = QORTAL_MCP_MEMORY, "MIB" => "256";
    /// Part of `memory` for cached node responses, in MiB. Clients share each response for one to two seconds, or longer if it cannot
    /// change. 0 disables the cache. Default: an eighth of `memory`.
    cache: u32 = QORTAL_MCP_CACHE, "MIB";

    /// Maximum number of concurrent requests to each of your nodes, in addition to a heartbeat. Choose fewer for replicas without a proxy
    /// that limits them together: the Core should get at most 8 from all of them. Default: 8.
    node_requests: NonZeroU32 = QORTAL_MCP_NODE_REQUESTS, "N";

    [all OUTPUT]
    /// Minimum severity of messages logged to standard error. Default: `info`, or `error` for `call`, `doctor`, `tools` and `watch`.
    log_level: LevelFilter = QORTAL_MCP_LOG_LEVEL, "LEVEL";
    /// Format of log messages. Default: `{default}`.
    log_format: LogFormat = QORTAL_MCP_LOG_FORMAT, "FORMAT" => "plain";
}

impl Values {
    /// The URL by which clients reach the server, without a slash at its end.
    pub(crate) fn public_url(&self) -> Option<&str> {
        self.public_url.as_ref().map(|PublicUrl(url)| url.as_str())
    }

    /// The Host headers that are accepted: the name in the public URL is one that clients use.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let public = self.public_url().and_then(|url| {
            let (_, rest) = url.split_once("://")?;
            rest.split('/').next()
        });
        let allowed = self.allowed_hosts.iter().map(String::as_str);
        allowed.chain(public).map(str::to_owned).collect()
    }

    /// Returns the accepted origins of web pages: those that are set, and that of the public URL, whose pages the server itself sends.
    pub(crate) fn origins(&self) -> Vec<String> {
        let public = self.public_url().and_then(|url| {
            let (scheme, rest) = url.split_once("://")?;
            Some(format!("{scheme}://{}", rest.split('/').next()?))
        });
        let allowed = self.allowed_origins.iter().cloned();
        allowed.chain(public).collect()
    }
}

/// A source of settings: returns the value of a setting and its name there.
type Source<'a> = dyn FnMut(Names) -> Result<Found, ConfigError> + 'a;

/// A value with its name in the source, if it is set.
type Found = Option<(&'static str, Value)>;

/// The names of a setting.
struct Names {
    key: &'static str,
    variable: &'static str,
    alias: Option<&'static str>,
}

/// Text of a flag or a variable, or a value of the file.
enum Value {
    Text(String),
    Toml(toml::Value),
}

fn read<T: Setting>(found: Found) -> Result<Option<T>, ConfigError> {
    let Some((place, value)) = found else {
        return Ok(None);
    };
    let (read, text) = match value {
        Value::Text(text) => (T::from_text(&text), text),
        Value::Toml(value) => (T::from_toml(&value), text_of(&value)),
    };
    let wrong = || {
        format!(
            "{place} is {}, expected {}",
            value_for_error(&text),
            T::EXPECTED
        )
    };
    read.ok_or_else(|| ConfigError::Wrong(wrong())).map(Some)
}

impl Settings {
    /// Reads flags.
    pub(super) fn of_flags(given: &[FlagValue]) -> Result<Self, ConfigError> {
        Self::read(&mut |Names { key, .. }| {
            let found = given.iter().find(|(row, _)| row.key == key);
            Ok(found.map(|(_, text)| (key, Value::Text(text.clone()))))
        })
    }

    /// Reads the environment.
    pub(super) fn of_environment(
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        Self::read(&mut |names| {
            let found = variable::read(environment, names.variable, names.alias)?;
            Ok(found.map(|(name, text)| (name, Value::Text(text))))
        })
    }

    /// Reads a file in TOML. An unknown key is an error, so that a misspelled one is not ignored.
    pub(super) fn of_file(path: &Path, warnings: &mut Vec<String>) -> Result<Self, ConfigError> {
        let file = FILE.read(path)?;
        warnings.extend(file.warning);
        let text = file.text;
        let failed = |problem: String| {
            let path = path_for_error(path);
            ConfigError::Wrong(format!("invalid configuration file {path}: {problem}"))
        };
        let table = text.parse::<toml::Table>();
        let mut table = table.map_err(|err| failed(syntax_error(&text, &err)))?;
        let settings = Self::read(&mut |Names { key, .. }| {
            Ok(table.remove(key).map(|value| (key, Value::Toml(value))))
        });
        let settings = settings.map_err(|err| failed(err.to_string()))?;
        match table.keys().next() {
            None => Ok(settings),
            Some(unknown) => Err(failed(unknown_key(unknown))),
        }
    }
}

/// A wrong value of the file, or its kind.
fn text_of(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(is_set) => is_set.to_string(),
        other => other.type_str().to_owned(),
    }
}

/// Where the error is and what was expected there, without the text of the file: it may be a secret.
fn syntax_error(text: &str, err: &toml::de::Error) -> String {
    let before = err.span().and_then(|span| text.get(..span.start));
    let line = before.map(|it| it.matches('\n').count() + 1);
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    format!("{place}invalid TOML, strings need quotes: key = \"value\"")
}

fn unknown_key(key: &str) -> String {
    if key == "api_key" {
        return "there is no key api_key, use api_key_file with the path of the file with the API key".to_owned();
    }
    let keys = ROWS.iter().map(|it| it.key);
    let next = match tool_schema::nearest(&key.replace('-', "_"), keys.clone()) {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => format!("the keys are {}", keys.collect::<Vec<_>>().join(", ")),
    };
    format!("unknown key {}, {next}", value_for_error(key))
}

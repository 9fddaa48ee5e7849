//! Every setting, declared once. Flags, the environment and the file are three sources of the same settings.

use std::{
    fs,
    num::NonZeroU32,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    args::{
        AccessLogName, Arguments, Command, Demo, LogFormat, LogLevel, OutputSchemasName,
        SurfaceName, Toggle,
    },
    config::{
        ConfigError,
        own_nodes::OwnNodes,
        setting::{PublicUrl, Setting, shown},
    },
    permit::ScopeRules,
    run::http::Listen,
};

/// A setting, for the manual.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// Its key in the file. Its flag is the same word with hyphens, if there is one.
    pub(crate) key: &'static str,
    pub(crate) variable: &'static str,
    pub(crate) doc: &'static str,
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $key:ident: $T:ty = $VARIABLE:ident;)+) => {
        /// The settings of one source, and after [`or`](Self::or) of several.
        #[derive(Debug, Default, Clone, PartialEq)]
        pub(crate) struct Settings {
            $( $(#[doc = $doc])+ pub(super) $key: Option<$T>, )+
        }

        /// All of them, for the manual.
        pub(crate) const ROWS: &[Row] = &[
            $( Row {
                key: stringify!($key),
                variable: stringify!($VARIABLE),
                doc: concat!($($doc),+),
            } ),+
        ];

        impl Settings {
            /// The settings of this source, and those of a second one that are missing here.
            pub(super) fn or(self, second: Self) -> Self {
                Self { $( $key: self.$key.or(second.$key) ),+ }
            }

            /// The keys of the settings that differ.
            pub(crate) fn changed(&self, other: &Self) -> Vec<&'static str> {
                let same = [$( (stringify!($key), self.$key == other.$key) ),+];
                same.into_iter().filter(|(_, is_same)| !is_same).map(|(key, _)| key).collect()
            }

            /// Reads the environment.
            pub(super) fn of_environment(
                environment: &dyn Fn(&str) -> Option<String>,
            ) -> Result<Self, ConfigError> {
                Ok(Self { $( $key: {
                    let value = environment(stringify!($VARIABLE));
                    let read = |text: String| {
                        <$T>::from_text(&text).ok_or_else(|| {
                            ConfigError::value(stringify!($VARIABLE), &text, <$T>::expected())
                        })
                    };
                    value.map(read).transpose()?
                } ),+ })
            }

            /// Reads the keys of a file, and leaves the unknown ones.
            fn of_table(table: &mut toml::Table) -> Result<Self, ConfigError> {
                Ok(Self { $( $key: {
                    let value = table.remove(stringify!($key));
                    let read = |value: toml::Value| {
                        <$T>::from_toml(&value).ok_or_else(|| {
                            ConfigError::value(stringify!($key), &text_of(&value), <$T>::expected())
                        })
                    };
                    value.map(read).transpose()?
                } ),+ })
            }
        }
    };
}

settings! {
    /// `true` uses an embedded simulated node instead of a Qortal node, with the chain `invented`; `recorded` is another one.
    demo: Demo = QORTAL_MCP_DEMO;
    /// URL of the node. Default: `http://127.0.0.1:12391`.
    node: String = QORTAL_BASE_URL;
    /// Path of a file with the node's API key, such as the Core's `apikey.txt`.
    api_key_file: PathBuf = QORTAL_API_KEY_FILE;
    /// Several nodes of yours, after `node` in the order of preference: tables with `url` and `api_key_file`; in a variable `URL` or `URL=PATH`
    /// of the key file. They are asked about the chain when the one before does not answer, is behind or is late; each key goes to its node alone.
    nodes: OwnNodes = QORTAL_NODES;
    /// Timeout of one request to the node, in seconds. Default: 10, or 50 for what the node has to compute.
    http_timeout: Duration = QORTAL_HTTP_TIMEOUT;
    /// `true` lets public nodes answer questions about the chain while the node does not. Volunteers run them. They are asked sparingly,
    /// never receive the API key, and are compared by `compare_nodes`.
    public: bool = QORTAL_PUBLIC;
    /// `true` does the same with the nodes of `public_nodes`.
    allow_public_fallback: bool = QORTAL_ALLOW_PUBLIC_FALLBACK;
    /// URLs of public nodes, instead of the built-in ones.
    public_nodes: Vec<String> = QORTAL_PUBLIC_NODES;
    /// Seconds to wait before a node that did not answer is asked again.
    fallback_cooldown_seconds: Duration = QORTAL_FALLBACK_COOLDOWN_SECONDS;
    /// Which tools to list: `core`, `standard`, `full`, `python` or `dynamic`. Unlisted tools can still be called by name.
    surface: SurfaceName = QORTAL_MCP_SURFACE;
    /// List only these families of tools.
    toolsets: Vec<String> = QORTAL_MCP_TOOLSETS;
    /// List these tools too, whatever the surface.
    tools: Vec<String> = QORTAL_MCP_TOOLS;
    /// Never list these tools.
    exclude_tools: Vec<String> = QORTAL_MCP_EXCLUDE_TOOLS;
    /// Whether listed tools include an output schema: `off` or `lean`.
    output_schemas: OutputSchemasName = QORTAL_MCP_OUTPUT_SCHEMAS;
    /// Whether hosts may show views, which are pages, beside answers: `on` or `off`. Default: `on`.
    views: Toggle = QORTAL_MCP_VIEWS;
    /// Seconds that requests in progress may take once the server is stopped. Default: 60, longer than a call may take.
    drain_timeout: Duration = QORTAL_MCP_DRAIN_TIMEOUT;
    /// Seconds that `qortal-mcp http` still serves everything once it is stopped, while `/ready` answers 503. Default: none.
    drain_delay: Duration = QORTAL_MCP_DRAIN_DELAY;
    /// MiB that messages, arguments and answers may take together; what does not fit is rejected. Default: 256.
    memory: NonZeroU32 = QORTAL_MCP_MEMORY;
    /// MiB of `memory` that answers of the node are kept in: for one to two seconds, so that what many clients ask for costs the node one
    /// request, and longer if they cannot change. 0 keeps none. Default: an eighth of `memory`.
    cache: u32 = QORTAL_MCP_CACHE;
    /// `on` logs a line for each answered request, `off` none. Default: `on` at the levels `debug` and `trace`.
    access_log: AccessLogName = QORTAL_MCP_ACCESS_LOG;
    /// `error`, `warn`, `info`, `debug` or `trace`. Default: `info`.
    log_level: LogLevel = QORTAL_MCP_LOG_LEVEL;
    /// `plain` or `json`. Default: `plain`.
    log_format: LogFormat = QORTAL_MCP_LOG_FORMAT;
    /// Address `qortal-mcp http` listens on, or `unix:` and the path of a Unix socket. Default: `127.0.0.1:8000`.
    listen: Listen = QORTAL_MCP_LISTEN;
    /// Open connections; a further one replaces an idle one of the address with most of them. Default: 1024, or as many as the limit of file descriptors allows.
    max_connections: NonZeroU32 = QORTAL_MCP_MAX_CONNECTIONS;
    /// Open streams for notifications, of which one client gets half; a further one replaces the oldest. Default: 256. At most half of the connections.
    max_streams: NonZeroU32 = QORTAL_MCP_MAX_STREAMS;
    /// Path of a file with the access tokens of clients. Without it, anyone who reaches the address may call.
    token_file: PathBuf = QORTAL_MCP_TOKEN_FILE;
    /// OAuth 2.1 authorization server whose access tokens (JWT) admit clients, as its tokens name it: `https://auth.example.org`.
    oauth_issuer: String = QORTAL_MCP_OAUTH_ISSUER;
    /// What tokens are issued for, besides the URL of `/mcp`.
    oauth_audience: Vec<String> = QORTAL_MCP_OAUTH_AUDIENCE;
    /// Scopes, of which a token needs one: `qortal:read` allows everything, `qortal:trade=trade+get_balance` toolsets and tools.
    /// Clients are told to ask for the first. Default: every token of the issuer for this server may call everything.
    oauth_scopes: ScopeRules = QORTAL_MCP_OAUTH_SCOPES;
    /// `true` allows `http://` for an authorization server on this machine.
    oauth_http_issuer: bool = QORTAL_MCP_OAUTH_HTTP_ISSUER;
    /// Path of a file with the certificate to serve HTTPS with, and those that lead to a root, in PEM.
    tls_cert: PathBuf = QORTAL_MCP_TLS_CERT;
    /// Path of a file with the key of the certificate, in PEM.
    tls_key: PathBuf = QORTAL_MCP_TLS_KEY;
    /// Networks of proxies whose `Forwarded` and `X-Forwarded-For` headers are believed, such as `10.0.0.0/8`; `unix` is every
    /// peer of a Unix socket.
    trusted_proxy: Vec<String> = QORTAL_MCP_TRUSTED_PROXY;
    /// `true` lets `qortal-mcp http` listen beyond the loopback interface without access tokens.
    no_auth: bool = QORTAL_MCP_NO_AUTH;
    /// Also accept these Host headers; loopback is always accepted.
    allow_host: Vec<String> = QORTAL_MCP_ALLOW_HOST;
    /// Also accept requests from web pages of these origins.
    allow_origin: Vec<String> = QORTAL_MCP_ALLOW_ORIGIN;
    /// URL by which clients reach the server, such as `https://mcp.example.org` behind a proxy with TLS; the page at `/` shows it. Default: the address in the request.
    public_url: PublicUrl = QORTAL_MCP_PUBLIC_URL;
    /// Address, or `unix:` and the path of a Unix socket, that also serves `/health`, `/ready` and `/metrics`, for monitors alone. Default: none, and no metrics.
    management_listen: Listen = QORTAL_MCP_MANAGEMENT_LISTEN;
    /// `true` answers `/ready` with 503 while the node does not answer or synchronizes.
    ready_needs_node: bool = QORTAL_MCP_READY_NEEDS_NODE;
    /// `true` shows people with a browser nothing: no page at `/`, and no `/favicon.ico`, `/robots.txt` and `/llms.txt`.
    no_landing_page: bool = QORTAL_MCP_NO_LANDING_PAGE;
    /// Tool calls per second over all clients.
    rate_limit: NonZeroU32 = QORTAL_MCP_RATE_LIMIT;
    /// Tool calls per second of one client; 0 is no limit.
    client_rate_limit: u32 = QORTAL_MCP_CLIENT_RATE_LIMIT;
    /// `true` enables sessions over HTTP.
    sessions: bool = QORTAL_MCP_SESSIONS;
}

impl Settings {
    /// The settings on the command line.
    pub(super) fn of_flags(arguments: &Arguments) -> Self {
        let options = arguments.options.clone();
        let mut settings = Self {
            demo: options.demo,
            node: options.node,
            nodes: options.nodes,
            public: flag(options.public),
            api_key_file: options.api_key_file,
            surface: options.surface,
            toolsets: options.toolsets,
            tools: options.tools,
            exclude_tools: options.exclude_tools,
            output_schemas: options.output_schemas,
            views: options.views,
            drain_timeout: options.drain_timeout,
            memory: options.memory,
            cache: options.cache,
            access_log: options.access_log,
            log_level: options.log_level,
            log_format: options.log_format,
            ..Self::default()
        };
        if let Some(Command::Http(http)) = &arguments.command {
            settings.listen.clone_from(&http.listen);
            settings.max_connections = http.max_connections;
            settings.max_streams = http.max_streams;
            settings.token_file.clone_from(&http.token_file);
            settings.no_auth = flag(http.no_auth);
            settings.allow_host.clone_from(&http.allow_host);
            settings.allow_origin.clone_from(&http.allow_origin);
            settings.public_url.clone_from(&http.public_url);
            settings
                .management_listen
                .clone_from(&http.management_listen);
            settings.drain_delay = http.drain_delay;
            settings.ready_needs_node = flag(http.ready_needs_node);
            settings.no_landing_page = flag(http.no_landing_page);
            settings.rate_limit = http.rate_limit;
            settings.client_rate_limit = http.client_rate_limit;
            settings.sessions = flag(http.sessions);
            http.access.set(&mut settings);
        }
        settings
    }

    /// Reads a file in TOML. An unknown key is an error, so that a misspelled one is not ignored.
    pub(super) fn of_file(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path)
            .map_err(|source| ConfigError::unreadable("configuration file", path, source))?;
        let failed = |problem: String| ConfigError::File {
            path: path.to_owned(),
            problem,
        };
        let mut table: toml::Table = text
            .parse()
            .map_err(|err| failed(syntax_error(&text, &err)))?;
        let settings = Self::of_table(&mut table).map_err(|err| failed(err.to_string()))?;
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

fn flag(is_set: bool) -> Option<bool> {
    is_set.then_some(true)
}

/// Where the error is and what was expected there, without the text of the file: it may be a secret.
fn syntax_error(text: &str, err: &toml::de::Error) -> String {
    let before = err.span().and_then(|span| text.get(..span.start));
    let line = before.map(|it| it.matches('\n').count() + 1);
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    format!("{place}not valid TOML, text needs quotes: key = \"value\"")
}

fn unknown_key(key: &str) -> String {
    if key == "api_key" {
        return "there is no key api_key; api_key_file names a file with the API key".to_owned();
    }
    let keys = ROWS.iter().map(|it| it.key);
    let next = match tool_schema::nearest(&key.replace('-', "_"), keys.clone()) {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => format!("the keys are {}", keys.collect::<Vec<_>>().join(", ")),
    };
    format!("unknown key {}; {next}", shown(key))
}

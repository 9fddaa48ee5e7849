//! Every environment variable the program reads, declared once.

/// An environment variable and its meaning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Variable {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
}

macro_rules! variables {
    ($($(#[doc = $doc:literal])+ $NAME:ident;)+) => {
        $( $(#[doc = $doc])+ pub(crate) const $NAME: &str = stringify!($NAME); )+

        /// All of them, for the manual.
        pub(crate) const ALL: &[Variable] = &[
            $( Variable { name: stringify!($NAME), doc: concat!($($doc),+) } ),+
        ];
    };
}

variables! {
    /// URL of the node. Default: `http://127.0.0.1:12391`.
    QORTAL_BASE_URL;
    /// The node's API key. A file is safer: other processes can read a process's environment.
    QORTAL_API_KEY;
    /// Path of a file with the node's API key, such as the Core's `apikey.txt`.
    QORTAL_API_KEY_FILE;
    /// Timeout of one request to the node, in seconds.
    QORTAL_HTTP_TIMEOUT;
    /// `true` allows requests to public nodes when the node does not answer, and in `compare_nodes`. They never receive the API key.
    QORTAL_ALLOW_PUBLIC_FALLBACK;
    /// Comma-separated URLs of public nodes.
    QORTAL_PUBLIC_NODES;
    /// Seconds to wait before a node that did not answer is asked again.
    QORTAL_FALLBACK_COOLDOWN_SECONDS;
    /// How many tools to list, as `--surface`.
    QORTAL_MCP_SURFACE;
    /// List only these families of tools, comma-separated, as `--toolsets`.
    QORTAL_MCP_TOOLSETS;
    /// List these tools too, comma-separated, as `--tools`.
    QORTAL_MCP_TOOLS;
    /// Never list these tools, comma-separated, as `--exclude-tools`.
    QORTAL_MCP_EXCLUDE_TOOLS;
    /// `off` or `lean`, as `--output-schemas`.
    QORTAL_MCP_OUTPUT_SCHEMAS;
    /// `true` enables sessions over HTTP, as `--sessions`.
    QORTAL_MCP_SESSIONS;
    /// `error`, `warn`, `info`, `debug` or `trace`. Default: `info`.
    QORTAL_MCP_LOG_LEVEL;
    /// `plain` or `json`. Default: `plain`.
    QORTAL_MCP_LOG_FORMAT;
}

/// Reads a variable; one that is empty or not Unicode counts as not set.
pub(crate) fn read(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    let value = std::env::var(name).ok()?;
    Some(value).filter(|it| !it.trim().is_empty())
}

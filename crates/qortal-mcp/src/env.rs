//! Every environment variable the program reads, declared once.

/// An environment variable: its name, and what it means.
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
    /// URL of the node; `http://127.0.0.1:12391` if nothing says otherwise.
    QORTAL_BASE_URL;
    /// The node's API key. A file is safer: the environment of a process can be seen by others.
    QORTAL_API_KEY;
    /// Path of a file that holds the node's API key, such as the Core's `apikey.txt`.
    QORTAL_API_KEY_FILE;
    /// Seconds that one question to the node may take.
    QORTAL_HTTP_TIMEOUT;
    /// `true` allows to ask public nodes when the node does not answer. They never get the API key. It also lets `compare_nodes` ask them.
    QORTAL_ALLOW_PUBLIC_FALLBACK;
    /// Comma-separated URLs of public nodes.
    QORTAL_PUBLIC_NODES;
    /// Seconds for which a node that did not answer is not asked again.
    QORTAL_FALLBACK_COOLDOWN_SECONDS;
    /// How many tools to list, as `--surface`.
    QORTAL_MCP_SURFACE;
    /// List only these families of tools, comma-separated, as `--toolsets`.
    QORTAL_MCP_TOOLSETS;
    /// List these tools as well, comma-separated, as `--tools`.
    QORTAL_MCP_TOOLS;
    /// Never list these tools, comma-separated, as `--exclude-tools`.
    QORTAL_MCP_EXCLUDE_TOOLS;
    /// `true` gives clients over HTTP sessions, as `--sessions`.
    QORTAL_MCP_SESSIONS;
    /// `error`, `warn`, `info`, `debug` or `trace`; `info` if nothing says otherwise.
    QORTAL_MCP_LOG_LEVEL;
    /// `plain` or `json`; `plain` if nothing says otherwise.
    QORTAL_MCP_LOG_FORMAT;
}

/// Reads a variable; one that is empty or not Unicode counts as not set.
pub(crate) fn read(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    let value = std::env::var(name).ok()?;
    Some(value).filter(|it| !it.trim().is_empty())
}

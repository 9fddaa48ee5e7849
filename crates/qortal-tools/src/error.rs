//! Errors of tool calls, in sentences a model can act on.

use std::fmt;

use qortal_client::{ApiError, Endpoint, KeyUse, NodeError, NodeErrorKind};
use tool_schema::{InvalidValue, Problem};

use crate::support::untrusted::sentences;

/// The error of a tool call. Its text begins with a plain message, followed by the problem, the accepted values and the
/// next step. The text has no hidden characters and is limited in length, even where it quotes others.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ToolError {
    /// Some arguments are invalid. There is at least one problem.
    Arguments(Vec<Problem>),
    /// The chain does not have the thing named in the arguments.
    NotFound {
        /// A sentence: `Name not found.`
        plain: &'static str,
        /// The next step, in sentences.
        hint: String,
    },
    /// The data is private to the owner of a node, and the configured node may belong to someone else.
    OwnerOnly,
    /// The node did not respond, or refused the request.
    Node(NodeError),
    /// The tool's declaration is invalid, which is a bug in this crate.
    Declaration(String),
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sentences(&Quoting(self).to_string()))
    }
}

impl std::error::Error for ToolError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Node(err) => Some(err),
            Self::Arguments(_) | Self::NotFound { .. } | Self::OwnerOnly | Self::Declaration(_) => {
                None
            }
        }
    }
}

impl From<NodeError> for ToolError {
    fn from(err: NodeError) -> Self {
        Self::Node(err)
    }
}

/// Formats an error with its quotations unchanged.
struct Quoting<'a>(&'a ToolError);

impl fmt::Display for Quoting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ToolError::Arguments(problems) => arguments(problems, f),
            ToolError::NotFound { plain, hint } => write!(f, "{plain} {hint}"),
            ToolError::Node(err) => node_error(err, f),
            ToolError::OwnerOnly => f.write_str(
                "Only for the node's owner. This is private to the person who runs a node, so it is requested from a node on this machine only, or with the node's API key. \
         Ask the user to pass --node with the address of their own node, or --api-key-file with the path of its apikey.txt.",
            ),
            ToolError::Declaration(_) => {
                f.write_str("Internal error. This tool cannot be called, the others can.")
            }
        }
    }
}

impl ToolError {
    /// Returns whether the arguments caused the error, so that a retry of the same call would fail too.
    #[must_use]
    pub fn is_of_caller(&self) -> bool {
        match self {
            Self::Arguments(_) | Self::NotFound { .. } | Self::OwnerOnly => true,
            Self::Node(err) => matches!(err.kind(), NodeErrorKind::BadParameter { .. }),
            Self::Declaration(_) => false,
        }
    }

    pub(crate) fn not_found(plain: &'static str, hint: impl Into<String>) -> Self {
        Self::NotFound {
            plain,
            hint: hint.into(),
        }
    }

    /// Creates the error for one argument that is invalid in this call or on this chain.
    pub(crate) fn argument(
        parameter: &str,
        message: &'static str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        let invalid = InvalidValue::new(message, problem, expected);
        Self::Arguments(vec![Problem::new(parameter, invalid)])
    }
}

/// Handles an error code of the Core as a result.
pub(crate) trait NodeResult<T>: Sized {
    /// Returns `None` if the Core refused with `code`.
    fn none_if(self, code: ApiError) -> Result<Option<T>, NodeError>;

    /// Returns `error` if the Core refused with `code`.
    fn error_if(self, code: ApiError, error: impl FnOnce() -> ToolError) -> Result<T, ToolError>;
}

impl<T> NodeResult<T> for Result<T, NodeError> {
    fn none_if(self, code: ApiError) -> Result<Option<T>, NodeError> {
        match self {
            Err(err) if err.is(code) => Ok(None),
            result => result.map(Some),
        }
    }

    fn error_if(self, code: ApiError, error: impl FnOnce() -> ToolError) -> Result<T, ToolError> {
        self.map_err(|err| if err.is(code) { error() } else { err.into() })
    }
}

fn arguments(problems: &[Problem], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(first) = problems.first() {
        f.write_str(first.invalid.message)?;
    }
    problems.iter().try_for_each(|it| write!(f, " {it}"))
}

/// Formats the cause and the next step when the node did not respond. `source()` has the details.
fn node_error(err: &NodeError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match err.kind() {
        NodeErrorKind::Unreachable => unreachable(f, err),
        NodeErrorKind::TimedOut { after } => write!(
            f,
            "Node timed out. The Qortal node did not answer within {} seconds; it may be synchronizing. \
             Try again later or ask for less; get_node_status shows whether it is synchronizing.",
            after.as_secs_f32()
        ),
        NodeErrorKind::Silent { lasts } => write!(
            f,
            "Node silent. The Qortal node has not answered for {} seconds, so nothing was sent. \
             It is probed every second: try again in a few seconds. \
             If that lasts, ask the user to check that Qortal Core is running.",
            lasts.as_secs()
        ),
        NodeErrorKind::Overloaded { limit, waited } => write!(
            f,
            "Node busy. {limit} requests to it are already in progress, and this one waited {} seconds for its turn. \
             Try again in a few seconds.",
            waited.as_secs_f32()
        ),
        NodeErrorKind::NotInThisVersion { needs, has } => {
            write!(f, "Core too old. This needs Qortal Core {needs} or newer, ")?;
            match has {
                Some(has) => write!(f, "and the node has {has}. ")?,
                None => write!(
                    f,
                    "and the node, which does not report its version, has no {}. ",
                    err.endpoint()
                )?,
            }
            f.write_str("Ask the user to update Qortal Core on the node.")
        }
        NodeErrorKind::NoNetworkTime => f.write_str(
            "Node not ready. It could not get network time (NTP) yet, without which it cannot answer this. \
             Try again in a minute. If that lasts, ask the user to check that the node's machine reaches time servers.",
        ),
        NodeErrorKind::TooLarge { limit } => write!(
            f,
            "Answer too large. The node's answer has more than {limit} bytes. Ask for less, with a smaller limit."
        ),
        NodeErrorKind::NoMemory => f.write_str(
            "Server busy. It has no memory left for an answer of this size. Ask for less, or try again in a few seconds.",
        ),
        NodeErrorKind::Unreadable { what, .. } => write!(
            f,
            "Unreadable answer. The configured address did not send {what} for {}. \
             It is probably not a Qortal node, or an incompatible version; the user can check with `qortal-mcp doctor`.",
            err.endpoint()
        ),
        NodeErrorKind::BadParameter { name, problem } => write!(
            f,
            "Invalid argument. The value given for {name} cannot be sent to the node: it {problem}. Expected text without path separators or control characters."
        ),
        NodeErrorKind::Refused { .. } if err.is_not_whitelisted() => f.write_str(
            "Node refuses access. Its apiWhitelist does not include the address of this server. \
             Ask the user to add it in the node's settings.json.",
        ),
        NodeErrorKind::Refused {
            status,
            code,
            message,
            key_use,
        } => match code {
            Some(ApiError::UNAUTHORIZED) => unauthorized(f, err.endpoint(), *key_use),
            _ => refused(f, *status, *code, message),
        },
        _ => write!(f, "Node error. {err}."),
    }
}

fn unreachable(f: &mut fmt::Formatter<'_>, err: &NodeError) -> fmt::Result {
    f.write_str(if err.is_about_own_node() {
        "Node unreachable. Only the configured Qortal node can answer this, and it does not"
    } else {
        "Node unreachable. No Qortal node answered at the configured address"
    })?;
    if let Some(cause) = err.cause() {
        write!(f, ": {cause}")?;
    }
    f.write_str(
        ". Ask the user to check that Qortal Core is running and its API enabled (`qortal-mcp doctor` diagnoses it), then try again.",
    )?;
    if err.is_about_own_node() {
        Ok(())
    } else {
        f.write_str(
            " With the option --public, or QORTAL_MCP_PUBLIC=true, public nodes answer questions about the chain meanwhile.",
        )
    }
}

fn unauthorized(f: &mut fmt::Formatter<'_>, endpoint: Endpoint, key_use: KeyUse) -> fmt::Result {
    match (endpoint.access().needs_key(), key_use) {
        (true, KeyUse::Sent) => f.write_str(
            "API key refused. The node does not accept the API key that is configured. \
             Ask the user to check that the file given as --api-key-file is the apikey.txt of this node.",
        ),
        (true, _) => f.write_str(
            "API key needed. The node requires its API key for this, and none is configured. \
             Ask the user to pass --api-key-file with the path of the node's apikey.txt.",
        ),
        (false, KeyUse::NotConfigured) => write!(
            f,
            "Node refuses access. It requires an API key for {endpoint}, where Qortal Core does not. \
             A key would not be sent there, so passing one does not help. \
             Ask the user to check the node's settings and any proxy in front of it."
        ),
        (false, _) => write!(
            f,
            "Node refuses access. It requires an API key for {endpoint}, where Qortal Core does not, \
             so the configured key was not sent. \
             Ask the user to check the node's settings and any proxy in front of it."
        ),
    }
}

fn refused(
    f: &mut fmt::Formatter<'_>,
    status: u16,
    code: Option<ApiError>,
    message: &str,
) -> fmt::Result {
    match code {
        Some(ApiError::NON_PRODUCTION) => {
            f.write_str("Not permitted. The node does not answer this on the main network.")
        }
        Some(ApiError::BLOCKCHAIN_NEEDS_SYNC | ApiError::NO_TIME_SYNC) => f.write_str(
            "Node not ready. It has to synchronize its blockchain or its clock first. \
             Try again later, get_node_status shows how far it is.",
        ),
        Some(code) => write!(f, "Node refused. It answered code {code}: {message}."),
        None => write!(
            f,
            "Node failed. It answered HTTP {status} without a reason. Try again, or with other arguments."
        ),
    }
}

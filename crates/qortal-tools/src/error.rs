//! Errors of tool calls, in sentences that a model can act on.

use std::fmt;

use qortal_client::{Access, ApiError, Endpoint, KeyUse, NodeError, NodeErrorKind};
use thiserror::Error;
use tool_schema::{InvalidValue, Problem};

/// Why a tool call failed. The text begins with a plain message; what is wrong, what would be accepted
/// and what to try next follow.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum ToolError {
    /// Some arguments are invalid; at least one problem.
    #[error(fmt = arguments)]
    Arguments(Vec<Problem>),
    /// The chain does not have what the arguments name.
    #[error("{plain} {hint}")]
    NotFound {
        /// A sentence: `Name not found.`
        plain: &'static str,
        /// What to try next, in sentences.
        hint: String,
    },
    /// The node did not answer, or refused.
    #[error(fmt = node_error)]
    Node(#[from] NodeError),
    /// The tool's declaration is invalid, which is a bug in this crate.
    #[error("Internal error. This tool cannot be called, the others can.")]
    Declaration(String),
}

impl ToolError {
    pub(crate) fn not_found(plain: &'static str, hint: impl Into<String>) -> Self {
        Self::NotFound {
            plain,
            hint: hint.into(),
        }
    }

    /// One argument is invalid in this call or on this chain.
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

/// What a refusal of the Core means to a tool, by its code.
pub(crate) trait NodeResult<T>: Sized {
    /// Returns `None` if the Core refused with `code`.
    fn none_if(self, code: ApiError) -> Result<Option<T>, NodeError>;

    /// Fails with `error` if the Core refused with `code`.
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
        self.map_err(|err| match err.is(code) {
            true => error(),
            false => err.into(),
        })
    }
}

fn arguments(problems: &[Problem], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(first) = problems.first() {
        f.write_str(first.invalid.message)?;
    }
    problems.iter().try_for_each(|it| write!(f, " {it}"))
}

/// What happened and what to do when the node did not answer. `source()` has the details.
fn node_error(err: &NodeError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match err.kind() {
        NodeErrorKind::Unreachable => f.write_str(
            "Node unreachable. No Qortal node answered at the configured address. \
             Ask the user to check that Qortal Core is running and its API enabled (`qortal-mcp doctor` diagnoses it), then try again.",
        ),
        NodeErrorKind::TimedOut { after } => write!(
            f,
            "Node timed out. The Qortal node did not answer within {} seconds; it may be synchronizing. \
             Try again later or ask for less; get_node_status shows whether it is synchronizing.",
            after.as_secs_f32()
        ),
        NodeErrorKind::Overloaded { limit } => write!(
            f,
            "Node busy. {limit} requests to it are already in progress. Try again in a few seconds.",
        ),
        NodeErrorKind::TooLarge { limit } => write!(
            f,
            "Answer too large. The node's answer has more than {limit} bytes. Ask for less, with a smaller limit."
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

fn unauthorized(f: &mut fmt::Formatter<'_>, endpoint: Endpoint, key_use: KeyUse) -> fmt::Result {
    match (endpoint.access(), key_use) {
        (Access::OwnNodeWithKey, KeyUse::Sent) => f.write_str(
            "API key refused. The node does not accept the API key that is configured. \
             Ask the user to check that the file given as --api-key-file is the apikey.txt of this node.",
        ),
        (Access::OwnNodeWithKey, _) => f.write_str(
            "API key needed. The node requires its API key for this, and none is configured. \
             Ask the user to pass --api-key-file with the path of the node's apikey.txt.",
        ),
        (_, KeyUse::NotConfigured) => write!(
            f,
            "Node refuses access. It requires an API key for {endpoint}, where Qortal Core does not. \
             A key would not be sent there, so passing one does not help. \
             Ask the user to check the node's settings and any proxy in front of it."
        ),
        (_, _) => write!(
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

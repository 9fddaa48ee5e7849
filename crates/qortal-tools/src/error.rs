//! Why a tool call failed, in sentences that a model can act on.

use std::fmt;

use qortal_client::{ApiError, NodeError, NodeErrorKind};
use thiserror::Error;

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

/// One problem with one argument.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The parameter's name.
    pub parameter: String,
    /// The plain message, a sentence.
    pub plain: &'static str,
    /// What is wrong, to be read after the parameter's name.
    pub what: String,
    /// What would be accepted, to be read after "Expected".
    pub accepted: String,
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
        plain: &'static str,
        what: impl Into<String>,
        accepted: impl Into<String>,
    ) -> Self {
        Self::Arguments(vec![Problem {
            parameter: parameter.to_owned(),
            plain,
            what: what.into(),
            accepted: accepted.into(),
        }])
    }
}

fn arguments(problems: &[Problem], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(first) = problems.first() {
        f.write_str(first.plain)?;
    }
    problems.iter().try_for_each(|it| write!(f, " {it}"))
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            parameter,
            what,
            accepted,
            ..
        } = self;
        write!(f, "`{parameter}` {what}. Expected {accepted}.")
    }
}

/// What a model should know and do when the node did not answer. The cause has the details.
fn node_error(err: &NodeError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match err.kind() {
        NodeErrorKind::Unreachable => f.write_str(
            "Node unreachable. No Qortal node answered at the configured address. \
             Ask the user to check that Qortal Core is running and its API enabled (`qortal-mcp doctor` says more), then try again.",
        ),
        NodeErrorKind::TimedOut { after } => write!(
            f,
            "Node timed out. The Qortal node did not answer within {} seconds; it may be synchronizing. \
             Try again later or ask for less, get_node_status says whether it synchronizes.",
            after.as_secs_f32()
        ),
        NodeErrorKind::Overloaded { limit } => write!(
            f,
            "Node busy. {limit} requests to it are under way already. Try again in a few seconds.",
        ),
        NodeErrorKind::TooLarge { limit } => write!(
            f,
            "Answer too large. The node's answer has more than {limit} bytes. Ask for less, with a smaller limit."
        ),
        NodeErrorKind::Unreadable { what, .. } => write!(
            f,
            "Unreadable answer. The configured address did not send {what} for {}. \
             It is probably no Qortal node, or one of another generation; the user can check with `qortal-mcp doctor`.",
            err.endpoint()
        ),
        NodeErrorKind::BadParameter { name, problem } => write!(
            f,
            "Invalid argument. The value given for {name} cannot be sent to the node: it {problem}. Expected text without path separators or control characters."
        ),
        NodeErrorKind::Refused { .. } if err.is_not_whitelisted() => f.write_str(
            "Node refuses access. Its apiWhitelist does not have the address of this server. \
             Ask the user to add it in the node's settings.json.",
        ),
        NodeErrorKind::Refused { status, code, message } => refused(f, *status, *code, message),
        _ => write!(f, "Node error. {err}."),
    }
}

fn refused(
    f: &mut fmt::Formatter<'_>,
    status: u16,
    code: Option<ApiError>,
    message: &str,
) -> fmt::Result {
    match code {
        Some(ApiError::UNAUTHORIZED) => f.write_str(
            "API key needed. The node wants its API key for this and did not get the right one. \
             Ask the user to pass --api-key-file.",
        ),
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

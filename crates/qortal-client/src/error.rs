//! Errors of requests to a node.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use crate::{ApiError, Cause, CoreVersion, Endpoint, KeyUse};

/// How many characters of an answer are quoted.
const EXCERPT_CHARACTERS: usize = 200;

/// An error of a request to a node.
///
/// The [`kind`](Self::kind) determines how a caller can react. The text contains the endpoint, but never the API key or the
/// arguments.
#[derive(Debug, Clone)]
pub struct NodeError {
    endpoint: Endpoint,
    kind: NodeErrorKind,
    cause: Option<Cause>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// The kind of an error, by the caller's possible reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeErrorKind {
    /// No complete HTTP response was received, because there was no connection or it was lost. Try again later, or start the node.
    Unreachable,
    /// The node took too long. Try again later, or request less.
    TimedOut {
        /// The timeout.
        after: Duration,
    },
    /// The node has been unresponsive for a while and is probed each second. Nothing was sent. Try again later.
    Silent {
        /// The time since the node became unresponsive.
        lasts: Duration,
    },
    /// Too many requests to the node are in flight, so this one was not sent. Send fewer at a time.
    Overloaded {
        /// The limit of concurrent requests.
        limit: usize,
        /// The time that the request waited in the queue.
        waited: Duration,
    },
    /// The node returned an error status. Decide by the code.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The Core's code, or `None` if the response came from the HTTP server below the Core, such as for an internal failure.
        code: Option<ApiError>,
        /// The Core's translated message without control characters, at most 200 characters. Empty for a bare page.
        message: String,
        /// Whether the API key was sent with the request. Relevant if the code is [`UNAUTHORIZED`](ApiError::UNAUTHORIZED).
        key_use: KeyUse,
    },
    /// The node's Qortal Core is older than the endpoint. Avoid the endpoint, or update the node.
    NotInThisVersion {
        /// The release that introduced the endpoint.
        needs: CoreVersion,
        /// The node's release, if it is known.
        has: Option<CoreVersion>,
    },
    /// The node failed and has no network time (NTP) yet, so it cannot determine the current time. Try again later.
    NoNetworkTime,
    /// The response exceeds the size limit. Request less.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// There was no memory for the response. See [`NodeConfig::memory`](crate::NodeConfig::memory). Try again later.
    NoMemory,
    /// The response does not match the endpoint. The server is probably not a Qortal node, or has a very different version.
    Unreadable {
        /// The expected content.
        what: &'static str,
        /// The start of the response, with control characters escaped.
        excerpt: String,
    },
    /// Websockets to this node are not supported, because it is reached over `https`. Poll it instead.
    NoSocket,
    /// An argument is invalid, so no request was sent.
    BadParameter {
        /// The Core's name of the parameter.
        name: &'static str,
        /// The problem, as a predicate, such as "is missing".
        problem: &'static str,
    },
}

impl NodeError {
    pub(crate) const fn new(endpoint: Endpoint, kind: NodeErrorKind) -> Self {
        Self {
            endpoint,
            kind,
            cause: None,
            source: None,
        }
    }

    pub(crate) fn with_source(self, source: impl Error + Send + Sync + 'static) -> Self {
        Self {
            source: Some(Arc::new(source)),
            ..self
        }
    }

    /// No complete answer, because of `error`.
    pub(crate) fn unreachable(endpoint: Endpoint, error: Box<dyn Error + Send + Sync>) -> Self {
        let cause = Cause::in_chain(&*error).unwrap_or(Cause::Broken);
        let unreachable = Self::new(endpoint, NodeErrorKind::Unreachable).with_cause(cause);
        Self {
            source: Some(error.into()),
            ..unreachable
        }
    }

    pub(crate) fn with_cause(self, cause: Cause) -> Self {
        Self {
            cause: Some(cause),
            ..self
        }
    }

    /// The same for another reason.
    pub(crate) fn with_kind(self, kind: NodeErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> &NodeErrorKind {
        &self.kind
    }

    /// Returns the reason why the node was [unreachable](NodeErrorKind::Unreachable), if it is known.
    #[must_use]
    pub const fn cause(&self) -> Option<Cause> {
        self.cause
    }

    /// Returns the message with its first source, for logs and diagnosis, where the [cause](Self::cause) is not enough.
    #[must_use]
    pub fn details(&self) -> String {
        let mut root = self.source();
        while let Some(source) = root.and_then(Error::source) {
            root = Some(source);
        }
        match (self.cause, root) {
            (None | Some(Cause::Tls | Cause::Broken), Some(root)) => format!("{self} ({root})"),
            _ => self.to_string(),
        }
    }

    /// Returns the endpoint of the request.
    #[must_use]
    pub const fn endpoint(&self) -> Endpoint {
        self.endpoint
    }

    /// Returns the Core's code, if the node rejected the request with one.
    #[must_use]
    pub const fn code(&self) -> Option<ApiError> {
        match self.kind {
            NodeErrorKind::Refused { code, .. } => code,
            _ => None,
        }
    }

    /// Returns `true` if the node rejected the request with this code.
    #[must_use]
    pub fn is(&self, code: ApiError) -> bool {
        self.code() == Some(code)
    }

    /// Returns `true` if the node rejects all requests of this client, because its `apiWhitelist` does not contain the client's
    /// address.
    ///
    /// The Core then returns a 403 page without a code.
    #[must_use]
    pub const fn is_not_whitelisted(&self) -> bool {
        matches!(
            self.kind,
            NodeErrorKind::Refused {
                status: 403,
                code: None,
                ..
            }
        )
    }

    /// Returns `true` if the request was about the configured node itself, so no other node can answer it.
    #[must_use]
    pub const fn is_about_own_node(&self) -> bool {
        self.endpoint.access().is_of_one()
    }

    /// Returns `true` if there was no response at all, because the node could not be reached or took too long. Another node might
    /// respond.
    #[must_use]
    pub const fn is_unavailable(&self) -> bool {
        matches!(
            self.kind,
            NodeErrorKind::Unreachable
                | NodeErrorKind::TimedOut { .. }
                | NodeErrorKind::Silent { .. }
        )
    }

    pub(crate) const fn is_timeout(&self) -> bool {
        matches!(self.kind, NodeErrorKind::TimedOut { .. })
    }

    /// Whether the HTTP server below the Core answered for it, as for a failure that the Core does not expect.
    pub(crate) const fn is_crash(&self) -> bool {
        matches!(
            self.kind,
            NodeErrorKind::Refused {
                status: 500,
                code: None,
                ..
            }
        )
    }

    pub(crate) const fn is_overload(&self) -> bool {
        matches!(self.kind, NodeErrorKind::Overloaded { .. })
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.endpoint;
        match &self.kind {
            NodeErrorKind::Unreachable => {
                write!(f, "node unreachable for {endpoint}")?;
                match self.cause {
                    Some(cause) => write!(f, ": {cause}"),
                    None => Ok(()),
                }
            }
            NodeErrorKind::TimedOut { after } => {
                write!(f, "no response to {endpoint} within {after:?}")
            }
            NodeErrorKind::Silent { lasts } => write!(
                f,
                "{endpoint} was not sent because the node has not answered for {lasts:?}"
            ),
            NodeErrorKind::Overloaded { limit, waited } => {
                write!(
                    f,
                    "{endpoint} was not sent because {limit} requests are in progress"
                )?;
                if waited.is_zero() {
                    Ok(())
                } else {
                    write!(f, ", after {waited:?} in the queue")
                }
            }
            NodeErrorKind::Refused {
                status,
                code,
                message,
                key_use: _,
            } => {
                write!(f, "node refused {endpoint} with HTTP {status}")?;
                if let Some(code) = code {
                    write!(f, ", code {code}")?;
                }
                if message.is_empty() {
                    Ok(())
                } else {
                    write!(f, ": {message}")
                }
            }
            NodeErrorKind::NotInThisVersion { needs, has } => {
                write!(f, "{endpoint} needs Qortal Core {needs}")?;
                match has {
                    Some(has) => write!(f, ", the node has {has}"),
                    None => Ok(()),
                }
            }
            NodeErrorKind::NoNetworkTime => {
                write!(f, "node failed at {endpoint}, and has no network time yet")
            }
            NodeErrorKind::TooLarge { limit } => {
                write!(f, "response to {endpoint} has more than {limit} bytes")
            }
            NodeErrorKind::NoMemory => write!(f, "no memory left for the response to {endpoint}"),
            NodeErrorKind::Unreadable { what, excerpt } => {
                write!(f, "response to {endpoint} is not {what}: \"{excerpt}\"")
            }
            NodeErrorKind::NoSocket => {
                write!(
                    f,
                    "{endpoint} was not sent because websockets over https are not supported"
                )
            }
            NodeErrorKind::BadParameter { name, problem } => {
                write!(f, "{endpoint} was not sent because its {name} {problem}")
            }
        }
    }
}

impl Error for NodeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}

/// The beginning of what the node sent, safe to print on one line.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    // A character has at most four bytes; the rest needs no decoding.
    let head = bytes.get(..EXCERPT_CHARACTERS * 4).unwrap_or(bytes);
    let text = String::from_utf8_lossy(head);
    text.chars()
        .take(EXCERPT_CHARACTERS)
        .flat_map(printable)
        .collect()
}

/// The character itself, or its escape if it would move the cursor, change the writing direction, or not be seen.
fn printable(character: char) -> impl Iterator<Item = char> {
    let moves = character.is_control()
        || matches!(
            character,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{115F}'
                | '\u{1160}'
                | '\u{17B4}'
                | '\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        );
    let escaped = moves.then(|| character.escape_default());
    let plain = (!moves).then_some(character);
    escaped.into_iter().flatten().chain(plain)
}

#[cfg(test)]
mod tests;

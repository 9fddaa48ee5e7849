//! Errors of handlers. Clients receive some of them, and the others are only logged.

use std::{any::Any, borrow::Cow, error::Error, fmt, fmt::Display};

use tool_schema::{InvalidArguments, InvalidValue};

use crate::context::AskError;

/// The message that replaces an error that is not meant for the client.
const INTERNAL: &str = "Internal error. The server log has the cause.";

/// An error of a handler: a message for the model, or an internal error.
///
/// [`HandlerError::new`] creates a message for the model. `?` converts any [`Error`] into an internal error. The server
/// logs internal errors, and clients receive only the message "Internal error." with the advice to check the server's
/// log.
///
/// ```
/// use mcp_server::{HandlerError, tool_schema::params};
///
/// params! {
///     struct ReadParams {
///         /// The number of the note.
///         number: u32,
///     }
/// }
///
/// async fn read(params: ReadParams) -> Result<String, HandlerError> {
///     if params.number > 100 {
///         return Err(HandlerError::new("There are 100 notes. Ask for one of them."));
///     }
///     // The path of the file does not reach the model.
///     Ok(std::fs::read_to_string(format!("/srv/notes/{}", params.number))?)
/// }
/// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, read);
/// ```
///
/// To show an error's message to the model, use `.map_err(HandlerError::new)?`.
#[derive(Debug)]
#[doc(alias = "ToolError")]
pub struct HandlerError(Kind);

#[derive(Debug)]
enum Kind {
    Shown(String),
    Asking(AskError),
    Internal(Box<dyn Error + Send + Sync>),
}

impl HandlerError {
    /// Creates an error with a message for the model. The message should name the problem and the remedy.
    pub fn new(message: impl Display) -> Self {
        Self(Kind::Shown(message.to_string()))
    }
}

/// Converts an error into an internal error, unless it is one that this crate creates for clients, such as
/// [`AskError`].
impl<E: Error + Send + Sync + 'static> From<E> for HandlerError {
    fn from(error: E) -> Self {
        let any: &dyn Any = &error;
        Self(match any.downcast_ref::<AskError>() {
            Some(asking) => Kind::Asking(asking.clone()),
            None => match shown(any, &error) {
                Some(text) => Kind::Shown(text),
                None => Kind::Internal(Box::new(error)),
            },
        })
    }
}

impl Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Shown(text) => f.write_str(text),
            Kind::Asking(error) => error.fmt(f),
            Kind::Internal(error) => error.fmt(f),
        }
    }
}

/// Returns the error for the client: the handler's own error if it has type `F`, otherwise `failed` with the message
/// for the client.
pub(super) fn failure<F: Clone + From<AskError> + 'static>(
    error: &(impl Display + 'static),
    failed: fn(String) -> F,
) -> F {
    let any: &dyn Any = error;
    if let Some(own) = any.downcast_ref::<F>() {
        return own.clone();
    }
    let kind = any.downcast_ref::<HandlerError>().map(|it| &it.0);
    match (any.downcast_ref::<AskError>(), kind) {
        (Some(asking), _) | (None, Some(Kind::Asking(asking))) => asking.clone().into(),
        (None, Some(Kind::Shown(text))) => failed(text.clone()),
        (None, Some(Kind::Internal(error))) => {
            let causes = std::iter::successors(error.source(), |it| (*it).source());
            let causes: Vec<String> = causes.map(ToString::to_string).collect();
            tracing::error!(%error, ?causes, "a handler failed");
            failed(INTERNAL.to_owned())
        }
        (None, None) => failed(shown(any, error).unwrap_or_else(|| {
            tracing::error!(%error, "a handler failed");
            INTERNAL.to_owned()
        })),
    }
}

/// Returns the message of an error whose type is meant for clients: a string, or an error about invalid arguments.
fn shown(any: &dyn Any, error: &impl Display) -> Option<String> {
    let is_shown = any.is::<String>()
        || any.is::<&'static str>()
        || any.is::<Cow<'static, str>>()
        || any.is::<InvalidArguments>()
        || any.is::<InvalidValue>();
    is_shown.then(|| error.to_string())
}

//! Handlers of server requests and notifications.

use std::{future::Future, pin::Pin};

use mcp_protocol::{Capability, ErrorObject, Object, ServerRequest};

use crate::ServerNotification;

/// A handler of the requests and notifications that a server sends.
///
/// ```
/// use mcp_client::{ClientHandler, mcp_protocol::{Capability, ServerRequest, ErrorObject, Object}};
/// use serde_json::json;
///
/// struct Folders;
///
/// impl ClientHandler for Folders {
///     fn capabilities(&self) -> &[Capability] {
///         &[Capability::Roots]
///     }
///
///     async fn on_request(&self, request: ServerRequest) -> Result<Object, ErrorObject> {
///         match request {
///             ServerRequest::ListRoots => {
///                 Ok(Object::from_iter([("roots".to_owned(), json!([{"uri": "file:///srv"}]))]))
///             }
///             other => Err(ErrorObject::method_not_found(other.method())),
///         }
///     }
/// }
/// ```
pub trait ClientHandler: Send + Sync + 'static {
    /// Returns the capabilities that the handler supports and the client declares. The default is none.
    fn capabilities(&self) -> &[Capability] {
        &[]
    }

    /// Handles a server request and returns the result of `elicitation/create`, `sampling/createMessage` or
    /// `roots/list` (`client/elicitation`, `client/sampling`, `client/roots`). The future is dropped if the server
    /// cancels the request.
    fn on_request(
        &self,
        request: ServerRequest,
    ) -> impl Future<Output = Result<Object, ErrorObject>> + Send {
        async move { Err(ErrorObject::method_not_found(request.method())) }
    }

    /// Handles a notification that belongs to no [`Subscription`](crate::Subscription). It must not block, because the
    /// client reads nothing else until it returns.
    fn on_notification(&self, notification: ServerNotification) {
        drop(notification);
    }
}

/// Handles no requests and ignores notifications.
impl ClientHandler for () {}

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A handler of any type.
pub(crate) trait AnyHandler: Send + Sync {
    fn declared(&self) -> &[Capability];
    fn ask(&self, request: ServerRequest) -> BoxFuture<'_, Result<Object, ErrorObject>>;
    fn tell(&self, notification: ServerNotification);
}

impl<H: ClientHandler> AnyHandler for H {
    fn declared(&self) -> &[Capability] {
        self.capabilities()
    }

    fn ask(&self, request: ServerRequest) -> BoxFuture<'_, Result<Object, ErrorObject>> {
        Box::pin(async move {
            let answer = self.on_request(request.clone()).await?;
            match request.is_answered_by(&answer) {
                true => Ok(answer),
                false => {
                    tracing::error!(
                        method = request.method(),
                        "a handler returned an invalid result for the request"
                    );
                    Err(ErrorObject::opaque_internal())
                }
            }
        })
    }

    fn tell(&self, notification: ServerNotification) {
        self.on_notification(notification);
    }
}

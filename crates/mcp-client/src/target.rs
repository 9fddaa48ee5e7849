//! Servers that a client can connect to.

use std::future::Future;

use crate::{Client, ClientConfig, ClientError, Endpoint};

/// A server that [`Client::connect`] accepts: an [`Endpoint`], or with the feature `in-process` a server of the same
/// process.
#[diagnostic::on_unimplemented(
    message = "a client cannot connect to `{Self}`",
    note = "it connects to an `Endpoint`, and with the feature `in-process` to a `&Arc<mcp_server::Server>`"
)]
pub trait ConnectTarget: Send {
    /// Connects to the server.
    #[doc(hidden)]
    fn open(self, config: ClientConfig)
    -> impl Future<Output = Result<Client, ClientError>> + Send;
}

impl ConnectTarget for Endpoint {
    fn open(
        self,
        config: ClientConfig,
    ) -> impl Future<Output = Result<Client, ClientError>> + Send {
        Client::over_http(self, config)
    }
}

/// Runs the server in a task of the client. Messages pass through memory, as lines.
#[cfg(feature = "in-process")]
impl ConnectTarget for &std::sync::Arc<mcp_server::Server> {
    fn open(
        self,
        config: ClientConfig,
    ) -> impl Future<Output = Result<Client, ClientError>> + Send {
        /// Maximum number of unread bytes in one direction.
        const BYTES: usize = 64 << 10;
        let server = std::sync::Arc::clone(self);
        async move {
            let (ours, theirs) = tokio::io::duplex(BYTES);
            let (input, output) = tokio::io::split(theirs);
            let serving = async move {
                let stop = mcp_server::CancellationToken::new();
                let limits = mcp_stdio::StdioLimits::default();
                let served = mcp_stdio::serve(server, input, output, stop, limits).await;
                if let Err(why) = served {
                    tracing::warn!(%why, "the in-process server has ended");
                }
            };
            let (input, output) = tokio::io::split(ours);
            Client::over(input, output, config, None, Some(Box::pin(serving))).await
        }
    }
}

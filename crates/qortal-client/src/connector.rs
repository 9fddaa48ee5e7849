//! Connectors, which open connections to nodes in place of the operating system.

use std::{
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{self, Poll},
    time::Duration,
};

use futures_util::future::BoxFuture;
use hyper::{
    Uri,
    rt::{Read, ReadBufCursor, Write},
};
use hyper_util::{
    client::legacy::connect::{
        Connected, Connection, HttpConnector,
        dns::{GaiAddrs, GaiResolver, Name},
    },
    rt::TokioIo,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout,
};
use tower_service::Service;

use crate::{ConfigError, NodeConfig, cause::Unresolved};

/// A connection that a [`Connector`] opened.
pub trait Wire: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin> Wire for T {}

/// A connection that is being opened.
pub type Connecting = BoxFuture<'static, io::Result<Box<dyn Wire>>>;

/// A connector that opens connections to nodes instead of the operating system, such as through a private network or in memory for
/// a simulation.
#[derive(Clone)]
pub struct Connector(Arc<Open>);

type Open = dyn Fn(&str, u16) -> Connecting + Send + Sync;

impl Connector {
    /// Creates a connector that calls `open` with the host and port of the node for each connection. For an `https` node, TLS runs
    /// on top of it.
    pub fn new(open: impl Fn(&str, u16) -> Connecting + Send + Sync + 'static) -> Self {
        Self(Arc::new(open))
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}

/// Opens the connections of a client, within the time for that.
#[derive(Debug, Clone)]
pub(crate) struct Connect {
    way: Transport,
    limit: Duration,
    #[cfg(feature = "tls")]
    tls: Option<Arc<rustls::ClientConfig>>,
}

#[derive(Debug, Clone)]
enum Transport {
    System(HttpConnector<Resolver>),
    Given(Connector),
}

/// A connection as hyper takes it.
pub(crate) struct Stream(TokioIo<Box<dyn Wire>>);

impl Connect {
    pub(crate) fn new(config: &NodeConfig) -> Result<Self, ConfigError> {
        let way = match &config.connector {
            Some(given) => Transport::Given(given.clone()),
            None => {
                let mut system = HttpConnector::new_with_resolver(Resolver(GaiResolver::new()));
                system.set_nodelay(true);
                system.enforce_http(false);
                Transport::System(system)
            }
        };
        Ok(Self {
            way,
            limit: config.timeouts.connect,
            #[cfg(feature = "tls")]
            tls: crate::tls::for_nodes(config)?,
        })
    }

    /// Opens a connection to the node at this URL.
    pub(crate) async fn open(self, uri: Uri) -> io::Result<Box<dyn Wire>> {
        let limit = self.limit;
        let opened = timeout(limit, self.open_patiently(uri)).await;
        opened.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    async fn open_patiently(self, uri: Uri) -> io::Result<Box<dyn Wire>> {
        let is_https = uri.scheme_str() == Some("https");
        let host = uri.host().unwrap_or_default().to_owned();
        let wire = match self.way {
            Transport::System(mut system) => {
                let opened = system.call(uri).await.map_err(io::Error::other)?;
                Box::new(opened.into_inner())
            }
            Transport::Given(Connector(open)) => {
                let port = uri.port_u16().unwrap_or(if is_https { 443 } else { 80 });
                open(&host, port).await?
            }
        };
        #[cfg(feature = "tls")]
        if is_https && let Some(tls) = self.tls {
            return crate::tls::secure(tls, &host, wire).await;
        }
        Ok(wire)
    }
}

impl Service<Uri> for Connect {
    type Response = Stream;
    type Error = io::Error;
    type Future = BoxFuture<'static, io::Result<Stream>>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connect = self.clone();
        Box::pin(async move { connect.open(uri).await.map(|it| Stream(TokioIo::new(it))) })
    }
}

/// The resolver of the system, whose failures are told apart.
#[derive(Debug, Clone)]
struct Resolver(GaiResolver);

impl Service<Name> for Resolver {
    type Response = std::iter::Map<GaiAddrs, fn(SocketAddr) -> SocketAddr>;
    type Error = Unresolved;
    type Future = BoxFuture<'static, Result<Self::Response, Unresolved>>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), Unresolved>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let resolved = self.0.call(name);
        Box::pin(async move {
            let same: fn(SocketAddr) -> SocketAddr = |it| it;
            resolved.await.map(|it| it.map(same)).map_err(Unresolved)
        })
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl Read for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut task::Context<'_>,
        buf: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl Write for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut task::Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

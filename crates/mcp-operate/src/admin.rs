//! A separate listener for monitors.

use std::{io, time::Duration};

use mcp_http::{HttpConfig, HttpLimits, Listener, ShutdownToken};

use crate::{HttpPageEntry, ListenAddr, SocketFile};

/// Many more than there are monitors, so that those who connect and say nothing keep none of them waiting for long.
pub(crate) const CONNECTIONS: u16 = 512;
/// A monitor that has not read its answer by then asks again.
const DRAIN: Duration = Duration::from_secs(1);

/// A listener for monitors, separate from the one for clients.
#[derive(Debug)]
pub struct AdminServer {
    listener: Listener,
    _file: SocketFile,
}

impl AdminServer {
    /// Binds the listener. Its pages are for the operator, so keep other users from reaching it.
    ///
    /// # Errors
    /// Returns an error if the system does not allow it or the address is in use.
    pub async fn bind(address: &ListenAddr) -> io::Result<Self> {
        let (listener, _, file) = address.bind().await?;
        Ok(Self {
            listener,
            _file: file,
        })
    }

    /// Serves `/health` and the given pages until `stop`.
    ///
    /// # Errors
    /// Returns an error if connections can no longer be accepted.
    pub async fn serve(self, pages: Vec<HttpPageEntry>, stop: ShutdownToken) -> io::Result<()> {
        let mut config = HttpConfig::pages_only();
        config.routes = pages;
        config.limits = HttpLimits::default()
            .with_connections(usize::from(CONNECTIONS))
            .with_drain_timeout(DRAIN);
        mcp_http::serve(self.listener, config, stop).await?;
        Ok(())
    }
}

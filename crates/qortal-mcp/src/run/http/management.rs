//! The address that monitors look at, beside the one for clients.

use std::{io, sync::Arc, time::Duration};

use mcp_http::{Config, Limits, Listener, Stop};

use super::{HttpError, Listen, listen::SocketFile};
use crate::{
    config::HttpConfig,
    operate::{self, Operated},
};

/// Many more than there are monitors, so that those who connect and say nothing keep none of them waiting for long.
pub(super) const CONNECTIONS: u16 = 512;
/// A monitor that has not read its answer by then asks again.
const DRAIN: Duration = Duration::from_secs(1);

/// The address, if one is configured.
pub(super) struct Management(Option<(Listener, SocketFile)>);

impl Management {
    /// Begins to listen, by the same rule as for clients: beyond this machine an explicit word is needed.
    pub(super) async fn bind(http: &HttpConfig, has_tokens: bool) -> Result<Self, HttpError> {
        let Some(address) = &http.management_listen else {
            return Ok(Self(None));
        };
        let is_open = !address.is_local() && !has_tokens && !http.no_auth;
        if is_open {
            return Err(HttpError::Open {
                address: address.clone(),
            });
        }
        match address.bind().await {
            Ok((listener, _, file)) => Ok(Self(Some((listener, file)))),
            Err(source) => Err(bind_error(address, source)),
        }
    }

    /// Serves until `stop`.
    pub(super) async fn serve(self, operated: &Arc<Operated>, stop: Stop) -> io::Result<()> {
        let Self(Some((listener, _file))) = self else {
            return Ok(());
        };
        let mut config = Config::pages_only();
        config.pages = operate::management_pages(operated);
        config.limits = Limits::default()
            .with_connections(usize::from(CONNECTIONS))
            .with_drain(DRAIN);
        let stopped = stop.finishing().clone();
        let watching = operate::watch(&operated.node, &stopped);
        let (served, ()) = tokio::join!(mcp_http::serve(listener, config, stop), watching);
        served.map(drop)
    }
}

fn bind_error(address: &Listen, source: io::Error) -> HttpError {
    HttpError::Bind {
        address: address.clone(),
        source,
    }
}
